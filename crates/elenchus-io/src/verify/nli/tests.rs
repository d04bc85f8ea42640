//! Our own cross-encoder, dressed up as a model from a folder, exercises the whole way.

use super::*;
use crate::embed::StaticEmbedder;
use crate::verify::{BuiltinVerifier, CrossEncoder, Failing, bound};
use elenchus_core::port::{Checked, Judgement, Pair, Tier, Verifier};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

static MODEL: &[u8] = include_bytes!("../../../assets/cross_encoder.onnx");

const EVIDENCE: &str = "The company sold 40 robots to the harbour in May.";
/// What the tests say, so that the vocabulary has it.
const WORDS: &str = "the company sold 40 90 robots to harbour in may . bought from did not sell any are painted blue \
    it rained all day mountains no a choir sang an old song about rivers number";

/// A word whose id no model has.
const BROKEN: &str = "qqqq";

fn labels() -> Value {
    json!({"id2label": {"0": "SUPPORTS", "1": "REFUTES", "2": "NOT ENOUGH INFO"}, "max_position_embeddings": 128})
}

/// The vocabulary of the words above. Our model has the claim first, which the frame turns round.
fn rules() -> Value {
    let mut vocab: BTreeMap<String, i32> =
        [("[UNK]", 100), ("[CLS]", 101), ("[SEP]", 102), (BROKEN, 90_000_000)]
            .map(|(piece, id)| (piece.to_owned(), id))
            .into();
    for word in WORDS.split_whitespace() {
        let ids = StaticEmbedder::builtin().piece_ids(word);
        if let [id] = ids[..] {
            vocab.insert(word.to_owned(), id);
        }
    }
    json!({
        "added_tokens": [{"id": 0, "content": "[PAD]"}],
        "normalizer": {"type": "BertNormalizer", "lowercase": true},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "pair": [
                {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
                {"Sequence": {"id": "B", "type_id": 0}},
                {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
                {"Sequence": {"id": "A", "type_id": 1}},
                {"SpecialToken": {"id": "[SEP]", "type_id": 1}},
            ],
            "special_tokens": {"[CLS]": {"ids": [101]}, "[SEP]": {"ids": [102]}},
        },
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "vocab": vocab},
    })
}

fn folder_with(model: &[u8], rules: &Value, config: &Value) -> TempDir {
    let dir = tempfile::tempdir().expect("a temporary folder");
    fs::write(dir.path().join("model.onnx"), model).expect("a writable folder");
    fs::write(dir.path().join("tokenizer.json"), rules.to_string()).expect("a writable folder");
    fs::write(dir.path().join("config.json"), config.to_string()).expect("a writable folder");
    dir
}

fn verifier() -> NliVerifier {
    let dir = folder_with(MODEL, &rules(), &labels());
    NliVerifier::load(dir.path()).expect("the folder holds a working model")
}

fn refusal(dir: &Path) -> String {
    NliVerifier::load(dir).err().expect("the folder holds no usable model").to_string()
}

fn pair(claim: &str, evidence: &[&str]) -> Pair {
    let evidence = evidence.iter().map(|text| (*text).to_owned()).collect();
    Pair { claim: claim.to_owned(), evidence, above: vec![] }
}

fn judged(checked: &Checked) -> &Judgement {
    match checked {
        Checked::Judged(judgement) => judgement,
        Checked::Unchecked { reason } => panic!("it was not judged: {reason}"),
    }
}

#[test]
fn it_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<NliVerifier>();
}

#[test]
fn the_model_decides_and_says_so() {
    let verifier = verifier();
    assert!(verifier.id().starts_with("nli-") && verifier.id().contains("builtin"));
    let evidence = "The choir sang an old song about rivers in May.";
    let pairs = [
        pair("In May the choir sang about rivers.", &[evidence]),
        pair("The mountains are painted blue.", &[evidence]),
        pair("the choir sang an old song about rivers in May", &[evidence]),
    ];
    let checked = verifier.judge(&pairs);
    let all: Vec<&Judgement> = checked.iter().map(judged).collect();
    let encoder = CrossEncoder::builtin().expect("the model loads");
    for (pair, judgement) in pairs.iter().zip(&all).take(2) {
        assert_eq!(judgement.tier, Tier::Nli);
        // The same pieces in the same frame: the figures are those of the model itself.
        let own = encoder.classify(&[(&pair.claim, vec![(0, evidence)])]).expect("it runs")[0];
        assert!((judgement.supports - own[0]).abs() < 1e-6, "{own:?} {judgement:?}");
        assert!((judgement.refutes - own[1]).abs() < 1e-6, "{own:?} {judgement:?}");
    }
    assert_eq!(all[2].tier, Tier::Quote);
    for judgement in &all {
        assert!(judgement.supports >= 0.0 && judgement.refutes >= 0.0);
        assert!(judgement.supports + judgement.refutes <= 1.0 + 1e-12);
        assert!(!judgement.sentences.is_empty() && !judgement.grounding.is_empty());
        assert!((judgement.explained.value - judgement.supports).abs() < 1e-12);
    }
    // The figures of one pair do not hang on its company.
    for (pair, together) in pairs.iter().zip(&checked) {
        assert_eq!(&verifier.judge(std::slice::from_ref(pair))[0], together);
    }
}

