//! Points in time for people, in UTC so that every machine shows the same.

/// `2026-05-04 13:09:41 UTC` for milliseconds since the Unix epoch.
pub(crate) fn shown(millis: i64) -> String {
    let seconds = millis.div_euclid(1000);
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = civil(days);
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

/// Year, month and day of a day since 1970-01-01. Eras of 400 years begin on 1 March, so that a leap day is
/// the last of its year.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
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
