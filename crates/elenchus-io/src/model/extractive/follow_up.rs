//! Queries: the first ones of a plan, and follow-ups that differ by a named strategy.

use super::lexicon::alternatives;
use super::question::{Expects, Question};
use elenchus_core::prompt::{FollowUp, FollowUpInput, ProposedQuery, QueryStrategy};
use elenchus_core::text::words;

/// The question's own words, then its names with the attribute alone.
pub(crate) fn first_queries(text: &str, parsed: &Question) -> Vec<String> {
    let mut queries = vec![text.trim_end_matches(['?', ' ']).to_owned()];
    if let Some(verse) = &parsed.verse {
        queries.insert(0, verse.ids());
        queries.push(format!("{} {}", verse.ids(), core_words(parsed).join(" ")).trim().to_owned());
        queries.dedup();
        return queries;
    }
    let core = core_words(parsed);
    let period = parsed.period.map(|period| period.to_string());
    let short: Vec<&str> = core.iter().map(String::as_str).chain(period.as_deref()).collect();
    if short.len() >= 2 {
        queries.push(short.join(" "));
    }
    if core.is_empty() && parsed.overview.is_some() {
        // Nothing but a time, or the documents themselves.
        queries.extend(period);
        queries.push("overview introduction summary about purpose".to_owned());
        queries.push("readme key facts at a glance".to_owned());
        return queries;
    }
    if parsed.kind.wants_several() {
        // Many voices say it in many words: pair the words for each side of the question.
        let sides: Vec<Vec<&str>> = parsed
            .terms
            .iter()
            .filter(|term| !term.light)
            .map(|term| {
                // A thing that is named goes by its name.
                let named = term.hard && parsed.overview.is_some();
                let others =
                    if named { Vec::new() } else { alternatives(&term.word, &parsed.text) };
                std::iter::once(term.word.as_str()).chain(others.into_iter().take(3)).collect()
            })
            .collect();
        for turn in 0..4 {
            let pick: Vec<&str> = sides
                .iter()
                .filter_map(|side| side.get(turn.min(side.len() - 1)).copied())
                .collect();
            queries.push(pick.join(" "));
        }
        if let [first, second] = sides.as_slice() {
            queries.extend(second.iter().skip(1).map(|other| format!("{} {other}", first[0])));
            queries.extend(first.iter().skip(1).map(|other| format!("{other} {}", second[0])));
        }
        return queries;
    }
    // Other words for what is asked, so that a paraphrase finds its sentence at once.
    let others: Vec<String> = parsed
        .terms
        .iter()
        .filter(|term| !term.hard && !term.light)
        .flat_map(|term| alternatives(&term.word, &parsed.text).into_iter().take(3))
        .map(str::to_owned)
        .collect();
    if !others.is_empty() {
        let names = parsed.terms.iter().filter(|term| term.hard).map(|term| term.word.clone());
        let mut query: Vec<String> = names.collect();
        for word in others {
            if !query.contains(&word) && query.len() < 14 {
                query.push(word);
            }
        }
        queries.push(query.join(" "));
    }
    queries
}

fn core_words(parsed: &Question) -> Vec<String> {
    parsed
        .terms
        .iter()
        .filter(|term| term.hard || !term.light)
        .map(|term| term.word.clone())
        .collect()
}

/// Words that stand beside such a value in documents.
fn companions(expects: Expects) -> &'static str {
    match expects {
        Expects::Money => "amount million price total paid",
        Expects::Percent => "percent share rate of total",
        Expects::Duration => "days weeks months hours period",
        Expects::Extent | Expects::Quantity | Expects::Count => "number total figure units",
        Expects::Date => "date scheduled planned effective deadline",
        Expects::Person | Expects::Agent => "appointed named responsible owner head",
        Expects::Name | Expects::Organisation => "named supplier partner company",
        Expects::Place => "located office site address",
        Expects::YesNo => "policy allowed available confirmed",
        Expects::Reason => "because due to root cause reason",
        Expects::List => "list items include following",
        Expects::Any => "details notes summary",
    }
}

/// Candidates for one gap, best first; core drops what repeats an earlier query.
pub(crate) fn follow_up(input: &FollowUpInput) -> FollowUp {
    let text = input
        .questions
        .first()
        .map_or(input.gap.description.as_str(), |question| question.text.as_str());
    let parsed = Question::parse(text, &input.subjects);
    let names: Vec<String> =
        parsed.terms.iter().filter(|term| term.hard).map(|term| term.word.clone()).collect();
    let attribute: Vec<String> = parsed
        .terms
        .iter()
        .filter(|term| !term.hard && !term.light)
        .map(|term| term.word.clone())
        .collect();
    let light: Vec<String> = parsed
        .terms
        .iter()
        .filter(|term| !term.hard && term.light)
        .map(|term| term.word.clone())
        .collect();
    let mut queries: Vec<ProposedQuery> = Vec::new();
    let mut add = |parts: Vec<&str>, strategy: QueryStrategy| {
        let query =
            parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join(" ");
        if !words(&query).is_empty() {
            queries.push(ProposedQuery { query, strategy });
        }
    };
    let name = names.join(" ");
    let mut synonyms: Vec<&str> = Vec::new();
    // Words that say little are varied only when there is nothing else to vary.
    for word in if attribute.is_empty() { &light } else { &attribute } {
        for other in alternatives(word, &parsed.text).into_iter().take(5) {
            if !synonyms.contains(&other) {
                synonyms.push(other);
            }
        }
    }
    for chunk in synonyms.chunks(4).take(2) {
        let mut parts = vec![name.as_str()];
        parts.extend(chunk);
        add(parts, QueryStrategy::Keywords);
    }
    let attribute_text = attribute.join(" ");
    add(vec![&name, &attribute_text, companions(parsed.expects)], QueryStrategy::Angle);
    add(vec![&name, companions(parsed.expects)], QueryStrategy::Angle);
    // Broader: the name alone, or the attribute without the name.
    add(vec![&name], QueryStrategy::Broader);
    add(vec![&attribute_text], QueryStrategy::Broader);
    for word in &attribute {
        add(vec![word.as_str()], QueryStrategy::Broader);
    }
    let title = input.titles.first().map_or("", String::as_str);
    add(vec![&name, &attribute_text, title], QueryStrategy::Narrower);
    if let Some(second) = input.titles.get(1) {
        add(vec![&attribute_text, second], QueryStrategy::Narrower);
    }
    let period = parsed.period.map(|period| period.to_string()).unwrap_or_default();
    add(
        vec![
            &name,
            &attribute_text,
            if period.is_empty() { "latest update report" } else { "report" },
            &period,
        ],
        QueryStrategy::TimeFocus,
    );
    add(vec![&name, &attribute_text, "archive previous history"], QueryStrategy::TimeFocus);
    let tried = input.gap.previous_queries.len();
    let wanted = if attribute.is_empty() { name.clone() } else { attribute_text.clone() };
    FollowUp {
        queries,
        rationale: format!(
            "{tried} queries left \"{}\" open; a document may say it in other words than \"{wanted}\"",
            input.gap.description
        ),
    }
}
