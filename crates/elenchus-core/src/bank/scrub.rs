//! Secrets, taken out of text before a prompt and before the store.
//!
//! Three ways to know one: the shape that an issuer gives its keys ([`shapes`]), the place where it stands (behind
//! `password =`, in an `Authorization` header, between `://user:` and `@`, [`places`]), and how little it
//! resembles a word. What is only described (`keys look like sk-...`) and what stands in for a secret (`<your key>`,
//! `${{ secrets.X }}`) stays.
//!
//! Whole folders are read through this. One look over a text, for what the patterns begin with, tells which rules can find something
//! at all, and most texts hold nothing that any of them could.

mod places;
mod shapes;
#[cfg(test)]
mod tests;

use regex::{Regex, RegexSet, RegexSetBuilder};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Text without the secrets that were in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scrubbed {
    /// The text; `[KIND removed]` stands where a secret stood.
    pub text: String,
    /// What was taken out, each kind once, in the order of the alphabet. Never the secrets themselves.
    pub kinds: Vec<String>,
    /// In how many places something was taken out.
    pub count: usize,
}

/// Whether a match is a secret, told by the secret itself.
type Check = fn(&str) -> bool;

/// A rule before its pattern is compiled.
struct Row {
    kind: &'static str,
    /// What no match of the pattern is without: where a text has none of it, the pattern is not tried.
    look: String,
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

/// Room for the automaton of [`LOOK`], which grows as it reads. It needs about a tenth of that; where it had too little, it would read a
/// hundred times as slowly.
const LOOK_BYTES: usize = 8 << 20;

/// The rules before they are compiled, in the order in which they are applied.
fn rows() -> impl Iterator<Item = Row> {
    places::blocks().into_iter().chain(shapes::rows()).chain(places::rows())
}

static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let rule = |row: Row| Rule {
        kind: row.kind,
        pattern: Regex::new(&row.pattern).expect("a test compiles every pattern"),
        check: row.check,
        alone: row.alone,
    };
    rows().map(rule).collect()
});

/// What each rule looks for first, all in one pass.
static LOOK: LazyLock<RegexSet> = LazyLock::new(|| {
    RegexSetBuilder::new(rows().map(|row| row.look))
        .dfa_size_limit(LOOK_BYTES)
        .build()
        .expect("a test compiles every pattern")
});

/// Takes secrets out of a text. Scrubbing what was scrubbed changes nothing.
pub fn scrub(text: &str) -> Scrubbed {
    let whole = || Scrubbed { text: text.to_owned(), ..Scrubbed::default() };
    scrub_if_any(text, &mut []).unwrap_or_else(whole)
}

/// Takes secrets out of a text; `None` when there are none, which costs one look over it.
///
/// `places` are bytes of the text, and afterwards those of the same places in what is left: one within a secret lies behind what
/// stands there now.
pub fn scrub_if_any(text: &str, places: &mut [usize]) -> Option<Scrubbed> {
    let mut out: Option<String> = None;
    let mut kinds: BTreeSet<&'static str> = BTreeSet::new();
    let mut count = 0;
    for rule in LOOK.matches(text).iter().filter_map(|at| RULES.get(at)) {
        let Some(cleaned) = apply(rule, out.as_deref().unwrap_or(text)) else { continue };
        for place in &mut *places {
            *place = moved(&cleaned.cuts, *place);
        }
        count += cleaned.cuts.len();
        kinds.insert(rule.kind);
        out = Some(cleaned.text);
    }
    let kinds = kinds.into_iter().map(str::to_owned).collect();
    out.map(|text| Scrubbed { text, kinds, count })
}

/// Where a secret stood, and where what stands there now ends.
struct Cut {
    from: usize,
    to: usize,
    behind: usize,
}

/// A text without what one rule finds, and the places of that in order.
struct Cleaned {
    text: String,
    cuts: Vec<Cut>,
}

/// Where a place of a text is once these cuts are made.
fn moved(cuts: &[Cut], place: usize) -> usize {
    let before = cuts.partition_point(|cut| cut.from < place);
    match before.checked_sub(1).and_then(|last| cuts.get(last)) {
        Some(last) => last.behind + place.saturating_sub(last.to),
        None => place,
    }
}

/// The text without what a rule finds; `None` when it finds nothing.
fn apply(rule: &Rule, text: &str) -> Option<Cleaned> {
    let mut out = String::new();
    let mut cuts = Vec::new();
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
        cuts.push(Cut { from: secret.start(), to: copied, behind: out.len() });
    }
    if cuts.is_empty() {
        return None;
    }
    out.push_str(&text[copied..]);
    Some(Cleaned { text: out, cuts })
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
