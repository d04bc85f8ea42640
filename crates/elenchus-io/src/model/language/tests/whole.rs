//! A prompt of a run as it goes out, whole, on each wire: words, schema and all. `clarify.json` holds what is expected; a change of the
//! prompt, of its schema or of a wire shows there.

use super::{client, quick};
use crate::model::language::wire::{Habits, outgoing};
use crate::model::language::{Provider, request};
use elenchus_core::evidence::PartialDate;
use elenchus_core::port::CorpusOverview;
use elenchus_core::prompt::{ClarifyInput, ModelCall, PromptBook};
use serde_json::{Value, json};

#[test]
fn a_real_prompt_goes_out_like_this() {
    let expected: Value = serde_json::from_str(include_str!("clarify.json")).unwrap();
    let call = ModelCall::Clarify(ClarifyInput {
        question: "What do they say about the Ørland ferry?".to_owned(),
        corpus: CorpusOverview {
            name: "harbour".to_owned(),
            documents: 4,
            passages: 60,
            newest: Some(PartialDate::month(2024, 5)),
            subjects: vec!["Ørland".to_owned(), "the ferry".to_owned()],
            ..CorpusOverview::default()
        },
        guarded: false,
    });
    let rendered = PromptBook::builtin().render(&call);
    for provider in Provider::ALL {
        let client = client(provider, "http://127.0.0.1:9", quick());
        let request = request(&client, &rendered, rendered.user.clone());
        let sent = outgoing(client.name(), client.endpoint(), &request, Habits::default(), 2048);
        assert!(sent.schema_sent, "{provider}");
        assert_eq!(sent.body, expected[provider.word()], "{provider}:\n{:#}", sent.body);
    }
    // Where every key has to be there, each is.
    let schema = &expected["openai"]["response_format"]["json_schema"];
    assert_eq!(schema["strict"], true);
    assert_eq!(schema["schema"]["required"], json!(["questions", "vague"]));
}
