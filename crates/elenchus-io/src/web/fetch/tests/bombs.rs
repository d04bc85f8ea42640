//! Answers that want to fill the memory or never end: each stops at its limit, and the memory with it.

use super::*;
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// How an answer has to end.
enum End {
    Read(usize),
    TooLarge(&'static str),
    Encoding(&'static str),
    Cut,
    TimedOut,
    Broken,
}

const WHOLE: Duration = Duration::from_secs(1);
const FOREVER: usize = usize::MAX;
const NO_WAIT: Duration = Duration::ZERO;
const DRIP: Duration = Duration::from_millis(20);

/// Sixty-four million zeros, packed a thousand to one.
fn zeros<W: Write>(mut packer: W, megabytes: usize) -> W {
    let zeros = vec![0_u8; 1 << 20];
    for _ in 0..megabytes {
        packer.write_all(&zeros).unwrap();
    }
    packer
}

fn gzip(megabytes: usize) -> Vec<u8> {
    zeros(GzEncoder::new(Vec::new(), Compression::best()), megabytes).finish().unwrap()
}

fn gzip_of(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

fn packed(encoding: &str, body: impl AsRef<[u8]>) -> Play {
    Play::answer(200, &[("content-encoding", encoding)], body)
}

fn head(headers: &str) -> String {
    format!("HTTP/1.1 200 Play\r\nconnection: close\r\n{headers}")
}

fn with_length(length: &str, body: &str) -> Play {
    Play::raw(head(&format!("content-length: {length}\r\n\r\n{body}")))
}

fn chunked(rest: &str) -> Play {
    Play::raw(head(&format!("transfer-encoding: chunked\r\n\r\n{rest}")))
}

/// The attacks, by name.
fn attacks() -> Vec<(&'static str, Play, End)> {
    let block = "x".repeat(16 << 10);
    let chunk = format!("4000\r\n{block}\r\n");
    let one = "a bit of bread and no cheese";
    let mut bad_sum = gzip_of(one.as_bytes());
    let sum = bad_sum.len() - 6;
    bad_sum[sum] ^= 1;
    let half = gzip_of(block.as_bytes());
    let half = &half[..half.len() / 2];
    let long_name = [&[0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3][..], b"name"].concat();
    let gzip_head = head("content-encoding: gzip\r\n\r\n");
    vec![
        ("gzip, a thousand to one", packed("gzip", gzip(64)), End::TooLarge("100 times")),
        (
            "zlib, a thousand to one",
            packed(
                "deflate",
                zeros(ZlibEncoder::new(Vec::new(), Compression::best()), 64).finish().unwrap(),
            ),
            End::TooLarge("100 times"),
        ),
        (
            "bare deflate, a thousand to one",
            packed(
                "deflate",
                zeros(DeflateEncoder::new(Vec::new(), Compression::best()), 64).finish().unwrap(),
            ),
            End::TooLarge("100 times"),
        ),
        (
            "gzip members without end",
            Play::raw(gzip_head.clone()).then(gzip(1), FOREVER, NO_WAIT),
            End::TooLarge("100 times"),
        ),
        (
            "gzip, many empty members",
            Play::raw(gzip_head.clone()).then(gzip_of(b""), 100_000, NO_WAIT),
            End::Encoding("members"),
        ),
        (
            "gzip, a name without end",
            Play::raw([gzip_head.as_bytes(), &long_name].concat()).then(
                block.clone(),
                FOREVER,
                NO_WAIT,
            ),
            End::Encoding("gzip"),
        ),
        (
            "gzip within gzip, told",
            packed("gzip, gzip", gzip_of(&gzip(8))),
            End::Encoding("2 times over"),
        ),
        (
            "gzip within gzip, told on two lines",
            Play::answer(
                200,
                &[("content-encoding", "gzip"), ("content-encoding", "gzip")],
                gzip_of(&gzip(8)),
            ),
            End::Encoding("2 times over"),
        ),
        ("gzip within gzip, untold", packed("gzip", gzip_of(&gzip(8))), End::Read(gzip(8).len())),
        ("deflate within gzip", packed("deflate,gzip", gzip(8)), End::Encoding("2 times over")),
        ("brotli, not asked for", packed("br", one), End::Encoding("\"br\"")),
        ("zstd, not asked for", packed("zstd", one), End::Encoding("\"zstd\"")),
        ("gzip that is none", packed("gzip", one), End::Encoding("cannot be unpacked")),
        ("gzip with a wrong sum", packed("gzip", bad_sum), End::Encoding("cannot be unpacked")),
        ("gzip cut in the middle", packed("gzip", half), End::Cut),
        (
            "gzip with padding",
            packed("gzip", [gzip_of(one.as_bytes()), vec![0; 5_000]].concat()),
            End::Read(one.len()),
        ),
        (
            "chunks without end",
            chunked("").then(chunk.clone(), FOREVER, NO_WAIT),
            End::TooLarge("8388608 bytes"),
        ),
        (
            "a body without end",
            Play::raw(head("\r\n")).then(block.clone(), FOREVER, NO_WAIT),
            End::TooLarge("8388608 bytes"),
        ),
        (
            "ten gigabytes announced",
            with_length("10737418240", one),
            End::TooLarge("8388608 bytes"),
        ),
        (
            "an attribute of ten megabytes",
            Play::raw(head("\r\n<a title='")).then(block.clone(), 640, NO_WAIT),
            End::TooLarge("8388608 bytes"),
        ),
        (
            "a million nested tags",
            Play::raw(head("\r\n")).then("<div>".repeat(1_000), 1_000, NO_WAIT),
            End::Read(5_000_000),
        ),
        ("a body drop by drop", Play::raw(head("\r\n")).then("x", FOREVER, DRIP), End::TimedOut),
        (
            "gzip drop by drop",
            Play::raw(gzip_head).then(vec![0x1f], FOREVER, DRIP),
            End::Encoding("gzip"),
        ),
        (
            "a head drop by drop",
            Play::raw("HTTP/1.1 200 Play\r\nx: ").then("x", FOREVER, DRIP),
            End::TimedOut,
        ),
        ("silence", Play::raw("").then("", FOREVER, DRIP), End::TimedOut),
        (
            "interim answers without end",
            Play::raw("").then("HTTP/1.1 102 Wait\r\n\r\n", FOREVER, NO_WAIT),
            End::TimedOut,
        ),
        (
            "a header of five megabytes",
            Play::raw("HTTP/1.1 200 Play\r\nx: ").then(block.clone(), 320, NO_WAIT),
            End::TooLarge("headers"),
        ),
        (
            "headers without end",
            Play::raw("HTTP/1.1 200 Play\r\n").then(
                format!("x: {}\r\n", &block[..1_000]),
                FOREVER,
                NO_WAIT,
            ),
            End::TooLarge("headers"),
        ),
        (
            "ten thousand headers",
            Play::raw(head(&format!("{}\r\n{one}", "x: y\r\n".repeat(10_000)))),
            End::TooLarge("headers"),
        ),
        (
            "a hundred kilobytes of headers",
            Play::raw(head(&format!(
                "{}\r\n{one}",
                format!("x: {}\r\n", &block[..1_000]).repeat(100)
            ))),
            End::TooLarge("65536 bytes"),
        ),
        (
            "trailers without end",
            chunked("4\r\nabcd\r\n0\r\n").then(format!("x: {block}\r\n"), FOREVER, NO_WAIT),
            End::Cut,
        ),
        (
            "a chunk's extension without end",
            chunked("4;x=").then(block, FOREVER, NO_WAIT),
            End::Cut,
        ),
        (
            "a chunk of all memory there is",
            chunked("ffffffffffffffff\r\n").then("x", 10, NO_WAIT),
            End::Cut,
        ),
        ("chunks without their last", chunked(&chunk), End::Cut),
        ("a length that is too long", with_length("1000", one), End::Cut),
        ("a length that is too short", with_length("5", one), End::Read(5)),
        (
            "two lengths",
            Play::raw(head("content-length: 5\r\ncontent-length: 9\r\n\r\nabcdefghi")),
            End::Broken,
        ),
        ("a negative length", with_length("-5", one), End::Broken),
        (
            "no HTTP at all",
            Play::raw("220 smtp.example.org ESMTP\r\n").then("x", 5, NO_WAIT),
            End::Broken,
        ),
    ]
}

/// Resident memory of this process, in bytes.
fn resident() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    pages.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4_096
}

/// Runs `work` while another thread looks at the memory; returns the most that it grew.
pub(super) async fn growth<T>(work: impl Future<Output = T>) -> (T, usize) {
    let (before, done) = (resident(), Arc::new(AtomicBool::new(false)));
    let most = Arc::new(AtomicUsize::new(before));
    let (stop, peak) = (Arc::clone(&done), Arc::clone(&most));
    let looking = std::thread::spawn(move || {
        while !stop.load(Ordering::SeqCst) {
            peak.fetch_max(resident(), Ordering::SeqCst);
            std::thread::sleep(Duration::from_micros(500));
        }
    });
    let outcome = work.await;
    most.fetch_max(resident(), Ordering::SeqCst);
    done.store(true, Ordering::SeqCst);
    looking.join().unwrap();
    (outcome, most.load(Ordering::SeqCst) - before)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "is run by the test below, in a process whose memory is its own"]
async fn each_bomb() {
    let mut plays: Vec<Play> = Vec::new();
    let mut cases = Vec::new();
    for (name, play, end) in attacks() {
        plays.push(play);
        cases.push((name, end));
    }
    let peer = Peer::start(move |path| plays[path[1..].parse::<usize>().unwrap()].clone()).await;
    let settings = FetchSettings { deadline: WHOLE, ..settings(&[&peer.at.to_string()]) };
    let fetcher = fetcher(settings, &Names::of(&[]));
    let (resident_at_first, mut most) = (resident(), 0);
    let mut highest = resident_at_first;
    for (place, (name, end)) in cases.iter().enumerate() {
        let (begun, before) = (Instant::now(), resident());
        let (outcome, grown) = growth(fetch(&fetcher, &peer.url(&format!("/{place}")))).await;
        let took = begun.elapsed();
        println!("{name}: {} KiB, {} ms", grown >> 10, took.as_millis());
        most = most.max(grown);
        highest = highest.max(before + grown);
        assert!(grown <= 64 << 20, "{name}: {grown} bytes");
        assert!(took < WHOLE + Duration::from_secs(2), "{name}: {took:?}");
        let said = outcome.as_ref().err().map(ToString::to_string).unwrap_or_default();
        let right = match (end, &outcome) {
            (End::Read(length), Ok(page)) => page.body.len() == *length,
            (End::TooLarge(word), Err(FetchFailure::TooLarge { .. }))
            | (End::Encoding(word), Err(FetchFailure::Encoding { .. })) => said.contains(word),
            (End::Cut, Err(FetchFailure::Cut { .. }))
            | (End::TimedOut, Err(FetchFailure::TimedOut { .. }))
            | (End::Broken, Err(FetchFailure::Unreachable { .. })) => true,
            _ => false,
        };
        assert!(right, "{name}: {outcome:?}");
    }
    // Freed memory is used again, so that a case alone may show less than it took: the whole counts too.
    let whole = highest - resident_at_first;
    assert!(whole <= 64 << 20, "{whole} bytes");
    println!(
        "bombs: {} cases, memory grew by {} KiB at most, by {} KiB over all",
        cases.len(),
        most >> 10,
        whole >> 10
    );
}

#[tokio::test]
#[cfg_attr(not(target_os = "linux"), ignore = "reads /proc")]
async fn bombs_stop_at_their_limits_and_the_memory_stays_small() {
    let said = alone(concat!(module_path!(), "::each_bomb"), &[]).await;
    let summary = said.lines().find(|line| line.starts_with("bombs: ")).unwrap();
    println!("{summary}");
    assert!(attacks().len() >= 24);
}

#[tokio::test]
async fn an_honest_page_may_pack_well() {
    // Half a megabyte of nothing is no bomb, nor is prose that repeats itself.
    let quiet = vec![b' '; 512 << 10];
    let prose = "The baker bakes, the miller mills, and neither sings. ".repeat(500);
    let (first, second) = (quiet.clone(), prose.clone());
    let peer = Peer::start(move |path| match path {
        "/quiet" => packed("gzip", gzip_of(&first)),
        _ => packed("X-GZIP", gzip_of(second.as_bytes())),
    })
    .await;
    let fetcher = reaching(&[&peer]);
    assert_eq!(fetch(&fetcher, &peer.url("/quiet")).await.unwrap().body, quiet);
    assert_eq!(fetch(&fetcher, &peer.url("/prose")).await.unwrap().body, prose.as_bytes());
}
