//! What a server says of runs that stop before their end: those that it stops driving, and those that it finds when it begins.

use crate::store_place::StorePlace;
use crate::ui::progress::counted;
use crate::ui::terminal::Terminal;
use elenchus_server::runs::Runs;
use std::sync::Arc;

/// Says how many runs nobody drives and who goes on with them, beside what else the server does at its start.
pub(super) fn tell_of_found(runs: &Arc<Runs>, place: &StorePlace, terminal: &Terminal) {
    let (runs, terminal) = (Arc::clone(runs), terminal.clone());
    let is_shared = place.database().is_some();
    tokio::spawn(async move {
        // Of a store that cannot be read, the first request tells.
        if let Ok(count) = runs.stopped().await
            && let Some(line) = found(usize::try_from(count).unwrap_or(usize::MAX), is_shared)
        {
            terminal.say(&line);
        }
    });
}

/// Ends driving: over a server, workers go on with what was under way.
pub(crate) async fn leave(runs: &Runs, place: &StorePlace, terminal: &Terminal) {
    let driven = runs.leave_to_others().await;
    if let Some(line) = left(driven, place.database().is_some()) {
        terminal.say(&line);
    }
}

fn found(count: usize, is_shared: bool) -> Option<String> {
    if count == 0 {
        return None;
    }
    let runs = counted(count, "run");
    let workers = if is_shared { "workers take up those that were left to them, and " } else { "" };
    Some(format!(
        "{runs} stopped before the end: {workers}`elenchus runs resume RUN`, or the run's page, goes on with one; \
         `elenchus runs list --status stopped` shows them"
    ))
}

fn left(driven: usize, is_shared: bool) -> Option<String> {
    if driven == 0 {
        return None;
    }
    let runs = counted(driven, "run");
    Some(if is_shared {
        format!("leaving {runs} to the workers of this store (`elenchus worker`)")
    } else {
        format!("stopping {runs} here: what was found is kept, `elenchus runs resume RUN` goes on")
    })
}

#[cfg(test)]
mod tests {
    use super::{found, left};

    #[test]
    fn who_goes_on_with_a_run_that_stopped_is_said() {
        assert_eq!((found(0, true), left(0, true)), (None, None));
        let alone = [found(1, false), left(1, false)].map(Option::unwrap_or_default);
        assert!(alone.iter().all(|line| line.contains("1 run")), "{alone:?}");
        assert!(alone.iter().all(|line| line.contains("runs resume RUN")), "{alone:?}");
        assert!(!alone.iter().any(|line| line.contains("worker")), "{alone:?}");
        let shared = [found(2, true), left(2, true)].map(Option::unwrap_or_default);
        assert!(shared.iter().all(|line| line.contains("2 runs")), "{shared:?}");
        assert!(shared.iter().all(|line| line.contains("workers")), "{shared:?}");
    }
}
