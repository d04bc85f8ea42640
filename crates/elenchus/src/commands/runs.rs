//! `elenchus runs`, but for what has a file of its own: `resume`, `fork` and `attach`.

mod package;

use super::output::{Target, format_of, lines, rendered};
use super::store_path;
use crate::cli::{Format, RunArgs, RunsCommand, StatusArg};
use crate::config::Config;
use crate::error::{CliError, Kind, Result};
use crate::kept::RunSettings;
use crate::opinions;
use crate::store_place::StorePlace;
use crate::telemetry;
use crate::ui::report;
use crate::ui::shown::Shown;
use crate::ui::terminal::Terminal;
use crate::wire;
use crate::words::nearest;
use elenchus_core::answer::{Answer, to_prov_json, to_web_annotations};
use elenchus_core::id::RunId;
use elenchus_core::inquiry::Run;
use elenchus_core::port::{Clock, LOCAL, Remark, RunPage, RunQuery, RunSummary, Store, judged};
use elenchus_core::trace::Envelope;
use elenchus_io::clock::SystemClock;
use std::path::PathBuf;
use std::sync::Arc;

/// A store, and the run in it that was named.
pub(super) struct Named {
    pub(super) path: StorePlace,
    pub(super) store: Arc<dyn Store>,
    pub(super) id: RunId,
    pub(super) summary: RunSummary,
}

impl Named {
    pub(super) async fn find(args: RunArgs, config: &Config) -> Result<Self> {
        let path = store_path(args.store.store, config)?;
        let store = existing(&path)?;
        let runs = match &store {
            Some(store) => store.page(&RunQuery::all(SystemClock.now())).await?.runs,
            None => Vec::new(),
        };
        let summary = pick(&args.id, &runs).map_err(|error| {
            if runs.is_empty() {
                error.with_hint(format!(
                    "{path} holds no runs: `elenchus ask` makes one, --store names another store"
                ))
            } else {
                error
            }
        })?;
        match store {
            Some(store) => Ok(Self { path, store, id: summary.run_id.clone(), summary }),
            None => Err(unknown(&args.id, &runs)),
        }
    }

    /// The run and its trace as the journal gives them.
    pub(super) async fn replay(&self) -> Result<(Run, Vec<Envelope>)> {
        Ok(wire::replaying(Arc::clone(&self.store))?.replay(&self.id).await?)
    }

    /// The folder of its documents, where it is noted.
    pub(super) fn folder(&self) -> Option<PathBuf> {
        RunSettings::load(&self.path, &self.id).ok().flatten().and_then(|noted| noted.corpus)
    }

    /// Notes that a report was taken out. The report is there whether or not the note can be kept.
    async fn taken_out(&self, format: Format, terminal: &Terminal) {
        let remark = Remark::export(&self.id, format.name(), LOCAL, SystemClock.now());
        if let Err(failure) = self.store.remark(&remark).await {
            terminal.warn(&format!("it was not noted that the report was taken out: {failure}"));
        }
    }

    pub(super) async fn answer(&self) -> Result<Answer> {
        Ok(self.ended().await?.1)
    }

    /// The run with its answer, which it has once it is over.
    pub(super) async fn ended(&self) -> Result<(Run, Answer)> {
        let (run, _) = self.replay().await?;
        let answer = run.view().answer().cloned().ok_or_else(|| {
            CliError::new(
                Kind::Failure,
                format!("could not give the answer of run {}", self.id),
                "the run has not ended, so it has none",
                format!("`elenchus runs resume {}` goes on with it", self.id),
            )
        })?;
        Ok((run, answer))
    }
}

/// The store if there is one; looking makes none.
pub(super) fn existing(place: &StorePlace) -> Result<Option<Arc<dyn Store>>> {
    if place.is_made() { Ok(Some(wire::store(place)?)) } else { Ok(None) }
}

