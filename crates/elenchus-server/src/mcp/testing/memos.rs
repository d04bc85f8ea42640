//! Memos in memory: what the tools do with them, and nothing else.

use elenchus_core::graph::{Memo, Relation};
use elenchus_core::id::MemoId;
use elenchus_core::port::{MemoFailure, MemoFilter, MemoHit, Memos, PortFuture, Reach};
use std::sync::Mutex;

type Done<'a, T> = PortFuture<'a, Result<T, MemoFailure>>;

/// Memos and relations, each with its tenant.
#[derive(Default)]
pub(super) struct TestMemos {
    memos: Mutex<Vec<(String, Memo)>>,
    relations: Mutex<Vec<(String, Relation)>>,
}

fn ready<'a, T: Send + 'a>(result: Result<T, MemoFailure>) -> Done<'a, T> {
    Box::pin(std::future::ready(result))
}

fn unused<'a, T: Send + 'a>() -> Done<'a, T> {
    ready(Err(MemoFailure::Io { attempted: "use it".to_owned(), cause: "a test graph".to_owned() }))
}

impl TestMemos {
    fn kept(&self, tenant: &str, namespace: &str, id: &MemoId) -> Option<Memo> {
        let memos = self.memos.lock().unwrap();
        let found = memos
            .iter()
            .find(|(whose, memo)| whose == tenant && memo.namespace == namespace && memo.id == *id);
        found.map(|(_, memo)| memo.clone())
    }

    fn related(&self, tenant: &str, relation: &Relation) -> Result<(), MemoFailure> {
        relation.check()?;
        for id in [&relation.source, &relation.target] {
            if self.kept(tenant, &relation.namespace, id).is_none() {
                return Err(MemoFailure::Unknown(id.clone()));
            }
        }
        self.relations.lock().unwrap().push((tenant.to_owned(), relation.clone()));
        Ok(())
    }
}

impl Memos for TestMemos {
    fn save<'a>(&'a self, tenant: &'a str, memo: &'a Memo) -> Done<'a, ()> {
        let checked = memo.check();
        if checked.is_ok() {
            self.memos.lock().unwrap().push((tenant.to_owned(), memo.clone()));
        }
        ready(checked)
    }

    fn get<'a>(
        &'a self,
        tenant: &'a str,
        namespace: &'a str,
        ids: &'a [MemoId],
    ) -> Done<'a, Vec<Memo>> {
        ready(Ok(ids.iter().filter_map(|id| self.kept(tenant, namespace, id)).collect()))
    }

    fn search<'a>(&'a self, _: &'a str, _: &'a str, _: &'a MemoFilter) -> Done<'a, Vec<MemoHit>> {
        unused()
    }

    fn list<'a>(&'a self, _: &'a str, _: &'a MemoFilter) -> Done<'a, Vec<Memo>> {
        unused()
    }

    fn delete<'a>(&'a self, _: &'a str, _: &'a str, _: &'a MemoId) -> Done<'a, ()> {
        unused()
    }

    fn relate<'a>(&'a self, tenant: &'a str, relation: &'a Relation) -> Done<'a, ()> {
        ready(self.related(tenant, relation))
    }

    fn unrelate<'a>(&'a self, _: &'a str, _: &'a Relation) -> Done<'a, ()> {
        unused()
    }

    fn relations<'a>(&'a self, tenant: &'a str, _: &'a MemoFilter) -> Done<'a, Vec<Relation>> {
        let relations = self.relations.lock().unwrap();
        let own = relations.iter().filter(|(whose, _)| whose == tenant);
        ready(Ok(own.map(|(_, relation)| relation.clone()).collect()))
    }

    fn around<'a>(&'a self, _: &'a str, _: &'a Reach) -> Done<'a, Vec<Relation>> {
        unused()
    }
}
