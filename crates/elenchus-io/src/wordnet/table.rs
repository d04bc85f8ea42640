//! The word relations in the binary, decoded into flat tables.
//!
//! The file is written by `scripts/distill_wordnet.py`, whose head describes its format.

use super::Part;

/// Number of parts of speech.
const PARTS: usize = 4;

/// An empty place in a hash table.
const FREE: u32 = u32::MAX;

/// Kinds of links between synsets, as they are numbered in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    Hypernym,
    Derivation,
    Similar,
    Antonym,
    Attribute,
}

/// A lemma in one part of speech.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) part: Part,
    /// The word is mostly another part of speech.
    pub(super) unusual: bool,
    senses: (u32, u32),
}

#[derive(Default)]
pub(super) struct Table {
    /// All lemmas and irregular forms, one after the other.
    text: String,
    /// Ends of the lemmas in `text`.
    lemma_ends: Vec<u32>,
    /// Per lemma, the end of its part of `entries`.
    entry_ends: Vec<u32>,
    entries: Vec<Entry>,
    senses: Vec<u32>,
    link_ends: Vec<u32>,
    links: Vec<(Link, u32)>,
    /// Direct hyponyms of a synset, 255 for more.
    breadths: Vec<u8>,
    /// Begin and end in `text`, part of speech, lemma.
    irregular: Vec<(u32, u32, Part, u32)>,
    lemma_places: Places,
    irregular_places: Places,
}

impl Table {
    /// Decodes a file; `None` if it does not follow the format.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        if reader.take(5)? != b"ELWN\x01" {
            return None;
        }
        let (lemmas, synsets, irregular) = (reader.fixed()?, reader.fixed()?, reader.fixed()?);
        if [lemmas, synsets, irregular].iter().any(|count| *count as usize > bytes.len()) {
            return None;
        }
        let mut table = Self {
            lemma_places: Places::for_words(lemmas),
            irregular_places: Places::for_words(irregular),
            ..Self::default()
        };
        table.text.reserve(lemmas as usize * 9);
        table.links.reserve(synsets as usize * 2);
        table.senses.reserve(lemmas as usize * 2);
        table.read_lemmas(&mut reader, lemmas, synsets)?;
        table.read_links(&mut reader, synsets)?;
        table.read_irregular(&mut reader, lemmas, irregular)?;
        reader.0.is_empty().then_some(table)
    }

    /// The number of a lemma.
    pub(super) fn lemma(&self, word: &str) -> Option<u32> {
        self.lemma_places.find(word, |lemma| self.name(lemma) == word)
    }

    /// The spelling of a lemma.
    pub(super) fn name(&self, lemma: u32) -> &str {
        let (from, to) = range(&self.lemma_ends, lemma);
        self.text.get(from..to).unwrap_or_default()
    }

    /// A lemma in each part of speech it has.
    pub(super) fn entries(&self, lemma: u32) -> &[Entry] {
        let (from, to) = range(&self.entry_ends, lemma);
        self.entries.get(from..to).unwrap_or_default()
    }

    /// The synsets of a lemma, most usual first.
    pub(super) fn senses(&self, entry: Entry) -> &[u32] {
        self.senses.get(entry.senses.0 as usize..entry.senses.1 as usize).unwrap_or_default()
    }

    /// What a synset is linked to.
    pub(super) fn links(&self, synset: u32) -> &[(Link, u32)] {
        let (from, to) = range(&self.link_ends, synset);
        self.links.get(from..to).unwrap_or_default()
    }

    /// How many direct hyponyms a synset has, at most 255.
    pub(super) fn breadth(&self, synset: u32) -> u8 {
        self.breadths.get(synset as usize).copied().unwrap_or(0)
    }

    /// The lemmas an irregular form belongs to.
    pub(super) fn irregular<'t>(
        &'t self,
        form: &'t str,
    ) -> impl Iterator<Item = (Part, u32)> + use<'t> {
        let same = move |(from, to, ..): &(u32, u32, Part, u32)| {
            self.text.get(*from as usize..*to as usize) == Some(form)
        };
        let first = self
            .irregular_places
            .find(form, |place| self.irregular.get(place as usize).is_some_and(same));
        let rest = first.and_then(|place| self.irregular.get(place as usize..)).unwrap_or_default();
        rest.iter().take_while(move |row| same(row)).map(|(_, _, part, lemma)| (*part, *lemma))
    }

    fn read_lemmas(&mut self, reader: &mut Reader<'_>, lemmas: u32, synsets: u32) -> Option<()> {
        let (mut word, mut last) = (Vec::new(), 0);
        for lemma in 0..lemmas {
            let name = reader.word(&mut word)?;
            self.text.push_str(name);
            self.lemma_ends.push(self.text.len() as u32);
            self.lemma_places.put(name, lemma);
            let flags = reader.byte()?;
            for part in (0..PARTS as u8).filter(|part| flags & (1 << part) != 0) {
                let from = self.senses.len() as u32;
                for _ in 0..reader.byte()? {
                    last = offset(last, reader.varint()?).filter(|synset| *synset < synsets)?;
                    self.senses.push(last);
                }
                let senses = (from, self.senses.len() as u32);
                let unusual = flags & (16 << part) != 0;
                self.entries.push(Entry { part: Part::numbered(part)?, unusual, senses });
            }
            self.entry_ends.push(self.entries.len() as u32);
        }
        Some(())
    }

    fn read_links(&mut self, reader: &mut Reader<'_>, synsets: u32) -> Option<()> {
        for synset in 0..synsets {
            self.breadths.push(reader.byte()?);
            for _ in 0..reader.byte()? {
                let code = reader.varint()?;
                let link = match code % 8 {
                    0 => Link::Hypernym,
                    1 => Link::Derivation,
                    2 => Link::Similar,
                    3 => Link::Antonym,
                    4 => Link::Attribute,
                    _ => return None,
                };
                let target = offset(synset, code / 8).filter(|target| *target < synsets)?;
                self.links.push((link, target));
            }
            self.link_ends.push(self.links.len() as u32);
        }
        Some(())
    }

    fn read_irregular(&mut self, reader: &mut Reader<'_>, lemmas: u32, forms: u32) -> Option<()> {
        let (mut word, mut before) = (Vec::new(), None);
        for place in 0..forms {
            let name = reader.word(&mut word)?;
            let from = self.text.len() as u32;
            self.text.push_str(name);
            let part = Part::numbered(reader.byte()?)?;
            let lemma = reader.varint().filter(|lemma| *lemma < lemmas)?;
            // A form with several lemmas is found by its first row.
            if before.as_deref() != Some(name) {
                self.irregular_places.put(name, place);
                before = Some(name.to_owned());
            }
            self.irregular.push((from, self.text.len() as u32, part, lemma));
        }
        Some(())
    }
}

