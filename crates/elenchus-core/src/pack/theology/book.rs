//! The 66 books of the Protestant canon: OSIS ids, names in text, chapters and verses.

use crate::inquiry::Derivations;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

/// A book, by its place in the canon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Book(u8);

/// How much a name says about the number that follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Certainty {
    /// "Genesis 1": a reference as it stands.
    Sure,
    /// "Gen 1": a reference unless the number counts something ("Gen 4 drives").
    Likely,
    /// "John 3", "Acts 2": a person or a common word; a lone chapter needs a cue before it.
    Plain,
    /// "Is 53:5": only with a verse, and not where a sentence begins.
    Weak,
}

/// A name by which texts call a book.
#[derive(Clone, Debug)]
pub(super) struct Name {
    /// Lower case, words parted by one space.
    pub(super) letters: Vec<char>,
    pub(super) certainty: Certainty,
    /// The book, or the first of its parts.
    pub(super) book: Book,
    /// How many parts the book has that are told by a number before the name; 0 when it has none.
    pub(super) parts: u8,
    /// The revision from which on it is read.
    pub(super) since: Derivations,
}

/// Names that came with the second revision.
const OF_THE_SECOND: [&str; 9] = ["exo", "deu", "eze", "zep", "zec", "jhn", "rm", "phlp", "hebr"];

struct Entry {
    osis: &'static str,
    name: &'static str,
    verses: Vec<u8>,
}

struct Canon {
    entries: Vec<Entry>,
    by_osis: BTreeMap<&'static str, Book>,
    /// The longest first within each first letter.
    names: BTreeMap<char, Vec<Name>>,
}

static CANON: LazyLock<Canon> = LazyLock::new(|| {
    let mut canon = Canon { entries: Vec::new(), by_osis: BTreeMap::new(), names: BTreeMap::new() };
    let rows = include_str!("books.txt").lines().filter(|line| !line.starts_with('#'));
    for (row, at) in rows.zip(0_u8..) {
        let mut cells = row.split(" |").map(str::trim);
        let mut cell = || cells.next().expect("a test reads every row of the table");
        let (osis, name, names, verses) = (cell(), cell(), cell(), cell());
        let verses = verses
            .split(' ')
            .map(|count| count.parse().expect("a test reads every row of the table"))
            .collect();
        canon.by_osis.insert(osis, Book(at));
        canon.entries.push(Entry { osis, name, verses });
        for mark in names.split_whitespace() {
            let (certainty, plain) = match mark.split_at(1) {
                ("=", rest) => (Certainty::Sure, rest),
                ("~", rest) => (Certainty::Likely, rest),
                ("?", rest) => (Certainty::Weak, rest),
                _ => (Certainty::Plain, mark),
            };
            let letters: Vec<char> = plain.replace('_', " ").chars().collect();
            let parts = match osis {
                "1John" => 3,
                _ if osis.starts_with('1') => 2,
                _ => 0,
            };
            let is_later = OF_THE_SECOND.contains(&plain);
            let since = if is_later { Derivations::SECOND } else { Derivations::FIRST };
            canon.names.entry(letters[0]).or_default().push(Name {
                letters,
                certainty,
                book: Book(at),
                parts,
                since,
            });
        }
    }
    for names in canon.names.values_mut() {
        names.sort_by_key(|name| std::cmp::Reverse(name.letters.len()));
    }
    canon
});

impl Book {
    /// The book of an OSIS id ("1Cor"), in its exact spelling.
    pub fn from_osis(id: &str) -> Option<Self> {
        CANON.by_osis.get(id).copied()
    }

    /// Every book, in the order of the canon.
    pub fn all() -> impl Iterator<Item = Self> {
        (0_u8..).take(CANON.entries.len()).map(Self)
    }

    fn entry(self) -> &'static Entry {
        &CANON.entries[usize::from(self.0)]
    }

    /// "1Cor".
    pub fn osis(self) -> &'static str {
        self.entry().osis
    }

    /// "1 Corinthians".
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// How many chapters it has, from 1.
    pub fn chapters(self) -> u8 {
        self.entry().verses.len() as u8
    }

    /// How many verses a chapter (from 1) has; `None` when there is no such chapter. Counted in the King James text;
    /// Romans 14 has the three more that other texts put there.
    pub fn verses(self, chapter: u8) -> Option<u8> {
        self.entry().verses.get(usize::from(chapter).checked_sub(1)?).copied()
    }

    /// The part of the same name with this number: of "1John" and 3 "3John".
    pub(super) fn part(self, number: u8) -> Self {
        Self(self.0 + number - 1)
    }
}

impl fmt::Display for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.osis())
    }
}

/// The names that begin with a lower-case letter, the longest first.
pub(super) fn names(first: char) -> &'static [Name] {
    CANON.names.get(&first).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_whole() {
        assert_eq!(Book::all().count(), 66);
        let chapters: u32 = Book::all().map(|book| u32::from(book.chapters())).sum();
        assert_eq!(chapters, 1_189);
        let verses: u32 = Book::all()
            .flat_map(|book| (1..=book.chapters()).filter_map(move |c| book.verses(c)))
            .map(u32::from)
            .sum();
        // 31,102 and the three of Romans 14.
        assert_eq!(verses, 31_105);
        for book in Book::all() {
            assert_eq!(Book::from_osis(book.osis()), Some(book));
            assert!(!book.name().is_empty());
        }
        assert_eq!(Book::from_osis("Ps").and_then(|book| book.verses(119)), Some(176));
        assert_eq!(Book::from_osis("Ps").and_then(|book| book.verses(0)), None);
        assert_eq!(Book::from_osis("1John").map(|book| book.part(3).osis()), Some("3John"));
        assert_eq!(Book::from_osis("ps"), None);
        assert!(names('j').windows(2).all(|two| two[0].letters.len() >= two[1].letters.len()));
    }
}
