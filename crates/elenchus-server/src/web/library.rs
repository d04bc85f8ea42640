//! What is looked up over all runs: the sources that answers cite, and what people said.

use super::doors::{Pages, page, query, shown, value};
use super::notes::{self, Note, Told};
use super::sources;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use elenchus_core::id::RunId;
use elenchus_core::port::Remark;
use std::collections::{BTreeMap, BTreeSet};

pub(super) async fn sources(State(pages): State<Pages>, RawQuery(raw): RawQuery) -> Response {
    let pairs = query(raw.as_deref());
    let q = value(&pairs, "q");
    let at = value(&pairs, "page").parse::<u32>().map_or(1, |page| page as usize);
    let told = async {
        let cited = pages.runs().store().cited(sources::LOOKED_AT).await?;
        let found = sources::matching(sources::listed(cited), q);
        Ok(page(StatusCode::OK, &sources::show(&found, q, at)))
    };
    shown(told.await)
}

pub(super) async fn notes(State(pages): State<Pages>, RawQuery(raw): RawQuery) -> Response {
    let pairs = query(raw.as_deref());
    let only = value(&pairs, "only");
    let at = value(&pairs, "page").parse::<u32>().map_or(1, |page| page as usize);
    let told = async {
        let mut noted = notes::noted(pages.api.said().await?);
        let counts = notes::counts(&noted);
        noted.retain(|one| only.is_empty() || one.said.as_deref() == Some(only));
        let of = noted.len();
        let at = at.clamp(1, of.div_ceil(notes::A_PAGE).max(1));
        let noted: Vec<Remark> =
            noted.into_iter().skip((at - 1) * notes::A_PAGE).take(notes::A_PAGE).collect();
        // Only the runs of this page are looked at, each once. A note is told although its run cannot be.
        let mut runs: BTreeMap<RunId, Told> = BTreeMap::new();
        for run in noted.iter().map(|one| one.run_id.clone()).collect::<BTreeSet<RunId>>() {
            let record = pages.runs().record(&run).await.ok();
            let told = record.map(|record| record.shown(Told::of)).unwrap_or_default();
            runs.insert(run, told);
        }
        let made = noted.into_iter().filter_map(|remark| {
            let told = runs.get(&remark.run_id)?;
            Some(Note::of(remark, told))
        });
        let found: Vec<Note> = made.collect();
        Ok(page(StatusCode::OK, &notes::show(&found, &counts, only, at, of)))
    };
    shown(told.await)
}
