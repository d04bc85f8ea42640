//! Prompt files: front matter, a system part, a user part, and named placeholders.

use super::safe::Safe;
use crate::id::short_hash;
use crate::port::ModelRole;

/// Why a prompt file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PromptError {
    /// The front matter is missing or a key in it is missing, unknown or out of range.
    #[error("could not read the prompt file, line {line}: {cause}")]
    FrontMatter {
        /// From 1.
        line: usize,
        /// The cause and the way out.
        cause: String,
    },
    /// No prompt function has this id.
    #[error("could not use the prompt file: no prompt is called {id:?}; the prompts are {known}")]
    UnknownPrompt {
        /// As given.
        id: String,
        /// Every id there is.
        known: String,
    },
    /// The system or user part is missing, doubled or empty.
    #[error("could not use the prompt {id}, line {line}: {cause}")]
    Part {
        /// The prompt.
        id: String,
        /// From 1.
        line: usize,
        /// The cause and the way out.
        cause: String,
    },
    /// A placeholder that this part does not have, or one that stands twice or is not closed.
    #[error(
        "could not use the prompt {id}, line {line}: {{{{{placeholder}}}}} {cause}; this part has {known}"
    )]
    Placeholder {
        /// The prompt.
        id: String,
        /// From 1.
        line: usize,
        /// As given.
        placeholder: String,
        /// What is wrong with it.
        cause: &'static str,
        /// The placeholders of this part.
        known: String,
    },
    /// A placeholder is not used, so that the model would not see what it has to judge.
    #[error(
        "could not use the prompt {id}: its {part} part does not use {{{{{placeholder}}}}}; put it where its text belongs"
    )]
    MissingPlaceholder {
        /// The prompt.
        id: String,
        /// "system" or "user".
        part: &'static str,
        /// The placeholder.
        placeholder: &'static str,
    },
}

/// Fewest and most characters that a user part may be given.
const USER_CHARS: std::ops::RangeInclusive<usize> = 4_000..=400_000;
/// Fewest and most tokens of a reply.
const OUTPUT_TOKENS: std::ops::RangeInclusive<usize> = 64..=32_000;

/// What a prompt is filled with.
pub(super) struct Slots {
    pub(super) id: &'static str,
    pub(super) system: &'static [&'static str],
    pub(super) user: &'static [&'static str],
}

/// Placeholders that any file may place and none must: (part, name). What is not placed stands at the end of its part.
const FRAMING: [(&str, &str); 3] = [("system", "mode"), ("user", "tensions"), ("user", "memory")];

/// Words or a placeholder.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Slot(&'static str),
}

/// A prompt file, read and checked.
#[derive(Clone, Debug)]
pub(super) struct PromptFile {
    pub(super) id: &'static str,
    pub(super) version: u32,
    pub(super) role: ModelRole,
    pub(super) user_chars: usize,
    pub(super) output_tokens: u32,
    /// Of the whole file.
    pub(super) fingerprint: String,
    system: Vec<Part>,
    user: Vec<Part>,
}

/// Characters of the text between placeholders.
fn own_chars(parts: &[Part]) -> usize {
    let text = |part: &Part| match part {
        Part::Text(text) => text.chars().count(),
        Part::Slot(_) => 0,
    };
    parts.iter().map(text).sum()
}

/// The front matter as it stands, each value with its line.
#[derive(Default)]
struct Front<'t> {
    id: Option<&'t str>,
    version: Option<u32>,
    role: Option<ModelRole>,
    user_chars: Option<usize>,
    output_tokens: Option<u32>,
}

impl PromptFile {
    /// Reads a file; `known` are the prompts there are.
    pub(super) fn parse(text: &str, known: &[Slots]) -> Result<Self, PromptError> {
        let plain = text.strip_prefix('\u{FEFF}').unwrap_or(text).replace("\r\n", "\n");
        let lines: Vec<&str> = plain.lines().collect();
        let (front, body_at) = front(&lines)?;
        let missing = |key: &str| PromptError::FrontMatter {
            line: 1,
            cause: format!(
                "{key} is missing; write \"{key}: ...\" between the two lines of dashes"
            ),
        };
        let id = front.id.ok_or_else(|| missing("id"))?;
        let slots = known.iter().find(|slots| slots.id == id).ok_or_else(|| {
            let known: Vec<&str> = known.iter().map(|slots| slots.id).collect();
            PromptError::UnknownPrompt { id: id.to_owned(), known: known.join(", ") }
        })?;
        let user_chars = front.user_chars.ok_or_else(|| missing("user_chars"))?;
        let (system, user) = parts(&lines, body_at, slots)?;
        let fixed = |parts: &[Part]| -> usize {
            let text = |part: &Part| match part {
                Part::Text(text) => text.chars().count(),
                Part::Slot(_) => 0,
            };
            parts.iter().map(text).sum()
        };
        if fixed(&user) > user_chars / 3 {
            return Err(PromptError::Part {
                id: id.to_owned(),
                line: body_at + 1,
                cause: format!(
                    "the user part has {} characters of its own, more than a third of user_chars ({user_chars}); \
                     move instructions to the system part or raise user_chars",
                    fixed(&user)
                ),
            });
        }
        Ok(Self {
            id: slots.id,
            version: front.version.ok_or_else(|| missing("version"))?,
            role: front.role.ok_or_else(|| missing("role"))?,
            user_chars,
            output_tokens: front.output_tokens.ok_or_else(|| missing("output_tokens"))?,
            fingerprint: short_hash(plain.as_bytes(), 12),
            system,
            user,
        })
    }

