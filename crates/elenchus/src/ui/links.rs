//! Links of a terminal (OSC 8): a path leads to its file, an address to its page.
//!
//! What a link leads to is written by us alone: an address that is not plain ASCII is encoded first, and the mark that
//! becomes the sequence holds a word of this process, which no document can know.

use super::terminal::{Links, Place, Terminal, harmless};
use elenchus_core::answer::{Answer, citation_place};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use std::hash::{BuildHasher, RandomState};
use std::path::{Component, Path};
use std::sync::OnceLock;

/// Begins a mark: behind it stand the word of this process and an address, or no address where a link ends.
pub(super) const OPEN: char = '\u{FDD2}';
const CLOSE: char = '\u{FDD3}';

/// The longest address that is linked: terminals pass over longer ones.
const LONGEST: usize = 2_000;

/// What of a path is written as it is.
const IN_PATHS: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The word of this process, drawn when it is first needed.
fn word() -> &'static str {
    static WORD: OnceLock<String> = OnceLock::new();
    WORD.get_or_init(|| format!("{:016x} ", RandomState::new().hash_one(std::process::id())))
}

/// Whether links are shown.
pub(super) fn are_shown(links: Links, place: Place) -> bool {
    match links {
        Links::Always => true,
        Links::Never => false,
        Links::Auto => {
            let variable = |name: &str| std::env::var(name).ok();
            place.obeys() && !place.is_plain && shows(variable)
        }
    }
}

/// Whether the terminal is one that shows links, or passes over what it does not know. A console of Linux and some old
/// ones print the address among the text.
fn shows(variable: impl Fn(&str) -> Option<String>) -> bool {
    if variable("WT_SESSION").is_some() {
        return true;
    }
    let Some(term) = variable("TERM").filter(|term| !term.is_empty()) else { return false };
    let old = ["linux", "vt1", "vt2", "cons", "ansi", "eterm", "sun", "screen"];
    let is_in_tmux = variable("TMUX").is_some();
    // Versions of VTE before 0.50 break on them.
    let version = variable("VTE_VERSION").and_then(|version| version.parse::<u32>().ok());
    let is_old = old.iter().any(|old| term.starts_with(old));
    version.is_none_or(|version| version >= 5_000) && (!is_old || is_in_tmux)
}

/// A text between the marks of a link.
pub(super) fn marked(text: &str, address: &str) -> String {
    if text.is_empty() || !is_plain(address) {
        return text.to_owned();
    }
    let word = word();
    format!("{OPEN}{word}{address}{CLOSE}{text}{OPEN}{word}{CLOSE}")
}

/// The sequence for a mark that begins here, and what stands behind it; `None` where it is none of ours.
pub(super) fn sequence(rest: &str) -> Option<(String, &str)> {
    let (head, behind) = rest.split_once(CLOSE)?;
    let address = head.strip_prefix(word())?;
    (address.is_empty() || is_plain(address))
        .then(|| (format!("\u{1b}]8;;{address}\u{1b}\\"), behind))
}

/// Whether an address can stand in a sequence: of files and pages, in visible ASCII.
fn is_plain(address: &str) -> bool {
    let known = ["file://", "http://", "https://"];
    address.len() <= LONGEST
        && known.iter().any(|scheme| address.starts_with(scheme))
        && address.bytes().all(|byte| byte.is_ascii_graphic())
}

/// The address of a page as a link has it; `None` where it leads anywhere but to the web.
pub(crate) fn page(url: &str) -> Option<String> {
    let mut out = String::with_capacity(url.len());
    for byte in url.bytes() {
        if byte.is_ascii_graphic() {
            out.push(char::from(byte));
        } else {
            out.extend(percent_encode(&[byte], NON_ALPHANUMERIC));
        }
    }
    let is_of_web = out.starts_with("https://") || out.starts_with("http://");
    (is_of_web && is_plain(&out)).then_some(out)
}

