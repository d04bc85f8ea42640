//! How long a search of the bank takes, beside SQLite's own full-text search over the same texts and a scan of all their vectors in
//! the same run.

use elenchus_core::bank::{
    BankSettings, Caller, Draft, Origin, Outcome, Scope, Standing, Strategy,
};
use elenchus_core::id::{StrategyId, Timestamp};
use elenchus_core::port::{Bank, Exported, Recall};
use elenchus_io::bank::SqliteBank;
use elenchus_io::retrieve::{TextVectors, builtin_vectors, sentence_vectors};
use elenchus_io::store::SqliteOptions;
use rusqlite::Connection;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct MemorySpeedArgs {
    /// Strategies in the bank; several sizes are measured one after the other, as `10000,100000,1000000`.
    #[arg(long, value_delimiter = ',', default_value = "10000")]
    strategies: Vec<usize>,
    /// Searches a client.
    #[arg(long, default_value_t = 300)]
    searches: usize,
    /// `builtin`, `sentence` or `none`.
    #[arg(long, default_value = "builtin")]
    embedder: String,
}

const NOW: Timestamp = Timestamp(1_700_000_000_000);

/// Draws that are the same in every run (xorshift).
struct Draws(u64);

impl Draws {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n.max(1)
    }

    /// A word of an invented language: a few are frequent and most are rare.
    fn word(&mut self) -> String {
        const PARTS: [&str; 24] = [
            "ba", "ro", "ti", "ke", "mu", "sa", "lo", "ven", "dar", "pil", "gos", "ran", "tel",
            "mor", "sin", "cat", "ful", "nor", "es", "ig", "ul", "om", "ar", "et",
        ];
        let rank = (20_000.0_f64.powf(self.below(10_000) as f64 / 10_000.0)) as usize;
        let (mut n, mut word) = (rank + 24, String::new());
        while n > 0 {
            word.push_str(PARTS[n % 24]);
            n /= 24;
        }
        word
    }

    fn words(&mut self, n: usize) -> String {
        (0..n).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }
}

