//! Elenchus judges itself here: labelled questions, retrieval metrics. Never shipped.

#![expect(clippy::print_stdout, reason = "a program that reports figures")]

mod anchors;
mod answers;
mod bandit;
mod calibration;
mod citations;
mod claims;
mod decomposition;
mod distil_speed;
mod e2e;
mod extraction;
mod fallacies;
mod folder;
mod gaps;
mod golden;
mod injection;
mod key;
mod learning;
mod locomo;
mod memory_speed;
mod metrics;
mod pages_speed;
mod reader;
mod reasoning;
mod record;
mod rename;
mod retrieval;
#[cfg(feature = "servers")]
mod scale;
mod secrets;
mod spans;
mod speed;
mod stats;
mod succession;
mod swaps;
mod verifiers;
mod whole;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "elenchus-evals", about = "Measures elenchus on labelled data.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Asks every question of a key and judges the answers.
    Answers {
        /// The question key (JSON lines).
        #[arg(long)]
        key: PathBuf,
        /// The folder of documents.
        #[arg(long)]
        corpus: PathBuf,
        /// A map of names: the corpus, the questions and the key are renamed first (the control).
        #[arg(long)]
        rename: Option<PathBuf>,
        /// Only questions whose id contains this.
        #[arg(long)]
        only: Option<String>,
        /// Only every so-manieth of them, the first included: a sample that takes less time.
        #[arg(long, default_value_t = 1)]
        every: usize,
        /// This question beside the sample, told by itself; may be given several times.
        #[arg(long, value_name = "ID")]
        also: Vec<String>,
        /// Print every wrong answer.
        #[arg(long)]
        wrong: bool,
        /// Print every answer.
        #[arg(long)]
        all: bool,
        /// Fail when the share of right answers is below this.
        #[arg(long)]
        at_least: Option<f64>,
        /// Append the features that acceptance is fitted on to this file.
        #[arg(long)]
        features: Option<PathBuf>,
        /// Write what became of each question (JSON lines) to this file.
        #[arg(long)]
        each: Option<PathBuf>,
    },
    /// Reads trafilatura's labelled web pages, beside trafilatura where a Python has it.
    Extraction {
        /// The folder `tests` of trafilatura's repository.
        #[arg(long)]
        data: PathBuf,
        /// Which pages: those that rules were made on, the others, or all.
        #[arg(long, value_enum, default_value = "held-out")]
        half: extraction::Half,
        /// A Python that has trafilatura, to run beside.
        #[arg(long)]
        python: Option<PathBuf>,
        /// Print what was missed (of the tuning half only).
        #[arg(long)]
        wrong: bool,
        /// Times every page is read; the fastest counts.
        #[arg(long, default_value_t = 1)]
        repeats: usize,
        /// Write the texts to this folder.
        #[arg(long)]
        texts: Option<PathBuf>,
    },
    /// Asks a key's questions without a memory, with one that fills, and with what it then holds.
    Learning {
        /// The question key (JSON lines).
        #[arg(long)]
        key: PathBuf,
        /// The folder of documents.
        #[arg(long)]
        corpus: PathBuf,
        /// Asked in the last pass in place of the first key.
        #[arg(long)]
        then: Option<PathBuf>,
        /// Print every question whose verdict the memory turned.
        #[arg(long)]
        show: bool,
    },
    /// The answer reader on our own documents and questions: the right unit, its words, near misses.
    Reader {
        /// The folder of documents with their questions.
        #[arg(long)]
        documents: PathBuf,
        /// Also the documents that the reader was trained on.
        #[arg(long)]
        all: bool,
        #[command(flatten)]
        gate: record::Gate,
    },
    /// The succession reader on pairs of an older and a later statement that it was not trained on.
    Succession {
        /// The folder of pairs.
        #[arg(long)]
        pairs: PathBuf,
        #[command(flatten)]
        gate: record::Gate,
    },
    /// nDCG@10 and recall on a retrieval set in the SciFact form.
    Retrieval {
        /// Documents (JSON lines with `_id`, `title`, `text` or `sentences`).
        #[arg(long)]
        documents: PathBuf,
        /// Queries (JSON lines with `text` and `relevant`).
        #[arg(long)]
        queries: PathBuf,
        /// A folder with an ONNX sentence embedder instead of the built-in table.
        #[arg(long)]
        onnx: Option<PathBuf>,
        #[command(flatten)]
        gate: record::Gate,
    },
    /// Claim checking on labelled pairs: what ships, in-domain, and on sets that were left out, beside the floors.
    Claims(claims::ClaimsArgs),
    /// A verifier with the figures that ship, on any folder of labelled pairs: calibration, risk and coverage.
    Calibration(calibration::CalibrationArgs),
    /// Matched F1 of claim extraction against human facts, beside the floors.
    Decomposition {
        /// A folder of answers in the FActScore form (JSON lines).
        #[arg(long)]
        data: PathBuf,
        #[command(flatten)]
        gate: record::Gate,
    },
    /// Every key that comes with the program, each with its folder, in one table.
    E2e(e2e::E2eArgs),
    /// Evidence selection against gold sentences, and word by word grounding.
    Spans {
        /// A folder of sets, WiCE and SciFact among them.
        #[arg(long)]
        data: PathBuf,
        /// Fit the weights anew and print them.
        #[arg(long)]
        fit: bool,
        #[command(flatten)]
        gate: record::Gate,
    },
    /// Swapped numbers, names, negations and the like: how many are noticed, and false alarms on what is right.
    Swaps(swaps::SwapsArgs),
    /// Fallacies: naming, detection and false alarms; and the fitting of the linear model.
    Fallacies(fallacies::FallaciesArgs),
    /// One missing thing in several phrasings: how many the ledger of gaps takes for one, and what else it takes for it.
    Gaps(gaps::GapsArgs),
    /// Citation precision as readers judged it, added up.
    Citations(citations::CitationsArgs),
    /// Whole runs with a language model's replies written by hand: how many planted faults are caught.
    Golden(golden::GoldenArgs),
    /// Evidence recall on long conversations (LoCoMo), without a model.
    Locomo(locomo::LocomoArgs),
    /// How long a search of the memory takes, beside SQLite's full-text search over the same texts.
    MemorySpeed(memory_speed::MemorySpeedArgs),
    /// Pages fetched and read a second on the loopback interface, beside plain requests and trafilatura.
    PagesSpeed(pages_speed::PagesSpeedArgs),
    /// How many finished runs a minute are distilled, beside plain rows of SQLite.
    DistilSpeed(distil_speed::DistilSpeedArgs),
    /// Journals, vectors and workers beside each other: SQLite, PostgreSQL, and Qdrant where QDRANT_URL names one.
    #[cfg(feature = "servers")]
    Scale(scale::ScaleArgs),
    /// How well whole runs reason: recorded ones, and small worlds in which the truth is planted.
    Reasoning(reasoning::ReasoningArgs),
    /// Pages that give orders and a model that obeys them: what happens that nobody asked for.
    Injection(injection::InjectionArgs),
    /// A source that lies among honest ones: how sure a wrong answer gets, and whether the disagreement is shown.
    Poisoning(injection::PoisoningArgs),
    /// Whether the bank learns: a bandit that drifts, beside the formulas of the first design and no learning.
    Bandit(bandit::BanditArgs),
    /// Secrets in text: kinds that are taken out, look-alikes that are hurt.
    Secrets {
        /// The folder with `own_secrets_positive_split.jsonl` and `own_secrets_negative.jsonl`.
        #[arg(long)]
        data: PathBuf,
        /// Print what was left and what was altered.
        #[arg(long)]
        wrong: bool,
        #[command(flatten)]
        gate: record::Gate,
    },
    /// What a person waits for and what the machine must hold: whole processes, each beside a baseline.
    Speed {
        /// The release build of `elenchus`.
        #[arg(long)]
        binary: PathBuf,
        /// A folder of documents to ingest and ask; may be given several times.
        #[arg(long)]
        corpus: Vec<PathBuf>,
        /// A question for the corpora; may be given several times.
        #[arg(long, default_value = "Who is responsible, and since when?")]
        question: Vec<String>,
        /// Sizes of the generated corpora, in passages.
        #[arg(long, value_delimiter = ',', default_value = "10000")]
        passages: Vec<usize>,
        /// Searches a corpus.
        #[arg(long, default_value_t = 300)]
        searches: usize,
        /// Starts of the program a figure.
        #[arg(long, default_value_t = 20)]
        repeats: usize,
        /// A Python with the package `tantivy`, which indexes the generated corpora too.
        #[arg(long)]
        tantivy: Option<PathBuf>,
    },
}

