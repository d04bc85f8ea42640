//! How a quote looks in running text: markup off, table cells named, nothing that a reader's program would obey.

use crate::text::squeeze;

/// The readable form of a quote. Deterministic, so that the audit can derive it again. A table row becomes
/// "Column: cell; Column: cell" when the column names are known.
pub fn display_quote(quote: &str, table_header: &[String]) -> String {
    let line = squeeze(quote);
    if line.starts_with('|') {
        let cells: Vec<String> =
            line.trim_matches('|').split('|').map(|cell| strip_markup(cell.trim())).collect();
        let named = cells.len() == table_header.len();
        let parts: Vec<String> = cells
            .iter()
            .enumerate()
            .filter(|(_, cell)| !cell.is_empty())
            .map(|(at, cell)| {
                let name =
                    if named { strip_markup(&squeeze(&table_header[at])) } else { String::new() };
                if name.is_empty() { cell.clone() } else { format!("{name}: {cell}") }
            })
            .collect();
        return escape(&parts.join("; "));
    }
    escape(&strip_markup(strip_marker(&line)))
}

/// The readable form of a text that stands over others. Some readers take braces at the end of a heading for its
/// attributes, even behind a backslash; a closing mark keeps them from it and is not shown by any.
pub(super) fn heading(text: &str) -> String {
    let mut shown = display_quote(text, &[]);
    if shown.ends_with('}') {
        shown.push_str(" #");
    }
    shown
}

/// Takes list markers, heading marks and block-quote marks off the front of a line.
fn strip_marker(line: &str) -> &str {
    let mut rest = line.trim_start();
    loop {
        let before = rest;
        rest = rest.trim_start_matches(['>', '#']).trim_start();
        for marker in ["- ", "* ", "+ ", "• "] {
            rest = rest.strip_prefix(marker).unwrap_or(rest).trim_start();
        }
        let digits = rest.chars().take_while(char::is_ascii_digit).count();
        if (1..=3).contains(&digits)
            && (rest[digits..].starts_with(". ") || rest[digits..].starts_with(") "))
        {
            rest = rest[digits + 2..].trim_start();
        }
        if rest == before {
            return rest;
        }
    }
}

/// Takes emphasis and code marks out of a line; single `*` and `_` inside words stay.
pub fn strip_markup(line: &str) -> String {
    line.replace("**", "").replace("__", "").replace('`', "")
}

/// Makes what Markdown or HTML would obey into plain characters. A brace could give a heading attributes, an entity
/// could stand for any sign, and a row of tildes at the beginning could swallow what follows it.
fn escape(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for (at, c) in line.char_indices() {
        let obeyed = match c {
            '[' | ']' | '<' | '\\' | '{' => true,
            '&' => is_entity(&line[at + 1..]),
            '~' => at == 0,
            _ => false,
        };
        if obeyed {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Whether what follows an ampersand makes it an entity: "lt;", "#60;", "#x3c;".
fn is_entity(after: &str) -> bool {
    let name = after.trim_start_matches('#');
    let length = name.chars().take(40).take_while(char::is_ascii_alphanumeric).count();
    length > 0 && name[length..].starts_with(';')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_name_their_cells() {
        let header = ["Round".to_owned(), "Amount".to_owned()];
        assert_eq!(display_quote("| Seed | **$4.5M** |", &header), "Round: Seed; Amount: $4.5M");
        assert_eq!(display_quote("| Seed | $4.5M | x |", &header), "Seed; $4.5M; x");
    }

    #[test]
    fn column_names_hide_nothing() {
        let header = ["Ro\u{202E}und\n\u{1b}[1m".to_owned(), "Amount".to_owned()];
        assert_eq!(display_quote("| Seed | $4.5M |", &header), "Round \\[1m: Seed; Amount: $4.5M");
    }

    #[test]
    fn markers_and_markup_go() {
        assert_eq!(
            display_quote("- **Founded:** 2019,\n  Rotterdam", &[]),
            "Founded: 2019, Rotterdam"
        );
        assert_eq!(display_quote("1. **Defend** it", &[]), "Defend it");
        assert_eq!(display_quote("2019 was good", &[]), "2019 was good");
    }

    #[test]
    fn nothing_is_obeyed() {
        assert_eq!(display_quote("see [here](x) <b>", &[]), "see \\[here\\](x) \\<b>");
        assert_eq!(
            display_quote("a {onclick=x} AT&T &lt;b> &#x3c; ~ b", &[]),
            "a \\{onclick=x} AT&T \\&lt;b> \\&#x3c; ~ b"
        );
        assert_eq!(display_quote("~~~ all gone", &[]), "\\~~~ all gone");
    }
}
