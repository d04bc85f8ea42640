//! The twins of the evidence graph: the same as a table, and as a list in words.

use super::{EvidenceGraph, GraphEdge, Relation};
use crate::chart::{Entry, MOST_ROWS, Table};
use std::collections::BTreeSet;

/// One line of the twins: a claim with what bears on it, a claim on which nothing does, or a quote that bears on no claim.
#[derive(Clone, Copy)]
pub(super) struct Row {
    claim: Option<usize>,
    relation: Option<Relation>,
    quote: Option<usize>,
}

/// Claim by claim, then the quotes that bear on none.
pub(super) fn rows(graph: &EvidenceGraph, edges: &BTreeSet<GraphEdge>) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut next = edges.iter().peekable();
    for claim in 0..graph.claims.len() {
        let before = rows.len();
        while let Some(edge) = next.next_if(|edge| edge.claim == claim) {
            seen.insert(edge.quote);
            let (relation, quote) = (Some(edge.relation), Some(edge.quote));
            rows.push(Row { claim: Some(claim), relation, quote });
        }
        if rows.len() == before {
            rows.push(Row { claim: Some(claim), relation: None, quote: None });
        }
    }
    let free = (0..graph.quotes.len()).filter(|quote| !seen.contains(quote));
    rows.extend(free.map(|quote| Row { claim: None, relation: None, quote: Some(quote) }));
    rows
}

/// Where a quote stands; empty where that is not known.
fn source(graph: &EvidenceGraph, quote: usize) -> &str {
    let found = graph.quoted_from.get(quote).and_then(|&source| graph.sources.get(source));
    found.map_or("", |source| source.label.as_str())
}

const NOTHING: &str = "rests on nothing";
const NO_CLAIM: &str = "bears on no claim";

/// As a table.
pub(super) fn table(graph: &EvidenceGraph, rows: &[Row]) -> Table {
    Table::new(&["Claim", "Relation", "Number", "Quote", "Source"]).filled(
        rows,
        MOST_ROWS,
        |_, row| {
            let claim = row.claim.map_or_else(String::new, |at| graph.claims[at].label.clone());
            let otherwise = if row.claim.is_some() { NOTHING } else { NO_CLAIM };
            let relation = row.relation.map_or(otherwise, Relation::word).to_owned();
            match row.quote {
                None => vec![claim, relation, String::new(), String::new(), String::new()],
                Some(quote) => vec![
                    claim,
                    relation,
                    (quote + 1).to_string(),
                    graph.quotes[quote].label.clone(),
                    source(graph, quote).to_owned(),
                ],
            }
        },
    )
}

/// The same in words: a claim an entry.
pub(super) fn list(graph: &EvidenceGraph, rows: &[Row]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut last: Option<Row> = None;
    for row in rows.iter().take(MOST_ROWS) {
        if last.is_none_or(|last| last.claim != row.claim) {
            let text = match row.claim {
                Some(at) => graph.claims[at].label.clone(),
                None => "Quotes that bear on no claim".to_owned(),
            };
            entries.push(Entry { text, parts: Vec::new() });
        }
        last = Some(*row);
        let part = match row.quote {
            None => NOTHING.to_owned(),
            Some(quote) => {
                let by =
                    row.relation.map_or_else(String::new, |relation| format!("{} ", relation.by()));
                let from = match source(graph, quote) {
                    "" => String::new(),
                    source => format!(", in {source}"),
                };
                format!("{by}quote {}: {}{from}", quote + 1, graph.quotes[quote].label)
            }
        };
        if let Some(entry) = entries.last_mut() {
            entry.parts.push(part);
        }
    }
    if rows.len() > MOST_ROWS {
        let text = format!("and {} more", rows.len() - MOST_ROWS);
        entries.push(Entry { text, parts: Vec::new() });
    }
    entries
}
