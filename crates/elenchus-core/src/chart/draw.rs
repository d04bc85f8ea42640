//! The pen: writes SVG elements with rounded numbers and escaped text.

use super::{Figure, Table};
pub(super) use crate::inquiry::count as counted;
use crate::text::{escape_markup, squeeze};
use std::fmt::{Display, Formatter, Write};
use unicode_segmentation::UnicodeSegmentation;

/// Units that every drawing is wide.
pub(super) const WIDTH: f64 = 320.0;
/// Units that letters are high.
pub(super) const LETTER: f64 = 12.0;
/// Units of one column of letters, generously.
const COLUMN: f64 = 6.9;

/// Dashes that tell lines apart; solid first.
pub(super) const DASHES: [&str; 6] = ["", "6 3", "2 2", "8 3 2 3", "10 2", "4 2 1 2"];

/// A coordinate: one decimal, finite, and within what any viewer can draw.
struct At(f64);

impl Display for At {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let x = if self.0.is_finite() { self.0.clamp(-100_000.0, 10_000_000.0) } else { 0.0 };
        // Adding 0 turns -0 into 0.
        let tenths = (x * 10.0).round() + 0.0;
        if tenths % 10.0 == 0.0 {
            write!(f, "{}", tenths / 10.0)
        } else {
            write!(f, "{:.1}", tenths / 10.0)
        }
    }
}

/// Where a text stands to its place.
#[derive(Clone, Copy, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

/// A drawing in the making.
pub(super) struct Pen {
    id: String,
    body: String,
    links: usize,
}

impl Pen {
    /// `id` begins every id of the drawing: letters, digits, `-` and `_` of it are kept.
    pub(super) fn new(id: &str) -> Self {
        let mut kept: String =
            id.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).collect();
        if !kept.starts_with(|c: char| c.is_ascii_alphabetic()) {
            kept.insert_str(0, "chart");
        }
        Self { id: kept, body: String::new(), links: 0 }
    }

    fn put(&mut self, element: std::fmt::Arguments<'_>) {
        self.body.write_fmt(element).expect("writing to a String cannot fail");
    }

    /// A filled box; without a class it has the colour of text.
    pub(super) fn bar(&mut self, x: f64, y: f64, width: f64, height: f64, class: &str) {
        let (width, height) = (At(width.max(0.0)), At(height.max(0.0)));
        self.put(format_args!(
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\"/>",
            At(x),
            At(y)
        ));
    }

    /// An empty box.
    pub(super) fn frame(&mut self, x: f64, y: f64, width: f64, height: f64, class: &str) {
        let (width, height) = (At(width.max(0.0)), At(height.max(0.0)));
        self.put(format_args!(
            "<rect class=\"{class}\" fill=\"none\" stroke=\"currentColor\" x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\"/>",
            At(x),
            At(y)
        ));
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str, dash: &str) {
        self.put(format_args!(
            "<path class=\"{class}\" fill=\"none\" stroke=\"currentColor\"{} d=\"M{} {}L{} {}\"/>",
            dashed(dash),
            At(from.0),
            At(from.1),
            At(to.0),
            At(to.1)
        ));
    }

    /// A line through points, 2 units wide.
    pub(super) fn path(&mut self, points: &[(f64, f64)], class: &str, dash: &str) {
        if points.is_empty() {
            return;
        }
        let mut d = String::new();
        for (at, (x, y)) in points.iter().enumerate() {
            let sign = if at == 0 { 'M' } else { 'L' };
            write!(d, "{sign}{} {}", At(*x), At(*y)).expect("writing to a String cannot fail");
        }
        self.put(format_args!(
            "<path class=\"{class}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\"{} d=\"{d}\"/>",
            dashed(dash)
        ));
    }

    /// A filled area with these corners, half transparent.
    pub(super) fn area(&mut self, points: &[(f64, f64)], class: &str) {
        let mut d = String::new();
        for (at, (x, y)) in points.iter().enumerate() {
            let sign = if at == 0 { 'M' } else { 'L' };
            write!(d, "{sign}{} {}", At(*x), At(*y)).expect("writing to a String cannot fail");
        }
        self.put(format_args!(
            "<path class=\"{class}\" stroke=\"none\" fill-opacity=\"0.3\" d=\"{d}Z\"/>"
        ));
    }

    /// A curve from one column to another, level at both ends.
    pub(super) fn curve(&mut self, from: (f64, f64), to: (f64, f64), class: &str, dash: &str) {
        let middle = At(f64::midpoint(from.0, to.0));
        self.put(format_args!(
            "<path class=\"{class}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.5\"{} d=\"M{} {}C{middle} {} {middle} {} {} {}\"/>",
            dashed(dash),
            At(from.0),
            At(from.1),
            At(from.1),
            At(to.1),
            At(to.0),
            At(to.1)
        ));
    }

    pub(super) fn circle(&mut self, x: f64, y: f64, r: f64, class: &str, filled: bool) {
        let fill = if filled { "" } else { " fill=\"none\" stroke=\"currentColor\"" };
        self.put(format_args!(
            "<circle class=\"{class}\"{fill} cx=\"{}\" cy=\"{}\" r=\"{}\"/>",
            At(x),
            At(y),
            At(r.max(0.0))
        ));
    }

    /// One of six shapes around a place, filled: what tells series apart without colour.
    pub(super) fn marker(&mut self, shape: usize, x: f64, y: f64, class: &str) {
        let corners: &[(f64, f64)] = match shape % 6 {
            0 => return self.circle(x, y, 3.5, class, true),
            1 => &[(-3.2, -3.2), (3.2, -3.2), (3.2, 3.2), (-3.2, 3.2)],
            2 => &[(0.0, -4.2), (4.0, 3.2), (-4.0, 3.2)],
            3 => &[(0.0, -4.4), (4.4, 0.0), (0.0, 4.4), (-4.4, 0.0)],
            4 => &[(0.0, 4.2), (4.0, -3.2), (-4.0, -3.2)],
            _ => &[(-4.2, -1.4), (4.2, -1.4), (4.2, 1.4), (-4.2, 1.4)],
        };
        let mut d = String::new();
        for (at, (dx, dy)) in corners.iter().enumerate() {
            let sign = if at == 0 { 'M' } else { 'L' };
            write!(d, "{sign}{} {}", At(x + dx), At(y + dy))
                .expect("writing to a String cannot fail");
        }
        self.put(format_args!("<path class=\"{class}\" d=\"{d}Z\"/>"));
    }

    /// A line of text, cut to `room` units.
    pub(super) fn text(&mut self, x: f64, y: f64, anchor: Anchor, room: f64, text: &str) {
        let shown = escape_markup(&clipped(text, room));
        self.put(format_args!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"{}\">{shown}</text>",
            At(x),
            At(y),
            anchor.name()
        ));
    }

    /// What stands until [`Pen::end_link`] leads to a place of the same page (`#...`) or site (`/...`); another address is
    /// no link. Tells whether one was begun. `name` is what a reader without eyes is told of it.
    pub(super) fn begin_link(&mut self, address: &str, name: &str) -> bool {
        // What is written is judged: cleaned of what nobody sees, an address may point elsewhere.
        let address = escape_markup(&squeeze(address));
        let inside = address.starts_with('#')
            || (address.starts_with('/') && !address[1..].starts_with(['/', '\\']));
        if inside {
            self.links += 1;
            self.put(format_args!(
                "<a href=\"{}\" aria-label=\"{}\">",
                address,
                escape_markup(&squeeze(name))
            ));
        }
        inside
    }

    pub(super) fn end_link(&mut self, begun: bool) {
        if begun {
            self.body.push_str("</a>");
        }
    }

    /// The whole figure. A drawing with links is a group to those who cannot see it, since the inside of an image is not
    /// told.
    pub(super) fn finish(self, height: f64, title: &str, summary: &str, table: Table) -> Figure {
        self.sized(WIDTH, height, "plot", title, summary, table)
    }

    pub(super) fn sized(
        self,
        width: f64,
        height: f64,
        class: &str,
        title: &str,
        summary: &str,
        table: Table,
    ) -> Figure {
        let (title, summary) = (squeeze(title), squeeze(summary));
        let id = &self.id;
        let role = if self.links > 0 { "group" } else { "img" };
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"{class}\" id=\"{id}\" role=\"{role}\" \
             aria-labelledby=\"{id}-title {id}-desc\" viewBox=\"0 0 {} {}\" font-size=\"{LETTER}\" fill=\"currentColor\">\
             <title id=\"{id}-title\">{}</title><desc id=\"{id}-desc\">{}</desc>{}</svg>",
            At(width),
            At(height.max(1.0)),
            escape_markup(&title),
            escape_markup(&summary),
            self.body
        );
        Figure { svg, title, summary, table, list: Vec::new() }
    }
}

