//! Who holds an office: "The treasurer is Ann Lee" against "The treasurer is Bob Roe; he is reached in the evening".
//!
//! A sentence that says who holds the very office of a claim says otherwise, however much else it says; so does a list that gives
//! each name its office in brackets.

use super::ground::View;
use super::lexicon;
use super::prepare::{Kind, Prepared};
use super::report::Report;
use super::who;
use crate::verify::tokens::Pos;
use elenchus_core::port::MismatchKind;
use std::ops::Range;

/// "The OFFICE is NAME" or "NAME is the OFFICE".
struct Holding {
    /// The content words of the office, as stems, in order.
    office: Vec<String>,
    name: Range<usize>,
}

/// Offices that one person holds at a time.
const SINGLE: [&str; 20] = [
    "director",
    "chair",
    "chairman",
    "chairwoman",
    "chairperson",
    "president",
    "secretary",
    "treasurer",
    "executive",
    "mayor",
    "minister",
    "manager",
    "captain",
    "editor",
    "chancellor",
    "principal",
    "rector",
    "dean",
    "warden",
    "head",
];

/// Words by which several may hold one, or by which it is held no more.
const SHARED: [&str; 15] = [
    "vice",
    "deputy",
    "assistant",
    "associate",
    "co",
    "joint",
    "former",
    "ex",
    "acting",
    "interim",
    "regional",
    "senior",
    "junior",
    "honorary",
    "executive-director",
];

/// Tokens of an office in brackets, at most.
const BRACKETED: usize = 8;

/// Where the part of a sentence ends that begins at a token: before a mark.
fn end_of(p: &Prepared, from: usize) -> usize {
    (from..p.tokens.len()).find(|at| p.tokens[*at].is_mark()).unwrap_or(p.tokens.len())
}

/// The stems of a definite office in some tokens: a common noun behind "the", and nothing else than what belongs to it.
fn office(p: &Prepared, part: Range<usize>) -> Option<Vec<String>> {
    let the = part.clone().find(|at| p.tokens[*at].lower == "the")?;
    // What stands before it may be a number of the paragraph.
    let is_number = |at: usize| p.tokens[at].is_mark() || p.tokens[at].has_digit();
    let words = the + 1..part.end;
    let is_plain = |at: usize| {
        p.items[at].kind != Kind::Number
            && p.items[at].kind != Kind::Date
            && !p.items[at].negated
            && p.tokens[at].pos != Pos::Aux
    };
    if !(part.start..the).all(is_number) || !words.clone().all(is_plain) {
        return None;
    }
    let has_noun =
        words.clone().any(|at| p.items[at].kind == Kind::Plain && p.tokens[at].pos == Pos::Noun);
    let stems = words.filter(|at| p.is_content(*at)).map(|at| p.tokens[at].stem.clone());
    has_noun.then(|| stems.collect())
}

/// Whether some tokens are a name and nothing else.
fn is_name(p: &Prepared, part: &Range<usize>) -> bool {
    !part.is_empty() && part.clone().all(|at| p.items[at].kind == Kind::Name)
}

/// Who a sentence says holds which office now.
fn holding(p: &Prepared) -> Option<Holding> {
    let verb = p.tokens.iter().position(|token| token.lower == "is")?;
    let (left, right) = (0..verb, verb + 1..end_of(p, verb + 1));
    if is_name(p, &right) {
        return Some(Holding { office: office(p, left)?, name: right });
    }
    is_name(p, &left).then_some(())?;
    Some(Holding { office: office(p, right)?, name: left })
}

/// A claim that somebody holds an office, where the evidence names another holder of the same one.
pub(super) fn another(view: &View<'_>, report: &mut Report<'_>) {
    let Some(own) = holding(view.claim) else { return };
    let words = |p: &Prepared, name: &Range<usize>| -> Vec<String> {
        p.tokens[name.clone()].iter().map(|token| token.lower.clone()).collect()
    };
    let ours = words(view.claim, &own.name);
    let mut found = None;
    for p in &view.evidence {
        let Some(other) = holding(p).filter(|other| other.office == own.office) else { continue };
        // One place with the claim's name, or a part of it, is enough.
        if words(p, &other.name).iter().any(|word| ours.contains(word)) {
            return;
        }
        found = found.or_else(|| Some(who::text(p, &other.name)));
    }
    let Some(other) = found else { return };
    report.checked(MismatchKind::Entity);
    // Every committee has a chair of its own.
    if own.office.len() > 1 {
        report.surely();
    }
    let name = who::text(view.claim, &own.name);
    let reason = format!("the claim says {name}, the evidence {other}");
    report.add(MismatchKind::Entity, own.name, Some(other), true, reason);
}

/// The stems of an office of one holder that some tokens name, without an article.
fn bare_office(p: &Prepared, part: Range<usize>) -> Option<Vec<String>> {
    let lower = |at: usize| p.tokens[at].lower.as_str();
    // "Finance Director": with capitals it is a name to the tagger.
    let is_plain =
        |at: usize| matches!(p.items[at].kind, Kind::Plain | Kind::Name) && !p.items[at].negated;
    let is_word =
        |at: usize| is_plain(at) || matches!(lower(at), "of" | "and" | "for" | "the" | "to");
    let is_single = part.clone().any(|at| SINGLE.contains(&lower(at)));
    let is_shared = part.clone().any(|at| SHARED.contains(&lower(at)));
    let is_office = is_single && !is_shared && part.clone().all(is_word);
    is_office.then(|| part.filter(|at| is_plain(*at)).map(|at| p.tokens[at].stem.clone()).collect())
}

