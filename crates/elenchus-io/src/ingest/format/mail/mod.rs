//! Mails and mailboxes: each mail with its head as text, what it quotes under whoever said it, and what is attached under its name.

mod coding;
mod mbox;
mod parts;
mod quoted;
mod turn;
mod wrote;

use super::isolate::{Isolated, isolated};
use super::{ExtractError, ExtractedDoc, Format, html, tidy};
use crate::ingest::mails::{Head, UNNAMED};
use elenchus_core::evidence::PartialDate;
use parts::{Mail, Part, Reader};
use quoted::{Speaker, cut};
use std::time::{Duration, Instant};

/// Longest time for one file, in seconds; what is attached has its own limits within it.
const LIMIT_S: u64 = 60;
/// Most text of one file, in bytes.
const MOST_TEXT: usize = 64 << 20;
/// Most notes of one file.
const MOST_NOTES: usize = 50;
/// What mail programs write before the subject of an answer, or of a mail that is passed on.
const ANSWERS: [&str; 10] = ["re", "aw", "sv", "vs", "antw", "fw", "fwd", "wg", "tr", "rv"];

/// Reads a mail, or the mails of a mailbox.
pub(super) fn extract(bytes: &[u8]) -> Result<ExtractedDoc, ExtractError> {
    let until = Instant::now() + Duration::from_secs(LIMIT_S);
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let mut writer = Writer { doc: ExtractedDoc::of_text(String::new()), until, about: None };
    let mut mails: Vec<Mail> = Vec::new();
    let mut lost = 0_usize;
    for raw in mbox::mails(bytes) {
        let own = raw.into_owned();
        let read = isolated(until.saturating_duration_since(Instant::now()), move || {
            let mut reader = Reader::new();
            let mail = reader.mail(&own, 0);
            (mail, reader.notes)
        });
        match read {
            Ok((mail, notes)) => {
                for note in notes {
                    writer.note(note);
                }
                lost += usize::from(mail.is_none());
                mails.extend(mail);
            }
            Err(Isolated::Panicked) => lost += 1,
            Err(Isolated::TimedOut) => {
                writer.note(format!("mails are missing: reading took longer than {LIMIT_S} s"));
                break;
            }
        }
    }
    if lost > 0 {
        writer.note(format!("mails that could not be read and are missing: {lost}"));
    }
    let Some(first) = mails.first() else {
        return Err(ExtractError::Damaged {
            format: "mail",
            cause: "it does not begin with a sender, a date or a subject".to_owned(),
        });
    };
    // What holds for all mails of a mailbox holds for the file.
    let about = first.subject.clone().filter(|subject| {
        let is_it = |mail: &Mail| mail.subject.as_deref().is_some_and(|one| same(one, subject));
        mails.iter().all(is_it)
    });
    writer.about.clone_from(&about);
    writer.doc.title = about;
    writer.doc.author =
        first.from.clone().filter(|from| mails.iter().all(|mail| mail.from.as_ref() == Some(from)));
    let last = mails.iter().filter_map(|mail| mail.day).max_by_key(|day| day.order_key());
    writer.doc.dates.extend(last.map(|day| ("Date".to_owned(), day.to_string())));
    let is_alone = mails.len() == 1;
    for mail in mails {
        writer.mail(mail, is_alone);
    }
    Ok(writer.doc)
}

/// Whether two subjects are of one thread.
fn same(one: &str, other: &str) -> bool {
    bare(one).eq_ignore_ascii_case(bare(other))
}

/// A subject without "Re:" and "Fwd:".
fn bare(subject: &str) -> &str {
    let mut bare = subject.trim();
    while let Some((label, rest)) = bare.split_once(':')
        && ANSWERS.contains(&label.trim().to_ascii_lowercase().as_str())
    {
        bare = rest.trim_start();
    }
    bare
}

/// The headings over what somebody says in a mail.
fn headings(
    about: Option<&str>,
    subject: Option<&str>,
    from: Option<&str>,
    day: Option<PartialDate>,
) -> Vec<String> {
    let subject = subject.filter(|one| about.is_none_or(|about| !same(one, about)));
    let head = from.map(|from| Head { from: from.to_owned(), subject: None, date: day }.heading());
    subject.map(str::to_owned).into_iter().chain(head).collect()
}

