//! Dimension: what a figure measures, by its unit, and what a question wants measured.
//!
//! "How strong was the wind?" asks for a speed: the bearing in the same line is a figure with a unit as well, and tells
//! something else.

use super::expects::AUXILIARIES;
use super::question::{Expects, Question};
use super::unit::{EvidenceUnit, Place};
use super::values::{Value, ValueKind};
use elenchus_core::text::{is_stop_word, words};

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dimension {
    Length,
    Area,
    Volume,
    Mass,
    Speed,
    Heat,
    /// Bare degrees: of an angle or of a temperature.
    Degree,
    Pressure,
    Power,
    Energy,
    Voltage,
    Current,
    Frequency,
    Data,
    Sound,
    Time,
}

use Dimension::{
    Area, Current, Data, Degree, Energy, Frequency, Heat, Length, Mass, Power, Pressure, Sound,
    Speed, Time, Voltage, Volume,
};

/// Units in lower case, by what they measure.
const UNITS: [(Dimension, &[&str]); 15] = [
    (
        Length,
        &[
            "km",
            "cm",
            "mm",
            "m",
            "metre",
            "metres",
            "meter",
            "meters",
            "kilometre",
            "kilometres",
            "kilometer",
            "kilometers",
            "centimetre",
            "centimetres",
            "centimeter",
            "centimeters",
            "millimetre",
            "millimetres",
            "millimeter",
            "millimeters",
            "mile",
            "miles",
            "nautical mile",
            "nautical miles",
            "feet",
            "ft",
            "inch",
            "inches",
            "\"",
            "\u{2033}",
        ],
    ),
    (
        Area,
        &[
            "sqm",
            "ha",
            "hectare",
            "hectares",
            "acre",
            "acres",
            "square metres",
            "square meters",
            "square feet",
            "square kilometres",
            "square kilometers",
            "square miles",
        ],
    ),
    (
        Volume,
        &[
            "l",
            "litre",
            "litres",
            "liter",
            "liters",
            "gallon",
            "gallons",
            "barrel",
            "barrels",
            "cubic metre",
            "cubic metres",
            "cubic meter",
            "cubic meters",
        ],
    ),
    (
        Mass,
        &[
            "kg",
            "g",
            "t",
            "tonne",
            "tonnes",
            "ton",
            "tons",
            "lb",
            "lbs",
            "kilogram",
            "kilograms",
            "gram",
            "grams",
        ],
    ),
    (Speed, &["km/h", "m/s", "mph", "knot", "knots", "kn"]),
    (Heat, &["\u{b0}c", "\u{b0}f"]),
    (Degree, &["degrees", "\u{b0}"]),
    (Pressure, &["bar", "psi"]),
    (
        Power,
        &[
            "w",
            "kw",
            "mw",
            "gw",
            "watt",
            "watts",
            "kilowatt",
            "kilowatts",
            "megawatt",
            "megawatts",
            "gigawatt",
            "gigawatts",
        ],
    ),
    (
        Energy,
        &[
            "kwh",
            "mwh",
            "gwh",
            "kilowatt-hour",
            "kilowatt-hours",
            "megawatt-hour",
            "megawatt-hours",
        ],
    ),
    (Voltage, &["v", "kv", "volt", "volts"]),
    (Current, &["a", "ka", "amp", "amps"]),
    (Frequency, &["hz", "khz", "mhz", "ghz", "rpm"]),
    (Data, &["kb", "mb", "gb", "tb"]),
    (Sound, &["db", "decibel", "decibels"]),
];

/// Most words between "what" and the noun that says what is measured.
const REACH: usize = 4;

/// What a figure measures; `None` for one without a unit, or with a unit that says nothing sure.
fn measured(text: &str, value: &Value) -> Option<Dimension> {
    match value.kind {
        // A time of day measures nothing else either.
        ValueKind::Duration | ValueKind::Date => return Some(Time),
        ValueKind::Measure => {}
        _ => return None,
    }
    let lower = text.get(value.range.clone())?.to_lowercase();
    let unit = lower
        .trim_start_matches(|c: char| {
            c.is_ascii_digit() || c.is_whitespace() || matches!(c, ',' | '.' | '-' | '\u{2212}')
        })
        .trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '.' | ',' | ';' | ')' | '|'));
    let (dimension, _) = UNITS.iter().find(|(_, units)| units.contains(&unit))?;
    match (dimension, is_of_time(text.get(value.range.end..)?)) {
        (dimension, false) => Some(*dimension),
        // "3.4 metres per second", "12 miles an hour".
        (Length, true) => Some(Speed),
        (_, true) => None,
    }
}

/// Whether what stands behind a figure makes it one of a span of time: "per second", "an hour", "/h".
fn is_of_time(behind: &str) -> bool {
    let next = words(&behind.chars().take(24).collect::<String>());
    let each =
        next.first().is_some_and(|word| matches!(word.as_str(), "per" | "a" | "an" | "each"));
    behind.starts_with('/') || (each && !behind.starts_with(['.', ';', ',']))
}

