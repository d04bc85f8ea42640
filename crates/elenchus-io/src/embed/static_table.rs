//! One int8 vector per word piece, distilled from a sentence encoder and built into the binary.
//!
//! The file is written by `scripts/distill_embedding.py`, whose head describes its format.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use super::wordpiece::{WordPiece, runs};
use super::{EmbedError, normalise};

static TABLE: &[u8] = include_bytes!("../../assets/static_minilm.bin");

/// Pieces before this one are reserved names, punctuation and single characters; from here on the
/// vocabulary is ordered from frequent to rare ("the" comes first).
const FIRST_RANKED: usize = 1996;

/// Weight of an unranked piece against about 10 for a rare word.
const UNRANKED_WEIGHT: f32 = 0.5;

/// What is left of the weight of a function word.
const FUNCTION_WORD_FACTOR: f32 = 0.15;

/// Words that say little about what a text is about. Negations count little here, too: a bag of
/// words does not know what they negate.
const FUNCTION_WORDS: &str = "a about above after again all also although am an and any are as at be because been \
    before being below between both but by can could did do does doing during each either for from further \
    had has have having he her here hers him his how however i if in into is it its itself just may me might \
    more most must my neither no nor not now of off on once only or other our out over own s same shall she \
    should since so some such t than that the their them then there these they this those though through thus \
    to too under until up upon us very was we were what when where whether which while who whom whose why \
    will with within without would you your";

/// No weight counts for more than this, so that sums stay finite.
const HIGHEST_WEIGHT: f32 = 1e9;

/// Sentence and word vectors out of a table: no model runs, word order is not seen.
///
/// Measured at word level: synonyms lie around 0.57 and chance pairs around 0, but opposites and
/// siblings (buy and sell, Monday and Tuesday) lie as close as synonyms. Numbers are pieces like all
/// others. So a high cosine says "about the same thing", never "says the same".
pub struct StaticEmbedder {
    id: String,
    dimensions: usize,
    vocab: Vec<&'static str>,
    pieces: WordPiece,
    /// One factor per row; 0 for pieces without a vector.
    scales: Vec<f32>,
    /// `vocab.len() * dimensions` signed bytes, row after row.
    rows: &'static [u8],
    default_weights: Vec<f32>,
}

