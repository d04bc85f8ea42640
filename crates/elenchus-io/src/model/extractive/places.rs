//! Places: the whole of a place's name, where a common noun belongs to it.

use std::ops::Range;

/// Nouns that end the name of a place.
const NOUNS: [&str; 58] = [
    "hall",
    "church",
    "chapel",
    "school",
    "college",
    "university",
    "park",
    "station",
    "house",
    "centre",
    "center",
    "street",
    "road",
    "lane",
    "farm",
    "yard",
    "hospital",
    "library",
    "museum",
    "office",
    "bridge",
    "harbour",
    "harbor",
    "airport",
    "airfield",
    "theatre",
    "theater",
    "club",
    "clubhouse",
    "pub",
    "inn",
    "hotel",
    "green",
    "market",
    "square",
    "mill",
    "quay",
    "depot",
    "garden",
    "gardens",
    "gallery",
    "arena",
    "stadium",
    "pool",
    "court",
    "castle",
    "cathedral",
    "abbey",
    "factory",
    "warehouse",
    "workshop",
    "marina",
    "campus",
    "common",
    "barn",
    "wharf",
    "pier",
    "beach",
];
/// Most words that a name has behind its capital letters.
const MOST: usize = 3;

/// "At Thornley village hall": the name ends with its noun, and not with its last capital letter.
pub(super) fn with_common_noun(text: &str, at: &Range<usize>) -> Range<usize> {
    let mut end = at.end;
    let mut from = at.end;
    for _ in 0..MOST {
        let Some(rest) = text.get(from..).and_then(|rest| rest.strip_prefix(' ')) else { break };
        let length = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
        let word = &rest[..length];
        // Only words in small letters go on; "is", "in" and the like end the name.
        if word.is_empty()
            || !word.chars().all(char::is_lowercase)
            || elenchus_core::text::is_stop_word(word)
        {
            break;
        }
        from += 1 + length;
        if NOUNS.contains(&word) {
            end = from;
        }
    }
    at.start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_keeps_its_noun() {
        let whole = |text: &str, name: &str| {
            let at = text.find(name).expect("it stands there");
            text[with_common_noun(text, &(at..at + name.len()))].to_owned()
        };
        assert_eq!(
            whole("It meets at Eskdale parish hall on Mondays.", "Eskdale"),
            "Eskdale parish hall"
        );
        assert_eq!(whole("The fair is held on Marlow green.", "Marlow"), "Marlow green");
        assert_eq!(whole("They moved to Leith in spring.", "Leith"), "Leith");
        assert_eq!(whole("Leith makes good rope for the yard.", "Leith"), "Leith");
        assert_eq!(whole("It is in Oban.", "Oban"), "Oban");
    }
}
