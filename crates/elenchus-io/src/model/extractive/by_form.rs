//! By form: what says of a word of the question that it is told, without the word: a unit of measure, the initials of a name, a range that
//! covers a number, the form of a telephone number.

use super::question::{Class, Term};
use super::unit::{EvidenceUnit, Place, Word};
use super::values::{ValueKind, is_phone};
use std::ops::Range;

/// Numbers and addresses by which somebody is reached say by their form what they are.
pub(super) fn reached_by(term: &Term, unit: &EvidenceUnit<'_>) -> Option<Range<usize>> {
    if term.hard {
        return None;
    }
    match term.stem.as_str() {
        "telephon" | "phone" | "tel" | "ring" | "call" => unit
            .values
            .iter()
            .map(|value| value.range.clone())
            .find(|at| is_phone(&unit.text[at.clone()])),
        "email" | "e-mail" | "mail" => unit.text.find('@').map(|at| at..at + 1),
        "websit" | "homepag" => {
            unit.text.find("www.").or_else(|| unit.text.find("http")).map(|at| at..at + 4)
        }
        _ => None,
    }
}

/// Figures that say by their unit what they measure. "Metres" may be a depth or a width, and says less.
const DIMENSIONS: [(&str, &[&str]); 7] = [
    ("temperatur", &["\u{b0}c", "\u{b0}f", "degrees", "\u{b0}"]),
    ("speed", &["km/h", "mph", "knots", "knot", "m/s", "kn"]),
    ("weight", &["kg", "g", "t", "tonnes", "tonne", "tons", "lbs", "kilograms", "grams"]),
    ("voltag", &["v", "kv", "volts"]),
    ("pressur", &["bar", "psi"]),
    ("power", &["kw", "mw", "gw", "watts", "kilowatts", "megawatts"]),
    ("area", &["hectares", "ha", "sqm", "acres"]),
];

/// "At what temperature is it kept?": "at 66 \u{b0}C" says it is a temperature.
pub(super) fn measured_as(term: &Term, unit: &EvidenceUnit<'_>) -> Option<Range<usize>> {
    if term.hard || term.class != Class::Noun {
        return None;
    }
    let (_, units) = DIMENSIONS.iter().find(|(stem, _)| *stem == term.stem)?;
    let measures = unit.values.iter().filter(|value| value.kind == ValueKind::Measure);
    let mut fitting = measures.filter(|value| {
        let text = unit.text[value.range.clone()].to_lowercase();
        let name = text.trim_start_matches(|c: char| {
            c.is_ascii_digit() || matches!(c, ',' | '.' | '-' | '\u{2212}' | ' ')
        });
        units.contains(&name.trim())
    });
    fitting.next().map(|value| value.range.clone())
}

/// "MTBF" is bound by "mean time between failures" and the other way round.
pub(super) fn acronym(term: &Term, unit: &EvidenceUnit<'_>) -> Option<Range<usize>> {
    let letters: Vec<char> = term.word.chars().collect();
    if !(2..=6).contains(&letters.len()) || !term.hard || !letters.iter().all(|c| c.is_alphabetic())
    {
        return None;
    }
    let own: Vec<&Word> = unit.words.iter().filter(|word| word.place == Place::Unit).collect();
    own.windows(letters.len())
        .find(|window| {
            window.iter().zip(&letters).all(|(word, letter)| word.word.starts_with(*letter))
        })
        .map(|window| window[0].at.start..window[letters.len() - 1].at.end)
}

/// "15" is covered by "12-20%", "above 10" and "up to 20".
pub(super) fn covers_number(text: &str, number: f64) -> Option<Range<usize>> {
    use regex::Regex;
    use std::sync::LazyLock;
    static RANGE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)(?:(?P<over>above|over|more than|exceeding|beyond|longer than|at least)\s+[$€£]?(?P<a>\d+(?:\.\d+)?)|(?P<under>up to|under|below|less than|at most|within|shorter than)\s+[$€£]?(?P<b>\d+(?:\.\d+)?)|(?P<c>\d+(?:\.\d+)?)\s?[-–]\s?(?P<d>\d+(?:\.\d+)?))")
            .expect("the pattern is a constant that a test uses")
    });
    let value = |m: Option<regex::Match<'_>>| m.and_then(|m| m.as_str().parse::<f64>().ok());
    RANGE.captures_iter(text).find_map(|found| {
        let inside = match (
            value(found.name("a")),
            value(found.name("b")),
            value(found.name("c")),
            value(found.name("d")),
        ) {
            (Some(low), _, _, _) => number > low,
            (_, Some(high), _, _) => number <= high,
            (_, _, Some(low), Some(high)) => low <= number && number <= high,
            _ => false,
        };
        inside.then(|| found.get(0).expect("group 0 always matches").range())
    })
}

#[cfg(test)]
mod tests {
    use super::super::question::Question;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    #[test]
    fn a_telephone_number_says_what_it_is() {
        let bound = |text: &str| {
            let passages = [document("a", "Contact", text)];
            let units = evidence_units(&passages);
            let question =
                Question::parse("What is the telephone number of the repairs line?", &[]);
            let term = question.terms.iter().find(|term| term.word == "telephone");
            reached_by(term.expect("it is asked for"), &units[0])
                .map(|at| units[0].text[at].to_owned())
        };
        assert_eq!(bound("Repairs line: 01632 960 455.").as_deref(), Some("01632 960 455"));
        assert_eq!(bound("Repairs line: +44 1632 960455").as_deref(), Some("+44 1632 960455"));
        assert_eq!(bound("Repairs line: 455 calls in 2024."), None);
    }

    #[test]
    fn ranges_cover_numbers() {
        assert!(covers_number("12-20%: VP Sales", 15.0).is_some());
        assert!(covers_number("Above 20%: CEO", 25.0).is_some());
        assert!(covers_number("Above 20%: CEO", 15.0).is_none());
        assert!(covers_number("Up to 5%", 3.0).is_some());
    }
}
