//! Peers on the loopback interface, and names that lead where a test wants.

pub(crate) mod pdf;

use super::guard::Guard;
use super::resolve::{Looking, Lookup};
use super::{FetchFailure, FetchSettings, Fetched, Fetcher, Vouched, Voucher};
use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What a peer does with a request: bytes, then others again and again, then it closes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Play {
    pub(crate) bytes: Vec<u8>,
    pub(crate) again: Vec<u8>,
    pub(crate) times: usize,
    pub(crate) wait: Duration,
}

impl Play {
    /// An answer with its length.
    pub(crate) fn answer(status: u16, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Self {
        let headers: Vec<String> =
            headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let text = format!(
            "HTTP/1.1 {status} Play\r\nconnection: close\r\n{}content-length: {}\r\n\r\n",
            headers.concat(),
            body.as_ref().len()
        );
        Self::raw([text.as_bytes(), body.as_ref()].concat())
    }

    pub(crate) fn page(body: &str) -> Self {
        Self::answer(200, &[("content-type", "text/html; charset=utf-8")], body)
    }

    pub(crate) fn to(location: &str) -> Self {
        Self::answer(302, &[("location", location)], "")
    }

    pub(crate) fn raw(bytes: impl Into<Vec<u8>>) -> Self {
        Self { bytes: bytes.into(), ..Self::default() }
    }

    pub(crate) fn then(mut self, again: impl Into<Vec<u8>>, times: usize, wait: Duration) -> Self {
        (self.again, self.times, self.wait) = (again.into(), times, wait);
        self
    }
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// The request line and the headers.
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Seen {
    pub(crate) fn path(&self) -> &str {
        self.head.split(' ').nth(1).unwrap()
    }
}

#[derive(Debug, Default)]
struct Record {
    connections: AtomicUsize,
    under_way: AtomicUsize,
    most_under_way: AtomicUsize,
    seen: Mutex<Vec<Seen>>,
}

/// A server of one address.
pub(crate) struct Peer {
    pub(crate) at: SocketAddr,
    record: Arc<Record>,
    accepting: tokio::task::JoinHandle<()>,
}

impl Peer {
    pub(crate) async fn start(play: impl Fn(&str) -> Play + Send + Sync + 'static) -> Self {
        Self::at("127.0.0.1:0", play).await
    }

    /// A server whose `play` is given the path of each request.
    pub(crate) async fn at(
        address: &str,
        play: impl Fn(&str) -> Play + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        Self::on(listener, play)
    }

    fn on(listener: TcpListener, play: impl Fn(&str) -> Play + Send + Sync + 'static) -> Self {
        let at = listener.local_addr().unwrap();
        let (record, play) = (Arc::<Record>::default(), Arc::new(play));
        let log = Arc::clone(&record);
        let accepting = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                log.connections.fetch_add(1, Ordering::SeqCst);
                let (log, play) = (Arc::clone(&log), Arc::clone(&play));
                tokio::spawn(async move { serve(stream, &*play, &log).await });
            }
        });
        Self { at, record, accepting }
    }

    /// A stand-in for a public server at 127.0.0.9 and a canary at 127.0.0.1, at one port.
    pub(crate) async fn pair(play: impl Fn(&str) -> Play + Send + Sync + 'static) -> (Self, Self) {
        loop {
            let public = TcpListener::bind("127.0.0.9:0").await.unwrap();
            let port = public.local_addr().unwrap().port();
            if let Ok(private) = TcpListener::bind(("127.0.0.1", port)).await {
                return (Self::on(public, play), Self::on(private, |_| Play::page("private")));
            }
        }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.at)
    }

    pub(crate) fn connections(&self) -> usize {
        self.record.connections.load(Ordering::SeqCst)
    }

    /// The most requests that were answered at the same time.
    pub(crate) fn most_under_way(&self) -> usize {
        self.record.most_under_way.load(Ordering::SeqCst)
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.record.seen.lock().unwrap().clone()
    }

    pub(crate) fn paths(&self) -> Vec<String> {
        self.seen().iter().map(|seen| seen.path().to_owned()).collect()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn serve(
    mut stream: TcpStream,
    play: &(dyn Fn(&str) -> Play + Send + Sync),
    record: &Record,
) {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        match stream.read_buf(&mut bytes).await {
            Ok(read) if read > 0 => {}
            _ => return,
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let length = head.to_lowercase();
    let length = length.lines().find_map(|line| line.strip_prefix("content-length: "));
    let length: usize = length.map_or(0, |text| text.trim().parse().unwrap());
    let mut body = bytes.split_off(end + 4);
    let have = body.len();
    body.resize(length.max(have), 0);
    if stream.read_exact(&mut body[have..]).await.is_err() {
        return;
    }
    let seen = Seen { head, body };
    let play = play(seen.path());
    record.seen.lock().unwrap().push(seen);
    let under_way = record.under_way.fetch_add(1, Ordering::SeqCst) + 1;
    record.most_under_way.fetch_max(under_way, Ordering::SeqCst);
    let _ = write(&mut stream, &play).await;
    record.under_way.fetch_sub(1, Ordering::SeqCst);
    let _ = stream.shutdown().await;
}

async fn write(stream: &mut TcpStream, play: &Play) -> std::io::Result<()> {
    stream.write_all(&play.bytes).await?;
    for _ in 0..play.times {
        if !play.wait.is_zero() {
            tokio::time::sleep(play.wait).await;
        }
        stream.write_all(&play.again).await?;
    }
    Ok(())
}

/// Names with what they lead to: each look-up gets the next answer, in a circle. Other names have `rest`, or nothing.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) known: BTreeMap<String, Vec<Vec<IpAddr>>>,
    pub(crate) rest: Vec<IpAddr>,
    pub(crate) asked: AtomicUsize,
}

impl Names {
    pub(crate) fn of(known: &[(&str, &[&[&str]])]) -> Arc<Self> {
        let addresses = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect();
        let known = known.iter().map(|(name, answers)| {
            ((*name).to_owned(), answers.iter().map(|answer| addresses(answer)).collect())
        });
        Arc::new(Self { known: known.collect(), ..Self::default() })
    }

    pub(crate) fn all_at(addresses: &[&str]) -> Arc<Self> {
        let rest = addresses.iter().map(|text| text.parse().unwrap()).collect();
        Arc::new(Self { rest, ..Self::default() })
    }
}

impl Lookup for Names {
    fn addresses(&self, name: &str) -> Looking {
        let turn = self.asked.fetch_add(1, Ordering::SeqCst);
        let answers = self.known.get(name.trim_end_matches('.'));
        let answer = answers.map_or_else(|| self.rest.clone(), |all| all[turn % all.len()].clone());
        Box::pin(async move {
            if answer.is_empty() {
                return Err(std::io::Error::other("no such name"));
            }
            Ok(answer)
        })
    }
}

/// Settings for tests: these hosts allowed, no pauses, short waits.
pub(crate) fn settings(allow: &[&str]) -> FetchSettings {
    FetchSettings {
        allow: allow.iter().map(|&host| host.to_owned()).collect(),
        pause: Duration::ZERO,
        deadline: Duration::from_secs(10),
        connect: Duration::from_secs(2),
        ..FetchSettings::default()
    }
}

/// A fetcher with these names and the usual idea of what is public.
pub(crate) fn fetcher(settings: FetchSettings, names: &Arc<Names>) -> Fetcher {
    Fetcher::with_lookup(settings, Arc::clone(names) as Arc<dyn Lookup>).unwrap()
}

/// A fetcher for which 127.0.0.9 is the public internet, and nothing else is.
pub(crate) fn fetcher_of_the_little_world(settings: FetchSettings, names: &Arc<Names>) -> Fetcher {
    let guard = Guard::new(&settings).unwrap().judging(|address| {
        (address != IpAddr::from([127, 0, 0, 9])).then_some("not of the little world")
    });
    let lookup = Arc::clone(names) as Arc<dyn Lookup>;
    Fetcher::guarded(settings, guard, &lookup).unwrap()
}

pub(crate) fn user(url: &str) -> Vouched {
    Vouched::new(url, Voucher::User).unwrap()
}

pub(crate) fn found(url: &str) -> Vouched {
    Vouched::new(url, Voucher::Provider("searxng".to_owned())).unwrap()
}

pub(crate) async fn fetch(fetcher: &Fetcher, url: &str) -> Result<Fetched, FetchFailure> {
    fetcher.fetch(&user(url)).await
}

/// A file of the attack corpora, or a visible skip.
pub(crate) fn attacks(file: &str) -> Option<String> {
    let data = std::env::var_os("ELENCHUS_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let text = std::fs::read_to_string(data.join("attacks").join(file)).ok();
    if text.is_none() {
        println!("skip: no data: attacks/{file}; set ELENCHUS_DATA to the folder that holds it");
    }
    text
}

/// Runs an ignored test in a process of its own, with these variables, and returns what it printed.
pub(crate) async fn alone(test: &str, variables: &[(&str, String)]) -> String {
    let (_, name) = test.split_once("::").unwrap();
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args([name, "--exact", "--ignored", "--nocapture"]);
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    let output = tokio::task::spawn_blocking(move || command.output()).await.unwrap().unwrap();
    let said =
        [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned());
    assert!(output.status.success() && said[0].contains("1 passed"), "{}", said.concat());
    said[0].clone()
}
