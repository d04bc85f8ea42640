//! A run as a package that can be cited: an RO-Crate 1.2 after the profile Process Run Crate 0.5.

use super::prov::ended;
use super::reference::{Reference, instant, iso, uuid};
use super::{to_csl_json, to_csv, to_prov_json, to_web_annotations};
use crate::answer::{Answer, to_markdown};
use crate::evidence::ReadPassage;
use crate::id::{Timestamp, hex};
use crate::inquiry::StopReason;
use crate::text::{squeeze, visible_json};
use crate::trace::Envelope;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const CRATE: &str = "https://w3id.org/ro/crate/1.2";
const PROFILE: &str = "https://w3id.org/ro/wfrun/process/0.5";

/// A file of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrateFile {
    /// Its name; a package has no folders.
    pub name: String,
    /// "text/markdown"
    pub media_type: String,
    /// What it is, for people.
    pub about: String,
    /// What stands in it.
    pub text: String,
}

impl CrateFile {
    /// A file from its parts.
    pub fn new(name: &str, media_type: &str, about: &str, text: String) -> Self {
        Self {
            name: name.to_owned(),
            media_type: media_type.to_owned(),
            about: about.to_owned(),
            text,
        }
    }
}

/// Every file of the package, the metadata first: the report, its sources, annotations and provenance, and what the caller
/// `adds` (the report as a page, the answer and the trace as JSON). Documents are described and quoted, never copied: they may be private, and are
/// others' work. The same run gives the same bytes.
pub fn to_ro_crate(
    answer: &Answer,
    events: &[Envelope],
    passages: &[ReadPassage],
    adds: Vec<CrateFile>,
) -> Vec<CrateFile> {
    let mut files = vec![
        CrateFile::new(
            "report.md",
            "text/markdown",
            "The report, with its sources",
            to_markdown(answer),
        ),
        CrateFile::new(
            "sources.csl.json",
            "application/vnd.citationstyles.csl+json",
            "The cited documents for reference managers",
            to_csl_json(answer),
        ),
        CrateFile::new("quotes.csv", "text/csv", "The cited quotes as a table", to_csv(answer)),
        CrateFile::new(
            "annotations.jsonld",
            "application/ld+json",
            "The evidence as W3C Web Annotations",
            to_web_annotations(answer, passages),
        ),
        CrateFile::new(
            "prov.json",
            "application/json",
            "The provenance as PROV-JSON",
            to_prov_json(answer, events),
        ),
    ];
    files.extend(adds);
    let metadata = metadata(answer, events, &files);
    let about = "What is in the package, and how it came about";
    files.insert(
        0,
        CrateFile::new("ro-crate-metadata.json", "application/ld+json", about, metadata),
    );
    files
}

fn metadata(answer: &Answer, events: &[Envelope], files: &[CrateFile]) -> String {
    let question = squeeze(&answer.question);
    let end = ended(answer, events);
    let sources = Reference::all(answer);
    // The specification demands an address, and there is no place on the web to name: this names the version.
    let software = uuid(&["software", "elenchus", env!("CARGO_PKG_VERSION")]);
    let ids = |names: Vec<String>| -> Vec<Value> {
        names.into_iter().map(|name| json!({ "@id": name })).collect()
    };
    let parts = ids(files.iter().map(|file| file.name.clone()).collect());
    let mut cited: Vec<String> = sources.iter().map(|one| one.address(answer)).collect();
    // Two numbers may stand for one address: an entity is listed once.
    cited.sort();
    cited.dedup();
    let mut inputs = vec![json!({ "@id": "#question" }), json!({ "@id": "#model" })];
    inputs.extend(ids(cited.clone()));
    let mut action = json!({
        "@id": "#run",
        "@type": "CreateAction",
        "name": format!("Research run {}", answer.run_id),
        "description": format!(
            "A question was asked of {}; the run ended because: {}.",
            squeeze(&answer.corpus),
            answer.stop_reason.name()
        ),
        "startTime": with_offset(answer.started_at),
        "endTime": with_offset(end),
        "instrument": { "@id": software },
        "object": inputs,
        "result": parts,
        "actionStatus": if answer.stop_reason == StopReason::Failed {
            "http://schema.org/FailedActionStatus"
        } else {
            "http://schema.org/CompletedActionStatus"
        },
    });
    if answer.stop_reason == StopReason::Failed {
        action["error"] =
            json!("a component failed; the answer is made of what was found until then");
    }
    let mut graph = vec![
        json!({
            "@id": "ro-crate-metadata.json",
            "@type": "CreativeWork",
            "name": "What is in the package, and how it came about",
            "conformsTo": { "@id": CRATE },
            "about": { "@id": "./" },
        }),
        json!({
            "@id": "./",
            "@type": "Dataset",
            "conformsTo": { "@id": PROFILE },
            "name": format!("Answer to \u{201C}{question}\u{201D}"),
            "description": "A research run: the question, the answer with its quotes and confidence, where each statement \
                            comes from, and every step on the way.",
            "datePublished": with_offset(end),
            "license": { "@id": "#licence" },
            "identifier": { "@id": "#run-id" },
            "hasPart": parts,
            "mentions": { "@id": "#run" },
            "citation": ids(cited),
        }),
        json!({ "@id": PROFILE, "@type": ["CreativeWork", "Profile"], "name": "Process Run Crate", "version": "0.5" }),
        json!({
            "@id": "#licence",
            "@type": "CreativeWork",
            "name": "No licence stated",
            "description": "Whoever asked decides about the report. Quotes are their authors' and stand under the terms of \
                            the documents that they come from.",
        }),
        action,
        json!({
            "@id": software,
            "@type": "SoftwareApplication",
            "name": "Elenchus",
            "description": "Answers questions from documents and shows where each statement stands.",
            "version": env!("CARGO_PKG_VERSION"),
            "softwareVersion": env!("CARGO_PKG_VERSION"),
            // The specification demands an address, and there is no place on the web to name: this names the version.
            "url": uuid(&["software", "elenchus", env!("CARGO_PKG_VERSION")]),
        }),
        json!({
            "@id": "#model",
            "@type": "PropertyValue",
            "name": "model",
            "value": squeeze(&answer.model),
            "description": "The model that proposed; the program composed the answer.",
        }),
        json!({ "@id": "#run-id", "@type": "PropertyValue", "name": "run", "value": answer.run_id.as_str() }),
        json!({ "@id": "#question", "@type": "PropertyValue", "name": "question", "value": question }),
    ];
    graph.extend(files.iter().map(file));
    let mut listed = Vec::new();
    for one in &sources {
        let address = one.address(answer);
        if listed.contains(&address) {
            continue;
        }
        graph.push(source(one, &address));
        listed.push(address);
    }
    let whole = json!({ "@context": format!("{CRATE}/context"), "@graph": graph });
    let text = serde_json::to_string_pretty(&whole).expect("strings and numbers are always JSON");
    format!("{}\n", visible_json(&text))
}

