//! Runs as they are listed, page by page, and with what they cite.

use super::{Checks, LEASE_MS, begun, control, event, opened, record, run};
use crate::answer::Citation;
use crate::id::Timestamp;
use crate::inquiry::Options;
use crate::journal::GENESIS;
use crate::port::{RunPage, RunQuery, Store};
use crate::testkit::{World, drive};
use crate::trace::{Envelope, TraceEvent};

pub(super) async fn lists<S: Store>(checks: &mut Checks, store: &S) {
    for (id, at) in [("run_b", 200), ("run_c", 300), ("run_a", 200)] {
        let run_id = run(id);
        let first = record(1, at, opened(&run_id, id)).seal(GENESIS);
        let made =
            store.create(&run_id, id, &first, &[event(&run_id, 1, at, "x")], "h", LEASE_MS).await;
        let lease = checks.ok(made, "a run can be created");
        let ended = match id {
            "run_b" => "interrupted",
            "run_c" => "failed",
            _ => "answered",
        };
        let mut second = record(2, at + 50, control("end")).seal(&first.hash);
        second.ended = Some(ended.to_owned());
        let events = [event(&run_id, 2, at + 50, "y"), event(&run_id, 3, at + 50, "z")];
        checks.ok(store.append(&lease, &second, &events).await, "the next record can be appended");
    }
    let (lease, _) = begun(checks, store, "run_d").await;
    let runs = checks.ok(store.runs().await, "the store can be listed");
    for listed in &runs {
        let one = checks.ok(store.run(&listed.run_id).await, "one run can be looked at");
        checks.that(one == *listed, "a run that is looked at is as it is listed");
    }
    let ids: Vec<&str> = runs.iter().map(|run| run.run_id.as_str()).collect();
    checks.that(ids == ["run_c", "run_a", "run_b", "run_d"], "newest start first, ties by id");
    let statuses: Vec<&str> = runs.iter().map(|run| run.status.as_str()).collect();
    checks.that(
        statuses == ["failed", "finished", "interrupted", "running"],
        "the status follows the end",
    );
    checks.that(runs[1].stop_reason.as_deref() == Some("answered"), "the reason is listed");
    checks.that(runs[3].stop_reason.is_none(), "a run under way has no reason");
    checks.ok(store.release(&lease).await, "a lease can be given back");
    let runs = checks.ok(store.runs().await, "the store can be listed");
    checks.that(runs[3].status == "stopped", "a run that nobody drives is stopped");
    checks.that(runs[1].started_at == Timestamp(200), "the start is that of the first record");
    checks.that(runs[1].updated_at == Timestamp(250), "the last change is that of the last record");
    checks.that(runs[1].records == 2 && runs[1].events == 3, "records and events are counted");
}

