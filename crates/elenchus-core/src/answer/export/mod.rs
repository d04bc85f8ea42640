//! An answer in the formats of others: its sources for reference managers and tables, its evidence as annotations, its
//! provenance, the whole run as a package, and the report as one page.
//!
//! Whatever stands in a source is a stranger's: every writer here takes it as one clean line and escapes it for its own
//! format, so that no title, author, path or quote can begin a field, an entry, a cell or an element.

mod bibtex;
mod csl;
mod csv;
mod html;
mod inline;
mod prov;
mod reference;
mod ris;
mod ro_crate;
mod web_annotation;

pub use bibtex::to_bibtex;
pub use csl::to_csl_json;
pub use csv::to_csv;
pub use html::{to_html, to_html_on};
pub use prov::to_prov_json;
pub use ris::to_ris;
pub use ro_crate::{CrateFile, to_ro_crate};
pub use web_annotation::to_web_annotations;

#[cfg(test)]
mod corpora;
#[cfg(test)]
pub(super) mod fixture;
