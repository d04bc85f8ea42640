//! How much of everything one PDF may take.

use super::damaged;
use crate::ingest::format::ExtractError;
use std::time::{Duration, Instant};

/// Most times its own length that a file may unpack to.
const MOST_RATIO: usize = 100;
/// Bytes that any file may unpack to, however small it is.
const ANY: usize = 8 << 20;
/// Bytes that a file of the web may unpack to; a larger one of a folder may unpack to [`LARGE`] times its length.
const MOST: usize = 128 << 20;
const LARGE: usize = 8;
/// Most numbers, names and strings of which a file's objects are.
const MOST_PARTS: usize = 3_000_000;

/// What is left for one file.
#[derive(Debug)]
pub(super) struct Room {
    /// Bytes that its objects may be looked through.
    pub(super) walk: usize,
    parts: usize,
    most_parts: usize,
    bytes: usize,
    most: usize,
}

/// When reading one file has to be done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    until: Instant,
    limit: Duration,
}

impl Clock {
    /// From now on for that long.
    pub(super) fn of(limit: Duration) -> Self {
        Self { until: Instant::now() + limit, limit }
    }

    pub(super) fn has_run_out(self) -> bool {
        Instant::now() >= self.until
    }

    pub(super) fn too_slow(self) -> ExtractError {
        ExtractError::TooSlow { seconds: self.limit.as_secs() }
    }
}

impl Room {
    /// For a file of so many bytes.
    pub(super) fn of(length: usize) -> Self {
        let most =
            length.saturating_mul(MOST_RATIO).clamp(ANY, MOST.max(length.saturating_mul(LARGE)));
        let most_parts = MOST_PARTS.min(length.saturating_add(100_000));
        Self {
            walk: length.saturating_mul(4).saturating_add(1 << 20),
            parts: most_parts,
            most_parts,
            bytes: most,
            most,
        }
    }

    /// The same with nothing unpacked yet.
    pub(super) fn afresh(&self) -> Self {
        Self { bytes: self.most, ..*self }
    }

    /// Bytes that the objects taken so far are worth, where each part takes so many.
    pub(super) fn worth(&self, part: usize) -> usize {
        (self.most_parts - self.parts).saturating_mul(part).saturating_add(self.most - self.bytes)
    }

    /// Bytes that may still be unpacked.
    pub(super) fn bytes_left(&self) -> usize {
        self.bytes
    }

    /// An object of so many bytes and parts.
    pub(super) fn take_object(&mut self, bytes: usize, parts: usize) -> Result<(), ExtractError> {
        let (Some(walk), Some(parts)) =
            (self.walk.checked_sub(bytes), self.parts.checked_sub(parts))
        else {
            return Err(damaged("it has more objects than a file of its size, or they overlap"));
        };
        (self.walk, self.parts) = (walk, parts);
        Ok(())
    }

    /// So many unpacked bytes; `None` stands for too many.
    pub(super) fn take_bytes(&mut self, bytes: Option<usize>) -> Result<(), ExtractError> {
        match bytes.and_then(|bytes| self.bytes.checked_sub(bytes)) {
            Some(left) => {
                self.bytes = left;
                Ok(())
            }
            None => Err(self.exceeded()),
        }
    }

    /// That the file unpacks to more than it may.
    pub(super) fn exceeded(&self) -> ExtractError {
        ExtractError::TooLarge { format: "PDF", megabytes: (self.most >> 20) as u64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_grows_with_the_file_up_to_a_bound() {
        let most = |length| Room::of(length).bytes_left();
        assert_eq!((most(0), most(1_000)), (8 << 20, 8 << 20));
        assert_eq!(most(1 << 20), 100 << 20);
        assert_eq!((most(8 << 20), most(64 << 20)), (128 << 20, 512 << 20));
        let mut room = Room::of(10);
        assert!(room.take_object(1, 100_011).is_err() && room.take_object(1, 100_010).is_ok());
        assert!(room.take_object(1, 1).is_err());
        room.take_bytes(Some(8 << 20)).unwrap();
        let refused = room.take_bytes(Some(1)).unwrap_err().to_string();
        assert!(refused.contains("unpacks to more than 8 MB"), "{refused}");
    }
}
