//! Secrets taken out of text: how many kinds go, and how many look-alikes are hurt.

use crate::record::{Gate, Measure, Record, What};
use elenchus_core::bank::scrub;
use serde::Deserialize;
use std::path::Path;
use std::process::ExitCode;

/// A made-up secret in pieces, so that no scanner of files takes it for a real one.
#[derive(Deserialize)]
struct Planted {
    kind: String,
    parts: Vec<String>,
}

/// Text that only looks like a secret.
#[derive(Deserialize)]
struct LookAlike {
    kind: String,
    text: String,
}

/// Ways in which a secret stands in a text: alone, in a sentence, in JSON, in a line of a log.
const SURROUNDINGS: [(&str, &str); 4] = [
    ("", ""),
    ("Then I used ", " to sign in and it worked."),
    ("{\"note\": \"", "\", \"step\": 3}"),
    ("2026-11-20T10:00:00Z INFO sent ", "\n2026-11-20T10:00:01Z INFO received 200"),
];

fn rows<T: serde::de::DeserializeOwned>(path: &Path) -> Result<Vec<T>, String> {
    let failed = |cause: String| format!("could not read {}: {cause}", path.display());
    let text = std::fs::read_to_string(path).map_err(|cause| failed(cause.to_string()))?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| serde_json::from_str(line).map_err(|cause| failed(cause.to_string())))
        .collect()
}

/// The longest run of a secret without white space or quotation marks: what must not be left.
fn core_of(secret: &str) -> &str {
    let parts = secret.split(|c: char| c.is_whitespace() || "\"'=;&:".contains(c));
    parts.max_by_key(|part| part.len()).unwrap_or(secret)
}

/// Runs both lists of a folder; fails below 98 % or above no look-alike.
pub(crate) fn run(folder: &Path, wrong: bool, gate: &Gate) -> Result<ExitCode, String> {
    let files = ["own_secrets_positive_split.jsonl", "own_secrets_negative.jsonl"];
    let planted: Vec<Planted> = rows(&folder.join(files[0]))?;
    let alike: Vec<LookAlike> = rows(&folder.join(files[1]))?;
    let mut gone = 0_usize;
    for one in &planted {
        let secret = one.parts.concat();
        let core = core_of(&secret);
        let left = SURROUNDINGS.iter().find(|(before, after)| {
            let scrubbed = scrub(&format!("{before}{secret}{after}")).text;
            scrubbed.contains(&secret) || scrubbed.contains(core)
        });
        match left {
            None => gone += 1,
            Some((before, _)) if wrong => println!("left: {} behind {before:?}", one.kind),
            Some(_) => {}
        }
    }
    let mut altered = 0_usize;
    for one in &alike {
        let hurt = SURROUNDINGS.iter().any(|(before, after)| {
            let text = format!("{before}{}{after}", one.text);
            scrub(&text).text != text
        });
        if hurt {
            altered += 1;
            if wrong {
                println!("altered: {}: {}", one.kind, scrub(&one.text).text);
            }
        }
    }
    let share = 100.0 * gone as f64 / planted.len().max(1) as f64;
    println!(
        "secrets gone in all {} surroundings: {gone} of {} kinds",
        SURROUNDINGS.len(),
        planted.len()
    );
    println!("share: {share:.1} %");
    println!("look-alikes altered: {altered} of {}", alike.len());
    let mut record = Record::new("secrets");
    for file in files {
        record.read(&folder.join(file))?;
    }
    let found = vec![Measure::share(What::Recall, gone, planted.len())];
    record.put("planted", "scrub", planted.len(), found);
    let hurt = vec![Measure::share(What::FalseAlarms, altered, alike.len())];
    record.put("look-alikes", "scrub", alike.len(), hurt);
    let settled = gate.settle(&record)?;
    Ok(if share >= 98.0 && altered == 0 { settled } else { ExitCode::FAILURE })
}
