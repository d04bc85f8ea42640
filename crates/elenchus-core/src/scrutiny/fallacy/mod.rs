//! Fallacies: a catalog, high-precision patterns, checks of form and a linear model.
//!
//! A finding is a warning and a question to ask, never a verdict: people agree little on such names, so every
//! finding shows the words it stands on, how sure it is, and what would answer it.

mod catalog;
mod form;
mod language;
pub mod model;
mod pattern;
mod reading;
#[cfg(test)]
mod tests;

pub use catalog::{CATALOG, Fallacy, Family, Form, Pack, Rule, by_id};
pub use language::{Language, language, question_language};
pub use model::{Model, ModelError};

use pattern::Match;
use reading::Paragraph;
use serde::Serialize;
use std::ops::Range;

/// How much has to speak for a finding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Point {
    /// At most one false alarm in 1,000 neutral sentences.
    #[default]
    Strict,
    /// Misses less and is wrong more often.
    Sensitive,
}

/// Which linear model reads along.
#[derive(Clone, Copy, Debug, Default)]
pub enum Reader<'m> {
    /// The one in the program, fitted on our own examples.
    #[default]
    Shipped,
    /// The same, for somebody who asks about a text: where it is surer than neutral prose ever makes it, it warns alone, and of the
    /// patterns of common words too. What runs say of their own answers is derived again from their journals and stays as it was.
    Asked,
    /// One that the caller has loaded.
    Given(&'m Model),
    /// None: patterns and checks of form only.
    Off,
}

/// What to look for, and how hard.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'m> {
    /// The operating point.
    pub point: Point,
    /// Whether the theology pack is looked for as well.
    pub theology: bool,
    /// The linear model.
    pub reader: Reader<'m>,
}

impl<'m> Options<'m> {
    fn model(&self) -> Option<&'m Model> {
        match self.reader {
            Reader::Shipped | Reader::Asked => Some(Model::shipped()),
            Reader::Given(model) => Some(model),
            Reader::Off => None,
        }
    }

    /// Whether the model may warn from this probability on although the operating point asks for more.
    fn lets(&self, probability: f64, least: f64) -> bool {
        matches!(self.reader, Reader::Asked) && probability >= least
    }

    fn wants(&self, fallacy: &Fallacy) -> bool {
        fallacy.pack == Pack::General || self.theology
    }
}

/// What noticed a fallacy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Detector {
    /// A pattern or a check of form.
    Pattern,
    /// The linear model.
    Model,
    /// A language model.
    LanguageModel,
}

/// A warning: these words may commit this fallacy.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// The fallacy's id in [`CATALOG`].
    pub fallacy: &'static str,
    /// The fallacy's name.
    pub name: &'static str,
    /// Characters of the text, from and up to.
    pub span: Range<usize>,
    /// The text at `span`, as it stands.
    pub text: String,
    /// How likely the warning is right, above 0 and below 1.
    pub probability: f64,
    /// Whether `probability` was fitted on held-out examples (of our own) or is a grade of the pattern.
    pub calibrated: bool,
    /// What noticed it.
    pub detector: Detector,
    /// What to ask whoever wrote this.
    pub question: String,
    /// Why it was noticed.
    pub because: String,
}

/// Grades of the two kinds of pattern, and of a check of form. They are set, not fitted.
const STRICT_GRADE: f64 = 0.85;
const SENSITIVE_GRADE: f64 = 0.5;
const FORM_GRADE: f64 = 0.9;
/// The grade of a warning that only a language model gives: as that of the weaker patterns.
const SAID_GRADE: f64 = 0.5;

/// From these probabilities on the model warns alone, and raises a pattern of common words ("either ... or"), where somebody asks.
/// Of 35,533 sentences of encyclopaedias, papers, church fathers and our own pages the first makes 7 warnings and the second none, 10
/// with the 3 that were there before; see docs/quality.md.
const ALONE: f64 = 0.8;
const COMMON: f64 = 0.97;

/// Longest piece of a text that a question repeats, in characters.
const REPEATED: usize = 90;

/// Warnings for a text, in the order of their spans. A text in another language gets none: see [`language`].
pub fn detect(text: &str, options: &Options<'_>) -> Vec<Finding> {
    if language(text) == Language::Other {
        return Vec::new();
    }
    let source = Source::new(text);
    let mut findings = Vec::new();
    for paragraph in reading::read(text) {
        one(&paragraph, &source, options, &mut findings);
    }
    findings.sort_by(|a, b| {
        (a.span.start, a.span.end, a.fallacy).cmp(&(b.span.start, b.span.end, b.fallacy))
    });
    findings
}

