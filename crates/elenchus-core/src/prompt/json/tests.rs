use super::super::shape::Field;
use super::*;
use crate::prompt::defect::Defect;
use proptest::prelude::*;
use serde_json::json;

/// Items with a name, a number, a word and a list; and a flag that may be missing.
fn shape() -> Shape {
    let item = Shape::Object(vec![
        Field::essential("name", Shape::Text(40), ""),
        Field::essential("number", Shape::Integer(0, 99), ""),
        Field::essential("colour", Shape::Word(&["dark_red", "blue"]), ""),
        Field::optional("tags", Shape::list(Shape::Text(20), 4), ""),
        Field::optional("note", Shape::nullable(Shape::Text(20)), ""),
    ]);
    Shape::Object(vec![
        Field::essential("items", Shape::list(item, 5), ""),
        Field::optional("done", Shape::Flag, ""),
    ])
}

fn parts(text: &str) -> (Option<Value>, Vec<Defect>) {
    let reading = read(text, &shape());
    (reading.value, reading.defects.into_list())
}

fn kinds(text: &str) -> Vec<DefectKind> {
    parts(text).1.into_iter().map(|defect| defect.kind).collect()
}

const GOOD: &str = r#"{"items": [{"name": "a \"b\" é", "number": 3, "colour": "blue", "tags": ["x", "y"], "note": null}], "done": true}"#;

fn good() -> Value {
    serde_json::from_str(GOOD).unwrap()
}

