//! Whole runs over scripted worlds: what holds for every journal, budget, control and model.
//!
//! `cfg(test)` on the modules tells clippy that their helpers are tests as well.

#[cfg(test)]
mod ablation;
#[cfg(test)]
mod budgets;
#[cfg(test)]
mod clarify;
#[cfg(test)]
mod contract;
#[cfg(test)]
mod controls;
#[cfg(test)]
mod counter;
#[cfg(test)]
mod critique;
#[cfg(test)]
mod derivations;
#[cfg(test)]
mod egress;
#[cfg(test)]
mod field;
#[cfg(test)]
mod gaps;
#[cfg(test)]
mod hypotheses;
#[cfg(test)]
mod insights;
#[cfg(test)]
mod lenses;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod measured;
#[cfg(test)]
mod memos;
#[cfg(test)]
mod named;
#[cfg(test)]
mod phases;
#[cfg(test)]
mod projection;
#[cfg(test)]
mod puppet;
#[cfg(test)]
mod pursuit;
#[cfg(test)]
mod recall;
#[cfg(test)]
mod run_properties;
#[cfg(test)]
mod single_step;
#[cfg(test)]
mod spans;
#[cfg(test)]
mod worlds;
