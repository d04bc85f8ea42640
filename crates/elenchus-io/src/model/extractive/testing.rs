//! What the tests of the model read.

use elenchus_core::evidence::{Passage, ReadPassage, Source, Span, Vintage};
use elenchus_core::id::{PassageId, SourceId};

/// A document of one passage under one heading.
pub(crate) fn document(name: &str, heading: &str, text: &str) -> ReadPassage {
    let id = SourceId(name.to_owned());
    ReadPassage {
        source: Source {
            id: id.clone(),
            path: format!("{name}.md"),
            title: name.to_owned(),
            author: None,
            date: None,
            vintage: Vintage::default(),
            content_hash: String::new(),
            family: name.to_owned(),
            cluster: id.clone(),
            web: None,
        },
        passage: Passage {
            id: PassageId(format!("{name}-1")),
            source_id: id,
            text: text.to_owned(),
            span: Span { start: 0, end: text.chars().count() },
            heading_path: vec![heading.to_owned()],
            page: None,
            table_header: Vec::new(),
            lead_in: None,
            record: None,
        },
    }
}
