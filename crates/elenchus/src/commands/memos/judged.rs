//! What a user said of scored memos, and the weights that follow from it.

use crate::error::{CliError, Result};
use crate::feedback::unkept;
use crate::paths;
use crate::ui::progress::counted;
use crate::ui::terminal::Terminal;
use elenchus_core::graph::{JudgedMemo, ScoreReport, ScoredMemo, Weights, learned};
use elenchus_core::port::Clock;
use elenchus_io::clock::SystemClock;
use elenchus_io::store::{append_line, read_lines, remove_lines};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One judgement, with the figures that the memo was shown with.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Said {
    at: i64,
    namespace: String,
    pivot: String,
    memo: String,
    #[serde(flatten)]
    judged: JudgedMemo,
}

/// Keeps what was said of memos of a report.
pub(super) fn keep(
    report: &ScoreReport,
    useful: &[String],
    useless: &[String],
    terminal: &Terminal,
) -> Result<()> {
    let scored = &report.scored;
    let shown: Vec<&ScoredMemo> =
        [&scored.prioritized_evidence, &scored.conflicting_evidence, &scored.other_relations]
            .into_iter()
            .flatten()
            .collect();
    let mut all = Vec::new();
    for (names, useful) in [(useful, true), (useless, false)] {
        for name in names {
            let Some(one) = shown.iter().find(|one| one.memo_id.as_str() == name.trim()) else {
                return Err(CliError::usage(
                    format!("could not keep what you said of {name:?}"),
                    format!("it is not among the memos that are shown for {}", scored.pivot),
                    "name a memo of the list by its whole id",
                ));
            };
            let judged =
                JudgedMemo { similarity: one.similarity, relation: one.relation_weight, useful };
            all.push(Said {
                at: SystemClock.now().0,
                namespace: scored.namespace.clone(),
                pivot: scored.pivot.to_string(),
                memo: one.memo_id.to_string(),
                judged,
            });
        }
    }
    if all.is_empty() {
        return Ok(());
    }
    let file = paths::scored()?;
    for said in &all {
        append_line(&file, said).map_err(|error| unkept("keep your judgement", &file, &error))?;
    }
    terminal.say(&format!(
        "noted {}; `elenchus score --learned` weighs by them",
        counted(all.len(), "judgement")
    ));
    Ok(())
}

/// Weights by what was said; the usual ones where that is too little.
pub(super) fn weights(terminal: &Terminal) -> Result<Weights> {
    let file = paths::scored()?;
    let (said, unread) =
        read_lines::<Said>(&file).map_err(|error| unkept("read your judgements", &file, &error))?;
    if unread > 0 {
        terminal
            .warn(&format!("{unread} of your judgements could not be read and count for nothing"));
    }
    // The last word on a memo holds.
    let mut last: BTreeMap<(String, String, String), JudgedMemo> = BTreeMap::new();
    for one in said {
        last.insert((one.namespace, one.pivot, one.memo), one.judged);
    }
    let judged: Vec<JudgedMemo> = last.into_values().collect();
    let usual = Weights::default();
    let Some(found) = learned(&judged, usual) else {
        terminal.say(&format!(
            "{} are too few to learn from (one useful and one useless memo at least); the usual weights are used",
            counted(judged.len(), "judgement")
        ));
        return Ok(usual);
    };
    terminal.say(&format!(
        "weights learnt from {}: {:.2} and {:.2}; they put {:.0} % of {} in the right order, the usual ones {:.0} %",
        counted(judged.len(), "judgement"),
        found.weights.similarity,
        found.weights.relation,
        100.0 * found.after,
        counted(found.pairs, "pair"),
        100.0 * found.before
    ));
    Ok(found.weights)
}

/// Removes everything that was said.
pub(crate) fn forget() -> Result<()> {
    let file = paths::scored()?;
    remove_lines(&file).map_err(|error| unkept("forget your judgements", &file, &error))
}
