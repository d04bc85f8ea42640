//! Embeddings from a server: Ollama's `/api/embed`, or `/embeddings` of OpenAI and servers that speak like it.

use std::num::NonZeroUsize;
use std::sync::Arc;

use elenchus_core::port::{EmbedFailure, Embedder, PortFuture};
use serde_json::{Value, json};

use super::normalise;
use crate::model::language::transport::{Transport, persistent_json};
use crate::model::language::{
    Attempt, ChatError, Endpoint, EndpointError, ModelName, Provider, Settings,
};

/// Texts in one request.
const MOST_TEXTS: usize = 64;

/// Bytes of text in one request, unless one text alone is longer.
const MOST_BYTES: usize = 128 << 10;

/// A word that is embedded to learn the length of the vectors.
const SAMPLE: &str = "length";

/// An embedding model behind an HTTP server.
///
/// The id is `provider:model@dimensions`. Vectors have length 1, in the order of the texts; a text of white space
/// alone is not sent and has the zero vector. Requests hold up to 64 texts and are retried like those of a
/// [`ChatClient`](crate::model::language::ChatClient).
#[derive(Clone, Debug)]
pub struct HttpEmbedder {
    name: ModelName,
    transport: Transport,
    dimensions: usize,
    /// Send `dimensions`, which only some models take.
    ask_dimensions: bool,
    id: String,
}

impl HttpEmbedder {
    /// An embedder whose vectors are asked to have, and must have, that many dimensions. Nothing is sent.
    ///
    /// The model must be able to shorten its vectors, as OpenAI's `text-embedding-3-small` can, or have that length
    /// anyway and take the option. For any other use [`discover`](Self::discover).
    pub fn with_dimensions(
        name: ModelName,
        endpoint: Endpoint,
        dimensions: NonZeroUsize,
        settings: Settings,
    ) -> Result<Self, ChatError> {
        let mut embedder = Self::bare(name, endpoint, settings)?;
        embedder.ask_dimensions = true;
        embedder.set_dimensions(dimensions.get());
        Ok(embedder)
    }

    /// An embedder with the length that the model has by itself, learned by embedding one word.
    pub async fn discover(
        name: ModelName,
        endpoint: Endpoint,
        settings: Settings,
    ) -> Result<Self, ChatError> {
        let mut embedder = Self::bare(name, endpoint, settings)?;
        let attempt = embedder.attempt("learning the length of the vectors");
        let vectors = embedder.request(&attempt, &[SAMPLE]).await?;
        embedder.set_dimensions(vectors.first().map_or(0, Vec::len));
        Ok(embedder)
    }

    fn bare(name: ModelName, endpoint: Endpoint, settings: Settings) -> Result<Self, ChatError> {
        if name.provider == Provider::Anthropic {
            return Err(ChatError::Endpoint(EndpointError::BadAddress {
                provider: name.provider,
                cause: "Anthropic serves no embeddings; use an embedding model of ollama or openai, or the built-in \
                        embedder"
                    .to_owned(),
            }));
        }
        if endpoint.provider() != name.provider {
            return Err(ChatError::Endpoint(EndpointError::BadAddress {
                provider: name.provider,
                cause: format!("it was given for {}", endpoint.provider()),
            }));
        }
        let transport = Transport::new(&name, endpoint, settings)?;
        Ok(Self { name, transport, dimensions: 0, ask_dimensions: false, id: String::new() })
    }

    fn set_dimensions(&mut self, dimensions: usize) {
        self.dimensions = dimensions;
        self.id = format!("{}@{dimensions}", self.name);
    }

    fn attempt(&self, what: &str) -> Arc<Attempt> {
        self.transport.attempt(what, &self.name)
    }

