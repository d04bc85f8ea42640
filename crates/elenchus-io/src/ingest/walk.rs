//! Which files of a folder are read.
//!
//! Hidden files and what `.gitignore`, `.ignore` or `.elenchusignore` name are left out without a word,
//! because their owner said so. Everything else that is left out is reported.

use super::format::Format;
use elenchus_core::port::SkippedFile;
use ignore::WalkBuilder;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::UNIX_EPOCH;

/// Largest file read, in bytes, unless set otherwise.
pub const FILE_BYTES: u64 = 64 << 20;

/// A file to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFile {
    /// Where it lies.
    pub location: PathBuf,
    /// Relative to the corpus, with forward slashes.
    pub path: String,
    /// By its extension.
    pub format: Format,
    /// In bytes.
    pub size: u64,
    /// Last change in nanoseconds since the Unix epoch, 0 when the file system does not say. Only tells
    /// whether to look again; never a document's date.
    pub changed: i64,
}

/// What a folder holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Sorted by path.
    pub files: Vec<FoundFile>,
    /// Sorted by path.
    pub skipped: Vec<SkippedFile>,
}

/// Walks `root` recursively; files above `limit` bytes are skipped.
pub fn walk(root: &Path, limit: u64) -> Found {
    let real_root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let leaving: Arc<Mutex<Vec<PathBuf>>> = Arc::default();
    let noted = Arc::clone(&leaving);
    let walker = WalkBuilder::new(root)
        .follow_links(true)
        .require_git(false)
        .git_global(false)
        .git_exclude(false)
        .parents(false)
        .add_custom_ignore_filename(".elenchusignore")
        .sort_by_file_path(Ord::cmp)
        .filter_entry(move |entry| {
            let outside = entry.depth() > 0
                && entry.path_is_symlink()
                && entry.path().canonicalize().is_ok_and(|target| !target.starts_with(&real_root));
            if outside {
                noted.lock().unwrap_or_else(PoisonError::into_inner).push(entry.path().to_owned());
            }
            !outside
        })
        .build();
    let mut found = Found::default();
    for entry in walker {
        match entry {
            Ok(entry) => file(root, &entry, limit, &mut found),
            Err(error) => {
                let (path, reason) = fault(root, &error);
                found.skipped.push(SkippedFile { path, reason });
            }
        }
    }
    for path in leaving.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        let reason = "could not follow the link: it leaves the corpus folder; copy the file into the folder to have it read";
        found.skipped.push(SkippedFile { path: relative(root, &path), reason: reason.to_owned() });
    }
    found.files.sort_by(|a, b| a.path.cmp(&b.path));
    found.skipped.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn file(root: &Path, entry: &ignore::DirEntry, limit: u64, found: &mut Found) {
    let path = relative(root, entry.path());
    let mut skip = |reason: String| found.skipped.push(SkippedFile { path: path.clone(), reason });
    let metadata = match entry.metadata() {
        Ok(metadata) => metadata,
        Err(error) => {
            return skip(format!("could not look at the file: {error}; check its permissions"));
        }
    };
    if metadata.is_dir() {
        return;
    }
    if !metadata.is_file() {
        return skip("could not read it: it is a pipe, socket or device, not a file".to_owned());
    }
    let Some(format) = Format::of(&path) else {
        return skip(
            "unknown format; Markdown, text, HTML, PDF, DOCX, CSV, TSV, JSONL, EML and MBOX files are read"
                .to_owned(),
        );
    };
    if metadata.len() > limit {
        return skip(format!(
            "could not take it in: {:.1} MB is above the limit of {:.0} MB; split the file, or raise the setting `ingest.max_file_mb` (--max-file-mb)",
            metadata.len() as f64 / f64::from(1 << 20),
            limit as f64 / f64::from(1 << 20),
        ));
    }
    let changed = metadata
        .modified()
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
        .and_then(|age| i64::try_from(age.as_nanos()).ok())
        .unwrap_or(0);
    found.files.push(FoundFile {
        location: entry.path().to_owned(),
        path,
        format,
        size: metadata.len(),
        changed,
    });
}

fn relative(root: &Path, path: &Path) -> String {
    let below = path.strip_prefix(root).unwrap_or(path);
    let parts: Vec<_> = below.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}

/// Whether it is a link to what is not there.
fn is_dangling(path: &Path) -> bool {
    path.is_symlink() && !path.exists()
}

fn fault(root: &Path, error: &ignore::Error) -> (String, String) {
    match error {
        ignore::Error::WithPath { path, .. } if is_dangling(path) => (
            relative(root, path),
            "could not follow the link: what it leads to is not there; mend or remove the link"
                .to_owned(),
        ),
        ignore::Error::WithPath { path, err } => {
            let (_, reason) = fault(root, err);
            (relative(root, path), reason)
        }
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            fault(root, err)
        }
        ignore::Error::Loop { child, .. } => (
            relative(root, child),
            "could not follow the link: it leads back to a folder above it; remove the link"
                .to_owned(),
        ),
        ignore::Error::Io(error) => (
            String::new(),
            format!("could not look at it: {error}; check that it exists and may be read"),
        ),
        other => (String::new(), format!("could not look at it: {other}")),
    }
}
