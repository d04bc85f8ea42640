//! A collection: its settings, its points, and what is done with them.

use super::Refusal;
use super::filter::Filter;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A collection with points that have several vectors each.
#[derive(Debug)]
pub(super) struct Collection {
    vectors: Value,
    hnsw: Value,
    size: usize,
    fields: BTreeMap<String, Value>,
    /// In the order of their ids, which is that of pages.
    points: BTreeMap<String, Stored>,
}

#[derive(Debug)]
struct Stored {
    vectors: Vec<Vec<f32>>,
    payload: Map<String, Value>,
}

/// `CreateCollection`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Create {
    vectors: Vectors,
    hnsw_config: Hnsw,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vectors {
    size: usize,
    distance: String,
    multivector_config: Several,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Several {
    comparator: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Hnsw {
    m: usize,
    payload_m: usize,
}

/// `CreateFieldIndex`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Index {
    field_name: String,
    field_schema: Schema,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Schema {
    r#type: String,
    is_tenant: Option<bool>,
    enable_hnsw: Option<bool>,
}

/// `PointsList`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Upsert {
    points: Vec<PointStruct>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PointStruct {
    id: String,
    vector: Vec<Vec<f32>>,
    payload: Map<String, Value>,
}

/// `FilterSelector`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Delete {
    filter: Filter,
}

/// `QueryRequest`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Query {
    query: Vec<f32>,
    filter: Filter,
    params: Params,
    limit: usize,
    with_payload: BTreeSet<String>,
    with_vector: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    #[expect(dead_code, reason = "everything is compared here, but the field must be a flag")]
    exact: bool,
    hnsw_ef: usize,
}

/// `ScrollRequest`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scroll {
    filter: Filter,
    limit: usize,
    offset: Option<String>,
    with_payload: BTreeSet<String>,
    with_vector: bool,
}

/// `CountRequest`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Count {
    filter: Filter,
    exact: bool,
}

impl Collection {
    pub(super) fn made(create: Create) -> Result<Self, Refusal> {
        let Vectors { size, distance, multivector_config } = create.vectors;
        if size == 0 || size > 65_536 {
            return Err((422, "Validation error in JSON body: [vectors.size: invalid]".to_owned()));
        }
        let known = ["Cosine", "Euclid", "Dot", "Manhattan"].contains(&distance.as_str());
        if !known || multivector_config.comparator != "max_sim" {
            return Err((400, "Format error in JSON body: unknown variant".to_owned()));
        }
        let vectors = json!({
            "size": size,
            "distance": distance,
            "multivector_config": { "comparator": "max_sim" },
        });
        let hnsw = json!({ "m": create.hnsw_config.m, "payload_m": create.hnsw_config.payload_m });
        Ok(Self { vectors, hnsw, size, fields: BTreeMap::new(), points: BTreeMap::new() })
    }

    pub(super) fn foreign(size: usize, distance: &str, several: bool) -> Self {
        let mut vectors = json!({ "size": size, "distance": distance });
        if several {
            vectors["multivector_config"] = json!({ "comparator": "max_sim" });
        }
        let (fields, points) = (BTreeMap::new(), BTreeMap::new());
        Self { vectors, hnsw: json!({ "m": 16 }), size, fields, points }
    }

    pub(super) fn info(&self) -> Value {
        json!({
            "status": "green",
            "optimizer_status": "ok",
            "points_count": self.points.len(),
            "segments_count": 2,
            "config": {
                "params": { "vectors": self.vectors, "shard_number": 1, "on_disk_payload": true },
                "hnsw_config": self.hnsw,
                "optimizer_config": { "deleted_threshold": 0.2, "flush_interval_sec": 5 },
            },
            "payload_schema": self.fields,
        })
    }

