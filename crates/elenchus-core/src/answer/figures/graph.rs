//! What rests on what, as data for the evidence graph: statements and explanations, the quotes that bear on them, and the
//! documents in which those stand.

use super::Links;
use crate::answer::types::{Answer, Claim, Evidence};
use crate::belief::{
    EntailmentResult, HypothesisEvidence, HypothesisStatus, SourceEvidence, Verdict,
};
use crate::chart::{EvidenceGraph, GraphEdge, GraphNode, Relation};
use crate::text::squeeze;
use std::collections::BTreeMap;

/// The graph of an answer. What the check found decides how a quote bears on its statement, not that the statement cites it.
pub(super) fn graph(answer: &Answer, links: &Links<'_>) -> EvidenceGraph {
    let mut making = Making::default();
    for source in &answer.sources {
        let group = source
            .web
            .as_ref()
            .map_or_else(|| source.cluster.to_string(), |page| page.site.clone());
        let node = GraphNode {
            label: format!("[{}] {}", source.number, squeeze(&source.title)),
            group,
            weight: 0.5,
            link: (links.source)(source.number),
        };
        making.source(source.source_id.as_str(), node);
    }
    for one in &answer.evidence {
        let from = making.places.get(one.source_id.as_str()).copied().unwrap_or(usize::MAX);
        let node = GraphNode {
            label: quoted(&one.quote, &one.location),
            weight: 0.5,
            link: (links.quote)(one),
            ..GraphNode::default()
        };
        making.quote(node, from);
    }
    for (nth, claim) in answer.claims.iter().enumerate() {
        making.graph.claims.push(GraphNode {
            label: format!("{}: {}", claim.id, squeeze(&claim.text)),
            weight: answer.shown_figures(claim).and_then(|one| one.confidence).unwrap_or(0.5),
            link: (links.claim)(claim),
            ..GraphNode::default()
        });
        let judged = answer.entailments.get(nth).filter(|one| one.claim_id == claim.id);
        for (place, one) in cited(answer, claim) {
            making.edge(nth, place, relation(one, judged));
        }
        for against in judged.iter().flat_map(|one| &one.contradicting_sources) {
            // What the statement itself cites has its line already.
            if !cited(answer, claim).any(|(_, one)| is_of(against, one)) {
                let place = making.held(against, against.refutes);
                making.edge(nth, place, Relation::Conflicts);
            }
        }
    }
    making.explanations(answer, links);
    making.graph
}

/// The quotes that a statement cites, with their places.
fn cited<'a>(answer: &'a Answer, claim: &'a Claim) -> impl Iterator<Item = (usize, &'a Evidence)> {
    claim.evidence.iter().filter_map(move |&at| Some((at, answer.evidence.get(at)?)))
}

/// How a cited quote bears on its statement.
fn relation(one: &Evidence, judged: Option<&EntailmentResult>) -> Relation {
    let Some(judged) = judged else { return Relation::Neither };
    let among = |sources: &[SourceEvidence]| sources.iter().any(|source| is_of(source, one));
    if among(&judged.contradicting_sources) {
        Relation::Conflicts
    } else if judged.verdict == Verdict::Entailed || among(&judged.supporting_sources) {
        Relation::Supports
    } else {
        Relation::Neither
    }
}

/// Whether a piece of a source that was judged is where a quote stands.
fn is_of(judged: &SourceEvidence, one: &Evidence) -> bool {
    let (judged_at, quoted_at) = (&judged.span, &one.document_span);
    judged.source_id == one.source_id
        && judged_at.start < quoted_at.end
        && quoted_at.start < judged_at.end
}

fn quoted(words: &str, location: &str) -> String {
    format!("\u{201C}{}\u{201D}, {}", squeeze(words), squeeze(location))
}

#[derive(Default)]
struct Making {
    graph: EvidenceGraph,
    /// Documents by id: their places.
    places: BTreeMap<String, usize>,
}

impl Making {
    fn source(&mut self, id: &str, node: GraphNode) -> usize {
        let place = self.graph.sources.len();
        self.graph.sources.push(node);
        self.places.insert(id.to_owned(), place);
        place
    }

    fn quote(&mut self, node: GraphNode, from: usize) -> usize {
        self.graph.quotes.push(node);
        self.graph.quoted_from.push(from);
        self.graph.quotes.len() - 1
    }

    fn edge(&mut self, claim: usize, quote: usize, relation: Relation) {
        self.graph.edges.push(GraphEdge { claim, quote, relation });
    }

    /// A quote that the answer does not cite.
    fn held(&mut self, judged: &SourceEvidence, weight: f64) -> usize {
        let known = self.places.get(judged.source_id.as_str()).copied();
        let from = known.unwrap_or_else(|| {
            let node = GraphNode {
                label: squeeze(&judged.source_url),
                group: judged.cluster.to_string(),
                weight: 0.5,
                link: String::new(),
            };
            self.source(judged.source_id.as_str(), node)
        });
        let label = quoted(&judged.relevant_text, &judged.location);
        self.quote(GraphNode { label, weight, ..GraphNode::default() }, from)
    }

