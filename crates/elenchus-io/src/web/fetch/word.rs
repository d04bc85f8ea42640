//! Asking sites for their robots.txt: through the same guard, under the same limits, in turn.

use super::Inner;
use crate::web::body::Limits;
use crate::web::failure::FetchFailure;
use crate::web::guard::{Claim, Route, shown};
use crate::web::hop::Deadline;
use crate::web::redirect;
use crate::web::robots::{self, Leave, Word};
use reqwest::Url;
use std::time::{Duration, Instant};

impl Inner {
    /// What the site's robots.txt says of a page: the pause that it asks for, or a refusal.
    pub(super) async fn leave(
        &self,
        page: &Url,
        route: Route,
        claim: &Claim,
        deadline: &mut Deadline,
    ) -> Result<Option<Duration>, FetchFailure> {
        let slot = self.robots.slot(page);
        let mut kept = slot.lock().await;
        let fresh = kept.as_ref().filter(|(_, until)| *until > Instant::now());
        let word = match fresh {
            Some((word, _)) => word.clone(),
            None => {
                let word = self.word(page, route, claim, deadline).await?;
                self.robots.keep(&mut kept, word)
            }
        };
        drop(kept);
        let url = shown(page);
        match robots::leave(word, page, self.settings.longest_crawl_delay).await {
            Leave::Given(delay) => Ok(delay),
            Leave::Denied(cause) => Err(FetchFailure::Robots { url, cause, passing: false }),
            Leave::Unknown(cause) => Err(FetchFailure::Robots { url, cause, passing: true }),
        }
    }

    /// Asks an origin for its robots.txt. Fails when the guard refuses the origin itself.
    async fn word(
        &self,
        page: &Url,
        route: Route,
        claim: &Claim,
        deadline: &mut Deadline,
    ) -> Result<Word, FetchFailure> {
        let (mut url, mut route, mut claim) = (robots::address(page), route, claim.clone());
        let mut redirects = Vec::new();
        loop {
            let turn = self.turn(&url, route, None).await;
            let turn = turn.map_err(|failure| failure.told_of(shown(page)))?;
            let response = match self.head(&url, route, deadline).await {
                Ok(response) => response,
                // The origin itself leads where nothing may be reached.
                Err(failure @ FetchFailure::Refused { .. }) if redirects.is_empty() => {
                    return Err(failure.told_of(shown(page)));
                }
                Err(failure) => return Ok(Word::Trouble(failure.to_string())),
            };
            let status = response.status();
            if redirect::is_one(status) {
                let next = redirect::next(&url, response.headers());
                drop((response, turn));
                claim.from_public |= route == Route::Public;
                let Ok(next) = next else { return Ok(Word::Free) };
                // Too many redirects are as good as no file (RFC 9309, section 2.3.1.2).
                if redirect::count(&mut redirects, &url, &next, self.settings.most_redirects)
                    .is_err()
                {
                    return Ok(Word::Free);
                }
                route = match self.web.guard.route(&next, &claim) {
                    Ok(route) => route,
                    Err(failure) => return Ok(Word::Trouble(failure.to_string())),
                };
                url = next;
                continue;
            }
            return Ok(match status.as_u16() {
                200..=299 => {
                    let limits = Limits {
                        most_bytes: robots::MOST_BYTES,
                        cut: true,
                        ..Limits::of(&self.settings)
                    };
                    let reading = self.web.read(&url, response, limits);
                    match deadline.within(&url, "it had not ended", reading).await {
                        Ok(rules) => Word::Rules(rules.into()),
                        Err(failure) => Word::Trouble(failure.to_string()),
                    }
                }
                429 => Word::Trouble("the site asked for patience".to_owned()),
                400..=499 => Word::Free,
                status => Word::Trouble(format!("the site answered {status}")),
            });
        }
    }
}
