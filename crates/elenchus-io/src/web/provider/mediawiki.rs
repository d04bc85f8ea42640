//! Wikipedia and every other wiki that runs MediaWiki, through its `api.php`.

use super::clean::{any_of, list, text, words};
use super::found::{Found, settle, site_is_wanted};
use super::peer::{Ask, Peer, Place, Spec, nothing_special};
use super::setup::ProviderSetupError;
use super::{FailureKind, Provider, ProviderFailure, ProviderSettings, WebQuery, WebResult};
use elenchus_core::port::PortFuture;
use serde_json::Value;
use std::time::{Duration, Instant};

const EXAMPLE: &str = "mediawiki:https://wiki.example/w/api.php";
/// The most pages whose beginnings it gives at once.
const MOST: u16 = 20;

pub(super) struct MediaWiki {
    peer: Peer,
}

impl MediaWiki {
    /// Wikipedia in a language, English without one.
    pub(super) fn wikipedia(
        language: Option<&str>,
        settings: &ProviderSettings,
    ) -> Result<Self, ProviderSetupError> {
        let name = language.map_or("wikipedia".to_owned(), |code| format!("wikipedia:{code}"));
        let preferred =
            settings.language.as_deref().map(|tag| tag.split('-').next().unwrap_or(tag));
        let code = language.or(preferred).unwrap_or("en").to_ascii_lowercase();
        // It becomes part of a host name: "de", "zh-yue", "simple".
        let fits = (2..=16).contains(&code.len())
            && code
                .split('-')
                .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric()));
        if !fits {
            return Err(ProviderSetupError::BadAddress {
                provider: "wikipedia".to_owned(),
                cause: "its language is no code of a Wikipedia".to_owned(),
                example: "wikipedia:de",
            });
        }
        let usual = format!("https://{code}.wikipedia.org/w/api.php");
        let given = settings.addresses.get("wikipedia");
        let place = given.map_or(Place::Public(&usual), |address| Place::Given(address));
        Self::new(name, "wikipedia", place, settings)
    }

    /// A wiki by the address of its `api.php`.
    pub(super) fn at(
        address: Option<&str>,
        settings: &ProviderSettings,
    ) -> Result<Self, ProviderSetupError> {
        let address = address.ok_or_else(|| ProviderSetupError::NoAddress {
            provider: "mediawiki".to_owned(),
            way_out: format!("name it, for example {EXAMPLE}"),
        })?;
        // A password in it would be in every report and journal.
        let bare = reqwest::Url::parse(address)
            .is_ok_and(|url| url.username().is_empty() && url.password().is_none());
        let name = if bare { format!("mediawiki:{address}") } else { "mediawiki".to_owned() };
        Self::new(name, "mediawiki", Place::Given(address), settings)
    }

    fn new(
        name: String,
        plain: &'static str,
        place: Place<'_>,
        settings: &ProviderSettings,
    ) -> Result<Self, ProviderSetupError> {
        let pause = Duration::from_millis(500);
        let peer = Peer::new(Spec { name, plain, place, example: EXAMPLE, pause }, settings)?;
        Ok(Self { peer })
    }

    async fn ask(
        &self,
        query: &WebQuery,
        words: &str,
        until: Instant,
    ) -> Result<Vec<WebResult>, ProviderFailure> {
        let limit = query.limit.clamp(1, MOST).to_string();
        let pairs = [
            ("action", "query"),
            ("format", "json"),
            ("formatversion", "2"),
            ("generator", "search"),
            ("gsrsearch", words),
            ("gsrlimit", &limit),
            ("gsrnamespace", "0"),
            ("prop", "info|extracts"),
            ("inprop", "url"),
            ("exintro", "1"),
            ("explaintext", "1"),
            ("exchars", "500"),
            ("exlimit", "max"),
            // Leave the wiki alone while its databases are behind.
            ("maxlag", "5"),
        ];
        let ask = Ask::get(self.peer.url("", &pairs));
        let reply = self.peer.json(ask, until, nothing_special).await?;
        if let Some(error) = reply.get("error") {
            return Err(self.error(error));
        }
        if !reply.is_object() || reply.get("batchcomplete").or(reply.get("query")).is_none() {
            let cause = format!(
                "its reply is not one of MediaWiki's; check that {} is the address of an api.php",
                self.peer.base
            );
            return Err(self.peer.failure(FailureKind::Foreign, &cause));
        }
        let pages = list(reply.get("query").unwrap_or(&Value::Null), "pages");
        // Pages come in order of their ids; "index" is the rank.
        let mut ranked: Vec<&Value> = pages.iter().collect();
        ranked.sort_by_key(|page| page.get("index").and_then(Value::as_u64).unwrap_or(u64::MAX));
        Ok(settle(&self.peer.name, query, ranked.into_iter().map(found)))
    }

    /// An error that came with status 200.
    fn error(&self, error: &Value) -> ProviderFailure {
        let code = text(error, &["code"]).unwrap_or_default();
        let said = self.peer.quote(text(error, &["info"]).unwrap_or(code), 200);
        let (kind, cause) = match code {
            "maxlag" => (
                FailureKind::Busy,
                format!("its databases are behind ({said}); try again in a few seconds"),
            ),
            "ratelimited" => (
                FailureKind::Busy,
                format!("it asks to be asked less often ({said}); try again later"),
            ),
            "readapidenied" | "permissiondenied" => {
                (FailureKind::Key, format!("it gives pages to its members only ({said})"))
            }
            _ => (FailureKind::Refused, format!("it refused the request ({said})")),
        };
        self.peer.failure(kind, &cause)
    }
}

pub(super) fn found(page: &Value) -> Found {
    Found {
        url: text(page, &["canonicalurl", "fullurl"]).unwrap_or_default().to_owned(),
        title: text(page, &["title"]).unwrap_or_default().to_owned(),
        snippet: text(page, &["extract"]).unwrap_or_default().to_owned(),
        ..Found::default()
    }
}

impl Provider for MediaWiki {
    fn name(&self) -> &str {
        &self.peer.name
    }

    fn find<'a>(
        &'a self,
        query: &'a WebQuery,
    ) -> PortFuture<'a, Result<Vec<WebResult>, ProviderFailure>> {
        Box::pin(async move {
            if !site_is_wanted(query, &self.peer.base) {
                return Ok(Vec::new());
            }
            let until = self.peer.until();
            // Longer ones are refused.
            let results = self.ask(query, &words(&query.text, 300), until).await?;
            match any_of(&query.text) {
                // No page holds all the words of the question; the ranking sorts those that hold some.
                Some(some) if results.is_empty() => {
                    self.ask(query, &words(&some, 300), until).await
                }
                _ => Ok(results),
            }
        })
    }
}
