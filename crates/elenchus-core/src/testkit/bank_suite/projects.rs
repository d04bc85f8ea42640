//! Two projects of one tenant: each sees, says and counts its own.

use super::{Checks, ann, caller, draft, given, holds, later, put, recall, say};
use crate::bank::{Caller, Scope, SignalKind};
use crate::id::StrategyId;
use crate::port::{Bank, Edit, Held, Listing};

/// A project of the same tenant that shares neither team nor organisation with [`ann`]'s.
fn eve() -> Caller {
    Caller { team: None, org: None, ..caller("north", "quay", "eve") }
}

fn figures(found: &[Held]) -> Vec<(StrategyId, u64)> {
    found.iter().map(|held| (held.strategy.id.clone(), held.relevance.to_bits())).collect()
}

pub(super) async fn keeps_projects_apart<B: Bank>(checks: &mut Checks, bank: &B) {
    let own = put(
        checks,
        bank,
        &ann(),
        &draft("Read the winter table", "Ferries leave later in winter."),
    )
    .await;
    let mut shared = draft("Ask the harbour", "The harbour knows of storms.");
    let mut ids = vec![own.clone()];
    for scope in [Scope::Team, Scope::Org] {
        shared.scope = scope;
        shared.title.push('!');
        ids.push(put(checks, bank, &ann(), &shared).await);
    }
    say(checks, bank, &ann(), &given(&own, SignalKind::Explicit, true, ""), later(1)).await;
    let mine = put(checks, bank, &eve(), &draft("Count the boats", "Boats come in spring.")).await;

    for (who, hers, others) in [(eve(), &mine, &ids[..]), (ann(), &own, &[mine.clone()][..])] {
        for id in others {
            checks.unknown(bank.get(&who, id, later(2)).await, "no id crosses projects");
            checks.unknown(bank.why(&who, id, later(2)).await, "nor an explanation");
            for kind in [SignalKind::Explicit, SignalKind::Outcome] {
                let said = given(id, kind, false, "run_1");
                checks.unknown(bank.signal(&who, &said, later(2)).await, "nor feedback");
            }
            checks.unknown(bank.unvote(&who, id, later(2)).await, "nor what takes it back");
            let edit = Edit { title: Some("Mine".to_owned()), ..Edit::default() };
            checks.unknown(bank.edit(&who, id, &edit, later(2)).await, "nor a revision");
            checks.unknown(bank.delete(&who, id).await, "nor a deletion");
        }
        let all = Listing { archived: true, ..Listing::default() };
        let listed = checks.ok(bank.list(&who, &all, later(2)).await, "a list");
        checks.that(holds(&listed, hers), "one's own are listed");
        checks.that(others.iter().all(|id| !holds(&listed, id)), "others' are not");
        let out = checks.ok(bank.export(&who).await, "an export");
        checks.that(
            out.iter().all(|line| !others.contains(&line.strategy.id)),
            "no export crosses projects",
        );
        for query in ["winter ferries", "boats in spring", "harbour storms"] {
            let found = checks.ok(bank.search(&who, &recall(query), later(3)).await, "a search");
            checks.that(
                others.iter().all(|id| !holds(&found.memories, id)),
                "no search crosses projects",
            );
        }
    }
    let stats = checks.ok(bank.stats(&eve(), later(4)).await, "it is counted");
    checks.that(stats.active == 1, "no count crosses projects");
    checks.that(stats.signals[0] == 0, "nor one of what was said");
    checks.ok(bank.delete(&eve(), &mine).await, "one's own is deleted");
    let stats = checks.ok(bank.stats(&ann(), later(5)).await, "it is counted");
    checks.that(stats.active == 3 && stats.signals[0] == 1, "and nothing of others goes with it");

    let mut quiet = recall("winter ferries");
    "same".clone_into(&mut quiet.session_id);
    let before = checks.ok(bank.search(&ann(), &quiet, later(6)).await, "a search");
    for n in 0..20 {
        let text = format!("Ferries, ferries and winter, number {n}.");
        put(checks, bank, &eve(), &draft(&format!("Winter ferries {n}"), &text)).await;
    }
    let after = checks.ok(bank.search(&ann(), &quiet, later(6)).await, "a search");
    checks.that(
        figures(&before.memories) == figures(&after.memories)
            && before.total_found == after.total_found,
        "what another project records changes no score, order or count",
    );
}