/// From where to where the things numbered `at` lie.
fn range(ends: &[u32], at: u32) -> (usize, usize) {
    let at = at as usize;
    let from = at.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(0);
    (from as usize, ends.get(at).copied().unwrap_or(from) as usize)
}

/// Undoes the zigzag coding and adds the difference.
fn offset(from: u32, zigzag: u32) -> Option<u32> {
    let difference = (zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed();
    from.checked_add_signed(difference)
}

/// A hash table from words to numbers; the words themselves lie elsewhere.
#[derive(Default)]
struct Places(Vec<u32>);

impl Places {
    /// At least twice as many places as words.
    fn for_words(words: u32) -> Self {
        Self(vec![FREE; (words.max(1) as usize * 2).next_power_of_two()])
    }

    fn put(&mut self, word: &str, number: u32) {
        let mask = self.0.len() - 1;
        let mut at = hash(word) as usize & mask;
        while let Some(place) = self.0.get_mut(at) {
            if *place == FREE {
                *place = number;
                return;
            }
            at = (at + 1) & mask;
        }
    }

    fn find(&self, word: &str, same: impl Fn(u32) -> bool) -> Option<u32> {
        let mask = self.0.len().checked_sub(1)?;
        let mut at = hash(word) as usize & mask;
        while let Some(&number) = self.0.get(at) {
            if number == FREE {
                return None;
            }
            if same(number) {
                return Some(number);
            }
            at = (at + 1) & mask;
        }
        None
    }
}

/// FNV-1a with its halves folded together.
fn hash(word: &str) -> u32 {
    let mixed = word.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |state, byte| {
        (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (mixed ^ (mixed >> 32)) as u32
}

/// The bytes not read yet.
struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let (head, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(head)
    }

    fn byte(&mut self) -> Option<u8> {
        let (head, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*head)
    }

    fn fixed(&mut self) -> Option<u32> {
        self.take(4)?.as_chunks::<4>().0.first().map(|raw| u32::from_le_bytes(*raw))
    }

    fn varint(&mut self) -> Option<u32> {
        let mut number = 0_u32;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            number |= u32::from(byte & 127) << shift;
            if byte < 128 {
                return Some(number);
            }
        }
        None
    }

    /// The next word of a front-coded list; `word` holds the one before and is replaced.
    fn word<'w>(&mut self, word: &'w mut Vec<u8>) -> Option<&'w str> {
        let (shared, length) = (self.byte()?, self.byte()?);
        word.truncate(usize::from(shared));
        word.extend_from_slice(self.take(usize::from(length))?);
        str::from_utf8(word).ok()
    }
}
