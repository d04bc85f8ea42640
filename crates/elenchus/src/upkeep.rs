//! What becomes of the memory beside the commands: its daily work, and, in servers, the sessions that wait to be distilled.

use crate::config::{Config, Value};
use crate::error::CliError;
use crate::learning::DISTILLS;
use crate::mind::{EXTRACTIVE, Mind};
use crate::store_place::StorePlace;
use crate::ui::terminal::Terminal;
use elenchus_core::bank::{BankSettings, Caller};
use elenchus_core::port::{Bank, BankFailure, Clock};
use elenchus_engine::Distiller;
use elenchus_io::clock::SystemClock;
use std::fs::{File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;

/// Before a server looks for the first time, so that one that is started for a call or two does nothing else.
const FIRST: Duration = Duration::from_secs(30);
/// Between two looks.
const PAUSE: Duration = Duration::from_mins(1);
/// What stands in the note of the daily work. One that is empty was never written to.
const NOTE: &[u8] = b"tended\n";

/// Where it is noted when the memory of a store was last tended: beside it, so that it moves with it.
pub(crate) fn stamp(store: &StorePlace) -> PathBuf {
    store.with_extension("tended")
}

/// Does the daily work of a bank, when the last time is long enough ago: rolling up, archiving, promoting. One process of
/// a machine at a time does it. Gives what was done, a line a strategy.
pub(crate) async fn tend(
    bank: &dyn Bank,
    stamp: &Path,
    settings: &BankSettings,
) -> Result<Vec<String>, BankFailure> {
    let Some(mut note) = due(stamp, settings) else { return Ok(Vec::new()) };
    // First the note: where it cannot be written, the work would be done at every look.
    if note.set_len(0).and_then(|()| note.write_all(NOTE)).is_err() {
        return Ok(Vec::new());
    }
    let done = bank.tend(SystemClock.now()).await;
    // Until here it is locked.
    drop(note);
    done
}

/// The note, where the work is due and no other process is at it.
fn due(stamp: &Path, settings: &BankSettings) -> Option<File> {
    // Beside a store on a server nobody else may have made it.
    if let Some(folder) = stamp.parent() {
        std::fs::create_dir_all(folder).ok()?;
    }
    let file = File::options().create(true).truncate(false).write(true).open(stamp).ok()?;
    // Where a file system knows no locks, two may do it: that costs time and nothing else.
    if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
        return None;
    }
    let noted = file.metadata().ok()?;
    let age = noted.modified().ok().and_then(|then| then.elapsed().ok());
    let interval = Duration::from_secs_f64(settings.decay_interval_h.max(0.0) * 3_600.0);
    let is_due = noted.len() == 0 || age.is_none_or(|age| age >= interval);
    is_due.then_some(file)
}

/// The work of a server beside its calls.
pub(crate) struct Upkeep {
    pub(crate) bank: Arc<dyn Bank>,
    pub(crate) settings: BankSettings,
    /// Names the model that distils.
    pub(crate) config: Config,
    pub(crate) caller: Caller,
    /// Whether members of other projects queue sessions too.
    pub(crate) serves_others: bool,
    /// See [`stamp`].
    pub(crate) stamp: PathBuf,
}

/// Work that goes on until this is dropped. What a session had begun then is taken up by others when its lease ends.
pub(crate) struct Working(JoinHandle<()>);

impl Drop for Working {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Upkeep {
    /// Begins.
    pub(crate) fn begin(self, terminal: Terminal) -> Working {
        Working(tokio::spawn(self.go_on(terminal)))
    }

    async fn go_on(self, terminal: Terminal) {
        let mut told = String::new();
        let mut wait = FIRST;
        loop {
            tokio::time::sleep(wait).await;
            wait = PAUSE;
            let trouble = self.once().await.err().unwrap_or_default();
            // What stays wrong is told once.
            if !trouble.is_empty() && trouble != told {
                terminal.warn(&trouble);
            }
            told = trouble;
        }
    }

    /// One look; what went wrong comes back in words.
    async fn once(&self) -> Result<(), String> {
        let tended = tend(&*self.bank, &self.stamp, &self.settings).await;
        let distilled = self.distil().await;
        tended.map_err(|failure| failure.to_string())?;
        distilled
    }

