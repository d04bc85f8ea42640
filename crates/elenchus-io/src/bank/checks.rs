//! What can be taken into the bank.

use super::Fault;
use elenchus_core::bank::{Caller, Draft, Scope};
use elenchus_core::text::{is_invisible, squeeze};
use unicode_normalization::UnicodeNormalization;

/// Most characters of each part.
const TITLE: usize = 50;
const DESCRIPTION: usize = 200;
const CONTENT: usize = 20_000;
const TAGS: usize = 20;
const TAG: usize = 40;
pub(super) const QUERY: usize = 4_000;
pub(super) const COMMENT: usize = 2_000;
const NAME: usize = 200;

/// A text as it is kept: one form for each letter, no invisible characters but line ends and tabs.
fn clean(text: &str) -> String {
    text.nfkc()
        .filter(|c| matches!(c, '\n' | '\t') || !is_invisible(*c))
        .collect::<String>()
        .trim()
        .to_owned()
}

/// A refusal where a text is longer than `most` characters.
pub(super) fn within(attempted: &str, what: &str, text: &str, most: usize) -> Result<(), Fault> {
    about(attempted, what, text, most, 1)
}

/// A refusal where a text that is still to be cleaned is longer than `times` what may be kept of it, which is what is told.
/// Bytes are looked at first, so that ten megabytes are not counted.
fn about(attempted: &str, what: &str, text: &str, most: usize, times: usize) -> Result<(), Fault> {
    let bound = most * times;
    if text.len() > bound * 4 || text.chars().count() > bound {
        let length = if text.len() > bound * 4 {
            format!("{} bytes", text.len())
        } else {
            format!("{} characters", text.chars().count())
        };
        return Err(Fault::refused(
            attempted,
            format!("its {what} has {length} and may have {most} characters"),
            format!("shorten the {what}"),
        ));
    }
    Ok(())
}

/// A draft as it is kept, or why it cannot be.
pub(super) fn draft(caller: &Caller, draft: &Draft) -> Result<Draft, Fault> {
    let attempted = "record a memory";
    about(attempted, "title", &draft.title, TITLE, 8)?;
    about(attempted, "description", &draft.description, DESCRIPTION, 8)?;
    about(attempted, "content", &draft.content, CONTENT, 2)?;
    let mut kept = draft.clone();
    kept.title = squeeze(&clean(&draft.title));
    kept.description = squeeze(&clean(&draft.description));
    kept.content = clean(&draft.content);
    within(attempted, "title", &kept.title, TITLE)?;
    within(attempted, "description", &kept.description, DESCRIPTION)?;
    within(attempted, "content", &kept.content, CONTENT)?;
    for (what, text) in [("title", &kept.title), ("content", &kept.content)] {
        if !text.chars().any(char::is_alphanumeric) {
            return Err(Fault::refused(
                attempted,
                format!("its {what} holds no word"),
                format!("say in the {what} what was learned"),
            ));
        }
    }
    kept.tags = tags(attempted, &draft.tags)?;
    scope(attempted, caller, kept.scope)?;
    if let Some(session) = &kept.source_session {
        within(attempted, "session id", session, NAME)?;
    }
    if kept.lineage.len() > 100 {
        return Err(Fault::refused(
            attempted,
            "it names more than 100 memories that it was made from",
            "name those that matter",
        ));
    }
    Ok(kept)
}

/// What a model proposed, cut to what is kept: the form in which letters are kept may be longer than the one in which they
/// were written, and one text that is too long must not stop the queue.
pub(super) fn fitting(draft: &Draft) -> Draft {
    let mut kept = draft.clone();
    kept.title = squeeze(&clean(&draft.title));
    kept.description = squeeze(&clean(&draft.description));
    kept.content = clean(&draft.content);
    kept.tags = draft.tags.iter().map(|tag| squeeze(&clean(tag))).collect();
    shorten(&mut kept);
    kept
}

/// Cuts what is too long by a little.
pub(super) fn shorten(draft: &mut Draft) {
    let cut = |text: &mut String, most: usize| {
        if let Some((at, _)) = text.char_indices().nth(most) {
            text.truncate(at);
        }
    };
    cut(&mut draft.title, TITLE);
    cut(&mut draft.description, DESCRIPTION);
    cut(&mut draft.content, CONTENT);
    draft.tags.iter_mut().for_each(|tag| cut(tag, TAG));
}

/// Tags as they are kept: each once, in order.
pub(super) fn tags(attempted: &str, tags: &[String]) -> Result<Vec<String>, Fault> {
    let mut kept: Vec<String> = Vec::new();
    for tag in tags {
        about(attempted, "tag", tag, TAG, 8)?;
        let tag = squeeze(&clean(tag));
        within(attempted, "tag", &tag, TAG)?;
        if !tag.is_empty() && !kept.contains(&tag) {
            kept.push(tag);
        }
    }
    if kept.len() > TAGS {
        return Err(Fault::refused(
            attempted,
            format!("it has {} tags and may have {TAGS}", kept.len()),
            "keep those that somebody would search by",
        ));
    }
    Ok(kept)
}

/// Whether a caller may share with a scope: only with what it belongs to.
pub(super) fn scope(attempted: &str, caller: &Caller, scope: Scope) -> Result<(), Fault> {
    let (name, belongs) = match scope {
        Scope::Project => return Ok(()),
        Scope::Team => ("team", caller.team.is_some()),
        Scope::Org => ("org", caller.org.is_some()),
    };
    if belongs {
        return Ok(());
    }
    Err(Fault::forbidden(
        attempted,
        format!("its scope is {name} and this project belongs to no {name}"),
        format!("leave the scope out, or have whoever runs elenchus set `{name}` for the project"),
    ))
}

/// The name of a session as it is kept.
pub(super) fn session(attempted: &str, session: &str) -> Result<(), Fault> {
    within(attempted, "session id", session, NAME)
}

/// Equal for drafts that say the same: letters and digits of title and content, in lower case.
pub(super) fn print(draft: &Draft) -> String {
    let letters = |text: &str| -> String {
        text.nfkc().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let text = format!("{:?}\0{}\0{}", draft.scope, letters(&draft.title), letters(&draft.content));
    elenchus_core::id::short_hash(text.as_bytes(), 32)
}
