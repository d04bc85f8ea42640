//! `elenchus models`: entailment models by name, kept with the hashes of their files.

use crate::cli::ModelsCommand;
use crate::config::Config;
use crate::error::{CliError, Kind, Result};
use crate::paths;
use crate::ui::terminal::Terminal;
use elenchus_core::text::squeeze;
use elenchus_io::verify::nli::NliError;
use elenchus_io::verify::nli::download::fetch;
use elenchus_io::verify::nli::folder::{self, CONFIG, Manifest, State, TOKENIZER};
use serde_json::json;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A model that is known by name.
struct Known {
    name: &'static str,
    /// Where a hub has it.
    repository: &'static str,
    /// The model's file there.
    model: &'static str,
    about: &'static str,
    /// Hashes (SHA-256) of files, by path. Empty where none could be verified: then the first pull is trusted, which is said,
    /// and those noted at it are what later pulls and loads are held against.
    hashes: &'static [(&'static str, &'static str)],
}

const KNOWN: [Known; 3] = [
    Known {
        name: "nli-minilm",
        repository: "cross-encoder/nli-MiniLM2-L6-H768",
        model: "onnx/model.onnx",
        about: "small and quick; English",
        hashes: &[],
    },
    Known {
        name: "nli-deberta-small",
        repository: "cross-encoder/nli-deberta-v3-small",
        model: "onnx/model.onnx",
        about: "slower and more exact; English",
        hashes: &[],
    },
    Known {
        name: "nli-deberta-base",
        repository: "cross-encoder/nli-deberta-v3-base",
        model: "onnx/model.onnx",
        about: "slow and most exact; English",
        hashes: &[],
    },
];

fn known(name: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|model| model.name == name)
}

impl Known {
    /// The addresses of its files below a hub's.
    fn addresses(&self, hub: &str) -> [String; 3] {
        let hub = hub.trim_end_matches('/');
        [self.model, TOKENIZER, CONFIG]
            .map(|file| format!("{hub}/{}/resolve/main/{file}", self.repository))
    }
}

impl From<NliError> for CliError {
    fn from(error: NliError) -> Self {
        Self::parsed(Kind::Provider, &error.to_string(), "use the verifier `builtin`")
    }
}

pub(super) fn run(command: ModelsCommand, config: &Config, terminal: &Terminal) -> Result<()> {
    match command {
        ModelsCommand::List { json } => list(json, terminal),
        ModelsCommand::Path { name: None } => {
            terminal.print_line(&paths::models()?.display().to_string())
        }
        ModelsCommand::Path { name: Some(name) } => {
            let found = installed(&name)?.ok_or_else(|| not_here(&name))?;
            terminal.print_line(&found.display().to_string())
        }
        ModelsCommand::Pull { name, from } => {
            let recorded = recorded(&paths::models()?, &name);
            let manifest = pull(&name, from.as_deref(), config.text("models.url"), terminal)?;
            let mut out = String::new();
            for file in &manifest.files {
                let _ = writeln!(out, "{}  {:>12}  {}", file.sha256, file.bytes, file.path);
            }
            terminal.print(&out)?;
            if let Some(unverified) = unverified(&name, &manifest, &recorded) {
                terminal.warn(&unverified);
            }
            terminal.say(&format!(
                "kept {name} in {}; use it with `elenchus verify ANSWER.md --sources DIR --verifier onnx:{name}`",
                paths::models()?.join(&name).display()
            ));
            Ok(())
        }
    }
}

/// Hashes by path that an earlier pull of a known model noted, where none is known beforehand.
fn recorded(models: &Path, name: &str) -> Vec<(String, String)> {
    let held = known(name).is_some_and(|model| model.hashes.is_empty());
    let earlier = if held { Manifest::read(&models.join(name)).ok().flatten() } else { None };
    let files = earlier.map(|manifest| manifest.files).unwrap_or_default();
    files.into_iter().map(|file| (file.path, file.sha256)).collect()
}

