//! A page's elements in reading order, flat: a subtree is a range.

use super::build::build;
use dom_query::{NodeData, NodeId, Tree as Dom};

/// Longest attribute value that is kept, in bytes: styles and addresses are shorter.
const VALUE: usize = 4_096;

macro_rules! names {
    ($(#[$doc:meta])* $kind:ident { $($variant:ident = $name:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(super) enum $kind { $($variant),+, Other }

        impl $kind {
            fn of(name: &str) -> Self {
                match name { $($name => Self::$variant,)+ _ => Self::Other }
            }
        }
    };
}

names! {
    /// Elements that are told apart.
    Tag {
        A = "a", Abbr = "abbr", Address = "address", Article = "article", Aside = "aside", Audio = "audio",
        B = "b", Base = "base", Blockquote = "blockquote", Body = "body", Br = "br", Button = "button",
        Canvas = "canvas", Caption = "caption", Center = "center", Cite = "cite", Code = "code",
        Datalist = "datalist", Dd = "dd", Del = "del", Details = "details", Dialog = "dialog", Div = "div",
        Dl = "dl", Dt = "dt", Embed = "embed", Em = "em", Fieldset = "fieldset", Figcaption = "figcaption",
        Figure = "figure", Font = "font", Footer = "footer", Form = "form", Frame = "frame",
        Frameset = "frameset", H1 = "h1", H2 = "h2", H3 = "h3", H4 = "h4", H5 = "h5", H6 = "h6", Head = "head",
        Header = "header", Hgroup = "hgroup", Hr = "hr", Html = "html", I = "i", Iframe = "iframe", Img = "img",
        Input = "input", Ins = "ins", Kbd = "kbd", Label = "label", Legend = "legend", Li = "li", Link = "link",
        Main = "main", Map = "map", Mark = "mark", Math = "math", Menu = "menu", Meta = "meta", Nav = "nav",
        Noframes = "noframes", Noscript = "noscript", Object = "object", Ol = "ol", Optgroup = "optgroup",
        Option = "option", P = "p", Picture = "picture", Pre = "pre", Q = "q", Rp = "rp", Rt = "rt", Ruby = "ruby",
        S = "s", Samp = "samp", Script = "script", Search = "search", Section = "section", Select = "select",
        Small = "small", Source = "source", Span = "span", Strong = "strong", Style = "style", Sub = "sub",
        Summary = "summary", Sup = "sup", Svg = "svg", Table = "table", Tbody = "tbody", Td = "td",
        Template = "template", Textarea = "textarea", Tfoot = "tfoot", Th = "th", Thead = "thead", Time = "time",
        Title = "title", Tr = "tr", Track = "track", Tt = "tt", U = "u", Ul = "ul", Video = "video", Wbr = "wbr",
    }
}

names! {
    /// Attributes that are kept.
    Name {
        AriaHidden = "aria-hidden", Bgcolor = "bgcolor", Class = "class", Color = "color", Colspan = "colspan",
        Content = "content", Datetime = "datetime", Hidden = "hidden", Href = "href", HttpEquiv = "http-equiv",
        Id = "id", Itemprop = "itemprop", Itemtype = "itemtype", Lang = "lang", Called = "name",
        Property = "property", Rel = "rel", Role = "role", Start = "start", Style = "style", Type = "type",
    }
}

impl Tag {
    pub(super) fn heading(self) -> Option<usize> {
        Some(match self {
            Self::H1 => 1,
            Self::H2 => 2,
            Self::H3 => 3,
            Self::H4 => 4,
            Self::H5 => 5,
            Self::H6 => 6,
            _ => return None,
        })
    }

    /// Stands within a line of text.
    pub(super) fn is_inline(self) -> bool {
        use Tag::{
            A, Abbr, B, Br, Button, Cite, Code, Del, Em, Font, I, Img, Input, Ins, Kbd, Label,
            Mark, Math, Other, Picture, Q, Rp, Rt, Ruby, S, Samp, Select, Small, Source, Span,
            Strong, Sub, Sup, Svg, Time, Tt, U, Wbr,
        };
        matches!(
            self,
            A | Abbr
                | B
                | Cite
                | Code
                | Del
                | Em
                | Font
                | I
                | Img
                | Ins
                | Kbd
                | Label
                | Mark
                | Math
                | Q
                | Rp
                | Rt
                | Ruby
                | S
                | Samp
                | Small
                | Span
                | Strong
                | Sub
                | Sup
                | Time
                | Tt
                | U
                | Wbr
                | Br
                | Svg
                | Picture
                | Source
                | Input
                | Button
                | Select
                | Other
        )
    }

    /// Never holds text that is shown as such.
    pub(super) fn is_silent(self) -> bool {
        use Tag::{
            Audio, Base, Canvas, Datalist, Embed, Head, Iframe, Input, Link, Map, Math, Meta,
            Noframes, Noscript, Object, Optgroup, Option, Script, Select, Source, Style, Svg,
            Template, Textarea, Title, Track, Video,
        };
        matches!(
            self,
            Script
                | Style
                | Noscript
                | Template
                | Head
                | Svg
                | Iframe
                | Noframes
                | Object
                | Embed
                | Audio
                | Video
                | Canvas
                | Map
                | Title
                | Meta
                | Link
                | Base
                | Track
                | Source
                | Datalist
                | Textarea
                | Select
                | Option
                | Optgroup
                | Input
                | Math
        )
    }
}

#[derive(Debug)]
pub(super) struct Element {
    pub(super) tag: Tag,
    attributes: Vec<(Name, Box<str>)>,
}

impl Element {
    pub(super) fn get(&self, name: Name) -> Option<&str> {
        self.attributes.iter().find(|(own, _)| *own == name).map(|(_, value)| &**value)
    }

    pub(super) fn has(&self, name: Name) -> bool {
        self.attributes.iter().any(|(own, _)| *own == name)
    }
}

#[derive(Debug)]
pub(super) enum Kind {
    Element(Element),
    Text(Box<str>),
}

#[derive(Debug)]
pub(super) struct Node {
    /// Index of the element that holds it; its own at the top.
    pub(super) parent: usize,
    /// One past its last descendant.
    pub(super) end: usize,
    pub(super) kind: Kind,
}

/// A page. Comments are not part of it, nor is what a `template` holds.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
}

