//! How far claim extraction takes sentences apart as people do: matched F1 on sets in the FActScore form.
//!
//! A claim and a human fact match if the Jaccard similarity of their content words is at least one half; each is
//! matched at most once, the most similar pairs first (greedy). Counts are pooled over all sentences that have human
//! facts. Whole answers are extracted, so that pronouns can be resolved, and claims are given to the sentence in which
//! they begin. Human facts keep the pronouns of their sentence: the second figure sets aside words that resolution
//! brought into a claim from elsewhere and is the fairer one of the two. The third extracts every sentence by itself,
//! where pronouns have nothing to be resolved to and stay.

use crate::anchors;
use crate::record::{Gate, Measure, Record, What};
use elenchus_io::verify::extract::extract;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

/// Pairs at least this similar match.
const MATCH: f64 = 0.5;

/// Resamples for the interval.
const RESAMPLES: usize = 1_000;

/// Words that carry nothing: articles, forms of "be", "have" and "do", common prepositions and pronouns.
const EMPTY: &[&str] = &[
    "a", "also", "an", "and", "are", "as", "at", "be", "been", "being", "but", "by", "did", "do",
    "does", "for", "from", "had", "has", "have", "he", "her", "him", "his", "i", "in", "is", "it",
    "its", "of", "on", "or", "she", "that", "the", "their", "them", "these", "they", "this",
    "those", "to", "was", "we", "were", "which", "who", "whom", "whose", "with", "you",
];

#[derive(Deserialize)]
struct Answer {
    annotations: Option<Vec<Annotated>>,
}

#[derive(Deserialize)]
struct Annotated {
    text: String,
    #[serde(rename = "human-atomic-facts")]
    facts: Option<Vec<Fact>>,
}

#[derive(Deserialize)]
struct Fact {
    text: String,
}

/// Matched, claims, human facts of one sentence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    matched: usize,
    claims: usize,
    facts: usize,
}

impl Counts {
    fn add(self, other: Self) -> Self {
        Self {
            matched: self.matched + other.matched,
            claims: self.claims + other.claims,
            facts: self.facts + other.facts,
        }
    }

    fn f1(self) -> f64 {
        2.0 * self.matched as f64 / (self.claims + self.facts).max(1) as f64
    }
}

type Words = BTreeSet<String>;

/// Prints the table for every `.jsonl` file of `dir`, the floors first.
///
/// # Errors
/// When the folder or a file cannot be read.
pub(crate) fn run(dir: &Path, gate: &Gate) -> Result<ExitCode, String> {
    let mut files: Vec<_> = std::fs::read_dir(dir)
        .map_err(|e| format!("could not read {}: {e}", dir.display()))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "jsonl"))
        .collect();
    files.sort();
    if files.is_empty() {
        return Err(format!("no .jsonl file in {}", dir.display()));
    }
    println!(
        "matched F1: greedy best-first 1-1, Jaccard of content words >= {MATCH}; 95 % interval over sentences"
    );
    anchors::print("decomposition", "");
    let mut record = Record::new("decomposition");
    let mut pooled: Vec<(&str, Vec<Counts>)> = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file)
            .map_err(|e| format!("could not read {}: {e}", file.display()))?;
        record.read(file)?;
        let set = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        println!("{set}");
        for (name, counts) in judge(&text)? {
            println!("  {}", line(name, &counts));
            put(&mut record, &set, name, &counts);
            match pooled.iter_mut().find(|(known, _)| *known == name) {
                Some((_, all)) => all.extend(counts),
                None => pooled.push((name, counts)),
            }
        }
    }
    println!("all files");
    for (name, counts) in &pooled {
        println!("  {}", line(name, counts));
        put(&mut record, "all files", name, counts);
    }
    gate.settle(&record)
}

/// A row of the record: matched F1 with its interval.
fn put(record: &mut Record, set: &str, name: &str, counts: &[Counts]) {
    let all = counts.iter().copied().fold(Counts::default(), Counts::add);
    let figure =
        Measure { interval: Some(interval(counts)), ..Measure::plain(What::MatchedF1, all.f1()) };
    record.put(set, name, counts.len(), vec![figure]);
}

/// Counts by sentence for the floors and for the extraction.
fn judge(text: &str) -> Result<Vec<(&'static str, Vec<Counts>)>, String> {
    let mut one = Vec::new();
    let mut naive = Vec::new();
    let mut strict = Vec::new();
    let mut fair = Vec::new();
    let mut alone = Vec::new();
    let mut silent = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let answer: Answer =
            serde_json::from_str(line).map_err(|e| format!("could not read an answer: {e}"))?;
        let annotated = answer.annotations.unwrap_or_default();
        let claims = claims_by_sentence(&annotated);
        for (sentence, claims) in annotated.iter().zip(claims) {
            let facts: Vec<Words> =
                sentence.facts.iter().flatten().map(|fact| words(&fact.text)).collect();
            if facts.is_empty() {
                continue;
            }
            silent += usize::from(claims.is_empty());
            one.push(count(&[words(&sentence.text)], &facts));
            naive.push(count(&naive_parts(&sentence.text), &facts));
            let texts: Vec<Words> = claims.iter().map(|claim| words(claim)).collect();
            strict.push(count(&texts, &facts));
            let single: Vec<Words> =
                extract(&sentence.text).claims.iter().map(|claim| words(&claim.text)).collect();
            alone.push(count(&single, &facts));
            let own = words(&sentence.text);
            let stems: BTreeSet<String> =
                own.iter().map(|word| elenchus_core::text::stem(word)).collect();
            let kept: Vec<Words> = texts
                .iter()
                .map(|text| {
                    text.iter()
                        .filter(|word| stems.contains(&elenchus_core::text::stem(word)))
                        .cloned()
                        .collect()
                })
                .collect();
            fair.push(count(&kept, &facts));
        }
    }
    println!("  {silent} of {} sentences without a claim", one.len());
    Ok(vec![
        ("one claim a sentence", one),
        ("split at commas, and, ;", naive),
        ("extract, words as given", strict),
        ("extract, resolved words aside", fair),
        ("extract, each sentence alone", alone),
    ])
}

