//! Where one is on a page, and how one gets elsewhere.

use super::app::{App, Place, Tab};
use super::panes;
use super::tree::{self, Key, Row};

impl App {
    /// The pages that are named: those that few runs have only where there is something on them, or one is there.
    pub(super) fn pages(&self) -> Vec<Tab> {
        let run = self.run.as_ref();
        let has = |tab: Tab| match tab {
            Tab::Lenses => run.is_some_and(|run| panes::lens_rows(run) > 0),
            Tab::Critique => run.is_some_and(|run| panes::critique_rows(run) > 0),
            _ => true,
        };
        Tab::ALL.into_iter().filter(|tab| *tab == self.tab || has(*tab)).collect()
    }

    /// The named page that stands so many places to the right of this one, or to the left; behind the last comes the first.
    pub(super) fn page_beside(&self, by: isize) -> Option<Tab> {
        let pages = self.pages();
        let here = pages.iter().position(|tab| *tab == self.tab)?;
        let place = here.checked_add(pages.len())?.checked_add_signed(by)?;
        pages.get(place.checked_rem(pages.len())?).copied()
    }

    /// The rows of the trace as they are folded.
    pub(super) fn rows(&self) -> Vec<Row> {
        self.run.as_ref().map(|run| tree::rows(run, &self.folded)).unwrap_or_default()
    }

    /// How many rows the page has.
    pub(super) fn count(&self) -> usize {
        let run = self.run.as_ref();
        match self.tab {
            Tab::Trace => self.rows().len(),
            Tab::Gaps => run.map_or(0, |run| run.gaps.len()),
            Tab::Beliefs => run.map_or(0, |run| run.hypotheses.len()),
            Tab::Claims => run.and_then(|run| run.answer.as_ref()).map_or(0, |a| a.claims.len()),
            Tab::Sources => run.map_or(0, |run| run.sources.len()),
            Tab::Answer => 0,
            Tab::Insights => run.map_or(0, |run| run.insights.len()),
            Tab::Lenses => run.map_or(0, panes::lens_rows),
            Tab::Critique => run.map_or(0, panes::critique_rows),
            Tab::Memory => self.memories.as_ref().map_or(0, |(held, _)| held.len()),
            Tab::Runs => self.runs.as_ref().map_or(0, Vec::len),
        }
    }

    /// The selected row of the page.
    pub(super) fn selected(&self) -> usize {
        let most = self.count().saturating_sub(1);
        if self.tab == Tab::Trace {
            if self.follows {
                return most;
            }
            let rows = self.rows();
            return self
                .step
                .and_then(|key| rows.iter().position(|row| row.key() == key))
                .unwrap_or(0);
        }
        self.place().row.min(most)
    }

    /// Selects a row.
    pub(super) fn select(&mut self, row: usize) {
        let most = self.count().saturating_sub(1);
        let row = row.min(most);
        if self.tab == Tab::Trace {
            self.step = self.rows().get(row).map(Row::key);
            self.follows = row == most && self.driven;
        }
        let before = self.place().row;
        let place = self.place_mut();
        if before != row {
            place.scroll = 0;
        }
        place.row = row;
        place.top = None;
    }

    pub(super) fn select_first(&mut self) {
        let tab = std::mem::replace(&mut self.tab, Tab::Trace);
        self.select(0);
        self.tab = tab;
    }

    /// The step that is selected in the trace.
    pub(super) fn selected_step(&self) -> Option<&elenchus_core::trace::Step> {
        let run = self.run.as_ref()?;
        match self.rows().get(self.selected())? {
            Row::Step { at, .. } => run.steps.get(*at),
            Row::Stage { .. } => None,
        }
    }

    /// Goes to the next step that says the words, or to the one before; from the selected one, or from behind it.
    pub(super) fn find(&mut self, forwards: bool, from_here: bool) {
        let Some(run) = &self.run else { return };
        let here = match self.rows().get(self.selected()) {
            Some(Row::Step { seq, .. } | Row::Stage { seq, .. }) => *seq,
            None => 0,
        };
        let all: Vec<u64> =
            run.steps.iter().filter(|step| step.says(&self.search)).map(|step| step.seq).collect();
        if all.is_empty() {
            let words = self.search.join(" ");
            self.complain(format!("no step says {words:?}"));
            return;
        }
        let found = if forwards {
            all.iter().position(|seq| *seq > here || (from_here && *seq == here)).unwrap_or(0)
        } else {
            all.iter().rposition(|seq| *seq < here).unwrap_or(all.len() - 1)
        };
        let Some(step) = all.get(found).and_then(|seq| run.step(*seq)) else { return };
        let (seq, keys) = (step.seq, tree::over(run, step));
        for key in keys {
            self.folded.remove(&key);
        }
        self.tab = Tab::Trace;
        self.follows = false;
        self.step = Some(Key::Step(seq));
        let row = self.selected();
        *self.place_mut() = Place { row, full: self.place().full, ..Place::default() };
        self.say(format!("{} of {}; n and N go on, Esc ends the search", found + 1, all.len()));
    }
}
