//! What is done to a text before it is cut.

use super::charsmap::CharsMap;
use super::file::{kind, pattern, switch, unknown};
use regex::Regex;
use serde_json::Value;
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// One step.
pub(super) enum Normal {
    Nfc,
    Nfd,
    Nfkc,
    Nfkd,
    Lower,
    /// Takes combining marks off.
    Unaccent,
    Strip {
        left: bool,
        right: bool,
    },
    Replace(Regex, String),
    Prepend(String),
    /// Drops control characters and makes every space a plain one.
    Clean,
    /// Puts spaces around ideographs.
    Spread,
    Map(CharsMap),
}

/// Reads the `normalizer` of a file.
pub(super) fn read(part: Option<&Value>, steps: &mut Vec<Normal>) -> Result<(), String> {
    let Some(part) = part.filter(|part| !part.is_null()) else { return Ok(()) };
    let text = |name: &str| part.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    match kind(part) {
        "Sequence" => {
            let inner = part.get("normalizers").and_then(Value::as_array);
            return inner.into_iter().flatten().try_for_each(|step| read(Some(step), steps));
        }
        "BertNormalizer" => {
            let lower = switch(part, "lowercase", true);
            if switch(part, "clean_text", true) {
                steps.push(Normal::Clean);
            }
            if switch(part, "handle_chinese_chars", true) {
                steps.push(Normal::Spread);
            }
            if switch(part, "strip_accents", lower) {
                steps.extend([Normal::Nfd, Normal::Unaccent]);
            }
            if lower {
                steps.push(Normal::Lower);
            }
        }
        "NFC" => steps.push(Normal::Nfc),
        "NFD" => steps.push(Normal::Nfd),
        "NFKC" => steps.push(Normal::Nfkc),
        "NFKD" => steps.push(Normal::Nfkd),
        "Lowercase" => steps.push(Normal::Lower),
        "StripAccents" => steps.push(Normal::Unaccent),
        "Strip" => steps.push(Normal::Strip {
            left: switch(part, "strip_left", true),
            right: switch(part, "strip_right", true),
        }),
        "Replace" => steps.push(Normal::Replace(pattern(part)?, text("content"))),
        "Prepend" => steps.push(Normal::Prepend(text("prepend"))),
        "Precompiled" => {
            let map = CharsMap::decode(&text("precompiled_charsmap"));
            steps.extend(map.map_err(str::to_owned)?.map(Normal::Map));
        }
        _ => return Err(unknown("normalizer", part)),
    }
    Ok(())
}

/// Control characters, and those without a shape or a meaning of their own.
static CONTROL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u{fffd}--[\t\n\r]]").expect("a pattern of ours")
});

/// Ideographs, which are written without spaces.
fn is_ideograph(c: char) -> bool {
    matches!(u32::from(c),
        0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x2_0000..=0x2_a6df
        | 0x2_a700..=0x2_b73f | 0x2_b740..=0x2_b81f | 0x2_b920..=0x2_ceaf | 0x2_f800..=0x2_fa1f)
}

impl Normal {
    pub(super) fn apply(&self, text: &str) -> String {
        match self {
            Self::Nfc => text.nfc().collect(),
            Self::Nfd => text.nfd().collect(),
            Self::Nfkc => text.nfkc().collect(),
            Self::Nfkd => text.nfkd().collect(),
            Self::Lower => text.to_lowercase(),
            Self::Unaccent => text.chars().filter(|c| !is_combining_mark(*c)).collect(),
            Self::Strip { left, right } => {
                let text = if *left { text.trim_start() } else { text };
                let text = if *right { text.trim_end() } else { text };
                text.to_owned()
            }
            Self::Replace(pattern, with) => {
                pattern.replace_all(text, regex::NoExpand(with)).into_owned()
            }
            Self::Prepend(_) if text.is_empty() => String::new(),
            Self::Prepend(before) => format!("{before}{text}"),
            Self::Clean => CONTROL
                .replace_all(text, "")
                .chars()
                .map(|c| if c.is_whitespace() { ' ' } else { c })
                .collect(),
            Self::Spread => {
                let mut out = String::with_capacity(text.len());
                for c in text.chars() {
                    if is_ideograph(c) {
                        out.extend([' ', c, ' ']);
                    } else {
                        out.push(c);
                    }
                }
                out
            }
            Self::Map(map) => map.apply(text),
        }
    }
}
