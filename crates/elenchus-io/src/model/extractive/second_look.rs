//! A second look at what a language model replied: code decides how firmly a quote binds its question, whether a passage
//! says that something is not to be had, and whether two quotes are two sources.
//!
//! A language model points at sentences, and the quote it points at is always real. Whether it answers is another
//! matter, and the verifier cannot tell: a quote bears itself out. So the model's facts get the bearing that the
//! built-in reading of question and sentence gives them, whatever the model calls it, and what that reading cannot
//! follow is marked as weak.

use super::bind::{self, Candidate};
use super::matching::Commonness;
use super::question::{Expects, Question};
use super::unit::{EvidenceUnit, evidence_units};
use super::vintages::is_vintage;
use super::{ExtractiveModel, asked_past, lexicon, meaning, overruled, select};
use elenchus_core::evidence::ReadPassage;
use elenchus_core::id::PassageId;
use elenchus_core::inquiry::gap::GapReason;
use elenchus_core::prompt::{
    Bearing, FactRole, Facts, FactsInput, GapFindings, GapInput, ModelCall, ModelReply,
    ProposedFact, QuestionKind,
};
use std::collections::BTreeMap;

impl ExtractiveModel {
    /// Corrects a language model's reply where code can tell better, and says what it corrected. A reply to another
    /// prompt than facts and gaps stays as it is.
    pub fn second_look(&self, call: &ModelCall, reply: &mut ModelReply) -> Vec<String> {
        match (call, reply) {
            (ModelCall::ExtractFacts(input), ModelReply::ExtractFacts(facts)) => {
                let mut told = self.hold(input, facts);
                told.extend(one_source_is_no_conflict(input, facts));
                told
            }
            (ModelCall::AnalyzeGaps(input), ModelReply::AnalyzeGaps(findings)) => {
                says_so(input, findings)
            }
            _ => Vec::new(),
        }
    }

    /// Holds every fact that is to answer a lookup against the question.
    fn hold(&self, input: &FactsInput, facts: &mut Facts) -> Vec<String> {
        let units = evidence_units(&input.passages);
        let common = Commonness::new(&input.terms, input.corpus_passages);
        let mut told = Vec::new();
        for fact in &mut facts.facts {
            fact.bearing = None;
        }
        for question in input.questions.iter().filter(|q| q.kind == QuestionKind::Lookup) {
            let is_held = |fact: &ProposedFact| {
                fact.question_id == question.id
                    && matches!(fact.role, FactRole::Answer | FactRole::Conflict)
            };
            if !facts.facts.iter().any(is_held) {
                continue;
            }
            let parsed = Question::parse(&question.text, &input.subjects);
            let mut all: Vec<Candidate> = units
                .iter()
                .enumerate()
                .map(|(at, unit)| bind::bind(&parsed, at, unit, &self.matcher, &common))
                .collect();
            all.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.unit.cmp(&b.unit)));
            select::judge(&mut all, &units);
            let given: Vec<usize> = facts
                .facts
                .iter()
                .filter(|fact| is_held(fact))
                .filter_map(|fact| {
                    let own = within(fact, &all, &units);
                    best(&own).or_else(|| own.first().copied())
                })
                .map(|candidate| candidate.unit)
                .collect();
            let weighed = meaning::weigh(&parsed, &all, &units, &common, &given);
            for fact in facts.facts.iter_mut().filter(|fact| is_held(fact)) {
                told.extend(held(fact, &parsed, &all, &units, &weighed));
            }
        }
        told
    }
}

/// The candidates whose units a fact's span touches.
fn within<'a>(
    fact: &ProposedFact,
    all: &'a [Candidate],
    units: &[EvidenceUnit<'_>],
) -> Vec<&'a Candidate> {
    all.iter()
        .filter(|candidate| {
            let unit = &units[candidate.unit];
            unit.read.passage.id == fact.passage_id
                && unit.span.start < fact.span.end
                && fact.span.start < unit.span.end
        })
        .collect()
}

