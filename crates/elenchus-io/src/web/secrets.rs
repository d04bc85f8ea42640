//! Secrets that stand on pages: taken out before a page is read, and once more of what was read of it, so that neither passages nor
//! snapshots hold them. Those of addresses are sent to the site that they are for, and neither kept nor shown.

use crate::ingest::{ExtractedDoc, secrets};
use elenchus_core::bank::scrub;
use reqwest::Url;

/// A body without the secrets that its text shows. Whole bodies, so that no cut between passages can part a secret from what
/// tells it. A body that is no text, such as a PDF, stays as it is.
pub(super) fn of_body(body: Vec<u8>) -> Vec<u8> {
    let is_text = !body.starts_with(b"%PDF") && !body.contains(&0);
    if !is_text {
        return body;
    }
    match String::from_utf8(body) {
        Ok(text) => {
            let scrubbed = scrub(&text);
            if scrubbed.kinds.is_empty() { text.into_bytes() } else { scrubbed.text.into_bytes() }
        }
        // In another encoding a byte stands for a letter, and secrets are written in the letters that all have in common.
        Err(error) => {
            let bytes = error.into_bytes();
            let letters: String = bytes.iter().map(|byte| char::from(*byte)).collect();
            let scrubbed = scrub(&letters);
            if scrubbed.kinds.is_empty() {
                return bytes;
            }
            scrubbed.text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect()
        }
    }
}

/// The kind of what is a secret because of the name that it stands behind.
const BY_NAME: &str = "assigned secret";

/// An address as it is shown and kept: an address still, without the secret that it carries.
pub(super) fn of_address(url: &Url) -> String {
    let whole = scrub(url.as_str());
    if whole.kinds.is_empty() {
        return whole.text;
    }
    // Parameter by parameter: in running text a secret would reach as far as the next space.
    let mut shown = String::new();
    for (at, part) in url.as_str().split('&').enumerate() {
        let part = if at == 0 { part.to_owned() } else { format!("&{part}") };
        shown.push_str(&of_text(&part));
    }
    // What only the whole address shows to be a secret goes with all that the rule takes for it. A value behind a name ("token=river")
    // is told by its own parameter: of the whole address such a rule takes all that follows.
    let rest = scrub(&shown);
    let by_name = |kind: &String| kind == BY_NAME;
    let shown = if rest.kinds.iter().all(by_name) { shown } else { rest.text };
    Url::parse(&shown).map_or(shown, String::from)
}

/// Takes the secrets out of what a document says: those of a PDF, and those that markup parts in its source. Whether there were any.
pub(super) fn of_document(doc: &mut ExtractedDoc) -> bool {
    secrets::of_document(doc).count > 0
}

/// A text without secrets.
pub(super) fn of_text(text: &str) -> String {
    scrub(text).text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In pieces, so that no scanner takes it for one.
    fn token() -> String {
        ["ghp_", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].concat()
    }

    #[test]
    fn an_address_without_its_secret_is_an_address() {
        let of = |text: &str| of_address(&Url::parse(text).unwrap());
        let plain = "https://a.example/tokens?token=river&page=2";
        assert_eq!(of(plain), plain);
        let shown = of(&format!("https://a.example/x?token={}&page=2", token()));
        assert!(!shown.contains(&token()) && shown.ends_with("removed]&page=2"), "{shown}");
        assert_eq!(Url::parse(&shown).unwrap().as_str(), shown);
        let signed = of("https://a.example/x?page=2&sig=aB3dE5fG7hJ9kL1mN3pQ&lang=de");
        assert!(signed.starts_with("https://a.example/x?page=2&sig=["), "{signed}");
        assert!(signed.ends_with("removed]&lang=de"), "{signed}");
    }

    #[test]
    fn a_secret_that_no_part_of_an_address_shows_is_taken_out_all_the_same() {
        let password = ["tues", "&", "day9Lamp"].concat();
        let address = format!("https://ann:{password}@a.example/x?page=2&lang=de");
        let shown = of_address(&Url::parse(&address).unwrap());
        assert!(!shown.contains("day9Lamp") && !shown.contains("tues"), "{shown}");
        assert!(shown.contains("a.example/x?page=2&lang=de"), "{shown}");
        // Also where a part shows another one.
        let both = format!("{address}&sig=aB3dE5fG7hJ9kL1mN3pQ");
        let shown = of_address(&Url::parse(&both).unwrap());
        assert!(!shown.contains("day9Lamp") && !shown.contains("aB3dE5fG7hJ9"), "{shown}");
    }

    #[test]
    fn a_document_of_pages_keeps_their_numbers() {
        let (first, second) = (format!("The lamp {} was lit.\n\n", token()), "It burned out.");
        let mut doc = ExtractedDoc::of_text(format!("{first}{second}"));
        doc.title = Some(format!("Lamp {}", token()));
        doc.pages = vec![(0, 1), (first.len(), 2)];
        assert!(of_document(&mut doc));
        assert!(!doc.text.contains(&token()) && doc.text.contains("removed]"), "{doc:?}");
        assert!(!doc.title.as_ref().unwrap().contains(&token()));
        assert_eq!(&doc.text[doc.pages[1].0..], second);
        // One that goes on over the end of a page stands on the page where it begins.
        let token = token();
        let (before, after) = token.split_at(20);
        let mut doc = ExtractedDoc::of_text(format!("{before}{after} was lit."));
        doc.pages = vec![(0, 1), (20, 2)];
        assert!(of_document(&mut doc) && !doc.text.contains(after), "{doc:?}");
        assert_eq!(&doc.text[doc.pages[1].0..], " was lit.", "{doc:?}");
        let mut quiet = ExtractedDoc::of_text("The lamp of 1931.".to_owned());
        assert!(!of_document(&mut quiet));
    }

    #[test]
    fn a_page_loses_its_secrets_and_nothing_else() {
        let page = |inside: &str| format!("<p>The lamp {inside} was lit.</p>").into_bytes();
        let cleaned = String::from_utf8(of_body(page(&token()))).unwrap();
        assert!(!cleaned.contains(&token()) && cleaned.contains("removed]"), "{cleaned}");
        assert!(cleaned.starts_with("<p>The lamp ") && cleaned.ends_with(" was lit.</p>"));
        assert_eq!(of_body(page("of 1931")), page("of 1931"));
        let mut latin = b"caf\xe9 ".to_vec();
        latin.extend(token().bytes());
        let cleaned = of_body(latin);
        assert!(cleaned.starts_with(b"caf\xe9 [") && !cleaned.ends_with(b"A5"));
        let pdf = [b"%PDF-1.7 ", token().as_bytes()].concat();
        assert_eq!(of_body(pdf.clone()), pdf);
    }
}
