//! How far each explanation was believed as the evidence came in.

use super::draw::{Anchor, DASHES, Pen, WIDTH, add, share, unit};
use super::{Figure, MOST_ROWS, Table};
use crate::belief::Hypothesis;
use crate::measure::logit;
use std::collections::BTreeMap;

/// Explanations that are drawn: as many as there are dashes and shapes to tell them apart.
const MOST_LINES: usize = 6;
/// Steps that are drawn.
const MOST_STEPS: usize = 400;

/// What stands upwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// The credence, 0 to 1.
    #[default]
    Probability,
    /// Its natural log-odds, -5 to 5: equal moves are equal evidence.
    LogOdds,
}

/// One move of a credence.
#[derive(Clone, Debug, PartialEq)]
pub struct CredenceStep {
    /// Which item of evidence, from 1; the same number for every explanation that it moved.
    pub at: usize,
    /// The credence after it, 0 to 1.
    pub after: f64,
    /// By how much, in natural log-odds.
    pub log_odds: f64,
    /// What the item is, for people.
    pub item: String,
    /// Where it can be read: `#...` or `/...`; empty for nowhere.
    pub link: String,
}

/// One explanation of [`credences`].
#[derive(Clone, Debug, PartialEq)]
pub struct Credence {
    /// "h1".
    pub id: String,
    /// What it says.
    pub label: String,
    /// The credence before any evidence, 0 to 1.
    pub before: f64,
    /// Its moves, in order.
    pub steps: Vec<CredenceStep>,
}

impl Credence {
    /// Explanations of a run, their evidence numbered by round and place in the first history that has it. `link` makes an
    /// address of a passage's id, empty for none.
    pub fn all(hypotheses: &[Hypothesis], link: impl Fn(&str) -> String) -> Vec<Self> {
        let mut order: BTreeMap<(u8, &str), (u8, usize, usize)> = BTreeMap::new();
        for (nth, hypothesis) in hypotheses.iter().enumerate() {
            for (place, moved) in hypothesis.history.iter().enumerate() {
                order.entry((moved.round, moved.passage_id.as_str())).or_insert((
                    moved.round,
                    place,
                    nth,
                ));
            }
        }
        let mut items: Vec<_> = order.into_iter().collect();
        items.sort_by_key(|(_, place)| *place);
        let number: BTreeMap<(u8, &str), usize> =
            items.into_iter().enumerate().map(|(at, (item, _))| (item, at + 1)).collect();
        hypotheses
            .iter()
            .map(|hypothesis| Self {
                id: hypothesis.id.as_str().to_owned(),
                label: hypothesis.claim.clone(),
                before: hypothesis
                    .history
                    .first()
                    .map_or(hypothesis.confidence, |moved| moved.before),
                steps: hypothesis
                    .history
                    .iter()
                    .map(|moved| CredenceStep {
                        at: number[&(moved.round, moved.passage_id.as_str())],
                        after: moved.after,
                        log_odds: moved.log_odds,
                        item: format!("round {}, {}", moved.round, moved.location),
                        link: link(moved.passage_id.as_str()),
                    })
                    .collect(),
            })
            .collect()
    }
}

/// Step lines of what was believed, an item of evidence a step and a marker where one moved a credence. Credences are of
/// their own and never add up, so that nothing is stacked. At most six explanations are drawn.
pub fn credences(id: &str, hypotheses: &[Credence], scale: Scale) -> Figure {
    let title = "What was believed as evidence came in";
    let shown = &hypotheses[..hypotheses.len().min(MOST_LINES)];
    let last = shown
        .iter()
        .flat_map(|one| one.steps.iter().take(MOST_STEPS).map(|step| step.at))
        .max()
        .unwrap_or(0)
        .max(1);
    let (left, right, top, bottom) = (34.0, WIDTH - 10.0, 10.0, 200.0);
    let x = |at: usize| left + (right - left) * (at.min(last) as f64 / last as f64);
    let height = |p: f64| match scale {
        Scale::Probability => p,
        Scale::LogOdds => (logit(p.clamp(0.0067, 0.9933)) + 5.0) / 10.0,
    };
    let y = |p: f64| bottom - (bottom - top) * height(p).clamp(0.0, 1.0);
    let mut pen = Pen::new(id);
    let ticks: &[(f64, &str)] = match scale {
        Scale::Probability => {
            &[(0.0, "0"), (0.15, "0.15"), (0.5, "0.5"), (0.85, "0.85"), (1.0, "1")]
        }
        Scale::LogOdds => &[(0.0067, "-5"), (0.5, "0"), (0.9933, "+5")],
    };
    for (p, name) in ticks {
        pen.line((left, y(*p)), (right, y(*p)), "grid", "");
        pen.text(left - 4.0, y(*p) + 4.0, Anchor::End, left, name);
    }
    pen.text(left, bottom + 15.0, Anchor::Start, 60.0, "before");
    pen.text(right, bottom + 15.0, Anchor::End, 120.0, &format!("item {last}"));
    let mut y_words = bottom + 34.0;
    for (nth, one) in shown.iter().enumerate() {
        let (dash, class) = (DASHES[nth % DASHES.len()], nth % 6 + 1);
        let line = format!("s{class}");
        let fill = format!("f{class}");
        if let Some(before) = unit(one.before) {
            let mut points = vec![(x(0), y(before))];
            let mut level = before;
            for step in one.steps.iter().take(MOST_STEPS) {
                let Some(after) = unit(step.after) else { continue };
                points.push((x(step.at), y(level)));
                points.push((x(step.at), y(after)));
                level = after;
            }
            points.push((x(last), y(level)));
            pen.path(&points, &line, dash);
            for step in one.steps.iter().take(MOST_STEPS) {
                let Some(after) = unit(step.after) else { continue };
                let name = format!("{} to {} by {}", one.id, share(after), step.item);
                let begun = pen.begin_link(&step.link, &name);
                pen.marker(nth, x(step.at), y(after), &fill);
                pen.end_link(begun);
            }
        }
        pen.line((0.0, y_words - 4.0), (26.0, y_words - 4.0), &line, dash);
        pen.marker(nth, 13.0, y_words - 4.0, &fill);
        let words = format!("{} {}: {}", one.id, share(now(one)), one.label);
        pen.text(left, y_words, Anchor::Start, WIDTH - left, &words);
        y_words += 16.0;
    }
    if hypotheses.len() > shown.len() {
        let more = format!("and {} more", hypotheses.len() - shown.len());
        pen.text(left, y_words, Anchor::Start, WIDTH - left, &more);
        y_words += 16.0;
    }

    let summary = said(hypotheses);
    let mut rows: Vec<(&Credence, Option<&CredenceStep>)> = Vec::new();
    for one in hypotheses {
        rows.push((one, None));
        rows.extend(one.steps.iter().map(|step| (one, Some(step))));
    }
    rows.sort_by_key(|(_, step)| step.map_or(0, |step| step.at));
    let table = Table::new(&["Item", "Evidence", "Explanation", "Moved by (log-odds)", "Credence"])
        .filled(&rows, MOST_ROWS, |_, (one, step)| match step {
            None => vec![
                "before".to_owned(),
                String::new(),
                format!("{}: {}", one.id, one.label),
                String::new(),
                share(one.before),
            ],
            Some(step) => vec![
                step.at.to_string(),
                step.item.clone(),
                one.id.clone(),
                signed(step.log_odds),
                share(step.after),
            ],
        });
    pen.finish(y_words, title, &summary, table)
}

