//! The arguments of `serve`.

use super::{CorpusArgs, EngineArgs, ModelArgs, StoreArgs, WebArgs};
use clap::Args;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  elenchus serve --corpus docs --open
  elenchus serve --corpus docs --allow-corpus reports --listen 127.0.0.1:9000
  elenchus serve --corpus docs --members members.txt --runs 8
  curl -H \"Authorization: Bearer $TOKEN\" http://127.0.0.1:8421/v1/research

The address that is printed holds the token: a browser that opens it is signed in. Programs send the
token as a bearer; it lies in a file that only you can read, and its path is said at the start.
The same server speaks the Model Context Protocol at /mcp.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    pub(crate) place: ServePlaceArgs,

    #[command(flatten)]
    pub(crate) corpus: CorpusArgs,

    /// Another folder of documents that clients may ask
    #[arg(long, value_name = "DIR")]
    pub(crate) allow_corpus: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) model: ModelArgs,

    #[command(flatten)]
    pub(crate) web: WebArgs,

    #[command(flatten)]
    pub(crate) engine: EngineArgs,

    /// Whose memories are used [default: the setting `project`, else one named after the folder]
    #[arg(long, value_name = "NAME")]
    pub(crate) project: Option<String>,

    /// Open the address in a browser
    #[arg(long)]
    pub(crate) open: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ServePlaceArgs {
    /// Listen at this address and port [default: 127.0.0.1:8421]; other machines reach any but a loopback address, and
    /// nothing is encrypted
    #[arg(long, value_name = "ADDR:PORT")]
    pub(crate) listen: Option<String>,

    /// Ask nobody for a token: on this machine only
    #[arg(long)]
    pub(crate) no_token: bool,

    /// Where the token lies [default: mcp.token in the data folder]
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,

    /// Who else is let in, a line each: TOKEN NAME, and for another project project=NAME, team=NAME,
    /// org=NAME, tenant=NAME
    #[arg(long, value_name = "FILE", conflicts_with = "no_token")]
    pub(crate) members: Option<PathBuf>,

    /// A name, beside those of this machine, under which the server may be addressed
    #[arg(long, value_name = "HOST")]
    pub(crate) allow_host: Vec<String>,

    /// How many runs may be under way at once [default: 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=64))]
    pub(crate) runs: Option<u64>,
}
