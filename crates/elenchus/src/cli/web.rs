//! Arguments about the web as a source.

use clap::{Args, ValueEnum};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SourcesArg {
    /// The documents only
    Local,
    /// The web only
    Web,
    /// Both
    Hybrid,
}

impl SourcesArg {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Web => "web",
            Self::Hybrid => "hybrid",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EgressArg {
    /// No connection leaves this machine
    Offline,
    /// Only hosts that you named
    PrivateOnly,
    /// Those, and public addresses
    Public,
}

impl EgressArg {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Offline => "offline",
            Self::PrivateOnly => "private-only",
            Self::Public => "public",
        }
    }
}

#[derive(Debug, Default, Args)]
pub(crate) struct WebArgs {
    /// Search the web too [LIST: wikipedia, searxng, crossref, arxiv, openalex, tavily, brave,
    /// opensearch, mediawiki:ADDRESS; without one what is set up, else wikipedia]
    #[arg(long, value_name = "LIST", num_args = 0..=1, value_delimiter = ',', help_heading = "Web")]
    pub(crate) web: Option<Vec<String>>,

    /// Read this page too; may be given several times. Addresses in the question count with --web
    #[arg(long, value_name = "ADDRESS", help_heading = "Web")]
    pub(crate) url: Vec<String>,

    /// Where to look: `local`, `web` or `hybrid` [default: local; with --web or --url the web, and
    /// both where a corpus is named]
    #[arg(
        long,
        value_name = "WHERE",
        value_enum,
        hide_possible_values = true,
        help_heading = "Web"
    )]
    pub(crate) sources: Option<SourcesArg>,

    /// Only pages of these sites, subdomains included
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = "Web")]
    pub(crate) domains: Vec<String>,

    /// Nothing older, as far as dates are known: 2025, 2025-06 or 2025-06-30
    #[arg(long, value_name = "DATE", help_heading = "Web")]
    pub(crate) since: Option<String>,

    /// How far connections may go: `offline`, `private-only` or `public` [default: public]
    #[arg(
        long,
        value_name = "MODE",
        value_enum,
        hide_possible_values = true,
        help_heading = "Web"
    )]
    pub(crate) egress: Option<EgressArg>,

    /// A host that may be read although its address is private, as HOST or HOST:PORT; may be given
    /// several times
    #[arg(long, value_name = "HOST", value_delimiter = ',', help_heading = "Web")]
    pub(crate) private_host: Vec<String>,

    /// Send searches that were worded after private documents were read to search providers too
    #[arg(long, help_heading = "Web")]
    pub(crate) allow_private_queries: bool,
}
