//! Any bytes as any format. The first byte chooses; where it is one that real files of a format begin with,
//! it belongs to the file, so that real files are seeds as they stand.
#![no_main]

use elenchus_fuzz::{check_ingest, docx, pdf};
use elenchus_io::ingest::Format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    let (format, path, bytes) = match first {
        b'%' => (Format::Pdf, "a.pdf", bytes.to_vec()),
        b'P' => (Format::Docx, "a.docx", bytes.to_vec()),
        b'#' => (Format::Markdown, "a.md", bytes.to_vec()),
        b'<' => (Format::Html, "a.html", bytes.to_vec()),
        b'{' => (Format::JsonLines, "a.jsonl", bytes.to_vec()),
        b'F' => (Format::Mail, "a.mbox", bytes.to_vec()),
        byte => match byte % 9 {
            0 => (Format::Markdown, "archive/2024-05 a.md", rest.to_vec()),
            1 => (Format::Text, "Jane Roe - notes.txt", rest.to_vec()),
            2 => (Format::Html, "a.html", rest.to_vec()),
            3 => (Format::Table, "a.csv", rest.to_vec()),
            4 => (Format::Table, "a.tsv", rest.to_vec()),
            5 => (Format::JsonLines, "a.jsonl", rest.to_vec()),
            6 => (Format::Docx, "a.docx", docx(rest)),
            7 => (Format::Mail, "a.eml", rest.to_vec()),
            _ => (Format::Pdf, "a.pdf", pdf(rest)),
        },
    };
    check_ingest(format, path, bytes);
});
