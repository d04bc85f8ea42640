//! Text for a grid of cells: wrapped, fitted, in few tones. Nothing here knows a terminal.

use elenchus_core::text::{is_invisible, squeeze};
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

/// How a piece of text is meant. Never the only sign of anything: words or signs say the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    Dim,
    Strong,
    Title,
    Good,
    Warn,
    Bad,
}

impl Tone {
    pub(super) fn style(self) -> Style {
        let style = Style::new();
        match self {
            Self::Plain => style,
            Self::Dim => style.fg(Color::DarkGray),
            Self::Strong => style.add_modifier(Modifier::BOLD),
            Self::Title => style.fg(Color::Cyan).add_modifier(Modifier::BOLD),
            Self::Good => style.fg(Color::Green),
            Self::Warn => style.fg(Color::Yellow),
            Self::Bad => style.fg(Color::Red),
        }
    }

    /// The tone of a probability: from 0.7 on it is good, below 0.5 bad.
    pub(super) fn of(p: f64) -> Self {
        if p >= 0.7 {
            Self::Good
        } else if p >= 0.5 {
            Self::Warn
        } else {
            Self::Bad
        }
    }
}

/// A piece of a line, on one line.
pub(super) fn span(tone: Tone, text: impl AsRef<str>) -> Span<'static> {
    Span::styled(tame(text.as_ref()), tone.style())
}

/// White space becomes blanks one by one, what nobody sees is dropped.
fn tame(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .filter(|c| !is_invisible(*c))
        .collect()
}

/// Columns that a text takes.
pub(super) fn columns(text: &str) -> usize {
    Span::raw(text).width()
}

/// The beginning of a text that fits into `width` columns, with a sign where something is missing.
pub(super) fn fit(text: &str, width: usize) -> String {
    let text = squeeze(text);
    if columns(&text) <= width {
        return text;
    }
    let mut out = String::new();
    for c in text.chars() {
        // A sign that makes the one before it wide takes no column by itself.
        out.push(c);
        if columns(&out) >= width {
            out.pop();
            break;
        }
    }
    if width > 0 {
        out.push('\u{2026}');
    }
    out
}

