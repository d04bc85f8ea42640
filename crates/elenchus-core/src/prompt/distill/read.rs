//! Reading strategies out of a reply.

use super::{CONTENT, DESCRIPTION, Distilled, ProposedStrategy, TITLE};
use crate::bank::Outcome;
use crate::prompt::defect::{Defect, DefectKind, Defects};
use crate::prompt::safe::is_hidden;
use crate::text::squeeze;

/// Most tags kept of one strategy, and the longest.
const TAGS: usize = 20;
const TAG: usize = 40;

/// How a defect begins that cost a whole block.
const LEFT_OUT: &str = "left out: ";
/// Most characters of such a block that are told.
const BEGINNING: usize = 120;

/// What of a reply was left out, of all that had to be done to it.
pub fn left_out(repairs: &[String]) -> Vec<String> {
    repairs.iter().filter(|repair| repair.contains(LEFT_OUT)).cloned().collect()
}

/// A field of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Title,
    Description,
    Content,
    Tags,
    Outcome,
}

/// What stands in one block, as it was written.
#[derive(Default)]
struct Block {
    title: Option<String>,
    description: Option<String>,
    content: Option<String>,
    tags: Option<String>,
    outcome: Option<String>,
}

impl Block {
    fn field(&mut self, field: Field) -> &mut Option<String> {
        match field {
            Field::Title => &mut self.title,
            Field::Description => &mut self.description,
            Field::Content => &mut self.content,
            Field::Tags => &mut self.tags,
            Field::Outcome => &mut self.outcome,
        }
    }

    /// What tells it from the others, short.
    fn beginning(&self) -> String {
        let parts = [&self.title, &self.description, &self.content];
        let text = parts.into_iter().flatten().map(|part| squeeze(part)).collect::<Vec<_>>();
        shortened(&text.join("; "), BEGINNING)
    }
}

/// The strategies of a reply, at most `most`. `None` when it neither holds one nor says that there is none: then the
/// caller asks again. Nothing is guessed: a block without title, content or a known outcome is dropped, with a defect.
pub fn read_strategies(reply: &str, most: usize) -> (Option<Distilled>, Vec<Defect>) {
    let mut defects = Defects::default();
    let found = read(reply, most, &mut defects);
    (found, defects.into_list())
}

pub(in crate::prompt) fn read(
    reply: &str,
    most: usize,
    defects: &mut Defects,
) -> Option<Distilled> {
    let visible: String =
        reply.replace("\r\n", "\n").replace('\r', "\n").chars().filter(|c| seen(*c)).collect();
    let (blocks, none_said, around) = blocks(&visible);
    if around {
        defects.add(DefectKind::TextAround, "reply", "text beside the blocks");
    }
    if blocks.is_empty() {
        if none_said {
            return Some(Distilled::default());
        }
        let what = "neither a block with a title nor NO_EXTRACTIONS";
        defects.add(DefectKind::Empty, "reply", what);
        return None;
    }
    if none_said {
        let what = "it holds strategies and says that there are none; the strategies count";
        defects.add(DefectKind::Contradiction, "reply", what);
    }
    let mut kept: Vec<ProposedStrategy> = Vec::new();
    for (at, block) in blocks.into_iter().enumerate() {
        let at = format!("memory {}", at + 1);
        let about = block.beginning();
        let Some(strategy) = strategy(block, &at, defects) else {
            defects.add(DefectKind::MissingKey, &at, format!("{LEFT_OUT}{about}"));
            continue;
        };
        if kept.iter().any(|other| other.title.to_lowercase() == strategy.title.to_lowercase()) {
            let what = format!("{LEFT_OUT}its title stands already: {about}");
            defects.add(DefectKind::DuplicateId, &at, what);
        } else if kept.len() >= most {
            let what = format!("{LEFT_OUT}there are more than {most}: {about}");
            defects.add(DefectKind::TooLong, &at, what);
        } else {
            kept.push(strategy);
        }
    }
    (!kept.is_empty()).then_some(Distilled { strategies: kept })
}

fn seen(c: char) -> bool {
    c == '\n' || c == '\t' || !is_hidden(c)
}

