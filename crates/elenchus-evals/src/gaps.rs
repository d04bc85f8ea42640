//! One gap in five phrasings: how many wordings of one missing thing the ledger takes for it, and how many other things it takes
//! for it wrongly.
//!
//! They are proposed to a ledger of the rules that runs go by, in their order, as a model proposes them round after round; a gap's
//! count must not begin anew with any of them. The other things stand behind a question of the plan of their own, or are noticed
//! later and behind none, as the wordings are. Nothing was chosen by `gaps.jsonl`; the rules of identity were, by `dev.jsonl`.

use crate::key;
use crate::record::{Gate, Measure, Record, What};
use crate::stats::share;
use elenchus_core::inquiry::Derivations;
use elenchus_core::inquiry::gap::{GapLedger, GapPolicy, Opening};
use elenchus_core::prompt::{ProposedGap, Severity};
use elenchus_io::embed::StaticEmbedder;
use serde::Deserialize;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct GapsArgs {
    /// Things that are missing, each in several wordings, with others beside them (JSON lines).
    #[arg(long, default_value = "crates/elenchus-evals/data/gaps/gaps.jsonl")]
    data: PathBuf,
    /// Print what was not recognised, and what was taken for another thing.
    #[arg(long)]
    wrong: bool,
    #[command(flatten)]
    gate: Gate,
}

/// A missing thing.
#[derive(Debug, Deserialize)]
struct Missing {
    id: String,
    /// The planned question, then how it is put later.
    wordings: Vec<String>,
    /// Other things about the same matter, or the same about another.
    others: Vec<String>,
}

/// What later wordings and other things bring along.
#[derive(Clone, Copy, Debug)]
struct Setting {
    /// The number of a planned question: that of the first wording, and one of their own.
    numbered: bool,
    /// A vector, as the embedder in the binary makes it.
    embedded: bool,
}

const SETTINGS: [Setting; 4] = [
    Setting { numbered: true, embedded: true },
    Setting { numbered: true, embedded: false },
    Setting { numbered: false, embedded: true },
    Setting { numbered: false, embedded: false },
];

impl Setting {
    fn name(self) -> String {
        format!(
            "{} the question's number, {} vectors",
            if self.numbered { "with" } else { "without" },
            if self.embedded { "with" } else { "without" }
        )
    }

    fn vector(self, text: &str) -> Vec<f32> {
        if self.embedded { StaticEmbedder::builtin().embed_text(text) } else { Vec::new() }
    }
}

/// Counts over missing things.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    /// Things that stayed one gap, and all.
    one: (usize, usize),
    /// Later wordings that were recognised, and all.
    known: (usize, usize),
    /// Other things that were taken for it, and all.
    confused: (usize, usize),
}

pub(crate) fn run(args: &GapsArgs) -> Result<ExitCode, String> {
    let missing = key::lines(&args.data)?;
    let mut record = Record::new("gaps");
    record.read(&args.data)?;
    println!("{} missing things", missing.len());
    for setting in SETTINGS {
        let name = setting.name();
        println!("{name}");
        let mut counts = Counts::default();
        for one in &missing {
            let wrong = judge(one, setting, &mut counts);
            for line in wrong.iter().filter(|_| args.wrong) {
                println!("  {}: {line}", one.id);
            }
        }
        println!("  stayed one gap: {}", share(counts.one.0, counts.one.1));
        println!("  later wordings recognised: {}", share(counts.known.0, counts.known.1));
        println!("  other things taken for it: {}", share(counts.confused.0, counts.confused.1));
        for (set, what, (hits, n)) in [
            ("things", What::Recognised, counts.one),
            ("wordings", What::Recognised, counts.known),
            ("other things", What::Confused, counts.confused),
        ] {
            record.put(set, &name, n, vec![Measure::share(what, hits, n)]);
        }
    }
    args.gate.settle(&record)
}

