//! Keys of services: from a file that only its user can read, else from the usual variable.

use crate::commands::text;
use crate::config::{Config, KEYS, Key, Origin};
use crate::error::{CliError, Result};
use elenchus_io::model::language::{ModelName, Provider};
use elenchus_io::web::provider::key_variables;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Services that take a key, with the setting that names a file of it.
const KEYED: [(&str, &str); 6] = [
    ("openai", "openai.key_file"),
    ("anthropic", "anthropic.key_file"),
    ("tavily", "tavily.key_file"),
    ("brave", "brave.key_file"),
    ("openalex", "openalex.key_file"),
    ("opensearch", "opensearch.key_file"),
];

/// The longest file that is taken for a key.
const LONGEST: u64 = 4096;

/// A file with a key, as a flag names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyFile {
    /// Whose key it is; that of the model where nobody says.
    provider: Option<&'static str>,
    file: PathBuf,
}

/// What `--key-file` takes.
pub(crate) fn key_file(given: &str) -> std::result::Result<KeyFile, String> {
    let named = given.split_once('=').and_then(|(name, file)| {
        let (provider, _) = KEYED.iter().find(|(known, _)| *known == name.trim())?;
        Some(KeyFile { provider: Some(*provider), file: PathBuf::from(file) })
    });
    let key = named.unwrap_or_else(|| KeyFile { provider: None, file: PathBuf::from(given) });
    if key.file.as_os_str().is_empty() {
        return Err("it names no file".to_owned());
    }
    Ok(key)
}

/// Takes the files that flags name into the settings, once the model is known.
pub(crate) fn take(config: &mut Config, files: Vec<KeyFile>) -> Result<()> {
    for KeyFile { provider, file } in files {
        let of_model = || {
            let model = config.text("model").and_then(|name| name.parse::<ModelName>().ok());
            model.map(|model| model.provider.word())
        };
        let wanted = provider.or_else(of_model);
        let Some((_, setting)) = KEYED.iter().find(|(known, _)| Some(*known) == wanted) else {
            return Err(CliError::usage(
                format!("could not use the key file {}", file.display()),
                "it does not say whose key it holds, and the model takes none",
                format!("write it as PROVIDER=FILE, with one of {}", providers()),
            ));
        };
        let path = text(Some(file))?;
        config.flag(setting, "--key-file", path);
    }
    Ok(())
}

fn providers() -> String {
    KEYED.map(|(name, _)| name).join(", ")
}

/// Variables that hold the key of a service, the usual one first.
fn variables(provider: &str) -> Vec<&'static str> {
    let of_models = Provider::ALL.into_iter().find(|known| known.word() == provider);
    match of_models {
        Some(model) => model.key_variable().into_iter().collect(),
        None => key_variables(provider).to_vec(),
    }
}

/// The key of a service from its file; `None` where the settings name none. A file that is named and cannot be used is an
/// error, whatever stands in the environment.
pub(crate) fn from_file(config: &Config, provider: &str) -> Result<Option<String>> {
    let Some((_, setting)) = KEYED.iter().find(|(known, _)| *known == provider) else {
        return Ok(None);
    };
    let Some(file) = config.path(setting) else { return Ok(None) };
    if let Some((_, Origin::Project(project))) = config.get(setting) {
        // Such a file may have come with a folder of somebody else's, and an address to send keys to with it.
        return Err(CliError::usage(
            format!("could not use the key file {}", file.display()),
            format!("{} names it, and a project has no say over keys", project.display()),
            format!(
                "set `{setting}` in your own settings file (`elenchus config path`), or name it with --key-file or {}",
                KEYS.iter().find(|key| key.name == *setting).map(Key::variable).unwrap_or_default()
            ),
        ));
    }
    read(&file).map(Some)
}

/// The key of a service: from its file, else from its variable.
pub(crate) fn of(config: &Config, provider: &str) -> Result<Option<String>> {
    if let Some(key) = from_file(config, provider)? {
        return Ok(Some(key));
    }
    Ok(variables(provider).into_iter().find_map(set))
}

