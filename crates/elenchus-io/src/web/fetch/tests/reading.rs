//! Bodies that came within the limits and want to fill the memory when they are read.

use super::bombs::growth;
use super::*;
use crate::web::page::{Hints, RawPage, read};
use crate::web::testing::pdf::{drawn, packed, pdf, stream, table};
use std::io::{Cursor, Write};
use std::time::Instant;
use zip::write::SimpleFileOptions;

fn spaces(megabytes: usize) -> Vec<u8> {
    packed(&vec![b' '; megabytes << 20])
}

/// A page whose font has this table of codes.
fn coded(codes: &str) -> Vec<u8> {
    let font = "<</Font<</F<</Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>>>>>";
    drawn("/F 9 Tf (a) Tj", font, &[stream("", codes.as_bytes())])
}

/// One object beside a page that is whole.
fn beside(object: Vec<u8>) -> Vec<u8> {
    drawn("", "<<>>", &[object])
}

/// A table of objects that is itself a stream of this dictionary.
fn tabled(dict: &str, data: &[u8]) -> Vec<u8> {
    let mut file = b"%PDF-1.5\n1 0 obj\n".to_vec();
    file.extend(stream(&format!("/Type/XRef/Root 1 0 R{dict}"), data));
    file.extend(b"\nendobj\nstartxref\n9\n%%EOF\n");
    file
}

/// One object of a megabyte, a thousand times.
fn again_and_again() -> Vec<u8> {
    let mut file = b"%PDF-1.5\n1 0 obj\n".to_vec();
    file.extend(stream("", &vec![b'x'; 1 << 20]));
    file.extend(b"\nendobj\n");
    table(file, &[9; 1_000])
}

fn docx(megabytes: usize) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    archive.start_file("word/document.xml", SimpleFileOptions::default()).unwrap();
    archive.write_all(&vec![b' '; megabytes << 20]).unwrap();
    archive.finish().unwrap().into_inner()
}

/// What stands before what fills the memory of a page.
const SEEN: &[u8] = b"<p>The lamp was lit at nine. ";

