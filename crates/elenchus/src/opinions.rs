//! What a user said about insights: a line of JSON each, in the data folder. The last word on an insight counts.

use crate::error::Result;
use crate::feedback::unkept;
use crate::paths;
use elenchus_core::synthesis::insight::{Insight, InsightFeedback};
use elenchus_io::store::{append_line, read_lines, remove_lines};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// One judgement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Opinion {
    /// When, in milliseconds since 1970.
    pub(crate) at: i64,
    /// The run.
    pub(crate) run: String,
    /// The insight's id there.
    pub(crate) insight: String,
    /// What it says, so that a saved one can be read when its run is gone.
    pub(crate) description: String,
    /// What the user said of it.
    pub(crate) feedback: InsightFeedback,
}

/// All opinions, by run and insight.
#[derive(Debug, Default)]
pub(crate) struct Opinions {
    by_insight: BTreeMap<(String, String), Opinion>,
}

impl Opinions {
    /// What the file holds; nothing when there is none. Lines that cannot be read are left out.
    pub(crate) fn load() -> Result<Self> {
        let file = paths::opinions()?;
        let (said, _) = read_lines::<Opinion>(&file)
            .map_err(|error| unkept("read what you said of insights", &file, &error))?;
        let mut opinions = Self::default();
        for said in said {
            opinions.by_insight.insert((said.run.clone(), said.insight.clone()), said);
        }
        Ok(opinions)
    }

    /// The insights of a run with what was said of them.
    pub(crate) fn told(&self, run: &str, insights: &[Insight]) -> Vec<Insight> {
        let mut insights = insights.to_vec();
        for insight in &mut insights {
            let key = (run.to_owned(), insight.id.as_str().to_owned());
            insight.feedback = self.by_insight.get(&key).map(|opinion| opinion.feedback);
        }
        insights
    }
}

/// Keeps one more.
pub(crate) fn keep(opinion: &Opinion) -> Result<PathBuf> {
    let file = paths::opinions()?;
    append_line(&file, opinion)
        .map_err(|error| unkept("keep what you said of the insight", &file, &error))?;
    Ok(file)
}

/// Removes all of them.
pub(crate) fn forget() -> Result<()> {
    let file = paths::opinions()?;
    remove_lines(&file).map_err(|error| unkept("forget what you said of insights", &file, &error))
}
