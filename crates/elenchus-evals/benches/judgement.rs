//! Judging claims under the stopwatch: extraction, binding, features, the cross-encoder, fallacies, and the naive way
//! that embeds every passage again for every claim.
//!
//! `ELENCHUS_PAIRS=FILE` writes the cross-encoder's pairs as JSON lines, for `scripts/bench_onnxruntime.py`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use elenchus_core::bank::scrub_if_any;
use elenchus_core::port::Pair;
use elenchus_core::scrutiny::fallacy::{Options, detect};
use elenchus_io::embed::{StaticEmbedder, dot};
use elenchus_io::verify::contradiction::{Limits, Statement, contradictions};
use elenchus_io::verify::extract::extract;
use elenchus_io::verify::features::features;
use elenchus_io::verify::select::select;
use elenchus_io::verify::sentence::Sentence;
use elenchus_io::verify::{BuiltinVerifier, CrossEncoder, binding};
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Duration;

/// Pairs that take turns.
const PAIRS: usize = 256;
/// Pairs that the cross-encoder reads in one call.
const READ: usize = 64;
/// Sentences of the generated report.
const SENTENCES: usize = 400;
/// Passages that a claim is held against in the comparison with the naive way.
const PASSAGES: usize = 20;
/// Sentences of such a passage.
const PASSAGE: usize = 4;

/// A generator of report-like prose; the same seed says the same.
struct Prose(u64);

