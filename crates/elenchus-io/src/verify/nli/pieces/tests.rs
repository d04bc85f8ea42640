//! Small vocabularies of each family, and files that are not understood.

use super::*;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::LazyLock;

fn frame() -> Value {
    json!({"type": "RobertaProcessing", "cls": ["<s>", 0], "sep": ["</s>", 2]})
}

fn pieces(normal: Value, cut: Value, model: Value) -> Pieces {
    let file = json!({
        "added_tokens": [{"id": 1, "content": "<pad>"}],
        "normalizer": normal, "pre_tokenizer": cut, "post_processor": frame(), "model": model,
    });
    Pieces::parse(&file.to_string()).expect("the file is understood")
}

fn wordpiece(lower: bool) -> Pieces {
    pieces(
        json!({"type": "BertNormalizer", "lowercase": lower, "strip_accents": null}),
        json!({"type": "BertPreTokenizer"}),
        json!({"type": "WordPiece", "unk_token": "[UNK]", "vocab": {
            "[UNK]": 0, "un": 1, "##aff": 2, "##able": 3, "cafe": 4, "!": 5, "\u{4f60}": 6, "##s": 7, "Un": 8, "[": 9,
        }}),
    )
}

fn unigram(byte_fallback: bool) -> Pieces {
    let mut vocab =
        vec![json!(["<unk>", 0.0]), json!(["\u{2581}", -3.0]), json!(["\u{2581}the", -1.0])];
    vocab.extend([
        json!(["a", -4.0]),
        json!(["b", -4.0]),
        json!(["ab", -5.0]),
        json!(["\u{2581}ab", -12.0]),
    ]);
    vocab.extend((0..=255u8).map(|byte| json!([format!("<0x{byte:02X}>"), 0.0])));
    pieces(
        json!({"type": "Sequence", "normalizers": [
            {"type": "Strip"}, {"type": "Precompiled", "precompiled_charsmap": null},
            {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
        ]}),
        json!({"type": "Metaspace", "replacement": "\u{2581}", "prepend_scheme": "always"}),
        json!({"type": "Unigram", "unk_id": 0, "byte_fallback": byte_fallback, "vocab": vocab}),
    )
}

fn bpe() -> Pieces {
    pieces(
        Value::Null,
        json!({"type": "ByteLevel", "add_prefix_space": false}),
        json!({"type": "BPE", "vocab": {
            "a": 0, "b": 1, "c": 2, "\u{120}": 3, "ab": 4, "\u{120}ab": 5, "bc": 6, "\u{10a}": 7, "'": 8, "s": 9, "'s": 10,
            "\u{c3}": 11, "\u{a9}": 12,
        }, "merges": ["b c", "a b", ["\u{120}", "ab"], "' s"]}),
    )
}

#[test]
fn word_pieces_are_the_longest_first() {
    assert_eq!(wordpiece(true).ids("UNaffable Caf\u{e9}s!\u{4f60}"), [1, 2, 3, 4, 7, 5, 6]);
    assert_eq!(wordpiece(true).ids("unx [cls]"), [0, 9, 0, 0]);
    assert_eq!(wordpiece(false).ids("Unaff unaff UNaff caf\u{e9}"), [8, 2, 1, 2, 0, 0]);
    assert_eq!(wordpiece(true).ids(&"un".repeat(60)), [0]);
}

#[test]
fn unigram_pieces_are_the_likeliest_sequence() {
    // Alone " ab" costs 12, in three pieces 11, in two 8.
    assert_eq!(unigram(false).ids(" the  ab "), [2, 1, 5]);
    assert_eq!(unigram(false).ids("xyz"), [1, 0], "unknown characters in a row are one");
    assert_eq!(unigram(true).ids("x"), [1, 7 + 0x78]);
    assert_eq!(unigram(false).ids("  "), Vec::<i32>::new());
}

#[test]
fn neighbours_are_joined_in_the_order_of_the_list() {
    assert_eq!(bpe().ids("ab abc"), [4, 3, 0, 6]);
    assert_eq!(bpe().ids("a's"), [0, 10]);
    // Of several spaces the last belongs to the word; a line break never does.
    assert_eq!(bpe().ids("a   ab\nab  "), [0, 3, 3, 5, 7, 4, 3, 3]);
    assert_eq!(bpe().ids("\u{e9}"), [11, 12]);
}

#[test]
fn a_pair_is_framed_as_the_file_says() {
    let roberta = bpe();
    assert_eq!(roberta.pad(), Some(1));
    let framed = roberta.framed(&[7, 8], &[9]);
    assert_eq!(framed.ids, [0, 7, 8, 2, 2, 9, 2]);
    assert_eq!(framed.segments, [0; 7]);
    assert_eq!(roberta.frame_len() + 3, framed.ids.len());
    let bert = json!({
        "normalizer": null, "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": {"type": "BertProcessing", "cls": ["[CLS]", 5], "sep": ["[SEP]", 6]},
        "model": {"type": "WordPiece", "vocab": {"[UNK]": 0}},
    });
    let framed = Pieces::parse(&bert.to_string()).expect("it is understood").framed(&[1], &[2, 3]);
    assert_eq!(framed, Framed { ids: vec![5, 1, 6, 2, 3, 6], segments: vec![0, 0, 0, 1, 1, 1] });
}

#[test]
fn what_is_not_understood_is_refused_by_name() {
    let good = json!({
        "normalizer": {"type": "NFC"}, "pre_tokenizer": {"type": "Whitespace"}, "post_processor": frame(),
        "model": {"type": "WordPiece", "vocab": {"[UNK]": 0}},
    });
    assert!(Pieces::parse(&good.to_string()).is_ok());
    for (part, value, told) in [
        ("normalizer", json!({"type": "Nmt"}), "normalizer \"Nmt\""),
        ("normalizer", json!({"type": "Precompiled", "precompiled_charsmap": "AAAA!"}), "damaged"),
        (
            "normalizer",
            json!({"type": "Precompiled", "precompiled_charsmap": "////////"}),
            "damaged",
        ),
        ("normalizer", json!({"type": "Replace", "pattern": {"Regex": "(?=a)"}}), "(?=a)"),
        ("pre_tokenizer", json!({"type": "Digits"}), "pre_tokenizer \"Digits\""),
        ("post_processor", Value::Null, "framed"),
        ("post_processor", json!({"type": "ByteLevel"}), "framed"),
        ("post_processor", json!({"type": "TemplateProcessing", "pair": []}), "no pair"),
        ("post_processor", json!({"type": "BertProcessing"}), "cls"),
        ("model", json!({"type": "WordLevel"}), "model \"WordLevel\""),
        ("model", json!({"type": "WordPiece", "vocab": {}}), "[UNK]"),
        ("model", json!({"type": "Unigram", "vocab": [["a", "b"]]}), "entry 0"),
        ("model", json!({"type": "BPE", "vocab": {"a": 0}, "merges": ["a b"]}), "entry 0"),
        (
            "model",
            json!({"type": "BPE", "vocab": {}, "merges": [], "end_of_word_suffix": "</w>"}),
            "end_of_word",
        ),
    ] {
        let mut file = good.clone();
        file[part] = value;
        let cause = Pieces::parse(&file.to_string()).err().expect("it is refused");
        assert!(cause.contains(told), "{cause} / {told}");
    }
    for text in ["", "{}", "[]", "\u{0}", "{\"model\": 3}"] {
        assert!(Pieces::parse(text).is_err(), "{text}");
    }
}

#[test]
fn long_texts_are_read_in_part_and_in_no_time() {
    let long = "a".repeat(1_000_000);
    for family in [wordpiece(true), unigram(false), bpe()] {
        // One more for the space that opens a word.
        assert!(family.ids(&long).len() <= LONGEST_TEXT + 1);
    }
}

/// Reads JSON lines `{"text": ..., "ids": [...]}` that another tokenizer wrote, when the machine has such.
#[test]
fn another_tokenizer_agrees() {
    let (Some(file), Some(lines)) =
        (std::env::var_os("ELENCHUS_TOKENIZER"), std::env::var_os("ELENCHUS_TOKENIZED"))
    else {
        eprintln!("skip: ELENCHUS_TOKENIZER and ELENCHUS_TOKENIZED name no files");
        return;
    };
    let pieces =
        Pieces::parse(&std::fs::read_to_string(file).expect("a file")).expect("a tokenizer");
    let lines = std::fs::read_to_string(lines).expect("a file");
    let mut other = Vec::new();
    for line in lines.lines() {
        let row: Value = serde_json::from_str(line).expect("a line of JSON");
        let ids: Vec<i32> = serde_json::from_value(row["ids"].clone()).expect("ids");
        let text = row["text"].as_str().expect("a text");
        let own = pieces.ids(text);
        if own != ids {
            other.push(format!("{text:?}: {own:?} for {ids:?}"));
        }
    }
    other.truncate(10);
    assert!(other.is_empty(), "{}", other.join("\n"));
}

/// Read once, not for each text.
static FAMILIES: LazyLock<[Pieces; 5]> =
    LazyLock::new(|| [wordpiece(true), wordpiece(false), unigram(false), unigram(true), bpe()]);

proptest! {
    #[test]
    fn any_text_is_cut_without_a_panic(text in any::<String>()) {
        for family in &*FAMILIES {
            family.ids(&text);
        }
    }

    #[test]
    fn joining_loses_no_letter(text in "[abc ]{0,40}") {
        let lengths = [1, 1, 1, 1, 2, 3, 2];
        let ids = FAMILIES[4].ids(&text);
        prop_assert_eq!(ids.iter().map(|id| lengths[*id as usize]).sum::<usize>(), text.len());
    }
}
