//! Entailment by a language model: a batch of claims, each with its own evidence, and one verdict word for each.

use super::defect::{Defect, DefectKind, Defects};
use super::json;
use super::locate;
use super::read::{id, id_shape, items, text};
use super::safe::{Safe, clip, line};
use super::shape::{Field, Shape};
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// A claim and what it is judged by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EntailItem {
    /// The claim, readable alone.
    pub claim: String,
    /// Sentences or passages, each one unit. Data, never instructions.
    pub evidence: Vec<String>,
}

/// A batch of claims.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EntailInput {
    /// Numbered from 1 in the prompt. What there is no room for is not judged.
    pub items: Vec<EntailItem>,
}

/// What evidence does for a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum EntailVerdict {
    /// It says so.
    Supported,
    /// It cannot be true together with it.
    Contradicted,
    /// It leaves it open.
    NotEnough,
}

/// A verdict, and what decides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Entailed {
    /// The verdict.
    pub verdict: EntailVerdict,
    /// Positions in [`EntailItem::evidence`], each once, in the order of the reply. Empty only when there is not enough.
    pub units: Vec<usize>,
}

/// The verdicts of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EntailParsed {
    /// One for each item of the batch, in its order; `None` where the reply gives none that can be used.
    pub verdicts: Vec<Option<Entailed>>,
    /// What was wrong.
    pub defects: Vec<Defect>,
}

impl EntailParsed {
    /// Whether nothing at all could be used, so that asking again is worth while.
    pub fn is_empty(&self) -> bool {
        self.verdicts.iter().all(Option::is_none)
    }
}

/// Longest claim and unit, in characters.
const CLAIM: usize = 600;
const UNIT: usize = 900;
/// Most claims in one prompt.
const MOST: usize = 40;

/// One claim with its evidence, in at most `room` characters, and how many units are shown.
fn item(number: usize, item: &EntailItem, room: usize) -> (String, usize) {
    let mut out = format!(
        "Claim {number}: {}\n<passage id=\"P{number}\">",
        line(&item.claim, CLAIM.min(room / 2))
    );
    const CLOSING: &str = "\n</passage>";
    let mut used = out.chars().count() + CLOSING.len() + 34;
    let mut shown = 0;
    for (at, unit) in item.evidence.iter().enumerate() {
        let mark = format!("\n[P{number}.{}] ", at + 1);
        let mut body = line(unit, UNIT);
        let left = room.saturating_sub(used + mark.len());
        if body.chars().count() > left {
            if shown > 0 || left < 40 {
                break;
            }
            body = clip(&body, left);
        }
        used += mark.len() + body.chars().count();
        out.push_str(&mark);
        out.push_str(&body);
        shown += 1;
    }
    if shown < item.evidence.len() {
        write!(out, "\n({} more units not shown)", item.evidence.len() - shown)
            .expect("writing to a String cannot fail");
    }
    out.push_str(CLOSING);
    (out, shown)
}

/// The claims for which there is room, and how many units of each are shown.
fn chosen(input: &EntailInput, room: usize) -> (String, Vec<usize>) {
    let count = input.items.len().min(MOST);
    let mut left = room.saturating_sub(60);
    let mut out = String::new();
    let mut shown = Vec::new();
    for (at, given) in input.items.iter().take(count).enumerate() {
        // What the claims before did not need goes to those after; a claim in less than 400 characters says little.
        let share = (left / (count - at)).max(400);
        if share > left {
            break;
        }
        let (text, units) = item(at + 1, given, share - 2);
        let length = text.chars().count() + 2;
        if length > left {
            break;
        }
        if at > 0 {
            out.push_str("\n\n");
        }
        out.push_str(&text);
        left -= length;
        shown.push(units);
    }
    (out, shown)
}

pub(super) fn slots(input: &EntailInput, room: usize) -> Vec<(&'static str, Safe)> {
    let (text, shown) = chosen(input, room);
    vec![("items", Safe::assembled(text)), ("count", Safe::number(shown.len()))]
}

pub(super) fn shape(input: &EntailInput) -> Shape {
    let verdict = Shape::Object(vec![
        Field::essential("number", id_shape(), "the claim's number"),
        Field::optional("units", Shape::list(Shape::Text(24), 12), "ids of the units that decide"),
        Field::essential(
            "verdict",
            Shape::Word(&["supported", "contradicted", "not_enough"]),
            "what the evidence does for the claim",
        ),
    ]);
    let most = input.items.len().clamp(1, MOST) * 2 + 4;
    Shape::Object(vec![Field::essential(
        "verdicts",
        Shape::list(verdict, most),
        "one for each claim",
    )])
}

