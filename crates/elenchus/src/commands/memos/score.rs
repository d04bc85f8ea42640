//! `elenchus score`: what to read first around a memo, and how sure the memo is.

use super::judged;
use super::place::Place;
use super::show::recurring_line;
use crate::cli::ScoreArgs;
use crate::config::Config;
use crate::error::Result;
use crate::ui::progress::counted;
use crate::ui::terminal::{Terminal, unsayable};
use elenchus_core::graph::{
    Memo, Polarity, ScoreReport, ScoreSettings, ScoredMemo, Weights, camel,
};
use elenchus_core::text::squeeze;
use elenchus_engine::score_evidence;
use serde::Serialize;
use std::fmt::Write;

pub(crate) async fn run(args: ScoreArgs, config: &Config, terminal: &Terminal) -> Result<()> {
    let mut settings = ScoreSettings {
        k: args.k,
        depth: args.depth,
        limit: args.limit,
        direction: args.direction.direction(),
        tag: args.tag.clone(),
        weights: Weights { similarity: args.similarity_weight, relation: args.relation_weight },
        delta: args.delta,
        min_combined: args.min_combined,
    };
    settings.check()?;
    if args.learned {
        settings.weights = judged::weights(terminal)?;
    }
    let place = Place::there(&args.place, config)?;
    let pivot = place.memo(&args.pivot).await?;
    let report =
        score_evidence(&*place.memos, &place.tenant, &place.namespace, &pivot.id, &settings)
            .await?;
    judged::keep(&report, &args.useful, &args.useless, terminal)?;
    if args.json {
        return if args.explain {
            json(&report, args.camel_case, terminal)
        } else {
            json(&report.scored, args.camel_case, terminal)
        };
    }
    let mut text = told(&pivot, &report, &settings);
    if args.explain {
        let _ = write!(text, "\n{}", report.notes.confidence.explained.render());
    }
    terminal.print(&text)
}

fn json(value: &impl Serialize, camel_case: bool, terminal: &Terminal) -> Result<()> {
    if !camel_case {
        return terminal.print_json(value);
    }
    let value = serde_json::to_value(value).map_err(|error| unsayable(&error))?;
    terminal.print_json(&camel::value(value))
}

/// The report for people.
fn told(pivot: &Memo, report: &ScoreReport, settings: &ScoreSettings) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{} ({} in {})", pivot.heading(), pivot.id, pivot.namespace);
    sure(&mut out, report);
    let found = &report.scored;
    let lists = [
        ("Supports", Polarity::Supports, &found.prioritized_evidence),
        ("Conflicts", Polarity::Conflicts, &found.conflicting_evidence),
        ("Other relations", Polarity::Other, &found.other_relations),
    ];
    if lists.iter().all(|(.., list)| list.is_empty()) {
        let _ = writeln!(
            out,
            "\nNothing is related to it or like it. `elenchus memo relate ID supports {}` says that a memo bears on it.",
            pivot.id
        );
    } else {
        let Weights { similarity, relation } = settings.weights;
        let _ = writeln!(
            out,
            "\nWhat to read first, by combined = ({similarity} x similarity + {relation} x relation){}:",
            divided(similarity + relation)
        );
        let _ = writeln!(out, "  combined  similarity  relation");
    }
    for (heading, polarity, list) in lists {
        if list.is_empty() {
            continue;
        }
        let _ = writeln!(out, "{heading}");
        for one in list {
            row(&mut out, one, polarity, report);
        }
    }
    notes(&mut out, report, settings);
    out
}

/// The sum of the weights, where it is not 1.
fn divided(sum: f64) -> String {
    if (sum - 1.0).abs() < 1e-9 { String::new() } else { format!(" / {sum}") }
}

