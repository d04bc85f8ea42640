//! Spans as OTLP writes them.

use super::settings::{Protocol, Resource};
use elenchus_core::id::Timestamp;
use elenchus_core::trace::spans::{CONVENTIONS, Span, SpanKind, Value};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::common::v1::{
    AnyValue, ArrayValue, InstrumentationScope, KeyValue, any_value,
};
use opentelemetry_proto::tonic::resource::v1 as proto_resource;
use opentelemetry_proto::tonic::trace::v1 as proto;
use prost::Message;

/// Sampled, and a parent of this very process.
const FLAGS: u32 = 0x101;

/// Spans as one object of OTLP/JSON, on one line.
pub fn to_json(spans: &[Span], resource: &Resource) -> String {
    serde_json::to_string(&request(spans, resource))
        .expect("spans hold only maps with string keys and finite numbers")
}

/// A request's body and what it is.
pub(super) fn body(
    spans: &[Span],
    resource: &Resource,
    protocol: Protocol,
) -> (Vec<u8>, &'static str) {
    match protocol {
        Protocol::Json => (to_json(spans, resource).into_bytes(), "application/json"),
        Protocol::Protobuf => (request(spans, resource).encode_to_vec(), "application/x-protobuf"),
    }
}

/// How many spans a collector that took a request did not want, and why; nothing when it took all, or does not say.
pub(super) fn rejected(body: &[u8], protocol: Protocol) -> Option<(u64, String)> {
    let (rejected, why) = match protocol {
        // JSON has whole numbers of 64 bits as texts, and some write them as numbers.
        Protocol::Json => {
            let said: serde_json::Value = serde_json::from_slice(body).ok()?;
            let partial = said.get("partialSuccess")?;
            let rejected = partial.get("rejectedSpans")?;
            let number = rejected.as_i64().or_else(|| rejected.as_str()?.parse().ok())?;
            let why = partial.get("errorMessage").and_then(|why| why.as_str()).unwrap_or_default();
            (number, why.to_owned())
        }
        Protocol::Protobuf => {
            let partial = ExportTraceServiceResponse::decode(body).ok()?.partial_success?;
            (partial.rejected_spans, partial.error_message)
        }
    };
    u64::try_from(rejected).ok().filter(|rejected| *rejected > 0).map(|rejected| (rejected, why))
}

fn request(spans: &[Span], resource: &Resource) -> ExportTraceServiceRequest {
    let of_resource = resource.attributes.iter().map(|(name, value)| KeyValue {
        key: name.clone(),
        value: Some(any(&Value::Text(value.clone()))),
        ..KeyValue::default()
    });
    let scope = InstrumentationScope {
        name: "elenchus".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ..InstrumentationScope::default()
    };
    let of_scope = proto::ScopeSpans {
        scope: Some(scope),
        spans: spans.iter().map(span).collect(),
        schema_url: format!("https://opentelemetry.io/schemas/{CONVENTIONS}"),
    };
    ExportTraceServiceRequest {
        resource_spans: vec![proto::ResourceSpans {
            resource: Some(proto_resource::Resource {
                attributes: of_resource.collect(),
                ..proto_resource::Resource::default()
            }),
            scope_spans: vec![of_scope],
            schema_url: String::new(),
        }],
    }
}

fn span(span: &Span) -> proto::Span {
    let kind = match span.kind {
        SpanKind::Internal => proto::span::SpanKind::Internal,
        SpanKind::Client => proto::span::SpanKind::Client,
    };
    let events = span.events.iter().map(|event| proto::span::Event {
        time_unix_nano: nanos(event.at),
        name: event.name.to_owned(),
        attributes: pairs(&event.attributes),
        dropped_attributes_count: 0,
    });
    let links = span.link.iter().map(|(trace, linked)| proto::span::Link {
        trace_id: trace.0.to_vec(),
        span_id: linked.0.to_vec(),
        flags: FLAGS,
        ..proto::span::Link::default()
    });
    let status = span.error.map(|_| proto::Status {
        message: span.message.clone().unwrap_or_default(),
        code: proto::status::StatusCode::Error.into(),
    });
    proto::Span {
        trace_id: span.trace_id.0.to_vec(),
        span_id: span.span_id.0.to_vec(),
        parent_span_id: span.parent.map(|parent| parent.0.to_vec()).unwrap_or_default(),
        flags: FLAGS,
        name: span.name.clone(),
        kind: kind.into(),
        start_time_unix_nano: nanos(span.start),
        end_time_unix_nano: nanos(span.end),
        attributes: pairs(&span.attributes),
        events: events.collect(),
        links: links.collect(),
        status,
        ..proto::Span::default()
    }
}

fn pairs(attributes: &[(&'static str, Value)]) -> Vec<KeyValue> {
    attributes
        .iter()
        .map(|(name, value)| KeyValue {
            key: (*name).to_owned(),
            value: Some(any(value)),
            ..KeyValue::default()
        })
        .collect()
}

fn any(value: &Value) -> AnyValue {
    let value = match value {
        Value::Text(text) => any_value::Value::StringValue(text.clone()),
        Value::Whole(number) => any_value::Value::IntValue(*number),
        Value::Real(number) => any_value::Value::DoubleValue(*number),
        Value::Truth(truth) => any_value::Value::BoolValue(*truth),
        Value::Texts(texts) => any_value::Value::ArrayValue(ArrayValue {
            values: texts.iter().map(|text| any(&Value::Text(text.clone()))).collect(),
        }),
    };
    AnyValue { value: Some(value) }
}

/// Times before 1970 are not known to OTLP.
fn nanos(at: Timestamp) -> u64 {
    u64::try_from(at.0).unwrap_or(0).saturating_mul(1_000_000)
}
