//! Where traces go and how, by the variables that OpenTelemetry gives names to.

use elenchus_core::trace::spans::Content;
use percent_encoding::percent_decode_str;
use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use std::net::IpAddr;
use std::time::Duration;

/// The path that is added to an endpoint that is for traces, metrics and logs alike.
const TRACES: &str = "v1/traces";

/// How spans are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Protocol {
    /// Protobuf over HTTP.
    #[default]
    Protobuf,
    /// JSON over HTTP.
    Json,
}

/// Who the spans are from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Names and values, in order; `service.name` is among them.
    pub attributes: Vec<(String, String)>,
}

/// Where spans go, and how many wait for it.
#[derive(Clone)]
pub struct OtlpSettings {
    /// The whole address.
    pub endpoint: Url,
    /// Sent with each request; may hold secrets.
    pub headers: HeaderMap,
    /// How spans are written.
    pub protocol: Protocol,
    /// The longest that one request may take.
    pub timeout: Duration,
    /// Spans that wait at most; one more is dropped and counted.
    pub queue: usize,
    /// Spans of one request at most.
    pub batch: usize,
    /// How long spans wait for others.
    pub delay: Duration,
    /// Who they are from.
    pub resource: Resource,
    /// Whether texts stand in them.
    pub content: Content,
}

impl std::fmt::Debug for OtlpSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "OtlpSettings {{ endpoint: {}, headers: {} }}",
            self.address(),
            self.headers.len()
        )
    }
}

/// What the variables say.
#[derive(Debug, Default)]
pub struct Read {
    /// Where spans go; nowhere when no endpoint is set, or it cannot be used.
    pub settings: Option<OtlpSettings>,
    /// What could not be used and what is done instead, in words for the user.
    pub warnings: Vec<String>,
}

impl OtlpSettings {
    /// The address without what may be secret in it.
    pub fn address(&self) -> String {
        let port = self.endpoint.port().map(|port| format!(":{port}")).unwrap_or_default();
        let (scheme, path) = (self.endpoint.scheme(), self.endpoint.path());
        format!("{scheme}://{}{port}{path}", self.endpoint.host_str().unwrap_or_default())
    }

    /// Whether the collector is on this machine.
    pub fn is_loopback(&self) -> bool {
        let host = self.endpoint.host_str().unwrap_or_default();
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        host == "localhost" || address.is_ok_and(|address| address.is_loopback())
    }

    /// Reads the variables. One that cannot be used is told, and never a reason not to run.
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Read {
        let set =
            |name: &str| variable(name).map(|v| v.trim().to_owned()).filter(|v| !v.is_empty());
        let is = |name: &str, value: &str| set(name).is_some_and(|v| v.eq_ignore_ascii_case(value));
        let mut warnings = Vec::new();
        if is("OTEL_SDK_DISABLED", "true") || is("OTEL_TRACES_EXPORTER", "none") {
            return Read::default();
        }
        let endpoint = match endpoint(&set) {
            Ok(Some(endpoint)) => endpoint,
            Ok(None) => return Read::default(),
            Err(warning) => return Read { settings: None, warnings: vec![warning] },
        };
        let own = |name: &str| {
            let of_traces = format!("OTEL_EXPORTER_OTLP_TRACES_{name}");
            let of_all = format!("OTEL_EXPORTER_OTLP_{name}");
            set(&of_traces)
                .map(|value| (of_traces, value))
                .or_else(|| Some((of_all.clone(), set(&of_all)?)))
        };
        let protocol = match own("PROTOCOL") {
            None => Protocol::default(),
            Some((name, value)) => match value.as_str() {
                "http/protobuf" => Protocol::Protobuf,
                "http/json" => Protocol::Json,
                _ => {
                    warnings.push(format!(
                        "{name} is {value:?}, and traces are sent as `http/protobuf` or `http/json`; they are sent as \
                         `http/protobuf`"
                    ));
                    Protocol::default()
                }
            },
        };
        let mut headers = HeaderMap::new();
        if let Some((name, value)) = own("HEADERS") {
            for pair in value.split(',').filter(|pair| !pair.trim().is_empty()) {
                match header(pair) {
                    Some((key, value)) => {
                        headers.insert(key, value);
                    }
                    // The value may be a secret, so it is not repeated.
                    None => warnings.push(format!(
                        "a part of {name} is no `name=value` of a header and is not sent; values are written as in addresses \
                         (%20 for a blank)"
                    )),
                }
            }
        }
        let mut whole = |name: String, usual: u64| match set(&name).map(|text| text.parse::<u64>())
        {
            None => usual,
            Some(Ok(number)) if (1..=3_600_000).contains(&number) => number,
            Some(_) => {
                warnings
                    .push(format!("{name} is no whole number from 1 to 3600000; {usual} is used"));
                usual
            }
        };
        let timeout = own("TIMEOUT")
            .map_or_else(|| "OTEL_EXPORTER_OTLP_TIMEOUT".to_owned(), |(name, _)| name);
        let timeout = whole(timeout, 10_000);
        let queue = whole("OTEL_BSP_MAX_QUEUE_SIZE".to_owned(), 2_048);
        let batch = whole("OTEL_BSP_MAX_EXPORT_BATCH_SIZE".to_owned(), 512);
        let delay = whole("OTEL_BSP_SCHEDULE_DELAY".to_owned(), 5_000);
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let settings = Self {
            endpoint,
            headers,
            protocol,
            timeout: Duration::from_millis(timeout),
            queue: size(queue),
            batch: size(batch.min(queue)),
            delay: Duration::from_millis(delay),
            resource: Resource::from_variables(&variable),
            content: content_from(&variable),
        };
        Read { settings: Some(settings), warnings }
    }
}

