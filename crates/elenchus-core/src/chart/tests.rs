//! What holds of every chart, whatever it is given.

use super::*;
use crate::bank::Posterior;
use crate::belief::Bin;
use proptest::prelude::*;
use quick_xml::Reader;
use quick_xml::events::Event;
use std::collections::BTreeSet;

/// Reads a drawing as XML and holds it against the rules: one root, named, ids once and with the prefix, no element, attribute or
/// address that does anything.
fn held(figure: &Figure, id: &str) {
    let mut reader = Reader::from_str(&figure.svg);
    let (mut depth, mut roots) = (0, 0);
    let mut ids = BTreeSet::new();
    let mut names = Vec::new();
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{error}: {}", figure.svg)) {
            Event::Start(element) | Event::Empty(element)
                if !["svg", "title", "desc", "rect", "path", "circle", "text", "a"]
                    .contains(&String::from_utf8_lossy(element.name().as_ref()).as_ref()) =>
            {
                panic!("{:?} in {}", element.name(), figure.svg)
            }
            Event::Start(element) => {
                roots += usize::from(depth == 0);
                depth += 1;
                attributes(&element, &mut ids, id);
                names.push(String::from_utf8_lossy(element.name().as_ref()).into_owned());
            }
            Event::Empty(element) => attributes(&element, &mut ids, id),
            Event::End(_) => depth -= 1,
            Event::Text(text) => {
                text.decode().unwrap();
            }
            Event::GeneralRef(_) => {}
            Event::Eof => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((depth, roots), (0, 1), "{}", figure.svg);
    assert_eq!(names[..3], ["svg", "title", "desc"]);
    let role = if figure.svg.contains("<a ") { "group" } else { "img" };
    assert!(figure.svg.contains(&format!("role=\"{role}\" aria-labelledby=\"")));
    assert!(!figure.title.is_empty() && !figure.summary.is_empty());
    assert!(figure.table.rows.iter().all(|row| row.len() == figure.table.head.len()));
    assert!(figure.table.rows.len() <= MOST_ROWS + 1);
    assert!(figure.svg.len() < 400_000, "{} bytes", figure.svg.len());
    let page = figure.to_html();
    assert!(!page.contains("<script") && !page.contains("<img"), "{page}");
}

fn attributes(element: &quick_xml::events::BytesStart<'_>, ids: &mut BTreeSet<String>, id: &str) {
    for attribute in element.attributes() {
        let attribute = attribute.unwrap();
        let key = String::from_utf8_lossy(attribute.key.as_ref()).into_owned();
        let value = String::from_utf8_lossy(&attribute.value).into_owned();
        match key.as_str() {
            "id" => {
                assert!(value.starts_with(id), "{value}");
                assert!(ids.insert(value.clone()), "{value} twice");
            }
            "href" => {
                assert!(
                    value.starts_with('#') || value.starts_with('/') && !value.starts_with("//"),
                    "{value}"
                );
            }
            "x" | "y" | "width" | "height" | "cx" | "cy" | "r" => {
                assert!(value.parse::<f64>().unwrap().is_finite(), "{value}");
            }
            "d" => assert!(!value.contains("NaN") && !value.contains("inf"), "{value}"),
            "viewBox" => {
                assert!(value.split(' ').all(|number| number.parse::<f64>().unwrap().is_finite()));
            }
            "class" | "role" | "xmlns" | "aria-labelledby" | "aria-label" | "font-size"
            | "fill" | "stroke" | "stroke-width" | "stroke-dasharray" | "fill-opacity"
            | "text-anchor" => {}
            other => panic!("the attribute {other} has no business in a chart"),
        }
    }
}

