//! Whether a claim is the evidence's own words.

use super::sentence::Sentence;
use super::tokens::Token;

/// Words that turn what follows or precedes them into something that is not asserted.
const TURNING: [&str; 34] = [
    "not",
    "n't",
    "n\u{2019}t",
    "no",
    "never",
    "if",
    "unless",
    "whether",
    "deny",
    "denies",
    "denied",
    "denying",
    "false",
    "falsely",
    "wrongly",
    "claim",
    "claims",
    "claimed",
    "allege",
    "alleges",
    "alleged",
    "allegedly",
    "would",
    "might",
    "may",
    "could",
    "hypothetically",
    "doubt",
    "doubts",
    "doubted",
    "myth",
    "rumor",
    "rumour",
    "without",
];

/// The sentence that says the claim in its own words, but for case, spacing and marks: a whole sentence, or a part
/// of one whose remainder holds nothing that could turn it ("it is false that ...", "if ...").
pub(super) fn quoted(claim: &Sentence, evidence: &[&Sentence]) -> Option<usize> {
    let wanted: Vec<&Token> = words(claim);
    if wanted.len() < 2 {
        return None;
    }
    evidence.iter().position(|sentence| {
        let has = words(sentence);
        if has.len() < wanted.len() {
            return false;
        }
        (0..=has.len() - wanted.len()).any(|start| {
            let end = start + wanted.len();
            has[start..end].iter().zip(&wanted).all(|(a, b)| a.lower == b.lower)
                && has[..start]
                    .iter()
                    .chain(&has[end..])
                    .all(|token| !TURNING.contains(&token.lower.as_str()))
                // A comparison or a list that goes on after the claim may limit it ("all but two").
                && has.get(end).is_none_or(|next| !matches!(next.lower.as_str(), "but" | "except" | "or" | "than"))
        })
    })
}

fn words(sentence: &Sentence) -> Vec<&Token> {
    let tokens = sentence.bound.tokens();
    tokens
        .iter()
        .enumerate()
        .filter(|(at, token)| !token.is_mark() || sign(tokens, *at))
        .map(|(_, token)| token)
        .collect()
}

/// Marks that change a number: "-5", "$5", "5%", "±".
fn sign(tokens: &[Token], at: usize) -> bool {
    let touches = |other: Option<&Token>| {
        other.is_some_and(|t| {
            t.has_digit()
                && (t.bytes.start == tokens[at].bytes.end || t.bytes.end == tokens[at].bytes.start)
        })
    };
    !matches!(
        tokens[at].text.as_str(),
        "." | ","
            | "("
            | ")"
            | "\""
            | "\u{201C}"
            | "\u{201D}"
            | "'"
            | ";"
            | ":"
            | "*"
            | "_"
            | "["
            | "]"
    ) && (touches(tokens.get(at + 1)) || (at > 0 && touches(tokens.get(at - 1))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(claim: &str, evidence: &[&str]) -> Option<usize> {
        let evidence: Vec<Sentence> = evidence.iter().map(|text| Sentence::prepare(text)).collect();
        quoted(&Sentence::prepare(claim), &evidence.iter().collect::<Vec<_>>())
    }

    #[test]
    fn knows_its_own_words() {
        assert_eq!(
            found("The pump holds 40 litres", &["Other.", "the  pump holds 40 litres."]),
            Some(1)
        );
        assert_eq!(
            found("The pump holds 40 litres", &["As built, the pump holds 40 litres of water."]),
            Some(0)
        );
        assert_eq!(found("The pump holds 40 litres", &["The pump holds 41 litres."]), None);
        assert_eq!(found("The loss was -5%", &["The loss was 5%."]), None);
    }

    #[test]
    fn a_turned_sentence_is_no_quote() {
        for turned in [
            "It is false that the pump holds 40 litres.",
            "If the pump holds 40 litres, it passes.",
            "Critics claimed the pump holds 40 litres.",
            "The pump holds 40 litres or less.",
        ] {
            assert_eq!(found("The pump holds 40 litres", &[turned]), None, "{turned}");
        }
    }
}
