//! When two wordings are one gap.

use crate::text::{content_set, cosine, is_stop_word, jaccard, overlap, stem, words};
use std::collections::BTreeSet;

/// Token Jaccard (stems without stop words) from which two descriptions are one gap by their words alone.
pub const SAME_GAP_JACCARD: f64 = 0.5;
/// Cosine of the embedded descriptions from which two are one gap by meaning, if nothing tells them apart.
pub const SAME_GAP_COSINE: f64 = 0.6;
/// The lower cosine that is enough when both stand behind the same planned question.
const SAME_QUESTION_COSINE: f64 = 0.35;

/// Why two descriptions were taken for one gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GapMatch {
    /// By their words, with the Jaccard similarity.
    Words(f64),
    /// By meaning, with the cosine.
    Meaning(f64),
    /// By a shared planned question, with the cosine (or 0 without vectors).
    Question(f64),
}

impl GapMatch {
    /// The reason with its measure, in words.
    pub fn because(self) -> String {
        match self {
            Self::Words(share) => format!("{:.0} % of their words are the same", share * 100.0),
            Self::Meaning(cosine) => format!("their meanings are alike, {cosine:.2} of 1"),
            Self::Question(cosine) if cosine > 0.0 => {
                format!("they stand behind one planned question and are alike, {cosine:.2} of 1")
            }
            Self::Question(_) => "they stand behind one planned question".to_owned(),
        }
    }
}

/// Judges whether two descriptions name the same missing knowledge.
///
/// Names and numbers decide first: when each side has one that the other lacks ("Series B" and "Series D",
/// "Q1 2024" and "Q1 2025"), the gaps differ however alike the rest sounds. So do two questions that ask for different things
/// by their first word: when something begins is not who pays for it.
pub fn same_gap(a: &GapText<'_>, b: &GapText<'_>) -> Option<GapMatch> {
    if let (Some(a), Some(b)) = (asked(a.description), asked(b.description))
        && a != b
    {
        return None;
    }
    let (marks_a, marks_b) = (marks(a.description), marks(b.description));
    if !marks_a.is_subset(&marks_b) && !marks_b.is_subset(&marks_a) {
        return None;
    }
    let (set_a, set_b) = (content_set(a.description), content_set(b.description));
    let words = jaccard(&set_a, &set_b);
    if words >= SAME_GAP_JACCARD
        || (overlap(&set_a, &set_b) >= 1.0 && set_a.len().min(set_b.len()) >= 3)
    {
        return Some(GapMatch::Words(words));
    }
    let meaning = cosine(a.vector, b.vector);
    if meaning >= SAME_GAP_COSINE {
        return Some(GapMatch::Meaning(meaning));
    }
    let shares_question = a.question_ids.iter().any(|id| b.question_ids.contains(id));
    if shares_question
        && (meaning >= SAME_QUESTION_COSINE || a.vector.is_empty() || b.vector.is_empty())
    {
        return Some(GapMatch::Question(meaning));
    }
    None
}

/// What identity is judged on.
pub struct GapText<'a> {
    /// The wording.
    pub description: &'a str,
    /// Planned questions behind it.
    pub question_ids: &'a [u32],
    /// The embedded wording; empty when there is none.
    pub vector: &'a [f32],
}

/// Whether two stand behind different questions of the plan that have nothing but names and numbers in common, and each words
/// of its own: the headcount of Naptha AI is not the year of its founding, however much of either is the name.
pub(super) fn planned_apart(a: &GapText<'_>, b: &GapText<'_>) -> bool {
    let planned = !a.question_ids.is_empty() && !b.question_ids.is_empty();
    if !planned || a.question_ids.iter().any(|id| b.question_ids.contains(id)) {
        return false;
    }
    let (set_a, set_b) = (content_set(a.description), content_set(b.description));
    // A name that begins one of them is a mark of the other alone.
    let (marks_a, marks_b) = (marks(a.description), marks(b.description));
    let named: Vec<&str> = marks_a.union(&marks_b).map(String::as_str).collect();
    let names = content_set(&named.join(" "));
    let shared: Vec<&String> = set_a.intersection(&set_b).collect();
    // Where they share no word at all, their meanings tell.
    !shared.is_empty()
        && shared.iter().all(|word| names.contains(*word))
        && shared.len() < set_a.len().min(set_b.len())
}

