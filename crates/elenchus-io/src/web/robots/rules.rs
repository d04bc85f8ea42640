//! The rules of a robots.txt (RFC 9309, section 2.2) and what they say of one address.
//!
//! Reading takes time in proportion to the file, and asking in proportion to the rules and the address: no rule becomes a
//! pattern that could run wild.

/// Rules that are looked at.
const MOST_RULES: usize = 20_000;

/// What a file says to us.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Rules {
    /// Patterns in their usual form, with whether they allow.
    patterns: Vec<(String, bool)>,
    /// The pause that is asked for, in seconds, as it stands.
    pub(super) delay: Option<f32>,
}

/// A line that means something.
enum Line<'a> {
    Agent(&'a str),
    Rule(&'a str, bool),
    Delay(&'a str),
}

/// Whom the lines that follow are for.
#[derive(Clone, Copy, Default, PartialEq)]
struct Audience {
    us: bool,
    all: bool,
}

impl Rules {
    /// Reads the groups for `token` (small letters), or those for all where none is for it. A file without any
    /// `User-agent` is meant for all.
    pub(super) fn read(file: &[u8], token: &str) -> Self {
        let file = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
        // Bytes that are no text can stand in one line and spoil no other.
        let file = String::from_utf8_lossy(file);
        let (mut ours, mut everyones, mut before) =
            (Self::default(), Self::default(), Self::default());
        let (mut audience, mut named, mut in_names) = (Audience::default(), false, false);
        let (mut is_ours, mut rules) = (false, 0);
        for line in file.split(['\n', '\r', '\0']).filter_map(line) {
            match line {
                Line::Agent(name) => {
                    if !in_names {
                        audience = Audience::default();
                    }
                    (named, in_names) = (true, true);
                    audience.all |= name.starts_with('*');
                    audience.us |= product(name).eq_ignore_ascii_case(token);
                    is_ours |= audience.us;
                }
                Line::Rule(..) if rules >= MOST_RULES => {}
                _ => {
                    in_names = false;
                    rules += 1;
                    let groups = [
                        (audience.us, &mut ours),
                        (audience.all, &mut everyones),
                        (!named, &mut before),
                    ];
                    for (_, group) in groups.into_iter().filter(|(meant, _)| *meant) {
                        group.take(&line);
                    }
                }
            }
        }
        let mut chosen = match (is_ours, named) {
            (true, _) => ours,
            (false, true) => everyones,
            (false, false) => std::mem::take(&mut before),
        };
        // Some files have it at their top, for all.
        chosen.delay = chosen.delay.or(before.delay);
        chosen
    }

    fn take(&mut self, line: &Line<'_>) {
        match line {
            Line::Rule(text, allows) => self.patterns.push((pattern(text), *allows)),
            Line::Delay(seconds) => {
                let said = || seconds.parse().ok().filter(|seconds: &f32| seconds.is_finite());
                self.delay = self.delay.or_else(said);
            }
            Line::Agent(_) => {}
        }
    }

    /// Whether a path with its query may be read: the longest rule that fits decides, and of equals the one that allows.
    pub(super) fn allow(&self, path: &str) -> bool {
        let path = literal(path);
        if path == "/robots.txt" {
            return true;
        }
        let fitting = self.patterns.iter().filter(|(pattern, _)| fits(pattern, &path));
        fitting
            .max_by_key(|(pattern, allows)| (pattern.len(), *allows))
            .is_none_or(|(_, allows)| *allows)
    }
}

fn line(text: &str) -> Option<Line<'_>> {
    let text = text.split('#').next()?;
    let (name, value) = text.split_once(':')?;
    let value = value.trim();
    let is = |words: &[&str]| words.iter().any(|word| name.trim().eq_ignore_ascii_case(word));
    if is(&["user-agent", "useragent", "user agent"]) {
        Some(Line::Agent(value))
    } else if is(&["allow"]) && !value.is_empty() {
        Some(Line::Rule(value, true))
    } else if is(&["disallow"]) && !value.is_empty() {
        Some(Line::Rule(value, false))
    } else if is(&["disallow", "allow"]) {
        // An empty rule forbids nothing, but ends the names before it.
        Some(Line::Delay(""))
    } else if is(&["crawl-delay", "crawldelay"]) {
        Some(Line::Delay(value))
    } else {
        None
    }
}

/// The product token at the beginning of a name: "Elenchus/1.0 (a reader)" is "Elenchus".
fn product(name: &str) -> &str {
    let end = name.find(|char: char| !(char.is_ascii_alphabetic() || matches!(char, '-' | '_')));
    name.get(..end.unwrap_or(name.len())).unwrap_or_default()
}

/// A path or pattern in its usual form: characters that need no encoding stand for themselves, all others as `%XX` with
/// capitals. A pattern that begins in the middle of nowhere begins at the root.
fn usual(text: &str) -> String {
    let bytes = text.as_bytes();
    let hex = |at: usize| bytes.get(at).and_then(|digit| (*digit as char).to_digit(16));
    let mut usual = String::with_capacity(text.len() + 1);
    if !text.starts_with(['/', '*']) {
        usual.push('/');
    }
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let encoded = match (byte, hex(at + 1), hex(at + 2)) {
            (b'%', Some(high), Some(low)) => u8::try_from(high * 16 + low).ok(),
            _ => None,
        };
        at += if encoded.is_some() { 3 } else { 1 };
        match encoded {
            Some(byte) if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) => {
                usual.push(char::from(byte));
            }
            // A `%` that begins no encoding is encoded itself, or what follows it could make it begin one.
            None if byte.is_ascii_graphic() && byte != b'%' => usual.push(char::from(byte)),
            encoded => {
                let byte = encoded.unwrap_or(byte);
                usual.push('%');
                for digit in [byte >> 4, byte & 15] {
                    usual.push(char::from(b"0123456789ABCDEF"[usize::from(digit)]));
                }
            }
        }
    }
    usual
}