pub(crate) async fn run(args: &MemorySpeedArgs) -> Result<ExitCode, String> {
    let vectors: Option<Arc<dyn TextVectors>> = match args.embedder.as_str() {
        "builtin" => Some(builtin_vectors()),
        "sentence" => Some(sentence_vectors()?),
        _ => None,
    };
    for size in &args.strategies {
        of_size(*size, args, vectors.as_ref()).await?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A bank of so many strategies: taken in, opened and searched.
async fn of_size(
    size: usize,
    args: &MemorySpeedArgs,
    vectors: Option<&Arc<dyn TextVectors>>,
) -> Result<(), String> {
    println!("\n== {size} strategies");
    let scratch =
        tempfile::tempdir().map_err(|e| format!("could not make a scratch folder: {e}"))?;
    let path = scratch.path().join("bank.db");
    let open = || {
        let settings = BankSettings::default();
        SqliteBank::open(&path, &SqliteOptions::default(), settings, vectors.cloned())
            .map_err(|error| error.to_string())
    };
    let bank = open()?;
    let caller = Caller::local("bench");
    let full = Connection::open(scratch.path().join("fts.db")).map_err(|e| e.to_string())?;
    full.execute_batch(
        "PRAGMA journal_mode = WAL; CREATE VIRTUAL TABLE t USING fts5(title, description, content, tags,
         content='', tokenize='porter unicode61');",
    )
    .map_err(|e| e.to_string())?;
    let mut draws = Draws(0x9E37_79B9_7F4A_7C15);
    let started = Instant::now();
    let mut taken = Duration::ZERO;
    let mut at = 0;
    let mut floor = Floor::default();
    while at < size {
        let some: Vec<Exported> =
            (at..(at + 1_000).min(size)).map(|n| strategy(n, &mut draws)).collect();
        // Another embedder takes longer than all the rest together.
        if let Some(vectors) = vectors.filter(|vectors| vectors.is_builtin()) {
            floor.add(vectors.as_ref(), &some)?;
        }
        full.execute_batch("BEGIN").map_err(|e| e.to_string())?;
        for one in &some {
            let draft = &one.strategy.draft;
            full.prepare_cached(
                "INSERT INTO t (title, description, content, tags) VALUES (?1, ?2, ?3, ?4)",
            )
            .and_then(|mut insert| {
                insert.execute((
                    &draft.title,
                    &draft.description,
                    &draft.content,
                    draft.tags.join(" "),
                ))
            })
            .map_err(|e| e.to_string())?;
        }
        full.execute_batch("COMMIT").map_err(|e| e.to_string())?;
        let began = Instant::now();
        bank.import(&caller, &some, NOW).await.map_err(|error| error.to_string())?;
        taken += began.elapsed();
        at += some.len();
    }
    println!(
        "{} strategies taken in, {:.0} a second (all made in {:.1} s); embedder {}",
        size,
        size as f64 / taken.as_secs_f64(),
        started.elapsed().as_secs_f64(),
        args.embedder
    );
    drop(bank);
    let began = Instant::now();
    let bank = open()?;
    search(&bank, &caller, "first search", "warm").await?;
    println!(
        "open and first search of a new process: {:.0} ms",
        began.elapsed().as_secs_f64() * 1e3
    );
    let queries: Vec<String> = (0..args.searches).map(|_| draws.words(4)).collect();

    let (mut ours, mut theirs, mut embedding, mut scans) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for query in &queries {
        let began = Instant::now();
        search(&bank, &caller, query, "known").await?;
        ours.push(began.elapsed());
        let began = Instant::now();
        fts(&full, query)?;
        theirs.push(began.elapsed());
        if let Some(vectors) = &vectors {
            let began = Instant::now();
            let vector = vectors.embed(&[query], &|_| 1.0).map_err(|error| error.to_string())?;
            embedding.push(began.elapsed());
            if let Some(vector) = vector.first().filter(|_| floor.rows() > 0) {
                let asked = quantised(vector);
                let began = Instant::now();
                std::hint::black_box(floor.nearest(&asked));
                scans.push(began.elapsed());
            }
        }
    }
    let [fts_50, _, fts_99] = show("FTS5 alone, ORDER BY bm25 LIMIT 10", &mut theirs);
    if !scans.is_empty() {
        show("a scan of all vectors alone, the 10 nearest", &mut scans);
    }
    let [own_50, _, own_99] = show("search, one client, what was shown is noted", &mut ours);
    if !embedding.is_empty() {
        show("of that, embedding the query", &mut embedding);
    }
    println!("times FTS5: p50 {:.2}, p99 {:.2}", own_50 / fts_50, own_99 / fts_99);
    let mut again = Vec::new();
    for query in &queries {
        let began = Instant::now();
        search(&bank, &caller, query, "known").await?;
        again.push(began.elapsed());
    }
    show("the same searches again: nothing to note", &mut again);
    many(&bank, &caller, &queries)
}

/// The plainest search by meaning: the vectors of all strategies in one piece, of which every one is looked at.
#[derive(Default)]
struct Floor {
    dimensions: usize,
    numbers: Vec<i8>,
}

impl Floor {
    fn add(&mut self, vectors: &dyn TextVectors, some: &[Exported]) -> Result<(), String> {
        let texts: Vec<String> = some
            .iter()
            .map(|one| {
                let draft = &one.strategy.draft;
                format!("{} {} {}", draft.title, draft.description, draft.content)
            })
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        self.dimensions = vectors.dimensions();
        let made = vectors.embed(&texts, &|_| 1.0).map_err(|error| error.to_string())?;
        self.numbers.extend(made.iter().flat_map(|vector| quantised(vector)));
        Ok(())
    }

    fn rows(&self) -> usize {
        self.numbers.len() / self.dimensions.max(1)
    }

    fn nearest(&self, query: &[i8]) -> Vec<(i32, usize)> {
        let mut scores: Vec<(i32, usize)> = self
            .numbers
            .chunks_exact(self.dimensions.max(1))
            .map(|row| {
                row.iter().zip(query).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum::<i32>()
            })
            .zip(0..)
            .collect();
        let least = scores.len().saturating_sub(10);
        if least > 0 {
            scores.select_nth_unstable(least);
        }
        let mut best = scores.split_off(least);
        best.sort_unstable();
        best
    }
}

/// A unit vector in a byte a number.
fn quantised(vector: &[f32]) -> Vec<i8> {
    vector.iter().map(|x| (x * 127.0).round().clamp(-127.0, 127.0) as i8).collect()
}

/// Sixteen clients at once.
fn many(bank: &SqliteBank, caller: &Caller, queries: &[String]) -> Result<(), String> {
    let began = Instant::now();
    let all: Result<Vec<Vec<Duration>>, String> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..16)
            .map(|client| {
                scope.spawn(move || {
                    let runtime = tokio::runtime::Builder::new_current_thread()
                        .build()
                        .map_err(|error| error.to_string())?;
                    let mut times = Vec::new();
                    for query in queries.iter().skip(client).step_by(2) {
                        let began = Instant::now();
                        runtime.block_on(search(bank, caller, query, "known"))?;
                        times.push(began.elapsed());
                    }
                    Ok(times)
                })
            })
            .collect();
        let ended = |client: std::thread::ScopedJoinHandle<'_, _>| {
            client.join().map_err(|_| "a client has stopped".to_owned())?
        };
        clients.into_iter().map(ended).collect()
    });
    let mut times: Vec<Duration> = all?.into_iter().flatten().collect();
    let rate = times.len() as f64 / began.elapsed().as_secs_f64();
    show("search, sixteen clients at once", &mut times);
    println!("{rate:.0} searches a second");
    Ok(())
}

