//! `elenchus verify`: checks the statements of any text against a folder of sources.

mod gate;

use super::worth::worth;
use super::{place, set_corpus};
use crate::cli::{CorpusArgs, VerifyArgs};
use crate::config::{Config, Value};
use crate::error::{CliError, Result};
use crate::signals::Interrupts;
use crate::ui::progress::counted;
use crate::ui::terminal::Terminal;
use crate::wire::{self, OpenCorpus};
use elenchus_core::belief::{
    Assessed, Assessment, Claim, ClaimConfidence, ClaimDefect, EntailmentResult, Extraction,
    FIGURES, OperatingPoint, SourceEvidence, Verdict,
};
use elenchus_core::evidence::char_slice;
use elenchus_core::id::ClaimId;
use elenchus_core::port::Verifier;
use elenchus_core::text::{content_set, overlap, squeeze};
use elenchus_engine::{
    Between, CheckLimits, CheckedText, Cited, Clash, HowFar, Party, check_heard,
};
use elenchus_io::verify::extract::{Reference, extract, references};
use elenchus_io::verify::language::Surroundings;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::Read;
use std::path::Path;

/// Longer texts are refused: they are no answer, and every statement of them would be searched for.
const MAX_BYTES: u64 = 8 << 20;

/// Why a claim in another language is not judged.
const NOT_ENGLISH: &str = "it does not look like English, and this verifier reads no other language; give it in English, or \
                           name a language model that judges: --verifier llm:PROVIDER:NAME, or the setting `verifier`";

/// What `verify --json` writes and `why` reads.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Report {
    /// Tells this shape from others.
    pub(crate) kind: String,
    /// The file that was checked.
    pub(crate) checked: String,
    /// What judged.
    pub(crate) verifier: String,
    /// The figures.
    #[serde(flatten)]
    pub(crate) assessed: Assessed,
    /// What reads like a statement and was not taken as one.
    pub(crate) not_taken: Vec<ClaimDefect>,
    /// Claims whose cited source is not the one that bears them out.
    pub(crate) citations: Vec<CitationNote>,
    /// How each claim stands, in their order.
    #[serde(default)]
    pub(crate) standings: Vec<Standing>,
    /// What the figures of a standing are of, by their names.
    #[serde(default)]
    pub(crate) figures: BTreeMap<String, String>,
    /// Contradictions within the text, and between the sources where they touch a claim.
    #[serde(default)]
    pub(crate) contradictions: Vec<Clash>,
    /// Why they were not looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) contradictions_unchecked: Option<String>,
    /// What the asked confidence is worth, where it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) operating_point: Option<OperatingPoint>,
}

/// How a claim stands to all sources: the word of the text, and the figures that it is decided on.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Standing {
    /// The claim.
    pub(crate) claim_id: String,
    /// `supported`, `disputed` (one source bears it out, another says otherwise), `contradicted`, `not supported` or `unchecked`.
    pub(crate) standing: String,
    /// P(supported) by the passage that bears it out best; absent where nothing was checked, as the next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) supports: Option<f64>,
    /// P(refuted) by the passage that most says otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) refutes: Option<f64>,
    /// The calibrated figure, on which no standing is decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) confidence: Option<f64>,
}

impl Standing {
    fn all(assessed: &Assessed) -> Vec<Self> {
        let figures = &assessed.confidence.claim_confidences;
        let stands = |(found, figures): (&EntailmentResult, &ClaimConfidence)| {
            let is_checked = !matches!(found.verdict, Verdict::Unchecked { .. });
            Self {
                claim_id: found.claim_id.to_string(),
                standing: found.word().to_owned(),
                supports: is_checked.then_some(found.supports),
                refutes: is_checked.then_some(found.refutes),
                confidence: figures.confidence,
            }
        };
        assessed.entailments.iter().zip(figures).map(stands).collect()
    }
}

/// How a claim stands to the sources that its text cites for it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CitationNote {
    /// The claim.
    pub(crate) claim_id: String,
    /// The marks, as the text has them.
    pub(crate) cited: Vec<String>,
    /// Paths that the marks were taken to mean.
    pub(crate) sources: Vec<String>,
    /// `supported`, `contradicted`, `not_supported`, `supported_elsewhere` or `source_not_here`.
    pub(crate) standing: String,
}

