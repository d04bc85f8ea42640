//! Lists of runs: all of them, and those that can be compared.

use super::compare;
use super::doors::{Pages, page, query, shown, value};
use super::history::{self, Listed, Wanted};
use super::once::Sure;
use crate::http::problem::Problem;
use crate::runs::RunLine;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use elenchus_core::id::RunId;
use elenchus_core::port::RunQuery;
use elenchus_core::trace::TraceEvent;

/// Events at the end of a run among which its answer is: it is looked for there before the whole run is read.
const LAST_EVENTS: u64 = 8;

impl Pages {
    /// A page of the runs that are wanted, its number, and how many runs there are on all pages. No more than the page is
    /// read; in place of one behind the last stands the last.
    async fn listed(
        &self,
        wanted: Wanted<'_>,
        page: usize,
    ) -> Result<(Vec<Listed>, usize, usize), Problem> {
        let (lines, at, of) = self.lines(wanted, page, history::A_PAGE).await?;
        let mut found = Vec::with_capacity(lines.len());
        for line in lines {
            let sure = self.sure(&line).await;
            found.push(Listed { sure, ..listed(line) });
        }
        Ok((found, at, of))
    }

    /// Runs that are wanted, so many to a page.
    async fn lines(
        &self,
        wanted: Wanted<'_>,
        page: usize,
        a_page: usize,
    ) -> Result<(Vec<RunLine>, usize, usize), Problem> {
        let mut at = page.max(1);
        loop {
            let query = RunQuery {
                words: wanted.q.split_whitespace().map(str::to_owned).collect(),
                status: wanted.status.map(str::to_owned),
                skip: (at - 1).saturating_mul(a_page),
                limit: a_page,
                ..self.runs().asked_now()
            };
            let (lines, total) = self.runs().page(query).await?;
            let of = usize::try_from(total).unwrap_or(usize::MAX);
            let last = of.div_ceil(a_page).max(1);
            if at <= last {
                return Ok((lines, at, of));
            }
            at = last;
        }
    }

    /// How sure the answer of a run is that is over. A list without it is still worth reading.
    async fn sure(&self, line: &RunLine) -> Option<Sure> {
        let run = &line.run_id;
        if !line.is_over() || line.status == "failed" {
            return None;
        }
        if let Some(known) = self.sure.known(run) {
            return known;
        }
        let after = line.events.saturating_sub(LAST_EVENTS);
        let last = self.runs().store().events(run, after).await.ok()?;
        let answer = last.iter().rev().find_map(|one| match &one.event {
            TraceEvent::AnswerCompleted { answer, .. } => Some(Sure::of(answer)),
            _ => None,
        });
        let sure = match answer {
            Some(sure) => Some(sure),
            None => {
                let record = self.runs().record(run).await.ok()?;
                record.shown(|shown| shown.answer.as_deref().map(Sure::of))
            }
        };
        self.sure.keep(run, sure);
        sure
    }
}

fn listed(line: RunLine) -> Listed {
    Listed {
        run: line.run_id,
        question: line.question,
        status: line.status,
        message: line.message,
        started_at: line.started_at,
        updated_at: line.updated_at,
        events: line.events,
        sure: None,
    }
}

/// The page that an address asks for, from 1.
fn number(pairs: &[(String, String)]) -> usize {
    value(pairs, "page").parse::<u32>().map_or(1, |page| page as usize)
}

pub(super) async fn runs(State(pages): State<Pages>, RawQuery(raw): RawQuery) -> Response {
    let pairs = query(raw.as_deref());
    let wanted = Wanted {
        q: value(&pairs, "q"),
        status: history::status_named(value(&pairs, "status")),
        deleted: value(&pairs, "deleted") == "yes",
    };
    let told = pages.listed(wanted, number(&pairs)).await;
    shown(told.map(|(found, at, of)| page(StatusCode::OK, &history::show(&found, wanted, at, of))))
}

pub(super) async fn compare(State(pages): State<Pages>, RawQuery(raw): RawQuery) -> Response {
    let pairs = query(raw.as_deref());
    let mut chosen: Vec<&str> =
        pairs.iter().filter(|(key, _)| key == "run").map(|(_, run)| run.as_str()).collect();
    chosen
        .extend([value(&pairs, "a"), value(&pairs, "b")].into_iter().filter(|run| !run.is_empty()));
    chosen.truncate(2);
    let wanted = Wanted { q: value(&pairs, "q"), ..Wanted::default() };
    let told = async {
        let (lines, at, of) = pages.lines(wanted, number(&pairs), compare::OFFERED).await?;
        let all: Vec<Listed> = lines.into_iter().map(listed).collect();
        let mut found = vec![];
        for run in chosen {
            found.push(pages.see(&RunId::from(run), |sight| sight.shown.clone()).await?);
        }
        let offered = compare::Offered { all: &all, q: wanted.q, at, of };
        Ok(page(StatusCode::OK, &compare::show(&offered, found.first(), found.get(1))))
    };
    shown(told.await)
}
