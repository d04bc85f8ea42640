//! Where runs and what they learned are kept: a file, or a PostgreSQL server.

use crate::config::{Config, Origin};
use crate::error::{CliError, Result};
use crate::paths;
use std::fmt;
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// The variable that names a server.
pub(crate) const DATABASE_URL: &str = "DATABASE_URL";
/// What may stand before the path of a file.
pub(crate) const SQLITE: &str = "sqlite://";

/// A store. What belongs to this machine alone (notes of where documents are; of a store in a file, snapshots of pages) lies in files beside
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
        if let Some(path) = flag.or_else(|| set().and_then(|_| config.path("store"))) {
            return Self::named(path);
        }
        match std::env::var(DATABASE_URL) {
            // A build without the engine leaves a variable alone that may be meant for other programs.
            Ok(url) if cfg!(feature = "postgres") && is_meant_for_a_server(&url) => {
                if is_server(&url) { usable(url) } else { Err(unknown(&url, DATABASE_URL)) }
            }
            _ => Ok(Self::kept_in(paths::default_store()?)),
        }
    }

    /// A file as a path or `sqlite://PATH`, or a server.
    fn named(path: PathBuf) -> Result<Self> {
        let file = match path.to_str() {
            Some(url) if is_server(url) => return usable(url.to_owned()),
            Some(url) if is_url(url) => match url.strip_prefix(SQLITE) {
                Some(file) if !file.is_empty() => PathBuf::from(file),
                _ => return Err(unknown(url, "the store")),
            },
            _ => path,
        };
        Ok(Self::kept_in(file))
    }

    fn kept_in(file: PathBuf) -> Self {
        Self { file: std::path::absolute(&file).unwrap_or(file), database: None }
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

/// A name that would otherwise become a file of that name, and a team's runs with it.
fn unknown(url: &str, named_by: &str) -> CliError {
    CliError::usage(
        format!("could not use {named_by} {}", without_secrets(url)),
        "it begins like a URL, and not like one of a store",
        "write postgres://user@host/database, without quotes, for a server; for a file its path, or sqlite://PATH",
    )
}

/// Whether a text begins with a scheme, as no path does.
pub(crate) fn is_url(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, _)| {
        scheme.len() > 1
            && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    })
}

/// Whether a variable is for a PostgreSQL server of ours, slips of the keyboard and quotes that a shell would have taken away
/// included. Those of other programs' libraries (`postgresql+driver://`) are theirs.
fn is_meant_for_a_server(url: &str) -> bool {
    let bare = url.trim().trim_matches(['"', '\'']);
    let scheme = bare.split_once("://").map_or("", |(scheme, _)| scheme).to_ascii_lowercase();
    (scheme.starts_with("postg") && !scheme.contains('+'))
        || ["pg", "pgsql", "psql"].contains(&scheme.as_str())
}

/// Whether `DATABASE_URL` stands for the store where nothing else names one.
pub(crate) fn counts_as_store(url: &str) -> bool {
    cfg!(feature = "postgres") && is_server(url)
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
    fn a_url_of_nothing_that_is_known_is_no_file() {
        let config = Config::default();
        let find = |text: &str| StorePlace::find(Some(PathBuf::from(text)), &config);
        for url in ["mysql://ann:s3cret@db/runs", "Postgres://ann:s3cret@db/runs", "sqlite://"] {
            let error = find(url).expect_err(url);
            assert!(error.hint.contains("postgres://user@host/database"), "{error:?}");
            assert!(!format!("{error:?}").contains("s3cret"), "{error:?}");
        }
        for (name, file) in [("sqlite:///var/runs.db", "/var/runs.db"), ("/a:b//c", "/a:b//c")] {
            let file = std::path::absolute(file).unwrap();
            assert_eq!(find(name).map(|place| place.file).ok(), Some(file));
        }
    }

    #[test]
    fn a_variable_with_a_slip_is_told_and_one_of_other_programs_left_alone() {
        for meant in [
            "postgres://db/runs",
            "postgresql://db/runs",
            "postgress://db/runs",
            "Postgres://db/runs",
            "psql://db/runs",
            "\"postgres://db/runs\"",
        ] {
            assert!(is_meant_for_a_server(meant), "{meant}");
        }
        for others in
            ["mysql://db/runs", "postgresql+asyncpg://db/runs", "sqlite:///runs.db", "", "db"]
        {
            assert!(!is_meant_for_a_server(others), "{others}");
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