/// A variable that is set and not blank.
fn set(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

/// Where the keys that are set come from, a line each, without a character of them; a file that cannot be used is an error.
pub(crate) fn origins(config: &Config) -> Vec<Result<String>> {
    let told = |&(provider, setting): &(&str, &str)| match from_file(config, provider) {
        Ok(Some(_)) => {
            let (value, origin) = config.get(setting)?;
            Some(Ok(format!("{provider} from the file {value} ({origin})")))
        }
        Ok(None) => {
            let variable = variables(provider).into_iter().find(|name| set(name).is_some())?;
            Some(Ok(format!("{provider} from {variable}")))
        }
        Err(error) => Some(Err(error)),
    };
    KEYED.iter().filter_map(told).collect()
}

/// An error that sends its reader to a variable, where the key came from a file.
pub(crate) fn where_it_is(error: CliError, config: &Config) -> CliError {
    let mut hint = error.hint.clone();
    for (provider, setting) in KEYED {
        let Some(file) = config.path(setting) else { continue };
        for variable in variables(provider) {
            hint = hint.replace(variable, &format!("the file {}", file.display()));
        }
    }
    error.with_hint(hint)
}

/// What was read of pipes, which give their text once.
static OF_PIPES: Mutex<BTreeMap<PathBuf, String>> = Mutex::new(BTreeMap::new());

/// The key in a file. Nothing that is said of it has a character of it.
fn read(file: &Path) -> Result<String> {
    let attempted = || format!("could not use the key file {}", file.display());
    let failed = |error: std::io::Error| {
        CliError::storage(
            attempted(),
            error.to_string(),
            format!(
                "name a file with the key alone in it, or PROVIDER=FILE with one of {}",
                providers()
            ),
        )
    };
    let mut kept = OF_PIPES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(key) = kept.get(file) {
        return Ok(key.clone());
    }
    let open = File::open(file).map_err(failed)?;
    let found = open.metadata().map_err(failed)?;
    if found.is_dir() {
        return Err(CliError::usage(attempted(), "it is a folder", "name a file in it"));
    }
    if let Some(mode) = others_may_read(&found) {
        return Err(CliError::storage(
            attempted(),
            format!("other users may read it (mode {mode:o})"),
            format!(
                "`chmod 600 {}` keeps it, if nobody has read it yet; else have the key made anew",
                file.display()
            ),
        ));
    }
    let mut bytes = Vec::new();
    let is_plain = found.is_file();
    open.take(LONGEST).read_to_end(&mut bytes).map_err(failed)?;
    let text = String::from_utf8(bytes).unwrap_or_default();
    let key = text.trim();
    if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(CliError::usage(
            attempted(),
            "it holds no key: one is a single word of visible characters",
            "put the key into it, and nothing else",
        ));
    }
    if !is_plain {
        kept.insert(file.to_owned(), key.to_owned());
    }
    Ok(key.to_owned())
}

/// The mode of a file that others than its user may read or change.
#[cfg(unix)]
fn others_may_read(found: &std::fs::Metadata) -> Option<u32> {
    let mode = std::os::unix::fs::PermissionsExt::mode(&found.permissions());
    (mode & 0o077 != 0).then_some(mode & 0o777)
}

