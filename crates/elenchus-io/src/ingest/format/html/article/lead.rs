//! The words with which a text opens, where a page sets them apart from the rest, between its heading and its text.

use super::super::hide::Sight;
use super::super::tree::{Kind, Tag, Tree};
use super::words::Names;
use super::{Weights, above};

/// A lead is at least this long where nothing names it, in characters.
const LENGTH: u32 = 100;
/// And this long where something does.
const NAMED: u32 = 40;
const LONGEST: u32 = 2_000;

/// Paragraphs between the last main heading before `root` and `root`; they are taken back from what was left out.
pub(super) fn before(
    tree: &Tree,
    sight: &Sight,
    root: usize,
    names: &[Names],
    all: &Weights,
    left_out: &mut [bool],
) -> Vec<usize> {
    let holds_heading =
        (root..tree.nodes[root].end).any(|at| tree.tag(at) == Some(Tag::H1) && !left_out[at]);
    if holds_heading {
        return Vec::new();
    }
    let heading =
        tree.all(Tag::H1).map(|(at, _)| at).filter(|at| *at < root && !sight.is_gone(*at)).last();
    // Without a main heading only what is named so, close by.
    let near = || above(tree, root).take(3).last();
    let Some(mut at) = heading.map(|at| tree.nodes[at].end).or_else(near) else {
        return Vec::new();
    };
    let named_only = heading.is_none();
    let mut leads = Vec::new();
    while at < root {
        let end = tree.nodes[at].end;
        if sight.is_gone(at) {
            at = end;
            continue;
        }
        if end <= root && is_lead(tree, at, names, all, named_only) {
            for (below, out) in left_out.iter_mut().enumerate().take(end).skip(at) {
                *out = sight.is_gone(below);
            }
            leads.push(at);
            at = end;
        } else if end <= root && is_other(tree, at, names) {
            at = end;
        } else {
            at += 1;
        }
    }
    leads
}

fn is_lead(tree: &Tree, at: usize, names: &[Names], all: &Weights, named_only: bool) -> bool {
    let Some(tag) = tree.tag(at) else { return false };
    if !matches!(
        tag,
        Tag::P
            | Tag::H2
            | Tag::H3
            | Tag::H4
            | Tag::Div
            | Tag::Strong
            | Tag::Section
            | Tag::Span
            | Tag::Blockquote
    ) {
        return false;
    }
    let (text, linked) = (all.text[at], all.linked[at]);
    if linked * 5 > text || text > LONGEST {
        return false;
    }
    let named = names[at].lead || above(tree, at).take(2).any(|at| names[at].lead);
    if names[at].margin && !names[at].lead {
        return false;
    }
    // Right in it, not in blocks below, which are looked at for themselves.
    let direct = tag == Tag::P
        || tree.children(at).any(|child| matches!(&tree.nodes[child].kind, Kind::Text(words) if words.trim().chars().count() > 20));
    if named {
        text >= NAMED && direct
    } else {
        !named_only && text >= LENGTH && direct && tag != Tag::Span
    }
}

fn is_other(tree: &Tree, at: usize, names: &[Names]) -> bool {
    let named = names[at];
    named.notice
        || named.comments
        || named.chrome
        || named.margin && !named.lead
        || matches!(
            tree.tag(at),
            Some(
                Tag::Figure
                    | Tag::Figcaption
                    | Tag::Nav
                    | Tag::Aside
                    | Tag::Form
                    | Tag::Ul
                    | Tag::Ol
                    | Tag::Button
                    | Tag::Table
            )
        )
}
