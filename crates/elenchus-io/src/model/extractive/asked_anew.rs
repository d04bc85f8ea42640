//! Asked anew: the same question in plainer words, where in its own it found nothing.
//!
//! "Where is the office of the club?" in the club's own papers is "Where is the office?", "What is the address of the shed?" is "Where is
//! the shed?", and who looks after the money is the treasurer. What the plainer words find counts only where it may be said of the same.

use super::followed::office_meant;
use super::house::{is_house, is_owning_house};
use super::lexicon::is_role;
use super::matching::Commonness;
use super::overview::as_course;
use super::question::{Class, Expects, Question};
use super::select::Selection;
use super::unit::EvidenceUnit;
use elenchus_core::prompt::QuestionKind;
use elenchus_core::text::{stem, words};

/// Addresses that no place has, and questions for another one than that of now.
const OTHER: [&str; 22] = [
    "email", "e-mail", "mail", "web", "website", "internet", "ip", "mac", "url", "previous",
    "former", "old", "earlier", "before", "first", "home", "server", "printer", "network", "list",
    "host", "router",
];
/// Words that may stand before "address".
const POSTAL: [&str; 7] = ["postal", "street", "current", "present", "exact", "full", "new"];

/// The question in plainer words.
struct Plainer {
    text: String,
    /// The stem of the house that was left out of it.
    house: Option<String>,
    /// It asks for the holder of an office that was only meant.
    by_office: bool,
}

