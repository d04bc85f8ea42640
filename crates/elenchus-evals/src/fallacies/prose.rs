//! False alarms on prose.

use super::{Report, Run};
use crate::record::What;
use elenchus_core::scrutiny::fallacy::{Detector, Options, Point, Reader, detect};
use std::path::{Path, PathBuf};

/// Files whose text is read, by the end of their names.
const ENDS: &[&str] = &["md", "txt", "tsv"];

/// Prints warnings a 1,000 sentences of the prose in a file or folder, at both points.
pub(super) fn measure(
    at: &Path,
    kind: &str,
    reader: Reader<'_>,
    show: bool,
    report: &mut Report,
) -> Run<()> {
    let mut files = Vec::new();
    collect(at, &mut files).map_err(|error| format!("could not read {}: {error}", at.display()))?;
    files.sort();
    let mut texts = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file);
        texts.push(text.map_err(|error| format!("could not read {}: {error}", file.display()))?);
    }
    let sentences: usize = texts.iter().map(|text| sentences(text)).sum();
    let name = at.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    for point in [Point::Strict, Point::Sensitive] {
        let options = Options { point, theology: false, reader };
        let mut found: Vec<_> = texts.iter().flat_map(|text| detect(text, &options)).collect();
        let by_model = found.iter().filter(|f| f.detector == Detector::Model).count();
        let rate = 1000.0 * found.len() as f64 / sentences.max(1) as f64;
        let what = format!("{kind} ({name}): warnings a 1,000 sentences, {point:?}");
        report.note(&what, What::Warnings, rate, None);
        report.put(
            what,
            None,
            format!(
                "{rate:.2} ({} in {sentences} sentences, {by_model} by the model alone)",
                found.len()
            ),
        );
        if show {
            found.sort_by(|a, b| b.probability.total_cmp(&a.probability));
            for f in found.iter().take(40) {
                println!(
                    "    {} {:.2} {:?}: {}",
                    f.fallacy,
                    f.probability,
                    f.detector,
                    f.text.replace('\n', " ")
                );
            }
        }
    }
    Ok(())
}

fn collect(at: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if at.is_dir() {
        for entry in std::fs::read_dir(at)? {
            collect(&entry?.path(), files)?;
        }
    } else if at.extension().is_some_and(|end| ENDS.iter().any(|known| end == *known)) {
        files.push(at.to_owned());
    }
    Ok(())
}

/// Sentences with at least four words, near enough: ends of sentences outside tables and headings.
fn sentences(text: &str) -> usize {
    let prose = text.lines().filter(|line| !line.trim_start().starts_with(['|', '#']));
    let joined = prose.collect::<Vec<_>>().join("\n").replace("\n\n", ". ").replace('\n', " ");
    joined
        .split(". ")
        .flat_map(|s| s.split(['!', '?']))
        .filter(|s| s.split_whitespace().count() >= 4)
        .count()
}

#[cfg(test)]
mod tests {
    #[test]
    fn sentences_are_counted() {
        assert_eq!(
            super::sentences("# Head\n\nOne two three four. Five six\nseven eight! No.\n"),
            2
        );
    }
}
