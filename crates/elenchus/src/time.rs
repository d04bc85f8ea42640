//! Points in time for people, in UTC so that every machine shows the same.

use elenchus_core::evidence::PartialDate;
use elenchus_core::id::Timestamp;

/// `2026-05-04 13:09:41 UTC` for milliseconds since the Unix epoch.
pub(crate) fn shown(millis: i64) -> String {
    let seconds = millis.div_euclid(1000);
    let rest = seconds.rem_euclid(86_400);
    let PartialDate { year, month, day, .. } = PartialDate::of_timestamp(Timestamp(millis));
    format!(
        "{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02} UTC",
        rest / 3600,
        rest / 60 % 60,
        rest % 60
    )
}

/// A duration in the unit that a person would use.
pub(crate) fn lasted(millis: u64) -> String {
    match millis {
        0..1000 => format!("{millis} ms"),
        1000..60_000 => format!("{:.1} s", millis as f64 / 1000.0),
        _ => format!("{} min {} s", millis / 60_000, millis / 1000 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_days() {
        assert_eq!(shown(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(shown(951_782_400_000), "2000-02-29 00:00:00 UTC");
        assert_eq!(shown(1_777_900_181_999), "2026-05-04 13:09:41 UTC");
        assert_eq!(shown(-1), "1969-12-31 23:59:59 UTC");
    }

    #[test]
    fn durations() {
        assert_eq!(lasted(12), "12 ms");
        assert_eq!(lasted(1550), "1.6 s");
        assert_eq!(lasted(61_000), "1 min 1 s");
    }
}
