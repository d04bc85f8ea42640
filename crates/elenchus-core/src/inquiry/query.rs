//! Query diversity: what counts as the same search, and which of the proposed follow-ups are kept.

use crate::prompt::{ProposedQuery, QueryStrategy};
use crate::text::{content_set, jaccard, words};

/// Token Jaccard (stems without stop words) from which two queries are the same search.
pub const REPEAT_JACCARD: f64 = 0.85;
/// Most follow-up queries kept a gap and round.
pub const MAX_FOLLOW_UPS: usize = 3;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_inflection_do_not_make_a_new_query() {
        assert!(is_repeat("Naptha AI valuation", "the valuations of Naptha AI"));
        assert!(!is_repeat("Naptha AI valuation", "Naptha AI funding round"));
        assert!(is_repeat("the of", "the of"));
    }

    #[test]
    fn unused_strategies_come_first() {
        let query = |query: &str, strategy| ProposedQuery { query: query.to_owned(), strategy };
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
