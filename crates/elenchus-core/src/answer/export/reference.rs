//! A source as reference managers know one.

use crate::answer::{Answer, Citation};
use crate::evidence::{DatePrecision, DocDate, PartialDate};
use crate::id::{Timestamp, hex};
use crate::text::squeeze;
use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// Longest quote that goes along as a note, in characters.
const NOTE: usize = 1_000;

/// One cited document. Every text is one line without invisible characters.
pub(super) struct Reference {
    /// `[n]` in the answer.
    pub(super) number: usize,
    /// Letters, digits and underscores, unlike that of any other source of any run.
    pub(super) key: String,
    pub(super) title: String,
    pub(super) author: Option<String>,
    pub(super) date: Option<DocDate>,
    /// Percent-encoded, http or https.
    pub(super) url: Option<String>,
    /// Where it is no web address.
    pub(super) path: Option<String>,
    /// When it was read.
    pub(super) accessed: PartialDate,
    /// The same to the millisecond.
    pub(super) read_at: String,
    /// SHA-256 of what was read, hexadecimal; empty where that is not known.
    pub(super) content_hash: String,
    /// Place and words.
    pub(super) quotes: Vec<(String, String)>,
}

impl Reference {
    /// The cited documents of an answer, in the order of their numbers.
    pub(super) fn all(answer: &Answer) -> Vec<Self> {
        answer.sources.iter().map(|source| Self::of(answer, source)).collect()
    }

    fn of(answer: &Answer, source: &Citation) -> Self {
        let page = source.web.as_ref();
        let url = web_address(page.map_or(source.path.as_str(), |page| &page.url));
        let mut quotes: Vec<(String, String)> = Vec::new();
        for evidence in answer.evidence.iter().filter(|e| e.citation == source.number) {
            let quote: String = squeeze(&evidence.quote).chars().take(NOTE).collect();
            let entry = (squeeze(&evidence.location), quote);
            if !quotes.contains(&entry) {
                quotes.push(entry);
            }
        }
        let read_at = page.map_or(answer.started_at, |page| page.retrieved_at);
        let run: String =
            answer.run_id.as_str().chars().filter(char::is_ascii_alphanumeric).take(24).collect();
        Self {
            number: source.number,
            key: format!("elenchus_{run}_{}", source.number),
            title: squeeze(&source.title),
            author: source.author.as_deref().map(squeeze).filter(|author| !author.is_empty()),
            date: source.date.clone(),
            path: url.is_none().then(|| squeeze(&source.path)),
            url,
            accessed: PartialDate::of_timestamp(read_at),
            read_at: instant(read_at),
            content_hash: source.content_hash.clone(),
            quotes,
        }
    }

    /// Its title, and its path where it is no page of the web.
    pub(super) fn named(&self) -> String {
        match &self.path {
            Some(path) if *path != self.title => format!("{} ({path})", self.title),
            _ => self.title.clone(),
        }
    }

    /// Who wrote it, as reference managers take a name: without the role that a byline gives along.
    pub(super) fn writer(&self) -> Option<&str> {
        self.author.as_deref().map(without_role)
    }

    /// What names the document to programs: its web address, or the very bytes that were read (RFC 6920), or where neither is
    /// known a name that only this run gives.
    pub(super) fn address(&self, answer: &Answer) -> String {
        if let Some(url) = &self.url {
            return url.clone();
        }
        match bytes_of(&self.content_hash) {
            Some(bytes) => format!("ni:///sha-256;{}", BASE64_URL_SAFE_NO_PAD.encode(bytes)),
            None => uuid(&["source", answer.run_id.as_str(), &self.number.to_string()]),
        }
    }

    /// Every quote in one line: `“...” (place); “...” (place)`.
    pub(super) fn note(&self) -> String {
        let mut note = String::new();
        for (place, quote) in &self.quotes {
            let gap = if note.is_empty() { "Quoted: " } else { "; " };
            write!(note, "{gap}\u{201C}{quote}\u{201D} ({place})")
                .expect("writing to a String cannot fail");
        }
        note
    }
}

/// Words in lower case that begin a part of a name behind a comma ("Gogh, van"; "Hilda, of Whitby").
const OF_NAMES: &[&str] = &[
    "af", "av", "da", "de", "del", "della", "den", "der", "di", "do", "dos", "du", "la", "le",
    "of", "ten", "ter", "van", "von", "zu", "zum", "zur",
];

/// "Winifred Adeane" of "Winifred Adeane, stores manager": words in lower case behind a comma say what somebody is.
/// "Adeane, Winifred" and "Ishbel Corran, Marrick Sea Mammal Trust" stay.
fn without_role(author: &str) -> &str {
    // Behind the role of the first another writer may be named, who is worth more than a role too many.
    if !author.starts_with(char::is_uppercase) || author.contains(", and ") {
        return author;
    }
    let role = author.match_indices(',').find(|(at, _)| is_role(&author[at + 1..]));
    role.map_or(author, |(at, _)| author[..at].trim_end())
}

/// Whether what stands behind a comma is a role.
fn is_role(behind: &str) -> bool {
    let first = behind.split_whitespace().next().unwrap_or_default();
    first.starts_with(char::is_lowercase) && !OF_NAMES.contains(&first)
}

/// The 32 bytes of a SHA-256 in hexadecimal.
fn bytes_of(hash: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        hash.chars().map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok())).collect();
    let digits = digits.filter(|digits| digits.len() == 64)?;
    Some(digits.chunks(2).map(|pair| pair[0] * 16 + pair[1]).collect())
}

