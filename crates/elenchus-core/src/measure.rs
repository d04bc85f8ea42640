//! Numbers that are shown: each with the rule and the inputs that it came from.

use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// A named number that went into a rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Input {
    /// Its name, in words.
    pub name: String,
    /// Its value.
    pub value: f64,
}

/// A figure with the rule that gave it, the inputs of the rule, and the figures that those came from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Explained {
    /// What the figure is.
    pub what: String,
    /// The figure.
    pub value: f64,
    /// The rule in words, or a formula over the names of the inputs.
    pub rule: String,
    /// What went in directly.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Input>,
    /// Figures that went in and have an explanation of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Explained>,
}

impl Explained {
    /// A figure without inputs.
    pub fn new(what: impl Into<String>, value: f64, rule: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            value,
            rule: rule.into(),
            inputs: Vec::new(),
            children: Vec::new(),
        }
    }

    /// Adds a named number.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: f64) -> Self {
        self.inputs.push(Input { name: name.into(), value });
        self
    }

    /// Adds a figure with an explanation of its own.
    #[must_use]
    pub fn and(mut self, child: Self) -> Self {
        self.children.push(child);
        self
    }

    /// The tree as indented lines: figure, rule, inputs.
    pub fn render(&self) -> String {
        let mut out = String::new();
        self.write(0, &mut out);
        out
    }

    fn write(&self, depth: usize, out: &mut String) {
        let pad = "  ".repeat(depth);
        writeln!(out, "{pad}{} = {} : {}", self.what, shown(self.value), self.rule)
            .expect("writing to a String cannot fail");
        for input in &self.inputs {
            writeln!(out, "{pad}    {} {}", input.name, shown(input.value))
                .expect("writing to a String cannot fail");
        }
        for child in &self.children {
            child.write(depth + 1, out);
        }
    }
}

/// Three decimals at most, none for whole numbers.
fn shown(value: f64) -> String {
    if (value - value.round()).abs() < 1e-9 { format!("{value:.0}") } else { format!("{value:.3}") }
}

/// Natural log of the odds of `p`, which is kept within `[1e-6, 1 - 1e-6]` so that no figure is infinite.
pub fn logit(p: f64) -> f64 {
    let p = p.clamp(1e-6, 1.0 - 1e-6);
    (p / (1.0 - p)).ln()
}

/// The inverse of [`logit`].
pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}
