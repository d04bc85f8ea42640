//! The quality of an answer and its grade, from what was found against it.

use super::{Finding, FindingKind, FoundBy};
use crate::id::ClaimId;
use crate::inquiry::Derivations;
use crate::measure::Explained;
use crate::prompt::Severity;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The share of what is left that a finding takes.
fn share(severity: Severity) -> f64 {
    match severity {
        Severity::Critical => 0.30,
        Severity::Important => 0.15,
        Severity::Minor => 0.05,
    }
}

/// `100 x product of (1 - share)` over the findings, 0 to 100: a critical one takes 0.30 of what is left, an important
/// one 0.15, a minor one 0.05. Of several findings of one kind on one claim the worst counts, so that saying it twice
/// changes nothing; the order does not matter, and no finding ever raises it.
///
/// A finding of a model has the severity that code can stand by (see the `standing` module): where nothing but its word stands
/// behind it, it is minor, however grave the model calls it. By the rules of before the fifth revision each of them counts as minor.
///
/// What the verifier said comes in as findings of code (see the `own` module): a contradicted answer is critical, one
/// that is not borne out important, one that was not checked minor. The shares are a choice of ours, not a
/// measurement: one critical finding ends at C-, one important at B, three minor ones at B. A product and not a sum,
/// so that the tenth finding of a bad answer still counts and the figure never falls below 0.
pub fn quality(findings: &[Finding], rules: Derivations) -> Explained {
    let mut worst: BTreeMap<(FindingKind, Option<&ClaimId>, &str), Severity> = BTreeMap::new();
    for finding in findings {
        // Without a claim the words tell findings apart.
        let words = if finding.claim_id.is_some() { "" } else { finding.text.as_str() };
        let severity = match finding.by {
            FoundBy::Model if rules < Derivations::FIFTH => Severity::Minor,
            FoundBy::Code | FoundBy::Model => finding.severity,
        };
        let known =
            worst.entry((finding.kind, finding.claim_id.as_ref(), words)).or_insert(severity);
        *known = severity.max(*known);
    }
    let count = |wanted: Severity| worst.values().filter(|severity| **severity == wanted).count();
    let (critical, important, minor) =
        (count(Severity::Critical), count(Severity::Important), count(Severity::Minor));
    let left = |severity: Severity, n: usize| {
        (1.0 - share(severity)).powi(i32::try_from(n).unwrap_or(i32::MAX))
    };
    let value = 100.0
        * left(Severity::Critical, critical)
        * left(Severity::Important, important)
        * left(Severity::Minor, minor);
    Explained::new(
        "quality",
        value,
        "100 x 0.70^critical x 0.85^important x 0.95^minor, the worst of each kind on each claim",
    )
    .with("critical findings", critical as f64)
    .with("important findings", important as f64)
    .with("minor findings", minor as f64)
}

/// A grade as schools give it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Grade {
    /// Below 60.
    F,
    /// From 60.
    #[serde(rename = "D-")]
    DMinus,
    /// From 63.
    D,
    /// From 67.
    #[serde(rename = "D+")]
    DPlus,
    /// From 70.
    #[serde(rename = "C-")]
    CMinus,
    /// From 73.
    C,
    /// From 77.
    #[serde(rename = "C+")]
    CPlus,
    /// From 80.
    #[serde(rename = "B-")]
    BMinus,
    /// From 83.
    B,
    /// From 87.
    #[serde(rename = "B+")]
    BPlus,
    /// From 90.
    #[serde(rename = "A-")]
    AMinus,
    /// From 93.
    A,
    /// From 97.
    #[serde(rename = "A+")]
    APlus,
}

