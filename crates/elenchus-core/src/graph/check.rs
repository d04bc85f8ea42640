//! What may be kept: bounds on memos, relations and how far is looked.

use super::{Memo, Relation};
use crate::id::MemoId;
use crate::port::{MemoFailure, Reach};

/// The most bytes of a memo's text.
pub const CONTENT_BYTES: usize = 1 << 20;
/// The most characters of a title.
pub const TITLE_CHARS: usize = 1_000;
/// The most characters of a tag, of memos and of relations.
pub const TAG_CHARS: usize = 64;
/// The most tags of a memo.
pub const TAGS: usize = 64;
/// The most bytes of metadata, as JSON.
pub const METADATA_BYTES: usize = 1 << 16;
/// The most characters of a namespace.
pub const NAMESPACE_CHARS: usize = 256;
/// The most characters of an id.
pub const ID_CHARS: usize = 128;
/// The most characters of a reason.
pub const REASON_CHARS: usize = 4_000;
/// The most characters of a search.
pub const QUERY_CHARS: usize = 10_000;
/// The most steps from a memo.
pub const DEPTH: u32 = 10;
/// The most relations that a walk returns.
pub const LIMIT: usize = 1_000;

fn refused(
    attempted: impl Into<String>,
    cause: impl Into<String>,
    way_out: impl Into<String>,
) -> MemoFailure {
    MemoFailure::Refused {
        attempted: attempted.into(),
        cause: cause.into(),
        way_out: way_out.into(),
    }
}

/// The beginning of what somebody gave, for a message.
fn shown(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    let more = if text.chars().nth(40).is_some() { "..." } else { "" };
    format!("{short:?}{more}")
}

/// Checks a path of names: 1 to 256 characters, no empty name, no blank at the ends of a name, no control character.
///
/// # Errors
/// [`MemoFailure::Refused`] with the cause.
pub fn check_namespace(attempted: &str, namespace: &str) -> Result<(), MemoFailure> {
    let cause = if namespace.is_empty() {
        "no namespace was given".to_owned()
    } else if namespace.chars().nth(NAMESPACE_CHARS).is_some() {
        format!("the namespace is longer than {NAMESPACE_CHARS} characters")
    } else if namespace.chars().any(char::is_control) {
        "the namespace holds a control character".to_owned()
    } else if namespace.split('/').any(|name| name.is_empty() || name.trim() != name) {
        format!(
            "the namespace {} has an empty name, or one with blanks at its ends",
            shown(namespace)
        )
    } else {
        return Ok(());
    };
    Err(refused(attempted, cause, "write names with slashes between them, such as notes/2026"))
}

/// Checks an id: 1 to 128 characters, no control character, not only blanks.
///
/// # Errors
/// [`MemoFailure::Refused`] with the cause.
pub fn check_id(attempted: &str, id: &MemoId) -> Result<(), MemoFailure> {
    let text = id.as_str();
    let cause = if text.trim().is_empty() {
        "the id of the memo is empty".to_owned()
    } else if text.chars().nth(ID_CHARS).is_some() {
        format!("the id {} is longer than {ID_CHARS} characters", shown(text))
    } else if text.chars().any(char::is_control) {
        format!("the id {} holds a control character", shown(text))
    } else {
        return Ok(());
    };
    Err(refused(attempted, cause, "`elenchus memo list` shows the ids there are"))
}

/// Checks a tag: 1 to 64 characters, no control character, not only blanks.
///
/// # Errors
/// [`MemoFailure::Refused`] with the cause.
pub fn check_tag(attempted: &str, tag: &str) -> Result<(), MemoFailure> {
    let cause = if tag.trim().is_empty() {
        "a tag is empty".to_owned()
    } else if tag.chars().nth(TAG_CHARS).is_some() {
        format!("the tag {} is longer than {TAG_CHARS} characters", shown(tag))
    } else if tag.chars().any(char::is_control) {
        format!("the tag {} holds a control character", shown(tag))
    } else {
        return Ok(());
    };
    Err(refused(
        attempted,
        cause,
        "write a tag of 1 to 64 characters, such as supports or conflicts",
    ))
}

