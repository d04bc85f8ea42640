use super::*;
use crate::ingest::{Ingested, ingest};

fn read(path: &str, raw: &str) -> Ingested {
    ingest(Format::Mail, path, raw.as_bytes().to_vec(), &[]).unwrap()
}

/// The headings over the passage in which these words stand.
fn over<'i>(read: &'i Ingested, words: &str) -> &'i [String] {
    let found: Vec<_> = read.passages.iter().filter(|one| one.text.contains(words)).collect();
    assert_eq!(found.len(), 1, "{words}: {:?}", read.passages);
    &found[0].heading_path
}

const REPLY: &str = "Return-Path: <b.poe@lock.example>\r\nFrom: Ben Poe <b.poe@lock.example>\r\nTo: Ines Falk <ines@falk.example>\r\n\
    Date: Tue, 6 May 2025 09:30:00 +0200\r\nSubject: Re: The geese\r\nContent-Type: multipart/mixed; boundary=\"b1\"\r\n\r\n\
    --b1\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
    The fence comes on Friday, M=FCller builds it.\r\n\r\nOn Sun, 4 May 2025 at 10:14, Ines Falk <ines@falk.example> wrote:\r\n\
    > They wake me at four.\r\n--b1\r\nContent-Type: text/csv; name=\"costs.csv\"\r\nContent-Transfer-Encoding: base64\r\n\r\n\
    aXRlbSxldXJvcwpmZW5jZSw0MTAK\r\n--b1\r\nContent-Type: image/png\r\nContent-Disposition: attachment; filename=\"fence.png\"\r\n\r\n\
    x\r\n--b1--\r\n";

#[test]
fn a_mail_is_a_document_of_its_sender_and_day() {
    let mail = read("reply.eml", REPLY);
    assert_eq!(mail.source.title, "Re: The geese");
    assert_eq!(mail.source.author.as_deref(), Some("Ben Poe"));
    assert_eq!(mail.source.date.as_ref().unwrap().value, PartialDate::day(2025, 5, 6));
    assert!(
        mail.text.starts_with("From: Ben Poe <b.poe@lock.example>\nTo: Ines Falk"),
        "{}",
        mail.text
    );
    assert!(
        mail.text.contains("\nAttachment: costs.csv\nAttachment: fence.png\n"),
        "{}",
        mail.text
    );
    assert_eq!(over(&mail, "Müller builds it"), ["Mail from Ben Poe, 6 May 2025"]);
    assert_eq!(mail.notes, ["Attachment: fence.png: of a format that is not read"]);
}

#[test]
fn what_it_quotes_and_what_is_attached_stand_under_their_own_headings() {
    let mail = read("reply.eml", REPLY);
    assert_eq!(over(&mail, "They wake me"), ["Mail from Ines Falk, 4 May 2025"]);
    let of_file = ["Mail from Ben Poe, 6 May 2025".to_owned(), "Attachment: costs.csv".to_owned()];
    assert_eq!(over(&mail, "item: fence; euros: 410"), of_file);
}

#[test]
fn a_mailbox_and_a_mail_within_a_mail_keep_their_senders() {
    let boxed = "From - Sun May  4 10:14:00 2025\nFrom: Ines Falk <i@falk.example>\nDate: 4 May 2025 10:14 +0200\n\
        Subject: Geese\n\nThey wake me.\n\nFrom - Tue May  6 09:30:00 2025\nFrom: Ben Poe <b@lock.example>\n\
        Date: 6 May 2025 09:30 +0200\nSubject: Fence\nContent-Type: multipart/mixed; boundary=m\n\n--m\n\n\
        See the offer.\n--m\nContent-Type: message/rfc822\n\nFrom: Cy Roe <cy@mill.example>\nSubject: Offer\n\n\
        It costs 410 euros.\n--m--\n";
    let mails = read("box.mbox", boxed);
    assert_eq!(over(&mails, "They wake me"), ["Geese", "Mail from Ines Falk, 4 May 2025"]);
    assert_eq!(over(&mails, "See the offer"), ["Fence", "Mail from Ben Poe, 6 May 2025"]);
    assert_eq!(over(&mails, "410 euros"), ["Offer", "Mail from Cy Roe"]);
    assert_eq!(mails.source.author, None);
}

#[test]
fn a_page_is_read_where_a_mail_has_no_text() {
    let raw = "From: Ann Lee <ann@mill.example>\nSubject: Wheel\nContent-Type: text/html; charset=utf-8\n\n\
        <html><head><style>p { color: red }</style></head><body><p>It <b>turns</b>.</p>\
        <blockquote>Does it turn?</blockquote></body></html>";
    let mail = read("wheel.eml", raw);
    assert_eq!(over(&mail, "turns"), ["Mail from Ann Lee"]);
    assert_eq!(over(&mail, "Does it turn?"), [UNNAMED]);
    assert!(!mail.text.contains("color"), "{}", mail.text);
}

#[test]
fn what_is_no_mail_is_refused_with_the_reason() {
    let refused = ingest(Format::Mail, "a.eml", b"just some words".to_vec(), &[]).unwrap_err();
    assert!(refused.to_string().starts_with("could not read the mail file: it does not begin"));
}

#[test]
fn subjects_of_a_thread_are_one() {
    assert!(same("Re: AW: The geese", "the geese"));
    assert!(!same("Note: the geese", "the geese"));
}
