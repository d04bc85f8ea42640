//! The parts of a mail. Its heads are read by a library; the body is cut at its boundaries here, where depth and number have bounds.

use super::super::{Format, decode_as, tidy};
use super::coding::{base64, quoted_printable};
use crate::ingest::dates::dates;
use crate::ingest::mails;
use elenchus_core::evidence::PartialDate;
use mail_parser::decoders::charsets::map::charset_decoder;
use mail_parser::{Addr, Address, ContentType, HeaderName, Message, MessageParser, MimeHeaders};
use std::borrow::Cow;

/// Longest head that is read, in bytes.
const MOST_HEAD: usize = 128 << 10;
/// Most parts of one mail, those of mails within it among them.
const MOST_PARTS: usize = 1_000;
/// Most parts and mails within each other.
const DEEPEST: usize = 16;
/// Most people of one field that are named.
const MOST_PEOPLE: usize = 20;
/// Longest field or name, in characters.
const FIELD_CHARS: usize = 300;
/// Said of a mail beyond these bounds.
const TOO_MUCH: &str =
    "parts of a mail are missing: it has more than 1,000, or more than 16 within each other";
/// Said of a head beyond its bound.
const LONG_HEAD: &str = "only the first 128 KB of the head of a mail were read";

/// What is read of one mail.
#[derive(Debug)]
pub(super) struct Mail {
    /// Who sent it, without an address.
    pub(super) from: Option<String>,
    pub(super) subject: Option<String>,
    pub(super) day: Option<PartialDate>,
    /// The lines of its head that a reader sees.
    pub(super) fields: Vec<String>,
    /// In the order in which they come.
    pub(super) parts: Vec<Part>,
}

/// One part of a mail, decoded.
#[derive(Debug)]
pub(super) enum Part {
    /// Running text.
    Text(String),
    /// A page.
    Html(String),
    /// An attached file; of a format that is not read it has no bytes.
    File { name: String, format: Option<Format>, bytes: Vec<u8> },
    /// A mail within the mail.
    Mail(Box<Mail>),
}

/// Reads one mail within the bounds.
#[derive(Debug)]
pub(super) struct Reader {
    left: usize,
    /// What was not read as it stands.
    pub(super) notes: Vec<String>,
}

impl Reader {
    pub(super) fn new() -> Self {
        Self { left: MOST_PARTS, notes: Vec::new() }
    }

    /// The mail that `raw` is; `None` when it begins with no head of one. `depth` counts what it lies within.
    pub(super) fn mail(&mut self, raw: &[u8], depth: usize) -> Option<Mail> {
        let (head, body) = split(raw.trim_ascii_start());
        if head.len() > MOST_HEAD {
            self.note(LONG_HEAD);
        }
        let message = parsed(head)?;
        let from = people(message.from()).into_iter().next();
        let subject = message.subject().map(one_line).filter(|subject| !subject.is_empty());
        let stated = message.header_raw(HeaderName::Date).map(one_line);
        let stated = stated.filter(|stated| !stated.is_empty());
        let told = [
            ("From", from.clone()),
            ("To", listed(message.to())),
            ("Cc", listed(message.cc())),
            ("Date", stated.clone()),
            ("Subject", subject.clone()),
        ];
        let fields: Vec<String> = told
            .into_iter()
            .filter_map(|(label, value)| Some(format!("{label}: {}", value?)))
            .collect();
        // A text in which some line has a colon is no mail.
        if fields.is_empty() {
            return None;
        }
        let day = day(&message)
            .or_else(|| stated.as_deref().and_then(|stated| Some(dates(stated).first()?.1)));
        let from = from.as_deref().and_then(mails::name);
        let parts = self.part(Some(&message), body, false, depth);
        Some(Mail { from, subject, day, fields, parts })
    }

