//! Keys that stand twice. Strict JSON allows them and the last one wins, which nobody would notice.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::collections::BTreeSet;
use std::fmt;

/// Keys that stand twice in one object of a text that is JSON, in alphabetical order, at most ten.
pub(super) fn repeated_keys(text: &str) -> Vec<String> {
    struct Node(Vec<String>);

    struct Walk;

    impl<'de> Visitor<'de> for Walk {
        type Value = Node;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("JSON")
        }

        fn visit_bool<E>(self, _: bool) -> Result<Node, E> {
            Ok(Node(Vec::new()))
        }

        fn visit_i64<E>(self, _: i64) -> Result<Node, E> {
            Ok(Node(Vec::new()))
        }

        fn visit_u64<E>(self, _: u64) -> Result<Node, E> {
            Ok(Node(Vec::new()))
        }

        fn visit_f64<E>(self, _: f64) -> Result<Node, E> {
            Ok(Node(Vec::new()))
        }

        fn visit_str<E>(self, _: &str) -> Result<Node, E> {
            Ok(Node(Vec::new()))
        }

        fn visit_unit<E>(self) -> Result<Node, E> {
            Ok(Node(Vec::new()))
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
            let mut found = Vec::new();
            while let Some(Node(mut inner)) = items.next_element()? {
                found.append(&mut inner);
                found.truncate(10);
            }
            Ok(Node(found))
        }

        fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Node, A::Error> {
            let (mut found, mut keys) = (Vec::new(), BTreeSet::new());
            while let Some((key, Node(mut inner))) = entries.next_entry::<String, Node>()? {
                found.append(&mut inner);
                if !keys.insert(key.clone()) {
                    found.push(key);
                }
                found.truncate(10);
            }
            Ok(Node(found))
        }
    }

    impl<'de> Deserialize<'de> for Node {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_any(Walk)
        }
    }

    let mut keys = serde_json::from_str::<Node>(text).map(|node| node.0).unwrap_or_default();
    keys.sort();
    keys.dedup();
    keys
}
