//! What the placeholders of the three calls are filled with.

use super::{MetaInput, PerspectiveInput, PointBrief, SynthesizeInput};
use crate::id::PointId;
use crate::prompt::fragment::fact_fragments;
use crate::prompt::safe::{Safe, line};

/// Longest question, in characters.
const QUESTION: usize = 1_500;

type Slots = Vec<(&'static str, Safe)>;

fn question(text: &str, room: usize) -> Safe {
    Safe::line(text, QUESTION.min(room / 6))
}

/// What is left of `room` when these are filled in.
fn left(room: usize, slots: &[(&'static str, Safe)]) -> usize {
    let used: usize = slots.iter().map(|(_, safe)| safe.as_str().chars().count()).sum();
    room.saturating_sub(used)
}

pub(in crate::prompt) fn perspective(input: &PerspectiveInput, room: usize) -> Slots {
    let mut slots = vec![
        ("question", question(&input.question, room)),
        ("lens", Safe::line(&input.lens.name, 60)),
        ("stance", Safe::line(&input.lens.stance, 600)),
    ];
    let claims: Vec<String> = input
        .claims
        .iter()
        .map(|claim| {
            format!(
                "<claim id=\"{}\">{}</claim>",
                attribute(claim.id.as_str(), 20),
                line(&claim.text, 320)
            )
        })
        .collect();
    slots.push(("claims", Safe::lines(&claims, room / 3, "statements", "(none)")));
    let facts = fact_fragments(&input.facts, &input.passages);
    let room = left(room, &slots);
    slots.push(("facts", Safe::lines(&facts, room, "facts", "(none)")));
    slots
}

/// A clean value between quotation marks.
fn attribute(value: &str, most: usize) -> String {
    line(value, most).replace('"', "'")
}

/// A point between marks that no point can write.
fn point(point: &PointBrief) -> String {
    let facts: Vec<&str> = point.facts.iter().take(12).map(crate::id::FactId::as_str).collect();
    let mark = if point.mark.is_empty() {
        String::new()
    } else {
        format!(" mark=\"{}\"", attribute(&point.mark, 40))
    };
    format!(
        "<point id=\"{}\" lens=\"{}\" stance=\"{}\" facts=\"{}\"{mark}>{}</point>",
        attribute(point.id.as_str(), 20),
        attribute(&point.lens, 60),
        point.stance.name(),
        attribute(&facts.join(", "), 120),
        line(&point.statement, 400)
    )
}

fn points(all: &[PointBrief], room: usize) -> Safe {
    let lines: Vec<String> = all.iter().map(point).collect();
    Safe::lines(&lines, room, "points", "(none)")
}

fn ids(points: &[PointId], between: &str) -> String {
    let ids: Vec<String> = points.iter().take(40).map(|id| line(id.as_str(), 20)).collect();
    ids.join(between)
}

pub(in crate::prompt) fn synthesize(input: &SynthesizeInput, room: usize) -> Slots {
    let mut slots = vec![("question", question(&input.question, room))];
    let room = left(room, &slots);
    slots.push(("points", points(&input.points, room)));
    slots
}

pub(in crate::prompt) fn meta(input: &MetaInput, room: usize) -> Slots {
    let consensus: Vec<String> =
        input.consensus.iter().map(|group| format!("- {}", ids(group, ", "))).collect();
    let tensions: Vec<String> = input
        .tensions
        .iter()
        .map(|tension| {
            let pair = ids(&tension.points, " against ");
            if tension.why.is_empty() {
                format!("- {pair}")
            } else {
                format!("- {pair}: {}", line(&tension.why, 300))
            }
        })
        .collect();
    let mut slots = vec![
        ("question", question(&input.question, room)),
        ("consensus", Safe::lines(&consensus, room / 8, "groups", "(none)")),
        ("tensions", Safe::lines(&tensions, room / 5, "pairs", "(none)")),
    ];
    let room = left(room, &slots);
    slots.push(("points", points(&input.points, room)));
    slots
}
