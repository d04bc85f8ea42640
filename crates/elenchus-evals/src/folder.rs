//! Data sets that are a folder of JSON files, one an item.

use std::path::{Path, PathBuf};

/// Every item of a folder with its name, in the order of the names.
pub(crate) fn items<T>(
    folder: &Path,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<Vec<(String, T)>, String> {
    let entries = std::fs::read_dir(folder)
        .map_err(|cause| format!("could not open {}: {cause}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    let read = |file: &PathBuf| {
        let failed = |cause: String| format!("could not read {}: {cause}", file.display());
        let text = std::fs::read_to_string(file).map_err(|cause| failed(cause.to_string()))?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok((name, parse(&text).map_err(failed)?))
    };
    files.iter().map(read).collect()
}
