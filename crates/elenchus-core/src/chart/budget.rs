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
    /// What it comes to at the pace so far if all rounds are used; `None` where that is not known, as of a run that is over.
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
        if let Some(end) = self.projected() {
            add(&mut words, format_args!(" \u{2192} {}", plain(end)));
        }
        words
    }

    fn projected(&self) -> Option<f64> {
        self.projected.filter(|end| end.is_finite())
    }

    /// Whether it is spent before the rounds are, at the pace so far.
    fn runs_out(&self) -> bool {
        self.spent() < self.ceiling().unwrap_or(0.0)
            && self.ceiling().zip(self.projected()).is_some_and(|(most, end)| end > most)
    }
}

/// Meters: how much of each ceiling is spent, with a mark where it comes to if all rounds are used. At most 20 are drawn.
pub fn budget(id: &str, meters: &[Meter]) -> Figure {
    let title = "What was spent of what was allowed";
    let nearest = meters
        .iter()
        .filter_map(|meter| Some((meter, meter.spent() / meter.ceiling()?)))
        .fold(None, |most: Option<(&Meter, f64)>, next| match most {
            Some(most) if most.1 >= next.1 => Some(most),
            _ => Some(next),
        });
    let mut summary = match nearest {
        Some((meter, _)) => format!("Nearest to its ceiling: {}, {}.", meter.label, meter.words()),
        None => "Nothing here has a ceiling.".to_owned(),
    };
    for meter in meters.iter().filter(|meter| meter.runs_out()) {
        add(
            &mut summary,
            format_args!(" At this pace {} runs out before the rounds do.", meter.label),
        );
    }
    let is_projected = meters.iter().any(|meter| meter.projected().is_some());
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
            if let Some(end) = meter.projected() {
                let x = 1.0 + (WIDTH - 2.0) * (end / most).clamp(0.0, 1.0);
                pen.line((x, y + 15.0), (x, y + 29.0), "ink", "2 1");
            }
            y += 14.0;
        }
        y += 22.0;
    }
    if is_projected {
        pen.text(0.0, y + 12.0, Anchor::Start, WIDTH, "\u{2192} and mark: if all rounds are used");
        y += 16.0;
    }
    // A column of which nothing is known would stand empty.
    let mut head = vec!["What", "Spent", "Ceiling"];
    head.extend(is_projected.then_some("If all rounds are used"));
    head.push("Unit");
    let table = Table::new(&head).filled(meters, MOST_ROWS, |_, meter| {
        let ceiling = meter.ceiling().map_or_else(|| "none".to_owned(), plain);
        let mut row = vec![meter.label.clone(), plain(meter.spent()), ceiling];
        row.extend(is_projected.then(|| meter.projected().map(plain).unwrap_or_default()));
        row.push(meter.unit.clone());
        row
    });
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
        assert_eq!(figure.table.head, ["What", "Spent", "Ceiling", "Unit"]);
        assert!(!figure.svg.contains("if all rounds"), "{}", figure.svg);
    }

    #[test]
    fn what_a_run_comes_to_is_told_where_it_is_known() {
        let tokens = Meter { projected: Some(9.0), ..meter(3.0, Some(6.0)) };
        let figure = budget("b", &[tokens, meter(7.0, None)]);
        assert_eq!(figure.table.head[3], "If all rounds are used");
        assert_eq!((&*figure.table.rows[0][3], &*figure.table.rows[1][3]), ("9", ""));
        assert_eq!(
            figure.summary,
            "Nearest to its ceiling: Rounds, 3 of 6 (50 %) \u{2192} 9. At this pace Rounds runs out before the rounds do."
        );
        // The mark stands at the end of the track.
        assert!(figure.svg.contains("M319 15L319 29"), "{}", figure.svg);
    }
}
