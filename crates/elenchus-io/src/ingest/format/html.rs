//! Web pages: the article without its surroundings, as Markdown.

use super::ExtractedDoc;
use super::encoding::tidy;
use super::isolate::isolated;
use dom_smoothie::Readability;
use htmd::HtmlToMarkdown;
use std::time::Duration;

/// Longest time for one page, in seconds.
const LIMIT_S: u64 = 20;
/// An article with fewer characters than this is doubted.
const SHORT_ARTICLE: usize = 250;
/// Tags open at once beyond which a page is not parsed as a tree: real pages stay below 100.
const DEEPEST: usize = 2_000;
/// Tags whose content is never shown.
const UNSEEN: &[&str] = &["script", "style", "noscript", "head", "svg", "iframe", "template"];

pub(super) fn extract(html: &str) -> ExtractedDoc {
    let own = html.to_owned();
    let read = if depth(html) > DEEPEST {
        None
    } else {
        isolated(Duration::from_secs(LIMIT_S), move || readable(&own)).ok().flatten()
    };
    let mut doc = read.unwrap_or_else(|| {
        let mut doc = ExtractedDoc::of_text(bare_text(html));
        doc.notes.push(
            "the page's structure could not be read; its text is taken without it".to_owned(),
        );
        doc
    });
    doc.text = tidy(&doc.text);
    doc
}

fn readable(html: &str) -> Option<ExtractedDoc> {
    let converter = HtmlToMarkdown::builder().skip_tags(UNSEEN.to_vec()).build();
    let article = Readability::new(html, None, None).ok().and_then(|mut page| page.parse().ok());
    let whole = converter.convert(html).ok()?;
    let Some(article) = article else {
        return Some(ExtractedDoc::of_text(plain_links(&whole)));
    };
    let body = converter.convert(&article.content).unwrap_or_default();
    let doubted = body.chars().count() < SHORT_ARTICLE && whole.len() > 2 * body.len();
    let mut doc = ExtractedDoc::of_text(plain_links(if doubted { &whole } else { &body }));
    doc.title = filled(&article.title);
    doc.author = article.byline.as_deref().and_then(filled);
    for (key, value) in
        [("modified", &article.modified_time), ("published", &article.published_time)]
    {
        if let Some(value) = value {
            doc.dates.push((key.to_owned(), value.clone()));
        }
    }
    Some(doc)
}

fn filled(text: &str) -> Option<String> {
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Drops link targets, pictures and the escapes that Markdown needs: nobody quotes them.
fn plain_links(markdown: &str) -> String {
    let mut plain = String::with_capacity(markdown.len());
    let mut rest = markdown;
    while let Some(at) = rest.find(['[', '\\', '!']) {
        plain.push_str(&rest[..at]);
        let line_start = plain.is_empty() || plain.ends_with('\n');
        rest = &rest[at..];
        let picture = rest.starts_with("![");
        let link = if picture { &rest[1..] } else { rest };
        if let Some((words, length)) = link_parts(link) {
            plain.push_str(words);
            rest = &link[length..];
        } else if let Some(c) = rest.strip_prefix('\\').and_then(|r| r.chars().next())
            && c.is_ascii_punctuation()
            && !line_start
            && c != '|'
        {
            plain.push(c);
            rest = &rest[2..];
        } else {
            plain.push_str(&rest[..1]);
            rest = &rest[1..];
        }
    }
    plain + rest
}

/// Bytes within which a link must close: without it a page of opening brackets would take forever.
const LINK_BYTES: usize = 4_000;

fn link_parts(text: &str) -> Option<(&str, usize)> {
    let position = |from: usize, mark: u8| {
        let reach = &text.as_bytes()[from..text.len().min(from + LINK_BYTES)];
        reach.iter().position(|b| *b == mark).map(|at| from + at)
    };
    if !text.starts_with('[') {
        return None;
    }
    let close = position(1, b']')?;
    if text.as_bytes().get(close + 1) != Some(&b'(') {
        return None;
    }
    let end = position(close + 2, b')')?;
    let words = &text[1..close];
    (!words.contains('\n')).then_some((words, end + 1))
}

/// Most tags open at once, roughly: tags that are never closed count as open.
fn depth(html: &str) -> usize {
    const VOID: &[&str] = &[
        "br", "hr", "img", "input", "meta", "link", "p", "li", "td", "tr", "th", "dd", "dt",
        "option", "source", "wbr", "col", "area", "base",
    ];
    let (mut open, mut most) = (0_usize, 0);
    for tag in html.split('<').skip(1) {
        if tag.starts_with('/') {
            open = open.saturating_sub(1);
        } else if tag.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let name: String = tag
                .chars()
                .take_while(char::is_ascii_alphanumeric)
                .collect::<String>()
                .to_ascii_lowercase();
            if !VOID.contains(&name.as_str()) {
                open += 1;
                most = most.max(open);
            }
        }
    }
    most
}

/// What stands between tags.
fn bare_text(html: &str) -> String {
    let mut text = String::with_capacity(html.len() / 2);
    let mut inside = false;
    for c in html.chars() {
        match c {
            '<' => inside = true,
            '>' if inside => {
                inside = false;
                text.push('\n');
            }
            c if !inside => text.push(c),
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<html><head><title>Dock doors - Site</title>\
        <meta name=author content='Ana Reis'><meta property='article:published_time' content='2026-02-03T10:00:00Z'>\
        <script>var x = 'hidden';</script></head><body><nav><a href=/a>Home</a></nav><article><h1>Dock doors</h1>";

    #[test]
    fn an_article_becomes_markdown_with_its_metadata() {
        let paragraph = "The doors of the northern dock close at nine, <a href='http://x.example'>as agreed</a>, and open at five. ".repeat(6);
        let doc = extract(&format!(
            "{PAGE}<p>{paragraph}</p><h2>Keys</h2><p>{paragraph}</p></article></body></html>"
        ));
        assert!(doc.text.contains("close at nine, as agreed, and open"), "{}", doc.text);
        assert!(
            doc.text.contains("## Keys")
                && !doc.text.contains("hidden")
                && !doc.text.contains("x.example")
        );
        assert_eq!(doc.author.as_deref(), Some("Ana Reis"));
        assert!(doc.title.unwrap().starts_with("Dock doors"));
        assert_eq!(doc.dates[0].1, "2026-02-03T10:00:00Z");
    }

    #[test]
    fn short_pages_are_kept_whole() {
        let doc = extract(
            "<body><table><tr><td>Gate</td><td>4</td></tr></table><p>Only this.</p></body>",
        );
        assert!(doc.text.contains("Only this.") && doc.text.contains("Gate"), "{}", doc.text);
    }

    #[test]
    fn a_tower_of_tags_does_not_overflow_the_stack() {
        let doc = extract(&("<div>".repeat(300_000) + "bottom"));
        assert!(doc.text.contains("bottom") && !doc.notes.is_empty());
    }
}