/// Checks what is searched for: something other than blanks, at most [`QUERY_CHARS`] characters.
///
/// # Errors
/// [`MemoFailure::Refused`] with the cause.
pub fn check_query(query: &str) -> Result<(), MemoFailure> {
    let attempted = "search the memos";
    if query.trim().is_empty() {
        return Err(refused(attempted, "nothing was searched for", "write a word or a sentence"));
    }
    if query.chars().nth(QUERY_CHARS).is_some() {
        let cause = format!("the query is longer than {QUERY_CHARS} characters");
        return Err(refused(attempted, cause, "write a word or a sentence"));
    }
    Ok(())
}

impl Memo {
    /// Checks a memo before it is kept.
    ///
    /// # Errors
    /// [`MemoFailure::Refused`] with the first fault.
    pub fn check(&self) -> Result<(), MemoFailure> {
        let attempted = "save the memo";
        check_namespace(attempted, &self.namespace)?;
        check_id(attempted, &self.id)?;
        if self.title.chars().nth(TITLE_CHARS).is_some() {
            let cause = format!("its title is longer than {TITLE_CHARS} characters");
            return Err(refused(
                attempted,
                cause,
                "shorten the title and put the rest into the text",
            ));
        }
        if self.content.trim().is_empty() {
            return Err(refused(attempted, "its text is empty", "write what is to be kept"));
        }
        if self.content.len() > CONTENT_BYTES {
            let cause = format!(
                "its text has {} bytes and {CONTENT_BYTES} are allowed",
                self.content.len()
            );
            return Err(refused(
                attempted,
                cause,
                "cut it into memos of one statement each, or put the document into a corpus and `elenchus ingest` it",
            ));
        }
        if self.tags.len() > TAGS {
            let cause = format!("it has {} tags and {TAGS} are allowed", self.tags.len());
            return Err(refused(attempted, cause, "keep the tags that you search by"));
        }
        for tag in &self.tags {
            check_tag(attempted, tag)?;
        }
        let metadata = serde_json::to_string(&self.metadata).map(|text| text.len());
        if !metadata.is_ok_and(|bytes| bytes <= METADATA_BYTES) {
            let cause = format!("its metadata is larger than {METADATA_BYTES} bytes");
            return Err(refused(attempted, cause, "put long values into the text"));
        }
        Ok(())
    }
}

impl Relation {
    /// Checks a relation before it is kept. Whether its memos exist is for the storage to say.
    ///
    /// # Errors
    /// [`MemoFailure::Refused`] with the first fault.
    pub fn check(&self) -> Result<(), MemoFailure> {
        let attempted = "relate the memos";
        check_namespace(attempted, &self.namespace)?;
        check_id(attempted, &self.source)?;
        check_id(attempted, &self.target)?;
        check_tag(attempted, &self.tag)?;
        if self.source == self.target {
            return Err(refused(
                attempted,
                "both ends are the same memo",
                "name two memos: what bears, and what it bears on",
            ));
        }
        if !(0.0..=1.0).contains(&self.weight) {
            return Err(refused(
                attempted,
                format!("the weight {} is not a number from 0 to 1", self.weight),
                "write a weight from 0 (hardly) to 1 (fully)",
            ));
        }
        if self.reason.as_ref().is_some_and(|reason| reason.chars().nth(REASON_CHARS).is_some()) {
            let cause = format!("the reason is longer than {REASON_CHARS} characters");
            return Err(refused(attempted, cause, "write the reason in a sentence or two"));
        }
        Ok(())
    }

    /// What tells it from other relations of its namespace.
    pub fn key(&self) -> (&MemoId, &MemoId, &str) {
        (&self.source, &self.target, &self.tag)
    }
}

