//! Any text through the word pieces and the built-in table: a unit vector or zeros.
#![no_main]

use elenchus_io::embed::{StaticEmbedder, cosine, dot};
use libfuzzer_sys::fuzz_target;

fn check(embedder: &StaticEmbedder, vector: &[f32]) {
    assert_eq!(vector.len(), embedder.dimensions());
    assert!(vector.iter().all(|value| value.is_finite()));
    let length = dot(vector, vector).sqrt();
    assert!(length <= 1.001, "length {length}");
    assert!(length < 1e-6 || length > 0.999, "length {length}: neither a unit vector nor zeros");
}

fuzz_target!(|text: &str| {
    let embedder = StaticEmbedder::builtin();
    let vector = embedder.embed_text(text);
    check(embedder, &vector);
    check(embedder, &embedder.embed_weighted(text, &|piece| piece.len() as f32));
    check(embedder, &embedder.embed_weighted(text, &|_| f32::NAN));
    if let Some(word) = embedder.word_vector(text) {
        check(embedder, &word);
    }
    assert!((-1.0..=1.0).contains(&cosine(&vector, &vector)));
    assert!(embedder.pieces(text).iter().all(|piece| !piece.is_empty()));
});
