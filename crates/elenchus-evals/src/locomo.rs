//! Evidence recall on LoCoMo without a model: which turns of a long conversation answer a question.
//!
//! Every turn is a text of the product's own index (`elenchus_io::texts`), made of its speaker, what was said and the
//! caption of a picture; the turns of a session are a thread. Nothing else of the set is indexed.

use crate::metrics::Figure;
use crate::record::{Gate, Measure, Record, What};
use elenchus_io::retrieve::{TextVectors, builtin_vectors, sentence_vectors};
use elenchus_io::texts::{Blend, Key, Texts};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct LocomoArgs {
    /// The folder with `locomo10.json`.
    #[arg(long)]
    data: std::path::PathBuf,
    /// `builtin`, `sentence` or `none`.
    #[arg(long, default_value = "builtin")]
    embedder: String,
    /// `lexical,dense,beside,k1,b` instead of the product's; may be given several times.
    #[arg(long)]
    blend: Vec<String>,
    /// Fail when turn recall at 10 within the conversation is below this.
    #[arg(long)]
    at_least: Option<f64>,
    #[command(flatten)]
    gate: Gate,
}

struct Turn {
    /// Conversation, session, number.
    at: (usize, u32, u32),
    text: String,
    who: String,
}

struct Question {
    conversation: usize,
    text: String,
    category: u64,
    gold: Vec<Key>,
}

struct Set {
    turns: Vec<Turn>,
    questions: Vec<Question>,
    unscorable: usize,
}

pub(crate) fn run(args: &LocomoArgs) -> Result<ExitCode, String> {
    let file = args.data.join("locomo10.json");
    let set = read(&file)?;
    let mut record = Record::new("locomo").with("embedder", &args.embedder);
    record.read(&file)?;
    println!(
        "{} turns, {} questions with evidence, {} without any that can be found",
        set.turns.len(),
        set.questions.len(),
        set.unscorable
    );
    let vectors: Option<Arc<dyn TextVectors>> = match args.embedder.as_str() {
        "builtin" => Some(builtin_vectors()),
        "sentence" => Some(sentence_vectors()?),
        "none" => None,
        other => {
            return Err(format!(
                "could not use the embedder {other:?}: write builtin, sentence or none"
            ));
        }
    };
    let blends = if args.blend.is_empty() {
        vec![Blend::default()]
    } else {
        args.blend.iter().map(|text| blend(text)).collect::<Result<_, _>>()?
    };
    let mut texts = Texts::new(vectors);
    for (turn, key) in set.turns.iter().zip(0..) {
        let written = texts
            .write(&[(&turn.who, 1.0), (&turn.text, 1.0)], &format!("{}: {}", turn.who, turn.text))
            .map_err(|error| error.to_string())?;
        let (conversation, session, _) = turn.at;
        texts.put(key, &written, 1 + ((conversation as u64) << 32) + u64::from(session));
    }
    let asked: Vec<Option<(Vec<i8>, f32)>> = set
        .questions
        .iter()
        .map(|question| texts.embed(&question.text).map_err(|error| error.to_string()))
        .collect::<Result<_, _>>()?;
    let mut best = 0.0_f64;
    for blend in blends {
        println!("\n== {} with {blend:?}", args.embedder);
        best = best.max(judge(&set, &texts, &asked, &blend, &mut record));
    }
    let settled = args.gate.settle(&record)?;
    let enough = args.at_least.is_none_or(|least| best >= least);
    Ok(if enough { settled } else { ExitCode::FAILURE })
}

fn blend(text: &str) -> Result<Blend, String> {
    let parts: Vec<f32> = text
        .split(',')
        .map(|part| part.trim().parse().map_err(|_| format!("could not read the blend {text:?}")))
        .collect::<Result<_, _>>()?;
    match parts.as_slice() {
        [lexical, dense, beside, k1, b] => Ok(Blend {
            lexical: *lexical,
            dense: *dense,
            beside: *beside,
            k1: *k1,
            b: *b,
            ..Blend::default()
        }),
        _ => Err(format!("could not read the blend {text:?}: write five numbers")),
    }
}

/// Of one question: recall at 1, 5, 10, 20, 50 and whether all was found at 10.
struct Scored {
    conversation: usize,
    category: u64,
    recall: [f64; 5],
    all: f64,
    reciprocal: f64,
    sessions: f64,
}

