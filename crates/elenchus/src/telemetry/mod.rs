//! Runs told to a collector of OpenTelemetry as they go, and written as what one reads.

#[cfg(feature = "otel")]
mod with;
#[cfg(not(feature = "otel"))]
mod without;

#[cfg(feature = "otel")]
pub(crate) use with::{begin, export, finish, watched};
#[cfg(not(feature = "otel"))]
pub(crate) use without::{begin, export, finish, watched};

/// How long a command that drives runs lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lives {
    /// As long as its run.
    ForOneRun,
    /// Until it is told to stop: what is wrong is told at once.
    Long,
}
