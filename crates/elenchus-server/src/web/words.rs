//! Figures and times as people read them.

use crate::instant::iso;
use elenchus_core::id::Timestamp;
use elenchus_core::text::is_invisible;
use maud::{Markup, html};
use std::fmt::Write;

/// `3 passages`, `1 passage`.
pub(super) fn counted(count: usize, thing: &str) -> String {
    match (count, thing) {
        (1, _) => format!("1 {thing}"),
        (_, "strategy") => format!("{count} strategies"),
        (_, "search") => format!("{count} searches"),
        _ => format!("{count} {thing}s"),
    }
}

/// A share as two digits: more would be precision that is not there.
pub(super) fn figure(p: f64) -> String {
    if p.is_finite() { format!("{:.2}", p.clamp(0.0, 1.0)) } else { "unknown".to_owned() }
}

/// "about 7 in 10", the wording that is read best.
pub(super) fn in_ten(p: f64) -> String {
    if !p.is_finite() {
        return "unknown".to_owned();
    }
    match (p.clamp(0.0, 1.0) * 10.0).round() as u8 {
        0 => "fewer than 1 in 20".to_owned(),
        10 => "more than 19 in 20".to_owned(),
        n => format!("about {n} in 10"),
    }
}

/// The time of day, with the whole instant for machines.
pub(super) fn clock(at: Timestamp) -> Markup {
    let whole = iso(at);
    html! { time datetime=(whole) title=(whole) { (whole.get(11..19).unwrap_or_default()) } }
}

/// The day and the minute.
pub(super) fn day(at: Timestamp) -> Markup {
    let whole = iso(at);
    let shown = whole.get(..16).unwrap_or_default().replace('T', " ");
    html! { time datetime=(whole) title=(whole) { (shown) } }
}

/// A duration: "240 ms", "3.1 s", "2 min 5 s".
pub(super) fn lasted(ms: u64) -> String {
    if ms < 1_000 {
        format!("{ms} ms")
    } else if ms < 60_000 {
        format!("{:.1} s", ms as f64 / 1_000.0)
    } else {
        format!("{} min {} s", ms / 60_000, ms / 1_000 % 60)
    }
}

/// Money in US dollars from millionths.
pub(super) fn money(micro_usd: u64) -> String {
    match micro_usd {
        0 => "nothing".to_owned(),
        micro if micro < 10_000 => format!("${:.4}", micro as f64 / 1e6),
        micro => format!("${:.2}", micro as f64 / 1e6),
    }
}

/// A text of a stranger without what would not be seen, or would turn its neighbours around.
pub(super) fn visible(text: &str) -> String {
    text.chars().filter(|c| matches!(c, '\n' | '\t') || !is_invisible(*c)).collect()
}

/// `budget_rounds` as "budget rounds".
pub(super) fn plain(word: &str) -> String {
    word.replace(['_', '-'], " ")
}

/// A text as a value of a query: what is not unreserved is written in percent signs.
pub(super) fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push('%');
            write!(out, "{byte:02X}").expect("writing to a String cannot fail");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_rounded_and_never_panic() {
        assert_eq!(
            (counted(1, "search"), counted(2, "search")),
            ("1 search".to_owned(), "2 searches".to_owned())
        );
        assert_eq!(figure(0.8349), "0.83");
        assert_eq!(figure(f64::NAN), "unknown");
        assert_eq!(in_ten(0.74), "about 7 in 10");
        assert_eq!(in_ten(0.99), "more than 19 in 20");
        assert_eq!(lasted(125_000), "2 min 5 s");
        assert_eq!(money(1_234), "$0.0012");
        assert_eq!(encoded("a b/ü"), "a%20b%2F%C3%BC");
    }
}
