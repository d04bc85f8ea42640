//! From surface forms to lemmas: WordNet's irregular forms and detachment rules.

use super::table::{Entry, Table};
use super::{Part, Word};

/// An ending, what stands for it in the lemma.
type Rule = (&'static str, &'static str);

const NOUN: &[Rule] = &[
    ("s", ""),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
];

const VERB: &[Rule] = &[
    ("s", ""),
    ("ies", "y"),
    ("es", "e"),
    ("es", ""),
    ("ed", "e"),
    ("ed", ""),
    ("ing", "e"),
    ("ing", ""),
];

const ADJECTIVE: &[Rule] =
    &[("er", ""), ("est", ""), ("er", "e"), ("est", "e"), ("ier", "y"), ("iest", "y")];

/// What has to be left of a word before an ending is taken off.
const SHORTEST_STEM: usize = 2;

/// No longer words are looked up.
const LONGEST: usize = 64;

/// All readings of a surface form, without regard to case.
pub(super) fn read(table: &Table, surface: &str) -> Word {
    let mut word = Word { readings: Vec::new(), known: false };
    let lowered;
    let form = if surface.bytes().all(|byte| byte.is_ascii_lowercase()) {
        surface
    } else {
        lowered = surface.to_lowercase().replace('\u{2019}', "'");
        lowered.trim()
    };
    let form = form.strip_suffix("'s").or_else(|| form.strip_suffix('\'')).unwrap_or(form);
    if form.is_empty() || form.len() > LONGEST {
        return word;
    }
    if let Some(lemma) = table.lemma(form) {
        word.known = true;
        table.entries(lemma).iter().for_each(|entry| word.add(lemma, *entry));
    }
    let mut irregular = [false; 4];
    for (part, lemma) in table.irregular(form) {
        if let Some(seen) = irregular.get_mut(part as usize) {
            *seen = true;
        }
        add(table, &mut word, part, lemma);
    }
    let is_regular = |part| irregular.get(part as usize) == Some(&false);
    if is_regular(Part::Noun) && !form.ends_with("ss") {
        detach(table, &mut word, form, Part::Noun, NOUN);
    }
    if is_regular(Part::Verb) {
        match form.split_once(' ') {
            Some((verb, particle)) => two_words(table, &mut word, verb, particle),
            None => {
                detach(table, &mut word, form, Part::Verb, VERB);
                undouble(table, &mut word, form);
            }
        }
    }
    if is_regular(Part::Adjective) {
        detach(table, &mut word, form, Part::Adjective, ADJECTIVE);
    }
    word
}

fn detach(table: &Table, word: &mut Word, form: &str, part: Part, rules: &[Rule]) {
    let mut spelled = [0; LONGEST + 4];
    for (ending, put) in rules {
        let Some(stem) = form.strip_suffix(ending).filter(|stem| stem.len() >= SHORTEST_STEM)
        else {
            continue;
        };
        let length = stem.len() + put.len();
        let Some(space) = spelled.get_mut(..length) else { continue };
        let (head, tail) = space.split_at_mut(stem.len());
        head.copy_from_slice(stem.as_bytes());
        tail.copy_from_slice(put.as_bytes());
        let Some(lemma) = str::from_utf8(space).ok().and_then(|text| table.lemma(text)) else {
            continue;
        };
        // A stem of two letters is a word more often by chance than by rule.
        if length > SHORTEST_STEM {
            add(table, word, part, lemma);
        }
    }
}

/// "planning" is of "plan"; most such forms are in the list of irregular ones, but not all.
fn undouble(table: &Table, word: &mut Word, form: &str) {
    let stem = form.strip_suffix("ed").or_else(|| form.strip_suffix("ing"));
    let Some((last, rest)) = stem.and_then(|stem| stem.as_bytes().split_last()) else { return };
    if rest.len() <= SHORTEST_STEM || rest.last() != Some(last) || !b"bdgklmnprt".contains(last) {
        return;
    }
    if let Some(lemma) = form.get(..rest.len()).and_then(|stem| table.lemma(stem)) {
        add(table, word, Part::Verb, lemma);
    }
}

/// "shut down", "setting up": the first word is inflected.
fn two_words(table: &Table, word: &mut Word, verb: &str, particle: &str) {
    let first = read(table, verb);
    for reading in first.readings.iter().filter(|reading| reading.entry.part == Part::Verb) {
        let joined = format!("{} {particle}", table.name(reading.lemma));
        if let Some(lemma) = table.lemma(&joined) {
            add(table, word, Part::Verb, lemma);
        }
    }
}

fn add(table: &Table, word: &mut Word, part: Part, lemma: u32) {
    let found = table.entries(lemma).iter().find(|entry: &&Entry| entry.part == part);
    if let Some(entry) = found {
        word.add(lemma, *entry);
    }
}
