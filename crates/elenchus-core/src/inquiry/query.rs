//! Query diversity: what counts as the same search, and which of the proposed follow-ups are kept.
//!
//! Likeness is judged by words and not by vectors. Another word for the same thing ("fare" for "price") is what the
//! strategy `keywords` asks for, and its vector lies as near to that of the earlier query as a mere rewording's does; and
//! to embed each proposal would put one more batch of effects between a reply and the next search.

use crate::prompt::{ProposedQuery, QueryStrategy};
use crate::text::{content_set, jaccard, squeeze, words};
use serde::{Deserialize, Serialize};

/// Token Jaccard (stems without stop words) from which two queries are the same search.
pub const REPEAT_JACCARD: f64 = 0.85;
/// Most follow-up queries kept a gap and round.
pub const MAX_FOLLOW_UPS: usize = 3;
/// Fewest follow-up queries a gap and round, as long as any is left that differs from what was searched.
pub const MIN_FOLLOW_UPS: usize = 2;

/// A proposed query that is not searched for, and what is searched for in its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReplacedQuery {
    /// As it was proposed; empty where too few were proposed and one was added.
    pub query: String,
    /// Why it is not searched for.
    pub because: String,
    /// The query that code made in its place; nothing where none was needed, or none that differs was left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// Whether `query` would search for what `earlier` searched for: the same words in any order, or nearly.
pub fn is_repeat(earlier: &str, query: &str) -> bool {
    let (a, b) = (content_set(earlier), content_set(query));
    if a.is_empty() || b.is_empty() {
        return words(earlier) == words(query);
    }
    jaccard(&a, &b) >= REPEAT_JACCARD
}

/// Keeps at most [`MAX_FOLLOW_UPS`] candidates that repeat neither `tried` nor each other. Candidates with
/// a strategy that was not used yet come first, so that the kept ones differ in kind too.
pub fn select_diverse(
    candidates: &[ProposedQuery],
    tried: &[String],
    unused: &[QueryStrategy],
) -> Vec<ProposedQuery> {
    let mut kept: Vec<ProposedQuery> = Vec::new();
    let (fresh, used): (Vec<_>, Vec<_>) =
        candidates.iter().partition(|candidate| unused.contains(&candidate.strategy));
    for candidate in fresh.into_iter().chain(used) {
        if kept.len() == MAX_FOLLOW_UPS {
            break;
        }
        let text = candidate.query.trim();
        let repeats = text.is_empty()
            || tried.iter().any(|earlier| is_repeat(earlier, text))
            || kept.iter().any(|earlier| is_repeat(&earlier.query, text));
        if !repeats {
            kept.push(ProposedQuery { query: text.to_owned(), strategy: candidate.strategy });
        }
    }
    kept
}

/// Proposals that repeat an earlier search or an earlier proposal, each with what it repeats, in the order of proposal.
pub fn repeats(candidates: &[ProposedQuery], tried: &[String]) -> Vec<ReplacedQuery> {
    let mut earlier: Vec<&str> = Vec::new();
    let mut found = Vec::new();
    for candidate in candidates {
        let text = candidate.query.trim();
        let same = tried
            .iter()
            .map(String::as_str)
            .chain(earlier.iter().copied())
            .find(|known| is_repeat(known, text));
        let because = match same {
            _ if words(text).is_empty() => "it has no words".to_owned(),
            Some(known) => format!("it says the same as \"{}\"", squeeze(known)),
            None => {
                earlier.push(text);
                continue;
            }
        };
        found.push(ReplacedQuery { query: squeeze(text), because, by: None });
    }
    found
}

