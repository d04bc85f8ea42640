//! `elenchus version`: what this build is, for people who report a fault and for programs that pack it.

use crate::cli::VersionArgs;
use crate::error::Result;
use crate::ui::terminal::Terminal;
use crate::wire;
use elenchus_core::{journal, trace};
use elenchus_io::ingest::EXTRACTION_VERSION;
use elenchus_io::store::SCHEMA_VERSION;
use serde::Serialize;

/// What was compiled, and what it reads and writes.
#[derive(Debug, Serialize)]
pub(super) struct Build {
    version: &'static str,
    /// The commit, where whoever built it said which one that was (`ELENCHUS_REVISION`).
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<&'static str>,
    licence: &'static str,
    target: Target,
    /// Whether it is checked for faults while it runs, and slow.
    debug: bool,
    /// What is compiled in beside the ordinary parts.
    features: Vec<&'static str>,
    /// The relations of a store: runs, memory and memos are one file.
    store_schema: i64,
    journal_format: u32,
    trace_schema: u32,
    /// Documents that an earlier version has read are read anew.
    extraction: u32,
    /// What judges statements unless told otherwise, and what its figures are made with.
    verifier: String,
    calibration: String,
}

#[derive(Debug, Serialize)]
struct Target {
    arch: &'static str,
    os: &'static str,
    /// The C library, or what stands for it.
    environment: &'static str,
}

impl Build {
    pub(super) fn this() -> Self {
        let judging = wire::judging_builtin();
        Self {
            version: env!("CARGO_PKG_VERSION"),
            revision: option_env!("ELENCHUS_REVISION").filter(|text| is_revision(text)),
            licence: env!("CARGO_PKG_LICENSE"),
            target: Target {
                arch: std::env::consts::ARCH,
                os: std::env::consts::OS,
                environment: environment(),
            },
            debug: cfg!(debug_assertions),
            features: features(),
            store_schema: SCHEMA_VERSION,
            journal_format: journal::FORMAT,
            trace_schema: trace::SCHEMA,
            extraction: EXTRACTION_VERSION,
            verifier: judging.verifier,
            calibration: judging.calibration.version,
        }
    }

    fn told(&self) -> String {
        let revision = self.revision.map(|text| format!(" ({text})")).unwrap_or_default();
        let kind = if self.debug { ", not optimised" } else { "" };
        let features = if self.features.is_empty() {
            "none beside the ordinary ones".to_owned()
        } else {
            self.features.join(", ")
        };
        let Target { arch, os, environment } = self.target;
        let environment =
            if environment.is_empty() { String::new() } else { format!(", {environment}") };
        format!(
            "elenchus {}{revision}\n\
             target:    {arch} {os}{environment}{kind}\n\
             features:  {features}\n\
             store:     schema {}, journal format {}, trace schema {}\n\
             documents: extraction {}\n\
             verifier:  {}, calibration {}\n\
             licence:   {}\n",
            self.version,
            self.store_schema,
            self.journal_format,
            self.trace_schema,
            self.extraction,
            self.verifier,
            self.calibration,
            self.licence
        )
    }
}

pub(super) fn run(args: &VersionArgs, terminal: &Terminal) -> Result<()> {
    let build = Build::this();
    if args.json { terminal.print_json(&build) } else { terminal.print(&build.told()) }
}

/// Whether a text can name a commit: what a build is told is shown and sent as it is.
fn is_revision(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '+');
    !text.is_empty() && text.len() <= 64 && text.chars().all(plain)
}

fn environment() -> &'static str {
    if cfg!(target_env = "gnu") {
        "gnu"
    } else if cfg!(target_env = "musl") {
        "musl"
    } else if cfg!(target_env = "msvc") {
        "msvc"
    } else {
        ""
    }
}

/// The features of the build, in order of their names.
fn features() -> Vec<&'static str> {
    [
        ("conformance-fixtures", cfg!(feature = "conformance-fixtures")),
        ("crash-points", cfg!(feature = "crash-points")),
        ("onnx", cfg!(feature = "onnx")),
        ("otel", cfg!(feature = "otel")),
        ("postgres", cfg!(feature = "postgres")),
        ("qdrant", cfg!(feature = "qdrant")),
        ("restate", cfg!(feature = "restate")),
    ]
    .into_iter()
    .filter_map(|(name, is_in)| is_in.then_some(name))
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_is_a_plain_word() {
        for good in ["0bd9e2", "v0.1.0-3-g0bd9e2", "0bd9e2+local"] {
            assert!(is_revision(good), "{good}");
        }
        let long = "a".repeat(65);
        for odd in ["", "two words", "a\nb", "a;b", long.as_str()] {
            assert!(!is_revision(odd), "{odd}");
        }
    }

    #[test]
    fn every_feature_of_the_manifest_is_told() {
        let manifest = include_str!("../../Cargo.toml");
        let (_, rest) = manifest.split_once("[features]\n").expect("it has features");
        let (table, _) = rest.split_once("\n[").expect("another table follows");
        let named = table.lines().filter_map(|line| line.split_once(" = ").map(|(name, _)| name));
        // "default" names those that are in unless somebody wants them out.
        let is_one = |name: &&str| !name.starts_with('#') && *name != "default";
        let mut named: Vec<&str> = named.filter(is_one).collect();
        named.sort_unstable();
        let source = include_str!("version.rs");
        let told: Vec<&str> = named
            .iter()
            .copied()
            .filter(|name| source.contains(&format!("(\"{name}\", cfg!(feature = \"{name}\"))")))
            .collect();
        assert_eq!(told, named);
    }
}