/// A pattern in its usual form. `*` and a `$` at its end mean something; a `$` before that stands for itself.
fn pattern(text: &str) -> String {
    let usual = usual(text);
    match usual.strip_suffix('$') {
        Some(before) => format!("{}$", before.replace('$', "%24")),
        None => usual.replace('$', "%24"),
    }
}

/// A path in its usual form. It means nothing by `*` and `$`, so that a pattern names them as `%2A` and `%24`.
fn literal(text: &str) -> String {
    usual(text).replace('*', "%2A").replace('$', "%24")
}

/// Whether a pattern fits a path: from its beginning, `*` for anything, `$` at the end for the end.
fn fits(pattern: &str, path: &str) -> bool {
    let (pattern, to_the_end) = match pattern.strip_suffix('$') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut pieces = pattern.split('*');
    let Some(mut rest) = pieces.next().and_then(|first| path.strip_prefix(first)) else {
        return false;
    };
    let pieces: Vec<&str> = pieces.collect();
    let Some((last, middle)) = pieces.split_last() else { return !to_the_end || rest.is_empty() };
    for piece in middle {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    if to_the_end { rest.ends_with(last) } else { rest.contains(last) }
}

/// Reads any bytes as a file and asks for any path. Line ends of two characters and a byte order mark change nothing, a
/// path may be written in its usual form as well, and what a rule names as it stands is left alone.
#[cfg(any(test, feature = "testkit"))]
pub(crate) fn check(file: &[u8], path: &str) {
    let rules = Rules::read(file, super::TOKEN);
    assert!(rules.patterns.len() <= MOST_RULES);
    assert!(rules.delay.is_none_or(f32::is_finite), "{:?}", rules.delay);
    let spread: Vec<u8> = file
        .iter()
        .flat_map(|byte| {
            let end: &[u8] = if *byte == b'\n' { b"\r\n" } else { std::slice::from_ref(byte) };
            end.iter().copied()
        })
        .collect();
    assert_eq!(Rules::read(&spread, super::TOKEN), rules, "line ends of two characters");
    const MARK: &[u8] = b"\xef\xbb\xbf";
    if !file.starts_with(MARK) {
        let marked = [MARK, file].concat();
        assert_eq!(Rules::read(&marked, super::TOKEN), rules, "a byte order mark");
    }
    assert_eq!(usual(&usual(path)), usual(path));
    assert_eq!(rules.allow(&usual(path)), rules.allow(path), "{path:?} in its usual form");
    assert!(rules.allow("/robots.txt"));
    let name = literal(&format!("/{path}"));
    if name != "/robots.txt" && !name.contains('#') {
        let closed = format!("User-agent: {}\nDisallow: {name}\n", super::TOKEN);
        let rules = Rules::read(closed.as_bytes(), super::TOKEN);
        assert!(!rules.allow(&name), "{name:?} is named by a rule and may be read");
        assert!(!rules.allow(&format!("/{path}")), "{path:?} is named by a rule and may be read");
    }
}

#[cfg(test)]
mod tests;
