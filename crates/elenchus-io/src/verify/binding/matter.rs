//! Whether evidence speaks of what a claim speaks of: without that it opposes nothing.

use super::ground::{NEAR_COSINE, View, near_cosine};
use super::prepare::{Kind, Prepared};
use super::report::Report;
use super::who;
use crate::verify::tokens::{Pos, Token};

/// Hits weaker than this do not even show that a thing is spoken of.
const LOOSE: f32 = 0.35;

/// Whether a token points back to something that was named before.
fn points_back(lower: &str) -> bool {
    matches!(
        lower,
        "he" | "she" | "it" | "they" | "him" | "her" | "them" | "this" | "these" | "those"
    )
}

/// The content words of the claim, figures and dates aside.
fn words(view: &View<'_>) -> impl Iterator<Item = usize> {
    let items = view.claim.items.iter().enumerate();
    items.filter(|(_, item)| matches!(item.kind, Kind::Plain | Kind::Name)).map(|(at, _)| at)
}

fn is_met(view: &View<'_>, at: usize, sentence: usize) -> bool {
    view.hits[at].iter().any(|hit| hit.sentence == sentence && hit.strength >= LOOSE)
}

/// Whether the sentence nearest to the claim, the first one given, has a word of it or points back to what others name. One deed
/// in common is not enough where a claim says more: "dogs are kept on a lead" is nothing to the landlord who keeps cattle.
pub(super) fn is_spoken_of(view: &View<'_>) -> bool {
    let Some(nearest) = view.given.iter().position(|given| *given == 0) else { return true };
    let first = view.evidence[nearest].tokens.iter().find(|token| !token.is_mark());
    let mut met = words(view).filter(|at| is_met(view, *at, nearest));
    let says_more = words(view).nth(2).is_some();
    words(view).next().is_none()
        || first.is_some_and(|token| points_back(&token.lower))
        || met.any(|at| !says_more || view.claim.tokens[at].pos != Pos::Verb)
}

/// Whether the clause of a token speaks of more of the claim than that one word: of two things that both "did not move" the one
/// says nothing of the other. A claim of hardly any other word, and a clause with a pronoun, leave it open.
pub(super) fn is_of_more(view: &View<'_>, word: usize, sentence: usize, token: usize) -> bool {
    let others = || words(view).filter(move |at| *at != word);
    if others().nth(1).is_none() || others().any(|at| is_met(view, at, sentence)) {
        return true;
    }
    let p = view.evidence[sentence];
    let clause = p.items[token].clause;
    let mut here = p.tokens.iter().zip(&p.items).filter(|(_, item)| item.clause == clause);
    here.any(|(token, _)| points_back(&token.lower))
}

/// Whether a place of a sentence tells of another thing than the claim: it has a subject of its own, and no noun of the claim
/// stands for anything in the sentence. "The firm" may be whoever a claim names, so a claim about names alone is left open.
pub(super) fn is_of_another(view: &View<'_>, sentence: usize, token: usize) -> bool {
    let p = view.evidence[sentence];
    let is_noun = |p: &Prepared, at: usize| matches!(p.tokens[at].pos, Pos::Noun | Pos::ProperNoun);
    let Some(subject) = who::subject(p, token) else { return false };
    let is_known = |at: usize| view.is_used(sentence, at);
    let verb = view.claim.tokens.iter().position(|t| matches!(t.pos, Pos::Verb | Pos::Aux));
    let before = verb.unwrap_or(0);
    let has_noun =
        (0..before).any(|at| view.claim.items[at].kind == Kind::Plain && is_noun(view.claim, at));
    let is_back = p.tokens.iter().any(|token| points_back(&token.lower));
    has_noun
        && !is_back
        && !subject.0.clone().any(is_known)
        && !words(view).any(|at| is_noun(view.claim, at) && is_met(view, at, sentence))
}

/// Whether a date of a sentence stands beside another deed than the date of the claim: the year in which somebody joined is no
/// other year for what he says. Both have to have a deed; a claim that something was so then has none.
pub(super) fn is_of_another_deed(
    view: &View<'_>,
    own: usize,
    sentence: usize,
    token: usize,
) -> bool {
    let (claim, p) = (view.claim, view.evidence[sentence]);
    let deeds = |of: &Prepared, at: usize| -> Vec<usize> {
        let is_deed = |i: &usize| {
            of.items[*i].clause == of.items[at].clause
                && of.items[*i].kind == Kind::Plain
                && of.tokens[*i].pos == Pos::Verb
        };
        (0..of.tokens.len()).filter(is_deed).collect()
    };
    let (ours, theirs) = (deeds(claim, own), deeds(p, token));
    let is_told = |at: &usize| {
        let mut hits = view.hits[*at].iter().filter(|hit| hit.sentence == sentence);
        hits.any(|hit| !hit.opposite && hit.strength >= LOOSE)
            || theirs.iter().any(|other| near_cosine(claim, *at, p, *other) >= NEAR_COSINE)
    };
    !ours.is_empty()
        && !theirs.is_empty()
        && !ours.iter().any(is_told)
        && !theirs.iter().any(|at| view.is_used(sentence, *at))
}