/// What may answer the word that a question measures with: "how wide", "what is the weight".
fn wanted(question: &Question) -> Option<&'static [Dimension]> {
    let all = words(&question.text);
    if let Some(at) = all.iter().position(|word| word == "how") {
        return match all.get(at + 1)?.as_str() {
            "strong" => {
                Some(&[Speed, Pressure, Power, Mass, Voltage, Current, Energy, Frequency, Sound])
            }
            "fast" => Some(&[Speed, Frequency, Time]),
            "wide" | "broad" | "tall" | "thick" => Some(&[Length]),
            "deep" => Some(&[Length, Heat, Degree]),
            "far" => Some(&[Length, Time]),
            "heavy" => Some(&[Mass]),
            "hot" | "cold" | "warm" => Some(&[Heat, Degree]),
            "loud" => Some(&[Sound]),
            _ => None,
        };
    }
    let at = all.iter().position(|word| matches!(word.as_str(), "what" | "which"))?;
    let noun = all[at + 1..]
        .iter()
        .skip_while(|word| AUXILIARIES.contains(&word.as_str()) || *word == "the" || *word == "a")
        .take(REACH)
        .take_while(|word| !is_stop_word(word) && !AUXILIARIES.contains(&word.as_str()))
        .last()?;
    match noun.as_str() {
        "width" | "breadth" | "height" | "thickness" | "diameter" => Some(&[Length]),
        "weight" => Some(&[Mass]),
        "temperature" => Some(&[Heat, Degree]),
        "speed" => Some(&[Speed, Frequency, Data]),
        "voltage" => Some(&[Voltage]),
        _ => None,
    }
}

/// Whether a figure may be of the kind that the question measures: one without a unit may, one of another kind may not.
pub(super) fn fits(question: &Question, text: &str, value: &Value) -> bool {
    if !matches!(question.expects, Expects::Quantity | Expects::Extent) {
        return true;
    }
    match (wanted(question), measured(text, value)) {
        (Some(wanted), Some(measured)) => wanted.contains(&measured),
        _ => true,
    }
}

/// Whether a width is asked for, and what a unit holds is not said to be one: a length is what stands there mostly.
pub(super) fn is_no_width(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    const ACROSS: [&str; 10] = [
        "wide", "width", "widths", "breadth", "broad", "across", "beam", "gauge", "span",
        "diameter",
    ];
    let all = words(&question.text);
    let asked = all.windows(2).any(|pair| {
        matches!((pair[0].as_str(), pair[1].as_str()), ("how", "wide" | "broad"))
            || (pair[1] == "width" && matches!(pair[0].as_str(), "the" | "what" | "which"))
    });
    asked
        && question.expects == Expects::Quantity
        && !by_another(unit.text)
        && !unit.words.iter().any(|word| {
            matches!(word.place, Place::Unit | Place::Near | Place::Before)
                && ACROSS.contains(&word.word.as_str())
        })
}

/// "3 x 4 m", "340 by 12 metres".
fn by_another(text: &str) -> bool {
    [" by ", " x ", "x", "\u{d7}", " \u{d7} "].iter().any(|sign| {
        text.match_indices(sign).any(|(at, _)| {
            let rest = &text[at + sign.len()..];
            text[..at].ends_with(|c: char| c.is_ascii_digit() || c == 'm')
                && rest.starts_with(|c: char| c.is_ascii_digit())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::super::values::values;
    use super::*;

    fn fitting(question: &str, text: &str) -> Vec<String> {
        let question = Question::parse(question, &[]);
        let all = values(text);
        let fit = all.iter().filter(|value| fits(&question, text, value));
        let measures = fit.filter(|value| value.kind == ValueKind::Measure);
        measures.map(|value| text[value.range.clone()].to_owned()).collect()
    }

    #[test]
    fn a_figure_is_of_the_kind_that_is_asked_for() {
        let wind = "Wind: 310 degrees, 22 knots";
        assert_eq!(fitting("How strong was the wind?", wind), ["22 knots"]);
        let log = Question::parse("How strong was the wind?", &[]);
        assert!(values("At 14:20 it blew.").iter().all(|v| !fits(&log, "At 14:20 it blew.", v)));
        let tank = "The tank holds 900 litres, weighs 240 kg and is 1.8 m tall.";
        assert_eq!(fitting("How heavy is the tank?", tank), ["240 kg"]);
        assert_eq!(fitting("How tall is the tank?", tank), ["1.8 m"]);
        assert_eq!(fitting("What is the weight of the tank?", tank), ["240 kg"]);
        let oven = "The oven runs at 230 \u{b0}C and 3 kW.";
        assert_eq!(fitting("How hot is the oven?", oven), ["230 \u{b0}C"]);
        let tide = "The tide runs at 3.4 metres per second through a gap of 90 metres.";
        assert_eq!(fitting("How fast does the tide run?", tide), ["3.4 metres"]);
        // Nothing is ruled out where the question says nothing of it.
        assert_eq!(fitting("How big is the tank?", tank).len(), 3);
        assert_eq!(fitting("What is the limit for the tank?", tank).len(), 3);
    }

    #[test]
    fn a_length_is_no_width() {
        let none = |question: &str, text: &str| {
            let passages = [document("quay", "The quay", text)];
            let units = evidence_units(&passages);
            is_no_width(&Question::parse(question, &[]), &units[0])
        };
        assert!(none("How wide is the quay?", "The quay is 340 metres of stone."));
        assert!(!none("How wide is the quay?", "The quay is 12 metres wide."));
        assert!(!none("How wide is the quay?", "It measures 340 by 12 metres."));
        assert!(!none("How long is the quay?", "The quay is 340 metres of stone."));
    }
}
