//! Settings in YAML. No library edits YAML and keeps its form, so lines are put in and taken out where a parser says
//! that they belong.

use super::{Change, Entry, Malformed};
use saphyr_parser::{Event, Parser, Span};
use std::fmt::Write;

const KEY: &str = "extensions";

/// A node with the lines that it takes, from 1; `last` is the last line with anything of it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Node {
    what: What,
    line: usize,
    column: usize,
    last: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    Scalar(String),
    List(Vec<Node>),
    Map(Vec<(Node, Node)>),
    /// Refers to a node that stands elsewhere.
    Alias(usize),
}

impl Node {
    /// What it says, wherever it stands.
    fn same(&self, other: &Self) -> bool {
        match (&self.what, &other.what) {
            (What::List(a), What::List(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b))
            }
            (What::Map(a), What::Map(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|((k, v), (l, w))| k.same(l) && v.same(w))
            }
            (a, b) => a == b,
        }
    }

    fn members(&self) -> &[(Node, Node)] {
        match &self.what {
            What::Map(members) => members,
            _ => &[],
        }
    }

    fn is(&self, name: &str) -> bool {
        matches!(&self.what, What::Scalar(text) if text == name)
    }

    fn is_nothing(&self) -> bool {
        matches!(&self.what, What::Scalar(text) if matches!(text.as_str(), "" | "~" | "null"))
    }
}

/// Nodes deeper than this are refused: settings are shallow.
const DEEPEST: usize = 64;

struct Reading<'a> {
    events: Vec<(Event<'a>, Span)>,
    at: usize,
}

impl<'a> Reading<'a> {
    fn next(&mut self) -> Option<(Event<'a>, Span)> {
        let event = self.events.get(self.at).cloned();
        self.at += 1;
        event
    }

    fn node(&mut self, depth: usize) -> Result<Option<Node>, Malformed> {
        let Some((event, span)) = self.next() else { return Ok(None) };
        let (line, column) = (span.start.line(), span.start.col() + 1);
        let too_deep = || Malformed { line, column, cause: "it is nested too deeply".to_owned() };
        if depth > DEEPEST {
            return Err(too_deep());
        }
        let mut last = span.start.line();
        let what = match event {
            Event::Scalar(text, ..) => {
                // A block of text ends where the next line begins.
                let ends =
                    span.end.line() - usize::from(span.end.col() == 0 && span.end.line() > line);
                last = last.max(ends);
                What::Scalar(text.into_owned())
            }
            Event::Alias(id) => What::Alias(id),
            Event::SequenceStart(..) => {
                let mut items = Vec::new();
                while let Some(item) = self.node(depth + 1)? {
                    last = last.max(item.last);
                    items.push(item);
                }
                What::List(items)
            }
            Event::MappingStart(..) => {
                let mut members = Vec::new();
                while let Some(key) = self.node(depth + 1)? {
                    let Some(value) = self.node(depth + 1)? else { return Err(too_deep()) };
                    last = last.max(key.last).max(value.last);
                    members.push((key, value));
                }
                What::Map(members)
            }
            _ => return Ok(None),
        };
        Ok(Some(Node { what, line, column, last }))
    }
}

/// The one document of a text; `None` when there is nothing in it.
fn parse(text: &str) -> Result<Option<Node>, Malformed> {
    let mut events = Vec::new();
    let mut documents = 0;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| Malformed {
            line: error.marker().line(),
            column: error.marker().col() + 1,
            cause: error.info().to_owned(),
        })?;
        match event {
            Event::StreamStart | Event::StreamEnd | Event::DocumentEnd | Event::Nothing => {}
            Event::DocumentStart(_) => {
                documents += 1;
                if documents > 1 {
                    return Err(Malformed {
                        line: span.start.line(),
                        column: 1,
                        cause: "a second document begins, and settings are one".to_owned(),
                    });
                }
            }
            event => events.push((event, span)),
        }
    }
    Reading { events, at: 0 }.node(0)
}

/// A text in quotes that YAML and JSON read alike.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The lines of the entry, each indented by `indent` and ended by `end`.
fn lines(entry: &Entry, indent: usize, end: &str) -> String {
    let mut out = String::new();
    let pad = " ".repeat(indent);
    let list: Vec<String> = entry.arguments.iter().map(|argument| quoted(argument)).collect();
    let fields = [
        ("type", "stdio".to_owned()),
        ("name", entry.name.clone()),
        ("enabled", "true".to_owned()),
        ("cmd", quoted(&entry.command)),
        ("args", format!("[{}]", list.join(", "))),
        ("envs", "{}".to_owned()),
        ("timeout", "300".to_owned()),
    ];
    // Writing to a String cannot fail.
    let _ = write!(out, "{pad}{}:{end}", entry.name);
    for (name, value) in fields {
        let _ = write!(out, "{pad}  {name}: {value}{end}");
    }
    out
}

