//! The OpenAPI 3.1 document, made of the table of routes.

use super::problem::{PROBLEM, Written};
use super::table::{EVENTS, Gives, Route, taking};
use axum::http::StatusCode;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// Schemas of what is given: shared, and as a writer fills them.
fn giving() -> SchemaGenerator {
    let mut settings = SchemaSettings::draft2020_12().for_serialize();
    settings.definitions_path = "/components/schemas".into();
    settings.meta_schema = None;
    SchemaGenerator::new(settings)
}

/// The document.
pub fn document(routes: &[Route]) -> Value {
    let mut schemas = giving();
    let mut paths = Map::new();
    for route in routes {
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[route.method.as_str().to_lowercase()] = operation(route, &mut schemas);
    }
    let problem = schemas.subschema_for::<Written>();
    let mut components: Map<String, Value> = schemas.take_definitions(true);
    components.entry("Problem").or_insert_with(|| problem.to_value());
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Elenchus",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Research over documents and the web, with quoted evidence.",
            "description": "Every error is a problem of RFC 9457 with a code, the cause and the way out. Lists are paged \
                with `cursor` and `limit`; what is read has an ETag.",
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "security": [{ "bearer": [] }, { "cookie": [] }],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "bearer": { "type": "http", "scheme": "bearer" },
                "cookie": { "type": "apiKey", "in": "cookie", "name": "elenchus_PORT",
                    "description": "What a browser gets that signs in with the address printed at the start." },
            },
        },
    })
}

fn operation(route: &Route, schemas: &mut SchemaGenerator) -> Value {
    let mut parameters: Vec<Value> = places(route.path)
        .map(|name| {
            json!({ "name": name, "in": "path", "required": true,
                "schema": { "type": "string", "minLength": 1 } })
        })
        .collect();
    if let Some(query) = route.query {
        let schema = query(&mut taking()).to_value();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        for (name, of) in schema["properties"].as_object().into_iter().flatten() {
            let mut of = of.clone();
            let about = of.as_object_mut().and_then(|of| of.remove("description"));
            let mut parameter = json!({ "name": name, "in": "query",
                "required": required.iter().any(|one| one == name), "schema": without_null(of) });
            if let Some(about) = about {
                parameter["description"] = about;
            }
            parameters.push(parameter);
        }
    }
    for line in &route.reads {
        parameters.push(json!({ "name": line.name, "in": "header", "required": false,
            "description": line.about, "schema": { "type": "string" } }));
    }
    let mut operation = json!({
        "operationId": route.id,
        "summary": route.about,
        "tags": [tag(route.path)],
        "responses": responses(route, schemas),
    });
    if !parameters.is_empty() {
        operation["parameters"] = Value::Array(parameters);
    }
    if let Some(body) = route.body {
        operation["requestBody"] = json!({ "required": true,
            "content": { "application/json": { "schema": body(&mut taking()).to_value() } } });
    }
    if route.is_open {
        operation["security"] = json!([]);
    }
    operation
}

/// A missing part of a query is left out, not null.
fn without_null(mut schema: Value) -> Value {
    if let Some(kinds) = schema.get_mut("type").and_then(Value::as_array_mut) {
        kinds.retain(|kind| kind != "null");
        if kinds.len() == 1 {
            schema["type"] = schema["type"][0].clone();
        }
    }
    if let Some(words) = schema.get_mut("enum").and_then(Value::as_array_mut) {
        words.retain(|word| !word.is_null());
    }
    if let Some(parts) = schema.get_mut("anyOf").and_then(Value::as_array_mut) {
        parts.retain(|part| part["type"] != "null");
    }
    if let Some(object) = schema.as_object_mut()
        && object.get("default").is_some_and(Value::is_null)
    {
        object.remove("default");
    }
    schema
}

fn responses(route: &Route, schemas: &mut SchemaGenerator) -> Value {
    let mut responses = Map::new();
    for status in route.statuses() {
        let given: Vec<&Gives> =
            route.gives.iter().filter(|gives| gives.status == status).collect();
        let response = if given.is_empty() {
            let reason = StatusCode::from_u16(status)
                .ok()
                .and_then(|status| status.canonical_reason())
                .unwrap_or("A problem");
            // An address too long is refused before anybody reads whose it is.
            if status == 304 || status == 414 {
                json!({ "description": reason })
            } else {
                let schema = schemas.subschema_for::<Written>();
                json!({ "description": reason, "content": { PROBLEM: { "schema": schema } } })
            }
        } else {
            let mut content = Map::new();
            for gives in &given {
                let schema = match gives.schema {
                    Some(schema) => schema(schemas).to_value(),
                    None => unwritten(gives.kind),
                };
                content.insert(gives.kind.to_owned(), json!({ "schema": schema }));
            }
            json!({ "description": given[0].about, "content": content })
        };
        responses.insert(status.to_string(), response);
    }
    Value::Object(responses)
}

/// The shape of what is no JSON of ours: one event of a stream, text, or whatever a format of others has.
fn unwritten(kind: &str) -> Value {
    if kind == EVENTS {
        return json!({ "type": "object", "description": "One event.", "required": ["data"],
            "properties": { "id": { "type": "string" }, "event": { "type": "string" }, "data": { "type": "string" } } });
    }
    if kind.starts_with("text/") { json!({ "type": "string" }) } else { json!({}) }
}

/// The names in braces.
fn places(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
}

fn tag(path: &str) -> &str {
    let mut parts = path.split('/').filter(|part| !part.is_empty() && !part.starts_with('{'));
    match parts.next() {
        Some("v1") => parts.next().unwrap_or("v1"),
        Some(first) => first,
        None => "pages",
    }
}

/// A JSON value of any shape.
#[derive(serde::Serialize)]
pub struct Anything;

impl JsonSchema for Anything {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Anything".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> schemars::Schema {
        true.into()
    }
}
