//! The evidence as W3C Web Annotations (JSON-LD): each quote selected by its words and by its place, the verdict on the statement
//! that it bears on in the body.

use super::reference::{Reference, instant, uuid};
use crate::answer::{Answer, Claim};
use crate::evidence::anchor::{CONTEXT, TextQuoteSelector};
use crate::evidence::{ReadPassage, Span, char_slice};
use crate::id::{PassageId, SourceId};
use crate::text::{squeeze, visible_json};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// One quote that bears on one statement.
struct Bearing<'a> {
    claim: &'a Claim,
    /// "supported", or "contradicted" for what speaks against it.
    tag: String,
    source_id: &'a SourceId,
    quote: &'a str,
    /// Characters of the document's extracted text.
    place: Span,
    /// What is known of the words around it.
    selector: Option<TextQuoteSelector>,
}

/// The annotations of an answer as one page of JSON-LD, indented. `passages` are those that the run read: what stands around a
/// quote is taken from them, so that it can be found again in a document that has grown. The same answer gives the same bytes.
pub fn to_web_annotations(answer: &Answer, passages: &[ReadPassage]) -> String {
    let read: BTreeMap<&PassageId, &ReadPassage> =
        passages.iter().map(|read| (&read.passage.id, read)).collect();
    let sources = Reference::all(answer);
    let bearings = bearings(answer, &read);
    let items: Vec<Value> = bearings
        .iter()
        .enumerate()
        .map(|(at, bearing)| annotation(answer, &sources, at, bearing, &read))
        .collect();
    let page = json!({
        // The published context has no term for this motivation, which the model does define.
        "@context": ["http://www.w3.org/ns/anno.jsonld", { "assessing": "oa:assessing" }],
        "id": uuid(&["annotations", answer.run_id.as_str()]),
        "type": "AnnotationPage",
        "label": format!("What the answer to \u{201C}{}\u{201D} rests on", squeeze(&answer.question)),
        "startIndex": 0,
        "items": items,
    });
    let text = serde_json::to_string_pretty(&page).expect("strings and numbers are always JSON");
    format!("{}\n", visible_json(&text))
}

fn bearings<'a>(
    answer: &'a Answer,
    read: &BTreeMap<&PassageId, &'a ReadPassage>,
) -> Vec<Bearing<'a>> {
    let mut out = Vec::new();
    for (nth, claim) in answer.claims.iter().enumerate() {
        let entailment = answer.entailments.get(nth).filter(|one| one.claim_id == claim.id);
        for evidence in claim.evidence.iter().filter_map(|&at| answer.evidence.get(at)) {
            let around = read.get(&evidence.passage_id).and_then(|read| {
                TextQuoteSelector::of(&read.passage.text, evidence.span)
                    .filter(|selector| selector.exact == evidence.quote)
            });
            out.push(Bearing {
                claim,
                tag: entailment.map_or("quoted", |one| one.verdict.word()).to_owned(),
                source_id: &evidence.source_id,
                quote: &evidence.quote,
                place: evidence.document_span,
                selector: evidence.selector.clone().or(around),
            });
        }
        for against in entailment.iter().flat_map(|one| &one.contradicting_sources) {
            out.push(Bearing {
                claim,
                tag: "contradicts".to_owned(),
                source_id: &against.source_id,
                quote: &against.relevant_text,
                place: against.span,
                selector: around(read, &against.source_id, against.span, &against.relevant_text),
            });
        }
    }
    out
}

/// The words and their surroundings, from whichever passage of the document holds them all.
fn around(
    read: &BTreeMap<&PassageId, &ReadPassage>,
    source: &SourceId,
    place: Span,
    quote: &str,
) -> Option<TextQuoteSelector> {
    read.values().filter(|read| read.source.id == *source).find_map(|read| {
        let whole = read.passage.span;
        let inside = Span {
            start: place.start.checked_sub(whole.start)?,
            end: place.end.checked_sub(whole.start)?,
        };
        char_slice(&read.passage.text, inside).filter(|words| *words == quote)?;
        TextQuoteSelector::of(&read.passage.text, inside)
    })
}

