use super::*;
use crate::ingest::format::{Format, extract};
use elenchus_core::evidence::char_slice;
use proptest::prelude::*;

/// One line a number.
fn lines(range: Range<u32>, line: impl Fn(u32) -> String) -> String {
    range.map(line).collect::<Vec<_>>().join("\n")
}

fn cut(path: &str, text: &str) -> (ExtractedDoc, Vec<Passage>) {
    let doc = extract(Format::of(path).unwrap(), path, text.as_bytes().to_vec()).unwrap();
    let found = passages(&SourceId::from_path(path), &doc);
    (doc, found)
}

#[test]
fn headings_tables_and_lead_ins_travel_along() {
    let rows = lines(0..40, |row| format!("| Site {row} | {row} robots |"));
    let items = lines(0..40, |item| format!("- item number {item} of the list"));
    let text = format!(
        "# Top\n\n## **Sites**\n\nWhere they are:\n\n| Site | Count |\n|---|---|\n{rows}\n\n## Rest\n\nAs agreed. Common points:\n\n{items}"
    );
    let (_, found) = cut("a.md", &text);
    let last_row = found.iter().rfind(|passage| passage.text.starts_with("| Site 3")).unwrap();
    assert_eq!(last_row.heading_path, ["Top", "Sites"]);
    assert_eq!(last_row.table_header, ["Site", "Count"]);
    assert_eq!(last_row.lead_in.as_deref(), Some("Where they are:"));
    let last_item = found.last().unwrap();
    assert_eq!(last_item.heading_path, ["Top", "Rest"]);
    assert_eq!(last_item.lead_in.as_deref(), Some("Common points:"));
    assert!(last_item.table_header.is_empty());
    let first_list = found.iter().find(|passage| passage.text.contains("item number 0 ")).unwrap();
    assert!(first_list.text.starts_with("As agreed.") && first_list.lead_in.is_none());
}

#[test]
fn each_mail_of_a_file_stands_under_its_sender_and_day() {
    let mail = |from: &str, day: u8, subject: &str, body: &str| {
        format!("From: {from}\nTo: all\nDate: {day} May 2025\nSubject: {subject}\n\n{body}\n\n")
    };
    let first = mail("Ines Falk", 4, "Geese", "They wake me at four.\n\nPlease act.");
    let second = mail("Ben Poe", 6, "Re: Geese", "The fence comes on Friday.");
    let (_, found) = cut("thread.txt", &format!("{first}{second}"));
    let over = |begin: &str| {
        found.iter().find(|one| one.text.contains(begin)).map(|one| one.heading_path.as_slice())
    };
    let of_falk = ["Geese".to_owned(), "Mail from Ines Falk, 4 May 2025".to_owned()];
    assert_eq!(over("They wake"), Some(&of_falk[..]));
    assert_eq!(over("Please act"), Some(&of_falk[..]));
    let of_poe = ["Re: Geese".to_owned(), "Mail from Ben Poe, 6 May 2025".to_owned()];
    assert_eq!(over("The fence"), Some(&of_poe[..]));
    // A heading of the document's own ends it, and one mail alone is what its file is.
    let (_, found) = cut("thread.md", &format!("{first}{second}# Notes\n\nNothing else came."));
    assert_eq!(found.last().map(|one| one.heading_path.clone()), Some(vec!["Notes".to_owned()]));
    let (_, found) = cut("mail.txt", &first);
    assert!(found.iter().all(|one| one.heading_path.is_empty()), "{found:?}");
}

#[test]
fn small_blocks_of_a_section_share_a_passage_and_sections_do_not() {
    let (_, found) = cut("a.md", "# T\n\nOne.\n\nTwo:\n\n- a\n- b\n\n## U\n\nThree.\n");
    let texts: Vec<_> = found.iter().map(|passage| passage.text.as_str()).collect();
    assert_eq!(texts, ["One.\n\nTwo:\n\n- a\n- b", "Three."]);
}