/// The one run that is called so or begins so.
pub(super) fn pick(name: &str, runs: &[RunSummary]) -> Result<RunSummary> {
    let name = name.trim();
    if let Some(run) = runs.iter().find(|run| run.run_id.as_str() == name) {
        return Ok(run.clone());
    }
    let begins = |run: &&RunSummary| {
        let id = run.run_id.as_str();
        id.starts_with(name) || id.strip_prefix("run_").is_some_and(|rest| rest.starts_with(name))
    };
    let near: Vec<&RunSummary> = runs.iter().filter(begins).collect();
    match near.as_slice() {
        [run] if !name.is_empty() => Ok((*run).clone()),
        [] => Err(unknown(name, runs)),
        _ => {
            let ids: Vec<&str> = near.iter().take(5).map(|run| run.run_id.as_str()).collect();
            Err(CliError::usage(
                format!("could not tell which run {name:?} is"),
                format!("{} runs begin so: {}", near.len(), ids.join(", ")),
                "give more of the id",
            ))
        }
    }
}

fn unknown(name: &str, runs: &[RunSummary]) -> CliError {
    let list = "`elenchus runs list` shows the runs there are";
    let hint = match nearest(name, runs.iter().map(|run| run.run_id.as_str())) {
        Some(id) => format!("did you mean {id}? {list}"),
        None => list.to_owned(),
    };
    CliError::usage(format!("could not find run {name:?}"), "no run is called so", hint)
}

pub(super) async fn run(command: RunsCommand, config: &Config, terminal: &Terminal) -> Result<()> {
    match command {
        RunsCommand::List { words, status, limit, json, store } => {
            let path = store_path(store.store, config)?;
            let mut query = RunQuery::all(SystemClock.now());
            query.words = words.iter().flat_map(|w| w.split_whitespace()).map(Into::into).collect();
            query.status = status.map(|status| status.name().to_owned());
            if let Some(limit) = limit {
                query.limit = limit as usize;
            }
            list(&path, &query, json, terminal).await
        }
        RunsCommand::Show { run, memory, json } => {
            show(Named::find(run, config).await?, memory, json, terminal).await
        }
        RunsCommand::Trace { run, jsonl } => {
            let named = Named::find(run, config).await?;
            let events = named.store.events(&named.id, 0).await?;
            terminal.page(&if jsonl { lines(&events)? } else { report::trace(&events) })
        }
        RunsCommand::Replay { run, json } => {
            let named = Named::find(run, config).await?;
            let (run, answer) = named.ended().await?;
            let format = if json { Format::Json } else { Format::Md };
            let report = rendered(&answer, run.view().ground(), format)?;
            terminal.page(&terminal.link_report(report, &answer, named.folder().as_deref()))
        }
        RunsCommand::Export { run, format, out, force } => {
            let named = Named::find(run, config).await?;
            let format = format_of(format, out.as_deref(), force)?;
            if format == Format::RoCrate {
                package::write(&named, out.as_deref(), force, terminal).await?;
                named.taken_out(format, terminal).await;
                return Ok(());
            }
            let target =
                out.as_deref().map(|file| Target::new(file, Some(format), force)).transpose()?;
            let text = match format {
                Format::Jsonl => lines(&named.store.events(&named.id, 0).await?)?,
                Format::WebAnnotation => {
                    let (run, answer) = named.ended().await?;
                    to_web_annotations(&answer, &run.view().passages())
                }
                Format::Otlp => telemetry::export(&named.store.journal(&named.id).await?)?,
                Format::ProvJson => {
                    let answer = named.answer().await?;
                    to_prov_json(&answer, &named.store.events(&named.id, 0).await?)
                }
                _ => {
                    let (run, answer) = named.ended().await?;
                    rendered(&answer, run.view().ground(), format)?
                }
            };
            match target {
                None => terminal.print(&text)?,
                Some(target) => {
                    target.write(&text)?;
                    terminal.say(&target.written());
                    if let Some(odd) = target.mismatch() {
                        terminal.warn(&odd);
                    }
                }
            }
            named.taken_out(format, terminal).await;
            Ok(())
        }
        RunsCommand::Delete { run, yes } => {
            let named = Named::find(run, config).await?;
            let asked = format!("delete run {} ({:?})?", named.id, named.summary.question);
            if !yes && !terminal.agreed(&asked)? {
                terminal.say("nothing was deleted");
                return Ok(());
            }
            named.store.delete(&named.id, SystemClock.now()).await?;
            RunSettings::remove(&named.path, &named.id);
            terminal.say(&format!(
                "deleted run {}; what was learned from it stays in the memory (`elenchus memory list`)",
                named.id
            ));
            Ok(())
        }
        // Has a file of its own.
        RunsCommand::Resume(_) | RunsCommand::Fork(_) | RunsCommand::Attach(_) => Ok(()),
    }
}