/// Whether a sentence whose subject is a pronoun stands on a page that names nobody whom the claim names: "She never married" on
/// the page of another woman. `page` is all that is read of it, its title and headings too.
pub(crate) fn is_of_somebody_else<'p>(
    claim: &Prepared,
    nearest: &Prepared,
    page: impl IntoIterator<Item = &'p Prepared>,
) -> bool {
    let is_verb = |token: &Token| matches!(token.pos, Pos::Verb | Pos::Aux);
    let verb = nearest.tokens.iter().position(is_verb).unwrap_or(nearest.tokens.len());
    let is_open = nearest.tokens[..verb].iter().any(|token| points_back(&token.lower))
        && !nearest.names.iter().any(|name| name.tokens.start < verb);
    let opening = claim.tokens.first().filter(|token| token.pos == Pos::ProperNoun);
    let named = claim.names.iter().flat_map(|name| &name.words).map(|at| &claim.tokens[*at]);
    let words: Vec<&str> = named.chain(opening).map(|token| token.lower.as_str()).collect();
    // "tora-lind": the name of a file is one token.
    let is_named = |token: &Token| {
        let mut parts = token.lower.split(|c: char| !c.is_alphanumeric());
        words.contains(&token.lower.as_str()) || parts.any(|part| words.contains(&part))
    };
    let has = |p: &Prepared| p.tokens.iter().any(is_named);
    is_open && !words.is_empty() && !page.into_iter().any(has)
}

/// What a thing by name is ("Naptha is a monarchy"), against a sentence about another name that has no word for that: it opposes
/// nothing, though it speaks of a Napthan painter.
pub(super) fn class_of_another(view: &View<'_>, report: &mut Report<'_>) {
    let claim = view.claim;
    let Some(nearest) = view.given.iter().position(|given| *given == 0) else { return };
    let p = view.evidence[nearest];
    let lower = |at: usize| claim.tokens.get(at).map_or("", |token| token.lower.as_str());
    // The first word has a capital anyway, and the tagger may take it for a noun.
    let is_name = |p: &Prepared, at: usize| {
        let is_before_name =
            |next: usize| p.tokens.get(next).is_some_and(|token| token.pos == Pos::ProperNoun);
        match p.tokens[at].pos {
            Pos::ProperNoun => true,
            Pos::Noun => at == 0 && p.tokens[at].is_capital() && is_before_name(1),
            _ => false,
        }
    };
    let named = (0..claim.tokens.len()).take_while(|at| is_name(claim, *at)).count();
    let verb = named
        + usize::from(matches!(lower(named), "has" | "have" | "had") && lower(named + 1) == "been");
    let is_class = named > 0
        && matches!(lower(verb), "is" | "was" | "been")
        && matches!(lower(verb + 1), "a" | "an");
    let mut class = words(view).filter(|at| *at > verb).peekable();
    let of_name = (0..p.tokens.len()).take_while(|at| is_name(p, *at)).count();
    let is_used = (0..of_name).any(|at| view.is_used(nearest, at));
    if is_class
        && class.peek().is_some()
        && of_name > 0
        && !is_used
        && !p.tokens.iter().any(|token| points_back(&token.lower))
        && !class.any(|at| is_met(view, at, nearest))
    {
        report.opposes_nothing();
    }
}

/// Whether a word stands in a clause about another thing than the one that the claim says it of, while a clause beside it speaks of
/// that one: "the storm destroyed two barns, but
/// the shed survived" says of no shed that it was destroyed.
pub(super) fn is_of_other_clause(
    view: &View<'_>,
    word: usize,
    sentence: usize,
    token: usize,
) -> bool {
    let p = view.evidence[sentence];
    let Some(subject) = who::subject(view.claim, word) else { return false };
    let clause = p.items[token].clause;
    let spoken = || {
        let hits = subject.0.clone().flat_map(move |at| &view.hits[at]);
        hits.filter(move |hit| hit.sentence == sentence && hit.strength >= LOOSE && !hit.opposite)
    };
    let mut here = p.tokens.iter().zip(&p.items).filter(|(_, item)| item.clause == clause);
    let is_open = here.any(|(token, _)| {
        points_back(&token.lower) || matches!(token.lower.as_str(), "which" | "who" | "that")
    });
    // A clause of its own: a noun before the verb, and one behind it to which it is done.
    let has_subject = who::subject(p, token).is_some();
    let has_object = (token + 1..p.tokens.len())
        .take_while(|at| p.items[*at].clause == clause)
        .any(|at| matches!(p.tokens[at].pos, Pos::Noun | Pos::ProperNoun));
    spoken().next().is_some()
        && !spoken().any(|hit| p.items[hit.token].clause == clause)
        && has_subject
        && has_object
        && !is_open
}

#[cfg(test)]
mod tests {
    use super::super::tests::run;
    use super::super::{Against, Prepared};
    use super::is_of_somebody_else;