    /// What a part with this head holds.
    fn part(
        &mut self,
        head: Option<&Message<'_>>,
        body: &[u8],
        in_digest: bool,
        depth: usize,
    ) -> Vec<Part> {
        if self.left == 0 || depth > DEEPEST {
            self.note(TOO_MUCH);
            return Vec::new();
        }
        self.left -= 1;
        let content = head.and_then(MimeHeaders::content_type);
        let kind = match content {
            Some(content) => {
                let kind = format!("{}/{}", content.ctype(), content.subtype().unwrap_or_default());
                kind.to_ascii_lowercase()
            }
            // RFC 2046, 5.1.5.
            None if in_digest => "message/rfc822".to_owned(),
            None => "text/plain".to_owned(),
        };
        if kind.starts_with("multipart/")
            && let Some(boundary) = content.and_then(|content| content.attribute("boundary"))
        {
            let pieces = pieces(body, boundary.as_bytes());
            if !pieces.is_empty() {
                return self.several(&kind, &pieces, depth);
            }
        }
        let encoding = head.and_then(MimeHeaders::content_transfer_encoding);
        let bytes = match encoding.map(|encoding| encoding.trim().to_ascii_lowercase()).as_deref() {
            Some("base64") => Cow::Owned(base64(body)),
            Some("quoted-printable") => Cow::Owned(quoted_printable(body)),
            _ => Cow::Borrowed(body),
        };
        let name = head
            .and_then(MimeHeaders::attachment_name)
            .map(one_line)
            .filter(|name| !name.is_empty());
        let by_name = name.as_deref().and_then(Format::of);
        if matches!(kind.as_str(), "message/rfc822" | "message/global")
            || by_name == Some(Format::Mail)
        {
            let inner = self.mail(&bytes, depth + 1);
            if inner.is_none() {
                self.note("a mail within the mail is missing: it has no head");
            }
            return inner.map(|mail| Part::Mail(Box::new(mail))).into_iter().collect();
        }
        let attached =
            head.and_then(MimeHeaders::content_disposition).is_some_and(ContentType::is_attachment);
        let charset = content.and_then(|content| content.attribute("charset"));
        let is_body = !attached && name.is_none();
        match kind.as_str() {
            // A boundary that never comes leaves what a reader would see: the text.
            kind if is_body && (kind == "text/plain" || kind.starts_with("multipart/")) => {
                self.text(&bytes, charset, false).map(Part::Text).into_iter().collect()
            }
            "text/html" if is_body => {
                self.text(&bytes, charset, true).map(Part::Html).into_iter().collect()
            }
            // They sign the mail and say nothing.
            "application/pgp-signature"
            | "application/pkcs7-signature"
            | "application/x-pkcs7-signature" => Vec::new(),
            kind => {
                let format = by_name.or_else(|| of_type(kind));
                let Some(name) = name.or_else(|| format.map(|_| format!("unnamed ({kind})")))
                else {
                    // Pictures within a page have no name as a rule.
                    if !kind.starts_with("image/") {
                        let kind: String = kind.chars().take(FIELD_CHARS).collect();
                        self.note(&format!(
                            "a part of a mail is of a kind that is not read: {kind}"
                        ));
                    }
                    return Vec::new();
                };
                let bytes = match format {
                    None => Vec::new(),
                    Some(format) if format.is_text() && charset.is_some() => self
                        .text(&bytes, charset, format == Format::Html)
                        .map(String::into_bytes)
                        .unwrap_or_default(),
                    Some(_) => bytes.into_owned(),
                };
                vec![Part::File { name, format, bytes }]
            }
        }
    }

    /// The parts between boundaries. Of alternatives one is read, and what is attached to any.
    fn several(&mut self, kind: &str, pieces: &[&[u8]], depth: usize) -> Vec<Part> {
        let in_digest = kind == "multipart/digest";
        let mut all: Vec<Vec<Part>> = Vec::new();
        for piece in pieces {
            if self.left == 0 {
                self.note(TOO_MUCH);
                break;
            }
            let (head, body) = split(piece);
            let message = parsed(head);
            all.push(self.part(message.as_ref(), body, in_digest, depth + 1));
        }
        if kind != "multipart/alternative" {
            return all.into_iter().flatten().collect();
        }
        let has = |test: fn(&Part) -> bool| all.iter().position(|parts| parts.iter().any(test));
        let best = has(|part| matches!(part, Part::Text(text) if !text.trim().is_empty()))
            .or_else(|| has(|part| matches!(part, Part::Html(_))))
            .unwrap_or_default();
        let is_words = |part: &Part| matches!(part, Part::Text(_) | Part::Html(_));
        all.into_iter()
            .enumerate()
            .flat_map(|(at, parts)| parts.into_iter().map(move |part| (at, part)))
            .filter(|(at, part)| *at == best || !is_words(part))
            .map(|(_, part)| part)
            .collect()
    }

