//! Supported pairs to attack: those of the labelled sets, and sentences of plain texts, lightly edited.

use super::make::Dice;
use crate::record::Record;
use serde::Deserialize;
use std::path::Path;

/// A claim that its evidence bears out.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) set: &'static str,
    pub(crate) claim: String,
    pub(crate) evidence: Vec<String>,
    /// Whether the claim was made from the evidence, and by nobody who judged it.
    pub(crate) generated: bool,
}

/// Where a supported pair is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    /// A labelled set.
    Sets,
    /// A sentence of a text, lightly edited.
    Generated,
    /// A template of our own.
    Templates,
}

impl Origin {
    /// The word for the table.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sets => "sets",
            Self::Generated => "generated",
            Self::Templates => "templates",
        }
    }
}

impl Pair {
    /// Where it is from.
    pub(crate) fn origin(&self) -> Origin {
        if self.set == super::templates::SET {
            Origin::Templates
        } else if self.generated {
            Origin::Generated
        } else {
            Origin::Sets
        }
    }
}

#[derive(Deserialize)]
struct Row {
    claim: String,
    evidence: Vec<String>,
    label: String,
    #[serde(default)]
    gold_sentences: Option<Vec<Vec<usize>>>,
}

#[derive(Deserialize)]
struct Abstract {
    sentences: Vec<String>,
}

const SETS: [(&str, &str); 6] = [
    ("scifact", "scifact.dev.jsonl"),
    ("fever_symmetric", "fever_symmetric.dev.jsonl"),
    ("factcheckgpt", "factcheckgpt_stance.dev.jsonl"),
    ("wice", "wice.dev.jsonl"),
    ("cad_nli", "cad_nli.dev.jsonl"),
    ("sick", "sick.train.jsonl"),
];

/// Sentences of the texts that are used, and their greatest length in words.
const GENERATED: usize = 12_000;
const LONGEST: usize = 40;
const SHORTEST: usize = 6;

/// Sentences around a generated claim that make up its evidence.
const AROUND: usize = 3;

