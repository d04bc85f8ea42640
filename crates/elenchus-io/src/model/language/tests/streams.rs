//! Streams through the parsers, without a network.

use std::path::PathBuf;

use proptest::prelude::*;

use super::*;
use crate::model::language::wire::{Fault, Gathered, Reading, Step};

/// Reads a stream in pieces of that length; what was shown is checked against the result.
fn read(provider: Provider, bytes: &[u8], piece: usize) -> Result<Gathered, Fault> {
    let mut shown = String::new();
    let mut reading = Reading::new(provider, 1 << 20);
    for part in bytes.chunks(piece.max(1)) {
        if reading.feed(part, &mut |text| shown.push_str(text))? == Step::Done {
            break;
        }
    }
    let gathered = reading.finish(&mut |text| shown.push_str(text))?;
    assert_eq!(shown, gathered.text, "what was shown is not the text");
    Ok(gathered)
}

fn text(provider: Provider, bytes: &str) -> Result<String, Fault> {
    read(provider, bytes.as_bytes(), 5).map(|gathered| gathered.text)
}

#[test]
fn a_stream_in_pieces_of_any_length_says_the_same() {
    for provider in Provider::ALL {
        let bytes = recorded(provider).as_bytes();
        for piece in 1..=bytes.len() {
            let gathered = read(provider, bytes, piece).unwrap();
            assert_eq!(gathered.text, SAID, "{provider} in pieces of {piece}");
            assert_eq!((gathered.input_tokens, gathered.output_tokens), (Some(11), Some(4)));
            assert_eq!(gathered.stop, Some(Stop::Complete));
            assert_eq!(gathered.model.as_deref(), Some("m"));
        }
    }
}

#[test]
fn a_stream_cut_at_any_byte_is_never_complete() {
    for provider in Provider::ALL {
        let bytes = recorded(provider).as_bytes();
        for end in 0..bytes.len() {
            for piece in [1, 3, bytes.len()] {
                match read(provider, &bytes[..end], piece) {
                    Ok(gathered) => {
                        assert!(end >= whole_from(provider), "{provider} cut at {end} was taken");
                        assert_eq!(gathered.text, SAID, "{provider} cut at {end}");
                    }
                    Err(Fault::Empty) => assert_eq!(end, 0),
                    Err(fault) => {
                        assert!(end < whole_from(provider), "{provider} whole at {end}: {fault:?}");
                        assert_eq!(fault, Fault::Cut, "{provider} cut at {end}");
                    }
                }
            }
        }
    }
}

#[test]
fn line_ends_of_every_kind_and_a_byte_order_mark() {
    for end in ["\n", "\r\n", "\r"] {
        for provider in [Provider::OpenAi, Provider::Anthropic] {
            let stream = format!("\u{feff}: hello{end}{}", recorded(provider).replace('\n', end));
            for piece in [1, 2, 7, stream.len()] {
                let gathered = read(provider, stream.as_bytes(), piece).unwrap();
                assert_eq!(gathered.text, SAID, "{end:?} in pieces of {piece}");
            }
        }
    }
    let stream = OLLAMA.replace('\n', "\r\n\r\n");
    assert_eq!(text(Provider::Ollama, &stream).unwrap(), SAID);
}

#[test]
fn data_over_several_lines_is_joined() {
    let stream =
        OPENAI.replace("{\"model\":\"m\",\"choices\"", "{\"model\":\"m\",\ndata: \"choices\"");
    assert_ne!(stream, OPENAI);
    for end in ["\n", "\r\n", "\r"] {
        let stream = stream.replace('\n', end);
        assert_eq!(text(Provider::OpenAi, &stream).unwrap(), SAID, "{end:?}");
    }
}

/// Some servers send empty lines while a model is loaded.
#[test]
fn white_space_before_a_stream_is_no_part_of_it() {
    for blank in ["\n".repeat(700), " \n\x0c\n".to_owned()] {
        for provider in Provider::ALL {
            let stream = format!("{blank}{}", recorded(provider));
            for piece in [1, 650, stream.len()] {
                let gathered = read(provider, stream.as_bytes(), piece);
                assert_eq!(gathered.map(|gathered| gathered.text), Ok(SAID.to_owned()), "{piece}");
            }
        }
    }
    let document =
        "\x0c\n{\"choices\":[{\"message\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}";
    for piece in [1, document.len()] {
        let gathered = read(Provider::OpenAi, document.as_bytes(), piece).unwrap();
        assert_eq!(gathered.text, "a");
    }
}

