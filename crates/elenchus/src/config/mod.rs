//! Settings: defaults, the user's file, the project's file, the environment, flags, in rising precedence.

mod keys;

pub(crate) use keys::{KEYS, Key, Value};

use crate::error::{CliError, Result};
use crate::paths;
use crate::store_place::{SQLITE, is_url};
use crate::words::nearest;
use elenchus_core::inquiry::gap::GapPolicy;
use elenchus_core::inquiry::{Budget, Effort, Options, Reflecting};
use keys::{Shape, find};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Default,
    /// It follows from the effort.
    Effort,
    User(PathBuf),
    Project(PathBuf),
    Environment(String),
    Flag(&'static str),
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::Effort => f.write_str("effort"),
            Self::User(file) => write!(f, "user file {}", file.display()),
            Self::Project(file) => write!(f, "project file {}", file.display()),
            Self::Environment(name) => write!(f, "environment {name}"),
            Self::Flag(name) => write!(f, "flag {name}"),
        }
    }
}

/// The settings in force.
#[derive(Clone, Debug, Default)]
pub(crate) struct Config {
    values: BTreeMap<&'static str, (Value, Origin)>,
    /// Variables that look like ours and are none.
    pub(crate) unknown_variables: Vec<String>,
}

/// Variables of ours that are no setting.
const OTHER_VARIABLES: [&str; 4] =
    ["ELENCHUS_CRASH_AT", "ELENCHUS_CONTACT", "ELENCHUS_PAGER", "ELENCHUS_REVISION"];

/// Variables of our tests and measurements, which mean no setting either.
const OF_MEASUREMENTS: [&str; 14] = [
    "ELENCHUS_BLESS",
    "ELENCHUS_CHROMIUM",
    "ELENCHUS_DATA",
    "ELENCHUS_DEBUG_QDRANT",
    "ELENCHUS_NIGHTLY",
    "ELENCHUS_NLI_DIR",
    "ELENCHUS_ONNX_DIR",
    "ELENCHUS_ONNX_MODEL",
    "ELENCHUS_REPORTS",
    "ELENCHUS_RUN",
    "ELENCHUS_STORE_SEQUENCES",
    "ELENCHUS_URL",
    "ELENCHUS_XSS",
    "ELENCHUS_PEER",
];

/// How all our variables begin.
const OURS: &str = "ELENCHUS_";

/// How those begin that mean no setting: of our tests, and what a cluster sets for a service of our name.
const NO_SETTINGS: [&str; 4] =
    ["ELENCHUS_TEST_", "ELENCHUS_REAL_", "ELENCHUS_SERVICE_", "ELENCHUS_PORT"];

