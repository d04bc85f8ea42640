//! A reliability diagram for a terminal.

use crate::metrics::Bin;
use std::fmt::Write;

/// Places of the scale from 0 to 1.
const WIDTH: usize = 41;

/// A line a bin: what was said, the share that was supported, how many pairs, and both on a scale from 0 to 1.
pub(super) fn plot(bins: &[Bin]) -> String {
    let place = |p: f64| (p.clamp(0.0, 1.0) * (WIDTH - 1) as f64).round() as usize;
    let mut out = format!(
        "   said   seen   pairs  0{:>half$}{:>half$}   | said, o seen, # both\n",
        "0.5",
        "1",
        half = (WIDTH - 1) / 2
    );
    for bin in bins {
        let (said, seen) = (place(bin.confidence), place(bin.accuracy));
        let line: String = (0..WIDTH)
            .map(|at| match at {
                _ if at == said && at == seen => '#',
                _ if at == said => '|',
                _ if at == seen => 'o',
                _ if at > said.min(seen) && at < said.max(seen) => '-',
                _ => ' ',
            })
            .collect();
        let _ = writeln!(
            out,
            "  {:5.2}  {:5.2}  {:6}  {}",
            bin.confidence,
            bin.accuracy,
            bin.n,
            line.trim_end()
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_and_what_was_seen_stand_on_one_scale() {
        let bin = |confidence, accuracy| Bin { confidence, accuracy, n: 7 };
        let drawn = plot(&[bin(0.0, 0.1), bin(0.5, 0.5), bin(1.0, 0.9)]);
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(lines.len(), 4);
        let scale = |line: &str| line.chars().skip(24).collect::<String>();
        assert_eq!(scale(lines[1]), "|---o");
        assert_eq!(scale(lines[2]), format!("{}#", " ".repeat(20)));
        assert_eq!(scale(lines[3]), format!("{}o---|", " ".repeat(36)));
        // The marks of the head stand over the places that they name.
        assert_eq!(scale(lines[0]).find("0.5"), Some(18));
        assert_eq!(scale(lines[0]).find('1'), Some(40));
    }
}
