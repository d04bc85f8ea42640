//! What single words are.

pub(super) use super::inflect::{article, form, past, plain_of_ing, singular, third_person};
use crate::wordnet::{Part, WordNet};
use elenchus_core::evidence::month_number;
use elenchus_core::text::stem;

pub(in super::super) fn can_be_verb(lower: &str) -> bool {
    can_be(lower, Part::Verb)
}

pub(in super::super) fn can_be_noun(lower: &str) -> bool {
    can_be(lower, Part::Noun)
}

/// Whether the dictionary knows a word as a verb: in its plain form, or as a form of another word.
pub(in super::super) fn is_verb_form(lower: &str, is_inflected: bool) -> bool {
    let wordnet = WordNet::builtin();
    wordnet
        .lemmas(&wordnet.lookup(lower))
        .any(|(lemma, part)| part == Part::Verb && (lemma != lower) == is_inflected)
}

fn can_be(lower: &str, wanted: Part) -> bool {
    let wordnet = WordNet::builtin();
    wordnet.lemmas(&wordnet.lookup(lower)).any(|(_, part)| part == wanted)
}

pub(super) fn is_auxiliary(lower: &str) -> bool {
    matches!(
        lower,
        "is" | "are"
            | "was"
            | "were"
            | "be"
            | "been"
            | "being"
            | "am"
            | "has"
            | "have"
            | "had"
            | "having"
            | "do"
            | "does"
            | "did"
            | "will"
            | "would"
            | "can"
            | "could"
            | "may"
            | "might"
            | "must"
            | "shall"
            | "should"
            | "'s"
            | "’s"
            | "get"
            | "got"
    )
}

pub(super) fn is_be(lower: &str) -> bool {
    matches!(lower, "is" | "are" | "was" | "were" | "be" | "been" | "being" | "am")
}

pub(in super::super) fn is_modal(lower: &str) -> bool {
    matches!(
        lower,
        "will" | "would" | "can" | "could" | "may" | "might" | "must" | "shall" | "should"
    )
}

pub(in super::super) fn is_possessive(lower: &str) -> bool {
    matches!(lower, "his" | "her" | "its" | "their" | "my" | "our" | "your" | "whose")
}

pub(super) fn is_relative(lower: &str) -> bool {
    matches!(lower, "who" | "whom" | "which" | "whose" | "where" | "that")
}

/// Verbs whose past is their plain form.
pub(super) fn keeps_its_form(lower: &str) -> bool {
    matches!(lower, "put" | "cut" | "set" | "hit" | "let" | "read" | "beat" | "spread")
}

pub(super) fn is_negation(lower: &str) -> bool {
    matches!(
        lower,
        "not"
            | "n't"
            | "n’t"
            | "never"
            | "no"
            | "none"
            | "neither"
            | "nor"
            | "nobody"
            | "nothing"
            | "without"
            | "cannot"
            | "hardly"
            | "rarely"
            | "seldom"
            | "few"
            | "little"
    )
}

/// Adverbs that belong to the quantity behind them: "too few", "most charities".
pub(super) fn measures(lower: &str) -> bool {
    matches!(
        lower,
        "too"
            | "only"
            | "most"
            | "very"
            | "so"
            | "barely"
            | "hardly"
            | "scarcely"
            | "nearly"
            | "almost"
            | "just"
            | "not"
            | "exactly"
            | "roughly"
            | "far"
            | "more"
            | "less"
    )
}

/// Words by which a figure is of all that are named, and of none of them alone.
pub(super) fn gathers(lower: &str) -> bool {
    matches!(lower, "together" | "altogether" | "combined" | "jointly" | "collectively")
}

/// Words whose sentence says less when one of its phrases is left out: it must stay whole.
pub(super) fn binds_tightly(lower: &str) -> bool {
    is_negation(lower)
        || matches!(
            lower,
            "only"
                | "than"
                | "most"
                | "least"
                | "best"
                | "worst"
                | "first"
                | "last"
                | "all"
                | "every"
                | "each"
                | "any"
                | "more"
                | "less"
                | "fewer"
                | "largest"
                | "biggest"
                | "highest"
                | "lowest"
                | "oldest"
                | "youngest"
                | "smallest"
                | "%"
                | "percent"
                | "per"
                | "average"
                | "total"
                | "half"
                | "majority"
                | "except"
                | "unless"
                | "if"
                | "whether"
                | "respectively"
                | "between"
        )
}

