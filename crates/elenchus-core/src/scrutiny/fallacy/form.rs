//! Checks of form: clauses, their parts, and whether the parts come back where they must not.

use super::catalog::Form;
use super::reading::Paragraph;
use crate::text::{is_stop_word, stem, words};
use regex::Regex;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

/// What a check of form has found: where, and the words for the question.
#[derive(Clone, Debug)]
pub(super) struct Hit {
    pub(super) form: Form,
    pub(super) range: Range<usize>,
    pub(super) words: Range<usize>,
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a fixed pattern, compiled by every test")
}

static CONNECTOR: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?:[;,:-]|\band|^) ?(?:and |but )?(?:so|therefore|thus|hence|consequently|it follows that|which means(?: that)?|that means(?: that)?|ergo)\b,? ?(?:that )?|; ?(?:and |but )?",
    )
});
static CONCLUSION: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"\b(?:so|therefore|thus|hence|consequently|it follows that|which means|that means|ergo)\b",
    )
});
static CONDITIONAL: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(?:and |but |well,? )?(?:if|when|whenever|once|as long as|provided that) (.+?)(?:,? then |, )(.+)$",
    )
});
static TRAILING: LazyLock<Regex> = LazyLock::new(|| regex(r"^(.+?),? (?:if|whenever) (.+)$"));
static DISJUNCTION: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^(?:either )?(.+?),? or (?:else )?(.+)$"));
static UNIVERSAL: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^(?:all|every|each|everyone who|everybody who|anyone who|any) .+$"));
static DOUBTFUL: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"\b(?:may|might|could|perhaps|maybe|probably|possibly|likely|suggests?|worth)\b")
});
static EXCLUSIVE: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"\b(?:not both|exactly one|only one of|never both|mutually exclusive)\b")
});
static REASON: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"^(.+?),? (?:because|since|for the (?:simple )?reason that) ([^,;:]+)")
});
static NEGATION: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"\b(?:not|no|never|none|nobody|cannot|without|neither|nor)\b|n't\b|\b(?:fails? to|failed to)\b",
    )
});

/// A clause: where it stands, what carries its meaning, and whether it is put as a conclusion.
struct Clause<'t> {
    range: Range<usize>,
    text: &'t str,
    stems: Vec<String>,
    negative: bool,
    concludes: bool,
}

impl<'t> Clause<'t> {
    fn new(plain: &'t str, range: Range<usize>, concludes: bool) -> Self {
        let text = plain[range.clone()].trim_end_matches(['.', '!', '?', '"', ',', ';', ' ']);
        Self { text, stems: stems(text), negative: negative(text), concludes, range }
    }

    fn set(&self) -> BTreeSet<&str> {
        self.stems.iter().map(String::as_str).collect()
    }

    fn position(&self, of: &BTreeSet<&str>) -> usize {
        self.stems.iter().position(|s| of.contains(s.as_str())).unwrap_or(usize::MAX)
    }
}

fn stems(text: &str) -> Vec<String> {
    let carries = |word: &String| !is_stop_word(word) && !word.ends_with("n't") && word != "also";
    words(text).iter().filter(|w| carries(w)).map(|w| stem(w)).collect()
}

fn negative(text: &str) -> bool {
    NEGATION.find_iter(text).count() % 2 == 1
}

/// Every hit in a paragraph.
pub(super) fn check(paragraph: &Paragraph) -> Vec<Hit> {
    let plain = paragraph.plain.as_str();
    let mut hits = Vec::new();
    for sentence in &paragraph.sentences {
        hits.extend(circle(plain, sentence));
    }
    // Nothing else can hit without a conclusion.
    if CONCLUSION.is_match(plain) {
        let clauses = clauses(paragraph);
        for three in clauses.windows(3) {
            if let [first, second, third] = three {
                hits.extend(syllogism(plain, first, second, third));
            }
        }
    }
    hits
}

fn clauses(paragraph: &Paragraph) -> Vec<Clause<'_>> {
    let plain = paragraph.plain.as_str();
    let mut clauses = Vec::new();
    for sentence in &paragraph.sentences {
        let text = &plain[sentence.clone()];
        let (mut from, mut concludes) = (0, false);
        for found in CONNECTOR.find_iter(text) {
            if found.start() > from {
                let range = sentence.start + from..sentence.start + found.start();
                clauses.push(Clause::new(plain, range, concludes));
            }
            from = found.end();
            concludes = found.as_str().bytes().any(|b| b.is_ascii_alphabetic())
                && !matches!(found.as_str().trim_matches([';', ' ']), "and" | "but");
        }
        if from < text.len() {
            clauses.push(Clause::new(plain, sentence.start + from..sentence.end, concludes));
        }
    }
    clauses
}

/// Share of `part` that `whole` holds, 0 to 1; 0 for an empty part.
fn held(part: &BTreeSet<&str>, whole: &BTreeSet<&str>) -> f64 {
    if part.is_empty() { 0.0 } else { part.intersection(whole).count() as f64 / part.len() as f64 }
}

