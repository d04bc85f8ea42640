//! What rests on what: claims, quotes and sources in three columns.

mod twin;

use super::Figure;
use super::draw::{Anchor, Pen, WIDTH, add, counted, unit};
use std::collections::BTreeSet;

/// Nodes that are drawn, by column.
const MOST: [usize; 3] = [15, 27, 15];
/// Units between two nodes of a column.
const STEP: f64 = 26.0;

/// One claim, quote or source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GraphNode {
    /// "c1: The array gives 6 MW"; what does not fit is cut, but stands in the table.
    pub label: String,
    /// Nodes of one group stand together: the registrable domain or the cluster of a source. May be empty.
    pub group: String,
    /// How much it weighs, 0 to 1: the size of its mark.
    pub weight: f64,
    /// Where it can be read: `#...` or `/...`; empty for nowhere.
    pub link: String,
}

/// How a quote bears on a claim or an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// It bears it out: a solid line.
    Supports,
    /// It says otherwise: a dashed line.
    Conflicts,
    /// An explanation accounts for it: a dotted line.
    Explains,
    /// It does neither, or that was not checked: a line of dashes and dots.
    Neither,
}

impl Relation {
    /// The word for people.
    pub fn word(self) -> &'static str {
        match self {
            Self::Supports => "supports",
            Self::Conflicts => "conflicts",
            Self::Explains => "explains",
            Self::Neither => "neither",
        }
    }

    /// The same before the number of the quote.
    fn by(self) -> &'static str {
        match self {
            Self::Supports => "supported by",
            Self::Conflicts => "contradicted by",
            Self::Explains => "accounts for",
            Self::Neither => "neither supported nor contradicted by",
        }
    }

    fn drawn(self) -> (&'static str, &'static str) {
        match self {
            Self::Supports => ("s1", ""),
            Self::Conflicts => ("s2", "6 3"),
            Self::Explains => ("s3", "1.5 3"),
            Self::Neither => ("s6", "10 2 2 2"),
        }
    }
}

/// A quote that bears on a claim, both by their places in the lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GraphEdge {
    /// Place in [`EvidenceGraph::claims`].
    pub claim: usize,
    /// Place in [`EvidenceGraph::quotes`].
    pub quote: usize,
    /// How.
    pub relation: Relation,
}

/// What [`evidence_graph`] draws.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EvidenceGraph {
    /// Statements, and behind them explanations that compete.
    pub claims: Vec<GraphNode>,
    /// How many of the last `claims` are explanations.
    pub explanations: usize,
    /// Quotes.
    pub quotes: Vec<GraphNode>,
    /// Documents.
    pub sources: Vec<GraphNode>,
    /// For each quote the place of its document in `sources`; one that is not there has none.
    pub quoted_from: Vec<usize>,
    /// What bears on what; edges to places that are not there are left out.
    pub edges: Vec<GraphEdge>,
}

/// The nodes of one column in the order drawn, the rest folded into one.
struct Column {
    /// Place in the list -> place in the column.
    place: Vec<usize>,
    drawn: Vec<usize>,
    folded: usize,
}

impl Column {
    fn new(order: &[usize], most: usize) -> Self {
        let kept = if order.len() > most { most } else { order.len() };
        let mut place = vec![kept; order.len()];
        for (at, &node) in order.iter().take(kept).enumerate() {
            place[node] = at;
        }
        Self { place, drawn: order[..kept].to_vec(), folded: order.len() - kept }
    }

    fn len(&self) -> usize {
        self.drawn.len() + usize::from(self.folded > 0)
    }
}

impl EvidenceGraph {
    /// How many of the first `claims` are statements.
    fn statements(&self) -> usize {
        self.claims.len().saturating_sub(self.explanations)
    }
}

