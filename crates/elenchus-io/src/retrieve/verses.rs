//! Verses of the Bible by their names: records such as "John.3.16", and tables of cross-references between them.

use super::CorpusError;
use super::corpus::Corpus;
use super::resident::Resident;
use super::search::passage_at;
use elenchus_core::evidence::ReadPassage;
use elenchus_core::pack::theology::{OsisRef, is_links, linked, references};
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};

/// Most verses that one reference looks up.
const MOST_VERSES: usize = 200;

/// Places of passages by the verses that their records are named by.
#[derive(Default)]
pub(super) struct Verses {
    /// Passages of one verse.
    single: BTreeMap<OsisRef, Vec<u32>>,
    /// Passages that hold the lines of several verses of a table, by the first and the last.
    several: Vec<(OsisRef, OsisRef, u32)>,
    count: u32,
}

impl Verses {
    /// Notes a record's name: "John.3.16", or "John.3.16 to John.3.18".
    pub(super) fn add(&mut self, name: &str, place: u32) {
        let verse = |name: &str| name.parse().ok().filter(|verse: &OsisRef| verse.is_verse());
        if let Some(verse) = verse(name) {
            self.single.entry(verse).or_default().push(place);
            self.count += 1;
        } else if let Some((first, last)) = name.split_once(" to ")
            && let (Some(first), Some(last)) = (verse(first), verse(last))
        {
            self.several.push((first, last, place));
        }
    }

    /// Passages that are named by one verse.
    pub(super) fn count(&self) -> u32 {
        self.count
    }
}

/// The places of the verses that a query names, in its order; of one verse in the order of the documents.
pub(super) fn look_up(
    db: &Connection,
    resident: &Resident,
    query: &str,
    most: usize,
) -> rusqlite::Result<Vec<usize>> {
    let mut places: Vec<usize> = Vec::new();
    if resident.verses.count() == 0 {
        return Ok(places);
    }
    for verse in references(query).into_iter().flat_map(|found| found.reference.verses(MOST_VERSES))
    {
        for place in of_verse(resident, verse) {
            if places.len() == most {
                return Ok(places);
            }
            if !places.contains(&place) && !is_links(&passage_at(db, resident.rows[place])?.text) {
                places.push(place);
            }
        }
    }
    Ok(places)
}

/// Places of passages named by a verse, by the paths of their documents.
fn of_verse(resident: &Resident, verse: OsisRef) -> Vec<usize> {
    let mut places: Vec<usize> = resident
        .verses
        .single
        .get(&verse)
        .into_iter()
        .flatten()
        .map(|place| *place as usize)
        .collect();
    places.sort_by_key(|place| (resident.owner[*place], resident.ordinal[*place]));
    places
}

/// A verse that cross-references join with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Joined {
    /// The verse.
    pub verse: OsisRef,
    /// Whether its own line names the other as well.
    pub mutual: bool,
    /// How many of the other verses of the same line its own line names.
    pub shared: usize,
}

impl Corpus {
    /// The verses that a reference names, at most 200, each in every document that has it, in the order of the canon.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn verses(&self, reference: OsisRef) -> Result<Vec<ReadPassage>, CorpusError> {
        self.with_index("read the index", |db, resident| {
            let mut found = Vec::new();
            for verse in reference.verses(MOST_VERSES) {
                for place in of_verse(resident, verse) {
                    let passage = passage_at(db, resident.rows[place])?;
                    if !is_links(&passage.text) {
                        let source = resident.sources[resident.owner[place] as usize].clone();
                        found.push(ReadPassage { source, passage });
                    }
                }
            }
            Ok(found)
        })
    }

    /// The verses that the tables of cross-references of the corpus join with one verse: those first whose own line
    /// names it too, then those that share the most other verses with it, then in the order of the canon. Tables with
    /// votes are unknown here.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn cross_references(&self, verse: OsisRef) -> Result<Vec<Joined>, CorpusError> {
        self.with_index("read the index", |db, resident| {
            let line: BTreeSet<OsisRef> = line_of(db, resident, verse)?.into_iter().collect();
            let mut joined = Vec::with_capacity(line.len());
            for other in &line {
                let theirs = line_of(db, resident, *other)?;
                joined.push(Joined {
                    verse: *other,
                    mutual: theirs.contains(&verse),
                    shared: theirs.iter().filter(|one| line.contains(one)).count(),
                });
            }
            joined.sort_by_key(|one| {
                (std::cmp::Reverse(one.mutual), std::cmp::Reverse(one.shared), one.verse)
            });
            Ok(joined)
        })
    }
}

