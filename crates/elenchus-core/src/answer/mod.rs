//! The answer: composed only from quotes that were checked, then linted.

pub(crate) mod audit;
mod bar;
pub(crate) mod compose;
mod display;
mod explanations;
mod export;
pub mod figures;
mod insights;
pub(crate) mod late;
mod perspectives;
mod render;
mod reviewed;
mod scale;
mod sure;
mod sureness;
mod types;
mod warnings;
mod web;

pub use audit::{AuditNote, AuditNoteKind, Grounds, Severity as AuditSeverity, audit};
pub use bar::HeldTo;
pub use display::{display_quote, strip_markup};
pub use export::{
    CrateFile, to_bibtex, to_csl_json, to_csv, to_html, to_html_on, to_prov_json, to_ris,
    to_ro_crate, to_web_annotations,
};
pub use render::{citation_place, to_markdown};
pub use sureness::Sureness;
pub use types::{
    Answer, Citation, Claim, ConflictNote, Disagreement, Evidence, Receipt, Section, Side,
    Superseded, TensionNote, Unestablished, Verdict,
};
