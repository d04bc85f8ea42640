//! Closed lists of general English: words of direction, negation, modality and quantity.
//!
//! Dictionaries know opposites sense by sense; the lists here hold the few hundred words with which prose says
//! up and down, before and after, surely and perhaps.

use elenchus_core::text::stem;
use std::collections::HashMap;
use std::sync::OnceLock;

/// Groups of opposites: words of one side say the same direction, words of two sides of one row say opposite ones.
const OPPOSITES: &[(&str, &str)] = &[
    (
        "increase rise grow climb gain soar jump surge expand up higher high more greater upward elevate raise \
         boost heighten larger bigger escalate growth enlarge accelerate elevation upregulate augment",
        "decrease fall decline drop shrink plunge down lower low less fewer smaller reduce diminish dwindle \
         lessen cut downward reduction plummet slump sink dip lose loss decelerate downregulate curtail few",
    ),
    (
        "promote activate enhance stimulate induce facilitate enable improve strengthen trigger",
        "inhibit suppress deactivate impair block hinder impede prevent repress weaken worsen reduce attenuate",
    ),
    (
        "before prior precede earlier previously",
        "after later subsequently afterwards follow following",
    ),
    ("above", "below beneath underneath under"),
    ("over", "under"),
    ("win victory triumph", "lose defeat loss"),
    (
        "accept approve endorse agree confirm ratify uphold pass",
        "reject refuse deny disapprove oppose veto overturn repudiate dismiss disagree",
    ),
    ("support favour favor back advocate", "oppose reject criticize criticise condemn"),
    ("include contain", "exclude omit"),
    (
        "start begin launch open commence initiate initiation onset beginning",
        "stop end finish close cease halt conclude terminate termination discontinue abandon",
    ),
    ("first", "last final"),
    ("north northern", "south southern"),
    ("east eastern", "west western"),
    ("buy purchase acquire", "sell"),
    ("inside indoors indoor interior", "outside outdoors outdoor exterior"),
    ("large big huge great enormous giant", "small little tiny"),
    ("long longer longest", "short shorter shortest brief"),
    ("tall taller tallest", "short shorter shortest"),
    ("old older oldest elderly", "young younger youngest"),
    ("old older oldest", "new newer newest"),
    ("strong stronger strongest", "weak weaker weakest"),
    ("good better best", "bad worse worst poor"),
    ("improve better improvement", "worsen worse deteriorate deterioration impair"),
    ("majority", "minority"),
    ("most highest", "least lowest fewest"),
    ("largest biggest greatest", "smallest"),
    ("maximum maximal", "minimum minimal"),
    (
        "fast faster fastest quick quickly rapid rapidly",
        "slow slower slowest slowly gradual gradually",
    ),
    ("early earlier earliest", "late later latest"),
    ("hot hotter hottest warm warmer warmest", "cold colder coldest cool cooler coolest"),
    ("left", "right"),
    ("import", "export"),
    ("positive positively", "negative negatively"),
    ("arrive enter arrival", "depart leave exit departure"),
    ("alive survive survival", "dead die death perish"),
    ("present presence", "absent absence"),
    ("succeed success successful successfully", "fail failure unsuccessful unsuccessfully"),
    ("true", "false untrue"),
    ("allow permit legal legalize", "forbid prohibit ban illegal outlaw"),
    ("empty", "full"),
    ("rich richer richest wealthy", "poor poorer poorest"),
    ("benefit beneficial", "harm harmful damage detrimental"),
    ("sensitive sensitivity susceptible", "resistant resistance insensitive"),
    ("protect protective", "endanger expose"),
    ("acute", "chronic"),
    ("heavy heavier heaviest", "light lighter lightest"),
    ("wide wider widest broad broader", "narrow narrower narrowest"),
    ("near nearer nearest close closer closest", "far farther farthest distant"),
    ("deep deeper deepest", "shallow shallower"),
    ("cheap cheaper cheapest", "expensive dearer costly"),
    ("easy easier easiest easily", "hard harder hardest difficult"),
    ("often frequent frequently common commonly", "seldom rare rarely infrequently uncommon"),
    ("always", "never"),
    ("same identical equal alike", "different unequal distinct"),
    ("similar similarly", "different dissimilar differently"),
    ("join", "leave quit"),
    ("build construct", "destroy demolish"),
    ("remember", "forget"),
    ("love", "hate"),
    ("asleep sleep", "awake"),
    ("sit", "stand"),
    ("push", "pull"),
    ("male man men", "female woman women"),
    ("boy", "girl"),
    ("married", "unmarried divorced single"),
    ("with", "without"),
    ("day", "night"),
    ("ancestor", "descendant"),
    ("innocent", "guilty"),
    ("safe safely", "dangerous unsafe"),
    ("clean", "dirty"),
    ("wet", "dry"),
    ("profit", "loss"),
    ("surplus", "deficit"),
    ("create establish found", "abolish dissolve disband"),
    ("appoint hire", "dismiss fire"),
    ("attack", "defend"),
    ("advance", "retreat"),
    ("borrow", "lend"),
    ("optimistic", "pessimistic"),
    ("publicly public", "privately private secretly"),
];

