//! The engine over scripted worlds: ordinary runs, crashes, faults, controls, misbehaving ports.

mod controls;
mod crash;
mod faults;
mod misbehaving;
mod ordinary;
mod process;
mod scenarios;
mod support;