/// How sure the memo is, and what of that comes from where.
fn sure(out: &mut String, report: &ScoreReport) {
    let confidence = &report.notes.confidence;
    let parts = confidence.explained.children.first().map(|sum| sum.children.as_slice());
    let parts = parts.unwrap_or_default();
    if parts.is_empty() {
        let _ = writeln!(
            out,
            "confidence: none, for nothing independent bears on it (0.50 is even odds)"
        );
    } else {
        let _ = writeln!(
            out,
            "confidence {:.2}: {} for it, {} against; from the weights that were given, not calibrated",
            confidence.confidence,
            counted(confidence.origins_for, "independent origin"),
            confidence.origins_against
        );
        let (low, high) = confidence.range;
        let mut falls = Vec::new();
        if confidence.origins_for > 0 {
            falls.push(format!("{low:.2} if the strongest of those for it is wrong"));
        }
        if confidence.origins_against > 0 {
            falls.push(format!("{high:.2} if the strongest of those against it is"));
        }
        let _ = writeln!(out, "  it would be {}", falls.join(", "));
        let _ = writeln!(out, "  log-odds");
    }
    for part in parts {
        let share = part.inputs.iter().find(|input| input.name == "share").map_or(1.0, |i| i.value);
        let discounted =
            if share < 1.0 { format!(", counted at {share:.2}") } else { String::new() };
        let copies = part.rule.split_once("; ").map(|(_, more)| format!("; {more}"));
        let _ = writeln!(
            out,
            "     {:+.2}  {}{discounted}{}",
            part.value,
            part.what,
            copies.unwrap_or_default()
        );
    }
    for aside in &confidence.set_aside {
        let _ = writeln!(out, "      0     {} ({}): {}", aside.title, aside.memo_id, aside.why);
    }
}

fn row(out: &mut String, one: &ScoredMemo, polarity: Polarity, report: &ScoreReport) {
    let mut marks = String::new();
    if one.contested {
        marks.push_str(" [contested]");
    }
    if report.notes.inference_outputs.contains(&one.memo_id) {
        marks.push_str(" [an answer, no evidence]");
    }
    let _ = writeln!(
        out,
        "  {:8.3}  {:10.3}  {:8.3}  {} ({}){marks}",
        one.combined, one.similarity, one.relation_weight, one.title, one.memo_id
    );
    let chain = report.chains.get(&(one.memo_id.clone(), polarity));
    let Some(links) = chain.filter(|_| one.best_edge.is_some()) else {
        let _ = writeln!(out, "{:34}only like it; nobody has said how it bears on it", "");
        return;
    };
    let against =
        links.iter().filter(|link| Polarity::of(&link.tag) == Polarity::Conflicts).count();
    let mut path = String::from("pivot");
    for (place, link) in links.iter().enumerate() {
        let last = place + 1 == links.len();
        // The last one is the memo of the row.
        let name = if last { "it".to_owned() } else { link.title.clone() };
        let reads = squeeze(&link.reads);
        let _ = write!(path, " -> {reads} {name} ({:.2})", link.weight);
    }
    let reason = one.best_edge.as_ref().and_then(|edge| edge.reason.as_deref()).map(squeeze);
    let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
    let _ = writeln!(out, "{:34}{path}{reason}", "");
    if against > 1 {
        let _ = writeln!(
            out,
            "{:34}it conflicts with what conflicts: in the confidence it counts neither way",
            ""
        );
    }
}

/// What a reader should know beside the figures.
fn notes(out: &mut String, report: &ScoreReport, settings: &ScoreSettings) {
    let notes = &report.notes;
    let mut lines = Vec::new();
    let [supports, conflicts, other] = notes.left_out;
    if supports + conflicts + other > 0 {
        lines.push(format!(
            "below {} and left out: {supports} that support, {conflicts} that conflict, {other} other; the confidence counts them",
            settings.min_combined
        ));
    }
    if notes.cut {
        lines.push(format!(
            "no more than {} relations were followed: all figures are provisional if there are more, --limit follows them",
            settings.limit
        ));
    }
    if settings.tag.is_some() || settings.direction != elenchus_core::graph::Direction::Both {
        lines.push(
            "--tag or --direction leaves relations out: the confidence knows only of those that are left".to_owned(),
        );
    }
    for one in &notes.recurring_conflicts {
        lines.push(format!("a conflict that comes again, {}", recurring_line(one)));
    }
    if !lines.is_empty() {
        let _ = writeln!(out, "\nNote");
        for line in lines {
            let _ = writeln!(out, "  {line}");
        }
    }
}