/// The blocks, whether a line of its own says that there are none, and whether anything else was said.
fn blocks(text: &str) -> (Vec<Block>, bool, bool) {
    let mut blocks: Vec<Block> = Vec::new();
    let (mut none_said, mut around, mut headed) = (false, false, false);
    // The field that a line without a name goes on with.
    let mut open: Option<Field> = None;
    for line in text.lines() {
        let in_content = open == Some(Field::Content);
        if is_heading(line) {
            blocks.push(Block::default());
            (open, headed) = (None, true);
            continue;
        }
        let named = named(line).filter(|(field, _)| {
            // Content may hold lines such as "Title: ..." of its own.
            !in_content
                || matches!(field, Field::Tags | Field::Outcome)
                || (!headed && *field == Field::Title)
        });
        if let Some((field, value)) = named {
            let again =
                field == Field::Title && blocks.last().is_some_and(|block| block.title.is_some());
            if blocks.is_empty() || (again && !headed) {
                blocks.push(Block::default());
            }
            let Some(block) = blocks.last_mut() else { continue };
            let slot = block.field(field);
            // The first of two counts: what follows a finished block is talk about it.
            if slot.is_none() {
                *slot = Some(value.to_owned());
                open = Some(field);
            } else {
                open = None;
            }
            continue;
        }
        if says_none(line) {
            none_said = true;
            open = None;
            continue;
        }
        let fence = line.trim_start().starts_with("```");
        match (open, blocks.last_mut()) {
            (Some(field @ (Field::Content | Field::Description)), Some(block)) => {
                let ends = field == Field::Description && (fence || line.trim().is_empty());
                let slot = block.field(field).get_or_insert_default();
                if !ends {
                    slot.push('\n');
                    slot.push_str(line);
                }
            }
            _ if line.trim().is_empty() || fence || is_rule(line) => {}
            _ => around = true,
        }
    }
    blocks.retain(|block| {
        block.title.is_some() || block.content.is_some() || block.description.is_some()
    });
    (blocks, none_said, around)
}

/// A line without the marks of Markdown at its ends.
fn bare(line: &str) -> &str {
    line.trim().trim_matches(|c: char| {
        c.is_whitespace()
            || matches!(c, '#' | '*' | '_' | '`' | '>' | '-' | '"' | '\'' | '(' | ')' | '.' | '!')
    })
}

/// "## Memory 1", "**Memory 2:**", "Memory #3".
fn is_heading(line: &str) -> bool {
    let plain = bare(line).to_lowercase();
    let Some(rest) = plain.strip_prefix("memory") else { return false };
    let rest = rest.trim_matches(|c: char| c.is_whitespace() || matches!(c, '#' | ':' | '*' | '.'));
    !rest.is_empty() && rest.len() <= 3 && rest.chars().all(|c| c.is_ascii_digit())
}

fn is_rule(line: &str) -> bool {
    line.trim().chars().all(|c| matches!(c, '-' | '*' | '_' | '='))
}

/// `NO_EXTRACTIONS`, in any case and dress.
fn says_none(line: &str) -> bool {
    let plain: String =
        bare(line).chars().filter(char::is_ascii_alphabetic).collect::<String>().to_lowercase();
    plain == "noextractions" || plain == "noextraction"
}

/// "**Title**: ...", "- Title: ...", "**Title:** ...".
fn named(line: &str) -> Option<(Field, &str)> {
    let start = line.trim_start().trim_start_matches(['-', '*', '_', '#', '>', ' ', '+']);
    let (name, rest) = start
        .split_at_checked(start.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(start.len()))?;
    let field = match name.to_ascii_lowercase().as_str() {
        "title" => Field::Title,
        "description" => Field::Description,
        "content" => Field::Content,
        "tags" | "tag" => Field::Tags,
        "outcome" => Field::Outcome,
        _ => return None,
    };
    let value = rest.trim_start_matches(['*', '_', ' ']).strip_prefix([':', '：'])?;
    Some((field, value.trim_start_matches(['*', '_']).trim()))
}