fn now(one: &Credence) -> f64 {
    one.steps.last().map_or(one.before, |step| step.after)
}

fn signed(x: f64) -> String {
    if x.is_finite() { format!("{x:+.2}") } else { "unknown".to_owned() }
}

/// Where each stands, and which item moved belief most.
fn said(hypotheses: &[Credence]) -> String {
    if hypotheses.is_empty() {
        return "No explanation was tested.".to_owned();
    }
    let mut out = String::new();
    for one in hypotheses.iter().take(MOST_LINES) {
        add(
            &mut out,
            format_args!("{} went from {} to {}. ", one.id, share(one.before), share(now(one))),
        );
    }
    let moves = hypotheses.iter().flat_map(|one| one.steps.iter().map(move |step| (one, step)));
    let most = moves.filter(|(_, step)| step.log_odds.is_finite()).fold(
        None,
        |most: Option<(&Credence, &CredenceStep)>, next| match most {
            Some(most) if most.1.log_odds.abs() >= next.1.log_odds.abs() => Some(most),
            _ => Some(next),
        },
    );
    match most {
        Some((one, step)) => add(
            &mut out,
            format_args!(
                "What moved belief most: item {} ({}), which moved {} by {} in log-odds.",
                step.at,
                step.item,
                one.id,
                signed(step.log_odds)
            ),
        ),
        None => out.push_str("No item moved any."),
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(at: usize, after: f64, log_odds: f64) -> CredenceStep {
        CredenceStep {
            at,
            after,
            log_odds,
            item: format!("tides.md, {at}"),
            link: format!("#item-{at}"),
        }
    }

    fn two() -> Vec<Credence> {
        vec![
            Credence {
                id: "h1".to_owned(),
                label: "The lock failed first".to_owned(),
                before: 0.5,
                steps: vec![step(1, 0.7, 0.85), step(3, 0.9, 1.35)],
            },
            Credence {
                id: "h2".to_owned(),
                label: "The pump failed first".to_owned(),
                before: 0.35,
                steps: vec![step(2, 0.1, -1.58)],
            },
        ]
    }

    #[test]
    fn a_line_steps_where_its_evidence_is() {
        let figure = credences("h", &two(), Scale::Probability);
        // Item 3 of 3 is at the right edge, 0.9 a tenth below the top.
        assert!(figure.svg.contains("L310 29L310 29\""), "{}", figure.svg);
        assert_eq!(
            figure.summary,
            "h1 went from 0.50 to 0.90. h2 went from 0.35 to 0.10. What moved belief most: item 2 (tides.md, 2), which moved h2 \
             by -1.58 in log-odds."
        );
        assert_eq!(figure.svg.matches("<a href=\"#item-").count(), 3);
        insta::assert_snapshot!(figure.svg);
    }

    #[test]
    fn even_odds_are_in_the_middle_of_log_odds() {
        let mut one = two();
        one.truncate(1);
        one[0].steps.clear();
        let figure = credences("h", &one, Scale::LogOdds);
        assert!(figure.svg.contains("M34 105L310 105"), "{}", figure.svg);
    }

    #[test]
    fn an_address_elsewhere_is_no_link() {
        let elsewhere = ["https://a.example", "//a.example", "javascript:alert(1)", "/\\a.example"];
        // What nobody sees is not written, and would join the two slashes.
        for link in elsewhere.into_iter().chain(["/\u{200B}/a.example", "/\u{200B}\\a.example", ""])
        {
            let mut one = two();
            one[0].steps[0].link = link.to_owned();
            assert_eq!(
                credences("h", &one, Scale::Probability).svg.matches("<a ").count(),
                2,
                "{link}"
            );
        }
    }
}
