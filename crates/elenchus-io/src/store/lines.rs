//! A file of JSON lines to which processes append: what users say, kept beside the runs.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{Error, ErrorKind, Result, Write};
use std::path::Path;

/// What the file holds, in the order of writing, and how many lines could not be read. Nothing when there is no file.
pub fn read_lines<T: DeserializeOwned>(file: &Path) -> Result<(Vec<T>, usize)> {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok((Vec::new(), 0)),
        Err(error) => return Err(error),
    };
    let mut found = Vec::new();
    let mut unread = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match serde_json::from_str(line) {
            Ok(item) => found.push(item),
            Err(_) => unread += 1,
        }
    }
    Ok((found, unread))
}

/// Appends one line. The folder is made where it is missing.
pub fn append_line<T: Serialize>(file: &Path, item: &T) -> Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut line = serde_json::to_string(item).map_err(Error::other)?;
    line.push('\n');
    super::rows::make_private(file)?;
    // One write, so that two processes do not mix their lines.
    std::fs::OpenOptions::new().create(true).append(true).open(file)?.write_all(line.as_bytes())
}

/// Removes the file; a missing one is fine.
pub fn remove_lines(file: &Path) -> Result<()> {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_appended_is_read_and_a_broken_line_is_counted() {
        let scratch = tempfile::tempdir().unwrap();
        let file = scratch.path().join("new").join("said.jsonl");
        assert_eq!(read_lines::<u32>(&file).unwrap(), (vec![], 0));
        append_line(&file, &7).unwrap();
        append_line(&file, &8).unwrap();
        std::fs::OpenOptions::new()
            .append(true)
            .open(&file)
            .unwrap()
            .write_all(b"{half\n\n")
            .unwrap();
        append_line(&file, &9).unwrap();
        assert_eq!(read_lines::<u32>(&file).unwrap(), (vec![7, 8, 9], 1));
        remove_lines(&file).unwrap();
        remove_lines(&file).unwrap();
        assert_eq!(read_lines::<u32>(&file).unwrap(), (vec![], 0));
    }
}
