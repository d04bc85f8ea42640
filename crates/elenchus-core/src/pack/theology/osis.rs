//! References as values: OSIS ids (<https://wiki.crosswire.org/OSIS_Bible_References>) of verses, chapters and ranges
//! within one book.

use super::Book;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A chapter, or a verse of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// From 1.
    pub chapter: u8,
    /// From 1; `None` for the whole chapter.
    pub verse: Option<u8>,
}

/// A reference to verses or whole chapters of one book. It exists only for places that the book has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub struct OsisRef {
    book: Book,
    first: Place,
    last: Place,
}

/// Why an OSIS id cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "could not read {0:?} as an OSIS reference: it names no place of the 66 books; write John.3.16, Gen.1 or 1Cor.13.4-1Cor.13.7"
)]
pub struct NotOsis(String);

impl OsisRef {
    /// A reference; `None` when the book has no such place, when the end lies before the beginning, or when one is a
    /// verse and the other a chapter.
    pub fn new(book: Book, first: Place, last: Place) -> Option<Self> {
        let stands = |place: Place| {
            book.verses(place.chapter)
                .is_some_and(|verses| place.verse.is_none_or(|verse| (1..=verses).contains(&verse)))
        };
        (stands(first)
            && stands(last)
            && first <= last
            && first.verse.is_some() == last.verse.is_some())
        .then_some(Self { book, first, last })
    }

    /// One verse.
    pub fn verse(book: Book, chapter: u8, verse: u8) -> Option<Self> {
        let place = Place { chapter, verse: Some(verse) };
        Self::new(book, place, place)
    }

    /// The book.
    pub fn book(self) -> Book {
        self.book
    }

    /// Where it begins.
    pub fn first(self) -> Place {
        self.first
    }

    /// Where it ends, that place included.
    pub fn last(self) -> Place {
        self.last
    }

    /// Whether it is one verse.
    pub fn is_verse(self) -> bool {
        self.first == self.last && self.first.verse.is_some()
    }

    fn bounds(self) -> ((u8, u8), (u8, u8)) {
        (
            (self.first.chapter, self.first.verse.unwrap_or(0)),
            (self.last.chapter, self.last.verse.unwrap_or(u8::MAX)),
        )
    }

    /// Whether both name a common verse.
    pub fn overlaps(self, other: Self) -> bool {
        let ((from, to), (other_from, other_to)) = (self.bounds(), other.bounds());
        self.book == other.book && from <= other_to && other_from <= to
    }

    /// Whether every verse of `other` is named.
    pub fn contains(self, other: Self) -> bool {
        let ((from, to), (other_from, other_to)) = (self.bounds(), other.bounds());
        self.book == other.book && from <= other_from && other_to <= to
    }

    /// Its verses one by one, at most `most`.
    pub fn verses(self, most: usize) -> Vec<Self> {
        let (from, to) = self.bounds();
        (from.0..=to.0)
            .flat_map(|chapter| {
                let count = self.book.verses(chapter).unwrap_or(0);
                let first = if chapter == from.0 { from.1.max(1) } else { 1 };
                let last = if chapter == to.0 { to.1.min(count) } else { count };
                (first..=last).filter_map(move |verse| Self::verse(self.book, chapter, verse))
            })
            .take(most)
            .collect()
    }

    /// As people write it: "1 Corinthians 13:4-7", "Genesis 1", "Jude 3".
    pub fn spoken(self) -> String {
        let name = if self.book.osis() == "Ps" && self.first.chapter == self.last.chapter {
            "Psalm"
        } else {
            self.book.name()
        };
        let (first, last) = (self.first, self.last);
        let single = self.book.chapters() == 1;
        let place = |place: Place| match place.verse {
            Some(verse) if single => verse.to_string(),
            Some(verse) => format!("{}:{verse}", place.chapter),
            None => place.chapter.to_string(),
        };
        if first == last {
            return format!("{name} {}", place(first));
        }
        let end = match last.verse {
            Some(verse) if last.chapter == first.chapter => verse.to_string(),
            _ => place(last),
        };
        format!("{name} {}-{end}", place(first))
    }
}

impl TryFrom<String> for OsisRef {
    type Error = NotOsis;

    fn try_from(text: String) -> Result<Self, NotOsis> {
        text.parse()
    }
}

impl From<OsisRef> for String {
    fn from(reference: OsisRef) -> Self {
        reference.to_string()
    }
}

