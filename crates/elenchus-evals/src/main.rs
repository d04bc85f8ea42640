//! Elenchus judges itself here: labelled questions, retrieval metrics. Never shipped.

#![expect(clippy::print_stdout, reason = "a program that reports figures")]

mod answers;
mod key;
mod rename;
mod retrieval;
mod stats;

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
    },
}

#[tokio::main]
async fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Answers { key, corpus, rename, only, wrong, all, at_least, features } => {
            answers::run(&answers::Ask {
                key,
                corpus,
                rename,
                only,
                wrong,
                all,
                at_least,
                features,
            })
            .await
        }
        Command::Retrieval { documents, queries, onnx } => {
            retrieval::run(&documents, &queries, onnx.as_deref())
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
