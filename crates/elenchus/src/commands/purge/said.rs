//! Lines of files in which users said something, by when they said it.

use crate::error::Result;
use crate::feedback::unkept;
use crate::kept::write_whole;
use elenchus_core::id::Timestamp;
use elenchus_io::store::remove_lines;
use serde_json::Value;
use std::io::{Error, ErrorKind};
use std::path::Path;

/// How many lines there are of before a time, or at all.
pub(super) fn count(file: &Path, before: Option<Timestamp>) -> Result<usize> {
    let lines = lines(file).map_err(|error| unkept("read what you said", file, &error))?;
    Ok(lines.iter().filter(|line| is_old(line, before)).count())
}

/// Takes them out; the file goes with the last of them.
pub(super) fn forget(file: &Path, before: Option<Timestamp>) -> Result<()> {
    let failed = |error: Error| unkept("forget what you said", file, &error);
    let mut lines = lines(file).map_err(failed)?;
    lines.retain(|line| !is_old(line, before));
    if lines.is_empty() {
        return remove_lines(file).map_err(failed);
    }
    write_whole(file, format!("{}\n", lines.join("\n")).as_bytes()).map_err(failed)
}

fn lines(file: &Path) -> std::io::Result<Vec<String>> {
    match std::fs::read_to_string(file) {
        Ok(text) => {
            Ok(text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect())
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// A line that tells no time goes only where all of them do.
fn is_old(line: &str, before: Option<Timestamp>) -> bool {
    let Some(before) = before else { return true };
    let said: Option<Value> = serde_json::from_str(line).ok();
    said.and_then(|said| said["at"].as_i64()).is_some_and(|at| at < before.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_go_by_their_time() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("said.jsonl");
        assert_eq!(count(&file, None).unwrap(), 0);
        std::fs::write(&file, "{\"at\":10}\n\n{\"at\":20,\"x\":1}\nhalf\n").unwrap();
        assert_eq!(count(&file, Some(Timestamp(20))).unwrap(), 1);
        assert_eq!(count(&file, None).unwrap(), 3);
        forget(&file, Some(Timestamp(20))).unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "{\"at\":20,\"x\":1}\nhalf\n");
        forget(&file, None).unwrap();
        assert!(!file.exists());
    }
}