impl StaticEmbedder {
    /// The table in the binary, indexed at the first call (some milliseconds), shared afterwards.
    pub fn builtin() -> &'static Self {
        static BUILTIN: OnceLock<StaticEmbedder> = OnceLock::new();
        BUILTIN.get_or_init(|| {
            Self::parse(TABLE).expect("the table in the binary is tested to follow its format")
        })
    }

    /// Numbers per vector.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Name of the vector space, for cache keys: vectors of different ids must not be compared.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The word pieces of a text in order (`"[UNK]"` for a word that cannot be split): what a caller
    /// counts to get the document frequencies behind [`Self::embed_weighted`].
    pub fn pieces(&self, text: &str) -> Vec<&'static str> {
        let mut out = Vec::new();
        self.pieces.split(text, &mut |id| out.extend(self.vocab.get(id as usize)));
        out
    }

    /// Unit vector of one word: the direction of the mean of its pieces.
    ///
    /// `None` for an empty word or one with an unknown part. Several words give their plain mean.
    pub fn word_vector(&self, word: &str) -> Option<Vec<f32>> {
        let mut sum = vec![0.0; self.dimensions];
        let mut known = true;
        self.pieces.split(word, &mut |id| known &= self.add(&mut sum, id, 1.0));
        (normalise(&mut sum) && known).then_some(sum)
    }

    /// The numbers of a text's word pieces in the vocabulary of the uncased BERT models.
    pub(crate) fn piece_ids(&self, text: &str) -> Vec<i32> {
        let mut out = Vec::new();
        self.pieces.split(text, &mut |id| out.push(id.cast_signed()));
        out
    }

    /// The same with the bytes of the text that each stands in: the run between blanks and marks that it is a piece of.
    pub(crate) fn placed_pieces(&self, text: &str) -> Vec<(i32, Range<usize>)> {
        let mut out = Vec::new();
        for (run, at) in runs(text) {
            let place = at..at + run.len();
            self.pieces.split(run, &mut |id| out.push((id.cast_signed(), place.clone())));
        }
        out
    }

    /// How rare a word is: the built-in weight of its rarest piece, 0 for function words and marks to about 10.
    pub fn rarity(&self, word: &str) -> f32 {
        let mut rarity = 0.0f32;
        self.pieces.split(word, &mut |id| {
            rarity = rarity.max(self.default_weights.get(id as usize).copied().unwrap_or(0.0));
        });
        rarity
    }

    /// Unit vector of a text: the direction of the weighted sum of its pieces, all zeros if nothing
    /// is left to add up.
    ///
    /// `weight` gets each occurrence of a word piece (continuations start with `##`); inverse
    /// document frequencies of the corpus at hand serve best. A weight that is negative or not a
    /// number counts as 0; only the proportions of the weights matter, between about 1e-9 and 1e9.
    pub fn embed_weighted(&self, text: &str, weight: &dyn Fn(&str) -> f32) -> Vec<f32> {
        self.embed_by(text, |id| self.vocab.get(id as usize).map_or(0.0, |piece| weight(piece)))
    }

    /// Unit vector of a text with built-in weights, all zeros for a text without known words.
    ///
    /// Without a corpus, the rank of a piece in the vocabulary stands for its rarity, and function
    /// words count little.
    pub fn embed_text(&self, text: &str) -> Vec<f32> {
        self.embed_by(text, |id| self.default_weights.get(id as usize).copied().unwrap_or(0.0))
    }

    fn embed_by(&self, text: &str, weight: impl Fn(u32) -> f32) -> Vec<f32> {
        let mut sum = vec![0.0; self.dimensions];
        self.pieces.split(text, &mut |id| {
            let weight = weight(id);
            if weight > 0.0 {
                self.add(&mut sum, id, weight.min(HIGHEST_WEIGHT));
            }
        });
        normalise(&mut sum);
        sum
    }

    /// Adds a weighted row to a sum; false for pieces without a vector.
    fn add(&self, sum: &mut [f32], id: u32, weight: f32) -> bool {
        let id = id as usize;
        let row = self.rows.get(id * self.dimensions..(id + 1) * self.dimensions);
        let (Some(row), Some(scale)) = (row, self.scales.get(id).filter(|scale| **scale > 0.0))
        else {
            return false;
        };
        let factor = weight * scale;
        for (value, byte) in sum.iter_mut().zip(row) {
            *value += factor * f32::from(byte.cast_signed());
        }
        true
    }

    /// Indexes a table; the rows stay where they are.
    fn parse(bytes: &'static [u8]) -> Result<Self, EmbedError> {
        let mut reader = Reader(bytes);
        if reader.take(4)? != b"ELWT" {
            return Err(EmbedError::Table { problem: "it does not start with ELWT" });
        }
        let version = reader.number()?;
        if version != 1 {
            return Err(EmbedError::Table { problem: "its format version is not 1" });
        }
        let (count, dimensions) = (reader.number()?, reader.number()?);
        let mut vocab = Vec::new();
        for _ in 0..count {
            let length = usize::from(*reader.take(1)?.first().unwrap_or(&0));
            let piece = str::from_utf8(reader.take(length)?);
            vocab.push(piece.map_err(|_| EmbedError::Table { problem: "a piece is not UTF-8" })?);
        }
        let scales: Vec<f32> = reader
            .take(count.saturating_mul(4))?
            .as_chunks::<4>()
            .0
            .iter()
            .map(|raw| f32::from_le_bytes(*raw))
            .collect();
        let rows = reader.take(count.saturating_mul(dimensions))?;
        if !reader.0.is_empty() {
            return Err(EmbedError::Table { problem: "bytes are left over at its end" });
        }
        if dimensions == 0 || !scales.iter().all(|scale| scale.is_finite() && *scale < 1.0) {
            return Err(EmbedError::Table {
                problem: "a scale or the number of dimensions is out of range",
            });
        }
        let numbered = vocab.iter().map(|piece| Cow::Borrowed(*piece)).zip(0..);
        let pieces = WordPiece::new(numbered)
            .ok_or(EmbedError::Table { problem: "it has no [UNK] piece" })?;
        let id = format!("static-minilm-{dimensions}-v{version}");
        let default_weights = default_weights(&vocab);
        Ok(Self { id, dimensions, vocab, pieces, scales, rows, default_weights })
    }
}

/// Rarity by rank: the logarithm of the position in the ordered part of the vocabulary.
fn default_weights(vocab: &[&str]) -> Vec<f32> {
    let function_words: Vec<&str> = FUNCTION_WORDS.split_whitespace().collect();
    let weigh = |(id, piece): (usize, &&str)| {
        let rarity = match id.checked_sub(FIRST_RANKED) {
            Some(rank) => (rank as f32 + 2.0).ln(),
            None => UNRANKED_WEIGHT,
        };
        if function_words.contains(piece) { rarity * FUNCTION_WORD_FACTOR } else { rarity }
    };
    vocab.iter().enumerate().map(weigh).collect()
}