/// "Ann Lee (treasurer), Bob Roe (chair of the board)": whom a sentence gives an office in brackets.
fn listed(p: &Prepared) -> Vec<Holding> {
    let office_of = |open: usize| {
        let mut inside = (open + 1..p.tokens.len()).take(BRACKETED + 1);
        let close = inside.find(|at| p.tokens[*at].is_mark())?;
        let name = p.names.iter().find(|name| name.tokens.end == open)?;
        let office = bare_office(p, open + 1..close).filter(|_| p.tokens[close].text == ")")?;
        Some(Holding { office, name: name.tokens.clone() })
    };
    (0..p.tokens.len()).filter(|at| p.tokens[*at].text == "(").filter_map(office_of).collect()
}

/// Who a claim says holds such an office, with an article or without.
fn claimed(p: &Prepared) -> Option<Holding> {
    let verb = p.tokens.iter().position(|token| token.lower == "is")?;
    // "Dr Ann Lee", "the treasurer".
    let skips = |from: usize, is_it: fn(&str) -> bool| {
        from + usize::from(p.tokens.get(from).is_some_and(|token| is_it(&token.lower)))
    };
    let end = end_of(p, verb + 1);
    let left = skips(0, lexicon::is_title)..verb;
    let right = skips(verb + 1, |lower| lower == "the")..end;
    if is_name(p, &left) {
        return Some(Holding { office: bare_office(p, right)?, name: left });
    }
    let name = skips(verb + 1, lexicon::is_title)..end;
    is_name(p, &name).then_some(())?;
    Some(Holding { office: bare_office(p, skips(0, |lower| lower == "the")..verb)?, name })
}

/// A claim that somebody holds an office, where a list gives it to another: "Ann Lee (chair), Bob Roe (treasurer)".
pub(super) fn listed_otherwise(view: &View<'_>, report: &mut Report<'_>) {
    let claim = view.claim;
    let Some(own) = claimed(claim).filter(|_| claim.negators.is_empty()) else { return };
    let ours = &claim.tokens[own.name.clone()];
    let shares = |p: &Prepared, part: Range<usize>| {
        p.tokens[part].iter().any(|other| ours.iter().any(|token| token.lower == other.lower))
    };
    let mut found: Option<(String, bool)> = None;
    for p in &view.evidence {
        let list = listed(p);
        let has = |stem: &String| p.tokens.iter().any(|token| token.stem == *stem);
        // A sentence with the name and the office may well say it.
        if list.is_empty() && shares(p, 0..p.tokens.len()) && own.office.iter().all(has) {
            return;
        }
        let holders: Vec<&Holding> =
            list.iter().filter(|other| other.office == own.office).collect();
        match holders.as_slice() {
            [] => {}
            [one] if !shares(p, one.name.clone()) => {
                let is_listed = list.iter().any(|other| shares(p, other.name.clone()));
                found = found.or_else(|| Some((who::text(p, &one.name), is_listed)));
            }
            // It is so, or several hold it.
            _ => return,
        }
    }
    let Some((other, is_listed)) = found else { return };
    report.checked(MismatchKind::Entity);
    // Where the same list gives the claim's name another office, nothing is left open.
    if is_listed {
        report.surely();
    }
    let name = who::text(claim, &own.name);
    let reason = format!("the claim says {name}, the evidence {other}");
    report.add(MismatchKind::Entity, own.name, Some(other), true, reason);
}

#[cfg(test)]
mod tests {
    use super::super::Against;
    use super::super::tests::run;

    const PRESENT: &str = "Present: Orla Finch (chair), Sten Maro (head of music), \
                           Ida Brun (finance manager), Per Holm (member).";

    #[test]
    fn a_list_gives_each_name_its_office() {
        for (claim, is_listed) in [
            ("Ida Brun is the head of music.", true),
            ("Sten Maro is finance manager.", true),
            ("Nils Aker is finance manager.", false),
            ("The finance manager is Nils Aker.", false),
            ("Nils Aker is the Finance Manager.", false),
        ] {
            let found = run(claim, &[PRESENT]);
            assert!(found.contradicts(), "{claim}: {found:?}");
            assert!(!is_listed || found.against == Against::Surely, "{claim}: {found:?}");
        }
    }

    #[test]
    fn an_office_of_several_is_nobodys_alone() {
        let is_other = |claim: &str, evidence: &[&str]| {
            let found = run(claim, evidence);
            found.against == Against::Surely
        };
        for claim in [
            "Sten Maro is the head of music.",
            "Ida Brun is a member.",
            "Ida Brun is not the head of music.",
            "Ida Brun is the head of dance.",
        ] {
            assert!(!is_other(claim, &[PRESENT]), "{claim}");
        }
        let two = "Present: Ida Brun (chair), Orla Finch (director), Per Holm (director).";
        assert!(!is_other("Ida Brun is the director.", &[two]));
        let since = "In June Ida Brun became head of music.";
        assert!(!is_other("Ida Brun is the head of music.", &[PRESENT, since]));
    }
}
