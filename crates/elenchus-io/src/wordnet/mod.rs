//! Which English words mean the same or nearly so: relations out of WordNet, built into the binary.
//!
//! A relation holds between two senses, and a word has several. Senses are ranked by how usual they
//! are, and what holds between usual senses counts for more: see [`Relation::strength`].

mod morphy;
mod relation;
mod table;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use relation::Best;
pub use relation::{Ranks, Relation};
use table::{Entry, Link, Table};

static BYTES: &[u8] = include_bytes!("../../assets/wordnet.bin");

/// Ranks a reading loses if the word is mostly another part of speech ("man" as a verb).
const UNUSUAL: u8 = 2;

/// Words this alike at their beginning are of one family.
const FAMILY_LETTERS: usize = 3;

/// Similar adjectives and verb groups are believed up to this rank.
const NEAR_RANK: u8 = 1;

/// Hypernyms are believed up to this rank.
const KIND_RANK: u8 = 2;

/// Hypernyms two steps up are believed up to this rank.
const TWO_STEP_RANK: u8 = 1;

/// A part of speech.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// A noun.
    Noun,
    /// A verb.
    Verb,
    /// An adjective.
    Adjective,
    /// An adverb.
    Adverb,
}

impl Part {
    fn numbered(number: u8) -> Option<Self> {
        [Self::Noun, Self::Verb, Self::Adjective, Self::Adverb].get(usize::from(number)).copied()
    }
}

/// A lemma a surface form may belong to.
#[derive(Clone, Copy, Debug)]
struct Reading {
    lemma: u32,
    entry: Entry,
}

/// A word that has been looked up, with all its readings; keep it to relate it to many others.
#[derive(Clone, Debug)]
pub struct Word {
    readings: Vec<Reading>,
    known: bool,
}

impl Word {
    /// Whether any reading is known.
    pub fn is_known(&self) -> bool {
        !self.readings.is_empty()
    }

    /// Whether the form as it stands is a lemma ("building", unlike "robots").
    pub fn is_lemma(&self) -> bool {
        self.known
    }

    /// The word in one part of speech only, unless that leaves nothing.
    #[must_use]
    pub fn only(mut self, part: Part) -> Self {
        if self.readings.iter().any(|reading| reading.entry.part == part) {
            self.readings.retain(|reading| reading.entry.part == part);
        }
        self
    }

    fn add(&mut self, lemma: u32, entry: Entry) {
        let known = |reading: &Reading| reading.lemma == lemma && reading.entry.part == entry.part;
        if !self.readings.iter().any(known) {
            self.readings.push(Reading { lemma, entry });
        }
    }
}

/// The relations of some fifty thousand English words.
pub struct WordNet {
    table: Table,
}