/// The time as the profile's validator wants it: with an offset, which is 0.
fn with_offset(at: Timestamp) -> String {
    format!("{}+00:00", instant(at).trim_end_matches('Z'))
}

fn file(file: &CrateFile) -> Value {
    json!({
        "@id": file.name,
        "@type": "File",
        "name": file.name,
        "description": file.about,
        "encodingFormat": file.media_type,
        "contentSize": file.text.len().to_string(),
        "sha256": hex(&Sha256::digest(file.text.as_bytes())),
    })
}

fn source(one: &Reference, address: &str) -> Value {
    let mut entity = json!({
        "@id": address,
        "@type": if one.url.is_some() { json!(["CreativeWork", "WebPage"]) } else { json!("CreativeWork") },
        "name": one.named(),
    });
    if let Some(author) = &one.author {
        entity["creditText"] = json!(author);
    }
    if let Some(date) = &one.date {
        entity["datePublished"] = json!(iso(date.value));
    }
    if !one.content_hash.is_empty() {
        entity["sha256"] = json!(squeeze(&one.content_hash));
    }
    entity
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{answer, hostile, passages, with_claims};
    use super::*;
    use std::collections::BTreeSet;

    fn package(answer: &Answer) -> Vec<CrateFile> {
        let adds =
            CrateFile::new("answer.json", "application/json", "The answer", "{}\n".to_owned());
        to_ro_crate(answer, &[], &passages(answer), vec![adds])
    }

    /// Entities by id, each there once, and everything that is named is there.
    fn entities(files: &[CrateFile]) -> Vec<Value> {
        let whole: Value = serde_json::from_str(&files[0].text).unwrap();
        let graph = whole["@graph"].as_array().unwrap().clone();
        let ids: Vec<&str> = graph.iter().map(|one| one["@id"].as_str().unwrap()).collect();
        let distinct: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), distinct.len(), "{ids:?}");
        for one in &graph {
            for (key, value) in one.as_object().unwrap() {
                if key == "conformsTo" || key == "actionStatus" {
                    continue;
                }
                let values = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
                for named in values.iter().filter_map(|value| value["@id"].as_str()) {
                    assert!(distinct.contains(named), "{key}: {named}");
                }
            }
        }
        graph
    }

    #[test]
    fn every_file_is_described_as_it_is() {
        let files = package(&with_claims(answer()));
        let graph = entities(&files);
        for file in &files[1..] {
            let entity = graph.iter().find(|one| one["@id"] == file.name).unwrap();
            assert_eq!(entity["contentSize"], file.text.len().to_string());
            assert_eq!(entity["sha256"], hex(&Sha256::digest(file.text.as_bytes())));
        }
        insta::assert_snapshot!(files[0].text);
    }

    #[test]
    fn what_is_quoted_stays_in_its_string() {
        for text in ["\"},{\"@id\":\"x\" \u{202E}", "../../etc/passwd", "https://a.example/x y\"z"]
        {
            let files = package(&with_claims(hostile(text)));
            assert!(!files[0].text.chars().any(|c| c != '\n' && crate::text::is_invisible(c)));
            assert!(files.iter().all(|file| !file.name.contains(['/', '\\'])));
            entities(&files);
        }
    }
}
