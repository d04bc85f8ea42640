//! The sources of an answer for reference managers and tables, and the report as one page.
//!
//! Whatever stands in a source is a stranger's: every writer here takes it as one clean line and escapes it for its own
//! format, so that no title, author, path or quote can begin a field, an entry, a cell or an element.

mod bibtex;
mod csl;
mod csv;
mod html;
mod inline;
mod reference;
mod ris;

pub use bibtex::to_bibtex;
pub use csl::to_csl_json;
pub use csv::to_csv;
pub use html::to_html;
pub use ris::to_ris;

#[cfg(test)]
mod corpora;
#[cfg(test)]
mod fixture;