    #[test]
    fn the_date_of_another_deed_denies_none() {
        let evidence = "The choir bought a piano in 2019.";
        assert!(!run("The choir sang in Norway in 2026.", &[evidence]).contradicts());
        assert!(run("The choir bought a piano in 2026.", &[evidence]).contradicts());
        // Another word for the same deed.
        assert!(run("The choir purchased a piano in 2026.", &[evidence]).contradicts());
    }

    #[test]
    fn a_pronoun_is_nobody_whom_its_page_does_not_name() {
        let is_other = |claim: &str, nearest: &str, page: &[&str]| {
            let page: Vec<Prepared> = page.iter().map(|text| Prepared::new(text)).collect();
            is_of_somebody_else(&Prepared::new(claim), &Prepared::new(nearest), &page)
        };
        let claim = "Tora Lind is married to Odd Vik.";
        assert!(is_other(claim, "She never married.", &["Edda Roth", "She never married."]));
        assert!(!is_other(claim, "She never married.", &["Tora Lind", "She never married."]));
        assert!(!is_other(claim, "She never married.", &["tora-lind", "She never married."]));
        // The sentence has a subject of its own.
        let own = "Edda Roth never married.";
        assert!(!is_other(claim, own, &["Edda Roth", own]));
        // A claim without names may be about anybody.
        assert!(!is_other("The keeper is married.", "She never married.", &["Edda Roth"]));
    }

    #[test]
    fn a_deed_alone_is_no_common_matter() {
        let against = |claim: &str, evidence: &str| run(claim, &[evidence]).against;
        let claim = "The instructor was looking at the other boat.";
        assert_eq!(
            against(claim, "The question will be looked at again in November."),
            Against::Not
        );
        assert_ne!(against(claim, "The instructor looked at nothing."), Against::Not);
        assert_ne!(against(claim, "He did not look anywhere."), Against::Not);
    }

    #[test]
    fn what_another_thing_is_opposes_no_class() {
        let against = |claim: &str, evidence: &str| run(claim, &[evidence]).against;
        let claim = "Naptha is a monarchy.";
        assert_eq!(against(claim, "Ada Holt is a Napthan painter."), Against::Not);
        assert_ne!(against(claim, "Naptha is a republic."), Against::Not);
        assert_ne!(against(claim, "Ada Holt ended the monarchy of Naptha."), Against::Not);
    }

    #[test]
    fn what_befell_another_thing_denies_nothing() {
        let claim = "The shed was not destroyed by the storm of 1931.";
        let evidence = "The storm of 1931 destroyed two barns, but the shed survived.";
        assert!(!run(claim, &[evidence]).contradicts());
        let evidence = "The storm of 1931 destroyed two barns and the shed.";
        assert!(run(claim, &[evidence]).contradicts());
        assert!(run(claim, &["The shed was destroyed by the storm of 1931."]).contradicts());
    }

    #[test]
    fn what_may_happen_on_one_day_denies_no_other() {
        let evidence = "Either party may end the lease on 25 March 2028 by giving notice.";
        assert!(!run("The lease ends in 2035.", &[evidence]).contradicts());
        let evidence = "The lease ends on 25 March 2028.";
        assert!(run("The lease ends in 2035.", &[evidence]).contradicts());
    }

    #[test]
    fn the_date_of_another_thing_denies_none() {
        let evidence = "The lorry arrives on 4 March 2025.";
        let claim = "The choir's first rehearsal begins on 9 May 2025.";
        assert!(!run(claim, &[evidence]).contradicts());
        assert!(run("The lorry arrives on 9 May 2025.", &[evidence]).contradicts());
        let evidence = "The rehearsal of the choir begins on 4 March 2025.";
        assert!(run(claim, &[evidence]).contradicts());
        // Who is meant stands elsewhere.
        assert!(run(claim, &["It begins on 4 March 2025."]).contradicts());
    }

    #[test]
    fn a_price_denies_no_sum_of_others() {
        let tent = "| Tent, per night | £18 |";
        let boat = "The boat costs £41.";
        assert!(!run("Four nights in the tent come to £72.", &[tent, boat]).contradicts());
        assert!(!run("Four nights in the cabin come to £72.", &[boat]).contradicts());
        assert!(run("The boat costs £72.", &[boat]).contradicts());
    }

    #[test]
    fn a_condition_is_no_denial() {
        for (claim, evidence) in [
            (
                "Nobody may begin work on the site without a valid pass.",
                "Anyone working on the site must hold a valid pass before beginning work.",
            ),
            (
                "Visitors enter the vault with a guard.",
                "No visitor enters the vault without a guard.",
            ),
            ("The kiosk takes cards only.", "Payment at the kiosk is by card; no cash is taken."),
        ] {
            let found = run(claim, &[evidence]);
            assert!(!found.contradicts(), "{claim:?} | {evidence:?}: {found:?}");
        }
        for (claim, evidence) in [
            (
                "Visitors enter the vault without a guard.",
                "No visitor enters the vault without a guard.",
            ),
            ("The kiosk takes cash.", "Payment at the kiosk is by card; no cash is taken."),
            ("Work on the site begins.", "No work on the site begins."),
        ] {
            let found = run(claim, &[evidence]);
            assert!(found.contradicts(), "{claim:?} | {evidence:?}: {found:?}");
        }
    }
}
