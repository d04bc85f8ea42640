//! Who wrote a file, told by its name.

use elenchus_core::evidence::{DocDate, PartialDate};
use std::sync::LazyLock;

/// Name, year and other names of writers whose texts carry no date.
static KNOWN: LazyLock<Vec<Known>> = LazyLock::new(|| {
    include_str!("authors.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| {
            let mut columns = line.split('\t');
            let name = columns.next()?;
            let year = columns.next()?.parse().ok()?;
            let aliases = columns.next().unwrap_or("").split('|').filter(|alias| !alias.is_empty());
            Some(Known { name, year, names: std::iter::once(name).chain(aliases).collect() })
        })
        .collect()
});

struct Known {
    name: &'static str,
    year: i32,
    names: Vec<&'static str>,
}

/// Words that begin file names without naming a person.
const NOT_NAMES: &[&str] = &[
    "a",
    "annual",
    "appendix",
    "article",
    "board",
    "book",
    "brief",
    "budget",
    "chapter",
    "committee",
    "company",
    "contract",
    "customer",
    "data",
    "design",
    "document",
    "draft",
    "event",
    "executive",
    "faq",
    "final",
    "finance",
    "financial",
    "guide",
    "history",
    "how",
    "internal",
    "interview",
    "invoice",
    "letter",
    "list",
    "manual",
    "market",
    "marketing",
    "meeting",
    "memo",
    "minutes",
    "monthly",
    "new",
    "notes",
    "on",
    "operations",
    "ops",
    "overview",
    "plan",
    "policy",
    "presentation",
    "press",
    "product",
    "project",
    "proposal",
    "quarterly",
    "release",
    "report",
    "research",
    "review",
    "sales",
    "service",
    "site",
    "status",
    "strategy",
    "summary",
    "team",
    "technical",
    "test",
    "the",
    "training",
    "user",
    "weekly",
    "white",
    "work",
];

/// What a file name says about its author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NamedAuthor {
    pub(super) name: String,
    /// The words of the file name after the author.
    pub(super) rest: String,
    /// The words that stand for the author, when they are not the name itself.
    pub(super) work: Option<String>,
}

/// The author in a file name such as `Clement_of_Rome_First_Epistle`, if it begins with one.
///
/// `siblings` are the stems of the folder's files, this one included; `opening` the document's first lines.
pub(super) fn author_of(stem: &str, siblings: &[String], opening: &[&str]) -> Option<NamedAuthor> {
    let words = split(stem);
    let taken = known_prefix(&words)
        .or_else(|| place_name(&words).map(|taken| (words[..taken].join(" "), taken)))
        .or_else(|| title_suffix(&words, opening).map(|taken| (words[..taken].join(" "), taken)))
        .or_else(|| {
            shared_prefix(&words, siblings).map(|taken| (words[..taken].join(" "), taken))
        })?;
    let (mut name, mut taken) = taken;
    let work = Some(words[..taken].join(" ")).filter(|work| *work != name);
    // Works once ascribed to someone: "Ignatius_of_Antioch_Pseudo_Ignatius_...".
    if words.get(taken).is_some_and(|word| word.eq_ignore_ascii_case("pseudo"))
        && let Some(whom) = words.get(taken + 1)
    {
        name = format!("Pseudo-{whom}");
        taken += 2;
    }
    // "Council_of_Nicaea_of_325_The_Creed": the year belongs to the name.
    if words.get(taken).is_some_and(|word| *word == "of")
        && words.get(taken + 1).is_some_and(|word| word.bytes().all(|b| b.is_ascii_digit()))
    {
        taken += 2;
    }
    Some(NamedAuthor { name, rest: words[taken..].join(" "), work })
}

/// When an author wrote, for those whose texts do not say.
pub(super) fn period_of(author: &str) -> Option<DocDate> {
    let known = KNOWN
        .iter()
        .find(|known| known.names.iter().any(|name| name.eq_ignore_ascii_case(author)))?;
    Some(DocDate {
        value: PartialDate::year(known.year),
        stated: format!("author: wrote c. {}", known.year),
    })
}

fn split(stem: &str) -> Vec<&str> {
    stem.split(['_', ' ']).filter(|word| !word.is_empty()).collect()
}