/// Whether two that are about the same names ask for different things of them, by their words.
///
/// Of two questions of a plan, which were put down as two, each has a word of its own beside the names ("who designed the dam" and
/// "who paid for the dam"), or one asks who and the other what. A gap that was noticed later is worded anew each time, so that a
/// word of its own says nothing: there only what "which", "what" and "how" ask for counts ("which oven", "which flour").
pub(super) fn asks_otherwise(a: &GapText<'_>, b: &GapText<'_>) -> bool {
    if a.question_ids.iter().any(|id| b.question_ids.contains(id)) {
        return false;
    }
    let (set_a, set_b) = (content_set(a.description), content_set(b.description));
    if a.question_ids.is_empty() || b.question_ids.is_empty() {
        return match (wanted(a.description), wanted(b.description)) {
            (Some(a), Some(b)) => !set_b.contains(&a) && !set_a.contains(&b),
            _ => false,
        };
    }
    let kind = |description: &str| asked(description).or_else(|| asks_a_thing(description));
    if let (Some(a), Some(b)) = (kind(a.description), kind(b.description))
        && a != b
        && a != AN_AMOUNT
        && b != AN_AMOUNT
    {
        return true;
    }
    let (marks_a, marks_b) = (marks(a.description), marks(b.description));
    let named: Vec<&str> = marks_a.union(&marks_b).map(String::as_str).collect();
    let names = content_set(&named.join(" "));
    let (own_a, own_b) = (&set_a - &names, &set_b - &names);
    !own_a.is_subset(&own_b) && !own_b.is_subset(&own_a)
}

/// "A thing" for a question that begins with "which" or "what".
fn asks_a_thing(description: &str) -> Option<&'static str> {
    let first = description.split_whitespace().next()?.to_lowercase();
    matches!(first.as_str(), "which" | "what").then_some("a thing")
}

/// The stem of the word that a question asks for: "flour" of "which flour", "boat" of "how many boats", "deep" of "how deep".
fn wanted(description: &str) -> Option<String> {
    /// What may stand before the word that asks.
    const BEFORE: [&str; 12] =
        ["after", "at", "by", "for", "from", "in", "of", "on", "to", "under", "until", "with"];
    let words = words(description);
    let mut words = words.iter().map(String::as_str).skip_while(|word| BEFORE.contains(word));
    let asks = words.next()?;
    let mut next = words.next()?;
    match (asks, next) {
        ("how", "many" | "much") => next = words.next()?,
        ("which" | "what" | "how", _) => {}
        _ => return None,
    }
    (!is_stop_word(next)).then(|| stem(next))
}

/// What "how much" asks for; "what" asks for it as well.
const AN_AMOUNT: &str = "an amount";

/// What kind of thing a question asks for, where its first words leave no doubt. "Which" and "what" do.
fn asked(description: &str) -> Option<&'static str> {
    let mut words = description.split_whitespace().map(str::to_lowercase);
    match (words.next()?.as_str(), words.next().as_deref()) {
        ("who" | "whom" | "whose", _) => Some("somebody"),
        ("when", _) => Some("a time"),
        ("where", _) => Some("a place"),
        ("why", _) => Some("a reason"),
        ("how", Some("much" | "many" | "long" | "far" | "old")) => Some(AN_AMOUNT),
        _ => None,
    }
}