/// Of these the one that words speak most for.
fn best<'a>(own: &[&'a Candidate]) -> Option<&'a Candidate> {
    let eligible = own.iter().copied().filter(|candidate| candidate.eligible);
    eligible.max_by(|a, b| a.features.probability().total_cmp(&b.features.probability()))
}

/// Sets what a fact is to its question by the units in its span, and says so where that is not what the model called
/// it:
/// - a name, a number or a period of the question that is nowhere about it: it speaks of something else;
/// - none of the question's other words, and no sentence of that meaning: it says nothing of what is asked, whoever calls it the answer. An
///   order on a page is such a sentence, and a question is not closed by it;
/// - a document that is out of date by its own word, or that another one replaces, where nobody asked for the old: it is
///   superseded;
/// - another value of the kind asked for stands there as well: none is shown as the value.
fn held(
    fact: &mut ProposedFact,
    parsed: &Question,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
    weighed: &BTreeMap<usize, Bearing>,
) -> Option<String> {
    let own = within(fact, all, units);
    let place = own.first().map_or_else(String::new, |c| units[c.unit].read.location());
    let of_now = !parsed.past && !asked_past::asks_for_the_old(parsed);
    let asks_now = of_now && parsed.period.is_none();
    if !own.is_empty() && own.iter().all(|candidate| !candidate.names_bound) {
        fact.role = FactRole::Context;
        return Some(format!(
            "{place} does not speak of what \"{}\" names; it is context and no answer",
            parsed.text
        ));
    }
    let by_own_word = own.iter().any(|candidate| units[candidate.unit].is_superseded());
    let is_replaced = own.iter().any(|candidate| units[candidate.unit].is_replaced);
    // Of the period that is asked about both may tell; then the later one holds.
    let is_told_anew = || {
        let anew = |old: &Candidate| {
            all.iter().any(|new| {
                new.names_bound
                    && !units[new.unit].is_replaced
                    && select::same_words(new, old)
                    && is_vintage(new, old, units)
            })
        };
        of_now && is_replaced && own.iter().any(|old| anew(old))
    };
    if asks_now && (by_own_word || is_replaced) || is_told_anew() {
        fact.role = FactRole::Superseded;
        let why = if by_own_word {
            "is out of date by its own word"
        } else {
            "stands in a document that another one replaces"
        };
        return Some(format!("{place} {why}; what it says is shown as older"));
    }
    let best = best(&own);
    let touched: Vec<usize> = own.iter().map(|candidate| candidate.unit).collect();
    let is_meant = |candidate: &Candidate| {
        let ours = candidate.value.as_ref().map(|range| units[candidate.unit].span_of(range));
        let (Some(ours), Some(theirs)) = (ours, fact.value) else { return true };
        ours.start < theirs.end && theirs.start < ours.end
    };
    if best.is_some_and(|candidate| {
        is_meant(candidate) && overruled::is_taken_back(parsed, candidate, &touched, all, units)
    }) {
        fact.role = FactRole::Superseded;
        return Some(format!("{place} tells what is taken back elsewhere; it is shown as older"));
    }
    let bearing = match best.or_else(|| own.first().copied()) {
        Some(weighty) if weighed.contains_key(&weighty.unit) => weighed[&weighty.unit],
        _ => best.map_or(Bearing::Weak, |candidate| candidate.features.bearing()),
    };
    let is_weak = |at: &usize| weighed.get(at).is_none_or(|bearing| *bearing == Bearing::Weak);
    // A reason has no word of what it is the reason for: "The engine had seized".
    let is_beside = best.is_none()
        && bearing == Bearing::Weak
        && !own.is_empty()
        && parsed.expects != Expects::Reason
        && own.iter().all(|candidate| is_weak(&candidate.unit));
    if is_beside && !own.iter().any(|candidate| is_tied(parsed, candidate)) {
        fact.role = FactRole::Context;
        return Some(format!(
            "{place} says nothing of what \"{}\" asks; it is context and no answer",
            parsed.text
        ));
    }
    fact.bearing = Some(bearing);
    fact.unbound =
        best.map(|candidate| meaning::unbound(candidate, fact.bearing)).unwrap_or_default();
    let other = best.and_then(|candidate| {
        let unit = &units[candidate.unit];
        let (ours, theirs) = (unit.span_of(candidate.value.as_ref()?), fact.value?);
        (ours.end <= theirs.start || theirs.end <= ours.start).then_some(place)
    });
    other.map(|place| {
        fact.value = None;
        fact.bearing = Some(Bearing::Weak);
        format!("{place} holds another value of the kind asked for; none is put forward")
    })
}