#[test]
fn a_number_that_does_not_fit_caps_the_support() {
    let verifier = verifier();
    let claim = "The company sold 90 robots to the harbour in May.";
    let checked = verifier.judge(&[pair(claim, &[EVIDENCE])]);
    let judgement = judged(&checked[0]);
    let (failing, _) = Failing::worst(&judgement.mismatches).expect("the number does not fit");
    assert_eq!(failing, Failing::Measured);
    assert!(judgement.supports <= 0.4, "{judgement:?}");
    // What it loses speaks against it as far as the model's own reading does.
    let encoder = CrossEncoder::builtin().expect("the model loads");
    let own = encoder.classify(&[(claim, vec![(0, EVIDENCE)])]).expect("it runs")[0];
    let (supports, refutes) = bound(Some(failing), Some(&[own[0], own[1], 0.0]), (own[0], own[1]));
    assert!((judgement.supports - supports).abs() < 1e-6, "{own:?} {judgement:?}");
    assert!((judgement.refutes - refutes).abs() < 1e-6, "{own:?} {judgement:?}");
}

#[test]
fn the_sentence_that_decides_is_found_in_long_evidence() {
    let verifier = verifier();
    let noise = "A choir sang an old song about rivers. ".repeat(40);
    let long = format!("{noise}{EVIDENCE} {noise}");
    let checked = verifier.judge(&[
        pair("In May the company sold robots to the harbour.", &[&long]),
        pair("In May the company sold robots to the harbour.", &[&noise]),
    ]);
    let [with, without] = [judged(&checked[0]), judged(&checked[1])];
    assert_eq!(with.tier, Tier::Nli);
    let said = |judgement: &Judgement| judgement.supports + judgement.refutes;
    assert!(said(with) > 0.5 && said(without) < 0.3, "{with:?} {without:?}");
    assert!(with.explained.render().contains("windows"), "{}", with.explained.render());
    let at = with.sentences[0];
    let quoted: String =
        long.chars().skip(at.span.start).take(at.span.end - at.span.start).collect();
    assert_eq!(quoted.trim(), EVIDENCE);
}

#[test]
fn evidence_beyond_all_windows_is_read_where_it_is_near() {
    let verifier = verifier();
    // Some thirty windows together.
    let noise = "A choir sang an old song about rivers. ".repeat(150);
    let checked = verifier.judge(&[pair(
        "In May the company sold robots to the harbour.",
        &[&noise, EVIDENCE, &noise],
    )]);
    let judgement = judged(&checked[0]);
    assert!(judgement.supports + judgement.refutes > 0.5, "{judgement:?}");
    assert_eq!(judgement.sentences[0].item, 1);
    assert!(judgement.explained.render().contains("the 16 likeliest of its"));
}

#[test]
fn a_failed_run_leaves_its_pair_unchecked_and_no_other() {
    let verifier = verifier();
    let broken = format!("The company sold robots, said {BROKEN}.");
    let checked = verifier.judge(&[
        pair("The harbour bought robots.", &[EVIDENCE]),
        pair("The harbour bought robots.", &[&broken]),
        pair("The robots are blue.", &[EVIDENCE]),
    ]);
    assert!(
        matches!(&checked[1], Checked::Unchecked { reason } if reason.contains("model failed")),
        "{checked:?}"
    );
    judged(&checked[0]);
    judged(&checked[2]);
}

#[test]
fn any_text_is_judged_or_left_unchecked() {
    let verifier = verifier();
    let unbroken = "x".repeat(100_000);
    let odd = [
        "",
        " ",
        "\u{1F600}",
        "\u{0}\u{202E}abc",
        "\u{0645}\u{0631}\u{062D}\u{0628}\u{0627}",
        "!!!",
        &unbroken,
    ];
    let pairs: Vec<Pair> = odd
        .iter()
        .flat_map(|text| [pair("It rained all day.", &[text]), pair(text, &["It rained all day."])])
        .chain([pair("It rained.", &[]), pair("", &[])])
        .collect();
    assert_eq!(verifier.judge(&pairs).len(), pairs.len());
    assert!(verifier.judge(&[]).is_empty());
    assert!(matches!(&verifier.judge(&[pair("It rained.", &[])])[0], Checked::Unchecked { .. }));
}

