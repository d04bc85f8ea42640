//! A block of Markdown as plain words, with the way back to the text and the citations it held.

use elenchus_core::evidence::MONTHS;

/// Citation ranges longer than this ("[1-300]") are not spelled out.
const LONGEST_RANGE: u32 = 30;

/// Brackets longer than this many bytes hold no citation.
const LONGEST_MARK: usize = 400;

/// Citations of one block that are kept: "[1-30]" again and again would be a hundred times as long as it is written.
const MOST_CITED: usize = 2_000;

/// Plain words of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Clean {
    /// Without marks, links, citations; white space is single.
    pub(super) text: String,
    /// For every character of `text`, its character in the source.
    pub(super) at: Vec<usize>,
    /// Citations with the byte of `text` that they stood before.
    pub(super) cited: Vec<(usize, String)>,
}

impl Clean {
    fn push(&mut self, c: char, at: usize) {
        if c.is_whitespace() {
            if self.text.is_empty() || self.text.ends_with(' ') {
                return;
            }
            self.text.push(' ');
        } else {
            self.text.push(c);
        }
        self.at.push(at);
    }

    fn pop(&mut self) {
        self.text.pop();
        self.at.pop();
    }

    fn trim_end(&mut self) {
        while self.text.ends_with(' ') {
            self.pop();
        }
    }

    fn cite(&mut self, mark: String) {
        if !mark.is_empty() && self.cited.len() < MOST_CITED {
            self.cited.push((self.text.len(), mark));
        }
    }
}

/// Cleans `slice`, whose first character is character `first` of the source.
pub(super) fn clean(slice: &str, first: usize) -> Clean {
    let mut out = Clean::default();
    let mut rest = slice;
    let mut at = first;
    let quoted = slice.starts_with('>');
    let mut line_start = true;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        if line_start && quoted && (c == '>' || c == ' ') {
            (rest, at) = (&rest[1..], at + 1);
            continue;
        }
        line_start = c == '\n';
        if let Some(length) = mark(rest, before, &mut out, at) {
            at += rest[..length].chars().count();
            before = rest[..length].chars().next_back().unwrap_or(' ');
            rest = &rest[length..];
            // A space on both sides of what was taken out is one too many, and none belongs before a stop.
            if rest.starts_with(['.', ',', ';', ':', '!', '?', ')']) {
                out.trim_end();
            }
            continue;
        }
        out.push(c, at);
        before = c;
        rest = &rest[c.len_utf8()..];
        at += 1;
    }
    out.trim_end();
    out
}

/// Bytes of the mark at the start of `rest`, after its words and citations were put into `out`.
fn mark(rest: &str, before: char, out: &mut Clean, at: usize) -> Option<usize> {
    let c = rest.chars().next()?;
    match c {
        '!' if rest.starts_with("![") => link(&rest[1..]).map(|link| link.length + 1),
        '[' => bracket(rest, out, at),
        '【' => {
            let end = short(rest).find('】')?;
            let inner = &rest['【'.len_utf8()..end];
            let digits: String = inner.chars().take_while(char::is_ascii_digit).collect();
            out.cite(if digits.is_empty() { inner.trim().to_owned() } else { digits });
            Some(end + '】'.len_utf8())
        }
        '(' => parenthesis(rest, out),
        '<' => tag(rest, out),
        'h' if !before.is_alphanumeric() && is_url(rest) => {
            let length = url_length(rest);
            out.cite(rest[..length].to_owned());
            Some(length)
        }
        '\\' => {
            let next = rest[1..].chars().next().filter(char::is_ascii_punctuation)?;
            out.push(next, at + 1);
            Some(2)
        }
        '*' | '~' | '`' | '_' => {
            let run = rest.len() - rest.trim_start_matches(c).len();
            let after = rest[run..].chars().next().unwrap_or(' ');
            let inside = before.is_alphanumeric() && after.is_alphanumeric();
            let alone = before.is_whitespace() && after.is_whitespace();
            let kept = alone || inside && run == 1 && c != '`' || c == '~' && run == 1;
            (!kept).then_some(run)
        }
        _ => None,
    }
}

/// At most [`LONGEST_MARK`] bytes of the text, cut at a character.
fn short(text: &str) -> &str {
    let mut end = text.len().min(LONGEST_MARK);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// `[words](target)`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link<'a> {
    pub(super) words: &'a str,
    pub(super) target: &'a str,
    /// Bytes of the whole.
    pub(super) length: usize,
}