const DEPTHS: [usize; 5] = [1, 5, 10, 20, 50];

fn judge(
    set: &Set,
    texts: &Texts,
    asked: &[Option<(Vec<i8>, f32)>],
    blend: &Blend,
    record: &mut Record,
) -> f64 {
    let who = format!("{blend:?}");
    let mut show = |name: &str, rows: &[Scored], of: &dyn Fn(&Scored) -> bool| {
        let (n, figures) = shown(name, rows, of);
        record.put(name, &who, n, figures);
    };
    let mut headline = 0.0;
    for global in [false, true] {
        let rows: Vec<Scored> = set
            .questions
            .iter()
            .zip(asked)
            .map(|(question, vector)| {
                let visible =
                    |key: Key| global || set.turns[key as usize].at.0 == question.conversation;
                let found = texts.search(&question.text, vector.as_ref(), blend, &visible);
                let keys: Vec<Key> = found.iter().map(|found| found.key).collect();
                scored(set, question, &keys)
            })
            .collect();
        let place = if global { "global" } else { "conv" };
        if !global {
            headline = mean(rows.iter().map(|row| row.recall[2]));
        }
        show(&format!("{place} all"), &rows, &|_: &Scored| true);
        show(&format!("{place} cat 1-4"), &rows, &|row: &Scored| row.category != 5);
        show(&format!("{place} conversations 1-5"), &rows, &|row: &Scored| row.conversation < 5);
        show(&format!("{place} conversations 6-10"), &rows, &|row: &Scored| row.conversation >= 5);
        if !global {
            for (category, name) in [
                (1, "multi-hop"),
                (2, "temporal"),
                (3, "open-domain"),
                (4, "single-hop"),
                (5, "adversarial"),
            ] {
                show(name, &rows, &|row: &Scored| row.category == category);
            }
        }
    }
    headline
}

fn scored(set: &Set, question: &Question, keys: &[Key]) -> Scored {
    let gold = &question.gold;
    let hits = |depth: usize| {
        gold.iter().filter(|key| keys.iter().take(depth).any(|found| found == *key)).count() as f64
    };
    let session = |key: &Key| (set.turns[*key as usize].at.0, set.turns[*key as usize].at.1);
    let mut sessions: Vec<(usize, u32)> = Vec::new();
    for found in keys.iter().map(session) {
        if sessions.len() < 5 && !sessions.contains(&found) {
            sessions.push(found);
        }
    }
    let wanted: BTreeSet<(usize, u32)> = gold.iter().map(session).collect();
    let first = keys.iter().position(|key| gold.contains(key));
    Scored {
        conversation: question.conversation,
        category: question.category,
        recall: DEPTHS.map(|depth| hits(depth) / gold.len() as f64),
        all: f64::from(u8::from(hits(10) as usize == gold.len())),
        reciprocal: first.map_or(0.0, |at| 1.0 / (at + 1) as f64),
        sessions: wanted.iter().filter(|wanted| sessions.contains(wanted)).count() as f64
            / wanted.len() as f64,
    }
}

/// Prints the row of some questions; gives how many they are, and what is compared: recall of turns at 10 and of sessions at 5.
fn shown(name: &str, rows: &[Scored], of: &dyn Fn(&Scored) -> bool) -> (usize, Vec<Measure>) {
    let rows: Vec<&Scored> = rows.iter().filter(|row| of(row)).collect();
    let at = |depth: usize| mean(rows.iter().map(|row| row.recall[depth]));
    let ten = bootstrap(&rows.iter().map(|row| row.recall[2]).collect::<Vec<_>>());
    let sessions = bootstrap(&rows.iter().map(|row| row.sessions).collect::<Vec<_>>());
    println!(
        "{name:<28} n {:>4}  R@1 {:.3} R@5 {:.3} R@10 {} R@20 {:.3} R@50 {:.3} MRR {:.3} All@10 {:.3} session R@5 {}",
        rows.len(),
        at(0),
        at(1),
        ten.shown(),
        at(3),
        at(4),
        mean(rows.iter().map(|row| row.reciprocal)),
        mean(rows.iter().map(|row| row.all)),
        sessions.shown(),
    );
    (rows.len(), vec![Measure::of(What::Recall, ten), Measure::of(What::SessionRecall, sessions)])
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, n) = values.fold((0.0, 0.0), |(sum, n), value| (sum + value, n + 1.0));
    if n > 0.0 { sum / n } else { 0.0 }
}

