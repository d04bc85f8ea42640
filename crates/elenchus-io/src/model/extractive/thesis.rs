//! Thesis: what a question asks whether people held it ("that the river was holy"), and whether a unit says so of it.
//!
//! A sentence that has both words may still say nothing of the kind: "the priests of the holy river" calls no river holy where
//! "the priests of the holy, by the river" stands. So the one has to be said of the other: by a verb of being, beside it
//! ("our God, Jesus Christ"), or as its quality ("the divinity of Christ").

use super::lexicon::is_view_verb;
use super::matching::Matcher;
use super::question::{Question, Term};
use super::unit::{EvidenceUnit, Place, Word};
use elenchus_core::text::words;

/// Forms of being, and of calling somebody something.
const BEING: [&str; 17] = [
    "is",
    "was",
    "are",
    "were",
    "be",
    "been",
    "being",
    "as",
    "became",
    "become",
    "called",
    "named",
    "declared",
    "confessed",
    "acknowledged",
    "worshipped",
    "truly",
];
/// What may stand before the word for what somebody is.
const DRESS: [&str; 25] = [
    "a", "an", "the", "our", "my", "his", "their", "your", "thy", "true", "truly", "very", "only",
    "one", "same", "great", "living", "holy", "eternal", "perfect", "almighty", "both", "also",
    "indeed", "himself",
];
/// Of these one beside a name makes it one's own or the true one: "our God, Jesus Christ".
const OWN: [&str; 8] = ["our", "my", "your", "thy", "their", "true", "very", "truly"];
/// What comes after one of these belongs to something else: "the will of God".
const GOVERNORS: [&str; 19] = [
    "of", "from", "to", "unto", "by", "with", "in", "into", "before", "toward", "towards", "for",
    "on", "upon", "through", "at", "against", "under", "after",
];
/// Words that deny what comes after, unless "only" does.
const DENIALS: [&str; 8] = ["not", "never", "no", "neither", "nor", "none", "deny", "denied"];
/// Words before a statement that leave it open, or to others.
const OPEN: [&str; 11] = [
    "if", "whether", "unless", "deny", "denies", "denied", "denying", "suppose", "lest", "how",
    "why",
];
/// Words by which another clause begins.
const CLAUSES: [&str; 14] = [
    "he", "she", "they", "it", "we", "i", "ye", "you", "which", "when", "because", "since",
    "while", "for",
];
/// Most words between the two, most behind the verb, and most where one stands beside the other.
const BETWEEN: usize = 9;
const BEHIND: usize = 5;
const BESIDE: usize = 3;
/// How far before the first of the two is looked for a word that leaves it open.
const LEADING: usize = 5;
/// How much less plain it is where the word for what it is begins the name of another ("God the Father"), and where all of a
/// sentence only supposes.
const LESS: f64 = 0.75;
const SUPPOSED: f64 = 1.0;
/// Likeness from which a word stands for one of the question.
const STANDS: f64 = 0.6;

/// Who is said to be what.
pub(super) struct Thesis<'q> {
    subject: Vec<&'q Term>,
    predicate: Vec<&'q Term>,
}

/// What the question asks whether people held it; none where it asks for no such thing.
pub(super) fn thesis(question: &Question) -> Option<Thesis<'_>> {
    let all = words(&question.text.to_lowercase());
    let view = all.iter().position(|word| is_view_verb(word))?;
    let verb = |word: &String| matches!(word.as_str(), "is" | "was" | "are" | "were" | "be" | "as");
    let being = all.iter().skip(view + 2).position(verb)? + view + 2;
    let named = |range: &[String]| -> Vec<&Term> {
        let stands = |term: &&Term| range.contains(&term.word);
        question.terms.iter().filter(stands).collect()
    };
    let found =
        Thesis { subject: named(&all[view + 1..being]), predicate: named(&all[being + 1..]) };
    (!found.subject.is_empty() && !found.predicate.is_empty()).then_some(found)
}

/// How plainly a unit says it, 0 to 3; none where it does not.
pub(super) fn says(thesis: &Thesis<'_>, unit: &EvidenceUnit<'_>, matcher: &Matcher) -> Option<f64> {
    stated(thesis, unit, matcher, false)
}

/// How plainly a unit denies it, 0 to 3; none where it does not.
pub(super) fn denies(
    thesis: &Thesis<'_>,
    unit: &EvidenceUnit<'_>,
    matcher: &Matcher,
) -> Option<f64> {
    stated(thesis, unit, matcher, true)
}