pub(super) async fn pages<S: Store>(checks: &mut Checks, store: &S) {
    for (id, at) in [("run_b", 200), ("run_c", 300), ("run_a", 200), ("run_e", 100)] {
        let run_id = run(id);
        let question = format!("\u{c4}pfel {id} 50%?");
        let first = record(1, at, opened(&run_id, &question)).seal(GENESIS);
        let events = [event(&run_id, 1, at, "x")];
        let made = store.create(&run_id, &question, &first, &events, "h", LEASE_MS).await;
        let lease = checks.ok(made, "a run can be created");
        if id == "run_a" || id == "run_c" {
            let mut second = record(2, at, control("end")).seal(&first.hash);
            second.ended = Some(if id == "run_a" { "answered" } else { "failed" }.to_owned());
            checks.ok(store.append(&lease, &second, &[]).await, "a run can end");
        }
    }
    let ids = |page: &RunPage| -> Vec<String> {
        page.runs.iter().map(|run| run.run_id.to_string()).collect()
    };
    let all = RunQuery::all(Timestamp(200 + LEASE_MS));
    let whole = checks.ok(store.page(&all).await, "all runs can be asked for");
    checks.that(ids(&whole) == ["run_c", "run_a", "run_b", "run_e"], "pages have one order");
    checks.that(whole.total == 4, "runs are counted");
    let statuses: Vec<&str> = whole.runs.iter().map(|run| run.status.as_str()).collect();
    checks.that(
        statuses == ["failed", "finished", "stopped", "stopped"],
        "a run whose lease ran out is stopped",
    );
    let early = RunQuery { now: Timestamp(199 + LEASE_MS), ..all.clone() };
    for (query, status, found) in [
        (&all, "stopped", &["run_b", "run_e"][..]),
        (&all, "running", &[]),
        (&early, "running", &["run_b"]),
        (&early, "stopped", &["run_e"]),
        (&all, "finished", &["run_a"]),
        (&all, "failed", &["run_c"]),
        (&all, "interrupted", &[]),
        (&all, "' OR 1=1 --", &[]),
    ] {
        let query = RunQuery { status: Some(status.to_owned()), ..query.clone() };
        let page = checks.ok(store.page(&query).await, "runs of a status can be asked for");
        checks.that(ids(&page) == found && page.total == found.len() as u64, "a status is kept to");
    }
    // Page by page everything comes once, whatever the length of a page.
    for words in [&[][..], &["\u{e4}PFEL", "50%"]] {
        for limit in 1..=5 {
            let words = words.iter().map(|&word| word.to_owned()).collect();
            let mut query = RunQuery { words, limit, ..all.clone() };
            let mut seen = Vec::new();
            loop {
                let page = checks.ok(store.page(&query).await, "a page can be asked for");
                checks.that(page.runs.len() <= limit, "a page has its length at most");
                checks.that(page.total == 4, "a page tells of all");
                seen.extend(ids(&page));
                let Some(last) = page.runs.last() else { break };
                query.after = Some((last.started_at, last.run_id.clone()));
            }
            checks.that(seen == ids(&whole), "pages leave nothing out and give nothing twice");
        }
        // By its number a page is the same part of the whole, whatever place it begins behind.
        for after in [None, Some((Timestamp(0), run("run_0")))]
            .into_iter()
            .chain(whole.runs.iter().map(|one| Some((one.started_at, one.run_id.clone()))))
        {
            let words = words.iter().map(|&word| word.to_owned()).collect();
            let from = RunQuery { words, after, ..all.clone() };
            let rest = ids(&checks.ok(store.page(&from).await, "a page can be asked for"));
            for skip in [0, 1, 2, 3, 4, 5, 1_000_000] {
                let query = RunQuery { skip, limit: 2, ..from.clone() };
                let page = checks.ok(store.page(&query).await, "runs can be passed over");
                let wanted: Vec<String> = rest.iter().skip(skip).take(2).cloned().collect();
                checks.that(ids(&page) == wanted, "as many are passed over as was asked");
                checks.that(page.total == 4, "what is passed over is counted");
            }
        }
    }
    let some = RunQuery { except: vec![run("run_a"), run("run_'")], ..all.clone() };
    let page = checks.ok(store.page(&some).await, "runs can be left out");
    checks.that(ids(&page) == ["run_c", "run_b", "run_e"] && page.total == 3, "they are left out");
    let none = RunQuery { words: vec!["pears".to_owned()], ..all };
    let page = checks.ok(store.page(&none).await, "words can be asked for");
    checks.that(page == RunPage::default(), "a question without the word is not meant");
}

pub(super) async fn tells_what_is_cited<S: Store>(checks: &mut Checks, store: &S) {
    let world = World::new("harbour")
        .document("tides.md", "# Tides\n\nThe harbour tide can rise 4 metres far into spring.");
    let question = "How far does the harbour tide rise in spring?";
    let driven = drive(&world, question, Options { autonomous: true, ..Options::default() });
    let answers = driven.trace.iter().rev().find_map(|one| match &one.event {
        TraceEvent::AnswerCompleted { answer, .. } => Some(answer.sources.clone()),
        _ => None,
    });
    let expected = answers.unwrap_or_default();
    checks.that(!expected.is_empty(), "the suite's run cites something");
    for (id, at) in [("run_old", 100), ("run_new", 200)] {
        let run_id = run(id);
        let first = record(1, at, opened(&run_id, question)).seal(GENESIS);
        let events: Vec<Envelope> = driven
            .trace
            .iter()
            .map(|one| Envelope { run_id: run_id.clone(), ..one.clone() })
            .collect();
        let made = store.create(&run_id, question, &first, &events, "h", LEASE_MS).await;
        checks.ok(made, "a run can be created");
    }
    begun(checks, store, "run_open").await;
    let all = checks.ok(store.cited(10).await, "what was cited can be listed");
    let of = |id: &str| -> Vec<Citation> {
        all.iter().filter(|one| one.run_id == run(id)).map(|one| one.citation.clone()).collect()
    };
    checks.that(
        of("run_new") == expected && of("run_old") == expected,
        "citations come as they were",
    );
    checks.that(
        all.len() == 2 * expected.len() && all[0].run_id == run("run_new"),
        "runs stand in the order of listings",
    );
    checks.that(all[0].question == question, "with what was asked");
    let newest = checks.ok(store.cited(1).await, "the newest can be asked for alone");
    checks
        .that(newest.iter().all(|one| one.run_id == run("run_new")), "no more runs are looked at");
}