/// What the line of a verse in a table of cross-references names.
fn line_of(db: &Connection, resident: &Resident, verse: OsisRef) -> rusqlite::Result<Vec<OsisRef>> {
    let mut places = of_verse(resident, verse);
    places.extend(
        resident
            .verses
            .several
            .iter()
            .filter(|(first, last, _)| *first <= verse && verse <= *last)
            .map(|(.., place)| *place as usize),
    );
    let mut all: Vec<OsisRef> = Vec::new();
    for place in places {
        let passage = passage_at(db, resident.rows[place])?;
        for joined in linked(&passage.text, verse) {
            if !all.contains(&joined) {
                all.push(joined);
            }
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use elenchus_core::port::{PortFuture, Retriever, SearchRequest};
    use std::task::{Context, Poll, Waker};

    fn now<T>(mut future: PortFuture<'_, T>) -> T {
        match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => value,
            Poll::Pending => panic!("a corpus answers at once"),
        }
    }

    /// Rows of our own wording under the names of verses.
    fn corpus() -> (tempfile::TempDir, Corpus) {
        let folder = tempfile::tempdir().unwrap();
        let write =
            |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write(
            "plain.tsv",
            "John.3.16\tGod loved the world and gave the Son.\nJohn.3.17\tNot to judge the world was he sent.\n\
             Rom.5.8\tWhile we still failed, one died for us.\n1John.4.9\tIn this the love was shown among us.\n",
        );
        write(
            "second.tsv",
            "John.3.16\tThe world was loved so much that the Son came.\nActs.2.1\tThe day had come.\n",
        );
        write(
            "links.tsv",
            "John.3.16\tRom.5.8 1John.4.9\nRom.5.8\tJohn.3.16 1John.4.9\n1John.4.9\tRom.5.8 Rom.8.32\n",
        );
        write("talk.md", "# Talk\n\nThe world heard a talk about love, the Son and John 3:16.\n");
        let mut corpus = Corpus::in_memory(folder.path(), None).unwrap();
        corpus.sync(&mut |_| {}).unwrap();
        (folder, corpus)
    }

    fn records(corpus: &Corpus, query: &str, limit: u16) -> Vec<String> {
        let request = SearchRequest {
            query: query.to_owned(),
            limit,
            per_source: 1,
            per_author: 0,
            expand: false,
            filter: elenchus_core::port::SearchFilter::default(),
            outward: false,
            named: Vec::new(),
        };
        let hits = now(corpus.search(&request)).unwrap().hits;
        let ids: Vec<_> = hits.into_iter().map(|hit| hit.passage_id).collect();
        let named = |read: ReadPassage| read.passage.record.unwrap_or(read.source.path);
        now(corpus.read(&ids)).unwrap().into_iter().map(named).collect()
    }

    #[test]
    fn a_query_that_names_verses_finds_them_first() {
        let (_folder, corpus) = corpus();
        assert_eq!(corpus.overview().verses, 6);
        for query in
            ["John 3:16", "What does Jn 3,16 say?", "John.3.16", "john iii. 16 or John iii. 16"]
        {
            assert_eq!(records(&corpus, query, 2), ["John.3.16", "John.3.16"], "{query}");
        }
        assert_eq!(
            records(&corpus, "Rom 5:8 and John 3:16-17", 4),
            ["Rom.5.8", "John.3.16", "John.3.16", "John.3.17"]
        );
        assert_eq!(records(&corpus, "Rom 5:8 and John 3:16-17", 1), ["Rom.5.8"]);
        // Nothing is made up for a verse that is not there.
        assert!(!records(&corpus, "Gen 1:1 world", 3).is_empty());
    }

    #[test]
    fn verses_and_their_neighbours_are_found_by_name() {
        let (_folder, corpus) = corpus();
        let of = |id: &str| id.parse::<OsisRef>().unwrap();
        let verses = corpus.verses(of("John.3.16-John.3.17")).unwrap();
        let places: Vec<String> = verses.iter().map(ReadPassage::location).collect();
        assert_eq!(
            places,
            ["plain.tsv, John.3.16", "second.tsv, John.3.16", "plain.tsv, John.3.17"]
        );
        assert!(corpus.verses(of("Gen.1.1")).unwrap().is_empty());
        let joined = corpus.cross_references(of("John.3.16")).unwrap();
        assert_eq!(
            joined,
            [
                Joined { verse: of("Rom.5.8"), mutual: true, shared: 1 },
                Joined { verse: of("1John.4.9"), mutual: false, shared: 1 },
            ]
        );
        assert!(corpus.cross_references(of("Acts.2.1")).unwrap().is_empty());
    }
}