/// What is said of files that nothing but this pull vouches for.
fn unverified(name: &str, pulled: &Manifest, recorded: &[(String, String)]) -> Option<String> {
    let known = known(name);
    let expected = known.map_or(&[][..], |model| model.hashes);
    let vouched = |path: &str| {
        expected.iter().any(|(of, _)| *of == path) || recorded.iter().any(|(of, _)| of == path)
    };
    let first = pulled.files.iter().find(|file| !vouched(&file.path))?;
    let later =
        if known.is_some() { "later pulls of this name and every load" } else { "every load" };
    Some(format!(
        "unverified: no hash of {} was known beforehand, so that it is what {} gave; its SHA-256 is {}; the hashes are \
         recorded, and {later} are held against them",
        first.path,
        squeeze(&pulled.from),
        first.sha256
    ))
}

/// The folder of a pulled model; `None` when no such was pulled.
fn installed(name: &str) -> Result<Option<PathBuf>> {
    if !folder::is_name(name) {
        return Ok(None);
    }
    let dir = paths::models()?.join(name);
    Ok(dir.is_dir().then_some(dir))
}

fn not_here(name: &str) -> CliError {
    CliError::usage(
        format!("could not find the model {name:?}"),
        "it is neither a pulled model nor a folder",
        "`elenchus models list` shows pulled and known models; name a folder with its path, as in `onnx:./DIR`",
    )
}

/// The folder that `--verifier onnx:NAMED` means: a pulled model's, or the named one. `./NAME` is always a folder.
#[cfg(feature = "onnx")]
pub(crate) fn find(named: &str) -> Result<PathBuf> {
    match installed(named) {
        Ok(Some(dir)) => Ok(dir),
        // Without a home folder a path still means what it says.
        _ if Path::new(named).is_dir() => Ok(PathBuf::from(named)),
        found => found.and_then(|_| Err(not_here(named))),
    }
}

fn list(as_json: bool, terminal: &Terminal) -> Result<()> {
    let models = paths::models()?;
    let found = folder::installed(&models).map_err(|error| {
        CliError::storage(
            format!("could not list the models in {}", models.display()),
            error.to_string(),
            "check that the folder may be read",
        )
    })?;
    let other: Vec<&Known> =
        KNOWN.iter().filter(|known| found.iter().all(|(name, ..)| name != known.name)).collect();
    if as_json {
        let installed: Vec<_> = found
            .iter()
            .map(|(name, state, manifest)| {
                json!({ "name": name, "hashes": state, "manifest": manifest })
            })
            .collect();
        let known: Vec<_> = other
            .iter()
            .map(|model| {
                json!({ "name": model.name, "repository": model.repository, "about": model.about })
            })
            .collect();
        return terminal.print_json(&json!({
            "folder": models, "installed": installed, "known": known,
        }));
    }
    let mut out = String::new();
    for (name, state, manifest) in &found {
        let _ = writeln!(out, "{name:<20} {}{}", told(state), origin(manifest.as_ref()));
    }
    for model in other {
        let trust = if model.hashes.is_empty() { "; no hash is known beforehand" } else { "" };
        let about = format!("{} ({}{trust})", model.repository, model.about);
        let _ = writeln!(out, "{:<20} not pulled: {about}", model.name);
    }
    terminal.print(&out)
}

fn told(state: &State) -> String {
    match state {
        State::Intact => "intact".to_owned(),
        State::Changed(files) => format!("changed since it was pulled: {}", files.join(", ")),
        State::Incomplete(files) => format!("incomplete: {} missing", files.join(", ")),
        State::Unknown => "no readable manifest: pull it again".to_owned(),
    }
}

fn origin(manifest: Option<&Manifest>) -> String {
    manifest.map_or_else(String::new, |manifest| format!(", from {}", squeeze(&manifest.from)))
}