/// Shares above which a part has come back, and below which it has not.
const BACK: f64 = 0.5;
const AWAY: f64 = 0.34;

fn syllogism(
    plain: &str,
    first: &Clause<'_>,
    second: &Clause<'_>,
    third: &Clause<'_>,
) -> Option<Hit> {
    if first.concludes || second.concludes || !third.concludes || DOUBTFUL.is_match(third.text) {
        return None;
    }
    let range = first.range.start..third.range.end;
    let hit = |form, part: &str| {
        let at = plain[first.range.clone()]
            .find(part)
            .map_or(first.range.start, |i| first.range.start + i);
        Some(Hit { form, range: range.clone(), words: at..at + part.len() })
    };
    let (one, two) = (second.set(), third.set());
    let returns = |a: &str, b: &str| {
        let (a, b) = (stems(a), stems(b));
        let a: BTreeSet<&str> = a.iter().map(String::as_str).collect();
        let b: BTreeSet<&str> = b.iter().map(String::as_str).collect();
        let only_a: BTreeSet<&str> = a.difference(&b).copied().collect();
        let only_b: BTreeSet<&str> = b.difference(&a).copied().collect();
        held(&only_a, &one) >= BACK
            && held(&only_b, &one) <= AWAY
            && held(&only_b, &two) >= BACK
            && held(&only_a, &two) <= AWAY
    };
    let conditional = CONDITIONAL
        .captures(first.text)
        .map(|c| (c.get(1), c.get(2)))
        .or_else(|| TRAILING.captures(first.text).map(|c| (c.get(2), c.get(1))));
    if let Some((Some(p), Some(q))) = conditional {
        let (p, q) = (p.as_str(), q.as_str());
        let (not_p, not_q) = (negative(p), negative(q));
        if returns(q, p) && second.negative == not_q && third.negative == not_p {
            return hit(Form::AffirmedConsequent, q);
        }
        if returns(p, q) && second.negative != not_p && third.negative != not_q {
            return hit(Form::DeniedAntecedent, q);
        }
        return None;
    }
    if UNIVERSAL.is_match(first.text) && !first.negative && !second.negative && !third.negative {
        let all = first.set();
        let a: BTreeSet<&str> =
            all.intersection(&two).filter(|s| !one.contains(*s)).copied().collect();
        let b: BTreeSet<&str> =
            all.intersection(&one).filter(|s| !two.contains(*s)).copied().collect();
        let c: BTreeSet<&str> =
            one.intersection(&two).filter(|s| !all.contains(*s)).copied().collect();
        let ordered = first.position(&a) < first.position(&b)
            && second.position(&c) < second.position(&b)
            && third.position(&c) < third.position(&a);
        if !a.is_empty() && !b.is_empty() && !c.is_empty() && ordered {
            return hit(Form::UndistributedMiddle, first.text);
        }
        return None;
    }
    let (p, q) = DISJUNCTION
        .captures(first.text)
        .and_then(|c| Some((c.get(1)?.as_str(), c.get(2)?.as_str())))?;
    if EXCLUSIVE.is_match(&plain[range.clone()]) {
        return None;
    }
    let (not_p, not_q) = (negative(p), negative(q));
    if returns(p, q) && second.negative == not_p && third.negative != not_q {
        return hit(Form::AffirmedDisjunct, q);
    }
    if returns(q, p) && second.negative == not_q && third.negative != not_p {
        return hit(Form::AffirmedDisjunct, p);
    }
    None
}

/// Words that add nothing to a reason: saying so is not a reason.
const EMPTY: &[&str] =
    &["say", "tell", "claim", "simpli", "just", "realli", "veri", "so", "fact", "other", "thing"];

/// A reason all of whose words were in the claim already.
fn circle(plain: &str, sentence: &Range<usize>) -> Option<Hit> {
    let text = &plain[sentence.clone()];
    let found = REASON.captures(text)?;
    let (claim, reason) = (found.get(1)?, found.get(2)?);
    let roots = |text: &str| -> BTreeSet<String> {
        stems(text)
            .into_iter()
            .filter(|s| !EMPTY.contains(&s.as_str()))
            .map(|s| match s.as_str() {
                "best" | "better" => "good".to_owned(),
                "true" | "truth" => "true".to_owned(),
                _ => s.chars().take(6).collect(),
            })
            .collect()
    };
    let (given, why) = (roots(claim.as_str()), roots(reason.as_str()));
    // A few shared words in a long claim are chance; the reason has to cover a fair part of a short claim.
    let covers = why.len() * 2 >= given.len() && given.len() <= 6;
    let same = !why.is_empty() && why.is_subset(&given) && covers;
    let same_polarity = negative(claim.as_str()) == negative(reason.as_str());
    let words = reason.as_str().split_whitespace().count();
    (same && same_polarity && words >= 3).then(|| Hit {
        form: Form::Circle,
        range: sentence.start + claim.start()..sentence.start + reason.end(),
        words: sentence.start + reason.start()..sentence.start + reason.end(),
    })
}