/// The link at the start of `text`, if there is one; its words may hold one pair of brackets.
pub(super) fn link(text: &str) -> Option<Link<'_>> {
    if !text.starts_with('[') {
        return None;
    }
    let near = short(text);
    let mut depth = 0;
    let mut close = None;
    for (at, c) in near.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            '\n' if near[at + 1..].starts_with('\n') => return None,
            _ => {}
        }
        if depth == 0 {
            close = Some(at);
            break;
        }
    }
    let close = close?;
    let target = text[close + 1..].strip_prefix('(')?;
    let (mut open, mut end) = (0, None);
    for (at, c) in target.char_indices().take(2_000) {
        match c {
            '(' => open += 1,
            ')' if open == 0 => {
                end = Some(at);
                break;
            }
            ')' => open -= 1,
            '\n' => return None,
            _ => {}
        }
    }
    let end = end?;
    let inner = target[..end].trim();
    Some(Link {
        words: &text[1..close],
        target: inner.split_whitespace().next().unwrap_or("").trim_matches(['<', '>']),
        length: close + 2 + end + 1,
    })
}

fn bracket(rest: &str, out: &mut Clean, at: usize) -> Option<usize> {
    if let Some(link) = link(rest) {
        let words = link.words.trim_matches(['[', ']', '^', '*', ' ']);
        let number = !words.is_empty()
            && words.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | ' ' | '-'));
        if number {
            out.cite(link.target.to_owned());
            return Some(link.length);
        }
        for (nth, c) in link.words.chars().enumerate() {
            if !matches!(c, '*' | '`') {
                out.push(c, at + 1 + nth);
            }
        }
        out.cite(link.target.to_owned());
        return Some(link.length);
    }
    let near = short(rest);
    let end = near.find(']')?;
    let inner = &near[1..end];
    let marks = marks_of(inner)?;
    for mark in marks {
        out.cite(mark);
    }
    // "[1][ref]" and "[1]:" are not told apart from "[1]".
    Some(end + 1)
}

/// "1", "1, 2", "3-5", "^note", "1†source": the numbers or names of a citation.
pub(super) fn marks_of(inner: &str) -> Option<Vec<String>> {
    let inner = inner.trim();
    if let Some(note) = inner.strip_prefix('^') {
        return (!note.is_empty() && !note.contains(char::is_whitespace))
            .then(|| vec![note.to_owned()]);
    }
    let inner = inner.split('†').next().unwrap_or(inner);
    let mut found = Vec::new();
    for part in inner.split([',', ';']) {
        let part = part.trim();
        let (from, to) = part.split_once(['-', '–']).unwrap_or((part, part));
        let (from, to): (u32, u32) = (number(from)?, number(to)?);
        if from > to || to - from > LONGEST_RANGE {
            return None;
        }
        found.extend((from..=to).map(|n| n.to_string()));
    }
    (!found.is_empty()).then_some(found)
}

fn number(text: &str) -> Option<u32> {
    let text = text.trim();
    (text.len() <= 3).then(|| text.parse().ok()).flatten()
}

/// "([title](url))", "(https://...)", "(Smith et al., 2020)": citations in round brackets.
fn parenthesis(rest: &str, out: &mut Clean) -> Option<usize> {
    let body = &rest[1..];
    if body.starts_with('[') {
        let mut length = 1;
        let mut targets = Vec::new();
        let mut left = body;
        while let Some(link) = link(left) {
            targets.push(link.target.to_owned());
            length += link.length;
            left = &left[link.length..];
            let gap = left.len() - left.trim_start_matches([',', ';', ' ']).len();
            length += gap;
            left = &left[gap..];
        }
        if targets.is_empty() || !left.starts_with(')') {
            return None;
        }
        out.trim_end();
        for target in targets {
            out.cite(target);
        }
        return Some(length + 1);
    }
    if is_url(body) {
        let length = url_length(body);
        if !body[length..].starts_with(')') {
            return None;
        }
        out.trim_end();
        out.cite(body[..length].to_owned());
        return Some(length + 2);
    }
    let near = short(body);
    let end = near.find(')')?;
    let inner = &near[..end];
    if !inner.split(';').all(is_author_year) {
        return None;
    }
    out.trim_end();
    for part in inner.split(';') {
        out.cite(part.trim().to_owned());
    }
    Some(end + 2)
}

/// "Smith et al., 2020", "Smith & Jones, 2019", "Smith, 2020b". A name and a year without comma, as in
/// "(London 2012)", stays: it may be what the sentence says.
fn is_author_year(text: &str) -> bool {
    let text = text.trim();
    let Some((authors, year)) = text.rsplit_once([' ', ',']) else { return false };
    let year = year.trim().trim_end_matches(|c: char| c.is_ascii_lowercase());
    if year.len() != 4 || !year.bytes().all(|b| b.is_ascii_digit()) {
        return false;
    }
    let comma = authors.trim_end().ends_with(',') || text[authors.len()..].starts_with(',');
    let authors = authors.trim_end_matches([',', ' ']);
    let first = authors.split([' ', ',']).next().unwrap_or("");
    let name = first.chars().next().is_some_and(char::is_uppercase)
        && first.chars().all(|c| c.is_alphabetic() || c == '-' || c == '\'' || c == '’');
    let month = MONTHS.contains(&first.to_lowercase().as_str());
    let words = authors.split_whitespace().count();
    let several = authors.contains("et al") || authors.contains('&');
    name && !month && words <= 8 && (several || comma && words == 1)
}

