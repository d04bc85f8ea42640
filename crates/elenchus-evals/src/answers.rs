//! Asks a key's questions of a corpus through the whole product and judges the answers.

use crate::key::{Item, Kind, holds, normalise, read};
use crate::metrics::{Row, auroc, brier, ece};
use crate::rename::Names;
use crate::stats::share;
use elenchus_core::answer::{Answer, to_markdown};
use elenchus_core::belief::Assessment;
use elenchus_core::inquiry::Options;
use elenchus_core::port::Retriever;
use elenchus_core::prompt::{Bearing, FactRole, Polarity};
use elenchus_core::text::words;
use elenchus_engine::{Engine, Judge, Ports, Settings};
use elenchus_io::clock::SystemClock;
use elenchus_io::embed::BuiltinEmbedder;
use elenchus_io::model::{ExtractiveModel, NearestInMeaning};
use elenchus_io::retrieve::{Corpus, builtin_vectors};
use elenchus_io::store::MemoryStore;
use elenchus_io::verify::{BuiltinVerifier, judging};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

#[derive(Clone, Debug, Default)]
pub(crate) struct Ask {
    pub(crate) key: PathBuf,
    pub(crate) corpus: PathBuf,
    pub(crate) rename: Option<PathBuf>,
    pub(crate) only: Option<String>,
    pub(crate) every: usize,
    /// Ids of questions beside the sample.
    pub(crate) also: Vec<String>,
    pub(crate) wrong: bool,
    pub(crate) all: bool,
    pub(crate) at_least: Option<f64>,
    pub(crate) features: Option<PathBuf>,
    pub(crate) each: Option<PathBuf>,
}

/// What became of one question.
#[derive(Clone, Debug, Default)]
pub(crate) struct Verdict {
    pub(crate) right: bool,
    /// A stale value stands in the short answer as current.
    pub(crate) stale: bool,
    /// Every gap was given up.
    abandoned: bool,
    /// What was asked for stands in a quote that is shown as near.
    shown: bool,
    /// More than three rounds on the gap.
    slow: bool,
    /// A query was tried twice.
    repeated: bool,
    audit: usize,
    rounds: u8,
    /// What was expected and stands in the short answer, and how many quotes stand there.
    told: usize,
    quotes: usize,
    /// How firmly the first answer binds.
    bearing: Option<Bearing>,
    /// The confidence that is printed with it.
    pub(crate) confidence: Option<f64>,
    why: String,
}

/// What became of the questions of a key.
pub(crate) struct Asked {
    /// What the corpus is about, as the program sees it.
    subjects: String,
    pub(crate) verdicts: Vec<(Item, Verdict)>,
    pub(crate) seconds: f64,
}

pub(crate) async fn run(ask: &Ask) -> Result<ExitCode, String> {
    let asked = questions(ask).await?;
    println!("subjects: {}", asked.subjects);
    for (item, verdict) in asked.verdicts.iter().filter(|(item, _)| ask.also.contains(&item.id)) {
        println!(
            "{}: {}, {} rounds, a query twice: {}",
            item.id,
            if verdict.right { "right" } else { "wrong" },
            verdict.rounds,
            if verdict.repeated { "yes" } else { "no" }
        );
    }
    if let Some(path) = &ask.each {
        write_each(path, &asked.verdicts)?;
    }
    Ok(report(&asked.verdicts, asked.seconds, ask.at_least))
}

/// What became of each question, one JSON object a line: what a table of shares by bearing is added up from.
fn write_each(path: &Path, verdicts: &[(Item, Verdict)]) -> Result<(), String> {
    let mut text = String::new();
    for (item, verdict) in verdicts {
        let line = serde_json::json!({
            "id": item.id,
            "kind": format!("{:?}", item.kind).to_lowercase(),
            "right": verdict.right,
            "stale": verdict.stale,
            "bearing": verdict.bearing.map(Bearing::name),
            "confidence": verdict.confidence,
        });
        text += &line.to_string();
        text.push('\n');
    }
    std::fs::write(path, text).map_err(|e| format!("could not write {}: {e}", path.display()))
}

