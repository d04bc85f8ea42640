//! Where runs come from: worlds and transcripts are run through the whole engine, those of a store are replayed.

use super::guards::Rejudge;
use super::observed::Observed;
use super::planted::{StatementSeen, compare};
use super::scripted::Scripted;
use super::world::World;
use crate::golden::corpus;
use crate::golden::transcript::Transcript;
use crate::golden::written::Written;
use elenchus_core::answer::to_markdown;
use elenchus_core::belief::{Claim, Judging, Verdict};
use elenchus_core::id::{ClaimId, RunId};
use elenchus_core::inquiry::{Budget, Derivations, Options, Run};
use elenchus_core::journal::JournalRecord;
use elenchus_core::port::{Model, Store};
use elenchus_engine::{CheckLimits, Cited, Engine, Judge, Ports, Settings, check};
use elenchus_io::clock::SystemClock;
use elenchus_io::embed::BuiltinEmbedder;
use elenchus_io::retrieve::{Corpus, builtin_vectors};
use elenchus_io::store::{MemoryStore, SqliteOptions, SqliteStore};
use elenchus_io::verify::{BuiltinVerifier, judging};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// One verifier for everything that is measured in a sitting.
pub(crate) struct Sitting {
    verifier: Arc<BuiltinVerifier>,
    judging: Judging,
    only: Option<String>,
    answers: bool,
}

/// A run that came to its end.
pub(crate) struct Ran {
    pub(crate) journal: Vec<JournalRecord>,
}

impl Sitting {
    pub(crate) fn new(only: Option<String>, answers: bool) -> Self {
        let verifier = Arc::new(BuiltinVerifier::default());
        Self { verifier, judging: judging(), only, answers }
    }

