//! Filters over payloads, as Qdrant reads them: `must`, `should`, `must_not`, equality of keywords, ids.

use super::Refusal;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// A filter; of each list that is there, all, at least one, or none must hold.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Filter {
    must: Option<Vec<Condition>>,
    should: Option<Vec<Condition>>,
    must_not: Option<Vec<Condition>>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Condition {
    Field(Field),
    HasId(HasId),
    Filter(Filter),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Field {
    key: String,
    r#match: Match,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Match {
    value: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct HasId {
    has_id: BTreeSet<String>,
}

impl Filter {
    /// Whether every field has an index, and a tenant is named where it cannot be got around.
    pub(super) fn check(&self, indexed: &BTreeSet<String>) -> Result<(), Refusal> {
        let mut keys = BTreeSet::new();
        self.keys(&mut keys);
        if let Some(key) = keys.iter().find(|key| !indexed.contains(**key)) {
            let message = format!(
                "Bad request: Index required but not found for \"{key}\" of type [keyword]"
            );
            return Err((400, message));
        }
        let named =
            self.must.iter().flatten().any(
                |condition| matches!(condition, Condition::Field(field) if field.key == "tenant"),
            );
        if named {
            Ok(())
        } else {
            Err((400, "the peer wants a tenant in every filter".to_owned()))
        }
    }

    fn keys<'a>(&'a self, keys: &mut BTreeSet<&'a str>) {
        for condition in [&self.must, &self.should, &self.must_not].into_iter().flatten().flatten()
        {
            match condition {
                Condition::Field(field) => {
                    keys.insert(&field.key);
                }
                Condition::HasId(_) => {}
                Condition::Filter(filter) => filter.keys(keys),
            }
        }
    }

    pub(super) fn holds(&self, id: &str, payload: &Map<String, Value>) -> bool {
        let one = |condition: &Condition| match condition {
            Condition::Field(field) => {
                payload.get(&field.key).and_then(Value::as_str) == Some(&field.r#match.value)
            }
            Condition::HasId(ids) => ids.has_id.contains(id),
            Condition::Filter(filter) => filter.holds(id, payload),
        };
        // A list without entries asks for nothing.
        let any = |some: &Vec<Condition>| some.is_empty() || some.iter().any(one);
        self.must.iter().flatten().all(one)
            && self.should.as_ref().is_none_or(any)
            && !self.must_not.iter().flatten().any(one)
    }
}