/// A side of a row of opposites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Side {
    pub(super) row: u8,
    pub(super) first: bool,
}

fn sides() -> &'static HashMap<String, Vec<Side>> {
    static SIDES: OnceLock<HashMap<String, Vec<Side>>> = OnceLock::new();
    SIDES.get_or_init(|| {
        let mut map: HashMap<String, Vec<Side>> = HashMap::new();
        for (row, (one, other)) in (0_u8..).zip(OPPOSITES) {
            for (words, first) in [(one, true), (other, false)] {
                for word in words.split_whitespace() {
                    let side = Side { row, first };
                    for form in [word.to_owned(), stem(word)] {
                        let known = map.entry(form).or_default();
                        if !known.contains(&side) {
                            known.push(side);
                        }
                    }
                }
            }
        }
        map
    })
}

/// The sides a word stands on, by its lower-case form or stem.
pub(super) fn sides_of(lower: &str, stem: &str) -> &'static [Side] {
    let map = sides();
    map.get(lower).or_else(|| map.get(stem)).map_or(&[], Vec::as_slice)
}

/// Whether two lists of sides oppose each other: a row with different sides, none with the same.
pub(super) fn opposed(one: &[Side], other: &[Side]) -> bool {
    let meets = |same: bool| {
        one.iter().any(|a| other.iter().any(|b| a.row == b.row && (a.first == b.first) == same))
    };
    meets(false) && !meets(true)
}

/// Whether two words go the same way in some row.
pub(super) fn agree(one: &[Side], other: &[Side]) -> bool {
    one.iter().any(|a| other.contains(a))
}

/// Words after which stands what somebody would have, not what is.
pub(super) fn proposes(lower: &str) -> bool {
    matches!(
        lower,
        "proposed"
            | "proposes"
            | "recommended"
            | "recommends"
            | "suggested"
            | "urged"
            | "asked"
            | "requested"
            | "considered"
            | "discussed"
            | "wondered"
    )
}

/// Whether a word says that something becomes more, less or another.
pub(super) fn changes(lower: &str, stem: &str) -> bool {
    matches!(stem, "chang" | "move" | "go" | "went" | "revis" | "shift" | "adjust" | "amend")
        || sides_of(lower, stem).iter().any(|side| side.row == 0)
}

/// Comparatives and superlatives: their mismatches are called comparative, not polarity.
pub(super) fn is_comparative(lower: &str) -> bool {
    matches!(
        lower,
        "more"
            | "less"
            | "fewer"
            | "most"
            | "least"
            | "fewest"
            | "better"
            | "worse"
            | "best"
            | "worst"
            | "earlier"
            | "later"
            | "further"
            | "farther"
            | "elder"
            | "greater"
            | "lesser"
    ) || (sides().contains_key(lower)
        && (lower.ends_with("er") && lower.len() > 4 || lower.ends_with("est"))
        && !matches!(lower, "under" | "after"))
}

/// What a negating word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Negator {
    /// "not", "never": turns the predicate after it.
    Verbal,
    /// "no", "without", "lack": turns the noun phrase after it, and the predicate of the clause.
    Nominal,
    /// "fail", "refuse", "deny": turns what it governs.
    Implicit,
}

/// Whether a word negates by itself.
pub(super) fn negator(lower: &str, stem: &str) -> Option<Negator> {
    Some(match lower {
        "not" | "n't" | "n’t" | "never" | "cannot" | "nor" | "neither" | "hardly" | "scarcely"
        | "barely" | "nowhere" => Negator::Verbal,
        "no" | "without" | "none" | "nobody" | "nothing" | "zero" => Negator::Nominal,
        "unable" | "incapable" | "absence" | "denied" | "denies" | "deny" | "denying"
        | "refuted" | "refutes" | "devoid" | "false" | "untrue" | "failed" | "fails" | "fail"
        | "failing" | "failure" | "declined" | "refuses" | "refused" | "refuse" | "unlikely"
        | "lacking" => Negator::Implicit,
        _ if matches!(stem, "lack" | "disprov" | "debunk") => Negator::Implicit,
        _ => return None,
    })
}

