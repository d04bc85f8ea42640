//! Words: splitting, stemming, stop words and set similarity. Language-independent where it can be, English where not.

mod scale;
mod stop;

pub use scale::{scale_of_label, stated_scale};
pub use stop::is_stop_word;

use rust_stemmers::{Algorithm, Stemmer};
use std::collections::BTreeSet;
use std::fmt::Write;
use unicode_segmentation::UnicodeSegmentation;

/// Lower-case words of a text, with numbers and names such as "VLX-500" or "Q1" whole.
pub fn words(text: &str) -> Vec<String> {
    // An underscore joins words only for programs: "water_depth" is two.
    let lower = text.to_lowercase().replace('_', " ");
    let mut words: Vec<String> = Vec::new();
    // Whether a hyphen stood right after the last word, and whether the last piece was a word.
    let (mut joins, mut after_word) = (false, false);
    for piece in lower.split_word_bounds() {
        let first = piece.chars().next();
        if first.is_some_and(char::is_alphanumeric) {
            // A hyphen between a word and a piece that begins with a digit makes one name: "VLX-500".
            match words.last_mut() {
                Some(last) if joins && first.is_some_and(|c| c.is_ascii_digit()) => {
                    last.push('-');
                    last.push_str(piece);
                }
                _ => words.push(piece.trim_end_matches("'s").trim_end_matches("’s").to_owned()),
            }
            joins = false;
            after_word = true;
        } else {
            joins = piece == "-" && after_word;
            after_word = false;
        }
    }
    words
}

/// The stem of one lower-case word (Porter 2). Words with a digit are left as they are.
pub fn stem(word: &str) -> String {
    if word.chars().any(|c| c.is_ascii_digit()) {
        return word.to_owned();
    }
    Stemmer::create(Algorithm::English).stem(regular(word)).into_owned()
}

/// Whether a lower-case word is a form of another that no stemmer leads to it ("sold").
pub(crate) fn is_irregular(word: &str) -> bool {
    regular(word) != word
}

/// The plain form of common irregular verbs and plurals, which no stemmer knows.
fn regular(word: &str) -> &str {
    match IRREGULAR.binary_search_by_key(&word, |(form, _)| *form) {
        Ok(at) => IRREGULAR.get(at).map_or(word, |(_, plain)| plain),
        Err(_) => word,
    }
}

// In the order of the alphabet: they are looked up for every word that is read.
const IRREGULAR: &[(&str, &str)] = &[
    ("analyses", "analysis"),
    ("began", "begin"),
    ("begun", "begin"),
    ("bore", "bear"),
    ("born", "bear"),
    ("bought", "buy"),
    ("broke", "break"),
    ("broken", "break"),
    ("brought", "bring"),
    ("built", "build"),
    ("caught", "catch"),
    ("children", "child"),
    ("chose", "choose"),
    ("chosen", "choose"),
    ("cost", "cost"),
    ("crises", "crisis"),
    ("criteria", "criterion"),
    ("died", "die"),
    ("drawn", "draw"),
    ("drew", "draw"),
    ("driven", "drive"),
    ("drove", "drive"),
    ("dying", "die"),
    ("fallen", "fall"),
    ("feet", "foot"),
    ("fell", "fall"),
    ("flew", "fly"),
    ("flown", "fly"),
    ("found", "find"),
    ("froze", "freeze"),
    ("frozen", "freeze"),
    ("gave", "give"),
    ("given", "give"),
    ("grew", "grow"),
    ("grown", "grow"),
    ("held", "hold"),
    ("kept", "keep"),
    ("laid", "lay"),
    ("lain", "lie"),
    ("led", "lead"),
    ("left", "leave"),
    ("lent", "lend"),
    ("lost", "lose"),
    ("made", "make"),
    ("men", "man"),
    ("met", "meet"),
    ("mice", "mouse"),
    ("paid", "pay"),
    ("people", "person"),
    ("ran", "run"),
    ("risen", "rise"),
    ("rose", "rise"),
    ("said", "say"),
    ("sank", "sink"),
    ("sent", "send"),
    ("shook", "shake"),
    ("shut", "shut"),
    ("slid", "slide"),
    ("sold", "sell"),
    ("sought", "seek"),
    ("spent", "spend"),
    ("spoke", "speak"),
    ("spoken", "speak"),
    ("stole", "steal"),
    ("stolen", "steal"),
    ("stood", "stand"),
    ("struck", "strike"),
    ("sunk", "sink"),
    ("swam", "swim"),
    ("taken", "take"),
    ("taught", "teach"),
    ("thought", "think"),
    ("threw", "throw"),
    ("thrown", "throw"),
    ("told", "tell"),
    ("took", "take"),
    ("understood", "understand"),
    ("women", "woman"),
    ("won", "win"),
    ("wore", "wear"),
    ("worn", "wear"),
    ("written", "write"),
    ("wrote", "write"),
];

