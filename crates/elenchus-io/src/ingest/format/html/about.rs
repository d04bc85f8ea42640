//! What a page says about itself: JSON-LD, `meta` elements, microdata and marked-up dates.

mod linked;

use super::About;
use super::hide::Sight;
use super::tree::{Element, Name, Tag, Tree};
use crate::ingest::dates::dates;
use linked::Linked;

/// Longest title or name, in characters.
const SHORT: usize = 300;

/// Title and author, and what else a page says.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) title: Option<String>,
    pub(super) author: Option<String>,
    pub(super) about: About,
}

/// `meta` names that state a date of publication, the strongest first.
const PUBLISHED: &[&str] = &[
    "article:published_time",
    "og:published_time",
    "citation_publication_date",
    "citation_date",
    "dcterms.issued",
    "dc.date.issued",
    "dcterms.created",
    "dc.date.created",
    "dcterms.date",
    "dc.date",
    "parsely-pub-date",
    "sailthru.date",
    "datepublished",
    "publishdate",
    "publish-date",
    "publish_date",
    "publication_date",
    "pubdate",
    "article.published",
    "date",
    "dc.created",
    "article:post_date",
    "citation_online_date",
    "cxenseparse:recs:publishtime",
];
/// `meta` names that state a date of change.
const MODIFIED: &[&str] = &[
    "article:modified_time",
    "og:updated_time",
    "dcterms.modified",
    "dc.date.modified",
    "dc.modified",
    "datemodified",
    "last-modified",
    "lastmod",
    "revised",
    "article.updated",
    "modified",
];
const AUTHORS: &[&str] = &[
    "author",
    "citation_author",
    "dc.creator",
    "dcterms.creator",
    "parsely-author",
    "sailthru.author",
    "article:author",
    "article.author",
    "byl",
    "og:author",
    "twitter:data1-author",
    "cxenseparse:author",
];
const TITLES: &[&str] =
    &["citation_title", "og:title", "dcterms.title", "dc.title", "parsely-title", "twitter:title"];
const LICENCES: &[&str] =
    &["dcterms.license", "dc.rights.license", "dcterms.rights", "dc.rights", "license"];

/// Reads all that a page says about itself. Attributes of `meta` are words about the page, never text of it.
pub(super) fn said(tree: &Tree, sight: &Sight) -> Said {
    let meta = Meta::of(tree);
    let linked = linked::read(tree);
    let seen = |at: usize| !sight.is_gone(at);
    let item = |name: &str| -> Option<String> {
        tree.nodes.iter().enumerate().find_map(|(at, _)| {
            let element = tree.element(at)?;
            if !element.get(Name::Itemprop)?.split_ascii_whitespace().any(|one| one == name) {
                return None;
            }
            let stated = element
                .get(Name::Datetime)
                .or_else(|| element.get(Name::Content))
                .map(str::to_owned);
            stated.or_else(|| seen(at).then(|| tree.text(at))).and_then(|text| line(&text))
        })
    };
    let has_items = tree
        .nodes
        .iter()
        .enumerate()
        .any(|(at, _)| tree.element(at).is_some_and(|element| element.has(Name::Itemprop)));
    let item = |name: &str| if has_items { item(name) } else { None };
    let dated = |text: &String| !dates(text).is_empty();

    let published = linked
        .published
        .clone()
        .filter(dated)
        .or_else(|| meta.first(PUBLISHED, dated))
        .or_else(|| item("datePublished").filter(dated))
        .or_else(|| time(tree, sight));
    let modified = linked
        .modified
        .clone()
        .filter(dated)
        .or_else(|| meta.first(MODIFIED, dated))
        .or_else(|| item("dateModified").filter(dated));
    let author = authors(&linked, &meta)
        .or_else(|| item("author").filter(|name| is_name(name)))
        .or_else(|| byline(tree, sight));
    let licence = licence(tree, sight, &meta, &linked);
    let language = tree
        .all(Tag::Html)
        .find_map(|(_, element)| element.get(Name::Lang).map(str::to_owned))
        .or_else(|| {
            meta.first(&["content-language", "og:locale", "dc.language", "language"], |_| true)
        })
        .filter(|tag| tag.len() <= 35);
    let canonical = rel(tree, Tag::Link, "canonical").or_else(|| meta.first(&["og:url"], |_| true));
    Said {
        title: title(tree, sight, &meta, &linked),
        author,
        about: About { canonical, published, modified, licence, language },
    }
}

