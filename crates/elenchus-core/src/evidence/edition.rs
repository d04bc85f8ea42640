//! Editions: which version of itself a document is, and which documents another one replaces. One rule for whatever asks
//! whether a document still holds.

use super::{ReadPassage, Source};
use crate::id::SourceId;
use crate::text::{content_set, is_stop_word, stem};
use std::collections::{BTreeMap, BTreeSet};

/// What a number of a version stands behind.
const VERSIONS: [&str; 3] = ["version", "edition", "revision"];
/// Characters of a document among which it says what it replaces.
const HEAD: usize = 600;
/// Words between "this" and "replaces", at most: "this list of prices, valid from 1 May, replaces".
const SUBJECT: usize = 8;
/// Parts of documents: whoever replaces one of them replaces no document.
const PARTS: [&str; 8] =
    ["part", "section", "paragraph", "clause", "page", "chapter", "annex", "appendix"];
/// Words of a title from which on it names a document by itself.
const TITLE: usize = 2;
/// What a document is, beside its title, by stems: "the 2019 edition of the Mooring Rules" is the rules.
const WHOLES: [&str; 12] = [
    "text", "copi", "issu", "print", "draft", "list", "version", "edit", "revis", "document",
    "polici", "manual",
];
/// Words behind which a noun is told more of: "the fee in the Mooring Rules" is a fee.
const OF_IT: [&str; 9] = ["of", "in", "from", "under", "on", "within", "by", "for", "to"];

/// The words of a text, in lower case.
fn plain(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// The first number of a version among some words: "v2", "version 2".
fn version(words: &[String]) -> Option<u32> {
    let joined = words.iter().find_map(|word| word.strip_prefix('v')?.parse().ok());
    let apart = || {
        let mut pairs = words.windows(2);
        pairs.find_map(|pair| match pair {
            [word, number] if VERSIONS.contains(&word.as_str()) => number.parse().ok(),
            _ => None,
        })
    };
    joined.or_else(apart)
}

/// The years that some words name.
fn years(words: &[String]) -> impl Iterator<Item = i32> {
    let years =
        words.iter().filter(|word| word.len() == 4).filter_map(|word| word.parse::<i32>().ok());
    years.filter(|year| (1900..2100).contains(year))
}

impl ReadPassage {
    /// The number of the document's version, as its name, its title or its first words give it: "policy-v2.md", "Version 2,
    /// in force".
    pub fn version(&self) -> Option<u32> {
        // A folder may be called by a version too.
        let path = &self.source.path;
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let head: Vec<String> = plain(&self.passage.text).into_iter().take(2).collect();
        version(&plain(name))
            .or_else(|| version(&plain(path)))
            .or_else(|| version(&plain(&self.source.title)))
            // Further down a history of versions may begin.
            .or_else(|| (self.passage.span.start < HEAD).then(|| version(&head)).flatten())
    }
}

/// What a document says that it replaces, as words: "It replaces version 1 of 2023". A part of a document is none.
fn objects(text: &str) -> Vec<Vec<String>> {
    let parts = text.split(['.', ';', '!', '?', '\n']);
    let object = |part: &str| {
        let words = plain(part);
        let says = |word: &String| {
            matches!(word.as_str(), "replaces" | "replace" | "supersedes" | "supersede")
        };
        let at = words.iter().position(says)?;
        let (subject, object) = (words.get(..at)?, words.get(at + 1..)?);
        let points = |word: &String| matches!(word.as_str(), "this" | "these" | "it" | "they");
        // "Version 2, in force from 1 June: replaces version 1".
        let is_own = subject.is_empty()
            || subject.iter().rev().take(SUBJECT).any(points)
            || version(subject).is_some();
        let is_part = object.iter().any(|word| PARTS.contains(&word.as_str()));
        let is_denied = subject.iter().any(|word| matches!(word.as_str(), "not" | "if" | "will"));
        (is_own && !is_part && !is_denied).then(|| object.to_vec())
    };
    parts.filter_map(object).collect()
}

/// Whether what is replaced is a document called so, and nothing that stands in it ("the fee in the Mooring Rules"): what stands
/// before the first of its words is nothing, or says what kind of text it is ("all earlier versions of the Mooring Rules").
fn is_whole(object: &[String], called: &BTreeSet<String>) -> bool {
    let first = object.iter().position(|word| called.contains(&stem(word)));
    let ahead = object.get(..first.unwrap_or(object.len())).unwrap_or_default();
    // "The mooring fee" begins with a word of the title and ends with what is meant.
    let rest = object.get(first.unwrap_or(object.len())..).unwrap_or_default();
    let name = rest.split(|word| OF_IT.contains(&word.as_str()) || ENDS.contains(&word.as_str()));
    let named = name.take(1).flatten().filter(|word| !is_stop_word(word));
    let is_kind = |word: &&String| {
        let stem = stem(word);
        WHOLES.contains(&stem.as_str()) || word.contains(|c: char| c.is_ascii_digit())
    };
    let told = |word: &&String| {
        is_stop_word(word) || OF_IT.contains(&word.as_str()) || EARLIER.contains(&word.as_str())
    };
    ahead.iter().all(|word| told(&word) || is_kind(&word))
        && named
            .filter(|word| !word.ends_with("ed"))
            .all(|word| called.contains(&stem(word)) || is_kind(&word))
}

/// Words that tell which of several editions is meant.
const EARLIER: [&str; 7] = ["earlier", "former", "old", "older", "previous", "prior", "present"];
/// Words behind the name of a document that begin something else.
const ENDS: [&str; 4] = ["and", "with", "which", "adopted"];

/// A document, as far as passages of it were read.
struct Document<'a> {
    source: &'a Source,
    version: Option<u32>,
    replaces: Vec<Vec<String>>,
}

