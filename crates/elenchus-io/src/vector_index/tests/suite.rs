//! What every implementation of the port promises.

use super::world::{DIMENSIONS, Dice, caller, cosine, nearest, point, points, shared, towards};
use crate::vector_index::{
    Found, IndexFailure, Kind, Listed, Lot, Nearest, Point, Trouble, VectorIndex,
};
use elenchus_core::bank::{Caller, Scope};
use std::collections::BTreeSet;

/// What an implementation may err by in a cosine.
const CLOSE: f64 = 2e-5;

/// Checks everything that the port promises, with tenants that nobody else has: their names hold `salt`.
pub(super) async fn suite(name: &str, index: &dyn VectorIndex, salt: &str) {
    let mut checks = Checks { name: name.to_owned(), done: 0, index, salt: salt.to_owned() };
    finds(&mut checks).await;
    replaces_and_removes(&mut checks).await;
    keeps_tenants_and_kinds_apart(&mut checks).await;
    shows_what_is_shared(&mut checks).await;
    filters_before_it_searches(&mut checks).await;
    lists(&mut checks).await;
    takes_any_name(&mut checks).await;
    refuses(&mut checks).await;
    println!("index_suite[{name}]: ok ({} checks)", checks.done);
}

struct Checks<'a> {
    name: String,
    done: u32,
    index: &'a dyn VectorIndex,
    salt: String,
}

impl Checks<'_> {
    fn that(&mut self, holds: bool, what: &str) {
        assert!(holds, "index_suite[{}]: broken promise: {what}", self.name);
        self.done += 1;
    }

    fn ok<T>(&mut self, result: Result<T, IndexFailure>, what: &str) -> T {
        match result {
            Ok(value) => {
                self.done += 1;
                value
            }
            Err(error) => {
                unreachable!("index_suite[{}]: broken promise: {what}: {error}", self.name)
            }
        }
    }

    fn refused<T>(&mut self, result: Result<T, IndexFailure>, what: &str) {
        let refused = matches!(&result, Err(failure) if failure.trouble == Trouble::Refused);
        self.that(refused, what);
    }

    fn tenant(&self, name: &str) -> String {
        format!("{name} {}", self.salt)
    }

    fn lot(&self, name: &str) -> Lot {
        Lot::new(self.tenant(name), Kind::Bank).unwrap()
    }

    /// Ann of the project `ferry`, team `red`, organisation `works`.
    fn ann(&self, tenant: &str) -> Caller {
        caller(&self.tenant(tenant), "ferry", Some("red"), Some("works"))
    }

    async fn put(&mut self, lot: &Lot, points: &[Point]) {
        let done = self.index.upsert(lot, points).await;
        self.ok(done, "points can be written");
    }

    async fn found(&mut self, caller: &Caller, asked: &Nearest) -> Vec<Found> {
        let found = self.index.nearest(caller, &Kind::Bank, asked).await;
        self.ok(found, "a search works")
    }

    async fn ids(&mut self, caller: &Caller, asked: &Nearest) -> Vec<String> {
        self.found(caller, asked).await.into_iter().map(|found| found.id).collect()
    }

    async fn count(&mut self, caller: &Caller) -> u64 {
        let count = self.index.count(caller, &Kind::Bank).await;
        self.ok(count, "what a caller sees is counted")
    }

    async fn size(&mut self, lot: &Lot) -> u64 {
        let size = self.index.size(lot).await;
        self.ok(size, "a lot is counted")
    }
}

