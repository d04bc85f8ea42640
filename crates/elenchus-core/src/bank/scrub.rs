//! Secrets, taken out of text before a prompt and before the store.
//!
//! Three ways to know one: the shape that an issuer gives its keys ([`shapes`]), the place where it stands (behind
//! `password =`, in an `Authorization` header, between `://user:` and `@`, [`places`]), and how little it
//! resembles a word. What is only described (`keys look like sk-...`) and what stands in for a secret (`<your key>`,
//! `${{ secrets.X }}`) stays.

mod places;
mod shapes;
#[cfg(test)]
mod tests;

use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Text without the secrets that were in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scrubbed {
    /// The text; `[KIND removed]` stands where a secret stood.
    pub text: String,
    /// What was taken out, each kind once, in the order of the alphabet. Never the secrets themselves.
    pub kinds: Vec<String>,
}

/// Whether a match is a secret, told by the secret itself.
type Check = fn(&str) -> bool;

/// A rule before its pattern is compiled.
struct Row {
    kind: &'static str,
    pattern: String,
    check: Check,
    /// Whether no letter, digit or underscore may stand before it. Asked in code and not in the pattern, so that a pattern
    /// begins with the letters that it looks for and a search skips from one to the next.
    alone: bool,
}

/// One way to know a secret.
struct Rule {
    kind: &'static str,
    pattern: Regex,
    /// What has to hold of the group `secret`, or of the whole match where the pattern has none.
    check: Check,
    alone: bool,
}

static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let rows = places::blocks().into_iter().chain(shapes::rows()).chain(places::rows());
    let rule = |row: Row| Rule {
        kind: row.kind,
        pattern: Regex::new(&row.pattern).expect("a test compiles every pattern"),
        check: row.check,
        alone: row.alone,
    };
    rows.map(rule).collect()
});

/// Takes secrets out of a text. Scrubbing what was scrubbed changes nothing.
pub fn scrub(text: &str) -> Scrubbed {
    let mut out = text.to_owned();
    let mut kinds: BTreeSet<&'static str> = BTreeSet::new();
    for rule in RULES.iter() {
        if let Some(cleaned) = apply(rule, &out) {
            out = cleaned;
            kinds.insert(rule.kind);
        }
    }
    Scrubbed { text: out, kinds: kinds.into_iter().map(str::to_owned).collect() }
}

/// The text without what a rule finds; `None` when it finds nothing.
fn apply(rule: &Rule, text: &str) -> Option<String> {
    let mut out = String::new();
    let mut copied = 0;
    for found in rule.pattern.captures_iter(text) {
        let Some(secret) = found.name("secret").or_else(|| found.get(0)) else { continue };
        let before = found.get(0).and_then(|whole| text[..whole.start()].chars().next_back());
        let touched = before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
        if (rule.alone && touched) || !(rule.check)(secret.as_str()) {
            continue;
        }
        out.push_str(&text[copied..secret.start()]);
        out.push('[');
        out.push_str(rule.kind);
        out.push_str(" removed]");
        copied = secret.end();
    }
    if copied == 0 {
        return None;
    }
    out.push_str(&text[copied..]);
    Some(out)
}

/// Words that say that something stands in for a secret.
const STAND_INS: &[&str] = &[
    "example",
    "your",
    "placeholder",
    "changeme",
    "change_me",
    "change-me",
    "replace",
    "redacted",
    "removed]",
    "dummy",
    "insert",
    "secret_here",
    "xxxx",
    "****",
    "....",
    "…",
    "todo",
    "sample",
    "foobar",
    "none",
    "null",
    "undefined",
];

/// Whether something is written where a secret would stand: a template, a reference to a variable, a row of one
/// character.
fn stands_in(value: &str) -> bool {
    let plain = value.to_lowercase();
    let first = value.chars().next();
    STAND_INS.iter().any(|word| plain.contains(word))
        || matches!(first, None | Some('$' | '<' | '{' | '%' | '('))
        || value.chars().all(|c| Some(c) == first)
}

/// Bits a character by the frequencies of the characters themselves; 0 for an empty text.
fn entropy(text: &str) -> f64 {
    let mut characters: Vec<char> = text.chars().collect();
    characters.sort_unstable();
    let all = characters.len() as f64;
    let share = |run: &[char]| {
        let p = run.len() as f64 / all;
        -p * p.log2()
    };
    characters.chunk_by(|a, b| a == b).map(share).sum()
}

/// Whether a text is no word of any language: enough different characters, and digits among letters or capitals in
/// the middle.
fn looks_drawn(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let turns = text
        .chars()
        .zip(text.chars().skip(1))
        .filter(|(a, b)| a.is_lowercase() && b.is_uppercase())
        .count();
    let least = if text.chars().count() < 16 { 2.5 } else { 3.0 };
    entropy(text) >= least && ((digits > 0 && letters > 0) || turns >= 2 || digits >= 16)
}

/// The check of shapes that nothing else has.
fn always(secret: &str) -> bool {
    !stands_in_shape(secret)
}

/// A key of a manual: it says that it is an example, or it is one character over and over.
fn stands_in_shape(secret: &str) -> bool {
    let plain = secret.to_lowercase();
    ["example", "xxxxxx", "your", "redacted", "placeholder"].iter().any(|word| plain.contains(word))
        || entropy(secret) < 2.0
}

/// The check of shapes that a word with hyphens could have too.
fn drawn(secret: &str) -> bool {
    always(secret) && looks_drawn(secret)
}
