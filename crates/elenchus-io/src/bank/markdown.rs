//! A memory as Markdown that people read and edit, and back.
//!
//! Each strategy is a section: its title as the heading, what it says as text, and what else is known of it in one block
//! of JSON. What stands in the text wins over the block; a section without a block is a new strategy.

use elenchus_core::bank::{Draft, Origin, Outcome, Scope, Standing, Strategy};
use elenchus_core::id::{StrategyId, Timestamp};
use elenchus_core::port::Exported;
use serde_json::json;
use std::fmt::Write;

/// Opens and closes the text of a strategy: longer than any run of backticks in it.
const LEAST_FENCE: usize = 3;

/// An export as Markdown.
pub fn to_markdown(exported: &[Exported]) -> String {
    let mut out = String::from("# Memory\n");
    for one in exported {
        let draft = &one.strategy.draft;
        let rest = json!({
            "id": one.strategy.id,
            "origin": draft.origin,
            "source_session": draft.source_session,
            "lineage": draft.lineage,
            "from_web": draft.from_web,
            "standing": one.strategy.standing,
            "actor": one.strategy.actor,
            "created_at": one.strategy.created_at,
            "edited_at": one.strategy.edited_at,
            "signals": one.signals,
        });
        let outcome = match draft.outcome {
            Outcome::Success => "success",
            Outcome::Failure => "failure",
        };
        let scope = match draft.scope {
            Scope::Project => "project",
            Scope::Team => "team",
            Scope::Org => "org",
        };
        // A title or description with a line end would be cut: the bank keeps none.
        let line = |text: &str| text.replace(['\n', '\r'], " ");
        let fence = fence(&draft.content);
        write!(
            out,
            "\n## {}\n\n- description: {}\n- outcome: {outcome}\n- scope: {scope}\n- tags: {}\n\n{fence}text\n{}\n{fence}\n\n\
             ```json\n{rest}\n```\n",
            line(&draft.title),
            line(&draft.description),
            json!(draft.tags),
            draft.content,
        )
        .expect("writing to a String cannot fail");
    }
    out
}

fn fence(content: &str) -> String {
    let (mut longest, mut run) = (0, 0);
    for c in content.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    "`".repeat((longest + 1).max(LEAST_FENCE))
}

/// Strategies out of Markdown. `now` and `actor` are those of sections that say nothing of them.
///
/// # Errors
/// The line of what cannot be read, why, and the way out.
pub fn from_markdown(text: &str, actor: &str, now: Timestamp) -> Result<Vec<Exported>, String> {
    let mut found = Vec::new();
    let mut lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).zip(1..);
    let mut section: Option<Section> = None;
    while let Some((line, number)) = lines.next() {
        if let Some(title) = line.strip_prefix("## ") {
            found.extend(section.take().map(|section| section.close(actor, now)).transpose()?);
            section = Some(Section::new(title.trim(), number));
            continue;
        }
        let ticks = line.chars().take_while(|c| *c == '`').count();
        if ticks >= LEAST_FENCE {
            let (fence, kind) = line.split_at(ticks);
            let mut inside: Vec<&str> = Vec::new();
            let closed = lines.by_ref().any(|(line, _)| {
                let end = line.trim_end() == fence;
                if !end {
                    inside.push(line);
                }
                end
            });
            if !closed {
                return Err(format!(
                    "could not read the memory: line {number}: the block that begins here has no end; close it with {fence}"
                ));
            }
            if let Some(section) = &mut section {
                section.block(kind.trim(), inside.join("\n"), number)?;
            }
            continue;
        }
        if let (Some(section), Some((key, value))) =
            (&mut section, line.strip_prefix("- ").and_then(|rest| rest.split_once(':')))
        {
            section.field(key.trim(), value.trim(), number)?;
        }
    }
    found.extend(section.map(|section| section.close(actor, now)).transpose()?);
    Ok(found)
}

/// A strategy that is being read.
struct Section {
    line: usize,
    draft: Draft,
    rest: serde_json::Map<String, serde_json::Value>,
}

impl Section {
    fn new(title: &str, line: usize) -> Self {
        Self {
            line,
            draft: Draft {
                title: title.to_owned(),
                description: String::new(),
                content: String::new(),
                outcome: Outcome::Success,
                tags: Vec::new(),
                scope: Scope::Project,
                origin: Origin::Imported,
                source_session: None,
                lineage: Vec::new(),
                from_web: false,
            },
            rest: serde_json::Map::new(),
        }
    }

