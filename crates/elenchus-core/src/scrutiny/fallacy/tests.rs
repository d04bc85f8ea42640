use super::*;
use proptest::prelude::*;

fn ids(text: &str, options: &Options<'_>) -> Vec<&'static str> {
    detect(text, options).into_iter().map(|finding| finding.fallacy).collect()
}

const STRICT: Options<'_> =
    Options { point: Point::Strict, theology: true, reader: Reader::Shipped };
const SENSITIVE: Options<'_> =
    Options { point: Point::Sensitive, theology: true, reader: Reader::Shipped };

#[test]
fn the_catalog_is_whole() {
    let general = CATALOG.iter().filter(|f| f.pack == Pack::General).count();
    assert!(general >= 24 && CATALOG.len() - general == 4, "{general}");
    for fallacy in CATALOG {
        assert!(fallacy.id.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{}", fallacy.id);
        assert!(
            fallacy.examples.len() >= 3 && fallacy.counter_examples.len() >= 2,
            "{}",
            fallacy.id
        );
        assert!(fallacy.asks.contains("{x}") && fallacy.question.ends_with('?'), "{}", fallacy.id);
        assert!(!fallacy.rules.is_empty() || !fallacy.forms.is_empty(), "{}", fallacy.id);
        assert_eq!(CATALOG.iter().filter(|other| other.id == fallacy.id).count(), 1);
    }
}

#[test]
fn examples_fire_with_their_own_name() {
    let mut missed = Vec::new();
    for fallacy in CATALOG {
        for (texts, options) in [(fallacy.examples, STRICT), (fallacy.subtle, SENSITIVE)] {
            for reader in [Reader::Off, Reader::Shipped] {
                for text in texts {
                    let found = ids(text, &Options { reader, ..options });
                    if !found.contains(&fallacy.id) {
                        missed.push(format!("{}: {text} {found:?}", fallacy.id));
                    }
                }
            }
        }
    }
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn counter_examples_do_not_fire() {
    let mut alarms = Vec::new();
    for fallacy in CATALOG {
        for text in fallacy.counter_examples {
            let found = ids(text, &STRICT);
            if !found.is_empty() {
                alarms.push(format!("{}: {text} {found:?}", fallacy.id));
            }
        }
    }
    assert!(alarms.is_empty(), "{} alarms:\n{}", alarms.len(), alarms.join("\n"));
}

/// Who asks about a text is told what the model is sure of; sound sentences of the same words stay silent, and what runs say of
/// their own answers does not change.
#[test]
fn who_asks_is_told_what_the_model_is_sure_of() {
    let asked = Options { reader: Reader::Asked, ..STRICT };
    for (text, fallacy) in [
        (
            "Captain Lind says that the harbour wall is weak, but he drives a sports car, so we need not listen to him.",
            "ad_hominem",
        ),
        ("Either we raise the fares, or the whole ferry company goes bankrupt.", "false_dilemma"),
        ("After the new coach came, the team won; so he made the team win.", "false_cause"),
    ] {
        assert_eq!(ids(text, &asked), [fallacy], "{text}");
        assert!(ids(text, &SENSITIVE).contains(&fallacy), "the sensitive point has it: {text}");
    }
    for text in [
        "Captain Lind says that the harbour wall is weak, and his measurements show cracks of 4 mm.",
        "Either the key is in the drawer or it is on the table.",
        "You can pay either with a card at the counter or with coins at the machine.",
        "After the new coach came, the team trained twice a week and won more games.",
        "The council either repairs the bridge in May or closes it until the autumn.",
    ] {
        assert!(ids(text, &asked).is_empty(), "{text}: {:?}", ids(text, &asked));
    }
    let counters = CATALOG.iter().flat_map(|fallacy| fallacy.counter_examples);
    for text in counters {
        assert!(ids(text, &asked).is_empty(), "{text}: {:?}", ids(text, &asked));
    }
    let dilemma = "Either we raise the fares, or the whole ferry company goes bankrupt.";
    assert!(ids(dilemma, &STRICT).is_empty());
}

#[test]
fn our_own_pages_commit_none() {
    let pages = [
        include_str!("../../../../../README.md"),
        include_str!("../../../../../ARCHITECTURE.md"),
        include_str!("../../../../../CONTRIBUTING.md"),
    ];
    for text in pages {
        assert!(!text.is_empty());
        for reader in [Reader::Shipped, Reader::Asked] {
            let found = detect(text, &Options { reader, ..STRICT });
            assert!(found.is_empty(), "{found:#?}");
        }
    }
}

#[test]
fn the_theology_pack_is_asked_for() {
    let text = "Just read Romans 13:1. Case closed.";
    assert_eq!(ids(text, &STRICT), ["proof_texting"]);
    assert!(ids(text, &Options::default()).is_empty());
}

#[test]
fn a_question_repeats_the_words() {
    let found = detect("Ten million customers can't be wrong.", &Options::default());
    assert_eq!(
        found[0].question,
        "Would it be true or good if \"Ten million customers\" thought otherwise?"
    );
    assert!(found[0].because.contains("cue") || found[0].because.contains("pattern"));
    assert!(!found[0].calibrated);
}

#[test]
fn speaking_of_a_fallacy_commits_none() {
    for text in [
        "Ten million customers can't be wrong, goes the slogan, which is a fallacy.",
        "That millions of people read their horoscope does not mean that there is something in it.",
        "The poster said \"You are either with us or against us\" in red letters.",
    ] {
        assert!(ids(text, &STRICT).is_empty(), "{text}: {:?}", ids(text, &STRICT));
    }
}

#[test]
fn a_text_in_another_language_gets_none() {
    let text =
        "Entweder du bist fuer uns oder du bist gegen uns, sagte der Mann auf dem Platz am Abend.";
    assert!(detect(text, &SENSITIVE).is_empty());
}

#[test]
fn many_are_one_by_one() {
    let texts = ["Prices rose in May.", "Ten million customers can't be wrong.", ""];
    let all = detect_all(&texts, &Options::default());
    assert_eq!(all.iter().map(Vec::len).collect::<Vec<_>>(), [0, 1, 0]);
    assert_eq!(all[1], detect(texts[1], &Options::default()));
}

#[test]
fn odd_texts_do_no_harm() {
    let line = "so therefore because all every if ".repeat(30_000);
    let empty = String::new();
    for text in [
        line,
        "x".repeat(1_000_000),
        "\u{202E}\u{5d0}\u{5d1} because \u{1F600}\u{1F600} so \0\u{1}".repeat(2000),
        "if if if, so so; or or? because because".to_owned(),
        "?!.,;\"'".repeat(5000),
        empty,
    ] {
        check(&text);
    }
}

fn check(text: &str) {
    for finding in detect(text, &SENSITIVE) {
        let slice: String =
            text.chars().skip(finding.span.start).take(finding.span.len()).collect();
        assert_eq!(slice, finding.text);
        assert!(!finding.text.is_empty());
        assert!(finding.probability > 0.0 && finding.probability < 1.0);
    }
}

#[test]
fn a_model_survives_its_file() {
    let shipped = Model::shipped();
    let bytes = shipped.to_bytes();
    assert_eq!(&Model::parse(&bytes).unwrap(), shipped);
    assert!(bytes.len() <= 1 << 20, "{}", bytes.len());
    assert_eq!(Model::parse(b"GIF89a"), Err(ModelError::Foreign));
    assert_eq!(Model::parse(b"ELFM1"), Err(ModelError::Length));
    let mut wrong = bytes.clone();
    wrong[40] ^= 1;
    assert_eq!(Model::parse(&wrong), Err(ModelError::Corrupt));
    assert!(Model::parse(&bytes[..bytes.len() - 1]).is_err());
}

proptest! {
    #[test]
    fn any_text_is_read(text in "\\PC{0,400}") {
        check(&text);
    }

    #[test]
    fn any_argument_is_read(words in prop::collection::vec(
        prop::sample::select(vec!["if", "so", "all", "every", "because", "either", "or", "not", "is", "the cat", "dogs",
            "must", ",", ".", "?", "\"", "therefore", "everyone", "you", "\u{2019}", "Caf\u{e9}", "\n", "- ", "1. ", "true"]),
        0..60)) {
        check(&words.join(" "));
    }

    #[test]
    fn any_bytes_are_no_model(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(Model::parse(&bytes).is_err());
        let body = [b"ELFM1".as_slice(), &bytes].concat();
        prop_assert!(Model::parse(&body).is_err());
    }
}

#[test]
fn what_a_language_model_says_is_added_and_never_invents_a_place() {
    let text = "Ten million customers can't be wrong. My neighbour says the bridge is safe, and he is a dentist.";
    let mut findings = detect(text, &Options::default());
    let before = findings.clone();
    let start = text.find("My").expect("it stands there");
    let said = vec![
        (before[0].fallacy.to_owned(), before[0].span.clone()),
        ("appeal_to_authority".to_owned(), start..text.chars().count()),
        ("appeal_to_authority".to_owned(), start..start + 1_000),
        ("appeal_to_pizza".to_owned(), 0..5),
    ];
    add_said(text, &said, &mut findings);
    assert_eq!(findings.len(), before.len() + 1, "{findings:#?}");
    assert!(findings[0].probability > before[0].probability);
    let added = findings.last().expect("there is one");
    assert_eq!(added.detector, Detector::LanguageModel);
    assert!(added.text.starts_with("My neighbour"));
}