/// Proposes every wording to one ledger, and each other thing to one that knows the first wording; says what went wrong.
fn judge(missing: &Missing, setting: Setting, counts: &mut Counts) -> Vec<String> {
    let mut wrong = Vec::new();
    let Some((first, later)) = missing.wordings.split_first() else { return wrong };
    let begun = || {
        let mut ledger = GapLedger::under(GapPolicy::default(), Derivations::LATEST);
        ledger.propose(&proposed(first, &[1]), setting.vector(first));
        ledger
    };
    let mut ledger = begun();
    for wording in later {
        let numbers: &[u32] = if setting.numbered { &[1] } else { &[] };
        let opening = ledger.propose(&proposed(wording, numbers), setting.vector(wording));
        // What opened a gap of its own once may be recognised as that one later, which is no help to the first.
        let first_gap = ledger.gaps().first().map(|gap| &gap.id);
        let known = matches!(&opening, Opening::Known(id, _) if Some(id) == first_gap);
        counts.known.0 += usize::from(known);
        counts.known.1 += 1;
        if !known {
            wrong.push(format!("not recognised: {wording}"));
        }
    }
    counts.one.0 += usize::from(ledger.gaps().len() == 1);
    counts.one.1 += 1;
    for other in &missing.others {
        let numbers: &[u32] = if setting.numbered { &[2] } else { &[] };
        let opening = begun().propose(&proposed(other, numbers), setting.vector(other));
        let confused = matches!(opening, Opening::Known(..));
        counts.confused.0 += usize::from(confused);
        counts.confused.1 += 1;
        if confused {
            wrong.push(format!("taken for it: {other}"));
        }
    }
    wrong
}

fn proposed(description: &str, question_ids: &[u32]) -> ProposedGap {
    ProposedGap {
        description: description.to_owned(),
        question_ids: question_ids.to_vec(),
        severity: Severity::Important,
        suggested_action: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn wordings_and_other_things_are_counted() {
        let missing = Missing {
            id: "salary".to_owned(),
            wordings: vec![
                "Which salary does the lighthouse keeper draw?".to_owned(),
                "the salary that the lighthouse keeper draws".to_owned(),
                "the colour of the harbour crane".to_owned(),
            ],
            others: vec![
                "the age of the harbour crane".to_owned(),
                "lighthouse keeper's salary drawn".to_owned(),
            ],
        };
        let mut counts = Counts::default();
        let setting = Setting { numbered: false, embedded: false };
        let wrong = judge(&missing, setting, &mut counts);
        assert_eq!(counts, Counts { one: (0, 1), known: (1, 2), confused: (1, 2) });
        assert_eq!(wrong.len(), 2, "{wrong:?}");
        assert!(wrong[0].starts_with("not recognised: the colour"), "{wrong:?}");
        assert!(wrong[1].starts_with("taken for it: lighthouse"), "{wrong:?}");
    }

    /// Two questions of one plan that ask for two things are never one, whatever their vectors.
    #[test]
    fn a_planned_question_is_not_taken_for_another() {
        let missing = Missing {
            id: "dam".to_owned(),
            wordings: vec!["Who designed the Otterlake dam?".to_owned()],
            others: vec!["Who paid for the Otterlake dam?".to_owned()],
        };
        let confused = |numbered: bool| {
            let mut counts = Counts::default();
            judge(&missing, Setting { numbered, embedded: false }, &mut counts);
            counts.confused
        };
        // Noticed later, and behind no question, it may be the first in other words.
        assert_eq!((confused(true), confused(false)), ((0, 1), (1, 1)));
    }

    #[test]
    fn the_wordings_of_the_repository_are_five_each() {
        for file in ["gaps.jsonl", "dev.jsonl"] {
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/gaps").join(file);
            let missing: Vec<Missing> = key::lines(&file).unwrap();
            assert!(missing.len() >= 20);
            for one in missing {
                assert_eq!((one.wordings.len(), one.others.len()), (5, 2), "{}", one.id);
            }
        }
    }
}
