//! Sources that are named for a run that has begun.

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use elenchus_core::inquiry::NewSources;

/// What the run is to look into in its next round, before others.
#[derive(Debug, Default, Args)]
pub(crate) struct AddedArgs {
    /// Look into this document of the folder first, by its path; may be given several times
    #[arg(long, value_name = "PATH", value_parser = NonEmptyStringValueParser::new(), help_heading = "Sources")]
    pub(crate) add_document: Vec<String>,

    /// Read this page first, by its address; may be given several times
    #[arg(long, value_name = "URL", value_parser = NonEmptyStringValueParser::new(), help_heading = "Sources")]
    pub(crate) add_page: Vec<String>,
}

impl AddedArgs {
    /// The sources that were named, if any were.
    pub(crate) fn named(&self) -> Option<NewSources> {
        let (documents, pages) = (self.add_document.clone(), self.add_page.clone());
        (documents.len() + pages.len() > 0).then_some(NewSources { documents, pages })
    }
}
