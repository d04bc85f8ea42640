//! Whole runs over scripted worlds: what holds for every journal, budget, control and model.
//!
//! `cfg(test)` on the modules tells clippy that their helpers are tests as well.

#[cfg(test)]
mod ablation;
#[cfg(test)]
mod budgets;
#[cfg(test)]
mod controls;
#[cfg(test)]
mod gaps;
#[cfg(test)]
mod hypotheses;
#[cfg(test)]
mod run_properties;
#[cfg(test)]
mod worlds;