/// Who may read a file is not told by a mode here.
#[cfg(not(unix))]
fn others_may_read(_found: &std::fs::Metadata) -> Option<u32> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Value;

    /// A file that only its user can read.
    fn kept(folder: &Path, name: &str, text: &str) -> PathBuf {
        let file = folder.join(name);
        std::fs::write(&file, text).unwrap();
        mode(&file, 0o600);
        file
    }

    fn mode(file: &Path, mode: u32) {
        #[cfg(unix)]
        {
            let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
            std::fs::set_permissions(file, mode).unwrap();
        }
        #[cfg(not(unix))]
        let _ = (file, mode);
    }

    #[test]
    fn a_flag_names_a_file_and_whose_key_it_is() {
        let of = |given: &str| key_file(given).unwrap();
        let key = of("openai=a/b=c");
        assert_eq!((key.provider, key.file), (Some("openai"), PathBuf::from("a/b=c")));
        let key = of("other=a");
        assert_eq!((key.provider, key.file), (None, PathBuf::from("other=a")));
        assert!(key_file("openai=").is_err() && key_file("").is_err());

        let mut config = Config::default();
        let error = take(&mut config, vec![of("a")]).unwrap_err();
        assert!(error.hint.contains("PROVIDER=FILE") && error.hint.contains("tavily"), "{error:?}");
        let model = Value::Text("anthropic:some".to_owned());
        config.flag("model", "--model", Some(model));
        take(&mut config, vec![of("a"), of("brave=b")]).unwrap();
        assert_eq!(config.text("anthropic.key_file"), Some("a"));
        assert_eq!(config.text("brave.key_file"), Some("b"));
        assert_eq!(config.text("openai.key_file"), None);
    }

    #[test]
    fn a_key_is_a_word_in_a_file_of_its_users_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = kept(folder.path(), "key", " k-secret-word \n");
        assert_eq!(read(&file).unwrap(), "k-secret-word");
        // It is read again when it is asked for again.
        kept(folder.path(), "key", "k-another\n");
        assert_eq!(read(&file).unwrap(), "k-another");
        for (text, cause) in
            [("", "no key"), ("two words", "no key"), ("a\nb", "no key"), ("\u{e4}", "no key")]
        {
            let error = read(&kept(folder.path(), "bad", text)).unwrap_err();
            assert!(error.cause.contains(cause), "{text:?}: {error:?}");
            assert!(text.is_empty() || !format!("{error:?}").contains(text), "{error:?}");
        }
        assert!(read(folder.path()).unwrap_err().cause.contains("folder"));
        let none = read(&folder.path().join("none")).unwrap_err();
        assert!(none.hint.contains("PROVIDER=FILE"), "{none:?}");
        if cfg!(unix) {
            for open in [0o644, 0o640, 0o604, 0o620] {
                mode(&file, open);
                let error = read(&file).unwrap_err();
                assert!(error.cause.contains(&format!("mode {open:o}")), "{error:?}");
                assert!(error.hint.contains("chmod 600"), "{error:?}");
            }
        }
    }

    #[test]
    fn the_file_goes_before_the_variable_and_errors_lead_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = kept(folder.path(), "key", "k-secret-word");
        let mut config = Config::default();
        let path = Value::Text(file.display().to_string());
        config.flag("openai.key_file", "--key-file", Some(path));
        assert_eq!(of(&config, "openai").unwrap().as_deref(), Some("k-secret-word"));
        assert_eq!(of(&config, "ollama").unwrap(), None);
        let told: Vec<String> = origins(&config).into_iter().map(Result::unwrap).collect();
        assert!(told[0].starts_with("openai from the file "), "{told:?}");
        assert!(told[0].ends_with("(flag --key-file)") && !told[0].contains("secret"), "{told:?}");
        let error = CliError::usage("could not ask", "it was refused", "check OPENAI_API_KEY");
        let hint = where_it_is(error, &config).hint;
        assert_eq!(hint, format!("check the file {}", file.display()));
        std::fs::remove_file(&file).unwrap();
        assert!(of(&config, "openai").is_err() && origins(&config)[0].is_err());
    }

    #[test]
    fn a_project_names_no_keys() {
        let folder = tempfile::tempdir().unwrap();
        kept(folder.path(), "key", "k-secret-word");
        let project = folder.path().join("elenchus.toml");
        std::fs::write(&project, "[tavily]\nkey_file = \"key\"\n").unwrap();
        let config = Config::of_project(&project);
        let error = of(&config, "tavily").unwrap_err();
        assert!(error.cause.contains("no say over keys"), "{error:?}");
        assert!(error.hint.contains("ELENCHUS_TAVILY_KEY_FILE"), "{error:?}");
    }
}
