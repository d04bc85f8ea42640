//! Judgements that were made before are not made again: a statement that a revision left as it was is asked about once.

use elenchus_core::port::{
    Checked, Contradiction, Judgement, Meter, Pair, PortFuture, Said, Usage, Verified, Verifier,
    VerifyFailure,
};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Judgements that are kept. The oldest go first.
const MOST: usize = 4_096;

/// What a pair is known by: the verifier, the claim, the evidence and what that stands under.
type Key = [u8; 32];

/// A verifier that remembers what it judged, for as long as it lives.
///
/// What could not be judged is not remembered: the reason may pass.
pub struct RememberingVerifier {
    inner: Box<dyn Verifier>,
    most: usize,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    judged: HashMap<Key, Judgement>,
    /// Oldest first.
    order: VecDeque<Key>,
}

impl Kept {
    fn put(&mut self, key: Key, judgement: Judgement, most: usize) {
        if self.judged.insert(key, judgement).is_none() {
            self.order.push_back(key);
        }
        while self.order.len() > most {
            if let Some(oldest) = self.order.pop_front() {
                self.judged.remove(&oldest);
            }
        }
    }
}

impl RememberingVerifier {
    /// In front of this verifier.
    pub fn new(inner: Box<dyn Verifier>) -> Self {
        Self { inner, most: MOST, kept: Mutex::default() }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        // An entry is put in whole or not at all.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn key(&self, pair: &Pair) -> Key {
        let mut hash = Sha256::new();
        let mut part = |text: &str| {
            // With its length, so that no two lists of texts look alike.
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        };
        part(self.inner.id());
        part(&pair.claim);
        for list in [&pair.evidence, &pair.above] {
            part(&list.len().to_string());
            for text in list {
                part(text);
            }
        }
        hash.finalize().into()
    }

    async fn judged(&self, pairs: &[Pair], meter: &Meter) -> Result<Verified, VerifyFailure> {
        let keys: Vec<Key> = pairs.iter().map(|pair| self.key(pair)).collect();
        let mut results: Vec<Option<Checked>> = {
            let kept = self.kept();
            let known = |key: &Key| kept.judged.get(key).cloned();
            keys.iter()
                .map(|key| known(key).map(|found| Checked::Judged(Box::new(found))))
                .collect()
        };
        // The same pair twice in one call is asked about once.
        let mut asked: Vec<Pair> = Vec::new();
        let mut at: HashMap<Key, usize> = HashMap::new();
        for ((key, pair), result) in keys.iter().zip(pairs).zip(&results) {
            if result.is_none() && !at.contains_key(key) {
                at.insert(*key, asked.len());
                asked.push(pair.clone());
            }
        }
        let mut usage = Usage::default();
        let mut fresh: Vec<Checked> = Vec::new();
        if !asked.is_empty() {
            let verified = self.inner.verify_metered(&asked, meter).await?;
            usage = verified.usage;
            fresh = verified.results;
            if fresh.len() != asked.len() {
                return Err(VerifyFailure {
                    verifier: self.inner.id().to_owned(),
                    pairs: asked.len(),
                    cause: format!("{} results came back for them", fresh.len()),
                });
            }
            let mut kept = self.kept();
            for (key, index) in &at {
                if let Some(Checked::Judged(judgement)) = fresh.get(*index) {
                    kept.put(*key, judgement.as_ref().clone(), self.most);
                }
            }
        }
        for (key, result) in keys.iter().zip(&mut results) {
            if result.is_none() {
                *result = at.get(key).and_then(|index| fresh.get(*index)).cloned();
            }
        }
        // Each is known or was asked about.
        Ok(Verified { results: results.into_iter().flatten().collect(), usage })
    }
}

impl Verifier for RememberingVerifier {
    fn id(&self) -> &str {
        self.inner.id()
    }

