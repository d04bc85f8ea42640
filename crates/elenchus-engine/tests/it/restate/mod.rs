//! Runs as workflows of a real Restate server: workers killed at every step, the server restarted, controls.

mod campaign;
mod controls;
mod distilling;
mod ordinary;
mod server;
mod several;
mod worker;
