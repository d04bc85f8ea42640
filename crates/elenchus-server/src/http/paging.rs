//! Long lists in pages.

use super::problem::Problem;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Items of a page without a word.
const USUAL: usize = 50;

/// Which part of a list.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Part {
    /// Where the last page ended: its `next_cursor`.
    #[serde(default)]
    pub cursor: Option<String>,
    /// Items of a page, 50 without a word.
    #[serde(default)]
    #[schemars(range(min = 1, max = 500))]
    pub limit: Option<u32>,
}

/// One page of a list.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct Page<T> {
    /// The items, in order.
    pub items: Vec<T>,
    /// How many there are in all.
    pub total: usize,
    /// For the next page; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// The items of a page that are asked for, checked.
///
/// # Errors
/// When it is none of 1 to 500.
pub(crate) fn limit(given: Option<u32>) -> Result<usize, Problem> {
    match given {
        None => Ok(USUAL),
        Some(limit @ 1..=500) => Ok(limit as usize),
        Some(limit) => {
            Err(Problem::malformed(format!("`limit` is {limit}"), "give a number from 1 to 500"))
        }
    }
}

/// A cursor that no page gave.
pub(crate) fn bad_cursor() -> Problem {
    Problem::malformed(
        "`cursor` is none that a page of this list gave",
        "take `next_cursor` of the page before, or leave it out to begin anew",
    )
}

impl<T: Clone> Page<T> {
    /// The part of a list that only grows at its end.
    ///
    /// # Errors
    /// When the cursor or the limit is wrong.
    pub(crate) fn of(all: &[T], part: &Part) -> Result<Self, Problem> {
        let limit = limit(part.limit)?;
        let start = match &part.cursor {
            None => 0,
            Some(cursor) => cursor
                .strip_prefix('n')
                .and_then(|at| at.parse::<usize>().ok())
                .filter(|at| *at <= all.len())
                .ok_or_else(bad_cursor)?,
        };
        let items: Vec<T> = all.iter().skip(start).take(limit).cloned().collect();
        let end = start + items.len();
        let next_cursor = (end < all.len()).then(|| format!("n{end}"));
        Ok(Self { items, total: all.len(), next_cursor })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_hold_each_item_once() {
        let all: Vec<u32> = (0..7).collect();
        let mut seen = Vec::new();
        let mut part = Part { cursor: None, limit: Some(3) };
        loop {
            let page = Page::of(&all, &part).unwrap();
            assert_eq!(page.total, 7);
            seen.extend(page.items);
            match page.next_cursor {
                Some(next) => part.cursor = Some(next),
                None => break,
            }
        }
        assert_eq!(seen, all);
        for wrong in ["x", "n8", "n-1", ""] {
            let part = Part { cursor: Some(wrong.to_owned()), limit: None };
            assert_eq!(Page::of(&all, &part).unwrap_err().status, 400, "{wrong}");
        }
        assert!(Page::of(&all, &Part { cursor: None, limit: Some(0) }).is_err());
    }
}