/// Verbs of which leaving out part of the object makes another statement ("opposed taxes on food").
pub(super) fn is_opaque(stem: &str) -> bool {
    const STEMS: &[&str] = &[
        "avoid", "prevent", "deni", "oppos", "reject", "lack", "refus", "reduc", "limit", "stop",
        "ban", "criticiz", "criticis", "forbid", "prohibit", "doubt", "fear", "want", "hope",
        "seek", "plan", "expect", "declin", "fail", "increas", "decreas", "eliminat", "restrict",
        "requir", "cut", "fell", "fall", "rose", "rise", "grew", "grow", "exceed", "drop",
    ];
    STEMS.contains(&stem)
}

/// Verbs that say what somebody says or holds: their clause stays with the speaker.
pub(super) fn is_reporting(lower: &str) -> bool {
    const STEMS: &[&str] = &[
        "said",
        "say",
        "claim",
        "argu",
        "believ",
        "report",
        "estim",
        "suggest",
        "announc",
        "state",
        "assert",
        "warn",
        "predict",
        "forecast",
        "indic",
        "conclud",
        "contend",
        "maintain",
        "alleg",
        "think",
        "thought",
        "note",
        "observ",
        "explain",
        "told",
        "tell",
        "stress",
        "emphas",
        "emphasiz",
        "show",
        "found",
        "find",
        "reveal",
        "demonstr",
        "confirm",
        "project",
        "expect",
        "acknowledg",
        "admit",
        "propos",
        "declar",
    ];
    STEMS.contains(&lower) || STEMS.contains(&stem(lower).as_str())
}

pub(super) fn is_subordinator(lower: &str) -> bool {
    matches!(
        lower,
        "because"
            | "although"
            | "though"
            | "if"
            | "unless"
            | "while"
            | "whereas"
            | "when"
            | "whenever"
            | "since"
            | "after"
            | "before"
            | "until"
            | "till"
            | "as"
            | "whether"
            | "once"
    )
}

pub(in super::super) fn is_month(lower: &str) -> bool {
    month_number(lower).is_some()
}

/// Heads of names that may hold "and": "Ministry of Health and Welfare".
pub(super) fn names_an_office(lower: &str) -> bool {
    matches!(
        lower,
        "director"
            | "head"
            | "chief"
            | "deputy"
            | "department"
            | "ministry"
            | "minister"
            | "secretary"
            | "committee"
            | "board"
            | "institute"
            | "office"
            | "school"
            | "faculty"
            | "bureau"
            | "center"
            | "centre"
            | "academy"
            | "council"
            | "commission"
            | "agency"
            | "association"
            | "federation"
            | "administration"
            | "society"
    )
}

/// People who hold something: "director of the Harbour Board".
pub(super) fn is_office(lower: &str) -> bool {
    matches!(
        lower,
        "director"
            | "president"
            | "chairman"
            | "chairwoman"
            | "chair"
            | "head"
            | "founder"
            | "co-founder"
            | "cofounder"
            | "member"
            | "mayor"
            | "governor"
            | "minister"
            | "secretary"
            | "ceo"
            | "editor"
            | "professor"
            | "king"
            | "queen"
            | "bishop"
            | "dean"
            | "leader"
            | "captain"
            | "owner"
            | "creator"
            | "author"
            | "commander"
            | "manager"
            | "ambassador"
            | "chancellor"
            | "coach"
    )
}

/// Words that are about a span of time.
pub(super) fn is_time_word(lower: &str) -> bool {
    is_month(lower)
        || matches!(
            lower,
            "year"
                | "years"
                | "month"
                | "months"
                | "week"
                | "weeks"
                | "day"
                | "days"
                | "decade"
                | "decades"
                | "century"
                | "centuries"
                | "age"
                | "time"
                | "season"
                | "seasons"
                | "era"
                | "period"
                | "career"
                | "childhood"
                | "reign"
                | "tenure"
                | "war"
                | "lifetime"
        )
}

/// Particles that make one adjective of nationality or origin likely: "American", "Polish", "Dutch".
pub(super) fn is_origin(word: &str) -> bool {
    let lower = word.to_lowercase();
    if lower.len() < 4 {
        return false;
    }
    matches!(
        lower.as_str(),
        "dutch"
            | "french"
            | "greek"
            | "swiss"
            | "czech"
            | "thai"
            | "iraqi"
            | "israeli"
            | "pakistani"
            | "bangladeshi"
            | "kuwaiti"
            | "saudi"
            | "emirati"
            | "omani"
            | "qatari"
            | "yemeni"
            | "somali"
            | "nepali"
            | "icelandic"
            | "filipino"
            | "argentine"
            | "slovak"
            | "croat"
            | "serb"
            | "uzbek"
            | "kazakh"
            | "turk"
            | "welsh"
    ) || ["ian", "ean", "can", "ese", "ish", "man", "ban", "lian", "van", "guayan", "uan"]
        .iter()
        .any(|tail| lower.ends_with(tail))
}
