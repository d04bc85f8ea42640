//! Every file format from real bytes, whole and damaged.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use crate::ingest::{corpus, now, put, reason, search};
use elenchus_core::evidence::char_slice;
use elenchus_core::id::PassageId;
use elenchus_core::port::Retriever;
use elenchus_io::ingest::{Format, ingest};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use proptest::prelude::*;
use std::fmt::Write as _;
use std::io::Write as _;
use tempfile::TempDir;
use zip::write::SimpleFileOptions;

/// A PDF of one font with one page a text; `trailer` goes into the trailer dictionary.
fn pdf(pages: &[&str], trailer: &str) -> Vec<u8> {
    let mut objects = vec!["<</Type/Catalog/Pages 2 0 R>>".to_owned()];
    let kids: Vec<String> = (0..pages.len()).map(|page| format!("{} 0 R", 4 + 2 * page)).collect();
    objects.push(format!("<</Type/Pages/Count {}/Kids[{}]>>", pages.len(), kids.join(" ")));
    objects.push(
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_owned(),
    );
    for (page, text) in pages.iter().enumerate() {
        objects.push(format!(
            "<</Type/Page/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Parent 2 0 R/Contents {} 0 R>>",
            5 + 2 * page
        ));
        let lines: String = text.lines().fold(String::new(), |mut all, line| {
            write!(all, "({line}) Tj 0 -14 Td ").unwrap();
            all
        });
        let content = format!("BT /F1 11 Tf 50 780 Td {lines}ET");
        objects.push(format!("<</Length {}>>\nstream\n{content}\nendstream", content.len()));
    }
    let mut bytes = b"%PDF-1.4\n".to_vec();
    let mut offsets = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        offsets.push(bytes.len());
        bytes.extend(format!("{} 0 obj\n{object}\nendobj\n", number + 1).bytes());
    }
    let xref = bytes.len();
    bytes.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
    for offset in offsets {
        bytes.extend(format!("{offset:010} 00000 n \n").bytes());
    }
    let size = objects.len() + 1;
    bytes.extend(
        format!("trailer\n<</Size {size}/Root 1 0 R{trailer}>>\nstartxref\n{xref}\n%%EOF\n")
            .bytes(),
    );
    bytes
}

