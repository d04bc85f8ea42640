//! What others published, printed beside what is measured here. Nothing is computed from it.
//!
//! The figures are those of `shared/reference/claims.md`, which names where each was read. They stand on other rows of
//! the same sets and often on other halves, so they are a mark to look at and no opponent in the same race.

/// The LLM-AggreFact leaderboard, as read on 8 September 2025.
const AGGREFACT: &str = "LLM-AggreFact leaderboard, balanced accuracy";

/// The measured floors of the same notes: lexical features fitted on all sets but the one.
const LEXICAL: &str = "19 lexical features, set left out, AUROC and balanced accuracy";

/// An anchor: what it is for, where it is from, and what it says.
struct Anchor {
    of: &'static str,
    source: &'static str,
    said: &'static str,
}

const fn anchor(of: &'static str, source: &'static str, said: &'static str) -> Anchor {
    Anchor { of, source, said }
}

const ANCHORS: &[Anchor] = &[
    anchor(
        "wice",
        AGGREFACT,
        "Bespoke-MiniCheck-7B .830, GPT-4o .785, HHEM-2.1 .759, FactCG-DeBERTa-L .742, MiniCheck-Flan-T5-L .722, \
         AlignScore .660, SummaC-ZS .628",
    ),
    anchor(
        "wice",
        "WiCE's own evaluation, 100 claims, AUROC and balanced accuracy",
        "T5-3B ANLI+WiCE .947/.907, T5-3B ANLI .913/.817, GPT-4-0613 .802/.787, GPT-3.5 .569/.564",
    ),
    anchor("wice", LEXICAL, ".624/.597"),
    anchor(
        "factcheckgpt_stance",
        AGGREFACT,
        "GPT-4o .775, Bespoke-MiniCheck-7B .777, SummaC-ZS .752, MiniCheck-Flan-T5-L .747, AlignScore .743, \
         FactCG-DeBERTa-L .721, HHEM-2.1 .718",
    ),
    anchor("factcheckgpt_stance", LEXICAL, ".719/.666"),
    anchor("fever_symmetric", LEXICAL, ".713/.639"),
    anchor(
        "fever_symmetric",
        "aegis, a DeBERTa-v3-xsmall for contradiction without a licence, AUROC",
        ".946; 19 lexical features fitted on its own dev half .737",
    ),
    anchor("scifact", LEXICAL, ".754/.689"),
    anchor("covidfact", LEXICAL, ".585/.545"),
    anchor("sick", LEXICAL, ".822/.695"),
    anchor("healthver", LEXICAL, ".558/.521"),
    anchor("climate_fever", LEXICAL, ".600/.536"),
    anchor("qags", LEXICAL, ".689/.518"),
    anchor("begin", "overlap of words, in-domain, AUROC and balanced accuracy", ".935/.857"),
    anchor("expertqa", AGGREFACT, "everybody near .59: no useful target"),
    anchor(
        "ragtruth",
        AGGREFACT,
        "Claude-3.5 Sonnet .861, Bespoke-MiniCheck-7B .840, MiniCheck-Flan-T5-L .780, HHEM-2.1 .699",
    ),
    anchor(
        "reveal",
        AGGREFACT,
        "Granite Guardian 3.3 .896, Bespoke-MiniCheck-7B .880, MiniCheck-Flan-T5-L .862",
    ),
    anchor(
        "claimverify",
        AGGREFACT,
        "FactCG-DeBERTa-L .785, MiniCheck-RoBERTa-L .774, GPT-4o .690",
    ),
    anchor(
        "claims",
        "LLM-AggreFact leaderboard, mean of 11 sets, balanced accuracy",
        "Bespoke-MiniCheck-7B .774, GPT-4o .759, FactCG-DeBERTa-L .756, MiniCheck-Flan-T5-L .750, HHEM-2.1 .718, \
         Qwen2.5-0.5B .642, Llama-3.2-3B .600",
    ),
    anchor(
        "claims",
        "calibration, the only published figures of the field",
        "chaincheck ECE .279 (entailment), .161 (judge); nano-jev .844 in-domain, .675 on VitaminC held out",
    ),
    anchor(
        "swaps",
        "a probe of hyperresearch's mechanical tier, the best open checker of citations",
        "0 of 2 noticed (a polarity reversed, a name exchanged); target here: 90 % of each kind, 5 % false alarms at \
         most",
    ),
    anchor(
        "decomposition",
        "floors on the same sentences, matched F1",
        "one claim a sentence .206, anchorcite's rules .317, split at commas and `and` .565; target .70",
    ),
    anchor(
        "decomposition",
        "Claimify, by a language model, other measures",
        "99 % of claims entailed by their source, sentence-level F1 .935",
    ),
    anchor(
        "spans",
        "anchorcite on WiCE dev (776 sub-claims), share of spans that touch gold",
        "lexical tier .752; with MiniCheck-DeBERTa-L .815 in 47 minutes on an RTX 2060; offsets exact",
    ),
    anchor(
        "spans",
        "floors of the project's notes, hit@1 and R-precision",
        "WiCE .841/.72, SciFact .531",
    ),
    anchor(
        "words",
        "LettuceDetect on RAGTruth, F1 of answers with an unsupported span (another set)",
        "large .792, 17M .685, GPT-4 .634",
    ),
];

/// Lines for a set's family, or for an eval as a whole; none where nothing was published.
pub(crate) fn lines(of: &str) -> Vec<String> {
    ANCHORS
        .iter()
        .filter(|anchor| anchor.of == of)
        .map(|anchor| format!("published or noted: {}: {}", anchor.source, anchor.said))
        .collect()
}

/// Prints the lines, each after `indent`.
pub(crate) fn print(of: &str, indent: &str) {
    for line in lines(of) {
        println!("{indent}{line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_anchor_names_its_source_and_says_something() {
        for anchor in ANCHORS {
            assert!(
                !anchor.source.is_empty() && anchor.said.contains(|c: char| c.is_ascii_digit())
            );
            assert!(anchor.of.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'));
        }
        for eval in ["claims", "swaps", "decomposition", "spans"] {
            assert!(!lines(eval).is_empty(), "{eval}");
        }
        assert!(lines("somebody_elses_set").is_empty());
    }
}