impl<'a> Document<'a> {
    fn take(&mut self, read: &'a ReadPassage) {
        self.version = self.version.or_else(|| read.version());
        if read.passage.span.start < HEAD {
            self.replaces.extend(objects(&read.passage.text));
        }
    }

    fn is_of_one_family(&self, other: &Document<'_>) -> bool {
        !self.source.family.is_empty() && self.source.family == other.source.family
    }

    /// Whether this one is a later version of the other.
    fn is_later(&self, other: &Document<'_>) -> bool {
        self.is_of_one_family(other) && self.version > other.version && other.version.is_some()
    }

    /// Whether this one says that it replaces the other: by the version or the year of one of its own kind, or by its title.
    fn says_so(&self, other: &Document<'_>) -> bool {
        let when = |source: &Source| source.date.as_ref().map(|date| date.value);
        let (own, theirs) = (when(self.source), when(other.source));
        if own.zip(theirs).is_some_and(|(own, theirs)| theirs.is_after(own)) {
            return false;
        }
        let kin = self.is_of_one_family(other);
        let called = content_set(&other.source.title);
        self.replaces.iter().any(|object| {
            if !kin {
                return called.len() >= TITLE
                    && called.is_subset(&content_set(&object.join(" ")))
                    && is_whole(object, &called);
            }
            if let (Some(number), Some(own)) = (version(object), other.version) {
                return number == own;
            }
            let named = plain(&format!("{} {}", other.source.path, other.source.title));
            // "The list of 2025 replaces that of 2024": the year that begins is not the one that is replaced.
            let own_year = own.map(|date| date.year);
            years(object).filter(|year| own_year.is_none_or(|own| *year < own)).any(|year| {
                theirs.is_some_and(|date| date.year == year) || years(&named).any(|one| one == year)
            })
        })
    }
}

