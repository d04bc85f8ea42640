//! What a person sees of the memory.

use crate::error::{CliError, Result};
use elenchus_core::bank::{Caller, Lift, Outcome, Scope, Standing};
use elenchus_core::id::Timestamp;
use elenchus_core::port::{Held, Recalled, Stats};
use elenchus_core::text::squeeze;
use std::fmt::Write;

/// "1 memory", "3 memories".
pub(super) fn memories(count: usize) -> String {
    if count == 1 { "1 memory".to_owned() } else { format!("{count} memories") }
}

/// What a search found.
pub(super) fn recalled(recalled: &Recalled) -> String {
    let mut out = String::new();
    for held in &recalled.memories {
        found(&mut out, held);
    }
    if !recalled.avoid.is_empty() {
        out.push_str("To avoid:\n\n");
        for held in &recalled.avoid {
            found(&mut out, held);
        }
    }
    let returned = recalled.memories.len() + recalled.avoid.len();
    let _ = write!(out, "{returned} of {} that fit", recalled.total_found);
    if recalled.hidden_below_min_confidence > 0 {
        let _ = write!(
            out,
            ", {} hidden below the least confidence (--min-confidence)",
            recalled.hidden_below_min_confidence
        );
    }
    let far = recalled.memories.iter().chain(&recalled.avoid).filter(|held| held.far).count();
    if far > 0 {
        let _ = write!(out, ", {far} of them far from the query, which no run is told");
    }
    if recalled.hidden_as_far > 0 {
        let _ = write!(out, ", {} left out as far from the query", recalled.hidden_as_far);
    }
    let _ = writeln!(out, "; search {}", recalled.search_id);
    out
}

fn found(out: &mut String, held: &Held) {
    let draft = &held.strategy.draft;
    let tried = match (held.exploration, held.far) {
        (true, true) => ", here to be tried out, far from the query",
        (true, false) => ", here to be tried out",
        (false, true) => ", far from the query",
        (false, false) => "",
    };
    let _ = writeln!(
        out,
        "{}  {}\n    confidence {:.2} ({:.2} to {:.2}), relevance {:.2}, {}{tried}{}",
        held.strategy.id,
        squeeze(&draft.title),
        held.confidence,
        held.interval.0,
        held.interval.1,
        held.relevance,
        scope(draft.scope),
        standing(&held.strategy.standing),
    );
    if !draft.description.is_empty() {
        let _ = writeln!(out, "    {}", squeeze(&draft.description));
    }
    for line in draft.content.lines().take(12) {
        let _ = writeln!(out, "    | {}", squeeze(line));
    }
    out.push('\n');
}

/// One memory in full.
pub(super) fn one(held: &Held) -> String {
    let (strategy, draft) = (&held.strategy, &held.strategy.draft);
    let outcome = match draft.outcome {
        Outcome::Success => "to follow",
        Outcome::Failure => "to avoid",
    };
    let mut out = format!("{}  {}\n", strategy.id, squeeze(&draft.title));
    let _ = writeln!(
        out,
        "{outcome}, seen by the {}{}",
        scope(draft.scope),
        standing(&strategy.standing)
    );
    let _ = writeln!(
        out,
        "confidence {:.2} ({:.2} to {:.2}), shown in {} sessions",
        held.confidence, held.interval.0, held.interval.1, held.usage_count
    );
    if let Some(lift) = &held.lift {
        let _ = writeln!(out, "{}", tasks(lift));
    }
    let _ = writeln!(
        out,
        "recorded {} by {}, edited {}",
        crate::time::shown(strategy.created_at.0),
        squeeze(&strategy.actor),
        crate::time::shown(strategy.edited_at.0)
    );
    if !draft.tags.is_empty() {
        let _ = writeln!(out, "tags: {}", squeeze(&draft.tags.join(", ")));
    }
    if let Some(session) = &draft.source_session {
        let _ = writeln!(out, "learned in session {}", squeeze(session));
    }
    if let Standing::Quarantined { reason } | Standing::Archived { reason, .. } = &strategy.standing
    {
        let _ = writeln!(out, "why it is not recalled: {}", squeeze(reason));
    }
    let _ = writeln!(out, "\n{}\n", squeeze(&draft.description));
    for line in draft.content.lines() {
        let _ = writeln!(out, "{}", squeeze(line));
    }
    out
}

/// How tasks go with a memory, beside how they go at all.
fn tasks(lift: &Lift) -> String {
    let than = if lift.lift.abs() < 0.005 {
        "as often as".to_owned()
    } else {
        let which = if lift.lift > 0.0 { "more" } else { "less" };
        format!("{:.2} {which} often than", lift.lift.abs())
    };
    let (low, high) = lift.interval;
    let chance = if low <= 0.0 && high >= 0.0 { "; this may be chance" } else { "" };
    format!(
        "with it, tasks succeed {than} the project's {:.0} % ({low:+.2} to {high:+.2}){chance}",
        100.0 * lift.base
    )
}

/// Memories, a line each.
pub(super) fn list(all: &[Held]) -> String {
    let mut out = String::new();
    for held in all {
        let draft = &held.strategy.draft;
        let sign = if draft.outcome == Outcome::Failure { "avoid " } else { "" };
        let _ = writeln!(
            out,
            "{}  {:.2}  {:<7}  {sign}{}{}",
            held.strategy.id,
            held.confidence,
            scope(draft.scope),
            squeeze(&draft.title),
            standing(&held.strategy.standing)
        );
    }
    out
}