    fn wants(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| name.contains(only.as_str()))
    }

    /// Every world of a folder, and each again under tight budgets.
    pub(crate) async fn worlds(&self, folder: &Path) -> Result<Vec<Observed>, String> {
        let mut out = Vec::new();
        for (name, world) in World::all(folder)? {
            if self.wants(&name) {
                out.extend(self.world(&name, &world).await?);
            }
        }
        if out.is_empty() {
            println!("no world in {}", folder.display());
        }
        Ok(out)
    }

    /// One world, and the same under tight budgets.
    pub(crate) async fn world(&self, name: &str, world: &World) -> Result<Vec<Observed>, String> {
        let failed = |cause: String| format!("could not run the world {name}: {cause}");
        let scratch = tempfile::tempdir().map_err(|cause| failed(cause.to_string()))?;
        let folder = scratch.path().join(name);
        world.lay_down(&folder)?;
        let corpus = Arc::new(in_memory(&folder).map_err(failed)?);
        let options = world.run_options()?;
        let model = Arc::new(Scripted::of(world));
        let ran =
            self.ask(&corpus, Arc::clone(&model) as _, &world.question, options.clone()).await?;
        for key in model.left() {
            println!("{name}: a scripted reply to {key} was never asked for");
        }
        let (mut observed, run) = Observed::of("world", name, &ran.journal)?;
        self.guard(&mut observed, &run);
        if let Some(answer) = run.view().answer() {
            if self.answers {
                println!("{}", to_markdown(answer));
            }
            compare(world, &run, answer, &mut observed);
        }
        observed.known.statements = self.statements(world, &corpus).await;
        for (planted, seen) in world.truth.statements.iter().zip(&observed.known.statements) {
            if seen.said != seen.supported {
                let is = if seen.supported { "borne out" } else { "not borne out" };
                observed.known.misses.push(format!("misjudged, truly {is}: {}", planted.text));
            }
        }
        let mut out = vec![observed];
        for budget in tight(options.budget) {
            let options = Options { budget, ..options.clone() };
            let model = Arc::new(Scripted::of(world));
            let ran = self.ask(&corpus, model, &world.question, options).await?;
            out.push(Observed::of("tight budget", name, &ran.journal)?.0);
        }
        Ok(out)
    }

    /// The statements of a world, judged as the checking of a text judges them.
    async fn statements(&self, world: &World, corpus: &Corpus) -> Vec<StatementSeen> {
        let planted = &world.truth.statements;
        let claims = planted.iter().enumerate().map(|(at, statement)| Cited {
            unreadable: None,
            claim: Claim::stated(ClaimId(format!("c{}", at + 1)), &statement.text),
            paths: vec![],
        });
        let checked = check(
            claims.collect(),
            corpus,
            self.verifier.as_ref(),
            self.judging.thresholds,
            Some(&self.judging.calibration),
            CheckLimits::default(),
        )
        .await;
        planted
            .iter()
            .zip(&checked.assessed.entailments)
            .map(|(statement, entailment)| StatementSeen {
                supported: statement.supported,
                said: entailment.verdict == Verdict::Entailed,
            })
            .collect()
    }

    /// Every transcript of a folder. None is a clear message and no failure; so is a corpus that is not there.
    pub(crate) async fn golden(
        &self,
        folder: &Path,
        corpora: &Path,
    ) -> Result<Vec<Observed>, String> {
        let transcripts = if folder.is_dir() { Transcript::all(folder)? } else { Vec::new() };
        if transcripts.is_empty() {
            println!("no golden transcript in {}: worlds and stores only", folder.display());
        }
        let mut out = Vec::new();
        let mut open: BTreeMap<String, Arc<Corpus>> = BTreeMap::new();
        for (name, transcript) in transcripts {
            if !self.wants(&name) {
                continue;
            }
            if !open.contains_key(&transcript.corpus) {
                match corpus(corpora, &transcript.corpus) {
                    Ok(found) => open.insert(transcript.corpus.clone(), Arc::new(found)),
                    Err(cause) => {
                        println!("skip: {name}: {cause}");
                        continue;
                    }
                };
            }
            let model = Arc::new(Written::kept(&transcript.replies));
            let corpus = &open[&transcript.corpus];
            let options =
                Options { derivations: Derivations::LATEST, ..transcript.options.clone() };
            let ran = self.ask(corpus, model, &transcript.question, options).await?;
            let (mut observed, run) = Observed::of("golden", &name, &ran.journal)?;
            self.guard(&mut observed, &run);
            out.push(observed);
        }
        Ok(out)
    }

    /// Every finished run of a store.
    pub(crate) async fn store(&self, file: &Path) -> Result<Vec<Observed>, String> {
        if !file.is_file() {
            return Err(format!(
                "could not open the store {}: there is no such file; `elenchus ask` keeps its runs in one",
                file.display()
            ));
        }
        let store =
            SqliteStore::open(file, &SqliteOptions::default()).map_err(|e| e.to_string())?;
        self.recorded(&store).await
    }

    /// Every finished run that a store keeps.
    pub(crate) async fn recorded(&self, store: &dyn Store) -> Result<Vec<Observed>, String> {
        let mut out = Vec::new();
        for summary in store.runs().await.map_err(|e| e.to_string())? {
            let name = summary.run_id.to_string();
            if !self.wants(&name) {
                continue;
            }
            let journal = store.journal(&summary.run_id).await.map_err(|e| e.to_string())?;
            match Observed::of("store", &name, &journal) {
                Ok((mut observed, run)) => {
                    self.guard(&mut observed, &run);
                    out.push(observed);
                }
                Err(cause) => println!("skip: {name}: {cause}"),
            }
        }
        Ok(out)
    }

    fn guard(&self, observed: &mut Observed, run: &Run) {
        let rejudge = Rejudge { verifier: &self.verifier, judging: &self.judging };
        if let Some(answer) = run.view().answer() {
            observed.guards = rejudge.run(answer, &run.view().passages());
        }
    }

    async fn ask(
        &self,
        corpus: &Arc<Corpus>,
        model: Arc<dyn Model>,
        question: &str,
        options: Options,
    ) -> Result<Ran, String> {
        let store = Arc::new(MemoryStore::new());
        let run_id =
            self.ask_into(Arc::clone(&store) as _, corpus, model, question, options).await?;
        let journal = store.journal(&run_id).await.map_err(|e| e.to_string())?;
        Ok(Ran { journal })
    }

    /// Runs a question to its end and leaves it in the store.
    pub(crate) async fn ask_into(
        &self,
        store: Arc<dyn Store>,
        corpus: &Arc<Corpus>,
        model: Arc<dyn Model>,
        question: &str,
        options: Options,
    ) -> Result<RunId, String> {
        let verifier = Arc::clone(&self.verifier);
        let ports = Ports {
            memory: None,
            elsewhere: Vec::new(),
            model,
            retriever: Arc::clone(corpus) as _,
            embedder: Arc::new(BuiltinEmbedder),
            judge: Some(Judge { verifier, judging: self.judging.clone() }),
            store,
            clock: Arc::new(SystemClock),
        };
        let engine = Engine::new(ports, Settings::default());
        let handle = engine.start(question, options, 1).await.map_err(|e| e.to_string())?;
        let finished = handle.join().await.map_err(|e| e.to_string())?;
        Ok(finished.answer.run_id)
    }
}

/// A corpus of a folder, in memory.
pub(crate) fn in_memory(folder: &Path) -> Result<Corpus, String> {
    let mut corpus =
        Corpus::in_memory(folder, Some(builtin_vectors())).map_err(|e| e.to_string())?;
    corpus.sync(&mut |_| {}).map_err(|e| e.to_string())?;
    Ok(corpus)
}

/// Budgets that cut a run short in one way each.
fn tight(usual: Budget) -> [Budget; 4] {
    [
        Budget { rounds: 1, ..usual },
        Budget { passages: 2, ..usual },
        Budget { model_calls: Some(4), ..usual },
        Budget { tokens: Some(3000), ..usual },
    ]
}