impl Prose {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }

    fn pick(&mut self, words: &[&'static str]) -> &'static str {
        words[self.below(words.len())]
    }

    /// A sentence and a claim about the same thing: half of the claims fit, half name another figure.
    fn sentence(&mut self) -> (String, String) {
        let site = self.pick(&[
            "Aldermoor",
            "Brackwater",
            "Corvedale",
            "Dunmarsh",
            "Elverstrand",
            "Fennholt",
            "Gorseby",
            "Hallowick",
        ]);
        let plant =
            self.pick(&["pumping station", "wind farm", "reservoir", "fish ladder", "depot"]);
        let maker = self.pick(&["Ostrand Works", "Tarn & Lisle", "Keelson Hydro", "Mirabel Group"]);
        let year = 1990 + self.below(35);
        let share = 2 + self.below(90);
        let count = 20 + self.below(4_000);
        let other = |figure: usize, turn: usize| if turn == 0 { figure } else { figure * 2 + 1 };
        let turn = self.below(2);
        match self.below(6) {
            0 => (
                format!(
                    "The {plant} at {site} was built by {maker} in {year}, and it supplies {count} \
                     households with water."
                ),
                format!(
                    "The {site} {plant} supplies {} households with water.",
                    other(count, turn)
                ),
            ),
            1 => (
                format!(
                    "Between {year} and 2025 the output of the {plant} at {site} rose by {share} %, \
                     although two of its pumps stood idle."
                ),
                format!(
                    "The output of the {plant} at {site} {} by {share} %.",
                    ["rose", "fell"][turn]
                ),
            ),
            2 => (
                format!(
                    "{maker} did not say why the repair of the {plant} near {site} had cost {count} \
                     thousand euros."
                ),
                format!(
                    "The repair of the {plant} near {site} cost {} thousand euros.",
                    other(count, turn)
                ),
            ),
            3 => (
                format!(
                    "Engineers in {site} found that the {plant} loses {share} % of its water through \
                     a cracked joint, which {maker} had fitted in {year}."
                ),
                format!("{maker} fitted the joint of the {plant} in {site} in {}.", year + turn),
            ),
            4 => (
                format!(
                    "Most of the {count} members of the {site} cooperative voted against selling the \
                     {plant} to {maker}."
                ),
                format!(
                    "{} of the members of the {site} cooperative voted against selling the {plant}.",
                    ["Most", "None"][turn]
                ),
            ),
            _ => (
                format!(
                    "It is therefore likely that the {plant} at {site} will be closed, because its \
                     licence ended in {year} and nobody has asked for another."
                ),
                format!("The licence of the {plant} at {site} ended in {}.", year + turn),
            ),
        }
    }

    fn passage(&mut self, sentences: usize) -> String {
        (0..sentences).map(|_| self.sentence().0).collect::<Vec<_>>().join(" ")
    }

    /// Headings, paragraphs with citations, a list and a table.
    fn report(&mut self) -> String {
        let mut text = String::from("# State of the works\n\n");
        for nth in 0..SENTENCES {
            let said = self.sentence().0;
            let (body, cite) = (said.trim_end_matches('.'), 1 + nth % 9);
            let _ = match nth % 20 {
                0 => write!(text, "\n\n## Part {}\n\n{body} [{cite}]. ", nth / 20 + 1),
                16 => write!(text, "\n\n- {body} [{cite}].\n"),
                17 | 18 => writeln!(text, "- {body}."),
                19 => {
                    write!(text, "\n| Works | Output |\n|---|---|\n| {} | {nth} MW |\n", nth / 20)
                }
                _ => write!(text, "{body}. "),
            };
        }
        text
    }
}

/// Claims with two sentences of evidence.
fn pairs() -> Vec<(String, Vec<String>)> {
    let mut prose = Prose(0x5eed_1234_abcd_0001);
    (0..PAIRS)
        .map(|_| {
            let (said, claim) = prose.sentence();
            (claim, vec![said, prose.sentence().0])
        })
        .collect()
}

fn write_pairs(pairs: &[(String, Vec<String>)]) {
    let Some(file) = std::env::var_os("ELENCHUS_PAIRS") else { return };
    let lines: String = pairs
        .iter()
        .map(|pair| serde_json::to_string(pair).expect("texts can be written") + "\n")
        .collect();
    std::fs::write(&file, lines).expect("the pairs can be written");
}

fn tiers(c: &mut Criterion) {
    let pairs = pairs();
    write_pairs(&pairs);
    let mut group = c.benchmark_group("judgement");
    group.sample_size(20).measurement_time(Duration::from_secs(4));

    let report = Prose(7).report();
    // What reading a folder pays for texts without secrets, and for ones that have something of every kind of text.
    let ordinary = report.repeat(64);
    let technical =
        format!("{ordinary}\nToken: see https://host.test/a?key=title, password = none\n");
    for (name, text) in
        [("secrets looked for, prose", &ordinary), ("secrets looked for, a manual", &technical)]
    {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |b| b.iter(|| scrub_if_any(black_box(text), &mut [])));
    }
    let claims = extract(&report).claims.len() as u64;
    group.throughput(Throughput::Elements(claims));
    group.bench_function("claims extracted", |b| b.iter(|| extract(black_box(&report))));

    let prepared: Vec<(Sentence, Vec<Sentence>)> = pairs
        .iter()
        .map(|(claim, evidence)| {
            (Sentence::prepare(claim), evidence.iter().map(|s| Sentence::prepare(s)).collect())
        })
        .collect();
    group.throughput(Throughput::Elements(PAIRS as u64));
    group.bench_function("binding, one sentence, prepared", |b| {
        b.iter(|| {
            for (claim, evidence) in &prepared {
                black_box(binding::check(&claim.bound, &[&evidence[0].bound]));
            }
        });
    });
    group.bench_function("features, two sentences, prepared", |b| {
        b.iter(|| {
            for (claim, evidence) in &prepared {
                black_box(features(claim, &evidence.iter().collect::<Vec<_>>()));
            }
        });
    });
    group.bench_function("sentences prepared", |b| {
        b.iter(|| {
            for (claim, _) in &pairs {
                black_box(Sentence::prepare(claim));
            }
        });
    });
    let asked: Vec<Pair> = pairs
        .iter()
        .map(|(claim, evidence)| Pair {
            claim: claim.clone(),
            evidence: evidence.clone(),
            above: vec![],
        })
        .collect();
    let quick = BuiltinVerifier::quick();
    group.bench_function("built-in, quick, known evidence", |b| b.iter(|| quick.judge(&asked)));
    group.bench_function("built-in, quick, new evidence", |b| {
        b.iter(|| BuiltinVerifier::quick().judge(&asked));
    });

    group.throughput(Throughput::Elements(READ as u64));
    let encoder = CrossEncoder::builtin().expect("the model in the binary loads");
    let read: Vec<(&str, Vec<(usize, &str)>)> = pairs
        .iter()
        .take(READ)
        .map(|(claim, evidence)| {
            (claim.as_str(), evidence.iter().map(String::as_str).enumerate().collect())
        })
        .collect();
    group.bench_function("cross-encoder", |b| {
        b.iter(|| encoder.classify(black_box(&read)).expect("the model runs"));
    });

    let statements: Vec<Statement> = pairs
        .iter()
        .enumerate()
        .flat_map(|(at, (claim, evidence))| [(3 * at, claim), (3 * at + 1, &evidence[0])])
        .map(|(at, text)| Statement::new(at.to_string(), text.clone()))
        .collect();
    group.throughput(Throughput::Elements(statements.len() as u64));
    group.bench_function("statements searched for contradictions", |b| {
        b.iter(|| contradictions(black_box(&statements), &Limits::default()));
    });

    let text = Prose(11).passage(PAIRS);
    group.throughput(Throughput::Elements(PAIRS as u64));
    group.bench_function("fallacies, sentences", |b| {
        b.iter(|| detect(black_box(&text), &Options::default()));
    });
    group.finish();
}

