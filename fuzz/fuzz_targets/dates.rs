//! Dates in any text: where they say they stand, in order, and dates that exist.
#![no_main]

use elenchus_io::ingest::dates::dates;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut last = 0;
    for (range, date) in dates(text) {
        assert!(last <= range.start && range.start < range.end, "{range:?} after {last}");
        let stated = text.get(range.clone()).expect("dates lie between characters");
        assert!(stated.chars().any(|c| c.is_ascii_digit()), "no digit in {stated:?}");
        assert!((1900..=2099).contains(&date.year), "{date} from {stated:?}");
        assert!((1..=12).contains(&date.month) && (1..=31).contains(&date.day), "{date:?}");
        assert!((1..=12).contains(&date.last_month()), "{date:?} from {stated:?}");
        assert!(date.contains(date), "{date:?} is not in itself");
        assert!(!date.to_string().is_empty());
        last = range.end;
    }
});
