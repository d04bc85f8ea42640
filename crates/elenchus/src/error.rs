//! The one error that a person sees: what was attempted, why it failed, and the way out.

use elenchus_core::bank::scrub;
use elenchus_core::port::{BankFailure, RetrieveFailure, StoreFailure};
use elenchus_core::text::squeeze;
use elenchus_engine::EngineError;
use elenchus_io::embed::EmbedError;
use elenchus_io::retrieve::CorpusError;
use serde::Serialize;

/// What an error is about; decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// Something in the program, or an audit that found something.
    Failure,
    /// What was asked for cannot be done as it was asked.
    Usage,
    /// The figures do not reach what was asked for.
    BelowConfidence,
    /// A model or another component gave up.
    Provider,
    /// A store, an index or a file could not be read or written.
    Storage,
    /// Stopped by the user.
    Interrupted,
    /// Nobody reads the output any more, which is nothing to complain about.
    BrokenPipe,
}

impl Kind {
    fn exit_code(self) -> u8 {
        match self {
            Self::BrokenPipe => 0,
            Self::Failure => 1,
            Self::Usage => 2,
            Self::BelowConfidence => 3,
            Self::Provider => 4,
            Self::Storage => 5,
            Self::Interrupted => 130,
        }
    }
}

/// An error for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct CliError {
    pub(crate) kind: Kind,
    /// What was attempted, "could not ...".
    pub(crate) attempted: String,
    pub(crate) cause: String,
    /// The way out.
    pub(crate) hint: String,
    pub(crate) exit_code: u8,
}

pub(crate) type Result<T> = std::result::Result<T, CliError>;

impl CliError {
    pub(crate) fn new(
        kind: Kind,
        attempted: impl Into<String>,
        cause: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        // Causes and paths come from files and systems: nothing in them may move the cursor or tell a secret.
        let clean = |text: String| squeeze(&scrub(&text).text);
        Self {
            kind,
            attempted: clean(attempted.into()),
            cause: clean(cause.into()),
            hint: clean(hint.into()),
            exit_code: kind.exit_code(),
        }
    }

    pub(crate) fn usage(
        attempted: impl Into<String>,
        cause: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self::new(Kind::Usage, attempted, cause, hint)
    }

    pub(crate) fn storage(
        attempted: impl Into<String>,
        cause: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self::new(Kind::Storage, attempted, cause, hint)
    }

    /// Nobody reads the output.
    pub(crate) fn broken_pipe() -> Self {
        Self::new(Kind::BrokenPipe, "", "", "")
    }

    /// A message of a library: "could not ATTEMPT: CAUSE; WAY OUT".
    pub(crate) fn parsed(kind: Kind, message: &str, otherwise: &str) -> Self {
        let (attempted, rest) = message.split_once(": ").unwrap_or(("", message));
        let (cause, hint) = rest.rsplit_once("; ").unwrap_or((rest, otherwise));
        Self::new(kind, attempted, cause, hint)
    }

    /// Another way out.
    pub(crate) fn with_hint(mut self, hint: impl AsRef<str>) -> Self {
        self.hint = squeeze(hint.as_ref());
        self
    }

    /// A further way out.
    pub(crate) fn or_hint(mut self, hint: &str) -> Self {
        self.hint =
            if self.hint.is_empty() { hint.to_owned() } else { format!("{}; {hint}", self.hint) };
        self
    }

    /// What was attempted and why it failed, in one line.
    pub(crate) fn message(&self) -> String {
        if self.attempted.is_empty() {
            self.cause.clone()
        } else {
            format!("{}: {}", self.attempted, self.cause)
        }
    }
}

impl From<CorpusError> for CliError {
    fn from(error: CorpusError) -> Self {
        let kind = match error {
            CorpusError::Folder { .. } | CorpusError::OtherVectors { .. } => Kind::Usage,
            _ => Kind::Storage,
        };
        let hint = "build the index again with `elenchus ingest DIR --rebuild`";
        Self::parsed(kind, &error.to_string(), hint)
    }
}

impl From<StoreFailure> for CliError {
    fn from(failure: StoreFailure) -> Self {
        let hint = match &failure {
            StoreFailure::UnknownRun(_) | StoreFailure::NotDriven(_) => {
                return Self::parsed(Kind::Usage, &failure.to_string(), "");
            }
            StoreFailure::Leased { holder, expires_at_ms, run_id } => {
                return leased(run_id.as_str(), holder, *expires_at_ms);
            }
            StoreFailure::LeaseLost(run_id) => {
                return Self::storage(
                    format!("stopped writing to run {run_id}"),
                    "another process has taken the run over",
                    format!("follow it with `elenchus runs trace {run_id}`"),
                );
            }
            _ => "`elenchus doctor` checks the store",
        };
        Self::parsed(Kind::Storage, &failure.to_string(), hint)
    }
}

