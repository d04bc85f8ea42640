//! Ports for tests: a bank in memory with the simplest rules that hold its contract, and runs that are over at once.

mod memos;

use super::Parts;
use super::ports::{
    Checker, Checking, Fetched, Finder, Found, Inquiry, Pages, Progress, Refusal, Researcher,
    Scorer, Scoring, Told, Verification,
};
use elenchus_core::answer::Answer;
use elenchus_core::bank::{
    BankSettings, Caller, Draft, Outcome, Signal, Standing, Strategy, standing_at_first,
};
use elenchus_core::belief::{Assessed, Thresholds};
use elenchus_core::id::{RunId, SearchId, StrategyId, Timestamp, short_hash};
use elenchus_core::inquiry::NewLimits;
use elenchus_core::measure::Explained;
use elenchus_core::port::{
    Bank, BankFailure, Clock, Edit, Exported, Failed, GivenUp, Held, Listing, Memos, PortFuture,
    Queued, Recall, Recalled, Recorded, SignalGiven, Signalled, Stats, Usage,
};
use elenchus_core::scrutiny::fallacy::{Finding, Options, Point, Reader, detect};
use elenchus_engine::CheckedText;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

type Done<'a, T> = PortFuture<'a, Result<T, BankFailure>>;

/// Strategies of all tenants.
#[derive(Default)]
pub(crate) struct MemoryBank {
    rows: Mutex<Vec<(String, Held)>>,
    queue: Mutex<Vec<Queued>>,
}

fn ready<'a, T: Send + 'a>(result: Result<T, BankFailure>) -> Done<'a, T> {
    Box::pin(std::future::ready(result))
}

fn unused<'a, T: Send + 'a>() -> Done<'a, T> {
    ready(Err(BankFailure::Io { attempted: "use it".to_owned(), cause: "a test bank".to_owned() }))
}

impl MemoryBank {
    fn all(&self, caller: &Caller) -> Vec<Held> {
        let rows = self.rows.lock().unwrap();
        rows.iter()
            .filter(|(tenant, _)| *tenant == caller.tenant)
            .map(|(_, held)| held.clone())
            .collect()
    }

    fn one(&self, caller: &Caller, id: &StrategyId) -> Result<Held, BankFailure> {
        let found = self.all(caller).into_iter().find(|held| held.strategy.id == *id);
        found.ok_or_else(|| BankFailure::Unknown(id.clone()))
    }
}