impl Tree {
    /// Parses a page until its tree weighs more than `most`; `html` may be anything. Depth is the caller's to bound, since the parser
    /// slows down with it. Also gives how many bytes were read.
    pub(super) fn parse(html: &str, most: usize) -> (Self, usize) {
        let (document, done) = build(html, most);
        let mut tree = Self::default();
        tree.flatten(&document.tree);
        (tree, done)
    }

    fn flatten(&mut self, dom: &Dom) {
        let root = dom.root().id;
        // (node, its parent's index here), deepest last; an element is closed when the next node is not below it.
        let mut open: Vec<usize> = Vec::new();
        let mut todo: Vec<(NodeId, usize)> = vec![(root, 0)];
        while let Some((id, depth)) = todo.pop() {
            while open.len() > depth {
                if let Some(done) = open.pop() {
                    self.nodes[done].end = self.nodes.len();
                }
            }
            let parent = open.last().copied().unwrap_or(0);
            let kind = dom.query_node(&id, |node| kind(&node.data)).flatten();
            let is_root = id == root;
            let Some(kind) = kind else {
                if is_root {
                    self.push_children(dom, id, depth, &mut todo);
                }
                continue;
            };
            let at = self.nodes.len();
            let is_element = matches!(kind, Kind::Element(_));
            let closed = matches!(&kind, Kind::Element(element) if element.tag == Tag::Template);
            self.nodes.push(Node { parent, end: at + 1, kind });
            if is_element && !closed {
                open.push(at);
                self.push_children(dom, id, depth + 1, &mut todo);
            }
        }
        while let Some(done) = open.pop() {
            self.nodes[done].end = self.nodes.len();
        }
    }

    #[expect(clippy::unused_self, reason = "reads as a step of flattening")]
    fn push_children(&self, dom: &Dom, id: NodeId, depth: usize, todo: &mut Vec<(NodeId, usize)>) {
        todo.extend(dom.child_ids_of_it(&id, true).map(|child| (child, depth)));
    }

    pub(super) fn element(&self, at: usize) -> Option<&Element> {
        match &self.nodes.get(at)?.kind {
            Kind::Element(element) => Some(element),
            Kind::Text(_) => None,
        }
    }

    pub(super) fn tag(&self, at: usize) -> Option<Tag> {
        self.element(at).map(|element| element.tag)
    }

    /// The nodes right below, in order.
    pub(super) fn children(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes[at].end;
        let mut next = at + 1;
        std::iter::from_fn(move || {
            let child = next;
            if child >= end {
                return None;
            }
            next = self.nodes[child].end;
            Some(child)
        })
    }

    /// Elements with this tag, in order.
    pub(super) fn all(&self, tag: Tag) -> impl Iterator<Item = (usize, &Element)> + '_ {
        self.nodes.iter().enumerate().filter_map(move |(at, node)| match &node.kind {
            Kind::Element(element) if element.tag == tag => Some((at, element)),
            _ => None,
        })
    }

    /// Whether an element with this tag is below.
    pub(super) fn holds(&self, at: usize, tag: Tag) -> bool {
        (at + 1..self.nodes[at].end).any(|below| self.tag(below) == Some(tag))
    }

    /// All text below, as it stands.
    pub(super) fn text(&self, at: usize) -> String {
        let mut text = String::new();
        for node in &self.nodes[at..self.nodes[at].end] {
            if let Kind::Text(words) = &node.kind {
                text.push_str(words);
            }
        }
        text
    }
}

fn kind(data: &NodeData) -> Option<Kind> {
    match data {
        NodeData::Text { contents } => Some(Kind::Text(contents.as_ref().into())),
        NodeData::Element(element) => {
            let tag = Tag::of(element.name.local.as_ref());
            let attributes = element
                .attrs
                .iter()
                .filter_map(|attribute| {
                    let name = Name::of(attribute.name.local.as_ref());
                    (name != Name::Other).then(|| (name, cut(&attribute.value).into()))
                })
                .collect();
            Some(Kind::Element(Element { tag, attributes }))
        }
        _ => None,
    }
}

fn cut(value: &str) -> &str {
    &value[..value.floor_char_boundary(VALUE)]
}