/// Adds the warnings of a language model: fallacy id, and characters of the text. Where the patterns or the linear model
/// warn of the same fallacy at the same words, theirs stands, a little surer; ids that the catalog does not hold and
/// places that the text does not have are left out.
pub fn add_said(text: &str, said: &[(String, Range<usize>)], findings: &mut Vec<Finding>) {
    let source = Source::new(text);
    let characters = text.chars().count();
    for (id, span) in said {
        let Some(entry) = by_id(id) else { continue };
        if span.start >= span.end || span.end > characters {
            continue;
        }
        let known = findings.iter_mut().find(|f| f.fallacy == entry.id && overlaps(&f.span, span));
        if let Some(known) = known {
            if known.detector != Detector::LanguageModel {
                known.probability = (known.probability + (1.0 - known.probability) / 4.0).min(0.99);
                known.because.push_str("; a language model says so too");
            }
            continue;
        }
        findings.push(Finding {
            fallacy: entry.id,
            name: entry.name,
            span: span.clone(),
            text: source.slice(span).to_owned(),
            probability: SAID_GRADE,
            calibrated: false,
            detector: Detector::LanguageModel,
            question: entry.question.to_owned(),
            because: format!("a language model named it; no pattern matched (cue: {})", entry.cue),
        });
    }
    findings.sort_by(|a, b| {
        (a.span.start, a.span.end, a.fallacy).cmp(&(b.span.start, b.span.end, b.fallacy))
    });
}

/// [`detect`] for each of several texts.
pub fn detect_all(texts: &[&str], options: &Options<'_>) -> Vec<Vec<Finding>> {
    texts.iter().map(|text| detect(text, options)).collect()
}

/// A text and where every 64th of its characters begins, so that slicing by characters is no walk from the start.
struct Source<'t> {
    text: &'t str,
    marks: Vec<usize>,
}

const STRIDE: usize = 64;

impl<'t> Source<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, marks: text.char_indices().step_by(STRIDE).map(|(byte, _)| byte).collect() }
    }

    fn byte(&self, character: usize) -> usize {
        let Some(&from) = self.marks.get(character / STRIDE) else { return self.text.len() };
        let rest = &self.text[from..];
        from + rest.char_indices().nth(character % STRIDE).map_or(rest.len(), |(byte, _)| byte)
    }

    fn slice(&self, span: &Range<usize>) -> &'t str {
        &self.text[self.byte(span.start)..self.byte(span.end)]
    }
}

fn one(
    paragraph: &Paragraph,
    source: &Source<'_>,
    options: &Options<'_>,
    findings: &mut Vec<Finding>,
) {
    // The model takes the patterns of both points as features, and agreement with it can raise one.
    let matches = pattern::matches(paragraph, Point::Sensitive);
    let model = options.model();
    let groups = model.map(|model| scored(model, paragraph, &matches)).unwrap_or_default();
    let mut taken: Vec<(usize, Range<usize>)> = Vec::new();
    let mut ranked: Vec<&Match> =
        matches.iter().filter(|m| options.wants(CATALOG[m.fallacy])).collect();
    ranked.sort_by_key(|m| (m.point, !m.form, m.range.start, std::cmp::Reverse(m.range.end)));
    for found in ranked {
        let read = groups.iter().find(|g| overlaps(&g.range, &found.range));
        let agreed = read.map_or(0.0, |group| group.of(found.fallacy));
        let agrees = model.is_some_and(|model| found.raises && agreed >= model.agreement())
            || options.lets(agreed, COMMON);
        if found.point > options.point && !agrees {
            continue;
        }
        // One warning of a kind for the same words, and one kind for the very same words.
        let double = |(kind, range): &(usize, Range<usize>)| {
            overlaps(range, &found.range)
                && (*kind == found.fallacy || found.point == Point::Sensitive)
        };
        if taken.iter().any(double) {
            continue;
        }
        if let Some(finding) = by_pattern(found, agreed, paragraph, source) {
            taken.push((found.fallacy, found.range.clone()));
            findings.push(finding);
        }
    }
    let Some(model) = model else { return };
    for group in &groups {
        if taken.iter().any(|(_, range)| overlaps(range, &group.range)) {
            continue;
        }
        let Some((fallacy, probability)) = group.best(model, options) else { continue };
        let Some(span) = paragraph.source(&group.range) else { continue };
        let entry = CATALOG[fallacy];
        findings.push(Finding {
            fallacy: entry.id,
            name: entry.name,
            text: source.slice(&span).to_owned(),
            span,
            probability,
            calibrated: model.is_calibrated(),
            detector: Detector::Model,
            question: entry.question.to_owned(),
            because: format!(
                "the wording is like that of examples of it; no pattern matched (cue: {})",
                entry.cue
            ),
        });
    }
}

