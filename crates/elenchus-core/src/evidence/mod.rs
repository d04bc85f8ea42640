//! Evidence: documents, the passages cut from them, and quotes with exact offsets.

pub mod anchor;
mod date;
mod edition;
mod quote;
mod source;

pub use date::{DatePrecision, DocDate, MONTHS, PartialDate, WEEKDAYS, month_number};
pub use edition::replaced;
pub use quote::{Quote, Span, char_slice};
pub use source::{Passage, ReadPassage, Source, Vintage, WebPage};