/// Names and numbers of a description: capitalised words after the first, single capitals, and anything with a digit.
fn marks(description: &str) -> BTreeSet<String> {
    let mut marks = BTreeSet::new();
    for (at, raw) in description.split_whitespace().enumerate() {
        let word = raw.trim_matches(|c: char| !c.is_alphanumeric());
        let word = word.trim_end_matches("'s").trim_end_matches("’s");
        let has_digit = word.chars().any(|c| c.is_ascii_digit());
        let capital = word.chars().next().is_some_and(char::is_uppercase);
        let all_capitals = word.chars().count() >= 2 && word.chars().all(|c| !c.is_lowercase());
        if has_digit || all_capitals || (capital && at > 0) {
            marks.insert(word.to_lowercase());
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(description: &str) -> GapText<'_> {
        GapText { description, question_ids: &[], vector: &[] }
    }

    #[test]
    fn names_and_numbers_tell_gaps_apart() {
        assert!(
            same_gap(&text("amount of the Series B round"), &text("amount of the Series D round"))
                .is_none()
        );
        assert!(same_gap(&text("revenue for Q1 2024"), &text("revenue for Q1 2025")).is_none());
    }

    #[test]
    fn what_is_asked_for_tells_gaps_apart() {
        let when = text("When does the new harbour ferry start?");
        assert!(same_gap(&when, &text("Who pays for the new harbour ferry start?")).is_none());
        assert!(same_gap(&when, &text("the start of the new harbour ferry")).is_some());
        assert!(same_gap(&when, &text("When will the new harbour ferry start?")).is_some());
    }

    #[test]
    fn planned_questions_with_nothing_but_a_name_in_common_are_two_gaps() {
        let planned = |description: &'static str, question_ids: &'static [u32]| GapText {
            description,
            question_ids,
            vector: &[],
        };
        let headcount = planned("What is Naptha AI's headcount?", &[1]);
        let founded = planned("When was Naptha AI founded?", &[2]);
        let lately = planned("the headcount of Naptha AI lately", &[2]);
        assert!(planned_apart(&headcount, &founded));
        // What they ask for is the same word.
        assert!(!planned_apart(&headcount, &lately));
        // They stand behind one question, or one behind none: a model words a gap anew.
        assert!(!planned_apart(&headcount, &planned("the people at Naptha AI", &[1])));
        assert!(!planned_apart(&headcount, &text("When was Naptha AI founded?")));
        // One of them has no word but the name.
        assert!(!planned_apart(&headcount, &planned("Naptha AI", &[2])));
        // They share no word: that is for their meanings to say.
        assert!(!planned_apart(&headcount, &planned("the number of staff", &[2])));
    }

    #[test]
    fn planned_questions_with_words_of_their_own_are_two_gaps() {
        let planned = |description: &'static str, question_ids: &'static [u32]| GapText {
            description,
            question_ids,
            vector: &[],
        };
        let designed = planned("Who designed the Otterlake dam?", &[1]);
        for other in [
            "Who paid for the Otterlake dam?",
            "What is the design of the Otterlake dam?",
            "How high is the Otterlake dam?",
        ] {
            assert!(asks_otherwise(&designed, &planned(other, &[2])), "{other}");
            // It is one of the same question, so that it is in other words at most.
            assert!(!asks_otherwise(&designed, &planned(other, &[1, 2])), "{other}");
        }
        let again = planned("the person who designed the dam of Otterlake", &[2]);
        assert!(!asks_otherwise(&designed, &again), "only one has a word of its own");
        let long = planned("How long is the Tarn bridge?", &[1]);
        assert!(!asks_otherwise(&long, &planned("What long span has the Tarn bridge?", &[2])));
    }

    #[test]
    fn what_a_noticed_gap_asks_for_tells_it_apart() {
        let flour = text("Which flour does the Linden bakery use?");
        assert!(asks_otherwise(&flour, &text("Which oven does the Linden bakery use?")));
        assert!(asks_otherwise(&flour, &text("in how many ovens the Linden bakery bakes")));
        for same in [
            "what flours the Linden bakery uses",
            "the kind of flour at the Linden bakery",
            "what is known of the flour of the Linden bakery",
            "Which mill's flour does the Linden bakery use?",
        ] {
            assert!(!asks_otherwise(&flour, &text(same)), "{same}");
        }
    }

    #[test]
    fn rewording_keeps_the_gap() {
        assert!(
            same_gap(
                &text("What is the valuation of Naptha AI?"),
                &text("the valuation of Naptha AI after its last round")
            )
            .is_some()
        );
    }

    #[test]
    fn a_shared_question_needs_only_a_little_likeness() {
        let a = GapText {
            description: "how much it is worth",
            question_ids: &[1],
            vector: &[1.0, 0.0],
        };
        let b = GapText { description: "company value", question_ids: &[1], vector: &[0.6, 0.8] };
        assert!(matches!(same_gap(&a, &b), Some(GapMatch::Question(_) | GapMatch::Meaning(_))));
        let far = GapText {
            description: "office opening hours",
            question_ids: &[1],
            vector: &[0.0, 1.0],
        };
        assert!(same_gap(&a, &far).is_none());
    }
}
