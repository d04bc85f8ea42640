//! The contract of the [`Bank`] port, as checks that every adapter passes.

mod projects;

use crate::bank::{Caller, Draft, Origin, Outcome, Scope, SignalKind, Standing};
use crate::id::{StrategyId, Timestamp};
use crate::port::{
    Bank, BankFailure, Edit, Failed, Held, Listing, Queued, Recall, SignalGiven, Signalled,
    Troubled,
};

/// A day, in milliseconds.
const DAY: i64 = 86_400_000;
/// When the suite begins.
const START: Timestamp = Timestamp(1_700_000_000_000);

/// Checks everything that [`Bank`] promises. `make` gives an empty bank each time, with default settings but for
/// `exploration`, which must be 0.
#[expect(clippy::print_stdout, reason = "a conformance suite says what it checked")]
pub async fn bank_suite<B: Bank>(name: &str, make: impl Fn() -> B) {
    let mut checks = Checks { name: name.to_owned(), done: 0 };
    records_once(&mut checks, &make()).await;
    finds(&mut checks, &make()).await;
    believes(&mut checks, &make()).await;
    names_the_search_that_showed_it(&mut checks, &make()).await;
    shows_once_a_session(&mut checks, &make()).await;
    keeps_tenants_and_scopes_apart(&mut checks, &make()).await;
    projects::keeps_projects_apart(&mut checks, &make()).await;
    edits_and_archives(&mut checks, &make()).await;
    quarantines(&mut checks, &make()).await;
    goes_out_and_in(&mut checks, &make(), &make()).await;
    goes_back(&mut checks, &make()).await;
    tends(&mut checks, &make()).await;
    queues(&mut checks, &make()).await;
    refuses(&mut checks, &make()).await;
    println!("bank_suite[{name}]: ok ({} checks)", checks.done);
}

struct Checks {
    name: String,
    done: u32,
}

impl Checks {
    fn that(&mut self, holds: bool, what: &str) {
        assert!(holds, "bank_suite[{}]: broken promise: {what}", self.name);
        self.done += 1;
    }

    fn ok<T>(&mut self, result: Result<T, BankFailure>, what: &str) -> T {
        match result {
            Ok(value) => {
                self.done += 1;
                value
            }
            Err(error) => {
                unreachable!("bank_suite[{}]: broken promise: {what}: {error}", self.name)
            }
        }
    }

    fn unknown<T>(&mut self, result: Result<T, BankFailure>, what: &str) {
        self.that(matches!(result, Err(BankFailure::Unknown(_))), what);
    }

    fn refused<T>(&mut self, result: Result<T, BankFailure>, what: &str) {
        self.that(matches!(result, Err(BankFailure::Refused { .. })), what);
    }

    fn forbidden<T>(&mut self, result: Result<T, BankFailure>, what: &str) {
        self.that(matches!(result, Err(BankFailure::Forbidden { .. })), what);
    }
}

fn caller(tenant: &str, project: &str, actor: &str) -> Caller {
    Caller {
        tenant: tenant.to_owned(),
        project: project.to_owned(),
        team: Some("builders".to_owned()),
        org: Some("works".to_owned()),
        actor: actor.to_owned(),
    }
}

fn ann() -> Caller {
    caller("north", "ferry", "ann")
}

fn draft(title: &str, content: &str) -> Draft {
    Draft {
        title: title.to_owned(),
        description: "When a timetable is asked for".to_owned(),
        content: content.to_owned(),
        outcome: Outcome::Success,
        tags: vec!["timetable".to_owned()],
        scope: Scope::Project,
        origin: Origin::Explicit,
        source_session: None,
        lineage: Vec::new(),
        from_web: false,
    }
}

fn recall(query: &str) -> Recall {
    Recall {
        query: query.to_owned(),
        scope: None,
        outcome: None,
        limit: 5,
        min_confidence: 0.5,
        session_id: String::new(),
        for_prompt: false,
    }
}

fn given(id: &StrategyId, kind: SignalKind, positive: bool, session: &str) -> SignalGiven {
    SignalGiven {
        memory_id: id.clone(),
        kind,
        positive,
        session_id: session.to_owned(),
        search_id: None,
        comment: None,
        share: 1.0,
    }
}

fn later(ms: i64) -> Timestamp {
    Timestamp(START.0 + ms)
}

async fn put<B: Bank>(checks: &mut Checks, bank: &B, who: &Caller, draft: &Draft) -> StrategyId {
    let recorded = checks.ok(bank.record(who, draft, START).await, "a draft is recorded");
    recorded.held.strategy.id
}