/// Writes mails one below the other.
struct Writer {
    doc: ExtractedDoc,
    until: Instant,
    /// The subject of the file, which need not stand over each part.
    about: Option<String>,
}

impl Writer {
    /// A mail; `is_alone` when it is all that the file is.
    fn mail(&mut self, mail: Mail, is_alone: bool) {
        let about = self.about.clone();
        let about = about.as_deref();
        let mut over = headings(about, mail.subject.as_deref(), mail.from.as_deref(), mail.day);
        if mail.from.is_none() && !is_alone {
            over.push(UNNAMED.to_owned());
        }
        let (mut fields, mut text) = (mail.fields, String::new());
        let (mut files, mut within) = (Vec::new(), Vec::new());
        for part in mail.parts {
            match part {
                Part::Text(words) => {
                    text.push_str(&words);
                    text.push_str("\n\n");
                }
                Part::Html(_) if Instant::now() > self.until => {
                    self.note(format!(
                        "pages of mails are missing: reading took longer than {LIMIT_S} s"
                    ));
                }
                Part::Html(page) => {
                    let page = html::mail(&page);
                    text.push_str(&page.doc.text);
                    text.push_str("\n\n");
                    for note in page.doc.notes.into_iter().chain(page.hidden.note()) {
                        self.note(note);
                    }
                }
                Part::File { name, format, bytes } => {
                    fields.push(attachment(&name));
                    files.push((name, format, bytes));
                }
                Part::Mail(mail) => {
                    let subject = mail.subject.as_deref().unwrap_or("a mail without a subject");
                    fields.push(attachment(subject));
                    within.push(mail);
                }
            }
        }
        self.part(over.clone());
        self.paragraph(&fields.join("\n"));
        for section in cut(&text) {
            let headings = match section.speaker {
                Speaker::Own => over.clone(),
                Speaker::Quoted(head) => {
                    headings(about, head.subject.as_deref(), Some(&head.from), head.date)
                }
                Speaker::Unnamed => vec![UNNAMED.to_owned()],
            };
            self.part(headings);
            self.paragraph(&section.text);
        }
        for (name, format, bytes) in files {
            match format {
                Some(format) => self.file(&over, &name, format, bytes),
                None => self.note(format!("{}: of a format that is not read", attachment(&name))),
            }
        }
        for mail in within {
            self.mail(*mail, false);
        }
    }

    /// What an attached file says, as far as it is read.
    fn file(&mut self, over: &[String], name: &str, format: Format, bytes: Vec<u8>) {
        let label = attachment(name);
        if Instant::now() > self.until {
            return self.note(format!("{label}: not read, the file had taken {LIMIT_S} s by then"));
        }
        match super::extract(format, name, bytes) {
            Ok(doc) => {
                self.part(over.iter().cloned().chain([label.clone()]).collect());
                if doc.records.is_empty() {
                    self.paragraph(&doc.text);
                }
                for record in &doc.records {
                    self.paragraph(&doc.text[record.range.clone()]);
                }
                for note in doc.notes {
                    self.note(format!("{label}: {note}"));
                }
            }
            Err(error) => self.note(format!("{label}: {error}")),
        }
    }

    /// What follows stands under these headings.
    fn part(&mut self, headings: Vec<String>) {
        let at = self.doc.text.len();
        match self.doc.parts.last_mut() {
            Some((_, last)) if *last == headings => {}
            // Nothing was said under the ones before.
            Some((start, last)) if *start == at => *last = headings,
            _ => self.doc.parts.push((at, headings)),
        }
    }

    fn paragraph(&mut self, text: &str) {
        let text = tidy(text);
        let text = text.trim_matches('\n').trim_end();
        if self.doc.text.len().saturating_add(text.len()) > MOST_TEXT {
            let most = MOST_TEXT >> 20;
            return self
                .note(format!("its text is more than {most} MB: what is beyond is missing"));
        }
        if !text.is_empty() {
            self.doc.text.push_str(text);
            self.doc.text.push_str("\n\n");
        }
    }

    /// Each note once, and not without end.
    fn note(&mut self, note: String) {
        if self.doc.notes.len() < MOST_NOTES && !self.doc.notes.contains(&note) {
            self.doc.notes.push(note);
        }
    }
}

/// The line that names what is attached.
fn attachment(name: &str) -> String {
    format!("Attachment: {name}")
}

#[cfg(test)]
#[path = "mail_tests.rs"]
mod tests;