#[test]
fn unknown_kinds_of_messages_are_passed_over() {
    let stream = format!(
        "event: news\ndata: {{\"type\":\"news\",\"x\":1}}\n\nretry: 5\nid: 7\n\n{ANTHROPIC}"
    );
    assert_eq!(text(Provider::Anthropic, &stream).unwrap(), SAID);
    let stream = format!("data: {{\"object\":\"news\"}}\n\n{OPENAI}");
    assert_eq!(text(Provider::OpenAi, &stream).unwrap(), SAID);
}

#[test]
fn an_error_inside_a_stream_is_an_error() {
    let first = |provider| {
        let whole = recorded(provider);
        let end = if provider == Provider::Ollama { "\n" } else { "\n\n" };
        whole.split_inclusive(end).take(2).collect::<String>()
    };
    for (provider, error) in [
        (Provider::Ollama, "{\"error\":\"out of memory\"}\n"),
        (Provider::OpenAi, "data: {\"error\":{\"message\":\"out of memory\"}}\n\n"),
        (
            Provider::Anthropic,
            "event: error\ndata: {\"type\":\"error\",\"error\":{\"message\":\"out of memory\"}}\n\n",
        ),
    ] {
        for before in [String::new(), first(provider)] {
            let fault = text(provider, &format!("{before}{error}")).unwrap_err();
            assert_eq!(fault, Fault::Said { status: None, said: "out of memory".to_owned() });
        }
        // Without its line feed, or as one document where a stream was asked for.
        let bare = "{\"error\":\"out of memory\"}";
        assert!(matches!(text(provider, bare).unwrap_err(), Fault::Said { .. }));
    }
    let overloaded = "data: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"busy\"}}\n\n";
    let fault = text(Provider::Anthropic, overloaded).unwrap_err();
    assert_eq!(fault, Fault::Said { status: Some(529), said: "busy".to_owned() });
    let broken = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"error\"}]}\n\n";
    assert!(matches!(
        text(Provider::OpenAi, broken).unwrap_err(),
        Fault::Said { status: Some(502), .. }
    ));
}

#[test]
fn what_is_no_stream_is_told_apart() {
    for provider in Provider::ALL {
        assert_eq!(text(provider, "").unwrap_err(), Fault::Empty);
        assert_eq!(text(provider, "\r\n \n").unwrap_err(), Fault::Empty);
        assert!(matches!(
            text(provider, "\n<!DOCTYPE html><p>Log in").unwrap_err(),
            Fault::Page { .. }
        ));
        assert!(matches!(text(provider, "upstream failed\n").unwrap_err(), Fault::Foreign { .. }));
        assert!(matches!(text(provider, "[1,2]\n").unwrap_err(), Fault::Foreign { .. }));
        let mut bad = recorded(provider).as_bytes().to_vec();
        let place = recorded(provider).find("fällt").unwrap() + 1;
        bad[place] = 0xff;
        assert!(matches!(read(provider, &bad, 9).unwrap_err(), Fault::Foreign { .. }));
    }
    assert!(matches!(
        text(Provider::OpenAi, "{\"choices\":[]}").unwrap_err(),
        Fault::Foreign { .. }
    ));
    let early = "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"x\"}}\n\n";
    assert!(matches!(text(Provider::Anthropic, early).unwrap_err(), Fault::Foreign { .. }));
}

#[test]
fn more_than_the_cap_is_refused() {
    let mut reading = Reading::new(Provider::Ollama, 100);
    let mut outcome = Ok(Step::Alive);
    let mut taken = 0;
    while outcome.is_ok() && taken < 1_000 {
        outcome = reading.feed(b"aaaaaaaaaa", &mut |_| ());
        taken += 10;
    }
    assert_eq!((outcome, taken), (Err(Fault::TooLarge), 110));
}