pub(super) async fn run(args: VerifyArgs, mut config: Config, terminal: &Terminal) -> Result<()> {
    let answer = read(&args.answer)?;
    set_corpus(&mut config, CorpusArgs { corpus: Some(args.sources.clone()), index: args.index })?;
    config.flag("verifier", "--verifier", args.verifier.clone().map(Value::Text));
    let place = place(&config, args.ephemeral)?;
    let mut interrupts = Interrupts::listen(terminal.clone());
    let (open, ingested) = place.open(terminal)?.sync(terminal, &mut interrupts).await?;
    crate::ui::progress::read(terminal, &ingested);
    let verifier = wire::verifier(config.text("verifier").unwrap_or("builtin"), &config)?;
    let whole = Part { from: 0, most: usize::MAX, heard: &|_, _| () };
    let Examined { checked, citations, defects, .. } =
        examined(&answer, whole, &open, &*verifier, &config, terminal).await;
    let CheckedText { assessed, clashes, usage } = checked;
    terminal.clear();
    if !usage.is_nothing() {
        terminal.say(&format!(
            "the verifier used {} tokens{}",
            usage.input_tokens + usage.output_tokens,
            match usage.cost_micro_usd {
                // Nothing, or a price that is not known.
                0 => String::new(),
                micros => format!(" for {:.4} USD", micros as f64 / 1e6),
            }
        ));
    }
    let notes = assessed
        .claims
        .iter()
        .zip(citations)
        .enumerate()
        .filter(|(_, (_, (marks, _)))| !marks.is_empty())
        .map(|(at, (claim, (cited, sources)))| CitationNote {
            claim_id: claim.id.to_string(),
            standing: standing(&assessed, at, &sources).to_owned(),
            cited,
            sources,
        })
        .collect();
    let (contradictions, contradictions_unchecked) = match clashes {
        Ok(found) => (found, None),
        Err(reason) => (vec![], Some(reason)),
    };
    let report = Report {
        kind: "verification".to_owned(),
        checked: args.answer.display().to_string(),
        verifier: verifier.id().to_owned(),
        standings: Standing::all(&assessed),
        figures: FIGURES.map(|(name, of)| (name.to_owned(), of.to_owned())).into(),
        operating_point: worth(args.min_confidence, &config, &assessed.entailments),
        assessed,
        not_taken: defects,
        citations: notes,
        contradictions,
        contradictions_unchecked,
    };
    if args.json {
        terminal.print_json(&report)?;
    } else {
        terminal.print(&told(&report, &place.root, terminal))?;
    }
    gate::passes(&report.checked, &report.assessed.confidence, args.min_confidence)
}

/// A text that was held against documents.
pub(super) struct Examined {
    pub(super) checked: CheckedText,
    /// For each claim its citation marks, and the paths that they were taken to mean.
    citations: Vec<(Vec<String>, Vec<String>)>,
    pub(super) defects: Vec<ClaimDefect>,
    /// Claims that come after the part, and where the first of them begins.
    pub(super) left_out: usize,
    pub(super) next: Option<usize>,
}

/// What of a text is checked.
pub(super) struct Part<'a> {
    /// The character at which the first claim may begin.
    pub(super) from: usize,
    /// The most claims; more where the last ones begin at one place.
    pub(super) most: usize,
    /// Hears how far it is.
    pub(super) heard: HowFar<'a>,
}

impl Part<'_> {
    /// Takes its claims out of all; gives how many come after them, and where the first of those begins.
    fn take(&self, claims: &mut Vec<Claim>) -> (usize, Option<usize>) {
        claims.retain(|claim| claim.source_span.start >= self.from);
        let starts: Vec<usize> = claims.iter().map(|claim| claim.source_span.start).collect();
        let later = starts.iter().zip(starts.iter().skip(1));
        let mut ends = later.enumerate().map(|(at, (one, next))| (at + 1, one < next));
        let cut = ends.find(|(at, is_end)| *at >= self.most && *is_end);
        let Some((cut, _)) = cut else { return (0, None) };
        let left_out = claims.len() - cut;
        claims.truncate(cut);
        (left_out, starts.get(cut).copied())
    }
}

