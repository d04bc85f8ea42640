use super::*;
use crate::ingest::format::RecordSpan;
use crate::ingest::{Ingested, ingest, ingest_with};

/// In pieces, so that no scanner takes it for one.
fn token() -> String {
    ["ghp_", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].concat()
}

fn read(path: &str, text: &str) -> Ingested {
    let format = Format::of(path).unwrap();
    ingest(format, path, text.as_bytes().to_vec(), &[]).unwrap()
}

#[test]
fn pages_parts_and_records_begin_where_they_began() {
    let token = token();
    let text = format!("One {token} one.\nTwo {token}\nthree.");
    let at = |words: &str| text.find(words).unwrap();
    let mut doc = ExtractedDoc::of_text(text.clone());
    doc.pages = vec![(0, 1), (at("Two"), 2), (at("three"), 3)];
    doc.parts = vec![(at("one."), vec![format!("Lamp {token}")])];
    let record = |from: &str, to: &str, name: &str| RecordSpan {
        range: at(from)..at(to),
        name: name.to_owned(),
        title: Some("Lamp".to_owned()),
        links: false,
    };
    doc.records = vec![record("One", "\nTwo", "row 1"), record("Two", "\nthree", &token)];
    let left_out = of_document(&mut doc);
    assert_eq!(left_out, LeftOut { count: 4, kinds: vec!["GitHub token".to_owned()] });
    let removed = "[GitHub token removed]";
    assert_eq!(doc.text, format!("One {removed} one.\nTwo {removed}\nthree."));
    let pages: Vec<&str> = doc.pages.iter().map(|page| &doc.text[page.0..]).collect();
    assert!(pages[1].starts_with("Two [") && pages[2] == "three.", "{pages:?}");
    assert!(doc.text[doc.parts[0].0..].starts_with("one.\n"));
    assert_eq!(doc.parts[0].1, [format!("Lamp {removed}")]);
    let records: Vec<&str> = doc.records.iter().map(|one| &doc.text[one.range.clone()]).collect();
    assert_eq!(records, [format!("One {removed} one."), format!("Two {removed}")]);
    assert_eq!(doc.records[1].name, removed);
    assert_eq!(of_document(&mut doc), LeftOut::default(), "it settles");
}

#[test]
fn passages_and_their_spans_are_those_of_the_text_without() {
    let text = format!(
        "# Runbook\n\nThe pump of pier 4 is called with {} by Ana Reis.\n\n## Later\n\nIt ran until nine.\n",
        token()
    );
    let document = read("runbook.md", &text);
    assert_eq!((document.secrets.count, document.secrets.kinds.len()), (1, 1));
    let whole: Vec<char> = document.text.chars().collect();
    for passage in &document.passages {
        let span: String = whole[passage.span.start..passage.span.end].iter().collect();
        assert_eq!(span, passage.text);
    }
    let first = &document.passages[0].text;
    assert_eq!(first, "The pump of pier 4 is called with [GitHub token removed] by Ana Reis.");
    let kept = ingest_with(Format::Markdown, "runbook.md", text.into_bytes(), &[], Secrets::Kept);
    let kept = kept.unwrap();
    assert!(kept.text.contains(&token()) && kept.secrets == LeftOut::default());
    assert_eq!(kept.source.content_hash, document.source.content_hash, "the file is the same");
}

#[test]
fn a_record_loses_what_only_its_form_shows_and_stays_a_record() {
    let lines = "{\"id\": \"db\", \"note\": \"main\", \"password\": \"correct!Horse-battery\"}\n\
                 {\"id\": \"web\", \"token\": \"abc123XYZ98\\\"q\"}\n\
                 {\"id\": \"next\", \"note\": \"nothing here\"}\n";
    let document = read("keys.jsonl", lines);
    assert_eq!(
        document.text,
        "note: main; password: [quoted secret removed]\ntoken: [assigned secret removed]\"q\nnote: nothing here\n"
    );
    assert_eq!(document.notes, [""; 0], "no line is lost");
    assert_eq!(document.secrets.kinds, ["assigned secret", "quoted secret"]);
    assert_eq!(document.secrets.count, 2);
    let names: Vec<_> = document.passages.iter().map(|one| one.record.as_deref()).collect();
    assert_eq!(names, [Some("db"), Some("web"), Some("next")]);
}

#[test]
fn what_stands_in_columns_heads_and_front_matter_goes_too() {
    let token = token();
    let table =
        read("logins.csv", "service,user,password\nmail,ana,tuesday7Rain\nweb,bo,none yet\n");
    assert!(
        !table.text.contains("tuesday7Rain") && table.text.contains("none yet"),
        "{}",
        table.text
    );
    let keyed =
        read("keys.jsonl", &format!("{{\"key\": \"{token}\", \"text\": \"The lamp is lit.\"}}\n"));
    assert_eq!(keyed.passages[0].record.as_deref(), Some("[GitHub token removed]"));
    let front =
        read("a.md", &format!("---\ntitle: Lamp {token}\nauthor: Ana\n---\nThe lamp is lit.\n"));
    assert_eq!(front.source.title, "Lamp [GitHub token removed]");
    let mail = read(
        "a.eml",
        &format!(
            "From: Ana <ana@pier.example>\r\nDate: Tue, 6 May 2025 09:30:00 +0200\r\nSubject: Key {token}\r\n\r\nIt is lit.\r\n"
        ),
    );
    let page = read(
        "a.html",
        &format!("<title>T</title><p>The lamp gh<span>{}</span> is lit.</p>", &token[2..]),
    );
    for document in [&keyed, &front, &mail, &page] {
        assert!(document.secrets.count > 0, "{document:?}");
        let told = format!("{document:?}");
        assert!(!told.contains(&token), "{told}");
    }
}

#[test]
fn many_short_texts_are_looked_at_as_one() {
    let token = token();
    let halves = token.split_at(12);
    assert!(any_in(["a.md", token.as_str(), "b.md"].into_iter()));
    assert!(!any_in(["a.md", halves.0, halves.1, "my password:", "hunter22x"].into_iter()));
    assert!(!any_in(std::iter::empty()));
}
