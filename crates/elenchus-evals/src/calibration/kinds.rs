//! Where a confidence means less: the same figures by what a claim holds, by what it is held against, and by the kind of
//! document.

use crate::claims::sets::{Label, Pair, Set};
use crate::claims::shipped::Shown;
use crate::metrics::{Figure, Row, auroc, brier, brier_skill, ece, figure};
use crate::record::{Measure, Record, What};
use elenchus_core::evidence::MONTHS;
use elenchus_io::ingest::sentence::sentences;
use elenchus_io::verify::tokens::{Pos, Token, tokens};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Of fewer pairs than this nothing is said.
const ENOUGH: usize = 30;

/// What pairs are told apart by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum By {
    Claim,
    Length,
    Form,
    Document,
}

impl By {
    fn name(self) -> &'static str {
        match self {
            Self::Claim => "what the claim holds (a claim may hold several)",
            Self::Length => "how much it is held against",
            Self::Form => "the sentence that decided",
            Self::Document => "the kind of document",
        }
    }

    /// The word before the kind in the record.
    fn word(self) -> &'static str {
        match self {
            Self::Claim => "claim",
            Self::Length => "evidence",
            Self::Form => "decided by",
            Self::Document => "document",
        }
    }
}

/// A pair that was judged, with its kinds.
pub(super) struct Kinded {
    kinds: Vec<(By, String)>,
    row: Row,
    /// Whether neither its set nor other rows of it had a part in the figures that ship.
    is_new: bool,
}

/// The judged pairs of a set with their kinds.
pub(super) fn kinded(set: &Set, shown: &[Shown], is_new: bool) -> Vec<Kinded> {
    set.pairs
        .iter()
        .zip(shown)
        .filter_map(|(pair, one)| {
            let row = (one.confidence?, one.label == Label::Supported);
            Some(Kinded { kinds: kinds(pair, &set.family, one.decided), row, is_new })
        })
        .collect()
}

fn kinds(pair: &Pair, family: &str, decided: Option<usize>) -> Vec<(By, String)> {
    let mut out: Vec<(By, String)> =
        holds(&pair.claim).into_iter().map(|kind| (By::Claim, kind.to_owned())).collect();
    let several = match pair.evidence.as_slice() {
        [one] => sentences(one).len() > 1,
        more => more.len() > 1,
    };
    let length = if several { "several sentences" } else { "one sentence" };
    out.push((By::Length, length.to_owned()));
    if let Some(decided) = decided.and_then(|item| pair.evidence.get(item)) {
        let form = if is_row(decided) { "a row of a table" } else { "prose" };
        out.push((By::Form, form.to_owned()));
    }
    out.push((By::Document, document(family)));
    out
}

/// What documents the evidence of a set is from.
fn document(family: &str) -> String {
    match family {
        "scifact" | "covidfact" => "scientific abstracts",
        "wice" | "factcheckgpt_stance" => "web pages",
        "fever_symmetric" => "an encyclopedia, one sentence",
        "sick" | "cad_nli" | "breaking_nli" => "captions of pictures",
        "analyst" | "analyst_read" => "papers of an office (invented)",
        // A set that nobody here has seen is a kind of its own.
        other => other,
    }
    .to_owned()
}