/// Lines of at most `width` columns (at least 1), broken between words where that is possible.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for word in squeeze(text).split(' ') {
        let wide = columns(word);
        if used > 0 && used + 1 + wide > width {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        if used > 0 {
            line.push(' ');
            used += 1;
        }
        if wide <= width {
            line.push_str(word);
            used += wide;
            continue;
        }
        for c in word.chars() {
            line.push(c);
            if used > 0 && columns(&line) > width {
                line.pop();
                lines.push(std::mem::replace(&mut line, c.to_string()));
            }
            used = columns(&line);
        }
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// A bar of `width` columns for a share from 0 to 1.
pub(super) fn bar(share: f64, width: usize) -> String {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    let full = ((share * width as f64).round() as usize).min(width);
    "\u{2588}".repeat(full) + &"\u{2591}".repeat(width - full)
}

/// The course of shares from 0 to 1, a column each, the last `width` of them.
pub(super) fn sparkline(shares: &[f64], width: usize) -> String {
    const STEPS: [char; 8] = [
        '\u{2581}', '\u{2582}', '\u{2583}', '\u{2584}', '\u{2585}', '\u{2586}', '\u{2587}',
        '\u{2588}',
    ];
    let from = shares.len().saturating_sub(width);
    shares
        .iter()
        .skip(from)
        .map(|share| {
            let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
            STEPS[((share * 8.0) as usize).min(7)]
        })
        .collect()
}

/// Lines that fill from the top.
#[derive(Clone, Debug)]
pub(super) struct Page {
    width: usize,
    pub(super) lines: Vec<Line<'static>>,
}

impl Page {
    pub(super) fn new(width: u16) -> Self {
        Self { width: usize::from(width).max(8), lines: Vec::new() }
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn line(&mut self, spans: Vec<Span<'static>>) {
        self.lines.push(Line::from(spans));
    }

    /// An empty line, never two.
    pub(super) fn gap(&mut self) {
        if self.lines.last().is_some_and(|line| line.width() > 0) {
            self.lines.push(Line::default());
        }
    }

    /// A heading.
    pub(super) fn head(&mut self, text: &str) {
        self.gap();
        self.text(Tone::Title, text);
    }

    /// Wrapped text.
    pub(super) fn text(&mut self, tone: Tone, text: &str) {
        self.hung(Tone::Plain, "", tone, text);
    }

    /// `name: text`, wrapped under its own beginning. Nothing without a text.
    pub(super) fn field(&mut self, name: &str, text: &str) {
        if !text.trim().is_empty() {
            self.hung(Tone::Dim, &format!("{name}: "), Tone::Plain, text);
        }
    }

    /// A point of a list.
    pub(super) fn item(&mut self, text: &str) {
        self.hung(Tone::Dim, "  \u{2022} ", Tone::Plain, text);
    }

    /// Text that hangs from a mark. Long marks hang the rest by four columns only.
    pub(super) fn hung(&mut self, mark_tone: Tone, mark: &str, tone: Tone, text: &str) {
        let indent = columns(mark);
        if indent > 12 || indent * 3 > self.width {
            let first = wrap(text, self.width.saturating_sub(indent));
            let begun = first.first().cloned().unwrap_or_default();
            self.line(vec![span(mark_tone, mark), span(tone, &begun)]);
            let rest = squeeze(text);
            let rest = rest.get(begun.len()..).unwrap_or_default().trim_start().to_owned();
            if !rest.is_empty() {
                for line in wrap(&rest, self.width.saturating_sub(4)) {
                    self.line(vec![span(Tone::Plain, "    "), span(tone, line)]);
                }
            }
            return;
        }
        for (at, line) in wrap(text, self.width - indent).into_iter().enumerate() {
            let before =
                if at == 0 { span(mark_tone, mark) } else { span(Tone::Plain, " ".repeat(indent)) };
            self.line(vec![before, span(tone, line)]);
        }
    }
}

/// The last word on what leaves: no cell holds anything that a terminal obeys, and no colour where none is wanted.
pub(super) fn tamed(buffer: &mut Buffer, colour: bool) {
    for cell in &mut buffer.content {
        if cell.symbol().chars().any(is_invisible) {
            let plain: String = cell.symbol().chars().filter(|c| !is_invisible(*c)).collect();
            cell.set_symbol(if plain.is_empty() { " " } else { &plain });
        }
        if !colour {
            let bold = cell.modifier;
            cell.set_style(Style::reset());
            cell.modifier = bold;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bars_and_courses() {
        assert_eq!(bar(0.5, 4), "\u{2588}\u{2588}\u{2591}\u{2591}");
        assert_eq!(bar(f64::NAN, 2), "\u{2591}\u{2591}");
        assert_eq!(bar(7.0, 2), "\u{2588}\u{2588}");
        assert_eq!(sparkline(&[0.9, 0.0, 0.5, 1.0], 3), "\u{2581}\u{2585}\u{2588}");
    }

    #[test]
    fn words_are_kept_whole_where_they_fit() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap("", 3), [""]);
        assert_eq!(fit("abcdef", 4), "abc\u{2026}");
        // The copyright sign is narrow, and wide with the sign for a picture behind it.
        let wide = "\u{a9}\u{fe0f}\u{10c7}";
        assert!(wrap(wide, 2).iter().all(|line| columns(line) <= 2) && columns(&fit(wide, 2)) <= 2);
        assert_eq!(fit("ab\u{1b}[31m\ncd", 20), "ab[31m cd");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn nothing_is_wider_than_it_may_be(text in any::<String>(), width in 2usize..40) {
            for line in wrap(&text, width) {
                prop_assert!(columns(&line) <= width, "{line:?}");
            }
            prop_assert!(columns(&fit(&text, width)) <= width);
            let mut page = Page::new(width as u16);
            page.field("name", &text);
            page.item(&text);
            page.hung(Tone::Plain, "a rather long mark: ", Tone::Plain, &text);
            let hidden = |span: &Span<'_>| span.content.chars().any(is_invisible);
            prop_assert!(!page.lines.iter().flat_map(|line| &line.spans).any(hidden));
        }
    }
}