/// Words behind others.
pub(super) fn add(out: &mut String, words: std::fmt::Arguments<'_>) {
    out.write_fmt(words).expect("writing to a String cannot fail");
}

fn dashed(dash: &str) -> String {
    if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") }
}

/// As much of a text as fits into `room` units, with an ellipsis where something is left out.
pub(super) fn clipped(text: &str, room: f64) -> String {
    let columns = (room / COLUMN).floor().clamp(1.0, 500.0) as usize;
    // Far more than is ever shown: what follows need not be read.
    let line = squeeze(&text.chars().take(4_000).collect::<String>());
    let mut used = 0;
    let mut out = String::new();
    let mut cut_at = 0;
    for letter in line.graphemes(true) {
        let wide = letter.chars().next().is_some_and(|c| {
            matches!(c, '\u{1100}'..='\u{115F}' | '\u{2E80}'..='\u{A4CF}' | '\u{AC00}'..='\u{D7A3}' | '\u{F900}'..='\u{FAFF}'
                | '\u{FE30}'..='\u{FE6F}' | '\u{FF00}'..='\u{FF60}' | '\u{1F300}'..='\u{1FAFF}' | '\u{20000}'..='\u{3FFFD}')
        });
        used += if wide { 2 } else { 1 };
        // A letter with a heap of signs on it would overflow the line upwards.
        if used > columns || letter.chars().count() > 8 {
            out.truncate(cut_at);
            out.push('\u{2026}');
            return out;
        }
        if used < columns {
            cut_at = out.len() + letter.len();
        }
        out.push_str(letter);
    }
    out
}

/// A share of 1 in two decimals, or "unknown".
pub(super) fn share(p: f64) -> String {
    if p.is_finite() { format!("{:.2}", p.clamp(0.0, 1.0)) } else { "unknown".to_owned() }
}

/// A share as it can be drawn: within 0 and 1, `None` when it is no number.
pub(super) fn unit(p: f64) -> Option<f64> {
    p.is_finite().then(|| p.clamp(0.0, 1.0))
}

/// A figure without needless decimals: "12", "0.5", "1300000".
pub(super) fn plain(x: f64) -> String {
    if !x.is_finite() {
        return "unknown".to_owned();
    }
    let rounded = (x * 100.0).round() / 100.0 + 0.0;
    if rounded.is_finite() { format!("{rounded}") } else { "unknown".to_owned() }
}
