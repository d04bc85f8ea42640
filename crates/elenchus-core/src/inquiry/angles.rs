//! Searches that code makes for a gap when too few that differ are proposed: the gap's own words from other sides.
//!
//! Only words of the gap, of the plan and of what the corpus is mainly about are used. Titles and texts of documents are
//! not: whoever writes a document would otherwise word a search.

use crate::port::TermCount;
use crate::prompt::{PlannedQuestion, ProposedQuery, QueryStrategy};
use crate::text::{is_stop_word, stem, words};

/// Longest query, in words.
const LONGEST: usize = 8;

/// Words by which documents speak of a kind of value, by the words with which a plan names the kind.
const BESIDE: &[(&[&str], &str)] = &[
    (&["money", "price", "cost", "amount"], "total paid amount"),
    (&["number", "count", "quantity", "percent"], "total figure units"),
    (&["date", "time", "year", "day"], "scheduled effective since"),
    (&["duration", "period"], "weeks months period"),
    (&["person", "name", "organisation", "organization"], "appointed responsible named"),
    (&["place", "location"], "located site address"),
    (&["reason", "cause"], "because due cause"),
    (&["yes"], "policy allowed confirmed"),
];

/// What a gap is about.
struct Topic {
    /// Names and figures.
    names: Vec<String>,
    /// The rest of its words that carry meaning.
    attribute: Vec<String>,
}

impl Topic {
    fn of(description: &str) -> Self {
        let mut names: Vec<String> = Vec::new();
        let mut attribute: Vec<String> = Vec::new();
        for (at, raw) in description.split_whitespace().enumerate() {
            let word = raw.trim_matches(|c: char| !c.is_alphanumeric());
            let word = word.trim_end_matches("'s").trim_end_matches("’s");
            let lower = word.to_lowercase();
            if word.is_empty() || is_stop_word(&lower) || is_asking(&lower) {
                continue;
            }
            let is_name = word.chars().any(|c| c.is_ascii_digit())
                || (at > 0 && word.chars().next().is_some_and(char::is_uppercase));
            let known = if is_name { &mut names } else { &mut attribute };
            if !known.iter().any(|other| other.to_lowercase() == lower) {
                known.push(word.to_owned());
            }
        }
        Self { names, attribute }
    }

    /// Its names without bare figures: without its year, a query finds what is told of other years.
    fn undated(&self) -> Vec<&str> {
        self.names
            .iter()
            .map(String::as_str)
            .filter(|word| !word.chars().all(|c| c.is_ascii_digit()))
            .collect()
    }
}

/// Words with which a question begins and no document answers.
fn is_asking(word: &str) -> bool {
    matches!(word, "who" | "whom" | "whose" | "what" | "which" | "when" | "where" | "why" | "how")
}

/// Candidates for a gap, the most promising first. They may repeat what was searched.
pub(crate) fn candidates(
    description: &str,
    questions: &[PlannedQuestion],
    subjects: &[String],
    terms: &[TermCount],
) -> Vec<ProposedQuery> {
    let topic = Topic::of(description);
    let mut about: Vec<&str> = topic.names.iter().map(String::as_str).collect();
    if about.is_empty() {
        // Where a gap names nothing, the corpus says what it is about.
        about.extend(subjects.first().map(String::as_str));
    }
    let attribute: Vec<&str> = topic.attribute.iter().map(String::as_str).collect();
    if about.is_empty() && attribute.is_empty() {
        return Vec::new();
    }
    let narrow: Vec<&str> = telling(&attribute, terms).into_iter().collect();
    let undated = topic.undated();
    let mut made: Vec<ProposedQuery> = Vec::new();
    let mut add = |strategy: QueryStrategy, parts: &[&[&str]]| {
        let query = joined(parts);
        if !query.is_empty() {
            made.push(ProposedQuery { query, strategy });
        }
    };
    add(QueryStrategy::Keywords, &[&about, &attribute]);
    // What stands beside such a value.
    let expects = questions.iter().find_map(|question| question.expects.as_deref());
    if let Some(beside) = expects.and_then(beside) {
        let beside: Vec<&str> = beside.split(' ').collect();
        add(QueryStrategy::Angle, &[&about, &beside]);
        add(QueryStrategy::Angle, &[&attribute, &beside]);
    }
    // The other side: who denies it, or says that it is not told.
    add(QueryStrategy::Angle, &[&about, &narrow, &["undisclosed", "confidential", "unknown"]]);
    add(QueryStrategy::Angle, &[&about, &narrow, &["denied", "disputed", "instead"]]);
    // One word of what is asked; then what is asked, of anybody; then whatever is told of its names.
    add(QueryStrategy::Narrower, &[&about, &narrow]);
    add(QueryStrategy::Broader, &[&attribute]);
    add(QueryStrategy::Broader, &[&about]);
    if undated.len() < topic.names.len() {
        add(QueryStrategy::TimeFocus, &[&undated, &attribute]);
    }
    add(QueryStrategy::TimeFocus, &[&undated, &narrow, &["latest", "update", "report"]]);
    add(QueryStrategy::TimeFocus, &[&undated, &narrow, &["history", "previous", "earlier"]]);
    for word in attribute.iter().rev() {
        add(QueryStrategy::Broader, &[&[*word]]);
    }
    made
}