/// One claim against twenty passages; the figures count pairs of claim and passage.
fn against_naive(c: &mut Criterion) {
    let mut prose = Prose(0x5eed_9876_abcd_0003);
    let passages: Vec<String> = (0..PASSAGES).map(|_| prose.passage(PASSAGE)).collect();
    let claims: Vec<String> = (0..PASSAGES).map(|_| prose.sentence().1).collect();
    let mut group = c.benchmark_group("claim by passage");
    group.sample_size(20).measurement_time(Duration::from_secs(4));
    group.throughput(Throughput::Elements((claims.len() * passages.len()) as u64));

    let table = StaticEmbedder::builtin();
    group.bench_function("naive: every passage embedded for every claim", |b| {
        b.iter(|| {
            for claim in &claims {
                for passage in &passages {
                    black_box(dot(&table.embed_text(claim), &table.embed_text(passage)));
                }
            }
        });
    });
    // What a passage costs where the embedder is a small transformer: the cross-encoder has the size of one.
    let encoder = CrossEncoder::builtin().expect("the model in the binary loads");
    let few: Vec<(&str, Vec<(usize, &str)>)> =
        passages.iter().map(|passage| ("", vec![(0, passage.as_str())])).collect();
    group.throughput(Throughput::Elements(few.len() as u64));
    group.bench_function("naive: the same with a small transformer", |b| {
        b.iter(|| {
            for passage in &few {
                black_box(encoder.classify(std::slice::from_ref(passage)).expect("it runs"));
            }
        });
    });
    group.throughput(Throughput::Elements((claims.len() * passages.len()) as u64));
    let kept: Vec<Vec<Sentence>> = passages
        .iter()
        .map(|passage| {
            let ranges = elenchus_io::ingest::sentence::sentences(passage);
            ranges.into_iter().map(|range| Sentence::prepare(&passage[range])).collect()
        })
        .collect();
    let all: Vec<&Sentence> = kept.iter().flatten().collect();
    group.bench_function("ours: sentences of all passages chosen, prepared once", |b| {
        b.iter(|| {
            for claim in &claims {
                black_box(select(&Sentence::prepare(claim), &all, 3));
            }
        });
    });
    let quick = BuiltinVerifier::quick();
    let asked: Vec<Pair> = claims
        .iter()
        .map(|claim| Pair { claim: claim.clone(), evidence: passages.clone(), above: vec![] })
        .collect();
    group.bench_function("ours: the whole judgement, quick, passages known", |b| {
        b.iter(|| quick.judge(&asked));
    });
    group.finish();
}

criterion_group!(benches, tiers, against_naive);
criterion_main!(benches);