/// Keeps a model under a name, from `--from` or from the hub of the settings.
fn pull(
    name: &str,
    from: Option<&str>,
    hub: Option<&str>,
    terminal: &Terminal,
) -> Result<Manifest> {
    let models = paths::models()?;
    let refuse = |cause: String, hint: String| {
        Err(CliError::usage(format!("could not pull the model {name:?}"), cause, hint))
    };
    let known = known(name);
    let recorded = recorded(&models, name);
    let noted: Vec<(&str, &str)> =
        recorded.iter().map(|(path, hash)| (path.as_str(), hash.as_str())).collect();
    let hashes = match known {
        Some(model) if !model.hashes.is_empty() => model.hashes,
        _ => noted.as_slice(),
    };
    let begin_anew = |error: CliError| {
        if recorded.is_empty() || !error.message().contains("not the known one") {
            return error;
        }
        let dir = models.join(name);
        error.or_hint(&format!("remove {} if another version is what you want", dir.display()))
    };
    let source = match (from, hub, known) {
        (Some(from), ..) => from.to_owned(),
        // A hub that lies in a folder.
        (None, Some(hub), Some(model)) if local(hub).is_some() => {
            format!("{}/{}", hub.trim_end_matches('/'), model.repository)
        }
        (None, Some(hub), Some(model)) => {
            let [address, tokenizer, config] = model.addresses(hub);
            let others = [(tokenizer, TOKENIZER), (config, CONFIG)];
            return download(name, &[(address, model.model)], &others, hub, hashes, terminal)
                .map_err(begin_anew);
        }
        (None, None, Some(model)) => {
            return refuse(
                "no hub is set".to_owned(),
                format!(
                    "set `models.url` to the address of a model hub that has the repository, or download {}, {TOKENIZER} and {CONFIG} of the repository {} into a folder, then give \
                     `elenchus models pull {name} --from DIR`",
                    model.model, model.repository
                ),
            );
        }
        (None, _, None) => {
            let names: Vec<&str> = KNOWN.iter().map(|model| model.name).collect();
            return refuse(
                "it is not known by name".to_owned(),
                format!(
                    "known are {}; any other model is kept with `--from DIR`",
                    names.join(", ")
                ),
            );
        }
    };
    let Some(dir) = local(&source) else {
        let base = source.trim_end_matches('/');
        let at = |file| (format!("{base}/{file}"), file);
        // The model lies where exports put it; the other files beside it or above.
        let model = folder::MODEL_FILES.map(at);
        return download(name, &model, &[TOKENIZER, CONFIG].map(at), base, hashes, terminal)
            .map_err(begin_anew);
    };
    make(&models)?;
    folder::keep(&dir, &models, name, hashes, None).map_err(|error| begin_anew(error.into()))
}

fn make(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|error| {
        CliError::storage(
            format!("could not make the folder {}", folder.display()),
            error.to_string(),
            "check its permissions, or set XDG_DATA_HOME to another place",
        )
    })
}

/// Fetches files (address, and path below the model's folder) and keeps them as a model: the first of `model` that
/// the server has, and all others.
fn download(
    name: &str,
    model: &[(String, &str)],
    others: &[(String, &str)],
    origin: &str,
    hashes: &[(&str, &str)],
    terminal: &Terminal,
) -> Result<Manifest> {
    if !folder::is_name(name) {
        return Err(CliError::usage(
            format!("could not pull the model {name:?}"),
            "that is no name for a folder",
            "use letters, digits, `-`, `_` and `.`, at most 64, a letter or digit first",
        ));
    }
    if !origin.starts_with("http://") && !origin.starts_with("https://") {
        return Err(CliError::usage(
            format!("could not pull the model {name:?}"),
            format!("{} is neither a folder nor an http address", squeeze(origin)),
            "name a folder, or an address that begins with https://",
        ));
    }
    let models = paths::models()?;
    let work = models.join(format!(".{name}.{}.download", std::process::id()));
    let fetched = || -> Result<Manifest> {
        let runtime = super::runtime()?;
        let one = |(address, path): &(String, &str)| -> Result<Option<CliError>> {
            let to = work.join(path);
            make(to.parent().unwrap_or(&work))?;
            let mut told = |come: u64, whole: Option<u64>| {
                let of = whole.map(|whole| format!(" of {} MB", whole >> 20)).unwrap_or_default();
                terminal.status(&format!("fetching {path}: {} MB{of}", come >> 20));
            };
            let Err(error) = runtime.block_on(fetch(address, &to, &mut told)) else {
                return Ok(None);
            };
            let hint = if error.missing {
                format!(
                    "name a folder or an address that holds {}, {TOKENIZER} and {CONFIG}",
                    folder::MODEL_FILES[0]
                )
            } else {
                "try again, or download the files by hand and name their folder with --from"
                    .to_owned()
            };
            let told = CliError::parsed(Kind::Provider, &error.to_string(), "").with_hint(hint);
            if error.missing { Ok(Some(told)) } else { Err(told) }
        };
        let mut missing = None;
        for file in model {
            missing = one(file)?;
            if missing.is_none() {
                break;
            }
        }
        for file in others {
            missing = match missing {
                None => one(file)?,
                missing => missing,
            };
        }
        if let Some(missing) = missing {
            return Err(missing);
        }
        terminal.clear();
        Ok(folder::keep(&work, &models, name, hashes, Some(origin))?)
    };
    let _ = std::fs::remove_dir_all(&work);
    let kept = fetched();
    let _ = std::fs::remove_dir_all(&work);
    kept
}