impl Bank for MemoryBank {
    fn search<'a>(
        &'a self,
        caller: &'a Caller,
        recall: &'a Recall,
        _: Timestamp,
    ) -> Done<'a, Recalled> {
        assert_ne!(recall.query, "panic", "a test wants to see what comes of it");
        let word = recall.query.to_lowercase();
        let mut memories: Vec<Held> = self
            .all(caller)
            .into_iter()
            .filter(|held| held.strategy.draft.content.to_lowercase().contains(&word))
            .filter(|held| recall.outcome.is_none_or(|o| o == held.strategy.draft.outcome))
            .collect();
        let total_found = memories.len();
        memories.retain(|held| held.confidence >= recall.min_confidence);
        let hidden_below_min_confidence = total_found - memories.len();
        memories.truncate(recall.limit);
        let (memories, avoid) =
            memories.into_iter().partition(|held| held.strategy.draft.outcome == Outcome::Success);
        let search_id = SearchId::from("sea_0123456789ab");
        ready(Ok(Recalled {
            search_id,
            memories,
            avoid,
            total_found,
            hidden_below_min_confidence,
            hidden_as_far: 0,
        }))
    }

    fn record<'a>(
        &'a self,
        caller: &'a Caller,
        draft: &'a Draft,
        now: Timestamp,
    ) -> Done<'a, Recorded> {
        let key = format!("{}\0{}\0{}", caller.tenant, draft.title, draft.content);
        let id = StrategyId(format!("mem_{}", short_hash(key.as_bytes(), 12)));
        if let Ok(held) = self.one(caller, &id) {
            return ready(Ok(Recorded { held, already_there: true, scrubbed: Vec::new() }));
        }
        let strategy = Strategy {
            id,
            draft: draft.clone(),
            standing: standing_at_first(draft, &[], 0),
            actor: caller.actor.clone(),
            created_at: now,
            edited_at: now,
        };
        let held = Held {
            strategy,
            confidence: 0.8,
            interval: (0.5, 0.95),
            posterior: None,
            calibrated: None,
            usage_count: 0,
            relevance: 0.0,
            exploration: false,
            far: false,
            ranked: None,
            lift: None,
        };
        self.rows.lock().unwrap().push((caller.tenant.clone(), held.clone()));
        ready(Ok(Recorded { held, already_there: false, scrubbed: Vec::new() }))
    }

    fn unvote<'a>(
        &'a self,
        caller: &'a Caller,
        id: &'a StrategyId,
        _: Timestamp,
    ) -> Done<'a, bool> {
        ready(self.one(caller, id).map(|_| false))
    }

    fn signal<'a>(
        &'a self,
        caller: &'a Caller,
        given: &'a SignalGiven,
        now: Timestamp,
    ) -> Done<'a, Signalled> {
        if let Err(failure) = self.one(caller, &given.memory_id) {
            return ready(Err(failure));
        }
        let mut rows = self.rows.lock().unwrap();
        let mut confidence = 0.0;
        for (_, held) in rows.iter_mut().filter(|(_, held)| held.strategy.id == given.memory_id) {
            let moved = if given.positive { 0.05 } else { -0.05 };
            held.confidence = (held.confidence + moved).clamp(0.0, 1.0);
            confidence = held.confidence;
        }
        let signal = Signal {
            id: "sig_0123456789ab".to_owned(),
            memory_id: given.memory_id.clone(),
            project_id: caller.project.clone(),
            kind: given.kind,
            positive: given.positive,
            session_id: given.session_id.clone(),
            timestamp: now,
            search_id: None,
            comment: given.comment.clone(),
            actor: caller.actor.clone(),
            share: given.share,
        };
        ready(Ok(Signalled { recorded: true, confidence, interval: (0.5, 0.95), signal }))
    }

    fn get<'a>(&'a self, caller: &'a Caller, id: &'a StrategyId, _: Timestamp) -> Done<'a, Held> {
        ready(self.one(caller, id))
    }

    fn why<'a>(
        &'a self,
        caller: &'a Caller,
        id: &'a StrategyId,
        _: Timestamp,
    ) -> Done<'a, Explained> {
        ready(
            self.one(caller, id)
                .map(|held| Explained::new("confidence", held.confidence, "set by the test bank")),
        )
    }

    fn list<'a>(
        &'a self,
        caller: &'a Caller,
        listing: &'a Listing,
        _: Timestamp,
    ) -> Done<'a, Vec<Held>> {
        let is_archived = |held: &Held| matches!(held.strategy.standing, Standing::Archived { .. });
        let all = self.all(caller).into_iter();
        let all = all.filter(|held| listing.archived || !is_archived(held)).skip(listing.offset);
        let most = if listing.limit == 0 { usize::MAX } else { listing.limit };
        ready(Ok(all.take(most).collect()))
    }

    fn queue<'a>(&'a self, _: &'a Caller, session: &'a Queued, _: Timestamp) -> Done<'a, bool> {
        let mut queue = self.queue.lock().unwrap();
        let new = queue.iter().all(|queued| queued.session_id != session.session_id);
        if new {
            queue.push(session.clone());
        }
        ready(Ok(new))
    }

    fn edit<'a>(
        &'a self,
        caller: &'a Caller,
        id: &'a StrategyId,
        edit: &'a Edit,
        _: Timestamp,
    ) -> Done<'a, Held> {
        let mut rows = self.rows.lock().unwrap();
        let own = |row: &&mut (String, Held)| row.0 == caller.tenant && row.1.strategy.id == *id;
        let Some((_, held)) = rows.iter_mut().find(own) else {
            return ready(Err(BankFailure::Unknown(id.clone())));
        };
        let draft = &mut held.strategy.draft;
        if let Some(description) = &edit.description {
            draft.description.clone_from(description);
        }
        if let Some(tags) = &edit.tags {
            draft.tags.clone_from(tags);
        }
        if let Some(standing) = &edit.standing {
            held.strategy.standing = standing.clone();
        }
        ready(Ok(held.clone()))
    }

    fn delete<'a>(&'a self, _: &'a Caller, _: &'a StrategyId) -> Done<'a, ()> {
        unused()
    }

    fn export<'a>(&'a self, _: &'a Caller) -> Done<'a, Vec<Exported>> {
        unused()
    }

    fn import<'a>(&'a self, _: &'a Caller, _: &'a [Exported], _: Timestamp) -> Done<'a, usize> {
        unused()
    }

    fn stats<'a>(&'a self, _: &'a Caller, _: Timestamp) -> Done<'a, Stats> {
        unused()
    }

    fn roll_back<'a>(
        &'a self,
        _: &'a Caller,
        _: Timestamp,
        _: Timestamp,
    ) -> Done<'a, (usize, usize)> {
        unused()
    }

    fn tend(&self, _: Timestamp) -> Done<'_, Vec<String>> {
        unused()
    }

    fn is_due<'a>(&'a self, _: Option<&'a Caller>, _: Timestamp) -> Done<'a, bool> {
        unused()
    }

    fn take(
        &self,
        _: Option<&Caller>,
        _: usize,
        _: &str,
        _: i64,
        _: Timestamp,
    ) -> Done<'_, Vec<Queued>> {
        unused()
    }

    fn settle<'a>(
        &'a self,
        _: &'a Queued,
        _: Result<&'a [Draft], Failed>,
        _: &'a [String],
        _: Timestamp,
    ) -> Done<'a, Vec<StrategyId>> {
        unused()
    }

    fn given_up<'a>(&'a self, _: &'a Caller) -> Done<'a, Vec<GivenUp>> {
        unused()
    }
}

