//! Relations, their strength, and the choice among several.

/// How much of a relation's strength is left if a word has to be taken in its second, third, ...
/// sense.
const BY_RANK: [f32; 6] = [1.0, 0.87, 0.75, 0.65, 0.57, 0.5];

/// Hypernyms count in full up to this many direct hyponyms; those with many say little.
const NARROW: f32 = 12.0;

/// Antonyms are believed up to this sum of ranks.
const ANTONYM_RANKS: u8 = 3;

/// How usual the senses are in which a relation holds: 0 for the most usual sense of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranks {
    /// Rank of the sense of the first word.
    pub first: u8,
    /// Rank of the sense of the second word.
    pub second: u8,
}

/// What two words have to do with each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Relation {
    /// Forms of one lemma ("hired", "hire").
    Same,
    /// Words for one thing ("physician", "doctor").
    Synonym(Ranks),
    /// One is built from the other or from a synonym of the other ("approve", "approval").
    Derived {
        /// In which senses.
        ranks: Ranks,
        /// Whether both belong to one word family, so that no synonym comes in between.
        direct: bool,
    },
    /// One is a kind of the other ("dog", "animal").
    Kind {
        /// In which senses.
        ranks: Ranks,
        /// 1 or 2: how many levels lie between them.
        steps: u8,
        /// Whether the first word is the narrower one.
        first_is_kind: bool,
        /// How many other kinds the wider word has at its next level, at most 255.
        breadth: u8,
    },
    /// Close in meaning without being exchangeable ("big", "sizeable").
    Near(Ranks),
    /// Opposites ("hire", "fire").
    Antonym(Ranks),
    /// Nothing known.
    None,
}

impl Relation {
    /// From 0 (nothing known, or opposites) to 1 (forms of one lemma).
    ///
    /// Synonyms in their first senses have 0.9, others less by rank.
    pub fn strength(self) -> f32 {
        match self {
            Self::Same => 1.0,
            Self::Synonym(ranks) => 0.9 * ranks.factor(),
            Self::Derived { ranks, direct: true } => 0.88 * ranks.factor(),
            Self::Derived { ranks, direct: false } => 0.75 * ranks.factor(),
            Self::Kind { ranks, steps, breadth, .. } => {
                let base = if steps == 1 { 0.7 } else { 0.5 };
                base * ranks.factor() * (NARROW / f32::from(breadth).max(NARROW)).sqrt().sqrt()
            }
            Self::Near(ranks) => 0.5 * ranks.factor(),
            Self::Antonym(_) | Self::None => 0.0,
        }
    }

    /// Whether the words are opposites.
    pub fn is_antonym(self) -> bool {
        matches!(self, Self::Antonym(_))
    }
}

impl Ranks {
    /// What the ranks leave of a strength.
    fn factor(self) -> f32 {
        let of = |rank: u8| BY_RANK.get(usize::from(rank)).copied().unwrap_or(0.5);
        of(self.first) * of(self.second)
    }

    pub(super) fn sum(self) -> u8 {
        self.first.saturating_add(self.second)
    }

    pub(super) fn worst(self) -> u8 {
        self.first.max(self.second)
    }
}

/// The strongest relation found so far.
pub(super) struct Best {
    relation: Relation,
    antonym: Option<Ranks>,
}

impl Default for Best {
    fn default() -> Self {
        Self { relation: Relation::None, antonym: None }
    }
}

impl Best {
    pub(super) fn offer(&mut self, relation: Relation) {
        if relation.strength() > self.relation.strength() {
            self.relation = relation;
        }
    }

    pub(super) fn oppose(&mut self, ranks: Ranks) {
        let better = self.antonym.is_none_or(|known| ranks.sum() < known.sum());
        if ranks.sum() <= ANTONYM_RANKS && better {
            self.antonym = Some(ranks);
        }
    }

    /// Opposites go first, unless the words are synonyms in senses at least as usual.
    pub(super) fn decide(self) -> Relation {
        match (self.antonym, self.relation) {
            (Some(against), Relation::Synonym(ranks)) if ranks.sum() <= against.sum() => {
                Relation::Synonym(ranks)
            }
            (Some(ranks), _) => Relation::Antonym(ranks),
            (None, relation) => relation,
        }
    }
}
