//! RIS.

use super::reference::Reference;
use crate::answer::Answer;
use crate::evidence::DatePrecision;
use std::fmt::Write;

/// The cited documents as RIS records, lines ended by LF; empty without sources.
pub fn to_ris(answer: &Answer) -> String {
    let mut out = String::new();
    for one in Reference::all(answer) {
        record(&mut out, &one);
    }
    out
}

fn record(out: &mut String, one: &Reference) {
    // Every value is one line already, so that none can begin a tag or end the record.
    let mut tag = |name: &str, value: &str| {
        writeln!(out, "{name}  - {value}").expect("writing to a String cannot fail");
    };
    tag("TY", if one.url.is_some() { "ELEC" } else { "GEN" });
    tag("ID", &one.key);
    tag("TI", &one.title);
    if let Some(author) = one.writer() {
        tag("AU", author);
    }
    if let Some(date) = &one.date {
        let value = date.value;
        tag("PY", &format!("{:04}", value.year));
        match value.precision {
            DatePrecision::Day => {
                tag("DA", &format!("{:04}/{:02}/{:02}/", value.year, value.month, value.day));
            }
            DatePrecision::Month => tag("DA", &format!("{:04}/{:02}//", value.year, value.month)),
            DatePrecision::Year | DatePrecision::Half | DatePrecision::Quarter => {}
        }
    }
    if let Some(url) = &one.url {
        tag("UR", url);
    }
    if let Some(path) = &one.path {
        tag("L1", path);
    }
    let read = one.accessed;
    tag("Y2", &format!("{:04}/{:02}/{:02}/", read.year, read.month, read.day));
    for (place, quote) in &one.quotes {
        tag("N1", &format!("\u{201C}{quote}\u{201D} ({place})"));
    }
    tag("ER", "");
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{answer, hostile};
    use super::*;

    #[test]
    fn a_record_is_complete() {
        insta::assert_snapshot!(to_ris(&answer()));
    }

    #[test]
    fn an_author_is_a_name() {
        let shown = to_ris(&hostile("Winifred Adeane, stores manager"));
        assert!(shown.contains("AU  - Winifred Adeane\n"), "{shown}");
    }

    #[test]
    fn nothing_begins_a_tag() {
        for end in ["\n", "\r", "\r\n", "\u{2028}", "\u{85}", "\u{b}", "\u{c}", "\u{1c}"] {
            let shown = to_ris(&hostile(&format!("a{end}ER  - {end}TY  - JOUR")));
            let tags: Vec<&str> = shown.split('\n').filter(|line| !line.is_empty()).collect();
            assert_eq!(
                tags.iter().filter(|line| line.starts_with("TY  - ")).count(),
                1,
                "{shown:?}"
            );
            assert_eq!(
                tags.iter().filter(|line| line.starts_with("ER  - ")).count(),
                1,
                "{shown:?}"
            );
            assert!(end == "\n" || !shown.contains(end), "{shown:?}");
        }
    }
}