/// Adds to what was kept from `others`, those of an unused strategy first, until there are [`MIN_FOLLOW_UPS`] or no other
/// is left that differs, and notes which stands in the place of which.
pub fn fill_up(
    kept: &mut Vec<ProposedQuery>,
    replaced: &mut Vec<ReplacedQuery>,
    others: &[ProposedQuery],
    was_searched: impl Fn(&str) -> bool,
    unused: &[QueryStrategy],
) {
    let (fresh, used): (Vec<_>, Vec<_>) =
        others.iter().partition(|other| unused.contains(&other.strategy));
    for other in fresh.into_iter().chain(used) {
        if kept.len() >= MIN_FOLLOW_UPS {
            return;
        }
        let text = squeeze(&other.query);
        let repeats = words(&text).is_empty()
            || was_searched(&text)
            || kept.iter().any(|earlier| is_repeat(&earlier.query, &text));
        if repeats {
            continue;
        }
        match replaced.iter_mut().find(|one| one.by.is_none()) {
            Some(one) => one.by = Some(text.clone()),
            None => replaced.push(ReplacedQuery {
                query: String::new(),
                because: "too few searches that differ were proposed".to_owned(),
                by: Some(text.clone()),
            }),
        }
        kept.push(ProposedQuery { query: text, strategy: other.strategy });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(query: &str, strategy: QueryStrategy) -> ProposedQuery {
        ProposedQuery { query: query.to_owned(), strategy }
    }

    #[test]
    fn what_repeats_is_told_with_what_it_repeats() {
        let tried = ["Naptha valuation".to_owned()];
        let proposed = [
            query("valuation of Naptha", QueryStrategy::Keywords),
            query("Naptha price", QueryStrategy::Keywords),
            query("the price of Naptha", QueryStrategy::Angle),
            query(" ?", QueryStrategy::Angle),
        ];
        let told = repeats(&proposed, &tried);
        assert_eq!(told.len(), 3, "{told:?}");
        assert!(told[0].because.contains("\"Naptha valuation\""), "{told:?}");
        assert_eq!(told[1].query, "the price of Naptha");
        assert!(told[1].because.contains("\"Naptha price\""), "{told:?}");
        assert_eq!(told[2].because, "it has no words");
    }

    #[test]
    fn repeats_are_replaced_until_there_are_two() {
        let tried = ["Naptha valuation".to_owned()];
        let proposed = [query("valuation Naptha", QueryStrategy::Keywords)];
        let others = [
            query("the valuation of Naptha", QueryStrategy::Angle),
            query("Naptha", QueryStrategy::Broader),
            query("Naptha valuation latest", QueryStrategy::TimeFocus),
            query("Naptha history", QueryStrategy::TimeFocus),
        ];
        let mut kept = select_diverse(&proposed, &tried, &QueryStrategy::ALL);
        let mut replaced = repeats(&proposed, &tried);
        let searched = |text: &str| tried.iter().any(|earlier| is_repeat(earlier, text));
        fill_up(&mut kept, &mut replaced, &others, searched, &[QueryStrategy::TimeFocus]);
        let texts: Vec<&str> = kept.iter().map(|one| one.query.as_str()).collect();
        assert_eq!(
            texts,
            ["Naptha valuation latest", "Naptha history"],
            "an unused strategy first"
        );
        assert_eq!(replaced[0].by.as_deref(), Some("Naptha valuation latest"));
        assert_eq!((replaced[1].query.as_str(), replaced.len()), ("", 2));
        // Enough is enough, and where nothing differs nothing is added.
        let before = kept.clone();
        fill_up(&mut kept, &mut replaced, &others, searched, &[]);
        assert_eq!(kept, before);
        let (mut none, mut told) = (vec![], vec![]);
        fill_up(&mut none, &mut told, &others, |_| true, &[]);
        assert!(none.is_empty() && told.is_empty());
    }

    #[test]
    fn order_and_inflection_do_not_make_a_new_query() {
        assert!(is_repeat("Naptha AI valuation", "the valuations of Naptha AI"));
        assert!(!is_repeat("Naptha AI valuation", "Naptha AI funding round"));
        assert!(is_repeat("the of", "the of"));
    }

    #[test]
    fn unused_strategies_come_first() {
        let kept = select_diverse(
            &[
                query("valuation Naptha", QueryStrategy::Keywords),
                query("post-money price investors", QueryStrategy::Keywords),
                query("Naptha", QueryStrategy::Broader),
            ],
            &["Naptha valuation".to_owned()],
            &[QueryStrategy::Broader],
        );
        assert_eq!(kept[0].strategy, QueryStrategy::Broader);
        assert_eq!(kept.len(), 2);
    }
}
