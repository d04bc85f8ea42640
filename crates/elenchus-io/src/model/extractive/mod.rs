//! The extractive model: every prompt function answered without a language model.
//!
//! It splits questions, writes queries, and selects and quotes sentences. A sentence may answer only if it
//! binds the question's names, its attribute, its period and the expected kind of value; where no words bind the
//! attribute, a sentence near in meaning may answer weakly (`meaning`); otherwise the gap stays open. It invents
//! nothing: everything it returns is a place in a passage.

mod about;
mod accept;
mod acronyms;
mod amended;
mod amounts;
mod asked_anew;
mod asked_column;
mod asked_field;
mod asked_kind;
mod asked_past;
mod astray;
mod bind;
mod by_form;
mod by_label;
mod ceilings;
mod cells;
mod changes;
mod choice;
mod clause;
mod columns;
mod compared;
mod context;
mod contrast;
mod coordination;
mod counted;
mod denied;
mod deputies;
mod digest;
mod dimension;
mod dropped;
mod earlier;
mod editions;
mod effects;
mod endings;
mod ends;
mod expects;
mod explain;
mod extremes;
mod first_dates;
mod follow_up;
mod followed;
mod hours;
mod house;
mod in_force;
mod in_place;
mod items;
mod kinds;
mod labelled;
mod later_figures;
mod later_parts;
mod later_told;
mod lenders;
mod lexicon;
mod located;
mod main_clause;
mod marks;
mod matching;
mod meaning;
mod measures;
mod money_columns;
mod moved;
mod names;
mod nearby;
mod no_longer;
mod none;
mod numbering;
mod once;
mod ordinals;
mod outcomes;
mod outright;
mod overruled;
mod overtaken;
mod overview;
mod own_subject;
mod owners;
mod part_of_year;
mod particles;
mod parts;
mod periods;
mod places;
mod points;
mod pronouns;
mod question;
mod reader;
mod reading;
mod reasons;
mod reported;
mod retracted;
mod revisions;
mod roles;
mod routine;
mod row_of;
mod rows;
mod scales;
mod scene;
mod scope;
mod second_look;
mod select;
mod sender;
mod settings;
mod short_names;
mod sibling_columns;
mod slipped;
mod spans;
mod split;
mod succession;
mod succession_reader;
mod successors;
mod sums;
mod supplanted;
mod survey;
#[cfg(test)]
mod testing;
mod thesis;
mod typos;
mod unavailable;
mod unit;
mod values;
mod variants;
mod verses;
mod vintages;
mod weekdays;
mod whole_numbers;
mod witnesses;
mod wrappings;
mod year_rows;

pub use explain::NearestInMeaning;
pub use reader::{AnswerReader, Told};
pub use succession_reader::{Statement, SuccessionReader};

use crate::embed::SentenceEncoder;
use crate::verify::CrossEncoder;
use bind::Candidate;
use elenchus_core::evidence::{ReadPassage, Span};
use elenchus_core::id::PassageId;
use elenchus_core::inquiry::gap::GapReason;
use elenchus_core::port::{Answered, Model, ModelFailure, ModelRole, PortFuture, Usage};
use elenchus_core::prompt::{
    Clarification, Complexity, Criticism, Distilled, Draft, DraftInput, DraftSection, FactRole,
    Facts, FactsInput, FallacyFindings, GapFinding, GapFindings, GapInput, Hypotheses,
    MetaAnalysis, ModelCall, ModelReply, Patches, Perspective, PerspectiveSynthesis, Plan,
    PlanInput, PlannedQuestion, ProposedFact, QuestionKind, QuestionNote, ReflectInput, Reflection,
    Severity,
};
use matching::{Commonness, Matcher};
use question::{Expects, Question};
use select::{Selection, select};
use unavailable::unavailable;
use unit::{EvidenceUnit, evidence_units};

/// The built-in model. Cheap to make; safe to share.
pub struct ExtractiveModel {
    matcher: Matcher,
}

impl Default for ExtractiveModel {
    fn default() -> Self {
        Self::new()
    }
}

impl ExtractiveModel {
    /// Makes the model.
    pub fn new() -> Self {
        Self { matcher: Matcher::new() }
    }