fn known_prefix(words: &[&str]) -> Option<(String, usize)> {
    let mut best: Option<(String, usize)> = None;
    for known in KNOWN.iter() {
        for name in &known.names {
            let length = name.split(' ').count();
            let matches = words.len() > length
                && name.split(' ').zip(words).all(|(a, b)| a.eq_ignore_ascii_case(b));
            if matches && best.as_ref().is_none_or(|found| length > found.1) {
                best = Some((known.name.to_owned(), length));
            }
        }
    }
    best
}

fn is_name_word(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase)
        && word.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '.'))
        && NOT_NAMES.binary_search(&word.to_lowercase().as_str()).is_err()
}

/// `Name_of_Place_Work`
fn place_name(words: &[&str]) -> Option<usize> {
    (words.len() > 3 && is_name_word(words[0]) && words[1] == "of" && is_name_word(words[2]))
        .then_some(3)
}

/// `Name_Title`, where the document opens with that title.
fn title_suffix(words: &[&str], opening: &[&str]) -> Option<usize> {
    let most = words.len().saturating_sub(1).min(3);
    (1..=most).find(|taken| {
        let title = words[*taken..].join(" ");
        words[..*taken].iter().all(|word| is_name_word(word))
            && words.len() - taken >= 2
            && opening.iter().any(|line| same_words(line, &title))
    })
}

/// Whether two titles agree but for case, punctuation and a footnote number at the end.
pub(super) fn same_words(a: &str, b: &str) -> bool {
    let plain = |text: &str| -> Vec<String> {
        let mut words: Vec<String> = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        if words.len() > 1
            && words.last().is_some_and(|word| word.bytes().all(|b| b.is_ascii_digit()))
        {
            words.pop();
        }
        words
    };
    let (a, b) = (plain(a), plain(b));
    !a.is_empty() && a == b
}

/// Two or three capitalised words shared with another file of the folder, as first and family name.
fn shared_prefix(words: &[&str], siblings: &[String]) -> Option<usize> {
    let own = words.join(" ");
    (2..=3.min(words.len().saturating_sub(1))).rev().find(|taken| {
        words[..*taken].iter().all(|word| is_name_word(word))
            && siblings.iter().any(|sibling| {
                let other = split(sibling);
                other.join(" ") != own && other.len() > *taken && other[..*taken] == words[..*taken]
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(stem: &str, siblings: &[&str], opening: &[&str]) -> Option<(String, String)> {
        let siblings: Vec<String> = siblings.iter().map(|s| (*s).to_owned()).collect();
        author_of(stem, &siblings, opening).map(|author| (author.name, author.rest))
    }

    #[test]
    fn names_in_file_names() {
        let found = |stem| name(stem, &[], &[]).unwrap();
        assert_eq!(found("Clement_of_Rome_First_Epistle").0, "Clement of Rome");
        assert_eq!(
            found("Ignatius_of_Antioch_Pseudo_Ignatius_To_Mary"),
            ("Pseudo-Ignatius".into(), "To Mary".into())
        );
        assert_eq!(
            found("Council_of_Nicaea_of_325_The_Creed"),
            ("Council of Nicaea".into(), "The Creed".into())
        );
        assert_eq!(found("Hilda_of_Whitby_On_Learning").0, "Hilda of Whitby");
        assert_eq!(found("Shepherd_of_Hermas_Visions").0, "Hermas");
        assert_eq!(name("Orlen_On_Bridges", &[], &["On Bridges 1"]).unwrap().0, "Orlen");
        assert_eq!(
            name("Jane_Doe_Bridges", &["Jane_Doe_Bridges", "Jane_Doe_Dams"], &[]).unwrap().0,
            "Jane Doe"
        );
    }

    #[test]
    fn ordinary_file_names_name_nobody() {
        for stem in [
            "Annual_Report_2025",
            "q1_2026_ops_report",
            "Review_of_Sites_2026_Final",
            "notes",
            "Board_Memo_May",
        ] {
            assert_eq!(name(stem, &["Annual_Report_2026", "Board_Memo_June"], &[]), None, "{stem}");
        }
    }

    #[test]
    fn periods_are_known_and_the_word_list_is_sorted() {
        assert_eq!(period_of("Ignatius of Antioch").unwrap().value.century(), 2);
        assert_eq!(period_of("Council of Nicaea").unwrap().stated, "author: wrote c. 325");
        assert_eq!(period_of("Nobody"), None);
        assert!(NOT_NAMES.is_sorted());
        assert!(KNOWN.len() > 40);
    }
}