/// A page of the runs that are looked for. What Ctrl-C or a crash cut short can be gone on with, which the store calls
/// `stopped`: who looks for what was interrupted looks for that as well.
async fn standing(store: &dyn Store, query: &RunQuery) -> Result<RunPage> {
    let mut page = store.page(query).await?;
    if query.status.as_deref() == Some(StatusArg::Interrupted.name()) {
        let stopped = Some(StatusArg::Stopped.name().to_owned());
        let more = store.page(&RunQuery { status: stopped, ..query.clone() }).await?;
        page.total += more.total;
        page.runs.extend(more.runs);
        page.runs.sort_by(|a, b| {
            b.started_at.cmp(&a.started_at).then(a.run_id.as_str().cmp(b.run_id.as_str()))
        });
        page.runs.truncate(query.limit);
    }
    Ok(page)
}

async fn list(path: &StorePlace, query: &RunQuery, json: bool, terminal: &Terminal) -> Result<()> {
    let page = match existing(path)? {
        Some(store) => standing(&*store, query).await?,
        None => RunPage::default(),
    };
    if json {
        return terminal.print_json(&page.runs);
    }
    if page.runs.is_empty() {
        let is_any = query.status.is_some() || !query.words.is_empty();
        terminal.say(&if is_any {
            format!("no run in {path} is such: `elenchus runs list` shows all of them")
        } else {
            format!("there are no runs in {path}: `elenchus ask QUESTION --corpus DIR` makes one")
        });
        return Ok(());
    }
    terminal.page(&report::list(terminal, &page.runs))?;
    let left = page.total.saturating_sub(page.runs.len() as u64);
    if left > 0 {
        terminal.say(&format!("and {left} earlier; --limit shows more"));
    }
    Ok(())
}

async fn show(named: Named, memory: bool, json: bool, terminal: &Terminal) -> Result<()> {
    let (run, _) = named.replay().await?;
    let mut shown = Shown::new(&named.summary, &run, named.folder());
    if let Some(answer) = run.view().answer().filter(|answer| !answer.insights.is_empty()) {
        let said = opinions::held(&*named.store, Some(&named.id)).await?;
        shown.insights = judged(&said, &named.id, &answer.insights);
    }
    if memory {
        shown.remembers(&run);
    }
    if json { terminal.print_json(&shown) } else { terminal.page(&shown.text(terminal)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elenchus_core::id::Timestamp;

    fn run(id: &str) -> RunSummary {
        RunSummary {
            run_id: id.into(),
            question: String::new(),
            started_at: Timestamp(0),
            updated_at: Timestamp(0),
            status: "finished".to_owned(),
            stop_reason: None,
            records: 1,
            events: 1,
            held_until: None,
            put_back: None,
        }
    }

    #[test]
    fn a_run_is_found_by_a_beginning_that_only_it_has() {
        let runs = [run("run_abc123456789"), run("run_abd123456789")];
        for name in ["run_abc123456789", "run_abc", "abc"] {
            assert_eq!(pick(name, &runs).unwrap().run_id.as_str(), "run_abc123456789");
        }
        assert!(pick("ab", &runs).unwrap_err().cause.contains("2 runs"));
        assert!(pick("", &runs).is_err());
    }

    #[test]
    fn a_misspelt_id_is_told_with_the_nearest() {
        let runs = [run("run_abc123456789")];
        let error = pick("run_abc132456789", &runs).unwrap_err();
        assert!(error.hint.contains("run_abc123456789"), "{error:?}");
        assert_eq!(error.exit_code, 2);
    }
}
