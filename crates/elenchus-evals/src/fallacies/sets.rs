//! The labelled sets, and how their classes map to the catalog. They state no licence: measured on, never shipped.

use elenchus_core::scrutiny::fallacy::model::NONE;
use serde::Deserialize;
use std::path::Path;

/// LOGIC's thirteen classes, and the entries of the catalog that each stands for (ruling 18 of the spec).
pub(crate) const LOGIC: &[(&str, &[&str])] = &[
    ("ad hominem", &["ad_hominem", "tu_quoque"]),
    ("ad populum", &["appeal_to_popularity"]),
    ("appeal to emotion", &["appeal_to_emotion"]),
    ("circular reasoning", &["circular_reasoning"]),
    ("equivocation", &["equivocation"]),
    ("fallacy of credibility", &["appeal_to_authority", "appeal_to_tradition", "appeal_to_nature"]),
    ("fallacy of extension", &["straw_man"]),
    (
        "fallacy of logic",
        &[
            "affirming_consequent",
            "denying_antecedent",
            "undistributed_middle",
            "affirming_disjunct",
            "composition",
            "division",
        ],
    ),
    ("fallacy of relevance", &["red_herring", "appeal_to_worse_problems"]),
    ("false causality", &["false_cause"]),
    ("false dilemma", &["false_dilemma"]),
    ("faulty generalization", &["hasty_generalisation", "slippery_slope"]),
    (
        "intentional",
        &[
            "cherry_picking",
            "loaded_question",
            "no_true_scotsman",
            "burden_shifting",
            "appeal_to_ignorance",
        ],
    ),
];

/// A text and the name of its class, in the names of its set.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) text: String,
    pub(crate) label: String,
}

type Read<T> = Result<T, String>;

fn contents(file: &Path) -> Read<String> {
    std::fs::read_to_string(file)
        .map_err(|error| format!("could not read {}: {error}", file.display()))
}

/// Rows of a CSV file by the names of two columns.
pub(crate) fn csv(file: &Path, text: &str, label: &str) -> Read<Vec<Row>> {
    let mut records = records(&contents(file)?).into_iter();
    let head = records.next().ok_or_else(|| format!("{} is empty", file.display()))?;
    let column = |name: &str| {
        let missing = || format!("{} has no column \"{name}\"", file.display());
        head.iter().position(|cell| cell == name).ok_or_else(missing)
    };
    let (text, label) = (column(text)?, column(label)?);
    let row = |record: Vec<String>| {
        Some(Row {
            text: record.get(text)?.clone(),
            label: record.get(label)?.trim().to_lowercase(),
        })
    };
    Ok(records.filter_map(row).filter(|row| !row.text.trim().is_empty()).collect())
}

/// Cells of a CSV text; quotation marks guard commas and line ends.
fn records(text: &str) -> Vec<Vec<String>> {
    let (mut records, mut record, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut quoted = false;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => record.push(std::mem::take(&mut cell)),
            '\n' if !quoted => {
                record.push(std::mem::take(&mut cell));
                records.push(std::mem::take(&mut record));
            }
            '\r' if !quoted => {}
            c => cell.push(c),
        }
    }
    if !cell.is_empty() || !record.is_empty() {
        record.push(cell);
        records.push(record);
    }
    records
}

#[derive(Deserialize)]
struct Article {
    comments: Vec<Comment>,
}

#[derive(Deserialize)]
struct Comment {
    fallacy: String,
    comment: String,
}

/// Comments on news with one of eight fallacies or none.
pub(crate) fn cocolofa(file: &Path) -> Read<Vec<Row>> {
    let articles: Vec<Article> = serde_json::from_str(&contents(file)?)
        .map_err(|error| format!("could not read {}: {error}", file.display()))?;
    let rows = articles.into_iter().flat_map(|article| article.comments);
    Ok(rows.map(|c| Row { text: c.comment, label: c.fallacy }).collect())
}

/// The entry of the catalog for a class of `CoCoLoFa`.
pub(crate) fn cocolofa_id(label: &str) -> &'static str {
    match label {
        "slippery slope" => "slippery_slope",
        "appeal to nature" => "appeal_to_nature",
        "hasty generalization" => "hasty_generalisation",
        "appeal to tradition" => "appeal_to_tradition",
        "false dilemma" => "false_dilemma",
        "appeal to worse problems" => "appeal_to_worse_problems",
        "appeal to majority" => "appeal_to_popularity",
        "appeal to authority" => "appeal_to_authority",
        _ => NONE,
    }
}

/// The first entry of the catalog that a class of LOGIC stands for.
pub(crate) fn logic_id(label: &str) -> Option<&'static str> {
    LOGIC.iter().find(|(name, _)| *name == label).and_then(|(_, ids)| ids.first().copied())
}

#[cfg(test)]
mod tests {
    use super::*;
    use elenchus_core::scrutiny::fallacy::{CATALOG, Pack};

    #[test]
    fn cells_may_hold_commas_quotes_and_lines() {
        let found = records("a,b\n\"x, \"\"y\"\"\nz\",1\r\n2");
        assert_eq!(found, [vec!["a", "b"], vec!["x, \"y\"\nz", "1"], vec!["2"]]);
    }

    #[test]
    fn every_general_fallacy_has_one_class_of_logic() {
        for fallacy in CATALOG.iter().filter(|fallacy| fallacy.pack == Pack::General) {
            let classes = LOGIC.iter().filter(|(_, ids)| ids.contains(&fallacy.id)).count();
            assert_eq!(classes, 1, "{}", fallacy.id);
        }
        assert_eq!(LOGIC.len(), 13);
    }
}
