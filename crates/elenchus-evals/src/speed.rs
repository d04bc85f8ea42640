//! Whole-process figures: what a person waits for and what the machine must hold, each beside a baseline.
//!
//! Generated documents come from a seeded word generator, so that two machines measure the same texts.

use elenchus_core::port::{Retriever, SearchFilter, SearchRequest};
use elenchus_io::retrieve::{Corpus, builtin_vectors};
use rusqlite::{Connection, OpenFlags, params};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Every figure starts here.
const SEED: u64 = 20_261_121;
/// Words of the invented language.
const VOCABULARY: usize = 30_000;
/// Searches before the clock starts.
const WARM: usize = 20;
/// Hits asked for.
const HITS: u16 = 10;
/// Passages from one query vector of the plain scan to the next.
const STRIDE: usize = 37;
/// The tokenizer of the index: the baseline does the same work on words.
const TOKENIZER: &str = "porter unicode61 remove_diacritics 2";

pub(crate) struct Speed {
    pub(crate) binary: PathBuf,
    pub(crate) corpora: Vec<PathBuf>,
    pub(crate) questions: Vec<String>,
    pub(crate) passages: Vec<usize>,
    pub(crate) searches: usize,
    pub(crate) repeats: usize,
    /// A Python that has the `tantivy` package.
    pub(crate) tantivy: Option<PathBuf>,
}

pub(crate) async fn run(speed: &Speed) -> Result<ExitCode, String> {
    let scratch =
        tempfile::tempdir().map_err(|e| format!("could not make a scratch folder: {e}"))?;
    let bench = Bench {
        binary: speed
            .binary
            .canonicalize()
            .map_err(|e| format!("could not find {}: {e}", speed.binary.display()))?,
        home: scratch.path().to_owned(),
    };
    println!("load before: {}", load());
    println!("| figure | value | baseline |\n|---|---|---|");
    bench.process(speed.repeats)?;
    for corpus in &speed.corpora {
        bench.corpus(corpus, &speed.questions, speed.repeats)?;
    }
    for passages in &speed.passages {
        let folder = scratch.path().join(format!("generated-{passages}"));
        let bytes = write_documents(&folder, *passages)?;
        let index = bench.ingest(&format!("generated, {passages} passages"), &folder)?;
        let alone = fts5_insert(&folder, &scratch.path().join("alone.db"))?;
        row(
            "the same text into FTS5 alone, a row a paragraph",
            &format!("{:.1} MB/s", megabytes(bytes) / alone.as_secs_f64()),
            "this is the baseline",
        );
        for threads in [1, 2] {
            let Some(python) = &speed.tantivy else { break };
            let alone = tantivy_insert(python, &folder, threads)?;
            row(
                &format!("the same text into tantivy, a row a paragraph, {threads} thread(s)"),
                &format!("{:.1} MB/s", megabytes(bytes) / alone),
                "this is the baseline",
            );
        }
        search(&folder, &index, speed.searches).await?;
        fs::remove_dir_all(&folder).map_err(|e| format!("could not tidy up: {e}"))?;
    }
    println!("load after: {}", load());
    Ok(ExitCode::SUCCESS)
}

fn row(figure: &str, value: &str, baseline: &str) {
    println!("| {figure} | {value} | {baseline} |");
}

fn load() -> String {
    fs::read_to_string("/proc/loadavg")
        .map_or_else(|_| "unknown".to_owned(), |text| text.trim().to_owned())
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

/// The value that this share of the sorted values does not exceed.
fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = (values.len() as f64 * share).ceil() as usize;
    values.get(at.saturating_sub(1)).copied().unwrap_or(f64::NAN)
}

/// Median and 99th percentile in milliseconds.
fn middle_and_tail(values: &mut [f64]) -> String {
    format!("{:.2} / {:.2} ms", quantile(values, 0.5), quantile(values, 0.99))
}

/// One child process from start to end.
#[derive(Clone, Copy, Debug)]
struct Ran {
    /// Until the first line on standard output.
    first: Duration,
    /// Until the exit was seen.
    whole: Duration,
    /// Most memory held, in kB.
    peak_kb: u64,
}