#[test]
fn stops_are_told_apart() {
    let openai = |reason: &str| {
        let stream = OPENAI.replace("\"stop\"", &format!("\"{reason}\""));
        read(Provider::OpenAi, stream.as_bytes(), 50).unwrap().stop.unwrap()
    };
    assert_eq!(openai("length"), Stop::Length);
    assert_eq!(openai("content_filter"), Stop::Refused);
    assert_eq!(openai("tool_calls"), Stop::Other("tool_calls".to_owned()));
    let anthropic = |reason: &str| {
        let stream = ANTHROPIC.replace("end_turn", reason);
        read(Provider::Anthropic, stream.as_bytes(), 50).unwrap().stop.unwrap()
    };
    assert_eq!(anthropic("max_tokens"), Stop::Length);
    assert_eq!(anthropic("refusal"), Stop::Refused);
    assert_eq!(anthropic("stop_sequence"), Stop::Complete);
    assert_eq!(anthropic("tool_use"), Stop::Other("tool_use".to_owned()));
    let stream = OLLAMA.replace("\"stop\"", "\"length\"");
    assert_eq!(read(Provider::Ollama, stream.as_bytes(), 50).unwrap().stop, Some(Stop::Length));
    let refusal =
        "data: {\"choices\":[{\"delta\":{\"refusal\":\"No.\"},\"finish_reason\":\"stop\"}]}\n\n";
    assert!(read(Provider::OpenAi, refusal.as_bytes(), 50).unwrap().refused);
}

#[test]
fn thinking_is_kept_apart() {
    let ollama = "{\"message\":{\"thinking\":\"hm\",\"content\":\"\"}}\n{\"message\":{\"content\":\"A\"},\"done\":true}\n";
    let openai = "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"hm\"}}]}\n\n\
                  data: {\"choices\":[{\"delta\":{\"content\":\"A\"},\"finish_reason\":\"stop\"}]}\n\n";
    let anthropic = ANTHROPIC.replacen(
        "\"type\":\"text_delta\",\"text\":\"Rain\"",
        "\"type\":\"thinking_delta\",\"thinking\":\"hm\"",
        1,
    );
    let tags = "{\"message\":{\"content\":\"\\n<think>hm</think>\\n\\nA\"},\"done\":true}\n";
    for (provider, stream, said) in [
        (Provider::Ollama, ollama, "A"),
        (Provider::OpenAi, openai, "A"),
        (Provider::Anthropic, anthropic.as_str(), " fällt 🌧"),
        (Provider::Ollama, tags, "A"),
    ] {
        let gathered = read(provider, stream.as_bytes(), 3).unwrap();
        assert_eq!((gathered.text.as_str(), gathered.thinking.as_str()), (said, "hm"));
    }
}

#[test]
fn strange_counts_of_tokens_are_no_counts() {
    for count in ["-3", "1e30", "18446744073709551615", "\"7\"", "null"] {
        let stream = OLLAMA.replace("\"eval_count\":4", &format!("\"eval_count\":{count}"));
        assert_eq!(read(Provider::Ollama, stream.as_bytes(), 40).unwrap().output_tokens, None);
    }
}

/// origin: documented (what the APIs answer without `stream`). Some small servers ignore the wish for a stream.
#[test]
fn a_whole_document_in_place_of_a_stream_is_a_reply_only_when_whole() {
    let openai = format!(
        "\n{}\n",
        serde_json::to_string_pretty(&json!({
            "model": "m",
            "choices": [{ "index": 0, "message": { "content": SAID }, "finish_reason": "stop" }],
            "usage": { "prompt_tokens": 11, "completion_tokens": 4 },
        }))
        .unwrap()
    );
    let anthropic = json!({
        "type": "message", "model": "m", "stop_reason": "end_turn",
        "content": [{ "type": "thinking", "thinking": "hm" }, { "type": "text", "text": SAID }],
        "usage": { "input_tokens": 11, "output_tokens": 4 },
    })
    .to_string();
    for (provider, document) in [(Provider::OpenAi, openai), (Provider::Anthropic, anthropic)] {
        let bytes = document.as_bytes();
        let whole = document.rfind('}').unwrap() + 1;
        for end in 0..=bytes.len() {
            for piece in [1, 17, bytes.len()] {
                match read(provider, &bytes[..end], piece) {
                    Ok(gathered) => {
                        assert!(end >= whole, "{provider} cut at {end} was taken");
                        assert_eq!(gathered.text, SAID);
                        assert_eq!(gathered.stop, Some(Stop::Complete));
                        let counts = (gathered.input_tokens, gathered.output_tokens);
                        assert_eq!(counts, (Some(11), Some(4)));
                    }
                    Err(Fault::Empty) => assert!(end <= 1),
                    Err(fault) => assert!(end < whole && fault == Fault::Cut, "{end}: {fault:?}"),
                }
            }
        }
    }
}

