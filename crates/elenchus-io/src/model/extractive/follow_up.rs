//! Queries: the first ones of a plan, and follow-ups that differ by a named strategy.

use super::lexicon::alternatives;
use super::question::{Expects, Question};
use super::thesis::{phrases, thesis};
use elenchus_core::prompt::{FollowUp, FollowUpInput, ProposedQuery, QueryStrategy};
use elenchus_core::text::words;

/// Most words of a query of other words.
const LONGEST: usize = 14;

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
            // What people are asked to have held stands in their words as it is put: "our God, Jesus Christ".
            if thesis(parsed).is_some() {
                let mut sought: Vec<String> = vec![queries[0].clone()];
                for one in first.iter().take(2) {
                    let said = |other: &&str| format!("{one} {other} {}", phrases(one, other));
                    sought.extend(second.iter().take(2).map(said));
                }
                return sought;
            }
        }
        return queries;
    }
    // Other words for what is asked, so that a paraphrase finds its sentence at once.
    let mut said: Vec<&str> =
        parsed.terms.iter().filter(|term| term.hard).map(|term| term.word.as_str()).collect();
    let name = said.join(" ");
    let mut groups: Vec<String> = Vec::new();
    for term in parsed.terms.iter().filter(|term| !term.hard && !term.light) {
        let mut group: Vec<&str> = Vec::new();
        for other in alternatives(&term.word, &parsed.text).into_iter().take(3) {
            if !said.contains(&other) && said.len() < LONGEST {
                said.push(other);
                group.push(other);
            }
        }
        groups.extend((!group.is_empty()).then(|| group.join(" or ")));
    }
    if !groups.is_empty() {
        queries.push(format!("{name} {}", groups.join(", ")).trim().to_owned());
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
fn companions(expects: Expects, happened: bool) -> &'static str {
    match expects {
        Expects::Money => "amount, million, price, total or paid",
        Expects::Percent => "percent, share or rate of total",
        Expects::Duration => "days, weeks, months, hours or period",
        Expects::Extent | Expects::Quantity | Expects::Count => "number, total, figure or units",
        // What was is not planned any more.
        Expects::Date if happened => "date, year, since or effective",
        Expects::Date => "date, scheduled, planned, effective or deadline",
        Expects::Person | Expects::Agent => "appointed, named, responsible, owner or head",
        Expects::Name | Expects::Organisation => "named, supplier, partner or company",
        Expects::Place => "located, office, site or address",
        Expects::YesNo => "policy, allowed, available or confirmed",
        Expects::Reason => "because, due to, root cause or reason",
        Expects::List => "list, items, include or following",
        Expects::Any => "details, notes or summary",
    }
}

/// A title as somebody would type it: no dashes between its parts, and not all of a long one.
fn plain_title(title: &str) -> String {
    /// Most words of it.
    const LONGEST: usize = 8;
    let parts = title.split_whitespace();
    let is_word = |part: &&str| part.contains(char::is_alphanumeric);
    parts.filter(is_word).take(LONGEST).collect::<Vec<_>>().join(" ")
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
        let chunk = chunk.join(" or ");
        add(vec![&name, &chunk], QueryStrategy::Keywords);
    }
    let attribute_text = attribute.join(" ");
    let beside = companions(parsed.expects, parsed.happened);
    add(vec![&name, &attribute_text, beside], QueryStrategy::Angle);
    add(vec![&name, beside], QueryStrategy::Angle);
    // Broader: the name alone, or the attribute without the name.
    add(vec![&name], QueryStrategy::Broader);
    add(vec![&attribute_text], QueryStrategy::Broader);
    // One word says little by itself: it goes with the name, or with what the corpus is about.
    let about = if name.is_empty() { input.subjects.first().cloned() } else { Some(name.clone()) };
    let about = about.unwrap_or_default();
    for word in &attribute {
        add(vec![&about, word], QueryStrategy::Broader);
    }
    // What a document is called: where it is called by the name that is asked for, where all documents are about that name, or
    // where none is asked for. A search for one name with the title of another's document finds neither.
    let is_said = |name: &String, text: &str| words(text).contains(name);
    let of_house =
        names.iter().all(|name| input.subjects.iter().any(|subject| is_said(name, subject)));
    let is_of_it =
        |title: &&String| of_house || names.iter().any(|name| is_said(name, title.as_str()));
    let titles: Vec<String> =
        input.titles.iter().filter(is_of_it).map(|title| plain_title(title)).take(2).collect();
    let within = if attribute_text.is_empty() { "" } else { "in" };
    if let Some(title) = titles.first() {
        let says_it = names.iter().all(|name| is_said(name, title));
        let unsaid = if says_it { "" } else { name.as_str() };
        add(vec![unsaid, &attribute_text, within, title], QueryStrategy::Narrower);
    }
    if let Some(second) = titles.get(1) {
        add(vec![&attribute_text, within, second], QueryStrategy::Narrower);
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

#[cfg(test)]
mod tests {
    use super::*;
    use elenchus_core::id::GapId;
    use elenchus_core::prompt::GapBrief;

    fn asked(description: &str, titles: &[&str], subjects: &[&str]) -> Vec<String> {
        let owned = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
        let input = FollowUpInput {
            gap: GapBrief {
                id: GapId::from("g1"),
                description: description.to_owned(),
                attempts: 1,
                previous_queries: vec![],
                question_ids: vec![],
            },
            questions: vec![],
            unused_strategies: QueryStrategy::ALL.to_vec(),
            terms: vec![],
            subjects: owned(subjects),
            titles: owned(titles),
            memory: String::new(),
        };
        follow_up(&input).queries.into_iter().map(|query| query.query).collect()
    }

    #[test]
    fn a_name_is_not_looked_for_under_the_title_of_another() {
        let gap = "When was Naptha AI founded?";
        let titles = ["Veltrix Dynamics B.V. - Company Overview", "Naptha AI | History"];
        let queries = asked(gap, &titles, &["Veltrix"]);
        assert!(queries.iter().all(|query| !query.contains("Veltrix")), "{queries:?}");
        assert!(queries.contains(&"founded in Naptha AI History".to_owned()), "{queries:?}");
        // What was is not planned.
        assert!(queries.iter().all(|query| !query.contains("planned")), "{queries:?}");
    }

    #[test]
    fn one_word_is_never_searched_for_alone() {
        let queries = asked("What is the installed capacity?", &["Facts"], &["Skerry"]);
        assert!(queries.contains(&"Skerry capacity".to_owned()), "{queries:?}");
        assert!(!queries.contains(&"capacity".to_owned()), "{queries:?}");
    }

    #[test]
    fn other_words_stand_beside_each_other_as_such() {
        let parsed = Question::parse("What is the installed capacity?", &[]);
        let queries = first_queries(&parsed.text, &parsed);
        let others = queries.last().unwrap();
        assert!(others.contains(" or ") && others.contains(", "), "{queries:?}");
    }
}
