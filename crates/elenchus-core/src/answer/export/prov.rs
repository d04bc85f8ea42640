//! Where an answer comes from, as PROV-JSON: the statements derived from quotes, the quotes quoted from documents, the steps that
//! used and made them, and who took the steps.

use super::reference::{Reference, instant, uuid};
use crate::answer::Answer;
use crate::id::{EffectId, Timestamp};
use crate::text::{squeeze, visible_json};
use crate::trace::{Envelope, TraceEvent};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Steps that are listed each by themselves.
const MOST_STEPS: usize = 2_000;

/// The provenance of an answer, indented. `events` are the run's trace; without them the run is one activity. Names stand in the
/// name space `run`, which is made of the run's id, and `elenchus`, which holds the few words of ours. The same run gives
/// the same bytes.
pub fn to_prov_json(answer: &Answer, events: &[Envelope]) -> String {
    let mut doc = Document::default();
    let from = answer.started_at;
    let to = ended(answer, events);
    let run = json!({
        "prov:type": typed("elenchus:Run"),
        "prov:label": squeeze(&answer.question),
        "prov:startTime": instant(from),
        "prov:endTime": instant(to),
    });
    doc.add("activity", "run:run", run);
    doc.add(
        "agent",
        "run:elenchus",
        json!({
            "prov:type": typed("prov:SoftwareAgent"),
            "prov:label": concat!("Elenchus ", env!("CARGO_PKG_VERSION")),
        }),
    );
    doc.add(
        "agent",
        "run:model",
        json!({ "prov:type": typed("prov:SoftwareAgent"), "prov:label": squeeze(&answer.model) }),
    );
    // The model proposes on behalf of the program, which decides.
    doc.link("actedOnBehalfOf", &[("delegate", "run:model"), ("responsible", "run:elenchus")]);
    doc.link("wasAssociatedWith", &[("activity", "run:run"), ("agent", "run:elenchus")]);
    doc.add(
        "entity",
        "run:question",
        json!({ "prov:type": typed("elenchus:Question"), "prov:value": squeeze(&answer.question) }),
    );
    doc.link("used", &[("activity", "run:run"), ("entity", "run:question")]);
    doc.add(
        "entity",
        "run:answer",
        json!({
            "prov:type": [typed("elenchus:Answer"), typed("prov:Collection")],
            "prov:value": answer.text,
        }),
    );
    doc.made("run:answer", "run:run", to);
    doc.link("wasAttributedTo", &[("entity", "run:answer"), ("agent", "run:elenchus")]);
    doc.link(
        "wasDerivedFrom",
        &[("generatedEntity", "run:answer"), ("usedEntity", "run:question")],
    );
    sources(&mut doc, answer);
    claims(&mut doc, answer);
    steps(&mut doc, events);
    doc.written(answer)
}

/// The end of the last event, or what the receipt says.
pub(super) fn ended(answer: &Answer, events: &[Envelope]) -> Timestamp {
    let told = i64::try_from(answer.receipt.wall_ms).unwrap_or(i64::MAX);
    let told = Timestamp(answer.started_at.0.saturating_add(told));
    events.last().map_or(told, |last| last.at).max(answer.started_at)
}

fn sources(doc: &mut Document, answer: &Answer) {
    for one in Reference::all(answer) {
        let id = format!("run:source-{}", one.number);
        let mut entity = json!({
            "prov:type": typed("elenchus:Source"),
            "prov:label": one.named(),
            "prov:location": one.url.clone().or(one.path.clone()).unwrap_or_default(),
            "elenchus:address": { "$": one.address(answer), "type": "xsd:anyURI" },
            "elenchus:readAt": { "$": one.read_at, "type": "xsd:dateTime" },
        });
        if !one.content_hash.is_empty() {
            entity["elenchus:sha256"] = json!(squeeze(&one.content_hash));
        }
        doc.add("entity", &id, entity);
        doc.link("used", &[("activity", "run:run"), ("entity", &id)]);
    }
}

