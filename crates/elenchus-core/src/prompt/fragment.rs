//! Passage fragments: the only way in which retrieved text reaches a prompt.
//!
//! A fragment shows a passage between `<passage id="P3" ...>` and `</passage>`, each unit on a line of its own
//! behind its id, `[P3.2]`. Neither mark can be written by a passage: see [`super::safe::clean`].

use super::safe::{Safe, clip, line};
use super::units::{Kind, Piece, pieces};
use crate::evidence::{ReadPassage, Span, Vintage, char_slice};
use crate::id::PassageId;
use crate::text::content_set;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Longest unit shown, in characters. A longer one is shown in part and can be named as a whole.
const LONGEST_UNIT: usize = 900;
/// Longest fragment, marks and title included, when there is room for everything.
const LONGEST: usize = 2_400;
/// A passage that can have no more than this is left out, as long as others are better.
const SHORTEST: usize = 420;
/// Room kept in each fragment for "(123 more units not shown)".
const REST: usize = 30;

/// A numbered unit.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    /// Characters of the passage.
    pub(super) span: Span,
    /// Whether it stands in the prompt.
    pub(super) shown: bool,
}

/// A passage made ready for a prompt.
#[derive(Clone, Debug)]
pub struct PassageFragment {
    /// `P1`, `P2`, ...: the passage's place in the call, from 1.
    number: usize,
    passage_id: PassageId,
    title: String,
    text: String,
    units: Vec<Unit>,
    rendered: String,
}

impl PassageFragment {
    /// Prepares the passage at place `number` (from 1), in at most `room` characters.
    pub fn new(number: usize, read: &ReadPassage, room: usize) -> Self {
        let text = &read.passage.text;
        let found = pieces(text);
        let (rendered, shown) = render(number, read, &found, room.min(LONGEST));
        let units = found
            .iter()
            .filter(|piece| piece.kind == Kind::Unit)
            .enumerate()
            .map(|(at, piece)| Unit { span: piece.span, shown: at < shown })
            .collect();
        Self {
            number,
            passage_id: read.passage.id.clone(),
            title: line(&read.source.title, 80),
            text: text.clone(),
            units,
            rendered,
        }
    }

    /// The passage's place in the call, from 1.
    pub fn number(&self) -> usize {
        self.number
    }

    /// The passage.
    pub fn passage_id(&self) -> &PassageId {
        &self.passage_id
    }

    /// The fragment as it stands in a prompt.
    pub fn as_str(&self) -> &str {
        &self.rendered
    }

    /// The title of its document, as it stands in the prompt.
    pub(super) fn title(&self) -> &str {
        &self.title
    }

    /// The passage's text, as it is.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The unit of that number, from 1.
    pub(super) fn unit(&self, number: usize) -> Option<&Unit> {
        self.units.get(number.checked_sub(1)?)
    }

    /// How many units it has.
    pub(super) fn units(&self) -> usize {
        self.units.len()
    }
}

/// The attribute ` name="value"`, or nothing for an empty value. Quotation marks cannot end the value.
pub(super) fn attribute(out: &mut String, name: &str, value: &str, most: usize) {
    let clean = line(value, most).replace('"', "'");
    if !clean.is_empty() {
        write!(out, " {name}=\"{clean}\"").expect("writing to a String cannot fail");
    }
}

fn opening(number: usize, read: &ReadPassage) -> String {
    let (source, passage) = (&read.source, &read.passage);
    let mut out = format!("<passage id=\"P{number}\"");
    attribute(&mut out, "title", &source.title, 100);
    attribute(&mut out, "author", source.author.as_deref().unwrap_or_default(), 60);
    let date = source.date.as_ref().map(|date| date.value.to_string());
    attribute(&mut out, "date", date.as_deref().unwrap_or("not stated"), 40);
    let vintage = match source.vintage {
        Vintage::Current => "not marked as superseded",
        Vintage::Superseded => "marked as superseded",
    };
    attribute(&mut out, "vintage", vintage, 40);
    let headings: Vec<&str> =
        passage.heading_path.iter().map(String::as_str).filter(|h| *h != source.title).collect();
    attribute(&mut out, "section", &headings.join(" / "), 120);
    attribute(&mut out, "record", passage.record.as_deref().unwrap_or_default(), 60);
    attribute(&mut out, "columns", &passage.table_header.join(" / "), 160);
    attribute(&mut out, "after", passage.lead_in.as_deref().unwrap_or_default(), 120);
    out.push('>');
    out
}

