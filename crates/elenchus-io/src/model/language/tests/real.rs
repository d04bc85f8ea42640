//! A real server that speaks like OpenAI, when there is one. Started by hand; not part of the usual run.

use elenchus_core::port::Embedder;

use super::*;
use crate::embed::{HttpEmbedder, dot};

/// Asks the server at `ELENCHUS_REAL_OPENAI` (base URL with /v1) for the model `ELENCHUS_REAL_MODEL`.
///
/// Its answers may be weak: only their form is checked.
#[tokio::test]
#[ignore = "needs a server: set ELENCHUS_REAL_OPENAI and ELENCHUS_REAL_MODEL"]
async fn a_real_server_that_speaks_like_openai() {
    let base = std::env::var("ELENCHUS_REAL_OPENAI").expect("the base URL of a server");
    let model = std::env::var("ELENCHUS_REAL_MODEL").unwrap_or_else(|_| "m".to_owned());
    let endpoint = Endpoint::new(Provider::OpenAi, Some(&base), None).unwrap();
    let name = ModelName { provider: Provider::OpenAi, model };
    let client = ChatClient::new(name, endpoint, Settings::default()).unwrap();
    println!("{:#?}", client.probe().await);
    let short = ChatRequest { max_output_tokens: 3, ..request() };
    let cut_short = client.chat_quiet(&short).await.unwrap();
    println!("{cut_short:#?}");
    assert_eq!((cut_short.stop, cut_short.usage.output_tokens), (Stop::Length, 3));
    assert!(!cut_short.usage_estimated && cut_short.cost_micro_usd.is_none());
    // A reply that is cut off shows nothing of the form: it gets more room until one ends by itself.
    let mut whole = None;
    for room in [60, 120, 240, 480] {
        let mut pieces = 0;
        let question = ChatRequest { max_output_tokens: room, ..with_schema() };
        let reply = client.chat(&question, &mut |_| pieces += 1).await.unwrap();
        println!("{pieces} pieces of at most {room} tokens: {reply:#?}");
        assert!(!reply.text.is_empty() && pieces > 1);
        assert!(reply.schema_sent, "the server takes schemas");
        if reply.stop == Stop::Complete {
            whole = Some(reply.text);
            break;
        }
    }
    let whole = whole.expect("a reply that ends by itself");
    let value: serde_json::Value = serde_json::from_str(&whole).unwrap();
    assert!(value["what"].is_string() && value.get("why").is_some(), "{value}");
}

/// Embeds with the server at `ELENCHUS_REAL_EMBED` (base URL with /v1).
#[tokio::test]
#[ignore = "needs a server: set ELENCHUS_REAL_EMBED and ELENCHUS_REAL_MODEL"]
async fn a_real_server_that_embeds() {
    let base = std::env::var("ELENCHUS_REAL_EMBED").expect("the base URL of a server");
    let model = std::env::var("ELENCHUS_REAL_MODEL").unwrap_or_else(|_| "m".to_owned());
    let endpoint = Endpoint::new(Provider::OpenAi, Some(&base), None).unwrap();
    let name = ModelName { provider: Provider::OpenAi, model };
    let embedder = HttpEmbedder::discover(name, endpoint, Settings::default()).await.unwrap();
    let texts = ["Rain falls.", "Rain is falling.", ""].map(str::to_owned);
    let vectors = embedder.embed(&texts).await.unwrap();
    println!("{}: {}", embedder.id(), dot(&vectors[0], &vectors[1]));
    assert!(vectors.iter().all(|vector| vector.len() == embedder.dimensions()));
    assert!((dot(&vectors[0], &vectors[0]) - 1.0).abs() < 1e-4);
    assert!(dot(&vectors[2], &vectors[2]).abs() < 1e-9);
}
