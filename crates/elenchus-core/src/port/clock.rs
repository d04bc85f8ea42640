//! The time, which core is only ever told.

use crate::id::Timestamp;

/// Tells the time. Drivers ask it once an input; core never does.
pub trait Clock: Send + Sync {
    /// Now, in milliseconds since the Unix epoch. May stand still; need not be monotonic.
    fn now(&self) -> Timestamp;
}