    /// Begins to load the encoder, the reader and the judge of claims aside, where somebody is going to ask: they take about
    /// as long as everything else before the first question to them. Nothing is lost where it cannot be done; the
    /// first to need a model loads it then, or waits for it.
    pub fn warm() {
        let aside = |name: &str, load: fn()| {
            // Loaded where it is needed if no thread is to be had.
            let _ = std::thread::Builder::new().name(name.to_owned()).spawn(load);
        };
        aside("encoder", || {
            let _ = SentenceEncoder::builtin();
        });
        aside("readers", || {
            let _ = AnswerReader::builtin();
            let _ = CrossEncoder::builtin();
        });
    }

    /// Answers one call.
    pub fn answer(&self, call: &ModelCall) -> ModelReply {
        match call {
            // Which senses a word has stands in no index of names, so this model asks nothing back.
            ModelCall::Clarify(_) => ModelReply::Clarify(Clarification::default()),
            ModelCall::Plan(input) => ModelReply::Plan(plan(input)),
            ModelCall::Reflect(input) => ModelReply::Reflect(self.reflect(input)),
            ModelCall::ExtractFacts(input) => ModelReply::ExtractFacts(self.facts(input)),
            ModelCall::AnalyzeGaps(input) => ModelReply::AnalyzeGaps(self.gaps(input)),
            ModelCall::FollowUp(input) => ModelReply::FollowUp(follow_up::follow_up(input)),
            ModelCall::Draft(input) => ModelReply::Draft(draft(input)),
            // An explanation is no quote, so there is none that this model could honestly give.
            ModelCall::Hypothesize(_) => ModelReply::Hypothesize(Hypotheses::default()),
            // It understands no argument, so it has none against one and mends none.
            ModelCall::Critique(_) => ModelReply::Critique(Criticism::default()),
            ModelCall::Revise(_) => ModelReply::Revise(Patches::default()),
            // Nor is a point of view, nor what several of them come to.
            ModelCall::Perspective(_) => ModelReply::Perspective(Perspective::default()),
            ModelCall::SynthesizePerspectives(_) => {
                ModelReply::SynthesizePerspectives(PerspectiveSynthesis::default())
            }
            ModelCall::MetaAnalysis(_) => ModelReply::MetaAnalysis(MetaAnalysis::default()),
            // What a session teaches it cannot tell; the heuristic distiller goes by its facts.
            ModelCall::Distill(_) => ModelReply::Distill(Distilled::default()),
            // Patterns and a small model of core read texts for fallacies; this one understands no argument.
            ModelCall::Fallacies(_) => ModelReply::Fallacies(FallacyFindings::default()),
        }
    }

