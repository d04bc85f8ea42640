//! What a person said of a finished run, kept as a lead beside what the run left.
//!
//! It leads where the statement or the insight that it is about was found, with the words that were written. It is no
//! evidence, whoever wrote it: no figure is taken from it, and no model is shown it.

use super::lead::{LONG, Lead, RUN, SOURCES, cut, listed};
use super::memo::{Memo, key};
use crate::answer::Answer;
use crate::id::{MemoId, SourceId, short_hash};
use crate::port::{Matter, Remark};
use crate::synthesis::insight::InsightFeedback;
use crate::text::squeeze;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// The tag of a memo that holds what a person said.
pub const NOTE: &str = "note";

/// Its name in the metadata of such a memo.
const NOTED: &str = "noted";

/// Who said it, in the metadata of such a memo.
pub const ACTOR: &str = "actor";

/// What a person said of a statement or an insight of an earlier run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SavedNote {
    /// The statement, or the insight.
    pub of: String,
    /// The word on it: `right`, `wrong`, `useful` or `saved`.
    pub said: String,
    /// What was written along; empty where nothing was.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

impl SavedNote {
    /// Of a memo, cut to what a remark could have left; nothing where it holds none.
    pub(super) fn of_memo(memo: &Memo) -> Option<Self> {
        let read: Self = serde_json::from_value(memo.metadata.get(NOTED)?.clone()).ok()?;
        let bounded = Self {
            of: cut(&read.of, LONG),
            said: cut(&read.said, LONG),
            note: cut(&read.note, LONG),
        };
        (!bounded.of.is_empty()).then_some(bounded)
    }

    /// In words, without where it leads.
    pub fn words(&self) -> String {
        let (of, said) = (squeeze(&self.of), squeeze(&self.said).replace('-', " "));
        if self.note.is_empty() {
            format!("of \"{of}\" somebody said: {said}")
        } else {
            format!("of \"{of}\" somebody said: {said}, \"{}\"", squeeze(&self.note))
        }
    }
}

/// The id of the memo that a remark leaves: one for each actor and target of a run, so that a later word takes its place.
pub fn note_id(namespace: &str, remark: &Remark) -> MemoId {
    let Remark { run_id, about, target, actor, .. } = remark;
    let name = about.name();
    let bytes = format!("{namespace}\u{0}note\u{0}{run_id}\u{0}{name}\u{0}{target}\u{0}{actor}");
    MemoId(format!("memo_{}", short_hash(bytes.as_bytes(), 12)))
}

/// Whether a remark leads anywhere: an insight that was saved, and whatever was said with a note, but for that an insight is
/// of no use.
pub fn leads(remark: &Remark) -> bool {
    let insight = remark.said.as_deref().and_then(InsightFeedback::of);
    match (remark.about, insight) {
        (Matter::Insight, Some(InsightFeedback::Saved)) => true,
        (Matter::Insight, Some(InsightFeedback::Useful)) => remark.note.is_some(),
        (Matter::Claim, _) => remark.said.is_some() && remark.note.is_some(),
        _ => false,
    }
}

/// What a remark is about, and the documents that this rests on.
fn about<'a>(answer: &'a Answer, remark: &Remark) -> Option<(&'a str, BTreeSet<&'a SourceId>)> {
    match remark.about {
        Matter::Claim => {
            let claim = answer.claims.iter().find(|one| one.id.as_str() == remark.target)?;
            let quotes = claim.evidence.iter().filter_map(|at| answer.evidence.get(*at));
            Some((claim.text.as_str(), quotes.map(|quote| &quote.source_id).collect()))
        }
        Matter::Insight => {
            let insight = answer.insights.iter().find(|one| one.id.as_str() == remark.target)?;
            let places = insight.supporting.iter().map(|support| &support.source_id);
            Some((insight.description.as_str(), places.collect()))
        }
        Matter::Answer | Matter::Export => None,
    }
}

/// The memo of a remark on a run whose answer is kept as `kept`: it leads to those of the run's documents that the statement
/// or the insight rests on. Nothing where the remark leads nowhere.
pub fn note_memo(kept: &Memo, answer: &Answer, remark: &Remark) -> Option<Memo> {
    if !leads(remark) || answer.run_id != remark.run_id {
        return None;
    }
    let (of, rests_on) = about(answer, remark)?;
    let noted = SavedNote {
        of: cut(of, LONG),
        said: remark.said.clone().unwrap_or_default(),
        note: cut(remark.note.as_deref().unwrap_or_default(), LONG),
    };
    let words = if noted.note.is_empty() { noted.of.clone() } else { noted.note.clone() };
    let sources: Vec<Lead> = listed::<Lead>(kept, SOURCES)
        .into_iter()
        .filter(|lead| rests_on.contains(&lead.source_id))
        .filter_map(|mut lead| {
            lead.queries.insert(0, words.clone());
            lead.bounded()
        })
        .collect();
    let metadata = BTreeMap::from([
        // As answers that were saved back: it never counts for or against anything.
        (key::CATEGORY.to_owned(), json!(key::INFERENCE_OUTPUT)),
        (key::DERIVED_FROM.to_owned(), json!([kept.id])),
        (RUN.to_owned(), json!(remark.run_id)),
        (NOTED.to_owned(), json!(noted)),
        (ACTOR.to_owned(), json!(remark.actor)),
        (SOURCES.to_owned(), json!(sources)),
    ]);
    Some(Memo {
        id: note_id(&kept.namespace, remark),
        namespace: kept.namespace.clone(),
        title: kept.title.clone(),
        content: format!("{}\n\n{}", noted.of, noted.note).trim_end().to_owned(),
        metadata,
        tags: vec![NOTE.to_owned()],
        created_at: remark.at,
        updated_at: remark.at,
    })
}
