//! What people say of insights, kept where `elenchus feedback --insight` keeps it.

use super::premises::refused;
use crate::opinions::{self, Opinion};
use elenchus_core::id::RunId;
use elenchus_core::port::Clock;
use elenchus_core::synthesis::insight::{Insight, InsightFeedback};
use elenchus_core::text::squeeze;
use elenchus_io::clock::SystemClock;
use elenchus_server::http::Opinions;
use elenchus_server::mcp::ports::Refusal;

/// The file of opinions.
pub(super) struct Sayings;

impl Opinions for Sayings {
    fn keep(&self, run: &RunId, insight: &Insight, said: InsightFeedback) -> Result<(), Refusal> {
        let opinion = Opinion {
            at: SystemClock.now().0,
            run: run.to_string(),
            insight: insight.id.to_string(),
            description: squeeze(&insight.description),
            feedback: said,
        };
        opinions::keep(&opinion).map(|_| ()).map_err(refused)
    }

    fn told(&self, run: &RunId, insights: &[Insight]) -> Result<Vec<Insight>, Refusal> {
        let opinions = opinions::Opinions::load().map_err(refused)?;
        Ok(opinions.told(run.as_str(), insights))
    }
}