/// The confidences that were printed with answers, and whether these were right.
pub(crate) fn printed(verdicts: &[(Item, Verdict)]) -> Vec<Row> {
    let one = |verdict: &Verdict| Some((verdict.confidence?, verdict.right));
    verdicts.iter().filter_map(|(_, verdict)| one(verdict)).collect()
}

/// Of the answers that were given, how many were right, by how firmly they bind: what `bearing.json` is made of.
pub(crate) fn by_bearing(verdicts: &[(Item, Verdict)]) -> String {
    let one = |bearing: Bearing| {
        let given: Vec<&Verdict> = verdicts
            .iter()
            .map(|(_, verdict)| verdict)
            .filter(|verdict| verdict.bearing == Some(bearing))
            .collect();
        let right = given.iter().filter(|verdict| verdict.right).count();
        format!("{} {}", bearing.name(), share(right, given.len()))
    };
    let all = [Bearing::Strong, Bearing::Fair, Bearing::Weak].map(one);
    format!("answers that were right, by bearing: {}", all.join("; "))
}

/// How far confidences that were printed can be taken at their word.
pub(crate) fn held_to_their_word(rows: &[Row]) -> String {
    let n = rows.len();
    let mean = rows.iter().map(|(confidence, _)| confidence).sum::<f64>() / n.max(1) as f64;
    let right = rows.iter().filter(|(_, right)| *right).count();
    format!(
        "{n} answers, confidence {:.1} % in the mean, right {}; ECE {:.3}, Brier {:.3}, AUROC {:.3}",
        100.0 * mean,
        share(right, n),
        ece(rows),
        brier(rows),
        auroc(rows)
    )
}

/// Asks the questions, each in a run of its own over one index.
pub(crate) async fn questions(ask: &Ask) -> Result<Asked, String> {
    let mut items = read(&ask.key)?;
    if let Some(only) = &ask.only {
        items.retain(|item| item.id.contains(only.as_str()));
    }
    if let Some(unknown) = ask.also.iter().find(|id| !items.iter().any(|item| item.id == **id)) {
        return Err(format!("could not ask {unknown}: {} has no such id", ask.key.display()));
    }
    let every = ask.every.max(1);
    let in_sample =
        |at: usize, item: &Item| at.is_multiple_of(every) || ask.also.contains(&item.id);
    let mut items: Vec<Item> = items
        .into_iter()
        .enumerate()
        .filter(|(at, item)| in_sample(*at, item))
        .map(|(_, item)| item)
        .collect();
    let scratch =
        tempfile::tempdir().map_err(|e| format!("could not make a scratch folder: {e}"))?;
    let mut folder = ask.corpus.clone();
    if let Some(map) = &ask.rename {
        let names = Names::read(map)?;
        folder = scratch.path().join("renamed");
        std::fs::create_dir_all(&folder)
            .map_err(|e| format!("could not make {}: {e}", folder.display()))?;
        names.copy(&ask.corpus, &folder)?;
        for item in &mut items {
            item.question = names.apply(&item.question);
            for list in [&mut item.expect, &mut item.stale] {
                for text in list.iter_mut() {
                    *text = names.apply(text);
                }
            }
            for source in &mut item.sources {
                *source = names.path(source);
            }
        }
    }
    let mut corpus =
        Corpus::open(&scratch.path().join("index.db"), &folder, Some(builtin_vectors()))
            .map_err(|e| e.to_string())?;
    corpus.sync(&mut |_| {}).map_err(|e| e.to_string())?;
    let subjects = format!("{:?}", corpus.overview().subjects);
    let ports = Ports {
        memory: None,
        elsewhere: Vec::new(),
        model: Arc::new(ExtractiveModel::new()),
        retriever: Arc::new(corpus),
        embedder: Arc::new(BuiltinEmbedder),
        judge: Some(Judge { verifier: Arc::new(BuiltinVerifier::default()), judging: judging() }),
        store: Arc::new(MemoryStore::new()),
        clock: Arc::new(SystemClock),
    };
    let engine = Engine::new(ports, Settings::default());
    let mut verdicts: Vec<(Item, Verdict)> = Vec::new();
    let started = Instant::now();
    for (seed, item) in items.into_iter().enumerate() {
        let options = Options { autonomous: true, ..Options::default() };
        let handle =
            engine.start(&item.question, options, seed as u64).await.map_err(|e| e.to_string())?;
        let finished = handle.join().await.map_err(|e| e.to_string())?;
        if let Some(path) = &ask.features {
            dump_features(path, &item, &finished.run)?;
        }
        let verdict = judge(&item, &finished.answer, finished.run.view().audit().len());
        let bad = !verdict.right
            || verdict.stale
            || verdict.audit > 0
            || verdict.slow
            || verdict.repeated;
        if ask.all || (ask.wrong && bad) {
            println!("== {} [{:?}] {}\n   {}", item.id, item.kind, item.question, verdict.why);
            println!(
                "   expect {:?} stale {:?} sources {:?}",
                item.expect, item.stale, item.sources
            );
            if ask.all {
                println!("{}", to_markdown(&finished.answer));
            } else {
                let view = finished.run.view();
                for question in &view.plan().questions {
                    println!("   ? {}", question.text);
                    for line in ExtractiveModel::new().explain(
                        &question.text,
                        &view.passages(),
                        &view.terms(),
                        view.corpus(),
                        400,
                    ) {
                        println!("     {line}");
                    }
                }
                println!("   > {}", finished.answer.conclusion.replace('\n', "\n   > "));
            }
        }
        verdicts.push((item, verdict));
    }
    Ok(Asked { subjects, verdicts, seconds: started.elapsed().as_secs_f64() })
}

