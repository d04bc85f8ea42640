//! `elenchus insights`: what stood out in all runs, and what the user said of it.

use super::runs::{Named, existing};
use super::store_path;
use crate::cli::{InsightsCommand, RunArgs};
use crate::config::Config;
use crate::error::{CliError, Result};
use crate::opinions;
use crate::time;
use crate::ui::progress::counted;
use crate::ui::terminal::Terminal;
use elenchus_core::port::{Clock, LOCAL, Matter, Remark, judged};
use elenchus_core::prompt::InsightKind;
use elenchus_core::synthesis::insight::{Insight, InsightFeedback, WordedBy};
use elenchus_core::text::squeeze;
use elenchus_io::clock::SystemClock;
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write;

/// An insight with the run that had it.
#[derive(Debug, Serialize)]
struct Listed {
    run_id: String,
    question: String,
    corpus: String,
    at: i64,
    #[serde(flatten)]
    insight: Insight,
}

/// Insights of one month.
#[derive(Debug, Default, Serialize)]
struct Month {
    insights: usize,
    mean_novelty: f64,
    types: BTreeMap<&'static str, usize>,
    useful: usize,
    not_useful: usize,
    saved: usize,
}

pub(super) async fn run(
    command: InsightsCommand,
    config: &Config,
    terminal: &Terminal,
) -> Result<()> {
    let InsightsCommand::List { kind, json: as_json, store } = command;
    let wanted = kind.as_deref().map(|word| {
        InsightKind::of(word).ok_or_else(|| {
            let names: Vec<&str> = InsightKind::ALL.iter().map(|kind| kind.name()).collect();
            CliError::usage(
                format!("could not list insights of the type {word:?}"),
                "there is no such type",
                format!("the types are {}", names.join(", ")),
            )
        })
    });
    let wanted = wanted.transpose()?;
    let path = store_path(store.store, config)?;
    let mut all: Vec<Listed> = Vec::new();
    if let Some(store) = existing(&path)? {
        let said = opinions::held(&*store, None).await?;
        for run in store.runs().await? {
            let Some(answer) = elenchus_engine::answer_of(&*store, &run).await? else { continue };
            for insight in judged(&said, &run.run_id, &answer.insights) {
                if wanted.is_none_or(|kind| kind == insight.kind) {
                    all.push(Listed {
                        run_id: run.run_id.to_string(),
                        question: answer.question.clone(),
                        corpus: answer.corpus.clone(),
                        at: run.started_at.0,
                        insight,
                    });
                }
            }
        }
    }
    let months = months(&all);
    if as_json {
        return terminal.print_json(&json!({ "insights": all, "months": months }));
    }
    if all.is_empty() {
        terminal.say(
            "no run had an insight; `elenchus ask QUESTION --corpus DIR --insights` looks for what stands out",
        );
        return Ok(());
    }
    let mut out = String::new();
    for one in &all {
        let _ = writeln!(
            out,
            "{}  {}  {}\n{}",
            time::shown(one.at),
            one.run_id,
            squeeze(&one.question),
            line(&one.insight)
        );
    }
    let _ = writeln!(out, "\nover time:");
    for (month, sum) in &months {
        let types: Vec<String> =
            sum.types.iter().map(|(name, count)| format!("{count} {name}")).collect();
        let _ = writeln!(
            out,
            "  {month}  {}, mean novelty {:.2} ({}); {} useful, {} not useful, {} saved",
            counted(sum.insights, "insight"),
            sum.mean_novelty,
            types.join(", "),
            sum.useful,
            sum.not_useful,
            sum.saved
        );
    }
    terminal.page(&out)
}

/// "2026-11" of a time.
fn months(all: &[Listed]) -> BTreeMap<String, Month> {
    let mut months: BTreeMap<String, Month> = BTreeMap::new();
    for one in all {
        let name: String = time::shown(one.at).chars().take(7).collect();
        let month = months.entry(name).or_default();
        // A running mean.
        month.mean_novelty = (month.mean_novelty * month.insights as f64 + one.insight.novelty)
            / (month.insights + 1) as f64;
        month.insights += 1;
        *month.types.entry(one.insight.kind.name()).or_default() += 1;
        match one.insight.feedback {
            Some(InsightFeedback::Useful) => month.useful += 1,
            Some(InsightFeedback::NotUseful) => month.not_useful += 1,
            Some(InsightFeedback::Saved) => month.saved += 1,
            None => {}
        }
    }
    months
}

/// An insight in two lines.
pub(crate) fn line(insight: &Insight) -> String {
    let words = match insight.worded_by {
        WordedBy::Model => "the model's words",
        WordedBy::Program => "found by counting",
    };
    let said = insight.feedback.map(|said| format!(", {}", said.name())).unwrap_or_default();
    format!(
        "  {} {}, novelty {:.2}, {words}{said}: {}\n      {}",
        insight.id,
        insight.kind.name(),
        insight.novelty,
        squeeze(&insight.description),
        squeeze(&insight.rule)
    )
}

/// Keeps what the user said of an insight of a run: `id` and a word.
pub(super) async fn judge(
    named: &[String],
    note: Option<&str>,
    run: RunArgs,
    as_json: bool,
    config: &Config,
    terminal: &Terminal,
) -> Result<()> {
    let [id, word] = named else {
        return Err(CliError::usage(
            "could not tell what you said of which insight",
            "an id and a word are wanted",
            "write `--insight i1 useful`",
        ));
    };
    let feedback = InsightFeedback::of(word);
    if feedback.is_none() && word != "forget" {
        return Err(CliError::usage(
            format!("could not keep {word:?} as feedback on {id}"),
            "it is none of the words for insights",
            "write useful, not-useful or saved, or forget to take it back",
        ));
    }
    let found = Named::find(run, config).await?;
    let (replayed, _) = found.replay().await?;
    let view = replayed.view();
    let insights = view.answer().map(|answer| answer.insights.as_slice()).unwrap_or_default();
    let Some(insight) = insights.iter().find(|one| one.id.as_str() == id.trim()) else {
        let ids: Vec<&str> = insights.iter().map(|one| one.id.as_str()).collect();
        let hint = if ids.is_empty() {
            "the run has no insights; `elenchus ask QUESTION --insights` looks for them".to_owned()
        } else {
            format!("its insights are {}", ids.join(", "))
        };
        return Err(CliError::usage(
            format!("could not find the insight {id:?} in run {}", found.id),
            "there is none of this id",
            hint,
        ));
    };
    let now = SystemClock.now();
    let (id, word) = (insight.id.as_str(), feedback.map(InsightFeedback::name));
    let remark = Remark::new(&found.id, Matter::Insight, id, LOCAL, word, now);
    let remark = remark.noting(note.unwrap_or_default());
    found.store.remark(&remark).await?;
    opinions::lead(&found.path, config, &remark, view.answer(), terminal).await;
    if as_json {
        return terminal.print_json(&json!({
            "at": now,
            "run": found.id,
            "insight": id,
            "description": squeeze(&insight.description),
            "feedback": feedback,
            "note": remark.note,
        }));
    }
    terminal.print(&match word {
        Some(word) => format!("noted: {id} of {} is {word}\n", found.id),
        None => format!("what you said of {id} of {} is taken back\n", found.id),
    })
}