/// The word that says most of those that stand in the corpus at all, by the counts that searches told.
fn telling<'t>(attribute: &[&'t str], terms: &[TermCount]) -> Option<&'t str> {
    let counted = |word: &str| {
        let stemmed = stem(&word.to_lowercase());
        terms.iter().find(|term| stem(&term.term.to_lowercase()) == stemmed)
    };
    let known = attribute
        .iter()
        .copied()
        .filter_map(|word| Some((counted(word)?.passages, word)))
        .filter(|(passages, _)| *passages > 0)
        .min_by_key(|(passages, _)| *passages)
        .map(|(_, word)| word);
    known.or_else(|| attribute.first().copied())
}

/// What stands in documents beside a value of the kind that a plan names.
fn beside(expects: &str) -> Option<&'static str> {
    let named = words(expects);
    BESIDE
        .iter()
        .find(|(kinds, _)| named.iter().any(|word| kinds.contains(&word.as_str())))
        .map(|(_, beside)| *beside)
}

/// The parts as one query: each word once, at most [`LONGEST`] of them.
fn joined(parts: &[&[&str]]) -> String {
    let mut stems: Vec<String> = Vec::new();
    let mut query: Vec<&str> = Vec::new();
    for word in parts.iter().flat_map(|part| part.iter().copied()) {
        let stemmed = stem(&word.to_lowercase());
        if query.len() < LONGEST && !stems.contains(&stemmed) {
            stems.push(stemmed);
            query.push(word);
        }
    }
    query.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inquiry::query::is_repeat;
    use crate::prompt::{QuestionKind, Severity};

    const GAP: &str = "What did Naptha AI's 2024 round value the company at?";

    fn question() -> PlannedQuestion {
        PlannedQuestion {
            id: 1,
            text: GAP.to_owned(),
            rationale: String::new(),
            severity: Severity::Critical,
            depends_on: vec![],
            kind: QuestionKind::Lookup,
            expects: Some("money".to_owned()),
            queries: vec![],
        }
    }

    #[test]
    fn a_gap_is_looked_at_from_every_side() {
        let made = candidates(GAP, &[question()], &[], &[]);
        for strategy in QueryStrategy::ALL {
            assert!(made.iter().any(|one| one.strategy == strategy), "{strategy:?}: {made:?}");
        }
        let says = |query: &str| made.iter().any(|one| one.query == query);
        assert!(says("Naptha AI 2024 total paid amount"), "{made:?}");
        assert!(says("Naptha AI 2024 round undisclosed confidential unknown"), "{made:?}");
        assert!(says("Naptha AI round value company"), "without its year: {made:?}");
        assert!(made.iter().all(|one| one.query.split(' ').count() <= LONGEST));
        let mut distinct: Vec<&str> = Vec::new();
        for one in &made {
            if !distinct.iter().any(|known| is_repeat(known, &one.query)) {
                distinct.push(&one.query);
            }
        }
        assert!(distinct.len() >= 6, "{distinct:?}");
    }

    #[test]
    fn where_nothing_is_named_the_corpus_says_what_it_is_about() {
        let made = candidates("the annual revenue", &[], &["Tarn brewery".to_owned()], &[]);
        assert!(made.iter().any(|one| one.query == "Tarn brewery annual revenue"), "{made:?}");
        assert!(candidates("what of the", &[], &[], &[]).is_empty());
    }

    #[test]
    fn the_rarest_word_that_stands_anywhere_says_most() {
        let count = |term: &str, passages| TermCount { term: term.to_owned(), passages };
        let terms = [count("salaries", 0), count("keeper", 2), count("lighthouse", 5)];
        assert_eq!(telling(&["salary", "lighthouse", "keeper"], &terms), Some("keeper"));
        assert_eq!(telling(&["salary"], &terms), Some("salary"));
        assert_eq!(telling(&[], &terms), None);
    }
}
