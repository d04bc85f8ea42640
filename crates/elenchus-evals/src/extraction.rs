//! Text out of web pages against trafilatura's labelled pages, beside trafilatura on the same pages in the same run.
//!
//! A page has snippets that its text must hold and snippets that it must not hold; white space is squeezed before they are
//! looked for. The pages fall into two halves by a hash of their addresses: rules of ours were made by looking at the
//! first half only, so the second says how they do on pages that nobody looked at.

use elenchus_core::id::Timestamp;
use elenchus_io::web::Url;
use elenchus_io::web::Voucher;
use elenchus_io::web::page::{Hints, RawPage, read};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// Which pages are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Half {
    /// Those that may be looked at.
    Tuning,
    /// Those that may not.
    HeldOut,
    /// All.
    All,
}

pub(crate) struct Extraction {
    /// Holds `evaldata.json` and the folders `cache` and `eval`.
    pub(crate) data: PathBuf,
    pub(crate) half: Half,
    /// A Python that has trafilatura.
    pub(crate) python: Option<PathBuf>,
    /// Print what was missed, of the tuning half only.
    pub(crate) wrong: bool,
    /// Times every page is read for the speed; the fastest counts.
    pub(crate) repeats: usize,
    /// Write our texts there, a file a page.
    pub(crate) texts: Option<PathBuf>,
}

/// The labels of a page.
#[derive(Deserialize)]
struct Labels {
    file: String,
    with: Vec<String>,
    without: Vec<String>,
}

struct LabelledPage {
    url: String,
    labels: Labels,
    bytes: Vec<u8>,
}

#[derive(Clone, Copy, Default)]
struct Counts {
    kept: usize,
    lost: usize,
    intruded: usize,
    barred: usize,
}

impl Counts {
    fn add(&mut self, labels: &Labels, text: &str) {
        let text = squeezed(text);
        let held = |snippets: &[String]| {
            snippets.iter().filter(|snippet| text.contains(&squeezed(snippet))).count()
        };
        let (kept, intruded) = (held(&labels.with), held(&labels.without));
        self.kept += kept;
        self.lost += labels.with.len() - kept;
        self.intruded += intruded;
        self.barred += labels.without.len() - intruded;
    }

    fn line(self) -> String {
        let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
        let all = self.kept + self.lost + self.intruded + self.barred;
        format!(
            "precision {:.3}  recall {:.3}  accuracy {:.3}  F1 {:.4}  (kept {}, lost {}, let in {}, kept out {})",
            share(self.kept, self.kept + self.intruded),
            share(self.kept, self.kept + self.lost),
            share(self.kept + self.barred, all),
            share(2 * self.kept, 2 * self.kept + self.intruded + self.lost),
            self.kept,
            self.lost,
            self.intruded,
            self.barred,
        )
    }
}

