//! What was probably meant.

/// The candidate nearest to a misspelt word, if one is near.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    // Words whose lengths alone lie too far apart are not compared: the time of a comparison is the product of both.
    let length = word.chars().count();
    let may_be = |candidate: &&'a str| {
        let own = candidate.chars().count();
        length.abs_diff(own) * 3 <= own.max(3)
    };
    candidates
        .filter(may_be)
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(far, candidate)| *far * 3 <= candidate.chars().count().max(3))
        .min_by_key(|(far, _)| *far)
        .map(|(_, candidate)| candidate)
}

/// Insertions, deletions and changes of a letter, and swaps of two neighbours, that make one word the other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut cost =
                (rows[i][j] + usize::from(x != y)).min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                cost = cost.min(rows[i - 1][j - 1] + 1);
            }
            row.push(cost);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let words = ["budget.passages", "budget.tokens", "effort"];
        assert_eq!(nearest("efort", words.into_iter()), Some("effort"));
        assert_eq!(nearest("effrot", words.into_iter()), Some("effort"));
        assert_eq!(nearest("budget.token", words.into_iter()), Some("budget.tokens"));
        assert_eq!(nearest("colour", words.into_iter()), None);
        // A stranger's file may have any key.
        assert_eq!(nearest(&"effort".repeat(200_000), words.into_iter()), None);
    }

    #[test]
    fn a_swap_is_one_step() {
        assert_eq!(distance("ab", "ba"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