    /// Explanations for or against which something was found.
    fn explanations(&mut self, answer: &Answer, links: &Links<'_>) {
        // What several explanations were held against is one quote.
        let mut known: BTreeMap<(String, usize), usize> = BTreeMap::new();
        for one in answer.hypotheses.iter().filter(|one| one.status != HypothesisStatus::Dropped) {
            if one.supporting.is_empty() && one.contradicting.is_empty() {
                continue;
            }
            let nth = self.graph.claims.len();
            self.graph.claims.push(GraphNode {
                label: format!("{}: {}", one.id, squeeze(&one.claim)),
                weight: one.confidence,
                link: (links.explanation)(one),
                ..GraphNode::default()
            });
            self.graph.explanations += 1;
            let sides =
                [(&one.supporting, Relation::Explains), (&one.contradicting, Relation::Conflicts)];
            for (found, relation) in sides {
                for HypothesisEvidence { evidence, .. } in found {
                    let cited = answer.evidence.iter().position(|quote| is_of(evidence, quote));
                    let place = cited.unwrap_or_else(|| {
                        let at = (evidence.source_id.to_string(), evidence.span.start);
                        *known.entry(at).or_insert_with(|| {
                            self.held(evidence, evidence.supports.max(evidence.refutes))
                        })
                    });
                    self.edge(nth, place, relation);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::IN_REPORT;
    use super::*;
    use crate::answer::export::fixture::{answer, with_claims};
    use crate::belief::Hypothesis;

    fn relations(answer: &Answer) -> Vec<(usize, usize, Relation)> {
        let edges = graph(answer, &IN_REPORT).edges;
        edges.iter().map(|edge| (edge.claim, edge.quote, edge.relation)).collect()
    }

    #[test]
    fn what_speaks_against_a_statement_is_a_node_of_its_own() {
        let graph = graph(&with_claims(answer()), &IN_REPORT);
        assert_eq!((graph.claims.len(), graph.quotes.len(), graph.sources.len()), (2, 3, 2));
        assert_eq!(graph.quoted_from, [0, 1, 1]);
        assert_eq!(
            graph.edges.iter().filter(|edge| edge.relation == Relation::Conflicts).count(),
            1
        );
    }

    #[test]
    fn a_quote_bears_on_its_statement_as_the_check_found() {
        let mut answer = with_claims(answer());
        let second = (1, 1, Relation::Supports);
        assert_eq!(
            relations(&answer),
            [(0, 0, Relation::Neither), (0, 2, Relation::Conflicts), second]
        );
        // The quote that is cited is what speaks against the statement.
        let own = answer.evidence[0].clone();
        let against = &mut answer.entailments[0].contradicting_sources[0];
        (against.source_id, against.span) = (own.source_id, own.document_span);
        assert_eq!(relations(&answer), [(0, 0, Relation::Conflicts), second]);
        answer.entailments[0].contradicting_sources.clear();
        answer.entailments[0].verdict = Verdict::Neutral { reason: None };
        assert_eq!(relations(&answer), [(0, 0, Relation::Neither), second]);
        // Of what was not checked nothing is known.
        answer.entailments.clear();
        assert!(relations(&answer).iter().all(|one| one.2 == Relation::Neither));
    }

    #[test]
    fn explanations_lead_to_the_quotes_that_they_account_for() {
        let mut answer = with_claims(answer());
        let against = answer.entailments[0].contradicting_sources[0].clone();
        let mut elsewhere = against.clone();
        elsewhere.source_id = "src_9".into();
        let found = |evidence: &SourceEvidence| HypothesisEvidence {
            passage_id: "p#0".into(),
            evidence: evidence.clone(),
            log_odds: 1.0,
        };
        let explanation = |id: &str, status: &str| {
            serde_json::from_value::<Hypothesis>(serde_json::json!({
                "id": id, "claim": "Rust held the lock", "prior": "possible", "confidence": 0.7, "status": status,
                "supporting": [found(&against), found(&elsewhere)], "contradicting": [],
                "independent_supporting": 2, "independent_contradicting": 0, "history": [], "outlook": [],
                "explained": crate::measure::Explained::new("credence", 0.7, "from nothing"),
            }))
            .unwrap()
        };
        answer.hypotheses = vec![
            explanation("h1", "active"),
            explanation("h2", "dropped"),
            explanation("h3", "active"),
        ];
        let graph = graph(&answer, &IN_REPORT);
        assert_eq!((graph.claims.len(), graph.explanations), (4, 2));
        assert_eq!((graph.quotes.len(), graph.sources.len()), (4, 3), "each once");
        let explained: Vec<(usize, usize)> = graph
            .edges
            .iter()
            .filter(|edge| edge.relation == Relation::Explains)
            .map(|edge| (edge.claim, edge.quote))
            .collect();
        assert_eq!(explained, [(2, 1), (2, 3), (3, 1), (3, 3)]);
    }
}
