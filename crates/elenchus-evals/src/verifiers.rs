//! The verifiers by the names that `elenchus verify --verifier` takes.

use elenchus_core::port::Verifier;
use elenchus_core::prompt::PromptBook;
use elenchus_io::model::language::{ChatClient, Endpoint, ModelName, NameError, Settings};
use elenchus_io::verify::{BuiltinVerifier, LlmVerifier};

/// `builtin`, `quick`, `onnx:DIR` or `llm:PROVIDER:NAME`. A pulled model has to be named by its folder
/// (`elenchus models path NAME` tells it).
pub(crate) fn named(name: &str) -> Result<Box<dyn Verifier>, String> {
    if name == "builtin" {
        return Ok(Box::new(BuiltinVerifier::default()));
    }
    if name == "quick" {
        return Ok(Box::new(BuiltinVerifier::quick()));
    }
    if let Some(model) = name.strip_prefix("llm:") {
        return language_model(model);
    }
    match name.strip_prefix("onnx:").filter(|folder| !folder.is_empty()) {
        Some(folder) => entailment_model(folder),
        None => Err(format!(
            "could not use the verifier {name:?}: there is none of that name; write `builtin`, `quick`, `onnx:DIR` or \
             `llm:PROVIDER:NAME`"
        )),
    }
}

#[cfg(feature = "onnx")]
fn entailment_model(folder: &str) -> Result<Box<dyn Verifier>, String> {
    elenchus_io::verify::NliVerifier::load(std::path::Path::new(folder))
        .map(|verifier| Box::new(verifier) as Box<dyn Verifier>)
        .map_err(|error| error.to_string())
}

#[cfg(not(feature = "onnx"))]
fn entailment_model(folder: &str) -> Result<Box<dyn Verifier>, String> {
    Err(format!("could not load the entailment model in {folder}: build with `--features onnx`"))
}

/// A language model where its usual variables say that it is. As in the product's default, nothing is sent to a public
/// host that nobody named.
fn language_model(name: &str) -> Result<Box<dyn Verifier>, String> {
    let model: ModelName = name.parse().map_err(|error: NameError| error.to_string())?;
    let variable =
        |name: &'static str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    let address = variable(model.provider.address_variable());
    let key = model.provider.key_variable().and_then(variable);
    let endpoint = Endpoint::new(model.provider, address.as_deref(), key.as_deref())
        .map_err(|error| error.to_string())?;
    if !endpoint.is_loopback() && address.is_none() {
        return Err(format!(
            "could not use the model {name:?}: it is at {}; name the host with {} if the pairs may be sent there",
            endpoint.base_url(),
            model.provider.address_variable()
        ));
    }
    let client =
        ChatClient::new(model, endpoint, Settings::default()).map_err(|error| error.to_string())?;
    Ok(Box::new(LlmVerifier::new(client, PromptBook::builtin())))
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn names_mean_what_they_mean_in_the_product() {
        let id = |name: &str| named(name).map(|verifier| verifier.id().to_owned());
        assert!(id("builtin").unwrap().starts_with("builtin-"));
        assert!(id("quick").unwrap().ends_with("-quick"));
        assert!(id("llm:ollama:bespoke-minicheck").unwrap().starts_with("llm-"));
        for wrong in ["", "best", "onnx:", "onnx:/nowhere/at/all", "llm:", "llm:nobody:model"] {
            assert!(id(wrong).is_err(), "{wrong}");
        }
    }
}