/// The byte at which a line begins, counted from 1; the end where there is no such line.
fn start_of(text: &str, line: usize) -> usize {
    text.split_inclusive('\n').take(line - 1).map(str::len).sum()
}

pub(super) fn changed(text: &str, entry: &Entry, change: Change) -> Result<String, Malformed> {
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let root = parse(text)?;
    let new = edited(text, root.as_ref(), entry, change, end)?;
    if new != text {
        only_ours(root.as_ref(), &new, &entry.name)?;
    }
    Ok(new)
}

fn edited(
    text: &str,
    root: Option<&Node>,
    entry: &Entry,
    change: Change,
    end: &str,
) -> Result<String, Malformed> {
    let appended = || {
        let gap = if text.is_empty() || text.ends_with('\n') { "" } else { end };
        format!("{text}{gap}{KEY}:{end}{}", lines(entry, 2, end))
    };
    let Some(root) = root.filter(|root| !root.is_nothing()) else {
        return Ok(if change == Change::Install { appended() } else { text.to_owned() });
    };
    let wrong = |node: &Node, cause: &str| Malformed {
        line: node.line,
        column: node.column,
        cause: cause.to_owned(),
    };
    let flow = |node: &Node| {
        text[start_of(text, node.line)..]
            .chars()
            .nth(node.column - 1)
            .is_some_and(|first| first == '{' || first == '[')
    };
    if !matches!(root.what, What::Map(_)) || flow(root) {
        return Err(wrong(root, "the settings are no list of `key: value` lines"));
    }
    let found = root.members().iter().find(|(key, _)| key.is(KEY));
    let Some((key, servers)) = found else {
        if change == Change::Uninstall {
            return Ok(text.to_owned());
        }
        if text.lines().any(|line| line.trim_end() == "...") {
            return Err(wrong(
                root,
                "the document is ended by `...`, after which nothing can be added",
            ));
        }
        return Ok(appended());
    };
    if servers.is_nothing() || (servers.members().is_empty() && flow(servers)) {
        if change == Change::Uninstall {
            return Ok(text.to_owned());
        }
        // `extensions:` with nothing, `~` or `{}` behind it.
        let (from, to) = (start_of(text, key.line), start_of(text, key.line.max(servers.last) + 1));
        let line = text[from..to].trim_end();
        let head = line.split_once(':').map_or(line, |(head, _)| head);
        return Ok(format!("{}{head}:{end}{}{}", &text[..from], lines(entry, 2, end), &text[to..]));
    }
    let What::Map(members) = &servers.what else {
        return Err(wrong(servers, "`extensions` is no mapping, so it cannot hold a server"));
    };
    if flow(servers) {
        return Err(wrong(
            servers,
            "`extensions` is written in braces; write an entry a line, or add it by hand",
        ));
    }
    let indent = members.first().map_or(2, |(first, _)| first.column - 1);
    let there = members.iter().find(|(name, _)| name.is(&entry.name));
    let block = lines(entry, indent, end);
    match (there, change) {
        (Some((name, value)), _) => {
            let wanted = parse(&block)?;
            let same = wanted
                .as_ref()
                .and_then(|wanted| wanted.members().first())
                .is_some_and(|(_, wanted)| wanted.same(value));
            if same && change == Change::Install {
                return Ok(text.to_owned());
            }
            let last = name.last.max(value.last);
            let (from, to) = (start_of(text, name.line), start_of(text, last + 1));
            let block = if change == Change::Install { block.as_str() } else { "" };
            Ok(format!("{}{block}{}", &text[..from], &text[to..]))
        }
        (None, Change::Uninstall) => Ok(text.to_owned()),
        (None, Change::Install) => {
            // First, right under the key: nobody's comment comes between a setting and itself.
            let at = start_of(text, key.line + 1);
            Ok(format!("{}{block}{}", &text[..at], &text[at..]))
        }
    }
}

/// Whether nothing but our entry differs, whatever the editing did.
fn only_ours(before: Option<&Node>, after: &str, name: &str) -> Result<(), Malformed> {
    let rest = |root: Option<&Node>| -> Vec<(Node, Node)> {
        let mut members = root.map(|root| root.members().to_vec()).unwrap_or_default();
        for (key, value) in &mut members {
            if key.is(KEY)
                && let What::Map(servers) = &mut value.what
            {
                servers.retain(|(key, _)| !key.is(name));
            }
        }
        members.retain(|(key, value)| {
            !(key.is(KEY)
                && (value.is_nothing() || matches!(&value.what, What::Map(m) if m.is_empty())))
        });
        members
    };
    let (a, b) = (rest(before), rest(parse(after)?.as_ref()));
    let same =
        a.len() == b.len() && a.iter().zip(&b).all(|((k, v), (l, w))| k.same(l) && v.same(w));
    if same {
        return Ok(());
    }
    let cause = "the change would have touched other settings, so it was not made".to_owned();
    Err(Malformed { line: 1, column: 1, cause })
}
