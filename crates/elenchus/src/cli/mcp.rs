//! The arguments of `mcp`.

use super::{CorpusArgs, EngineArgs, ModelArgs, StoreArgs, WebArgs};
use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  elenchus mcp --corpus docs                      for a program that starts it and speaks to it
  elenchus mcp --http --corpus docs               for programs that reach it at http://127.0.0.1:8437/mcp
  elenchus mcp install --client claude-code --corpus docs
  elenchus mcp install --client codex --print
  elenchus mcp install --client claude-desktop --bundle elenchus.mcpb
  elenchus mcp install --skill ~/.claude/skills

Over standard input and output nobody else can speak to it. Over HTTP a token is asked for; it
lies in a file that only you can read, and its path is said at the start.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(crate) struct McpArgs {
    #[command(subcommand)]
    pub(crate) command: Option<McpCommand>,

    #[command(flatten)]
    pub(crate) serve: McpServeArgs,

    #[command(flatten)]
    pub(crate) corpus: CorpusArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) model: ModelArgs,

    #[command(flatten)]
    pub(crate) web: WebArgs,

    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

#[derive(Debug, Args)]
pub(crate) struct McpServeArgs {
    /// Serve over HTTP, at this address and port
    #[arg(long, value_name = "ADDR", num_args = 0..=1, default_missing_value = "127.0.0.1:8437")]
    pub(crate) http: Option<String>,

    /// Ask nobody for a token: on this machine only
    #[arg(long, requires = "http")]
    pub(crate) no_token: bool,

    /// Where the token lies [default: mcp.token in the data folder]
    #[arg(long, value_name = "FILE", requires = "http")]
    pub(crate) token_file: Option<PathBuf>,

    /// Who else is let in, a line each: TOKEN NAME, and for another project project=NAME, team=NAME,
    /// org=NAME, tenant=NAME
    #[arg(long, value_name = "FILE", requires = "http", conflicts_with = "no_token")]
    pub(crate) members: Option<PathBuf>,

    /// A name, beside those of this machine, under which the server may be addressed
    #[arg(long, value_name = "HOST", requires = "http")]
    pub(crate) allow_host: Vec<String>,

    /// How many runs may be under way at once [default: 4]
    #[arg(long, value_name = "N", requires = "http", value_parser = clap::value_parser!(u64).range(1..=64))]
    pub(crate) runs: Option<u64>,

    /// Whose memories are used [default: the setting `project`, else one named after the folder]
    #[arg(long, value_name = "NAME")]
    pub(crate) project: Option<String>,

    /// The team whose memories are seen, too
    #[arg(long, value_name = "NAME")]
    pub(crate) team: Option<String>,

    /// The organisation whose memories are seen, too
    #[arg(long, value_name = "NAME")]
    pub(crate) org: Option<String>,

    /// Offer the tools `search` and `fetch` as well, as ChatGPT asks for them
    #[arg(long)]
    pub(crate) search_tools: bool,

    /// Offer the tools `memory_list`, `memory_edit`, `memo_save` and `memo_relate` as well
    #[arg(long)]
    pub(crate) memo_tools: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum McpCommand {
    /// Write the server into the settings of a program, or take it out; or write an extension or a skill
    Install(McpInstallArgs),
}

/// Programs whose settings are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClientArg {
    ClaudeCode,
    ClaudeDesktop,
    Cursor,
    Vscode,
    Codex,
    GeminiCli,
    Zed,
    Goose,
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("what").required(true).args(["client", "skill"])))]
pub(crate) struct McpInstallArgs {
    /// The program
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) client: Option<ClientArg>,

    /// Write an extension for Claude Desktop, with this program in it, and change no settings
    #[arg(long, value_name = "FILE.mcpb", requires = "client", conflicts_with_all = ["print", "uninstall", "file"])]
    pub(crate) bundle: Option<PathBuf>,

    /// The program in the extension, for one that was built for another system [default: this one]
    #[arg(long, value_name = "FILE", requires = "bundle")]
    pub(crate) binary: Option<PathBuf>,

    /// Overwrite the file of --bundle
    #[arg(long, requires = "bundle")]
    pub(crate) force: bool,

    /// Write a skill, which tells an agent when and how to use Elenchus, into this folder of skills
    #[arg(long, value_name = "DIR", conflicts_with_all = ["uninstall", "file", "project"])]
    pub(crate) skill: Option<PathBuf>,

    /// Show what would be written, and write nothing
    #[arg(long, conflicts_with = "uninstall")]
    pub(crate) print: bool,

    /// Take the server out again
    #[arg(long)]
    pub(crate) uninstall: bool,

    /// The settings file [default: the program's own, of this user]
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// The name of the server there
    #[arg(long, value_name = "NAME", default_value = "elenchus")]
    pub(crate) name: String,

    /// The folder of documents that the server is started with
    #[arg(long, value_name = "DIR")]
    pub(crate) corpus: Option<PathBuf>,

    /// Whose memories are used [default: the folder that the program starts it in]
    #[arg(long, value_name = "NAME")]
    pub(crate) project: Option<String>,
}