#[test]
fn labels_for_another_number_of_figures_are_refused() {
    let config = json!({"id2label": {"0": "entailment", "1": "not_entailment"}});
    let dir = folder_with(MODEL, &rules(), &config);
    let message = refusal(dir.path());
    assert!(message.contains("3 figures") && message.contains("2 labels"), "{message}");
}

#[test]
fn a_wrong_label_map_is_named_with_what_is_understood() {
    let config = json!({"id2label": {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}});
    let message = refusal(folder_with(MODEL, &rules(), &config).path());
    assert!(message.contains("LABEL_0") && message.contains("`entailment`"), "{message}");
}

#[test]
fn missing_and_damaged_files_are_named() {
    for name in ["model.onnx", "tokenizer.json", "config.json"] {
        let dir = folder_with(MODEL, &rules(), &labels());
        fs::remove_file(dir.path().join(name)).expect("the file is there");
        let message = refusal(dir.path());
        assert!(message.contains(name) && message.contains("name a folder"), "{message}");
        for bytes in [&b""[..], b"not one", b"\x08\x08\x3a\x00", &[0xff; 4000]] {
            fs::write(dir.path().join(name), bytes).expect("a writable folder");
            assert!(refusal(dir.path()).starts_with("could not "));
        }
    }
    let cut = folder_with(&MODEL[..MODEL.len() / 2], &rules(), &labels());
    assert!(refusal(cut.path()).contains("model.onnx"));
    assert!(refusal(Path::new("no/such/folder")).contains("there is no such file"));
}

/// A field of a protocol buffer that holds bytes.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    [&[number << 3 | 2, u8::try_from(bytes.len()).expect("short")], bytes].concat()
}

#[test]
fn a_model_of_another_kind_is_refused() {
    let node = [field(1, b"x"), field(2, b"y"), field(4, b"Identity")].concat();
    let graph =
        [field(1, &node), field(2, b"g"), field(11, &field(1, b"x")), field(12, &field(1, b"y"))];
    let model = [vec![0x08, 8], field(7, &graph.concat()), field(8, &[0x10, 13])].concat();
    let message = refusal(folder_with(&model, &rules(), &labels()).path());
    assert!(message.contains("no input input_ids"), "{message}");
}

#[test]
fn a_pulled_model_that_changed_is_refused() {
    let from = folder_with(MODEL, &rules(), &labels());
    let models = tempfile::tempdir().expect("a temporary folder");
    folder::keep(from.path(), models.path(), "own", &[], None).expect("it is kept");
    let dir = models.path().join("own");
    let id = NliVerifier::load(&dir).expect("it is intact").id().to_owned();
    assert_eq!(id, NliVerifier::load(from.path()).expect("the source works").id());
    let other = json!({"id2label": {"0": "REFUTES", "1": "SUPPORTS", "2": "NEI"}});
    fs::write(dir.join("config.json"), other.to_string()).expect("a writable folder");
    assert!(refusal(&dir).contains("config.json changed"));
    fs::remove_file(dir.join(folder::MANIFEST)).expect("the file is there");
    let changed = NliVerifier::load(&dir).expect("a folder of one's own is not checked");
    assert_ne!(changed.id(), id, "other labels make another verifier");
}

#[test]
fn a_folder_of_a_persons_own_works() {
    let Some(dir) = std::env::var_os("ELENCHUS_NLI_DIR") else {
        eprintln!("skip: ELENCHUS_NLI_DIR is not set to a folder with an entailment model");
        return;
    };
    let verifier = NliVerifier::load(Path::new(&dir)).expect("the folder holds a working model");
    let evidence =
        "The company sold forty robots to the harbour in May, and the port paid at once.";
    let checked = verifier.judge(&[
        pair("The harbour bought robots.", &[evidence]),
        pair("The company never sold a robot to anybody.", &[evidence]),
    ]);
    assert!(judged(&checked[0]).supports > judged(&checked[1]).supports, "{checked:?}");
    if verifier.refutes() {
        assert!(judged(&checked[1]).refutes > judged(&checked[0]).refutes, "{checked:?}");
    }
    // The base tiers find the same things in the texts.
    let base = BuiltinVerifier::quick().judge(&[pair("The harbour bought robots.", &[evidence])]);
    assert_eq!(judged(&base[0]).grounding, judged(&checked[0]).grounding);
}
