//! A home, a working folder, and the binary in them: nothing of the machine's settings gets in.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use tempfile::TempDir;

/// The question with a current and a superseded answer.
pub(crate) const CAPACITY: &str = "What is the installed capacity of the Skerry Tidal Array?";
/// The question that the documents raise and do not answer.
pub(crate) const UNANSWERABLE: &str = "What will the second phase at Corbie Head cost?";

/// A user's home.
pub(crate) struct World {
    home: TempDir,
}

/// What a command said and how it ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The corpus that ships with the repository.
pub(crate) fn harbor() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/harbor")
        .canonicalize()
        .expect("the sample corpus ships with the repository")
}

impl World {
    pub(crate) fn new() -> Self {
        let world = Self { home: tempfile::tempdir().expect("a temporary folder") };
        std::fs::create_dir(world.folder()).expect("a working folder");
        world
    }

    /// The working folder.
    pub(crate) fn folder(&self) -> PathBuf {
        self.home.path().join("here")
    }

    /// The database that runs are kept in.
    pub(crate) fn store(&self) -> PathBuf {
        self.home.path().join("data/elenchus/elenchus.db")
    }

    /// The folder of indexes.
    pub(crate) fn indexes(&self) -> PathBuf {
        self.home.path().join("cache/elenchus/indexes")
    }

    /// The user's configuration file.
    pub(crate) fn user_config(&self) -> PathBuf {
        self.home.path().join("config/elenchus/config.toml")
    }

    /// A file in the working folder.
    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let file = self.folder().join(path);
        let folder = file.parent().expect("a file lies in a folder");
        std::fs::create_dir_all(folder).expect("a folder in the temporary one");
        std::fs::write(&file, bytes).expect("a file in the temporary folder");
        file
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_elenchus"));
        command
            .env_clear()
            .env("HOME", self.home.path())
            .env("XDG_CONFIG_HOME", self.home.path().join("config"))
            .env("XDG_DATA_HOME", self.home.path().join("data"))
            .env("XDG_CACHE_HOME", self.home.path().join("cache"))
            .env("NO_COLOR", "1")
            .env("COLUMNS", "100")
            .current_dir(self.folder())
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, words: &[&str]) -> Ran {
        let mut command = self.command();
        command.args(words);
        ran(&mut command)
    }

    /// With variables of its own.
    pub(crate) fn run_with(&self, words: &[&str], variables: &[(&str, &str)]) -> Ran {
        let mut command = self.command();
        command.args(words).envs(variables.iter().copied());
        ran(&mut command)
    }

    /// Asks the sample corpus, with further words.
    pub(crate) fn ask(&self, question: &str, more: &[&str]) -> Ran {
        let mut command = self.command();
        command.args(["ask", question, "--corpus"]).arg(harbor()).args(more);
        ran(&mut command)
    }

    /// Begins to ask, and does not wait.
    pub(crate) fn begin(&self, question: &str, more: &[&str]) -> Child {
        let mut command = self.command();
        command.args(["ask", question, "--corpus"]).arg(harbor()).args(more);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the binary starts")
    }

    /// The id of the newest run.
    pub(crate) fn newest(&self) -> String {
        let runs = self.run(&["runs", "list", "--json"]).json();
        runs[0]["run_id"].as_str().expect("a run was made").to_owned()
    }
}

/// An answer without run id, time and duration.
pub(crate) fn timeless(mut answer: Value) -> Value {
    let fields = answer.as_object_mut().expect("an answer is an object");
    fields.remove("run_id");
    fields.remove("started_at");
    answer["receipt"]["wall_ms"] = Value::Null;
    answer
}

pub(crate) fn ran(command: &mut Command) -> Ran {
    Ran::from(command.output().expect("the binary starts"))
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it speaks UTF-8");
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Ran {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).expect("it is JSON")
    }

    /// That it failed so, and said the cause and a way out.
    pub(crate) fn fails(&self, code: i32, cause: &str, way_out: &str) {
        assert_eq!(self.code, Some(code), "{self:#?}");
        assert!(self.err.contains(cause), "no {cause:?} in {:#?}", self.err);
        assert!(self.err.contains("way out: "), "{:#?}", self.err);
        assert!(self.err.contains(way_out), "no {way_out:?} in {:#?}", self.err);
        assert!(!self.err.contains("panicked"), "{:#?}", self.err);
    }

    pub(crate) fn succeeds(&self) -> &Self {
        assert_eq!(self.code, Some(0), "{self:#?}");
        self
    }
}

/// Text with run ids and durations made alike.
pub(crate) fn redacted(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("run_") {
        let (before, found) = rest.split_at(at);
        out.push_str(before);
        let digits = found[4..].chars().take(12).filter(char::is_ascii_hexdigit).count();
        out.push_str(if digits == 12 { "run_ID" } else { "run_" });
        rest = &found[if digits == 12 { 16 } else { 4 }..];
    }
    out.push_str(rest);
    let lines: Vec<String> = out.split('\n').map(durations).collect();
    lines.join("\n")
}

fn durations(line: &str) -> String {
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    for at in 1..words.len() {
        let unit = words[at].trim_end_matches([':', ')', ',', ';', ']']);
        let number = words[at - 1].trim_start_matches(['(', '[']);
        if matches!(unit, "ms" | "s") && number.parse::<f64>().is_ok() {
            let (number, unit) =
                (words[at - 1].replace(number, "N"), words[at].replace(unit, "ms"));
            words[at - 1] = number;
            words[at] = unit;
        }
    }
    words.join(" ")
}

#[test]
fn redaction_leaves_the_rest_alone() {
    assert_eq!(redacted("run_0123456789ab after 1.2 s: run_x"), "run_ID after N ms: run_x");
    assert_eq!(redacted("(80 ms)\nin 5 s"), "(N ms)\nin N ms");
}
