//! The requests and answers of Qdrant's REST interface, as far as they are used here (versions 1.11 to 1.19).
//!
//! origin: documented. The shapes follow the OpenAPI description of the server.

use crate::vector_index::checks::unit;
use crate::vector_index::point::{Lot, Nearest, Point, number, scope_word, uuid};
use elenchus_core::bank::{Caller, Scope};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Fields of a payload that filters look at, each with an index on the server. The first parts the tenants.
pub(super) const FILTERED: [&str; 7] =
    ["tenant", "kind", "project", "team", "org", "scope", "facet"];

/// What is asked back of a point that was found: enough to see that it is one of those that were asked for.
const SHOWN: [&str; 8] = ["tenant", "kind", "id", "project", "team", "org", "scope", "facet"];
/// What is asked back of a point that is listed.
const LISTED: [&str; 4] = ["tenant", "kind", "id", "print"];

/// What a collection must be: one vector with several pieces a point, compared by cosine. Neighbours are linked within what
/// belongs to a tenant and not across tenants, because no search ever crosses them.
pub(super) fn collection(dimensions: usize) -> Value {
    json!({
        "vectors": {
            "size": dimensions,
            "distance": "Cosine",
            "multivector_config": { "comparator": "max_sim" },
        },
        "hnsw_config": { "m": 0, "payload_m": 16 },
    })
}

/// An index over a field of payloads. Only tenants have graphs of neighbours of their own: graphs within all points of a scope or
/// an outcome would take several times as long to build and serve no search. (Servers before 1.17 build them all the same.)
pub(super) fn field(name: &str) -> Value {
    let schema = if name == FILTERED[0] {
        json!({ "type": "keyword", "is_tenant": true })
    } else {
        json!({ "type": "keyword", "enable_hnsw": false })
    };
    json!({ "field_name": name, "field_schema": schema })
}

/// How many candidates are kept while the graph is followed, for each point wanted: with four, 99 in 100 of the nearest 272
/// among some thousands were found in a trial, with fewer markedly less.
const CANDIDATES: usize = 4;

pub(super) fn point(lot: &Lot, point: &Point) -> Value {
    let shared = &point.shared;
    let vectors: Vec<Vec<f32>> = point.vectors.iter().map(|vector| unit(vector)).collect();
    let mut payload = json!({
        "tenant": lot.tenant(),
        "kind": lot.kind().key(),
        "id": point.id,
        "print": point.print(),
        "project": shared.project,
        "scope": scope_word(shared.scope),
        "facet": point.facet,
    });
    for (name, value) in [("team", &shared.team), ("org", &shared.org)] {
        if let Some(value) = value {
            payload[name] = Value::String(value.clone());
        }
    }
    json!({ "id": uuid(number(lot, &point.id)), "vector": vectors, "payload": payload })
}

fn is(key: &str, value: &str) -> Value {
    json!({ "key": key, "match": { "value": value } })
}

/// All of a lot. Every filter begins with it.
fn of_lot(lot: &Lot) -> Vec<Value> {
    vec![is("tenant", lot.tenant()), is("kind", &lot.kind().key())]
}

/// What a caller sees of its lot: the rule of `Shared::seen_by`.
fn seen(lot: &Lot, caller: &Caller) -> Vec<Value> {
    let mut any = vec![is("project", &caller.project)];
    for (scope, name) in [("team", &caller.team), ("org", &caller.org)] {
        if let Some(name) = name {
            any.push(json!({ "must": [is("scope", scope), is(scope, name)] }));
        }
    }
    let mut all = of_lot(lot);
    all.push(json!({ "should": any }));
    all
}

pub(super) fn query(
    lot: &Lot,
    caller: &Caller,
    asked: &Nearest,
    most: usize,
    exact: bool,
) -> Value {
    let mut all = seen(lot, caller);
    if let Some(scope) = asked.scope {
        all.push(is("scope", scope_word(scope)));
    }
    if let Some(facet) = &asked.facet {
        all.push(is("facet", facet));
    }
    json!({
        "query": unit(&asked.vector),
        "filter": { "must": all },
        "params": { "exact": exact, "hnsw_ef": CANDIDATES * most },
        "limit": most,
        "with_payload": SHOWN,
        "with_vector": false,
    })
}