#[test]
fn books_have_chapters_contents_vanish_and_notes_are_set_apart() {
    let text = " Against Praxeas 1 \n\n Chapter I.-One. \n\n Chapter II.-Two. \n\n Against Praxeas 1 \n\n Chapter I.-One. \n\n First text. 3 And more.\n\n Chapter II.-Two. \n\n Second text.\n\n 1 : A note.\n";
    let path = "Tertullian_Against_Praxeas.txt";
    let found =
        crate::ingest::ingest(Format::Text, path, text.as_bytes().to_vec(), &[]).unwrap().passages;
    let shown: Vec<_> =
        found.iter().map(|p| (p.heading_path.last().unwrap().as_str(), p.text.as_str())).collect();
    assert_eq!(
        shown,
        [
            ("Chapter I.-One.", "First text. 3 And more."),
            ("Chapter II.-Two.", "Second text."),
            ("Printed notes", "1 : A note.")
        ]
    );
}

#[test]
fn a_sentence_without_end_is_cut_at_white_space() {
    let (_, found) = cut("a.md", &"word ".repeat(1_500));
    assert!(
        found.len() > 3 && found.iter().all(|passage| passage.text.chars().count() <= UNIT_CHARS)
    );
    assert!(
        found
            .iter()
            .all(|passage| passage.text.starts_with("word") && passage.text.ends_with("word"))
    );
}

#[test]
fn records_keep_their_names_and_link_tables_are_packed() {
    let (_, found) = cut("b.tsv", "Gen.1.1\tIn the beginning.\nGen.1.2\tAnd the earth.\n");
    assert_eq!(found[1].record.as_deref(), Some("Gen.1.2"));
    assert_eq!(found[1].text, "And the earth.");
    let links = lines(1..60, |verse| format!("Gen.1.{verse}\tPs.{verse}.1 Isa.4.{verse}"));
    let (_, packed) = cut("c.tsv", &links);
    assert!(packed.len() < 10, "{}", packed.len());
    assert!(packed[0].record.as_deref().unwrap().starts_with("Gen.1.1 to Gen.1."));
}

fn markdownish() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        "[A-Za-zé]{1,8}( [A-Za-zé°,]{1,9}){0,30}[.:!?]?",
        "#{1,4} [A-Z][a-z]{1,9}",
        "[-*] [a-z]{1,9}( [a-z]{1,9}){0,9}",
        " {1,4}[a-z]{1,9}( [a-z]{1,9}){0,9}",
        "[0-9]{1,2}\\. [a-z]{1,9}( [a-z]{1,9}){0,9}\\.",
        "\\| [a-z]{1,9} \\| [a-z0-9]{1,9} \\|",
        Just("|---|---|".to_owned()),
        Just(String::new()),
        Just("> quoted words here.".to_owned()),
        Just("```".to_owned()),
        Just("Chapter IV.-On Things".to_owned()),
    ];
    prop::collection::vec(line, 1..60).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn passages_are_slices_and_hold_every_word_once(text in markdownish(), plain in any::<bool>()) {
        let path = if plain { "a.txt" } else { "a.md" };
        let mut doc = ExtractedDoc::of_text(text);
        if plain && !doc.text.contains('#') {
            doc.style = crate::ingest::blocks::Style::Plain;
        }
        let found = passages(&SourceId::from_path(path), &doc);
        let mut at = 0;
        for passage in &found {
            prop_assert_eq!(char_slice(&doc.text, passage.span), Some(passage.text.as_str()));
            prop_assert!(passage.span.start >= at);
            prop_assert!(passage.text.chars().count() <= UNIT_CHARS);
            at = passage.span.end;
        }
        let words = |text: &str| text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).count();
        let in_passages: usize = found.iter().map(|passage| words(&passage.text)).sum();
        let mut outside = 0;
        for block in parse(&doc.text, doc.style) {
            if matches!(block.kind, BlockKind::Heading(_) | BlockKind::Layout) {
                outside += words(&doc.text[block.range]);
            }
        }
        prop_assert_eq!(in_passages + outside, words(&doc.text));
    }
}
