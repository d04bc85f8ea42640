//! Where things are kept: the XDG base directories.

use crate::error::{CliError, Result};
use elenchus_core::id::short_hash;
use std::path::{Path, PathBuf};

/// A folder of the user, from its variable or below the home folder.
fn base(variable: &str, below_home: &str) -> Result<PathBuf> {
    // The specification says that relative values are to be ignored.
    if let Some(path) = variable_path(variable).filter(|path| path.is_absolute()) {
        return Ok(path.join("elenchus"));
    }
    match variable_path("HOME").or_else(|| variable_path("USERPROFILE")) {
        Some(home) => Ok(home.join(below_home).join("elenchus")),
        None => Err(CliError::usage(
            "could not tell where to keep files",
            format!("neither {variable} nor HOME is set"),
            "set one of them to a folder that may be written; `elenchus ask` keeps nothing with --ephemeral",
        )),
    }
}

/// A variable that is set and not empty.
fn variable_path(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The user's configuration file, whether it exists or not.
pub(crate) fn user_config() -> Result<PathBuf> {
    Ok(base("XDG_CONFIG_HOME", ".config")?.join("config.toml"))
}

/// The nearest `elenchus.toml` from the working folder upward.
pub(crate) fn project_config() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    here.ancestors().map(|folder| folder.join("elenchus.toml")).find(|file| file.is_file())
}

/// Where runs are kept unless told otherwise.
pub(crate) fn default_store() -> Result<PathBuf> {
    Ok(base("XDG_DATA_HOME", ".local/share")?.join("elenchus.db"))
}

/// Where what a user said about figures is kept.
pub(crate) fn feedback() -> Result<PathBuf> {
    Ok(base("XDG_DATA_HOME", ".local/share")?.join("feedback.jsonl"))
}

/// Where what a user said about scored memos is kept.
pub(crate) fn scored() -> Result<PathBuf> {
    Ok(base("XDG_DATA_HOME", ".local/share")?.join("scored.jsonl"))
}

/// Where replies of language models are kept.
pub(crate) fn replies() -> Result<PathBuf> {
    Ok(base("XDG_DATA_HOME", ".local/share")?.join("replies.db"))
}

/// Where what a user said about insights is kept.
pub(crate) fn opinions() -> Result<PathBuf> {
    Ok(base("XDG_DATA_HOME", ".local/share")?.join("insights.jsonl"))
}

/// Where pulled models are kept.
pub(crate) fn models() -> Result<PathBuf> {
    Ok(base("XDG_DATA_HOME", ".local/share")?.join("models"))
}

/// Where the sample documents are written unless told otherwise.
pub(crate) fn demo() -> Result<PathBuf> {
    Ok(base("XDG_DATA_HOME", ".local/share")?.join("demo"))
}

/// Where the index of a corpus lies unless told otherwise. `root` is canonical.
pub(crate) fn default_index(root: &Path, embedder: &str) -> Result<PathBuf> {
    let name: String = root
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
        .chars()
        .map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' })
        .take(40)
        .collect();
    // Two embedders on one folder do not take each other's vectors away.
    let mut key = root.as_os_str().as_encoded_bytes().to_vec();
    key.push(0);
    key.extend_from_slice(embedder.as_bytes());
    let file = format!("{name}-{}.db", short_hash(&key, 12));
    Ok(base("XDG_CACHE_HOME", ".cache")?.join("indexes").join(file))
}

/// Where the settings of a store's runs are kept: beside it, so that they move with it.
pub(crate) fn run_settings(store: &Path) -> PathBuf {
    store.with_extension("runs")
}

/// Where the pages are kept that runs of a store have read: beside it, so that they move with it.
pub(crate) fn snapshots(store: &Path) -> PathBuf {
    store.with_extension("web.db")
}

/// Where the token of the server over HTTP lies unless told otherwise.
pub(crate) fn mcp_token() -> Result<PathBuf> {
    Ok(base("XDG_DATA_HOME", ".local/share")?.join("mcp.token"))
}