/// Appends the features of the best unit of a one-part question, with whether it answers; and those of the unit that
/// means the nearest, with whether words leave the question open.
fn dump_features(
    path: &Path,
    item: &Item,
    run: &elenchus_core::inquiry::Run,
) -> Result<(), String> {
    let view = run.view();
    let [question] = view.plan().questions.as_slice() else { return Ok(()) };
    let model = ExtractiveModel::new();
    let (passages, terms) = (view.passages(), view.terms());
    let right = |quote: &str| {
        let quote = normalise(quote);
        item.kind != Kind::Unanswerable
            && item.expect.iter().all(|expected| holds(&quote, expected))
    };
    let mut lines = Vec::new();
    if let Some((features, quote)) =
        model.features(&question.text, &passages, &terms, view.corpus())
    {
        let features: BTreeMap<&str, f64> = features.into_iter().collect();
        lines.push(serde_json::json!({
            "id": item.id, "right": right(&quote), "features": features,
        }));
    }
    let near = model.meaning(&question.text, &passages, &terms, view.corpus());
    if let Some(first) = near.first() {
        let figures = |near: &NearestInMeaning| -> BTreeMap<&str, f64> {
            near.features.iter().copied().collect()
        };
        let scene: Vec<_> = near
            .iter()
            .map(|near| {
                serde_json::json!({
                    "right": right(&near.quote), "may_answer": near.may_answer, "blocked": near.blocked,
                    "given": near.given, "cosine": near.likeness[0], "words": near.likeness[1],
                    "reads": near.likeness[2],
                    "meaning": figures(near), "read_as": near.read_as,
                    "value": near.value, "marked": near.marked,
                })
            })
            .collect();
        let mut line = serde_json::json!({
            "id": item.id, "kind": format!("{:?}", item.kind), "question": question.text, "open": first.left_open, "scene": scene,
            "answerable": item.kind != Kind::Unanswerable, "expect": item.expect,
        });
        if first.picked {
            line["right"] = right(&first.quote).into();
            line["meaning"] = serde_json::json!(figures(first));
        }
        lines.push(line);
    }
    let mut file = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .map_err(|e| format!("could not open {}: {e}", path.display()))?;
    for line in lines {
        writeln!(file, "{line}").map_err(|e| format!("could not write {}: {e}", path.display()))?;
    }
    Ok(())
}