/// The folder that a text names: a path, or a `file://` address on this machine. `None` for other addresses.
fn local(source: &str) -> Option<PathBuf> {
    let Some((scheme, rest)) = source.split_once("://") else { return Some(PathBuf::from(source)) };
    if !scheme.eq_ignore_ascii_case("file") {
        return None;
    }
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    let plain = percent_encoding::percent_decode_str(path).decode_utf8_lossy();
    path.starts_with('/').then(|| PathBuf::from(plain.into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_local() {
        assert_eq!(local("some/folder"), Some(PathBuf::from("some/folder")));
        assert_eq!(local("file:///a%20b/100%/%zz"), Some(PathBuf::from("/a b/100%/%zz")));
        assert_eq!(local("file://localhost/a"), Some(PathBuf::from("/a")));
        for other in ["https://hub/x", "http://hub/x", "file://elsewhere/x", "ftp://x/y"] {
            assert_eq!(local(other), None, "{other}");
        }
    }

    #[test]
    fn known_models_have_names_that_folders_can_have() {
        for model in &KNOWN {
            assert!(folder::is_name(model.name));
            assert!(folder::MODEL_FILES.contains(&model.model));
            assert!(model.hashes.iter().all(|(_, hash)| hash.len() == 64));
        }
    }

    #[test]
    fn the_first_pull_is_trusted_and_said_to_be() {
        let models = tempfile::tempdir().unwrap();
        let from = tempfile::tempdir().unwrap();
        for file in ["model.onnx", TOKENIZER, CONFIG] {
            std::fs::write(from.path().join(file), file).unwrap();
        }
        let name = KNOWN[0].name;
        assert_eq!(recorded(models.path(), name), []);
        let kept = folder::keep(from.path(), models.path(), name, &[], None).unwrap();
        let told = unverified(name, &kept, &[]).unwrap();
        assert!(told.starts_with("unverified") && told.contains(&kept.files[0].sha256), "{told}");
        assert!(told.contains("later pulls"), "{told}");
        let noted = recorded(models.path(), name);
        assert_eq!(noted.len(), 3);
        assert_eq!(unverified(name, &kept, &noted), None);
        // Of a name that nobody knows the files are the user's own to change.
        folder::keep(from.path(), models.path(), "mine", &[], None).unwrap();
        assert_eq!(recorded(models.path(), "mine"), []);
    }

    #[test]
    fn what_cannot_be_pulled_is_told_with_the_way_out() {
        let told = |name: &str, from, hub| {
            let error = pull(name, from, hub, &Terminal::silent()).unwrap_err();
            format!("{}; {}", error.message(), error.hint)
        };
        let bare = told("nli-minilm", None, None);
        assert!(bare.contains("no hub is set") && bare.contains("cross-encoder/"), "{bare}");
        assert!(told("mine", None, None).contains("nli-deberta-small"));
        assert!(told("mine", Some("ftp://x.example/m"), None).contains("neither a folder"));
        assert!(
            told("../mine", Some("https://x.example/m"), None).contains("no name for a folder")
        );
    }
}