/// Runs: a question that begins with "slow" goes on until it is cancelled, others are over when they are looked at.
#[derive(Default)]
pub(crate) struct TestRuns(Mutex<BTreeMap<RunId, Progress>>);

fn answer(run: &RunId, question: &str) -> Answer {
    let claim = "The array has 12 turbines.";
    serde_json::from_value(json!({
        "run_id": run, "question": question, "started_at": 0, "model": "m", "corpus": "c",
        "conclusion": claim, "text": claim, "sections": [],
        "claims": [{"id": "c1", "text": claim, "source_span": {"start": 0, "end": 26}, "question_id": 1,
            "role": "answer", "verdict": "quoted", "evidence": [0], "warrant": "it says so"}],
        "evidence": [{"fact_id": "f1", "citation": 1, "source_id": "src_1", "path": "a.md", "location": "a.md",
            "passage_id": "src_1#0", "quote": "12 turbines", "span": {"start": 0, "end": 11},
            "document_span": {"start": 0, "end": 11}}],
        "conflicts": [], "superseded": [], "could_not_establish": [], "sources": [], "reasoning_trace": [],
        "exploration_steps": 0, "next_steps": [], "stop_reason": "answered",
        "receipt": {"rounds": 1, "searches": 1, "passages": 1, "sources": 1, "model_calls": 0,
            "usage": {"input_tokens": 0, "output_tokens": 0}, "wall_ms": 1},
    }))
    .unwrap()
}

impl TestRuns {
    fn find(&self, run: &RunId) -> Result<Progress, Refusal> {
        let mut runs = self.0.lock().unwrap();
        let Some(progress) = runs.get_mut(run) else {
            return Err(Refusal::new("could not find the run", "there is none", "start one"));
        };
        if progress.status != "stopped" && !progress.question.starts_with("slow") {
            "finished".clone_into(&mut progress.status);
            progress.progress = 1.0;
        }
        Ok(progress.clone())
    }
}

impl Researcher for TestRuns {
    fn start<'a>(&'a self, _: &'a Caller, inquiry: &'a Inquiry) -> Told<'a, Progress> {
        let run_id = RunId(format!("run_{}", short_hash(inquiry.question.as_bytes(), 12)));
        let progress = Progress {
            run_id: run_id.clone(),
            question: inquiry.question.clone(),
            status: if inquiry.question.contains("stopped") { "stopped" } else { "running" }
                .to_owned(),
            phase: "starting".to_owned(),
            message: "starting".to_owned(),
            progress: 0.0,
            rounds: 0,
            sources: 0,
            elapsed_ms: 0,
            started_at: 0,
            updated_at: 0,
        };
        self.0.lock().unwrap().insert(run_id, progress.clone());
        Box::pin(std::future::ready(Ok(progress)))
    }

    fn resume<'a>(&'a self, _: &'a Caller, run: &'a RunId, _: &'a NewLimits) -> Told<'a, Progress> {
        if let Some(progress) = self.0.lock().unwrap().get_mut(run) {
            "running".clone_into(&mut progress.status);
        }
        Box::pin(std::future::ready(self.find(run)))
    }

    fn status<'a>(&'a self, _: &'a Caller, run: &'a RunId) -> Told<'a, Progress> {
        Box::pin(std::future::ready(self.find(run)))
    }

    fn answer<'a>(&'a self, _: &'a Caller, run: &'a RunId) -> Told<'a, Answer> {
        let found = self.find(run).map(|progress| answer(run, &progress.question));
        Box::pin(std::future::ready(found))
    }

    fn cancel<'a>(&'a self, _: &'a Caller, run: &'a RunId) -> Told<'a, Progress> {
        let ended = self.find(run).map(|mut progress| {
            if !progress.is_over() {
                "interrupted".clone_into(&mut progress.status);
                self.0.lock().unwrap().insert(run.clone(), progress.clone());
            }
            progress
        });
        Box::pin(std::future::ready(ended))
    }

    fn runs<'a>(&'a self, _: &'a Caller) -> Told<'a, Vec<Progress>> {
        let ids: Vec<RunId> = self.0.lock().unwrap().keys().cloned().collect();
        let runs = ids.iter().filter_map(|id| self.find(id).ok()).collect();
        Box::pin(std::future::ready(Ok(runs)))
    }

    fn trace<'a>(&'a self, _: &'a Caller, run: &'a RunId) -> Told<'a, String> {
        Box::pin(std::future::ready(self.find(run).map(|_| "{}\n".to_owned())))
    }
}

