//! Scale: whether a text says that figures are given in thousands, in millions or in billions.

use super::words;

/// Signs of money.
const SIGNS: [char; 4] = ['\u{20ac}', '$', '\u{a3}', '\u{a5}'];
/// Names and codes of money.
const MONEY: [&str; 20] = [
    "eur", "usd", "gbp", "chf", "sek", "nok", "dkk", "jpy", "cad", "aud", "euro", "euros", "pound",
    "pounds", "dollar", "dollars", "sterling", "francs", "kronor", "yen",
];
/// Words before a scale which make it a sum, a share or a limit: "one million", "per thousand", "over a million".
const OTHERWISE: [&str; 24] = [
    "a", "an", "the", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    "ten", "half", "several", "few", "some", "many", "per", "each", "every", "over", "under",
    "than",
];
/// Words of a sentence about figures as such.
const FIGURES: [&str; 13] = [
    "all",
    "figures",
    "sums",
    "amounts",
    "values",
    "numbers",
    "prices",
    "costs",
    "table",
    "stated",
    "shown",
    "unless",
    "otherwise",
];
/// Most words of a caption that need not say of what it is.
const CAPTION: usize = 6;

/// The scale that the name of a column or a row gives: "thousands" for "Sum (EUR thousand)" and "£000", "millions" for "Visits
/// (millions)". "Over one million" and "per thousand" are none.
pub fn scale_of_label(text: &str) -> Option<&'static str> {
    scale(text, false)
}

/// The scale that a heading, a caption or a sentence gives for figures that stand elsewhere: "thousands" for "All sums are in
/// thousands of pounds". Of a text of more than six words it must be said that it is about figures.
pub fn stated_scale(text: &str) -> Option<&'static str> {
    let said = words(text);
    let of_figures =
        said.len() <= CAPTION || said.iter().any(|word| FIGURES.contains(&word.as_str()));
    scale(text, true).filter(|_| of_figures)
}

fn scale(text: &str, strict: bool) -> Option<&'static str> {
    let lower = text.to_lowercase().replace(['\'', '\u{2019}'], "");
    let is_gap = |c: char| c.is_whitespace() || matches!(c, '[' | ']' | '_' | '*' | '|');
    // A bracket stays, for a scale may stand in one by itself.
    let spaced = lower.replace('(', " ( ").replace(')', " ) ");
    let parts: Vec<&str> = spaced
        .split(is_gap)
        .map(|part| part.trim_matches(['.', ',', ';', ':', '"']))
        .filter(|part| !part.is_empty())
        .collect();
    (0..parts.len()).find_map(|at| {
        let before = at.checked_sub(1).map_or("", |at| parts[at]);
        let behind = parts.get(at + 1).copied().unwrap_or_default();
        let (scale, of_money) = named(parts[at], before, behind)?;
        if before.contains(|c: char| c.is_ascii_digit()) || OTHERWISE.contains(&before) {
            return None;
        }
        let of_sums = behind == "of" && parts.get(at + 2).is_some_and(|noun| MONEY.contains(noun));
        let is_plain = of_money
            || of_sums
            || is_money(before)
            || is_money(behind)
            || matches!(before, "in" | "(");
        (!strict || is_plain).then_some(scale)
    })
}

/// The scale that a word names, and whether it names money as well.
fn named(part: &str, before: &str, behind: &str) -> Option<(&'static str, bool)> {
    let bare = part.trim_matches(SIGNS);
    let of_money = bare.len() < part.len();
    let scale = match bare {
        "thousand" | "thousands" | "tsd" | "000s" => "thousands",
        "million" | "millions" | "mio" | "mln" => "millions",
        "billion" | "billions" | "bn" | "mrd" => "billions",
        "keur" | "teur" | "kusd" | "kgbp" | "kchf" => return Some(("thousands", true)),
        "meur" | "eurm" | "musd" | "usdm" | "gbpm" => return Some(("millions", true)),
        "000" | "k" if of_money || is_money(before) => "thousands",
        // A figure of its own, and no end of "10 000".
        "000" if matches!(before, "" | "(" | "in") => "thousands",
        "m" | "mm" | "mn" if of_money || is_money(before) => "millions",
        "1,000" | "1000" if before == "in" && is_money(behind) => "thousands",
        _ => return None,
    };
    Some((scale, of_money))
}

fn is_money(part: &str) -> bool {
    MONEY.contains(&part) || (!part.is_empty() && part.chars().all(|c| SIGNS.contains(&c)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_says_in_what_its_figures_are() {
        let of = scale_of_label;
        for text in [
            "Sum (EUR thousand)",
            "\u{a3}000",
            "Costs, k\u{20ac}",
            "\u{a3}'000",
            "(000s)",
            "eur_thousand",
        ] {
            assert_eq!(of(text), Some("thousands"), "{text}");
        }
        for text in ["Visits (millions)", "Debt, EUR m", "\u{20ac}m", "Turnover in million CHF"] {
            assert_eq!(of(text), Some("millions"), "{text}");
        }
        assert_eq!(of("Assets ($bn)"), Some("billions"));
        for text in [
            "Depth, m",
            "Price, €/m",
            "Visits",
            "Loans over one million",
            "Births per thousand",
            "Sites above 10,000 m",
            "Budget 2 000",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn a_sentence_must_be_about_figures() {
        let of = stated_scale;
        assert_eq!(of("All sums are in thousands of pounds unless shown."), Some("thousands"));
        assert_eq!(of("In EUR thousand"), Some("thousands"));
        assert_eq!(of("Figures in millions of kronor."), Some("millions"));
        assert_eq!(of("The storm cost the harbour and its boats thousands of pounds."), None);
        assert_eq!(of("Our first million visitors"), None);
        assert_eq!(of("All 4 million visitors came by sea."), None);
    }
}
