//! Sources that are one: copies share a cluster, and what agrees is discounted.

use std::collections::BTreeMap;

/// The independent sources behind a figure: cluster, and what its strongest passage for and against adds and takes, in
/// natural log-odds.
pub(crate) type Clusters<K> = BTreeMap<K, (f64, f64)>;

/// Within a cluster only the strongest for and the strongest against count, so that a copy changes nothing.
pub(crate) fn clusters<K: Ord>(weights: impl Iterator<Item = (K, f64)>) -> Clusters<K> {
    let mut clusters = Clusters::new();
    for (cluster, weight) in weights {
        let (up, down) = clusters.entry(cluster).or_insert((0.0, 0.0));
        *up = up.max(weight);
        *down = down.min(weight);
    }
    clusters
}

/// What each independent source adds or takes once the further ones are discounted, those for first: cluster, part, and
/// the share at which it counts. Each further source of a side counts `discount` times the one before it. The sum of
/// either side grows with every source and every weight, and the order of the passages does not matter.
pub(crate) fn counted<K: Ord + Copy>(clusters: &Clusters<K>, discount: f64) -> Vec<(K, f64, f64)> {
    let mut parts = Vec::new();
    for for_it in [true, false] {
        let mut side: Vec<(K, f64)> = clusters
            .iter()
            .map(|(cluster, (up, down))| (*cluster, if for_it { *up } else { *down }))
            .filter(|(_, weight)| weight.abs() > 0.0)
            .collect();
        side.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then_with(|| a.0.cmp(&b.0)));
        let mut share = 1.0;
        for (cluster, weight) in side {
            parts.push((cluster, weight * share, share));
            share *= discount;
        }
    }
    parts
}
