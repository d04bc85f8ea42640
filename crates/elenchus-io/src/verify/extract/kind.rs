//! What kind of statement a claim is, told by its words.

use crate::verify::tokens::{Pos, Token};
use elenchus_core::belief::ClaimType;
use elenchus_core::evidence::{MONTHS, WEEKDAYS};

/// The kind of a claim, from the tokens it was made of. Judgement goes before cause, cause before comparison,
/// comparison before time.
pub(super) fn kind<'a>(tokens: impl Iterator<Item = &'a Token>) -> ClaimType {
    let mut found = ClaimType::Factual;
    let rank = |kind: ClaimType| match kind {
        ClaimType::Opinion => 4,
        ClaimType::Causal => 3,
        ClaimType::Comparative => 2,
        ClaimType::Temporal => 1,
        ClaimType::Factual => 0,
    };
    let mut before = "";
    for token in tokens {
        if let Some(kind) = of_word(token, before)
            && rank(kind) > rank(found)
        {
            found = kind;
        }
        before = token.lower.as_str();
    }
    found
}

fn of_word(token: &Token, before: &str) -> Option<ClaimType> {
    let lower = token.lower.as_str();
    match lower {
        "should" | "ought" | "arguably" | "hopefully" | "believe" | "believes" | "believed"
        | "argue" | "argues" | "argued" | "opinion" | "likely" | "unlikely" | "probably"
        | "perhaps" | "expected" | "forecast" | "forecasts" | "predicted" | "predicts"
        | "projected" | "regarded" | "considered" | "unfortunately" | "impressive"
        | "beautiful" | "remarkable" | "excellent" | "disappointing" => Some(ClaimType::Opinion),
        "will" if token.pos == Pos::Aux => Some(ClaimType::Opinion),
        "think" | "feel" if matches!(before, "i" | "we") => Some(ClaimType::Opinion),
        "because" | "caused" | "causes" | "cause" | "therefore" | "thus" | "hence" | "resulted"
        | "results" | "owing" | "thanks" | "attributed" => Some(ClaimType::Causal),
        "to" if matches!(
            before,
            "due" | "led" | "leads" | "lead" | "leading" | "contributed" | "contributes"
        ) =>
        {
            Some(ClaimType::Causal)
        }
        "by" if matches!(before, "driven" | "triggered" | "caused") => Some(ClaimType::Causal),
        "than" | "versus" | "vs" | "compared" | "outperforms" | "outperformed" | "exceeds"
        | "exceeded" | "surpassed" | "unlike" | "whereas" => Some(ClaimType::Comparative),
        "as" if before == "same" => Some(ClaimType::Comparative),
        "since" | "until" | "yesterday" | "today" | "tomorrow" | "ago" | "century" | "decade"
        | "decades" => Some(ClaimType::Temporal),
        _ => {
            let year = token.pos == Pos::Numeral
                && (token.text.len() == 4
                    && token.text.starts_with(['1', '2'])
                    && token.text.bytes().all(|b| b.is_ascii_digit())
                    || token.text.len() == 5 && token.text.ends_with("0s"));
            let month =
                token.is_capital() && (MONTHS.contains(&lower) || WEEKDAYS.contains(&lower));
            (year
                || month
                    && matches!(
                        before,
                        "in" | "on" | "since" | "until" | "by" | "of" | "from" | "early" | "late"
                    ))
            .then_some(ClaimType::Temporal)
        }
    }
}