/// Checks the statements of a text, or of a part of it, against documents.
pub(super) async fn examined(
    answer: &str,
    part: Part<'_>,
    open: &OpenCorpus,
    verifier: &dyn Verifier,
    config: &Config,
    terminal: &Terminal,
) -> Examined {
    let around = verifier.reads_english_only().then(|| Surroundings::of(answer));
    let mut found = extract(answer);
    if let Some(around) = around {
        found = with_foreign(found, answer, around);
    }
    let Extraction { mut claims, defects } = found;
    let (left_out, next) = part.take(&mut claims);
    let sources = references(answer);
    terminal.status(&format!("checking {}", counted(claims.len(), "claim")));
    let paths: Vec<(String, String)> =
        open.corpus.sources().into_iter().map(|source| (source.path, source.title)).collect();
    let cited: Vec<Cited> = claims
        .into_iter()
        .map(|claim| {
            let paths =
                claim.citations.iter().flat_map(|mark| meant(mark, &sources, &paths)).collect();
            // By the words of the text: those of a claim may be ours.
            let own = if claim.source_text.is_empty() { &claim.text } else { &claim.source_text };
            let is_other = around.is_some_and(|around| around.is_other(own));
            Cited { unreadable: is_other.then(|| NOT_ENGLISH.to_owned()), claim, paths }
        })
        .collect();
    let citations = cited.iter().map(|c| (c.claim.citations.clone(), c.paths.clone())).collect();
    let judging = wire::judging(&wire::remarks(config, terminal).await, terminal);
    let checked = check_heard(
        cited,
        &open.corpus,
        verifier,
        judging.thresholds,
        Some(&judging.calibration),
        CheckLimits::default(),
        part.heard,
    )
    .await;
    Examined { checked, citations, defects, left_out, next }
}

/// What was found, with sentences of other languages among the claims. Grammar that is read as English finds no verb in
/// them, and a defect of English grammar is no reason that anybody could act on: as claims they stand unchecked, and say why.
fn with_foreign(found: Extraction, answer: &str, around: Surroundings) -> Extraction {
    let Extraction { mut claims, defects } = found;
    let (foreign, defects): (Vec<ClaimDefect>, Vec<ClaimDefect>) =
        defects.into_iter().partition(|defect| {
            let is_taken = claims.iter().any(|claim| claim.source_span.overlaps(defect.span));
            let said = char_slice(answer, defect.span).unwrap_or_default();
            let asks = said.trim_end().ends_with('?');
            !is_taken && !said.is_empty() && !asks && around.is_other(said)
        });
    if foreign.is_empty() {
        return Extraction { claims, defects };
    }
    for defect in foreign {
        let said = char_slice(answer, defect.span).unwrap_or_default();
        let known = claims.iter().any(|claim| claim.source_span == defect.span);
        if !known {
            let claim = Claim::stated(ClaimId(String::new()), said);
            claims.push(Claim { source_span: defect.span, ..claim });
        }
    }
    claims.sort_by_key(|claim| claim.source_span.start);
    for (at, claim) in claims.iter_mut().enumerate() {
        claim.id = ClaimId(format!("c{}", at + 1));
    }
    Extraction { claims, defects }
}

fn read(file: &Path) -> Result<String> {
    let attempted = || format!("could not read the answer {}", file.display());
    let way_out = "name a text or Markdown file, or `-` for standard input";
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        std::io::stdin()
            .take(MAX_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| CliError::usage(attempted(), error.to_string(), way_out))?;
    } else {
        let open = std::fs::File::open(file)
            .map_err(|error| CliError::usage(attempted(), error.to_string(), way_out))?;
        open.take(MAX_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| CliError::usage(attempted(), error.to_string(), way_out))?;
    }
    if bytes.len() as u64 > MAX_BYTES {
        return Err(CliError::usage(attempted(), "it is larger than 8 MB", "check it in parts"));
    }
    if bytes.contains(&0) {
        return Err(CliError::usage(attempted(), "it is a binary file", way_out));
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| CliError::usage(attempted(), "it is not UTF-8 text", "save it as UTF-8"))?;
    if text.trim().is_empty() {
        return Err(CliError::usage(attempted(), "it is empty", way_out));
    }
    Ok(text)
}

