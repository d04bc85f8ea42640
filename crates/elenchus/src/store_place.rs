//! Where runs and what they learned are kept: a file, or a PostgreSQL server.

use crate::config::{Config, Origin};
use crate::error::{CliError, Result};
use crate::paths;
use std::fmt;
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// The variable that names a server.
const DATABASE_URL: &str = "DATABASE_URL";

/// A store. What belongs to this machine alone (notes of where documents are, snapshots of pages) lies in files beside
/// [`Path`] in either case, so that it stands for that path wherever one is wanted.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StorePlace {
    file: PathBuf,
    /// The URL of a server in the place of the file.
    database: Option<String>,
}

impl StorePlace {
    /// The store of a flag, else of the settings, else of `DATABASE_URL`, else the usual file.
    ///
    /// # Errors
    /// When a server is named that this build cannot use, or there is no home folder.
    pub(crate) fn find(flag: Option<PathBuf>, config: &Config) -> Result<Self> {
        let set = || config.get("store").filter(|(_, origin)| *origin != Origin::Default);
        let named = flag.or_else(|| set().and_then(|_| config.path("store")));
        let (text, asked_for) = match named {
            Some(path) => (path.to_string_lossy().into_owned(), Some(path)),
            None => match std::env::var(DATABASE_URL) {
                // A build without the engine leaves a variable alone that may be meant for other programs.
                Ok(url) if cfg!(feature = "postgres") && is_server(&url) => (url, None),
                _ => (String::new(), None),
            },
        };
        if is_server(&text) {
            return usable(text);
        }
        let file = asked_for.map_or_else(paths::default_store, Ok)?;
        Ok(Self { file: std::path::absolute(&file).unwrap_or(file), database: None })
    }

    /// A file.
    #[cfg(test)]
    pub(crate) fn at(file: PathBuf) -> Self {
        Self { file, database: None }
    }

    /// The URL of the server, where it is one; with the password.
    pub(crate) fn database(&self) -> Option<&str> {
        self.database.as_deref()
    }

    /// Whether there is something to look at. A server is taken to be there.
    pub(crate) fn is_made(&self) -> bool {
        self.database.is_some() || self.file.exists()
    }
}

fn usable(url: String) -> Result<StorePlace> {
    if cfg!(feature = "postgres") {
        return Ok(StorePlace { file: paths::default_store()?, database: Some(url) });
    }
    Err(CliError::usage(
        format!("could not use the store {}", without_secrets(&url)),
        "this build of elenchus keeps runs in files",
        "build it with `cargo build --release -p elenchus --features postgres`, or name a file in its place",
    ))
}

/// Whether a store names a PostgreSQL server.
pub(crate) fn is_server(text: &str) -> bool {
    ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme))
}

/// A URL as it may be shown: without the password, and without its parameters, which may hold one as well.
pub(crate) fn without_secrets(url: &str) -> String {
    let shown = url.split('?').next().unwrap_or_default();
    match (shown.split_once("://"), shown.rsplit_once('@')) {
        (Some((scheme, _)), Some((who, place))) => {
            let user = who.split_once("://").map_or(who, |(_, user)| user);
            let user = user.split(':').next().unwrap_or_default();
            format!("{scheme}://{user}@{place}")
        }
        _ => shown.to_owned(),
    }
}

/// A value of the settings without what is secret in it: a database's URL, or another one that holds a password.
pub(crate) fn shown(value: &str) -> String {
    let authority = value.split_once("://").map_or("", |(_, rest)| rest);
    let authority = authority.split(['/', '?', '#']).next().unwrap_or_default();
    let has_password = authority.rsplit_once('@').is_some_and(|(who, _)| who.contains(':'));
    if is_server(value) || has_password { without_secrets(value) } else { value.to_owned() }
}

impl Deref for StorePlace {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.file
    }
}

impl fmt::Display for StorePlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.database {
            Some(url) => out.write_str(&without_secrets(url)),
            None => write!(out, "{}", self.file.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_password_is_shown() {
        for (url, shown) in [
            (
                "postgres://ann:s3cret@db.example:5432/runs?sslmode=require",
                "postgres://ann@db.example:5432/runs",
            ),
            ("postgres://ann:p@ss@db/runs?password=s3cret", "postgres://ann@db/runs"),
            ("postgresql://db/runs", "postgresql://db/runs"),
        ] {
            assert_eq!(without_secrets(url), shown);
            assert_eq!(super::shown(url), shown);
        }
        let qdrant = "http://ann:s3cret@127.0.0.1:6333/at?x=1";
        assert_eq!(shown(qdrant), "http://ann@127.0.0.1:6333/at");
        for plain in ["docs", "http://127.0.0.1:6333/a@b?c=d:e@f", "onnx:a/b", "", "~/x@y:z"] {
            assert_eq!(shown(plain), plain);
        }
    }

    #[test]
    fn a_path_is_a_file_and_a_url_a_server() {
        let config = Config::default();
        let file = StorePlace::find(Some(PathBuf::from("runs.db")), &config).unwrap();
        assert!(file.is_absolute() && file.database().is_none());
        let named = Some(PathBuf::from("postgres://ann:s3cret@db/runs"));
        let found = StorePlace::find(named, &config);
        assert_eq!(found.is_ok(), cfg!(feature = "postgres"));
        match found {
            Ok(place) => {
                assert_eq!(place.database(), Some("postgres://ann:s3cret@db/runs"));
                assert_eq!(place.to_string(), "postgres://ann@db/runs");
            }
            Err(error) => assert!(!format!("{error:?}").contains("s3cret"), "{error:?}"),
        }
    }
}