async fn finds(checks: &mut Checks<'_>) {
    let (lot, ann) = (checks.lot("finds"), checks.ann("finds"));
    let none = checks.found(&ann, &nearest(towards(0, 1.0), 5)).await;
    checks.that(none.is_empty(), "nothing is found where nothing is");
    // Lengths do not matter, and the nearest piece of a text stands for it.
    let far: Vec<f32> = towards(0, 0.9).iter().map(|x| x * 1_000.0).collect();
    let several = vec![towards(4, 1.0), towards(0, 0.95), towards(0, -1.0)];
    checks
        .put(
            &lot,
            &[
                point("b", vec![towards(0, 0.5)]),
                point("a", vec![towards(0, 0.5)]),
                point("far", vec![far]),
                point("several", several),
                point("behind", vec![towards(0, -1.0)]),
            ],
        )
        .await;
    let found = checks.found(&ann, &nearest(towards(0, 1.0), 10)).await;
    let wanted = [("several", 0.95), ("far", 0.9), ("a", 0.5), ("b", 0.5), ("behind", -1.0)];
    let ids: Vec<&str> = found.iter().map(|found| found.id.as_str()).collect();
    checks.that(ids == wanted.map(|(id, _)| id), &format!("the nearest come first: {found:?}"));
    let close = found
        .iter()
        .zip(wanted)
        .all(|(found, (_, cosine))| (f64::from(found.cosine) - cosine).abs() < CLOSE);
    checks.that(close, "cosines are cosines");
    let two = checks.ids(&ann, &nearest(towards(0, 3.0), 3)).await;
    checks.that(two == ["several", "far", "a"], "no more than asked for, ties by id");
    // Many at once, in several requests.
    let (lot, ann) = (checks.lot("many"), checks.ann("many"));
    let many = points(700);
    checks.put(&lot, &many).await;
    checks.that(checks.index.size(&lot).await == Ok(700), "many points can be written at once");
    let mut dice = Dice(1);
    for _ in 0..20 {
        let wanted = dice.vector();
        let found = checks.found(&ann, &nearest(wanted.clone(), 25)).await;
        let mut by_hand: Vec<f64> = many.iter().map(|point| cosine(point, &wanted)).collect();
        by_hand.sort_by(|a, b| b.total_cmp(a));
        let right = found.len() == 25
            && found.iter().zip(&by_hand).all(|(found, cosine)| {
                (f64::from(found.cosine) - cosine).abs() < CLOSE
                    && many.iter().any(|point| {
                        point.id == found.id
                            && (super::world::cosine(point, &wanted) - cosine).abs() < CLOSE
                    })
            });
        checks.that(right, "the nearest of many are the nearest");
    }
}

async fn replaces_and_removes(checks: &mut Checks<'_>) {
    let (lot, ann) = (checks.lot("replaces"), checks.ann("replaces"));
    checks.put(&lot, &[point("a", vec![towards(0, 1.0)]), point("b", vec![towards(1, 1.0)])]).await;
    checks.put(&lot, &[point("a", vec![towards(2, 1.0)])]).await;
    let found = checks.found(&ann, &nearest(towards(0, 1.0), 1)).await;
    checks.that(found[0].cosine < 0.5, "a point that was written again is no more where it was");
    checks.that(
        checks.index.size(&lot).await == Ok(2),
        "a point that is written twice is there once",
    );
    let gone = ["b".to_owned(), "never".to_owned(), "b".to_owned()];
    let done = checks.index.remove(&lot, &gone).await;
    checks.ok(done, "ids that are not there may be taken out");
    let ids = checks.ids(&ann, &nearest(towards(1, 1.0), 5)).await;
    checks.that(ids == ["a"], "what was taken out is not found");
    let done = checks.index.upsert(&lot, &[]).await;
    checks.ok(done, "nothing may be written");
    let done = checks.index.remove(&lot, &[]).await;
    checks.ok(done, "nothing may be taken out");
    checks.that(checks.index.size(&lot).await == Ok(1), "and nothing comes of it");
}

async fn keeps_tenants_and_kinds_apart(checks: &mut Checks<'_>) {
    let (here, there) = (checks.lot("here"), checks.lot("there"));
    let memos = Lot::new(checks.tenant("here"), Kind::Memos).unwrap();
    let corpus = Lot::new(checks.tenant("here"), Kind::Corpus("bank".to_owned())).unwrap();
    for (lot, axis) in [(&here, 0), (&there, 1), (&memos, 2), (&corpus, 3)] {
        checks.put(lot, &[point("a", vec![towards(axis, 1.0)])]).await;
    }
    let (ann, bob) = (checks.ann("here"), checks.ann("there"));
    for (caller, axis) in [(&ann, 0), (&bob, 1)] {
        for other in 0..4 {
            let found = checks.found(caller, &nearest(towards(other, 1.0), 9)).await;
            let near = found.len() == 1 && (found[0].cosine > 0.9) == (other == axis);
            checks.that(near, "a search stays with its tenant and kind");
        }
    }
    let count = checks.count(&ann).await;
    checks.that(count == 1, "a count stays with its tenant and kind");
    let done = checks.index.remove(&there, &["a".to_owned()]).await;
    checks.ok(done, "a point is taken out");
    let sizes = [checks.size(&here).await, checks.size(&there).await, checks.size(&memos).await];
    checks.that(sizes == [1, 0, 1], "an id is taken out of one tenant alone");
    let done = checks.index.clear(&here).await;
    checks.ok(done, "a lot is cleared");
    let sizes = [checks.size(&here).await, checks.size(&memos).await, checks.size(&corpus).await];
    checks.that(sizes == [0, 1, 1], "clearing a lot leaves the others");
    for lot in [&memos, &corpus] {
        let done = checks.index.clear(lot).await;
        checks.ok(done, "a lot is cleared");
    }
}