/// Of the documents of these passages those that another one of them replaces, each with the one that does: a later version
/// of the same, or a document that says so. Which of several later ones is named does not depend on the order.
pub fn replaced<'a>(
    reads: impl IntoIterator<Item = &'a ReadPassage>,
) -> BTreeMap<SourceId, SourceId> {
    let mut documents: BTreeMap<&'a SourceId, Document<'a>> = BTreeMap::new();
    for read in reads {
        let empty = || Document { source: &read.source, version: None, replaces: Vec::new() };
        documents.entry(&read.source.id).or_insert_with(empty).take(read);
    }
    let mut found = BTreeMap::new();
    for (id, old) in &documents {
        let newer = documents.iter().filter(|(other, new)| {
            *other != id
                && (new.is_later(old)
                    || new.says_so(old) && !old.is_later(new) && !old.says_so(new))
        });
        // The latest, so that a chain of versions ends at the one that holds.
        if let Some((by, _)) = newer.max_by_key(|(_, new)| new.version) {
            found.insert((*id).clone(), (*by).clone());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::{DocDate, PartialDate, Passage, Span, Vintage};
    use crate::id::PassageId;

    fn read(path: &str, family: &str, text: &str) -> ReadPassage {
        let id = SourceId::from(path);
        ReadPassage {
            source: Source {
                id: id.clone(),
                path: path.to_owned(),
                title: family.to_owned(),
                author: None,
                date: None,
                vintage: Vintage::Current,
                content_hash: String::new(),
                family: family.to_owned(),
                cluster: id.clone(),
                web: None,
            },
            passage: Passage {
                id: PassageId::from(path),
                source_id: id,
                text: text.to_owned(),
                span: Span { start: 0, end: text.chars().count() },
                heading_path: Vec::new(),
                page: None,
                table_header: Vec::new(),
                lead_in: None,
                record: None,
            },
        }
    }

    fn pairs(reads: &[ReadPassage]) -> Vec<(String, String)> {
        replaced(reads).into_iter().map(|(old, new)| (old.0, new.0)).collect()
    }

    fn pair(old: &str, new: &str) -> (String, String) {
        (old.to_owned(), new.to_owned())
    }

    #[test]
    fn of_two_versions_the_earlier_is_replaced() {
        let reads = [
            read("rules/ferry-v1.md", "ferry rules", "The ferry stops at 30 knots."),
            read("rules/ferry-v2.md", "ferry rules", "The ferry stops at 35 knots."),
            read("a.md", "pier rules", "Version 3, in force from 1 May 2023."),
            read("b.md", "pier rules", "Version 4, in force from 1 June 2025."),
            // Another family, and no version.
            read("rules/crane-v1.md", "crane rules", "The crane stops at 20 knots."),
            read("c.md", "ferry rules", "The ferry stops at night."),
        ];
        let wanted = [pair("a.md", "b.md"), pair("rules/ferry-v1.md", "rules/ferry-v2.md")];
        assert_eq!(pairs(&reads), wanted);
        let mut turned = reads.to_vec();
        turned.reverse();
        assert_eq!(pairs(&turned), wanted);
        let mut three = reads[..2].to_vec();
        three.push(read("ferry-v3.md", "ferry rules", "The ferry stops at 40 knots."));
        let by: Vec<String> = pairs(&three).into_iter().map(|(_, new)| new).collect();
        assert_eq!(by, ["ferry-v3.md", "ferry-v3.md"]);
    }

    #[test]
    fn a_document_says_what_it_replaces() {
        let old = read("prices-2024.md", "price list", "A pint costs £3.");
        let says = |text: &str| {
            let reads = [old.clone(), read("prices.md", "price list", text)];
            !pairs(&reads).is_empty()
        };
        assert!(says("Valid from 1 February 2025. This list replaces the 2024 list."));
        assert!(says("Valid from 1 February 2025 and superseding none.\nReplaces that of 2024."));
        assert!(!says("This list replaces the 2022 list."));
        assert!(!says("This page replaces page 4 of the 2024 list."));
        assert!(!says("This list does not replace the 2024 list."));
        assert!(!says("The new pump replaces the one of 2024."), "the document is not meant");
        assert!(!says("A pint costs £4."));
        // By its whole title, where it is of another kind; one word of it is not enough.
        let rules = read("m.md", "Mooring rules", "Boats lie two abreast.");
        let by = |text: &str| pairs(&[rules.clone(), read("h.md", "Harbour handbook", text)]);
        assert_eq!(by("This handbook replaces the mooring rules."), [pair("m.md", "h.md")]);
        assert!(by("This handbook replaces the rules.").is_empty());
        let edition = "This handbook replaces the 2019 edition of the Mooring Rules.";
        assert_eq!(by(edition), [pair("m.md", "h.md")]);
        assert_eq!(by("This replaces the mooring rules adopted in 2019."), [pair("m.md", "h.md")]);
        for whole in
            ["all earlier versions of the Mooring Rules", "the Mooring Rules with immediate effect"]
        {
            assert_eq!(by(&format!("This replaces {whole}.")), [pair("m.md", "h.md")], "{whole}");
        }
        // A value that stands in it.
        assert!(by("This replaces the fee in the Mooring Rules.").is_empty());
        assert!(by("This replaces the Mooring Rules' fee of 2019.").is_empty());
        for item in [
            "pump described in the Mooring Rules",
            "timetable in the Mooring Rules",
            "tariff of the Mooring Rules",
        ] {
            assert!(by(&format!("This replaces the {item}.")).is_empty(), "{item}");
        }
    }

    #[test]
    fn what_is_younger_is_not_replaced() {
        let dated = |path: &str, year: i32, text: &str| {
            let mut read = read(path, "price list", text);
            let value = PartialDate::year(year);
            read.source.date = Some(DocDate { value, stated: year.to_string() });
            read
        };
        let new = dated("prices-2025.md", 2025, "A pint costs £4.");
        let old = dated("prices-2024.md", 2024, "This list replaces the 2025 list.");
        assert!(pairs(&[new.clone(), old]).is_empty());
        let old = dated("prices-2024.md", 2024, "A pint costs £3.");
        let new = dated("prices-2025.md", 2025, "This list replaces the 2024 list.");
        assert_eq!(pairs(&[new, old]), [pair("prices-2024.md", "prices-2025.md")]);
    }
}