    fn text(&mut self, bytes: &[u8], charset: Option<&str>, markup: bool) -> Option<String> {
        // The only one that mail still uses and pages do not.
        if charset.is_some_and(|charset| charset.eq_ignore_ascii_case("utf-7"))
            && let Some(decode) = charset_decoder(b"utf-7")
        {
            return Some(tidy(&decode(bytes)));
        }
        match decode_as(bytes, charset, markup) {
            Ok((text, note)) => {
                if let Some(note) = note {
                    self.note(&note);
                }
                Some(text)
            }
            Err(error) => {
                self.note(&format!("a part of a mail is missing: {error}"));
                None
            }
        }
    }

    /// Each note once.
    fn note(&mut self, note: &str) {
        if !self.notes.iter().any(|known| known == note) {
            self.notes.push(note.to_owned());
        }
    }
}

/// The head of a mail or part, and what follows the first empty line.
fn split(raw: &[u8]) -> (&[u8], &[u8]) {
    let mut at = 0;
    for line in raw.split_inclusive(|byte| *byte == b'\n') {
        let end = at + line.len();
        if line.trim_ascii().is_empty() {
            return (&raw[..at], &raw[end..]);
        }
        at = end;
    }
    (raw, &[])
}

fn parsed(head: &[u8]) -> Option<Message<'_>> {
    MessageParser::new().parse_headers(&head[..head.len().min(MOST_HEAD)])
}

/// What stands between the lines of a boundary.
fn pieces<'m>(body: &'m [u8], boundary: &[u8]) -> Vec<&'m [u8]> {
    let mut found = Vec::new();
    if boundary.is_empty() {
        return found;
    }
    let (mut begun, mut at) = (None, 0);
    for line in body.split_inclusive(|byte| *byte == b'\n') {
        let start = at;
        at += line.len();
        let Some(rest) = line.strip_prefix(b"--").and_then(|line| line.strip_prefix(boundary))
        else {
            continue;
        };
        let rest = rest.trim_ascii();
        let is_last = rest == b"--";
        // "--a" begins the line of a boundary "a", and of a boundary "ab" as well.
        if !is_last && !rest.is_empty() {
            continue;
        }
        if let Some(begin) = begun.take() {
            found.push(&body[begin..start]);
        }
        if is_last {
            return found;
        }
        begun = Some(at);
    }
    found.extend(begun.map(|begin: usize| &body[begin..]));
    found
}

/// The day in the time zone of the sender.
fn day(message: &Message<'_>) -> Option<PartialDate> {
    let date = message.date()?;
    let is_plausible = (1900..2100).contains(&date.year)
        && (1..=12).contains(&date.month)
        && (1..=31).contains(&date.day);
    is_plausible.then(|| PartialDate::day(i32::from(date.year), date.month, date.day))
}

/// "Ines Falk <ines@falk.example>", each at most once.
fn people(address: Option<&Address<'_>>) -> Vec<String> {
    let shown = |one: &Addr<'_>| {
        let name = one.name().map(one_line).filter(|name| !name.is_empty());
        let address = one.address().map(one_line).filter(|address| !address.is_empty());
        match (name, address) {
            (Some(name), Some(address)) => Some(format!("{name} <{address}>")),
            (name, address) => name.or(address),
        }
    };
    address.into_iter().flat_map(Address::iter).filter_map(shown).collect()
}

/// The people of a field on one line.
fn listed(address: Option<&Address<'_>>) -> Option<String> {
    let all = people(address);
    let more = all.len().saturating_sub(MOST_PEOPLE);
    let named = all.iter().take(MOST_PEOPLE).map(String::as_str).collect::<Vec<_>>().join(", ");
    match (named.is_empty(), more) {
        (true, _) => None,
        (false, 0) => Some(named),
        (false, more) => Some(format!("{named} and {more} more")),
    }
}

