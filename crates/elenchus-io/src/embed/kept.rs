//! What was computed is remembered, up to a bound; when that is reached all is dropped: nothing depends on what is kept.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

/// At most `most` values by their keys, shared between threads.
pub(crate) struct Kept<K, V> {
    most: usize,
    known: Mutex<HashMap<K, V>>,
}

impl<K: Hash + Eq, V: Clone> Kept<K, V> {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, known: Mutex::default() }
    }

    /// The value of a key, computed where it is not known; a failure is not remembered. Others go on meanwhile: two
    /// that ask for the same at once both compute it.
    pub(crate) fn get_or<Q, E>(
        &self,
        key: &Q,
        compute: impl FnOnce() -> Result<V, E>,
    ) -> Result<V, E>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ToOwned<Owned = K> + ?Sized,
    {
        let kept = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned();
        if let Some(kept) = kept {
            return Ok(kept);
        }
        let value = compute()?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= self.most {
            known.clear();
        }
        known.insert(key.to_owned(), value.clone());
        Ok(value)
    }

    /// Drops everything.
    #[cfg(test)]
    pub(crate) fn clear(&self) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_computed_once_until_too_many_are_known() {
        let kept: Kept<String, usize> = Kept::new(2);
        let mut computed = 0;
        for key in ["a", "a", "b", "a", "c", "a"] {
            let value = kept.get_or(key, || {
                computed += 1;
                Ok::<_, ()>(key.len())
            });
            assert_eq!(value, Ok(1));
        }
        // The third key drops the two before it, so the first is computed anew.
        assert_eq!(computed, 4);
        assert_eq!(kept.get_or("d", || Err("no")), Err("no"));
        assert_eq!(kept.get_or("d", || Ok::<_, ()>(7)), Ok(7), "a failure is not remembered");
    }
}
