//! Strategies by rule: what closed a gap, what did not, what turned out wrong.
//!
//! A rule speaks only of what the facts show. Titles and descriptions name the kind of thing, never the thing, so that two runs
//! about different matters can teach the same; the content adds the case as an example.

use super::{GapFacts, HypothesisFacts, SessionFacts};
use crate::bank::scrub::scrub;
use crate::bank::{DOCUMENTS, FRUITLESS, Outcome, SEARCH_WORDS};
use crate::inquiry::gap::{GapReason, GapStatus};
use crate::prompt::{Prior, ProposedStrategy, QueryStrategy, STRATEGY_DESCRIPTION, STRATEGY_TITLE};
use crate::scrutiny::fallacy::{Language, question_language};
use crate::text::{content_set, is_stop_word, squeeze, stem, words};
use std::collections::BTreeSet;

/// Most words of a query that count as other words for one matter.
const MOST_WORDS: usize = 6;
/// Longest subject of a title, in characters.
const SUBJECT: usize = 32;
/// Most documents that are named.
const MOST_NAMES: usize = 6;
/// Longest text of the case that the content shows.
const SHOWN: usize = 160;

/// What a run teaches by rule, the surest first, at most `most`: searches that closed what others had not, gaps that were
/// given up, explanations that were held likely and refuted, and fallacies of the run's own drafts. Often nothing.
pub fn distil_facts(facts: &SessionFacts, most: usize) -> Vec<ProposedStrategy> {
    let mut found: Vec<(f64, ProposedStrategy)> = Vec::new();
    for gap in &facts.gaps {
        found.extend(other_words(gap, facts));
        found.extend(closed_late(gap, facts));
        found.extend(fruitless(gap, facts));
        found.extend(given_up(gap, facts));
    }
    found.extend(facts.hypotheses.iter().filter_map(|tested| refuted(tested, facts)));
    found.extend(own_fallacy(facts));
    // The surest first; what comes first in the run decides between equals.
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut kept: Vec<ProposedStrategy> = Vec::new();
    for (_, one) in found {
        let same = |other: &ProposedStrategy| other.title == one.title;
        if kept.len() < most && !kept.iter().any(same) {
            kept.push(one);
        }
    }
    kept
}

/// What a way of searching does.
struct Way {
    /// As an order, in lower case.
    order: &'static str,
    /// How it is done.
    how: &'static str,
}

fn way(strategy: QueryStrategy) -> Way {
    let (order, how) = match strategy {
        QueryStrategy::Keywords => (
            "search with other words",
            "use the words that a document would use for the same thing",
        ),
        QueryStrategy::Angle => (
            "search for what stands beside it",
            "search for what a document would say next to the answer, not for the answer",
        ),
        QueryStrategy::Broader => (
            "drop a condition from the search",
            "leave out the narrowest condition and read more widely",
        ),
        QueryStrategy::Narrower => (
            "add a condition to the search",
            "add a name, a kind or a place that only the wanted document would hold",
        ),
        QueryStrategy::TimeFocus => (
            "name another time in the search",
            "put another year, vintage or \"latest\" into the search",
        ),
    };
    Way { order, how }
}