impl Config {
    /// Everything below the flags.
    pub(crate) fn load() -> Result<Self> {
        let mut config = Self::usual();
        if let Ok(file) = paths::user_config()
            && file.is_file()
        {
            config.file(&file, Origin::User)?;
        }
        if let Some(file) = paths::project_config() {
            config.file(&file, Origin::Project)?;
        }
        config.environment(std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        }))?;
        config.follow_effort();
        Ok(config)
    }

    /// What counts where nobody says anything.
    fn usual() -> Self {
        let mut config = Self::default();
        for key in &KEYS {
            if let Some(value) = key.default.and_then(|text| key.shape.read(text)) {
                config.values.insert(key.name, (value, Origin::Default));
            }
        }
        config
    }

    /// The settings as if nobody had made any, but for these.
    pub(crate) fn only(&self, kept: &[&'static str]) -> Self {
        let mut config = Self::usual();
        for key in kept {
            if let Some(set) = self.values.get(key) {
                config.values.insert(*key, set.clone());
            }
        }
        config.follow_effort();
        config
    }

    /// Those of a project's file alone.
    #[cfg(test)]
    pub(crate) fn of_project(file: &Path) -> Self {
        let mut config = Self::default();
        config.file(file, Origin::Project).expect("the test wrote it");
        config
    }

    fn file(&mut self, file: &Path, origin: fn(PathBuf) -> Origin) -> Result<()> {
        let attempted = || format!("could not use the settings in {}", file.display());
        let text = std::fs::read_to_string(file).map_err(|error| {
            CliError::usage(
                attempted(),
                error.to_string(),
                "make it a readable text file or move it away",
            )
        })?;
        self.read(&text, file, origin)
    }

    /// Takes what a file says.
    fn read(&mut self, text: &str, file: &Path, origin: fn(PathBuf) -> Origin) -> Result<()> {
        let attempted = || format!("could not use the settings in {}", file.display());
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
            let line = error.span().map_or(0, |span| line_of(text, span.start));
            CliError::usage(
                attempted(),
                format!("line {line}: {}", error.message()),
                "mend that line or move the file away; `elenchus config path` shows which files are read",
            )
        })?;
        let mut flat = Vec::new();
        flatten("", &table, &mut flat);
        for (name, value) in flat {
            let Some(key) = find(&name) else {
                return Err(unknown_key(attempted(), &name));
            };
            let Some(mut read) = key.shape.read_toml(value) else {
                return Err(bad_value(attempted(), key, &value.to_string()));
            };
            if let (Shape::Path, Value::Text(path)) = (key.shape, &mut read) {
                *path = anchored(path, file.parent().unwrap_or(Path::new("")));
            }
            if let ("embedder", Value::Text(name)) = (key.name, &mut read)
                && let Some(folder) = name.strip_prefix("onnx:")
            {
                *name =
                    format!("onnx:{}", anchored(folder, file.parent().unwrap_or(Path::new(""))));
            }
            self.values.insert(key.name, (read, origin(file.to_owned())));
        }
        Ok(())
    }

    fn environment(&mut self, variables: impl Iterator<Item = (String, String)>) -> Result<()> {
        // In order of name, so that the same environment gives the same message.
        let ours: BTreeMap<String, String> =
            variables.filter(|(name, value)| name.starts_with(OURS) && !value.is_empty()).collect();
        for (name, text) in ours {
            let Some(key) = KEYS.iter().find(|key| key.variable() == name) else {
                let is_other = OTHER_VARIABLES.contains(&name.as_str())
                    || OF_MEASUREMENTS.contains(&name.as_str())
                    || NO_SETTINGS.iter().any(|start| name.starts_with(start));
                if !is_other {
                    self.unknown_variables.push(name);
                }
                continue;
            };
            let Some(value) = key.shape.read(&text) else {
                return Err(bad_value(
                    format!("could not use the environment variable {name}"),
                    key,
                    &format!("{text:?}"),
                ));
            };
            self.values.insert(key.name, (value, Origin::Environment(name)));
        }
        Ok(())
    }

    /// What is to be said of variables that look like ours and are none, a sentence each.
    pub(crate) fn without_effect(&self) -> Vec<String> {
        let known: Vec<String> = KEYS.iter().map(Key::variable).collect();
        let told = |name: &String| {
            // What all names share makes none of them nearer.
            let own = |name: &str| name.strip_prefix(OURS).unwrap_or(name).to_owned();
            let names: Vec<String> = known.iter().map(|name| own(name)).collect();
            let hint = match nearest(&own(name), names.iter().map(String::as_str)) {
                Some(meant) => format!("did you mean {OURS}{meant}?"),
                None => "`elenchus config show` lists the settings".to_owned(),
            };
            format!("the variable {name} is no setting of elenchus and has no effect; {hint}")
        };
        self.unknown_variables.iter().map(told).collect()
    }

    /// A flag, which wins over everything. `None` leaves the setting as it is.
    pub(crate) fn flag(&mut self, key: &'static str, flag: &'static str, value: Option<Value>) {
        if let Some(value) = value {
            self.values.insert(key, (value, Origin::Flag(flag)));
            self.follow_effort();
        }
    }

    /// Takes a setting back, as if nobody had set it.
    pub(crate) fn unset(&mut self, key: &'static str) {
        self.values.remove(key);
    }

    /// Limits that nobody set are those of the effort.
    fn follow_effort(&mut self) {
        let budget = Budget::of(self.effort());
        let limits = [
            ("max_rounds", u64::from(budget.rounds)),
            ("budget.passages", u64::from(budget.passages)),
        ];
        for (key, limit) in limits {
            let free = self.values.get(key).is_none_or(|(_, origin)| *origin == Origin::Effort);
            if free {
                self.values.insert(key, (Value::Whole(limit), Origin::Effort));
            }
        }
    }

    /// A value and where it comes from.
    pub(crate) fn get(&self, key: &str) -> Option<&(Value, Origin)> {
        self.values.get(key)
    }

    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        match self.get(key) {
            Some((Value::Text(text), _)) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn path(&self, key: &str) -> Option<PathBuf> {
        self.text(key).map(PathBuf::from)
    }

    pub(crate) fn whole(&self, key: &str) -> Option<u64> {
        match self.get(key) {
            Some((Value::Whole(n), _)) => Some(*n),
            _ => None,
        }
    }

    pub(crate) fn amount(&self, key: &str) -> Option<f64> {
        match self.get(key) {
            Some((Value::Amount(x), _)) => Some(*x),
            _ => None,
        }
    }

    /// The texts of a list; none where it is not set.
    pub(crate) fn list(&self, key: &str) -> &[String] {
        match self.get(key) {
            Some((Value::List(items), _)) => items,
            _ => &[],
        }
    }

    fn effort(&self) -> Effort {
        match self.text("effort") {
            Some("quick") => Effort::Quick,
            Some("deep") => Effort::Deep,
            _ => Effort::Standard,
        }
    }

    /// What a run is told.
    pub(crate) fn options(&self) -> Options {
        let effort = self.effort();
        let usual = Budget::of(effort);
        let small =
            |key, usual| self.whole(key).and_then(|n| u8::try_from(n).ok()).unwrap_or(usual);
        let count = |key| self.whole(key).and_then(|n| u32::try_from(n).ok());
        let gaps = GapPolicy::default();
        Options {
            budget: Budget {
                rounds: small("max_rounds", usual.rounds),
                passages: count("budget.passages").unwrap_or(usual.passages),
                model_calls: count("budget.model_calls"),
                tokens: self.whole("budget.tokens"),
                cost_micro_usd: self.amount("budget.usd").map(|usd| (usd * 1e6).ceil() as u64),
                wall_ms: self.amount("budget.seconds").map(|seconds| (seconds * 1e3).ceil() as u64),
            },
            effort,
            gaps: GapPolicy {
                max_attempts: small("gaps.max_attempts", gaps.max_attempts),
                dry_rounds: small("gaps.dry_rounds", gaps.dry_rounds),
                ..gaps
            },
            insights: false,
            autonomous: !matches!(self.get("autonomous"), Some((Value::Flag(false), _))),
            exclude: match self.get("exclude") {
                Some((Value::List(parts), _)) => parts.clone(),
                _ => Vec::new(),
            },
            reflection: match self.text("reflection") {
                Some("single-step") => Reflecting::SingleStep,
                _ => Reflecting::Ledger,
            },
            // Whoever starts a run knows whether its model can name explanations, whether somebody is there who can be
            // asked, and what else it was asked for.
            ..Options::default()
        }
    }
}