    fn field(&mut self, key: &str, value: &str, line: usize) -> Result<(), String> {
        let unknown = |expected: &str| {
            format!(
                "could not read the memory: line {line}: {key} cannot be {value:?}; write {expected}"
            )
        };
        match key {
            "description" => value.clone_into(&mut self.draft.description),
            "outcome" => {
                self.draft.outcome = match value {
                    "success" => Outcome::Success,
                    "failure" => Outcome::Failure,
                    _ => return Err(unknown("success or failure")),
                }
            }
            "scope" => {
                self.draft.scope = match value {
                    "project" => Scope::Project,
                    "team" => Scope::Team,
                    "org" => Scope::Org,
                    _ => return Err(unknown("project, team or org")),
                }
            }
            "tags" => {
                self.draft.tags = match serde_json::from_str(value) {
                    Ok(tags) => tags,
                    // Written by hand.
                    Err(_) => value
                        .split(',')
                        .map(|tag| tag.trim().to_owned())
                        .filter(|tag| !tag.is_empty())
                        .collect(),
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn block(&mut self, kind: &str, text: String, line: usize) -> Result<(), String> {
        if kind == "json" {
            self.rest = serde_json::from_str(&text).map_err(|error| {
                format!(
                    "could not read the memory: line {line}: the block of JSON cannot be read ({error}); mend it or take it out"
                )
            })?;
        } else {
            self.draft.content = text;
        }
        Ok(())
    }

    fn close(mut self, actor: &str, now: Timestamp) -> Result<Exported, String> {
        let line = self.line;
        let mut rest = std::mem::take(&mut self.rest);
        let mut part = |name: &str| rest.remove(name).filter(|value| !value.is_null());
        let unreadable = |name: &str, error: serde_json::Error| {
            format!(
                "could not read the memory: line {line}: {name} of the memory that begins here cannot be read ({error}); \
                 mend it or take it out"
            )
        };
        macro_rules! read {
            ($name:literal, $otherwise:expr) => {
                match part($name) {
                    Some(value) => {
                        serde_json::from_value(value).map_err(|error| unreadable($name, error))?
                    }
                    None => $otherwise,
                }
            };
        }
        self.draft.origin = read!("origin", Origin::Imported);
        self.draft.source_session = read!("source_session", None);
        self.draft.lineage = read!("lineage", Vec::new());
        self.draft.from_web = read!("from_web", false);
        let created_at = read!("created_at", now);
        Ok(Exported {
            strategy: Strategy {
                id: read!("id", StrategyId(String::new())),
                standing: read!("standing", Standing::Active),
                actor: read!("actor", actor.to_owned()),
                created_at,
                edited_at: read!("edited_at", created_at),
                draft: self.draft,
            },
            signals: read!("signals", Vec::new()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Draft, Exported, Origin, Outcome, Scope, Standing, Strategy, StrategyId, Timestamp,
    };
    use super::{from_markdown, to_markdown};
    use elenchus_core::bank::{Signal, SignalKind};
    use proptest::prelude::{any, prop, prop_assert_eq, prop_compose, proptest};
    use proptest::strategy::Strategy as Generator;

    fn line() -> impl Generator<Value = String> {
        "[a-zA-Z0-9`#*:\\[\\]éß\u{1F600}-]([ a-zA-Z0-9`#*:\\[\\]éß\u{1F600}-]{0,40}[a-zA-Z0-9`#*])?"
    }

    prop_compose! {
        fn exported()(
            title in line(), description in line(), content in "[a-z`#\n -]{0,200}", failure in any::<bool>(), from_web in any::<bool>(),
            tags in prop::collection::vec(line(), 0..4), scope in 0_usize..3, at in 0_i64..4_000_000_000_000, signals in 0_usize..3,
            session in prop::option::of(line()), archived in any::<bool>(),
        ) -> Exported {
            let id = StrategyId("mem_0123456789ab".to_owned());
            let kinds = [SignalKind::Explicit, SignalKind::Usage, SignalKind::Outcome];
            Exported {
                signals: (0..signals).map(|i| Signal {
                    id: format!("sig_{i:012}"), memory_id: id.clone(), project_id: "p".to_owned(), kind: kinds[i],
                    positive: failure, session_id: String::new(), timestamp: Timestamp(at), search_id: None,
                    comment: Some(title.clone()), actor: "a".to_owned(), share: 0.5,
                }).collect(),
                strategy: Strategy {
                    id, actor: description.clone(), created_at: Timestamp(at), edited_at: Timestamp(at + 1),
                    standing: if archived { Standing::Archived { at: Timestamp(at), reason: title.clone() } } else { Standing::Active },
                    draft: Draft {
                        title, description, content, tags, from_web,
                        outcome: if failure { Outcome::Failure } else { Outcome::Success },
                        scope: [Scope::Project, Scope::Team, Scope::Org][scope],
                        origin: Origin::Distilled, source_session: session, lineage: Vec::new(),
                    },
                },
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(all in prop::collection::vec(exported(), 0..4)) {
            let text = to_markdown(&all);
            prop_assert_eq!(from_markdown(&text, "x", Timestamp(0)).expect("it reads"), all.clone());
            let windows = text.replace('\n', "\r\n");
            if all.iter().all(|one| !one.strategy.draft.content.contains('\n')) {
                prop_assert_eq!(from_markdown(&windows, "x", Timestamp(0)).expect("it reads"), all);
            }
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[#`\n a-z:{}-]{0,300}") {
            let _ = from_markdown(&text, "x", Timestamp(0));
        }
    }

    #[test]
    fn a_section_by_hand_is_a_new_strategy() {
        let text = "## Ask twice\n- description: When the first answer is short\n- tags: asking, doubt\n- outcome: failure\n```\nAsk again.\n```\n";
        let read = from_markdown(text, "ann", Timestamp(7)).expect("it reads");
        assert_eq!(read.len(), 1);
        assert_eq!(read[0].strategy.draft.tags, ["asking", "doubt"]);
        assert_eq!(read[0].strategy.draft.content, "Ask again.");
        assert_eq!((read[0].strategy.actor.as_str(), read[0].strategy.created_at.0), ("ann", 7));
        let wrong = from_markdown("## A\n- outcome: maybe\n", "ann", Timestamp(7)).unwrap_err();
        assert!(wrong.contains("line 2") && wrong.contains("success or failure"), "{wrong}");
        assert!(from_markdown("## A\n```\nx", "a", Timestamp(0)).unwrap_err().contains("no end"));
    }
}
