//! A mail that others quote is one witness, however many of them do.

use crate::ingest::Format;
use crate::ingest::mails::said_by;
use elenchus_core::evidence::{ReadPassage, Source};
use elenchus_core::id::SourceId;

/// A passage of a mail as one of that mail wherever it stands: in a file of its own, in a mailbox, or in the mails that answer it.
/// What one sender wrote on one day counts once. `sources` are those of the index, by path.
pub(super) fn as_one_mail(mut read: ReadPassage, sources: &[Source]) -> ReadPassage {
    if Format::of(&read.source.path) != Some(Format::Mail) {
        return read;
    }
    let Some((from, Some(day))) = said_by(&read.passage.heading_path) else { return read };
    let is_it = |one: &Source| {
        Format::of(&one.path) == Some(Format::Mail)
            && one.author.as_deref() == Some(from)
            && one.date.as_ref().is_some_and(|date| date.value == day)
    };
    // Of several of one sender and day the first stands for all: a quote does not say which of them it is of.
    let cluster = match sources.iter().find(|one| is_it(one)) {
        Some(file) => file.cluster.clone(),
        // The mail itself is not in the folder.
        None => SourceId::from_path(&format!("mail from {from}, {day}")),
    };
    read.source.cluster = cluster;
    read
}

#[cfg(test)]
mod tests {
    use super::*;
    use elenchus_core::evidence::{DocDate, PartialDate, Passage, Span, Vintage};
    use elenchus_core::id::PassageId;

    fn source(path: &str, author: &str, day: u8) -> Source {
        let id = SourceId::from_path(path);
        let value = PartialDate::day(2025, 5, day);
        Source {
            cluster: id.clone(),
            id,
            path: path.to_owned(),
            title: "The geese".to_owned(),
            author: Some(author.to_owned()),
            date: Some(DocDate { value, stated: format!("Date: {value}") }),
            vintage: Vintage::default(),
            content_hash: String::new(),
            family: "the geese".to_owned(),
            web: None,
        }
    }

    /// The cluster of a passage of a file under this heading.
    fn cluster(sources: &[Source], file: usize, heading: &str) -> SourceId {
        let source = sources[file].clone();
        let text = "They wake me.".to_owned();
        let passage = Passage {
            id: PassageId::new(&source.id, 0),
            source_id: source.id.clone(),
            span: Span { start: 0, end: text.chars().count() },
            text,
            heading_path: vec![heading.to_owned()],
            page: None,
            table_header: Vec::new(),
            lead_in: None,
            record: None,
        };
        as_one_mail(ReadPassage { source, passage }, sources).source.cluster
    }

    #[test]
    fn a_mail_and_the_quotes_of_it_are_one_witness() {
        let (falk, ash) = ("Mail from Ines Falk, 4 May 2025", "Mail from Di Ash, 3 May 2025");
        let sources = [
            source("answer.eml", "Ben Poe", 6),
            source("first.eml", "Ines Falk", 4),
            source("later.eml", "Cy Roe", 7),
            source("notes.txt", "Di Ash", 3),
            source("second.eml", "Ines Falk", 4),
        ];
        assert_eq!(cluster(&sources, 4, falk), sources[1].id);
        for file in 0..3 {
            assert_eq!(cluster(&sources, file, falk), sources[1].id);
        }
        let poe = "Mail from Ben Poe, 6 May 2025";
        assert_eq!(cluster(&sources, 0, poe), sources[0].id);
        // A mail that only others quote is one as well, and none of those that quote it.
        let quoted = cluster(&sources, 0, ash);
        assert_eq!(cluster(&sources, 2, ash), quoted);
        assert!(sources.iter().all(|source| source.id != quoted));
        // A file of text is what it is.
        assert_eq!(cluster(&sources, 3, falk), sources[3].id);
    }
}