/// Figures.
pub(super) fn stats(caller: &Caller, stats: &Stats) -> String {
    let [explicit, usage, used, outcome] = stats.signals;
    let [waiting, taken, given_up] = stats.queue;
    let [of_votes, of_usage, of_outcomes] = stats.weights;
    let [well, badly] = stats.tasks;
    let [more, less] = stats.lifts;
    let tasks = if well + badly == 0 {
        String::new()
    } else {
        format!(
            "tasks: {well} succeeded, {badly} failed; surely more often with {more} of the memories, surely less often \
             with {less}\n"
        )
    };
    format!(
        "project {}\nmemories: {} in use ({} of them to avoid), {} in quarantine, {} archived\n\
         signals: {explicit} votes, {usage} times shown, {used} times put to use, {outcome} outcomes\n\
         weights: votes {of_votes:.2}, being shown {of_usage:.2}, outcomes {of_outcomes:.2}\n\
         {tasks}sessions to distil: {waiting} waiting, {taken} at work, {given_up} given up\n",
        squeeze(&caller.project),
        stats.active,
        stats.avoid,
        stats.quarantined,
        stats.archived
    )
}

fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Project => "project",
        Scope::Team => "team",
        Scope::Org => "org",
    }
}

fn standing(standing: &Standing) -> &'static str {
    match standing {
        Standing::Active => "",
        Standing::Quarantined { .. } => ", in quarantine",
        Standing::Archived { .. } => ", archived",
    }
}

/// A point in time as a person writes it: a date with or without a time of day (UTC), or how long ago.
pub(in crate::commands) fn time(text: &str, now: Timestamp) -> Result<Timestamp> {
    let wrong = || {
        CliError::usage(
            format!("could not tell which time {text:?} is"),
            "it is neither a date nor a length of time",
            "write `2026-05-04`, `2026-05-04 13:09` (UTC), or how long ago: `90m`, `3h`, `2d`",
        )
    };
    let text = text.trim();
    if let Some((at, unit)) = text.char_indices().last()
        && let Ok(many) = text[..at].parse::<i64>()
        && many >= 0
        && let Some(unit) = [('s', 1_000), ('m', 60_000), ('h', 3_600_000), ('d', 86_400_000)]
            .iter()
            .find(|(name, _)| *name == unit)
    {
        return Ok(Timestamp(now.0.saturating_sub(many.saturating_mul(unit.1))));
    }
    let (date, of_day) = text.split_once(['T', ' ']).unwrap_or((text, ""));
    let numbers = |text: &str, sign: char| -> Option<Vec<i64>> {
        text.split(sign).map(|part| part.parse().ok().filter(|n| *n >= 0)).collect()
    };
    let date = numbers(date, '-').ok_or_else(wrong)?;
    let [year, month, day] = date.as_slice() else { return Err(wrong()) };
    let days = days(*year, *month, *day).ok_or_else(wrong)?;
    let of_day = of_day.trim_end_matches('Z').trim_end_matches(" UTC");
    let clock =
        if of_day.is_empty() { Vec::new() } else { numbers(of_day, ':').ok_or_else(wrong)? };
    let seconds = match clock.as_slice() {
        [] => 0,
        [h, m] if *h < 24 && *m < 60 => h * 3600 + m * 60,
        [h, m, s] if *h < 24 && *m < 60 && *s < 61 => h * 3600 + m * 60 + s,
        _ => return Err(wrong()),
    };
    Ok(Timestamp((days * 86_400 + seconds) * 1000))
}

/// Days from 1970-01-01 to a date, if there is such a day between the years 1970 and 9999.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) {
        return None;
    }
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let lengths = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let before: i64 = lengths.iter().take(usize::try_from(month - 1).ok()?).sum();
    if day < 1 || day > *lengths.get(usize::try_from(month - 1).ok()?)? {
        return None;
    }
    let past = year - 1;
    let leaps = past / 4 - past / 100 + past / 400 - (1969 / 4 - 1969 / 100 + 1969 / 400);
    Some((year - 1970) * 365 + leaps + before + day - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_said_the_way_it_points() {
        let said = |lift, interval| tasks(&Lift { lift, interval, base: 0.5, outcomes: 3.0 });
        assert_eq!(
            said(-0.1, (-0.4, 0.25)),
            "with it, tasks succeed 0.10 less often than the project's 50 % (-0.40 to +0.25); this may be chance"
        );
        assert_eq!(
            said(0.2, (0.05, 0.35)),
            "with it, tasks succeed 0.20 more often than the project's 50 % (+0.05 to +0.35)"
        );
        assert!(said(0.0, (-0.3, 0.3)).contains("succeed as often as the project's"));
    }

    #[test]
    fn times_are_read_as_they_are_shown() {
        let now = Timestamp(1_777_900_181_000);
        assert_eq!(time("2026-05-04 13:09:41", now).unwrap(), now);
        assert_eq!(time(&crate::time::shown(now.0), now).unwrap(), now);
        assert_eq!(time("2000-02-29", now).unwrap().0, 951_782_400_000);
        assert_eq!(time("2h", now).unwrap().0, now.0 - 7_200_000);
        assert_eq!(time("0d", now).unwrap(), now);
        for odd in ["", "2026-02-30", "2025-13-01", "h", "-3h", "2026-05-04 25:00", "soon", "9é"] {
            assert!(time(odd, now).is_err(), "{odd}");
        }
    }
}