/// The line, from 1, on which a byte of a text stands.
fn line_of(text: &str, byte: usize) -> usize {
    let ends = text.bytes().take(byte).filter(|byte| *byte == b'\n').count();
    (ends + 1).min(text.lines().count().max(1))
}

/// A table's values under dotted names.
fn flatten<'a>(prefix: &str, table: &'a toml::Table, into: &mut Vec<(String, &'a toml::Value)>) {
    for (name, value) in table {
        let name = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        match value {
            toml::Value::Table(table) => flatten(&name, table, into),
            _ => into.push((name, value)),
        }
    }
}

/// A path of a file, seen from that file's folder; `~/` is the home folder. The URL of a database is no path, but where it names a
/// file.
fn anchored(path: &str, folder: &Path) -> String {
    let path = path.strip_prefix(SQLITE).filter(|file| !file.is_empty()).unwrap_or(path);
    if is_url(path) {
        return path.to_owned();
    }
    let full = match (path.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => PathBuf::from(home).join(rest),
        _ => folder.join(path),
    };
    full.to_string_lossy().into_owned()
}

fn unknown_key(attempted: String, name: &str) -> CliError {
    // As long as it stands there, no command shows the settings.
    let without = "take it out of the file; then `elenchus config show` lists the keys";
    let hint = match nearest(name, KEYS.iter().map(|key| key.name)) {
        Some(known) => format!("did you mean `{known}`? otherwise {without}"),
        None => without.to_owned(),
    };
    CliError::usage(attempted, format!("there is no key `{name}`"), hint)
}