/// The kind of value that was missing, as a noun: one word of letters, or nothing.
fn kind(gap: &GapFacts) -> Option<String> {
    let kind = squeeze(gap.expects.as_deref()?).to_lowercase();
    let plain = !kind.is_empty() && kind.chars().count() <= 14;
    (plain && kind.chars().all(|c| c.is_alphabetic() || c == ' ')).then_some(kind)
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A text of the case, on one line, without secrets and line marks.
fn shown(text: &str) -> String {
    let clean = scrub(&squeeze(text)).text.replace('"', "'");
    match clean.char_indices().nth(SHOWN) {
        None => clean,
        Some((at, _)) => format!("{}…", &clean[..at]),
    }
}

fn proposed(
    title: String,
    description: String,
    lines: &[String],
    tags: &[&str],
    outcome: Outcome,
) -> ProposedStrategy {
    let cut = |text: String, most: usize| text.chars().take(most).collect::<String>();
    ProposedStrategy {
        title: cut(title, STRATEGY_TITLE),
        description: cut(description, STRATEGY_DESCRIPTION),
        content: lines
            .iter()
            .filter(|line| !line.is_empty())
            .cloned()
            .collect::<Vec<_>>()
            .join("\n"),
        tags: tags.iter().map(|tag| (*tag).to_owned()).filter(|tag| !tag.is_empty()).collect(),
        outcome,
    }
}

/// The words that closed a gap where those of the question had not: the documents call the matter something else. A later run
/// searches with them at once.
fn other_words(gap: &GapFacts, facts: &SessionFacts) -> Option<(f64, ProposedStrategy)> {
    let at = gap.queries.iter().position(|query| query.closed)?;
    let (before, closing) = (&gap.queries[..at], &gap.queries[at]);
    if gap.status != GapStatus::Resolved || closing.strategy.is_none() || before.is_empty() {
        return None;
    }
    let mut known = content_set(&gap.description);
    known.extend(before.iter().flat_map(|query| content_set(&query.query)));
    let mut seen = BTreeSet::new();
    let new: Vec<String> = words(&closing.query)
        .into_iter()
        .filter(|word| {
            !is_stop_word(word) && !known.contains(&stem(word)) && seen.insert(stem(word))
        })
        .collect();
    // A query of quite other words is another question.
    if new.is_empty() || new.len() > MOST_WORDS {
        return None;
    }
    let matter = shown(gap.description.trim_end_matches('?'));
    let title = format!("Other words for: {}", subject(&gap.description));
    let description =
        format!("When a question asks \"{matter}\", search with the words {} too.", new.join(", "));
    let lines = [
        format!("{SEARCH_WORDS} {}", new.join(" ")),
        format!("The search \"{}\" found what closed it.", shown(&closing.query)),
        format!("Seen when the question was \"{}\".", shown(&facts.question)),
    ];
    let tags = ["search", "vocabulary"];
    let sureness = gap.severity.weight() + 0.2;
    Some((sureness, proposed(title, description, &lines, &tags, Outcome::Success)))
}

/// Queries that found no answer in these very documents: as long as they stay as they are, other words are the better try.
/// Where quotes came near, the searches were not fruitless: the answer may stand there and not have been seen.
fn fruitless(gap: &GapFacts, facts: &SessionFacts) -> Option<(f64, ProposedStrategy)> {
    let in_vain = matches!(gap.reason, Some(GapReason::Attempts | GapReason::NoNewEvidence));
    if gap.status != GapStatus::Abandoned
        || !in_vain
        || gap.queries.len() < 2
        || facts.documents.is_empty()
        || gap.near
        || gap.foreign
        // Nothing was looked for in words that the documents could hold.
        || question_language(&gap.description) == Language::Other
    {
        return None;
    }
    let matter = shown(gap.description.trim_end_matches('?'));
    let queries: Vec<String> =
        gap.queries.iter().map(|query| shown(&query.query).replace(['|', ';'], " ")).collect();
    let title = format!("Not found: {}", subject(&gap.description));
    let description =
        format!("Searches of these documents found nothing that answers \"{matter}\".");
    let lines = [
        format!("{FRUITLESS} {}", queries.join(" | ")),
        format!("{DOCUMENTS} {}", documents(facts)),
        "Instead: search with other words, or in other documents.".to_owned(),
    ];
    let tags = ["search", "not-found"];
    let sureness = 0.9 * gap.severity.weight() + 0.1;
    Some((sureness, proposed(title, description, &lines, &tags, Outcome::Failure)))
}

/// The documents as a person knows them, by the names of those that were read, and as they stood.
fn documents(facts: &SessionFacts) -> String {
    let names: Vec<String> = facts.read.iter().take(MOST_NAMES).map(|path| shown(path)).collect();
    let more = facts.read.len().saturating_sub(MOST_NAMES);
    match (names.is_empty(), more) {
        (true, _) => facts.documents.clone(),
        (_, 0) => format!("{} (state {})", names.join(", "), facts.documents),
        _ => format!("{} and {more} more (state {})", names.join(", "), facts.documents),
    }
}

/// What a gap is about, in the few words that a title has room for.
fn subject(description: &str) -> String {
    let mut title = String::new();
    for word in description.split_whitespace() {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        if word.is_empty() || is_stop_word(&word.to_lowercase()) {
            continue;
        }
        if title.chars().count() + word.chars().count() > SUBJECT {
            break;
        }
        if !title.is_empty() {
            title.push(' ');
        }
        title.push_str(word);
    }
    title
}

/// A gap that earlier searches had left open and a search of another kind closed.
fn closed_late(gap: &GapFacts, facts: &SessionFacts) -> Option<(f64, ProposedStrategy)> {
    let at = gap.queries.iter().position(|query| query.closed)?;
    let (before, closing) = (&gap.queries[..at], &gap.queries[at]);
    let strategy = closing.strategy?;
    if gap.status != GapStatus::Resolved || before.is_empty() {
        return None;
    }
    let way = way(strategy);
    let what = kind(gap);
    let thing = match what.as_deref() {
        None => "an answer".to_owned(),
        Some("money") => "an amount".to_owned(),
        Some(kind) if kind.starts_with(['a', 'e', 'i', 'o']) => format!("an {kind}"),
        Some(kind) => format!("a {kind}"),
    };
    let title = capitalised(way.order);
    let description = format!(
        "When {thing} stays open after {} {} of the plain kind, {}.",
        before.len(),
        if before.len() == 1 { "search" } else { "searches" },
        way.order,
    );
    let failed: Vec<String> =
        before.iter().map(|query| format!("\"{}\"", shown(&query.query))).collect();
    let lines = [
        format!("How: {}.", way.how),
        format!("Seen when the question was \"{}\".", shown(&facts.question)),
        format!("These searches left it open: {}.", failed.join(", ")),
        format!("This one closed it: \"{}\".", shown(&closing.query)),
        "Not needed where the first search finds what was asked for.".to_owned(),
    ];
    let tags = ["search", strategy.name(), what.as_deref().unwrap_or_default()];
    let sureness = gap.severity.weight() + 0.1 * before.len().min(5) as f64;
    Some((sureness, proposed(title, description, &lines, &tags, Outcome::Success)))
}

/// A gap that was given up after real work.
fn given_up(gap: &GapFacts, facts: &SessionFacts) -> Option<(f64, ProposedStrategy)> {
    if gap.status != GapStatus::Abandoned || gap.queries.is_empty() {
        return None;
    }
    let (title, when, instead, tag) = match gap.reason? {
        // A budget says nothing about the matter.
        GapReason::Budget => return None,
        GapReason::Unavailable => (
            "Stop when a source says it is not public",
            "a document says that something is not public or not known",
            "report that it is not available, with that document, and spend the rounds elsewhere",
            "unavailable",
        ),
        GapReason::Contradictory => (
            "Do not re-search what sources disagree on",
            "sources contradict each other and nothing breaks the tie",
            "report both sides with their sources; look for a primary source or a later correction once, then stop",
            "contradiction",
        ),
        GapReason::Attempts | GapReason::NoNewEvidence => (
            "Do not reword a search that finds nothing new",
            "two searches in a row brought nothing that had not been read",
            "change the kind of search, not its words; when every kind was tried, say what is missing",
            "dead-end",
        ),
    };
    // One search is no evidence that searching was pointless, unless a document said so.
    let stated = matches!(gap.reason, Some(GapReason::Unavailable | GapReason::Contradictory));
    if gap.queries.len() < 2 && !stated {
        return None;
    }
    // Of words that stand in no document, searching shows nothing.
    if gap.foreign && !stated {
        return None;
    }
    let what = kind(gap);
    let tried: Vec<String> =
        gap.queries.iter().take(6).map(|query| format!("\"{}\"", shown(&query.query))).collect();
    let mut kinds: Vec<&str> =
        gap.queries.iter().filter_map(|query| query.strategy.map(QueryStrategy::name)).collect();
    kinds.dedup();
    let untried: Vec<&str> = QueryStrategy::ALL
        .into_iter()
        .map(QueryStrategy::name)
        .filter(|name| !kinds.contains(name))
        .collect();
    let lines = [
        format!("What failed: searching on after {when}."),
        format!("Instead: {instead}."),
        format!("Seen when the question was \"{}\".", shown(&facts.question)),
        format!("Tried without an answer: {}.", tried.join(", ")),
        if untried.is_empty() || stated {
            String::new()
        } else {
            format!("Kinds of search that were not tried: {}.", untried.join(", "))
        },
    ];
    let description = format!("When {when}: {instead}.");
    let tags = ["search", tag, what.as_deref().unwrap_or_default()];
    let sureness = 0.9 * gap.severity.weight() + 0.05 * gap.queries.len().min(6) as f64;
    Some((sureness, proposed(title.to_owned(), description, &lines, &tags, Outcome::Failure)))
}

/// An explanation that was held likely and turned out wrong.
fn refuted(tested: &HypothesisFacts, facts: &SessionFacts) -> Option<(f64, ProposedStrategy)> {
    if !tested.refuted || tested.prior != Prior::Likely {
        return None;
    }
    let right = facts.hypotheses.iter().find(|other| other.confirmed);
    let by: Vec<String> = tested
        .queries_against
        .iter()
        .take(3)
        .map(|query| format!("\"{}\"", shown(query)))
        .collect();
    let lines = [
        "What failed: taking the explanation that seems likely at first for the answer.".to_owned(),
        "Instead: search against it before anything is built on it, and give its rivals searches of their own."
            .to_owned(),
        format!("Seen when the question was \"{}\".", shown(&facts.question)),
        format!("Held likely and refuted: \"{}\".", shown(&tested.claim)),
        right.map_or_else(String::new, |other| {
            format!("Confirmed in its place: \"{}\".", shown(&other.claim))
        }),
        if by.is_empty() { String::new() } else { format!("Refuted by searching {}.", by.join(", ")) },
    ];
    let title = "Do not settle on the likely explanation".to_owned();
    let description =
        "When one explanation seems obvious: test it against searches for its opposite first."
            .to_owned();
    let tags = ["hypotheses", "refuted"];
    Some((0.8, proposed(title, description, &lines, &tags, Outcome::Failure)))
}

/// The fallacy that the run's own drafts showed most often.
fn own_fallacy(facts: &SessionFacts) -> Option<(f64, ProposedStrategy)> {
    let own = facts.fallacies.iter().filter(|fallacy| fallacy.own && fallacy.count > 0);
    let worst = own.fold(None, |most: Option<&super::FallacyFacts>, next| match most {
        Some(had) if had.count >= next.count => Some(had),
        _ => Some(next),
    })?;
    let name = shown(&worst.name).to_lowercase();
    if name.is_empty() {
        return None;
    }
    let title = format!("Check drafts for {name}");
    let description = format!("Before a conclusion is written: look for {name} in the draft.");
    let ask = shown(&worst.counter_question);
    let lines = [
        format!("What failed: a draft of this run showed {name} ({} times).", worst.count),
        if ask.is_empty() { String::new() } else { format!("Instead, ask: {ask}") },
        format!("Seen when the question was \"{}\".", shown(&facts.question)),
    ];
    let tags = ["drafting", "fallacy"];
    Some((0.5, proposed(title, description, &lines, &tags, Outcome::Failure)))
}
