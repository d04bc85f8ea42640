//! `elenchus mcp install --bundle`: an extension for Claude Desktop, a zip file that holds the program and says how it is
//! started (`.mcpb`, manifest version 0.3).

use super::{ClientArg, McpInstallArgs, beside, path_text, plain_name};
use crate::error::{CliError, Result};
use crate::ui::terminal::Terminal;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// The version of the format. Members that it does not know are refused by who reads it.
const FORMAT: &str = "0.3";
/// How the file has to end for Claude Desktop to take it.
const ENDING: &str = "mcpb";
/// Where the program stands in it. On Windows the client puts `.exe` behind it.
const PROGRAM: &str = "server/elenchus";

/// Systems that a program runs on, as a manifest names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum System {
    Linux,
    MacOs,
    Windows,
}

impl System {
    /// By the first bytes of a program; `None` where they are none of a program.
    fn of(head: [u8; 4]) -> Option<Self> {
        match head {
            [0x7f, b'E', b'L', b'F'] => Some(Self::Linux),
            // One architecture, or several in one file.
            [0xcf | 0xce, 0xfa, 0xed, 0xfe] | [0xca, 0xfe, 0xba, 0xbe | 0xbf] => Some(Self::MacOs),
            [b'M', b'Z', ..] => Some(Self::Windows),
            _ => None,
        }
    }

    /// The word for it.
    fn platform(self) -> &'static str {
        match self {
            Self::Linux => "linux",
            Self::MacOs => "darwin",
            Self::Windows => "win32",
        }
    }

    /// The program in the file.
    fn program(self) -> String {
        let ending = if self == Self::Windows { ".exe" } else { "" };
        format!("{PROGRAM}{ending}")
    }
}

pub(super) fn run(
    client: ClientArg,
    file: &Path,
    args: &McpInstallArgs,
    terminal: &Terminal,
) -> Result<()> {
    let attempted = || format!("could not write the extension {}", file.display());
    if client != ClientArg::ClaudeDesktop {
        return Err(CliError::usage(
            attempted(),
            "only Claude Desktop takes such a file",
            "say --client claude-desktop, or leave out --bundle to write into the settings of the program",
        ));
    }
    plain_name(&args.name)?;
    if file.extension().is_none_or(|ending| ending != ENDING) {
        return Err(CliError::usage(
            attempted(),
            "its name does not end in .mcpb, by which Claude Desktop knows it",
            format!("name it {}", file.with_extension(ENDING).display()),
        ));
    }
    if file.is_dir() {
        return Err(CliError::usage(attempted(), "it is a folder", "name a file in it"));
    }
    if file.exists() && !args.force {
        return Err(CliError::usage(
            attempted(),
            "the file exists",
            "choose another name, or overwrite it with --force",
        ));
    }
    let program = match &args.binary {
        Some(program) => program.clone(),
        None => std::env::current_exe().map_err(|error| {
            CliError::usage(attempted(), error.to_string(), "name the program with --binary")
        })?,
    };
    let unread = |error: io::Error| {
        CliError::storage(
            attempted(),
            format!("{}: {error}", program.display()),
            "name a program that can be read with --binary",
        )
    };
    let mut open = File::open(&program).map_err(unread)?;
    let mut head = [0; 4];
    let read = open.read_exact(&mut head).and_then(|()| open.rewind());
    let Some(system) = read.ok().and_then(|()| System::of(head)) else {
        return Err(CliError::usage(
            attempted(),
            format!("{} is no program of Linux, macOS or Windows", program.display()),
            "name the program of Elenchus with --binary",
        ));
    };
    let corpus = args.corpus.as_deref().map(crate::wire::folder).transpose()?;
    let corpus = corpus.map(path_text).transpose()?;
    let manifest = manifest(&args.name, system, corpus.as_deref(), args.project.as_deref());
    let size = put(file, &manifest, system, &mut BufReader::new(open)).map_err(|error| {
        CliError::storage(attempted(), error.to_string(), "make room or choose another place")
    })?;
    terminal.say(&format!(
        "wrote {} ({:.1} MB) for {}",
        file.display(),
        size as f64 / f64::from(1 << 20),
        system.platform()
    ));
    terminal.say(
        "open it with Claude Desktop, or drag it onto its settings under Extensions: it asks for the folder of documents",
    );
    Ok(())
}

/// What is said of the extension. Every member is one that the format knows.
fn manifest(name: &str, system: System, corpus: Option<&str>, project: Option<&str>) -> Value {
    let mut words = vec!["mcp", "--corpus", "${user_config.corpus}"];
    words.extend(project.into_iter().flat_map(|name| ["--project", name]));
    let command = format!("${{__dirname}}/{}", system.program());
    json!({
        "manifest_version": FORMAT,
        "name": name,
        "display_name": "Elenchus",
        "version": env!("CARGO_PKG_VERSION"),
        "description": "Answers from your documents with quoted evidence; checks claims; remembers what worked.",
        "long_description": "Research over a folder of documents on this machine. Every statement of an answer is a \
            quote with its place and a confidence, and what the documents do not say is listed with the reason. It \
            needs no key and no network.",
        "author": { "name": "Elenchus" },
        "license": "Apache-2.0",
        "keywords": ["research", "documents", "citations", "fact checking", "memory"],
        "server": {
            "type": "binary",
            "entry_point": system.program(),
            "mcp_config": { "command": command, "args": words, "env": {} },
        },
        "tools_generated": true,
        "prompts_generated": true,
        "compatibility": { "platforms": [system.platform()] },
        "user_config": {
            "corpus": {
                "type": "directory",
                "title": "Documents",
                "description": "The folder whose documents are asked. It is read, and nothing in it is changed.",
                "required": true,
                "default": corpus.unwrap_or("${DOCUMENTS}"),
            },
        },
    })
}

