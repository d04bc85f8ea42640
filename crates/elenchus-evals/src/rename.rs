//! The control: a copy of the corpus in which every name is another one. A product that is keyed to names fails on it.

use elenchus_io::ingest::format::{Format, extract};
use serde::Deserialize;
use std::path::Path;

/// Literal replacements, applied in order.
#[derive(Debug, Deserialize)]
pub(crate) struct Names {
    map: Vec<(String, String)>,
}

impl Names {
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|e| format!("could not read {}: {e}", path.display()))?;
        serde_json::from_str(&text).map_err(|e| format!("could not read {}: {e}", path.display()))
    }

    pub(crate) fn apply(&self, text: &str) -> String {
        self.map.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from.as_str(), to))
    }

    /// Writes a renamed copy of a corpus as plain Markdown files: PDFs and word files by their extracted text.
    pub(crate) fn copy(&self, from: &Path, to: &Path) -> Result<(), String> {
        let attempt = |what: &str, path: &Path, e: &dyn std::fmt::Display| {
            format!("could not {what} {}: {e}", path.display())
        };
        for entry in std::fs::read_dir(from).map_err(|e| attempt("list", from, &e))? {
            let entry = entry.map_err(|e| attempt("list", from, &e))?;
            let (path, name) = (entry.path(), self.apply(&entry.file_name().to_string_lossy()));
            if path.is_dir() {
                let folder = to.join(&name);
                std::fs::create_dir_all(&folder).map_err(|e| attempt("make", &folder, &e))?;
                self.copy(&path, &folder)?;
                continue;
            }
            let Some(format) = Format::of(&name) else { continue };
            let bytes = std::fs::read(&path).map_err(|e| attempt("read", &path, &e))?;
            let document =
                extract(format, &name, bytes).map_err(|e| attempt("extract", &path, &e))?;
            let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
            let target = to.join(format!("{stem}.md"));
            std::fs::write(&target, self.apply(&document.text))
                .map_err(|e| attempt("write", &target, &e))?;
        }
        Ok(())
    }

    /// The path that a source of the key has in the renamed copy.
    pub(crate) fn path(&self, source: &str) -> String {
        let renamed = self.apply(source);
        renamed.rsplit_once('.').map_or(renamed.clone(), |(stem, _)| format!("{stem}.md"))
    }
}