/// Words after "not" or "no" that make it no negation of the predicate ("not only", "no doubt").
pub(super) fn cancels_negation(next: &str) -> bool {
    matches!(
        next,
        "only"
            | "just"
            | "merely"
            | "simply"
            | "solely"
            | "least"
            | "doubt"
            | "surprisingly"
            | "one"
            | "matter"
    )
}

/// Words that make a statement weaker.
pub(super) fn is_hedge(lower: &str, stem: &str) -> bool {
    matches!(
        lower,
        "may"
            | "might"
            | "could"
            | "possibly"
            | "perhaps"
            | "maybe"
            | "probably"
            | "likely"
            | "potentially"
            | "potential"
            | "reportedly"
            | "allegedly"
            | "alleged"
            | "presumably"
            | "supposedly"
            | "apparently"
            | "seemingly"
            | "possible"
            | "plausible"
            | "arguably"
            | "would"
            | "should"
            | "unclear"
            | "uncertain"
            | "rumored"
            | "rumoured"
            | "tentative"
            | "tentatively"
            | "sometimes"
            | "hypothesis"
            | "purportedly"
            | "plan"
            | "plans"
            | "planned"
            | "planning"
            | "expected"
            | "expects"
            | "intends"
            | "aims"
            | "hopes"
            | "believed"
            | "believes"
            | "thought"
            | "proposed"
            | "proposes"
            | "conceivably"
    ) || matches!(
        stem,
        "suggest"
            | "seem"
            | "appear"
            | "indic"
            | "hypothes"
            | "hypothesi"
            | "specul"
            | "impli"
            | "claim"
            | "assum"
    )
}

/// Hedges that weaken the very word after them.
pub(super) fn is_modal(lower: &str, stem: &str) -> bool {
    matches!(
        lower,
        "may"
            | "might"
            | "could"
            | "possibly"
            | "perhaps"
            | "maybe"
            | "probably"
            | "likely"
            | "potentially"
            | "reportedly"
            | "allegedly"
            | "presumably"
            | "supposedly"
            | "apparently"
            | "seemingly"
            | "expected"
            | "planned"
            | "plans"
            | "sometimes"
            | "rumored"
            | "rumoured"
    ) || matches!(stem, "seem" | "appear" | "suggest")
}

/// Words that say that something is certain.
pub(super) fn is_booster(lower: &str, stem: &str) -> bool {
    matches!(
        lower,
        "definitely"
            | "certainly"
            | "undoubtedly"
            | "undeniably"
            | "unquestionably"
            | "conclusively"
            | "invariably"
            | "inevitably"
            | "absolutely"
            | "surely"
            | "certain"
            | "definitive"
            | "definitively"
            | "guaranteed"
            | "guarantees"
            | "always"
            | "must"
            | "indisputably"
            | "doubtless"
            | "irrefutably"
            | "categorically"
            | "incontrovertibly"
            | "unequivocally"
            | "undisputed"
            | "indisputable"
            | "proven"
            | "undoubted"
            | "assuredly"
            | "unfailingly"
            | "necessarily"
            | "clearly"
            | "obviously"
    ) || matches!(stem, "prove" | "proof")
}

/// Words that leave the truth of a statement to others, so that a claim with them is not bold.
pub(super) fn is_causal(lower: &str, stem: &str) -> bool {
    matches!(stem, "caus") || matches!(lower, "because" | "due")
}

/// Words of association without a cause.
pub(super) fn is_association(stem: &str) -> bool {
    matches!(stem, "associ" | "correl" | "link" | "relat" | "tie" | "connect" | "risk")
}

/// How much of a set a quantifier speaks of: 4 all, 3 most, 2 some or many, 1 few, 0 none.
pub(super) fn quantifier(lower: &str) -> Option<u8> {
    Some(match lower {
        "all" | "every" | "each" | "everyone" | "everybody" | "everything" | "entire" | "whole"
        | "always" => 4,
        "most" | "majority" | "mostly" | "usually" | "generally" => 3,
        "some" | "many" | "several" | "numerous" | "various" | "certain" | "sometimes"
        | "often" => 2,
        "few" | "rarely" | "seldom" | "minority" => 1,
        "none" | "nobody" | "no" | "never" => 0,
        _ => return None,
    })
}

/// Words that say that nothing else is meant.
pub(super) fn is_exclusive(lower: &str) -> bool {
    matches!(
        lower,
        "only"
            | "solely"
            | "exclusively"
            | "sole"
            | "alone"
            | "just"
            | "merely"
            | "purely"
            | "single"
            | "unique"
            | "uniquely"
            | "nothing"
            | "except"
            | "unless"
            | "exclusive"
            | "one"
            | "simply"
    )
}

