//! Whole runs over scripted worlds: what holds for every journal, budget, control and model.

mod ablation;
mod budgets;
mod controls;
mod gaps;
mod run_properties;
mod worlds;