impl Grade {
    /// The grade of a quality, 0 to 100, by the percentages usual in American schools.
    pub fn of(quality: u8) -> Self {
        match quality {
            97.. => Self::APlus,
            93.. => Self::A,
            90.. => Self::AMinus,
            87.. => Self::BPlus,
            83.. => Self::B,
            80.. => Self::BMinus,
            77.. => Self::CPlus,
            73.. => Self::C,
            70.. => Self::CMinus,
            67.. => Self::DPlus,
            63.. => Self::D,
            60.. => Self::DMinus,
            _ => Self::F,
        }
    }

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::F => "F",
            Self::DMinus => "D-",
            Self::D => "D",
            Self::DPlus => "D+",
            Self::CMinus => "C-",
            Self::C => "C",
            Self::CPlus => "C+",
            Self::BMinus => "B-",
            Self::B => "B",
            Self::BPlus => "B+",
            Self::AMinus => "A-",
            Self::A => "A",
            Self::APlus => "A+",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KINDS: [FindingKind; 3] =
        [FindingKind::Fallacy, FindingKind::WeakCitation, FindingKind::IgnoredAlternative];
    const SEVERITIES: [Severity; 3] = [Severity::Minor, Severity::Important, Severity::Critical];

    fn finding() -> impl Strategy<Value = Finding> {
        (0usize..3, 0usize..3, prop::option::of(1u8..4), 0u8..3).prop_map(
            |(kind, severity, claim, text)| Finding {
                id: String::new(),
                kind: KINDS[kind],
                severity: SEVERITIES[severity],
                by: FoundBy::Model,
                claim_id: claim.map(|n| ClaimId(format!("c{n}"))),
                span: None,
                words: None,
                text: format!("text {text}"),
                queries: vec![],
                measured: None,
            },
        )
    }

    fn of(findings: &[Finding]) -> u8 {
        super::super::points(&quality(findings, Derivations::LATEST))
    }

    #[test]
    fn figures_are_those_of_the_formula() {
        let one = |severity| {
            let text = format!("{severity:?}");
            Finding {
                id: String::new(),
                kind: FindingKind::Overstatement,
                severity,
                by: FoundBy::Code,
                claim_id: None,
                span: None,
                words: None,
                text,
                queries: vec![],
                measured: None,
            }
        };
        assert_eq!(of(&[]), 100);
        assert_eq!(of(&[one(Severity::Critical)]), 70);
        assert_eq!(of(&[one(Severity::Important)]), 85);
        assert_eq!(
            of(&[one(Severity::Critical), one(Severity::Important), one(Severity::Minor)]),
            57
        );
        assert_eq!((Grade::of(57).name(), Grade::of(70).name()), ("F", "C-"));
        assert_eq!((Grade::of(85).name(), Grade::of(100).name()), ("B", "A+"));
        assert_eq!(serde_json::to_string(&Grade::of(100)).unwrap(), "\"A+\"");
        // A model's word alone weighed little whatever it was, before code said what it can stand by.
        let said = Finding { by: FoundBy::Model, ..one(Severity::Critical) };
        assert_eq!(of(std::slice::from_ref(&said)), 70);
        assert_eq!(super::super::points(&quality(&[said], Derivations::FOURTH)), 95);
    }

    proptest! {
        #[test]
        fn a_finding_never_raises_it(findings in prop::collection::vec(finding(), 0..12), one in finding(), at: prop::sample::Index) {
            let before = quality(&findings, Derivations::LATEST).value;
            let mut more = findings.clone();
            more.insert(at.index(findings.len() + 1), one);
            let after = quality(&more, Derivations::LATEST).value;
            prop_assert!(after <= before + 1e-9, "{before} {after}");
            prop_assert!((0.0..=100.0).contains(&after));
            // Saying it all twice, and in another order, changes nothing.
            let mut twice = more.clone();
            twice.extend(more.iter().rev().cloned());
            prop_assert!((quality(&twice, Derivations::LATEST).value - after).abs() < 1e-9);
        }

        #[test]
        fn grades_rise_with_the_quality(a in 0u8..=100, b in 0u8..=100) {
            prop_assert_eq!(a >= b, a >= b && Grade::of(a) >= Grade::of(b));
        }
    }
}