/// Every chart there is, from the same few values.
fn every(numbers: &[f64], words: &[String]) -> Vec<Figure> {
    let number = |at: usize| if numbers.is_empty() { 0.0 } else { numbers[at % numbers.len()] };
    let word =
        |at: usize| if words.is_empty() { String::new() } else { words[at % words.len()].clone() };
    let n = numbers.len();
    let whole = |at: usize| (number(at).abs() * 1_000.0) as u64;
    let claims: Vec<ClaimBar> = (0..n)
        .map(|at| ClaimBar {
            label: word(at),
            confidence: (at % 3 > 0).then(|| number(at)),
            interval: Some(Interval { low: number(at + 1), high: number(at + 2), percent: 90 }),
            word: word(at + 1),
            sources: at,
            mark: [Mark::Supported, Mark::NotSupported, Mark::Contradicted, Mark::Unchecked]
                [at % 4],
        })
        .collect();
    let bins: Vec<Bin> = (0..n)
        .map(|at| Bin { confidence: number(at), accuracy: number(at + 1), n: whole(at) as usize })
        .collect();
    let believed: Vec<Credence> = (0..n.min(9))
        .map(|nth| Credence {
            id: word(nth),
            label: word(nth + 1),
            before: number(nth),
            steps: (0..n)
                .map(|at| CredenceStep {
                    at: whole(at) as usize,
                    after: number(at),
                    log_odds: number(at + 1),
                    item: word(at),
                    link: format!("#{}", word(at)),
                })
                .collect(),
        })
        .collect();
    let node = |at: usize| GraphNode {
        label: word(at),
        group: word(at + 1),
        weight: number(at),
        link: word(at + 2),
    };
    let graph = EvidenceGraph {
        claims: (0..n).map(node).collect(),
        quotes: (0..n).map(node).collect(),
        sources: (0..n.div_ceil(2)).map(node).collect(),
        explanations: whole(0) as usize % (n + 2),
        quoted_from: (0..n).map(|at| whole(at) as usize % (n + 2)).collect(),
        edges: (0..n * 2)
            .map(|at| GraphEdge {
                claim: at % (n + 1),
                quote: whole(at) as usize % (n + 1),
                relation: [
                    Relation::Supports,
                    Relation::Conflicts,
                    Relation::Explains,
                    Relation::Neither,
                ][at % 4],
            })
            .collect(),
    };
    let sets = |many: usize| -> Vec<LabelledSet> {
        (0..many)
            .map(|at| LabelledSet {
                label: word(at),
                members: (0..n).filter(|m| whole(m + at) % 3 == 0).map(|m| m.to_string()).collect(),
            })
            .collect()
    };
    let lenses: Vec<String> = (0..n.min(200)).map(word).collect();
    let rows: Vec<AgreementRow> = (0..n)
        .map(|at| AgreementRow {
            label: word(at),
            stances: (0..at % 7)
                .map(|lens| {
                    [Stance::Agrees, Stance::Disagrees, Stance::Qualifies, Stance::Silent]
                        [(at + lens) % 4]
                })
                .collect(),
        })
        .collect();
    let meters: Vec<Meter> = (0..n)
        .map(|at| Meter {
            label: word(at),
            spent: number(at),
            ceiling: (at % 2 == 0).then(|| number(at + 1)),
            projected: (at % 3 == 0).then(|| number(at + 2)),
            unit: word(at + 1),
        })
        .collect();
    let beliefs: Vec<Density> = (0..n)
        .map(|at| Density {
            label: word(at),
            belief: Posterior { alpha: number(at), beta: number(at + 1) },
            n: at,
        })
        .collect();
    let moments: Vec<Noticed> = (0..n)
        .map(|at| Noticed {
            label: word(at),
            kind: word(at + 1),
            ready: (at % 2 == 0).then(|| whole(at)),
            at: whole(at + 1),
            link: word(at + 2),
        })
        .collect();
    let spans: Vec<TimeSpan> = (0..n)
        .map(|at| TimeSpan {
            label: word(at),
            kind: word(at + 1),
            start: whole(at),
            end: whole(at + 1),
            link: word(at + 2),
        })
        .collect();
    vec![
        confidence("x1", &claims),
        reliability("x1", Labelled::LeftOut, &bins, number(0)),
        reliability("x1", Labelled::Fitted { left_out: Some(number(1)) }, &bins, number(0)),
        icon_array("x1", number(0), whole(0), whole(1)),
        credences("x1", &believed, Scale::Probability),
        credences("x1", &believed, Scale::LogOdds),
        evidence_graph("x1", &graph),
        venn("x1", &sets(2)),
        venn("x1", &sets(3)),
        upset("x1", &sets(n.min(300))),
        agreement("x1", &lenses, &rows),
        budget("x1", &meters),
        densities("x1", &beliefs),
        timeline("x1", &spans),
        noticed("x1", whole(0), &moments),
        sparkline("x1", &format!("label {}", word(0)), numbers),
    ]
}

#[test]
fn text_of_a_stranger_stays_text() {
    let words = [
        "<script>alert(1)</script>",
        "\"/><image href=\"https://a.example/x\"/>",
        "]]>&amp;<!--",
        "javascript:alert(1)",
        "/\\a.example",
        "\u{202E}\u{0}\u{FFFE}\u{1b}[31m",
        "a\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
    ]
    .map(str::to_owned);
    for figure in every(&[0.1, 0.5, 0.9, 0.7, 0.2, 0.4, 0.8], &words) {
        held(&figure, "x1");
    }
}

#[test]
fn ten_thousand_of_anything_are_folded() {
    let numbers: Vec<f64> = (0..10_000).map(|at| f64::from(at % 997) / 997.0).collect();
    let words: Vec<String> = (0..50).map(|at| format!("word {at}")).collect();
    for figure in every(&numbers, &words) {
        held(&figure, "x1");
    }
}

#[test]
fn nothing_is_drawn_of_nothing() {
    for figure in every(&[], &[]) {
        held(&figure, "x1");
    }
}

#[test]
fn an_id_is_an_id_whatever_it_is_made_of() {
    let figure = sparkline("1 \"<h>\"", "x", &[1.0]);
    assert!(figure.svg.contains("id=\"chart1h\""), "{}", figure.svg);
    held(&figure, "chart1h");
}

#[test]
fn the_style_names_nothing_remote() {
    assert!(!STYLE.contains("url(") && !STYLE.contains("@import") && !STYLE.contains('<'));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn no_input_panics_or_breaks_out(
        numbers in prop::collection::vec(
            prop_oneof![
                any::<f64>(),
                0.0..1.0f64,
                Just(f64::NAN),
                Just(f64::INFINITY),
                Just(f64::NEG_INFINITY),
                Just(f64::MAX),
                Just(-0.0),
            ],
            0..40,
        ),
        words in prop::collection::vec(".{0,30}", 0..8),
    ) {
        let figures = every(&numbers, &words);
        for figure in &figures {
            held(figure, "x1");
        }
        prop_assert_eq!(figures, every(&numbers, &words));
    }
}