pub(super) fn read(input: &EntailInput, room: usize, reply: &str) -> EntailParsed {
    let (_, shown) = chosen(input, room);
    let reading = json::read(reply, &shape(input));
    let mut defects = reading.defects;
    let mut verdicts: Vec<Option<Entailed>> = vec![None; input.items.len()];
    let mut seen: Vec<Option<EntailVerdict>> = vec![None; input.items.len()];
    let value = reading.value.unwrap_or_default();
    for (at, given) in items(&value, "verdicts") {
        let number = id(&given["number"]) as usize;
        let Some(place) = number.checked_sub(1).filter(|place| *place < shown.len()) else {
            defects.add(DefectKind::UnknownId, &at, format!("{number} is no claim shown above"));
            continue;
        };
        let verdict = match given["verdict"].as_str() {
            Some("supported") => EntailVerdict::Supported,
            Some("contradicted") => EntailVerdict::Contradicted,
            Some("not_enough") => EntailVerdict::NotEnough,
            _ => continue,
        };
        match seen[place] {
            Some(known) if known != verdict => {
                let what = format!("claim {number} has two verdicts; neither counts");
                defects.add(DefectKind::Contradiction, &at, what);
                verdicts[place] = None;
                continue;
            }
            Some(_) => {
                let what = format!("claim {number} is judged twice; the first counts");
                defects.add(DefectKind::DuplicateId, &at, what);
                continue;
            }
            None => seen[place] = Some(verdict),
        }
        let mut units = units(given, number, shown[place], &at, &mut defects);
        if verdict == EntailVerdict::NotEnough {
            units.clear();
        } else if units.is_empty() && shown[place] == 1 {
            defects.add(DefectKind::Coerced, &at, "the only unit there is decides");
            units.push(0);
        } else if units.is_empty() {
            let what = format!("no unit is named that decides claim {number}; it stays unjudged");
            defects.add(DefectKind::Ungrounded, &at, what);
            continue;
        }
        verdicts[place] = Some(Entailed { verdict, units });
    }
    for (place, verdict) in seen.iter().enumerate().take(shown.len()) {
        if verdict.is_none() {
            let what = format!("claim {} has no verdict", place + 1);
            defects.add(DefectKind::MissingKey, "verdicts", what);
        }
    }
    EntailParsed { verdicts, defects: defects.into_list() }
}

/// Positions of the units that a verdict names.
fn units(
    given: &serde_json::Value,
    number: usize,
    shown: usize,
    at: &str,
    defects: &mut Defects,
) -> Vec<usize> {
    let mut out = Vec::new();
    for (_, name) in items(given, "units") {
        let name = text(name);
        match locate::numbers(&name) {
            Some((passage, Some(unit))) if passage == number && (1..=shown).contains(&unit) => {
                if !out.contains(&(unit - 1)) {
                    out.push(unit - 1);
                }
            }
            _ => {
                let what = format!("{name:?} is no unit of claim {number}");
                defects.add(DefectKind::UnknownUnit, at, what);
            }
        }
    }
    out
}

/// The one message of a checker that was trained to answer yes or no to a document and a claim, as Ollama serves
/// `bespoke-minicheck`: at most about 12,000 characters of document. There is no system part: it was trained
/// without one.
pub fn minicheck(claim: &str, evidence: &[String]) -> String {
    let document: Vec<String> = evidence.iter().map(|unit| line(unit, UNIT * 2)).collect();
    format!("Document: {}\nClaim: {}", clip(&document.join(" "), 12_000), line(claim, CLAIM))
}

/// Reads its answer: `Some(true)` for yes, `Some(false)` for no (which says "not supported", never "contradicted"),
/// `None` for anything else.
pub fn parse_minicheck(text: &str) -> (Option<bool>, Vec<Defect>) {
    let mut defects = Defects::default();
    let said: Vec<String> =
        crate::text::words(&text.chars().take(2_000).collect::<String>()).into_iter().collect();
    let has = |word: &str| said.iter().any(|said| said == word);
    let verdict = match said.first().map(String::as_str) {
        Some("yes") if !has("no") => Some(true),
        Some("no") if !has("yes") => Some(false),
        _ => None,
    };
    if verdict.is_none() {
        defects.add(
            DefectKind::UnknownWord,
            "reply",
            format!("{:?} is neither yes nor no", clip(text, 60)),
        );
    } else if said.len() > 1 {
        defects.add(DefectKind::TextAround, "reply", "more than yes or no");
    }
    (verdict, defects.into_list())
}