    pub(super) fn index(&mut self, index: Index) -> Result<(), Refusal> {
        if index.field_schema.r#type != "keyword" {
            return Err((400, "Format error in JSON body: unknown variant".to_owned()));
        }
        let schema = index.field_schema;
        let params = json!({
            "type": "keyword",
            "is_tenant": schema.is_tenant.unwrap_or(false),
            "enable_hnsw": schema.enable_hnsw.unwrap_or(true),
        });
        let known = json!({ "data_type": "keyword", "params": params, "points": 0 });
        self.fields.insert(index.field_name, known);
        Ok(())
    }

    pub(super) fn upsert(&mut self, upsert: Upsert) -> Result<(), Refusal> {
        for point in &upsert.points {
            if !is_uuid(&point.id) {
                let message = format!(
                    "Format error in JSON body: value {} is not a valid point ID, valid values are either an unsigned \
                     integer or a UUID",
                    point.id
                );
                return Err((400, message));
            }
            if point.vector.is_empty() {
                return Err((422, "Validation error in JSON body: [vector: empty]".to_owned()));
            }
            point.vector.iter().try_for_each(|vector| self.fits(vector))?;
            for (name, value) in &point.payload {
                if !value.is_string() {
                    return Err((400, format!("the peer knows only words, and {name} is none")));
                }
            }
        }
        for point in upsert.points {
            let vectors = point.vector.iter().map(|vector| unit(vector)).collect();
            self.points.insert(point.id, Stored { vectors, payload: point.payload });
        }
        Ok(())
    }

    pub(super) fn delete(&mut self, delete: Delete) -> Result<(), Refusal> {
        delete.filter.check(&self.indexed())?;
        self.points.retain(|id, stored| !delete.filter.holds(id, &stored.payload));
        Ok(())
    }

    pub(super) fn query(&self, query: Query) -> Result<Value, Refusal> {
        query.filter.check(&self.indexed())?;
        self.fits(&query.query)?;
        if query.limit == 0 || query.params.hnsw_ef == 0 || query.with_vector {
            return Err((422, "Validation error in JSON body: [limit: invalid]".to_owned()));
        }
        let wanted = unit(&query.query);
        let mut found: Vec<(f32, &str, &Stored)> = self
            .points
            .iter()
            .filter(|(id, stored)| query.filter.holds(id, &stored.payload))
            .map(|(id, stored)| {
                let dot = |vector: &Vec<f32>| vector.iter().zip(&wanted).map(|(a, b)| a * b).sum();
                (stored.vectors.iter().map(dot).fold(f32::MIN, f32::max), id.as_str(), stored)
            })
            .collect();
        // Ties come as they like.
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| b.1.cmp(a.1)));
        let points: Vec<Value> = found
            .into_iter()
            .take(query.limit)
            .map(|(score, id, stored)| {
                let payload = chosen(&stored.payload, &query.with_payload);
                json!({ "id": id, "version": 1, "score": score, "payload": payload })
            })
            .collect();
        Ok(json!({ "points": points }))
    }

    pub(super) fn scroll(&self, scroll: Scroll) -> Result<Value, Refusal> {
        scroll.filter.check(&self.indexed())?;
        if scroll.limit == 0 || scroll.with_vector {
            return Err((422, "Validation error in JSON body: [limit: invalid]".to_owned()));
        }
        if scroll.offset.as_deref().is_some_and(|offset| !is_uuid(offset)) {
            return Err((400, "Format error in JSON body: no valid point ID".to_owned()));
        }
        let from = scroll.offset.unwrap_or_default();
        let mut there = self
            .points
            .range(from..)
            .filter(|(id, stored)| scroll.filter.holds(id, &stored.payload));
        let points: Vec<Value> = there
            .by_ref()
            .take(scroll.limit)
            .map(|(id, stored)| {
                json!({ "id": id, "payload": chosen(&stored.payload, &scroll.with_payload) })
            })
            .collect();
        let next = there.next().map(|(id, _)| id);
        Ok(json!({ "points": points, "next_page_offset": next }))
    }

    pub(super) fn count(&self, count: Count) -> Result<Value, Refusal> {
        count.filter.check(&self.indexed())?;
        let there =
            self.points.iter().filter(|(id, stored)| count.filter.holds(id, &stored.payload));
        // An estimate would be as wrong as it likes.
        let n = if count.exact { there.count() } else { 0 };
        Ok(json!({ "count": n }))
    }

    pub(super) fn tenants(&self) -> impl Iterator<Item = String> + '_ {
        self.points.values().filter_map(|stored| {
            stored.payload.get("tenant").and_then(Value::as_str).map(str::to_owned)
        })
    }

    pub(super) fn lose(&mut self, tenant: &str, own: &str) -> bool {
        let before = self.points.len();
        self.points.retain(|_, stored| {
            let is = |name, value| stored.payload.get(name).and_then(Value::as_str) == Some(value);
            !(is("tenant", tenant) && is("id", own))
        });
        self.points.len() < before
    }

    fn indexed(&self) -> BTreeSet<String> {
        self.fields.keys().cloned().collect()
    }

    fn fits(&self, vector: &[f32]) -> Result<(), Refusal> {
        if vector.len() == self.size {
            return Ok(());
        }
        let (wanted, got) = (self.size, vector.len());
        let message =
            format!("Wrong input: Vector dimension error: expected dim: {wanted}, got {got}");
        Err((400, message))
    }
}

/// The part of a payload that was asked for.
fn chosen(payload: &Map<String, Value>, names: &BTreeSet<String>) -> Map<String, Value> {
    payload
        .iter()
        .filter(|(name, _)| names.contains(*name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

fn unit(vector: &[f32]) -> Vec<f32> {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length < f32::EPSILON {
        vector.to_vec()
    } else {
        vector.iter().map(|x| x / length).collect()
    }
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.char_indices().all(|(at, c)| match at {
            8 | 13 | 18 | 23 => c == '-',
            _ => c.is_ascii_hexdigit() && !c.is_ascii_uppercase(),
        })
}