    fn verify<'a>(
        &'a self,
        pairs: &'a [Pair],
    ) -> PortFuture<'a, Result<Vec<Checked>, VerifyFailure>> {
        Box::pin(async move { Ok(self.judged(pairs, &Meter::default()).await?.results) })
    }

    fn verify_counted<'a>(
        &'a self,
        pairs: &'a [Pair],
    ) -> PortFuture<'a, Result<Verified, VerifyFailure>> {
        Box::pin(async move { self.judged(pairs, &Meter::default()).await })
    }

    fn verify_metered<'a>(
        &'a self,
        pairs: &'a [Pair],
        meter: &'a Meter,
    ) -> PortFuture<'a, Result<Verified, VerifyFailure>> {
        Box::pin(self.judged(pairs, meter))
    }

    fn asks_model(&self) -> bool {
        self.inner.asks_model()
    }

    fn reads_english_only(&self) -> bool {
        self.inner.reads_english_only()
    }

    fn computed(&self, pair: &Pair) -> Option<Box<Judgement>> {
        self.inner.computed(pair)
    }

    fn contradictions<'a>(
        &'a self,
        texts: &'a [Said],
    ) -> PortFuture<'a, Result<Vec<Contradiction>, VerifyFailure>> {
        self.inner.contradictions(texts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elenchus_core::testkit::{OverlapVerifier, block_on};
    use std::sync::Arc;

    /// Notes how many pairs it was asked about, at a cost each.
    struct Counting(Arc<Mutex<Vec<usize>>>);

    impl Verifier for Counting {
        fn id(&self) -> &'static str {
            "counting"
        }

        fn verify<'a>(
            &'a self,
            pairs: &'a [Pair],
        ) -> PortFuture<'a, Result<Vec<Checked>, VerifyFailure>> {
            OverlapVerifier.verify(pairs)
        }

        fn verify_counted<'a>(
            &'a self,
            pairs: &'a [Pair],
        ) -> PortFuture<'a, Result<Verified, VerifyFailure>> {
            Box::pin(async move {
                self.0.lock().unwrap().push(pairs.len());
                let usage = Usage { input_tokens: pairs.len() as u64, ..Usage::default() };
                Ok(Verified { results: self.verify(pairs).await?, usage })
            })
        }

        fn contradictions<'a>(
            &'a self,
            texts: &'a [Said],
        ) -> PortFuture<'a, Result<Vec<Contradiction>, VerifyFailure>> {
            OverlapVerifier.contradictions(texts)
        }
    }

    fn pair(claim: &str, evidence: &[&str]) -> Pair {
        Pair {
            claim: claim.to_owned(),
            evidence: evidence.iter().map(|text| (*text).to_owned()).collect(),
            above: vec![],
        }
    }

    #[test]
    fn the_same_pair_is_asked_about_once() {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let verifier = RememberingVerifier::new(Box::new(Counting(Arc::clone(&asked))));
        let first = [
            pair("The crane lifts 40 t.", &["The crane lifts 40 t."]),
            pair("The quay is old.", &["The quay was built in 1911."]),
            pair("The crane lifts 40 t.", &["The crane lifts 40 t."]),
        ];
        let once = block_on(verifier.verify_counted(&first)).unwrap();
        assert_eq!((once.results.len(), once.usage.input_tokens), (3, 2));
        assert_eq!(once.results, block_on(OverlapVerifier.verify(&first)).unwrap());
        let again = block_on(verifier.verify_counted(&first)).unwrap();
        assert_eq!(again.results, once.results);
        assert!(again.usage.is_nothing());
        // Other evidence, and the same words cut otherwise, are other pairs.
        let mut other = [pair("The quay is old.", &["The quay was", "built in 1911."])];
        block_on(verifier.verify(&other)).unwrap();
        other[0].above.push("Quays".to_owned());
        block_on(verifier.verify(&other)).unwrap();
        assert_eq!(*asked.lock().unwrap(), [2, 1, 1]);
    }

    #[test]
    fn what_could_not_be_judged_is_asked_again_and_the_oldest_is_forgotten() {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let mut verifier = RememberingVerifier::new(Box::new(Counting(Arc::clone(&asked))));
        verifier.most = 1;
        let wordless = [pair("...", &["The crane lifts 40 t."])];
        for _ in 0..2 {
            let checked = block_on(verifier.verify(&wordless)).unwrap();
            assert!(matches!(checked[0], Checked::Unchecked { .. }));
        }
        let (a, b) = ([pair("Cranes lift.", &["a"])], [pair("Quays hold.", &["b"])]);
        for pairs in [&a, &b, &b, &a] {
            block_on(verifier.verify(pairs)).unwrap();
        }
        assert_eq!(asked.lock().unwrap().len(), 5);
    }
}
