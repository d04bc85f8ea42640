//! Golden transcripts: whole runs with a language model's replies written by hand, faults and all. How many of the
//! faults that somebody planted are caught on the way to the report, and is every answer clean?

pub(crate) mod transcript;
pub(crate) mod written;

use crate::record::{Gate, Measure, What};
use crate::stats::share;
use elenchus_core::answer::to_markdown;
use elenchus_core::inquiry::{Derivations, Options};
use elenchus_engine::{Deadlines, Engine, Finished, Judge, Ports, Settings};
use elenchus_io::clock::SystemClock;
use elenchus_io::embed::BuiltinEmbedder;
use elenchus_io::retrieve::{Corpus, builtin_vectors};
use elenchus_io::store::MemoryStore;
use elenchus_io::verify::{BuiltinVerifier, judging};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use transcript::Transcript;
use written::{Record, Written};

#[derive(clap::Args)]
pub(crate) struct GoldenArgs {
    /// A folder of transcripts (JSON).
    #[arg(long, default_value = "crates/elenchus-evals/data/golden")]
    data: PathBuf,
    /// The folder in which the corpora lie, each in a folder of its name.
    #[arg(long, default_value = "../shared/data")]
    corpora: PathBuf,
    /// Only transcripts whose name holds this.
    #[arg(long)]
    only: Option<String>,
    /// Print every report.
    #[arg(long)]
    all: bool,
    /// Write a new transcript into this file instead: every prompt of the run is laid down in the folder of
    /// `--exchange`, and the reply is taken from the file that somebody lays beside it.
    #[arg(long, requires_all = ["exchange", "question", "corpus"])]
    record: Option<PathBuf>,
    /// Where prompts and replies are exchanged.
    #[arg(long)]
    exchange: Option<PathBuf>,
    /// The question to record.
    #[arg(long)]
    question: Option<String>,
    /// The name of the corpus to ask.
    #[arg(long)]
    corpus: Option<String>,
    /// The options of the run to record, as JSON; what is left out is as usual.
    #[arg(long)]
    options: Option<String>,
    /// Seconds for which a reply is waited for.
    #[arg(long, default_value_t = 1800)]
    patience: u64,
    #[command(flatten)]
    gate: Gate,
}

pub(crate) async fn run(args: &GoldenArgs) -> Result<ExitCode, String> {
    if let (Some(file), Some(exchange), Some(question), Some(corpus)) =
        (&args.record, &args.exchange, &args.question, &args.corpus)
    {
        return record(args, file, exchange, question, corpus).await;
    }
    let transcripts = Transcript::all(&args.data)?;
    if transcripts.is_empty() {
        return Err(format!("could not find a transcript in {}", args.data.display()));
    }
    let mut open: BTreeMap<String, Arc<Corpus>> = BTreeMap::new();
    let mut sums = Sums::default();
    let mut measured =
        crate::record::Record::new("golden").with("only", args.only.as_deref().unwrap_or("all"));
    for (name, transcript) in transcripts {
        if args.only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            continue;
        }
        measured.read(&args.data.join(format!("{name}.json")))?;
        if !open.contains_key(&transcript.corpus) {
            let corpus = Arc::new(corpus(&args.corpora, &transcript.corpus)?);
            open.insert(transcript.corpus.clone(), corpus);
        }
        let model = Arc::new(Written::kept(&transcript.replies));
        let corpus = Arc::clone(&open[&transcript.corpus]);
        // What is kept is what was replied; the run is one of now.
        let options = Options { derivations: Derivations::LATEST, ..transcript.options.clone() };
        let finished = ask(corpus, Arc::clone(&model), &transcript.question, options).await?;
        sums.add(&name, &transcript, &finished, &model.record(), args.all);
    }
    let clean = sums.report();
    sums.put(&mut measured);
    let settled = args.gate.settle(&measured)?;
    Ok(if clean { settled } else { ExitCode::FAILURE })
}

async fn record(
    args: &GoldenArgs,
    file: &Path,
    exchange: &Path,
    question: &str,
    name: &str,
) -> Result<ExitCode, String> {
    std::fs::create_dir_all(exchange)
        .map_err(|cause| format!("could not make {}: {cause}", exchange.display()))?;
    let options = options(args.options.as_deref())?;
    let corpus = Arc::new(corpus(&args.corpora, name)?);
    let patience = Duration::from_secs(args.patience);
    let model = Arc::new(Written::exchange(exchange, patience));
    let finished = ask(corpus, Arc::clone(&model), question, options.clone()).await?;
    println!("{}", to_markdown(&finished.answer));
    let transcript = Transcript {
        origin: "written".to_owned(),
        question: question.to_owned(),
        corpus: name.to_owned(),
        options,
        replies: model.record().replies,
        faults: Vec::new(),
    };
    transcript.write(file)?;
    println!("{} replies written to {}", transcript.replies.len(), file.display());
    Ok(ExitCode::SUCCESS)
}

