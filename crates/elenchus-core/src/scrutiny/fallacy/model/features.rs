//! Features of a text: stems, frames (the argument with its subject taken out), letters, and the patterns that
//! matched.

use super::super::Point;
use super::super::catalog::CATALOG;
use crate::text::stem;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Kinds of feature; each is brought to unit length by itself.
pub(super) const BLOCKS: usize = 4;
/// How much each kind counts: stems, frames, letters, patterns.
pub(super) const BLOCK_WEIGHTS: [f32; BLOCKS] = [1.0, 1.0, 1.0, 0.6];

/// Longest text in words, and longest word in letters, that is looked at.
const MOST_WORDS: usize = 400;
const LONGEST_WORD: usize = 24;

/// Hashed features of a text with their counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features(BTreeMap<u32, (u8, u32)>);

impl Features {
    /// Hash, block and count of every feature, by rising hash.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, usize, u32)> + '_ {
        self.0.iter().map(|(id, (block, count))| (*id, usize::from(*block), *count))
    }

    /// Names (hashes) of the features, rising.
    pub fn ids(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.keys().copied()
    }

    /// How many different features there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds those of another part of the same text.
    pub fn extend(&mut self, other: Self) {
        for (id, (block, count)) in other.0 {
            self.0.entry(id).or_insert((block, 0)).1 += count;
        }
    }

    fn add(&mut self, block: u8, parts: &[&str]) {
        // FNV-1a over the block and the parts.
        let mut hash = 0x811c_9dc5_u32;
        let mut eat = |byte: u8| hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        eat(block);
        for part in parts {
            part.bytes().for_each(&mut eat);
            eat(0x1f);
        }
        self.0.entry(hash).or_insert((block, 0)).1 += 1;
    }
}

/// The features of a plain text (ASCII, lower case) in which these entries of the catalog matched.
pub fn features(plain: &str, cues: impl Iterator<Item = (usize, Point)>) -> Features {
    let tokens = tokens(plain);
    let mut features = Features::default();
    let stems: Vec<String> = tokens.iter().map(|t| stem(t)).collect();
    grams(&mut features, 0, &stems, 2);
    grams(&mut features, 1, &frame(&tokens, &stems), 4);
    for token in &tokens {
        letters(&mut features, token);
    }
    let mut cues: Vec<(usize, Point)> = cues.collect();
    cues.sort_unstable();
    cues.dedup();
    for (fallacy, point) in cues {
        let id = CATALOG[fallacy].id;
        features.add(3, &[id, if point == Point::Strict { "strict" } else { "sensitive" }]);
    }
    features
}

/// Words, numbers and the marks that carry tone.
fn tokens(plain: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = plain;
    while let Some(first) = rest.chars().next() {
        if tokens.len() >= MOST_WORDS {
            break;
        }
        let joined = |c: char| c.is_ascii_alphanumeric() || c == '\'';
        if first.is_ascii_alphanumeric() {
            let end = rest.find(|c: char| !joined(c)).unwrap_or(rest.len());
            let word = rest[..end].trim_end_matches('\'');
            tokens.push(&word[..word.len().min(LONGEST_WORD)]);
            rest = &rest[end..];
        } else {
            if matches!(first, '?' | '!' | '.' | ',' | '"' | '%' | '$' | ';' | ':') {
                tokens.push(&rest[..1]);
            }
            rest = &rest[first.len_utf8()..];
        }
    }
    tokens
}

fn grams(features: &mut Features, block: u8, tokens: &[impl AsRef<str>], longest: usize) {
    for start in 0..tokens.len() {
        let mut gram: Vec<&str> = Vec::with_capacity(longest);
        for token in tokens.iter().skip(start).take(longest) {
            gram.push(token.as_ref());
            features.add(block, &gram);
        }
    }
}

/// Two to five letters in a row, with the borders of the word.
fn letters(features: &mut Features, token: &str) {
    let bordered = format!(" {token} ");
    for length in 2..=5 {
        if bordered.len() < length {
            features.add(2, &[&bordered]);
            break;
        }
        for start in 0..=bordered.len() - length {
            features.add(2, &[&bordered[start..start + length]]);
        }
    }
}

/// The argument without its subject: words of arguing stay, others become "m" (met first), "r" (met again) or "n".
fn frame(tokens: &[&str], stems: &[String]) -> Vec<String> {
    let mut seen = std::collections::BTreeSet::new();
    let mut frame: Vec<String> = Vec::with_capacity(tokens.len());
    for (token, stem) in tokens.iter().zip(stems) {
        let first = token.as_bytes().first().copied().unwrap_or_default();
        let kept = if !first.is_ascii_alphanumeric() || is_frame_word(token) {
            (*token).to_owned()
        } else if first.is_ascii_digit() {
            "<n>".to_owned()
        } else if seen.insert(stem.as_str()) {
            "<m>".to_owned()
        } else {
            "<r>".to_owned()
        };
        if kept != "<m>" || frame.last().is_none_or(|last| last != "<m>") {
            frame.push(kept);
        }
    }
    frame
}

fn is_frame_word(word: &str) -> bool {
    FRAME.binary_search(&word).is_ok()
}

static FRAME: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let mut words: Vec<&str> = FRAME_WORDS.split(' ').collect();
    words.sort_unstable();
    words
});

/// Words that arguments are made of, whatever they are about.
const FRAME_WORDS: &str = "\
    a about above actor afraid after again against all allow allowed already also although \
    always am america american among an and another any anyone anything are aren't argue \
    argued argues as at bad ban banned be because been before being believe believed \
    believes below best better between bible both but buy by can can't cannot cause caused \
    causes celebrity child children claim claimed claims clearly could couldn't course crazy \
    dad day did didn't do doctor doctors does doesn't doing don't done down dumb during each \
    either end ends even ever every everybody everyone everything evidence expert experts \
    fact facts false fear feel few first fool for friend friends from get gets give go god \
    goes going good got guy had happen happened happens happy has hate have having he hence \
    her here herself him himself his how i idiot if in into is isn't it its itself just kid \
    kids knew know known knows last lead leads led let let's lets liar life like love made \
    majority make makes man many may me mean means meant men might mine mom more most much \
    must my myself natural naturally need neither never new next no no-one nobody none nor \
    not nothing obviously of off often old on one only onto or other ought our ourselves out \
    over parents people person please poor popular president professor proof prove proved \
    proven proves really reason reasons result results right sad said same say says \
    scientist scientists second several shall she should shouldn't since so some somebody \
    someone something sometimes sorry start starving still stop student students stupid such \
    sure take takes teacher tell tells than that the their them themselves then there \
    therefore these they thing things think thinks this those though thought three through \
    thus time times to told too took tradition traditional true truth two under unless \
    unnatural until up upon us use used using usually very vote want wanted wants was wasn't \
    way ways we went were weren't what when whenever where which while who whom whose why \
    will with without woman women won't work works world worse worst would wouldn't wrong \
    year years yet you your yours yourself";
