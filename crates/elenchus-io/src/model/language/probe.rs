//! A look at an endpoint, for `elenchus doctor`.

use serde_json::Value;

use super::client::{ChatClient, same_tag};
use super::date;
use super::error::{ChatError, Phase};
use super::name::Provider;
use super::said;
use super::transport::Limit;

/// What was found at an endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The base URL, without user and password.
    pub address: String,
    /// Whether a server of the right kind answered. It did not when `trouble` is about the way there.
    pub reachable: bool,
    /// What is wrong, with the way out; `None` when all is well.
    pub trouble: Option<ChatError>,
    /// The server's version, where it tells one (Ollama).
    pub version: Option<String>,
    /// The models that the server lists.
    pub models: Vec<String>,
    /// Whether the model is among them; `None` when the list could not be had.
    pub model_present: Option<bool>,
    /// Seconds that the server's clock is ahead of this machine's (negative: behind), to about a second.
    pub clock_skew_seconds: Option<i64>,
    /// The proxy variable that the requests obey, with what to do if it stands in the way.
    pub proxy: Option<String>,
}

impl ChatClient {
    /// Looks whether the server is there, what it is and whether it has the model. Sends one or two small requests,
    /// no retry; costs nothing.
    pub async fn probe(&self) -> Probe {
        let mut probe = Probe {
            address: self.endpoint().base_url().to_owned(),
            reachable: false,
            trouble: None,
            version: None,
            models: Vec::new(),
            model_present: None,
            clock_skew_seconds: None,
            proxy: self.proxy_note(),
        };
        let attempt = self.transport.attempt("listing the models", &self.name);
        let deadlines = self.transport.settings.deadlines;
        let limit = Limit::from_now(deadlines.connect + deadlines.connect, Phase::FirstByte)
            .first(Limit::from_now(deadlines.whole, Phase::Whole));
        let path = match self.name.provider {
            Provider::Ollama => "/api/tags",
            Provider::OpenAi => "/models",
            Provider::Anthropic => "/v1/models?limit=1000",
        };
        match self.transport.json(&attempt, path, None, &limit).await {
            Ok((value, headers)) => {
                probe.clock_skew_seconds = date::server_time(&headers).map(|at| at - date::now());
                self.take_models(&value, &attempt, &mut probe);
            }
            Err(error) => {
                // A server that complains about the key or is overloaded is there.
                probe.reachable = matches!(
                    error,
                    ChatError::Unauthorised { .. }
                        | ChatError::RateLimited { .. }
                        | ChatError::QuotaUsedUp { .. }
                        | ChatError::Server { .. }
                );
                probe.trouble = Some(error);
            }
        }
        if self.name.provider == Provider::Ollama && probe.reachable {
            let version = self.transport.json(&attempt, "/api/version", None, &limit).await;
            probe.version = version.ok().and_then(|(value, _)| {
                value.get("version").and_then(Value::as_str).map(|text| said::tidy(text, 40))
            });
        }
        probe
    }

    fn take_models(
        &self,
        value: &Value,
        attempt: &std::sync::Arc<super::error::Attempt>,
        probe: &mut Probe,
    ) {
        let (list, key) = match self.name.provider {
            Provider::Ollama => ("models", "name"),
            Provider::OpenAi | Provider::Anthropic => ("data", "id"),
        };
        let Some(list) = value.get(list).and_then(Value::as_array) else {
            probe.trouble = Some(ChatError::Foreign {
                attempt: std::sync::Arc::clone(attempt),
                cause: format!("there is no list `{list}` of models in it"),
                start: said::tidy(&said::quote(&value.to_string(), self.endpoint()), 120),
            });
            return;
        };
        probe.reachable = true;
        let name = |entry: &Value| entry.get(key)?.as_str().map(|text| said::tidy(text, 120));
        probe.models = list.iter().filter_map(name).collect();
        let asked = &self.name.model;
        let present = probe.models.iter().any(|model| match self.name.provider {
            Provider::Ollama => same_tag(asked, model),
            _ => model == asked,
        });
        probe.model_present = Some(present);
        if !present {
            let said = if probe.models.is_empty() {
                "it lists none".to_owned()
            } else {
                let few: Vec<&str> = probe.models.iter().take(8).map(String::as_str).collect();
                let more = probe.models.len().saturating_sub(few.len());
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                format!("it lists {}{more}", few.join(", "))
            };
            probe.trouble =
                Some(ChatError::NoModel { attempt: std::sync::Arc::clone(attempt), said });
        }
    }

    fn proxy_note(&self) -> Option<String> {
        let (variable, url) = self.transport.settings.proxies.applying(self.endpoint())?;
        // User and password of the proxy are not shown.
        let host = url.split_once("://").map_or(url, |(_, rest)| rest);
        let host = host.rsplit_once('@').map_or(host, |(_, rest)| rest);
        Some(format!(
            "requests to {} go through the proxy {} ({variable}); if the server is in your own network, add its host to \
             NO_PROXY",
            self.endpoint().base_url(),
            said::tidy(host, 80)
        ))
    }
}