fn is_url(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

/// Bytes of the address at the start of `text`, without the marks of the sentence around it.
pub(super) fn url_length(text: &str) -> usize {
    let mut open = 0;
    let mut end = text.len();
    for (at, c) in text.char_indices() {
        match c {
            '(' => open += 1,
            ')' if open > 0 => open -= 1,
            ')' | '<' | '>' | '"' | '“' | '”' | '`' | '|' | ']' => {
                end = at;
                break;
            }
            c if c.is_whitespace() => {
                end = at;
                break;
            }
            _ => {}
        }
    }
    text[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_', '\'']).len()
}

/// "<br>", "<sup>2</sup>", "<https://...>".
fn tag(rest: &str, out: &mut Clean) -> Option<usize> {
    let near = short(rest);
    let end = near.find('>')?;
    let inner = &near[1..end];
    if is_url(inner) {
        out.cite(inner.to_owned());
        return Some(end + 1);
    }
    let name = inner.trim_start_matches('/');
    let letters = name.chars().take_while(char::is_ascii_alphanumeric).count();
    let looks = letters > 0 && name.starts_with(|c: char| c.is_ascii_alphabetic()) && letters <= 10;
    (looks && !inner.contains('<')).then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(text: &str) -> (String, Vec<String>) {
        let clean = clean(text, 0);
        (clean.text, clean.cited.into_iter().map(|(_, mark)| mark).collect())
    }

    #[test]
    fn citations_of_all_styles_are_taken_out() {
        for (text, words, marks) in [
            ("It grew [1].", "It grew.", vec!["1"]),
            ("It grew.[1][2]", "It grew.", vec!["1", "2"]),
            ("It grew [1, 3-5].", "It grew.", vec!["1", "3", "4", "5"]),
            ("It grew【3†source】.", "It grew.", vec!["3"]),
            ("It grew[^a1].", "It grew.", vec!["a1"]),
            ("It grew ([Report](https://a.example/x)).", "It grew.", vec!["https://a.example/x"]),
            ("It grew (https://a.example/x_(y)).", "It grew.", vec!["https://a.example/x_(y)"]),
            ("It grew: https://a.example/x.", "It grew:.", vec!["https://a.example/x"]),
            (
                "The [report](https://a.example) says so.",
                "The report says so.",
                vec!["https://a.example"],
            ),
            (
                "It grew (Ostrander et al., 2020; Pim & Vale, 2019).",
                "It grew.",
                vec!["Ostrander et al., 2020", "Pim & Vale, 2019"],
            ),
            ("It grew [[4]](https://a.example/4).", "It grew.", vec!["https://a.example/4"]),
        ] {
            assert_eq!(
                cleaned(text),
                (words.to_owned(), marks.into_iter().map(str::to_owned).collect()),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_citation_stays() {
        for text in [
            "It was held (London 2012).",
            "An array [x] of M*A*S*H.",
            "In (May, 2020) it fell.",
            "a_b and 3 * 4",
        ] {
            assert_eq!(cleaned(text), (text.to_owned(), vec![]), "{text}");
        }
    }

    #[test]
    fn what_follows_a_link_in_round_brackets_may_be_anything() {
        let target = vec!["https://a.example".to_owned()];
        for (text, words) in [
            (
                "It grew ([A](https://a.example) \u{2014} see there).",
                "It grew (A \u{2014} see there).",
            ),
            ("It grew ([A](https://a.example)\u{e9}).", "It grew (A\u{e9})."),
            ("It grew ([A](https://a.example)x(b)).", "It grew (Ax(b))."),
            ("It grew ([A](https://a.example)", "It grew (A"),
        ] {
            assert_eq!(cleaned(text), (words.to_owned(), target.clone()), "{text}");
        }
        assert!(link("\u{e9}(b)").is_none() && link("x(b)").is_none() && link("").is_none());
    }

    #[test]
    fn no_block_holds_more_citations_than_a_reader_could_follow() {
        let (words, marks) = cleaned(&"a [1-30] ".repeat(1_000));
        assert!(words.starts_with("a a a") && marks.len() == MOST_CITED, "{}", marks.len());
    }

    #[test]
    fn every_character_knows_where_it_stood() {
        let text = "> **Ünder** [the ‘x’](u) `a`\n> [2] end";
        let clean = clean(text, 0);
        let source: Vec<char> = text.chars().collect();
        assert_eq!(clean.text, "Ünder the ‘x’ a end");
        for (c, at) in clean.text.chars().zip(&clean.at) {
            assert!(c == source[*at] || c == ' ' && source[*at].is_whitespace());
        }
        assert_eq!(clean.text.chars().count(), clean.at.len());
    }
}
