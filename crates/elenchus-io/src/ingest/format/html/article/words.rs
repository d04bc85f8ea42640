//! What the names of classes and ids say about a part of a page.

/// What a name says about its element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Names {
    /// The part serves the site, not its reader: menus, shares, advertisements.
    pub(super) chrome: bool,
    /// So does this one, whatever it holds: notices about cookies, dialogues.
    pub(super) notice: bool,
    /// It often does, unless it holds running words.
    pub(super) perhaps: bool,
    /// What readers wrote below.
    pub(super) comments: bool,
    /// Short notes around a text: date, author, categories.
    pub(super) margin: bool,
    /// Words below a picture.
    pub(super) caption: bool,
    /// The words with which a text opens.
    pub(super) lead: bool,
    /// The text itself.
    pub(super) body: bool,
}

impl Names {
    /// What two names of one element say together.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            chrome: self.chrome || other.chrome,
            notice: self.notice || other.notice,
            perhaps: self.perhaps || other.perhaps,
            comments: self.comments || other.comments,
            margin: self.margin || other.margin,
            caption: self.caption || other.caption,
            lead: self.lead || other.lead,
            body: self.body || other.body,
        }
    }
}

/// Single words that mark chrome, wherever they stand in a name.
const CHROME: &[&str] = &[
    "addthis",
    "addtoany",
    "ad",
    "ads",
    "adv",
    "advert",
    "affiliate",
    "aside",
    "cta",
    "disclaimer",
    "advertisement",
    "advertising",
    "adsbygoogle",
    "anzeige",
    "banner",
    "breadcrumb",
    "breadcrumbs",
    "copyright",
    "donate",
    "donation",
    "dropdown",
    "flyout",
    "follow",
    "footer",
    "impressum",
    "login",
    "masthead",
    "menu",
    "mailchimp",
    "nav",
    "navbar",
    "navi",
    "navigation",
    "newsletter",
    "outbrain",
    "pager",
    "pagination",
    "paging",
    "paywall",
    "popular",
    "promo",
    "promotion",
    "recommend",
    "recommendation",
    "recommendations",
    "recommended",
    "register",
    "related",
    "relatedposts",
    "rss",
    "share",
    "shares",
    "sharing",
    "sharedaddy",
    "sidebar",
    "sidenav",
    "signin",
    "signup",
    "similar",
    "sitemap",
    "skip",
    "social",
    "socials",
    "sponsor",
    "sponsored",
    "sponsors",
    "subnav",
    "subscribe",
    "subscription",
    "taboola",
    "tagcloud",
    "toolbar",
    "toolbox",
    "tooltip",
    "topbar",
    "trackback",
    "trackbacks",
    "trending",
    "whatsapp",
    "pinterest",
    "viral",
    "yarpp",
    "zergnet",
];
const NOTICE: &[&str] = &[
    "cookie", "cookies", "consent", "gdpr", "dsgvo", "dialog", "lightbox", "modal", "overlay",
    "popup",
];
/// Words that mark chrome when they are the whole name of a class or id, or its last word, or that are used for much else.
const PERHAPS: &[&str] = &[
    "tags",
    "tag",
    "links",
    "search",
    "searchform",
    "print",
    "tools",
    "actions",
    "rating",
    "ratings",
    "likes",
    "views",
    "keywords",
    "topics",
    "schlagworte",
    "next",
    "prev",
    "previous",
    "pages",
    "buttons",
    "button",
    "logo",
    "bio",
    "authorbox",
    "feedback",
    "language",
    "languages",
    "archive",
    "archives",
    "toc",
    "utility",
    "backlink",
    "back",
    "taxonomy",
    "notice",
    "teaser",
    "teasers",
    "widget",
    "widgets",
    "facebook",
    "twitter",
    "kicker",
    "hinweis",
    "most",
];
const COMMENTS: &[&str] = &[
    "comment",
    "comments",
    "commentlist",
    "commentform",
    "disqus",
    "kommentar",
    "kommentare",
    "respond",
    "livefyre",
    "reply",
    "replies",
    "comentarios",
    "commentaires",
];
const MARGIN: &[&str] = &[
    "meta",
    "metadata",
    "byline",
    "dateline",
    "date",
    "datum",
    "time",
    "timestamp",
    "published",
    "posted",
    "postmeta",
    "author",
    "autor",
    "authors",
    "category",
    "categories",
    "cat",
    "info",
    "infos",
    "credit",
    "credits",
    "source",
    "readtime",
    "entrymeta",
    "postinfo",
];
const LEAD: &[&str] = &[
    "lead",
    "lede",
    "intro",
    "introduction",
    "introtext",
    "excerpt",
    "standfirst",
    "dek",
    "deck",
    "summary",
    "vorspann",
    "einleitung",
    "anreisser",
    "abstract",
    "subline",
    "chapeau",
    "subheadline",
    "entradilla",
    "bajada",
    "leadtext",
    "teaser",
];
const BODY: &[&str] = &[
    "articlebody",
    "articlecontent",
    "articletext",
    "blogpost",
    "bodycopy",
    "bodytext",
    "contentbody",
    "entrycontent",
    "entrytext",
    "fulltext",
    "postbody",
    "postcontent",
    "posttext",
    "storybody",
    "storycontent",
    "maintext",
    "richtext",
    "newstext",
];
/// The first of these and the second together mark the text: "entry-content", "article__body", "post-text".
const WHAT: &[&str] = &[
    "article", "artikel", "entry", "post", "story", "blog", "news", "page", "single", "main",
    "node", "td", "text", "content", "field", "body", "detail", "beitrag", "the", "rich", "theme",
];
const PART: &[&str] = &["body", "content", "text", "copy", "maincontent", "inhalt", "contents"];