/// `2026-05-04T13:09:41.999Z`
pub(super) fn instant(at: Timestamp) -> String {
    let date = PartialDate::of_timestamp(at);
    let of_day = at.0.rem_euclid(86_400_000);
    format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
        date.year,
        date.month,
        date.day,
        of_day / 3_600_000,
        of_day / 60_000 % 60,
        of_day / 1_000 % 60,
        of_day % 1_000
    )
}

/// A name that is always the same for the same parts, as a UUID of version 8 (RFC 9562) over their SHA-256.
pub(super) fn uuid(parts: &[&str]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(part.as_bytes());
        digest.update([0]);
    }
    let hash = hex(&digest.finalize());
    let variant = ['8', '9', 'a', 'b'][usize::from(hash.as_bytes()[16] % 4)];
    format!(
        "urn:uuid:{}-{}-8{}-{variant}{}-{}",
        &hash[..8],
        &hash[8..12],
        &hash[13..16],
        &hash[17..20],
        &hash[20..32]
    )
}

/// `2026-05-04`, `2026-05` or `2026`: as much as is known.
pub(super) fn iso(date: PartialDate) -> String {
    match date.precision {
        DatePrecision::Day => format!("{:04}-{:02}-{:02}", date.year, date.month, date.day),
        DatePrecision::Month => format!("{:04}-{:02}", date.year, date.month),
        DatePrecision::Year | DatePrecision::Half | DatePrecision::Quarter => {
            format!("{:04}", date.year)
        }
    }
}

/// The address, where a text is one that a reader may follow: http or https with a host, and no user name, which serves
/// to make one host look like another. Percent-encoded, so that it can end no attribute, field or line of any format.
pub(super) fn web_address(text: &str) -> Option<String> {
    let text = text.trim();
    let (scheme, rest) = text.split_once("://")?;
    let scheme = scheme.to_ascii_lowercase();
    if !matches!(scheme.as_str(), "http" | "https") {
        return None;
    }
    let host_end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let host = &rest[..host_end];
    let is_host = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']' | '_');
    if host.is_empty() || !host.chars().all(is_host) || rest[host_end..].starts_with('\\') {
        return None;
    }
    let mut out = format!("{scheme}://");
    for byte in rest.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&()*+,;=%".contains(&byte);
        if plain {
            out.push(char::from(byte));
        } else {
            write!(out, "%{byte:02X}").expect("writing to a String cannot fail");
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_web_are_links() {
        assert_eq!(
            web_address("https://a.example/b?c=d#e"),
            Some("https://a.example/b?c=d#e".into())
        );
        assert_eq!(web_address(" HTTP://a.example"), Some("http://a.example".into()));
        assert_eq!(
            web_address("https://a.example/\"onclick='x' {}\u{202E}\n"),
            Some("https://a.example/%22onclick=%27x%27%20%7B%7D%E2%80%AE".into())
        );
        for none in [
            "javascript:alert(1)",
            "javascript://a.example/%0aalert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "//a.example",
            "https://",
            "https:///x",
            "https://bank.example@a.example/",
            "https://a.example\\@b.example",
            "https://a b/",
            "notes/tides.md",
            "java\nscript://x",
        ] {
            assert_eq!(web_address(none), None, "{none}");
        }
    }

    #[test]
    fn a_writer_is_named_without_a_role() {
        for (author, writer) in [
            ("Winifred Adeane, stores manager", "Winifred Adeane"),
            ("Piet Okonjo, head of operations, Skerry Tidal Cooperative", "Piet Okonjo"),
            ("Adeane, Winifred", "Adeane, Winifred"),
            ("Adeane, Winifred, stores manager", "Adeane, Winifred"),
            ("Ishbel Corran, Marrick Sea Mammal Trust", "Ishbel Corran, Marrick Sea Mammal Trust"),
            ("Gogh, Vincent van", "Gogh, Vincent van"),
            ("Gogh, van", "Gogh, van"),
            ("Hilda, of Whitby", "Hilda, of Whitby"),
            ("hooks, bell", "hooks, bell"),
            ("Ann Lee, clerk, and Bob Roe", "Ann Lee, clerk, and Bob Roe"),
            ("COO office", "COO office"),
            ("A,", "A,"),
        ] {
            assert_eq!(without_role(author), writer);
        }
    }

    #[test]
    fn names_are_made_of_what_they_name() {
        let name = uuid(&["claim", "run_1", "c1"]);
        assert_eq!(name, uuid(&["claim", "run_1", "c1"]));
        assert_ne!(name, uuid(&["claim", "run_1c", "1"]));
        assert_eq!(name.len(), "urn:uuid:".len() + 36);
        assert_eq!(&name[23..24], "8", "{name}");
        assert_eq!(instant(Timestamp(1_777_900_181_999)), "2026-05-04T13:09:41.999Z");
        assert_eq!(instant(Timestamp(-1)), "1969-12-31T23:59:59.999Z");
        assert_eq!(bytes_of(&"0f".repeat(32)), Some(vec![15; 32]));
        assert_eq!(bytes_of("0f"), None);
    }

    #[test]
    fn as_much_of_a_date_is_given_as_is_known() {
        assert_eq!(iso(PartialDate::day(2000, 2, 29)), "2000-02-29");
        assert_eq!(iso(PartialDate::month(2026, 5)), "2026-05");
        assert_eq!(iso(PartialDate::quarter(2026, 2)), "2026");
    }
}