fn annotation(
    answer: &Answer,
    sources: &[Reference],
    at: usize,
    bearing: &Bearing<'_>,
    read: &BTreeMap<&PassageId, &ReadPassage>,
) -> Value {
    let Bearing { claim, tag, quote, place, .. } = bearing;
    let run = answer.run_id.as_str();
    let cited = answer
        .sources
        .iter()
        .position(|source| source.source_id == *bearing.source_id)
        .and_then(|at| sources.get(at));
    let known = read.values().find(|read| read.source.id == *bearing.source_id);
    let title = cited
        .map(Reference::named)
        .or_else(|| known.map(|read| squeeze(&read.source.title)))
        .unwrap_or_default();
    let mut source = json!({ "type": "Text", "label": title });
    source["id"] = match cited {
        Some(one) => json!(one.address(answer)),
        None => json!(uuid(&["source", run, bearing.source_id.as_str()])),
    };
    let mut words = json!({ "type": "TextQuoteSelector", "exact": quote });
    if let Some(selector) = &bearing.selector {
        debug_assert!(selector.prefix.chars().count() <= CONTEXT);
        for (name, text) in [("prefix", &selector.prefix), ("suffix", &selector.suffix)] {
            if !text.is_empty() {
                words[name] = json!(text);
            }
        }
    }
    let mut target = json!({
        "type": "SpecificResource",
        "source": source,
        "selector": [
            words,
            { "type": "TextPositionSelector", "start": place.start, "end": place.end },
        ],
    });
    if let Some(one) = cited.filter(|one| one.url.is_some()) {
        target["state"] = json!({ "type": "TimeState", "sourceDate": one.read_at });
    }
    let figure = answer.shown_figures(claim);
    let mut verdict = format!("{}: {} ({tag}", claim.id, squeeze(&claim.text));
    if let Some((p, level)) = figure.and_then(|one| Some((one.confidence?, one.level?))) {
        write!(verdict, ", confidence {p:.2}, {}", level.word())
            .expect("writing to a String cannot fail");
    }
    verdict.push(')');
    json!({
        "id": uuid(&["annotation", run, &at.to_string()]),
        "type": "Annotation",
        "motivation": ["assessing", "linking"],
        "created": instant(answer.started_at),
        "generator": {
            "id": uuid(&["software", "elenchus"]),
            "type": "Software",
            "name": concat!("Elenchus ", env!("CARGO_PKG_VERSION")),
        },
        "body": [
            { "type": "TextualBody", "value": verdict, "format": "text/plain", "purpose": "assessing" },
            { "type": "TextualBody", "value": tag, "format": "text/plain", "purpose": "tagging" },
            {
                "type": "SpecificResource",
                "source": uuid(&["claim", run, claim.id.as_str()]),
                "purpose": "linking",
            },
        ],
        "target": target,
    })
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{answer, hostile, passages, with_claims};
    use super::*;
    use crate::evidence::anchor::find;

    #[test]
    fn an_annotation_is_complete() {
        let answer = with_claims(answer());
        insta::assert_snapshot!(to_web_annotations(&answer, &passages(&answer)));
    }

    #[test]
    fn every_quote_is_found_again_at_its_place() {
        let answer = with_claims(answer());
        let passages = passages(&answer);
        let shown: Value = serde_json::from_str(&to_web_annotations(&answer, &passages)).unwrap();
        let items = shown["items"].as_array().unwrap();
        assert_eq!(items.len(), 3, "two quotes, and what speaks against the first claim");
        for item in items {
            let [words, place] = &item["target"]["selector"].as_array().unwrap()[..] else {
                panic!("two selectors")
            };
            let selector: TextQuoteSelector = serde_json::from_value(words.clone()).unwrap();
            assert_eq!(selector.suffix, " After.");
            // The documents of the fixture are one passage each.
            let text = &passages[0].passage.text;
            let found = find(text, &selector).unwrap();
            assert!(found.exact);
            assert_eq!(place["start"], found.span.start);
            assert_eq!(place["end"], found.span.end);
        }
        assert_eq!(items[1]["body"][1]["value"], "contradicts");
    }

    #[test]
    fn what_is_quoted_stays_in_its_string() {
        let text = "\"},{\"type\":\"Annotation\" <b> \u{202E}\u{1b}[31m";
        let answer = with_claims(hostile(text));
        let shown = to_web_annotations(&answer, &[]);
        assert!(!shown.chars().any(|c| c != '\n' && crate::text::is_invisible(c)));
        let read: Value = serde_json::from_str(&shown).unwrap();
        assert_eq!(read["items"][0]["target"]["selector"][0]["exact"], text);
    }
}