/// Writes the file as a whole or not at all; gives its size.
fn put(file: &Path, manifest: &Value, system: System, program: &mut dyn Read) -> io::Result<u64> {
    let part: PathBuf = beside(file, &format!(".{}.part", std::process::id()));
    let written = File::create(&part).and_then(|mut out| {
        zipped(&mut out, manifest, system, program)?;
        out.sync_all()?;
        fs::rename(&part, file)?;
        Ok(out.metadata()?.len())
    });
    written.inspect_err(|_| {
        let _ = fs::remove_file(&part);
    })
}

/// The zip file. The same program gives the same bytes: nothing in it is of now.
fn zipped(
    out: &mut (impl Write + Seek),
    manifest: &Value,
    system: System,
    program: &mut dyn Read,
) -> io::Result<()> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default());
    let mut zip = ZipWriter::new(out);
    zip.start_file("manifest.json", options.unix_permissions(0o644))?;
    let text = serde_json::to_string_pretty(manifest)?;
    zip.write_all(text.as_bytes())?;
    zip.start_file(system.program(), options.unix_permissions(0o755))?;
    io::copy(program, &mut zip)?;
    zip.finish()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;
    use zip::ZipArchive;

    #[test]
    fn a_program_tells_its_system() {
        assert_eq!(System::of(*b"\x7fELF"), Some(System::Linux));
        assert_eq!(System::of([0xcf, 0xfa, 0xed, 0xfe]), Some(System::MacOs));
        assert_eq!(System::of([0xca, 0xfe, 0xba, 0xbe]), Some(System::MacOs));
        assert_eq!(System::of(*b"MZ\x90\x00"), Some(System::Windows));
        assert_eq!(System::of(*b"#!/b"), None);
    }

    #[test]
    fn the_manifest_starts_the_program_that_is_in_the_file() {
        for (system, name) in
            [(System::MacOs, "server/elenchus"), (System::Windows, "server/elenchus.exe")]
        {
            let manifest = manifest("elenchus", system, None, Some("quay"));
            let mut out = Cursor::new(Vec::new());
            zipped(&mut out, &manifest, system, &mut &b"a program"[..]).unwrap();
            let mut again = Cursor::new(Vec::new());
            zipped(&mut again, &manifest, system, &mut &b"a program"[..]).unwrap();
            assert_eq!(out.get_ref(), again.get_ref(), "the same gives the same bytes");
            let mut zip = ZipArchive::new(out).unwrap();
            let names: Vec<String> = zip.file_names().map(str::to_owned).collect();
            assert_eq!(names.len(), 2, "{names:?}");
            let mut text = String::new();
            zip.by_name("manifest.json").unwrap().read_to_string(&mut text).unwrap();
            let read: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(read, manifest);
            let entry = read["server"]["entry_point"].as_str().unwrap().to_owned();
            assert_eq!(entry, name);
            let command = &read["server"]["mcp_config"]["command"];
            assert_eq!(*command, format!("${{__dirname}}/{entry}"));
            let words = read["server"]["mcp_config"]["args"].as_array().unwrap();
            assert_eq!(words[..3], ["mcp", "--corpus", "${user_config.corpus}"].map(Value::from));
            assert_eq!(words[3..], ["--project", "quay"].map(Value::from));
            let mut program = zip.by_name(&entry).unwrap();
            assert_eq!(program.unix_mode().map(|mode| mode & 0o777), Some(0o755));
            let mut bytes = Vec::new();
            program.read_to_end(&mut bytes).unwrap();
            assert_eq!(bytes, b"a program");
        }
    }

    /// The members of format 0.3, as far as we use them: one that it does not know has the whole refused.
    #[test]
    fn every_member_is_one_that_the_format_knows() {
        let members =
            |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
        let manifest = manifest("elenchus", System::Linux, Some("/docs"), None);
        let known = [
            "manifest_version",
            "name",
            "display_name",
            "version",
            "description",
            "long_description",
            "author",
            "license",
            "keywords",
            "server",
            "tools_generated",
            "prompts_generated",
            "compatibility",
            "user_config",
        ];
        assert!(members(&manifest).iter().all(|name| known.contains(&name.as_str())));
        for required in ["manifest_version", "name", "version", "description", "author", "server"] {
            assert!(!manifest[required].is_null(), "{required}");
        }
        let asked = &manifest["user_config"]["corpus"];
        let known = ["type", "title", "description", "required", "default"];
        assert!(members(asked).iter().all(|name| known.contains(&name.as_str())), "{asked}");
        assert_eq!((&asked["type"], &asked["default"]), (&json!("directory"), &json!("/docs")));
        assert_eq!(manifest["compatibility"]["platforms"], json!(["linux"]));
    }
}
