//! Pages fetched and read a second on the loopback interface: by the product's own fetcher and reader, beside plain requests of the
//! same pages, reading alone and, where a Python has it, trafilatura.

use crate::injection::site::serve;
use crate::speed::Words;
use elenchus_io::web::page::{Hints, RawPage, read};
use elenchus_io::web::{Egress, FetchSettings, Fetched, Fetcher, Vouched, Voucher};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct PagesSpeedArgs {
    /// Pages.
    #[arg(long, default_value_t = 500)]
    pages: usize,
    /// Requests under way at once.
    #[arg(long, default_value_t = 4)]
    at_once: usize,
    /// A Python that has trafilatura, which fetches and reads the same pages, one after the other.
    #[arg(long)]
    python: Option<PathBuf>,
}

/// Paragraphs of a page.
const PARAGRAPHS: usize = 12;

pub(crate) async fn run(args: &PagesSpeedArgs) -> Result<ExitCode, String> {
    let serving = serve().await?;
    let mut words = Words::new(7);
    let mut addresses = Vec::with_capacity(args.pages);
    let mut bytes = 0;
    for n in 0..args.pages {
        let html = page(n, &mut words);
        bytes += html.len();
        serving.site.put(&format!("/page/{n}"), &html);
        addresses.push(format!("http://127.0.0.1:{}/page/{n}", serving.port));
    }
    let pages = addresses.len();
    println!("{pages} pages of {} bytes, {} at once", bytes / pages.max(1), args.at_once);
    let settings = FetchSettings {
        egress: Egress::Public,
        allow: vec![format!("127.0.0.1:{}", serving.port)],
        pause: Duration::ZERO,
        most_at_a_host: args.at_once,
        most_at_once: args.at_once,
        ..FetchSettings::default()
    };
    let fetcher = Fetcher::new(settings).map_err(|error| error.to_string())?;
    let addresses = Arc::new(addresses);

    let began = Instant::now();
    plainly(&addresses, serving.port, args.at_once).await?;
    let plain = show("plain requests, a connection each", pages, began.elapsed());
    let began = Instant::now();
    let fetched = all(&fetcher, &addresses, args.at_once, false).await?;
    let alone = show("fetched (checked, limited)", pages, began.elapsed());
    let began = Instant::now();
    for one in &fetched {
        std::hint::black_box(text_of(one)?);
    }
    show("read, one after the other", pages, began.elapsed());
    let began = Instant::now();
    all(&fetcher, &addresses, args.at_once, true).await?;
    let both = show("fetched and read", pages, began.elapsed());
    println!(
        "of the plain requests: fetched {:.2}, fetched and read {:.2}",
        alone / plain,
        both / plain
    );
    if let Some(python) = &args.python {
        let theirs =
            show("trafilatura and urllib, one after the other", pages, peer(python, &addresses)?);
        println!("times trafilatura: {:.1}", both / theirs);
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints and gives pages a second.
fn show(name: &str, pages: usize, took: Duration) -> f64 {
    let rate = pages as f64 / took.as_secs_f64().max(f64::EPSILON);
    println!("{name}: {rate:.0} pages a second");
    rate
}

/// A page like others: a menu, a headline, paragraphs, a table and a foot.
fn page(n: usize, words: &mut Words) -> String {
    let mut html = format!(
        "<!doctype html><html><head><title>Report {n}</title><meta name=\"author\" content=\"Ada Lund\"></head><body><nav><ul>"
    );
    for _ in 0..12 {
        let _ = write!(html, "<li><a href=\"/page/{n}\">{}</a></li>", words.query(2));
    }
    let _ = write!(html, "</ul></nav><main><h1>Report {n}</h1>");
    for _ in 0..PARAGRAPHS {
        let _ = write!(
            html,
            "<p>The {}. It was {} in 2019. Nobody {}.</p>",
            words.query(14),
            words.query(12),
            words.query(16)
        );
    }
    html.push_str("<table><tr><th>Year</th><th>Output</th></tr>");
    for year in 2015..2025 {
        let _ = write!(html, "<tr><td>{year}</td><td>{} MW</td></tr>", (n * 7 + year) % 900);
    }
    html.push_str("</table></main><footer><p>All rights reserved.</p></footer></body></html>");
    html
}

/// Fetches every page by so many workers; with `reading` each is read by the worker that fetched it.
async fn all(
    fetcher: &Fetcher,
    addresses: &Arc<Vec<String>>,
    workers: usize,
    reading: bool,
) -> Result<Vec<Fetched>, String> {
    let workers = workers.max(1);
    let mut working = JoinSet::new();
    for worker in 0..workers {
        let (fetcher, addresses) = (fetcher.clone(), Arc::clone(addresses));
        working.spawn(async move {
            let mut out = Vec::new();
            for address in addresses.iter().skip(worker).step_by(workers) {
                let wanted = Vouched::new(address, Voucher::User).map_err(|e| e.to_string())?;
                let fetched = fetcher.fetch(&wanted).await.map_err(|e| e.to_string())?;
                if reading {
                    std::hint::black_box(text_of(&fetched)?);
                }
                out.push(fetched);
            }
            Ok::<_, String>(out)
        });
    }
    let mut out = Vec::new();
    while let Some(ended) = working.join_next().await {
        out.extend(ended.map_err(|error| format!("a worker fell over: {error}"))??);
    }
    Ok(out)
}

fn text_of(fetched: &Fetched) -> Result<String, String> {
    let page = read(RawPage {
        url: &fetched.url,
        requested: &fetched.requested,
        content_type: fetched.content_type.as_deref(),
        last_modified: None,
        link: None,
        body: &fetched.body,
        retrieved_at: fetched.retrieved_at,
        via: &Voucher::User,
        hints: Hints::default(),
    });
    page.map(|page| page.document.text)
        .map_err(|error| format!("could not read {}: {error}", fetched.url))
}

/// The same pages without a client: a request is written, and what comes is read to its end.
async fn plainly(addresses: &Arc<Vec<String>>, port: u16, workers: usize) -> Result<(), String> {
    let workers = workers.max(1);
    let mut working = JoinSet::new();
    for worker in 0..workers {
        let addresses = Arc::clone(addresses);
        working.spawn(async move {
            for n in (worker..addresses.len()).step_by(workers) {
                let request = format!("GET /page/{n} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
                let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
                stream.write_all(request.as_bytes()).await?;
                let mut body = Vec::new();
                stream.read_to_end(&mut body).await?;
                if !body.starts_with(b"HTTP/1.1 200") {
                    return Err(std::io::Error::other(format!("page {n} is not there")));
                }
            }
            Ok::<(), std::io::Error>(())
        });
    }
    while let Some(ended) = working.join_next().await {
        ended
            .map_err(|error| format!("a worker fell over: {error}"))?
            .map_err(|error| format!("could not fetch a page plainly: {error}"))?;
    }
    Ok(())
}

/// Fetches the addresses that it is told, reads each, and says how long that took.
const PEER: &str = r"
import logging, sys, time, urllib.request
from trafilatura import extract
logging.disable(logging.CRITICAL)
addresses = sys.stdin.read().split()
start = time.perf_counter()
for address in addresses:
    extract(urllib.request.urlopen(address).read(), include_comments=False, include_tables=True)
print(time.perf_counter() - start)
";

fn peer(python: &Path, addresses: &[String]) -> Result<Duration, String> {
    let failed = |cause: &dyn std::fmt::Display| {
        format!(
            "could not run {} with trafilatura: {cause}; way out: `pip install trafilatura` there, or leave --python out",
            python.display()
        )
    };
    let mut child = Command::new(python)
        .args(["-c", PEER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| failed(&error))?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(addresses.join("\n").as_bytes()).map_err(|error| failed(&error))?;
    }
    let output = child.wait_with_output().map_err(|error| failed(&error))?;
    if !output.status.success() {
        return Err(failed(&output.status));
    }
    let said = String::from_utf8_lossy(&output.stdout);
    let seconds = said.trim().parse::<f64>().map_err(|error| failed(&error))?;
    Ok(Duration::from_secs_f64(seconds.max(0.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn every_page_is_fetched_and_read() {
        let args = PagesSpeedArgs { pages: 6, at_once: 2, python: None };
        assert!(run(&args).await.is_ok());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_is_read_is_the_text_without_the_menu() {
        let serving = serve().await.unwrap();
        serving.site.put("/page/0", &page(0, &mut Words::new(7)));
        let settings = FetchSettings {
            allow: vec![format!("127.0.0.1:{}", serving.port)],
            pause: Duration::ZERO,
            ..FetchSettings::default()
        };
        let fetcher = Fetcher::new(settings).unwrap();
        let address = format!("http://127.0.0.1:{}/page/0", serving.port);
        let fetched = all(&fetcher, &Arc::new(vec![address]), 1, true).await.unwrap();
        let text = text_of(&fetched[0]).unwrap();
        assert_eq!(text.matches(" in 2019.").count(), PARAGRAPHS);
        assert!(text.contains("Output"), "{text}");
    }
}