/// A question with what was selected for it, or with what was selected for it in plainer words, if that is more. `ask` selects for the
/// words that it is given.
pub(super) fn or_anew(
    asked: (Question, Selection),
    units: &[EvidenceUnit<'_>],
    common: &Commonness,
    ask: impl Fn(&str) -> (Question, Selection),
) -> (Question, Selection) {
    let (question, selection) = asked;
    if question.kind != QuestionKind::Lookup {
        return (question, selection);
    }
    let nothing = selection.answers.is_empty() && selection.superseded.is_empty();
    // Where no sentence says by how much, the figures of both times do.
    if let Some(course) = as_course(&question.text).filter(|_| nothing) {
        let (asked, found) = ask(&course);
        if !found.answers.is_empty() {
            return (asked, found);
        }
    }
    // An address that is not called one may be of anything.
    let is_loose = selection
        .answers
        .first()
        .is_some_and(|one| one.missing.iter().any(|word| word == "address"));
    // Each look costs as much as the first one did, so there is one.
    let place = place_of(&question.text).filter(|_| nothing || is_loose).map(|text| Plainer {
        text,
        house: None,
        by_office: false,
    });
    let plainer = if place.is_none() && nothing {
        without_house(&question, common).or_else(|| by_office(&question))
    } else {
        place
    };
    if let Some(one) = plainer {
        let (other, mut found) = ask(&one.text);
        let of_it = found.answers.first().is_some_and(|answer| {
            let house = one.house.as_deref();
            house.is_none_or(|house| is_of_the_house(&other, &units[answer.unit], house))
        });
        if of_it {
            // A later look at what is relevant alone has to begin as this one did.
            for unit in selection.relevant {
                if !found.relevant.contains(&unit) {
                    found.relevant.push(unit);
                }
            }
            if one.by_office {
                // Somebody else may have it in hand all the same.
                for answer in &mut found.answers {
                    answer.doubtful = true;
                }
            }
            return (other, found);
        }
    }
    (question, selection)
}

/// "Where is the office?" for "Where is the office of the club?" and "Where is the club's office?".
fn without_house(question: &Question, common: &Commonness) -> Option<Plainer> {
    let of_a_place = matches!(question.expects, Expects::Place | Expects::Person);
    if !of_a_place || question.past || question.period.is_some() || !question.owner.is_empty() {
        return None;
    }
    let house = question
        .terms
        .iter()
        .find(|term| is_house(question, term, common) || is_owning_house(question, term, common))?;
    let others = question.terms.iter().filter(|term| {
        term.stem != house.stem && term.class == Class::Noun && !term.light && !term.hard
    });
    if others.count() == 0 {
        return None;
    }
    let name = &house.word;
    let lower = question.text.to_lowercase();
    let forms = [
        (format!(" of the {name}"), ""),
        (format!(" of our {name}"), ""),
        (format!("the {name}'s "), "the "),
        (format!("the {name}\u{2019}s "), "the "),
    ];
    let text = forms.iter().find_map(|(form, instead)| {
        let at = lower.find(form.as_str())?;
        let behind = question.text.get(at + form.len()..)?;
        // "Of the club house" is of the house.
        let ends = !instead.is_empty() || !behind.starts_with(|c: char| c.is_alphanumeric());
        let ends = ends && (instead.len() > 1 || !behind.starts_with([' ', '\'', '\u{2019}', '-']));
        let before = question.text.get(..at)?;
        ends.then(|| format!("{before}{instead}{behind}"))
    })?;
    Some(Plainer { text, house: Some(house.stem.clone()), by_office: false })
}

/// "Who is the treasurer?" for "Who looks after the money?".
fn by_office(question: &Question) -> Option<Plainer> {
    let text = format!("Who is the {}?", office_meant(question)?);
    Some(Plainer { text, house: None, by_office: true })
}

/// Whether a unit stands in the papers of the house, and tells of nobody else's thing.
fn is_of_the_house(question: &Question, unit: &EvidenceUnit<'_>, house: &str) -> bool {
    let over = unit.read.passage.heading_path.iter().chain([&unit.read.source.title]);
    let is_titled = over.flat_map(|text| words(text)).any(|word| stem(&word) == house);
    let said = words(&unit.text.to_lowercase());
    let is_thing = |word: &String| {
        question.terms.iter().any(|term| {
            term.class == Class::Noun && !term.light && !term.hard && term.stem == stem(word)
        })
    };
    let of_another = said.windows(3).any(|three| {
        is_thing(&three[0])
            && three[1] == "of"
            && stem(&three[2]) != house
            && !matches!(three[2].as_str(), "the" | "our" | "this")
    }) || said.windows(4).any(|four| {
        is_thing(&four[0])
            && four[1] == "of"
            && matches!(four[2].as_str(), "the" | "our" | "this")
            && stem(&four[3]) != house
    });
    let tokens: Vec<&str> = unit.text.split_whitespace().collect();
    let owned = tokens.windows(2).any(|pair| {
        let owner = pair[0].strip_suffix("'s").or_else(|| pair[0].strip_suffix("\u{2019}s"));
        words(pair[1]).first().is_some_and(is_thing)
            && owner.is_some_and(|owner| stem(&owner.to_lowercase()) != house)
    });
    is_titled && !of_another && !owned
}

/// "Where is the office?" for "What is the address of the office?", "What is the office's address?", "At which address is the office?".
fn place_of(text: &str) -> Option<String> {
    let plain = text.trim_end_matches(['?', ' ']);
    let tokens: Vec<&str> = plain.split(' ').collect();
    let lower: Vec<String> = tokens.iter().map(|token| token.to_lowercase()).collect();
    let all: Vec<&str> = lower.iter().map(String::as_str).collect();
    if all.iter().any(|word| OTHER.contains(word) || is_role(word)) {
        return None;
    }
    let is_be = |word: &str| matches!(word, "is" | "was");
    let is_article = |word: &str| matches!(word, "the" | "our" | "your" | "their" | "its");
    let (be, from, to) = match all.as_slice() {
        ["what", be, "the", rest @ ..] if is_be(be) => {
            let kept = rest.iter().take_while(|word| POSTAL.contains(*word)).count();
            match &rest[kept..] {
                ["address", "of", article, _, ..] if is_article(article) => {
                    (*be, 3 + kept + 2, tokens.len())
                }
                // "The office address": what stands between is the thing.
                [_, .., "address"] => (*be, 2, tokens.len() - 1),
                _ => return None,
            }
        }
        ["at", "what" | "which", "address", be, article, _, ..]
            if is_be(be) && is_article(article) =>
        {
            (*be, 4, tokens.len())
        }
        ["what" | "which", "address", "does", article, _, .., "have"] if is_article(article) => {
            ("is", 3, tokens.len() - 1)
        }
        _ => return None,
    };
    let thing = tokens.get(from..to)?.join(" ");
    let thing = thing.trim_end_matches("'s").trim_end_matches("\u{2019}s");
    thing.contains(' ').then(|| format!("Where {be} {thing}?"))
}

#[cfg(test)]
mod tests {
    use super::super::bind::bind;
    use super::super::matching::Matcher;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;
    use elenchus_core::port::TermCount;

    fn common() -> Commonness {
        Commonness::new(&[TermCount { term: "club".to_owned(), passages: 9 }], 20)
    }

    fn plainer(text: &str) -> Option<String> {
        without_house(&Question::parse(text, &[]), &common()).map(|one| one.text)
    }

    #[test]
    fn the_house_is_left_out_where_it_only_owns() {
        for (asked, read) in [
            ("Where is the shed of the club?", "Where is the shed?"),
            ("Where is the club's shed?", "Where is the shed?"),
            ("Where is the boathouse of our club?", "Where is the boathouse?"),
            ("Who is the warden of the club?", "Who is the warden?"),
        ] {
            assert_eq!(plainer(asked).as_deref(), Some(read));
        }
        for asked in [
            "Where is the club?",
            "Where is the shed of the club house?",
            "Where is the shed of the museum?",
            "How much is the rent of the club?",
            "Who was warden of the club before Ann Lee?",
        ] {
            assert_eq!(plainer(asked), None, "{asked}");
        }
    }

    #[test]
    fn an_answer_by_an_office_that_is_only_meant_is_doubtful() {
        let passages = [document("people", "People", "Mia Roe is the treasurer.")];
        let units = evidence_units(&passages);
        let matcher = Matcher::new();
        let ask = |text: &str| {
            let parsed = Question::parse(text, &[]);
            let answer = bind(&parsed, 0, &units[0], &matcher, &common());
            (parsed, Selection { answers: vec![answer], ..Selection::default() })
        };
        assert!(!ask("Who is the treasurer?").1.answers[0].doubtful);
        let asked = Question::parse("Who looks after the money?", &[]);
        let (_, found) = or_anew((asked, Selection::default()), &units, &common(), ask);
        assert!(found.answers[0].doubtful);
    }

    #[test]
    fn what_is_of_somebody_else_is_not_the_houses() {
        let own = |title: &str, text: &str| {
            let mut passages = [document("guide", "Places", text)];
            passages[0].source.title = title.to_owned();
            let units = evidence_units(&passages);
            is_of_the_house(&Question::parse("Where is the shed?", &[]), &units[0], "club")
        };
        assert!(own("Guide of the Wick Rowing Club", "The shed is at Bell Yard."));
        assert!(own("Guide of the Wick Rowing Club", "The shed of the club is at Bell Yard."));
        assert!(!own("Guide of the Wick Rowing Club", "The shed of the school is at Bell Yard."));
        assert!(!own("Guide of the Wick Rowing Club", "Ann's shed is at Bell Yard."));
        assert!(!own("Guide of the school", "The shed is at Bell Yard."));
    }

    #[test]
    fn the_address_of_a_thing_is_where_it_is() {
        for (asked, read) in [
            ("What is the address of the shed?", "Where is the shed?"),
            ("What is the postal address of our shed?", "Where is our shed?"),
            ("What was the address of the shed in 2020?", "Where was the shed in 2020?"),
            ("What is the shed's address?", "Where is the shed?"),
            ("What is the shed address?", "Where is the shed?"),
            ("At which address is the shed?", "Where is the shed?"),
            ("Which address does the shed have?", "Where is the shed?"),
        ] {
            assert_eq!(place_of(asked).as_deref(), Some(read));
        }
        for asked in [
            "What is the email address of the shed?",
            "What is the old address of the shed?",
            "What is the address of Ann Lee?",
            "What is the address of the treasurer?",
            "To which address is the bill sent?",
            "Where is the shed?",
        ] {
            assert_eq!(place_of(asked), None, "{asked}");
        }
    }
}