/// A mean with its 95 % percentile interval over 1,000 resamples of questions, drawn with a fixed seed.
fn bootstrap(values: &[f64]) -> Figure {
    let value = mean(values.iter().copied());
    if values.is_empty() {
        return Figure { value, low: 0.0, high: 0.0 };
    }
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut draw = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % values.len()
    };
    let mut means: Vec<f64> =
        (0..1_000).map(|_| mean((0..values.len()).map(|_| values[draw()]))).collect();
    means.sort_by(f64::total_cmp);
    Figure { value, low: means[24], high: means[974] }
}

fn read(file: &Path) -> Result<Set, String> {
    let fault = |cause: String| format!("could not read {}: {cause}", file.display());
    let text = std::fs::read_to_string(file).map_err(|error| fault(error.to_string()))?;
    let samples: Vec<Value> =
        serde_json::from_str(&text).map_err(|error| fault(error.to_string()))?;
    let mut set = Set { turns: Vec::new(), questions: Vec::new(), unscorable: 0 };
    let mut known: HashMap<(usize, u32, u32), Key> = HashMap::new();
    let mut next: Key = 0;
    for (conversation, sample) in samples.iter().enumerate() {
        let sessions: BTreeMap<u32, &Vec<Value>> = sample["conversation"]
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(name, turns)| {
                Some((name.strip_prefix("session_")?.parse().ok()?, turns.as_array()?))
            })
            .collect();
        for turn in sessions.values().copied().flatten() {
            let Some((session, number)) = turn["dia_id"].as_str().and_then(|id| ids(id).pop())
            else {
                continue;
            };
            let said = turn["text"].as_str().unwrap_or_default();
            let text = match turn["blip_caption"].as_str() {
                Some(caption) => format!("{said} {caption}"),
                None => said.to_owned(),
            };
            let at = (conversation, session, number);
            known.insert(at, next);
            next += 1;
            set.turns.push(Turn {
                at,
                text,
                who: turn["speaker"].as_str().unwrap_or_default().to_owned(),
            });
        }
        for asked in sample["qa"].as_array().into_iter().flatten() {
            let mut gold: Vec<Key> = asked["evidence"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .flat_map(ids)
                .filter_map(|(session, number)| {
                    known.get(&(conversation, session, number)).copied()
                })
                .collect();
            gold.sort_unstable();
            gold.dedup();
            if gold.is_empty() {
                set.unscorable += 1;
                continue;
            }
            set.questions.push(Question {
                conversation,
                text: asked["question"].as_str().unwrap_or_default().to_owned(),
                category: asked["category"].as_u64().unwrap_or_default(),
                gold,
            });
        }
    }
    Ok(set)
}

/// The turns that an evidence string names: "D8:6; D9:17", "D:11:26" and "D30:05" are such strings too.
fn ids(text: &str) -> Vec<(u32, u32)> {
    text.split(|c: char| c.is_whitespace() || ";,".contains(c))
        .filter_map(|part| {
            let numbers = part.strip_prefix('D')?;
            let (session, turn) = numbers.strip_prefix(':').unwrap_or(numbers).split_once(':')?;
            Some((session.parse().ok()?, turn.parse().ok()?))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_evidence_is_read_as_far_as_it_goes() {
        assert_eq!(ids("D1:3"), [(1, 3)]);
        assert_eq!(ids("D8:6; D9:17"), [(8, 6), (9, 17)]);
        assert_eq!(ids("D:11:26"), [(11, 26)]);
        assert_eq!(ids("D30:05"), [(30, 5)]);
        assert_eq!(ids("D9:1 D4:4 D4:6"), [(9, 1), (4, 4), (4, 6)]);
        assert!(ids("D").is_empty());
    }

    #[test]
    fn an_interval_holds_its_mean() {
        let figure = bootstrap(&[0.0, 1.0, 1.0, 0.5]);
        assert!(figure.low <= figure.value && figure.value <= figure.high);
    }
}