/// The documents that a citation mark means: by number in the list of sources, by path, or by title.
fn meant(mark: &str, sources: &[Reference], documents: &[(String, String)]) -> Vec<String> {
    let mut wanted: Vec<&str> = vec![mark];
    for source in sources.iter().filter(|source| source.marker == mark) {
        wanted.push(&source.title);
        wanted.push(&source.url);
    }
    let mut out = Vec::new();
    for (path, title) in documents {
        let file = Path::new(path).file_stem().map(|s| s.to_string_lossy().to_lowercase());
        let names = |wanted: &str| {
            let lower = wanted.to_lowercase();
            lower.len() >= 4
                && (lower.contains(&path.to_lowercase())
                    || file.as_deref().is_some_and(|file| file.len() >= 4 && lower.contains(file))
                    || (content_set(title).len() >= 2
                        && overlap(&content_set(title), &content_set(wanted)) > 0.99))
        };
        if wanted.iter().any(|wanted| !wanted.is_empty() && names(wanted)) {
            out.push(path.clone());
        }
    }
    out
}

fn standing(assessed: &Assessed, at: usize, cited: &[String]) -> &'static str {
    let entailment = &assessed.entailments[at];
    let among =
        |evidence: &[SourceEvidence]| evidence.iter().any(|e| cited.contains(&e.source_url));
    if cited.is_empty() {
        "source_not_here"
    } else if among(&entailment.supporting_sources) {
        "supported"
    } else if among(&entailment.contradicting_sources) {
        "contradicted"
    } else if entailment.verdict == Verdict::Entailed {
        "supported_elsewhere"
    } else {
        "not_supported"
    }
}

fn told(report: &Report, folder: &Path, terminal: &Terminal) -> String {
    let Assessed { claims, entailments, confidence, .. } = &report.assessed;
    let mut out = String::new();
    for ((claim, entailment), figures) in
        claims.iter().zip(entailments).zip(&confidence.claim_confidences)
    {
        // A source that says otherwise is no detail, however well another one bears the claim out: it is disputed.
        let colour = match entailment.word() {
            "supported" => "32",
            "contradicted" => "31",
            "unchecked" => "2",
            _ => "33",
        };
        let confidence = match (figures.confidence, figures.interval) {
            (Some(p), Some((low, high))) => format!(" (confidence {p:.2} [{low:.2}, {high:.2}])"),
            (Some(p), None) => format!(" (confidence {p:.2})"),
            (None, _) => String::new(),
        };
        let decided = match entailment.verdict {
            Verdict::Unchecked { .. } => "-".to_owned(),
            _ => format!("for {:.2}, against {:.2}", entailment.supports, entailment.refutes),
        };
        let mark = terminal.paint(colour, entailment.word());
        let _ = writeln!(out, "{:4} {mark}  {decided}{confidence}", claim.id.to_string());
        let _ = writeln!(out, "     {}", squeeze(&claim.text));
        let _ = writeln!(out, "     {}", squeeze(&entailment.reasoning));
        let shown = (folder, terminal);
        evidence(&mut out, "for    ", &entailment.supporting_sources, shown);
        evidence(&mut out, "against", &entailment.contradicting_sources, shown);
        citation(&mut out, report, claim);
        out.push('\n');
    }
    clashes(&mut out, report, terminal);
    summary(&mut out, report);
    out
}

fn clashes(out: &mut String, report: &Report, terminal: &Terminal) {
    for clash in &report.contradictions {
        let title = match clash.between {
            Between::Text => "the text contradicts itself",
            Between::Sources => "the sources contradict each other",
        };
        let _ = writeln!(out, "{}  {}", terminal.paint("31", title), squeeze(&clash.summary));
        for Party { claim_id, location, text } in &clash.sides {
            let place = claim_id.as_ref().map(ToString::to_string).or_else(|| location.clone());
            let _ = writeln!(
                out,
                "     {}: \u{201C}{}\u{201D}",
                squeeze(&place.unwrap_or_default()),
                squeeze(text)
            );
        }
        out.push('\n');
    }
    if let Some(reason) = &report.contradictions_unchecked {
        let _ = writeln!(out, "contradictions were not looked for: {}\n", squeeze(reason));
    }
}