pub(super) fn count_seen(lot: &Lot, caller: &Caller) -> Value {
    json!({ "filter": { "must": seen(lot, caller) }, "exact": true })
}

pub(super) fn count_all(lot: &Lot) -> Value {
    json!({ "filter": { "must": of_lot(lot) }, "exact": true })
}

pub(super) fn scroll(lot: &Lot, from: Option<&str>, most: usize) -> Value {
    let mut body = json!({
        "filter": { "must": of_lot(lot) },
        "limit": most,
        "with_payload": LISTED,
        "with_vector": false,
    });
    if let Some(from) = from {
        body["offset"] = Value::String(from.to_owned());
    }
    body
}

/// Points by their ids. Their numbers are made of the tenant's name too, and the filter names it once more.
pub(super) fn delete(lot: &Lot, ids: &[String]) -> Value {
    let numbers: BTreeSet<String> = ids.iter().map(|id| uuid(number(lot, id))).collect();
    let mut all = of_lot(lot);
    all.push(json!({ "has_id": numbers }));
    json!({ "filter": { "must": all } })
}

pub(super) fn delete_all(lot: &Lot) -> Value {
    json!({ "filter": { "must": of_lot(lot) } })
}

/// An answer. What is not read here may come and go between versions.
#[derive(Deserialize)]
pub(super) struct Answer<T> {
    pub(super) result: T,
}

/// `UpdateResult`
#[derive(Deserialize)]
pub(super) struct Updated {
    pub(super) status: String,
}

/// `QueryResponse`
#[derive(Deserialize)]
pub(super) struct Queried {
    pub(super) points: Vec<Scored>,
}

/// `ScoredPoint`
#[derive(Deserialize)]
pub(super) struct Scored {
    pub(super) score: f64,
    pub(super) payload: Shown,
}

/// Of a payload, what [`SHOWN`] asks for.
#[derive(Deserialize)]
pub(super) struct Shown {
    pub(super) tenant: String,
    pub(super) kind: String,
    pub(super) id: String,
    pub(super) project: String,
    pub(super) team: Option<String>,
    pub(super) org: Option<String>,
    pub(super) scope: Scope,
    pub(super) facet: String,
}

/// `ScrollResult`
#[derive(Deserialize)]
pub(super) struct Scrolled {
    pub(super) points: Vec<Entry>,
    pub(super) next_page_offset: Option<Value>,
}

/// `Record`
#[derive(Deserialize)]
pub(super) struct Entry {
    pub(super) payload: Told,
}

/// Of a payload, what [`LISTED`] asks for.
#[derive(Deserialize)]
pub(super) struct Told {
    pub(super) tenant: String,
    pub(super) kind: String,
    pub(super) id: String,
    pub(super) print: String,
}

/// `CountResult`
#[derive(Deserialize)]
pub(super) struct Counted {
    pub(super) count: u64,
}

/// Of `CollectionInfo`, what tells whether a collection is one of ours.
#[derive(Deserialize)]
pub(super) struct Collection {
    config: Config,
    #[serde(default)]
    pub(super) payload_schema: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
struct Config {
    params: Params,
}

#[derive(Deserialize)]
struct Params {
    #[serde(default)]
    vectors: Value,
}

impl Collection {
    /// What of its vectors is not as [`collection`] makes them, in words.
    pub(super) fn unfit(&self, dimensions: usize) -> Option<String> {
        let vectors = &self.config.params.vectors;
        let Some(size) = vectors["size"].as_u64() else {
            return Some("its vectors have names of their own".to_owned());
        };
        if size != dimensions as u64 {
            return Some(format!(
                "its vectors have {size} numbers and those of the embedder {dimensions}"
            ));
        }
        let distance = vectors["distance"].as_str().unwrap_or("nothing");
        if distance != "Cosine" {
            return Some(format!("it compares by {distance:.40} and not by Cosine"));
        }
        let several = vectors["multivector_config"]["comparator"].as_str() == Some("max_sim");
        (!several).then(|| "its points have one vector each, and ours have several".to_owned())
    }
}