fn overlaps(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

fn by_pattern(
    found: &Match,
    agreed: f64,
    paragraph: &Paragraph,
    source: &Source<'_>,
) -> Option<Finding> {
    let entry = CATALOG[found.fallacy];
    let span = paragraph.source(&found.range)?;
    let grade = match found.point {
        _ if found.form => FORM_GRADE,
        Point::Strict => STRICT_GRADE,
        Point::Sensitive => SENSITIVE_GRADE,
    };
    let words = found.words.as_ref().and_then(|words| paragraph.source(words));
    let words = words.map(|words| crate::text::squeeze(source.slice(&words)));
    let fits = |words: &String| !words.is_empty() && words.chars().count() <= REPEATED;
    let question = words
        .filter(fits)
        .map_or_else(|| entry.question.to_owned(), |words| entry.asks.replace("{x}", &words));
    let way = if found.form {
        "the parts of the argument come back in the form"
    } else {
        "the words follow the pattern"
    };
    Some(Finding {
        fallacy: entry.id,
        name: entry.name,
        text: source.slice(&span).to_owned(),
        span,
        probability: grade.max(agreed).min(0.99),
        calibrated: false,
        detector: Detector::Pattern,
        question,
        because: format!("{way} \"{}\"", entry.cue),
    })
}

/// A few sentences, and what the model thinks of them.
struct Group {
    range: Range<usize>,
    /// Probability of each entry of the catalog.
    probabilities: Vec<f64>,
    /// Probability that there is nothing.
    none: f64,
}

impl Group {
    fn of(&self, fallacy: usize) -> f64 {
        self.probabilities.get(fallacy).copied().unwrap_or(0.0)
    }

    fn best(&self, model: &Model, options: &Options<'_>) -> Option<(usize, f64)> {
        let wanted = (0..self.probabilities.len()).filter(|i| options.wants(CATALOG[*i]));
        let (fallacy, probability) =
            wanted.map(|i| (i, self.of(i))).max_by(|a, b| a.1.total_cmp(&b.1))?;
        let surely = options.lets(probability, ALONE)
            && model.fires(Point::Sensitive, probability, self.none);
        (surely || model.fires(options.point, probability, self.none))
            .then_some((fallacy, probability.clamp(0.01, 0.99)))
    }
}

/// Most sentences and words that the model reads at once: the length of its examples.
const GROUP_SENTENCES: usize = 3;
const GROUP_WORDS: usize = 60;
/// Fewer words than this argue nothing.
const FEWEST_WORDS: usize = 5;

fn scored(model: &Model, paragraph: &Paragraph, matches: &[Match]) -> Vec<Group> {
    let words = |range: &Range<usize>| paragraph.plain[range.clone()].split(' ').count();
    let mut ranges: Vec<(Range<usize>, usize, usize)> = Vec::new();
    for sentence in &paragraph.sentences {
        let length = words(sentence);
        match ranges.last_mut() {
            Some((range, held, total))
                if *held < GROUP_SENTENCES && *total + length <= GROUP_WORDS =>
            {
                range.end = sentence.end;
                *held += 1;
                *total += length;
            }
            _ => ranges.push((sentence.clone(), 1, length)),
        }
    }
    ranges.retain(|(_, _, total)| *total >= FEWEST_WORDS);
    ranges.into_iter().map(|(range, _, _)| read_group(model, paragraph, matches, range)).collect()
}

fn read_group(
    model: &Model,
    paragraph: &Paragraph,
    matches: &[Match],
    range: Range<usize>,
) -> Group {
    let cues = matches.iter().filter(|m| overlaps(&m.range, &range)).map(|m| (m.fallacy, m.point));
    let features = model::features(&paragraph.plain[range.clone()], cues);
    let given = model.probabilities(&features);
    let of = |name: &str| {
        model.classes().iter().position(|class| class == name).map_or(0.0, |i| given[i])
    };
    Group {
        probabilities: CATALOG.iter().map(|fallacy| of(fallacy.id)).collect(),
        none: of(model::NONE),
        range,
    }
}

/// The features of a whole short text, as [`Model`]s are fitted on: words, frames, letters, and the patterns that
/// matched.
pub fn features(text: &str) -> model::Features {
    let mut features = model::Features::default();
    for paragraph in reading::read(text) {
        let matches = pattern::matches(&paragraph, Point::Sensitive);
        features.extend(model::features(
            &paragraph.plain,
            matches.iter().map(|m| (m.fallacy, m.point)),
        ));
    }
    features
}