/// The program under test with a home of its own.
struct Bench {
    binary: PathBuf,
    home: PathBuf,
}

impl Bench {
    /// The program with arguments, at home.
    fn command<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Command {
        let mut command = Command::new(&self.binary);
        command
            .args(arguments)
            .current_dir(&self.home)
            .env("HOME", &self.home)
            .env("XDG_CACHE_HOME", self.home.join("cache"))
            .env("XDG_DATA_HOME", self.home.join("data"))
            .env("XDG_CONFIG_HOME", self.home.join("config"))
            .stdin(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<Ran, String> {
        let started = Instant::now();
        let mut child = self
            .command(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| format!("could not start {}: {e}", self.binary.display()))?;
        let watch = Watch::over(&child);
        let mut first = None;
        if let Some(output) = child.stdout.take() {
            let mut output = BufReader::new(output);
            let mut line = Vec::new();
            if output.read_until(b'\n', &mut line).map_err(|e| e.to_string())? > 0 {
                first = Some(started.elapsed());
            }
            output.read_to_end(&mut line).map_err(|e| e.to_string())?;
        }
        let status = child.wait().map_err(|e| format!("could not wait for the program: {e}"))?;
        let whole = started.elapsed();
        let peak_kb = watch.end();
        if !status.success() {
            return Err(format!("the program ended with {status}"));
        }
        Ok(Ran { first: first.unwrap_or(whole), whole, peak_kb })
    }

    /// What starting costs, and the size of the file.
    fn process(&self, repeats: usize) -> Result<(), String> {
        let size = fs::metadata(&self.binary).map_err(|e| e.to_string())?.len();
        row("binary size", &format!("{:.1} MB", megabytes(size)), "-");
        for argument in ["--version", "--help"] {
            let mut times = Vec::new();
            for _ in 0..repeats {
                times.push(millis(self.run(&[argument])?.whole));
            }
            row(
                &format!("`{argument}`, median of {repeats}"),
                &format!("{:.1} ms", quantile(&mut times, 0.5)),
                "-",
            );
        }
        Ok(())
    }

    /// Reads a folder into a new index; gives the index.
    fn ingest(&self, name: &str, folder: &Path) -> Result<PathBuf, String> {
        let index =
            self.home.join(format!("{}.db", name.replace(|c: char| !c.is_alphanumeric(), "-")));
        let arguments: [&OsStr; 4] =
            ["ingest".as_ref(), folder.as_ref(), "--index".as_ref(), index.as_ref()];
        let ran = self.run(&arguments)?;
        let bytes = folder_bytes(folder).map_err(|e| e.to_string())?;
        let size = fs::metadata(&index).map_err(|e| e.to_string())?.len();
        let peak = megabytes(ran.peak_kb * 1024);
        row(
            &format!("ingest of {name} ({:.1} MB), cold", megabytes(bytes)),
            &format!(
                "{:.1} s, {:.2} MB/s, peak {peak:.0} MB",
                ran.whole.as_secs_f64(),
                megabytes(bytes) / ran.whole.as_secs_f64()
            ),
            &format!(
                "index {:.1} MB, peak is {:.1} times it",
                megabytes(size),
                peak / megabytes(size)
            ),
        );
        Ok(index)
    }

    fn corpus(&self, folder: &Path, questions: &[String], repeats: usize) -> Result<(), String> {
        let folder = folder
            .canonicalize()
            .map_err(|e| format!("could not find {}: {e}", folder.display()))?;
        let name =
            folder.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        let index = self.ingest(&name, &folder)?;
        let (mut first, mut whole, mut peak) = (Vec::new(), Vec::new(), 0);
        for question in questions.iter().cycle().take(repeats.max(questions.len())) {
            let arguments: [&OsStr; 7] = [
                "ask".as_ref(),
                question.as_ref(),
                "--corpus".as_ref(),
                folder.as_ref(),
                "--index".as_ref(),
                index.as_ref(),
                "--jsonl".as_ref(),
            ];
            let ran = self.run(&arguments)?;
            first.push(millis(ran.first));
            whole.push(millis(ran.whole));
            peak = peak.max(ran.peak_kb);
        }
        let n = whole.len();
        row(
            &format!("`ask` of {name}, warm index: start to first event, p50 / p99 of {n}"),
            &middle_and_tail(&mut first),
            "`--version` above",
        );
        row(
            &format!("`ask` of {name}, warm index: start to exit, p50 / p99 of {n}"),
            &middle_and_tail(&mut whole),
            &format!("peak {:.0} MB", megabytes(peak * 1024)),
        );
        self.idle(&name, &folder)
    }

    /// What a server holds that has read a folder and is asked nothing.
    fn idle(&self, name: &str, folder: &Path) -> Result<(), String> {
        let failed = |cause: &dyn std::fmt::Display| format!("could not measure a server: {cause}");
        let free = TcpListener::bind(("127.0.0.1", 0)).map_err(|e| failed(&e))?;
        let address = free.local_addr().map_err(|e| failed(&e))?;
        drop(free);
        let listen = address.to_string();
        let arguments: [&OsStr; 5] = [
            "serve".as_ref(),
            "--listen".as_ref(),
            listen.as_ref(),
            "--corpus".as_ref(),
            folder.as_ref(),
        ];
        let mut child = self
            .command(&arguments)
            .stdout(Stdio::null())
            .spawn()
            .map_err(|e| format!("could not start {}: {e}", self.binary.display()))?;
        let started = Instant::now();
        while TcpStream::connect(address).is_err() && started.elapsed() < READY {
            thread::sleep(Duration::from_millis(10));
        }
        let ready = started.elapsed();
        thread::sleep(SETTLES);
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        // One that is gone already is told by its empty status.
        let _ = child.kill();
        let _ = child.wait();
        let held = |field| kilobytes(&status, field).map(|kb| megabytes(kb * 1024));
        match (held("VmRSS:"), held("VmHWM:")) {
            _ if ready >= READY => Err(failed(&"it did not listen in time")),
            (Some(rss), Some(most)) => {
                row(
                    &format!("`serve` of {name}: memory when nobody asks"),
                    &format!("{rss:.0} MB"),
                    &format!("at most {most:.0} MB; listening after {:.2} s", ready.as_secs_f64()),
                );
                Ok(())
            }
            _ => Err(failed(&"there is no /proc with its memory, or it ended by itself")),
        }
    }
}

/// How long a server may take to read its folder and listen.
const READY: Duration = Duration::from_mins(2);

/// How long it is left alone before it is looked at.
const SETTLES: Duration = Duration::from_secs(2);

/// Looks at a child's high-water mark of memory until it ends.
struct Watch {
    stop: Arc<AtomicBool>,
    peak: Arc<AtomicU64>,
    thread: thread::JoinHandle<()>,
}

impl Watch {
    fn over(child: &Child) -> Self {
        let file = format!("/proc/{}/status", child.id());
        let (stop, peak) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let (stop_seen, peak_seen) = (Arc::clone(&stop), Arc::clone(&peak));
        let thread = thread::spawn(move || {
            while !stop_seen.load(Ordering::Relaxed) {
                let status = fs::read_to_string(&file).unwrap_or_default();
                if let Some(kb) = high_water(&status) {
                    peak_seen.fetch_max(kb, Ordering::Relaxed);
                }
                thread::sleep(Duration::from_millis(2));
            }
        });
        Self { stop, peak, thread }
    }

    fn end(self) -> u64 {
        self.stop.store(true, Ordering::Relaxed);
        // A watcher that failed has seen what it has seen.
        let _ = self.thread.join();
        self.peak.load(Ordering::Relaxed)
    }
}

fn high_water(status: &str) -> Option<u64> {
    kilobytes(status, "VmHWM:")
}

/// A field of a process's status.
fn kilobytes(status: &str, field: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}

fn folder_bytes(folder: &Path) -> std::io::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let data = entry.metadata()?;
        bytes += if data.is_dir() { folder_bytes(&entry.path())? } else { data.len() };
    }
    Ok(bytes)
}

