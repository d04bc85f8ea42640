//! Memos as members of several projects of one tenant reach them.

use elenchus_core::bank::Caller;
use elenchus_core::graph::{Memo, Relation, Walls};
use elenchus_core::id::MemoId;
use elenchus_core::port::{MemoFailure, MemoFilter, MemoHit, Memos, PortFuture, Reach};

/// Memos, each caller of which reaches the namespaces of its own project, team and organisation, and none of another's. Every
/// method is behind the walls, so that nothing which is built on memos can go around them.
pub struct Walled<'m> {
    memos: &'m dyn Memos,
    walls: Option<Walls>,
}

impl<'m> Walled<'m> {
    /// The memos as `caller` reaches them. `home` is the caller of the server itself; without it nobody else is let in, and
    /// nothing is hidden.
    pub fn of(memos: &'m dyn Memos, caller: &Caller, home: Option<&Caller>) -> Self {
        Self { memos, walls: home.map(|home| Walls::of(caller, home)) }
    }

    /// Where what the caller calls a namespace lies, if it is within reach.
    fn at(&self, attempted: &str, namespace: &str) -> Result<String, MemoFailure> {
        let Some(walls) = &self.walls else { return Ok(namespace.to_owned()) };
        let place = walls.place(namespace);
        if walls.reaches(&place) { Ok(place) } else { Err(beyond(attempted, &place, walls)) }
    }

    /// What the caller looks for, within reach.
    fn looked(&self, attempted: &str, filter: &MemoFilter) -> Result<MemoFilter, MemoFailure> {
        let Some(walls) = &self.walls else { return Ok(filter.clone()) };
        // Of everything, or of all projects, the caller's own is meant.
        let is_above = matches!(&*filter.namespace, "" | "project" | "team" | "org");
        let namespace = if is_above {
            filter.namespace.clone()
        } else {
            self.at(attempted, &filter.namespace)?
        };
        Ok(MemoFilter { namespace, walls: Some(walls.clone()), ..filter.clone() })
    }

    /// What the caller calls where something lies: it is answered with the names that it was asked by.
    fn name(&self, namespace: &mut String) {
        if let Some(walls) = &self.walls {
            *namespace = walls.name(namespace).to_owned();
        }
    }

    fn related(&self, attempted: &str, relation: &Relation) -> Result<Relation, MemoFailure> {
        let namespace = self.at(attempted, &relation.namespace)?;
        Ok(Relation { namespace, ..relation.clone() })
    }
}

fn beyond(attempted: &str, namespace: &str, walls: &Walls) -> MemoFailure {
    let shown: String = namespace.chars().take(80).collect();
    let own: Vec<&str> = walls.roots().into_iter().filter(|root| !root.is_empty()).collect();
    MemoFailure::Refused {
        attempted: attempted.to_owned(),
        cause: format!(
            "the namespace {shown:?} is none of this token's project, team or organisation"
        ),
        way_out: format!("use {} or one below, or a token of whom it belongs to", own.join(" or ")),
    }
}

impl Memos for Walled<'_> {
    fn save<'a>(
        &'a self,
        tenant: &'a str,
        memo: &'a Memo,
    ) -> PortFuture<'a, Result<(), MemoFailure>> {
        Box::pin(async move {
            let namespace = self.at("save the memo", &memo.namespace)?;
            let memo = Memo { namespace, ..memo.clone() };
            self.memos.save(tenant, &memo).await
        })
    }

    fn get<'a>(
        &'a self,
        tenant: &'a str,
        namespace: &'a str,
        ids: &'a [MemoId],
    ) -> PortFuture<'a, Result<Vec<Memo>, MemoFailure>> {
        Box::pin(async move {
            let namespace = self.at("read the memos", namespace)?;
            let mut found = self.memos.get(tenant, &namespace, ids).await?;
            for memo in &mut found {
                self.name(&mut memo.namespace);
            }
            Ok(found)
        })
    }

    fn search<'a>(
        &'a self,
        tenant: &'a str,
        query: &'a str,
        filter: &'a MemoFilter,
    ) -> PortFuture<'a, Result<Vec<MemoHit>, MemoFailure>> {
        Box::pin(async move {
            let filter = self.looked("search the memos", filter)?;
            let mut found = self.memos.search(tenant, query, &filter).await?;
            for hit in &mut found {
                self.name(&mut hit.memo.namespace);
            }
            Ok(found)
        })
    }

    fn list<'a>(
        &'a self,
        tenant: &'a str,
        filter: &'a MemoFilter,
    ) -> PortFuture<'a, Result<Vec<Memo>, MemoFailure>> {
        Box::pin(async move {
            let filter = self.looked("list the memos", filter)?;
            let mut found = self.memos.list(tenant, &filter).await?;
            for memo in &mut found {
                self.name(&mut memo.namespace);
            }
            Ok(found)
        })
    }

    fn delete<'a>(
        &'a self,
        tenant: &'a str,
        namespace: &'a str,
        id: &'a MemoId,
    ) -> PortFuture<'a, Result<(), MemoFailure>> {
        Box::pin(async move {
            let namespace = self.at("delete the memo", namespace)?;
            self.memos.delete(tenant, &namespace, id).await
        })
    }

    fn relate<'a>(
        &'a self,
        tenant: &'a str,
        relation: &'a Relation,
    ) -> PortFuture<'a, Result<(), MemoFailure>> {
        Box::pin(async move {
            let relation = self.related("relate the memos", relation)?;
            self.memos.relate(tenant, &relation).await
        })
    }

    fn unrelate<'a>(
        &'a self,
        tenant: &'a str,
        relation: &'a Relation,
    ) -> PortFuture<'a, Result<(), MemoFailure>> {
        Box::pin(async move {
            let relation = self.related("part the memos", relation)?;
            self.memos.unrelate(tenant, &relation).await
        })
    }

    fn relations<'a>(
        &'a self,
        tenant: &'a str,
        filter: &'a MemoFilter,
    ) -> PortFuture<'a, Result<Vec<Relation>, MemoFailure>> {
        Box::pin(async move {
            let filter = self.looked("list the relations", filter)?;
            let mut found = self.memos.relations(tenant, &filter).await?;
            for relation in &mut found {
                self.name(&mut relation.namespace);
            }
            Ok(found)
        })
    }

    fn around<'a>(
        &'a self,
        tenant: &'a str,
        reach: &'a Reach,
    ) -> PortFuture<'a, Result<Vec<Relation>, MemoFailure>> {
        Box::pin(async move {
            let namespace = self.at("walk the graph", &reach.namespace)?;
            let reach = Reach { namespace, ..reach.clone() };
            let mut found = self.memos.around(tenant, &reach).await?;
            for relation in &mut found {
                self.name(&mut relation.namespace);
            }
            Ok(found)
        })
    }
}