    /// Vectors of all texts, batch by batch.
    async fn all(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ChatError> {
        let attempt = self.attempt(&format!("embedding {} texts", texts.len()));
        let mut vectors = vec![vec![0.0; self.dimensions]; texts.len()];
        let wanted: Vec<usize> =
            (0..texts.len()).filter(|at| !texts[*at].trim().is_empty()).collect();
        let mut rest = wanted.as_slice();
        while !rest.is_empty() {
            let (batch, later) = rest.split_at(batch_length(rest, texts));
            let parts: Vec<&str> = batch.iter().map(|at| texts[*at].as_str()).collect();
            for (at, vector) in batch.iter().zip(self.request(&attempt, &parts).await?) {
                vectors[*at] = vector;
            }
            rest = later;
        }
        Ok(vectors)
    }

    /// One request. The vectors are checked and of length 1.
    async fn request(
        &self,
        attempt: &Arc<Attempt>,
        texts: &[&str],
    ) -> Result<Vec<Vec<f32>>, ChatError> {
        let mut body = json!({ "model": self.name.model, "input": texts });
        let path = if self.name.provider == Provider::Ollama {
            "/api/embed"
        } else {
            body["encoding_format"] = json!("float");
            "/embeddings"
        };
        if self.ask_dimensions {
            body["dimensions"] = json!(self.dimensions);
        }
        let value = persistent_json(&self.transport, attempt, path, &body).await?;
        let foreign = |cause: String| ChatError::Foreign {
            attempt: Arc::clone(attempt),
            cause,
            start: crate::model::language::tidy(&value.to_string(), 80),
        };
        let vectors = match self.name.provider {
            Provider::Ollama => in_order(value.get("embeddings")),
            Provider::OpenAi | Provider::Anthropic => by_index(value.get("data"), texts.len()),
        };
        let mut vectors = vectors.map_err(foreign)?;
        if vectors.len() != texts.len() {
            let cause = format!("{} vectors came for {} texts", vectors.len(), texts.len());
            return Err(foreign(cause));
        }
        let length = match self.dimensions {
            0 => vectors.first().map_or(0, Vec::len),
            known => known,
        };
        for vector in &mut vectors {
            if vector.len() != length || length == 0 {
                return Err(foreign(format!(
                    "a vector has {} dimensions where {length} were expected; an index can hold vectors of one length \
                     only",
                    vector.len()
                )));
            }
            if !normalise(vector) {
                return Err(foreign("a vector is zero or not finite".to_owned()));
            }
        }
        Ok(vectors)
    }
}

/// How many of the next texts go into one request, at least 1.
fn batch_length(next: &[usize], texts: &[String]) -> usize {
    let mut bytes = 0;
    let fitting = next.iter().take(MOST_TEXTS).take_while(|at| {
        bytes += texts[**at].len();
        bytes <= MOST_BYTES
    });
    fitting.count().max(1)
}

/// Ollama's list of vectors.
fn in_order(list: Option<&Value>) -> Result<Vec<Vec<f32>>, String> {
    let list = list.and_then(Value::as_array).ok_or("there is no list `embeddings` in it")?;
    list.iter().map(numbers).collect()
}

/// OpenAI's list of vectors, each with the index of its text.
fn by_index(list: Option<&Value>, texts: usize) -> Result<Vec<Vec<f32>>, String> {
    let list = list.and_then(Value::as_array).ok_or("there is no list `data` in it")?;
    let mut vectors: Vec<Option<Vec<f32>>> = vec![None; texts];
    for (place, entry) in list.iter().enumerate() {
        let index = match entry.get("index") {
            Some(index) => index.as_u64().and_then(|index| usize::try_from(index).ok()),
            None => Some(place),
        };
        let slot = index.and_then(|index| vectors.get_mut(index));
        let slot = slot.ok_or("an index is not that of a text")?;
        if slot.is_some() {
            return Err("an index stands twice".to_owned());
        }
        *slot = Some(numbers(entry.get("embedding").unwrap_or(&Value::Null))?);
    }
    let came = vectors.iter().flatten().count();
    let whole: Option<Vec<Vec<f32>>> = vectors.into_iter().collect();
    whole.ok_or_else(|| format!("{came} vectors came for {texts} texts"))
}

fn numbers(vector: &Value) -> Result<Vec<f32>, String> {
    let list = vector.as_array().ok_or("a vector is not a list")?;
    list.iter()
        .map(|value| value.as_f64().map(|value| value as f32))
        .collect::<Option<Vec<f32>>>()
        .ok_or_else(|| "a vector holds something that is not a number".to_owned())
}

impl Embedder for HttpEmbedder {
    fn id(&self) -> &str {
        &self.id
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> PortFuture<'a, Result<Vec<Vec<f32>>, EmbedFailure>> {
        Box::pin(async move {
            self.all(texts).await.map_err(|error| EmbedFailure {
                embedder: self.id.clone(),
                texts: texts.len(),
                cause: error.to_string(),
                // The client has tried again already where that could help.
                permanent: true,
            })
        })
    }
}

#[cfg(test)]
mod tests;