/// How plainly a unit says it, or denies it where a denial is wanted.
fn stated(
    thesis: &Thesis<'_>,
    unit: &EvidenceUnit<'_>,
    matcher: &Matcher,
    denial: bool,
) -> Option<f64> {
    let own: Vec<&Word> = unit.words.iter().filter(|word| word.place == Place::Unit).collect();
    let places = |terms: &[&Term]| -> Vec<usize> {
        let held = |term: &Term, word: &Word| matcher.likeness(term, word) >= STANDS;
        // Each word of it has to be there; the last one is what it is.
        let complete = terms.iter().all(|term| own.iter().any(|word| held(term, word)));
        let head = terms.last().filter(|_| complete);
        let is_head = |at: &usize| head.is_some_and(|head| held(head, own[*at]));
        (0..own.len()).filter(is_head).collect()
    };
    // What is somebody's is not somebody: "Christ is God's".
    let owned = |at: &usize| {
        let end = own[*at].at.end;
        own[*at].word.ends_with("'s")
            || unit
                .text
                .get(end..)
                .is_some_and(|rest| rest.starts_with("'s") || rest.starts_with("\u{2019}s"))
    };
    // "Lord" stands for a god in a dictionary, and before a name for nothing of the kind.
    let named = |at: &usize| thesis.predicate.iter().any(|term| term.word == own[*at].word);
    let only_a_title = |at: &usize| is_title(own[*at]) && !named(at);
    let subjects = places(&thesis.subject);
    let predicates: Vec<usize> = places(&thesis.predicate)
        .into_iter()
        .filter(|at| !owned(at) && !only_a_title(at))
        .collect();
    let of = |s: usize| {
        let own = &own;
        predicates.iter().filter_map(move |p| plainly(own, unit.text, s, *p, denial))
    };
    let opens = own.first().is_some_and(|word| is_any(&["if", "for", "though", "although"], word));
    let supposes = opens && own.iter().any(|word| is_any(&["if", "though", "although"], word));
    let said = subjects.iter().flat_map(|s| of(*s)).max_by(f64::total_cmp)?;
    Some(if supposes { said - SUPPOSED } else { said })
}

fn is_any(list: &[&str], word: &Word) -> bool {
    list.contains(&word.word.as_str())
}

/// How plainly the word at `p` is said of the one at `s`, or denied of it.
fn plainly(own: &[&Word], text: &str, s: usize, p: usize, denial: bool) -> Option<f64> {
    let (low, high) = (s.min(p), s.max(p));
    let between = own.get(low + 1..high)?;
    let gap = text.get(own[low].at.end..own[high].at.start)?;
    let denied = between.iter().enumerate().any(|(at, word)| {
        let only = between.get(at + 1).is_some_and(|next| is_any(&["only", "merely"], next));
        is_any(&DENIALS, word) && !only
    });
    let opens = |word: &&Word| is_any(&OPEN, word);
    if between.len() > BETWEEN
        || gap.contains(['.', ';', '?', '!', '"', '\u{201C}', '\u{201D}', '[', '('])
        || denied != denial
        || own[low.saturating_sub(LEADING)..low].iter().any(opens)
    {
        return None;
    }
    // The word for what it is, with what it wears: "our true God".
    let mut first = p;
    while first > 0 && first - 1 != s {
        // "Our Lord and God": the title wears the same.
        let joins = own[first - 1].word == "and" && first > 1 && is_title(own[first - 2]);
        let dress = is_any(&DRESS, own[first - 1]) || first < p && is_title(own[first - 1]);
        if !(joins || dress) {
            break;
        }
        first -= 1;
    }
    let is_own = own[first..p].iter().any(|word| is_any(&OWN, word));
    let governed = first > 0 && first - 1 != s && is_any(&GOVERNORS, own[first - 1]);
    // "God the Father", "God and Father of": it is said of whoever is named next.
    let next = own.get(p + 1).filter(|_| p + 1 != s);
    let of_another = next.is_some_and(|next| is_any(&["the", "and"], next));
    let less = if of_another { LESS } else { 0.0 };
    if s < p {
        let verb = between.iter().rposition(|word| is_any(&BEING, word));
        if let Some(verb) = verb {
            let behind = &between[verb + 1..];
            let other = behind.iter().any(|word| is_any(&CLAUSES, word));
            let breaks = between[..verb].iter().any(|word| is_any(&GOVERNORS, word));
            // "The head of Arlen is holy" says it of the head.
            let mut name = s;
            while name > 0 && (is_any(&DRESS, own[name - 1]) || is_title(own[name - 1])) {
                name -= 1;
            }
            let of_it = name > 0 && is_any(&["of", "in"], own[name - 1]);
            let plain = behind.len() <= BEHIND && !other && !governed && !breaks && !of_it;
            return plain.then_some(if behind.len() <= 2 { 3.0 } else { 2.5 } - less);
        }
        let titled = between.iter().any(|word| is_title(word));
        let dressed = between
            .iter()
            .all(|word| is_any(&DRESS, word) || is_title(word) || titled && word.word == "and");
        let beside = between.len() <= BESIDE && dressed && !governed && !of_another;
        let marked = is_own || (between.is_empty() && !gap.contains(','));
        return (beside && marked).then_some(if is_own { 2.75 } else { 1.5 });
    }
    let quality = is_quality(&own[p].word) && between.first().is_some_and(|w| w.word == "of");
    if quality && between.iter().skip(1).all(|word| is_any(&DRESS, word) || is_title(word)) {
        return Some(2.5);
    }
    let dressed = between.iter().all(|word| is_any(&DRESS, word) || is_title(word));
    (between.len() <= BESIDE && dressed && is_own).then_some(2.75)
}