/// The same queries through the product and through its own full-text index alone, turn by turn.
async fn search(folder: &Path, index: &Path, searches: usize) -> Result<(), String> {
    let corpus = Corpus::open(index, folder, Some(builtin_vectors())).map_err(|e| e.to_string())?;
    let passages = corpus.overview().passages;
    let db = Connection::open_with_flags(index, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .map_err(|e| format!("could not open the index: {e}"))?;
    db.execute_batch("PRAGMA cache_size=-32000; PRAGMA temp_store=MEMORY;")
        .map_err(|e| e.to_string())?;
    let mut best = db
        .prepare(&format!(
            "SELECT rowid, bm25(passages_fts, 0.5, 1.0, 1.0) AS score FROM passages_fts
             WHERE passages_fts MATCH ?1 ORDER BY score LIMIT {HITS}"
        ))
        .map_err(|e| e.to_string())?;
    let mut words = Words::new(SEED + 1);
    let matrix = matrix(&db).map_err(|e| format!("could not read the vectors: {e}"))?;
    let (mut plain, mut wide, mut alone, mut scan) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for number in 0..WARM + searches {
        let query = words.query(4);
        let expression: Vec<String> = query.split(' ').map(|word| format!("\"{word}\"")).collect();
        let expression = expression.join(" OR ");
        let started = Instant::now();
        let found: Vec<i64> = best
            .query_map([&expression], |row| row.get(0))
            .and_then(Iterator::collect)
            .map_err(|e| e.to_string())?;
        let took = started.elapsed();
        std::hint::black_box(found);
        let mut request = SearchRequest {
            query,
            limit: HITS,
            per_source: 0,
            per_author: 0,
            expand: false,
            filter: SearchFilter::default(),
            outward: false,
            named: Vec::new(),
        };
        let row = matrix.get(number * STRIDE % matrix.len().max(1)).map_or(&[][..], Vec::as_slice);
        let started = Instant::now();
        std::hint::black_box(nearest(&matrix, row));
        let scanning = started.elapsed();
        let started = Instant::now();
        std::hint::black_box(corpus.search(&request).await.map_err(|e| e.to_string())?);
        let plainly = started.elapsed();
        request.expand = true;
        let started = Instant::now();
        std::hint::black_box(corpus.search(&request).await.map_err(|e| e.to_string())?);
        if number >= WARM {
            alone.push(millis(took));
            scan.push(millis(scanning));
            plain.push(millis(plainly));
            wide.push(millis(started.elapsed()));
        }
    }
    let ratio = |ours: &mut [f64], theirs: &mut [f64]| {
        format!(
            "{:.2} / {:.2} times",
            quantile(ours, 0.5) / quantile(theirs, 0.5),
            quantile(ours, 0.99) / quantile(theirs, 0.99)
        )
    };
    let base = format!(
        "FTS5 alone {}, scan of the vectors alone {}",
        middle_and_tail(&mut alone),
        middle_and_tail(&mut scan)
    );
    for (name, times) in
        [("fused", &mut plain), ("fused, with neighbour words (as a run asks)", &mut wide)]
    {
        row(
            &format!("search, {name}, {passages} passages, p50 / p99 of {searches}"),
            &middle_and_tail(times),
            &format!("{base}; {} FTS5", ratio(times, &mut alone)),
        );
    }
    Ok(())
}

/// The quantised vectors of an index, a row a passage.
fn matrix(db: &Connection) -> rusqlite::Result<Vec<Vec<i8>>> {
    db.prepare("SELECT bytes FROM vectors ORDER BY passage_n")?
        .query_map([], |row| {
            Ok(row.get_ref(0)?.as_blob()?.iter().map(|b| b.cast_signed()).collect())
        })?
        .collect()
}

/// The passages nearest to a vector by looking at every one: the plainest search by meaning.
fn nearest(matrix: &[Vec<i8>], query: &[i8]) -> Vec<(i32, usize)> {
    let mut scores: Vec<(i32, usize)> = matrix
        .iter()
        .map(|row| row.iter().zip(query).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum::<i32>())
        .zip(0..)
        .collect();
    let least = scores.len().saturating_sub(usize::from(HITS));
    if least > 0 {
        scores.select_nth_unstable(least);
    }
    let mut best = scores.split_off(least);
    best.sort_unstable();
    best
}

/// Time to put every paragraph of a folder into an FTS5 table, files read and paragraphs cut included.
fn fts5_insert(folder: &Path, file: &Path) -> Result<Duration, String> {
    let _ = fs::remove_file(file);
    let fault = |e: rusqlite::Error| format!("could not fill the baseline: {e}");
    let started = Instant::now();
    let mut db = Connection::open(file).map_err(fault)?;
    db.execute_batch(&format!(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-32000;
         CREATE VIRTUAL TABLE words USING fts5(body, content='', tokenize='{TOKENIZER}');"
    ))
    .map_err(fault)?;
    let change = db.transaction().map_err(fault)?;
    {
        let mut insert =
            change.prepare("INSERT INTO words(rowid, body) VALUES(?1, ?2)").map_err(fault)?;
        let mut number = 0_i64;
        for entry in fs::read_dir(folder).map_err(|e| e.to_string())? {
            let path = entry.map_err(|e| e.to_string())?.path();
            let text = fs::read_to_string(&path).map_err(|e| e.to_string())?;
            for paragraph in text.split("\n\n").filter(|text| !text.starts_with('#')) {
                number += 1;
                insert.execute(params![number, paragraph]).map_err(fault)?;
            }
        }
    }
    change.commit().map_err(fault)?;
    Ok(started.elapsed())
}

/// Seconds that tantivy takes for the same paragraphs, told by `scripts/bench_tantivy.py`.
fn tantivy_insert(python: &Path, folder: &Path, threads: usize) -> Result<f64, String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/bench_tantivy.py");
    let failed = |why: String| {
        format!(
            "could not run {} {}: {why}; way out: `pip install tantivy` there, or leave --tantivy out",
            python.display(),
            script.display()
        )
    };
    let ran = Command::new(python)
        .arg(&script)
        .arg(folder)
        .arg(threads.to_string())
        .output()
        .map_err(|e| failed(e.to_string()))?;
    let told = String::from_utf8_lossy(&ran.stdout);
    told.trim().parse().map_err(|_| failed(String::from_utf8_lossy(&ran.stderr).into_owned()))
}