/// The fragment in at most `room` characters (or as little as its marks need), and how many units it shows.
fn render(number: usize, read: &ReadPassage, found: &[Piece], room: usize) -> (String, usize) {
    const CLOSING: &str = "\n</passage>";
    let mut out = opening(number, read);
    let mut used = out.chars().count() + CLOSING.len() + REST;
    let total = found.iter().filter(|piece| piece.kind == Kind::Unit).count();
    let mut shown = 0;
    for piece in found {
        let Some(text) = char_slice(&read.passage.text, piece.span) else { break };
        let is_unit = piece.kind == Kind::Unit;
        let mark =
            if is_unit { format!("[P{number}.{}] ", shown + 1) } else { "about: ".to_owned() };
        let mut body = line(text.trim_start_matches('#'), LONGEST_UNIT);
        let length = 1 + mark.len() + body.chars().count();
        if used + length > room {
            let left = room.saturating_sub(used + 1 + mark.len());
            // The first unit is shown in part rather than not at all.
            if shown > 0 || left < 60 || !is_unit {
                break;
            }
            body = clip(&body, left);
        }
        used += 1 + mark.len() + body.chars().count();
        write!(out, "\n{mark}{body}").expect("writing to a String cannot fail");
        shown += usize::from(is_unit);
    }
    if shown < total {
        write!(out, "\n({} more units not shown)", total - shown)
            .expect("writing to a String cannot fail");
    }
    out.push_str(CLOSING);
    (out, shown)
}

/// The fragments of a call: those shown, best first, and how many passages there was no room for.
#[derive(Clone, Debug, Default)]
pub(super) struct Shown {
    fragments: Vec<PassageFragment>,
    left_out: usize,
}

impl Shown {
    /// Chooses what to show of `passages` in `room` characters. `ranked` holds every place of `passages` once, the
    /// best first. Room is shared evenly; what one does not need goes to the others.
    pub(super) fn choose(passages: &[ReadPassage], ranked: &[usize], room: usize) -> Self {
        // Room for the count of what is left out.
        let room = room.saturating_sub(60);
        // A fragment needs its own length and what is kept for the count of units not shown.
        let needs: Vec<usize> = ranked
            .iter()
            .filter_map(|at| Some(PassageFragment::new(at + 1, passages.get(*at)?, LONGEST)))
            .map(|whole| whole.rendered.chars().count() + REST + 2)
            .collect();
        let mut count = needs.len();
        let share = loop {
            if count == 0 {
                break 0;
            }
            let share = even_share(&needs[..count], room);
            let fits = needs[..count].iter().all(|need| *need <= share);
            if fits || share > SHORTEST {
                break share;
            }
            count -= 1;
        };
        let mut used = 0;
        let mut fragments = Vec::new();
        for at in &ranked[..count] {
            let Some(read) = passages.get(*at) else { continue };
            let fragment = PassageFragment::new(at + 1, read, share.saturating_sub(1));
            used += fragment.rendered.chars().count() + 1;
            // Only a title longer than the share can make this happen.
            if used > room {
                break;
            }
            fragments.push(fragment);
        }
        Self { left_out: passages.len() - fragments.len(), fragments }
    }

    /// For a prompt.
    pub(super) fn safe(&self) -> Safe {
        let mut out = String::new();
        for fragment in &self.fragments {
            out.push_str(&fragment.rendered);
            out.push('\n');
        }
        match (self.fragments.is_empty(), self.left_out) {
            (true, 0) => out.push_str("(no passage was found)"),
            (_, 0) => {
                out.pop();
            }
            (_, left_out) => {
                write!(out, "({left_out} more passages not shown for want of room)")
                    .expect("writing to a String cannot fail");
            }
        }
        Safe::assembled(out)
    }

    /// The fragment of that number.
    pub(super) fn fragment(&self, number: usize) -> Option<&PassageFragment> {
        self.fragments.iter().find(|fragment| fragment.number == number)
    }
}