async fn shows_what_is_shared(checks: &mut Checks<'_>) {
    let lot = checks.lot("shared");
    let mut all = Vec::new();
    for project in ["ferry", "tram"] {
        for scope in [Scope::Project, Scope::Team, Scope::Org] {
            let id = format!("{project} {scope:?}");
            let mut one = point(&id, vec![towards(0, 1.0)]);
            one.shared = shared(project, scope);
            all.push(one);
        }
    }
    let mut alone = point("alone", vec![towards(0, 1.0)]);
    alone.shared = shared("tram", Scope::Team);
    alone.shared.team = None;
    all.push(alone);
    checks.put(&lot, &all).await;
    for project in ["ferry", "tram", "bus"] {
        for team in [None, Some("red"), Some("blue"), Some("works")] {
            for org in [None, Some("works"), Some("red")] {
                let asking = caller(&checks.tenant("shared"), project, team, org);
                let seen: Vec<&Point> =
                    all.iter().filter(|point| point.shared.seen_by(&asking)).collect();
                let mut ids: Vec<&str> = seen.iter().map(|point| point.id.as_str()).collect();
                ids.sort_unstable();
                let found = checks.ids(&asking, &nearest(towards(0, 1.0), 50)).await;
                checks.that(found == ids, &format!("{asking:?} sees {ids:?} and not {found:?}"));
                let count = checks.count(&asking).await;
                checks.that(count == ids.len() as u64, "what is counted is what is seen");
            }
        }
    }
    // Another scope takes it from the sight of those it was shared with.
    let mut narrowed = all[5].clone();
    narrowed.shared.scope = Scope::Project;
    checks.put(&lot, &[narrowed]).await;
    let bus = caller(&checks.tenant("shared"), "bus", None, Some("works"));
    let found = checks.ids(&bus, &nearest(towards(0, 1.0), 50)).await;
    checks.that(found == ["ferry Org"], "what is no longer shared is no longer seen");
}

async fn filters_before_it_searches(checks: &mut Checks<'_>) {
    let lot = checks.lot("filters");
    let mut all = Vec::new();
    for at in 0..200_u16 {
        // All of them nearer than what the caller may see.
        let mut near =
            point(&format!("near {at}"), vec![towards(0, 0.9 + f32::from(at) / 5_000.0)]);
        near.shared = shared("tram", Scope::Project);
        all.push(near);
    }
    let mut seen = point("seen", vec![towards(0, 0.2)]);
    seen.facet = "failure".to_owned();
    let mut team = point("team", vec![towards(0, 0.3)]);
    team.shared.scope = Scope::Team;
    all.extend([seen, team]);
    checks.put(&lot, &all).await;
    let ann = checks.ann("filters");
    let first = checks.ids(&ann, &nearest(towards(0, 1.0), 1)).await;
    checks.that(first == ["team"], "what may not be seen takes no place");
    let mut asked = nearest(towards(0, 1.0), 1);
    asked.scope = Some(Scope::Project);
    let of_project = checks.ids(&ann, &asked).await;
    asked.scope = None;
    asked.facet = Some("failure".to_owned());
    let failures = checks.ids(&ann, &asked).await;
    asked.facet = Some("none such".to_owned());
    let none = checks.ids(&ann, &asked).await;
    checks.that(
        of_project == ["seen"] && failures == ["seen"],
        "scope and facet take no place either",
    );
    checks.that(none.is_empty(), "a facet that nothing has finds nothing");
    let count = checks.count(&ann).await;
    checks.that(count == 2, "and all that is seen is counted");
}