impl From<BankFailure> for CliError {
    fn from(failure: BankFailure) -> Self {
        match failure {
            BankFailure::Unknown(id) => Self::usage(
                format!("could not find memory {id}"),
                "this project sees no memory of that id",
                "`elenchus memory list` shows those there are",
            ),
            BankFailure::Refused { attempted, cause, way_out }
            | BankFailure::Forbidden { attempted, cause, way_out } => {
                Self::usage(format!("could not {attempted}"), cause, way_out)
            }
            BankFailure::Io { attempted, cause } => {
                let (cause, hint) = cause
                    .rsplit_once("; ")
                    .unwrap_or((&cause, "`elenchus doctor` checks the store"));
                Self::storage(format!("could not {attempted}"), cause, hint)
            }
        }
    }
}

/// A run that somebody else drives.
fn leased(run_id: &str, holder: &str, expires_at_ms: i64) -> CliError {
    // `host/pid/start/nonce`, see the engine's holder names.
    let who = match holder.split('/').nth(1).filter(|pid| pid.parse::<u32>().is_ok()) {
        Some(pid) => format!("process {pid}"),
        None => format!("another process ({holder})"),
    };
    CliError::storage(
        format!("could not take run {run_id}"),
        format!("{who} is driving it, until {} at least", crate::time::shown(expires_at_ms)),
        format!(
            "`elenchus runs attach {run_id}` follows it and can steer or end it, `elenchus runs trace {run_id}` \
             shows how far it is; or wait for it, or stop that process"
        ),
    )
}

impl From<EngineError> for CliError {
    fn from(error: EngineError) -> Self {
        let text = error.to_string();
        match error {
            EngineError::Store(failure) => failure.into(),
            EngineError::EmptyQuestion
            | EngineError::QuestionTooLong { .. }
            | EngineError::Unforkable { .. } => Self::parsed(Kind::Usage, &text, ""),
            EngineError::Storage { run_id, seq, cause } => {
                let cause = CliError::from(cause);
                Self::storage(
                    format!("stopped run {run_id} before record {seq}"),
                    cause.message(),
                    format!(
                        "{}; nothing written before is lost, `elenchus runs resume {run_id}` goes on",
                        cause.hint
                    ),
                )
            }
            EngineError::LeaseLost(_) | EngineError::NotARun { .. } => {
                Self::parsed(Kind::Storage, &text, "`elenchus doctor` checks the store")
            }
            EngineError::Suspended(run_id) => Self::new(
                Kind::Interrupted,
                format!("stopped run {run_id}"),
                "you asked for it; all that was found so far is kept",
                format!("`elenchus runs resume {run_id}` goes on where it stopped"),
            ),
            EngineError::Detached(run_id) => Self::new(
                Kind::Interrupted,
                format!("left run {run_id}"),
                "you asked for it; whoever drives it goes on with it",
                format!(
                    "`elenchus runs attach {run_id}` follows it again, and with `--tell interrupt` ends it"
                ),
            ),
            EngineError::Unheard { .. } => {
                Self::parsed(Kind::Provider, &text, "try again when the workers are there")
            }
            #[cfg(feature = "restate")]
            EngineError::Remote(_) => {
                Self::parsed(Kind::Provider, &text, "look into what the workers say")
            }
            _ => {
                Self::parsed(Kind::Failure, &text, "`elenchus runs list` shows the runs there are")
            }
        }
    }
}

impl From<RetrieveFailure> for CliError {
    fn from(failure: RetrieveFailure) -> Self {
        let kind = match failure {
            RetrieveFailure::EmptyQuery { .. } => Kind::Usage,
            _ => Kind::Storage,
        };
        Self::parsed(kind, &failure.to_string(), "search for a word")
    }
}

impl From<EmbedError> for CliError {
    fn from(error: EmbedError) -> Self {
        Self::parsed(Kind::Provider, &error.to_string(), "use the built-in embedder")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_librarys_message_comes_apart_into_cause_and_way_out() {
        let error =
            CliError::parsed(Kind::Storage, "could not open x: it is damaged; build it again", "");
        assert_eq!(error.attempted, "could not open x");
        assert_eq!(error.cause, "it is damaged");
        assert_eq!(error.hint, "build it again");
    }

    #[test]
    fn nothing_in_an_error_moves_the_cursor() {
        let error = CliError::usage("could not open \u{1b}[2Ja", "b\u{7}\nc", "d");
        assert_eq!(error.message(), "could not open [2Ja: b c");
    }

    #[test]
    fn a_lease_names_the_process_that_holds_it() {
        let error = CliError::from(StoreFailure::Leased {
            run_id: "run_1".into(),
            holder: "boot-1/4711/99/abc".to_owned(),
            expires_at_ms: 0,
        });
        assert!(error.cause.contains("process 4711"), "{}", error.cause);
        assert!(error.hint.contains("`elenchus runs attach run_1`"), "{}", error.hint);
        assert_eq!(error.exit_code, 5);
    }
}
