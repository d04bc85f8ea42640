//! The mails of a file: one, or those of a mailbox, each behind a line that begins with "From ".

use std::borrow::Cow;

/// What a line between the mails of a mailbox begins with.
const MARK: &[u8] = b"From ";

/// The mails of a file, in order. One that begins with no such line is a single mail.
pub(super) fn mails(raw: &[u8]) -> Vec<Cow<'_, [u8]>> {
    let raw = raw.trim_ascii_start();
    if !raw.starts_with(MARK) {
        return vec![Cow::Borrowed(raw)];
    }
    let mut found = Vec::new();
    let (mut begun, mut at, mut is_after_blank) = (None, 0, true);
    for line in raw.split_inclusive(|byte| *byte == b'\n') {
        let start = at;
        at += line.len();
        // Writers that mark no line of a text leave "From here on" at the start of one: a head follows a mark.
        if is_after_blank && line.starts_with(MARK) && begins_with_field(&raw[at..]) {
            found.extend(begun.take().map(|begin: usize| unmarked(&raw[begin..start])));
            begun = Some(at);
        }
        is_after_blank = line.trim_ascii().is_empty();
    }
    found.extend(begun.map(|begin: usize| unmarked(&raw[begin..])));
    if found.is_empty() {
        // A lone mail behind a line that is no mark.
        found.push(Cow::Borrowed(raw));
    }
    found
}

/// Whether the first line is a field of a head.
fn begins_with_field(raw: &[u8]) -> bool {
    let line = raw.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let label = line.split(|byte| *byte == b':').next().unwrap_or_default();
    let is_label = label.iter().all(u8::is_ascii_graphic);
    !label.is_empty() && label.len() < line.len() && is_label
}

/// A mail of a mailbox as it was sent: lines that began like a mark were given one more ">".
fn unmarked(mail: &[u8]) -> Cow<'_, [u8]> {
    let marks = |line: &[u8]| line.iter().take_while(|byte| **byte == b'>').count();
    let is_marked = |line: &[u8]| marks(line) > 0 && line[marks(line)..].starts_with(MARK);
    let lines = || mail.split_inclusive(|byte| *byte == b'\n');
    if !lines().any(is_marked) {
        return Cow::Borrowed(mail);
    }
    let sent = lines().flat_map(|line| &line[usize::from(is_marked(line))..]);
    Cow::Owned(sent.copied().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mailbox_is_cut_at_its_marks_and_nowhere_else() {
        let box_of_two = b"From a@b.example Tue Jun  3 08:05:00 2025\nSubject: one\n\nWords.\n\n\
            From here on: no mark.\nMore.\n\n>From the mill.\n\nFrom - Wed Jun  4 2025\nSubject: two\n\nEnd.\n";
        let found = mails(box_of_two);
        assert_eq!(found.len(), 2);
        assert!(found[0].starts_with(b"Subject: one"), "{found:?}");
        assert!(found[0].ends_with(b"no mark.\nMore.\n\nFrom the mill.\n\n"), "{found:?}");
        assert_eq!(&*found[1], b"Subject: two\n\nEnd.\n");
        assert_eq!(mails(b"\n\nSubject: one\n\nFrom x\nTo: y\n").len(), 1);
        assert_eq!(mails(b"From nobody").len(), 1);
    }
}
