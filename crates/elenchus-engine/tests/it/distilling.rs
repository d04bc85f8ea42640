//! The distiller over a bank in a file: what comes of replies that can be used and of those that cannot.

use elenchus_core::bank::{BankSettings, Caller, Outcome};
use elenchus_core::id::Timestamp;
use elenchus_core::port::{
    Answered, Bank, Model, ModelFailure, ModelRole, PortFuture, Queued, Troubled, Usage,
};
use elenchus_core::prompt::{Distilled, ModelCall, ModelReply, ProposedStrategy};
use elenchus_core::testkit::ManualClock;
use elenchus_engine::Distiller;
use elenchus_io::bank::SqliteBank;
use elenchus_io::store::SqliteOptions;
use std::sync::Arc;

const HOUR_MS: i64 = 3_600_000;

/// A model that always says the same.
struct Says(Result<Answered, ModelFailure>);

impl Model for Says {
    fn name(&self) -> &'static str {
        "says"
    }

    fn call<'a>(
        &'a self,
        _: ModelRole,
        _: &'a ModelCall,
    ) -> PortFuture<'a, Result<Answered, ModelFailure>> {
        Box::pin(std::future::ready(self.0.clone()))
    }
}

/// A bank in which one session waits, and who reads it.
async fn waiting(
    folder: &tempfile::TempDir,
    clock: &Arc<ManualClock>,
    says: Result<Answered, ModelFailure>,
) -> (Arc<dyn Bank>, Distiller) {
    let path = folder.path().join("bank.db");
    let settings = BankSettings::default();
    let bank: Arc<dyn Bank> = Arc::new(
        SqliteBank::open(&path, &SqliteOptions::default(), settings.clone(), None).unwrap(),
    );
    let session = Queued {
        id: 0,
        caller: Caller::local("here"),
        session_id: "s".to_owned(),
        outcome: Some(Outcome::Failure),
        trace: "The build failed twice.".to_owned(),
        from_web: false,
        shown: Vec::new(),
        attempts: 0,
    };
    assert!(bank.queue(&session.caller, &session, Timestamp(0)).await.unwrap());
    let model: Arc<dyn Model> = Arc::new(Says(says));
    let distiller = Distiller::new(Arc::clone(&bank), Some(model), clock.clone(), settings);
    (bank, distiller)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_no_reply_fits_is_given_up_and_the_reply_is_kept_without_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::new(Timestamp(HOUR_MS)));
    let secret = format!("ghp_{}", "Zq8vN4tYw2Rk7Lm1Xc5Bd9Fh3Gj6Ps0TaUeV");
    let failure = ModelFailure {
        model: "says".to_owned(),
        attempted: "answer the prompt distill".to_owned(),
        cause: "none of 3 replies had the form that was asked for".to_owned(),
        permanent: true,
        usage: Usage::default(),
        reply: Some(format!("Fine weather today, and the token is {secret}").into()),
    };
    let (bank, distiller) = waiting(&folder, &clock, Err(failure)).await;
    for attempt in 1..=5 {
        let done = distiller.work().await.unwrap();
        assert_eq!(done.len(), 1, "try {attempt}");
        assert!(done[0].failed.as_deref().is_some_and(|cause| cause.contains("none of 3")));
        assert!(distiller.work().await.unwrap().is_empty(), "it waits for its next try");
        let troubled = bank.given_up(&Caller::local("here")).await.unwrap();
        assert_eq!((troubled.len(), troubled[0].tries.len()), (1, attempt), "and is told of");
        clock.advance(HOUR_MS);
    }
    assert!(distiller.work().await.unwrap().is_empty(), "it was given up");
    let given_up = bank.given_up(&Caller::local("here")).await.unwrap();
    assert_eq!(given_up.len(), 1);
    let reply = given_up[0].failed.reply.as_deref().unwrap();
    assert!(reply.starts_with("Fine weather today") && !reply.contains(&secret), "{reply}");
}

/// Words beside the answer, a second asking or a cache are repairs, and the answer is one all the same.
#[tokio::test(flavor = "multi_thread")]
async fn that_nothing_is_to_be_learned_is_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::new(Timestamp(HOUR_MS)));
    let answered = Answered {
        reply: ModelReply::Distill(Distilled::default()),
        usage: Usage::default(),
        repairs: vec!["reply: text beside the blocks".to_owned()],
        model: None,
    };
    let (bank, distiller) = waiting(&folder, &clock, Ok(answered)).await;
    let done = distiller.work().await.unwrap();
    assert_eq!((done.len(), &done[0].failed, done[0].unread), (1, &None, false));
    assert!(done[0].strategies.is_empty());
    clock.advance(HOUR_MS);
    assert!(distiller.work().await.unwrap().is_empty());
    let stats = bank.stats(&Caller::local("here"), Timestamp(HOUR_MS)).await.unwrap();
    assert_eq!(stats.queue, [0, 0, 0]);
}

/// A block that could not be read is told of, and kept for review, though another one was learned from.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_left_out_of_a_reply_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::new(Timestamp(HOUR_MS)));
    let learned = ProposedStrategy {
        title: "Build twice".to_owned(),
        description: "When a build fails".to_owned(),
        content: "Build it again with a clean cache.".to_owned(),
        tags: Vec::new(),
        outcome: Outcome::Success,
    };
    let answered = Answered {
        reply: ModelReply::Distill(Distilled { strategies: vec![learned] }),
        usage: Usage::default(),
        repairs: vec!["reply: text beside".to_owned(), "memory 2: left out: Wait".to_owned()],
        model: None,
    };
    let (bank, distiller) = waiting(&folder, &clock, Ok(answered)).await;
    let done = distiller.work().await.unwrap();
    assert_eq!((done[0].strategies.len(), done[0].left_out.len()), (1, 1), "{done:?}");
    let kept = bank.given_up(&Caller::local("here")).await.unwrap();
    assert_eq!(kept[0].stands, Troubled::PartlyRead);
    assert_eq!(kept[0].failed.cause, "memory 2: left out: Wait");
}
