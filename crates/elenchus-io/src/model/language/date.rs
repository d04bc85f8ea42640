//! Dates in HTTP headers.

use std::time::{Duration, SystemTime};

use reqwest::header::HeaderMap;

/// Seconds since 1970 of an HTTP date in any of its three forms (RFC 9110, section 5.6.7); `None` for anything else.
pub(crate) fn http_date(text: &str) -> Option<i64> {
    let since =
        httpdate::parse_http_date(text).ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_secs()).ok()
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
