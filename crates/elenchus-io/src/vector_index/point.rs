//! What an index holds, and what it is asked.

use super::failure::IndexFailure;
use elenchus_core::bank::{Caller, Scope};
use elenchus_core::id::short_hash;
#[cfg(feature = "qdrant")]
use sha2::{Digest, Sha256};

/// Longest name of a tenant, project, team, organisation or corpus, and longest id, in bytes.
pub(super) const NAME_BYTES: usize = 512;

/// What points are of: points of two kinds never meet.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Strategies of the bank.
    Bank,
    /// Memos.
    Memos,
    /// Passages of the corpus with this id.
    Corpus(String),
}

impl Kind {
    /// How an index writes it: `bank`, `memos` or `corpus:ID`.
    pub fn key(&self) -> String {
        match self {
            Self::Bank => "bank".to_owned(),
            Self::Memos => "memos".to_owned(),
            Self::Corpus(id) => format!("corpus:{id}"),
        }
    }
}

/// All points of one kind of one tenant. There is no way to write or list points without it, and no lot without a tenant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lot {
    pub(super) tenant: String,
    kind: Kind,
}

impl Lot {
    /// The lot of a tenant.
    ///
    /// # Errors
    /// When the tenant's or the corpus's name is empty, longer than 512 bytes or holds control characters.
    pub fn new(tenant: impl Into<String>, kind: Kind) -> Result<Self, IndexFailure> {
        let tenant = tenant.into();
        named("tenant", &tenant)?;
        if let Kind::Corpus(id) = &kind {
            named("corpus", id)?;
        }
        Ok(Self { tenant, kind })
    }

    /// Whose it is.
    pub fn tenant(&self) -> &str {
        &self.tenant
    }

    /// What it holds.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }
}

/// Who of a tenant may see a point: its project, and those whom it is shared with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shared {
    /// The project it is of.
    pub project: String,
    /// The team it may be shared with.
    pub team: Option<String>,
    /// The organisation it may be shared with.
    pub org: Option<String>,
    /// With whom it is shared.
    pub scope: Scope,
}

impl Shared {
    /// Whether a caller of the same tenant sees it: all of its own project, and of others what is shared with its team or
    /// organisation. The rule of the bank.
    pub fn seen_by(&self, caller: &Caller) -> bool {
        let with = |own: &Option<String>, theirs: &Option<String>| own.is_some() && own == theirs;
        self.project == caller.project
            || match self.scope {
                Scope::Project => false,
                Scope::Team => with(&self.team, &caller.team),
                Scope::Org => with(&self.org, &caller.org),
            }
    }
}

/// Something with vectors: a text in one or more pieces.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Its id within its lot; 1 to 512 bytes, no control characters.
    pub id: String,
    /// Who may see it.
    pub shared: Shared,
    /// A word by which searches can choose, such as `success` or `failure`; empty for none.
    pub facet: String,
    /// Vectors of its pieces, 1 to 64 of them, each as long as the index's dimensions, finite and not zero. Their lengths do
    /// not matter: only directions are compared.
    pub vectors: Vec<Vec<f32>>,
}

impl Point {
    /// A hash of all that the index holds of it; 16 hexadecimal digits. Differs when the text, the embedder or who may see it
    /// differs.
    pub fn print(&self) -> String {
        let mut bytes = Vec::new();
        let mut put = |text: &str| {
            bytes.extend((text.len() as u64).to_le_bytes());
            bytes.extend(text.bytes());
        };
        put(&self.id);
        put(&self.shared.project);
        for name in [&self.shared.team, &self.shared.org] {
            put(if name.is_some() { "1" } else { "0" });
            put(name.as_deref().unwrap_or_default());
        }
        put(scope_word(self.shared.scope));
        put(&self.facet);
        for vector in &self.vectors {
            bytes.extend((vector.len() as u64).to_le_bytes());
            bytes.extend(vector.iter().flat_map(|x| x.to_bits().to_le_bytes()));
        }
        short_hash(&bytes, 16)
    }
}

/// What is looked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Nearest {
    /// The direction; as long as the index's dimensions, finite and not zero.
    pub vector: Vec<f32>,
    /// The most points to give, 1 to 1,000.
    pub most: usize,
    /// Only points shared in this way; `None` for all that the caller sees.
    pub scope: Option<Scope>,
    /// Only points with this facet.
    pub facet: Option<String>,
}

/// A point that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Its id.
    pub id: String,
    /// The highest cosine of its pieces and what was looked for, in `[-1, 1]`, in steps of a millionth, so that what is equal
    /// but for the arithmetic of a machine is a tie.
    pub cosine: f32,
}

/// A point that is there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Listed {
    /// Its id.
    pub id: String,
    /// [`Point::print`] of what was written.
    pub print: String,
}

/// Some of the points that are there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// In the order of the index.
    pub listed: Vec<Listed>,
    /// Where the next page begins; `None` after the last.
    pub next: Option<String>,
}

/// How an index writes a scope.
pub(super) fn scope_word(scope: Scope) -> &'static str {
    match scope {
        Scope::Project => "project",
        Scope::Team => "team",
        Scope::Org => "org",
    }
}