#[tokio::main]
async fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Learning { key, corpus, then, show } => {
            learning::run(&learning::Learn { key, corpus, then, show }).await
        }
        Command::Answers {
            key,
            corpus,
            rename,
            only,
            every,
            also,
            wrong,
            all,
            at_least,
            features,
            each,
        } => {
            answers::run(&answers::Ask {
                key,
                corpus,
                rename,
                only,
                every,
                also,
                wrong,
                all,
                at_least,
                features,
                each,
            })
            .await
        }
        Command::Retrieval { documents, queries, onnx, gate } => {
            retrieval::run(&documents, &queries, onnx.as_deref(), &gate)
        }
        Command::Claims(args) => Box::pin(claims::run(&args)).await,
        Command::Calibration(args) => Box::pin(calibration::run(&args)).await,
        Command::Decomposition { data, gate } => decomposition::run(&data, &gate),
        Command::E2e(args) => Box::pin(e2e::run(&args)).await,
        Command::Spans { data, fit, gate } => spans::run(&data, fit, &gate),
        Command::Swaps(args) => swaps::run(&args),
        Command::Bandit(args) => bandit::run(&args),
        Command::Gaps(args) => gaps::run(&args),
        Command::Citations(args) => citations::run(&args),
        Command::Extraction { data, half, python, wrong, repeats, texts } => {
            extraction::run(&extraction::Extraction { data, half, python, wrong, repeats, texts })
        }
        Command::Secrets { data, wrong, gate } => secrets::run(&data, wrong, &gate),
        Command::Succession { pairs, gate } => succession::run(&pairs, &gate),
        Command::Reader { documents, all, gate } => reader::run(&documents, all, &gate),
        Command::Fallacies(args) => fallacies::run(&args),
        Command::Injection(args) => Box::pin(injection::run(&args)).await,
        Command::Poisoning(args) => Box::pin(injection::run_poisoning(&args)).await,
        Command::Golden(args) => golden::run(&args).await,
        Command::Locomo(args) => locomo::run(&args),
        Command::MemorySpeed(args) => Box::pin(memory_speed::run(&args)).await,
        Command::PagesSpeed(args) => Box::pin(pages_speed::run(&args)).await,
        Command::DistilSpeed(args) => Box::pin(distil_speed::run(&args)).await,
        #[cfg(feature = "servers")]
        Command::Scale(args) => scale::run(&args).await,
        Command::Reasoning(args) => reasoning::run(&args).await,
        Command::Speed { binary, corpus, question, passages, searches, repeats, tantivy } => {
            speed::run(&speed::Speed {
                binary,
                corpora: corpus,
                questions: question,
                passages,
                searches,
                repeats,
                tantivy,
            })
            .await
        }
    };
    match outcome {
        Ok(code) => code,
        Err(error) => {
            println!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