struct Meta(Vec<(String, String)>);

impl Meta {
    fn of(tree: &Tree) -> Self {
        let pairs = tree.all(Tag::Meta).filter_map(|(_, element)| {
            let name = element
                .get(Name::Property)
                .or_else(|| element.get(Name::Called))
                .or_else(|| element.get(Name::HttpEquiv))?;
            Some((name.to_ascii_lowercase(), line(element.get(Name::Content)?)?))
        });
        Self(pairs.take(400).collect())
    }

    fn first(&self, names: &[&str], fits: impl Fn(&String) -> bool) -> Option<String> {
        names.iter().find_map(|name| {
            self.0
                .iter()
                .find(|(own, value)| own == name && fits(value))
                .map(|(_, value)| value.clone())
        })
    }

    fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

/// One line of words; `None` when there are none.
pub(super) fn line(text: &str) -> Option<String> {
    let mut ignored = super::Hidden::default();
    let text = super::unseen::without(text, &mut ignored);
    let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text: String = text.chars().filter(|c| !c.is_control()).take(SHORT).collect();
    (!text.is_empty()).then_some(text)
}

/// The target of the first element of this kind with this relation.
fn rel(tree: &Tree, tag: Tag, relation: &str) -> Option<String> {
    tree.all(tag).find_map(|(_, element)| {
        let says = |one: &str| one.eq_ignore_ascii_case(relation);
        element.get(Name::Rel)?.split_ascii_whitespace().any(says).then_some(())?;
        element.get(Name::Href).map(str::trim).filter(|href| !href.is_empty()).map(str::to_owned)
    })
}

fn title(tree: &Tree, sight: &Sight, meta: &Meta, linked: &Linked) -> Option<String> {
    let head = tree
        .all(Tag::Title)
        .find(|(at, _)| {
            !std::iter::successors(Some(*at), |at| {
                let parent = tree.nodes[*at].parent;
                (parent != *at).then_some(parent)
            })
            .any(|at| tree.tag(at) == Some(Tag::Svg))
        })
        .and_then(|(at, _)| line(&tree.text(at)));
    let headings: Vec<String> = tree
        .all(Tag::H1)
        .filter(|(at, _)| !sight.is_gone(*at))
        .filter_map(|(at, _)| line(&visible(tree, sight, at)))
        .take(8)
        .collect();
    // The heading that the page's title repeats is the title without the site's name.
    if let Some(head) = &head
        && let Some(heading) = headings
            .iter()
            .find(|heading| heading.chars().count() > 4 && head.contains(heading.as_str()))
    {
        return Some(heading.clone());
    }
    let site = meta.first(&["og:site_name", "application-name"], |_| true);
    let own = linked.title.clone().or_else(|| meta.first(TITLES, |_| true));
    let chosen = own.or_else(|| (headings.len() == 1).then(|| headings[0].clone())).or(head)?;
    Some(without_site(&chosen, site.as_deref()))
}

/// "Dock doors | The Harbour" of the site "The Harbour".
fn without_site(title: &str, site: Option<&str>) -> String {
    for mark in [" | ", " - ", " – ", " — ", " :: ", " • ", " « ", " » ", " · "] {
        if let Some((before, after)) = title.rsplit_once(mark)
            && (site.is_some_and(|site| after.eq_ignore_ascii_case(site))
                || site.is_none() && mark == " | " && before.split_whitespace().count() >= 3)
            && !before.trim().is_empty()
        {
            return before.trim().to_owned();
        }
    }
    title.to_owned()
}

/// Text below that is seen.
fn visible(tree: &Tree, sight: &Sight, at: usize) -> String {
    let mut text = String::new();
    let mut here = at;
    while here < tree.nodes[at].end {
        if sight.is_gone(here) {
            here = tree.nodes[here].end;
            continue;
        }
        if let super::tree::Kind::Text(words) = &tree.nodes[here].kind {
            text.push_str(words);
        } else {
            text.push(' ');
        }
        here += 1;
    }
    text
}

fn authors(linked: &Linked, meta: &Meta) -> Option<String> {
    if let Some(names) = linked.author.clone().filter(|name| is_name(name)) {
        return Some(names);
    }
    AUTHORS.iter().find_map(|name| {
        let mut names: Vec<&str> = Vec::new();
        for one in meta.all(name).filter(|one| is_name(one)).take(12) {
            if !names.contains(&one) {
                names.push(one);
            }
        }
        (!names.is_empty()).then(|| names.join(", "))
    })
}

/// Profile addresses and handles of sites stand where names should.
fn is_name(text: &str) -> bool {
    let lower = text.to_lowercase();
    text.chars().count() <= 160
        && text.chars().any(char::is_alphabetic)
        && !lower.contains("://")
        && !lower.starts_with("www.")
        && !lower.starts_with('@')
        && !matches!(
            lower.as_str(),
            "admin" | "administrator" | "webmaster" | "redaktion" | "editor" | "unknown"
        )
}

/// "By Jane Doe" in an element that is marked as the line with the author's name.
fn byline(tree: &Tree, sight: &Sight) -> Option<String> {
    let marked = |element: &Element| {
        element
            .get(Name::Rel)
            .is_some_and(|rel| rel.split_ascii_whitespace().any(|one| one == "author"))
            || element.get(Name::Class).is_some_and(|class| {
                class.split_ascii_whitespace().any(|one| {
                    matches!(
                        one.to_ascii_lowercase().as_str(),
                        "byline"
                            | "author"
                            | "author-name"
                            | "p-author"
                            | "article-author"
                            | "entry-author"
                            | "byline-name"
                            | "post-author"
                            | "author__name"
                            | "byline__name"
                    )
                })
            })
    };
    (0..tree.nodes.len()).find_map(|at| {
        let element = tree.element(at)?;
        if sight.is_gone(at) || !marked(element) || tree.nodes[at].end - at > 40 {
            return None;
        }
        let name = line(&visible(tree, sight, at))?;
        let capital = name.chars().any(char::is_uppercase);
        (is_name(&name) && capital && name.chars().count() <= 80).then_some(name)
    })
}

/// The first date that is marked up for machines, before the text has gone on for long.
fn time(tree: &Tree, sight: &Sight) -> Option<String> {
    let stated = tree.all(Tag::Time).filter(|(at, _)| !sight.is_gone(*at)).take(3).find_map(
        |(at, element)| {
            let text =
                element.get(Name::Datetime).map(str::to_owned).or_else(|| line(&tree.text(at)))?;
            (!dates(&text).is_empty()).then_some(text)
        },
    );
    stated.and_then(|text| line(&text))
}

fn licence(tree: &Tree, sight: &Sight, meta: &Meta, linked: &Linked) -> Option<String> {
    if let Some(stated) = linked.licence.clone() {
        return Some(stated);
    }
    for tag in [Tag::Link, Tag::A] {
        if let Some(target) = rel(tree, tag, "license") {
            return line(&target);
        }
    }
    let named = meta.first(LICENCES, |value| {
        let lower = value.to_lowercase();
        lower.contains("licen")
            || lower.contains("creativecommons")
            || lower.starts_with("cc")
            || lower.contains("public domain")
    });
    named.or_else(|| {
        tree.all(Tag::A).find_map(|(at, element)| {
            let href = element.get(Name::Href)?.trim();
            let free = ["creativecommons.org/licenses/", "creativecommons.org/publicdomain/"];
            (!sight.is_gone(at)
                && free.iter().any(|mark| href.contains(mark))
                && !href.contains("share?"))
            .then(|| line(href))
            .flatten()
        })
    })
}