fn claims(doc: &mut Document, answer: &Answer) {
    for (nth, evidence) in answer.evidence.iter().enumerate() {
        let id = format!("run:quote-{}", nth + 1);
        doc.add(
            "entity",
            &id,
            json!({
                "prov:type": typed("elenchus:Quote"),
                "prov:value": evidence.quote,
                "prov:location": squeeze(&evidence.location),
                "elenchus:start": evidence.document_span.start,
                "elenchus:end": evidence.document_span.end,
            }),
        );
        if answer.sources.iter().any(|source| source.number == evidence.citation) {
            let source = format!("run:source-{}", evidence.citation);
            doc.quoted(&id, &source);
        }
    }
    for (nth, claim) in answer.claims.iter().enumerate() {
        let id = format!("run:claim-{}", nth + 1);
        let mut entity = json!({
            "prov:type": typed("elenchus:Claim"),
            "prov:label": claim.id.as_str(),
            "prov:value": claim.text,
        });
        if let Some(entailment) = answer.entailments.get(nth).filter(|one| one.claim_id == claim.id)
        {
            entity["elenchus:verdict"] = json!(entailment.verdict.word());
        }
        let figure = answer.shown_figures(claim).and_then(|one| one.confidence);
        if let Some(p) = figure.filter(|p| p.is_finite()) {
            entity["elenchus:confidence"] = json!({ "$": p.to_string(), "type": "xsd:double" });
        }
        doc.add("entity", &id, entity);
        doc.link("wasAttributedTo", &[("entity", &id), ("agent", "run:elenchus")]);
        doc.link("hadMember", &[("collection", "run:answer"), ("entity", &id)]);
        for at in claim.evidence.iter().filter(|&&at| at < answer.evidence.len()) {
            let quote = format!("run:quote-{}", at + 1);
            doc.link("wasDerivedFrom", &[("generatedEntity", &id), ("usedEntity", &quote)]);
        }
    }
}

/// Actions of the trace, each from its event to the observation that answers it, one informed by the other.
fn steps(doc: &mut Document, events: &[Envelope]) {
    let mut ends: BTreeMap<EffectId, Timestamp> = BTreeMap::new();
    for event in events {
        if let TraceEvent::ReasoningObservation(seen) = &event.event {
            ends.entry(seen.action_id).or_insert(event.at);
        }
    }
    let actions = events.iter().filter_map(|event| match &event.event {
        TraceEvent::ReasoningAction(action) => Some((event, action)),
        _ => None,
    });
    for (event, action) in actions.take(MOST_STEPS) {
        let id = format!("run:step-{}", event.seq);
        let mut step = json!({
            "prov:type": typed("elenchus:Step"),
            "prov:label": squeeze(&action.action),
            "prov:startTime": instant(event.at),
            "elenchus:tool": squeeze(&action.tool),
            "elenchus:reason": squeeze(&action.reasoning),
        });
        if let Some(end) = ends.get(&action.id) {
            step["prov:endTime"] = json!(instant((*end).max(event.at)));
        }
        doc.add("activity", &id, step);
        let agent = if action.tool == "model" { "run:model" } else { "run:elenchus" };
        doc.link("wasAssociatedWith", &[("activity", &id), ("agent", agent)]);
        doc.link("wasInformedBy", &[("informed", "run:run"), ("informant", &id)]);
    }
}

fn typed(name: &str) -> Value {
    json!({ "$": name, "type": "prov:QUALIFIED_NAME" })
}

/// Records by kind, then by name.
#[derive(Default)]
struct Document {
    records: BTreeMap<&'static str, Map<String, Value>>,
    links: usize,
}

impl Document {
    fn add(&mut self, kind: &'static str, id: &str, mut record: Value) {
        // An empty text is allowed, but some readers take it for nothing.
        if let Some(fields) = record.as_object_mut() {
            fields.retain(|_, value| value.as_str() != Some(""));
        }
        self.records.entry(kind).or_default().insert(id.to_owned(), record);
    }

    fn relate(&mut self, kind: &'static str, record: Value) {
        self.links += 1;
        let id = format!("_:r{}", self.links);
        self.add(kind, &id, record);
    }