    /// Characters that the filled placeholders of the user part may have together.
    pub(super) fn room(&self) -> usize {
        self.user_chars.saturating_sub(own_chars(&self.user))
    }

    /// Characters of the system part without what is filled in.
    pub(super) fn system_chars(&self) -> usize {
        own_chars(&self.system)
    }

    /// Whether the system part says this, letter for letter: then a reply that says it repeats the example.
    pub(super) fn says(&self, text: &str) -> bool {
        self.system.iter().any(|part| matches!(part, Part::Text(own) if own.contains(text)))
    }

    /// Whether a text has a run of words from the system part, whatever stands around it.
    pub(super) fn lends(&self, text: &str) -> bool {
        /// Fewer may stand there by chance.
        const RUN: usize = 6;
        let words: Vec<&str> = text.split_whitespace().collect();
        words.windows(RUN).any(|run| self.says(&run.join(" ")))
    }

    /// Whether the system part has a place for a filling.
    pub(super) fn places(&self, name: &str) -> bool {
        self.system.iter().any(|part| matches!(part, Part::Slot(own) if *own == name))
    }

    /// The system and the user part with every placeholder filled. A placeholder without a filling is empty.
    pub(super) fn fill(&self, fillings: &[(&'static str, Safe)]) -> (String, String) {
        let filling = |name: &str| {
            let found = fillings.iter().find(|(key, _)| *key == name);
            found.map_or("", |(_, safe)| safe.as_str())
        };
        let fill = |parts: &[Part], part: &str| {
            let mut out = String::new();
            // Where nothing frames a call, its place leaves no blank lines behind.
            let mut unfilled = false;
            for part in parts {
                match part {
                    Part::Text(text) if unfilled => out.push_str(text.trim_start_matches('\n')),
                    Part::Text(text) => out.push_str(text),
                    Part::Slot(name) => out.push_str(filling(name)),
                }
                unfilled = match part {
                    Part::Slot(name) => {
                        filling(name).is_empty() && FRAMING.iter().any(|(_, own)| own == name)
                    }
                    Part::Text(_) => false,
                };
            }
            for (_, name) in FRAMING.iter().filter(|(own, _)| *own == part) {
                let placed =
                    parts.iter().any(|part| matches!(part, Part::Slot(own) if own == name));
                let text = filling(name);
                if !placed && !text.is_empty() {
                    out.push_str("\n\n");
                    out.push_str(text);
                }
            }
            out
        };
        (fill(&self.system, "system"), fill(&self.user, "user"))
    }
}

/// The front matter, and the index of the first line after it.
fn front<'t>(lines: &[&'t str]) -> Result<(Front<'t>, usize), PromptError> {
    let wrong = |line: usize, cause: String| PromptError::FrontMatter { line, cause };
    if lines.first().map(|line| line.trim_end()) != Some("---") {
        let cause = "it does not begin with a line of three dashes; front matter (id, version, role, user_chars, \
                     output_tokens) comes first";
        return Err(wrong(1, cause.to_owned()));
    }
    let mut front = Front::default();
    for (at, line) in lines.iter().enumerate().skip(1) {
        if line.trim_end() == "---" {
            return Ok((front, at + 1));
        }
        let number = at + 1;
        if line.trim().is_empty() {
            continue;
        }
        let Some((key, value)) = line.split_once(':') else {
            return Err(wrong(number, format!("{line:?} is no \"key: value\"")));
        };
        let value = value.trim();
        let whole = |range: std::ops::RangeInclusive<usize>| {
            value.parse::<usize>().ok().filter(|n| range.contains(n)).ok_or_else(|| {
                let (from, to) = range.into_inner();
                wrong(number, format!("{} must be a whole number from {from} to {to}", key.trim()))
            })
        };
        match key.trim() {
            "id" => front.id = Some(value),
            "version" => front.version = Some(whole(1..=1_000_000)? as u32),
            "role" => {
                front.role = Some(match value {
                    "fast" => ModelRole::Fast,
                    "strong" => ModelRole::Strong,
                    _ => return Err(wrong(number, "role must be fast or strong".to_owned())),
                });
            }
            "user_chars" => front.user_chars = Some(whole(USER_CHARS)?),
            "output_tokens" => front.output_tokens = Some(whole(OUTPUT_TOKENS)? as u32),
            other => {
                let keys = "id, version, role, user_chars, output_tokens";
                return Err(wrong(number, format!("{other:?} is no key; the keys are {keys}")));
            }
        }
    }
    Err(wrong(lines.len().max(1), "the second line of three dashes is missing".to_owned()))
}