/// Whether a candidate says a word of what is asked of the names, where anything is.
fn is_tied(parsed: &Question, candidate: &Candidate) -> bool {
    let mut asked = parsed.terms.iter().filter(|term| !term.hard && !term.light).peekable();
    asked.peek().is_none() || asked.any(|term| candidate.matched.contains(&term.word))
}

/// A source does not disagree with itself because a model says so: what it calls the other side is told as context
/// where every answer comes from the same source.
fn one_source_is_no_conflict(input: &FactsInput, facts: &mut Facts) -> Vec<String> {
    let cluster = |id: &PassageId| find(&input.passages, id).map(|read| &read.source.cluster);
    let mut told = Vec::new();
    for at in 0..facts.facts.len() {
        let fact = &facts.facts[at];
        if fact.role != FactRole::Conflict {
            continue;
        }
        let mut answers = facts
            .facts
            .iter()
            .filter(|other| other.question_id == fact.question_id && other.role == FactRole::Answer)
            .peekable();
        let home = cluster(&fact.passage_id);
        let alone =
            answers.peek().is_some() && answers.all(|other| cluster(&other.passage_id) == home);
        if alone {
            let path =
                find(&input.passages, &fact.passage_id).map_or("", |r| r.source.path.as_str());
            told.push(format!(
                "what was called a conflict on question {} stands in the same source as the answer, {path}; it is context",
                fact.question_id
            ));
            facts.facts[at].role = FactRole::Context;
            facts.facts[at].bearing = None;
        }
    }
    told
}

/// A gap is given up as not to be had only where the passage named for it says something of the kind.
fn says_so(input: &GapInput, findings: &mut GapFindings) -> Vec<String> {
    let mut told = Vec::new();
    for finding in &mut findings.findings {
        if finding.give_up != Some(GapReason::Unavailable) {
            continue;
        }
        let named = finding.passage_id.as_ref().and_then(|id| find(&input.passages, id));
        if named.is_some_and(|read| lexicon::says_unavailable(&read.passage.text.to_lowercase())) {
            continue;
        }
        let place = named.map_or_else(|| "no passage".to_owned(), ReadPassage::location);
        told.push(format!(
            "{place} does not say that \"{}\" is not to be had; it stays open",
            gap_of(input, finding.gap_id.as_str())
        ));
        finding.give_up = None;
        finding.passage_id = None;
    }
    told
}

fn gap_of<'a>(input: &'a GapInput, id: &'a str) -> &'a str {
    input.gaps.iter().find(|gap| gap.id.as_str() == id).map_or(id, |gap| gap.description.as_str())
}