    /// Distils what waits, with the model that the settings name for it, or by rule where no language model is named at all.
    async fn distil(&self) -> Result<(), String> {
        let plain = |failure: BankFailure| failure.to_string();
        // Nobody's model is asked whether it is there before there is something for it to read.
        let whose = (!self.serves_others).then_some(&self.caller);
        if !self.bank.is_due(whose, SystemClock.now()).await.map_err(plain)? {
            return Ok(());
        }
        let mut config = self.config.clone();
        if let Some(model) = config.text(DISTILLS).map(str::to_owned) {
            config.flag("model", DISTILLS, Some(Value::Text(model)));
        } else if config.text("model").is_some_and(|model| model != EXTRACTIVE) {
            // As beside `ask`: a model that answers questions is not made to distil unasked, for no budget counts that.
            return Ok(());
        }
        let unasked = |error: &CliError| {
            format!(
                "sessions wait to be distilled, and nobody reads them: {}; {}",
                error.message(),
                error.hint
            )
        };
        let silent = Terminal::silent();
        let mind = Mind::remembering(&config, true, &silent).map_err(|error| unasked(&error))?;
        // A session is tried five times: a server that is away shall not use them up.
        mind.reach(&silent).await.map_err(|error| unasked(&error))?;
        let distiller = Distiller::new(
            Arc::clone(&self.bank),
            mind.speaks().then(|| Arc::clone(&mind.model)),
            Arc::new(SystemClock),
            self.settings.clone(),
        );
        // Where a store is shared by projects, what one of them keeps is nothing for the model of another.
        let distiller =
            if self.serves_others { distiller } else { distiller.only(self.caller.clone()) };
        distiller.work().await.map(drop).map_err(plain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elenchus_core::bank::{Draft, Origin, Outcome, Scope, SignalKind, Standing};
    use elenchus_core::id::StrategyId;
    use elenchus_core::port::{Listing, Queued, SignalGiven};
    use elenchus_io::bank::SqliteBank;

    /// A strategy that forty people called unhelpful.
    async fn useless(bank: &SqliteBank, caller: &Caller, title: &str) -> StrategyId {
        let draft = Draft {
            title: title.to_owned(),
            description: "When a ferry is late".to_owned(),
            content: "Row across.".to_owned(),
            outcome: Outcome::Success,
            tags: Vec::new(),
            scope: Scope::Project,
            origin: Origin::Explicit,
            source_session: None,
            lineage: Vec::new(),
            from_web: false,
        };
        let now = SystemClock.now();
        let id = bank.record(caller, &draft, now).await.unwrap().held.strategy.id;
        for n in 0..40 {
            let voter = Caller { actor: format!("rower {n}"), ..caller.clone() };
            let given = SignalGiven {
                memory_id: id.clone(),
                kind: SignalKind::Explicit,
                positive: false,
                session_id: String::new(),
                search_id: None,
                comment: None,
                share: 1.0,
            };
            bank.signal(&voter, &given, now).await.unwrap();
        }
        id
    }

    /// A session that says itself what it taught.
    fn told(caller: &Caller) -> Queued {
        Queued {
            id: 0,
            caller: caller.clone(),
            session_id: "s".to_owned(),
            outcome: Some(Outcome::Failure),
            trace: "the build failed\nLesson: run the migration before the tests\n".to_owned(),
            from_web: false,
            shown: Vec::new(),
            attempts: 0,
        }
    }

    #[test]
    fn the_note_makes_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let stamp = folder.path().join("data/elenchus.tended");
        assert!(due(&stamp, &BankSettings::default()).is_some());
    }

    #[tokio::test]
    async fn a_model_that_answers_questions_is_not_made_to_distil() {
        let folder = tempfile::tempdir().unwrap();
        let settings = BankSettings::default();
        let bank = SqliteBank::in_memory(settings.clone()).unwrap();
        let caller = Caller::local("p");
        let mut config = Config::default();
        config.flag("model", "--model", Some(Value::Text("ollama:nobody".to_owned())));
        let upkeep = Upkeep {
            bank: Arc::new(bank.clone()),
            settings,
            config,
            caller: caller.clone(),
            serves_others: false,
            stamp: folder.path().join("elenchus.tended"),
        };
        bank.queue(&caller, &told(&caller), SystemClock.now()).await.unwrap();
        upkeep.once().await.unwrap();
        assert_eq!(bank.stats(&caller, SystemClock.now()).await.unwrap().queue, [1, 0, 0]);
    }

    #[tokio::test]
    async fn a_server_tends_its_memory_and_distils_what_waits() {
        let folder = tempfile::tempdir().unwrap();
        let settings = BankSettings::default();
        let bank = SqliteBank::in_memory(settings.clone()).unwrap();
        let caller = Caller::local("p");
        let upkeep = Upkeep {
            bank: Arc::new(bank.clone()),
            settings,
            config: Config::default(),
            caller: caller.clone(),
            serves_others: false,
            stamp: folder.path().join("elenchus.tended"),
        };
        let now = SystemClock.now();
        let standing =
            async |id: &StrategyId| bank.get(&caller, id, now).await.unwrap().strategy.standing;
        let first = useless(&bank, &caller, "Row").await;
        bank.queue(&caller, &told(&caller), now).await.unwrap();
        upkeep.once().await.unwrap();
        assert!(matches!(standing(&first).await, Standing::Archived { .. }));
        let held = bank.list(&caller, &Listing::default(), now).await.unwrap();
        assert_eq!(held.len(), 1, "{held:?}");
        assert_eq!(held[0].strategy.draft.source_session.as_deref(), Some("s"));
        // A day is not over, and what another process is at is left to it.
        let second = useless(&bank, &caller, "Swim").await;
        upkeep.once().await.unwrap();
        assert_eq!(standing(&second).await, Standing::Active);
        std::fs::write(&upkeep.stamp, b"").unwrap();
        let at_it = due(&upkeep.stamp, &upkeep.settings);
        assert!(at_it.is_some());
        upkeep.once().await.unwrap();
        assert_eq!(standing(&second).await, Standing::Active);
        drop(at_it);
        upkeep.once().await.unwrap();
        assert!(matches!(standing(&second).await, Standing::Archived { .. }));
    }
}
