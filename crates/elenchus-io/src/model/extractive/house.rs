//! Who and whose: the house of which the papers are, and who held an office before somebody.

use super::matching::Commonness;
use super::question::{Class, Question, Term};
use elenchus_core::text::words;

/// What keeps papers: the house of which they are, in the words of those who belong to it.
const HOUSES: [&str; 46] = [
    "company",
    "firm",
    "business",
    "organisation",
    "organization",
    "group",
    "museum",
    "gallery",
    "library",
    "archive",
    "club",
    "society",
    "association",
    "federation",
    "union",
    "cooperative",
    "co-op",
    "charity",
    "trust",
    "foundation",
    "institute",
    "school",
    "college",
    "university",
    "academy",
    "hospital",
    "clinic",
    "pharmacy",
    "surgery",
    "brewery",
    "bakery",
    "farm",
    "yard",
    "theatre",
    "hotel",
    "airport",
    "station",
    "parish",
    "church",
    "department",
    "festival",
    "conference",
    "laboratory",
    "lab",
    "factory",
    "council",
];
/// Nouns for parties that are not people.
pub(super) const ORGANISATION_NOUNS: &[&str] = &[
    "investor",
    "investors",
    "supplier",
    "suppliers",
    "vendor",
    "vendors",
    "customer",
    "customers",
    "partner",
    "partners",
    "manufacturer",
    "competitor",
    "competitors",
    "sponsor",
    "insurer",
    "lender",
    "contractor",
    "client",
    "clients",
    "company",
    "rivals",
    "rival",
    "backer",
    "backers",
    "operator",
    "firm",
    "owner",
    "integrator",
    "builder",
    "provider",
    "publisher",
    "distributor",
    "wholesaler",
    "caterer",
    "carrier",
    "courier",
    "insurers",
    "solicitors",
    "auditors",
];

/// Share of the passages from which such a word is common enough to stand for the house.
const OFTEN: f64 = 0.08;

/// Whether a word stands for the house that all the documents are of: "the director of the museum" in the papers of a museum. There
/// it need not be said again. It must be written with an article, narrow nothing, and be common in the documents.
pub(super) fn is_house(question: &Question, term: &Term, common: &Commonness) -> bool {
    if term.hard
        || term.narrows
        || term.class != Class::Noun
        || !HOUSES.contains(&term.word.as_str())
    {
        return false;
    }
    let mut all = words(&question.text.to_lowercase());
    // "The 2025 festival" is the festival, in that year.
    all.retain(|word| !(word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit())));
    let with_article = all.windows(2).enumerate().any(|(at, pair)| {
        matches!(pair[0].as_str(), "the" | "our" | "this" | "your")
            && pair[1] == term.word
            && all.get(at + 2).is_none_or(|next| next != "of")
    });
    with_article && common.share(&term.word) >= OFTEN
}

/// Whether a word stands for the house as the owner of what is asked about: "the museum's shed". Alone among words that narrow others it
/// may be left out, like "of the museum".
pub(super) fn is_owning_house(question: &Question, term: &Term, common: &Commonness) -> bool {
    let lower = question.text.to_lowercase();
    let owns = |mark: &str| lower.contains(&format!("the {}{mark} ", term.word));
    !term.hard
        && term.class == Class::Noun
        && HOUSES.contains(&term.word.as_str())
        && (owns("'s") || owns("\u{2019}s"))
        && common.share(&term.word) >= OFTEN
}

/// "Who was treasurer before Ann Lee?": the words of the name that ends the question.
pub(super) fn whose_forerunner(all: &[String], marks: &[(String, usize)]) -> Option<Vec<String>> {
    let at = all.iter().rposition(|word| word == "before")?;
    let name = &all[at + 1..];
    let named = |word: &String| marks.iter().any(|(mark, _)| mark == word);
    let who = all.first().is_some_and(|word| word == "who");
    (who && !name.is_empty() && name.iter().all(named)).then(|| name.to_vec())
}

#[cfg(test)]
mod tests {
    use super::super::question::Expects;
    use super::*;
    use elenchus_core::port::TermCount;

    fn ask(text: &str) -> Question {
        Question::parse(text, &["Veltrix".to_owned()])
    }

    #[test]
    fn who_came_before_need_not_be_named_with_who_came_after() {
        let question = ask("Who was head brewer before Delphine Askwith?");
        assert!(question.past && question.hard_words().is_empty(), "{:?}", question.terms);
        assert_eq!(question.expects, Expects::Person);
        let named = ask("Who did Delphine Askwith meet before Ann Lee arrived?");
        assert!(!named.hard_words().is_empty());
        let days = ask("Is the pharmacy open on Sundays?");
        assert!(days.hard_words().is_empty(), "{:?}", days.terms);
    }

    #[test]
    fn the_house_need_not_be_named_again_in_its_own_papers() {
        let question = ask("Who is the director of the museum?");
        let term = question.terms.iter().find(|term| term.word == "museum").expect("it is there");
        let counted = |passages: u32| {
            Commonness::new(&[TermCount { term: "museum".to_owned(), passages }], 50)
        };
        assert!(is_house(&question, term, &counted(12)));
        assert!(!is_house(&question, term, &counted(1)), "it may be another's");
        let shop = ask("Who runs the museum shop?");
        assert!(shop.terms.iter().all(|term| !is_house(&shop, term, &counted(12))));
    }
}
