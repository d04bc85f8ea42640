//! Which lens agrees with which claim.

use super::draw::{Anchor, Pen, WIDTH, counted};
use super::{Figure, MOST_ROWS, Table};

/// Rows and columns that are drawn.
const MOST_CLAIMS: usize = 40;
const MOST_LENSES: usize = 8;

/// How a lens stands to a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stance {
    /// It bears it out.
    Agrees,
    /// It bears it out in part, or under a condition.
    Qualifies,
    /// It speaks against it.
    Disagrees,
    /// It says nothing of it.
    Silent,
}

impl Stance {
    /// The word for people.
    pub fn word(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Qualifies => "qualifies",
            Self::Disagrees => "disagrees",
            Self::Silent => "silent",
        }
    }
}

/// One claim of [`agreement`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgreementRow {
    /// "c1", or its words.
    pub label: String,
    /// One a lens, in the order of the lenses; missing ones count as silent.
    pub stances: Vec<Stance>,
}

/// A matrix of claims by lenses: a full square agrees, a half one qualifies, a crossed one disagrees, a dot is silent. At most 40
/// claims and 8 lenses are drawn.
pub fn agreement(id: &str, lenses: &[String], claims: &[AgreementRow]) -> Figure {
    let title = "Which lens agrees with which claim";
    let stance =
        |row: &AgreementRow, lens: usize| row.stances.get(lens).copied().unwrap_or(Stance::Silent);
    let of = |row: &AgreementRow, wanted: Stance| {
        (0..lenses.len()).filter(|&lens| stance(row, lens) == wanted).count()
    };
    let consensus =
        claims.iter().filter(|row| lenses.len() > 1 && of(row, Stance::Agrees) == lenses.len());
    let disputed =
        claims.iter().filter(|row| of(row, Stance::Disagrees) > 0 && of(row, Stance::Agrees) > 0);
    let alone = claims.iter().filter(|row| of(row, Stance::Silent) + 1 == lenses.len());
    let summary = format!(
        "{} through {}. All lenses agree on {}, lenses pull apart on {}, and of {} one lens alone speaks.",
        counted(claims.len(), "claim"),
        if lenses.len() == 1 { "1 lens".to_owned() } else { format!("{} lenses", lenses.len()) },
        consensus.count(),
        disputed.count(),
        alone.count()
    );
    let columns = lenses.len().min(MOST_LENSES);
    let rows = &claims[..claims.len().min(MOST_CLAIMS)];
    let mut pen = Pen::new(id);
    let mut y = 14.0;
    for (nth, lens) in lenses.iter().take(columns).enumerate() {
        pen.text(0.0, y, Anchor::Start, WIDTH, &format!("{}: {lens}", nth + 1));
        y += 15.0;
    }
    let cell = 22.0;
    let left = WIDTH - cell * columns.max(1) as f64;
    y += 14.0;
    for nth in 0..columns {
        let x = left + cell * nth as f64 + cell / 2.0;
        pen.text(x, y, Anchor::Middle, cell, &(nth + 1).to_string());
    }
    y += 8.0;
    for row in rows {
        pen.text(0.0, y + 14.0, Anchor::Start, left - 6.0, &row.label);
        for nth in 0..columns {
            let x = left + cell * nth as f64 + 4.0;
            match stance(row, nth) {
                Stance::Agrees => pen.bar(x, y + 3.0, 14.0, 14.0, "f1"),
                Stance::Qualifies => {
                    pen.frame(x, y + 3.0, 14.0, 14.0, "s1");
                    pen.bar(x, y + 3.0, 7.0, 14.0, "f1");
                }
                Stance::Disagrees => {
                    pen.frame(x, y + 3.0, 14.0, 14.0, "s2");
                    pen.line((x, y + 3.0), (x + 14.0, y + 17.0), "s2", "");
                    pen.line((x, y + 17.0), (x + 14.0, y + 3.0), "s2", "");
                }
                Stance::Silent => pen.circle(x + 7.0, y + 10.0, 1.5, "f6", true),
            }
        }
        y += 20.0;
    }
    for left_out in [
        claims.len().checked_sub(rows.len()).filter(|n| *n > 0).map(|n| counted(n, "more claim")),
        lenses.len().checked_sub(columns).filter(|n| *n > 0).map(|n| format!("{n} more lenses")),
    ]
    .into_iter()
    .flatten()
    {
        y += 16.0;
        pen.text(0.0, y, Anchor::Start, WIDTH, &format!("and {left_out}"));
    }
    for words in ["full: agrees; half: qualifies;", "crossed: disagrees; dot: silent"] {
        y += 16.0;
        pen.text(0.0, y, Anchor::Start, WIDTH, words);
    }
    let mut table = Table::new(&["Claim"]);
    table.head.extend(lenses.iter().take(MOST_ROWS / 10).cloned());
    let wide = table.head.len();
    let table = table.filled(claims, MOST_ROWS, |_, row| {
        let mut cells = vec![row.label.clone()];
        cells.extend((0..wide - 1).map(|lens| stance(row, lens).word().to_owned()));
        cells
    });
    pen.finish(y + 6.0, title, &summary, table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stance_has_a_shape_and_a_word() {
        let lenses = ["sceptical".to_owned(), "charitable".to_owned(), "neutral".to_owned()];
        let rows = [
            AgreementRow { label: "c1".to_owned(), stances: vec![Stance::Agrees; 3] },
            AgreementRow {
                label: "c2".to_owned(),
                stances: vec![Stance::Disagrees, Stance::Agrees],
            },
            AgreementRow { label: "c3".to_owned(), stances: vec![Stance::Qualifies] },
        ];
        let figure = agreement("a", &lenses, &rows);
        assert_eq!(figure.svg.matches("<rect class=\"f1\"").count(), 5);
        assert_eq!(figure.svg.matches("<circle").count(), 3);
        assert_eq!(figure.table.rows[1], ["c2", "disagrees", "agrees", "silent"]);
        assert_eq!(
            figure.summary,
            "3 claims through 3 lenses. All lenses agree on 1, lenses pull apart on 1, and of 1 one lens alone speaks."
        );
        insta::assert_snapshot!(figure.svg);
    }
}
