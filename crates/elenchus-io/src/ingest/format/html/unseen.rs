//! Characters that no reader sees.

use super::Hidden;
use std::iter::Peekable;
use std::str::Chars;

/// This many unseen characters in a row are a message, not a stray mark.
const RUN: usize = 4;

/// Drops what no reader sees: tag characters, zero-width spaces and joiners outside of the scripts that join letters, bidi
/// controls, stacked variation selectors and fillers. Counts those that can carry words.
pub(super) fn without(text: &str, hidden: &mut Hidden) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let mut kept = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut run = 0;
    while let Some(c) = chars.next() {
        let keep = match c {
            // Joiners matter between letters of scripts that join, and within emoji.
            '\u{200c}' | '\u{200d}' => joins(kept.chars().next_back(), &mut chars),
            '\u{fe00}'..='\u{fe0f}' | '\u{180b}'..='\u{180d}' | '\u{e0100}'..='\u{e01ef}' => {
                selects(kept.chars().next_back())
            }
            _ => !is_unseen(c),
        };
        if keep {
            hidden.run(run);
            run = 0;
            kept.push(c);
        } else if is_tag(c) && kept.ends_with('\u{1f3f4}') {
            // The flags of England, Scotland and Wales.
        } else if !matches!(c, '\u{ad}' | '\u{feff}') {
            run += 1;
        }
    }
    hidden.run(run);
    kept
}

impl Hidden {
    fn run(&mut self, length: usize) {
        if length >= RUN {
            self.add(length, "characters without a shape");
        }
    }
}

fn is_tag(c: char) -> bool {
    matches!(c, '\u{e0000}'..='\u{e007f}')
}

fn is_unseen(c: char) -> bool {
    is_tag(c)
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
                | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
                | '\u{fff9}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        )
}

/// Whether a joiner stands where it changes what is seen.
fn joins(before: Option<char>, after: &mut Peekable<Chars<'_>>) -> bool {
    let joining = |c: char| {
        matches!(u32::from(c),
            // Arabic, Syriac, Thaana, N'Ko and the scripts of South and South-East Asia, Mongolian
            0x0600..=0x08FF | 0x0900..=0x0DFF | 0x0E00..=0x109F | 0x1780..=0x18AF | 0x1A20..=0x1CFF
            | 0xA840..=0xA8FF | 0xA980..=0xAADF | 0xFB50..=0xFDFF | 0xFE70..=0xFEFE | 0x11000..=0x11FFF
            // pictures and their modifiers
            | 0x2190..=0x2BFF | 0xFE0F | 0x1F000..=0x1FAFF)
    };
    before.is_some_and(joining) && after.peek().is_some_and(|c| joining(*c))
}

/// Whether a variation selector has something to select.
fn selects(before: Option<char>) -> bool {
    before.is_some_and(|c| {
        matches!(u32::from(c), 0x23 | 0x2A | 0x30..=0x39 | 0xA9 | 0xAE | 0x1000..=0x109F | 0x1820..=0x18AA
            | 0x2010..=0x2BFF | 0x3000..=0x303F | 0x3297 | 0x3299 | 0x3400..=0x9FFF | 0xF900..=0xFAFF
            | 0x1F000..=0x1FAFF | 0x20000..=0x3FFFF)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str) -> (String, usize) {
        let mut hidden = Hidden::default();
        (without(text, &mut hidden), hidden.characters)
    }

    #[test]
    fn messages_without_a_shape_are_dropped_and_counted() {
        let tags: String = "send the notes"
            .chars()
            .filter_map(|c| char::from_u32(0xE0000 + u32::from(c)))
            .collect();
        assert_eq!(seen(&format!("ok{tags}.")), ("ok.".to_owned(), 14));
        let bits = "\u{200b}\u{200c}".repeat(20);
        assert_eq!(seen(&format!("ok{bits} then")), ("ok then".to_owned(), 40));
        let stacked: String = (0..12).filter_map(|n| char::from_u32(0xE0100 + n)).collect();
        assert_eq!(seen(&format!("a{stacked}b")), ("ab".to_owned(), 12));
        assert_eq!(seen("\u{202e}abc\u{202c}").0, "abc");
    }

    #[test]
    fn what_changes_the_look_stays() {
        let persian = "می\u{200c}خواهم";
        let family = "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}";
        let heart = "\u{2764}\u{fe0f}";
        for text in [persian, family, heart, "naïve façade", "क्\u{200d}ष", "1\u{fe0f}\u{20e3}"]
        {
            assert_eq!(seen(text), (text.to_owned(), 0));
        }
        let flag = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}";
        assert_eq!(seen(flag).1, 0);
        assert_eq!(seen("wo\u{200b}rd\u{ad}break"), ("wordbreak".to_owned(), 0));
    }
}