impl WordNet {
    /// The relations in the binary, decoded at the first call (some milliseconds), shared afterwards.
    pub fn builtin() -> &'static Self {
        static BUILTIN: OnceLock<WordNet> = OnceLock::new();
        // A test sees to it that the file can be read; without it, no word would be known.
        BUILTIN.get_or_init(|| Self { table: Table::parse(BYTES).unwrap_or_default() })
    }

    /// All readings of a surface form ("leaves": leaf, leave), without regard to case.
    pub fn lookup(&self, surface: &str) -> Word {
        morphy::read(&self.table, surface)
    }

    /// The lemmas of a looked up word with their parts of speech.
    pub fn lemmas<'w>(&'w self, word: &'w Word) -> impl Iterator<Item = (&'w str, Part)> {
        let name = |reading: &Reading| (self.table.name(reading.lemma), reading.entry.part);
        word.readings.iter().map(name)
    }

    /// What two surface forms have to do with each other, in any of their readings.
    ///
    /// One shared lemma is enough to be the same: "found" is a form of "find", too. With a tagger at
    /// hand, [`Self::lookup`], [`Word::only`] and [`Self::relate`] are more exact.
    pub fn relation(&self, first: &str, second: &str) -> Relation {
        if first.eq_ignore_ascii_case(second) {
            return Relation::Same;
        }
        self.relate(&self.lookup(first), &self.lookup(second))
    }

    /// [`Relation::strength`] of the relation of two surface forms.
    pub fn strength(&self, first: &str, second: &str) -> f32 {
        self.relation(first, second).strength()
    }

    /// The strongest relation of two words; opposites in usual senses go before all but forms of
    /// one lemma.
    pub fn relate(&self, first: &Word, second: &Word) -> Relation {
        let mut best = Best::default();
        for a in &first.readings {
            for b in &second.readings {
                if a.lemma == b.lemma {
                    return Relation::Same;
                }
                self.compare(*a, *b, &mut best);
            }
        }
        best.decide()
    }

    fn compare(&self, a: Reading, b: Reading, best: &mut Best) {
        let pair = Pair {
            from: a,
            to: b,
            from_senses: self.table.senses(a.entry),
            to_senses: self.table.senses(b.entry),
            swapped: false,
        };
        for (rank, sense) in (0_u8..).zip(pair.from_senses) {
            if let Some(ranks) = pair.reaches(rank, *sense) {
                best.offer(Relation::Synonym(ranks));
            }
        }
        self.follow(&pair, best);
        self.follow(
            &Pair {
                from: b,
                to: a,
                from_senses: pair.to_senses,
                to_senses: pair.from_senses,
                swapped: true,
            },
            best,
        );
    }

    /// Looks at all synsets one link away from the first word of a pair.
    fn follow(&self, pair: &Pair<'_>, best: &mut Best) {
        for (rank, sense) in (0_u8..).zip(pair.from_senses) {
            for (link, target) in self.table.links(*sense) {
                let ranks = pair.reaches(rank, *target);
                match (link, ranks) {
                    (Link::Hypernym, Some(ranks)) => {
                        if ranks.worst() <= KIND_RANK {
                            best.offer(self.kind(pair, ranks, 1, *target));
                        }
                    }
                    (Link::Hypernym, None) => self.second_step(pair, rank, *target, best),
                    (Link::Derivation, Some(ranks)) => {
                        best.offer(Relation::Derived { ranks, direct: self.one_family(pair) });
                    }
                    (Link::Derivation, None) => self.meet(pair, rank, *sense, *target, best),
                    (Link::Attribute, Some(ranks)) if self.one_family(pair) => {
                        best.offer(Relation::Derived { ranks, direct: true });
                    }
                    (Link::Antonym, Some(ranks)) => best.oppose(ranks),
                    (Link::Similar | Link::Attribute, Some(ranks)) => {
                        if ranks.worst() <= NEAR_RANK {
                            best.offer(Relation::Near(ranks));
                        }
                    }
                    (Link::Similar, None) => {
                        // An adjective is also the opposite of what its nearest main adjective
                        // is the opposite of: "huge" is like "large", so it is opposed to "small".
                        for (further, end) in self.table.links(*target) {
                            if *further == Link::Antonym
                                && let Some(ranks) = pair.reaches(rank, *end)
                                && ranks.worst() <= NEAR_RANK
                            {
                                best.oppose(ranks);
                            }
                        }
                    }
                    (Link::Antonym | Link::Attribute, None) => {}
                }
            }
        }
    }

    fn second_step(&self, pair: &Pair<'_>, rank: u8, middle: u32, best: &mut Best) {
        for (link, target) in self.table.links(middle) {
            if *link == Link::Hypernym
                && let Some(ranks) = pair.reaches(rank, *target)
                && ranks.worst() <= TWO_STEP_RANK
            {
                best.offer(self.kind(pair, ranks, 2, *target));
            }
        }
    }

    /// Two words derived from one synset that are also of one kind are near each other; without
    /// the second condition, "employer" and "employee" would be.
    fn meet(&self, pair: &Pair<'_>, rank: u8, sense: u32, origin: u32, best: &mut Best) {
        if pair.swapped || pair.from.entry.part != pair.to.entry.part || rank > NEAR_RANK {
            return;
        }
        for other in pair.to_senses {
            let links = self.table.links(*other);
            if links.contains(&(Link::Derivation, origin))
                && self.table.links(sense).iter().any(|(link, target)| {
                    *link == Link::Hypernym && links.contains(&(Link::Hypernym, *target))
                })
                && let Some(ranks) = pair.reaches(rank, *other)
                && ranks.worst() <= NEAR_RANK
            {
                best.offer(Relation::Near(ranks));
            }
        }
    }

    fn kind(&self, pair: &Pair<'_>, ranks: Ranks, steps: u8, wider: u32) -> Relation {
        let breadth = self.table.breadth(wider);
        Relation::Kind { ranks, steps, first_is_kind: !pair.swapped, breadth }
    }

    /// Whether two words begin alike, as words built from each other do.
    fn one_family(&self, pair: &Pair<'_>) -> bool {
        let (one, other) = (self.table.name(pair.from.lemma), self.table.name(pair.to.lemma));
        let alike = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
        alike >= FAMILY_LETTERS.min(one.len()).min(other.len())
    }
}

/// Two readings, seen from one of them.
struct Pair<'t> {
    from: Reading,
    to: Reading,
    from_senses: &'t [u32],
    to_senses: &'t [u32],
    /// Whether `from` is of the second word.
    swapped: bool,
}

impl Pair<'_> {
    /// In which senses a link from a sense of the one word to a synset holds, if the synset is one
    /// of the other word.
    fn reaches(&self, rank: u8, synset: u32) -> Option<Ranks> {
        let other = self.to_senses.iter().position(|sense| *sense == synset)?;
        let from = rank + if self.from.entry.unusual { UNUSUAL } else { 0 };
        let to = other as u8 + if self.to.entry.unusual { UNUSUAL } else { 0 };
        let (first, second) = if self.swapped { (to, from) } else { (from, to) };
        Some(Ranks { first, second })
    }
}
