//! How sure each claim is.

use super::draw::{Anchor, Pen, WIDTH, add, counted, share, unit};
use super::{Figure, MOST_ROWS, Table};

/// Claims that are drawn.
const MOST: usize = 40;

/// What came of checking a claim, by sign and word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The sources bear it out.
    Supported,
    /// They do neither.
    NotSupported,
    /// They say otherwise.
    Contradicted,
    /// It was not checked.
    Unchecked,
}

impl Mark {
    /// A sign of its own shape.
    pub fn glyph(self) -> &'static str {
        match self {
            Self::Supported => "\u{2713}",
            Self::NotSupported => "~",
            Self::Contradicted => "\u{2717}",
            Self::Unchecked => "?",
        }
    }

    /// The word for people.
    pub fn word(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::NotSupported => "not supported",
            Self::Contradicted => "contradicted",
            Self::Unchecked => "unchecked",
        }
    }

    fn class(self) -> &'static str {
        match self {
            Self::Supported => "f1",
            Self::NotSupported => "f6",
            Self::Contradicted => "f2",
            Self::Unchecked => "track",
        }
    }
}

/// Where a figure probably lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end, 0 to 1.
    pub low: f64,
    /// Upper end, 0 to 1.
    pub high: f64,
    /// How probably, in percent: 90, 95.
    pub percent: u8,
}

/// One claim of [`confidence`].
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimBar {
    /// "c1", or the claim's words; cut where it is too long.
    pub label: String,
    /// The shown figure, 0 to 1; `None` when unchecked.
    pub confidence: Option<f64>,
    /// Its interval, where there is one.
    pub interval: Option<Interval>,
    /// The level: "high", "medium", "low", "very low".
    pub word: String,
    /// Independent sources that bear it out.
    pub sources: usize,
    /// What came of checking it.
    pub mark: Mark,
}

/// A bar for each claim with its interval as a whisker, its level in words, its independent sources and a sign for the
/// verdict. At most 40 are drawn.
pub fn confidence(id: &str, claims: &[ClaimBar]) -> Figure {
    let title = "How sure each claim is";
    let known: Vec<f64> =
        claims.iter().filter_map(|claim| claim.confidence.and_then(unit)).collect();
    let has = |mark: Mark| claims.iter().filter(|claim| claim.mark == mark).count();
    let mut summary = match known.len() {
        0 => format!("{}, none with a figure.", counted(claims.len(), "claim")),
        n => {
            let lowest = known.iter().copied().fold(1.0, f64::min);
            let highest = known.iter().copied().fold(0.0, f64::max);
            let mean = known.iter().sum::<f64>() / n as f64;
            format!(
                "{}, of which {n} with a figure: from {} to {}, {} on average.",
                counted(claims.len(), "claim"),
                share(lowest),
                share(highest),
                share(mean)
            )
        }
    };
    for mark in [Mark::Contradicted, Mark::NotSupported, Mark::Unchecked] {
        match has(mark) {
            0 => {}
            1 => add(&mut summary, format_args!(" 1 is {}.", mark.word())),
            n => add(&mut summary, format_args!(" {n} are {}.", mark.word())),
        }
    }
    if claims.len() > MOST {
        add(&mut summary, format_args!(" The first {MOST} are drawn."));
    }

    let (left, right, top, step) = (18.0, WIDTH - 4.0, 4.0, 46.0);
    let x = |p: f64| left + (right - left) * p;
    let mut pen = Pen::new(id);
    let shown = &claims[..claims.len().min(MOST)];
    for (row, claim) in shown.iter().enumerate() {
        let y = top + step * row as f64;
        pen.text(0.0, y + 11.0, Anchor::Start, left, claim.mark.glyph());
        pen.text(left, y + 11.0, Anchor::Start, right - left, &claim.label);
        pen.bar(left, y + 16.0, right - left, 8.0, "track");
        let about = match claim.confidence.and_then(unit) {
            Some(p) => {
                pen.bar(left, y + 16.0, x(p) - left, 8.0, claim.mark.class());
                if let Some((low, high)) = ends(claim.interval) {
                    pen.line((x(low), y + 20.0), (x(high), y + 20.0), "ink", "");
                    for end in [low, high] {
                        pen.line((x(end), y + 15.0), (x(end), y + 25.0), "ink", "");
                    }
                }
                format!("{} {}", share(p), claim.word)
            }
            None => claim.mark.word().to_owned(),
        };
        let sources = counted(claim.sources, "independent source");
        pen.text(left, y + 37.0, Anchor::Start, right - left, &format!("{about}, {sources}"));
    }
    let table =
        Table::new(&["Claim", "Verdict", "Confidence", "Level", "Interval", "Independent sources"])
            .filled(claims, MOST_ROWS, |_, claim| {
                vec![
                    claim.label.clone(),
                    claim.mark.word().to_owned(),
                    claim.confidence.map_or_else(|| "unknown".to_owned(), share),
                    claim.word.clone(),
                    claim.interval.map_or_else(String::new, |interval| {
                        match ends(Some(interval)) {
                            Some((low, high)) => {
                                format!(
                                    "{} to {} ({} %)",
                                    share(low),
                                    share(high),
                                    interval.percent
                                )
                            }
                            None => "unknown".to_owned(),
                        }
                    }),
                    claim.sources.to_string(),
                ]
            });
    pen.finish(top + step * shown.len() as f64, title, &summary, table)
}

/// Both ends in their order, when both are numbers.
fn ends(interval: Option<Interval>) -> Option<(f64, f64)> {
    let interval = interval?;
    let (a, b) = (unit(interval.low)?, unit(interval.high)?);
    Some((a.min(b), a.max(b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(confidence: Option<f64>, mark: Mark) -> ClaimBar {
        ClaimBar {
            label: "The array gives 6 MW.".to_owned(),
            confidence,
            interval: confidence.map(|p| Interval { low: p - 0.1, high: p + 0.05, percent: 95 }),
            word: "high".to_owned(),
            sources: 2,
            mark,
        }
    }

    #[test]
    fn a_bar_is_as_long_as_its_figure() {
        let figure = confidence("c", &[bar(Some(0.5), Mark::Supported)]);
        // The track is 298 units wide.
        assert!(
            figure.svg.contains("<rect class=\"f1\" x=\"18\" y=\"20\" width=\"149\""),
            "{}",
            figure.svg
        );
        assert_eq!(figure.table.rows[0][4], "0.40 to 0.55 (95 %)");
    }

    #[test]
    fn every_verdict_has_a_sign_and_a_word() {
        let marks = [Mark::Supported, Mark::NotSupported, Mark::Contradicted, Mark::Unchecked];
        let claims: Vec<ClaimBar> = marks.iter().map(|&mark| bar(Some(0.7), mark)).collect();
        let figure = confidence("c", &claims);
        for mark in marks {
            assert!(figure.svg.contains(&format!(">{}</text>", mark.glyph())), "{mark:?}");
            assert!(figure.table.rows.iter().any(|row| row[1] == mark.word()), "{mark:?}");
        }
        assert!(figure.summary.contains("1 is contradicted."), "{}", figure.summary);
        insta::assert_snapshot!(figure.svg);
    }

    #[test]
    fn without_a_figure_there_is_no_bar() {
        let figure = confidence("c", &[bar(None, Mark::Unchecked)]);
        assert_eq!(figure.svg.matches("<rect").count(), 1, "{}", figure.svg);
        assert_eq!(figure.table.rows[0][2], "unknown");
    }
}