/// Paragraphs of a generated document; each becomes a passage.
const PARAGRAPHS: usize = 20;
/// Paragraphs under one heading.
const SECTION: usize = 5;

/// Fills a folder with Markdown that has about so many passages; gives the bytes written.
pub(crate) fn write_documents(folder: &Path, passages: usize) -> Result<u64, String> {
    let failed = |e: std::io::Error| format!("could not write {}: {e}", folder.display());
    fs::create_dir_all(folder).map_err(failed)?;
    let mut words = Words::new(SEED);
    let mut bytes = 0;
    for number in 0..passages.div_ceil(PARAGRAPHS) {
        let text = words.document();
        bytes += text.len() as u64;
        let mut file =
            fs::File::create(folder.join(format!("document-{number:05}.md"))).map_err(failed)?;
        file.write_all(text.as_bytes()).map_err(failed)?;
    }
    Ok(bytes)
}

/// The words that stand between the others.
const SMALL: [&str; 30] = [
    "the", "of", "and", "to", "in", "a", "is", "that", "it", "for", "as", "with", "was", "on",
    "are", "by", "be", "this", "from", "or", "at", "which", "but", "have", "an", "had", "they",
    "not", "were", "all",
];

/// Text in an invented language: a few words are everywhere, most are rare, as in a real one.
pub(crate) struct Words {
    state: u64,
    vocabulary: Vec<String>,
}

