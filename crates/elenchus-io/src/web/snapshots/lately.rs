//! Looking through the pages that were read lately.

use super::rows::inflated;
use super::{SnapshotError, Snapshots};
use serde::Deserialize;

/// Of what was read of a page, its text.
#[derive(Deserialize)]
struct Text {
    text: String,
}

impl Snapshots {
    /// The address of a page whose text is `wanted`, among the `most` that were received last, the newest first. A damaged
    /// row is passed over.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn find_lately(
        &self,
        most: usize,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Option<String>, SnapshotError> {
        let fail = |error: &rusqlite::Error| {
            self.sqlite("look through the pages that were read".to_owned(), error)
        };
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let db = self.lock();
        let mut statement = db
            .prepare_cached(
                "SELECT url, reading FROM snapshots ORDER BY last_at DESC, id DESC LIMIT ?1",
            )
            .map_err(|error| fail(&error))?;
        let mut rows = statement.query([most]).map_err(|error| fail(&error))?;
        while let Some(row) = rows.next().map_err(|error| fail(&error))? {
            let (Ok(url), Ok(reading)) = (row.get::<_, String>(0), row.get::<_, Vec<u8>>(1)) else {
                continue;
            };
            let text = inflated(&reading).ok();
            let text = text.and_then(|bytes| serde_json::from_slice::<Text>(&bytes).ok());
            if text.is_some_and(|read| wanted(&read.text)) {
                return Ok(Some(url));
            }
        }
        Ok(None)
    }
}
