//! What a server said, made fit for a message: short, on one line, without secrets.

use super::endpoint::Endpoint;
use elenchus_core::text::is_invisible;

/// One line of at most `longest` characters, without control characters.
pub(crate) fn tidy(text: &str, longest: usize) -> String {
    let mut line = String::new();
    let mut kept = 0;
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
            kept += 1;
        }
        for letter in word.chars().filter(|c| !is_invisible(*c)) {
            if kept >= longest {
                line.push('…');
                return line;
            }
            line.push(letter);
            kept += 1;
        }
    }
    line
}

/// The server's words for a message: the endpoint's secrets and whatever looks like a key are taken out.
pub(crate) fn quote(text: &str, endpoint: &Endpoint) -> String {
    let mut text = tidy(text, 4000);
    for secret in endpoint.secrets() {
        text = text.replace(secret, "(hidden)");
    }
    // Servers echo keys, sometimes half masked.
    let shown: Vec<&str> = text
        .split(' ')
        .map(|word| if word.contains("sk-") && word.len() > 6 { "(hidden)" } else { word })
        .collect();
    tidy(&shown.join(" "), 300)
}

/// The sentence in an error body: `error`, `error.message`, `message` or `detail`, else the text itself.
pub(crate) fn sentence(body: &str) -> String {
    let Ok(value) = serde_json::from_str::<serde_json::Value>(body) else { return body.to_owned() };
    let value = value.as_array().and_then(|list| list.first()).unwrap_or(&value);
    let candidates =
        ["/error/message", "/error/error", "/error", "/message", "/detail", "/detail/0/msg"];
    candidates
        .iter()
        .filter_map(|path| value.pointer(path))
        .find_map(|found| found.as_str().filter(|text| !text.trim().is_empty()))
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// Whether these are the first bytes of a web page.
pub(crate) fn is_page(start: &[u8]) -> bool {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    start.trim_ascii_start().first() == Some(&b'<')
}