/// Words about pictures.
const CAPTION: &[&str] = &[
    "caption",
    "captions",
    "legend",
    "bildunterschrift",
    "bildtext",
    "bildquelle",
    "photocredit",
    "imagecredit",
    "copyrights",
    "creditline",
    "figcaption",
    "imgcaption",
];
/// Parts of words that mark chrome where languages write words together.
const WITHIN: &[&str] = &[
    "werbung",
    "anzeigen",
    "newsletter",
    "breadcrumb",
    "relatedpost",
    "socialmedia",
    "kommentare",
    "sidebar",
    "advertis",
    "outbrain",
];

/// Reads the names of one attribute value, class or id.
pub(super) fn read(value: &str, names: &mut Names) {
    for name in value.split_ascii_whitespace().take(24) {
        one(name, names);
    }
}

fn one(name: &str, names: &mut Names) {
    if name.len() > 80 {
        return;
    }
    let mut words: [&str; 12] = [""; 12];
    let mut buffer = String::with_capacity(name.len() + 8);
    let mut bounds: Vec<usize> = Vec::with_capacity(8);
    split(name, &mut buffer, &mut bounds);
    let mut count = 0;
    for pair in bounds.windows(2) {
        if count < words.len() && pair[1] > pair[0] {
            words[count] = &buffer[pair[0]..pair[1]];
            count += 1;
        }
    }
    let words = &words[..count];
    let Some(last) = words.last() else { return };
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let whole = buffer.as_str();
    let first = words[0];
    // Utility classes ("has-sidebar", "no-comments", "with-nav") speak of the whole page, and a name of many words is an
    // anchor made of a heading.
    if words.len() > 1 && matches!(first, "has" | "no" | "with" | "without" | "is" | "not" | "js")
        || words.len() > 6
    {
        return;
    }
    let body = BODY.contains(&whole)
        || words.len() >= 2 && PART.contains(last) && WHAT.contains(&words[words.len() - 2]);
    names.body |= body;
    names.comments |= has(COMMENTS);
    names.notice |= !body && has(NOTICE);
    names.chrome |= !body && (has(CHROME) || first == "jp" && words.len() > 1);
    names.chrome |= !body
        && words.iter().any(|word| word.len() > 8 && WITHIN.iter().any(|part| word.contains(part)));
    let profile = [
        "box",
        "bio",
        "card",
        "profile",
        "info",
        "about",
        "desc",
        "description",
        "details",
        "vita",
        "portrait",
    ];
    names.chrome |=
        !body && has(&["author", "authors", "autor", "autoren", "auteur"]) && has(&profile);
    let picture = ["image", "media", "picture", "photo", "foto", "bild", "img", "figure"];
    let about = [
        "annotation",
        "subtitle",
        "title",
        "desc",
        "description",
        "source",
        "credit",
        "credits",
        "copyright",
        "author",
        "text",
    ];
    names.caption |= has(CAPTION) || has(&picture) && about.contains(last) && words.len() <= 4;
    names.perhaps |= !body
        && (PERHAPS.contains(last)
            || words.len() <= 2 && PERHAPS.contains(&first)
            || matches!(first, "next" | "prev" | "previous"));
    names.margin |= !body && (MARGIN.contains(last) || MARGIN.contains(&first) && words.len() <= 2);
    names.lead |= has(LEAD);
}

/// Lower-case words without separators in `buffer`, with where each begins.
fn split(name: &str, buffer: &mut String, bounds: &mut Vec<usize>) {
    bounds.push(0);
    let mut lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() {
            if bounds.last() != Some(&buffer.len()) {
                bounds.push(buffer.len());
            }
            lower = false;
            continue;
        }
        if c.is_uppercase() && lower && bounds.last() != Some(&buffer.len()) {
            bounds.push(buffer.len());
        }
        lower = c.is_lowercase() || c.is_ascii_digit();
        buffer.extend(c.to_lowercase());
    }
    bounds.push(buffer.len());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(value: &str) -> Names {
        let mut names = Names::default();
        read(value, &mut names);
        names
    }

    #[test]
    fn names_tell_parts() {
        for chrome in
            ["main-nav", "socialShare", "sidebar", "post_related", "cookie-banner", "x breadcrumbs"]
        {
            assert!(names(chrome).chrome, "{chrome}");
        }
        for body in ["entry-content", "article__body", "postContent", "story-text", "articleBody"] {
            assert!(names(body).body && !names(body).chrome, "{body}");
        }
        assert!(names("comments-area").comments && names("entry-meta").margin);
        for none in ["has-sidebar", "container", "row col-md-8", "no-comments", "shadow", "adapt"] {
            assert_eq!(names(none), Names::default(), "{none}");
        }
    }
}
