//! The lenient parser: one pass, bounded depth, every mending noted.

use super::{DefectKind, Defects};
use serde_json::{Map, Number, Value};

/// Deepest nesting read.
const DEEPEST: usize = 64;

/// What one attempt gave.
pub(super) struct Attempt {
    /// `None` when what began here is no value that could be mended.
    pub(super) value: Option<Value>,
    pub(super) defects: Defects,
}

/// Why reading stopped inside a value.
enum Stop {
    /// A character that cannot stand there.
    Broken,
    /// Too many brackets.
    Deep,
}

/// A part of a value: what was read, if it was whole, and whether the text ended in it.
struct Part {
    value: Option<Value>,
    cut: bool,
}

impl Part {
    fn whole(value: Value) -> Self {
        Self { value: Some(value), cut: false }
    }

    fn cut() -> Self {
        Self { value: None, cut: true }
    }
}

/// A text and how far it was read. Every character is looked at a bounded number of times.
pub(super) struct Lenient<'t> {
    text: &'t str,
    at: usize,
    defects: Defects,
}

impl<'t> Lenient<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0, defects: Defects::default() }
    }

    /// Where reading goes on, in bytes.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Goes to the next bracket that may begin a value.
    pub(super) fn next_start(&mut self) -> Option<usize> {
        self.at += self.text[self.at..].find(['{', '['])?;
        Some(self.at)
    }

    /// Reads the value that begins here. Reading goes on behind it, or where it could not be mended.
    pub(super) fn value(&mut self) -> Attempt {
        let start = self.at;
        let part = self.any(0);
        // A value that broke at its first character would be tried for ever.
        if self.at == start {
            self.bump();
        }
        let mut defects = std::mem::take(&mut self.defects);
        let value = match part {
            Ok(part) => {
                if part.cut {
                    let what = "the reply ends in the middle; what was half written is dropped";
                    defects.add(DefectKind::Truncated, "reply", what);
                }
                part.value
            }
            Err(Stop::Broken) => {
                let near: String = self.text[start..].chars().take(40).collect();
                let what = format!("what begins with {near:?} cannot be mended");
                defects.add(DefectKind::Broken, "reply", what);
                None
            }
            Err(Stop::Deep) => {
                let what = format!("more than {DEEPEST} brackets in one another");
                defects.add_once(DefectKind::TooDeep, "reply", &what);
                None
            }
        };
        Attempt { value, defects }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn bump(&mut self) {
        self.at += self.peek().map_or(0, char::len_utf8);
    }

    fn mended(&mut self, what: &str) {
        self.defects.add_once(DefectKind::Syntax, "reply", what);
    }

    /// Skips white space and comments.
    fn space(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}');
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with("//") || trimmed.starts_with('#') {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if trimmed.starts_with("/*") {
                self.at += trimmed.find("*/").map_or(trimmed.len(), |end| end + 2);
            } else {
                return;
            }
            self.mended("a comment");
        }
    }

    fn any(&mut self, depth: usize) -> Result<Part, Stop> {
        if depth > DEEPEST {
            return Err(Stop::Deep);
        }
        self.space();
        match self.peek() {
            None => Ok(Part::cut()),
            Some('{') => self.object(depth),
            Some('[') => self.list(depth),
            Some(c) if opens_text(c) => {
                Ok(self.quoted().map_or_else(Part::cut, |text| Part::whole(Value::String(text))))
            }
            Some(c) if c.is_ascii_digit() || matches!(c, '-' | '+' | '.') => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => self.bare(),
            Some(_) => Err(Stop::Broken),
        }
    }

    fn list(&mut self, depth: usize) -> Result<Part, Stop> {
        self.bump();
        let mut items = Vec::new();
        loop {
            self.space();
            match self.peek() {
                None => {
                    // An empty list that was cut says nothing.
                    let value = (!items.is_empty()).then_some(Value::Array(items));
                    return Ok(Part { value, cut: true });
                }
                Some(']') => {
                    self.bump();
                    return Ok(Part::whole(Value::Array(items)));
                }
                Some('}') => {
                    self.mended("a bracket of the wrong kind, or one that is missing");
                    return Ok(Part::whole(Value::Array(items)));
                }
                Some(',') => {
                    self.bump();
                    self.space();
                    if matches!(self.peek(), Some(',' | ']' | '}')) || items.is_empty() {
                        self.mended("a comma too many");
                    }
                }
                Some(_) => {
                    let part = self.any(depth + 1)?;
                    let half = part.cut && part.value.as_ref().is_some_and(Value::is_object);
                    if !half {
                        items.extend(part.value);
                    }
                    if part.cut {
                        let value = (!items.is_empty()).then_some(Value::Array(items));
                        return Ok(Part { value, cut: true });
                    }
                    self.space();
                    if !matches!(self.peek(), None | Some(',' | ']' | '}')) {
                        self.mended("a comma is missing");
                    }
                }
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Part, Stop> {
        self.bump();
        let mut map = Map::new();
        loop {
            self.space();
            match self.peek() {
                None => return Ok(Part { value: Some(Value::Object(map)), cut: true }),
                Some('}') => {
                    self.bump();
                    return Ok(Part::whole(Value::Object(map)));
                }
                Some(']') => {
                    self.mended("a bracket of the wrong kind, or one that is missing");
                    return Ok(Part::whole(Value::Object(map)));
                }
                Some(',') => {
                    self.bump();
                    self.space();
                    if matches!(self.peek(), Some(',' | '}' | ']')) || map.is_empty() {
                        self.mended("a comma too many");
                    }
                    continue;
                }
                Some(_) => {}
            }
            let Some(key) = self.key()? else {
                return Ok(Part { value: Some(Value::Object(map)), cut: true });
            };
            self.space();
            match self.peek() {
                None => return Ok(Part { value: Some(Value::Object(map)), cut: true }),
                Some(':') => self.bump(),
                Some('=') => {
                    self.mended("an equals sign for a colon");
                    self.bump();
                    if self.peek() == Some('>') {
                        self.bump();
                    }
                }
                Some(_) => return Err(Stop::Broken),
            }
            let part = self.any(depth + 1)?;
            if let Some(value) = part.value
                && map.insert(key.clone(), value).is_some()
            {
                let what = format!("{key:?} twice, the last counts");
                self.defects.add(DefectKind::DuplicateKey, "reply", what);
            }
            if part.cut {
                return Ok(Part { value: Some(Value::Object(map)), cut: true });
            }
            self.space();
            if !matches!(self.peek(), None | Some(',' | '}' | ']')) {
                self.mended("a comma is missing");
            }
        }
    }

    /// A key; `None` when the text ends in it.
    fn key(&mut self) -> Result<Option<String>, Stop> {
        match self.peek() {
            Some(c) if opens_text(c) => Ok(self.quoted()),
            Some(c) if c.is_alphabetic() || c == '_' || c == '$' => {
                let rest = self.rest();
                let end = rest
                    .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '-')))
                    .unwrap_or(rest.len());
                self.at += end;
                self.mended("a key without quotation marks");
                Ok((self.at < self.text.len()).then(|| rest[..end].to_owned()))
            }
            _ => Err(Stop::Broken),
        }
    }

    /// A text in quotation marks of any kind; `None` when the reply ends in it.
    fn quoted(&mut self) -> Option<String> {
        let open = self.peek()?;
        self.bump();
        let close: &[char] = match open {
            '"' => &['"'],
            '\'' => &['\''],
            '`' => &['`'],
            '‘' | '’' => &['’', '\''],
            '«' => &['»'],
            _ => &['”', '“', '"'],
        };
        if open != '"' {
            self.mended("quotation marks of another kind");
        }
        let mut out = String::new();
        loop {
            let c = self.peek()?;
            self.bump();
            if c == '\\' {
                self.escape(&mut out)?;
            } else if close.contains(&c) {
                if self.text_ends_here() {
                    return Some(out);
                }
                self.mended("a quotation mark inside a text");
                out.push(c);
            } else if c.is_control() {
                let white = c.is_whitespace();
                self.mended(if white { "a line break in a text" } else { "a control character" });
                if white {
                    out.push(c);
                }
            } else {
                out.push(c);
            }
        }
    }

    /// Whether a quotation mark that was just read ends its text: what follows could only follow a text.
    fn text_ends_here(&self) -> bool {
        let rest = self.rest();
        let after = rest.trim_start();
        let broke_line = rest[..rest.len() - after.len()].contains('\n');
        let Some(next) = after.chars().next() else { return true };
        if matches!(next, ',' | ':' | '=' | '}' | ']')
            || after.starts_with("//")
            || after.starts_with("/*")
        {
            return true;
        }
        if !opens_text(next) {
            return false;
        }
        // A comma is missing: another text begins on the next line, or a key does.
        broke_line || {
            let mut ahead = after.chars().skip(1).take(60).skip_while(|c| *c != next && *c != '\n');
            ahead.next() == Some(next) && ahead.find(|c| !c.is_whitespace()) == Some(':')
        }
    }

    fn escape(&mut self, out: &mut String) -> Option<()> {
        let c = self.peek()?;
        self.bump();
        match c {
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            'b' | 'f' => {}
            '"' | '\\' | '/' => out.push(c),
            'u' => {
                let first = self.hex4();
                let second = first.filter(|code| (0xD800..0xDC00).contains(code)).and_then(|_| {
                    let rest = self.rest().strip_prefix("\\u")?;
                    let low = u32::from_str_radix(rest.get(..4)?, 16).ok()?;
                    (0xDC00..0xE000).contains(&low).then_some(low)
                });
                let code = match (first, second) {
                    (Some(high), Some(low)) => {
                        self.at += 6;
                        Some(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
                    }
                    (first, _) => first,
                };
                match code.and_then(char::from_u32) {
                    Some(c) if c.is_control() && !c.is_whitespace() => {}
                    Some(c) => out.push(c),
                    None => {
                        self.mended("an escape of no character");
                        out.push('\u{FFFD}');
                    }
                }
            }
            c => {
                self.mended("a backslash that escapes nothing");
                out.push(c);
            }
        }
        Some(())
    }

    fn hex4(&mut self) -> Option<u32> {
        let digits = self.rest().get(..4)?;
        let code = digits.bytes().all(|b| b.is_ascii_hexdigit()).then_some(digits)?;
        self.at += 4;
        u32::from_str_radix(code, 16).ok()
    }

    fn number(&mut self) -> Result<Part, Stop> {
        let rest = self.rest();
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.' | '_')))
            .unwrap_or(rest.len());
        if end == 0 {
            return Err(Stop::Broken);
        }
        self.at += end;
        if self.at == self.text.len() {
            // The next digit may be missing.
            return Ok(Part::cut());
        }
        let token = &rest[..end];
        if let Ok(number) = serde_json::from_str::<Number>(token) {
            return Ok(Part::whole(Value::Number(number)));
        }
        let plain = token.trim_start_matches('+');
        let value = match plain.parse::<f64>() {
            Ok(number)
                if number.is_finite()
                    && plain
                        .starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.')) =>
            {
                self.mended("a number in a form that JSON does not have");
                Number::from_f64(number).map_or(Value::Null, Value::Number)
            }
            Ok(_) => {
                self.mended("a number that is none, read as null");
                Value::Null
            }
            Err(_) => {
                self.mended("a text without quotation marks");
                Value::String(token.to_owned())
            }
        };
        Ok(Part::whole(value))
    }

    /// `true`, `None`, `NaN`, or a text without quotation marks up to the end of its line or item.
    fn bare(&mut self) -> Result<Part, Stop> {
        let rest = self.rest();
        let ends = |c: char| matches!(c, ',' | '}' | ']' | '\n' | ':' | '{' | '[' | '"');
        let word_end =
            rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let word = &rest[..word_end];
        // No further than needed: looking for the end of the text behind each of many literals would take its square.
        let after = rest[word_end..].trim_start_matches(|c: char| c.is_whitespace() && !ends(c));
        let alone = after.is_empty()
            || after.starts_with(ends)
            || after.starts_with("//")
            || after.starts_with("/*")
            || after.starts_with('#');
        let literal = match word {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            "null" => Some(Value::Null),
            "True" | "TRUE" => Some(Value::Bool(true)),
            "False" | "FALSE" => Some(Value::Bool(false)),
            "None" | "NULL" | "Null" | "nil" | "undefined" | "NaN" | "nan" | "Infinity" | "inf" => {
                Some(Value::Null)
            }
            _ => None,
        };
        if let (Some(value), true) = (literal, alone) {
            self.at += word.len();
            if !matches!(word, "true" | "false" | "null") {
                self.mended("a literal that JSON does not have");
            }
            return Ok(Part::whole(value));
        }
        let end = rest.find(ends).unwrap_or(rest.len());
        let token = rest[..end].trim_end();
        let next = rest[end..].chars().next();
        if matches!(next, Some(':' | '{' | '[' | '"')) || token.contains(['<', '>', '\\']) {
            return Err(Stop::Broken);
        }
        self.at += token.len();
        if next.is_none() {
            return Ok(Part::cut());
        }
        self.mended("a text without quotation marks");
        Ok(Part::whole(Value::String(token.to_owned())))
    }
}

fn opens_text(c: char) -> bool {
    matches!(c, '"' | '\'' | '`' | '“' | '”' | '„' | '‘' | '’' | '«')
}