fn bad_value(attempted: String, key: &Key, given: &str) -> CliError {
    CliError::usage(
        attempted,
        format!("`{}` cannot be {given}", key.name),
        format!("write {} ({})", key.shape.expected(), key.about),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_file(text: &str) -> Result<Config> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("elenchus.toml");
        std::fs::write(&file, text).unwrap();
        let mut config = Config::default();
        config.file(&file, Origin::Project)?;
        config.follow_effort();
        Ok(config)
    }

    #[test]
    fn tables_and_dots_name_the_same_keys() {
        for text in ["[budget]\npassages = 7", "budget.passages = 7"] {
            assert_eq!(with_file(text).unwrap().options().budget.passages, 7);
        }
    }

    #[test]
    fn a_typo_is_told_with_what_was_probably_meant() {
        let error = with_file("[budget]\npassage = 7").unwrap_err();
        assert!(error.cause.contains("budget.passage`"), "{error:?}");
        assert!(error.hint.contains("`budget.passages`"), "{error:?}");
        assert!(error.hint.contains("take it out of the file"), "{error:?}");
        assert_eq!(error.exit_code, 2);
    }

    #[test]
    fn values_are_held_to_their_shapes() {
        for text in [
            "max_rounds = 11",
            "max_rounds = \"5\"",
            "effort = \"huge\"",
            "budget.usd = -1",
            "corpus = \"\"",
        ] {
            assert!(with_file(text).is_err(), "{text}");
        }
        let line = with_file("effort = \"deep\"\nx = [1,").unwrap_err();
        assert!(line.cause.starts_with("line 2"), "{line:?}");
        // `config show` cannot read the file either.
        assert!(line.hint.contains("config path") && !line.hint.contains("config show"));
    }

    #[test]
    fn lines_are_counted_from_one_and_end_with_the_text() {
        let text = "é = 1\nb\n";
        let lines: Vec<usize> = (0..=text.len() + 1).map(|byte| line_of(text, byte)).collect();
        assert_eq!(lines, [1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2]);
        assert_eq!(line_of("", 7), 1);
        let second = with_file("effort = \"deep\"\n= 1\n").unwrap_err();
        assert!(second.cause.starts_with("line 2"), "{second:?}");
    }

    /// Pieces of which good and bad files are made.
    const PIECES: &str = r#"(effort|budget|max_rounds|exclude|corpus|budget\.usd|budget\.passages|autonomous|x| = |\.|\[|\]|\[\[|\{|\}|,|"deep"|"a"|""|'|"|\\u0000|\\ud800|true|7|-1|1e300|nan|inf|0x7f|99999999999999999999|1979-05-27|#|é|\u{202E}|\u{FEFF}|\u{0}|\t|\n)"#;

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(400))]

        #[test]
        fn any_file_is_used_or_refused_with_a_reason(
            parts in proptest::collection::vec(PIECES, 0..24),
            deep in 0usize..400,
        ) {
            let nested = format!("{}exclude = {}", "[a.b]\n".repeat(deep % 2), "[".repeat(deep));
            let dotted = format!("{}x = 1", "a.".repeat(deep));
            for text in [parts.concat(), nested, dotted] {
                let read = |text: &str| {
                    let mut config = Config::default();
                    config.read(text, Path::new("f/elenchus.toml"), Origin::Project)?;
                    config.follow_effort();
                    Ok::<_, CliError>(config)
                };
                match read(&text) {
                    Ok(config) => {
                        let options = config.options();
                        assert!((1..=10).contains(&options.budget.rounds), "{text:?}");
                        // Line ends of two characters say the same, but inside a text of several lines.
                        if !text.contains("\"\"\"") && !text.contains("'''") {
                            let other = read(&text.replace('\n', "\r\n"));
                            let other = other.ok().map(|other| other.values);
                            assert_eq!(other, Some(config.values), "{text:?}");
                        }
                    }
                    Err(error) => {
                        assert!(!error.cause.is_empty() && !error.hint.is_empty(), "{error:?}");
                        assert_eq!(error.exit_code, 2);
                        let line = error.cause.strip_prefix("line ");
                        let line = line.and_then(|rest| rest.split(':').next()?.parse().ok());
                        let most = text.lines().count().max(1);
                        assert!(line.is_none_or(|line: usize| line <= most), "{error:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn limits_follow_the_effort_until_they_are_set() {
        let mut config = with_file("effort = \"deep\"").unwrap();
        assert_eq!(config.options().budget.rounds, 8);
        config.flag("effort", "--effort", Some(Value::Text("quick".to_owned())));
        assert_eq!(config.options().budget.rounds, 1);
        config.flag("max_rounds", "--max-rounds", Some(Value::Whole(4)));
        config.flag("effort", "--effort", Some(Value::Text("deep".to_owned())));
        assert_eq!(config.options().budget.rounds, 4);
    }

    #[test]
    fn the_environment_wins_over_files_and_empty_is_unset() {
        let mut config = with_file("effort = \"deep\"\nexclude = [\"a\"]").unwrap();
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        let variables = vec![
            pair("ELENCHUS_EFFORT", ""),
            pair("ELENCHUS_EXCLUDE", "b, c"),
            pair("ELENCHUS_BUDGET_USD", "0.25"),
            pair("ELENCHUS_EFORT", "quick"),
        ];
        config.environment(variables.into_iter()).unwrap();
        let options = config.options();
        assert_eq!(options.effort, Effort::Deep);
        assert_eq!(options.exclude, ["b", "c"]);
        assert_eq!(options.budget.cost_micro_usd, Some(250_000));
        assert_eq!(config.unknown_variables, ["ELENCHUS_EFORT"]);
        let told = config.without_effect();
        assert!(told[0].contains("has no effect; did you mean ELENCHUS_EFFORT?"), "{told:?}");
        // What resembles nothing is told without a guess; what our tests read is no mistake.
        let mut other = Config::default();
        let variables = vec![
            pair("ELENCHUS_HARBOUR_MASTER", "x"),
            pair("ELENCHUS_BUDGET_DOLLARS", "1"),
            pair("ELENCHUS_TEST_POSTGRES", "x"),
            pair("ELENCHUS_CONTACT", "x"),
        ];
        other.environment(variables.into_iter()).unwrap();
        let told = other.without_effect();
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told.iter().all(|line| line.ends_with("lists the settings")), "{told:?}");
        let bad = config.environment(vec![pair("ELENCHUS_MAX_ROUNDS", "many")].into_iter());
        assert!(bad.unwrap_err().hint.contains("1 to 10"));
    }
}