/// Whether a check that goes on for ever was given up.
pub(crate) static GIVEN_UP: AtomicBool = AtomicBool::new(false);

struct Watched;

impl Drop for Watched {
    fn drop(&mut self) {
        GIVEN_UP.store(true, Ordering::SeqCst);
    }
}

/// Judges nothing, but in the right shape; the text "slow" takes its time.
pub(crate) struct TestJudge;

impl Checker for TestJudge {
    fn verify<'a>(&'a self, _: &'a Caller, checking: &'a Checking<'a>) -> Told<'a, Verification> {
        let assessed = Assessed::new(
            Vec::new(),
            Thresholds { supports: 0.7, refutes: 0.7, relevant: 0.3 },
            None,
        );
        let checked = CheckedText { assessed, clashes: Ok(Vec::new()), usage: Usage::default() };
        let verifier = "test".to_owned();
        let steps = match checking.text {
            "slow" => 20,
            "slow for ever" => 10_000,
            _ => 0,
        };
        Box::pin(async move {
            let watched = if steps > 20 { Some(Watched) } else { None };
            for done in 1..steps {
                (checking.heard)(done, steps);
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
            drop(watched);
            Ok(Verification { verifier, checked, not_taken: vec![], left_out: 0, next: None })
        })
    }

    fn fallacies<'a>(&'a self, text: &'a str, sensitive: bool) -> Told<'a, Vec<Finding>> {
        let point = if sensitive { Point::Sensitive } else { Point::Strict };
        let options = Options { point, theology: false, reader: Reader::Shipped };
        Box::pin(std::future::ready(Ok(detect(text, &options))))
    }
}

impl Scorer for TestJudge {
    fn score<'a>(&'a self, _: &'a Caller, scoring: &'a Scoring) -> Told<'a, Value> {
        Box::pin(std::future::ready(Ok(json!({
            "pivot": scoring.pivot, "namespace": scoring.namespace,
            "prioritized_evidence": [], "conflicting_evidence": [], "other_relations": [],
        }))))
    }
}

impl Pages for TestJudge {
    fn repeated<'a>(&'a self, text: &'a str) -> Told<'a, Option<String>> {
        let page = text.contains("said the page").then(|| "https://a.example/page".to_owned());
        Box::pin(std::future::ready(Ok(page)))
    }
}

impl Finder for TestJudge {
    fn search<'a>(&'a self, _: &'a Caller, query: &'a str) -> Told<'a, Vec<Found>> {
        let found =
            Found { id: "p1".to_owned(), title: query.to_owned(), url: "file:///a".to_owned() };
        Box::pin(std::future::ready(Ok(vec![found])))
    }

    fn fetch<'a>(&'a self, _: &'a Caller, id: &'a str) -> Told<'a, Fetched> {
        Box::pin(std::future::ready(Ok(Fetched {
            id: id.to_owned(),
            title: "t".to_owned(),
            text: "x".to_owned(),
            url: "file:///a".to_owned(),
            metadata: json!({}),
        })))
    }
}

/// A clock that stands.
struct Noon;

impl Clock for Noon {
    fn now(&self) -> Timestamp {
        Timestamp(1_700_000_000_000)
    }
}

/// Parts for a server of tests; with what is offered on request, if `finds`.
pub(crate) fn parts(finds: bool) -> Arc<Parts> {
    Arc::new(Parts {
        bank: Arc::new(MemoryBank::default()),
        bank_settings: BankSettings::default(),
        researcher: Arc::new(TestRuns::default()),
        checker: Arc::new(TestJudge),
        scorer: Arc::new(TestJudge),
        pages: Some(Arc::new(TestJudge)),
        namespace: "default".to_owned(),
        finder: finds.then(|| Arc::new(TestJudge) as Arc<dyn Finder>),
        memos: finds.then(|| Arc::new(memos::TestMemos::default()) as Arc<dyn Memos>),
        home: None,
        clock: Arc::new(Noon),
    })
}