    fn link(&mut self, kind: &'static str, ends: &[(&str, &str)]) {
        let ends = ends.iter().map(|(name, id)| (format!("prov:{name}"), json!(id)));
        self.relate(kind, Value::Object(ends.collect()));
    }

    fn made(&mut self, entity: &str, activity: &str, at: Timestamp) {
        self.relate(
            "wasGeneratedBy",
            json!({ "prov:entity": entity, "prov:activity": activity, "prov:time": instant(at) }),
        );
    }

    /// `wasQuotedFrom`, which PROV-JSON writes as a derivation of that type.
    fn quoted(&mut self, quote: &str, source: &str) {
        self.relate(
            "wasDerivedFrom",
            json!({
                "prov:generatedEntity": quote, "prov:usedEntity": source, "prov:type": typed("prov:Quotation"),
            }),
        );
    }

    fn written(self, answer: &Answer) -> String {
        let run = uuid(&["run", answer.run_id.as_str()]);
        let mut all = Map::new();
        all.insert(
            "prefix".to_owned(),
            json!({
                "run": format!("{run}#"),
                "elenchus": format!("{}#", uuid(&["vocabulary", "elenchus"])),
                "xsd": "http://www.w3.org/2001/XMLSchema#",
            }),
        );
        for (kind, records) in self.records {
            all.insert(kind.to_owned(), Value::Object(records));
        }
        let text = serde_json::to_string_pretty(&all).expect("strings and numbers are always JSON");
        format!("{}\n", visible_json(&text))
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{answer, hostile, with_claims};
    use super::*;
    use crate::inquiry::Options;
    use crate::testkit::{World, drive};
    use std::collections::BTreeSet;

    /// Every name that a relation uses is a record.
    fn whole(text: &str) -> Value {
        let doc: Value = serde_json::from_str(text).unwrap();
        let names: BTreeSet<&String> = ["entity", "activity", "agent"]
            .iter()
            .filter_map(|kind| doc[kind].as_object())
            .flat_map(|records| records.keys())
            .collect();
        for (kind, records) in doc.as_object().unwrap() {
            if ["prefix", "entity", "activity", "agent"].contains(&kind.as_str()) {
                continue;
            }
            for record in records.as_object().unwrap().values() {
                for (key, value) in record.as_object().unwrap() {
                    if !["prov:time", "prov:type"].contains(&key.as_str()) {
                        let name = value.as_str().unwrap().to_owned();
                        assert!(names.contains(&name), "{kind}: {name}");
                    }
                }
            }
        }
        doc
    }

    #[test]
    fn a_document_is_complete() {
        let text = to_prov_json(&with_claims(answer()), &[]);
        whole(&text);
        insta::assert_snapshot!(text);
    }

    #[test]
    fn every_step_of_a_run_is_an_activity() {
        let world =
            World::new("harbor").document("tides.md", "# Tides\n\nThe lamp was lit in 1931.");
        let options = Options { critique: false, ..Options::default() };
        let driven = drive(&world, "When was the lamp lit?", options);
        let answer = driven.run.view().answer().unwrap().clone();
        let doc = whole(&to_prov_json(&answer, &driven.trace));
        let actions = driven
            .trace
            .iter()
            .filter(|event| matches!(event.event, TraceEvent::ReasoningAction(_)))
            .count();
        assert!(actions > 2);
        assert_eq!(doc["activity"].as_object().unwrap().len(), actions + 1);
        let derived = doc["wasDerivedFrom"].as_object().unwrap().values();
        assert!(derived.clone().any(|one| one["prov:type"]["$"] == "prov:Quotation"));
        assert!(derived.clone().any(|one| one["prov:generatedEntity"] == "run:claim-1"));
    }

    #[test]
    fn what_is_quoted_stays_in_its_string() {
        let text = "\"},\"agent\":{\"run:x\":{}} \u{202E}";
        let shown = to_prov_json(&with_claims(hostile(text)), &[]);
        assert!(!shown.chars().any(|c| c != '\n' && crate::text::is_invisible(c)));
        let doc = whole(&shown);
        assert_eq!(doc["entity"]["run:quote-1"]["prov:value"], text);
        assert_eq!(doc["agent"].as_object().unwrap().len(), 2);
    }
}
