//! The Beta distribution: its distribution function and quantiles, to about twelve digits.
//!
//! Core has no statistics crate, and needs one family only. Everything here is a finite computation on `f64` without
//! tables, so the same shapes give the same digits on every machine.

use serde::{Deserialize, Serialize};

/// Shapes are kept at least this far from 0, where the distribution has no density.
const LEAST_SHAPE: f64 = 1e-6;
/// Halvings of a bracket in `[0, 1]`: the last one is narrower than the spacing of `f64` near 1.
const HALVINGS: usize = 60;
/// Terms of the continued fraction; it converges after about the square root of the larger shape.
const TERMS: usize = 10_000;

/// A belief about a rate in `[0, 1]`, as the Beta distribution with these shapes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Posterior {
    /// What speaks for it, in observations; above 0.
    pub alpha: f64,
    /// What speaks against it, in observations; above 0.
    pub beta: f64,
}

impl Posterior {
    /// The distribution with these shapes. What is no number or not above 0 counts as just above 0.
    pub fn new(alpha: f64, beta: f64) -> Self {
        let shape = |x: f64| if x.is_finite() { x.max(LEAST_SHAPE) } else { LEAST_SHAPE };
        Self { alpha: shape(alpha), beta: shape(beta) }
    }

    /// `alpha / (alpha + beta)`, in `(0, 1)`.
    pub fn mean(&self) -> f64 {
        self.alpha / (self.alpha + self.beta)
    }

    /// `alpha + beta`, in observations, the prior's included.
    pub fn strength(&self) -> f64 {
        self.alpha + self.beta
    }

    /// The standard deviation.
    pub fn deviation(&self) -> f64 {
        let sum = self.strength();
        (self.alpha * self.beta / (sum * sum * (sum + 1.0))).sqrt()
    }

    /// The middle 90 %: quantiles at 5 % and 95 %.
    pub fn interval(&self) -> (f64, f64) {
        (self.quantile(0.05), self.quantile(0.95))
    }

    /// The probability that the rate is at most `x`: the regularised incomplete beta function.
    pub fn at_most(&self, x: f64) -> f64 {
        regularised(self.alpha, self.beta, x)
    }

    /// The rate below which the share `p` of the belief lies. `p` is kept in `[0, 1]`; what is no number counts as 0.
    pub fn quantile(&self, p: f64) -> f64 {
        if p.is_nan() || p <= 0.0 {
            return 0.0;
        }
        if p >= 1.0 {
            return 1.0;
        }
        // Halving alone: the function is monotone, and a Newton step gains little against sixty cheap evaluations
        // while it fails for shapes below 1, where the density is infinite at an end.
        let (mut low, mut high) = (0.0f64, 1.0f64);
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            if self.at_most(middle) < p {
                low = middle;
            } else {
                high = middle;
            }
        }
        f64::midpoint(low, high)
    }
}

/// The logarithm of the gamma function for `x > 0`: Stirling's series after shifting `x` to at least 10 by
/// `gamma(x + 1) = x gamma(x)`. The first term left out is below 1e-13.
pub(super) fn ln_gamma(x: f64) -> f64 {
    let mut shifted = x;
    let mut product = 1.0f64;
    while shifted < 10.0 {
        product *= shifted;
        shifted += 1.0;
    }
    let inverse = 1.0 / shifted;
    let square = inverse * inverse;
    // B(2k) / (2k (2k - 1)) for k = 1 to 6, with B the Bernoulli numbers.
    let series =
        [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360_360.0];
    let correction = series.iter().rev().fold(0.0, |sum, term| sum * square + term) * inverse;
    let half_ln_tau = 0.5 * std::f64::consts::TAU.ln();
    (shifted - 0.5) * shifted.ln() - shifted + half_ln_tau + correction - product.ln()
}

/// The regularised incomplete beta function `I_x(a, b)`: 0 at `x <= 0`, 1 at `x >= 1`.
fn regularised(a: f64, b: f64, x: f64) -> f64 {
    if x.is_nan() || x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    // The fraction converges fast below the mean; above it, the symmetry I_x(a, b) = 1 - I_{1-x}(b, a) helps.
    if x > (a + 1.0) / (a + b + 2.0) {
        return (1.0 - lower_tail(b, a, 1.0 - x)).clamp(0.0, 1.0);
    }
    lower_tail(a, b, x).clamp(0.0, 1.0)
}

