//! The text of a page whose elements are nested too deeply to be parsed as a tree: one pass over its tags.

use super::Hidden;
use super::css::effect;

/// Elements whose content is never text.
const SILENT: &[&str] = &[
    "script", "style", "noscript", "template", "head", "title", "svg", "iframe", "noframes",
    "textarea", "select", "object",
];

/// What stands between tags and is not hidden by the element right around it.
pub(super) fn seen(html: &str) -> (String, Hidden) {
    let mut hidden = Hidden::default();
    let mut text = String::with_capacity(html.len() / 4);
    let mut rest = html;
    // The element that hides what follows, and how many of its name are open within.
    let mut concealed: Option<(String, usize, bool)> = None;
    while !rest.is_empty() {
        let open = rest.find('<').unwrap_or(rest.len());
        let words = &rest[..open];
        match &concealed {
            None => text.push_str(words),
            Some((_, _, counted)) if *counted => {
                hidden.characters += words.chars().filter(|c| c.is_alphanumeric()).count();
            }
            Some(_) => {}
        }
        rest = &rest[open..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.split_once("-->").map_or("", |parts| parts.1);
            continue;
        }
        let closing = rest.starts_with("</");
        let name: String = rest
            .get(if closing { 2 } else { 1 }..)
            .unwrap_or_default()
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .take(20)
            .collect::<String>()
            .to_ascii_lowercase();
        if name.is_empty() && !closing && !rest.starts_with("<!") && !rest.starts_with("<?") {
            // A sign, not a tag.
            let after = rest.chars().next().map_or(0, char::len_utf8);
            if concealed.is_none() {
                text.push_str(&rest[..after]);
            }
            rest = &rest[after..];
            continue;
        }
        let end = rest.find('>').map_or(rest.len(), |at| at + 1);
        let tag = &rest[..end];
        rest = &rest[end..];
        match &mut concealed {
            Some((around, depth, _)) if *around == name => {
                *depth = if closing { *depth - 1 } else { *depth + 1 };
                if *depth == 0 {
                    concealed = None;
                }
            }
            Some(_) => {}
            None if !closing => {
                let silent = SILENT.contains(&name.as_str());
                let how = if silent { None } else { hides(tag) };
                if let Some(how) = how {
                    hidden.add(0, how);
                }
                if silent || how.is_some() {
                    concealed = Some((name, 1, !silent));
                }
                text.push('\n');
            }
            None => text.push('\n'),
        }
    }
    let text = super::unseen::without(&text, &mut hidden);
    if hidden.characters == 0 {
        hidden.ways.clear();
    }
    (unescaped(&text), hidden)
}

/// How the style of a tag hides what follows.
fn hides(tag: &str) -> Option<&'static str> {
    let lower = tag.get(..tag.floor_char_boundary(2_000))?.to_ascii_lowercase();
    if let Some((_, style)) = lower.split_once("style=") {
        let mark = style.chars().next().filter(|c| matches!(c, '"' | '\''));
        let value = match mark {
            Some(mark) => style[1..].split(mark).next().unwrap_or_default(),
            None => style.split([' ', '>']).next().unwrap_or_default(),
        };
        let style = effect(value);
        if style.hides.is_some() {
            return style.hides;
        }
        if style.tiny {
            return Some("letters without size");
        }
    }
    lower
        .split([' ', '>', '/', '\n', '\t'])
        .any(|part| part == "hidden" || part.starts_with("hidden="))
        .then_some("the hidden attribute")
}

fn unescaped(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ]
    .iter()
    .fold(text.to_owned(), |text, (escape, plain)| text.replace(escape, plain))
}