/// The bytes not read yet.
struct Reader(&'static [u8]);

impl Reader {
    fn take(&mut self, length: usize) -> Result<&'static [u8], EmbedError> {
        let (head, rest) = self
            .0
            .split_at_checked(length)
            .ok_or(EmbedError::Table { problem: "it ends too early" })?;
        self.0 = rest;
        Ok(head)
    }

    fn number(&mut self) -> Result<usize, EmbedError> {
        let raw = self.take(4)?.as_chunks::<4>().0.first().copied().unwrap_or_default();
        Ok(u32::from_le_bytes(raw) as usize)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{cosine, dot};
    use super::*;

    fn near(a: &str, b: &str) -> f32 {
        let table = StaticEmbedder::builtin();
        let word = |text| table.word_vector(text).expect("a known word");
        dot(&word(a), &word(b))
    }

    #[test]
    fn the_builtin_table_has_the_promised_shape() {
        let table = StaticEmbedder::builtin();
        assert_eq!(table.id(), format!("static-minilm-{}-v1", table.dimensions()));
        assert_eq!(table.vocab.len(), 30_522);
        assert_eq!(table.vocab.get(FIRST_RANKED), Some(&"the"));
        assert_eq!(table.rows.len(), 30_522 * table.dimensions());
        for word in FUNCTION_WORDS.split_whitespace() {
            assert!(
                table.vocab.contains(&word),
                "{word} is not a piece, so its weight is never lowered"
            );
        }
    }

    #[test]
    fn related_words_lie_closer_than_chance_pairs() {
        for (a, b) in
            [("price", "cost"), ("staff", "employees"), ("supplier", "vendor"), ("buy", "purchase")]
        {
            assert!(near(a, b) > 0.6, "{a} {b} {}", near(a, b));
        }
        for (a, b) in [("price", "employee"), ("medicine", "castle"), ("company", "banana")] {
            assert!(near(a, b) < 0.2, "{a} {b} {}", near(a, b));
        }
    }

    #[test]
    fn words_without_a_vector_have_none() {
        let table = StaticEmbedder::builtin();
        for word in ["", "  ", "\u{1f600}", "cat \u{1f600}", "\u{200b}"] {
            assert!(table.word_vector(word).is_none(), "{word:?}");
        }
        assert!(table.word_vector("overstaffing").is_some());
        assert_eq!(table.word_vector("Price"), table.word_vector("price"));
    }

    #[test]
    fn paraphrases_lie_closer_than_other_texts() {
        let table = StaticEmbedder::builtin();
        let text = table.embed_text("The supplier raised the price of the pump.");
        let same = table.embed_text("Pump costs went up at our vendor.");
        let other = table.embed_text("A choir sang in the old church on Sunday.");
        assert!(dot(&text, &same) > 0.4, "{}", dot(&text, &same));
        assert!(dot(&text, &other) < 0.2, "{}", dot(&text, &other));
        let function_words = table.embed_text("supplier raised price pump");
        assert!(dot(&text, &function_words) > 0.95);
    }

    #[test]
    fn texts_without_known_words_are_zero() {
        let table = StaticEmbedder::builtin();
        let zero = vec![0.0; table.dimensions()];
        assert_eq!(table.embed_text(""), zero);
        assert_eq!(table.embed_text("\u{1f600}\u{1f600}"), zero);
        assert_eq!(table.embed_weighted("price", &|_| 0.0), zero);
        assert_eq!(table.embed_weighted("price", &|_| f32::NAN), zero);
        assert_eq!(table.embed_weighted("price", &|_| -1.0), zero);
    }

    #[test]
    fn weights_choose_what_a_text_is_about() {
        let table = StaticEmbedder::builtin();
        let only_pump =
            table.embed_weighted("the pump broke", &|p| f32::from(u8::from(p == "pump")));
        let pump = table.word_vector("pump").expect("a known word");
        assert!((dot(&only_pump, &pump) - 1.0).abs() < 1e-4);
    }

    #[test]
    fn broken_tables_are_refused() {
        for bytes in [
            &b""[..],
            b"ELW",
            b"NOPE",
            b"ELWT\x02\0\0\0",
            b"ELWT\x01\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff",
        ] {
            assert!(StaticEmbedder::parse(bytes).is_err());
        }
        assert!(StaticEmbedder::parse(&TABLE[..TABLE.len() - 1]).is_err());
    }

    proptest! {
        #[test]
        fn any_text_gives_a_unit_vector_or_zeros(text in any::<String>(), weight in any::<f32>()) {
            let table = StaticEmbedder::builtin();
            for vector in [table.embed_text(&text), table.embed_weighted(&text, &|_| weight)] {
                let length = dot(&vector, &vector).sqrt();
                prop_assert!(length == 0.0 || (length - 1.0).abs() < 1e-3, "{length}");
                prop_assert!(cosine(&vector, &vector) <= 1.0);
            }
            table.word_vector(&text);
        }
    }

    #[test]
    fn pieces_with_their_places_are_those_of_the_whole() {
        let texts = [
            "The fee is £800 (€950) at 20°C.",
            "cafe\u{301}s and ca\u{ad}fe\u{200b}s",
            "100m² + 5\u{a0}µm; don't: 東京 tower's 3,120½",
            "Grade A/B \u{2013} \u{201c}as is\u{201d} …",
        ];
        let table = StaticEmbedder::builtin();
        for text in texts {
            let placed = table.placed_pieces(text);
            let ids: Vec<i32> = placed.iter().map(|(id, _)| *id).collect();
            assert_eq!(ids, table.piece_ids(text), "{text}");
            assert!(placed.iter().all(|(_, at)| text.get(at.clone()).is_some()), "{text}");
        }
        let (_, at) = table.placed_pieces("It costs £800.")[3].clone();
        assert_eq!(at, 9..14, "a run is a place, its pieces are not");
    }
}