impl Words {
    pub(crate) fn new(seed: u64) -> Self {
        // The language is one; the seed only chooses what is said in it.
        let mut this = Self { state: SEED, vocabulary: SMALL.map(str::to_owned).into() };
        while this.vocabulary.len() < VOCABULARY {
            let mut word = String::new();
            for _ in 0..2 + this.below(3) {
                word.push(char::from(b"bcdfghjklmnprstvz"[this.below(17)]));
                word.push(char::from(b"aeiou"[this.below(5)]));
            }
            if this.below(2) == 0 {
                word.push(char::from(b"lmnrst"[this.below(6)]));
            }
            this.vocabulary.push(word);
        }
        this.state = seed;
        this
    }

    /// The next number of SplitMix64.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// A place in the vocabulary; the n-th word is n times rarer than the first.
    fn place(&mut self) -> usize {
        let share = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        ((VOCABULARY as f64).powf(share) as usize).clamp(1, VOCABULARY) - 1
    }

    /// Words that say something, as often as the texts say them.
    pub(crate) fn query(&mut self, words: usize) -> String {
        let mut chosen: Vec<&str> = Vec::new();
        let mut places = Vec::new();
        while places.len() < words {
            let place = self.place();
            if place >= SMALL.len() && !places.contains(&place) {
                places.push(place);
            }
        }
        chosen.extend(
            places.iter().filter_map(|place| self.vocabulary.get(*place)).map(String::as_str),
        );
        chosen.join(" ")
    }