    fn select(
        &self,
        question: &PlannedQuestion,
        units: &[EvidenceUnit<'_>],
        common: &Commonness,
        subjects: &[String],
    ) -> (Question, Selection) {
        // Where the searches counted a word, a document has it or has not.
        let meant = typos::mended(&question.text, |word| common.count(word).unwrap_or(0) > 0);
        let text = meant.as_ref().map_or(&question.text, |meant| &meant.text);
        let ask = |text: &str| {
            let parsed = Question::parse(text, subjects);
            let selection = select(&parsed, units, &self.matcher, common);
            (parsed, selection)
        };
        asked_anew::or_anew(ask(text), units, common, ask)
    }

    /// As `select`, for a part that says "he" or "she" of whoever the first part asks for: it is read of the one who answers
    /// that in the same passages. Nothing answers it while nobody does: "he" alone fits anybody.
    fn select_after(
        &self,
        first: Option<&str>,
        question: &PlannedQuestion,
        units: &[EvidenceUnit<'_>],
        common: &Commonness,
        subjects: &[String],
    ) -> (Question, Selection) {
        let open = question.id > 1 && split::says_person(&question.text);
        if !open {
            return self.select(question, units, common, subjects);
        }
        let asked = first.map(|text| PlannedQuestion { text: text.to_owned(), ..question.clone() });
        let answer = asked.map(|asked| self.select(&asked, units, common, subjects).1);
        let who = answer.and_then(|selection| {
            let best = selection.answers.first()?;
            Some(units[best.unit].text[best.value.clone()?].to_owned())
        });
        match who {
            Some(who) => {
                let text = split::put_person(&question.text, &who);
                self.select(&PlannedQuestion { text, ..question.clone() }, units, common, subjects)
            }
            None => (Question::parse(&question.text, subjects), Selection::default()),
        }
    }

    fn reflect(&self, input: &ReflectInput) -> Reflection {
        let units = evidence_units(&input.passages);
        let common = Commonness::new(&input.terms, input.corpus_passages);
        let parts = split::split(&input.question);
        let first = parts.first().map(String::as_str);
        let mut reflection = Reflection::default();
        for question in &input.open {
            let (parsed, selection) =
                self.select_after(first, question, &units, &common, &input.subjects);
            let answered =
                is_answered(&parsed, &selection, input.new_passages, input.passages.len());
            if answered {
                reflection.answered_questions.push(question.id);
            } else {
                reflection.unanswered_questions.push(question.id);
            }
            reflection.notes.push(QuestionNote {
                question_id: question.id,
                note: note(question, &parsed, &selection, &units, &common, input.corpus_passages),
            });
            let wanted =
                selection.answers.iter().map(|c| c.unit).chain(selection.relevant.iter().copied());
            for unit in wanted {
                push_unique(&mut reflection.relevant_passage_ids, &units[unit].read.passage.id);
            }
        }
        reflection.is_sufficient = reflection.unanswered_questions.is_empty();
        reflection
    }

    fn facts(&self, input: &FactsInput) -> Facts {
        let units = evidence_units(&input.passages);
        let common = Commonness::new(&input.terms, input.corpus_passages);
        let mut facts = Vec::new();
        let first = input.questions.iter().find(|question| question.id == 1);
        let first = first.map(|question| question.text.as_str());
        for question in &input.questions {
            let (parsed, selection) =
                self.select_after(first, question, &units, &common, &input.subjects);
            for (list, role) in [
                (&selection.answers, FactRole::Answer),
                (&selection.conflicts, FactRole::Conflict),
                (&selection.superseded, FactRole::Superseded),
            ] {
                facts.extend(
                    list.iter().map(|candidate| fact(question, &parsed, candidate, &units, role)),
                );
            }
            facts.extend(
                selection
                    .nearest
                    .iter()
                    .map(|near| fact(question, &parsed, near, &units, FactRole::Context)),
            );
        }
        Facts { facts }
    }

    /// A gap is unavailable when a passage that binds it says that the information is not to be had.
    fn gaps(&self, input: &GapInput) -> GapFindings {
        let units = evidence_units(&input.passages);
        let common = Commonness::new(&input.terms, input.corpus_passages);
        let findings = input
            .gaps
            .iter()
            .map(|gap| {
                let texts: Vec<String> = input
                    .questions
                    .iter()
                    .filter(|question| gap.question_ids.contains(&question.id))
                    .map(|question| question.text.clone())
                    .collect();
                let text = texts.first().unwrap_or(&gap.description);
                let parsed = Question::parse(text, &[]);
                match unavailable(&parsed, &units, &self.matcher, &common) {
                    Some(unit) => GapFinding {
                        gap_id: gap.id.clone(),
                        give_up: Some(GapReason::Unavailable),
                        passage_id: Some(unit.read.passage.id.clone()),
                        reasoning: format!(
                            "{} says that \"{}\" is not to be had",
                            unit.read.source.path, gap.description
                        ),
                    },
                    None => GapFinding {
                        gap_id: gap.id.clone(),
                        give_up: None,
                        passage_id: None,
                        reasoning: format!(
                            "no passage of round {} binds {} and its kind of value",
                            input.round,
                            wanted_words(&parsed)
                        ),
                    },
                }
            })
            .collect();
        GapFindings { findings }
    }
}

impl Model for ExtractiveModel {
    fn name(&self) -> &'static str {
        "builtin:extractive"
    }

    fn call<'a>(
        &'a self,
        _role: ModelRole,
        call: &'a ModelCall,
    ) -> PortFuture<'a, Result<Answered, ModelFailure>> {
        Box::pin(async move { Ok(Answered::plainly(self.answer(call), Usage::default())) })
    }
}

