//! Where a text is cut before pieces are looked up.

use super::file::{kind, switch, unknown};
use regex::Regex;
use serde_json::Value;
use std::sync::LazyLock;

/// One step.
pub(super) enum Cut {
    /// At spaces, and around every mark.
    Bert,
    /// At spaces.
    Spaces,
    /// At spaces, and between letters and marks.
    Words,
    /// Spaces become a visible character that opens the word after it.
    Metaspace { mark: char, first: bool, every: bool, split: bool },
    /// Letters, figures and marks apart, spaces before them kept; bytes become visible characters.
    Bytes { prefix: bool, split: bool },
}

/// Reads the `pre_tokenizer` of a file.
pub(super) fn read(part: Option<&Value>, cuts: &mut Vec<Cut>) -> Result<(), String> {
    let Some(part) = part.filter(|part| !part.is_null()) else { return Ok(()) };
    match kind(part) {
        "Sequence" => {
            let inner = part.get("pretokenizers").and_then(Value::as_array);
            return inner.into_iter().flatten().try_for_each(|step| read(Some(step), cuts));
        }
        "BertPreTokenizer" => cuts.push(Cut::Bert),
        "WhitespaceSplit" => cuts.push(Cut::Spaces),
        "Whitespace" => cuts.push(Cut::Words),
        "Metaspace" => {
            let mark = part.get("replacement").and_then(Value::as_str).unwrap_or("\u{2581}");
            let prefix = if switch(part, "add_prefix_space", true) { "always" } else { "never" };
            let scheme = part.get("prepend_scheme").and_then(Value::as_str).unwrap_or(prefix);
            cuts.push(Cut::Metaspace {
                mark: mark.chars().next().unwrap_or('\u{2581}'),
                first: scheme != "never",
                every: scheme == "always",
                split: switch(part, "split", true),
            });
        }
        "ByteLevel" => cuts.push(Cut::Bytes {
            prefix: switch(part, "add_prefix_space", true),
            split: switch(part, "use_regex", true),
        }),
        _ => return Err(unknown("pre_tokenizer", part)),
    }
    Ok(())
}

fn pattern(source: &str) -> Regex {
    Regex::new(source).expect("a pattern of ours")
}

static BERT: LazyLock<Regex> = LazyLock::new(|| pattern(r"[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~]+"));
static WORDS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\w+|[^\w\s]+"));
static BYTES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?:'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+)")
});

/// The character that stands for a byte: the byte's own where it can be seen, one from U+0100 on where not.
fn visible(byte: u8) -> char {
    match byte {
        b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff => char::from(byte),
        0x00..=0x20 => shifted(u32::from(byte)),
        0x7f..=0xa0 => shifted(u32::from(byte) - 0x7f + 33),
        0xad => shifted(67),
    }
}

fn shifted(place: u32) -> char {
    char::from_u32(0x100 + place).unwrap_or('\u{fffd}')
}

impl Cut {
    /// Cuts a word; `first` says that it opens the text.
    pub(super) fn apply(&self, word: &str, first: bool, out: &mut Vec<String>) {
        let mut found = |pattern: &Regex| {
            out.extend(pattern.find_iter(word).map(|found| found.as_str().to_owned()));
        };
        match self {
            Self::Bert => found(&BERT),
            Self::Words => found(&WORDS),
            Self::Spaces => out.extend(word.split_whitespace().map(str::to_owned)),
            Self::Metaspace { mark, first: opening, every, split } => {
                let mut text = word.replace(' ', mark.encode_utf8(&mut [0; 4]));
                if (*every || (*opening && first)) && !text.starts_with(*mark) && !text.is_empty() {
                    text.insert(0, *mark);
                }
                if !split {
                    out.push(text);
                    return;
                }
                let mut start = 0;
                for (at, _) in text.match_indices(*mark).filter(|(at, _)| *at > 0) {
                    out.push(text[start..at].to_owned());
                    start = at;
                }
                out.push(text[start..].to_owned());
            }
            Self::Bytes { prefix, split } => {
                let mut text = word.to_owned();
                if *prefix && !text.starts_with(' ') && !text.is_empty() {
                    text.insert(0, ' ');
                }
                let shown = |part: &str| part.bytes().map(visible).collect();
                if !split {
                    out.push(shown(&text));
                    return;
                }
                let mut rest = text.as_str();
                while let Some(found) = BYTES.find(rest) {
                    let mut part = found.as_str();
                    // The last of several spaces belongs to the word after them.
                    let last = part.chars().next_back().map_or(0, char::len_utf8);
                    if part.len() < rest.len() && part.len() > last && part.trim().is_empty() {
                        part = &part[..part.len() - last];
                    }
                    out.push(shown(part));
                    rest = &rest[part.len()..];
                }
            }
        }
    }
}
