//! A golden transcript: a question, replies written by hand to the prompts that it really leads to, and the faults
//! that were planted in them.

use elenchus_core::id::hex;
use elenchus_core::inquiry::Options;
use elenchus_core::prompt::Rendered;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::Path;

/// One run, as a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Transcript {
    /// `written`: no model said this.
    pub(crate) origin: String,
    /// What is asked.
    pub(crate) question: String,
    /// The corpus, by the name of its folder.
    pub(crate) corpus: String,
    /// How the run was set up.
    pub(crate) options: Options,
    /// In the order of the calls.
    pub(crate) replies: Vec<Reply>,
    /// What is wrong with the replies.
    #[serde(default)]
    pub(crate) faults: Vec<Fault>,
}

/// What stands for a model's reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reply {
    /// The id of the prompt.
    pub(crate) prompt: String,
    /// 12 hex digits of the SHA-256 of what was sent, by which the reply is found when several are asked at once.
    pub(crate) input: String,
    /// Letter for letter.
    pub(crate) text: String,
}

/// A fault that somebody planted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fault {
    /// "stale_figure", "unsupported_sentence", "prose_around_json", ...
    pub(crate) kind: String,
    /// Where: a position in `replies`.
    pub(crate) reply: usize,
    /// In words.
    pub(crate) what: String,
    /// It slipped through when one of these stands in the report as something that holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) slips_if: Vec<String>,
    /// It slipped through when one of these is nowhere in the report.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) slips_unless: Vec<String>,
}

impl Transcript {
    /// Every transcript of a folder, with its name, in the order of the names.
    pub(crate) fn all(folder: &Path) -> Result<Vec<(String, Self)>, String> {
        crate::folder::items(folder, Self::parse)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let read: Self = serde_json::from_str(text).map_err(|cause| cause.to_string())?;
        if let Some(fault) = read.faults.iter().find(|fault| fault.reply >= read.replies.len()) {
            return Err(format!(
                "the fault {:?} is in reply {} of {}",
                fault.what,
                fault.reply,
                read.replies.len()
            ));
        }
        Ok(read)
    }

    pub(crate) fn write(&self, file: &Path) -> Result<(), String> {
        let failed = |cause: String| format!("could not write {}: {cause}", file.display());
        let mut text =
            serde_json::to_string_pretty(self).map_err(|cause| failed(cause.to_string()))?;
        text.push('\n');
        std::fs::write(file, text).map_err(|cause| failed(cause.to_string()))
    }
}

impl Fault {
    /// Whether a report lets it through.
    pub(crate) fn slipped(&self, report: &str) -> bool {
        let report = plain(report);
        self.slips_if.iter().any(|sign| report.contains(&plain(sign)))
            || self.slips_unless.iter().any(|sign| !report.contains(&plain(sign)))
    }
}

/// Without emphasis and line breaks, in lower case.
fn plain(text: &str) -> String {
    let bare: String = text.chars().filter(|c| !matches!(c, '*' | '>' | '`')).collect();
    bare.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// By which a reply is found again.
pub(crate) fn input_hash(rendered: &Rendered, user: &str) -> String {
    let digest = Sha256::new_with_prefix(&rendered.system).chain_update([0]).chain_update(user);
    hex(&digest.finalize()[..6])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_slips_by_what_stands_there_or_does_not() {
        let fault = Fault {
            kind: "stale_figure".to_owned(),
            reply: 0,
            what: "the older price".to_owned(),
            slips_if: vec!["costs 40 crowns".to_owned()],
            slips_unless: vec!["45 crowns".to_owned()],
        };
        assert!(!fault.slipped("The ferry costs **45\n crowns**."));
        assert!(fault.slipped("The ferry costs **40 crowns**; once it was 45 crowns."));
        assert!(fault.slipped("Nothing was found."));
    }
}