/// Titles before or after a name.
fn is_title(word: &Word) -> bool {
    is_any(&["lord", "saviour", "savior", "king", "christ", "master", "son", "word"], word)
}

/// "Divinity", "Godhead", "holiness": what something is, made a thing that it has.
fn is_quality(word: &str) -> bool {
    ["ity", "head", "hood", "ness"]
        .iter()
        .any(|end| word.len() > end.len() + 3 && word.ends_with(end))
}

/// Phrases by which one word is said of another, for a search: whoever says it says it in such words.
pub(super) fn phrases(subject: &str, predicate: &str) -> String {
    const FORMS: [&str; 7] =
        ["S is P", "S was P", "S to be P", "S is called P", "our P S", "S our P", "and P S"];
    let said = |form: &str| format!("\"{}\"", form.replace('S', subject).replace('P', predicate));
    format!("{} \"{subject} {predicate}\"~4", FORMS.map(said).join(" "))
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn said(question: &str, text: &str, denial: bool) -> Option<f64> {
        let question = Question::parse(question, &[]);
        let thesis = thesis(&question).expect("a thesis");
        let passages = [document("saints", "Orlanda of the ford", text)];
        let units = evidence_units(&passages);
        let matcher = Matcher::new();
        let all = units.iter().filter_map(|unit| stated(&thesis, unit, &matcher, denial));
        all.max_by(f64::total_cmp)
    }

    #[test]
    fn one_is_said_of_the_other_by_a_verb_or_beside_it() {
        let asked = "Did the early villagers believe that Orlanda was holy?";
        let plain = |text: &str| said(asked, text, false).is_some();
        assert!(plain("We hold that Orlanda is holy, whatever the miller says of her wells."));
        assert!(plain(
            "They who knew Orlanda called her truly holy, and brought bread to the ford."
        ));
        assert!(plain("The holiness of Orlanda was never in doubt among the people of the ford."));
        assert!(plain("May Orlanda, our king and holy one, keep the ford and all who cross it."));
        for other in [
            "Orlanda lived beside the holy well, and she sold bread to the pilgrims there.",
            "The well of Orlanda is holy, and nobody draws water from it after dark.",
            "The keepers of the holy ford wrote to Orlanda about the price of their bread.",
            "Some of the older people say that Orlanda was not holy, and they keep away.",
            "If Orlanda was holy, the well would not have run dry in the very year of her death.",
        ] {
            assert!(!plain(other), "{other}");
        }
    }

    #[test]
    fn who_denies_it_is_told_from_who_says_it() {
        let asked = "Did the early villagers believe that Orlanda was holy?";
        let denied = |text: &str| said(asked, text, true).is_some();
        assert!(denied("Some of the older people say that Orlanda was not holy."));
        assert!(denied("Orlanda was never truly holy, as the miller tells it."));
        assert!(!denied("We hold that Orlanda is holy, whatever the miller says."));
        assert!(!denied("Orlanda was not only holy but patient with all who came."));
        assert!(!denied("If Orlanda was not holy, the ford would have run dry."));
    }

    #[test]
    fn a_question_without_a_verb_of_being_has_no_thesis() {
        let of = |text: &str| thesis(&Question::parse(text, &[])).is_some();
        assert!(of("Did the early church believe Jesus was divine?"));
        assert!(of("Did residents regard the bridge as unsafe?"));
        assert!(!of("What did the fathers teach about fasting?"));
        assert!(!of("Who was the first bishop of the town?"));
    }
}
