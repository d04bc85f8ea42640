//! What a server tells of how it is set up.

/// A setting of the program, as whoever may come in sees it: without what is secret.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setting {
    /// Its key: `egress`, `budget.usd`.
    pub name: String,
    /// What it says.
    pub about: String,
    /// Its value; empty where it is not set.
    pub value: String,
    /// Where that comes from: a file, a variable, a flag, or nobody; empty where it is not set.
    pub origin: String,
}

/// A service that searches the web.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Service {
    /// Its name.
    pub name: String,
    /// What it searches.
    pub what: String,
    /// What is wanting before it can be asked; empty where nothing is.
    pub wants: String,
    /// Whether a question is put to it that is to be looked up on the web and names no service.
    pub is_asked: bool,
}