/// An attack: its name, content type and body, and what is said of it; nothing where the page is read all the same.
type Attack = (&'static str, &'static str, Vec<u8>, Option<&'static str>);

fn attacks_of_pdf() -> Vec<Attack> {
    let (flate, nine) = ("/Filter/FlateDecode", spaces(9));
    let too_much = "unpacks to more than";
    let undrawn = "none of its pages could be decoded";
    let row = format!("{flate}/DecodeParms<</Predictor 12/Colu#6dns 99999999999>>");
    let objects = format!("{flate}/Type/ObjStm/N 1/First 4");
    let overlapping = "10 0 ".repeat(20_000) + "[" + &"0 ".repeat(100_000) + "]";
    let next = |next: u32| {
        let dict = format!("/Subtype/Form/Resources<</XObject<</A {next} 0 R>>>>");
        stream(&dict, b"/A Do /A Do")
    };
    let doubled: Vec<Vec<u8>> = (7..37).map(next).collect();
    let ring: [Vec<u8>; 2] =
        [b"<</Type/Page/Parent 3 0 R/Contents 4 0 R>>".to_vec(), stream("", b"q Q")];
    let range = "1 beginbfrange <00000000> <ffffffff> <0000> endbfrange";
    [
        ("operators, a thousand to one", beside(stream(flate, &nine)), too_much),
        (
            "operators packed twice",
            beside(stream("/Filter[/FlateDecode/FlateDecode]", &packed(&nine))),
            too_much,
        ),
        ("objects, a thousand to one", beside(stream(&objects, &nine)), too_much),
        (
            "a table of objects, a thousand to one",
            tabled(&format!("{flate}/Size 9/W[1 2 1]"), &nine),
            too_much,
        ),
        ("one object a thousand times", again_and_again(), too_much),
        (
            "objects within one another",
            beside(stream("/Type/ObjStm/N 20000/First 100000", overlapping.as_bytes())),
            "overlap",
        ),
        ("a row of gigabytes", beside(stream(&row, &spaces(1))), "larger than any"),
        ("columns of no width", tabled("/Size 4294967295/W[0 0 0]", b""), "no width"),
        ("columns of any width", tabled("/Size 9/W[1 9000000000000000 1]", b""), "no width"),
        (
            "a form that draws itself",
            drawn(
                "/X Do",
                "<</XObject<</X 6 0 R>>>>",
                &[stream("/Subtype/Form/Resources 5 0 R", b"/X Do")],
            ),
            undrawn,
        ),
        (
            "forms that double each other",
            drawn("/A Do", "<</XObject<</A 6 0 R>>>>", &doubled),
            undrawn,
        ),
        ("a page above itself", pdf(&ring), undrawn),
        ("states without end", drawn(&"q ".repeat(100_000), "<<>>", &[]), undrawn),
        ("a range of four billion codes", coded(range), undrawn),
        ("a tower of brackets", coded(&"(".repeat(200_000)), undrawn),
    ]
    .map(|(name, body, said)| (name, "application/pdf", body, Some(said)))
    .into()
}

fn attacks() -> Vec<Attack> {
    let html = "text/html; charset=utf-8";
    let word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    // What every change tries is small; the night tries as much as a page may be.
    let most = if std::env::var_os("ELENCHUS_NIGHTLY").is_some() { 8 << 20 } else { 30 << 10 };
    let flood = |before: &str, tag: &str| {
        [SEEN, before.as_bytes(), tag.repeat(most / tag.len()).as_bytes()].concat()
    };
    // Each is open again in every paragraph.
    let fonts = (0..500).fold(String::new(), |all, n| all + "<font a=" + &n.to_string() + ">");
    let mut attacks = attacks_of_pdf();
    attacks.extend([
        ("a Word file, a thousand to one", word, docx(9), Some("unpacks to more than 8 MB")),
        ("tags without end", html, flood("", "<p>"), None),
        ("tags with attributes", html, flood("", "<p a b c d e f g h>"), None),
        ("what every paragraph repeats", html, flood(&fonts, "<p>The lamp was lit. "), None),
        ("attributes without end", html, flood("<p ", "a b c d e f g h "), None),
        ("a tower of tags", html, flood("", "<div>"), None),
    ]);
    attacks
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "is run by the test below, in a process whose memory is its own"]
async fn each_hostile_body() {
    let url = Url::parse("https://a.example/x").unwrap();
    let (attacks, mut highest) = (attacks(), 0);
    let count = attacks.len();
    for (name, kind, body, refusal) in attacks {
        let begun = Instant::now();
        let raw = RawPage {
            url: &url,
            requested: &url,
            content_type: Some(kind),
            last_modified: None,
            link: None,
            body: &body,
            retrieved_at: Timestamp(7),
            via: &Voucher::User,
            hints: Hints::default(),
        };
        let (outcome, grown) = growth(async { read(raw) }).await;
        let took = begun.elapsed();
        println!("{name}: {} KiB, {} ms", grown >> 10, took.as_millis());
        highest = highest.max(grown);
        assert!(grown <= 64 << 20, "{name}: {grown} bytes");
        assert!(took < Duration::from_secs(30), "{name}: {took:?}");
        let said = outcome.map_or_else(|error| error.to_string(), |page| page.document.text);
        assert!(said.contains(refusal.unwrap_or("lamp was lit")), "{name}: {said:.200}");
    }
    println!("bodies: {count} cases, memory grew by {} KiB at most", highest >> 10);
}

#[tokio::test]
#[cfg_attr(not(target_os = "linux"), ignore = "reads /proc")]
async fn hostile_bodies_are_read_in_little_memory() {
    let said = alone(concat!(module_path!(), "::each_hostile_body"), &[]).await;
    println!("{}", said.lines().find(|line| line.starts_with("bodies: ")).unwrap());
}