impl Reach {
    /// Checks how far is looked.
    ///
    /// # Errors
    /// [`MemoFailure::Refused`] with the first fault.
    pub fn check(&self) -> Result<(), MemoFailure> {
        let attempted = "walk the graph";
        check_namespace(attempted, &self.namespace)?;
        check_id(attempted, &self.start)?;
        if let Some(tag) = &self.tag {
            check_tag(attempted, tag)?;
        }
        if !(1..=DEPTH).contains(&self.depth) {
            let cause = format!("a depth of {} is not from 1 to {DEPTH}", self.depth);
            return Err(refused(attempted, cause, "2 steps are usual; far memos bear little"));
        }
        if !(1..=LIMIT).contains(&self.limit) {
            let cause = format!("a limit of {} is not from 1 to {LIMIT}", self.limit);
            return Err(refused(attempted, cause, "80 relations are usual"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Timestamp;
    use std::collections::BTreeMap;

    fn memo() -> Memo {
        Memo {
            id: "m1".into(),
            namespace: "a/b".to_owned(),
            title: String::new(),
            content: "x".to_owned(),
            metadata: BTreeMap::new(),
            tags: vec![],
            created_at: Timestamp(1),
            updated_at: Timestamp(1),
        }
    }

    fn relation(weight: f64, tag: &str) -> Relation {
        Relation {
            namespace: "a".to_owned(),
            source: "x".into(),
            target: "y".into(),
            tag: tag.to_owned(),
            weight,
            reason: None,
            created_at: Timestamp(1),
            times: 1,
        }
    }

    #[test]
    fn a_memo_has_bounds() {
        assert_eq!(memo().check(), Ok(()));
        type Spoil = fn(&mut Memo);
        let faults: [(Spoil, &str); 9] = [
            (|m| m.content = "x".repeat(CONTENT_BYTES + 1), "1048577 bytes"),
            (|m| m.content = " \n".to_owned(), "text is empty"),
            (|m| m.title = "x".repeat(TITLE_CHARS + 1), "title"),
            (|m| m.tags = vec!["x".repeat(65)], "longer than 64"),
            (|m| m.tags = vec![String::new()], "tag is empty"),
            (|m| m.tags = vec!["t".to_owned(); 65], "65 tags"),
            (|m| m.namespace = "a//b".to_owned(), "empty name"),
            (|m| m.id = " ".into(), "id of the memo is empty"),
            (
                |m| {
                    m.metadata.insert("k".to_owned(), "v".repeat(METADATA_BYTES).into());
                },
                "metadata",
            ),
        ];
        for (spoil, cause) in faults {
            let mut memo = memo();
            spoil(&mut memo);
            let said = memo.check().expect_err(cause).to_string();
            assert!(said.contains(cause) && said.contains("; "), "{said}");
        }
    }

    #[test]
    fn a_weight_is_a_number_from_0_to_1_and_a_tag_has_64_characters() {
        for weight in [0.0, 0.5, 1.0] {
            assert_eq!(relation(weight, "supports").check(), Ok(()));
        }
        for weight in [f64::NAN, f64::INFINITY, -0.1, 1.000_001, f64::NEG_INFINITY] {
            assert!(relation(weight, "supports").check().is_err(), "{weight}");
        }
        assert_eq!(relation(0.5, &"ä".repeat(64)).check(), Ok(()));
        for tag in ["", "  ", &"ä".repeat(65), "a\u{0}b"] {
            assert!(relation(0.5, tag).check().is_err(), "{tag:?}");
        }
        let mut own = relation(0.5, "supports");
        own.target = own.source.clone();
        assert!(own.check().is_err());
    }

    #[test]
    fn reaching_has_bounds() {
        let reach = |depth, limit| Reach {
            namespace: "a".to_owned(),
            start: "m".into(),
            depth,
            direction: super::super::Direction::Both,
            tag: None,
            limit,
        };
        assert_eq!(reach(10, 1_000).check(), Ok(()));
        for (depth, limit) in [(0, 5), (11, 5), (2, 0), (2, 1_001)] {
            assert!(reach(depth, limit).check().is_err());
        }
    }
}
