//! References to verses: "John 3:16", "1 Cor. 13:4" name the record `John.3.16`, `1Cor.13.4`.

use elenchus_core::text::words;

/// A verse, or a whole chapter, by the name of its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    /// OSIS name of the book.
    pub(crate) book: &'static str,
    pub(crate) chapter: u16,
    /// `None` for the whole chapter.
    pub(crate) verse: Option<u16>,
    /// Lower-case words of the question that state it.
    pub(crate) said: Vec<String>,
}

impl Reference {
    /// The record's name; for a chapter the beginning that its records share, without the last point.
    pub(crate) fn id(&self) -> String {
        match self.verse {
            Some(verse) => format!("{}.{}.{verse}", self.book, self.chapter),
            None => format!("{}.{}", self.book, self.chapter),
        }
    }

    /// Whether a record of this name is what the reference names.
    pub(crate) fn names(&self, record: &str) -> bool {
        let id = self.id();
        match self.verse {
            Some(_) => record == id,
            None => record.strip_prefix(&id).is_some_and(|rest| {
                rest.strip_prefix('.')
                    .is_some_and(|verse| verse.chars().all(|c| c.is_ascii_digit()))
            }),
        }
    }
}

/// OSIS names (<https://wiki.crosswire.org/OSIS_Book_Abbreviations>) with full and usual short names, lower case.
/// Books in several parts stand without their number.
const BOOKS: [(&str, &[&str], bool); 57] = [
    ("Gen", &["genesis", "gen", "gn"], false),
    ("Exod", &["exodus", "exod", "ex"], false),
    ("Lev", &["leviticus", "lev", "lv"], false),
    ("Num", &["numbers", "num", "nm"], false),
    ("Deut", &["deuteronomy", "deut", "dt"], false),
    ("Josh", &["joshua", "josh"], false),
    ("Judg", &["judges", "judg", "jdg"], false),
    ("Ruth", &["ruth", "ru"], false),
    ("Sam", &["samuel", "sam", "sm"], true),
    ("Kgs", &["kings", "kgs", "kg"], true),
    ("Chr", &["chronicles", "chr", "chron"], true),
    ("Ezra", &["ezra", "ezr"], false),
    ("Neh", &["nehemiah", "neh"], false),
    ("Esth", &["esther", "esth", "est"], false),
    ("Job", &["job", "jb"], false),
    ("Ps", &["psalm", "psalms", "ps", "pss"], false),
    ("Prov", &["proverbs", "prov", "prv"], false),
    ("Eccl", &["ecclesiastes", "eccl", "eccles"], false),
    ("Song", &["song", "canticles", "cant"], false),
    ("Isa", &["isaiah", "isa", "is"], false),
    ("Jer", &["jeremiah", "jer"], false),
    ("Lam", &["lamentations", "lam"], false),
    ("Ezek", &["ezekiel", "ezek", "ez"], false),
    ("Dan", &["daniel", "dan", "dn"], false),
    ("Hos", &["hosea", "hos"], false),
    ("Joel", &["joel", "jl"], false),
    ("Amos", &["amos", "am"], false),
    ("Obad", &["obadiah", "obad"], false),
    ("Jonah", &["jonah", "jon"], false),
    ("Mic", &["micah", "mic"], false),
    ("Nah", &["nahum", "nah"], false),
    ("Hab", &["habakkuk", "hab"], false),
    ("Zeph", &["zephaniah", "zeph"], false),
    ("Hag", &["haggai", "hag"], false),
    ("Zech", &["zechariah", "zech"], false),
    ("Mal", &["malachi", "mal"], false),
    ("Matt", &["matthew", "matt", "mt"], false),
    ("Mark", &["mark", "mk"], false),
    ("Luke", &["luke", "lk"], false),
    ("Acts", &["acts"], false),
    ("Rom", &["romans", "rom"], false),
    ("Cor", &["corinthians", "cor"], true),
    ("Gal", &["galatians", "gal"], false),
    ("Eph", &["ephesians", "eph"], false),
    ("Phil", &["philippians", "phil"], false),
    ("Col", &["colossians", "col"], false),
    ("Thess", &["thessalonians", "thess"], true),
    ("Tim", &["timothy", "tim"], true),
    ("Titus", &["titus", "tit"], false),
    ("Phlm", &["philemon", "phlm"], false),
    ("Heb", &["hebrews", "heb"], false),
    ("Jas", &["james", "jas"], false),
    ("Pet", &["peter", "pet", "pt"], true),
    ("John", &["john", "jn"], true),
    ("Jude", &["jude"], false),
    ("Rev", &["revelation", "rev", "apocalypse"], false),
    ("Wis", &["wisdom", "wis"], false),
];