fn one_line(text: &str) -> String {
    let words = tidy(text).split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(FIELD_CHARS).collect()
}

/// The format of a part that has no name, or one that tells nothing.
fn of_type(kind: &str) -> Option<Format> {
    Some(match kind {
        "text/plain" => Format::Text,
        "text/markdown" | "text/x-markdown" => Format::Markdown,
        "text/html" | "application/xhtml+xml" => Format::Html,
        "text/csv" | "text/tab-separated-values" => Format::Table,
        "application/pdf" => Format::Pdf,
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document" => Format::Docx,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(raw: &str) -> Mail {
        Reader::new().mail(raw.as_bytes(), 0).unwrap()
    }

    #[test]
    fn the_head_is_decoded_and_shown() {
        let mail = read(
            "From: =?utf-8?q?J=C3=BCrgen_Ost?= <j.ost@mill.example>\r\nTo: Ann Lee <ann@mill.example>,\r\n \
             ben@mill.example\r\nDate: Tue, 3 Jun 2025 08:05:00 +0200\r\nSubject: =?iso-8859-1?B?TfxobGU=?=\r\n\r\nHello.",
        );
        assert_eq!(mail.from.as_deref(), Some("Jürgen Ost"));
        assert_eq!(mail.subject.as_deref(), Some("Mühle"));
        assert_eq!(mail.day, Some(PartialDate::day(2025, 6, 3)));
        assert_eq!(
            mail.fields,
            [
                "From: Jürgen Ost <j.ost@mill.example>",
                "To: Ann Lee <ann@mill.example>, ben@mill.example",
                "Date: Tue, 3 Jun 2025 08:05:00 +0200",
                "Subject: Mühle",
            ]
        );
        assert!(matches!(&mail.parts[..], [Part::Text(text)] if text == "Hello."));
    }

    #[test]
    fn what_begins_with_no_head_is_no_mail() {
        for raw in ["", "just words", "note: one\nmore: two\n\nwords", "\0\u{1}\u{2}"] {
            assert!(Reader::new().mail(raw.as_bytes(), 0).is_none(), "{raw:?}");
        }
    }

    #[test]
    fn of_alternatives_the_text_is_read_and_what_is_attached_to_the_page() {
        let raw = "From: a@b.example\nContent-Type: multipart/alternative; boundary=x\n\n--x\n\n \n--x\n\
                   Content-Type: multipart/mixed; boundary=xy\n\n--xy\nContent-Type: text/html\n\n<p>Seen</p>\n\
                   --xy\nContent-Type: text/csv; name=\"a.csv\"\n\nk,v\n--xy--\n--x--\nepilogue";
        let parts = read(raw).parts;
        assert!(
            matches!(&parts[..], [Part::Html(page), Part::File { name, format: Some(Format::Table), bytes }]
                if page.trim() == "<p>Seen</p>" && name == "a.csv" && bytes.starts_with(b"k,v")),
            "{parts:?}"
        );
        let with_text = raw.replace("--x\n\n \n", "--x\n\nTold\n");
        let parts = read(&with_text).parts;
        assert!(
            matches!(&parts[..], [Part::Text(text), Part::File { .. }] if text.trim() == "Told"),
            "{parts:?}"
        );
    }

    #[test]
    fn depth_and_number_of_parts_have_bounds() {
        let mut reader = Reader::new();
        let deep = "Subject: s\nContent-Type: message/rfc822\n\n".repeat(5_000);
        assert!(reader.mail(deep.as_bytes(), 0).is_some());
        assert_eq!(reader.notes, [TOO_MUCH]);
        let mut reader = Reader::new();
        let head = "Subject: s\nContent-Type: multipart/mixed; boundary=b\n\n";
        let many = format!("{head}{}", "--b\n\nword\n".repeat(3_000));
        let parts = reader.mail(many.as_bytes(), 0).unwrap().parts;
        assert_eq!(
            (parts.len(), reader.notes.as_slice()),
            (MOST_PARTS - 1, &[TOO_MUCH.to_owned()][..])
        );
    }
}
