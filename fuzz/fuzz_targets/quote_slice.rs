//! Any span of any text: inside, outside, reversed.
#![no_main]

use elenchus_core::evidence::{Passage, Quote, Span, char_slice};
use elenchus_core::id::{PassageId, SourceId};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u16, u16, bool, &str)| {
    let (start, end, far, text) = input;
    let length = text.chars().count();
    // Most spans lie near the text, some as far off as a span can.
    let at = |offset: u16| {
        if far { usize::MAX - usize::from(offset) } else { usize::from(offset) % (length + 2) }
    };
    let span = Span { start: usize::from(start) % (length + 2), end: at(end) };

    let cut = char_slice(text, span);
    let inside = span.start <= span.end && span.end <= length;
    assert_eq!(cut.is_some(), inside, "{span:?} of {length} characters");
    if let Some(cut) = cut {
        let plain: String = text.chars().skip(span.start).take(span.end - span.start).collect();
        assert_eq!(cut, plain);
    }

    let source_id = SourceId::from_path("a.txt");
    let passage = Passage {
        id: PassageId::new(&source_id, 0),
        source_id,
        text: text.to_owned(),
        span: Span { start: 0, end: length },
        heading_path: Vec::new(),
        page: None,
        table_header: Vec::new(),
        lead_in: None,
        record: None,
    };
    let quote = Quote::cut(&passage, span);
    assert_eq!(quote.is_some(), cut.is_some_and(|cut| !cut.trim().is_empty()));
    if let Some(quote) = quote {
        assert!(quote.holds_in(&passage));
        let mut moved = quote.clone();
        moved.text.push('x');
        assert!(!moved.holds_in(&passage), "a changed quote must not hold");
    }
});