/// The address: that of traces as it is, or that of everything with the path of traces.
fn endpoint(set: &impl Fn(&str) -> Option<String>) -> Result<Option<Url>, String> {
    let (name, address, add) =
        match (set("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"), set("OTEL_EXPORTER_OTLP_ENDPOINT")) {
            (Some(address), _) => ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", address, false),
            (None, Some(address)) => ("OTEL_EXPORTER_OTLP_ENDPOINT", address, true),
            (None, None) => return Ok(None),
        };
    let whole = if add { format!("{}/{TRACES}", address.trim_end_matches('/')) } else { address };
    Url::parse(&whole)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https") && url.host_str().is_some())
        .map(Some)
        .ok_or_else(|| {
            format!(
                "no traces are sent: the value of {name} is no address; set it to something like http://127.0.0.1:4318, or \
                 unset it"
            )
        })
}

fn header(pair: &str) -> Option<(HeaderName, HeaderValue)> {
    let (name, value) = pair.split_once('=')?;
    let name = HeaderName::from_bytes(name.trim().as_bytes()).ok()?;
    let value = percent_decode_str(value.trim()).decode_utf8().ok()?;
    let mut value = HeaderValue::from_str(&value).ok()?;
    value.set_sensitive(true);
    Some((name, value))
}

impl Resource {
    /// This program, under the name that the variables give it, with what else they say of it.
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Self {
        let set =
            |name: &str| variable(name).map(|v| v.trim().to_owned()).filter(|v| !v.is_empty());
        let said = set("OTEL_RESOURCE_ATTRIBUTES").unwrap_or_default();
        let mut attributes: Vec<(String, String)> = Vec::new();
        let mut put = |name: &str, value: String| {
            attributes.retain(|(known, _)| known != name);
            attributes.push((name.to_owned(), value));
        };
        put("service.name", "elenchus".to_owned());
        put("service.version", env!("CARGO_PKG_VERSION").to_owned());
        for (name, value) in said.split(',').filter_map(|pair| pair.split_once('=')) {
            if let Ok(value) = percent_decode_str(value.trim()).decode_utf8()
                && !name.trim().is_empty()
            {
                put(name.trim(), value.into_owned());
            }
        }
        if let Some(name) = set("OTEL_SERVICE_NAME") {
            put("service.name", name);
        }
        Self { attributes }
    }
}

/// Whether texts of runs may stand in their spans: only when it is asked for.
pub fn content_from(variable: impl Fn(&str) -> Option<String>) -> Content {
    let said = variable("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT").unwrap_or_default();
    match said.trim().to_ascii_lowercase().as_str() {
        "true" | "span_only" | "span_and_event" => Content::Scrubbed,
        _ => Content::LeftOut,
    }
}