fn docx(body: &str, core: &str) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let parts = [
        ("word/document.xml", format!("<w:document xmlns:w=\"w\"><w:body>{body}</w:body></w:document>")),
        (
            "word/styles.xml",
            "<w:styles><w:style w:styleId=\"berschrift2\"><w:name w:val=\"heading 2\"/></w:style></w:styles>".to_owned(),
        ),
        ("docProps/core.xml", format!("<cp:coreProperties>{core}</cp:coreProperties>")),
    ];
    for (name, text) in parts {
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn pdfs_have_pages_and_damaged_ones_a_reason() {
    let folder = TempDir::new().unwrap();
    let root = folder.path();
    let whole = pdf(&["First page on pumps.", "Second page on valves."], "");
    put(root, "good.pdf", &whole);
    put(root, "cut.pdf", &whole[..whole.len() / 3]);
    put(root, "noise.pdf", b"this is no pdf at all");
    put(root, "images.pdf", pdf(&[""], ""));
    let secret = "0".repeat(64);
    let locked =
        format!("/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<{secret}>/U<{secret}>>>/ID[<00><00>]");
    put(root, "locked.pdf", pdf(&["Secret words."], &locked));
    let (corpus, report) = corpus(root);
    assert_eq!(report.added, 1, "{:?}", report.skipped);
    let hit = &search(&corpus, "valves").hits[0];
    let read = now(corpus.read(std::slice::from_ref(&hit.passage_id))).unwrap();
    assert_eq!(read[0].passage.page, Some(2));
    assert_eq!(read[0].location(), "good.pdf, p. 2");
    assert!(reason(&report, "locked.pdf").contains("encrypted"), "{:?}", report.skipped);
    assert!(reason(&report, "images.pdf").contains("OCR"));
    for path in ["cut.pdf", "noise.pdf"] {
        assert!(
            reason(&report, path).starts_with("could not read the PDF file"),
            "{:?}",
            report.skipped
        );
    }
}

#[test]
fn word_files_keep_their_structure() {
    let folder = TempDir::new().unwrap();
    let paragraph = |style: &str, text: &str| {
        format!("<w:p><w:pPr>{style}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
    };
    let cell = |text: &str| format!("<w:tc>{}</w:tc>", paragraph("", text));
    let body = [
        paragraph("<w:pStyle w:val=\"Title\"/>", "Site &amp; dock plan"),
        paragraph("<w:pStyle w:val=\"berschrift2\"/>", "Doors"),
        paragraph("", "What to do:"),
        paragraph("<w:numPr><w:ilvl w:val=\"0\"/></w:numPr>", "Close the gate"),
        paragraph("<w:numPr><w:ilvl w:val=\"1\"/></w:numPr>", "with both keys"),
        format!(
            "<w:tbl><w:tr>{}{}</w:tr><w:tr>{}{}</w:tr></w:tbl>",
            cell("Door"),
            cell("Key"),
            cell("North"),
            cell("7|8")
        ),
    ]
    .concat();
    let core = "<dc:creator>Ana Reis</dc:creator><dcterms:modified>2026-02-03T04:05:06Z</dcterms:modified>";
    put(folder.path(), "plan.docx", docx(&body, core));
    put(folder.path(), "broken.docx", &docx(&body, core)[..200]);
    put(folder.path(), "old.docx", [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1]);
    let (corpus, report) = corpus(folder.path());
    let source = &corpus.sources()[0];
    assert_eq!(source.title, "Site & dock plan");
    assert_eq!(source.author.as_deref(), Some("Ana Reis"));
    assert_eq!(source.date.as_ref().unwrap().value.to_string(), "3 February 2026");
    let text = corpus.document_text(&source.id).unwrap().unwrap();
    assert!(text.contains("- Close the gate\n  - with both keys"), "{text}");
    assert!(text.contains("| Door | Key |\n|---|---|\n| North | 7\\|8 |"), "{text}");
    let read = now(corpus.read(&[PassageId::new(&source.id, 0)])).unwrap();
    assert_eq!(read[0].passage.heading_path, ["Site & dock plan", "Doors"]);
    assert!(reason(&report, "old.docx").contains("older .doc"));
    assert!(reason(&report, "broken.docx").starts_with("could not read the DOCX file"));
}

#[test]
fn bombs_are_refused() {
    let folder = TempDir::new().unwrap();
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive.start_file("word/document.xml", SimpleFileOptions::default()).unwrap();
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
    let megabyte = vec![b' '; 1 << 20];
    for _ in 0..10 {
        archive.write_all(&megabyte).unwrap();
        packer.write_all(&megabyte).unwrap();
    }
    put(folder.path(), "bomb.docx", archive.finish().unwrap().into_inner());
    let packed = packer.finish().unwrap();
    let dict = format!("9 0 obj\n<</Filter/FlateDecode/Length {}>>\nstream\n", packed.len());
    let mut bomb = pdf(&["A page beside it."], "");
    let end = bomb.windows(4).position(|window| window == b"xref").unwrap();
    bomb.splice(end..end, [dict.as_bytes(), &packed, b"\nendstream\nendobj\n"].concat());
    put(folder.path(), "bomb.pdf", bomb);
    let (_, report) = corpus(folder.path());
    for path in ["bomb.docx", "bomb.pdf"] {
        let said = reason(&report, path);
        assert!(said.contains("unpacks to more than 8 MB"), "{path}: {said}");
    }
}

#[test]
fn encodings_are_recognised_and_losses_noted() {
    let folder = TempDir::new().unwrap();
    let wide = |text: &str| -> Vec<u8> {
        [0xFF, 0xFE].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect()
    };
    put(folder.path(), "wide.txt", wide("Die Tür ist größer als 3 °C.\r\n"));
    put(
        folder.path(),
        "bad.txt",
        b"A valid line with \xC3\xA9 and \xC3\xA8 and \xC3\xB6 and a bad \xFF byte.",
    );
    put(folder.path(), "binary.txt", [0, 1, 2, 3, 0, 0, 255, 254, 0, 9, 0, 0, 0]);
    let (corpus, report) = corpus(folder.path());
    assert_eq!(report.added, 2);
    assert_eq!(search(&corpus, "größer").hits[0].path, "wide.txt");
    assert!(
        report.notes[0].reason.contains("not valid UTF-8") && report.notes[0].path == "bad.txt"
    );
    assert!(reason(&report, "binary.txt").contains("binary"));
}

#[test]
fn html_and_tables_and_lines_are_searchable_with_their_records() {
    let folder = TempDir::new().unwrap();
    let filler =
        "The northern dock is closed at night and opened before the first lorry comes. ".repeat(5);
    put(
        folder.path(),
        "page.html",
        format!(
            "<title>Dock rules</title><body><nav>menu</nav><article><h1>Dock rules</h1><p>{filler}</p></article></body>"
        ),
    );
    put(folder.path(), "sites.csv", "site,robots\nGhent,12\nLyon,31\n");
    put(folder.path(), "verses.tsv", "Gen.1.1\tIn the beginning.\nGen.1.2\tAnd the earth.\n");
    put(
        folder.path(),
        "notes.jsonl",
        "{\"id\": \"n1\", \"title\": \"Valves\", \"text\": \"They leak in winter.\"}\nnot json\n",
    );
    let (corpus, report) = corpus(folder.path());
    let first = |query: &str| {
        let hit = search(&corpus, query).hits.remove(0);
        now(corpus.read(&[hit.passage_id])).unwrap().remove(0)
    };
    assert_eq!(first("robots in Lyon").location(), "sites.csv, row 3");
    assert_eq!(first("robots in Lyon").passage.text, "site: Lyon; robots: 31");
    assert_eq!(first("Gen.1.2").passage.text, "And the earth.");
    assert_eq!(first("valves in winter").location(), "notes.jsonl, n1, Valves");
    assert_eq!(first("first lorry").source.title, "Dock rules");
    assert!(
        report
            .notes
            .iter()
            .any(|note| note.path == "notes.jsonl" && note.reason.contains("line 2"))
    );
}

#[test]
fn what_a_mail_quotes_is_read_as_its_senders_and_counts_once() {
    let folder = TempDir::new().unwrap();
    let mail = |from: &str, day: u8, body: &str| {
        format!(
            "From: {from}\r\nDate: {day} May 2025 10:14 +0200\r\nSubject: Geese\r\n\r\n{body}\r\n"
        )
    };
    put(
        folder.path(),
        "a.eml",
        mail("Ines Falk <i@falk.example>", 4, "The geese wake me at dawn."),
    );
    let answer = "The fence comes on Friday.\r\n\r\nOn 4 May 2025, Ines Falk wrote:\r\n> The geese wake me at dawn.";
    put(folder.path(), "b.eml", mail("Ben Poe <b@lock.example>", 6, answer));
    let (corpus, report) = corpus(folder.path());
    assert_eq!(report.added, 2, "{:?}", report.skipped);
    let ids: Vec<_> =
        search(&corpus, "geese wake at dawn").hits.into_iter().map(|hit| hit.passage_id).collect();
    let mut read = now(corpus.read(&ids)).unwrap();
    read.retain(|one| one.passage.text.contains("wake me"));
    assert_eq!(read.len(), 2);
    for one in &read {
        assert_eq!(one.source.author.as_deref(), Some("Ines Falk"), "{one:?}");
        assert_eq!(one.source.date.as_ref().unwrap().value.to_string(), "4 May 2025");
        assert_eq!(one.source.cluster, read[0].source.cluster);
    }
}

#[test]
fn every_passage_is_a_slice_of_its_document() {
    let folder = TempDir::new().unwrap();
    put(
        folder.path(),
        "a.md",
        "# Tür\n\nÉin °C. Zwei!\n\n| Ä | B |\n|---|---|\n| ü | 1 |\n\n- x\n- ÿ\n",
    );
    let (corpus, report) = corpus(folder.path());
    let source = &corpus.sources()[0];
    let text = corpus.document_text(&source.id).unwrap().unwrap();
    for ordinal in 0..report.passages {
        let read = now(corpus.read(&[PassageId::new(&source.id, ordinal)])).unwrap().remove(0);
        assert_eq!(char_slice(&text, read.passage.span), Some(read.passage.text.as_str()));
    }
}

/// Text that would take a careless parser quadratic time, or carry one line into every passage.
#[test]
fn hostile_texts_end_soon() {
    let folder = TempDir::new().unwrap();
    let many = |text: &str| text.repeat(400_000 / text.len());
    put(folder.path(), "brackets.md", many("(A. )"));
    put(folder.path(), "open.html", format!("<p>{}</p>", many("[")));
    put(folder.path(), "heading.md", format!("# {}\n\ntext\n", many("[x")));
    put(folder.path(), "cells.md", format!("{}\n|---|\n{}", many("| c "), "| 1 |\n".repeat(2_000)));
    put(folder.path(), "quotes.txt", many("\"A. "));
    put(folder.path(), "pipes.csv", many("\"\n,"));
    put(folder.path(), "deep.jsonl", many("["));
    put(folder.path(), "within.eml", many("Subject: s\nContent-Type: message/rfc822\n\n"));
    put(folder.path(), "turns.eml", format!("Subject: s\n\n{}", "a\n>b\n".repeat(2_000)));
    put(
        folder.path(),
        "lead.md",
        format!("{}:\n\n{}", many("word "), "- item of the list\n".repeat(3_000)),
    );
    let start = std::time::Instant::now();
    let (corpus, _) = corpus(folder.path());
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
    assert!(corpus.sources().iter().all(|source| source.title.chars().count() <= 300));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn no_bytes_make_a_reader_panic(
        noise in prop::collection::vec(any::<u8>(), 0..300),
        text in "[#|>\\-*\"<a-z/=&;:{}\\[\\]\n\t ,.é0-9]{0,300}",
    ) {
        for path in ["a.md", "a.txt", "a.html", "a.csv", "a.tsv", "a.jsonl", "a.docx", "a.pdf", "a.eml"] {
            let format = Format::of(path).unwrap();
            for bytes in [noise.clone(), text.clone().into_bytes()] {
                if let Ok(document) = ingest(format, path, bytes, &[]) {
                    for passage in &document.passages {
                        let slice = char_slice(&document.text, passage.span);
                        prop_assert_eq!(slice, Some(passage.text.as_str()));
                    }
                }
            }
        }
    }
}
