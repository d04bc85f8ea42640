//! Binding checks: whether the numbers, names, dates and polarity of a claim are those of its evidence.

/// What the checks need of a text.
pub struct Prepared {
    negated: bool,
}

impl Prepared {
    /// Analyses a text.
    pub fn new(text: &str) -> Self {
        let negated = super::tokens::tokens(text).iter().any(|t| {
            matches!(
                t.lower.as_str(),
                "not"
                    | "n't"
                    | "n’t"
                    | "no"
                    | "never"
                    | "none"
                    | "nobody"
                    | "nothing"
                    | "without"
                    | "neither"
                    | "nor"
                    | "cannot"
            )
        });
        Self { negated }
    }

    /// Whether it denies something.
    pub fn is_negated(&self) -> bool {
        self.negated
    }
}
