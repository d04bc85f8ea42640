//! Located: a place may be called by its country. "The Dutch office" is the one in Rotterdam, and what is so in Stuttgart is so of a
//! German town.
//!
//! Which city lies where is told by a table of WordNet (`assets/places.txt`, made by `scripts/distill_places.py`): it has no name that
//! two countries have a city of. The other way round nothing follows: what holds of a country is not said of one of its cities.

use super::question::Term;
use super::unit::{EvidenceUnit, Place, Word};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::LazyLock;

/// How firmly a city stands for its country, before it counts where it stands.
const STANDS_FOR: f64 = 0.85;

/// How firmly one name of a country stands for another, in the same way.
const IS: f64 = 0.95;

/// Countries by what they and their people are called, in one word, and the cities of each.
struct Table {
    called: BTreeMap<&'static str, usize>,
    cities: Vec<BTreeSet<&'static str>>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table { called: BTreeMap::new(), cities: Vec::new() };
    for line in include_str!("../../../assets/places.txt").lines() {
        let (names, cities) = line.split_once(';').unwrap_or((line, ""));
        for name in names.split(',').filter(|name| !name.contains(' ')) {
            table.called.insert(name, table.cities.len());
        }
        table.cities.push(cities.split(',').collect());
    }
    table
});

/// Parts of the world that are no organisation, as they are written in tables.
const REGIONS: [&str; 11] = [
    "eu",
    "europe",
    "emea",
    "apac",
    "asia",
    "africa",
    "latam",
    "americas",
    "north america",
    "south america",
    "middle east",
];

/// Whether a name in lower case is that of a country or of a part of the world.
pub(super) fn is_region(lower: &str) -> bool {
    REGIONS.contains(&lower) || TABLE.called.contains_key(lower)
}

/// A city of the country that a word of the question names, where a unit tells of one: how firmly it stands for the country, and
/// its bytes in the unit's own text, empty for one that stands elsewhere.
pub(super) fn city_of(term: &Term, unit: &EvidenceUnit<'_>) -> Option<(f64, Range<usize>)> {
    let named = |word: &str| {
        // "Americans": the people.
        TABLE.called.get(word).or_else(|| TABLE.called.get(word.strip_suffix('s')?)).copied()
    };
    let country = named(&term.word).filter(|_| term.hard)?;
    let cities = &TABLE.cities[country];
    let there = |word: &Word| match word.place {
        Place::Unit => 1.0,
        Place::Near => 0.92,
        Place::Before => 0.7,
        Place::Far => 0.85,
    };
    let strength = |word: &Word| STANDS_FOR * there(word);
    let one = unit.words.iter().filter_map(|word| {
        let city = cities.contains(word.word.as_str()).then(|| strength(word));
        // "Write to us" names no country.
        let is_written = word.word != "us" || unit.text.get(word.at.clone()) == Some("US");
        let is_name = is_written && named(&word.word) == Some(country);
        let name = || is_name.then(|| IS * there(word));
        Some((city.or_else(name)?, word.at.clone()))
    });
    let two = unit.words.windows(2).filter(|pair| {
        pair[0].place == pair[1].place
            && cities.contains(format!("{} {}", pair[0].word, pair[1].word).as_str())
    });
    let two = two.map(|pair| (strength(&pair[0]), pair[0].at.start..pair[1].at.end));
    one.chain(two).max_by(|a, b| a.0.total_cmp(&b.0))
}

#[cfg(test)]
mod tests {
    use super::super::question::Question;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn bound(question: &str, text: &str) -> Option<String> {
        let passages = [document("offices", "Offices", text)];
        let units = evidence_units(&passages);
        let question = Question::parse(question, &[]);
        let mut found = question.terms.iter().filter_map(|term| city_of(term, &units[0]));
        found.next().map(|(_, at)| units[0].text[at].to_owned())
    }

    #[test]
    fn a_city_stands_for_its_country() {
        let pool = "Loan pool: 6 machines in Rotterdam, 3 in New York, 2 in Nagoya.";
        for (question, city) in [
            ("How many machines are at the Dutch office?", "Rotterdam"),
            ("How many machines are in Japan?", "Nagoya"),
            ("How many machines do the American colleagues have?", "New York"),
        ] {
            assert_eq!(bound(question, pool).as_deref(), Some(city), "{question}");
        }
        assert_eq!(bound("How many machines are in Germany?", pool), None);
        let leave = "US staff have 22 days of leave.";
        let americans = bound("How much leave do the Americans have?", leave);
        assert_eq!(americans.as_deref(), Some("US"));
        assert_eq!(bound("How much leave do the Americans have?", "Write to us."), None);
    }

    #[test]
    fn no_country_stands_for_its_cities() {
        assert_eq!(
            bound("How many machines are in Rotterdam?", "The Dutch have 6 machines."),
            None
        );
    }
}