fn push_unique(list: &mut Vec<PassageId>, id: &PassageId) {
    if !list.contains(id) {
        list.push(id.clone());
    }
}

/// A lookup is answered by one fact that binds. A survey wants several voices, or as many as new reading brings.
fn is_answered(
    parsed: &Question,
    selection: &Selection,
    new_passages: usize,
    passages: usize,
) -> bool {
    match parsed.kind {
        // What is said of a topic is its answer, be it much or little.
        QuestionKind::Lookup | QuestionKind::Overview => !selection.answers.is_empty(),
        QuestionKind::Survey => {
            selection.answers.len() >= 10
                || (!selection.answers.is_empty() && (passages >= 40 || new_passages == 0))
        }
    }
}

fn wanted_words(parsed: &Question) -> String {
    let words: Vec<String> = parsed
        .terms
        .iter()
        .filter(|term| term.hard || !term.light)
        .map(|term| format!("\"{}\"", term.word))
        .collect();
    words.join(", ")
}

fn note(
    question: &PlannedQuestion,
    parsed: &Question,
    selection: &Selection,
    units: &[EvidenceUnit<'_>],
    common: &Commonness,
    passages: u32,
) -> String {
    if let Some(best) = selection.answers.first() {
        let unit = &units[best.unit];
        let value = best
            .value
            .as_ref()
            .map(|range| format!(" with the value {}", &unit.text[range.clone()]));
        return format!(
            "{} in {} {}{}{}",
            if selection.answers.len() > 1 {
                format!("{} quotes, the first", selection.answers.len())
            } else {
                "a quote".to_owned()
            },
            unit.read.location(),
            meaning::binding(best),
            value.unwrap_or_default(),
            if selection.superseded.is_empty() {
                String::new()
            } else {
                format!("; {} older", selection.superseded.len())
            },
        );
    }
    let absent: Vec<String> = parsed
        .terms
        .iter()
        .filter(|term| term.hard && common.count(&term.word) == Some(0))
        .map(|term| format!("\"{}\" occurs in 0 of {passages} passages", term.word))
        .collect();
    if !absent.is_empty() {
        return format!("\"{}\" stays open: {}", question.text, absent.join("; "));
    }
    match selection.nearest.first() {
        Some(near) => {
            let why = if near.missing.is_empty() {
                format!("holds no {}", parsed.expects.name())
            } else {
                format!("says nothing of {}", near.missing.join(", "))
            };
            format!(
                "\"{}\" stays open: the nearest, {}, {why}",
                question.text,
                units[near.unit].read.location()
            )
        }
        None => {
            format!("\"{}\" stays open: nothing read binds {}", question.text, wanted_words(parsed))
        }
    }
}

fn fact(
    question: &PlannedQuestion,
    parsed: &Question,
    candidate: &Candidate,
    units: &[EvidenceUnit<'_>],
    role: FactRole,
) -> ProposedFact {
    let unit = &units[candidate.unit];
    let shows_value = parsed.kind == QuestionKind::Lookup && role != FactRole::Context;
    let warrant = format!(
        "{}{}",
        meaning::binding(candidate),
        match vintages::time_of(parsed, candidate, unit) {
            Some(period) => format!(" for {period}"),
            None => String::new(),
        }
    );
    let bearing =
        matches!(role, FactRole::Answer | FactRole::Conflict).then(|| meaning::bearing(candidate));
    ProposedFact {
        question_id: question.id,
        passage_id: unit.read.passage.id.clone(),
        span: unit.span,
        value: candidate.value.as_ref().filter(|_| shows_value).map(|range| unit.span_of(range)),
        role,
        polarity: if shows_value { candidate.polarity } else { None },
        bearing,
        likeness: candidate.likeness.filter(|_| role == FactRole::Context),
        unbound: if shows_value && role == FactRole::Answer {
            meaning::unbound(candidate, bearing)
        } else {
            Vec::new()
        },
        warrant,
    }
}

fn plan(input: &PlanInput) -> Plan {
    let parts = split::split(&input.question);
    let questions: Vec<PlannedQuestion> = parts
        .iter()
        .take(usize::from(input.max_questions))
        .enumerate()
        .map(|(at, text)| {
            let parsed = Question::parse(text, &input.corpus.subjects);
            let mut queries = follow_up::first_queries(text, &parsed);
            let meant = typos::mended(text, |_| false);
            if let Some(meant) = &meant {
                let parsed = Question::parse(&meant.text, &input.corpus.subjects);
                queries.extend(follow_up::first_queries(&meant.text, &parsed));
            }
            // Somebody whom only the first part's answer names: what tells of both is looked for too.
            let after = at > 0 && split::says_person(text);
            if after {
                queries.push(format!("{} {text}", parts[0]).replace('?', ""));
            }
            PlannedQuestion {
                id: at as u32 + 1,
                text: text.clone(),
                rationale: match &meant {
                    Some(meant) => format!(
                        "{}; where no document has it, {}",
                        rationale(&parsed),
                        meant.said()
                    ),
                    None => rationale(&parsed),
                },
                severity: if at == 0 { Severity::Critical } else { Severity::Important },
                depends_on: if after { vec![1] } else { Vec::new() },
                kind: parsed.kind,
                expects: Some(wanted(&parsed).to_owned()),
                queries,
            }
        })
        .collect();
    let survey = questions.iter().any(|question| question.kind.wants_several());
    let complexity = match questions.len() {
        _ if survey => Complexity::Complex,
        0 | 1 => Complexity::Simple,
        _ => Complexity::Moderate,
    };
    let estimated = if survey { 8 } else { questions.len() as u32 };
    Plan { questions, complexity, estimated_sources: estimated.min(input.corpus.documents) as u16 }
}

/// The word for what is looked for.
fn wanted(parsed: &Question) -> &'static str {
    parsed.overview.as_ref().map_or(parsed.expects.name(), overview::Overview::name)
}

fn rationale(parsed: &Question) -> String {
    let names = parsed.hard_words();
    let attribute: Vec<&str> = parsed
        .terms
        .iter()
        .filter(|term| !term.hard && !term.light)
        .map(|term| term.word.as_str())
        .collect();
    let mut text = match &parsed.overview {
        Some(overview) => format!("asks for no single value but for {}", overview.name()),
        None if parsed.kind == QuestionKind::Survey => {
            "asks for the voices of several sources".to_owned()
        }
        None => format!("asks for {}", parsed.expects.of_one()),
    };
    if !attribute.is_empty() {
        text.push_str(", found by the words ");
        text.push_str(&attribute.join(", "));
    }
    if !names.is_empty() {
        text.push_str("; it must be of ");
        text.push_str(&names.join(", "));
    }
    if let Some(period) = parsed.period {
        text.push_str("; for ");
        text.push_str(&period.to_string());
    }
    text
}

/// Best answer of each question first; what else answers it stands in sections.
fn draft(input: &DraftInput) -> Draft {
    let mut draft = Draft::default();
    for question in &input.questions {
        let answers: Vec<_> = input
            .facts
            .iter()
            .filter(|fact| {
                fact.proposed.question_id == question.id && fact.proposed.role == FactRole::Answer
            })
            .collect();
        let parsed = Question::parse(&question.text, &[]);
        let whole = question.kind.wants_several()
            || rows::asked_rows(&parsed).is_some()
            || overview::several(&question.text).is_some()
            || parsed.expects == Expects::List
            || measures::asked(&question.text).is_some()
            || parsed.verse.is_some();
        let shown = if whole { answers.len() } else { 1 };
        draft.conclusion.extend(answers.iter().take(shown).map(|fact| fact.id.clone()));
        let rest: Vec<_> = answers.iter().skip(shown).take(3).map(|fact| fact.id.clone()).collect();
        if !rest.is_empty() {
            draft
                .sections
                .push(DraftSection { heading: format!("More on: {}", question.text), facts: rest });
        }
    }
    draft
}

/// Characters of a passage; exposed for benchmarks of the unit cutter.
#[must_use]
pub fn unit_spans(passage: &ReadPassage) -> Vec<Span> {
    evidence_units(std::slice::from_ref(passage)).iter().map(|unit| unit.span).collect()
}
