//! The files beside the pages: in the binary, named by what they hold, so that a browser may keep them.

use elenchus_core::chart;
use elenchus_core::id::short_hash;
use std::sync::LazyLock;

/// A file as it is sent.
#[derive(Clone, Debug)]
pub struct Asset {
    /// Its name in the address.
    pub name: &'static str,
    /// Its media type.
    pub kind: &'static str,
    /// What it holds.
    pub body: String,
    /// Changes with what it holds; also its entity tag.
    pub version: String,
}

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    // The colours of charts follow the page's; what is last holds.
    let style = format!(
        "{}\n{}\n{}",
        chart::STYLE,
        include_str!("assets/style.css"),
        include_str!("assets/run.css")
    );
    let asset = |name, kind, body: String| {
        let version = short_hash(body.as_bytes(), 12);
        Asset { name, kind, body, version }
    };
    vec![
        asset("style.css", "text/css; charset=utf-8", style),
        asset(
            "live.js",
            "text/javascript; charset=utf-8",
            include_str!("assets/live.js").to_owned(),
        ),
        asset("icon.svg", "image/svg+xml", include_str!("assets/icon.svg").to_owned()),
    ]
});

/// The asset of a name.
pub fn of(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.name == name)
}

/// Where a page finds an asset.
pub(super) fn address(name: &str) -> String {
    match of(name) {
        Some(asset) => format!("/assets/{name}?v={}", asset.version),
        None => format!("/assets/{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The content policy forbids what these would need.
    #[test]
    fn nothing_remote_and_nothing_evaluated() {
        for asset in ASSETS.iter() {
            let names_svg = asset.body.replace("http://www.w3.org/2000/svg", "");
            for forbidden in
                ["http://", "https://", "eval(", "new Function", "@import", "innerHTML"]
            {
                assert!(!names_svg.contains(forbidden), "{}: {forbidden}", asset.name);
            }
        }
        assert!(address("style.css").starts_with("/assets/style.css?v="));
    }
}