/// The address of a file that is there; its host is this machine, so that a terminal on another one can tell.
pub(crate) fn file(path: &Path) -> Option<String> {
    let path = std::path::absolute(path).ok().filter(|path| path.is_file())?;
    Some(file_on(host(), &path)).filter(|address| is_plain(address))
}

fn file_on(host: &str, path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    let written: String = if cfg!(windows) {
        let text = path.to_string_lossy().replace('\\', "/");
        format!("/{}", percent_encode(text.as_bytes(), IN_PATHS))
    } else {
        percent_encode(bytes, IN_PATHS).to_string()
    };
    format!("file://{host}{written}")
}

/// The name of this machine, where it is told and may stand in an address.
fn host() -> &'static str {
    static HOST: OnceLock<String> = OnceLock::new();
    HOST.get_or_init(|| {
        let told = std::fs::read_to_string("/proc/sys/kernel/hostname")
            .or_else(|_| std::fs::read_to_string("/etc/hostname"))
            .or_else(|_| std::env::var("HOSTNAME").or_else(|_| std::env::var("COMPUTERNAME")))
            .unwrap_or_default();
        let name = told.trim();
        let is_name =
            name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte));
        if is_name { name.to_owned() } else { String::new() }
    })
}

/// Where a document is: a page by its address, a file below the folder of its corpus, where that is known.
pub(crate) fn document(folder: Option<&Path>, path: &str) -> Option<String> {
    if path.starts_with("https://") || path.starts_with("http://") {
        return page(path);
    }
    let relative = Path::new(path);
    let is_inside = relative.components().all(|part| matches!(part, Component::Normal(_)));
    file(&folder.filter(|_| is_inside)?.join(relative))
}

impl Terminal {
    /// A place in a document as it is shown, with a link on the path that it begins with.
    pub(crate) fn link_place(&self, shown: &str, path: &str, folder: Option<&Path>) -> String {
        match shown.strip_prefix(path).filter(|_| self.links && !path.is_empty()) {
            Some(rest) => {
                format!("{}{rest}", self.link(path, document(folder, path).as_deref()))
            }
            None => shown.to_owned(),
        }
    }