/// A block as a strategy; `None`, with a defect, where something essential is missing.
fn strategy(block: Block, at: &str, defects: &mut Defects) -> Option<ProposedStrategy> {
    let mut one_line = |text: Option<String>, name: &str, most: usize| {
        let text = squeeze(unquoted(text.as_deref().unwrap_or_default()));
        let at = format!("{at}.{name}");
        if text.is_empty() || is_template(&text) {
            defects.add(DefectKind::MissingKey, &at, format!("no {name}"));
            return String::new();
        }
        if text.chars().count() > most {
            defects.add(DefectKind::TooLong, &at, format!("more than {most} characters"));
        }
        shortened(&text, most)
    };
    let title = one_line(block.title, "title", TITLE);
    let description = one_line(block.description, "description", DESCRIPTION);
    let content = content(block.content.as_deref().unwrap_or_default());
    if content.is_empty() {
        defects.add(DefectKind::MissingKey, &format!("{at}.content"), "no content");
    }
    if content.chars().count() > CONTENT {
        let what = format!("more than {CONTENT} characters");
        defects.add(DefectKind::TooLong, &format!("{at}.content"), what);
    }
    let content: String = content.chars().take(CONTENT).collect();
    let outcome = outcome(block.outcome.as_deref(), &format!("{at}.outcome"), defects);
    let tags = tags(block.tags.as_deref().unwrap_or_default());
    if title.is_empty() || content.is_empty() {
        return None;
    }
    Some(ProposedStrategy { title, description, content, tags, outcome: outcome? })
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(['"', '`', '*', '“', '”'])
}

/// "<concise name>": the form, handed back.
fn is_template(text: &str) -> bool {
    text.starts_with('<') && text.ends_with('>')
}

/// At most `most` characters, cut between words where that loses little.
fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let cut: String = text.chars().take(most.saturating_sub(1)).collect();
    let end = cut.rfind(' ').filter(|end| *end > cut.len() / 2).unwrap_or(cut.len());
    format!("{}…", cut[..end].trim_end_matches([',', ';', ':', ' ']))
}

/// Lines without ends of their own, without a fence around them, at most one empty line in a row.
fn content(text: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines().map(str::trim_end) {
        if !(line.is_empty() && lines.last().is_none_or(|last| last.is_empty())) {
            lines.push(line);
        }
    }
    while lines.last().is_some_and(|line| line.is_empty() || is_rule(line)) {
        lines.pop();
    }
    // A fence that closes the whole reply and opens nowhere in this block.
    let fences = lines.iter().filter(|line| line.trim_start().starts_with("```")).count();
    if fences % 2 == 1 && lines.last().is_some_and(|line| line.trim() == "```") {
        lines.pop();
    }
    let joined = lines.join("\n");
    let plain = joined.trim();
    if is_template(plain) { String::new() } else { plain.to_owned() }
}

fn outcome(text: Option<&str>, at: &str, defects: &mut Defects) -> Option<Outcome> {
    let Some(text) = text.map(squeeze).filter(|text| !text.is_empty()) else {
        defects.add(DefectKind::MissingKey, at, "no outcome; it is not guessed");
        return None;
    };
    let plain: String =
        text.chars().filter(|c| c.is_alphabetic() || *c == ' ').collect::<String>().to_lowercase();
    let (found, exact) = match plain.trim() {
        "success" => (Outcome::Success, true),
        "failure" => (Outcome::Failure, true),
        "successful" | "succeeded" => (Outcome::Success, false),
        "failed" | "fail" => (Outcome::Failure, false),
        _ => {
            let what = format!("{text:?} is neither success nor failure");
            defects.add(DefectKind::UnknownWord, at, what);
            return None;
        }
    };
    if !exact {
        defects.add(DefectKind::RespeltWord, at, format!("{text:?} is understood"));
    }
    Some(found)
}

fn tags(text: &str) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    for tag in text.split([',', ';', '\n']) {
        let tag = squeeze(tag.trim().trim_matches(['#', '[', ']', '"', '`', '\'', '*', ' ']));
        let tag: String = tag.to_lowercase().chars().take(TAG).collect();
        if !tag.is_empty() && !is_template(&tag) && !tags.contains(&tag) && tags.len() < TAGS {
            tags.push(tag);
        }
    }
    tags
}