/// Whether a sentence is a row: "| Hall | 22,500 |" or "Grade: Total; Permanent: 23".
fn is_row(text: &str) -> bool {
    let text = text.trim();
    let named = |piece: &str| piece.split_once(": ").is_some_and(|(name, _)| words(name) <= 8);
    let pieces: Vec<&str> = text.split("; ").collect();
    text.starts_with('|') && text.matches('|').count() > 2
        || text.contains('\t')
        || pieces.len() > 1 && pieces.iter().all(|piece| named(piece))
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

const NEGATIONS: [&str; 13] = [
    "not",
    "n't",
    "n\u{2019}t",
    "no",
    "never",
    "none",
    "nobody",
    "nothing",
    "without",
    "neither",
    "nor",
    "cannot",
    "nowhere",
];

const COMPARISONS: [&str; 34] = [
    "than", "more", "less", "fewer", "most", "least", "fewest", "higher", "highest", "lower",
    "lowest", "larger", "largest", "smaller", "smallest", "greater", "greatest", "longer",
    "longest", "shorter", "shortest", "bigger", "biggest", "older", "oldest", "younger",
    "youngest", "earlier", "later", "better", "best", "worse", "worst", "twice",
];

/// What a claim holds that evidence can fail to bear out; "plain" where it is nothing of this.
fn holds(claim: &str) -> Vec<&'static str> {
    let tokens = tokens(claim);
    let is_month = |at: usize| {
        let token: &Token = &tokens[at];
        MONTHS.contains(&token.lower.as_str()) && token.is_capital()
    };
    let is_year = |token: &Token| {
        token.text.len() == 4
            && token.text.parse::<u32>().is_ok_and(|year| (1000..2100).contains(&year))
    };
    let near_month = |at: usize| {
        (at.saturating_sub(1)..(at + 2).min(tokens.len())).any(|near| near != at && is_month(near))
    };
    let (mut number, mut date, mut name) = (false, false, false);
    for (at, token) in tokens.iter().enumerate() {
        let figures = token.text.starts_with(|c: char| c.is_ascii_digit());
        if is_month(at) || is_year(token) || figures && near_month(at) {
            date = true;
        } else if figures || token.pos == Pos::Numeral {
            number = true;
        } else if token.pos == Pos::ProperNoun {
            name = true;
        }
    }
    let any = |of: &[&str]| tokens.iter().any(|token| of.contains(&token.lower.as_str()));
    let mut out = Vec::new();
    out.extend(number.then_some("a number"));
    out.extend(date.then_some("a date"));
    out.extend(name.then_some("a name"));
    out.extend(any(&NEGATIONS).then_some("a negation"));
    out.extend(any(&COMPARISONS).then_some("a comparison"));
    if out.is_empty() {
        out.push("none of these (plain)");
    }
    out
}

/// The figures of one kind.
struct Kind {
    by: By,
    name: String,
    n: usize,
    base: f64,
    /// `None` of too few pairs, or where all are of one label.
    figures: Option<Figures>,
}

#[derive(Clone, Copy)]
struct Figures {
    ece: Figure,
    brier: Figure,
    skill: Figure,
    auroc: Figure,
}

fn table<'a>(pairs: impl Iterator<Item = &'a Kinded>) -> Vec<Kind> {
    let mut rows: BTreeMap<(By, &str), Vec<Row>> = BTreeMap::new();
    for pair in pairs {
        for (by, kind) in &pair.kinds {
            rows.entry((*by, kind.as_str())).or_default().push(pair.row);
        }
    }
    rows.into_iter()
        .map(|((by, name), rows)| {
            let supported = rows.iter().filter(|row| row.1).count();
            let enough = rows.len() >= ENOUGH && supported > 0 && supported < rows.len();
            Kind {
                by,
                name: name.to_owned(),
                n: rows.len(),
                base: supported as f64 / rows.len().max(1) as f64,
                figures: enough.then(|| Figures {
                    ece: figure(&rows, ece),
                    brier: figure(&rows, brier),
                    skill: figure(&rows, brier_skill),
                    auroc: figure(&rows, auroc),
                }),
            }
        })
        .collect()
}

/// Says the figures by kind, of all sets and of those that had no part in the figures that ship, and notes them.
pub(super) fn report(pairs: &[Kinded], verifier: &str, record: &mut Record) -> String {
    let new = pairs.iter().filter(|pair| pair.is_new).count();
    let mut out = String::new();
    let _ = writeln!(out, "by kind, over all sets, every pair counting the same");
    said(&mut out, &table(pairs.iter()), "all sets", verifier, record);
    if new == 0 {
        out.push_str("\nevery set had a part in the figures that ship: no row says what they mean elsewhere\n");
    } else if new < pairs.len() {
        let _ = writeln!(out, "\nby kind, over the sets that nothing was fitted on");
        let kinds = table(pairs.iter().filter(|pair| pair.is_new));
        said(&mut out, &kinds, "new sets", verifier, record);
    }
    out
}