/// The claims of an answer, by the sentence in which they begin.
fn claims_by_sentence(sentences: &[Annotated]) -> Vec<Vec<String>> {
    let mut text = String::new();
    let mut starts = Vec::new();
    let mut chars = 0;
    for sentence in sentences {
        starts.push(chars);
        text.push_str(&sentence.text);
        text.push(' ');
        chars += sentence.text.chars().count() + 1;
    }
    let mut found = vec![Vec::new(); sentences.len()];
    for claim in extract(&text).claims {
        let nth =
            starts.partition_point(|start| *start <= claim.source_span.start).saturating_sub(1);
        if let Some(claims) = found.get_mut(nth) {
            claims.push(claim.text);
        }
    }
    found
}

/// The naive floor: parts between commas, semicolons and "and" of three words or more, the first two words of the
/// sentence before all but the first.
fn naive_parts(sentence: &str) -> Vec<Words> {
    let opening: Vec<&str> = sentence.split_whitespace().take(2).collect();
    let mut parts: Vec<Vec<&str>> = vec![Vec::new()];
    for piece in sentence.split([',', ';']) {
        for word in piece.split_whitespace() {
            if word.eq_ignore_ascii_case("and") {
                parts.push(Vec::new());
            } else if let Some(last) = parts.last_mut() {
                last.push(word);
            }
        }
        parts.push(Vec::new());
    }
    parts
        .into_iter()
        .filter(|part| part.len() >= 3)
        .enumerate()
        .map(|(nth, part)| {
            let lead = if nth == 0 { String::new() } else { opening.join(" ") };
            words(&format!("{lead} {}", part.join(" ")))
        })
        .collect()
}

/// Lower-case words of letters and digits that are not empty.
fn words(text: &str) -> Words {
    text.to_lowercase()
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty() && EMPTY.binary_search(word).is_err())
        .map(str::to_owned)
        .collect()
}

fn jaccard(a: &Words, b: &Words) -> f64 {
    let common = a.intersection(b).count();
    common as f64 / (a.len() + b.len() - common).max(1) as f64
}

/// Greedy best-first 1-1 matching.
fn count(claims: &[Words], facts: &[Words]) -> Counts {
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for (i, claim) in claims.iter().enumerate() {
        for (j, fact) in facts.iter().enumerate() {
            let similarity = jaccard(claim, fact);
            if similarity >= MATCH {
                pairs.push((similarity, i, j));
            }
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    let (mut used_claims, mut used_facts) = (BTreeSet::new(), BTreeSet::new());
    for (_, i, j) in pairs {
        if !used_claims.contains(&i) && !used_facts.contains(&j) {
            used_claims.insert(i);
            used_facts.insert(j);
        }
    }
    Counts { matched: used_claims.len(), claims: claims.len(), facts: facts.len() }
}

fn line(name: &str, counts: &[Counts]) -> String {
    let all = counts.iter().copied().fold(Counts::default(), Counts::add);
    let (low, high) = interval(counts);
    format!(
        "{name:<30} P {:.3} R {:.3} F1 {:.3} [{low:.3}, {high:.3}]  ({} matched, {} claims, {} facts, {} sentences)",
        all.matched as f64 / all.claims.max(1) as f64,
        all.matched as f64 / all.facts.max(1) as f64,
        all.f1(),
        all.matched,
        all.claims,
        all.facts,
        counts.len()
    )
}

/// The 95 % bootstrap interval of F1 over sentences; the same counts always give the same interval.
fn interval(counts: &[Counts]) -> (f64, f64) {
    if counts.is_empty() {
        return (0.0, 0.0);
    }
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut draws: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let mut all = Counts::default();
            for _ in 0..counts.len() {
                // xorshift64*: enough to draw sentences by.
                state ^= state >> 12;
                state ^= state << 25;
                state ^= state >> 27;
                let drawn = state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
                all = all.add(counts[drawn as usize % counts.len()]);
            }
            all.f1()
        })
        .collect();
    draws.sort_by(f64::total_cmp);
    (draws[RESAMPLES / 40], draws[RESAMPLES - 1 - RESAMPLES / 40])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_words_are_sorted_for_binary_search() {
        assert!(EMPTY.is_sorted());
    }

    #[test]
    fn each_fact_is_matched_once() {
        let claims = [words("Pim founded Veltrix"), words("Pim founded Veltrix in Delft")];
        let facts = [words("Pim founded Veltrix")];
        assert_eq!(count(&claims, &facts), Counts { matched: 1, claims: 2, facts: 1 });
        assert_eq!(count(&[words("Gulls nest on cliffs")], &facts).matched, 0);
    }

    #[test]
    fn the_naive_floor_carries_two_words() {
        let parts = naive_parts("Ada Pim wrote three plays, directed two films and sang.");
        assert_eq!(
            parts,
            [words("Ada Pim wrote three plays"), words("Ada Pim directed two films")]
        );
    }

    #[test]
    fn the_interval_holds_the_figure() {
        let counts: Vec<Counts> =
            (0..50).map(|n| Counts { matched: n % 3, claims: 3, facts: 3 }).collect();
        let all = counts.iter().copied().fold(Counts::default(), Counts::add).f1();
        let (low, high) = interval(&counts);
        assert!(low < all && all < high && high - low < 0.3);
    }
}
