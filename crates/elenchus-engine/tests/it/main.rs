//! The engine over scripted worlds: ordinary runs, crashes, faults, controls, misbehaving ports.
//!
//! `cfg(test)` on the modules tells clippy that their helpers are tests as well.

#[cfg(test)]
mod asking_again;
#[cfg(test)]
mod comparison;
#[cfg(test)]
mod controls;
#[cfg(test)]
mod crash;
#[cfg(test)]
mod distilling;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod fork;
#[cfg(test)]
mod lenses;
#[cfg(test)]
mod memos;
#[cfg(test)]
mod misbehaving;
#[cfg(test)]
mod ordinary;
#[cfg(test)]
mod paying;
#[cfg(test)]
mod postgres;
#[cfg(test)]
mod process;
#[cfg(feature = "restate")]
#[cfg(test)]
mod restate;
#[cfg(test)]
mod scenarios;
#[cfg(test)]
mod support;