async fn lists(checks: &mut Checks<'_>) {
    let lot = checks.lot("lists");
    let all = points(100);
    checks.put(&lot, &all).await;
    let mut listed: Vec<Listed> = Vec::new();
    let mut from: Option<String> = None;
    for _ in 0..40 {
        let page = checks.index.page(&lot, from.as_deref(), 7).await;
        let page = checks.ok(page, "a page is listed");
        checks.that(page.listed.len() <= 7, "a page is no longer than asked for");
        listed.extend(page.listed);
        from = page.next;
        if from.is_none() {
            break;
        }
    }
    listed.sort();
    let wanted: Vec<Listed> =
        all.iter().map(|point| Listed { id: point.id.clone(), print: point.print() }).collect();
    checks.that(from.is_none() && listed == wanted, "pages list each point once, with its print");
    let nothing = checks.index.page(&checks.lot("nobody"), None, 5).await;
    checks.that(
        nothing.is_ok_and(|page| page.listed.is_empty()),
        "a lot without points has an empty page",
    );
}

async fn takes_any_name(checks: &mut Checks<'_>) {
    let odd = ["' OR 1=1 --", "\"}]}", "a/b?c#d", "Ω 🚢", "%00", "*", "tenant", "null", "  "];
    for name in odd {
        let lot = checks.lot(name);
        let mut one = point(name, vec![towards(0, 1.0)]);
        one.shared = shared(name, Scope::Team);
        one.shared.team = Some(name.to_owned());
        one.facet = name.to_owned();
        checks.put(&lot, &[one]).await;
    }
    for name in odd {
        let asking = caller(&checks.tenant(name), "none", Some(name), Some(name));
        let mut asked = nearest(towards(0, 1.0), 20);
        asked.facet = Some(name.to_owned());
        let found = checks.ids(&asking, &asked).await;
        checks.that(found == [name], &format!("{name:?} means itself and nothing else: {found:?}"));
    }
}

async fn refuses(checks: &mut Checks<'_>) {
    let (lot, ann) = (checks.lot("refuses"), checks.ann("refuses"));
    let good = point("good", vec![towards(0, 1.0)]);
    let mut wrong = vec![good.clone(); 10];
    wrong[0].vectors = vec![vec![1.0; DIMENSIONS - 1]];
    wrong[1].vectors = vec![vec![1.0; DIMENSIONS + 1]];
    wrong[2].vectors = vec![vec![0.0; DIMENSIONS]];
    wrong[3].vectors = vec![vec![f32::NAN; DIMENSIONS]];
    wrong[4].vectors = vec![vec![f32::INFINITY; DIMENSIONS]];
    wrong[5].vectors = Vec::new();
    wrong[6].vectors = vec![towards(0, 1.0); 65];
    wrong[7].id = String::new();
    wrong[8].id = "x".repeat(513);
    wrong[9].shared.project = "x".repeat(513);
    for one in wrong {
        let what = format!("a point like {:.40?} is refused", one.vectors);
        let done = checks.index.upsert(&lot, &[good.clone(), one]).await;
        checks.refused(done, &what);
    }
    checks.that(checks.index.size(&lot).await == Ok(0), "nothing is written of what is refused");
    for vector in
        [vec![], vec![1.0; DIMENSIONS + 1], vec![0.0; DIMENSIONS], vec![f32::NAN; DIMENSIONS]]
    {
        let done = checks.index.nearest(&ann, &Kind::Bank, &nearest(vector, 5)).await;
        checks.refused(done, "such a vector is not looked for");
    }
    for most in [0, 1_001, usize::MAX] {
        let done = checks.index.nearest(&ann, &Kind::Bank, &nearest(towards(0, 1.0), most)).await;
        checks.refused(done, "such a number is not asked for");
        let done = checks.index.page(&lot, None, most).await;
        checks.refused(done, "such a page is not listed");
    }
    let nobody = caller("", "ferry", None, None);
    let done = checks.index.nearest(&nobody, &Kind::Bank, &nearest(towards(0, 1.0), 5)).await;
    checks.refused(done, "nobody asks without a tenant");
    let done = checks.index.count(&nobody, &Kind::Bank).await;
    checks.refused(done, "nobody counts without a tenant");
    // The ends of what is taken.
    let mut longest = good;
    longest.id = "x".repeat(512);
    longest.vectors = vec![towards(0, 1.0); 64];
    let tiny: BTreeSet<String> = [longest.id.clone()].into();
    checks.put(&lot, &[longest]).await;
    let found = checks.ids(&ann, &nearest(vec![1e-18; DIMENSIONS], 1_000)).await;
    checks.that(found.into_iter().collect::<BTreeSet<_>>() == tiny, "what is just allowed works");
}
