//! Which figure of a model means what.

use serde::Deserialize;
use std::collections::BTreeMap;

/// The parts of `config.json` that matter.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Config {
    #[serde(default)]
    id2label: Option<BTreeMap<String, String>>,
    #[serde(default)]
    label2id: Option<BTreeMap<String, usize>>,
    #[serde(default)]
    pub(super) model_type: Option<String>,
    #[serde(default)]
    pub(super) max_position_embeddings: Option<i64>,
    #[serde(default)]
    pub(super) pad_token_id: Option<i32>,
}

/// The places of the classes among a model's figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Labels {
    pub(super) supports: usize,
    /// `None` for a model that only tells whether a claim is borne out.
    pub(super) refutes: Option<usize>,
    /// Figures a pair.
    pub(super) count: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Supports,
    Refutes,
    NotEnough,
    /// Refuted or not enough.
    NotSupported,
}

fn class(label: &str) -> Option<Class> {
    let plain: String = label
        .trim()
        .to_lowercase()
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '_' })
        .collect();
    Some(match plain.as_str() {
        "entailment" | "entail" | "entails" | "entailed" | "support" | "supports" | "supported" => {
            Class::Supports
        }
        "contradiction" | "contradict" | "contradicts" | "contradicted" | "contradictory"
        | "refute" | "refutes" | "refuted" => Class::Refutes,
        "neutral" | "nei" | "not_enough_info" | "not_enough_information" | "not_enough" => {
            Class::NotEnough
        }
        "not_entailment" | "non_entailment" | "not_entailed" | "no_entailment"
        | "not_supported" | "unsupported" => Class::NotSupported,
        _ => return None,
    })
}

impl Config {
    /// Reads the classes; the cause, if they are not those of an entailment model.
    pub(super) fn labels(&self) -> Result<Labels, String> {
        let mut named: BTreeMap<usize, &str> = BTreeMap::new();
        match (&self.id2label, &self.label2id) {
            (Some(table), _) if !table.is_empty() => {
                for (id, label) in table {
                    let id = id.trim().parse().map_err(|_| {
                        format!(
                            "its config.json has id2label with the place {id:?}, which is no number"
                        )
                    })?;
                    named.insert(id, label);
                }
            }
            (_, Some(table)) if !table.is_empty() => {
                named.extend(table.iter().map(|(label, id)| (*id, label.as_str())));
            }
            _ => return Err("its config.json has no id2label".to_owned()),
        }
        let has = || {
            let all: Vec<String> = named.iter().map(|(id, l)| format!("{id} = {l:?}")).collect();
            format!("its config.json has the labels {}", all.join(", "))
        };
        if !named.keys().copied().eq(0..named.len()) {
            return Err(format!("{}, whose places are not 0, 1, 2 in a row", has()));
        }
        let classes: Option<Vec<Class>> = named.values().map(|label| class(label)).collect();
        let classes =
            classes.ok_or_else(|| format!("{}, and not all of them are understood", has()))?;
        let at = |wanted: Class| classes.iter().position(|class| *class == wanted);
        let count = classes.len();
        match (count, at(Class::Supports), at(Class::Refutes)) {
            (3, Some(supports), Some(refutes)) if at(Class::NotEnough).is_some() => {
                Ok(Labels { supports, refutes: Some(refutes), count })
            }
            // Two classes that leave no room for "not enough" would call everything unrelated refuted.
            (2, Some(supports), None) => Ok(Labels { supports, refutes: None, count }),
            _ => Err(format!("{}, which are not the classes of an entailment model", has())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(config: &str) -> Result<Labels, String> {
        serde_json::from_str::<Config>(config).expect("JSON").labels()
    }

    #[test]
    fn the_order_of_the_classes_is_that_of_the_file() {
        let three = |supports, refutes| Labels { supports, refutes: Some(refutes), count: 3 };
        let read =
            labels(r#"{"id2label": {"0": "CONTRADICTION", "1": "Entailment", "2": "neutral"}}"#);
        assert_eq!(read, Ok(three(1, 0)));
        let read =
            labels(r#"{"id2label": {"0": "SUPPORTS", "1": "REFUTES", "2": "NOT ENOUGH INFO"}}"#);
        assert_eq!(read, Ok(three(0, 1)));
        let read = labels(r#"{"label2id": {"nei": 0, "refuted": 2, "supported": 1}}"#);
        assert_eq!(read, Ok(three(1, 2)));
    }

    #[test]
    fn two_classes_refute_nothing() {
        let read = labels(r#"{"id2label": {"0": "entailment", "1": "not_entailment"}}"#);
        assert_eq!(read, Ok(Labels { supports: 0, refutes: None, count: 2 }));
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (config, told) in [
            (r"{}", "no id2label"),
            (r#"{"id2label": {}}"#, "no id2label"),
            (r#"{"id2label": {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}}"#, "\"LABEL_0\""),
            (
                r#"{"id2label": {"0": "entailment", "1": "neutral", "3": "contradiction"}}"#,
                "in a row",
            ),
            (r#"{"id2label": {"0": "entailment", "1": "contradiction"}}"#, "not the classes"),
            (
                r#"{"id2label": {"0": "entailment", "1": "entailment", "2": "neutral"}}"#,
                "not the classes",
            ),
            (r#"{"id2label": {"zero": "entailment"}}"#, "no number"),
        ] {
            let cause = labels(config).expect_err("these are no labels of an entailment model");
            assert!(cause.contains(told), "{cause}");
        }
    }
}
