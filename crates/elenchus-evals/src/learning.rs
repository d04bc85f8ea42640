//! Whether runs get better by what earlier ones learned: a key's questions without a memory, with one that fills as they are
//! asked, and again with what it then holds.

use crate::answers::{Verdict, judge};
use crate::key::{Item, Kind, read};
use crate::stats::share;
use elenchus_core::bank::{BankSettings, Caller};
use elenchus_core::inquiry::Options;
use elenchus_core::port::{Bank, Stats};
use elenchus_core::trace::Credit;
use elenchus_engine::{Distiller, Engine, Ports, Remembering, Settings};
use elenchus_io::bank::SqliteBank;
use elenchus_io::clock::SystemClock;
use elenchus_io::embed::BuiltinEmbedder;
use elenchus_io::model::ExtractiveModel;
use elenchus_io::retrieve::{Corpus, builtin_vectors};
use elenchus_io::store::MemoryStore;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// What to ask of what.
pub(crate) struct Learn {
    pub(crate) key: PathBuf,
    pub(crate) corpus: PathBuf,
    /// Asked in the last pass in place of the first key: the same matters in other words.
    pub(crate) then: Option<PathBuf>,
    pub(crate) show: bool,
}

/// One pass over a key.
#[derive(Default)]
struct Pass {
    name: &'static str,
    asked: Vec<(Item, Verdict)>,
    rounds: u32,
    searches: u32,
    /// Questions that were answered, and not in the first round.
    late: usize,
    credits: Vec<Credit>,
}

pub(crate) async fn run(learn: &Learn) -> Result<ExitCode, String> {
    let items = read(&learn.key)?;
    let again = learn.then.as_deref().map(read).transpose()?.unwrap_or_else(|| items.clone());
    let scratch =
        tempfile::tempdir().map_err(|e| format!("could not make a scratch folder: {e}"))?;
    let index = scratch.path().join("index.db");
    let mut corpus =
        Corpus::open(&index, &learn.corpus, Some(builtin_vectors())).map_err(|e| e.to_string())?;
    corpus.sync(&mut |_| {}).map_err(|e| e.to_string())?;
    let settings = BankSettings { exploration: 0.0, ..BankSettings::default() };
    let bank: Arc<dyn Bank> =
        Arc::new(SqliteBank::in_memory(settings.clone()).map_err(|e| e.to_string())?);
    let caller = Caller::local("evals");
    let memory = Remembering {
        bank: Arc::clone(&bank),
        // What is measured here is what strategies do.
        memos: None,
        caller: caller.clone(),
        min_confidence: settings.min_for_injection,
        limit: 3,
    };
    let ports = Ports {
        memory: None,
        elsewhere: Vec::new(),
        model: Arc::new(ExtractiveModel::new()),
        retriever: Arc::new(corpus),
        embedder: Arc::new(BuiltinEmbedder),
        judge: None,
        store: Arc::new(MemoryStore::new()),
        clock: Arc::new(SystemClock),
    };
    let engine = Engine::new(ports, Settings::default());
    let distiller = Distiller::new(Arc::clone(&bank), None, Arc::new(SystemClock), settings);
    let without = pass("without", &engine, &again, None, 0).await?;
    let engine = engine.remembering(Some(memory));
    let first = pass("learning", &engine, &items, Some(&distiller), 10_000).await?;
    let taught = pass("taught", &engine, &again, None, 20_000).await?;
    for one in [&without, &first, &taught] {
        print(one);
    }
    changes(&without, &taught, learn.show);
    let held: Stats =
        bank.stats(&caller, elenchus_core::id::Timestamp(0)).await.map_err(|e| e.to_string())?;
    println!(
        "memories: {} to follow, {} to avoid; credited: used {} of {} shown, of those {} led to the answer and {} did not",
        held.active - held.avoid,
        held.avoid,
        taught.credits.iter().filter(|credit| credit.used).count(),
        taught.credits.len(),
        taught.credits.iter().filter(|credit| credit.succeeded == Some(true)).count(),
        taught.credits.iter().filter(|credit| credit.succeeded == Some(false)).count(),
    );
    Ok(ExitCode::SUCCESS)
}

async fn pass(
    name: &'static str,
    engine: &Engine,
    items: &[Item],
    learns: Option<&Distiller>,
    seed: u64,
) -> Result<Pass, String> {
    let mut pass = Pass { name, ..Pass::default() };
    for (at, item) in items.iter().enumerate() {
        let options = Options { autonomous: true, ..Options::default() };
        let handle = engine
            .start(&item.question, options, seed + at as u64)
            .await
            .map_err(|e| e.to_string())?;
        let finished = handle.join().await.map_err(|e| e.to_string())?;
        if let Some(cause) = finished.unremembered {
            return Err(cause);
        }
        if let Some(distiller) = learns {
            distiller.work().await.map_err(|e| e.to_string())?;
        }
        let answered = !finished.answer.claims.is_empty();
        pass.late += usize::from(answered && finished.answer.receipt.rounds > 1);
        pass.rounds += u32::from(finished.answer.receipt.rounds);
        pass.searches += finished.answer.receipt.searches;
        pass.credits.extend(finished.run.view().credits().iter().cloned());
        let verdict = judge(item, &finished.answer, 0);
        pass.asked.push((item.clone(), verdict));
    }
    Ok(pass)
}

fn print(pass: &Pass) {
    let of = |unanswerable: bool| {
        let of: Vec<bool> = pass
            .asked
            .iter()
            .filter(|(item, _)| (item.kind == Kind::Unanswerable) == unanswerable)
            .map(|(_, verdict)| verdict.right)
            .collect();
        share(of.iter().filter(|right| **right).count(), of.len())
    };
    let n = pass.asked.len().max(1) as f64;
    println!(
        "{:<9} answerable right {}, unanswerable left open {}, {:.2} rounds and {:.2} searches a question; {} answered after the first round",
        pass.name,
        of(false),
        of(true),
        f64::from(pass.rounds) / n,
        f64::from(pass.searches) / n,
        pass.late,
    );
}

/// Which answers the memory turned, and which way.
fn changes(before: &Pass, after: &Pass, show: bool) {
    let (mut better, mut worse) = (0, 0);
    for ((item, was), (_, is)) in before.asked.iter().zip(&after.asked) {
        if was.right == is.right {
            continue;
        }
        better += usize::from(is.right);
        worse += usize::from(was.right);
        if show {
            println!(
                "{} {}: {}",
                if is.right { "now right" } else { "now wrong" },
                item.id,
                item.question
            );
        }
    }
    println!("turned right by the memory: {better}; turned wrong: {worse}");
}
