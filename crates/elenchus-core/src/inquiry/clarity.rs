//! What a run makes of a vague question: when it may ask back, what it asked, and what the user said.

use super::control::ClarifyingAnswer;
use crate::prompt::{Clarified, ClarifyingQuestion};
use crate::text::{is_stop_word, squeeze, words};
use serde::{Deserialize, Serialize};

/// When a run asks back before it plans.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Asking {
    /// Never: for unattended use, and in journals of earlier versions.
    #[default]
    Never,
    /// When the question looks vague to code and the model finds it vague.
    Auto,
    /// Whenever the model finds something to ask, however precise the question looks.
    Always,
}

impl Asking {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
    pub(crate) fn is_never(&self) -> bool {
        *self == Self::Never
    }
}

/// The dialogue of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Clarity {
    /// What was asked back and waits for an answer.
    pub(crate) open: Vec<ClarifyingQuestion>,
    /// What was said.
    pub(crate) said: Vec<Clarified>,
}

/// Longest answer in words of the user's own that is kept, in characters.
const ANSWER: usize = 500;

/// The answers that hold: to a question that was asked, by a choice that it has or in words; the first one counts.
pub(crate) fn held(asked: &[ClarifyingQuestion], answers: &[ClarifyingAnswer]) -> Vec<Clarified> {
    asked
        .iter()
        .zip(1u32..)
        .filter_map(|(question, number)| {
            let mut given = answers.iter().filter(|answer| answer.question == number);
            let answer = given.find_map(|answer| match (&answer.text, answer.choice) {
                (Some(text), _) if !words(text).is_empty() => {
                    Some(squeeze(text).chars().take(ANSWER).collect())
                }
                (_, Some(choice)) => {
                    question.choices.get((choice as usize).checked_sub(1)?).cloned()
                }
                _ => None,
            })?;
            Some(Clarified { question: question.text.clone(), answer })
        })
        .collect()
}

/// Words that open a question for one value: whoever asks so knows what they want.
const LOOKUPS: &[&str] = &["who", "whom", "whose", "when", "where", "which"];
/// Words after "how" that ask for a figure.
const MEASURES: &[&str] = &[
    "many", "much", "long", "far", "often", "old", "high", "deep", "large", "big", "tall", "fast",
    "heavy", "wide",
];
/// Words that ask for whatever there is.
const OPEN: &[&str] = &[
    "about",
    "discuss",
    "describe",
    "explain",
    "mean",
    "means",
    "opinion",
    "overview",
    "regarding",
    "say",
    "says",
    "said",
    "summary",
    "summarise",
    "summarize",
    "tell",
    "teach",
    "teaches",
    "think",
    "thinks",
    "thoughts",
    "view",
    "views",
];
/// Words that stand for something that was not named.
const PRONOUNS: &[&str] =
    &["he", "her", "him", "his", "it", "its", "she", "that", "their", "them", "they", "this"];

/// Most words of its own of an open question that may still be vague.
const OPEN_WORDS: usize = 5;

/// Why code takes a question (in English) for one that may be vague, in words that name the datum; `None` for a
/// precise one, which never costs a call. `subjects` are the names that the corpus calls its matter by.
pub(crate) fn suspicion(question: &str, subjects: &[String]) -> Option<String> {
    let all = words(question);
    let has_figure = all.iter().any(|word| word.chars().any(|c| c.is_ascii_digit()));
    let quotes = question.chars().any(|c| matches!(c, '"' | '\u{201C}' | '\u{AB}'));
    let lookup = all.first().is_some_and(|word| LOOKUPS.contains(&word.as_str()));
    let measure =
        all.windows(2).any(|pair| pair[0] == "how" && MEASURES.contains(&pair[1].as_str()));
    if has_figure || quotes || lookup || measure {
        return None;
    }
    let open: Vec<&str> =
        all.iter().map(String::as_str).filter(|word| OPEN.contains(word)).collect();
    let own: Vec<&str> = all
        .iter()
        .map(String::as_str)
        .filter(|word| !is_stop_word(word) && !OPEN.contains(word) && !PRONOUNS.contains(word))
        .collect();
    if let Some(word) = open.first()
        && own.len() <= OPEN_WORDS
    {
        return Some(format!("\"{word}\" asks for whatever there is on {}", quoted(&own)));
    }
    if own.len() <= 1 {
        return Some(match own.first() {
            Some(word) => format!("\"{word}\" is all that it names"),
            None => format!("\"{}\" names nothing", squeeze(question)),
        });
    }
    let pronoun = all.iter().find(|word| PRONOUNS.contains(&word.as_str()))?;
    let known = subjects
        .iter()
        .any(|subject| words(subject).iter().any(|word| !is_stop_word(word) && all.contains(word)));
    (own.len() <= 2 && !known).then(|| format!("\"{pronoun}\" stands for something not named"))
}