fn holds(found: &[Held], id: &StrategyId) -> bool {
    found.iter().any(|held| held.strategy.id == *id)
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

async fn records_once<B: Bank>(checks: &mut Checks, bank: &B) {
    let first =
        draft("Read the winter table", "Ferries leave later from October on: read that table.");
    let one = checks.ok(bank.record(&ann(), &first, START).await, "a draft is recorded");
    checks.that(!one.already_there, "a new strategy was not there");
    checks.that(near(one.held.confidence, 0.8), "what is recorded on purpose begins at 0.8");
    let again = checks.ok(bank.record(&ann(), &first, later(1)).await, "it is recorded again");
    checks.that(again.already_there, "the same is there already");
    checks.that(again.held.strategy.id == one.held.strategy.id, "the same has the same id");
    let all = checks.ok(bank.list(&ann(), &Listing::default(), START).await, "it is listed");
    checks.that(all.len() == 1, "the same is kept once");
    let mut distilled = draft("Ask the harbour", "The harbour master knows of cancelled trips.");
    distilled.origin = Origin::Distilled;
    let two = checks.ok(bank.record(&ann(), &distilled, START).await, "one is distilled");
    checks.that(near(two.held.confidence, 0.7), "what a success taught begins at 0.7");
    "Trust the poster".clone_into(&mut distilled.title);
    "The poster at the quay was two years old.".clone_into(&mut distilled.content);
    distilled.outcome = Outcome::Failure;
    let three = checks.ok(bank.record(&ann(), &distilled, START).await, "a failure is distilled");
    checks.that(near(three.held.confidence, 0.6), "what a failure taught begins at 0.6");
    let got =
        checks.ok(bank.get(&ann(), &one.held.strategy.id, START).await, "it is read by its id");
    checks.that(got.strategy.draft == first, "what was recorded is read again");
}

async fn finds<B: Bank>(checks: &mut Checks, bank: &B) {
    let id = put(
        checks,
        bank,
        &ann(),
        &draft("Read the winter table", "Ferries leave later in winter."),
    )
    .await;
    let other =
        put(checks, bank, &ann(), &draft("Peel onions under water", "It saves tears.")).await;
    let mut avoid = draft("Trust the poster", "The ferry poster at the quay was out of date.");
    avoid.outcome = Outcome::Failure;
    let avoid = put(checks, bank, &ann(), &avoid).await;
    let found = checks.ok(bank.search(&ann(), &recall("winter ferries"), START).await, "a search");
    checks.that(
        found.memories.first().is_some_and(|held| held.strategy.id == id),
        "the best is first",
    );
    checks.that(holds(&found.avoid, &avoid), "what is to be avoided has its own lane");
    checks.that(!holds(&found.memories, &avoid), "and stands in no other");
    checks.that(
        found.memories.iter().all(|held| (0.0..=1.0).contains(&held.relevance)),
        "relevance lies between 0 and 1",
    );
    let again =
        checks.ok(bank.search(&ann(), &recall("winter ferries"), later(1)).await, "a search");
    checks.that(again.search_id != found.search_id, "each search has an id of its own");
    let mut only = recall("ferries");
    only.outcome = Some(Outcome::Success);
    let only = checks.ok(bank.search(&ann(), &only, START).await, "successes are searched");
    checks.that(only.avoid.is_empty(), "nothing to avoid where only successes were asked for");
    let mut sure = recall("winter ferries");
    sure.min_confidence = 0.95;
    let sure = checks.ok(bank.search(&ann(), &sure, START).await, "only the sure is searched");
    checks.that(sure.memories.is_empty(), "what is not believed enough is not returned");
    checks.that(
        sure.hidden_below_min_confidence >= 1
            && sure.total_found >= sure.hidden_below_min_confidence,
        "but it is counted",
    );
    let onions = checks.ok(bank.search(&ann(), &recall("onions"), START).await, "a search");
    checks
        .that(onions.memories.first().is_some_and(|held| held.strategy.id == other), "words count");
    let mut one = recall("water table winter");
    one.limit = 1;
    let one = checks.ok(bank.search(&ann(), &one, START).await, "a search for one");
    checks.that(one.memories.len() == 1, "the limit holds");
}

async fn say<B: Bank>(
    checks: &mut Checks,
    bank: &B,
    who: &Caller,
    given: &SignalGiven,
    now: Timestamp,
) -> Signalled {
    checks.ok(bank.signal(who, given, now).await, "a signal is taken")
}

async fn believes<B: Bank>(checks: &mut Checks, bank: &B) {
    let id =
        put(checks, bank, &ann(), &draft("Read the winter table", "Ferries leave later.")).await;
    let up = say(checks, bank, &ann(), &given(&id, SignalKind::Explicit, true, ""), later(1)).await;
    checks.that(up.recorded && up.confidence > 0.8, "praise raises");
    let twice =
        say(checks, bank, &ann(), &given(&id, SignalKind::Explicit, true, "s2"), later(2)).await;
    checks.that(!twice.recorded, "one actor's second vote is no other vote");
    checks.that((twice.confidence - up.confidence).abs() < 1e-6, "and changes nothing");
    let down =
        say(checks, bank, &ann(), &given(&id, SignalKind::Explicit, false, ""), later(3)).await;
    checks.that(down.recorded && down.confidence < 0.8, "the last vote holds, and blame lowers");
    let took = checks.ok(bank.unvote(&ann(), &id, later(3)).await, "a vote is taken back");
    let held = checks.ok(bank.get(&ann(), &id, later(3)).await, "it is read then");
    checks.that(took && held.confidence > 0.8, "the vote before holds again");
    let took = checks.ok(bank.unvote(&ann(), &id, later(3)).await, "that one too");
    let none = checks.ok(bank.unvote(&ann(), &id, later(3)).await, "and nothing more");
    let held = checks.ok(bank.get(&ann(), &id, later(3)).await, "it is read after that");
    checks.that(
        took && !none && (held.confidence - 0.8).abs() < 1e-6,
        "without votes the first belief stands",
    );
    let down =
        say(checks, bank, &ann(), &given(&id, SignalKind::Explicit, false, ""), later(3)).await;
    checks.that(down.recorded, "who took a vote back may vote again");
    let bob = caller("north", "ferry", "bob");
    let outcome = given(&id, SignalKind::Outcome, true, "run_1");
    let success = say(checks, bank, &bob, &outcome, later(4)).await;
    checks.that(success.confidence > down.confidence, "a success raises");
    let again = say(checks, bank, &bob, &outcome, later(5)).await;
    checks.that(!again.recorded, "an outcome counts once a session");
    checks.that(
        up.interval.0 < up.confidence && up.confidence < up.interval.1,
        "within its interval",
    );
    let held = checks.ok(bank.get(&ann(), &id, later(5)).await, "it is read");
    checks.that((held.confidence - again.confidence).abs() < 1e-6, "reading tells the same figure");
    let why = checks.ok(bank.why(&ann(), &id, later(5)).await, "it is explained");
    checks.that((why.value - held.confidence).abs() < 1e-9, "the explanation ends at the figure");
    checks.that(!why.children.is_empty(), "and names its parts");
    let much = checks.ok(bank.get(&ann(), &id, later(3_650 * DAY)).await, "it is read years later");
    checks.that((much.confidence - 0.8).abs() < 1e-3, "old evidence fades to the first belief");
}

async fn names_the_search_that_showed_it<B: Bank>(checks: &mut Checks, bank: &B) {
    let id =
        put(checks, bank, &ann(), &draft("Read the winter table", "Ferries leave later.")).await;
    let other =
        put(checks, bank, &ann(), &draft("Peel the onions", "Onions keep in a dry cellar.")).await;
    let mut one = recall("winter ferries table");
    one.limit = 1;
    let found = checks.ok(bank.search(&ann(), &one, later(1)).await, "a search");
    checks.that(holds(&found.memories, &id), "it finds the one");
    let report = |id: &StrategyId, search: &str, session: &str| SignalGiven {
        search_id: Some(search.into()),
        ..given(id, SignalKind::Outcome, false, session)
    };
    let search = found.search_id.as_str();
    let taken = say(checks, bank, &ann(), &report(&id, search, ""), later(2)).await;
    checks.that(taken.recorded, "a report names the search that showed the strategy");
    for session in ["", "run_1"] {
        let invented = report(&id, "sea_000000000000", session);
        let told = bank.signal(&ann(), &invented, later(3)).await;
        checks.refused(told, "a search that never was is not taken");
        let elsewhere = report(&other, search, session);
        let told = bank.signal(&ann(), &elsewhere, later(3)).await;
        checks.refused(told, "nor one that showed other strategies");
    }
    let held = checks.ok(bank.get(&ann(), &id, later(3)).await, "it is read");
    checks.that((held.confidence - taken.confidence).abs() < 1e-6, "what is refused moves nothing");
    // A session that searches again is shown again what it knows.
    "run_2".clone_into(&mut one.session_id);
    for at in [4, 5] {
        let found = checks.ok(bank.search(&ann(), &one, later(at)).await, "a session's search");
        let told = report(&id, found.search_id.as_str(), "run_2");
        let told = bank.signal(&ann(), &told, later(at)).await;
        checks.ok(told, "each search of a session may be named");
    }
}

async fn shows_once_a_session<B: Bank>(checks: &mut Checks, bank: &B) {
    let id =
        put(checks, bank, &ann(), &draft("Read the winter table", "Ferries leave later.")).await;
    let mut asked = recall("winter ferries");
    "run_7".clone_into(&mut asked.session_id);
    for at in 0..3 {
        checks.ok(bank.search(&ann(), &asked, later(at)).await, "a search");
    }
    let held = checks.ok(bank.get(&ann(), &id, later(9)).await, "it is read");
    checks.that(held.usage_count == 1, "a session that searches thrice was shown it once");
    checks.that((held.confidence - 0.8).abs() < 1e-6, "being shown alone moves nothing");
    "run_8".clone_into(&mut asked.session_id);
    checks.ok(bank.search(&ann(), &asked, later(10)).await, "a search");
    let held = checks.ok(bank.get(&ann(), &id, later(11)).await, "it is read");
    checks.that(held.usage_count == 2, "another session counts");
    let stats = checks.ok(bank.stats(&ann(), later(12)).await, "it is counted");
    checks.that(stats.active == 1 && stats.signals == [0, 2, 0, 0], "figures agree");
    let mut used = given(&id, SignalKind::Used, false, "run_7");
    say(checks, bank, &ann(), &used, later(13)).await;
    let stats = checks.ok(bank.stats(&ann(), later(14)).await, "it is counted");
    checks.that(stats.signals == [0, 2, 0, 0], "what was left unused was not put to use");
    used = given(&id, SignalKind::Used, true, "run_8");
    say(checks, bank, &ann(), &used, later(15)).await;
    let stats = checks.ok(bank.stats(&ann(), later(16)).await, "it is counted");
    checks.that(stats.signals == [0, 2, 1, 0], "what was put to use counts");
}

async fn keeps_tenants_and_scopes_apart<B: Bank>(checks: &mut Checks, bank: &B) {
    let mut shared = draft("Read the winter table", "Ferries leave later in winter.");
    shared.source_session = Some("run_own".to_owned());
    let own = put(checks, bank, &ann(), &shared).await;
    "Ask the harbour".clone_into(&mut shared.title);
    shared.scope = Scope::Team;
    let team = put(checks, bank, &ann(), &shared).await;
    "Look at the tide".clone_into(&mut shared.title);
    shared.scope = Scope::Org;
    let org = put(checks, bank, &ann(), &shared).await;

    let foreign = caller("south", "ferry", "eve");
    let before =
        checks.ok(bank.search(&foreign, &recall("winter ferries"), START).await, "a search");
    checks.that(before.total_found == 0 && before.memories.is_empty(), "no row crosses tenants");
    for id in [&own, &team, &org] {
        checks.unknown(bank.get(&foreign, id, START).await, "no id crosses tenants");
        checks.unknown(bank.why(&foreign, id, START).await, "nor an explanation");
        let vote = given(id, SignalKind::Explicit, false, "");
        checks.unknown(bank.signal(&foreign, &vote, START).await, "nor a vote");
        checks.unknown(bank.delete(&foreign, id).await, "nor a deletion");
        let edit = Edit { title: Some("Mine".to_owned()), ..Edit::default() };
        checks.unknown(bank.edit(&foreign, id, &edit, START).await, "nor an edit");
    }
    let stats = checks.ok(bank.stats(&foreign, START).await, "it is counted");
    checks.that(stats.active == 0, "no count crosses tenants");
    let none = checks.ok(bank.export(&foreign).await, "it is exported");
    checks.that(none.is_empty(), "no export crosses tenants");

    let mates = Caller { org: None, ..caller("north", "quay", "bob") };
    let seen = checks.ok(bank.list(&mates, &Listing::default(), START).await, "a team mate lists");
    checks.that(
        holds(&seen, &team) && !holds(&seen, &own) && !holds(&seen, &org),
        "a team sees what is shared with it, and nothing else",
    );
    let sessions =
        |held: &[Held]| held.iter().any(|one| one.strategy.draft.source_session.is_some());
    checks.that(!sessions(&seen), "nor in which run of another project it was learned");
    let home = checks.ok(bank.list(&ann(), &Listing::default(), START).await, "its own lists");
    checks.that(sessions(&home), "which its own project does");
    let firm = Caller { team: None, ..caller("north", "depot", "cat") };
    let seen = checks.ok(bank.list(&firm, &Listing::default(), START).await, "the firm lists");
    checks.that(
        holds(&seen, &org) && !holds(&seen, &own) && !holds(&seen, &team),
        "an organisation sees what is shared with it, and nothing else",
    );
    let edit = Edit { title: Some("Mine".to_owned()), ..Edit::default() };
    checks.forbidden(
        bank.edit(&mates, &team, &edit, START).await,
        "others' strategies are not edited",
    );
    checks.forbidden(bank.delete(&mates, &team).await, "nor deleted");
    let nobody = Caller { team: None, org: None, ..caller("north", "ferry", "ann") };
    let mut wide = draft("Widen", "It shall be seen by all.");
    for scope in [Scope::Team, Scope::Org] {
        wide.scope = scope;
        checks.forbidden(
            bank.record(&nobody, &wide, START).await,
            "nobody shares with what it is not of",
        );
    }

    let ask = recall("winter ferries");
    let mut quiet = ask.clone();
    "same".clone_into(&mut quiet.session_id);
    let first = checks.ok(bank.search(&ann(), &quiet, later(1)).await, "a search");
    for n in 0..20 {
        let text = format!("Ferries, ferries and winter, number {n}.");
        put(checks, bank, &foreign, &draft(&format!("Winter ferries {n}"), &text)).await;
    }
    let second = checks.ok(bank.search(&ann(), &quiet, later(1)).await, "a search");
    let figures = |found: &[Held]| -> Vec<(StrategyId, u64)> {
        found.iter().map(|held| (held.strategy.id.clone(), held.relevance.to_bits())).collect()
    };
    checks.that(
        figures(&first.memories) == figures(&second.memories)
            && first.total_found == second.total_found,
        "what other tenants record changes no score, order or count",
    );
}

async fn edits_and_archives<B: Bank>(checks: &mut Checks, bank: &B) {
    let id =
        put(checks, bank, &ann(), &draft("Read the winter table", "Ferries leave later.")).await;
    let edit = Edit { content: Some("Trains replace ferries.".to_owned()), ..Edit::default() };
    let held = checks.ok(bank.edit(&ann(), &id, &edit, later(5)).await, "it is edited");
    checks.that(held.strategy.edited_at == later(5), "the time of the edit is kept");
    let found = checks.ok(bank.search(&ann(), &recall("trains"), later(6)).await, "a search");
    checks.that(holds(&found.memories, &id), "what was edited is found by its new words");
    let away = Standing::Archived { at: later(7), reason: "outdated".to_owned() };
    let edit = Edit { standing: Some(away), ..Edit::default() };
    checks.ok(bank.edit(&ann(), &id, &edit, later(7)).await, "it is archived");
    let found = checks.ok(bank.search(&ann(), &recall("trains"), later(8)).await, "a search");
    checks.that(!holds(&found.memories, &id), "what is archived is not found");
    let listed = checks.ok(bank.list(&ann(), &Listing::default(), later(8)).await, "a list");
    checks.that(listed.is_empty(), "nor listed");
    let all = Listing { archived: true, ..Listing::default() };
    let listed = checks.ok(bank.list(&ann(), &all, later(8)).await, "a list of all");
    checks.that(listed.len() == 1, "unless archived ones are asked for");
    let edit = Edit { standing: Some(Standing::Active), ..Edit::default() };
    checks.ok(bank.edit(&ann(), &id, &edit, later(9)).await, "it is restored");
    let found = checks.ok(bank.search(&ann(), &recall("trains"), later(10)).await, "a search");
    checks.that(holds(&found.memories, &id), "what is restored is found");
    checks.ok(bank.delete(&ann(), &id).await, "it is deleted");
    checks.unknown(bank.get(&ann(), &id, later(11)).await, "what is deleted is gone");
    let found = checks.ok(bank.search(&ann(), &recall("trains"), later(11)).await, "a search");
    checks.that(found.total_found == 0, "everywhere");
    checks.unknown(bank.delete(&ann(), &id).await, "and cannot be deleted again");
}

async fn quarantines<B: Bank>(checks: &mut Checks, bank: &B) {
    let mut web = draft("Ignore the tide", "A page says that tides do not matter for ferries.");
    web.from_web = true;
    web.origin = Origin::Distilled;
    web.source_session = Some("run_1".to_owned());
    let id = put(checks, bank, &ann(), &web).await;
    let mut prompt = recall("tide ferries");
    prompt.for_prompt = true;
    let found = checks.ok(bank.search(&ann(), &prompt, START).await, "a search for a prompt");
    checks.that(!holds(&found.memories, &id), "text of the web is not put into a prompt");
    let mut made = draft("Sail at noon", "Since tides do not matter.");
    made.origin = Origin::Distilled;
    made.lineage = vec![id.clone()];
    let child = put(checks, bank, &ann(), &made).await;
    let child = checks.ok(bank.get(&ann(), &child, START).await, "it is read");
    checks.that(
        matches!(child.strategy.standing, Standing::Quarantined { .. }),
        "nor what was made from it",
    );
    let same = given(&id, SignalKind::Outcome, true, "run_1");
    say(checks, bank, &ann(), &same, later(1)).await;
    let still = checks.ok(bank.get(&ann(), &id, later(1)).await, "it is read");
    checks.that(
        matches!(still.strategy.standing, Standing::Quarantined { .. }),
        "the session that it came from does not vouch for it",
    );
    let other = given(&id, SignalKind::Outcome, true, "run_2");
    say(checks, bank, &ann(), &other, later(2)).await;
    let found = checks.ok(bank.search(&ann(), &prompt, later(3)).await, "a search for a prompt");
    checks.that(holds(&found.memories, &id), "a person's task that succeeded elsewhere does");
    agents_vouch_together(checks, bank, &prompt).await;
}

/// What agents report of text that waits for somebody to vouch for it. `prompt` finds something in this bank.
async fn agents_vouch_together<B: Bank>(checks: &mut Checks, bank: &B, prompt: &Recall) {
    let agent = caller("north", "ferry", "mcp:ann");
    let stranger = caller("north", "ferry", "mcp:bob");
    let mut web =
        draft("Sail past the buoy", "A page says that the buoy can be passed on the left.");
    web.from_web = true;
    let first = put(checks, bank, &ann(), &web).await;
    "Row past the buoy".clone_into(&mut web.title);
    let second = put(checks, bank, &ann(), &web).await;
    let mut now = later(10);
    for session in ["run_3", "run_4"] {
        now = Timestamp(now.0 + 1);
        say(checks, bank, &agent, &given(&first, SignalKind::Outcome, true, session), now).await;
    }
    checks.that(waits(bank, &first, now).await, "sessions that were made up vouch for nothing");
    for session in ["run_8", "run_9"] {
        now = Timestamp(now.0 + 1);
        let asked = Recall { session_id: session.to_owned(), ..prompt.clone() };
        checks.ok(bank.search(&ann(), &asked, now).await, "a person searches");
        say(checks, bank, &agent, &given(&first, SignalKind::Outcome, true, session), now).await;
    }
    checks.that(waits(bank, &first, now).await, "nor do those in which somebody else searched");
    for (session, wanted) in [("run_5", true), ("run_6", false)] {
        now = Timestamp(now.0 + 1);
        let asked = Recall { session_id: session.to_owned(), ..prompt.clone() };
        checks.ok(bank.search(&agent, &asked, now).await, "an agent searches");
        say(checks, bank, &agent, &given(&first, SignalKind::Outcome, true, session), now).await;
        let held = waits(bank, &first, now).await;
        checks.that(held == wanted, "one session of who brought it does not, two do");
    }
    now = Timestamp(now.0 + 1);
    say(checks, bank, &stranger, &given(&second, SignalKind::Explicit, true, "run_7"), now).await;
    checks.that(waits(bank, &second, now).await, "an agent's praise does not");
    say(checks, bank, &stranger, &given(&second, SignalKind::Outcome, true, "run_7"), now).await;
    checks.that(!waits(bank, &second, now).await, "the task of somebody else's agent does");
}

/// Whether a strategy is in quarantine.
async fn waits<B: Bank>(bank: &B, id: &StrategyId, now: Timestamp) -> bool {
    let held = bank.get(&ann(), id, now).await;
    held.is_ok_and(|held| matches!(held.strategy.standing, Standing::Quarantined { .. }))
}

async fn goes_out_and_in<B: Bank>(checks: &mut Checks, bank: &B, empty: &B) {
    let id =
        put(checks, bank, &ann(), &draft("Read the winter table", "Ferries leave later.")).await;
    let mut second = draft("Trust the poster", "The poster at the quay was two years old.");
    second.outcome = Outcome::Failure;
    second.scope = Scope::Team;
    put(checks, bank, &ann(), &second).await;
    say(checks, bank, &ann(), &given(&id, SignalKind::Explicit, true, ""), later(1)).await;
    say(checks, bank, &ann(), &given(&id, SignalKind::Outcome, false, "run_1"), later(2)).await;
    let out = checks.ok(bank.export(&ann()).await, "it is exported");
    checks.that(out.len() == 2 && out[0].signals.len() == 2, "all of it");
    let new = checks.ok(empty.import(&ann(), &out, later(9)).await, "it is imported");
    checks.that(new == 2, "what is new is counted");
    let again = checks.ok(empty.export(&ann()).await, "it is exported again");
    checks.that(again == out, "what goes out and in is the same");
    let new = checks.ok(empty.import(&ann(), &out, later(9)).await, "it is imported again");
    checks.that(new == 0, "what is there stays as it is");
    let a = checks.ok(bank.get(&ann(), &id, later(10)).await, "it is read here");
    let b = checks.ok(empty.get(&ann(), &id, later(10)).await, "it is read there");
    checks.that((a.confidence - b.confidence).abs() < 0.05, "and believed alike");
}

async fn goes_back<B: Bank>(checks: &mut Checks, bank: &B) {
    let id =
        put(checks, bank, &ann(), &draft("Read the winter table", "Ferries leave later.")).await;
    say(checks, bank, &ann(), &given(&id, SignalKind::Explicit, true, ""), later(10)).await;
    let good = checks.ok(bank.get(&ann(), &id, later(20)).await, "it is read");
    let edit = Edit { content: Some("Ferries never leave.".to_owned()), ..Edit::default() };
    checks.ok(bank.edit(&ann(), &id, &edit, later(30)).await, "it is spoiled");
    say(checks, bank, &ann(), &given(&id, SignalKind::Explicit, false, ""), later(31)).await;
    for n in 0..4 {
        let bob = caller("north", "ferry", &format!("bob{n}"));
        say(checks, bank, &bob, &given(&id, SignalKind::Explicit, false, ""), later(32 + n)).await;
    }
    let recorded = bank.record(&ann(), &draft("Swim", "Swimming is quicker."), later(40)).await;
    let poison = checks.ok(recorded, "poison is recorded").held.strategy.id;
    let weights = checks.ok(bank.stats(&ann(), later(41)).await, "it is counted").weights;
    let (strategies, signals) =
        checks.ok(bank.roll_back(&ann(), later(20), later(50)).await, "it goes back");
    checks.that(strategies == 2 && signals == 5, "what that concerned is counted");
    let back = checks.ok(bank.get(&ann(), &id, later(50)).await, "it is read");
    checks.that(back.strategy.draft == good.strategy.draft, "it says what it said");
    checks.that((back.confidence - good.confidence).abs() < 1e-6, "it is believed as it was");
    let found = checks.ok(bank.search(&ann(), &recall("swimming"), later(51)).await, "a search");
    checks.that(!holds(&found.memories, &poison), "what came later is not found");
    let kept = checks.ok(bank.get(&ann(), &poison, later(51)).await, "but it is kept");
    checks.that(matches!(kept.strategy.standing, Standing::Archived { .. }), "in the archive");
    let after = checks.ok(bank.stats(&ann(), later(52)).await, "it is counted").weights;
    checks.that(weights.iter().zip(after).all(|(a, b)| a.is_finite() && b.is_finite()), "finite");
    checks.refused(
        bank.roll_back(&ann(), later(900), later(60)).await,
        "nobody goes back to what is to come",
    );
}

async fn tends<B: Bank>(checks: &mut Checks, bank: &B) {
    let id =
        put(checks, bank, &ann(), &draft("Read the winter table", "Ferries leave later.")).await;
    for n in 0..6 {
        let who = caller("north", "ferry", &format!("actor{n}"));
        say(
            checks,
            bank,
            &who,
            &given(&id, SignalKind::Outcome, n % 3 != 0, &format!("run_{n}")),
            later(n * DAY),
        )
        .await;
    }
    say(checks, bank, &ann(), &given(&id, SignalKind::Explicit, true, ""), later(DAY)).await;
    let at = later(75 * DAY);
    let before = checks.ok(bank.get(&ann(), &id, at).await, "it is read");
    let lines = checks.ok(bank.tend(at).await, "it is tended");
    checks.that(!lines.is_empty(), "old signals are rolled up");
    let after = checks.ok(bank.get(&ann(), &id, at).await, "it is read");
    checks
        .that((before.confidence - after.confidence).abs() < 1e-9, "rolling up changes no belief");
    checks.that(after.strategy.draft.scope == Scope::Team, "what many confirmed is promoted");
    let why = checks.ok(bank.why(&ann(), &id, at).await, "it is explained");
    checks.that((why.value - after.confidence).abs() < 1e-9, "to the same figure");
    let told = why.render();
    checks.that(
        told.contains("run_3") && !told.contains("rolled up"),
        "what was rolled up is told down to each report",
    );
    let mate = caller("north", "quay", "bob");
    say(checks, bank, &mate, &given(&id, SignalKind::Explicit, false, ""), at).await;
    let told = checks.ok(bank.why(&ann(), &id, at).await, "it is explained").render();
    checks.that(
        told.contains("belief of the other projects") && !told.contains("bob"),
        "what another project believes is told in sums",
    );

    let bad = put(checks, bank, &ann(), &draft("Row", "Rowing across is quickest.")).await;
    for n in 0..40 {
        let who = caller("north", "ferry", &format!("rower{n}"));
        say(checks, bank, &who, &given(&bad, SignalKind::Explicit, false, ""), at).await;
    }
    checks.ok(bank.tend(at).await, "it is tended");
    let held = checks.ok(bank.get(&ann(), &bad, at).await, "it is read");
    checks.that(
        matches!(held.strategy.standing, Standing::Archived { .. }),
        "what proved useless is archived",
    );
}

async fn queues<B: Bank>(checks: &mut Checks, bank: &B) {
    let session = |name: &str| Queued {
        id: 0,
        caller: ann(),
        session_id: name.to_owned(),
        outcome: Some(Outcome::Success),
        trace: "asked, searched, answered".to_owned(),
        from_web: false,
        shown: Vec::new(),
        attempts: 0,
    };
    checks.that(checks_queue(bank, &session("run_1"), START).await, "a session is queued");
    checks.that(!checks_queue(bank, &session("run_1"), START).await, "once");
    checks.that(checks_queue(bank, &session("run_2"), later(1)).await, "another is queued");
    let elsewhere = caller("north", "canal", "ann");
    checks.that(is_due(bank, Some(&ann()), later(2)).await, "they are due");
    checks.that(is_due(bank, None, later(2)).await, "to whoever serves all projects as well");
    checks.that(!is_due(bank, Some(&elsewhere), later(2)).await, "and not to another project");
    let foreign = bank.take(Some(&elsewhere), 9, "w0", 1_000, later(2)).await;
    let foreign = checks.ok(foreign, "another project takes its own");
    checks.that(foreign.is_empty(), "and nothing of this one");
    let first = checks.ok(bank.take(Some(&ann()), 1, "w1", 1_000, later(2)).await, "one is taken");
    checks.that(first.len() == 1 && first[0].session_id == "run_1", "the oldest first");
    let second = checks.ok(bank.take(None, 9, "w2", 1_000, later(2)).await, "the others are taken");
    checks.that(second.len() == 1 && second[0].session_id == "run_2", "each by one holder");
    let none = checks.ok(bank.take(None, 9, "w3", 1_000, later(3)).await, "nothing is left");
    checks.that(none.is_empty(), "what is held is not given out");
    checks.that(!is_due(bank, None, later(3)).await, "and nothing is due");
    let again = checks.ok(bank.take(None, 9, "w3", 1_000, later(1_500)).await, "leases end");
    checks.that(again.len() == 2, "what a dead holder had is given out again");
    let late = bank.settle(&first[0], Ok(&[]), &[], later(1_501)).await;
    checks.refused(late, "who lost its lease settles nothing");
    let learned = draft("Search twice", "A second wording finds what the first misses.");
    let drafts = [learned];
    let left = ["memory 2: left out: Search thrice".to_owned()];
    let settled = bank.settle(&again[0], Ok(&drafts), &left, later(1_502)).await;
    let ids = checks.ok(settled, "one is settled");
    checks.that(ids.len() == 1, "with what it taught");
    let held = checks.ok(bank.get(&ann(), &ids[0], later(1_503)).await, "which is recorded");
    checks.that(held.strategy.draft.source_session.as_deref() == Some("run_1"), "with its session");
    let mut taken = again[1].clone();
    let mut now = later(1_504);
    for attempt in 2..=5 {
        let failed = Failed { cause: format!("try {attempt}"), reply: Some("nonsense".to_owned()) };
        checks.ok(bank.settle(&taken, Err(failed), &[], now).await, "a failure is settled");
        let soon = checks.ok(bank.take(None, 9, "w4", 1_000, now).await, "it waits");
        checks.that(soon.is_empty(), "before it is tried again");
        now = Timestamp(now.0 + DAY);
        let next = checks.ok(bank.take(None, 9, "w4", 1_000, now).await, "then it is");
        match next.into_iter().next() {
            Some(next) => taken = next,
            None => break,
        }
    }
    let troubled = checks.ok(bank.given_up(&ann()).await, "what gave trouble is listed");
    let of = |stands: Troubled| {
        troubled.iter().filter(move |one| one.stands == stands).collect::<Vec<_>>()
    };
    let lost = of(Troubled::GivenUp);
    checks.that(lost.len() == 1 && lost[0].session.session_id == "run_2", "after five tries");
    checks.that(lost[0].failed.reply.as_deref() == Some("nonsense"), "with the reply");
    let causes: Vec<&str> = lost[0].tries.iter().map(|one| one.cause.as_str()).collect();
    checks.that(causes.len() >= 4 && causes[0] == "try 2", "and every try before");
    checks.that(lost[0].session.trace.contains("searched"), "and what was read");
    let partly = of(Troubled::PartlyRead);
    checks.that(
        partly.len() == 1 && partly[0].failed.cause.contains("Search thrice"),
        "and so is what was left out of a reply that could be used",
    );
    let stats = checks.ok(bank.stats(&ann(), now).await, "it is counted");
    checks.that(stats.queue == [0, 0, 1], "by state");
}

async fn checks_queue<B: Bank>(bank: &B, session: &Queued, now: Timestamp) -> bool {
    bank.queue(&session.caller, session, now).await.is_ok_and(|new| new)
}

async fn is_due<B: Bank>(bank: &B, caller: Option<&Caller>, now: Timestamp) -> bool {
    bank.is_due(caller, now).await.is_ok_and(|is_due| is_due)
}

async fn refuses<B: Bank>(checks: &mut Checks, bank: &B) {
    let id = StrategyId("mem_000000000000".to_owned());
    checks.unknown(bank.get(&ann(), &id, START).await, "an unknown id is unknown");
    let vote = given(&id, SignalKind::Explicit, true, "");
    checks.unknown(bank.signal(&ann(), &vote, START).await, "for votes too");
    for query in ["", "  ", "?!\u{0}\""] {
        checks
            .refused(bank.search(&ann(), &recall(query), START).await, "an empty query is refused");
    }
    for least in [f64::NAN, -0.1, 1.5, f64::INFINITY] {
        let mut odd = recall("ferries");
        odd.min_confidence = least;
        checks.refused(bank.search(&ann(), &odd, START).await, "an odd confidence is refused");
    }
    let known = put(checks, bank, &ann(), &draft("Read the winter table", "Ferries leave.")).await;
    for share in [f64::NAN, 0.0, -1.0, 2.0] {
        let mut odd = given(&known, SignalKind::Outcome, true, "run_1");
        odd.share = share;
        checks.refused(bank.signal(&ann(), &odd, START).await, "an odd share is refused");
    }
    let huge = "ferry ".repeat(2_000_000);
    let long = [
        draft("Read", &huge),
        draft(&huge, "Ferries leave."),
        Draft { description: huge.clone(), ..draft("A", "Ferries.") },
        Draft { tags: vec![huge.clone()], ..draft("B", "Ferries.") },
        draft("", "Ferries."),
        draft("Ferries", " \u{200B}"),
    ];
    for odd in &long {
        checks
            .refused(bank.record(&ann(), odd, START).await, "what is too long or empty is refused");
    }
    checks.refused(bank.search(&ann(), &recall(&huge), START).await, "so is a query of megabytes");
    let all = checks.ok(bank.list(&ann(), &Listing::default(), START).await, "a list");
    checks.that(all.len() == 1, "nothing of what was refused is kept");
}
