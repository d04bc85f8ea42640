//! What a person may say to a run under way. Each control is journaled.

use super::{NewLimits, NewSources};
use crate::bank::scrub;
use crate::id::HypothesisId;
use serde::{Deserialize, Serialize};

/// An answer to a question that a run asked back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClarifyingAnswer {
    /// Which question, from 1.
    pub question: u32,
    /// Which of its choices, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<u32>,
    /// An answer in the user's own words, which counts before a choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A control.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "control", rename_all = "snake_case")]
pub enum Control {
    /// Stop now and answer with what there is. Calls in flight are dropped.
    Interrupt,
    /// Stop searching and write the answer.
    // The shorter word is what the terminal takes, and what people guess.
    #[serde(alias = "finish")]
    FinishNow,
    /// Do nothing until `resume`.
    Pause,
    /// Go on.
    Resume,
    /// Change direction from the next search on.
    Redirect {
        /// Look for this too.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        focus: Option<String>,
        /// Path parts of documents to leave out from now on.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        exclude: Vec<String>,
        /// When not empty, search only documents whose path holds one of these.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        only: Vec<String>,
    },
    /// Go by other limits from now on. One that is below what was used ends the search as that limit's end; a search that had
    /// ended for want of what there is now goes on. Limits that name nothing, or more than may be set, are not given to a run.
    SetBudget(NewLimits),
    /// Look into these before others, in the next round. What was given up is looked for again. Sources that the run may not read
    /// are not given to it.
    AddSources(NewSources),
    /// Take an explanation out: it is searched for and tested no more. One that there is not changes nothing.
    DropHypothesis {
        /// Which.
        id: HypothesisId,
        /// Why, in the user's words.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String,
    },
    /// The questions that are to be answered from now on, in place of the plan's. Those that stand keep what was found for
    /// them, those that are left out are no longer looked into, and new ones are searched. Nothing to ask changes nothing. An
    /// edit that leaves out what is answered, or asks more than a plan may hold, is not given to a run.
    EditPlan {
        /// In the order in which they are to stand.
        questions: Vec<String>,
    },
    /// Doubt a step of the reasoning. The next critique answers it, or code at the end of the run.
    Challenge {
        /// The number of the event in the trace.
        event_id: u64,
        /// The doubt.
        text: String,
    },
    /// Answers to what the run asked back. Questions without an answer are skipped.
    Clarified {
        /// In any order; the first answer to a question counts.
        answers: Vec<ClarifyingAnswer>,
    },
    /// Go on without answering what the run asked back, or may be about to.
    SkipClarification,
    /// The corpus has changed: gaps that new documents match are opened again.
    DocumentsAdded {
        /// Title and first words of each new document.
        documents: Vec<String>,
    },
}

impl Control {
    /// The same without the secrets in what a person wrote, which is journaled, searched for and shown to models. What documents say
    /// is as whoever read them gives it.
    pub fn without_secrets(self) -> Self {
        let clean = |text: String| scrub(&text).text;
        let all = |texts: Vec<String>| -> Vec<String> { texts.into_iter().map(clean).collect() };
        match self {
            Self::Redirect { focus, exclude, only } => {
                Self::Redirect { focus: focus.map(clean), exclude: all(exclude), only: all(only) }
            }
            Self::DropHypothesis { id, reason } => {
                Self::DropHypothesis { id, reason: clean(reason) }
            }
            Self::EditPlan { questions } => Self::EditPlan { questions: all(questions) },
            Self::Challenge { event_id, text } => Self::Challenge { event_id, text: clean(text) },
            Self::Clarified { answers } => {
                let clean = |answer: ClarifyingAnswer| ClarifyingAnswer {
                    text: answer.text.map(clean),
                    ..answer
                };
                Self::Clarified { answers: answers.into_iter().map(clean).collect() }
            }
            Self::Interrupt
            | Self::FinishNow
            | Self::Pause
            | Self::Resume
            | Self::SkipClarification
            | Self::SetBudget(_)
            // An address that holds a secret is refused before it is journaled.
            | Self::AddSources(_)
            | Self::DocumentsAdded { .. } => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_noted_beside_the_word() {
        let json = r#"{"control":"set_budget","rounds":8,"passages":200,"by":"ann"}"#;
        let told: Control = serde_json::from_str(json).unwrap();
        let limits = NewLimits {
            rounds: Some(8),
            passages: Some(200),
            by: "ann".to_owned(),
            ..NewLimits::default()
        };
        assert_eq!(told, Control::SetBudget(limits));
        assert_eq!(serde_json::to_string(&told).unwrap(), json);
    }

    #[test]
    fn a_run_is_told_to_finish_in_either_word_and_notes_one() {
        for word in ["finish", "finish_now"] {
            let told: Control =
                serde_json::from_value(serde_json::json!({ "control": word })).unwrap();
            assert_eq!(told, Control::FinishNow, "{word}");
        }
        let noted = serde_json::to_string(&Control::FinishNow).unwrap();
        assert_eq!(noted, r#"{"control":"finish_now"}"#);
    }

    #[test]
    fn what_a_person_says_is_kept_without_secrets() {
        // In pieces, so that no scanner takes it for one.
        let key = ["ghp_", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].concat();
        let said = || format!("what does {key} open?");
        let one = || vec![said()];
        let answer = ClarifyingAnswer { question: 2, choice: Some(1), text: Some(said()) };
        for control in [
            Control::Redirect { focus: Some(said()), exclude: one(), only: one() },
            Control::DropHypothesis { id: HypothesisId::from("h1"), reason: said() },
            Control::EditPlan { questions: one() },
            Control::Challenge { event_id: 7, text: said() },
            Control::Clarified { answers: vec![answer] },
        ] {
            let json = |control: &Control| serde_json::to_string(control).unwrap();
            let (before, after) = (json(&control), json(&control.clone().without_secrets()));
            assert!(before.contains(&key), "{before}");
            assert_eq!(after, before.replace(&key, "[GitHub token removed]"));
        }
        for control in [Control::Pause, Control::DocumentsAdded { documents: one() }] {
            assert_eq!(control.clone().without_secrets(), control);
        }
    }
}
