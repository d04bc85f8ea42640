//! Questions that cite the Bible: which records answer them.

use elenchus_core::evidence::char_slice;
use elenchus_core::pack::theology::{OsisRef, references};
use elenchus_core::text::words;

/// Most verses that one answer quotes, each in as many translations as were read.
const MOST_VERSES: usize = 40;

/// What a question cites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cited {
    /// In the order of the question.
    pub(crate) references: Vec<OsisRef>,
    /// Lower-case words of the question that state them.
    pub(crate) said: Vec<String>,
}

impl Cited {
    /// The OSIS ids, by which an index looks them up.
    pub(crate) fn ids(&self) -> String {
        self.references.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    /// Whether a record of this name is cited.
    pub(crate) fn names(&self, record: &str) -> bool {
        self.place(record).is_some()
    }

    /// Whether a record is cited as a verse, not as a part of a whole chapter.
    pub(crate) fn names_verse(&self, record: &str) -> bool {
        self.place(record).is_some_and(|(at, _)| self.references[at].first().verse.is_some())
    }

    /// Where a record stands among what is cited: the reference, and the verse.
    pub(crate) fn place(&self, record: &str) -> Option<(usize, OsisRef)> {
        let verse: OsisRef = record.parse().ok().filter(|verse: &OsisRef| verse.is_verse())?;
        let at = self.references.iter().position(|reference| reference.contains(verse))?;
        Some((at, verse))
    }

    /// Most sentences of an answer.
    pub(crate) fn most(&self) -> usize {
        let verses: usize = self.references.iter().map(|one| one.verses(MOST_VERSES).len()).sum();
        (verses * 6).clamp(10, MOST_VERSES * 2)
    }
}

/// What a question cites; `None` when it cites nothing.
pub(crate) fn cited(question: &str) -> Option<Cited> {
    let found = references(question);
    if found.is_empty() {
        return None;
    }
    let said = found
        .iter()
        .filter_map(|one| char_slice(question, one.span))
        .flat_map(|text| words(&text.to_lowercase()))
        .collect();
    Some(Cited { references: found.into_iter().map(|one| one.reference).collect(), said })
}

/// Whether a text is mostly names of records: a table of references, not a verse.
pub(super) fn is_links(text: &str) -> bool {
    let (links, all) = text.split_whitespace().fold((0usize, 0usize), |(links, all), token| {
        let link = token.contains('.')
            && token.trim_end_matches(':').chars().next_back().is_some_and(|c| c.is_ascii_digit());
        (links + usize::from(link), all + 1)
    });
    links * 2 > all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(text: &str) -> Option<String> {
        cited(text).map(|cited| cited.ids())
    }

    #[test]
    fn what_is_cited_becomes_names_of_records() {
        assert_eq!(ids("What does John 3:16 say?").as_deref(), Some("John.3.16"));
        assert_eq!(ids("What does 1 Cor. 13:4 say?").as_deref(), Some("1Cor.13.4"));
        assert_eq!(ids("What is in Matt 5:17-20?").as_deref(), Some("Matt.5.17-Matt.5.20"));
        assert_eq!(ids("What do Mt 5,17 and Rom 10:4 say?").as_deref(), Some("Matt.5.17 Rom.10.4"));
        assert_eq!(ids("What does Psalm 23 say?").as_deref(), Some("Ps.23"));
        assert_eq!(ids("Did Mark 2 samples?"), None);
        assert_eq!(ids("How many acts has the play?"), None);
        assert_eq!(ids(""), None);
        let cited = cited("What do Psalm 23 and Mt 5,17 say?").unwrap();
        assert!(cited.names("Ps.23.4") && !cited.names_verse("Ps.23.4"));
        assert!(cited.names_verse("Matt.5.17") && !cited.names("Ps.24.1") && !cited.names("row 3"));
        assert_eq!(cited.said, ["psalm", "23", "mt", "5,17"]);
        assert!(is_links("Gen.1.1: John.1.1 Heb.11.3") && !is_links("In the beginning"));
    }
}
