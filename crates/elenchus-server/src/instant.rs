//! Times as other programs read them.

use elenchus_core::id::Timestamp;

/// RFC 3339 in UTC, with milliseconds: `2026-11-22T12:00:00.000Z`.
pub fn iso(at: Timestamp) -> String {
    let (days, millis) = (at.0.div_euclid(86_400_000), at.0.rem_euclid(86_400_000));
    // Counted in eras of 400 years that begin on 1 March, so that a leap day is the last of its year.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    let (hour, minute) = (millis / 3_600_000, millis / 60_000 % 60);
    let (second, rest) = (millis / 1_000 % 60, millis % 1_000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{rest:03}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_instants() {
        assert_eq!(iso(Timestamp(0)), "1970-01-01T00:00:00.000Z");
        assert_eq!(iso(Timestamp(1_709_210_096_789)), "2024-02-29T12:34:56.789Z");
        assert_eq!(iso(Timestamp(-1)), "1969-12-31T23:59:59.999Z");
        assert_eq!(iso(Timestamp(951_782_400_000)), "2000-02-29T00:00:00.000Z");
    }
}
