//! Charts as SVG that the server writes: pure functions from plain data to a [`Figure`], one code path for pages, exports
//! and whatever else shows one.
//!
//! Every figure has a twin that needs no eyes, a table with the same figures and a sentence that says what they show.
//! Colours come from classes and the variables of [`STYLE`] only, and no meaning rests on a colour alone: dashes, shapes
//! and words say the same. A drawing is 320 units wide, so that its letters can be read on a narrow screen, and holds no
//! script and no style, which a strict content policy would refuse. The same data give the same bytes. Whatever is no
//! finite number is drawn as nothing and told as "unknown"; what is too much to be drawn is folded, and counted.

mod agreement;
mod budget;
mod confidence;
mod credences;
mod densities;
mod draw;
mod evidence_graph;
mod noticed;
mod reliability;
mod sets;
mod sparkline;
mod style;
mod timeline;

pub use agreement::{AgreementRow, Stance, agreement};
pub use budget::{Meter, budget};
pub use confidence::{ClaimBar, Interval, Mark, confidence};
pub use credences::{Credence, CredenceStep, Scale, credences};
pub use densities::{Density, densities};
pub use evidence_graph::{EvidenceGraph, GraphEdge, GraphNode, Relation, evidence_graph};
pub use noticed::{Noticed, noticed};
pub use reliability::{Labelled, icon_array, reliability};
pub use sets::{LabelledSet, upset, venn};
pub use sparkline::sparkline;
pub use style::STYLE;
pub use timeline::{TimeSpan, timeline};

use crate::text::escape_markup;
use std::fmt::Write;

/// Most rows that a table of a figure has; a last row counts what is left out.
pub const MOST_ROWS: usize = 1_000;

/// A chart and its twin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figure {
    /// One `<svg>` element with `role="img"`, `<title>` and `<desc>`; safe to stand in a page as it is.
    pub svg: String,
    /// What it is about, as text.
    pub title: String,
    /// What it shows, as text.
    pub summary: String,
    /// The same figures, as text.
    pub table: Table,
    /// The same in words, as text; empty where a table says all.
    pub list: Vec<Entry>,
}

/// An entry of a list with what belongs to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// What it is about.
    pub text: String,
    /// What is said of it, a phrase each.
    pub parts: Vec<String>,
}

/// The data behind a chart; every cell is text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// Names of the columns.
    pub head: Vec<String>,
    /// As many cells each as `head` has.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    fn new(head: &[&str]) -> Self {
        Self { head: head.iter().map(|&name| name.to_owned()).collect(), rows: Vec::new() }
    }

    /// Fills the rows: at most `most` of them, and one that counts the rest.
    fn filled<T>(
        mut self,
        items: &[T],
        most: usize,
        row: impl Fn(usize, &T) -> Vec<String>,
    ) -> Self {
        self.rows.extend(items.iter().take(most).enumerate().map(|(at, item)| row(at, item)));
        if items.len() > most {
            let mut last = vec![String::new(); self.head.len()];
            if let Some(first) = last.first_mut() {
                *first = format!("and {} more", items.len() - most);
            }
            self.rows.push(last);
        }
        self
    }

    /// As an HTML table; the first cell of a row is its heading.
    pub fn to_html(&self) -> String {
        let mut out = String::from("<table><thead><tr>");
        for name in &self.head {
            write!(out, "<th scope=\"col\">{}</th>", escape_markup(name))
                .expect("writing to a String cannot fail");
        }
        out.push_str("</tr></thead><tbody>");
        for row in &self.rows {
            out.push_str("<tr>");
            for (at, cell) in row.iter().enumerate() {
                let cell = escape_markup(cell);
                if at == 0 {
                    write!(out, "<th scope=\"row\">{cell}</th>")
                } else {
                    write!(out, "<td>{cell}</td>")
                }
                .expect("writing to a String cannot fail");
            }
            out.push_str("</tr>");
        }
        out.push_str("</tbody></table>");
        out
    }
}

impl Figure {
    /// The chart with what it shows below it, and its list and its table to be opened: `<figure class="chart">`.
    pub fn to_html(&self) -> String {
        self.to_html_with("")
    }

    /// The same with more markup at its end, for whoever has something to offer beside a chart.
    pub fn to_html_with(&self, more: &str) -> String {
        let title = escape_markup(&self.title);
        // A table that is scrolled sideways has to be reached by the keyboard.
        format!(
            "<figure class=\"chart\">{}<figcaption>{}</figcaption>{}<details><summary>{title} as a table</summary>\
             <div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{title}\">{}</div></details>{more}</figure>",
            self.svg,
            escape_markup(&self.summary),
            self.listed(&title),
            self.table.to_html()
        )
    }

    /// The list, to be opened; nothing where there is none.
    fn listed(&self, title: &str) -> String {
        if self.list.is_empty() {
            return String::new();
        }
        let mut out = format!("<details><summary>{title} as a list</summary><ul>");
        for entry in &self.list {
            write!(out, "<li>{}", escape_markup(&entry.text))
                .expect("writing to a String cannot fail");
            if !entry.parts.is_empty() {
                out.push_str("<ul>");
                for part in &entry.parts {
                    write!(out, "<li>{}</li>", escape_markup(part))
                        .expect("writing to a String cannot fail");
                }
                out.push_str("</ul>");
            }
            out.push_str("</li>");
        }
        out.push_str("</ul></details>");
        out
    }
}

#[cfg(test)]
mod tests;
