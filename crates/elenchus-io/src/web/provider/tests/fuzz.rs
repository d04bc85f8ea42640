//! Replies of any kind: no provider panics, and what comes out is within bounds.

use super::shape::{Doc, SUBJECTS};
use super::*;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::Value;

const DOCS: &[Doc] = &[
    Doc {
        url: "https://a.example/1",
        title: "One",
        text: "First words.",
        date: Some("2024-01-02"),
    },
    Doc { url: "https://b.example/2", title: "Two", text: "Second words.", date: Some("2023") },
];

/// Replies of each kind for each provider.
const CASES: usize = 60;

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(
            |number| serde_json::Number::from_f64(number).map_or(Value::Null, Value::Number)
        ),
        any::<String>().prop_map(Value::from),
        "(https?|ftp|javascript)://[ -~]{0,30}".prop_map(Value::from),
        "[0-9]{1,5}-[0-9]{1,3}-[0-9]{1,3}".prop_map(Value::from),
        "(<[a-z:]{1,8}[^>]{0,5}>|&[a-z#0-9]{1,6};|[a-z ]{1,5}){0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map("[a-z_@-]{0,8}", inner, 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Puts `other` in the place of the n-th part of a tree.
fn replaced(value: &mut Value, left: &mut usize, other: &Value) -> bool {
    if *left == 0 {
        *value = other.clone();
        return true;
    }
    *left -= 1;
    match value {
        Value::Array(parts) => parts.iter_mut().any(|part| replaced(part, left, other)),
        Value::Object(members) => members.iter_mut().any(|(_, part)| replaced(part, left, other)),
        _ => false,
    }
}

fn fuzzed(whole: &str, is_json: bool) -> Vec<String> {
    let mut runner = TestRunner::deterministic();
    let mut replies = Vec::new();
    for _ in 0..CASES {
        let mut draw = |most: usize| (0..most).new_tree(&mut runner).unwrap().current();
        let at = draw(60);
        let (cut, byte) = (draw(whole.len()), draw(128));
        let other = any_json().new_tree(&mut runner).unwrap().current();
        replies.push(other.to_string());
        if is_json {
            let mut tree: Value = serde_json::from_str(whole).unwrap();
            if replaced(&mut tree, &mut at.clone(), &other) {
                replies.push(tree.to_string());
            }
        } else {
            // Other text between two tags, and another byte anywhere.
            let places: Vec<usize> = whole.match_indices('>').map(|(at, _)| at + 1).collect();
            let place = places[at % places.len()];
            replies.push(format!("{}{other}{}", &whole[..place], &whole[place..]));
        }
        let mut bytes = whole.as_bytes().to_vec();
        bytes[cut] = byte as u8;
        replies.push(String::from_utf8_lossy(&bytes).into_owned());
    }
    replies
}

#[tokio::test]
async fn no_reply_makes_a_provider_panic_or_swell() {
    for subject in SUBJECTS {
        let replies = fuzzed(&(subject.reply)(DOCS), subject.json);
        let count = replies.len();
        let pair = Pair::new(subject.name, replies.iter().map(|reply| json(reply)).collect()).await;
        let mut good = 0;
        while pair.server.count() < count {
            let Ok(results) = pair.find(&query()).await else { continue };
            good += usize::from(!results.is_empty());
            for result in results {
                assert!(matches!(result.url.url().scheme(), "http" | "https"));
                assert!(
                    result.title.chars().count() <= 302 && result.snippet.chars().count() <= 2_002
                );
                let shown = format!("{}{}{:?}", result.title, result.snippet, result.author);
                assert!(
                    !shown
                        .chars()
                        .any(|c| c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c)),
                    "{shown:?}"
                );
            }
        }
        assert!(
            good > CASES / 4,
            "{}: most small faults leave the rest usable, here {good}",
            subject.name
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// What the fuzz target of replies checks.
    #[test]
    fn any_value_is_read_as_a_result_of_every_service(
        value in any_json(),
        name in prop::sample::select(vec![
            "url", "title", "description", "content", "abstract", "DOI", "doi", "abstract_inverted_index", "author",
            "authorships", "primary_location", "canonicalurl", "published", "published_date", "link", "license",
        ]),
    ) {
        let address = "https://a.example/1";
        let mut result = serde_json::json!({
            "url": address, "canonicalurl": address, "id": address, "DOI": "10.1/1", "title": "One", "abstract": "Two.",
            "abstract_inverted_index": { "Two.": [0] },
        });
        result[name] = value.clone();
        for reply in [value, result] {
            super::super::check(&reply.to_string());
        }
    }

    #[test]
    fn any_feed_is_read(
        parts in prop::collection::vec(prop::sample::select(vec![
            "<feed>", "</feed>", "<entry>", "</entry>", "<id>", "</id>", "http://arxiv.org/abs/1", "<title>", "</title>",
            "<summary>", "</summary>", "<author>", "<name>", "</name>", "</author>", "words", "&#x202e;", "&#10;", "&lt;b&gt;",
            "&none;", "<![CDATA[", "]]>", "<link title=\"pdf\" href=\"https://a.example/p\"/>", "<!--", "-->", "\u{0}", "\u{feff}",
        ]), 0..30),
    ) {
        super::super::check(&parts.concat());
        super::super::check(&format!("<feed><entry><id>http://arxiv.org/abs/1</id>{}</entry></feed>", parts.concat()));
    }
}

proptest! {
    #[test]
    fn cleaning_never_panics_and_leaves_one_plain_line(text in any::<String>(), tags in "(<[!/a-z:]{0,9}[^>]{0,9}>?|&#?[a-zA-Z0-9]{0,9};?|.){0,40}") {
        for text in [text, tags] {
            let plain = super::super::clean::plain(&text, 50);
            prop_assert!(plain.chars().count() <= 52 && !plain.contains('\n'));
            let jats = super::super::clean::jats(&text);
            prop_assert!(!jats.contains("<jats:"));
            super::super::clean::date(&text);
            super::super::clean::words(&text, 10);
        }
    }

    #[test]
    fn every_second_has_its_day(seconds in any::<i64>()) {
        super::super::clean::day_of(seconds);
    }
}
