//! Where an answer goes.

use crate::cli::{Format, OutputArgs};
use crate::error::{CliError, Kind, Result};
use crate::kept::write_whole;
use crate::ui::terminal::{Terminal, unsayable};
use elenchus_core::answer::figures::Ground;
use elenchus_core::answer::{
    Answer, to_bibtex, to_csl_json, to_csv, to_html_on, to_markdown, to_prov_json, to_ris,
    to_web_annotations,
};
use elenchus_core::inquiry::StopReason;
use elenchus_core::text::visible_json;
use elenchus_core::trace::{Envelope, RunView};
use elenchus_server::wire::{answer_json, event_line};
use std::fs;
use std::path::{Path, PathBuf};

/// A file to write, which was found to be writable in form before the work began.
pub(super) struct Target {
    file: PathBuf,
    format: Format,
}

impl Target {
    /// Refuses what cannot be meant: an unknown format, a folder, a file that would be lost.
    pub(super) fn new(file: &Path, format: Option<Format>, force: bool) -> Result<Self> {
        let attempted = || format!("could not write to {}", file.display());
        let extension = ending(file);
        let format = match (format, extension.as_deref()) {
            (Some(format), _) => format,
            (None, None) => Format::Md,
            (None, Some("jsonl")) => {
                return Err(CliError::usage(
                    attempted(),
                    "a trace is no answer",
                    "use `--jsonl > FILE`, or `elenchus runs export RUN --format jsonl --out FILE` afterwards",
                ));
            }
            (None, Some(other)) => by_ending(other).ok_or_else(|| {
                CliError::usage(
                    attempted(),
                    format!("answers cannot be written as .{other}"),
                    "use a name that ends in .md, .html, .json, .bib, .ris or .csv",
                )
            })?,
        };
        match fs::metadata(file) {
            Ok(found) if found.is_dir() => {
                Err(CliError::usage(attempted(), "it is a folder", "name a file in it"))
            }
            Ok(found) if found.is_file() && !force => Err(CliError::usage(
                attempted(),
                "the file exists",
                "choose another name, or overwrite it with --force",
            )),
            _ => {
                let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
                if let Some(folder) = folder
                    && !folder.is_dir()
                {
                    return Err(CliError::usage(
                        attempted(),
                        format!("there is no folder {}", folder.display()),
                        "make the folder first, or choose another name",
                    ));
                }
                Ok(Self { file: file.to_owned(), format })
            }
        }
    }

    pub(super) fn write(&self, text: &str) -> Result<()> {
        // A device or a pipe cannot be replaced by a file.
        let special = fs::metadata(&self.file).is_ok_and(|found| !found.is_file());
        let written = if special {
            fs::write(&self.file, text)
        } else {
            write_whole(&self.file, text.as_bytes())
        };
        written.map_err(|error| {
            CliError::storage(
                format!("could not write to {}", self.file.display()),
                error.to_string(),
                "make room or choose another place",
            )
        })
    }

    /// That it was written, and as what where the name does not tell.
    pub(super) fn written(&self) -> String {
        let file = self.file.display();
        match ending(&self.file) {
            Some(_) => format!("wrote {file}"),
            None => format!("wrote {file} as {}, as its name has no ending", self.format.name()),
        }
    }

    /// What is odd about a name whose ending is that of another format.
    pub(super) fn mismatch(&self) -> Option<String> {
        let extension = ending(&self.file)?;
        let own = by_ending(&extension).filter(|own| *own != self.format)?;
        // Several formats are JSON.
        let is_json = matches!(
            self.format,
            Format::CslJson | Format::WebAnnotation | Format::ProvJson | Format::Otlp
        );
        (own != Format::Json || !is_json).then(|| {
            format!(
                "{} ends in .{extension} and is written as {}, as --format says",
                self.file.display(),
                self.format.name()
            )
        })
    }
}

/// The ending of a file's name, in lower case.
fn ending(file: &Path) -> Option<String> {
    file.extension().map(|extension| extension.to_string_lossy().to_lowercase())
}

/// The format that the ending of a name tells.
fn by_ending(ending: &str) -> Option<Format> {
    Some(match ending {
        "md" | "markdown" => Format::Md,
        "json" => Format::Json,
        "html" | "htm" => Format::Html,
        "bib" => Format::Bibtex,
        "ris" => Format::Ris,
        "csv" => Format::Csv,
        _ => return None,
    })
}