/// Pronouns and phrases that stand for a name that is given elsewhere.
pub(super) fn is_anaphor(lower: &str) -> bool {
    matches!(
        lower,
        "he" | "she"
            | "it"
            | "they"
            | "him"
            | "her"
            | "them"
            | "his"
            | "hers"
            | "its"
            | "their"
            | "theirs"
            | "this"
            | "these"
            | "those"
            | "i"
            | "we"
            | "my"
            | "our"
            | "you"
            | "your"
            | "us"
            | "me"
            | "who"
            | "that"
    )
}

/// Titles and forms of address, which names may have or not.
pub(super) fn is_title(lower: &str) -> bool {
    matches!(
        lower,
        "mr" | "mrs"
            | "ms"
            | "miss"
            | "dr"
            | "prof"
            | "professor"
            | "sir"
            | "lord"
            | "lady"
            | "president"
            | "king"
            | "queen"
            | "prince"
            | "princess"
            | "saint"
            | "st"
            | "pope"
            | "bishop"
            | "emperor"
            | "senator"
            | "governor"
            | "minister"
            | "captain"
            | "general"
            | "colonel"
            | "major"
            | "judge"
            | "justice"
            | "rev"
            | "reverend"
            | "jr"
            | "sr"
            | "the"
            | "of"
            | "inc"
            | "ltd"
            | "corp"
            | "co"
            | "company"
            | "plc"
            | "llc"
            | "gmbh"
            | "corporation"
            | "city"
            | "county"
            | "state"
            | "mount"
            | "lake"
            | "river"
            | "and"
            | "de"
            | "von"
            | "van"
            | "la"
            | "le"
            | "al"
            | "da"
            | "di"
            | "duke"
            | "chancellor"
            | "secretary"
            | "apostle"
    )
}

/// Adjectives of peoples that no suffix rule derives from the country, with the country.
const DEMONYMS: &[(&str, &str)] = &[
    ("french", "france"),
    ("german", "germany"),
    ("spanish", "spain"),
    ("dutch", "netherlands"),
    ("dutch", "holland"),
    ("swiss", "switzerland"),
    ("greek", "greece"),
    ("danish", "denmark"),
    ("swedish", "sweden"),
    ("finnish", "finland"),
    ("polish", "poland"),
    ("turkish", "turkey"),
    ("welsh", "wales"),
    ("british", "britain"),
    ("british", "uk"),
    ("british", "kingdom"),
    ("english", "england"),
    ("scottish", "scotland"),
    ("irish", "ireland"),
    ("thai", "thailand"),
    ("chinese", "china"),
    ("japanese", "japan"),
    ("american", "us"),
    ("american", "u.s"),
    ("american", "usa"),
    ("american", "states"),
    ("iraqi", "iraq"),
    ("israeli", "israel"),
    ("pakistani", "pakistan"),
    ("filipino", "philippines"),
    ("belgian", "belgium"),
    ("norwegian", "norway"),
    ("hungarian", "hungary"),
    ("peruvian", "peru"),
    ("czech", "czechia"),
    ("argentine", "argentina"),
    ("roman", "rome"),
    ("athenian", "athens"),
    ("jewish", "jews"),
    ("european", "europe"),
    ("us", "states"),
    ("u.s", "states"),
    ("uk", "kingdom"),
    ("u.k", "kingdom"),
];

/// Whether one is the adjective of the other's land ("French", "France"; "Italian", "Italy").
pub(super) fn is_demonym(one: &str, other: &str) -> bool {
    let listed = |a: &str, b: &str| DEMONYMS.iter().any(|(x, y)| *x == a && *y == b);
    if listed(one, other) || listed(other, one) {
        return true;
    }
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let tails = ["n", "an", "ian", "ean", "ese", "ish", "i", "ite", "er", "ic"];
    let bases = ["", "a", "y", "ia", "e", "o"];
    bases.iter().any(|base| {
        short.strip_suffix(base).is_some_and(|root| {
            root.len() >= 4
                && long.strip_prefix(root).is_some_and(|tail| tails.contains(&tail) || tail == "s")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apart(one: &str, other: &str) -> bool {
        opposed(sides_of(one, &stem(one)), sides_of(other, &stem(other)))
    }

    #[test]
    fn opposites_in_all_forms() {
        assert!(apart("rose", "fell") || apart("rises", "falls"));
        assert!(apart("increased", "decreasing"));
        assert!(apart("before", "after"));
        assert!(apart("more", "less"));
        assert!(!apart("rise", "grow"));
        assert!(!apart("table", "chair"));
    }

    #[test]
    fn lands_and_their_adjectives() {
        assert!(is_demonym("french", "france"));
        assert!(is_demonym("italy", "italian"));
        assert!(is_demonym("canadian", "canada"));
        assert!(!is_demonym("spain", "french"));
        assert!(!is_demonym("iran", "iraq"));
    }
}