/// A cosine in steps of a millionth, within `[-1, 1]`.
pub(super) fn rounded(cosine: f64) -> f32 {
    ((cosine.clamp(-1.0, 1.0) * 1e6).round() / 1e6) as f32
}

/// Sorts the nearest first, ties by id, and keeps the best.
pub(super) fn best(mut found: Vec<Found>, most: usize) -> Vec<Found> {
    found.sort_by(|a, b| b.cosine.total_cmp(&a.cosine).then_with(|| a.id.cmp(&b.id)));
    found.truncate(most);
    found
}

/// 16 bytes for a point among all tenants, for servers that know no other ids: a hash of tenant, kind and id, each with its
/// length, so that no two triples run together.
#[cfg(feature = "qdrant")]
pub(super) fn number(lot: &Lot, id: &str) -> [u8; 16] {
    let mut hash = Sha256::new();
    for text in [lot.tenant.as_str(), &lot.kind.key(), id] {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    }
    let whole: [u8; 32] = hash.finalize().into();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&whole[..16]);
    // A UUID of version 8: made by a rule of one's own (RFC 9562, section 5.8).
    bytes[6] = (bytes[6] & 0x0f) | 0x80;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    bytes
}

/// Sixteen bytes as UUIDs are written.
#[cfg(feature = "qdrant")]
pub(super) fn uuid(bytes: [u8; 16]) -> String {
    let mut text = String::with_capacity(36);
    for (at, byte) in bytes.iter().enumerate() {
        if matches!(at, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        for digit in [byte >> 4, byte & 0x0f] {
            text.push(char::from_digit(u32::from(digit), 16).unwrap_or('0'));
        }
    }
    text
}

pub(super) fn named(what: &str, name: &str) -> Result<(), IndexFailure> {
    let cause = if name.is_empty() {
        "it is empty"
    } else if name.len() > NAME_BYTES {
        "it is longer than 512 bytes"
    } else if name.chars().any(char::is_control) {
        "it holds control characters"
    } else {
        return Ok(());
    };
    let attempted = format!("use the name of a {what} in the index of vectors");
    Err(IndexFailure::refused(attempted, cause, "give it another name"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn shared(project: &str, scope: Scope) -> Shared {
        Shared { project: project.to_owned(), team: Some("red".to_owned()), org: None, scope }
    }

    #[test]
    fn a_lot_has_a_tenant() {
        for wrong in ["", "a\0b", &"x".repeat(513)] {
            assert!(Lot::new(wrong, Kind::Bank).is_err(), "{wrong:?}");
        }
        assert!(Lot::new("a", Kind::Corpus(String::new())).is_err());
        assert_eq!(
            Lot::new("a", Kind::Bank).map(|lot| lot.tenant().to_owned()),
            Ok("a".to_owned())
        );
    }

    #[cfg(feature = "qdrant")]
    #[test]
    fn numbers_differ_with_each_part_and_do_not_run_together() {
        let mut numbers = BTreeSet::new();
        let ids = ["", "a", "b", "ab", "k", "bank"];
        for tenant in ["a", "ab", "abank"] {
            for kind in [Kind::Bank, Kind::Memos, Kind::Corpus("bank".to_owned())] {
                let lot = Lot::new(tenant, kind).expect("a name");
                for id in ids {
                    let text = uuid(number(&lot, id));
                    assert_eq!((text.len(), text.as_bytes()[14]), (36, b'8'), "{text}");
                    numbers.insert(text);
                }
            }
        }
        assert_eq!(numbers.len(), 3 * 3 * ids.len());
    }

    #[test]
    fn prints_differ_with_everything_that_is_held() {
        let point = Point {
            id: "a".to_owned(),
            shared: shared("p", Scope::Project),
            facet: String::new(),
            vectors: vec![vec![1.0, 2.0], vec![3.0, 4.0]],
        };
        let mut others = vec![point.clone(); 7];
        others[0].id = "b".to_owned();
        others[1].shared.project = "q".to_owned();
        others[2].shared.team = None;
        others[3].shared.org = Some(String::new());
        others[4].shared.scope = Scope::Team;
        others[5].facet = "success".to_owned();
        others[6].vectors = vec![vec![1.0, 2.0, 3.0, 4.0]];
        let prints: BTreeSet<String> = others.iter().chain([&point]).map(Point::print).collect();
        assert_eq!(prints.len(), 8);
        assert_eq!(point.print(), point.clone().print());
    }

    #[test]
    fn what_is_shared_is_seen_by_those_it_is_shared_with() {
        let mut caller = Caller { team: Some("red".to_owned()), ..Caller::local("q") };
        assert!(!shared("p", Scope::Project).seen_by(&caller));
        assert!(shared("p", Scope::Team).seen_by(&caller));
        assert!(!shared("p", Scope::Org).seen_by(&caller));
        caller.team = None;
        assert!(!shared("p", Scope::Team).seen_by(&caller));
        assert!(shared("q", Scope::Project).seen_by(&caller));
        let nobody = Shared { team: None, ..shared("p", Scope::Team) };
        assert!(!nobody.seen_by(&caller), "two that belong to no team are no team");
    }
}