/// Single spaces, and no soft hyphens: they are marks of where a word may break, and Elenchus drops them.
fn squeezed(text: &str) -> String {
    text.replace('\u{ad}', "").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_held_out(url: &str) -> bool {
    Sha256::digest(url.as_bytes())[0] & 1 == 1
}

fn pages(data: &Path, half: Half) -> Result<Vec<LabelledPage>, String> {
    let path = data.join("evaldata.json");
    let text = std::fs::read_to_string(&path)
        .map_err(|error| format!("could not read {}: {error}", path.display()))?;
    let labels: BTreeMap<String, Labels> = serde_json::from_str(&text)
        .map_err(|error| format!("could not read {}: {error}", path.display()))?;
    let wanted = |url: &str| match half {
        Half::All => true,
        Half::HeldOut => is_held_out(url),
        Half::Tuning => !is_held_out(url),
    };
    labels
        .into_iter()
        .filter(|(url, _)| wanted(url))
        .map(|(url, labels)| {
            let places = ["cache", "eval"].map(|folder| data.join(folder).join(&labels.file));
            let bytes = places
                .iter()
                .find_map(|place| std::fs::read(place).ok())
                .ok_or_else(|| format!("could not find the page {}", labels.file))?;
            Ok(LabelledPage { url, labels, bytes })
        })
        .collect()
}

fn ours(page: &LabelledPage) -> Result<(String, usize), String> {
    let url = Url::parse(&page.url).map_err(|error| error.to_string())?;
    let read = read(RawPage {
        url: &url,
        requested: &url,
        content_type: Some("text/html"),
        last_modified: None,
        link: None,
        body: &page.bytes,
        retrieved_at: Timestamp(0),
        via: &Voucher::User,
        hints: Hints::default(),
    });
    read.map(|page| (page.document.text, page.hidden.characters)).map_err(|error| error.to_string())
}

/// Reads page after page with trafilatura's settings for comparisons, the fastest of several times.
const PEER: &str = r"
import importlib.metadata, json, sys, time
from trafilatura import extract
import logging
logging.disable(logging.CRITICAL)
repeats = int(sys.argv[1])
options = dict(include_comments=False, include_tables=True, include_formatting=False)
print(json.dumps({'version': importlib.metadata.version('trafilatura')}), flush=True)
for line in sys.stdin:
    path = json.loads(line)
    body = open(path, 'rb').read()
    for fast in (False, True):
        best, text = None, None
        for _ in range(repeats):
            start = time.perf_counter()
            try:
                text = extract(body, fast=fast, **options)
            except Exception:
                text = None
            spent = time.perf_counter() - start
            best = spent if best is None else min(best, spent)
        print(json.dumps({'fast': fast, 'text': text or '', 'seconds': best}), flush=True)
";

#[derive(Deserialize)]
struct PeerVersion {
    version: String,
}

#[derive(Deserialize)]
struct PeerPage {
    fast: bool,
    text: String,
    seconds: f64,
}

struct Peer {
    version: String,
    /// With its fallbacks, then without.
    counts: [Counts; 2],
    seconds: [f64; 2],
}

fn peer(
    python: &Path,
    data: &Path,
    pages: &[LabelledPage],
    repeats: usize,
) -> Result<Peer, String> {
    let failed = |error: std::io::Error| format!("could not run {}: {error}", python.display());
    let mut child = Command::new(python)
        .args(["-c", PEER, &repeats.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let mut stdin = child.stdin.take().ok_or("the program has no standard input")?;
    let paths: Vec<String> = pages
        .iter()
        .filter_map(|page| {
            let place = ["cache", "eval"]
                .map(|folder| data.join(folder).join(&page.labels.file))
                .into_iter()
                .find(|place| place.is_file())?;
            serde_json::to_string(&place).ok()
        })
        .collect();
    let writer = std::thread::spawn(move || {
        for path in paths {
            if writeln!(stdin, "{path}").is_err() {
                return;
            }
        }
    });
    let output = child.wait_with_output().map_err(failed)?;
    let _ = writer.join();
    let text = String::from_utf8_lossy(&output.stdout);
    let mut lines = text.lines();
    let bad =
        |error: serde_json::Error| format!("could not read the reply of trafilatura: {error}");
    let version: PeerVersion =
        serde_json::from_str(lines.next().ok_or("trafilatura said nothing; is it installed?")?)
            .map_err(bad)?;
    let mut peer =
        Peer { version: version.version, counts: [Counts::default(); 2], seconds: [0.0; 2] };
    let replies: Vec<PeerPage> =
        lines.map(serde_json::from_str).collect::<Result<_, _>>().map_err(bad)?;
    if replies.len() != 2 * pages.len() {
        return Err(format!("trafilatura read {} of {} pages", replies.len() / 2, pages.len()));
    }
    for (place, reply) in replies.iter().enumerate() {
        let way = usize::from(reply.fast);
        peer.counts[way].add(&pages[place / 2].labels, &reply.text);
        peer.seconds[way] += reply.seconds;
    }
    Ok(peer)
}

pub(crate) fn run(asked: &Extraction) -> Result<ExitCode, String> {
    let pages = pages(&asked.data, asked.half)?;
    let mut counts = Counts::default();
    let (mut spent, mut unread, mut flagged, mut bytes) = (Duration::ZERO, 0, 0, 0_usize);
    for page in &pages {
        bytes += page.bytes.len();
        let mut best = Duration::MAX;
        let mut result = Err(String::new());
        for _ in 0..asked.repeats.max(1) {
            let start = Instant::now();
            result = ours(page);
            best = best.min(start.elapsed());
        }
        spent += best;
        let text = match result {
            Ok((text, hidden)) => {
                flagged += usize::from(hidden > 0);
                text
            }
            Err(_) => {
                unread += 1;
                String::new()
            }
        };
        counts.add(&page.labels, &text);
        if asked.wrong && !is_held_out(&page.url) {
            tell_wrong(page, &text);
        }
        if let Some(folder) = &asked.texts {
            let path = folder.join(format!("{}.md", page.labels.file));
            std::fs::write(&path, &text)
                .map_err(|error| format!("could not write {}: {error}", path.display()))?;
        }
    }
    let speed = |seconds: f64| pages.len() as f64 / seconds.max(1e-9);
    println!("pages: {} ({:?}), {:.1} MB", pages.len(), asked.half, bytes as f64 / 1e6);
    println!("elenchus:            {}", counts.line());
    println!(
        "  {:.0} pages a second on one thread; {unread} pages not read; {flagged} with hidden words",
        speed(spent.as_secs_f64())
    );
    if let Some(python) = &asked.python {
        let peer = peer(python, &asked.data, &pages, asked.repeats.max(1))?;
        for (way, name) in ["standard", "fast"].into_iter().enumerate() {
            println!("trafilatura {} ({name}): {}", peer.version, peer.counts[way].line());
            println!(
                "  {:.0} pages a second on one thread; elenchus reads {:.1} times as many",
                speed(peer.seconds[way]),
                peer.seconds[way] / spent.as_secs_f64().max(1e-9)
            );
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn tell_wrong(page: &LabelledPage, text: &str) {
    let text = squeezed(text);
    let lost: Vec<&String> =
        page.labels.with.iter().filter(|snippet| !text.contains(&squeezed(snippet))).collect();
    let intruded: Vec<&String> =
        page.labels.without.iter().filter(|snippet| text.contains(&squeezed(snippet))).collect();
    if lost.is_empty() && intruded.is_empty() {
        return;
    }
    println!("{} ({} characters)", page.labels.file, text.chars().count());
    for snippet in lost {
        println!("  - {snippet}");
    }
    for snippet in intruded {
        println!("  + {snippet}");
    }
}
