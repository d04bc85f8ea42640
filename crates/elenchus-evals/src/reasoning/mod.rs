//! How well whole runs reason: golden transcripts, planted worlds and any run that a store keeps.

mod chains;
mod figures;
#[cfg(test)]
mod figures_tests;
mod findings;
mod guards;
mod observed;
mod planted;
mod ranks;
mod report;
mod runs;
mod scripted;
mod words;
mod world;
#[cfg(test)]
mod worlds_tests;

pub(crate) use runs::in_memory;

use observed::Observed;
use report::Results;
use runs::Sitting;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct ReasoningArgs {
    /// A folder of planted worlds (JSON).
    #[arg(long, default_value = "crates/elenchus-evals/data/worlds")]
    worlds: PathBuf,
    /// A folder of golden transcripts (JSON), as `golden` writes them.
    #[arg(long, default_value = "crates/elenchus-evals/data/golden")]
    golden: PathBuf,
    /// The folder in which the corpora of golden transcripts lie, each in a folder of its name.
    #[arg(long, default_value = "../shared/data")]
    corpora: PathBuf,
    /// A store: the journal of each of its runs is replayed.
    #[arg(long)]
    store: Option<PathBuf>,
    /// Nothing but the planted worlds, which need no data from elsewhere: what is committed.
    #[arg(long, conflicts_with = "store")]
    worlds_only: bool,
    /// Nothing but recorded runs: golden transcripts, and those of a store where one is named.
    #[arg(long, conflicts_with = "worlds_only")]
    recorded_only: bool,
    /// Only worlds, transcripts and runs whose name holds this.
    #[arg(long)]
    only: Option<String>,
    /// Print under each figure what it is.
    #[arg(long)]
    explain: bool,
    /// Print what went wrong in which run, and every answer of a world.
    #[arg(long)]
    misses: bool,
    /// Print the table as Markdown.
    #[arg(long)]
    markdown: bool,
    /// Write the figures as JSON.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Fail when a figure fell behind the figures in this file.
    #[arg(long)]
    against: Option<PathBuf>,
}

pub(crate) async fn run(args: &ReasoningArgs) -> Result<ExitCode, String> {
    let sitting = Sitting::new(args.only.clone(), args.misses);
    let mut all = Vec::new();
    if !args.recorded_only {
        all.extend(sitting.worlds(&args.worlds).await?);
    }
    if !args.worlds_only {
        all.extend(sitting.golden(&args.golden, &args.corpora).await?);
    }
    if let Some(store) = &args.store {
        all.extend(sitting.store(store).await?);
    }
    if all.is_empty() {
        return Err("could not measure anything: no world, transcript or finished run was found; name a folder with \
                    --worlds or --golden, or a store with --store"
            .to_owned());
    }
    if args.misses {
        println!("{}", report::misses(&all));
    }
    let results = results(&all);
    if args.markdown {
        println!("{}", report::markdown(&results));
    } else {
        println!("{}", report::table(&results, args.explain));
    }
    if let Some(out) = &args.out {
        report::write(&results, out)?;
    }
    match &args.against {
        Some(committed) => report::compare(&results, committed),
        None => Ok(ExitCode::SUCCESS),
    }
}

/// The figures over these runs.
fn results(all: &[Observed]) -> Results {
    let mut runs: Vec<(String, usize)> = Vec::new();
    for run in all {
        match runs.iter_mut().find(|(kind, _)| kind == run.kind) {
            Some((_, number)) => *number += 1,
            None => runs.push((run.kind.to_owned(), 1)),
        }
    }
    Results { runs, figures: figures::figures(all) }
}