#[test]
fn json_is_taken_as_it_is() {
    assert_eq!(parts(GOOD), (Some(good()), vec![]));
    assert_eq!(
        parts(r#"{"items": [], "done": false}"#),
        (Some(json!({"items": [], "done": false})), vec![])
    );
}

#[test]
fn form_is_mended() {
    use DefectKind::{Coerced, SeveralValues, Syntax, TextAround, TextInText};
    let quoted = serde_json::to_string(GOOD).unwrap();
    for (text, kind) in [
        (format!("Here you go:\n```json\n{GOOD}\n```\nAnything else?"), TextAround),
        (format!("\u{FEFF}{GOOD}"), TextAround),
        (format!("<think>{{\"items\": []}} or so</think>{GOOD}"), TextAround),
        (format!("{GOOD}\u{0}"), TextAround),
        (format!("{{\"items\": 4}} no: {GOOD}"), SeveralValues),
        (format!("{GOOD}\n{GOOD}"), SeveralValues),
        (quoted.clone(), TextInText),
        (quoted[1..quoted.len() - 1].to_owned(), TextInText),
        (format!("[{GOOD}]"), Coerced),
        (format!("{{\"result\": {GOOD}}}"), Coerced),
        (GOOD.replace("],", "],,"), Syntax),
        (GOOD.replace("true}", "true,}"), Syntax),
        (GOOD.replace("\"y\"]", "\"y\",]"), Syntax),
        (GOOD.replace("\"x\", \"y\"", "\"x\"\n\"y\""), Syntax),
        (GOOD.replace("3, \"colour\"", "3 \"colour\""), Syntax),
        (GOOD.replace("\"done\"", "done"), Syntax),
        (GOOD.replace("\"blue\"", "blue"), Syntax),
        (GOOD.replace("true", "True").replace("null", "None"), Syntax),
        (GOOD.replace("null", "undefined"), Syntax),
        (GOOD.replace("null", "NaN"), Syntax),
        (GOOD.replace("null", "-Infinity"), Syntax),
        (GOOD.replace("\"done\"", "/* so */ \"done\" // yes\n"), Syntax),
        (GOOD.replace("\\\"b\\\"", "\"b\""), Syntax),
        (GOOD.replace("\"x\"", "“x”"), Syntax),
        (GOOD.replace("\"name\":", "\"name\"="), Syntax),
        (GOOD.replace("\"x\"", "\"x\u{7}\""), Syntax),
        (GOOD.replace("}], \"done\": true}", "], \"done\": true}"), Syntax),
        (GOOD.replace("\"colour\": \"blue\"", "'colour': 'blue'"), Syntax),
    ] {
        let (value, defects) = parts(&text);
        assert_eq!(value, Some(good()), "{text}: {defects:?}");
        assert!(defects.iter().any(|defect| defect.kind == kind), "{text}: {defects:?}");
        assert!(defects.iter().all(|defect| !defect.kind.loses()), "{text}: {defects:?}");
    }
}

#[test]
fn values_are_coerced_only_where_the_meaning_is_clear() {
    use DefectKind::{Coerced, OutOfRange, RenamedKey, RespeltWord, UnknownWord, WrongType};
    for (from, to, kind) in [
        ("\"number\": 3", "\"number\": \"3\"", Coerced),
        ("\"number\": 3", "\"number\": 3.0", Coerced),
        ("\"number\": 3", "\"number\": \"Q3\"", Coerced),
        ("true", "\"yes\"", Coerced),
        ("\"note\": null", "\"note\": \"none\"", Coerced),
        ("\"colour\"", "\"Colour\"", RenamedKey),
        ("\"blue\"", "\"Blues\"", RespeltWord),
        ("[{\"name\"", "{\"name\"", Coerced),
    ] {
        let mut text = GOOD.replace(from, to);
        if from.starts_with('[') {
            text = text.replace("}], \"done\"", "}, \"done\"");
        }
        let (value, defects) = parts(&text);
        assert_eq!(value, Some(good()), "{text}: {defects:?}");
        assert!(defects.iter().any(|defect| defect.kind == kind), "{text}: {defects:?}");
    }
    let red = GOOD.replace("\"blue\"", "\"Dark-Red\"");
    assert_eq!(parts(&red).0.unwrap()["items"][0]["colour"], "dark_red");
    // Not one of them may come through.
    for (from, to, kind) in [
        ("\"blue\"", "\"bleu\"", UnknownWord),
        ("\"blue\"", "\"not blue\"", UnknownWord),
        ("\"blue\"", "\"blue?\"", UnknownWord),
        ("\"blue\"", "true", WrongType),
        ("\"number\": 3", "\"number\": 300", OutOfRange),
        ("\"number\": 3", "\"number\": 3.5", WrongType),
        ("\"number\": 3", "\"number\": \"three\"", WrongType),
        ("\"number\": 3", "\"number\": \"3 or 4\"", WrongType),
    ] {
        let (value, defects) = parts(&GOOD.replace(from, to));
        assert_eq!(value, None, "{to}");
        assert!(defects.iter().any(|defect| defect.kind == kind), "{to}: {defects:?}");
    }
}

#[test]
fn what_is_half_written_is_dropped() {
    let two =
        GOOD.replace("}], ", "}, {\"name\": \"second\", \"number\": 12, \"colour\": \"blue\"}], ");
    let first = good()["items"][0].clone();
    let mut accepted = 0;
    for cut in (0..two.len()).filter(|cut| two.is_char_boundary(*cut)) {
        let (value, defects) = parts(&two[..cut]);
        let Some(value) = value else { continue };
        accepted += 1;
        assert!(defects.iter().any(|defect| defect.kind == DefectKind::Truncated), "{cut}");
        let items = value["items"].as_array().unwrap();
        assert_eq!(items[0], first, "{}", &two[..cut]);
        if let Some(second) = items.get(1) {
            assert_eq!(
                (second["name"].as_str(), second["number"].as_i64()),
                (Some("second"), Some(12))
            );
            assert!(two[..cut].contains("\"blue\"}"), "an open item was kept: {}", &two[..cut]);
        }
    }
    assert!(accepted > 60, "{accepted}");
    assert_eq!(kinds("{\"items\": [")[..2], [DefectKind::Truncated, DefectKind::MissingKey]);
    assert_eq!(parts("{\"items\": [").0, None);
}

#[test]
fn what_is_no_answer_is_not_taken_for_one() {
    use DefectKind::{Broken, MissingKey, NoJson, PromptEcho, TooDeep, WrongType};
    let deep = format!("{}\"d\": {}{}}}", &GOOD[..1], "[".repeat(500), "]".repeat(500));
    for (text, kind) in [
        ("", NoJson),
        (" \n", NoJson),
        ("null", WrongType),
        ("42", WrongType),
        ("[]", WrongType),
        ("{}", MissingKey),
        ("I cannot help with that.", NoJson),
        ("<html><body>502</body></html>", NoJson),
        ("{\"error\": {\"message\": \"busy\"}}", MissingKey),
        ("{\"items\": null}", WrongType),
        ("{\"items\": [], \"items\": 5}", WrongType),
        ("{\"items\": [{\"name\": <n>}]}", Broken),
        ("{\"items\": \"none\"}", WrongType),
        ("items: x", NoJson),
        (deep.as_str(), TooDeep),
        ("Respond with JSON only:\n{\"items\": []}", PromptEcho),
    ] {
        let (value, defects) = parts(text);
        assert_eq!(value, None, "{text}");
        assert!(defects.iter().any(|defect| defect.kind == kind), "{text}: {defects:?}");
    }
}

#[test]
fn doubled_keys_are_told() {
    let text = "{\"items\": [], \"done\": false, \"done\": true}";
    assert_eq!(parts(text).0, Some(json!({"items": [], "done": true})));
    assert_eq!(kinds(text), [DefectKind::DuplicateKey]);
    assert!(kinds(&text.replace('}', ",}")).contains(&DefectKind::DuplicateKey));
}

#[test]
fn limits_hold() {
    let many = format!(
        "{{\"items\": [{}], \"done\": true}}",
        vec![r#"{"name": "n", "number": 1, "colour": "blue"}"#; 50].join(",")
    );
    let (value, defects) = parts(&many);
    assert_eq!(value.unwrap()["items"].as_array().unwrap().len(), 5);
    assert!(defects.iter().any(|defect| defect.kind == DefectKind::TooLong));
    let long = GOOD.replace("\"x\"", &format!("\"{}\"", "x".repeat(100_000)));
    assert_eq!(
        parts(&long).0.unwrap()["items"][0]["tags"][0].as_str().unwrap().chars().count(),
        20
    );
    let hidden = GOOD.replace("\"x\"", "\"x\u{202E}\u{E0041}\"");
    assert_eq!(parts(&hidden).0, Some(good()));
}

/// Much of what could send a careless reader back and forth: each text takes well under a second.
#[test]
fn long_replies_are_read_in_one_pass() {
    for piece in [
        "[",
        "{",
        "{\"a\":",
        "[[]",
        "\"",
        "{\"",
        "'",
        "{'a",
        "[\"a\" ",
        "[a",
        "[<",
        "\\",
        "{\"a\":\"\\",
        "[1,",
        "/*",
        "[//",
        "{a:",
        "{a:{",
        "x ",
        "`",
        "{\"a\" \"b\" ",
        "[\"  ",
        "}",
        "]",
        "[\n\"",
        "[a b c ",
        "respond in json {",
        "[\"a\",\"b\" \"c\":",
        "[null# \nTrue// \n",
        "{a:true/*{*/b:None/*[*/",
        "{\"items\":[{",
    ] {
        let text = piece.repeat(160_000 / piece.len());
        let reading = read(&text, &shape());
        assert_eq!(reading.value, None, "{piece}");
    }
    // Literals with comments between them and no end of an item before the end of the text.
    let literals = format!("[{}", "true/**/".repeat(100_000));
    assert_eq!(read(&literals, &shape()).value, None);
    let prose = format!("{} {GOOD}", "word ".repeat(300_000));
    assert_eq!(parts(&prose).0, Some(good()));
}

proptest! {
    #[test]
    fn any_text_is_read(text in "[ -~\n\u{E0}-\u{FF}“”{}\\[\\]\",:]{0,120}") {
        parts(&text);
    }

    #[test]
    fn good_replies_survive_chance(
        cut in 0usize..160,
        put in "[{}\\[\\]\",:'\\\\ a-c0-3\n/<]{0,4}",
        skip in 0usize..4,
    ) {
        let chars: Vec<char> = GOOD.chars().collect();
        let cut = cut.min(chars.len());
        let text: String = chars[..cut].iter().copied().chain(put.chars())
            .chain(chars[(cut + skip).min(chars.len())..].iter().copied()).collect();
        let (value, defects) = parts(&text);
        if let Ok(strict) = serde_json::from_str::<Value>(&text) {
            prop_assert!(strict.is_object() || value.is_none() || !defects.is_empty());
        } else {
            prop_assert!(!defects.is_empty(), "mended without a word: {text}");
        }
        // A word is one of those known or not there at all.
        for item in value.iter().flat_map(|v| v["items"].as_array().into_iter().flatten()) {
            prop_assert!(matches!(item["colour"].as_str(), Some("blue" | "dark_red")));
        }
    }
}
