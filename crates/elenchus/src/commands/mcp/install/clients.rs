//! Where programs keep their settings, and in which form servers stand there.

use crate::cli::ClientArg;
use crate::error::{CliError, Result};
use std::path::PathBuf;

/// The form of a settings file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// JSON, with comments where the program takes them: servers are members of the object under `key`.
    Json { key: &'static str, shape: Shape },
    /// TOML: servers are tables of `mcp_servers`.
    Toml,
    /// YAML: servers are entries of `extensions`.
    Yaml,
}

/// What a server's entry consists of beside its command and arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Nothing.
    Plain,
    /// `"type": "stdio"`.
    Typed,
}

pub(super) struct Client {
    pub(super) name: &'static str,
    pub(super) form: Form,
    /// Whether it starts a server in the folder that it works in.
    pub(super) in_folder: bool,
    /// What to do next, once the server is in.
    pub(super) afterwards: &'static str,
    /// The same, once it is out.
    pub(super) without: &'static str,
}

const SERVERS: &str = "mcpServers";

pub(super) fn of(client: ClientArg) -> &'static Client {
    match client {
        ClientArg::ClaudeCode => &Client {
            name: "Claude Code",
            form: Form::Json { key: SERVERS, shape: Shape::Typed },
            in_folder: true,
            afterwards: "Claude Code uses it from its next session on; `/mcp` shows it",
            without: "Claude Code does without it from its next session on",
        },
        ClientArg::ClaudeDesktop => &Client {
            name: "Claude Desktop",
            form: Form::Json { key: SERVERS, shape: Shape::Plain },
            in_folder: false,
            afterwards: "quit Claude Desktop and start it again",
            without: "Claude Desktop does without it once it was quit and started again",
        },
        ClientArg::Cursor => &Client {
            name: "Cursor",
            form: Form::Json { key: SERVERS, shape: Shape::Plain },
            in_folder: true,
            afterwards: "Cursor shows it under Settings, MCP",
            without: "Cursor shows it no more under Settings, MCP",
        },
        ClientArg::Vscode => &Client {
            name: "VS Code",
            form: Form::Json { key: "servers", shape: Shape::Typed },
            in_folder: true,
            afterwards: "the command `MCP: List Servers` of VS Code shows it",
            without: "the command `MCP: List Servers` of VS Code shows it no more",
        },
        ClientArg::Codex => &Client {
            name: "Codex",
            form: Form::Toml,
            in_folder: true,
            afterwards: "Codex uses it from its next session on; `codex mcp list` shows it",
            without: "Codex does without it from its next session on",
        },
        ClientArg::GeminiCli => &Client {
            name: "Gemini CLI",
            form: Form::Json { key: SERVERS, shape: Shape::Plain },
            in_folder: true,
            afterwards: "Gemini CLI uses it from its next session on; `/mcp` shows it",
            without: "Gemini CLI does without it from its next session on",
        },
        ClientArg::Zed => &Client {
            name: "Zed",
            form: Form::Json { key: "context_servers", shape: Shape::Plain },
            in_folder: true,
            afterwards: "Zed shows it in the settings of the agent panel",
            without: "Zed shows it no more in the settings of the agent panel",
        },
        ClientArg::Goose => &Client {
            name: "Goose",
            form: Form::Yaml,
            in_folder: true,
            afterwards: "Goose uses it from its next session on",
            without: "Goose does without it from its next session on",
        },
    }
}

/// The settings file of this user.
pub(super) fn file(client: ClientArg) -> Result<PathBuf> {
    let variable =
        |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = variable("HOME").or_else(|| variable("USERPROFILE")).ok_or_else(|| {
        CliError::usage(
            "could not find the settings of the program",
            "HOME is not set",
            "name the file with --file",
        )
    })?;
    let settings = if cfg!(windows) {
        variable("APPDATA").unwrap_or_else(|| home.join("AppData/Roaming"))
    } else if cfg!(target_os = "macos") {
        home.join("Library/Application Support")
    } else {
        variable("XDG_CONFIG_HOME")
            .filter(|path| path.is_absolute())
            .unwrap_or_else(|| home.join(".config"))
    };
    // These two keep to ~/.config on macOS as well.
    let unixy = if cfg!(target_os = "macos") { home.join(".config") } else { settings.clone() };
    Ok(match client {
        ClientArg::ClaudeCode => home.join(".claude.json"),
        ClientArg::ClaudeDesktop => settings.join("Claude/claude_desktop_config.json"),
        ClientArg::Cursor => home.join(".cursor/mcp.json"),
        ClientArg::Vscode => settings.join("Code/User/mcp.json"),
        ClientArg::Codex => {
            variable("CODEX_HOME").unwrap_or_else(|| home.join(".codex")).join("config.toml")
        }
        ClientArg::GeminiCli => home.join(".gemini/settings.json"),
        ClientArg::Zed => {
            let folder = if cfg!(windows) { "Zed" } else { "zed" };
            unixy.join(folder).join("settings.json")
        }
        ClientArg::Goose if cfg!(windows) => settings.join("Block/goose/config/config.yaml"),
        ClientArg::Goose => unixy.join("goose/config.yaml"),
    })
}