/// Whether a value is the core of what is wanted, all of its figures included: "14" of "14 adverse events", "Ada Lund" of "Dr Ada Lund".
fn is_core(value: &str, wanted: &str) -> bool {
    let wanted = normalise(wanted);
    let (value, wanted) = (words(value), words(&wanted));
    let figures = |of: &[String]| -> Vec<String> {
        of.iter().filter(|word| word.contains(|c: char| c.is_ascii_digit())).cloned().collect()
    };
    let stands = !value.is_empty() && wanted.windows(value.len()).any(|some| some == value);
    // One word of a name of several is no name, and "nor" no "north".
    let enough = !figures(&value).is_empty() || 2 * value.len() >= wanted.len();
    stands && enough && figures(&value) == figures(&wanted)
}

/// The confidence of an answer as its reader sees it.
fn printed_with(answer: &Answer) -> Option<f64> {
    let result = answer.confidence.as_ref()?;
    (result.assessment != Assessment::NotAssessable).then_some(result.overall_confidence)
}

pub(crate) fn judge(item: &Item, answer: &Answer, audit: usize) -> Verdict {
    let shown = normalise(&answer.conclusion);
    let claims: Vec<_> = answer
        .claims
        .iter()
        .filter(|c| matches!(c.role, FactRole::Answer | FactRole::Conflict))
        .collect();
    let abandoned = !answer.could_not_establish.is_empty() && claims.is_empty();
    let mut verdict = Verdict {
        abandoned,
        slow: answer.could_not_establish.iter().any(|gap| gap.attempts > 3),
        repeated: answer.could_not_establish.iter().any(|gap| {
            let mut seen: Vec<String> = gap.queries.iter().map(|q| normalise(q)).collect();
            let all = seen.len();
            seen.sort();
            seen.dedup();
            seen.len() != all
        }),
        audit,
        rounds: answer.receipt.rounds,
        bearing: claims.first().and_then(|claim| claim.bearing),
        confidence: printed_with(answer).filter(|_| !claims.is_empty()),
        told: item.expect.iter().filter(|expected| holds(&shown, expected)).count(),
        quotes: claims.len(),
        ..Verdict::default()
    };
    if item.kind == Kind::Unanswerable {
        verdict.right = claims.is_empty();
        if !verdict.right {
            "answered what the documents do not say".clone_into(&mut verdict.why);
        }
        return verdict;
    }
    let near: String = answer
        .claims
        .iter()
        .filter(|claim| {
            answer.could_not_establish.iter().any(|gap| gap.nearest.contains(&claim.id))
        })
        .map(|claim| normalise(&claim.text) + "\n")
        .collect();
    verdict.shown = abandoned && item.expect.iter().all(|expected| holds(&near, expected));
    let missing: Vec<&String> =
        item.expect.iter().filter(|expected| !holds(&shown, expected)).collect();
    let cited = item.sources.is_empty()
        || claims
            .iter()
            .flat_map(|claim| &claim.evidence)
            .map(|n| &answer.evidence[*n])
            .any(|one| item.is_source(&one.path, one.page));
    // A stale value is presented as current when it is the value given, or stands in the short answer without the
    // current one beside it.
    verdict.stale = item.stale.iter().any(|stale| {
        claims.iter().any(|claim| {
            claim.value.as_deref().is_some_and(|value| holds(&normalise(value), stale))
        }) || (holds(&shown, stale) && !missing.is_empty())
    });
    let polarity_wrong = item.polarity.as_deref().is_some_and(|wanted| {
        claims.first().and_then(|claim| claim.polarity).is_some_and(|given| {
            !matches!(
                (wanted, given),
                ("yes", Polarity::Yes | Polarity::Conditional)
                    | ("no", Polarity::No | Polarity::Conditional)
            )
        })
    });
    let values: Vec<String> =
        claims.iter().filter_map(|claim| claim.value.as_deref()).map(normalise).collect();
    let other_value = !item.value.is_empty()
        && !values.is_empty()
        && !values.iter().any(|value| {
            item.value.iter().any(|wanted| holds(value, wanted) || is_core(value, wanted))
        });
    let complete = match item.kind {
        // Which statements matter most of a topic is a matter of taste: half of those that the key names will do.
        Kind::Overview => verdict.told > 0 && 2 * verdict.told >= item.expect.len(),
        _ => missing.is_empty(),
    };
    verdict.right = complete && cited && !polarity_wrong && !other_value && !verdict.stale;
    verdict.why = if claims.is_empty() {
        "abandoned by mistake".to_owned()
    } else if !missing.is_empty() {
        format!("missing {missing:?}")
    } else if !cited {
        "right words, wrong document or page".to_owned()
    } else if polarity_wrong {
        "wrong polarity".to_owned()
    } else if other_value {
        format!("another value in bold: {values:?}")
    } else if verdict.stale {
        "stale value as current".to_owned()
    } else {
        String::new()
    };
    verdict
}