/// The format that is named, or that the name of the file tells.
pub(super) fn format_of(named: Option<Format>, file: Option<&Path>, force: bool) -> Result<Format> {
    let (None, Some(file)) = (named, file) else { return Ok(named.unwrap_or(Format::Md)) };
    if file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jsonl")) {
        return Ok(Format::Jsonl);
    }
    Ok(Target::new(file, None, force)?.format)
}

/// The answer of a run in a format, with what its charts need to know of the run. The same run gives the same bytes.
pub(super) fn rendered(answer: &Answer, ground: Ground<'_>, format: Format) -> Result<String> {
    match format {
        Format::Json | Format::Jsonl => {
            let value = answer_json(answer).map_err(|error| unsayable(&error))?;
            let text = serde_json::to_string_pretty(&value).map_err(|error| unsayable(&error))?;
            Ok(format!("{}\n", visible_json(&text)))
        }
        Format::Md => Ok(to_markdown(answer)),
        Format::Html => Ok(to_html_on(answer, ground)),
        Format::Bibtex => Ok(to_bibtex(answer)),
        Format::Ris => Ok(to_ris(answer)),
        Format::CslJson => Ok(to_csl_json(answer)),
        Format::Csv => Ok(to_csv(answer)),
        // These need the run as well, which whoever has it sees to before this is called; without it they say what they can.
        Format::WebAnnotation => Ok(to_web_annotations(answer, &[])),
        Format::ProvJson => Ok(to_prov_json(answer, &[])),
        Format::Otlp => Err(CliError::usage(
            "could not write the run as OTLP",
            "an answer is no trace",
            "use `elenchus runs export RUN --format otlp`",
        )),
        Format::RoCrate => Err(CliError::usage(
            "could not write the package",
            "a package is a folder and not a text",
            "use `elenchus runs export RUN --format ro-crate --out FOLDER`",
        )),
    }
}

/// A trace as lines of JSON.
pub(super) fn lines(events: &[Envelope]) -> Result<String> {
    let mut out = String::new();
    for event in events {
        out.push_str(&event_line(event).map_err(|error| unsayable(&error))?);
        out.push('\n');
    }
    Ok(out)
}

/// Where an answer is to go.
pub(super) struct Output {
    json: bool,
    pub(super) jsonl: bool,
    target: Option<Target>,
    /// Where the documents are that an answer cites.
    folder: Option<PathBuf>,
}

impl Output {
    pub(super) fn new(args: &OutputArgs) -> Result<Self> {
        let target =
            args.out.as_deref().map(|file| Target::new(file, None, args.force)).transpose()?;
        Ok(Self { json: args.json, jsonl: args.jsonl, target, folder: None })
    }

    /// The same, with citations on a terminal that lead to the documents of this folder.
    pub(super) fn citing(self, folder: Option<PathBuf>) -> Self {
        Self { folder, ..self }
    }

    /// Gives the answer of a run out. `kept` says that it can be had again.
    pub(super) fn give(
        &self,
        answer: &Answer,
        run: RunView<'_>,
        kept: bool,
        terminal: &Terminal,
    ) -> Result<()> {
        let ground = run.ground();
        if self.json {
            terminal.print(&rendered(answer, ground, Format::Json)?)?;
        } else if !self.jsonl && self.target.is_none() {
            let report = rendered(answer, ground, Format::Md)?;
            terminal.print(&terminal.link_report(report, answer, self.folder.as_deref()))?;
        }
        let Some(target) = &self.target else { return Ok(()) };
        target.write(&rendered(answer, ground, target.format)?).map_err(|error| {
            if kept {
                let again =
                    format!("`elenchus runs export {} --out FILE` writes it again", answer.run_id);
                error.or_hint(&again)
            } else {
                error
            }
        })?;
        terminal.say(&target.written());
        Ok(())
    }
}

/// What the end of a run means to the shell. An answer was given in every case.
pub(super) fn verdict(answer: &Answer, error: Option<&str>) -> Result<()> {
    match answer.stop_reason {
        StopReason::Failed => Err(CliError::parsed(
            Kind::Provider,
            error.unwrap_or("could not finish the run: a component failed"),
            "`elenchus doctor` looks for the cause; asking again starts anew",
        )),
        StopReason::Interrupted => Err(CliError::new(
            Kind::Interrupted,
            format!("stopped run {}", answer.run_id),
            "you asked for it; the answer is made of what was found until then",
            "ask again to have it searched to the end",
        )),
        _ => Ok(()),
    }
}