fn find<'a>(passages: &'a [ReadPassage], id: &PassageId) -> Option<&'a ReadPassage> {
    passages.iter().find(|read| read.passage.id == *id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use elenchus_core::evidence::{Span, Vintage};
    use elenchus_core::id::GapId;
    use elenchus_core::prompt::{GapBrief, GapFinding, PlannedQuestion, Severity};

    fn document(name: &str, text: &str) -> ReadPassage {
        super::super::testing::document(name, "Notes of the harbour office", text)
    }

    fn question(kind: QuestionKind) -> PlannedQuestion {
        PlannedQuestion {
            id: 1,
            text: "How deep is the harbour of Leith?".to_owned(),
            rationale: String::new(),
            severity: Severity::Critical,
            depends_on: vec![],
            kind,
            expects: None,
            queries: vec![],
        }
    }

    fn fact(read: &ReadPassage, role: FactRole) -> ProposedFact {
        ProposedFact {
            question_id: 1,
            passage_id: read.passage.id.clone(),
            span: read.passage.span,
            value: None,
            role,
            polarity: None,
            // What a model says of its own quote counts for nothing.
            bearing: Some(Bearing::Strong),
            likeness: None,
            unbound: vec![],
            warrant: String::new(),
        }
    }

    fn looked_at(
        kind: QuestionKind,
        of: &[(&ReadPassage, FactRole)],
    ) -> (Vec<ProposedFact>, Vec<String>) {
        looked_at_for(question(kind), of)
    }

    fn looked_at_for(
        question: PlannedQuestion,
        of: &[(&ReadPassage, FactRole)],
    ) -> (Vec<ProposedFact>, Vec<String>) {
        let passages: Vec<ReadPassage> = of.iter().map(|(read, _)| (*read).clone()).collect();
        let call = ModelCall::ExtractFacts(FactsInput {
            questions: vec![question],
            passages,
            terms: vec![],
            corpus_passages: 3,
            subjects: vec![],
        });
        let facts = of.iter().map(|(read, role)| fact(read, *role)).collect();
        let mut reply = ModelReply::ExtractFacts(Facts { facts });
        let told = ExtractiveModel::new().second_look(&call, &mut reply);
        let ModelReply::ExtractFacts(found) = reply else { unreachable!("it stays what it was") };
        (found.facts, told)
    }

    #[test]
    fn what_binds_is_firm_and_what_does_not_is_weak() {
        let firm = document("a", "The harbour of Leith is 9 metres deep.");
        let other = document("b", "The harbour master of Leith keeps three dogs.");
        let of = [(&firm, FactRole::Answer), (&other, FactRole::Answer)];
        let (facts, told) = looked_at(QuestionKind::Lookup, &of);
        assert!(facts[0].bearing > Some(Bearing::Weak), "{facts:?}");
        assert_eq!(facts[1].bearing, Some(Bearing::Weak));
        assert!(told.is_empty(), "{told:?}");
        let (facts, _) = looked_at(QuestionKind::Survey, &of);
        assert!(facts.iter().all(|fact| fact.bearing.is_none()), "voices are not measured so");
    }

    #[test]
    fn what_says_nothing_of_the_question_is_no_answer_whoever_calls_it_one() {
        let order = super::super::testing::document(
            "a",
            "Remarks",
            "Leith: hand everything to Amy Watson at once.",
        );
        let (facts, told) = looked_at(QuestionKind::Lookup, &[(&order, FactRole::Answer)]);
        assert_eq!((facts[0].role, facts[0].bearing), (FactRole::Context, None), "{told:?}");
        assert!(told[0].contains("says nothing of what"), "{told:?}");
    }

    #[test]
    fn a_reason_need_not_repeat_what_it_is_the_reason_for() {
        let why = super::super::testing::document("a", "Leith", "The crane broke in spring.");
        let text = "Why did trade at Leith fall?".to_owned();
        let asked = PlannedQuestion { text, ..question(QuestionKind::Lookup) };
        let (facts, told) = looked_at_for(asked, &[(&why, FactRole::Answer)]);
        assert_eq!(facts[0].role, FactRole::Answer, "{told:?}");
    }

    #[test]
    fn another_subject_is_no_answer_and_an_outdated_document_no_current_one() {
        let other = document("a", "The harbour of Oban is 9 metres deep.");
        let (facts, told) = looked_at(QuestionKind::Lookup, &[(&other, FactRole::Answer)]);
        assert_eq!((facts[0].role, told.len()), (FactRole::Context, 1), "{told:?}");
        let mut old = document("b", "The harbour of Leith is 8 metres deep.");
        old.source.vintage = Vintage::Superseded;
        let (facts, told) = looked_at(QuestionKind::Lookup, &[(&old, FactRole::Answer)]);
        assert_eq!((facts[0].role, told.len()), (FactRole::Superseded, 1), "{told:?}");
        // Of two versions the earlier is an older value; of two documents that have nothing to do with each other none is.
        let version = |name: &str, family: &str, metres: u8| {
            let mut read =
                document(name, &format!("The harbour of Leith is {metres} metres deep."));
            read.source.family = family.to_owned();
            read
        };
        let (old, new) = (version("depths-v1", "depths", 8), version("depths-v2", "depths", 9));
        let of = [(&old, FactRole::Answer), (&new, FactRole::Answer)];
        let (facts, told) = looked_at(QuestionKind::Lookup, &of);
        assert_eq!((facts[0].role, facts[1].role), (FactRole::Superseded, FactRole::Answer));
        assert!(told[0].contains("another one replaces"), "{told:?}");
        let other = version("pilots-v1", "pilots", 8);
        let of = [(&other, FactRole::Answer), (&new, FactRole::Answer)];
        let (facts, told) = looked_at(QuestionKind::Lookup, &of);
        assert_eq!((facts[0].role, told.len()), (FactRole::Answer, 0), "{told:?}");
    }

    #[test]
    fn the_wrong_value_of_a_sentence_is_not_put_forward() {
        let read = document("a", "The harbour of Leith is 9 metres deep and has 40 berths.");
        let valued = |part: &str| {
            let at = read.passage.text.find(part).expect("it stands there");
            let mut one = fact(&read, FactRole::Answer);
            one.value = Some(Span { start: at, end: at + part.len() });
            let call = ModelCall::ExtractFacts(FactsInput {
                questions: vec![question(QuestionKind::Lookup)],
                passages: vec![read.clone()],
                terms: vec![],
                corpus_passages: 3,
                subjects: vec![],
            });
            let mut reply = ModelReply::ExtractFacts(Facts { facts: vec![one] });
            let _ = ExtractiveModel::new().second_look(&call, &mut reply);
            let ModelReply::ExtractFacts(found) = reply else { unreachable!("it stays") };
            found.facts[0].value.is_some()
        };
        assert!(valued("9 metres"));
        assert!(!valued("40 berths"));
    }

    #[test]
    fn a_source_does_not_disagree_with_itself() {
        let one =
            document("a", "The harbour of Leith is 9 metres deep. It was 8 metres deep once.");
        let two = document("b", "The harbour of Leith is 8 metres deep.");
        let alone = [(&one, FactRole::Answer), (&one, FactRole::Conflict)];
        let (facts, told) = looked_at(QuestionKind::Lookup, &alone);
        assert_eq!(facts[1].role, FactRole::Context);
        assert_eq!(told.len(), 1, "{told:?}");
        let both = [(&one, FactRole::Answer), (&two, FactRole::Conflict)];
        let (facts, told) = looked_at(QuestionKind::Lookup, &both);
        assert_eq!((facts[1].role, told.len()), (FactRole::Conflict, 0));
    }

    #[test]
    fn only_a_passage_that_says_so_ends_a_gap() {
        let silent = document("a", "The harbour of Leith has three cranes.");
        let telling = document("b", "The depth of the harbour is not public.");
        let ended = |named: Option<&ReadPassage>| {
            let input = GapInput {
                round: 1,
                gaps: vec![GapBrief {
                    id: GapId("g1".to_owned()),
                    description: "the depth of the harbour".to_owned(),
                    question_ids: vec![1],
                    attempts: 1,
                    previous_queries: vec![],
                }],
                reflection: elenchus_core::prompt::Reflection::default(),
                questions: vec![question(QuestionKind::Lookup)],
                passages: vec![silent.clone(), telling.clone()],
                terms: vec![],
                corpus_passages: 2,
            };
            let mut reply = ModelReply::AnalyzeGaps(GapFindings {
                findings: vec![GapFinding {
                    gap_id: GapId("g1".to_owned()),
                    give_up: Some(GapReason::Unavailable),
                    passage_id: named.map(|read| read.passage.id.clone()),
                    reasoning: String::new(),
                }],
            });
            let call = ModelCall::AnalyzeGaps(input);
            let told = ExtractiveModel::new().second_look(&call, &mut reply);
            let ModelReply::AnalyzeGaps(found) = reply else { unreachable!("it stays") };
            (found.findings[0].give_up, told.len())
        };
        assert_eq!(ended(Some(&telling)), (Some(GapReason::Unavailable), 0));
        assert_eq!(ended(Some(&silent)), (None, 1));
        assert_eq!(ended(None), (None, 1));
    }
}
