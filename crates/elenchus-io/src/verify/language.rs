//! Whether a claim is in English, which is what the built-in verifiers read.
//!
//! A claim is short and full of names, so that the share of function words says little of it. Counted are the words that
//! cannot be names: how many of them are English, and whether any is a function word of another language. The text
//! around helps: in a German report a claim is taken for German unless its own words are plainly English.

use crate::wordnet::WordNet;
use elenchus_core::scrutiny::fallacy::{Language, language};
use elenchus_core::text::is_stop_word;

/// Function words of other languages that English has not, or hardly ever.
const ELSEWHERE: [&str; 103] = [
    "aber", "auch", "auf", "aus", "avec", "bei", "cette", "che", "como", "con", "dans", "das",
    "de", "dei", "del", "della", "dem", "der", "des", "diese", "du", "durch", "een", "ein", "eine",
    "einem", "einen", "einer", "el", "elle", "en", "est", "esta", "está", "et", "fue", "für",
    "gegen", "gli", "haben", "hatte", "het", "il", "im", "ist", "kein", "keine", "la", "las", "le",
    "les", "leur", "lo", "los", "ma", "mais", "mit", "muy", "nach", "nel", "nicht", "niet", "noch",
    "não", "où", "para", "pas", "pero", "por", "qu", "que", "qui", "sein", "seit", "sich", "sie",
    "sind", "sono", "sont", "su", "um", "uma", "un", "una", "und", "une", "van", "vom", "von",
    "voor", "waren", "werden", "wie", "wird", "wurde", "wurden", "y", "zu", "zum", "zur", "è", "é",
    "über",
];

/// The same, where English has another word that is spelled so: alone they tell nothing.
const EITHER: [&str; 10] = ["den", "die", "hat", "met", "par", "plus", "pour", "son", "sur", "war"];

/// Words that English shares with others: they tell nothing.
const SHARED: [&str; 21] = [
    "a", "all", "also", "am", "an", "as", "at", "be", "do", "he", "i", "in", "is", "me", "no",
    "on", "or", "so", "was", "we", "will",
];

/// What stands within names: "Ursula von der Leyen", "Rio de la Plata".
const PARTICLES: [&str; 18] = [
    "da", "de", "dei", "del", "della", "den", "der", "des", "di", "du", "el", "la", "las", "le",
    "los", "van", "von", "zu",
];

/// Counted words that allow a judgement of a whole text.
const ENOUGH: usize = 8;
/// Counted words from which on a claim is told without a function word of another language.
const MANY: usize = 5;

/// The words of a text that tell its language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Told {
    english: usize,
    elsewhere: usize,
    either: usize,
    unknown: usize,
}

impl Told {
    fn of(text: &str) -> Self {
        let words = words(text);
        let capital = |word: &Word| word.text.starts_with(char::is_uppercase);
        let mut told = Self::default();
        for (at, word) in words.iter().enumerate() {
            let lower = word.text.to_lowercase();
            if SHARED.contains(&lower.as_str()) {
                continue;
            }
            let is_elsewhere = ELSEWHERE.contains(&lower.as_str());
            let is_either = EITHER.contains(&lower.as_str());
            let is_function = is_elsewhere || is_either || is_stop_word(&lower);
            // What begins with a capital is a name, or a noun of German, unless it begins a sentence.
            if lower != word.text && !(word.begins && is_function) {
                continue;
            }
            if PARTICLES.contains(&lower.as_str()) && !word.begins {
                let mut after = words[at..].iter().map_while(|next| {
                    (capital(next) || PARTICLES.contains(&next.text.as_str())).then_some(next)
                });
                let before = words[..at]
                    .iter()
                    .rev()
                    .find(|before| !PARTICLES.contains(&before.text.as_str()));
                if before.is_some_and(capital) && after.any(capital) {
                    continue;
                }
            }
            if is_elsewhere || is_elided(&lower) {
                told.elsewhere += 1;
            } else if is_either {
                told.either += 1;
            } else if is_english(&lower) {
                told.english += 1;
            } else {
                told.unknown += 1;
            }
        }
        told
    }

    fn all(self) -> usize {
        self.english + self.elsewhere + self.either + self.unknown
    }

    /// Whether the English words are less than this share.
    fn is_below(self, share: f64) -> bool {
        (self.english as f64) < share * self.all() as f64
    }
}

struct Word {
    text: String,
    /// First of its sentence, or of its cell.
    begins: bool,
}

/// Words of letters, of two at least; what hangs on a digit ("3rd", "40kW") is none.
fn words(text: &str) -> Vec<Word> {
    let mut out = Vec::new();
    let (mut word, mut begins, mut hangs) = (String::new(), true, false);
    for c in text.chars().chain([' ']) {
        if c.is_alphabetic() || (!word.is_empty() && is_apostrophe(c)) {
            word.push(c);
            continue;
        }
        let text = std::mem::take(&mut word);
        let text = text.trim_end_matches(is_apostrophe);
        if !text.is_empty() {
            if text.chars().nth(1).is_some() && !hangs {
                out.push(Word { text: text.to_owned(), begins });
            }
            begins = false;
        }
        hangs = c.is_numeric();
        begins |= matches!(c, '.' | '!' | '?' | ':' | '|' | '\n');
    }
    out
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}')
}