/// All supported pairs, the sets first, our own templates last. A set that is not there is skipped visibly.
pub(crate) fn supported(claims: &Path) -> Result<Vec<Pair>, String> {
    let mut out = Vec::new();
    for (set, file) in SETS {
        let path = claims.join(file);
        let Ok(text) = std::fs::read_to_string(&path) else {
            println!("skip: {} is not there", path.display());
            continue;
        };
        for (at, line) in text.lines().enumerate() {
            let row: Row = serde_json::from_str(line)
                .map_err(|e| format!("could not read {} line {}: {e}", path.display(), at + 1))?;
            if row.label != "supported" {
                continue;
            }
            // The shortest list of gold sentences says it; of the others, whole documents.
            let gold = row
                .gold_sentences
                .iter()
                .flatten()
                .min_by_key(|list| list.len())
                .filter(|_| set == "wice");
            let evidence = match gold {
                Some(list) => list.iter().filter_map(|i| row.evidence.get(*i).cloned()).collect(),
                None => row.evidence,
            };
            out.push(Pair { set, claim: row.claim, evidence, generated: false });
        }
    }
    let mut dice = Dice::new(7);
    let beside = claims.parent().unwrap_or(claims);
    let mut texts: Vec<(&'static str, Vec<String>)> = Vec::new();
    if let Ok(text) = std::fs::read_to_string(beside.join("scifact/scifact_corpus.jsonl")) {
        for line in text.lines() {
            if let Ok(row) = serde_json::from_str::<Abstract>(line) {
                texts.push(("abstracts", row.sentences));
            }
        }
    }
    for path in files(&beside.join("theology/fathers")) {
        if let Ok(text) = std::fs::read_to_string(&path) {
            for paragraph in
                text.split("\n \n").map(|p| p.split_whitespace().collect::<Vec<_>>().join(" "))
            {
                texts.push(("fathers", sentences(&paragraph)));
            }
        }
    }
    let mut made = Vec::new();
    for (set, sentences) in &texts {
        for at in 0..sentences.len() {
            let words = sentences[at].split_whitespace().count();
            if !(SHORTEST..=LONGEST).contains(&words) || dice.below(4) != 0 {
                continue;
            }
            if let Some(claim) = edited(&sentences[at], &mut dice) {
                let evidence = sentences
                    [at.saturating_sub(AROUND)..(at + AROUND + 1).min(sentences.len())]
                    .to_vec();
                made.push(Pair { set, claim, evidence, generated: true });
            }
        }
    }
    dice.shuffle(&mut made);
    made.truncate(GENERATED);
    out.append(&mut made);
    if out.is_empty() {
        println!(
            "skip: no supported pairs in {}; only templates of our own are attacked",
            claims.display()
        );
    }
    out.extend(super::templates::pairs());
    Ok(out)
}

/// Notes the files of the sets that are there.
pub(crate) fn read_by(claims: &Path, record: &mut Record) -> Result<(), String> {
    for (_, file) in SETS {
        let path = claims.join(file);
        if path.is_file() {
            record.read(&path)?;
        }
    }
    Ok(())
}

fn files(dir: &Path) -> Vec<std::path::PathBuf> {
    let mut out: Vec<_> = std::fs::read_dir(dir)
        .into_iter()
        .flatten()
        .filter_map(|e| e.ok().map(|e| e.path()))
        .collect();
    out.sort();
    out
}

fn sentences(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut start = 0;
    let bytes = text.as_bytes();
    for at in 1..bytes.len().saturating_sub(1) {
        let ends = matches!(bytes[at], b'.' | b'!' | b'?') && bytes[at + 1] == b' ';
        if ends
            && bytes[at - 1].is_ascii_lowercase()
            && text[at + 1..].trim_start().starts_with(char::is_uppercase)
        {
            out.push(text[start..=at].trim().to_owned());
            start = at + 1;
        }
    }
    out.push(text[start..].trim().to_owned());
    out.retain(|s| !s.is_empty());
    out
}

/// Words that may be exchanged in any sentence without changing what it says.
const SAME: [(&str, &str); 24] = [
    ("showed", "demonstrated"),
    ("show", "demonstrate"),
    ("shown", "demonstrated"),
    ("found", "discovered"),
    ("important", "significant"),
    ("large", "big"),
    ("therefore", "thus"),
    ("however", "nevertheless"),
    ("using", "with"),
    ("began", "started"),
    ("begin", "start"),
    ("obtained", "got"),
    ("required", "needed"),
    ("help", "aid"),
    ("assess", "evaluate"),
    ("children", "kids"),
    ("illness", "disease"),
    ("physicians", "doctors"),
    ("received", "got"),
    ("entire", "whole"),
    ("quickly", "rapidly"),
    ("also", ""),
    ("furthermore", ""),
    ("indeed", ""),
];

/// A sentence that says the same in slightly other words; none if no edit applies.
fn edited(sentence: &str, dice: &mut Dice) -> Option<String> {
    let mut words: Vec<String> = sentence.split_whitespace().map(str::to_owned).collect();
    let mut edits = 0;
    for word in &mut words {
        let bare = word.trim_end_matches(',').to_owned();
        if let Some((_, other)) = SAME.iter().find(|(from, _)| *from == bare) {
            *word = word.replacen(&bare, other, 1);
            edits += 1;
        }
    }
    words.retain(|w| !w.is_empty() && w != ",");
    let mut text = words.join(" ");
    // A bracket is left out.
    if let (Some(open), Some(close)) = (text.find(" ("), text.find(')'))
        && open < close
    {
        text.replace_range(open..=close, "");
        edits += 1;
    }
    // A leading phrase moves to the end.
    if let Some((lead, rest)) = text.split_once(", ")
        && ["In", "At", "During", "After", "By", "With", "On", "Among"]
            .iter()
            .any(|w| lead.split(' ').next() == Some(w))
        && lead.split(' ').count() <= 6
        && rest.split(' ').count() >= 5
        && !rest.contains(',')
    {
        let mut lead = lead.to_owned();
        lead[..1].make_ascii_lowercase();
        let rest = rest.trim_end_matches('.');
        let mut rest = rest.to_owned();
        if let Some(first) = rest.get(..1).map(str::to_uppercase) {
            rest.replace_range(..1, &first);
        }
        text = format!("{rest} {lead}.");
        edits += 1;
    }
    (edits > 0 || dice.below(12) == 0 && text != sentence).then_some(text)
}

/// The same verses in two translations, up to 2,000, evenly spread.
pub(crate) fn verses(claims: &Path) -> Vec<(String, String)> {
    let beside = claims.parent().unwrap_or(claims).join("theology");
    let read = |name: &str| std::fs::read_to_string(beside.join(name));
    let (Ok(old), Ok(new)) = (read("kjv.tsv"), read("web.tsv")) else { return Vec::new() };
    let other: std::collections::BTreeMap<&str, &str> =
        new.lines().filter_map(|line| line.split_once('\t')).collect();
    let all: Vec<(String, String)> = old
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(id, verse)| other.get(id).map(|text| ((*text).to_owned(), verse.to_owned())))
        .collect();
    let step = (all.len() / 2000).max(1);
    all.into_iter().step_by(step).collect()
}
