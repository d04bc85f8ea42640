//! Memos and relations for tests.

use super::{Memo, Relation};
use crate::id::Timestamp;
use std::collections::BTreeMap;

pub(super) fn memo(id: &str, title: &str) -> Memo {
    Memo {
        id: id.into(),
        namespace: "n".to_owned(),
        title: title.to_owned(),
        content: format!("what {id} says"),
        metadata: BTreeMap::new(),
        tags: Vec::new(),
        created_at: Timestamp(1),
        updated_at: Timestamp(1),
    }
}

pub(super) fn relation(source: &str, target: &str, tag: &str, weight: f64) -> Relation {
    Relation {
        namespace: "n".to_owned(),
        source: source.into(),
        target: target.into(),
        tag: tag.to_owned(),
        weight,
        reason: None,
        created_at: Timestamp(1),
        times: 1,
    }
}
