//! Intervals for shares.

/// The 95 % Wilson interval of `hits` out of `n`, 0 to 1.
pub(crate) fn wilson(hits: usize, n: usize) -> (f64, f64) {
    wilson_of(hits as f64, n)
}

/// The same where a hit may be shared: two that tie at the top are half right each.
pub(crate) fn wilson_of(hits: f64, n: usize) -> (f64, f64) {
    if n == 0 {
        return (0.0, 1.0);
    }
    let (p, n, z) = (hits / n as f64, n as f64, 1.959_964);
    let centre = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    ((centre - half).max(0.0), (centre + half).min(1.0))
}

/// "92.3 % [88.1, 95.2] (181/196)".
pub(crate) fn share(hits: usize, n: usize) -> String {
    let (low, high) = wilson(hits, n);
    let percent = if n == 0 { 0.0 } else { 100.0 * hits as f64 / n as f64 };
    format!("{percent:.1} % [{:.1}, {:.1}] ({hits}/{n})", 100.0 * low, 100.0 * high)
}

#[cfg(test)]
mod tests {
    #[test]
    fn wilson_holds_the_share() {
        let (low, high) = super::wilson(9, 10);
        assert!(low < 0.9 && 0.9 < high && high < 1.0 && low > 0.5);
        assert!(super::wilson(0, 0).1 > 0.99);
    }
}