fn quoted(texts: &[impl AsRef<str>]) -> String {
    if texts.is_empty() {
        return "nothing that it names".to_owned();
    }
    let quoted: Vec<String> = texts.iter().map(|text| format!("\"{}\"", text.as_ref())).collect();
    quoted.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subjects() -> Vec<String> {
        ["Skerry Sound Energy", "Skerry Harbour Trust", "Veltrix"].map(str::to_owned).to_vec()
    }

    #[test]
    fn precise_questions_are_no_candidates() {
        for question in [
            "What is the installed capacity of Veltrix?",
            "Who owns the ferry?",
            "How many passengers took the ferry?",
            "What does Paul say about the law in Romans 7?",
            "What did the report say about \"the second basin\"?",
            "Did porpoise sightings change?",
            "How far does the harbour tide rise in spring?",
            "What caused the outage of 11 February 2026?",
            "Why was the Halden crossing lost?",
            "What does the harbour board think about the plan to move the fish market and the ferry berth?",
        ] {
            assert_eq!(suspicion(question, &subjects()), None, "{question}");
        }
    }

    #[test]
    fn vague_ones_are_and_the_word_is_named() {
        for (question, part) in [
            ("What does Paul say about the law?", "\"say\""),
            ("Tell me about Veltrix", "\"tell\""),
            ("Veltrix?", "\"veltrix\" is all"),
            ("What is truth?", "\"truth\" is all"),
            ("Is it safe?", "\"safe\""),
            ("Why did it fail so badly?", "\"it\""),
        ] {
            let why = suspicion(question, &subjects());
            assert!(why.as_ref().is_some_and(|why| why.contains(part)), "{question}: {why:?}");
        }
    }

    #[test]
    fn only_answers_to_what_was_asked_hold() {
        let asked = [
            ClarifyingQuestion {
                text: "Which?".to_owned(),
                why: String::new(),
                choices: vec!["A".to_owned(), "B".to_owned()],
            },
            ClarifyingQuestion { text: "When?".to_owned(), ..ClarifyingQuestion::default() },
        ];
        let answer = |question, choice, text: Option<&str>| ClarifyingAnswer {
            question,
            choice,
            text: text.map(str::to_owned),
        };
        let said = |answers: &[ClarifyingAnswer]| -> Vec<String> {
            held(&asked, answers).into_iter().map(|said| said.answer).collect()
        };
        assert_eq!(
            said(&[answer(1, Some(2), None), answer(2, None, Some(" in  1962 "))]),
            ["B", "in 1962"]
        );
        assert_eq!(said(&[answer(1, None, Some("neither"))]), ["neither"]);
        // The first one counts; what does not exist is no answer.
        assert_eq!(
            said(&[answer(1, Some(9), None), answer(1, Some(1), None), answer(1, Some(2), None)]),
            ["A"]
        );
        for none in [
            answer(0, Some(1), None),
            answer(3, Some(1), None),
            answer(1, Some(0), None),
            answer(2, Some(1), None),
            answer(2, None, Some("  ")),
            answer(1, None, None),
        ] {
            assert_eq!(said(std::slice::from_ref(&none)), Vec::<String>::new(), "{none:?}");
        }
    }
}
