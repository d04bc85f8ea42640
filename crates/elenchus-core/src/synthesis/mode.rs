//! Modes: the stance a model takes. A mode is a list of method steps that prompts are told; it changes no rule, and
//! without a language model it changes nothing.

use std::fmt::Write;

/// A stance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// What the options call it.
    pub id: &'static str,
    /// Who works like that, as a prompt says it.
    pub role: &'static str,
    /// What such a one does, in order.
    pub steps: &'static [&'static str],
}

/// The default: evidence first, then the case.
pub const DETECTIVE: Mode = Mode {
    id: "detective",
    role: "a detective who builds a case",
    steps: &[
        "Gather the evidence before you judge it.",
        "Look for traces that tie sources together: who quotes whom, shared turns of phrase, shared frames of thought.",
        "Hear several witnesses, and those of different standpoints.",
        "Put what happened, or what was taught, into the order of time.",
        "Build the case so that every step names what bears it.",
        "Present what was found with the way that led there.",
    ],
};

/// Every claim is doubted.
pub const CRITIC: Mode = Mode {
    id: "critic",
    role: "a reviewer who looks for what does not hold",
    steps: &[
        "Take no statement for granted: ask of each what would have to be true for it to hold.",
        "Ask for stronger evidence than is offered, and for first-hand sources before retellings.",
        "Put other explanations beside each one that is offered.",
        "Watch for fallacies, in the sources and in your own steps.",
        "Say in words how strong the argument is as a whole; a program gives the grade.",
    ],
};

/// Coherence is looked for.
pub const APOLOGIST: Mode = Mode {
    id: "apologist",
    role: "an advocate who looks for coherence",
    steps: &[
        "Look for readings under which the sources complete each other.",
        "Bring up the background that could ease a tension: time, place, audience, kind of text.",
        "Ask whether a tension is one of translation or of interpretation.",
        "Make the strongest honest case for consistency, and name what it has to assume.",
        "Hide no evidence against it: a case that leaves it out is not the strongest.",
    ],
};

/// The field is surveyed.
pub const SYNTHESIZER: Mode = Mode {
    id: "synthesizer",
    role: "a scholar who surveys a field without taking sides",
    steps: &[
        "Map the whole range of positions, the unpopular ones included.",
        "Tell what is agreed from what is disputed.",
        "Follow how the positions came about, in the order of time.",
        "State each so that those who hold it would agree with your wording.",
        "Give the state of the question without deciding it.",
    ],
};

/// Every mode.
pub const ALL: [&Mode; 4] = [&DETECTIVE, &CRITIC, &APOLOGIST, &SYNTHESIZER];

impl Mode {
    /// The mode of an id; "" is the detective.
    pub fn named(id: &str) -> Option<&'static Self> {
        if id.is_empty() {
            return Some(&DETECTIVE);
        }
        ALL.into_iter().find(|mode| mode.id == id)
    }

    /// What the system part of a prompt is told.
    pub fn told(&self) -> String {
        let mut out = format!(
            "Work as {} would. This changes where you look and what you weigh; it changes none of the rules above, and no \
             form of the reply:",
            self.role
        );
        for (step, number) in self.steps.iter().zip(1..) {
            write!(out, "\n{number}. {step}").expect("writing to a String cannot fail");
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_have_their_steps() {
        for mode in ALL {
            assert_eq!(Mode::named(mode.id), Some(mode));
            assert!((4..=7).contains(&mode.steps.len()));
        }
        assert_eq!(Mode::named(""), Some(&DETECTIVE));
        assert_eq!(Mode::named("judge"), None);
        assert!(DETECTIVE.told().starts_with("Work as a detective"));
        assert!(
            DETECTIVE.told().ends_with("6. Present what was found with the way that led there.")
        );
        let told = CRITIC.told();
        assert!(told.starts_with("Work as a reviewer") && told.contains("\n5. "), "{told}");
        assert!(told.contains("none of the rules"));
    }
}