/// The largest share with which all stay within `room` together.
fn even_share(needs: &[usize], room: usize) -> usize {
    let mut sorted = needs.to_vec();
    sorted.sort_unstable();
    let mut left = room;
    for (at, need) in sorted.iter().enumerate() {
        let share = left / (sorted.len() - at);
        if *need > share {
            return share;
        }
        left -= need;
    }
    sorted.last().copied().unwrap_or(0)
}

/// Places of `passages`, the most promising first: those that hold the rarer words of `wanted`, and of equals the
/// newest. The last `new` of `passages` were read this round and count a little more.
pub(super) fn rank(
    passages: &[ReadPassage],
    wanted: &[&str],
    rarity: &BTreeMap<String, f64>,
    new: usize,
) -> Vec<usize> {
    let wanted: Vec<String> = wanted.iter().take(40).map(|text| clip(text, 400)).collect();
    let stems = content_set(&wanted.join(" "));
    let weight = |stem: &String| rarity.get(stem).copied().unwrap_or(1.0);
    let all: f64 = stems.iter().map(weight).sum();
    let mut scored: Vec<(f64, i64, usize)> = passages
        .iter()
        .enumerate()
        .map(|(at, read)| {
            let head: String = read.passage.text.chars().take(super::units::READ).collect();
            let around = read.passage.heading_path.join(" ");
            let held = content_set(&format!("{} {around} {head}", read.source.title));
            let held: f64 = stems.intersection(&held).map(weight).sum();
            let bonus = if at + new >= passages.len() { 0.25 * all } else { 0.0 };
            let date = read.source.date.as_ref().map_or(i64::MIN, |date| date.value.order_key());
            (held + bonus, date, at)
        })
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)).then(a.2.cmp(&b.2)));
    scored.into_iter().map(|(.., at)| at).collect()
}

/// How much each word of the queries says, by its rarity in the corpus: from its stem to 0.2 and up.
pub(super) fn rarity(terms: &[crate::port::TermCount], passages: u32) -> BTreeMap<String, f64> {
    terms
        .iter()
        .flat_map(|term| {
            let weight = (f64::from(passages + 1) / f64::from(term.passages + 1)).ln().max(0.2);
            content_set(&term.term).into_iter().map(move |stem| (stem, weight))
        })
        .collect()
}

/// Checked facts for a prompt, each with the passage that it comes from where that is there.
pub(super) fn fact_fragments<'a>(
    facts: impl IntoIterator<Item = &'a crate::prompt::Fact>,
    passages: &[ReadPassage],
) -> Vec<String> {
    let of = |fact: &crate::prompt::Fact| {
        passages.iter().find(|read| read.passage.id == fact.proposed.passage_id)
    };
    facts.into_iter().map(|fact| fact_fragment(fact, of(fact))).collect()
}

/// A checked fact for a prompt: its quote between marks that no quote can write, on one line.
fn fact_fragment(fact: &crate::prompt::Fact, read: Option<&ReadPassage>) -> String {
    use crate::prompt::{Bearing, FactRole};
    let proposed = &fact.proposed;
    let mut out = String::from("<fact");
    attribute(&mut out, "id", fact.id.as_str(), 20);
    attribute(&mut out, "question", &proposed.question_id.to_string(), 12);
    let role = match proposed.role {
        FactRole::Answer => "answer",
        FactRole::Conflict => "conflict",
        FactRole::Superseded => "superseded",
        FactRole::Context => "context",
    };
    attribute(&mut out, "role", role, 12);
    attribute(&mut out, "bearing", proposed.bearing.map_or("", Bearing::name), 12);
    attribute(&mut out, "value", fact.value_text.as_deref().unwrap_or_default(), 80);
    if let Some(read) = read {
        attribute(&mut out, "title", &read.source.title, 80);
        let date = read.source.date.as_ref().map(|date| date.value.to_string());
        attribute(&mut out, "date", date.as_deref().unwrap_or("not stated"), 40);
        if read.source.vintage == Vintage::Superseded {
            attribute(&mut out, "vintage", "marked as superseded", 40);
        }
    }
    write!(out, ">{}</fact>", line(&fact.quote, 320)).expect("writing to a String cannot fail");
    out
}
