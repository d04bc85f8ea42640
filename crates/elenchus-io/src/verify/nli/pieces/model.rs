//! Words to pieces: WordPiece, Unigram and byte-pair encoding.

use super::file::{switch, unknown};
use serde_json::Value;
use std::collections::HashMap;

/// A vocabulary with its rule.
pub(super) enum Model {
    /// The longest piece first.
    WordPiece { heads: HashMap<String, i32>, mark: String, longest_word: usize, unknown: i32 },
    /// The likeliest sequence of pieces.
    Unigram(Unigram),
    /// Neighbours are joined in the order of a list.
    Bpe(Bpe),
}

/// Pieces with the logarithms of their shares.
pub(super) struct Unigram {
    pieces: HashMap<String, (i32, f64)>,
    /// Characters of the longest piece.
    longest: usize,
    unknown: Option<i32>,
    /// What a character that is in no piece costs.
    penalty: f64,
    /// The pieces of single bytes, where those stand for unknown characters.
    bytes: Option<Vec<i32>>,
}

/// Pieces with the order in which they are joined.
pub(super) struct Bpe {
    pieces: HashMap<String, i32>,
    /// Two neighbours: their rank, and what they become.
    merges: HashMap<(i32, i32), (u32, i32)>,
    unknown: Option<i32>,
    /// Whether a word that is a piece is taken as such without joining.
    whole: bool,
}

/// Longer words are cut before neighbours are joined, which takes the square of the length; in characters.
const LONGEST_JOINED: usize = 256;

fn id(value: &Value) -> Option<i32> {
    i32::try_from(value.as_i64()?).ok()
}

fn vocabulary(part: &Value) -> Result<HashMap<String, i32>, String> {
    let table = part.get("vocab").and_then(Value::as_object).ok_or("its model has no vocab")?;
    let pieces = table.iter().map(|(text, value)| Some((text.clone(), id(value)?)));
    pieces.collect::<Option<_>>().ok_or_else(|| "its vocab has an id that is no number".to_owned())
}

/// Reads the `model` of a file.
pub(super) fn read(part: &Value) -> Result<Model, String> {
    let text = |name: &str| part.get(name).and_then(Value::as_str);
    // Older files leave the type out.
    let guessed = if part.get("merges").is_some() { "BPE" } else { "WordPiece" };
    match text("type").unwrap_or(guessed) {
        "WordPiece" => {
            let heads = vocabulary(part)?;
            let name = text("unk_token").unwrap_or("[UNK]");
            let unknown = *heads.get(name).ok_or_else(|| format!("its vocab has no {name}"))?;
            let longest = part.get("max_input_chars_per_word").and_then(Value::as_u64);
            Ok(Model::WordPiece {
                heads,
                mark: text("continuing_subword_prefix").unwrap_or("##").to_owned(),
                longest_word: longest.map_or(100, |n| n as usize),
                unknown,
            })
        }
        "Unigram" => unigram(part).map(Model::Unigram),
        "BPE" => bpe(part).map(Model::Bpe),
        _ => Err(unknown("model", part)),
    }
}

fn unigram(part: &Value) -> Result<Unigram, String> {
    let table = part.get("vocab").and_then(Value::as_array).ok_or("its model has no vocab")?;
    let mut pieces = HashMap::with_capacity(table.len());
    let (mut longest, mut least) = (1, 0.0_f64);
    for (place, entry) in table.iter().enumerate() {
        let piece = entry.get(0).and_then(Value::as_str);
        let score = entry.get(1).and_then(Value::as_f64).filter(|score| score.is_finite());
        let (Some(piece), Some(score), Ok(place)) = (piece, score, i32::try_from(place)) else {
            return Err(format!("entry {place} of its vocab is no piece with a score"));
        };
        longest = longest.max(piece.chars().count());
        least = least.min(score);
        pieces.insert(piece.to_owned(), (place, score));
    }
    let bytes = switch(part, "byte_fallback", false)
        .then(|| (0..=255u8).map(|b| pieces.get(&format!("<0x{b:02X}>")).map(|p| p.0)).collect())
        .flatten();
    Ok(Unigram {
        pieces,
        longest,
        unknown: part.get("unk_id").and_then(id),
        penalty: least - 10.0,
        bytes,
    })
}