/// The usual options with a language model, and what the caller wants otherwise.
fn options(wanted: Option<&str>) -> Result<Options, String> {
    let usual = Options { autonomous: true, hypotheses: true, ..Options::default() };
    let Some(wanted) = wanted else { return Ok(usual) };
    let failed = |cause: serde_json::Error| format!("could not read the options: {cause}");
    let mut merged = serde_json::to_value(usual).map_err(failed)?;
    let wanted: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(wanted).map_err(failed)?;
    for (key, value) in wanted {
        merged[key.as_str()] = value;
    }
    serde_json::from_value(merged).map_err(failed)
}

/// A corpus by name, in memory.
pub(crate) fn corpus(corpora: &Path, name: &str) -> Result<Corpus, String> {
    let folder =
        if name == "harbor" { PathBuf::from("examples/harbor") } else { corpora.join(name) };
    let mut corpus =
        Corpus::in_memory(&folder, Some(builtin_vectors())).map_err(|e| e.to_string())?;
    corpus.sync(&mut |_| {}).map_err(|e| e.to_string())?;
    Ok(corpus)
}

async fn ask(
    corpus: Arc<Corpus>,
    model: Arc<Written>,
    question: &str,
    options: Options,
) -> Result<Finished, String> {
    let verifier = Arc::new(BuiltinVerifier::default());
    let ports = Ports {
        memory: None,
        elsewhere: Vec::new(),
        model,
        retriever: corpus,
        embedder: Arc::new(BuiltinEmbedder),
        judge: Some(Judge { verifier, judging: judging() }),
        store: Arc::new(MemoryStore::new()),
        clock: Arc::new(SystemClock),
    };
    // A person writes more slowly than a model.
    let deadlines = Deadlines { model: Duration::from_hours(2), ..Deadlines::default() };
    let engine = Engine::new(ports, Settings { deadlines, ..Settings::default() });
    let handle = engine.start(question, options, 1).await.map_err(|e| e.to_string())?;
    handle.join().await.map_err(|e| e.to_string())
}

#[derive(Default)]
struct Sums {
    runs: usize,
    audit: usize,
    missing: usize,
    moved: usize,
    /// Faults in replies that nobody asked for.
    unasked: usize,
    /// By kind: caught and all.
    faults: BTreeMap<String, (usize, usize)>,
}

impl Sums {
    fn add(
        &mut self,
        name: &str,
        transcript: &Transcript,
        finished: &Finished,
        record: &Record,
        all: bool,
    ) {
        let report = to_markdown(&finished.answer);
        let audit = finished.run.view().audit();
        println!(
            "== {name}: {}\n   {} rounds, {} replies ({} to a prompt that has changed, {} missing), {} asked again, {} repairs, {} audit notes, {}",
            transcript.question,
            finished.answer.receipt.rounds,
            record.replies.len(),
            record.moved,
            record.missing.len(),
            record.asked_again,
            record.repairs,
            audit.len(),
            finished.answer.stop_reason.sentence()
        );
        for note in audit {
            println!("   audit: {}: {}", note.at, note.text);
        }
        for fault in &transcript.faults {
            if !record.used.contains(&fault.reply) {
                // The run took another way than when it was written; the fault was not put to the test.
                self.unasked += 1;
                println!("   not asked for: {} ({})", fault.kind, fault.what);
                continue;
            }
            let slipped = fault.slipped(&report);
            let entry = self.faults.entry(fault.kind.clone()).or_default();
            entry.0 += usize::from(!slipped);
            entry.1 += 1;
            println!(
                "   {}: {} ({})",
                if slipped { "SLIPPED" } else { "caught" },
                fault.kind,
                fault.what
            );
        }
        if all {
            println!("{report}");
        }
        self.runs += 1;
        self.audit += audit.len();
        self.missing += record.missing.len();
        self.moved += record.moved;
    }

    /// What was caught, for the record.
    fn put(&self, record: &mut crate::record::Record) {
        for (kind, (caught, all)) in &self.faults {
            record.put("planted", kind, *all, vec![Measure::share(What::Recall, *caught, *all)]);
        }
        let (caught, all) = self.caught();
        record.put("planted", "all", all, vec![Measure::share(What::Recall, caught, all)]);
    }

    /// Faults that were caught, of all.
    fn caught(&self) -> (usize, usize) {
        self.faults.values().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    }

    /// Prints the sums, and tells whether every answer is clean.
    fn report(&self) -> bool {
        println!(
            "\n{} runs, {} audit notes, {} replies to prompts that have changed, {} prompts without a reply",
            self.runs, self.audit, self.moved, self.missing
        );
        for (kind, (caught, all)) in &self.faults {
            println!("{kind}: caught {caught} of {all}");
        }
        let (caught, all) = self.caught();
        println!("planted faults caught: {}", share(caught, all));
        println!("planted in replies that were not asked for, and not counted: {}", self.unasked);
        self.audit == 0
    }
}
