//! Looking through the pages that were read lately.

use super::rows::inflated;
use super::{SnapshotError, Snapshots};
use crate::sql;
use rusqlite::params;
use serde::Deserialize;

/// Of what was read of a page, its text.
#[derive(Deserialize)]
struct Text {
    text: String,
}

/// Pages that are held in memory at a time.
const AT_A_TIME: usize = 20;

impl Snapshots {
    /// The address of a page whose text is `wanted`, among the `most` that were received last, the newest first. A damaged
    /// row is passed over.
    ///
    /// # Errors
    /// When the pages cannot be read.
    pub fn find_lately(
        &self,
        most: usize,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Option<String>, SnapshotError> {
        for from in (0..most).step_by(AT_A_TIME) {
            let count = AT_A_TIME.min(most - from);
            let some: Vec<(String, Vec<u8>)> = self.read(
                || "look through the pages that were read".to_owned(),
                |db| {
                    let all = "SELECT url, reading FROM snapshots ORDER BY last_at DESC, id DESC LIMIT ?1 OFFSET ?2";
                    let (count, from) = (as_number(count), as_number(from));
                    let mut statement = db.prepare_cached(all)?;
                    let rows = statement
                        .query_map(params![count, from], |row| Ok((row.get(0)?, row.get(1)?)))?;
                    Ok::<_, sql::Error>(rows.flatten().collect())
                },
            )?;
            let is_last = some.len() < count;
            for (url, reading) in some {
                let text = inflated(&reading).ok();
                let text = text.and_then(|bytes| serde_json::from_slice::<Text>(&bytes).ok());
                if text.is_some_and(|read| wanted(&read.text)) {
                    return Ok(Some(url));
                }
            }
            if is_last {
                break;
            }
        }
        Ok(None)
    }
}

fn as_number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