/// "l'heure", "d'une", "qu'il".
fn is_elided(word: &str) -> bool {
    word.split_once(is_apostrophe)
        .is_some_and(|(head, _)| matches!(head, "l" | "d" | "qu" | "dell" | "all" | "c" | "s"))
}

fn is_english(word: &str) -> bool {
    // "don't", "ship's"; neither head nor tail alone is always a word.
    let (head, tail) = word.split_once(is_apostrophe).unwrap_or((word, ""));
    tail == "t" || is_stop_word(head) || WordNet::builtin().lookup(head).is_known()
}

/// The language of a text, for telling that of its claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surroundings {
    is_other: bool,
}

impl Surroundings {
    /// Of the text that the claims were taken out of.
    pub fn of(text: &str) -> Self {
        let told = Told::of(text);
        let is_foreign = told.all() >= ENOUGH && told.is_below(0.5);
        Self { is_other: language(text) == Language::Other && (is_foreign || !is_latin(text)) }
    }

    /// Whether a claim of the text is in another language than English. Where nothing tells, it is not.
    pub fn is_other(self, claim: &str) -> bool {
        if !is_latin(claim) {
            return true;
        }
        let told = Told::of(claim);
        if self.is_other {
            return told.all() < 2 || told.is_below(0.75);
        }
        let tells = told.elsewhere > 0 || (told.either > 0 && told.unknown > 0);
        (tells || told.all() >= MANY) && told.is_below(0.35)
    }
}

/// Whether at least half of the letters are Latin ones, where there are letters to tell by.
fn is_latin(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let (all, latin) = letters.fold((0, 0), |(n, l), c| (n + 1, l + usize::from(c < '\u{250}')));
    all < 2 || latin * 2 >= all
}

#[cfg(test)]
mod tests {
    use super::*;

    const GERMAN: &str = "# Jahresbericht\n\nDer Verein hat 212 Mitglieder. Die Miete steigt von 1.250 auf 1.400 Euro. \
        Ann Lee ist seit 2019 Kassenwartin und wurde im Mai wieder gewählt. Das Boot liegt nicht im Hafen.";

    fn alone(claim: &str) -> bool {
        Surroundings::of(claim).is_other(claim)
    }

    #[test]
    fn short_english_claims_are_read() {
        for claim in [
            "The club has 212 members.",
            "Ann Lee is the treasurer.",
            "Acme acquired Zenith.",
            "Los Angeles gained 4 percent.",
            "Das Kapital sold 300 copies.",
            "Der Spiegel praised Merkel.",
            "Ursula von der Leyen visited Kyiv.",
            "El Niño returned in 2023.",
            "The Rio de la Plata is wide.",
            "Mitochondria phosphorylate oxidases.",
            "Berlin: 3.6 million people",
            "Zug",
            "T4: 30 kW",
            "The boat isn't new.",
            "Kim met Lee.",
            "Soldiers die.",
            "",
        ] {
            assert!(!alone(claim), "{claim}: {:?}", Told::of(claim));
        }
        let report = "# Members\n\nThe club has 212 members. Ann Lee is the treasurer, and the rent of the room went up \
            to 1,400 pounds because the landlord asked for it. Ursula von der Leyen visited it.";
        let around = Surroundings::of(report);
        for claim in ["The club has 212 members.", "Ursula von der Leyen visited it.", "Kim Lee"] {
            assert!(!around.is_other(claim), "{claim}");
        }
        // A table of names has few function words and is no other language for that.
        let table = "| boat | length | colour |\n|---|---|---|\n| Selkie | short | green |\n| Mary Lou | long | white |\n| Fulmar | middle | blue and white |";
        assert!(!Surroundings::of(table).is_other("Selkie: short"));
    }

    #[test]
    fn claims_in_other_languages_are_told() {
        for claim in [
            "Der Verein hat 212 Mitglieder.",
            "Die Miete steigt in Raum 7.",
            "Ann Lee ist Kassenwartin.",
            "Le navire est parti vendredi.",
            "El director renunció en abril.",
            "La nave è arrivata venerdì.",
            "В клубе 212 членов.",
            "会員は二百人です。",
        ] {
            assert!(alone(claim), "{claim}: {:?}", Told::of(claim));
        }
    }

    #[test]
    fn the_text_around_helps() {
        let around = Surroundings::of(GERMAN);
        assert!(around.is_other("Das Boot liegt nicht im Hafen."));
        // Nothing in it tells.
        assert!(around.is_other("Kassenwartin: Ann Lee"));
        assert!(!around.is_other("The rent of the room went up."));
    }
}
