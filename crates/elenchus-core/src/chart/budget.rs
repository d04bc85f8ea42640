//! What was spent of what was allowed.

use super::draw::{Anchor, Pen, WIDTH, add, plain};
use super::{Figure, MOST_ROWS, Table};

/// Meters that are drawn.
const MOST: usize = 20;

/// One meter of [`budget`].
#[derive(Clone, Debug, PartialEq)]
pub struct Meter {
    /// "Model calls".
    pub label: String,
    /// What was spent, 0 or more.
    pub spent: f64,
    /// What is allowed; `None` where there is no ceiling.
    pub ceiling: Option<f64>,
    /// What is expected at the end, where that is known.
    pub projected: Option<f64>,
    /// "s", "tokens"; may be empty.
    pub unit: String,
}

impl Meter {
    fn ceiling(&self) -> Option<f64> {
        self.ceiling.filter(|most| most.is_finite() && *most > 0.0)
    }

    fn spent(&self) -> f64 {
        if self.spent.is_finite() { self.spent.max(0.0) } else { 0.0 }
    }

    fn words(&self) -> String {
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        let mut words = match self.ceiling() {
            Some(most) => format!(
                "{} of {}{unit} ({} %)",
                plain(self.spent()),
                plain(most),
                plain((self.spent() / most * 100.0).round())
            ),
            None => format!("{}{unit}, no ceiling", plain(self.spent())),
        };
        if let Some(end) = self.projected.filter(|end| end.is_finite()) {
            add(&mut words, format_args!(", {} expected at the end", plain(end)));
        }
        words
    }
}

/// Meters: how much of each ceiling is spent, with a mark where the end is expected. At most 20 are drawn.
pub fn budget(id: &str, meters: &[Meter]) -> Figure {
    let title = "What was spent of what was allowed";
    let nearest = meters
        .iter()
        .filter_map(|meter| Some((meter, meter.spent() / meter.ceiling()?)))
        .fold(None, |most: Option<(&Meter, f64)>, next| match most {
            Some(most) if most.1 >= next.1 => Some(most),
            _ => Some(next),
        });
    let summary = match nearest {
        Some((meter, _)) => format!("Nearest to its ceiling: {}, {}.", meter.label, meter.words()),
        None => "Nothing here has a ceiling.".to_owned(),
    };
    let mut pen = Pen::new(id);
    let shown = &meters[..meters.len().min(MOST)];
    let mut y = 0.0;
    for meter in shown {
        pen.text(0.0, y + 12.0, Anchor::Start, 110.0, &meter.label);
        pen.text(WIDTH, y + 12.0, Anchor::End, 205.0, &meter.words());
        if let Some(most) = meter.ceiling() {
            let part = meter.spent() / most;
            let full = (WIDTH - 2.0) * part.min(1.0);
            pen.bar(1.0, y + 18.0, WIDTH - 2.0, 8.0, "track");
            pen.bar(1.0, y + 18.0, full, 8.0, if part >= 1.0 { "f2" } else { "f1" });
            if let Some(end) = meter.projected.filter(|end| end.is_finite()) {
                let x = 1.0 + (WIDTH - 2.0) * (end / most).clamp(0.0, 1.0);
                pen.line((x, y + 15.0), (x, y + 29.0), "ink", "2 1");
            }
            y += 14.0;
        }
        y += 22.0;
    }
    let table = Table::new(&["What", "Spent", "Ceiling", "Expected at the end", "Unit"]).filled(
        meters,
        MOST_ROWS,
        |_, meter| {
            vec![
                meter.label.clone(),
                plain(meter.spent()),
                meter.ceiling().map_or_else(|| "none".to_owned(), plain),
                meter.projected.map(plain).unwrap_or_default(),
                meter.unit.clone(),
            ]
        },
    );
    pen.finish(y + 2.0, title, &summary, table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meter(spent: f64, ceiling: Option<f64>) -> Meter {
        Meter { label: "Rounds".to_owned(), spent, ceiling, projected: None, unit: String::new() }
    }

    #[test]
    fn a_meter_is_as_full_as_the_ceiling_is_spent() {
        let figure = budget("b", &[meter(2.0, Some(5.0)), meter(9.0, Some(5.0)), meter(7.0, None)]);
        assert!(
            figure.svg.contains("<rect class=\"f1\" x=\"1\" y=\"18\" width=\"127.2\""),
            "{}",
            figure.svg
        );
        assert!(
            figure.svg.contains("<rect class=\"f2\" x=\"1\" y=\"54\" width=\"318\""),
            "{}",
            figure.svg
        );
        assert_eq!(figure.summary, "Nearest to its ceiling: Rounds, 9 of 5 (180 %).");
        assert_eq!(figure.table.rows[2][2], "none");
    }
}