/// Claims, the quotes that bear on them, and the documents they stand in; explanations are empty boxes among the claims.
/// Quotes stand near their claims and documents near their group. At most 60 nodes are drawn; what is left of a column is
/// one node with its count.
pub fn evidence_graph(id: &str, graph: &EvidenceGraph) -> Figure {
    let title = "What rests on what";
    let edges: BTreeSet<GraphEdge> = graph
        .edges
        .iter()
        .filter(|edge| edge.claim < graph.claims.len() && edge.quote < graph.quotes.len())
        .copied()
        .collect();
    let claims = Column::new(&(0..graph.claims.len()).collect::<Vec<_>>(), MOST[0]);
    // A quote stands at the first claim that it bears on, so that few lines cross.
    let mut first = vec![usize::MAX; graph.quotes.len()];
    for edge in &edges {
        first[edge.quote] = first[edge.quote].min(edge.claim);
    }
    let mut order: Vec<usize> = (0..graph.quotes.len()).collect();
    order.sort_by_key(|&quote| (first[quote], quote));
    let quotes = Column::new(&order, MOST[1]);
    let mut order: Vec<usize> = (0..graph.sources.len()).collect();
    order.sort_by(|&a, &b| graph.sources[a].group.cmp(&graph.sources[b].group).then(a.cmp(&b)));
    let sources = Column::new(&order, MOST[2]);

    let rows = [claims.len(), quotes.len(), sources.len()].into_iter().max().unwrap_or(0).max(1);
    let height = 24.0 + STEP * rows as f64;
    // A shorter column is spread over the whole height.
    let y = |column: &Column, at: usize| {
        24.0 + STEP * rows as f64 * (at as f64 + 0.5) / column.len().max(1) as f64
    };
    let (x_claim, x_quote, x_source) = (96.0, 165.0, 222.0);
    let mut pen = Pen::new(id);
    for (x, anchor, name) in [
        (x_claim, Anchor::End, "claims"),
        (x_quote, Anchor::Middle, "quotes"),
        (x_source, Anchor::Start, "sources"),
    ] {
        pen.text(x, 12.0, anchor, 90.0, name);
    }
    let mut drawn = BTreeSet::new();
    for edge in &edges {
        let (from, to) = (claims.place[edge.claim], quotes.place[edge.quote]);
        if drawn.insert((from, to, edge.relation)) {
            let (class, dash) = edge.relation.drawn();
            pen.curve(
                (x_claim + 6.0, y(&claims, from)),
                (x_quote - 8.0, y(&quotes, to)),
                class,
                dash,
            );
        }
    }
    let mut drawn = BTreeSet::new();
    for (quote, &source) in graph.quoted_from.iter().enumerate().take(graph.quotes.len()) {
        let Some(&to) = sources.place.get(source) else { continue };
        let from = quotes.place[quote];
        if drawn.insert((from, to)) {
            pen.curve(
                (x_quote + 8.0, y(&quotes, from)),
                (x_source - 6.0, y(&sources, to)),
                "axis",
                "",
            );
        }
    }
    let columns = [
        (&claims, &graph.claims, x_claim, 0),
        (&quotes, &graph.quotes, x_quote, 1),
        (&sources, &graph.sources, x_source, 2),
    ];
    for (column, nodes, x, kind) in columns {
        for at in 0..column.len() {
            let y = y(column, at);
            let more = format!("{} more", column.folded);
            let node = column.drawn.get(at).map(|&node| &nodes[node]);
            let label = node.map_or(more.as_str(), |node| node.label.as_str());
            let link = node.map_or("", |node| node.link.as_str());
            let size = 3.0 + 4.0 * node.and_then(|node| unit(node.weight)).unwrap_or(0.5);
            let begun = pen.begin_link(link, label);
            match kind {
                0 => {
                    let is_statement =
                        column.drawn.get(at).is_none_or(|&node| node < graph.statements());
                    if is_statement {
                        pen.bar(x - size / 2.0, y - size, size, size * 2.0, "f1");
                    } else {
                        pen.frame(x - size / 2.0, y - size, size, size * 2.0, "s3");
                    }
                    pen.text(x - 8.0, y + 4.0, Anchor::End, 86.0, label);
                }
                1 => {
                    pen.circle(x, y, size, "f3", true);
                    // Between two columns there is no room for words; the number leads to the table.
                    let number =
                        column.drawn.get(at).map_or(more.clone(), |node| (node + 1).to_string());
                    pen.text(x, y - size - 1.0, Anchor::Middle, 66.0, &number);
                }
                _ => {
                    pen.marker(3, x, y, "f4");
                    pen.text(x + 8.0, y + 4.0, Anchor::Start, WIDTH - x - 8.0, label);
                }
            }
            pen.end_link(begun);
        }
    }
    let mut foot = height + 14.0;
    for (name, relation) in [
        ("solid: supports", Relation::Supports),
        ("dashed: conflicts", Relation::Conflicts),
        ("dotted: explains", Relation::Explains),
        ("dashes and dots: neither", Relation::Neither),
    ] {
        if edges.iter().any(|edge| edge.relation == relation) {
            let (class, dash) = relation.drawn();
            pen.line((0.0, foot - 4.0), (40.0, foot - 4.0), class, dash);
            pen.text(46.0, foot, Anchor::Start, WIDTH - 46.0, name);
            foot += 15.0;
        }
    }
    let rows = twin::rows(graph, &edges);
    let table = twin::table(graph, &rows);
    let figure = pen.finish(foot, title, &said(graph, &edges), table);
    Figure { list: twin::list(graph, &rows), ..figure }
}