fn said(out: &mut String, kinds: &[Kind], sets: &str, verifier: &str, record: &mut Record) {
    let mut last = None;
    for kind in kinds {
        if last != Some(kind.by) {
            let _ = writeln!(
                out,
                "  {:48} {:>6} {:>9}  {:21} {:21} {:24} AUROC supported",
                kind.by.name(),
                "pairs",
                "supported",
                "ECE",
                "Brier",
                "Brier skill"
            );
            last = Some(kind.by);
        }
        let head = format!("    {:46} {:>6} {:>7.0} %", kind.name, kind.n, 100.0 * kind.base);
        let Some(figures) = kind.figures else {
            let _ = writeln!(out, "{head}  too few pairs, or all of one label");
            continue;
        };
        let skill = figures.skill;
        let _ = writeln!(
            out,
            "{head}  {:21} {:21} {:24} {}",
            figures.ece.shown(),
            figures.brier.shown(),
            format!("{:+.3} [{:+.3}, {:+.3}]", skill.value, skill.low, skill.high),
            figures.auroc.shown()
        );
        let measures = vec![
            Measure::of(What::AurocSupported, figures.auroc),
            Measure::of(What::Ece, figures.ece),
            Measure::of(What::Brier, figures.brier),
            Measure::of(What::BrierSkill, figures.skill),
        ];
        let set = format!("{sets}, {}: {}", kind.by.word(), kind.name);
        record.put(&set, verifier, kind.n, measures);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_told_apart_by_what_they_hold() {
        assert_eq!(holds("The pump holds 40 litres."), ["a number"]);
        assert_eq!(holds("The bridge opened on 8 May 1931."), ["a date"]);
        assert_eq!(holds("The pump does not leak."), ["a negation"]);
        assert!(holds("The old pump leaks more than the new pump.").contains(&"a comparison"));
        assert_eq!(holds("The pump leaks."), ["none of these (plain)"]);
        let both = holds("In 2019 Mara Lindqvist sold 12 pumps.");
        assert_eq!(both, ["a number", "a date", "a name"]);
    }

    #[test]
    fn rows_are_told_from_prose() {
        assert!(is_row("| Hall | heat pump | 22,500 |"));
        assert!(is_row("Grade: Total; Permanent: 23; Temporary: 5"));
        assert!(!is_row("The hall got a pump; it was loud."));
        assert!(!is_row("He said: wait; then he left."));
        assert!(!is_row("The hall got a heat pump."));
    }

    fn pair(evidence: &[&str]) -> Pair {
        Pair {
            id: "p".to_owned(),
            claim: "The pump leaks.".to_owned(),
            evidence: evidence.iter().map(|text| (*text).to_owned()).collect(),
            label: Label::Nei,
            above: Vec::new(),
            document: None,
            gold_sentences: None,
        }
    }

    #[test]
    fn evidence_is_told_apart_by_length_form_and_document() {
        let of = |evidence: &[&str], decided| {
            let kinds = kinds(&pair(evidence), "scifact", decided);
            kinds.into_iter().skip(1).map(|(_, name)| name).collect::<Vec<_>>()
        };
        assert_eq!(of(&["It leaks."], Some(0)), ["one sentence", "prose", "scientific abstracts"]);
        assert_eq!(
            of(&["It leaks. It is old."], None),
            ["several sentences", "scientific abstracts"]
        );
        let rows = ["It leaks.", "| Pump | leaks | yes |"];
        assert_eq!(of(&rows, Some(1))[1], "a row of a table");
        assert_eq!(document("stranger"), "stranger");
    }

    #[test]
    fn kinds_with_enough_pairs_have_figures_and_the_others_say_so() {
        let some = |kind: &str, n: usize, is_new: bool| -> Vec<Kinded> {
            (0..n)
                .map(|at| Kinded {
                    kinds: vec![(By::Claim, kind.to_owned())],
                    row: (if at % 2 == 0 { 0.9 } else { 0.1 }, at % 2 == 0),
                    is_new,
                })
                .collect()
        };
        let mut pairs = some("a number", 40, false);
        pairs.extend(some("a date", 5, true));
        let mut record = Record::new("calibration");
        let said = report(&pairs, "quick", &mut record);
        assert!(said.contains("over the sets that nothing was fitted on"), "{said}");
        assert_eq!(said.matches("too few pairs").count(), 2, "{said}");
        assert_eq!(record.lines.len(), 1);
        let line = &record.lines[0];
        assert_eq!((line.set.as_str(), line.n), ("all sets, claim: a number", 40));
        let auroc = line.figures.iter().find(|one| one.what == What::AurocSupported).unwrap();
        assert!((auroc.value - 1.0).abs() < 1e-12 && auroc.interval.is_some());
        let ece = line.figures.iter().find(|one| one.what == What::Ece).unwrap();
        assert!((ece.value - 0.1).abs() < 1e-9);
        let all = report(&some("a number", 40, false), "quick", &mut Record::new("calibration"));
        assert!(all.contains("every set had a part"), "{all}");
    }
}