async fn search(
    bank: &SqliteBank,
    caller: &Caller,
    query: &str,
    session: &str,
) -> Result<(), String> {
    let recall = Recall {
        query: query.to_owned(),
        scope: None,
        outcome: None,
        limit: 5,
        min_confidence: 0.5,
        session_id: session.to_owned(),
        for_prompt: false,
    };
    bank.search(caller, &recall, NOW).await.map(drop).map_err(|error| error.to_string())
}

fn fts(db: &Connection, query: &str) -> Result<(), String> {
    let expression: Vec<String> =
        query.split_whitespace().map(|word| format!("\"{word}\"")).collect();
    let mut statement = db
        .prepare_cached("SELECT rowid, bm25(t) FROM t WHERE t MATCH ?1 ORDER BY bm25(t) LIMIT 10")
        .map_err(|e| e.to_string())?;
    let rows = statement
        .query_map([expression.join(" OR ")], |row| row.get::<_, i64>(0))
        .and_then(Iterator::collect::<Result<Vec<i64>, _>>)
        .map_err(|e| e.to_string())?;
    std::hint::black_box(rows);
    Ok(())
}

/// Prints and gives p50, p95 and p99 in milliseconds.
fn show(name: &str, times: &mut [Duration]) -> [f64; 3] {
    times.sort_unstable();
    let at = |share: f64| {
        let place = ((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1));
        times.get(place).map_or(0.0, |time| time.as_secs_f64() * 1e3)
    };
    let all = [at(0.5), at(0.95), at(0.99)];
    println!(
        "{name}: p50 {:.2} p95 {:.2} p99 {:.2} ms (n {})",
        all[0],
        all[1],
        all[2],
        times.len()
    );
    all
}

fn strategy(n: usize, draws: &mut Draws) -> Exported {
    let outcome = if n.is_multiple_of(5) { Outcome::Failure } else { Outcome::Success };
    let title: String = draws.words(4).chars().take(50).collect();
    let description: String = draws.words(12).chars().take(200).collect();
    Exported {
        strategy: Strategy {
            id: StrategyId(String::new()),
            draft: Draft {
                title: format!("{title}{}", n % 10).chars().take(50).collect(),
                description,
                content: format!("{} number {n}", draws.words(70)),
                outcome,
                tags: vec![draws.word().chars().take(40).collect()],
                scope: Scope::Project,
                origin: Origin::Distilled,
                source_session: Some(format!("run_{}", n / 3)),
                lineage: Vec::new(),
                from_web: false,
            },
            standing: Standing::Active,
            actor: "bench".to_owned(),
            created_at: NOW,
            edited_at: NOW,
        },
        signals: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_floor_finds_what_is_nearest() {
        let rows: [[f32; 2]; 3] = [[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]];
        let numbers = rows.iter().flat_map(|row| quantised(row)).collect();
        let floor = Floor { dimensions: 2, numbers };
        let found: Vec<usize> =
            floor.nearest(&quantised(&[0.0, 1.0])).into_iter().map(|(_, row)| row).collect();
        assert_eq!((floor.rows(), found), (3, vec![0, 2, 1]));
        assert!(Floor::default().nearest(&[]).is_empty());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_small_bank_is_measured_whole() {
        let args = MemorySpeedArgs {
            strategies: vec![40, 60],
            searches: 4,
            embedder: "builtin".to_owned(),
        };
        assert!(run(&args).await.is_ok());
    }
}