fn report(verdicts: &[(Item, Verdict)], seconds: f64, at_least: Option<f64>) -> ExitCode {
    let mut kinds: BTreeMap<Kind, (usize, usize)> = BTreeMap::new();
    for (item, verdict) in verdicts {
        let entry = kinds.entry(item.kind).or_default();
        entry.1 += 1;
        entry.0 += usize::from(verdict.right);
    }
    for (kind, (right, n)) in &kinds {
        println!("{kind:?}: right {}", share(*right, *n));
    }
    let open: Vec<_> = verdicts.iter().filter(|(item, _)| item.kind == Kind::Overview).collect();
    if !open.is_empty() {
        let expected: usize = open.iter().map(|(item, _)| item.expect.len()).sum();
        let told: usize = open.iter().map(|(_, verdict)| verdict.told).sum();
        let quotes: usize = open.iter().map(|(_, verdict)| verdict.quotes).sum();
        println!("of what open questions should quote, quoted: {}", share(told, expected));
        println!("quotes for an open question: {:.1}", quotes as f64 / open.len() as f64);
    }
    let answerable: Vec<_> =
        verdicts.iter().filter(|(item, _)| item.kind != Kind::Unanswerable).collect();
    let count = |list: &[&(Item, Verdict)], test: fn(&Verdict) -> bool| {
        list.iter().filter(|(_, v)| test(v)).count()
    };
    let all: Vec<_> = verdicts.iter().collect();
    let right = count(&all, |v| v.right);
    println!("answerable right: {}", share(count(&answerable, |v| v.right), answerable.len()));
    println!(
        "answerable abandoned by mistake: {}",
        share(count(&answerable, |v| v.abandoned), answerable.len())
    );
    let open: Vec<_> = answerable.iter().copied().filter(|(_, v)| v.abandoned).collect();
    println!(
        "of those, shown among the nearest quotes: {}",
        share(count(&open, |v| v.shown), open.len())
    );
    let dated: Vec<_> = answerable.iter().copied().filter(|(item, _)| item.is_dated()).collect();
    println!("stale as current: {}", share(count(&dated, |v| v.stale), dated.len()));
    println!("all right: {}", share(right, all.len()));
    println!(
        "audit notes: {}; gaps with more than 3 attempts: {}; queries tried twice: {}; {:.2} s a question",
        all.iter().map(|(_, v)| v.audit).sum::<usize>(),
        count(&all, |v| v.slow),
        count(&all, |v| v.repeated),
        seconds / all.len().max(1) as f64
    );
    println!("{}", by_bearing(verdicts));
    println!("confidence as printed: {}", held_to_their_word(&printed(verdicts)));
    let reached =
        all.is_empty() || at_least.is_none_or(|least| right as f64 / all.len() as f64 >= least);
    if reached { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_core_of_what_is_wanted_is_right_and_a_part_of_it_is_not() {
        for (value, wanted) in [
            ("14", "14 adverse events"),
            ("ada lund", "Dr Ada Lund"),
            ("24 hours", "within 24 hours"),
            ("nordic waters", "Nordic Waters Archive"),
        ] {
            assert!(is_core(value, wanted), "{value} {wanted}");
        }
        for (value, wanted) in [
            ("910 million euros", "880 to 910 million euros"),
            ("2024", "3 June 2024"),
            ("lund", "Dr Ada Lund"),
            ("nor", "Nordic Waters"),
            ("", "14"),
        ] {
            assert!(!is_core(value, wanted), "{value} {wanted}");
        }
    }
}
