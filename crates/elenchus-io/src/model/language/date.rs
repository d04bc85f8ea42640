//! Dates in HTTP headers.

use std::time::{Duration, SystemTime};

use reqwest::header::HeaderMap;

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Seconds since 1970 of an HTTP date in any of its three forms (RFC 9110, section 5.6.7).
///
/// `None` for anything else. A two-digit year below 70 is taken as 20xx.
pub(crate) fn http_date(text: &str) -> Option<i64> {
    let words: Vec<&str> = text.split([' ', '-']).filter(|word| !word.is_empty()).collect();
    let (day, month, year, clock) = match words.as_slice() {
        // `Sun, 06 Nov 1994 08:49:37 GMT` and `Sunday, 06-Nov-94 08:49:37 GMT`
        [name, day, month, year, clock, "GMT"] if name.ends_with(',') => (day, month, year, clock),
        // `Sun Nov  6 08:49:37 1994`
        [_, month, day, clock, year] => (day, month, year, clock),
        _ => return None,
    };
    let month = (1..).zip(MONTHS).find(|(_, name)| name == month)?.0;
    let day = number(day).filter(|day| (1..=31).contains(day))?;
    let year = match (year.len(), number(year)?) {
        (4, year) => year,
        (2, year) if year < 70 => 2000 + year,
        (2, year) => 1900 + year,
        _ => return None,
    };
    let mut parts = clock.split(':').map(number);
    let (hour, minute, second) = (parts.next()??, parts.next()??, parts.next()??);
    if parts.next().is_some() || hour > 23 || minute > 59 || second > 60 || year < 1970 {
        return None;
    }
    Some(days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second)
}

fn number(text: &str) -> Option<i64> {
    let plain = !text.is_empty() && text.len() <= 4 && text.bytes().all(|b| b.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}

/// Days from 1970-01-01 in the Gregorian calendar: leap days are counted by years that begin in March.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year / 4 - year / 100 + year / 400;
    // 153 days are the five months from March to July, and from August to December.
    365 * year + leap_days + (153 * month + 2) / 5 + day - 1 - 719_468
}

/// Seconds since 1970 by this machine's clock.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

/// The server's clock, if it says.
pub(crate) fn server_time(headers: &HeaderMap) -> Option<i64> {
    http_date(headers.get("date")?.to_str().ok()?)
}

/// How long the server asks to wait: `retry-after-ms`, or `retry-after` in seconds or as a date.
///
/// A date is compared with the server's own clock where it tells it, so that a wrong clock here does no harm.
/// A date in the past means no wait.
pub(crate) fn asked_wait(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let quantity = |text: &str, unit: f64| {
        let plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        let value = text.parse::<f64>().ok().filter(|_| plain)?;
        Duration::try_from_secs_f64(value * unit).ok()
    };
    if let Some(wait) = text("retry-after-ms").and_then(|text| quantity(text, 0.001)) {
        return Some(wait);
    }
    let asked = text("retry-after")?;
    quantity(asked, 1.0).or_else(|| {
        let until = http_date(asked)?;
        let wait = until.saturating_sub(server_time(headers).unwrap_or_else(now));
        Some(Duration::from_secs(u64::try_from(wait).unwrap_or(0)))
    })
}