fn said(graph: &EvidenceGraph, edges: &BTreeSet<GraphEdge>) -> String {
    let on_statements = || edges.iter().filter(|edge| edge.claim < graph.statements());
    let of = |relation| on_statements().filter(|edge| edge.relation == relation).count();
    let bare = (0..graph.statements())
        .filter(|&claim| {
            !edges.iter().any(|edge| edge.claim == claim && edge.relation == Relation::Supports)
        })
        .count();
    let mut out = format!(
        "{} rest on {} from {}: {} for, {} against",
        counted(graph.statements(), "claim"),
        counted(graph.quotes.len(), "quote"),
        counted(graph.sources.len(), "source"),
        of(Relation::Supports),
        of(Relation::Conflicts)
    );
    match of(Relation::Neither) {
        0 => out.push('.'),
        n => add(&mut out, format_args!(", {n} neither.")),
    }
    let explanations = graph.claims.len() - graph.statements();
    if explanations > 0 {
        let explained: BTreeSet<usize> = edges
            .iter()
            .filter(|edge| edge.relation == Relation::Explains)
            .map(|edge| edge.quote)
            .collect();
        add(
            &mut out,
            format_args!(
                " {} {} for {}.",
                counted(explanations, "explanation"),
                if explanations == 1 { "accounts" } else { "account" },
                counted(explained.len(), "quote")
            ),
        );
    }
    match bare {
        0 => {}
        1 => out.push_str(" 1 claim has nothing that supports it."),
        n => add(&mut out, format_args!(" {n} claims have nothing that supports them.")),
    }
    if graph.claims.len() > MOST[0] || graph.quotes.len() > MOST[1] || graph.sources.len() > MOST[2]
    {
        out.push_str(" Not all are drawn.");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(label: &str) -> GraphNode {
        GraphNode { label: label.to_owned(), weight: 0.5, ..GraphNode::default() }
    }

    fn small() -> EvidenceGraph {
        EvidenceGraph {
            claims: vec![node("c1: The lock is open"), node("c2: The pump runs")],
            quotes: vec![
                node("\u{201C}open\u{201D}"),
                node("\u{201C}runs\u{201D}"),
                node("\u{201C}shut\u{201D}"),
            ],
            sources: vec![node("log.md"), node("notes.md")],
            explanations: 0,
            quoted_from: vec![0, 1, 1],
            edges: vec![
                GraphEdge { claim: 0, quote: 0, relation: Relation::Supports },
                GraphEdge { claim: 0, quote: 2, relation: Relation::Conflicts },
                GraphEdge { claim: 1, quote: 1, relation: Relation::Supports },
                GraphEdge { claim: 7, quote: 0, relation: Relation::Supports },
            ],
        }
    }

    #[test]
    fn conflicts_are_dashed_and_quotes_stand_at_their_claims() {
        let figure = evidence_graph("g", &small());
        assert_eq!(
            figure.svg.matches("stroke-dasharray=\"6 3\"").count(),
            2,
            "one line, one legend"
        );
        let place = |number: &str| figure.svg.find(&format!(">{number}</text>")).unwrap();
        assert!(place("1") < place("3") && place("3") < place("2"));
        assert_eq!(figure.summary, "2 claims rest on 3 quotes from 2 sources: 2 for, 1 against.");
        assert_eq!(figure.table.rows.len(), 3);
        insta::assert_snapshot!(figure.svg);
    }

    #[test]
    fn the_list_says_in_words_what_the_lines_are() {
        let mut graph = small();
        graph.claims.push(node("h1: Rust held the lock"));
        graph.explanations = 1;
        graph.edges[2].relation = Relation::Neither;
        graph.edges.push(GraphEdge { claim: 2, quote: 0, relation: Relation::Explains });
        let figure = evidence_graph("g", &graph);
        assert_eq!(
            figure.summary,
            "2 claims rest on 3 quotes from 2 sources: 1 for, 1 against, 1 neither. 1 explanation accounts for 1 \
             quote. 1 claim has nothing that supports it."
        );
        let told: Vec<(&str, &str)> = figure
            .list
            .iter()
            .flat_map(|entry| entry.parts.iter().map(|part| (entry.text.as_str(), part.as_str())))
            .collect();
        assert_eq!(
            told,
            [
                ("c1: The lock is open", "supported by quote 1: \u{201C}open\u{201D}, in log.md"),
                (
                    "c1: The lock is open",
                    "contradicted by quote 3: \u{201C}shut\u{201D}, in notes.md"
                ),
                (
                    "c2: The pump runs",
                    "neither supported nor contradicted by quote 2: \u{201C}runs\u{201D}, in notes.md"
                ),
                ("h1: Rust held the lock", "accounts for quote 1: \u{201C}open\u{201D}, in log.md"),
            ]
        );
        assert!(figure.svg.contains("dotted: explains") && figure.svg.contains("dots: neither"));
        assert!(
            figure
                .to_html()
                .contains("<details><summary>What rests on what as a list</summary><ul>")
        );
    }

    #[test]
    fn too_many_nodes_are_folded_with_their_count() {
        let many = |n: usize, name: &str| (0..n).map(|at| node(&format!("{name}{at}"))).collect();
        let graph = EvidenceGraph {
            claims: many(40, "c"),
            quotes: many(500, "q"),
            sources: many(200, "s"),
            explanations: 0,
            quoted_from: (0..500).map(|at| at % 200).collect(),
            edges: (0..500)
                .map(|at| GraphEdge { claim: at % 40, quote: at, relation: Relation::Supports })
                .collect(),
        };
        let figure = evidence_graph("g", &graph);
        for more in ["25 more", "473 more", "185 more"] {
            assert!(figure.svg.contains(more), "{more}");
        }
        let nodes = figure.svg.matches("<rect").count()
            + figure.svg.matches("<circle").count()
            + figure.svg.matches("class=\"f4\"").count();
        assert_eq!(nodes, 60);
        assert_eq!(figure, evidence_graph("g", &graph));
    }
}
