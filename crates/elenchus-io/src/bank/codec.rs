//! What is kept of a text's words and sense, as bytes of a column.

use crate::texts::Written;

/// Counted terms: number and count each, little-endian.
pub(super) fn terms_to_bytes(written: &Written) -> Vec<u8> {
    written
        .terms
        .iter()
        .flat_map(|(term, count)| {
            let mut bytes = [0_u8; 12];
            bytes[..8].copy_from_slice(&term.to_le_bytes());
            bytes[8..].copy_from_slice(&count.to_le_bytes());
            bytes
        })
        .collect()
}

/// Vectors: the worth of a step and the numbers each.
pub(super) fn vectors_to_bytes(written: &Written) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (numbers, step) in &written.vectors {
        bytes.extend_from_slice(&step.to_le_bytes());
        bytes.extend(numbers.iter().map(|number| number.cast_unsigned()));
    }
    bytes
}

/// Both again, for vectors of `dimensions` numbers. Bytes that are no whole entry are left out.
pub(super) fn from_bytes(terms: &[u8], vectors: &[u8], dimensions: usize) -> Written {
    let (entries, _) = terms.as_chunks::<12>();
    let terms = entries
        .iter()
        .filter_map(|entry| {
            let term = u64::from_le_bytes(*entry.first_chunk()?);
            let count = f32::from_le_bytes(*entry.last_chunk()?);
            (count.is_finite() && count > 0.0).then_some((term, count))
        })
        .collect();
    let vectors = if dimensions == 0 {
        Vec::new()
    } else {
        vectors
            .chunks_exact(dimensions + 4)
            .filter_map(|entry| {
                let step = f32::from_le_bytes(*entry.first_chunk()?);
                let numbers = entry.get(4..)?.iter().map(|byte| byte.cast_signed()).collect();
                step.is_finite().then_some((numbers, step))
            })
            .collect()
    };
    Written { terms, vectors }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_is_read_again(
            terms in prop::collection::vec((any::<u64>(), 0.5_f32..9.0), 0..20),
            vectors in prop::collection::vec((prop::collection::vec(any::<i8>(), 8), 0.0_f32..1.0), 0..4),
        ) {
            let written = Written { terms, vectors };
            let again = from_bytes(&terms_to_bytes(&written), &vectors_to_bytes(&written), 8);
            prop_assert_eq!(again, written);
        }

        #[test]
        fn any_bytes_are_read(terms: Vec<u8>, vectors: Vec<u8>, dimensions in 0_usize..40) {
            let _ = from_bytes(&terms, &vectors, dimensions);
        }
    }
}
