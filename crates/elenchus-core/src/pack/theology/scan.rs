//! A text by characters, with what the reader of references asks of a place.

use crate::inquiry::Derivations;

/// Characters of a text, and which forms are read.
pub(super) struct Scan {
    text: Vec<char>,
    rules: Derivations,
}

/// Hyphens and dashes that join a range.
pub(super) fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

impl Scan {
    pub(super) fn new(text: &str, rules: Derivations) -> Self {
        Self { text: text.chars().collect(), rules }
    }

    /// Whether forms are read that came with a revision.
    pub(super) fn reads(&self, since: Derivations) -> bool {
        self.rules >= since
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    pub(super) fn get(&self, at: usize) -> Option<char> {
        self.text.get(at).copied()
    }

    pub(super) fn before(&self, at: usize) -> Option<char> {
        at.checked_sub(1).and_then(|before| self.get(before))
    }

    pub(super) fn text(&self, from: usize, to: usize) -> String {
        self.text.get(from..to).unwrap_or_default().iter().collect()
    }

    /// Whether a word may begin here: not inside of one, nor of a path or an address.
    pub(super) fn is_boundary(&self, at: usize) -> bool {
        self.before(at).is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '_' | '.' | '@' | '/' | '\\' | '-'))
            // "...John 3:16" and "-Matt 5:17" are cut short or listed; "a.b" is a name.
            || (matches!(self.before(at), Some('.' | '-'))
                && !at.checked_sub(2).and_then(|two| self.get(two)).is_some_and(char::is_alphanumeric))
    }

    /// Past white space: at most three characters with one line end.
    pub(super) fn skip_space(&self, at: usize) -> usize {
        let mut end = at;
        while end < at + 3 && self.get(end).is_some_and(char::is_whitespace) {
            end += 1;
        }
        end
    }

    /// Past letters and digits.
    pub(super) fn word_end(&self, at: usize) -> usize {
        let mut end = at;
        while self.get(end).is_some_and(char::is_alphanumeric) {
            end += 1;
        }
        end
    }

    /// The word at a place, lower case; empty when there is none.
    pub(super) fn word(&self, at: usize) -> String {
        self.text(at, self.word_end(at).min(at + 24)).to_lowercase()
    }

    /// The word that ends before a place, lower case.
    pub(super) fn word_before(&self, at: usize) -> String {
        let mut end = at;
        while self.before(end).is_some_and(|c| c.is_whitespace() || c == '.') && at - end < 4 {
            end -= 1;
        }
        let mut start = end;
        while self.before(start).is_some_and(char::is_alphanumeric) && end - start < 24 {
            start -= 1;
        }
        self.text(start, end).to_lowercase()
    }

    /// Whether these lower-case letters stand here in any case.
    pub(super) fn says(&self, at: usize, word: &str) -> bool {
        word.chars()
            .enumerate()
            .all(|(n, c)| self.get(at + n).is_some_and(|own| own.to_lowercase().eq([c])))
    }

    /// Whether a sentence begins here.
    pub(super) fn begins_sentence(&self, at: usize) -> bool {
        let mut end = at;
        while self.before(end).is_some_and(char::is_whitespace) {
            end -= 1;
        }
        self.before(end).is_none_or(|c| {
            matches!(c, '.' | '!' | '?' | ':' | '"' | '\u{201C}' | '\u{2018}' | '\'')
        })
    }

    /// A number from 1 to 255 without a leading zero, and where it ends.
    pub(super) fn number(&self, at: usize) -> Option<(u8, usize)> {
        let mut end = at;
        while end - at < 4 && self.get(end).is_some_and(|c| c.is_ascii_digit()) {
            end += 1;
        }
        let digits = self.text(at, end);
        if digits.starts_with('0') {
            return None;
        }
        Some((digits.parse().ok()?, end))
    }

    /// A Roman number from 1 to 199 in one case, and where it ends.
    pub(super) fn roman(&self, at: usize) -> Option<(u8, usize)> {
        let end = self.word_end(at);
        let word = self.text(at, end.min(at + 12));
        let small = word.to_lowercase();
        if end > at + 10 || (word != small && word != word.to_uppercase()) {
            return None;
        }
        let (mut value, mut largest) = (0_u16, 0_u16);
        for c in small.chars().rev() {
            let digit = match c {
                'i' => 1,
                'v' => 5,
                'x' => 10,
                'l' => 50,
                'c' => 100,
                _ => return None,
            };
            if digit < largest {
                value = value.checked_sub(digit)?;
            } else {
                value += digit;
                largest = digit;
            }
        }
        let value = u8::try_from(value).ok().filter(|value| (1..200).contains(value))?;
        // "vv" and "iix" read as numbers too, but nobody writes them.
        (roman_of(value) == small).then_some((value, end))
    }

    /// Past a letter that marks half a verse or those that follow: "17a", "4f", "4ff".
    pub(super) fn skip_mark(&self, at: usize) -> usize {
        let end = self.word_end(at);
        if matches!(self.text(at, end.min(at + 3)).as_str(), "a" | "b" | "c" | "f" | "ff") {
            end
        } else {
            at
        }
    }

    /// Whether the number that ends here is a time of day.
    pub(super) fn is_time(&self, at: usize) -> bool {
        let next = self.skip_space(at);
        matches!(
            self.word(next).as_str(),
            "am" | "pm" | "h" | "hrs" | "hours" | "o" | "uhr" | "gmt" | "utc"
        ) || (matches!(self.word(next).as_str(), "a" | "p")
            && self.get(next + 1) == Some('.')
            && self.says(next + 2, "m"))
            || (self.get(at) == Some(':') && self.get(at + 1).is_some_and(|c| c.is_ascii_digit()))
    }

    /// Whether the number that ends here goes on, or counts something by a mark: "5,000", "3%", "2nd", "2-litre".
    pub(super) fn is_counting(&self, at: usize) -> bool {
        let next = self.get(at + 1);
        match self.get(at) {
            Some(':' | '.' | ',') => next.is_some_and(|c| c.is_ascii_digit()),
            Some('-') => next.is_some_and(char::is_alphabetic),
            Some(c) => c.is_alphanumeric() || matches!(c, '%' | '\u{B0}' | '/' | '_' | '\''),
            None => false,
        }
    }

    /// Whether nothing follows that the number here could count: the text ends, or a mark or one of `words` comes.
    pub(super) fn ends_reference(&self, at: usize, words: &[&str]) -> bool {
        if self.is_counting(at) && !matches!(self.get(at), Some(':' | '.' | ',')) {
            return false;
        }
        let next = self.skip_space(at);
        match self.get(next) {
            Some(c) if c.is_alphabetic() => next > at && words.contains(&self.word(next).as_str()),
            Some(c) => {
                !(matches!(c, '%' | '\u{B0}' | '$' | '\u{20AC}') || next > at && c.is_ascii_digit())
            }
            None => true,
        }
    }
}

fn roman_of(number: u8) -> String {
    let mut out = String::new();
    let mut left = number;
    for (value, letters) in [
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ] {
        while left >= value {
            out.push_str(letters);
            left -= value;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roman_numbers_in_one_spelling() {
        let roman =
            |text: &str| Scan::new(text, Derivations::LATEST).roman(0).map(|(value, _)| value);
        assert_eq!(roman("xlix."), Some(49));
        assert_eq!(roman("CXIX"), Some(119));
        assert_eq!(roman("iv "), Some(4));
        for wrong in ["vv", "iix", "Iv", "", "mix", "cccc", "lll"] {
            assert_eq!(roman(wrong), None, "{wrong}");
        }
        assert!((1..200).all(|n| roman(&roman_of(n)) == Some(n)));
    }
}