impl fmt::Display for OsisRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |f: &mut fmt::Formatter<'_>, place: Place| {
            write!(f, "{}.{}", self.book, place.chapter)?;
            place.verse.map_or(Ok(()), |verse| write!(f, ".{verse}"))
        };
        part(f, self.first)?;
        if self.first != self.last {
            f.write_str("-")?;
            part(f, self.last)?;
        }
        Ok(())
    }
}

impl FromStr for OsisRef {
    type Err = NotOsis;

    /// Reads an OSIS id in its exact spelling.
    fn from_str(text: &str) -> Result<Self, NotOsis> {
        let place = |part: &str| -> Option<(Book, Place)> {
            let mut pieces = part.split('.');
            let book = Book::from_osis(pieces.next()?)?;
            let chapter = number(pieces.next()?)?;
            let verse = match pieces.next() {
                Some(piece) => Some(number(piece)?),
                None => None,
            };
            pieces.next().is_none().then_some((book, Place { chapter, verse }))
        };
        let read = || {
            let (first, last) = text.split_once('-').unwrap_or((text, text));
            let ((book, first), (other, last)) = (place(first)?, place(last)?);
            if book == other { Self::new(book, first, last) } else { None }
        };
        read().ok_or_else(|| NotOsis(text.chars().take(60).collect()))
    }
}

/// A number of one to three digits that does not begin with 0.
fn number(digits: &str) -> Option<u8> {
    (!digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit()))
        .then(|| digits.parse().ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn osis(text: &str) -> OsisRef {
        text.parse().unwrap()
    }

    /// Any reference that can exist.
    pub(crate) fn any_reference() -> impl Strategy<Value = OsisRef> {
        (0..66_usize, any::<[u8; 4]>(), any::<bool>()).prop_map(|(book, n, whole)| {
            let book = Book::all().nth(book).unwrap();
            let place = |chapter: u8, verse: u8| {
                let chapter = chapter % book.chapters() + 1;
                let verse = (!whole).then(|| verse % book.verses(chapter).unwrap() + 1);
                Place { chapter, verse }
            };
            let (a, b) = (place(n[0], n[1]), place(n[2], n[3]));
            OsisRef::new(book, a.min(b), a.max(b)).unwrap()
        })
    }

    #[test]
    fn places_that_do_not_exist_are_no_references() {
        for wrong in [
            "John.22.1",
            "John.3.37",
            "John.0.1",
            "John.3.016",
            "John",
            "John.3.16.2",
            "john.3.16",
            "John.3-John.4.2",
            "John.4.2-John.3.1",
            "John.3.16-Luke.3.17",
            "",
            ".",
            "-",
            "John.3.16-",
        ] {
            assert!(wrong.parse::<OsisRef>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn ranges_know_their_verses() {
        let sermon = osis("Matt.5.47-Matt.6.2");
        let verses: Vec<String> = sermon.verses(10).iter().map(ToString::to_string).collect();
        assert_eq!(verses, ["Matt.5.47", "Matt.5.48", "Matt.6.1", "Matt.6.2"]);
        assert!(sermon.contains(osis("Matt.6.1")) && !sermon.contains(osis("Matt.6.3")));
        assert!(osis("Matt.5").contains(osis("Matt.5.48")) && osis("Matt.5").overlaps(sermon));
        assert!(!osis("Matt.6.3").overlaps(sermon) && !osis("Mark.5.43").overlaps(sermon));
        assert_eq!(osis("Ps.117").verses(10).len(), 2);
        assert_eq!(osis("1Cor.13.4-1Cor.13.7").spoken(), "1 Corinthians 13:4-7");
        assert_eq!(osis("Jude.1.3").spoken(), "Jude 3");
        assert_eq!(osis("Ps.23").spoken(), "Psalm 23");
        assert_eq!(sermon.spoken(), "Matthew 5:47-6:2");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(reference in any_reference()) {
            prop_assert_eq!(osis(&reference.to_string()), reference);
            let verses = reference.verses(usize::MAX);
            prop_assert!(!verses.is_empty());
            prop_assert!(verses.iter().all(|verse| reference.contains(*verse) && verse.is_verse()));
        }

        #[test]
        fn nothing_panics(text in "[A-Za-z0-9.\\-]{0,20}") {
            if let Ok(reference) = text.parse::<OsisRef>() {
                prop_assert_eq!(reference.to_string().parse::<OsisRef>(), Ok(reference));
            }
        }
    }
}
