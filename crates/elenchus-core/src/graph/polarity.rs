//! What the tags of relations mean.

use super::Direction;
use serde::{Deserialize, Serialize};

/// What a relation, or a path of them, says of the memo at its other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Polarity {
    /// It cannot hold beside the other, or weakens it.
    Conflicts,
    /// It speaks for the other.
    Supports,
    /// It explains it, cites it, or anything else.
    Other,
}

/// A tag that is understood.
struct Known {
    tag: &'static str,
    polarity: Polarity,
    /// How it reads from source to target.
    forward: &'static str,
    /// How it reads from target to source.
    backward: &'static str,
    /// Whether the target bears on the source, as with "supported_by".
    passive: bool,
}

const fn known(
    tag: &'static str,
    polarity: Polarity,
    forward: &'static str,
    backward: &'static str,
) -> Known {
    Known { tag, polarity, forward, backward, passive: false }
}

const fn passive(
    tag: &'static str,
    polarity: Polarity,
    forward: &'static str,
    backward: &'static str,
) -> Known {
    Known { tag, polarity, forward, backward, passive: true }
}

use Polarity::{Conflicts, Other, Supports};

/// Tags by their plain form. Any other word is [`Polarity::Other`].
const KNOWN: [Known; 41] = [
    known("supports", Supports, "supports", "supported by"),
    known("support", Supports, "supports", "supported by"),
    known("confirms", Supports, "confirms", "confirmed by"),
    known("corroborates", Supports, "corroborates", "corroborated by"),
    known("reinforces", Supports, "reinforces", "reinforced by"),
    known("strengthens", Supports, "strengthens", "strengthened by"),
    known("proves", Supports, "proves", "proved by"),
    known("evidence_for", Supports, "evidence for", "borne out by"),
    known("agrees", Supports, "agrees with", "agrees with"),
    known("agrees_with", Supports, "agrees with", "agrees with"),
    passive("supported_by", Supports, "supported by", "supports"),
    passive("confirmed_by", Supports, "confirmed by", "confirms"),
    passive("corroborated_by", Supports, "corroborated by", "corroborates"),
    known("conflicts", Conflicts, "conflicts with", "conflicts with"),
    known("conflict", Conflicts, "conflicts with", "conflicts with"),
    known("conflicts_with", Conflicts, "conflicts with", "conflicts with"),
    known("contradicts", Conflicts, "contradicts", "contradicted by"),
    known("contradiction", Conflicts, "contradicts", "contradicted by"),
    known("refutes", Conflicts, "refutes", "refuted by"),
    known("rebuts", Conflicts, "rebuts", "rebutted by"),
    known("disputes", Conflicts, "disputes", "disputed by"),
    known("disproves", Conflicts, "disproves", "disproved by"),
    known("denies", Conflicts, "denies", "denied by"),
    known("opposes", Conflicts, "opposes", "opposed by"),
    known("challenges", Conflicts, "challenges", "challenged by"),
    known("undermines", Conflicts, "undermines", "undermined by"),
    known("undercuts", Conflicts, "undercuts", "undercut by"),
    known("weakens", Conflicts, "weakens", "weakened by"),
    known("disagrees", Conflicts, "disagrees with", "disagrees with"),
    known("disagrees_with", Conflicts, "disagrees with", "disagrees with"),
    known("evidence_against", Conflicts, "evidence against", "spoken against by"),
    passive("contradicted_by", Conflicts, "contradicted by", "contradicts"),
    passive("refuted_by", Conflicts, "refuted by", "refutes"),
    passive("disputed_by", Conflicts, "disputed by", "disputes"),
    known("explains", Other, "explains", "explained by"),
    passive("explained_by", Other, "explained by", "explains"),
    known("answers", Other, "answers", "answered by"),
    known("supersedes", Other, "supersedes", "superseded by"),
    known("cites", Other, "cites", "cited by"),
    known("causes", Other, "causes", "caused by"),
    known("derived_from", Other, "derived from", "source of"),
];

/// "Conflicts-With " as "conflicts_with".
fn plain(tag: &str) -> String {
    tag.trim().to_lowercase().replace(['-', ' ', ':', '.'], "_")
}

fn find(tag: &str) -> Option<&'static Known> {
    let plain = plain(tag);
    KNOWN.iter().find(|known| known.tag == plain)
}

impl Polarity {
    /// What a tag means.
    pub fn of(tag: &str) -> Self {
        find(tag).map_or(Other, |known| known.polarity)
    }

    /// What a path means with one more relation: one that contains a conflict is a conflict, and one is support only
    /// when all of it is.
    pub fn and(self, next: Self) -> Self {
        // The order of the variants is that of their precedence, but for `Other`, which outweighs support.
        match (self, next) {
            (Conflicts, _) | (_, Conflicts) => Conflicts,
            (Supports, Supports) => Supports,
            _ => Other,
        }
    }
}

/// How a relation reads when it is followed: `supports` backwards is "supported by".
pub fn reading(tag: &str, direction: Direction) -> String {
    match (find(tag), direction) {
        (Some(known), Direction::Backward) => known.backward.to_owned(),
        (Some(known), _) => known.forward.to_owned(),
        (None, Direction::Backward) => format!("is what bears \u{201c}{tag}\u{201d} from"),
        (None, _) => tag.to_owned(),
    }
}

/// Whether the target bears on the source: `supported_by`.
pub(super) fn is_passive(tag: &str) -> bool {
    find(tag).is_some_and(|known| known.passive)
}

/// Whether a tag says that its source was made from its target.
pub(super) fn is_derivation(tag: &str) -> bool {
    matches!(plain(tag).as_str(), "derived_from" | "copied_from" | "quotes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_in_any_spelling() {
        for tag in ["supports", "SUPPORTS", "agrees-with", " Evidence For"] {
            assert_eq!(Polarity::of(tag), Supports, "{tag}");
        }
        for tag in ["conflicts", "Conflicts-With", "contradicted by", "refutes"] {
            assert_eq!(Polarity::of(tag), Conflicts, "{tag}");
        }
        for tag in ["explains", "", "supports?", "не"] {
            assert_eq!(Polarity::of(tag), Other, "{tag}");
        }
        let mut tags: Vec<&str> = KNOWN.iter().map(|known| known.tag).collect();
        tags.sort_unstable();
        tags.dedup();
        assert_eq!(tags.len(), KNOWN.len());
        assert!(KNOWN.iter().all(|known| known.tag == plain(known.tag)));
    }

    #[test]
    fn a_path_with_a_conflict_is_a_conflict_whatever_the_order() {
        let all = [Supports, Conflicts, Other];
        for a in all {
            for b in all {
                assert_eq!(a.and(b), b.and(a));
                assert_eq!(a.and(b) == Conflicts, a == Conflicts || b == Conflicts);
                for c in all {
                    assert_eq!(a.and(b).and(c), a.and(b.and(c)));
                }
            }
        }
    }

    #[test]
    fn directions_are_read() {
        assert_eq!(reading("supports", Direction::Forward), "supports");
        assert_eq!(reading("supports", Direction::Backward), "supported by");
        assert_eq!(reading("conflicts", Direction::Backward), "conflicts with");
        assert_eq!(reading("supported_by", Direction::Backward), "supports");
        assert_eq!(reading("mentions", Direction::Forward), "mentions");
    }
}