/// The system and the user part.
fn parts(
    lines: &[&str],
    from: usize,
    slots: &Slots,
) -> Result<(Vec<Part>, Vec<Part>), PromptError> {
    let wrong = |line: usize, cause: &str| PromptError::Part {
        id: slots.id.to_owned(),
        line: line + 1,
        cause: cause.to_owned(),
    };
    let mut heads: Vec<usize> = Vec::new();
    for (at, line) in lines.iter().enumerate().skip(from) {
        match (line.trim_end(), heads.len()) {
            ("## system", 0) | ("## user", 1) => heads.push(at),
            ("## system" | "## user", _) => {
                return Err(wrong(at, "\"## system\" comes first, then \"## user\", each once"));
            }
            (text, 0) if !text.is_empty() => {
                return Err(wrong(at, "text before \"## system\" reaches no model"));
            }
            _ => {}
        }
    }
    let [system, user] = heads[..] else {
        return Err(wrong(from, "a line \"## system\" and a line \"## user\" are wanted"));
    };
    Ok((
        part(lines, system + 1..user, slots.id, "system", slots.system)?,
        part(lines, user + 1..lines.len(), slots.id, "user", slots.user)?,
    ))
}

fn part(
    lines: &[&str],
    range: std::ops::Range<usize>,
    id: &'static str,
    name: &'static str,
    known: &[&'static str],
) -> Result<Vec<Part>, PromptError> {
    let wrong = |line: usize, placeholder: &str, cause: &'static str| {
        let all: Vec<String> = known.iter().map(|slot| format!("{{{{{slot}}}}}")).collect();
        PromptError::Placeholder {
            id: id.to_owned(),
            line: line + 1,
            placeholder: placeholder.chars().take(40).collect(),
            cause,
            known: if all.is_empty() { "none".to_owned() } else { all.join(", ") },
        }
    };
    let mut out: Vec<Part> = Vec::new();
    let mut text = String::new();
    let mut used: Vec<&'static str> = Vec::new();
    for at in range.clone() {
        let mut rest = lines[at];
        while let Some(open) = rest.find("{{") {
            let inner = &rest[open + 2..];
            let Some(close) = inner.find("}}") else {
                return Err(wrong(at, inner, "is not closed"));
            };
            let given = inner[..close].trim();
            let framing =
                FRAMING.iter().find(|(part, slot)| *part == name && *slot == given).map(|f| f.1);
            let slot = known.iter().copied().find(|slot| *slot == given).or(framing);
            let slot = slot.ok_or_else(|| wrong(at, given, "is no placeholder of this part"))?;
            if used.contains(&slot) {
                return Err(wrong(at, given, "stands twice; once is enough"));
            }
            used.push(slot);
            text.push_str(&rest[..open]);
            out.push(Part::Text(std::mem::take(&mut text)));
            out.push(Part::Slot(slot));
            rest = &inner[close + 2..];
        }
        text.push_str(rest);
        if at + 1 < range.end {
            text.push('\n');
        }
    }
    let end = text.trim_end().len();
    text.truncate(end);
    out.push(Part::Text(text));
    if let Some(placeholder) = known.iter().find(|slot| !used.contains(slot)) {
        return Err(PromptError::MissingPlaceholder { id: id.to_owned(), part: name, placeholder });
    }
    if out.iter().all(|part| matches!(part, Part::Text(text) if text.trim().is_empty())) {
        return Err(PromptError::Part {
            id: id.to_owned(),
            line: range.start + 1,
            cause: format!("its {name} part is empty"),
        });
    }
    Ok(out)
}
