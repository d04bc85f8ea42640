//! Reports to keep.

use super::Api;
use super::lists::answer_of;
use super::problem::Problem;
use super::reply::{JSON, Reply};
use super::research::run_of;
use super::table::{Call, Route};
use crate::wire::{answer_json, package};
use axum::http::header::CONTENT_DISPOSITION;
use axum::http::{Method, StatusCode};
use elenchus_core::answer::{
    to_bibtex, to_csl_json, to_csv, to_html_on, to_markdown, to_prov_json, to_ris,
    to_web_annotations,
};
use elenchus_core::id::RunId;
use elenchus_core::inquiry::Run;
use elenchus_core::port::Matter;
use elenchus_core::text::visible_json;
use schemars::JsonSchema;
use serde::Deserialize;
use std::io::{Cursor, Write};
use std::sync::Arc;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// A form of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Format {
    /// Markdown.
    #[default]
    Md,
    /// One page that needs nothing else.
    Html,
    /// The answer as JSON.
    Json,
    /// The trace as lines of JSON.
    Jsonl,
    /// The sources as CSL-JSON.
    CslJson,
    /// The sources as BibTeX.
    Bibtex,
    /// The sources as RIS.
    Ris,
    /// The sources as CSV.
    Csv,
    /// The quotes as W3C Web Annotations.
    WebAnnotation,
    /// The provenance as PROV-JSON; `prov-json` means the same.
    #[serde(alias = "prov-json")]
    Prov,
    /// The whole run as a package (RO-Crate), zipped.
    RoCrate,
}

impl Format {
    fn kind(self) -> &'static str {
        match self {
            Self::Md => "text/markdown; charset=utf-8",
            Self::Html => "text/html; charset=utf-8",
            Self::Json => JSON,
            Self::Jsonl => "application/x-ndjson",
            Self::CslJson => "application/vnd.citationstyles.csl+json",
            Self::Bibtex => "application/x-bibtex; charset=utf-8",
            Self::Ris => "application/x-research-info-systems; charset=utf-8",
            Self::Csv => "text/csv; charset=utf-8",
            Self::WebAnnotation => "application/ld+json",
            Self::Prov => "application/provenance+json",
            Self::RoCrate => "application/zip",
        }
    }

    /// The word that it is asked for by.
    fn name(self) -> &'static str {
        match self {
            Self::Md => "md",
            Self::Html => "html",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::CslJson => "csl-json",
            Self::Bibtex => "bibtex",
            Self::Ris => "ris",
            Self::Csv => "csv",
            Self::WebAnnotation => "web-annotation",
            Self::Prov => "prov",
            Self::RoCrate => "ro-crate",
        }
    }

    fn ending(self) -> &'static str {
        match self {
            Self::Md => "md",
            Self::Html => "html",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::CslJson => "csl.json",
            Self::Bibtex => "bib",
            Self::Ris => "ris",
            Self::Csv => "csv",
            Self::WebAnnotation => "annotations.jsonld",
            Self::Prov => "prov.json",
            Self::RoCrate => "ro-crate.zip",
        }
    }
}

const ALL: [Format; 11] = [
    Format::Md,
    Format::Html,
    Format::Json,
    Format::Jsonl,
    Format::CslJson,
    Format::Bibtex,
    Format::Ris,
    Format::Csv,
    Format::WebAnnotation,
    Format::Prov,
    Format::RoCrate,
];

/// Which form.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
struct Wanted {
    /// Markdown without a word.
    #[serde(default)]
    format: Format,
}

pub(super) fn routes() -> Vec<Route> {
    let route = Route::new(
        Method::GET,
        "/v1/research/{id}/export",
        "exportResearch",
        "The report of a run, to keep",
    )
    .query::<Wanted>()
    .fails(&[404])
    .by(export);
    vec![ALL.iter().fold(route, |route, format| {
        route.gives_kind(200, format.kind(), "The report, as a file.")
    })]
}

fn unsayable(run: &RunId, error: &dyn std::error::Error) -> Problem {
    Problem::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "unsayable",
        format!("could not write the answer of run {run}"),
        error.to_string(),
        "this is a defect of elenchus, report it",
    )
}

/// The package of a run. The same run gives the same bytes.
async fn zipped(api: &Api, run: &RunId) -> Result<Vec<u8>, Problem> {
    let answer = answer_of(api, run).await?;
    let records = api.runs.store().journal(run).await?;
    let events = api.runs.store().events(run, 0).await?;
    let (replayed, _) = Run::replay(&records).map_err(|error| unsayable(run, &error))?;
    let files = package(&answer, &replayed, &events).map_err(|error| unsayable(run, &error))?;
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    // A file says nothing of this machine or of now.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default());
    for file in &files {
        zip.start_file(&*file.name, options).map_err(|error| unsayable(run, &error))?;
        zip.write_all(file.text.as_bytes()).map_err(|error| unsayable(run, &error))?;
    }
    let written = zip.finish().map_err(|error| unsayable(run, &error))?;
    Ok(written.into_inner())
}

async fn export(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let Wanted { format } = call.query()?;
    let run = run_of(&call);
    let text = if format == Format::Jsonl {
        let record = api.runs.record(&run).await?;
        let mut out = Vec::new();
        for line in record.lines(0) {
            out.extend_from_slice(&line.json());
            out.push(b'\n');
        }
        out
    } else if format == Format::RoCrate {
        zipped(&api, &run).await?
    } else {
        let answer = answer_of(&api, &run).await?;
        match format {
            Format::Md => to_markdown(&answer),
            Format::CslJson => to_csl_json(&answer),
            Format::Bibtex => to_bibtex(&answer),
            Format::Ris => to_ris(&answer),
            Format::Csv => to_csv(&answer),
            Format::Html | Format::WebAnnotation => {
                let records = api.runs.store().journal(&run).await?;
                // A run that cannot be replayed has still its answer: what it was allowed, what its figures are worth and what
                // stands around its quotes is missing then.
                let replayed = Run::replay(&records).ok().map(|(replayed, _)| replayed);
                let view = replayed.as_ref().map(Run::view);
                if format == Format::Html {
                    to_html_on(&answer, view.map(|view| view.ground()).unwrap_or_default())
                } else {
                    let passages = view.map(|view| view.passages()).unwrap_or_default();
                    to_web_annotations(&answer, &passages)
                }
            }
            Format::Prov => to_prov_json(&answer, &api.runs.store().events(&run, 0).await?),
            Format::Json | Format::Jsonl | Format::RoCrate => {
                let written = answer_json(&answer)
                    .and_then(|value| serde_json::to_string_pretty(&value))
                    .map_err(|error| unsayable(&run, &error))?;
                format!("{}\n", visible_json(&written))
            }
        }
        .into_bytes()
    };
    // Noted for whoever asks what became of the answer. The report is what was asked for here, whether or not the note holds.
    let remark = api.remark(&call.caller, &run, Matter::Export, format.name(), Some("exported"));
    let _ = api.say(&remark).await;
    // Only ids of runs that exist come here; a name must still hold nothing else.
    let name: String =
        run.as_str().chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    let as_file = format!("attachment; filename=\"elenchus-{name}.{}\"", format.ending());
    Ok(Reply::text(format.kind(), text).with(CONTENT_DISPOSITION, &as_file))
}