/// `I_x(a, b)` by its continued fraction, evaluated from the front by the method of Lentz.
fn lower_tail(a: f64, b: f64, x: f64) -> f64 {
    let front =
        ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p() - a.ln();
    // Lentz divides by running convergents, which must never be 0.
    let nonzero = |y: f64| if y.abs() < 1e-300 { 1e-300 } else { y };
    let mut numerator = 1.0f64;
    let mut denominator = 1.0 / nonzero(1.0 - (a + b) * x / (a + 1.0));
    let mut value = denominator;
    for term in 1..TERMS {
        let m = term as f64;
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        denominator = 1.0 / nonzero(1.0 + even * denominator);
        numerator = nonzero(1.0 + even / numerator);
        value *= denominator * numerator;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        denominator = 1.0 / nonzero(1.0 + odd * denominator);
        numerator = nonzero(1.0 + odd / numerator);
        let step = denominator * numerator;
        value *= step;
        if (step - 1.0).abs() < 1e-15 {
            break;
        }
    }
    front.exp() * value
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(a: f64, b: f64, within: f64) {
        assert!((a - b).abs() <= within, "{a} is not {b}");
    }

    #[test]
    fn gamma_of_whole_and_half_numbers() {
        let mut factorial = 1.0f64;
        for n in 1..20u32 {
            close(ln_gamma(f64::from(n)), factorial.ln(), 1e-12);
            factorial *= f64::from(n);
        }
        // gamma(1/2) = sqrt(pi); gamma(5/2) = 3/4 sqrt(pi).
        let root = std::f64::consts::PI.sqrt();
        close(ln_gamma(0.5), root.ln(), 1e-12);
        close(ln_gamma(2.5), (0.75 * root).ln(), 1e-12);
        close(ln_gamma(1e-6), 13.815_509_980_749_43, 1e-9);
    }

    #[test]
    fn distribution_where_it_is_a_polynomial() {
        // Beta(1, 1) is uniform, Beta(n, 1) is x^n, Beta(2, 2) is 3x^2 - 2x^3, Beta(1/2, 1/2) is the arcsine law.
        for x in [0.001, 0.1, 0.3, 0.5, 0.77, 0.999] {
            close(Posterior::new(1.0, 1.0).at_most(x), x, 1e-13);
            close(Posterior::new(5.0, 1.0).at_most(x), x.powi(5), 1e-13);
            close(Posterior::new(1.0, 4.0).at_most(x), 1.0 - (1.0 - x).powi(4), 1e-13);
            close(Posterior::new(2.0, 2.0).at_most(x), 3.0 * x * x - 2.0 * x * x * x, 1e-13);
            let arcsine = 2.0 / std::f64::consts::PI * x.sqrt().asin();
            close(Posterior::new(0.5, 0.5).at_most(x), arcsine, 1e-12);
        }
    }

    #[test]
    fn quantiles_that_can_be_told_by_hand() {
        close(Posterior::new(1.0, 1.0).quantile(0.05), 0.05, 1e-12);
        close(Posterior::new(3.0, 1.0).quantile(0.05), 0.05f64.cbrt(), 1e-12);
        close(Posterior::new(1.0, 3.0).quantile(0.95), 1.0 - 0.05f64.cbrt(), 1e-12);
        close(Posterior::new(4.2, 4.2).quantile(0.5), 0.5, 1e-12);
        let (low, high) = Posterior::new(3.2, 0.8).interval();
        assert!(low < 0.8 && 0.8 < high && low > 0.3 && high < 1.0, "{low} {high}");
    }

    #[test]
    fn nothing_stops_it() {
        let odd = [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e-300, 1e12];
        for alpha in odd {
            for beta in odd {
                let posterior = Posterior::new(alpha, beta);
                for p in [f64::NAN, -1.0, 0.0, 0.05, 0.5, 1.0, 7.0] {
                    let quantile = posterior.quantile(p);
                    assert!((0.0..=1.0).contains(&quantile), "{alpha} {beta} {p}: {quantile}");
                }
                assert!((0.0..=1.0).contains(&posterior.mean()));
            }
        }
    }

    proptest! {
        #[test]
        fn quantile_is_the_inverse(a in 0.05f64..200.0, b in 0.05f64..200.0, p in 0.001f64..0.999) {
            let posterior = Posterior::new(a, b);
            let x = posterior.quantile(p);
            // Near an end a shape below 1 makes the function so steep that no f64 lies between.
            if x > 1e-9 && x < 1.0 - 1e-9 {
                prop_assert!((posterior.at_most(x) - p).abs() < 1e-6, "{} {}", x, posterior.at_most(x));
            }
        }

        #[test]
        fn both_ends_mirror(a in 0.05f64..200.0, b in 0.05f64..200.0, x in 0.0f64..1.0) {
            let here = Posterior::new(a, b).at_most(x);
            let there = Posterior::new(b, a).at_most(1.0 - x);
            prop_assert!((here + there - 1.0).abs() < 1e-9);
        }

        #[test]
        fn more_is_never_less(a in 0.05f64..50.0, b in 0.05f64..50.0, x in 0.0f64..1.0, y in 0.0f64..1.0) {
            let posterior = Posterior::new(a, b);
            let (low, high) = if x < y { (x, y) } else { (y, x) };
            prop_assert!(posterior.at_most(low) <= posterior.at_most(high) + 1e-12);
        }
    }
}