    /// A report with links on the documents that it cites.
    pub(crate) fn link_report(
        &self,
        report: String,
        answer: &Answer,
        folder: Option<&Path>,
    ) -> String {
        const HEADING: &str = "\n## Sources\n";
        if !self.links {
            return report;
        }
        // What is put in below is all that a terminal obeys of it.
        let report = harmless(&report).into_owned();
        let Some(at) = report.rfind(HEADING).map(|at| at + HEADING.len()) else { return report };
        let (before, listed) = report.split_at(at);
        let mut out = before.to_owned();
        for line in listed.split_inclusive('\n') {
            let cited = answer
                .sources
                .iter()
                .find(|source| line.starts_with(&format!("[{}] ", source.number)));
            let place = cited.map(|source| (source, citation_place(source)));
            let found = place.and_then(|(source, place)| {
                let url =
                    source.web.as_ref().map_or(source.path.as_str(), |page| page.url.as_str());
                let at = line.rfind(&place).filter(|_| !place.is_empty())?;
                Some((at, at + place.len(), document(folder, url)?))
            });
            match found.and_then(|(from, to, address)| {
                Some((line.get(..from)?, line.get(from..to)?, line.get(to..)?, address))
            }) {
                Some((head, place, tail, address)) => {
                    out.push_str(head);
                    out.push_str(&self.link(place, Some(&address)));
                    out.push_str(tail);
                }
                None => out.push_str(line),
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linking() -> Terminal {
        let mut terminal = Terminal::silent();
        terminal.links = true;
        terminal
    }

    #[test]
    fn a_link_is_a_sequence_with_an_encoded_address() {
        let shown = linking().link("a b", Some("https://a.example/x?y=1"));
        assert_eq!(
            harmless(&shown),
            "\u{1b}]8;;https://a.example/x?y=1\u{1b}\\a b\u{1b}]8;;\u{1b}\\"
        );
        assert_eq!(linking().link("a", None), "a");
        assert_eq!(Terminal::silent().link("a", Some("https://a.example")), "a");
        for other in ["javascript:x", "ftp://a.example", "https://a.example/\u{1b}", "https://a b"]
        {
            assert_eq!(linking().link("a", Some(other)), "a", "{other:?}");
        }
        let long = format!("https://a.example/{}", "x".repeat(LONGEST));
        assert_eq!(linking().link("a", Some(&long)), "a");
    }

    #[test]
    fn a_text_cannot_make_a_link() {
        for text in [
            "a\u{fdd2}https://evil.example\u{fdd3}b\u{fdd2}\u{fdd3}",
            "a\u{fdd2}0000000000000000 https://evil.example\u{fdd3}b",
            "a\u{1b}]8;;https://evil.example\u{1b}\\b",
        ] {
            let shown = harmless(text);
            assert!(!shown.contains('\u{1b}') && !shown.contains('\u{fdd2}'), "{shown:?}");
        }
        // Not even within a text that is linked.
        let shown = linking().link("a\u{1b}]8;;https://evil.example\u{7}b", Some("file:///x"));
        let shown = harmless(&shown).into_owned();
        assert_eq!(shown.matches('\u{1b}').count(), 4, "{shown:?}");
        assert!(!shown.contains('\u{7}'), "{shown:?}");
    }

    #[test]
    fn addresses_are_cleaned_or_refused() {
        assert_eq!(
            page("https://a.example/\u{e4} \u{1b}]x\u{7}").as_deref(),
            Some("https://a.example/%C3%A4%20%1B]x%07")
        );
        assert_eq!(page("javascript:alert(1)"), None);
        assert_eq!(page("file:///etc/passwd"), None);
        let path = Path::new("/a b/\u{e4}\u{1b};%#?.md");
        if !cfg!(windows) {
            assert_eq!(file_on("here", path), "file://here/a%20b/%C3%A4%1B%3B%25%23%3F.md");
        }
    }

    #[test]
    fn a_document_lies_below_its_folder_or_is_no_link() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("b")).unwrap();
        std::fs::write(folder.path().join("b/c.md"), "x").unwrap();
        let of = |path: &str| document(Some(folder.path()), path);
        let address = of("b/c.md").unwrap();
        assert!(address.starts_with("file://") && address.ends_with("/b/c.md"), "{address}");
        for other in ["b/d.md", "b", "../c.md", "b/../b/c.md", "/etc/hosts", ""] {
            assert_eq!(of(other), None, "{other}");
        }
        assert_eq!(document(None, "b/c.md"), None);
        assert_eq!(document(None, "http://a.example/b").as_deref(), Some("http://a.example/b"));
        let place = linking().link_place("b/c.md, p. 3", "b/c.md", Some(folder.path()));
        assert!(harmless(&place).ends_with("\u{1b}\\b/c.md\u{1b}]8;;\u{1b}\\, p. 3"), "{place:?}");
        assert_eq!(linking().link_place("c1", "b/c.md", Some(folder.path())), "c1");
    }

    #[test]
    fn terminals_that_print_the_address_get_none() {
        let of = |pairs: &[(&str, &str)]| {
            shows(|name| {
                let found = pairs.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            })
        };
        assert!(of(&[("TERM", "xterm-256color")]));
        assert!(of(&[("TERM", "xterm-256color"), ("VTE_VERSION", "7600")]));
        assert!(!of(&[("TERM", "xterm-256color"), ("VTE_VERSION", "4601")]));
        assert!(!of(&[("TERM", "linux")]) && !of(&[]) && !of(&[("TERM", "screen")]));
        assert!(of(&[("TERM", "screen-256color"), ("TMUX", "/x,1,0")]));
        assert!(of(&[("WT_SESSION", "1")]));
        // A pipe is no terminal, whatever stands in the environment; what is said outright holds.
        assert!(!are_shown(Links::Auto, Place::default()));
        assert!(are_shown(Links::Always, Place::default()));
    }
}
