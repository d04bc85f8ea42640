use super::*;
use crate::evidence::char_slice;
use proptest::prelude::*;

fn select(text: &str, words: &str) -> TextQuoteSelector {
    let at = text.find(words).expect("the words are there");
    let start = text[..at].chars().count();
    TextQuoteSelector::of(text, Span { start, end: start + words.chars().count() })
        .expect("it selects")
}

#[test]
fn context_tells_equal_words_apart() {
    let text =
        "The dock closes at nine. The gate of the yard opens at nine. The dock opens at five.";
    let last = text.rfind("The dock").expect("it is there");
    let selector =
        TextQuoteSelector::of(text, Span { start: last, end: last + 8 }).expect("it selects");
    let found = find(text, &selector).expect("it is found");
    assert_eq!(found, Anchor { span: Span { start: last, end: last + 8 }, exact: true });
    // The document has grown at its beginning.
    let grown = format!("Updated today. The dock is new. {text}");
    let found = find(&grown, &selector).expect("it is found");
    assert_eq!(found.span.start, last + 32);
    assert!(
        selector.prefix.chars().count() <= CONTEXT && selector.suffix.chars().count() <= CONTEXT
    );
}

#[test]
fn other_white_space_is_reported() {
    let selector = select("It was 412 km long, they said.", "412 km long");
    let found = find("Yes. It was 412\n  km long, they said.", &selector).expect("it is found");
    assert!(!found.exact);
    assert_eq!(
        char_slice("Yes. It was 412\n  km long, they said.", found.span),
        Some("412\n  km long")
    );
    assert_eq!(find("It was 411 km long.", &selector), None);
    let empty =
        TextQuoteSelector { exact: " ".to_owned(), prefix: String::new(), suffix: String::new() };
    assert_eq!(find("a b", &empty), None);
}

#[test]
fn links_name_the_words() {
    let text = "Rivers. The Example River is 412 km long, and wide. The end.";
    let short = select(text, "412 km");
    assert_eq!(
        short.text_fragment("https://a.example/r"),
        "https://a.example/r#:~:text=River%20is-,412%20km,-long%2C%20and"
    );
    let whole = select(text, "The Example River is 412 km long");
    assert_eq!(
        whole.text_fragment("https://a.example/r#top"),
        "https://a.example/r#top:~:text=The%20Example%20River%20is%20412%20km%20long"
    );
    let marks =
        select("a well-known, old & tried way of doing this", "well-known, old & tried way of");
    assert!(
        marks.text_fragment("u").ends_with("text=well%2Dknown%2C%20old%20%26%20tried%20way%20of")
    );
    // Words are made whole: a browser finds no parts of words.
    let part =
        select("The unbelievably long winter of that year", "believably long winter of that y");
    assert!(
        part.text_fragment("u").ends_with("text=unbelievably%20long%20winter%20of%20that%20year")
    );
}

#[test]
fn long_quotes_are_ranges_and_marks_of_markdown_are_not_words() {
    let list = "- First thing to do today\n- Second thing\n\n| Name | Length |\n|---|---|\n| Example | 412 |\n";
    let selector = select(list, list.trim());
    assert_eq!(selector.text_fragment("u"), "u#:~:text=First%20thing%20to%20do%20today,412");
    let sentence = "word ".repeat(60);
    let selector = select(&sentence, sentence.trim());
    let fragment = selector.text_fragment("u");
    assert_eq!(
        fragment,
        "u#:~:text=word%20word%20word%20word%20word%20word,word%20word%20word%20word%20word%20word"
    );
    let nothing = TextQuoteSelector {
        exact: "|---|".to_owned(),
        prefix: String::new(),
        suffix: String::new(),
    };
    assert_eq!(nothing.text_fragment("u"), "u");
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let hex = [rest.next()?, rest.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&hex).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

proptest! {
    #[test]
    fn what_is_selected_is_found(text in "(a|b|é|\u{1F600}| |\n|word |The ){1,60}", start in 0_usize..60, length in 1_usize..40) {
        let count = text.chars().count();
        let start = start.min(count - 1);
        let span = Span { start, end: (start + length).min(count) };
        let selector = TextQuoteSelector::of(&text, span).expect("the span is in the text");
        prop_assert!(selector.prefix.chars().count() <= CONTEXT && selector.suffix.chars().count() <= CONTEXT);
        prop_assert_eq!(Some(selector.exact.as_str()), char_slice(&text, span));
        if selector.exact.trim().is_empty() {
            prop_assert_eq!(find(&text, &selector), None);
        } else {
            let found = find(&text, &selector).expect("the words are there");
            prop_assert!(found.exact);
            prop_assert_eq!(char_slice(&text, found.span), Some(selector.exact.as_str()));
            let whole = format!("{}{}{}", selector.prefix, selector.exact, selector.suffix);
            if occurrences(&text, &whole).count() == 1 {
                prop_assert_eq!(found.span, span);
            }
        }
    }

    #[test]
    fn white_space_may_differ(words in prop::collection::vec("[a-zé0-9]{1,8}", 3..20), gaps in prop::collection::vec("[ \n\t]{1,3}", 20)) {
        let text = words.join(" ");
        let other: String = words.iter().zip(&gaps).flat_map(|(word, gap)| [word.as_str(), gap.as_str()]).collect();
        let selector = TextQuoteSelector::of(&text, Span { start: 0, end: text.chars().count() }).expect("it selects");
        let found = find(&other, &selector).expect("only white space differs");
        let there = char_slice(&other, found.span).expect("it is in the text");
        prop_assert_eq!(there.split_whitespace().collect::<Vec<_>>(), text.split_whitespace().collect::<Vec<_>>());
    }

    #[test]
    fn links_are_links(text in "\\PC{1,200}", start in 0_usize..200, length in 1_usize..200) {
        let count = text.chars().count();
        let start = start.min(count - 1);
        let selector = TextQuoteSelector::of(&text, Span { start, end: (start + length).min(count) }).expect("it selects");
        let link = selector.text_fragment("https://a.example/x");
        prop_assert!(link.is_ascii() && !link.contains(' '));
        if let Some((_, directive)) = link.split_once(":~:text=") {
            prop_assert!(directive.split(',').count() <= 4);
            for term in directive.split(',') {
                let bare = term.strip_suffix('-').unwrap_or(term);
                let bare = bare.strip_prefix('-').unwrap_or(bare);
                prop_assert!(!bare.contains(['-', '&']));
                prop_assert!(decoded(bare).is_some());
            }
        }
    }

    #[test]
    fn nothing_panics(text in "\\PC{0,80}", exact in "\\PC{0,20}", prefix in "\\PC{0,10}", suffix in "\\PC{0,10}") {
        let selector = TextQuoteSelector { exact, prefix, suffix };
        let _ = find(&text, &selector);
        let _ = selector.text_fragment(&text);
    }
}
