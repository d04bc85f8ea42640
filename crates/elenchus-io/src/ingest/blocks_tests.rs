use super::*;
use crate::ingest::marks::strip_markup;
use elenchus_core::evidence::char_slice;
use proptest::prelude::*;

fn show(text: &str) -> Vec<(UnitKind, &str)> {
    units(text).into_iter().map(|unit| (unit.kind, char_slice(text, unit.span).unwrap())).collect()
}

#[test]
fn markdown_of_every_kind() {
    let text = "# Title °\n\nOne wrapped\nsentence. Two: \n\n- a\n  more\n- b\n    - deep\n\n1. x\n2. y\n\n\
                | A | B |\n|---|---|\n| 1 | 2 \\| 3 |\n\n```\nlet x;\n```\n> quoted\n> words.\n";
    assert_eq!(
        show(text),
        [
            (UnitKind::Heading, "# Title °"),
            (UnitKind::Sentence, "One wrapped\nsentence."),
            (UnitKind::Sentence, "Two:"),
            (UnitKind::Item, "- a\n  more"),
            (UnitKind::Item, "- b"),
            (UnitKind::Item, "- deep"),
            (UnitKind::Item, "1. x"),
            (UnitKind::Item, "2. y"),
            (UnitKind::TableHeader, "| A | B |"),
            (UnitKind::Row, "| 1 | 2 \\| 3 |"),
            (UnitKind::Code, "let x;"),
            (UnitKind::Sentence, "quoted\n> words."),
        ]
    );
    let found = units(text);
    let cells: Vec<_> =
        found[9].cells.iter().map(|cell| char_slice(text, *cell).unwrap()).collect();
    assert_eq!(cells, ["1", "2 \\| 3"]);
    assert_eq!(found[5].list_depth, 1);
    assert_eq!(found[7].number, Some(2));
}

#[test]
fn a_slice_that_begins_inside_a_table_or_list_keeps_its_rows_and_items() {
    assert_eq!(
        show("| Seed | $4.5M |\n| A | $18M |"),
        [(UnitKind::Row, "| Seed | $4.5M |"), (UnitKind::Row, "| A | $18M |")]
    );
    assert_eq!(show("3. third\n   wrapped\n4. fourth").len(), 2);
}

#[test]
fn numbers_that_wrap_to_a_line_start_and_negative_numbers_are_not_items() {
    assert_eq!(show("It was built in the year\n2019. Then it closed.").len(), 2);
    assert_eq!(show("-30°C is cold.")[0].0, UnitKind::Sentence);
    assert_eq!(show("**Internal | Team, March 2026**")[0].0, UnitKind::Sentence);
}

#[test]
fn chapter_lines_are_headings_of_plain_documents() {
    for line in [
        "Chapter VII.-Beware of False Teachers.",
        "Chapter II. 21 -The Second Commandment",
        "Book I",
        "I.-To Alexander, Bishop of the City.",
        "Letter LIV. To Serapion, Concerning the Death of Arius.",
        "Preface.",
        "Vision 1",
        "FIRST PART",
        "1.3. Language used in this text",
    ] {
        let text = format!("Intro.\n\n {line} \n\nBody text.\n");
        let kinds: Vec<_> = parse(&text, Style::Plain).iter().map(|block| block.kind).collect();
        assert!(matches!(kinds[1], BlockKind::Heading(_)), "{line}: {kinds:?}");
        assert_eq!(show(&text)[1].0, UnitKind::Sentence, "marked text has marked headings only");
    }
    for line in
        ["Chapter 3 of the law says so.", "Book a room.", "I am.-here", "Opening hours are long."]
    {
        let text = format!("Intro.\n\n{line}\n\nBody.\n");
        assert_eq!(parse(&text, Style::Plain)[1].kind, BlockKind::Paragraph, "{line}");
    }
}

#[test]
fn capitals_over_the_paragraphs_of_a_plain_document_are_its_headings() {
    let kinds = |text: &str| -> Vec<BlockKind> {
        parse(text, Style::Plain).iter().map(|block| block.kind).collect()
    };
    let minutes = "24/1  THE SLIPWAY\nAnn Reed has had it mended.\n\n24/2  DUES, 2025\nThey stay.\n\n\
                   THE CRANE\nIt is to be sold.\n";
    let (heading, told) = (BlockKind::Heading(3), BlockKind::Paragraph);
    assert_eq!(kinds(minutes), [heading, told, heading, told, heading, told]);
    // One alone may be the name of a house over its address.
    assert_eq!(kinds("REED & SONS\nBoatbuilders at Leith\n\nDear Ann,\n"), [told, told]);
    let shouted = minutes.to_uppercase();
    assert!(!kinds(&shouted).contains(&heading), "capitals that say nothing");
}

#[test]
fn contents_lines_are_layout() {
    assert!(show("2.1 Naming . . . . . . . . 3\n2.2 Parsing ....... iv").is_empty());
    assert_eq!(show("He waited . . . and left.").len(), 1);
    assert_eq!(show("The king . . . . was crowned in 1820.").len(), 1);
    assert_eq!(show("It paid ..... and then it closed.").len(), 1);
}

#[test]
fn markup_is_stripped_from_headings() {
    assert_eq!(
        strip_markup("## **Key** `facts` of [us](http://x.example) report_2026 ##"),
        "Key facts of us report_2026"
    );
}

proptest! {
    #[test]
    fn units_are_ordered_and_in_bounds(text in "([#>|*a-zA-Z0-9.°é-]{0,6}[ \n]{0,2}){0,40}") {
        let mut at = 0;
        for unit in units(&text) {
            prop_assert!(unit.span.start >= at && unit.span.end > unit.span.start);
            prop_assert!(char_slice(&text, unit.span).is_some());
            for cell in &unit.cells {
                prop_assert!(cell.start >= unit.span.start && cell.end <= unit.span.end);
            }
            at = unit.span.end;
        }
    }
}