/// Stems of the words that carry meaning, in order of appearance, repeats kept.
pub fn content_stems(text: &str) -> Vec<String> {
    let stemmer = Stemmer::create(Algorithm::English);
    words(text)
        .into_iter()
        .filter(|word| !is_stop_word(word))
        .map(|word| {
            if word.chars().any(|c| c.is_ascii_digit()) {
                word
            } else {
                stemmer.stem(regular(&word)).into_owned()
            }
        })
        .collect()
}

/// [`content_stems`] as a set.
pub fn content_set(text: &str) -> BTreeSet<String> {
    content_stems(text).into_iter().collect()
}

/// Size of the intersection over size of the union; 1 for two empty sets.
pub fn jaccard<T: Ord>(a: &BTreeSet<T>, b: &BTreeSet<T>) -> f64 {
    let both = a.intersection(b).count();
    let all = a.len() + b.len() - both;
    if all == 0 { 1.0 } else { both as f64 / all as f64 }
}

/// Size of the intersection over the size of the smaller set; 1 when one is empty.
pub fn overlap<T: Ord>(a: &BTreeSet<T>, b: &BTreeSet<T>) -> f64 {
    let smaller = a.len().min(b.len());
    if smaller == 0 { 1.0 } else { a.intersection(b).count() as f64 / smaller as f64 }
}

/// Cosine of two vectors; 0 when one is zero or the lengths differ.
pub fn cosine(a: &[f32], b: &[f32]) -> f64 {
    if a.len() != b.len() {
        return 0.0;
    }
    let (mut dot, mut aa, mut bb) = (0.0f64, 0.0f64, 0.0f64);
    for (x, y) in a.iter().zip(b) {
        dot += f64::from(*x) * f64::from(*y);
        aa += f64::from(*x) * f64::from(*x);
        bb += f64::from(*y) * f64::from(*y);
    }
    if aa <= 0.0 || bb <= 0.0 { 0.0 } else { dot / (aa.sqrt() * bb.sqrt()) }
}

/// One line of text: white space runs become one space, control and invisible formatting characters go.
pub fn squeeze(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        let clean: String = word.chars().filter(|c| !is_invisible(*c)).collect();
        if clean.is_empty() {
            continue;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&clean);
    }
    out
}

/// JSON in which every character of [`is_invisible`] is written as an escape. Such a character can stand in a string only, and
/// the escape means the same, so that a terminal obeys nothing and a program reads every letter.
pub fn visible_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if c != '\n' && is_invisible(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}").expect("writing to a String cannot fail");
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// Text as HTML and XML show it, also within quotation marks of an attribute. What a reader cannot see is left out, but for
/// line ends and tabs, and so is what XML forbids.
pub fn escape_markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|c| push_markup(&mut out, c));
    out
}

/// One character of [`escape_markup`].
pub(crate) fn push_markup(out: &mut String, c: char) {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        '\'' => out.push_str("&#39;"),
        '\n' | '\t' => out.push(c),
        c if is_invisible(c) || (c as u32) & 0xFFFE == 0xFFFE => {}
        c => out.push(c),
    }
}

/// Characters that a reader cannot see but a terminal, browser or model obeys: controls, bidi overrides, tags, and the
/// code points that are no characters.
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{FDD0}'..='\u{FDEF}')
        || matches!(c, '\u{061C}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
            | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}' | '\u{00AD}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_names_and_drop_possessives() {
        assert_eq!(
            words("Veltrix's VLX-500 costs $56,000."),
            ["veltrix", "vlx-500", "costs", "56,000"]
        );
        assert_eq!(words("What's cold-chain? -30°C"), ["what", "cold", "chain", "30", "c"]);
        assert_eq!(words(""), Vec::<String>::new());
    }

    #[test]
    fn irregular_forms_are_found() {
        assert!(IRREGULAR.is_sorted_by_key(|(form, _)| *form));
        assert_eq!((regular("sold"), regular("harbour")), ("sell", "harbour"));
        assert!(is_irregular("won") && !is_irregular("win"));
    }

    #[test]
    fn stems_meet() {
        assert_eq!(stem("robots"), stem("robot"));
        assert_eq!(content_set("the robots' rating"), content_set("Ratings of a robot"));
    }

    #[test]
    fn squeeze_removes_what_hides() {
        assert_eq!(squeeze(" a\u{202E}b\n\n c\u{0007} \u{E0041}"), "ab c");
    }

    #[test]
    fn json_means_the_same_without_the_invisible() {
        let value = "a\u{1b}[31m\u{9b}2J\u{202e}\u{e0041}\u{7f}\u{feff}\n\u{fdd0}";
        let json = serde_json::to_string_pretty(&vec![value]).unwrap();
        let shown = visible_json(&json);
        assert!(!shown.chars().any(|c| c != '\n' && is_invisible(c)), "{shown:?}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&shown).unwrap(), [value]);
    }

    #[test]
    fn similarity_edges() {
        let empty = BTreeSet::<String>::new();
        assert!((jaccard(&empty, &empty) - 1.0).abs() < f64::EPSILON);
        assert!(cosine(&[0.0], &[1.0]).abs() < f64::EPSILON);
        assert!(cosine(&[1.0], &[1.0, 0.0]).abs() < f64::EPSILON);
    }
}