fn evidence(
    out: &mut String,
    side: &str,
    evidence: &[SourceEvidence],
    (folder, terminal): (&Path, &Terminal),
) {
    for item in evidence.iter().take(2) {
        let _ = writeln!(
            out,
            "     {side} {}: \u{201C}{}\u{201D}",
            terminal.link_place(&squeeze(&item.location), &item.source_url, Some(folder)),
            squeeze(&item.relevant_text)
        );
    }
}

fn citation(out: &mut String, report: &Report, claim: &Claim) {
    let Some(note) = report.citations.iter().find(|n| n.claim_id == claim.id.as_str()) else {
        return;
    };
    let said = match note.standing.as_str() {
        "supported_elsewhere" => "the cited source does not say it; another one does",
        "contradicted" => "the cited source says otherwise",
        "not_supported" => "the cited source does not say it",
        "source_not_here" => "the cited source is not in the folder",
        _ => return,
    };
    let _ = writeln!(out, "     cites [{}]: {said}", squeeze(&note.cited.join(", ")));
}

fn summary(out: &mut String, report: &Report) {
    let confidence = &report.assessed.confidence;
    let coverage = &confidence.coverage;
    let standing = |word: &str| report.standings.iter().filter(|one| one.standing == word).count();
    let disputed = standing("disputed");
    if confidence.assessment == Assessment::NotAssessable {
        let _ = writeln!(
            out,
            "not assessable: {}",
            if coverage.claims == 0 {
                "the text makes no statement that could be checked"
            } else {
                "no statement could be checked"
            }
        );
    } else {
        let _ = writeln!(
            out,
            "overall {:.2} ({}): {} of {} supported, {disputed} disputed, {} contradicted, {} not supported, {} unchecked; \
             methodology score {:.2}",
            confidence.overall_confidence,
            confidence.level.word(),
            standing("supported"),
            counted(coverage.claims, "claim"),
            standing("contradicted"),
            standing("not supported"),
            coverage.unchecked,
            confidence.methodology.score,
        );
        let _ = writeln!(
            out,
            "- the verdict is decided on `for` and `against`: what the passage that speaks most for it says, and that \
             which speaks most against it; the confidence is how surely all sources together bear it out, and decides no verdict"
        );
        if disputed > 0 {
            let _ = writeln!(
                out,
                "- {} disputed: one source bears it out and another says otherwise",
                counted(disputed, "claim")
            );
        }
    }
    for advice in &confidence.recommendations {
        let _ = writeln!(out, "- {advice}");
    }
    for defect in report.not_taken.iter().take(5) {
        let _ = writeln!(
            out,
            "- not taken as a claim (character {}): {}",
            defect.span.start,
            squeeze(&defect.reason)
        );
    }
    if report.not_taken.len() > 5 {
        let _ =
            writeln!(out, "- and {} more not taken; --json lists them", report.not_taken.len() - 5);
    }
    if let Some(point) = &report.operating_point {
        let _ = writeln!(out, "- {}", point.told());
    }
    let _ = writeln!(out, "{}", confidence.calibration);
}

#[cfg(test)]
mod tests {
    use super::*;
    use elenchus_core::evidence::Span;

    #[test]
    fn a_part_ends_where_the_next_claim_begins_further_on() {
        let taken = |from: usize, most: usize| {
            let mut claims: Vec<Claim> = [0, 0, 7, 12, 12, 30]
                .map(|start| Claim {
                    source_span: Span { start, end: start + 5 },
                    ..Claim::stated(ClaimId(String::new()), "It so is.")
                })
                .into();
            let part = Part { from, most, heard: &|_, _| () };
            let (left_out, next) = part.take(&mut claims);
            (claims.len(), left_out, next)
        };
        assert_eq!(taken(0, usize::MAX), (6, 0, None));
        assert_eq!(taken(0, 1), (2, 4, Some(7)), "what begins at one place stays together");
        assert_eq!(taken(7, 2), (3, 1, Some(30)));
        assert_eq!(taken(30, 2), (1, 0, None));
        assert_eq!(taken(31, 2), (0, 0, None));
        // From part to part every claim is checked once.
        let (mut from, mut all) = (Some(0), 0);
        while let Some(at) = from {
            let (count, _, next) = taken(at, 1);
            (from, all) = (next, all + count);
        }
        assert_eq!(all, 6);
    }
}
