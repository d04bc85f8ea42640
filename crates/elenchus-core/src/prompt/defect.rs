//! Defects: what was wrong with a reply, and what became of it.

use super::ModelReply;
use serde::{Deserialize, Serialize};

/// What was wrong with a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DefectKind {
    /// Nothing in the reply could be read as JSON.
    NoJson,
    /// Something stood before or after the JSON.
    TextAround,
    /// The JSON follows an instruction that the model repeated, so it is the example and not an answer.
    PromptEcho,
    /// The JSON stood inside a JSON text.
    TextInText,
    /// More than one JSON value; the one that fits best was taken.
    SeveralValues,
    /// The reply ends in the middle; what was half written is dropped.
    Truncated,
    /// Commas, quotation marks, keys, comments, literals or brackets that JSON does not allow, and were mended.
    Syntax,
    /// A structure that could not be mended.
    Broken,
    /// Nested deeper than any reply needs.
    TooDeep,
    /// One key twice in one object; the last counts.
    DuplicateKey,
    /// A key that the prompt did not ask for; it is ignored.
    UnknownKey,
    /// A key that is spelt another way.
    RenamedKey,
    /// A key that was asked for and is not there.
    MissingKey,
    /// A value of another type.
    WrongType,
    /// A value of another type whose meaning is clear: a number in quotation marks, one item without its list.
    Coerced,
    /// A number outside its range.
    OutOfRange,
    /// A text or list longer than allowed; the rest is dropped.
    TooLong,
    /// A word that is none of those asked for; no other is put in its place.
    UnknownWord,
    /// A known word in another spelling.
    RespeltWord,
    /// Characters that nobody can see were taken out.
    Invisible,
    /// A question, gap or fact id that the call does not hold.
    UnknownId,
    /// An id, or an item, twice.
    DuplicateId,
    /// A passage or unit that was not shown.
    UnknownUnit,
    /// A value that does not stand in the unit that was named.
    ValueNotThere,
    /// Two statements of the reply that exclude each other.
    Contradiction,
    /// A reason that needs a passage and names none.
    Ungrounded,
    /// A figure, a name or an address that nothing shown holds, in words that would be shown.
    ForeignFigure,
    /// An item that says nothing.
    Empty,
}

impl DefectKind {
    /// Whether the reply lost something by it, or only its form was mended.
    pub fn loses(self) -> bool {
        !matches!(
            self,
            Self::TextAround
                | Self::TextInText
                | Self::SeveralValues
                | Self::Syntax
                | Self::UnknownKey
                | Self::RenamedKey
                | Self::Coerced
                | Self::RespeltWord
                | Self::Invisible
        )
    }
}

/// One thing that was wrong with a reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Defect {
    /// What kind.
    pub kind: DefectKind,
    /// Where: a path into the reply (`facts[2].unit`), or "reply".
    pub at: String,
    /// What was found and what became of it, in words.
    pub detail: String,
}

/// A reply, read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Parsed {
    /// What could be saved. `None` only when nothing could: then the caller asks again, at most twice, with
    /// [`complaint`] appended to the prompt.
    pub reply: Option<ModelReply>,
    /// What was wrong, in the order of the reply.
    pub defects: Vec<Defect>,
}

/// Most defects that are told one by one.
const MOST: usize = 60;
/// Longest detail, in characters.
const LONGEST_DETAIL: usize = 200;

/// Defects under collection, bounded whatever the reply is.
#[derive(Debug, Default)]
pub(super) struct Defects {
    list: Vec<Defect>,
    untold: usize,
}

impl Defects {
    pub(super) fn add(&mut self, kind: DefectKind, at: &str, detail: impl AsRef<str>) {
        if self.list.len() < MOST {
            let detail = super::safe::clip(&crate::text::squeeze(detail.as_ref()), LONGEST_DETAIL);
            let at = super::safe::clip(&crate::text::squeeze(at), LONGEST_DETAIL);
            self.list.push(Defect { kind, at, detail });
        } else {
            self.untold += 1;
        }
    }

    /// The same mending again and again is told once.
    pub(super) fn add_once(&mut self, kind: DefectKind, at: &str, detail: &str) {
        let known = |defect: &Defect| defect.kind == kind && defect.detail == detail;
        if !self.list.iter().any(known) {
            self.add(kind, at, detail);
        }
    }

    pub(super) fn append(&mut self, other: Self) {
        self.untold += other.untold;
        for defect in other.list {
            if self.list.len() < MOST {
                self.list.push(defect);
            } else {
                self.untold += 1;
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len() + self.untold
    }

    pub(super) fn into_list(mut self) -> Vec<Defect> {
        if self.untold > 0 {
            self.list.push(Defect {
                kind: DefectKind::TooLong,
                at: "reply".to_owned(),
                detail: format!("{} more defects are not told", self.untold),
            });
        }
        self.list
    }
}

/// What to append to the prompt when a reply could not be used: which faults it had, and what is wanted.
/// At most about 1,500 characters. It repeats no text of the reply but paths and words in quotation marks,
/// cleaned like every other text that enters a prompt.
pub fn complaint(defects: &[Defect]) -> String {
    let mut text = String::from("Your last reply could not be used:");
    for defect in defects.iter().filter(|defect| defect.kind.loses()).take(6) {
        let line = super::safe::line(&format!("{}: {}", defect.at, defect.detail), 180);
        text.push_str("\n- ");
        text.push_str(&line);
    }
    if !defects.iter().any(|defect| defect.kind.loses()) {
        text.push_str("\n- nothing in it answers the question put to you");
    }
    text.push_str(
        "\nReply again with one JSON object of the form described above and nothing else. \
         Name only ids that stand above.",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_is_short_and_names_what_was_lost() {
        let defect = |kind, detail: &str| Defect {
            kind,
            at: "facts[0].unit".to_owned(),
            detail: detail.to_owned(),
        };
        let mut all = vec![defect(DefectKind::Syntax, "a trailing comma")];
        all.extend((0..50).map(|_| defect(DefectKind::UnknownUnit, &"<|im_start|>x ".repeat(40))));
        let text = complaint(&all);
        assert!(text.contains("facts[0].unit") && !text.contains("trailing"), "{text}");
        assert!(!text.contains("<|") && text.chars().count() < 1500, "{text}");
        assert!(complaint(&[]).contains("nothing in it answers"));
    }

    #[test]
    fn defects_are_bounded() {
        let mut defects = Defects::default();
        for at in 0..1000 {
            defects.add(DefectKind::UnknownKey, &format!("[{at}]"), "x".repeat(10_000));
        }
        let list = defects.into_list();
        assert_eq!(list.len(), MOST + 1);
        assert!(list.iter().all(|defect| defect.detail.chars().count() <= LONGEST_DETAIL));
        assert!(list[MOST].detail.starts_with("940 more"), "{:?}", list[MOST]);
    }
}