    fn sentence(&mut self, out: &mut String) {
        let length = 9 + self.below(10);
        for at in 0..length {
            let place = self.place();
            let Some(word) = self.vocabulary.get(place) else { continue };
            if at == 0 {
                let mut letters = word.chars();
                out.extend(letters.next().map(|c| c.to_ascii_uppercase()));
                out.push_str(letters.as_str());
            } else {
                out.push(' ');
                out.push_str(word);
            }
        }
        out.push_str(". ");
    }

    fn document(&mut self) -> String {
        let mut text = format!("# {}\n\n", self.query(3));
        for paragraph in 0..PARAGRAPHS {
            if paragraph % SECTION == 0 {
                let heading = self.query(2);
                let _ = write!(text, "## {heading}\n\n");
            }
            let start = text.len();
            while text.len() < start + 380 {
                self.sentence(&mut text);
            }
            text.truncate(text.trim_end().len());
            text.push_str("\n\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_says_the_same() {
        assert_eq!(Words::new(3).document(), Words::new(3).document());
        assert_ne!(Words::new(3).document(), Words::new(4).document());
        let query = Words::new(5).query(4);
        assert_eq!(query.split(' ').count(), 4);
        assert!(query.split(' ').all(|word| !SMALL.contains(&word)));
    }

    #[test]
    fn small_words_are_a_third_of_a_text() {
        let text = Words::new(1).document();
        let words: Vec<&str> = text.split_whitespace().collect();
        let small = words.iter().filter(|word| SMALL.contains(word)).count();
        assert!((0.2..0.45).contains(&(small as f64 / words.len() as f64)), "{small}");
    }

    #[test]
    fn the_scan_finds_what_is_nearest() {
        let matrix: Vec<Vec<i8>> = (0..30).map(|n| vec![n, 1]).collect();
        assert_eq!(nearest(&matrix, &[1, 0]).last(), Some(&(29, 29)));
        assert_eq!(nearest(&matrix, &[1, 0]).len(), usize::from(HITS));
        assert_eq!(nearest(&matrix[..2], &[1, 1]), [(1, 0), (2, 1)]);
    }

    #[test]
    fn quantiles_are_values_that_occurred() {
        let mut values: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        assert!((quantile(&mut values, 0.5) - 50.0).abs() < 1e-9);
        assert!((quantile(&mut values, 0.99) - 99.0).abs() < 1e-9);
        assert!((quantile(&mut [7.0], 0.5) - 7.0).abs() < 1e-9);
        assert!(quantile(&mut [], 0.5).is_nan());
    }

    #[test]
    fn the_high_water_mark_is_read() {
        assert_eq!(high_water("Name:\tx\nVmHWM:\t   1234 kB\nVmRSS:\t 1 kB\n"), Some(1234));
        assert_eq!(high_water("Name:\tx\n"), None);
        assert_eq!(kilobytes("VmHWM:\t 9 kB\nVmRSS:\t 1 kB\n", "VmRSS:"), Some(1));
    }
}
