//! Forms of verbs that no ending tells: "fought" is said of a fight.
//!
//! They are only asked for where a word is said to stand nowhere. What a search compares are stems, which know the most common ones
//! (`text`); the others are kept out of there, since every figure that was fitted on stems would change with them.

/// Rows of words that are one verb, apart from its regular forms.
const VERBS: &[&str] = &[
    "arise arose arisen",
    "awake awoke awoken",
    "beat beaten",
    "become became",
    "bend bent",
    "bind bound",
    "bite bit bitten",
    "bleed bled",
    "blow blew blown",
    "breed bred",
    "burn burnt",
    "cling clung",
    "come came",
    "creep crept",
    "deal dealt",
    "dig dug",
    "dream dreamt",
    "drink drank drunk",
    "eat ate eaten",
    "feed fed",
    "feel felt",
    "fight fought",
    "flee fled",
    "fling flung",
    "forbid forbade forbidden",
    "forget forgot forgotten",
    "forgive forgave forgiven",
    "freeze froze frozen",
    "go went gone",
    "grind ground",
    "hang hung",
    "hear heard",
    "hide hid hidden",
    "kneel knelt",
    "know knew known",
    "lean leant",
    "leap leapt",
    "learn learnt",
    "light lit",
    "mean meant",
    "overcome overcame",
    "oversee oversaw overseen",
    "overtake overtook overtaken",
    "rebuild rebuilt",
    "ride rode ridden",
    "ring rang rung",
    "see saw seen",
    "shake shook shaken",
    "shine shone",
    "shoot shot",
    "show shown",
    "shrink shrank shrunk",
    "sing sang sung",
    "sit sat",
    "sleep slept",
    "smell smelt",
    "sow sown",
    "spell spelt",
    "spill spilt",
    "spin spun",
    "spring sprang sprung",
    "stick stuck",
    "sting stung",
    "stride strode",
    "swear swore sworn",
    "sweep swept",
    "swell swollen",
    "swim swam swum",
    "swing swung",
    "tear tore torn",
    "tread trod trodden",
    "undergo underwent undergone",
    "undertake undertook undertaken",
    "wake woke woken",
    "weave wove woven",
    "weep wept",
    "wind wound",
    "withdraw withdrew withdrawn",
    "withhold withheld",
];

/// The other forms of a lower-case word, where it is a form of such a verb: "fights" has "fight" and "fought".
pub(super) fn forms_of(word: &str) -> impl Iterator<Item = &'static str> {
    let plain = ["", "s", "es", "ing"].map(|ending| word.strip_suffix(ending));
    let row = VERBS.iter().find(|row| {
        let mut forms = row.split(' ');
        // A regular ending stands only on the plain form, which is the first.
        let first = forms.next().unwrap_or_default();
        plain.contains(&Some(first)) || forms.any(|form| form == word)
    });
    row.map_or("", |row| *row).split_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_one_verb_are_found() {
        let forms = |word: &str| forms_of(word).collect::<Vec<_>>();
        assert_eq!(forms("fight"), ["fight", "fought"]);
        assert_eq!(forms("fights"), forms("fighting"));
        assert_eq!(forms("ridden"), ["ride", "rode", "ridden"]);
        assert_eq!(forms("undergoes"), forms("underwent"));
        // Another word that begins alike is no form of it.
        for word in ["fighter", "sit-in", "seed", "harbour", "", "s"] {
            assert!(forms(word).is_empty(), "{word}");
        }
    }
}