fn bpe(part: &Value) -> Result<Bpe, String> {
    for name in ["continuing_subword_prefix", "end_of_word_suffix"] {
        if part.get(name).and_then(Value::as_str).is_some_and(|text| !text.is_empty()) {
            return Err(format!("its model has a {name}, which is not understood"));
        }
    }
    let pieces = vocabulary(part)?;
    let list = part.get("merges").and_then(Value::as_array).ok_or("its model has no merges")?;
    let mut merges = HashMap::with_capacity(list.len());
    for (rank, merge) in (0u32..).zip(list) {
        // Newer files have two texts, older ones a text with a space.
        let sides = match merge.as_str() {
            Some(text) => text.split_once(' '),
            None => merge.get(0).and_then(Value::as_str).zip(merge.get(1).and_then(Value::as_str)),
        };
        let joined = sides.and_then(|(left, right)| {
            let whole = pieces.get(&format!("{left}{right}"))?;
            Some(((*pieces.get(left)?, *pieces.get(right)?), *whole))
        });
        let Some((sides, whole)) = joined else {
            return Err(format!("entry {rank} of its merges joins no pieces of its vocab"));
        };
        merges.entry(sides).or_insert((rank, whole));
    }
    let unknown = part.get("unk_token").and_then(Value::as_str);
    Ok(Bpe {
        unknown: unknown.and_then(|text| pieces.get(text).copied()),
        whole: switch(part, "ignore_merges", false),
        pieces,
        merges,
    })
}

impl Model {
    /// Adds the ids of a word's pieces.
    pub(super) fn split(&self, word: &str, ids: &mut Vec<i32>) {
        match self {
            Self::WordPiece { heads, mark, longest_word, unknown } => {
                let before = ids.len();
                let fits = word.chars().nth(*longest_word).is_none();
                if !fits || greedy(heads, mark, word, ids).is_none() {
                    ids.truncate(before);
                    ids.push(*unknown);
                }
            }
            Self::Unigram(unigram) => unigram.split(word, ids),
            Self::Bpe(bpe) => bpe.split(word, ids),
        }
    }
}

/// The longest piece first, then the longest continuing one; `None` when a part is in no piece.
fn greedy(pieces: &HashMap<String, i32>, mark: &str, word: &str, ids: &mut Vec<i32>) -> Option<()> {
    let mut rest = word;
    let mut wanted = String::new();
    while !rest.is_empty() {
        let mut ends = rest.char_indices().map(|(at, c)| at + c.len_utf8()).rev();
        let (end, id) = ends.find_map(|end| {
            wanted.clear();
            if rest.len() < word.len() {
                wanted.push_str(mark);
            }
            wanted.push_str(&rest[..end]);
            Some((end, *pieces.get(&wanted)?))
        })?;
        ids.push(id);
        rest = &rest[end..];
    }
    Some(())
}

impl Unigram {
    /// The best way to each place of the word (Viterbi's algorithm), then back from the end.
    fn split(&self, word: &str, ids: &mut Vec<i32>) {
        /// The best way to a place: its score, where its last piece starts, and that piece.
        type Way = (f64, usize, Option<i32>);
        let mut ways: Vec<Option<Way>> = vec![None; word.len() + 1];
        ways[0] = Some((0.0, 0, None));
        for (start, first) in word.char_indices() {
            let Some((so_far, ..)) = ways[start] else { continue };
            let mut take = |end: usize, score: f64, piece: Option<i32>| {
                if ways[end].is_none_or(|(best, ..)| so_far + score > best) {
                    ways[end] = Some((so_far + score, start, piece));
                }
            };
            let next = start + first.len_utf8();
            let mut alone = false;
            for (at, c) in word[start..].char_indices().take(self.longest) {
                let end = start + at + c.len_utf8();
                if let Some((piece, score)) = self.pieces.get(&word[start..end]) {
                    take(end, *score, Some(*piece));
                    alone |= end == next;
                }
            }
            if !alone {
                take(next, self.penalty, None);
            }
        }
        let mut back: Vec<(Option<i32>, &str)> = Vec::new();
        let mut end = word.len();
        while let Some((_, start, piece)) = ways[end].filter(|_| end > 0) {
            back.push((piece, &word[start..end]));
            end = start;
        }
        let mut after_unknown = false;
        for (piece, text) in back.into_iter().rev() {
            match (piece, &self.bytes) {
                (Some(piece), _) => ids.push(piece),
                (None, Some(bytes)) => ids.extend(text.bytes().map(|b| bytes[usize::from(b)])),
                // Unknown characters in a row are one piece.
                (None, None) if after_unknown => {}
                (None, None) => ids.extend(self.unknown),
            }
            after_unknown = piece.is_none();
        }
    }
}

impl Bpe {
    fn split(&self, word: &str, ids: &mut Vec<i32>) {
        if let Some(id) = self.pieces.get(word).filter(|_| self.whole) {
            ids.push(*id);
            return;
        }
        let mut buffer = [0; 4];
        let known = |c: char, buffer: &mut [u8; 4]| {
            self.pieces.get(c.encode_utf8(buffer) as &str).copied().or(self.unknown)
        };
        let all: Vec<i32> = word.chars().filter_map(|c| known(c, &mut buffer)).collect();
        for part in all.chunks(LONGEST_JOINED) {
            let mut part = part.to_vec();
            let rank = |sides: &[i32]| self.merges.get(&(sides[0], sides[1])).copied();
            while let Some(((_, whole), at)) =
                part.windows(2).enumerate().filter_map(|(at, sides)| Some((rank(sides)?, at))).min()
            {
                part[at] = whole;
                part.remove(at + 1);
            }
            ids.extend(part);
        }
    }
}