/// Names of numbered books, made once: (book, part, OSIS name).
const PARTS: [(&str, u8, &str); 17] = [
    ("Sam", 1, "1Sam"),
    ("Sam", 2, "2Sam"),
    ("Kgs", 1, "1Kgs"),
    ("Kgs", 2, "2Kgs"),
    ("Chr", 1, "1Chr"),
    ("Chr", 2, "2Chr"),
    ("Cor", 1, "1Cor"),
    ("Cor", 2, "2Cor"),
    ("Thess", 1, "1Thess"),
    ("Thess", 2, "2Thess"),
    ("Tim", 1, "1Tim"),
    ("Tim", 2, "2Tim"),
    ("Pet", 1, "1Pet"),
    ("Pet", 2, "2Pet"),
    ("John", 1, "1John"),
    ("John", 2, "2John"),
    ("John", 3, "3John"),
];

/// The first reference of a question. A chapter alone counts only for psalms and after "chapter": "John 3" may be
/// a third John, "Acts 2" a second act.
pub(crate) fn reference(question: &str) -> Option<Reference> {
    let tokens: Vec<&str> = question.split_whitespace().collect();
    for (at, raw) in tokens.iter().enumerate() {
        let bare = raw.trim_matches(|c: char| !c.is_alphanumeric());
        let lower = bare.to_lowercase();
        // "1Cor" in one piece.
        let glued = lower.chars().next().and_then(|c| c.to_digit(10)).filter(|_| lower.len() > 2);
        let name = if glued.is_some() { &lower[1..] } else { lower.as_str() };
        let capital = bare.chars().any(char::is_uppercase);
        let Some((book, _, parts)) =
            BOOKS.iter().find(|(_, names, _)| capital && names.contains(&name))
        else {
            continue;
        };
        let before = at.checked_sub(1).map(|before| tokens[before].to_lowercase());
        let part = glued.map(|part| part as u8).or(match before.as_deref() {
            Some("1" | "i" | "first" | "1st") => Some(1),
            Some("2" | "ii" | "second" | "2nd") => Some(2),
            Some("3" | "iii" | "third" | "3rd") => Some(3),
            _ => None,
        });
        let osis = match (part, *parts) {
            (Some(part), true) => {
                PARTS.iter().find(|(name, number, _)| name == book && *number == part)?.2
            }
            (None, true) if *book != "John" => continue,
            _ => book,
        };
        let mut next = at + 1;
        let called = tokens.get(next).is_some_and(|word| word.eq_ignore_ascii_case("chapter"));
        next += usize::from(called);
        let Some(place) = tokens.get(next) else { continue };
        let place = place.trim_matches(|c: char| !c.is_ascii_digit());
        let mut numbers = place.split([':', '.']);
        let Some(chapter) = numbers.next().and_then(|n| n.parse().ok()) else { continue };
        let verse = match numbers.next() {
            // Of a span the first verse: "5:3-12".
            Some(text) => {
                let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
                let Ok(verse) = digits.parse() else { continue };
                Some(verse)
            }
            None => None,
        };
        if verse.is_none() && *book != "Ps" && !called {
            continue;
        }
        let from = if part.is_some() && glued.is_none() { at - 1 } else { at };
        let said =
            tokens[from..=next].iter().flat_map(|token| words(&token.to_lowercase())).collect();
        return Some(Reference { book: osis, chapter, verse, said });
    }
    None
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

    fn id(text: &str) -> Option<String> {
        reference(text).map(|reference| reference.id())
    }

    #[test]
    fn references_become_names_of_records() {
        assert_eq!(id("What does John 3:16 say?").as_deref(), Some("John.3.16"));
        assert_eq!(id("What does 1 Cor. 13:4 say?").as_deref(), Some("1Cor.13.4"));
        assert_eq!(id("Explain First John 4:8").as_deref(), Some("1John.4.8"));
        assert_eq!(id("What is in Matt 5:17-20?").as_deref(), Some("Matt.5.17"));
        assert_eq!(id("What does Psalm 23 say?").as_deref(), Some("Ps.23"));
        assert_eq!(id("Did Mark 2 samples?"), None);
        assert_eq!(id("How many acts has the play?"), None);
        assert_eq!(id(""), None);
        assert!(reference("Psalm 23").is_some_and(|r| r.names("Ps.23.4") && !r.names("Ps.230.4")));
        assert!(is_links("Gen.1.1: John.1.1 Heb.11.3") && !is_links("In the beginning"));
    }
}
