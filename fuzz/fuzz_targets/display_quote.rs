//! Any quote and any column names, made safe to show.
#![no_main]

use elenchus_core::answer::display_quote;
use elenchus_core::text::is_invisible;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (Vec<String>, &str)| {
    let (header, quote) = input;
    let shown = display_quote(quote, &header);
    assert!(!shown.chars().any(is_invisible), "invisible in {shown:?}");
    // Walked as Markdown reads it: a backslash takes the next character with it.
    let mut chars = shown.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                let next = chars.next();
                assert!(
                    matches!(next, Some('[' | ']' | '<' | '\\' | '{' | '&' | '~')),
                    "a lone backslash in {shown:?}"
                );
            }
            '<' | '[' | ']' => panic!("{c:?} is obeyed in {shown:?}"),
            _ => {}
        }
    }
    assert_eq!(display_quote(quote, &header), shown, "the audit derives it again");
});
