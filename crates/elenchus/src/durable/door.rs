//! The way to a Restate server.

use crate::config::Config;
use crate::error::{CliError, Kind, Result};
use elenchus_core::inquiry::EgressMode;
use elenchus_core::port::PortFuture;
use elenchus_engine::restate::{Ingress, Reply};
use elenchus_io::web::{ApiClient, Chosen, Egress, FetchSettings};
use std::time::Duration;

/// Where the ingress is without a word.
const USUAL: &str = "http://127.0.0.1:8080";
/// How long an answer may take. The server takes work over before it is done.
const PATIENCE: Duration = Duration::from_secs(20);

/// One address of a server: its ingress, or its admin interface.
pub(super) struct Door(ApiClient);

impl Door {
    /// The ingress that the environment names.
    pub(super) fn ingress(config: &Config) -> Result<Self> {
        let named = std::env::var("RESTATE_URL").ok().filter(|url| !url.trim().is_empty());
        Self::new(named.as_deref().unwrap_or(USUAL), "RESTATE_URL", config)
    }

    /// An address that the user gave with `from`.
    pub(super) fn new(url: &str, from: &str, config: &Config) -> Result<Self> {
        let attempted = format!("could not use the Restate server at {url:?}");
        let settings = FetchSettings {
            // The user named the address, which is leave to go there.
            egress: Egress::Public,
            deadline: PATIENCE,
            ..FetchSettings::default()
        };
        let base = format!("{}/", url.trim().trim_end_matches('/'));
        let client = ApiClient::new(&base, Chosen::ByUser, &settings).map_err(|error| {
            CliError::usage(&attempted, error.cause, format!("correct the address in {from}"))
        })?;
        let host = client.base().host_str().unwrap_or_default();
        let is_here = host == "localhost"
            || host
                .trim_matches(['[', ']'])
                .parse::<std::net::IpAddr>()
                .is_ok_and(|ip| ip.is_loopback());
        if crate::web::egress(config) == EgressMode::Offline && !is_here {
            return Err(CliError::usage(
                attempted,
                "it is on another machine, and the egress mode is `offline`",
                "use one on this machine, or say `egress = \"private-only\"` in elenchus.toml",
            ));
        }
        Ok(Self(client))
    }

    /// Registers a worker.
    pub(super) async fn register(&self, uri: &str) -> Result<()> {
        let attempted = format!("could not register the worker {uri} at {}", self.0.base());
        // A worker of another build may have been there before.
        let body = serde_json::json!({ "uri": uri, "force": true }).to_string();
        let hint = "check that --register names the admin address of a Restate server (usually port 9070) that reaches the \
                    worker; --advertise names another address of it";
        let failed = |cause: String| CliError::new(Kind::Provider, &attempted, cause, hint);
        let reply = self.post("deployments", body).await.map_err(failed)?;
        match reply.status {
            200..=299 => Ok(()),
            status => Err(failed(format!("it said {status}: {}", reply.body.trim()))),
        }
    }
}

/// What came back, or why nothing did.
type Replied = std::result::Result<Reply, String>;

impl Ingress for Door {
    fn post<'a>(&'a self, path: &'a str, body: String) -> PortFuture<'a, Replied> {
        Box::pin(async move {
            let url = self.0.base().join(path).map_err(|error| error.to_string())?;
            let reply = self.0.post_json(&url, &[], body.into_bytes()).await;
            let reply = reply.map_err(|error| error.to_string())?;
            let body = String::from_utf8_lossy(&reply.body).into_owned();
            Ok(Reply { status: reply.status, body })
        })
    }

    fn get<'a>(&'a self, path: &'a str) -> PortFuture<'a, Replied> {
        Box::pin(async move {
            let url = self.0.base().join(path).map_err(|error| error.to_string())?;
            let reply = self.0.get(&url, &[]).await.map_err(|error| error.to_string())?;
            let body = String::from_utf8_lossy(&reply.body).into_owned();
            Ok(Reply { status: reply.status, body })
        })
    }
}
