//! BibTeX.

use super::reference::{Reference, iso};
use crate::answer::Answer;
use std::fmt::Write;

/// The cited documents as `@online` and `@misc` entries, one after the other; empty without sources.
pub fn to_bibtex(answer: &Answer) -> String {
    let mut out = String::new();
    for one in Reference::all(answer) {
        entry(&mut out, &one).expect("writing to a String cannot fail");
    }
    out
}

fn entry(out: &mut String, one: &Reference) -> std::fmt::Result {
    let kind = if one.url.is_some() { "online" } else { "misc" };
    writeln!(out, "@{kind}{{{},", one.key)?;
    // Doubled braces: the title keeps its capitals, and a corporate author is one name.
    writeln!(out, "  title = {{{{{}}}}},", escape(&one.title))?;
    if let Some(author) = one.writer() {
        writeln!(out, "  author = {{{{{}}}}},", escape(author))?;
    }
    if let Some(date) = &one.date {
        writeln!(out, "  year = {{{}}},", date.value.year)?;
        writeln!(out, "  date = {{{}}},", iso(date.value))?;
    }
    if let Some(url) = &one.url {
        // Taken verbatim by BibTeX styles, and percent-encoded already.
        writeln!(out, "  url = {{{url}}},")?;
    }
    if let Some(path) = &one.path {
        writeln!(out, "  howpublished = {{{}}},", escape(path))?;
    }
    writeln!(out, "  urldate = {{{}}},", iso(one.accessed))?;
    writeln!(out, "  note = {{{}}}", escape(&one.note()))?;
    writeln!(out, "}}\n")
}

/// A line as TeX prints it. BibTeX counts braces even behind a backslash, so that a brace becomes a command.
fn escape(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for c in line.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '{' => out.push_str("\\textbraceleft{}"),
            '}' => out.push_str("\\textbraceright{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '#' | '$' | '%' | '&' | '_' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

/// Entries as BibTeX finds them: `@` outside of braces, then braces that must balance.
#[cfg(test)]
pub(super) fn entries(text: &str) -> usize {
    let (mut depth, mut found) = (0_usize, 0);
    for c in text.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.checked_sub(1).expect("a brace closes what none opened"),
            '@' if depth == 0 => found += 1,
            _ => {}
        }
    }
    assert_eq!(depth, 0, "every brace is closed: {text}");
    found
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{answer, hostile};
    use super::*;

    #[test]
    fn an_entry_is_complete() {
        insta::assert_snapshot!(to_bibtex(&answer()));
    }

    #[test]
    fn an_author_is_a_name() {
        let shown = to_bibtex(&hostile("Winifred Adeane, stores manager"));
        assert!(shown.contains("  author = {{Winifred Adeane}},\n"), "{shown}");
    }

    #[test]
    fn nothing_ends_a_field_or_begins_an_entry() {
        for text in [
            "}}\n@article{x, title={y}}",
            "a {b",
            "b} c",
            "\\",
            "%",
            "\\input{/etc/passwd}",
            "$\\write18{ls}$",
        ] {
            let shown = to_bibtex(&hostile(text));
            assert_eq!(entries(&shown), 1, "{text:?}: {shown}");
        }
    }
}
