//! Why an index did not do what it was asked.

/// What a failure is about, which decides what is done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trouble {
    /// What was given cannot be taken, by a rule of ours or the user's egress mode.
    Refused,
    /// The server wants another key, or this key may not do it.
    Denied,
    /// Nobody answers, or only that it is busy or in trouble: it may pass.
    Gone,
    /// What is there is not what is needed: another kind of server, a collection of another shape.
    Unfit,
    /// The answer cannot be read, or cannot be believed.
    Garbled,
    /// The file of an embedded index, or the database of another, failed.
    Storage,
}

/// Why an index did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("could not {attempted}: {cause}; {way_out}")]
pub struct IndexFailure {
    /// What it is about.
    pub trouble: Trouble,
    /// What was attempted, and where.
    pub attempted: String,
    /// The cause.
    pub cause: String,
    /// What to do about it.
    pub way_out: String,
}

impl IndexFailure {
    pub(crate) fn new(
        trouble: Trouble,
        attempted: impl Into<String>,
        cause: impl Into<String>,
        way_out: impl Into<String>,
    ) -> Self {
        Self { trouble, attempted: attempted.into(), cause: cause.into(), way_out: way_out.into() }
    }

    pub(crate) fn refused(
        attempted: impl Into<String>,
        cause: impl Into<String>,
        way_out: impl Into<String>,
    ) -> Self {
        Self::new(Trouble::Refused, attempted, cause, way_out)
    }

    /// Whether trying again later may help without anybody doing anything.
    pub fn is_passing(&self) -> bool {
        self.trouble == Trouble::Gone
    }
}