/// The project's streams, at every byte and in pieces of several lengths.
#[test]
fn shared_streams_are_complete_only_when_whole() {
    let data = std::env::var_os("ELENCHUS_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let folder = data.join("attacks/streams");
    let mut cuts = 0;
    for (provider, file) in [
        (Provider::Ollama, "ollama_chat.ndjson"),
        (Provider::OpenAi, "openai_chat.sse"),
        (Provider::Anthropic, "anthropic_messages.sse"),
    ] {
        let Ok(bytes) = std::fs::read(folder.join(file)) else {
            println!("skip: no data: {file}; set ELENCHUS_DATA to the folder that holds it");
            continue;
        };
        let whole = read(provider, &bytes, bytes.len()).unwrap().text;
        assert!(
            serde_json::from_str::<serde_json::Value>(&whole[..=whole.rfind('}').unwrap()]).is_ok()
        );
        let sign = match provider {
            Provider::Ollama => "\"done\": true",
            Provider::OpenAi => "\"finish_reason\": \"stop\"",
            Provider::Anthropic => "message_stop",
        };
        let sign = bytes.windows(sign.len()).position(|part| part == sign.as_bytes()).unwrap();
        for end in 0..=bytes.len() {
            for piece in [1, 13, bytes.len()] {
                cuts += 1;
                if let Ok(gathered) = read(provider, &bytes[..end], piece) {
                    assert!(end > sign, "{file} cut at {end} was taken");
                    assert_eq!(gathered.text, whole, "{file} cut at {end}");
                } else {
                    assert!(end < bytes.len(), "{file} whole was refused");
                }
            }
        }
    }
    println!("{cuts} cuts of shared streams read");
}

proptest! {
    /// Any bytes, cut anyhow: no panic, and without a sign of the end never a reply.
    #[test]
    fn noise_is_never_a_reply(bytes in prop::collection::vec(any::<u8>(), 0..300), piece in 1usize..50) {
        for provider in Provider::ALL {
            prop_assert!(read(provider, &bytes, piece).is_err());
        }
    }

    /// A changed byte never panics, and a reply still shows what it holds.
    #[test]
    fn a_changed_byte_does_no_harm(place in 0usize..2_000, byte in any::<u8>(), piece in 1usize..80) {
        for provider in Provider::ALL {
            let mut bytes = recorded(provider).as_bytes().to_vec();
            let place = place % bytes.len();
            bytes[place] = byte;
            let _ = read(provider, &bytes, piece);
        }
    }

    /// What the fuzz target of streams checks, over streams with a fault in them.
    #[test]
    fn neither_pieces_nor_line_ends_tell_anything(
        which in 0usize..3,
        place in 0usize..2_000,
        put in prop::sample::select(vec![
            "", "\n", "\n\n", "\u{feff}", "\u{0}", "<", "{", "}", "data", "data:", "data: [DONE]\n\n", "\"", "\\ud83d",
            "é", ":", "event: error\n", "<think>", "{\"error\":\"x\"}", "\x0c",
        ]),
        skip in 0usize..12,
        piece in 1usize..80,
    ) {
        let whole = recorded(Provider::ALL[which]).as_bytes();
        let place = place % (whole.len() + 1);
        let rest = (place + skip).min(whole.len());
        let bytes = [&whole[..place], put.as_bytes(), &whole[rest..]].concat();
        fuzzing::stream(&bytes, piece);
    }

    /// Escaped or not, any text comes through any cut.
    #[test]
    fn any_text_survives_any_cut(said in "\\PC{0,40}", piece in 1usize..30) {
        let said = format!("x{said}");
        let line = json!({ "message": { "content": said }, "done": true }).to_string();
        prop_assert_eq!(read(Provider::Ollama, line.as_bytes(), piece).unwrap().text, said.clone());
        let event = json!({ "choices": [{ "delta": { "content": said }, "finish_reason": "stop" }] });
        let stream = format!("data: {event}\n\n");
        prop_assert_eq!(read(Provider::OpenAi, stream.as_bytes(), piece).unwrap().text, said);
    }
}
