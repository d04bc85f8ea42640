//! What code finds against an answer where no language model is asked: by what the run measured, and never by a guess at what a
//! text means. Each finding has its datum, the claims that it is about, and what a reader can do. None of it changes the answer or
//! raises or lowers a confidence.
//!
//! A plain fact that stands on one current source gives none. What is minor is kept for programs and pages, and does not reach a
//! report.

use super::asked::{asks_now, asks_past, slant, tells_time};
use super::own::{self, Looked, behind, found, own_clusters};
use super::{Finding, FindingKind, Measurement};
use crate::answer::{Answer, Citation, Claim, Disagreement, Side};
use crate::evidence::PartialDate;
use crate::id::{ClaimId, SourceId};
use crate::inquiry::count;
use crate::prompt::{Bearing, FactRole, PlannedQuestion, Polarity, QuestionKind, Severity};
use crate::text::{squeeze, words};
use std::collections::BTreeSet;

/// What is measured: the answer, and how the run came to it.
pub(crate) struct Ran<'a> {
    pub(crate) looked: Looked<'a>,
    /// Documents that were read and are no copies of each other.
    pub(crate) independent: usize,
    /// Every search that was made.
    pub(crate) searches: Vec<&'a str>,
    /// Whether everything was searched for that would deny the explanations under test, of which there are some.
    pub(crate) was_doubted: bool,
    /// What is of a later day than a statement of the short answer that it says otherwise than.
    pub(crate) later: Vec<Later>,
}

/// Something that was read, says otherwise than a statement of the short answer, and is of a later day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Later {
    /// The statement.
    pub(crate) claim: ClaimId,
    /// The day of its document.
    pub(crate) of: PartialDate,
    /// Where the other stands.
    pub(crate) location: String,
    /// The day of that document.
    pub(crate) day: PartialDate,
    /// The claim that it is, where the answer has it at all.
    pub(crate) other: Option<ClaimId>,
}

/// Everything that was measured against an answer, in the order of what is looked at.
pub(crate) fn findings(ran: &Ran<'_>) -> Vec<Finding> {
    let mut out = verdicts(ran);
    out.extend(open_parts(ran));
    out.extend(weak(ran));
    out.extend(lone_voices(ran));
    out.extend(one_voice(ran));
    out.extend(undated(ran));
    out.extend(outdated(ran));
    out.extend(one_side_told(ran));
    out.extend(slanted(ran));
    out.extend(explanations(ran));
    out.extend(fallacies(ran));
    out
}

impl Ran<'_> {
    /// The claims of the short answer, in its order.
    fn short(&self) -> impl Iterator<Item = &Claim> {
        let answer = self.looked.answer;
        let claims = answer.claims.iter();
        claims.filter(|claim| Looked::asserts(claim) && answer.is_in_short_answer(claim))
    }

    fn short_of(&self, question: &PlannedQuestion) -> Vec<&Claim> {
        self.short().filter(|claim| claim.question_id == question.id).collect()
    }
}

/// A finding with what is behind it. The first of the claims is the one that it points at.
fn measured(
    (kind, severity): (FindingKind, Severity),
    claims: &[&Claim],
    text: String,
    datum: String,
    next_step: impl Into<String>,
) -> Finding {
    let first = claims.first().map(|claim| &claim.id);
    let mut finding = found(kind, severity, first, text);
    let claims = claims.iter().skip(1).map(|claim| claim.id.clone()).collect();
    finding.measured = Some(Measurement { datum, claims, next_step: next_step.into() });
    finding
}

/// Where the quote of a claim stands, for people.
fn place<'a>(answer: &'a Answer, claim: &Claim) -> &'a str {
    claim
        .evidence
        .first()
        .and_then(|at| answer.evidence.get(*at))
        .map_or("its passage", |evidence| evidence.location.as_str())
}

/// The documents that claims cite, each once.
fn cited<'a>(answer: &'a Answer, claims: &[&Claim]) -> Vec<&'a Citation> {
    let mut out: Vec<&Citation> = Vec::new();
    let evidence = claims.iter().flat_map(|claim| &claim.evidence);
    for one in evidence.filter_map(|at| answer.evidence.get(*at)) {
        let source = answer.sources.iter().find(|source| source.number == one.citation);
        if let Some(source) = source.filter(|source| !out.contains(source)) {
            out.push(source);
        }
    }
    out
}

/// Words in quotation marks, one after the other.
fn quoted(all: &[String]) -> String {
    let all: Vec<String> = all.iter().map(|word| format!("\"{word}\"")).collect();
    all.join(", ")
}

/// Claims that the verifier found weak.
fn verdicts(ran: &Ran<'_>) -> Vec<Finding> {
    let answer = ran.looked.answer;
    let mut all = own::verdicts(&ran.looked);
    for finding in &mut all {
        let about = |id: &ClaimId| finding.claim_id.as_ref() == Some(id);
        let verdict = answer.entailments.iter().find(|one| about(&one.claim_id));
        let claim = answer.claims.iter().find(|claim| about(&claim.id));
        let read = claim.map_or("its passage", |claim| place(answer, claim));
        finding.measured = Some(Measurement {
            datum: format!(
                "verdict of the check: {}",
                verdict.map_or("none", |one| one.verdict.word())
            ),
            claims: vec![],
            next_step: format!("Read {read} before you rely on it."),
        });
    }
    all
}

/// Planned questions without a statement that answers, where others have one: the whole was asked, and a part is told.
fn open_parts(ran: &Ran<'_>) -> Vec<Finding> {
    let (answer, questions) = (ran.looked.answer, ran.looked.questions);
    let is_answered = |question: &&PlannedQuestion| {
        let mut claims = answer.claims.iter();
        claims.any(|claim| claim.question_id == question.id && Looked::asserts(claim))
    };
    let answered = questions.iter().filter(is_answered).count();
    if answered == 0 || answered == questions.len() {
        return Vec::new();
    }
    let open = questions.iter().filter(|question| !is_answered(question));
    let told = |question: &PlannedQuestion| {
        let asked = squeeze(&question.text);
        let mut finding = measured(
            (FindingKind::OpenPart, Severity::Important),
            &[],
            format!("the answer is of a part of what was asked: \"{asked}\" stays open"),
            format!("parts with a statement that answers: {answered} of {}", questions.len()),
            "Conclude nothing about the whole from it: add a document that states what is missing, or \
             ask for that part alone.",
        );
        // What is told of that part only came nearest to it.
        if let Some(measured) = &mut finding.measured {
            let nearest = answer.claims.iter().filter(|claim| claim.question_id == question.id);
            measured.claims = nearest.map(|claim| claim.id.clone()).collect();
        }
        finding
    };
    open.map(told).collect()
}

/// Statements of the short answer that hardly bind their question.
fn weak(ran: &Ran<'_>) -> Vec<Finding> {
    let answer = ran.looked.answer;
    let is_weak =
        |claim: &&Claim| claim.role == FactRole::Answer && claim.bearing == Some(Bearing::Weak);
    ran.short()
        .filter(is_weak)
        .map(|claim| {
            let unsaid = quoted(&claim.unbound);
            let (more, datum) = if unsaid.is_empty() {
                (String::new(), "bearing on the question: weak".to_owned())
            } else {
                (
                    format!(": its quote does not say {unsaid}"),
                    format!(
                        "bearing on the question: weak; words of it that are not said: {unsaid}"
                    ),
                )
            };
            measured(
                (FindingKind::WeakCitation, Severity::Important),
                &[claim],
                format!("it may speak of something else than was asked{more}"),
                datum,
                format!("Read {} and see whether it answers the question.", place(answer, claim)),
            )
        })
        .collect()
}

/// Questions for which several voices were looked for, and which one independent source answers. A plain fact needs no second.
fn lone_voices(ran: &Ran<'_>) -> Vec<Finding> {
    let answer = ran.looked.answer;
    let mut out = Vec::new();
    for question in ran.looked.questions.iter().filter(|one| one.kind == QuestionKind::Survey) {
        let (first, clusters) = behind(&ran.looked, question);
        if first.is_none() || clusters.len() != 1 {
            continue;
        }
        let claims = ran.short_of(question);
        let path = cited(answer, &claims).first().map_or("one document", |one| one.path.as_str());
        out.push(measured(
            (FindingKind::WeakCitation, Severity::Important),
            &claims,
            format!("several voices were asked for, and one source answers, {path}"),
            format!(
                "independent sources: 1; documents read that are no copies of each other: {}",
                ran.independent
            ),
            "Take it as one voice, or add documents by others.",
        ));
    }
    out
}

/// All that is cited comes from one hand, though from several documents. Whose word was asked for is no finding.
fn one_voice(ran: &Ran<'_>) -> Option<Finding> {
    let answer = ran.looked.answer;
    let claims: Vec<&Claim> = ran.short().collect();
    let cited = cited(answer, &claims);
    let clusters: BTreeSet<&SourceId> =
        claims.iter().flat_map(|claim| own_clusters(answer, claim, ran.looked.rules)).collect();
    if cited.len() < 2 || clusters.len() < 2 {
        return None;
    }
    let same = |name: &dyn Fn(&Citation) -> Option<String>| {
        let mut names = cited.iter().copied().map(name);
        let first = names.next()??;
        names.all(|other| other.as_ref() == Some(&first)).then_some(first)
    };
    let author = same(&|source| source.author.as_deref().map(squeeze));
    let site = same(&|source| source.web.as_ref().map(|page| page.site.clone()));
    let (what, whose) = match (author, site) {
        (Some(author), _) => ("authors", author),
        (None, Some(site)) => ("publishers", site),
        (None, None) => return None,
    };
    let asked = words(&answer.question);
    if words(&whose).iter().any(|word| asked.contains(word)) {
        return None;
    }
    let wants_voices = ran.looked.questions.iter().any(|one| one.kind == QuestionKind::Survey);
    let severity = if wants_voices { Severity::Important } else { Severity::Minor };
    Some(measured(
        (FindingKind::WeakCitation, severity),
        &claims,
        format!("everything that it cites comes from {whose}"),
        format!("{what} of the {} that are cited: 1", count(cited.len(), "document")),
        "Look for a document by somebody else that says the same.",
    ))
}

/// What is so now was asked, and neither the document of an answer nor its quote says of which time it is.
fn undated(ran: &Ran<'_>) -> Vec<Finding> {
    let answer = ran.looked.answer;
    let alone = ran.looked.questions.len() == 1;
    let mut out = Vec::new();
    for question in ran.looked.questions {
        // A part of a question need not say again that it asks of now; a question of one part says it in its own words.
        let is_of_now = asks_now(&question.text) || (alone && asks_now(&answer.question));
        if !is_of_now {
            continue;
        }
        let is_undated = |claim: &&Claim| {
            let mut quotes = claim.evidence.iter().filter_map(|at| answer.evidence.get(*at));
            let sources = cited(answer, &[*claim]);
            !sources.is_empty()
                && sources.iter().all(|source| !is_dated(source))
                && !quotes.any(|one| tells_time(&one.quote))
        };
        let claims: Vec<&Claim> = ran.short_of(question).into_iter().filter(is_undated).collect();
        let Some(first) = claims.first() else { continue };
        let sources = cited(answer, &claims);
        out.push(measured(
            (FindingKind::WeakCitation, Severity::Important),
            &claims,
            "what is so now was asked, and its source does not say of which time it is".to_owned(),
            format!("dates of the {} that it cites: none", count(sources.len(), "document")),
            format!("Find out how old {} is before you rely on it.", place(answer, first)),
        ));
    }
    out
}

fn is_dated(source: &Citation) -> bool {
    let of_page = source.web.as_ref().and_then(|page| page.published.or(page.modified));
    source.date.is_some() || of_page.is_some()
}

/// Statements of the short answer than which something later says otherwise.
fn outdated(ran: &Ran<'_>) -> Vec<Finding> {
    let answer = ran.looked.answer;
    let claim_of = |id: &ClaimId| answer.claims.iter().find(|claim| claim.id == *id);
    let mut out = Vec::new();
    for later in &ran.later {
        let Some(claim) = claim_of(&later.claim) else { continue };
        let question = ran.looked.questions.iter().find(|one| one.id == claim.question_id);
        if asks_past(&answer.question) || question.is_some_and(|one| asks_past(&one.text)) {
            continue;
        }
        let claims: Vec<&Claim> =
            [Some(claim), later.other.as_ref().and_then(claim_of)].into_iter().flatten().collect();
        out.push(measured(
            (FindingKind::IgnoredAlternative, Severity::Important),
            &claims,
            format!("an older statement leads: {} is later and says otherwise", later.location),
            format!("day of its document: {}; of the other: {}", later.of, later.day),
            format!("Read {} and see which of them holds.", later.location),
        ));
    }
    out
}

/// Disagreements of the sources of which the short answer tells one side.
fn one_side_told(ran: &Ran<'_>) -> Vec<Finding> {
    let answer = ran.looked.answer;
    let kind = (FindingKind::ConfirmationBias, Severity::Important);
    let mut out = Vec::new();
    for note in &answer.conflicts {
        let told: Vec<&Claim> =
            ran.short().filter(|claim| note.claims.contains(&claim.id)).collect();
        let is_other = |claim: &&Claim| {
            note.claims.contains(&claim.id) && told.iter().all(|one| one.id != claim.id)
        };
        let others: Vec<&Claim> = answer.claims.iter().filter(is_other).collect();
        let speaks_against = |claim: &Claim| claim.role == FactRole::Conflict;
        let Some(side) = told.first().map(|claim| speaks_against(claim)) else { continue };
        if told.iter().any(|claim| speaks_against(claim) != side) {
            continue;
        }
        let Some(other) = others.iter().find(|claim| speaks_against(claim) != side) else {
            continue;
        };
        if is_later(ran, &told, other) {
            continue;
        }
        out.push(measured(
            kind,
            &[told.as_slice(), others.as_slice()].concat(),
            "the sources disagree, and the short answer tells one side".to_owned(),
            format!(
                "statements of both sides: {}; in the short answer: {}, all of one side",
                told.len() + others.len(),
                told.len()
            ),
            format!("Read {} before you rely on it.", place(answer, other)),
        ));
    }
    for one in &answer.disagreements {
        let of_it = |claim: &&Claim| one.sides.iter().any(|side| quotes(answer, claim, side));
        let told: Vec<&Claim> = ran.short().filter(of_it).collect();
        let Some(other) = untold(answer, one, &told) else { continue };
        let is_later = ran.later.iter().any(|later| {
            later.location == other.location && told.iter().any(|claim| claim.id == later.claim)
        });
        if told.is_empty() || is_later {
            continue;
        }
        out.push(measured(
            kind,
            &told,
            format!("a source that was read contradicts it: {}", squeeze(&one.summary)),
            format!(
                "statements that contradict each other: {}; in the short answer: one side",
                one.sides.len()
            ),
            format!("Read {} before you rely on it.", other.location),
        ));
    }
    out
}

/// Whether this very statement is told as the later one.
fn is_later(ran: &Ran<'_>, told: &[&Claim], other: &Claim) -> bool {
    ran.later.iter().any(|later| {
        later.other.as_ref() == Some(&other.id) && told.iter().any(|claim| claim.id == later.claim)
    })
}

/// Whether a claim quotes one side of a disagreement.
fn quotes(answer: &Answer, claim: &Claim, side: &Side) -> bool {
    claim
        .evidence
        .iter()
        .filter_map(|at| answer.evidence.get(*at))
        .any(|evidence| evidence.passage_id == side.passage_id && evidence.span.overlaps(side.span))
}

/// The side that none of these claims quotes.
fn untold<'a>(answer: &Answer, one: &'a Disagreement, told: &[&Claim]) -> Option<&'a Side> {
    one.sides.iter().find(|side| !told.iter().any(|claim| quotes(answer, claim, side)))
}

/// A question that leads to what it is told, or asks for one side, where no search went to the other.
fn slanted(ran: &Ran<'_>) -> Option<Finding> {
    let answer = ran.looked.answer;
    let slant = slant(&answer.question)?;
    let claims: Vec<&Claim> = ran.short().collect();
    let has_both_sides = !answer.conflicts.is_empty() || !answer.disagreements.is_empty();
    if claims.is_empty() || ran.was_doubted || has_both_sides {
        return None;
    }
    if slant.expects_yes {
        // Who is told no, or told nothing of the kind, is not told what the question leads to.
        let mut readings = answer.claims.iter().filter_map(|claim| claim.polarity).peekable();
        readings.peek()?;
        if readings.any(|reading| reading != Polarity::Yes) {
            return None;
        }
    }
    let beyond = slant.looked_beyond(&answer.question, &ran.searches);
    if beyond > 0 {
        return None;
    }
    let unsought = format!("no search was made for {}", slant.other);
    let (text, next) = if slant.expects_yes {
        (
            format!(
                "the question leads (\"{}\") to the yes that it is told, and {unsought}",
                slant.by
            ),
            "Ask it without the expectation, or have the statement tested as an explanation: that \
             searches for it and against it."
                .to_owned(),
        )
    } else {
        (
            format!("the question asks for one side (\"{}\"), and {unsought}", slant.by),
            format!("Ask for {} as well.", slant.other),
        )
    };
    Some(measured(
        (FindingKind::ConfirmationBias, slant.severity),
        &claims,
        text,
        format!("searches: {}; for the other side: 0", ran.searches.len()),
        next,
    ))
}

/// What is found of explanations that a user had tested.
fn explanations(ran: &Ran<'_>) -> Vec<Finding> {
    let mut all = own::explanations(&ran.looked);
    for finding in &mut all {
        let (datum, next_step) = match finding.kind {
            FindingKind::IgnoredAlternative => (
                "quotes of what supports it: 0",
                "Read what supports it, among the explanations, before you rely on the answer.",
            ),
            _ => (
                "searches for what would deny it: not all made",
                "Ask again with a larger effort, so that what would deny it is searched for.",
            ),
        };
        finding.measured = Some(Measurement {
            datum: datum.to_owned(),
            claims: vec![],
            next_step: next_step.to_owned(),
        });
    }
    all
}

/// Warnings of fallacies in the quotes of the answer: each was read once, with its probability.
fn fallacies(ran: &Ran<'_>) -> Vec<Finding> {
    let answer = ran.looked.answer;
    let mut out: Vec<Finding> = Vec::new();
    for warning in &answer.fallacy_warnings {
        let named = |claim: &&Claim| Some(&claim.id) == warning.claim() && Looked::asserts(claim);
        let Some(claim) = answer.claims.iter().find(named) else { continue };
        let short = answer.is_in_short_answer(claim);
        let severity = if short { Severity::Important } else { Severity::Minor };
        let mut finding = measured(
            (FindingKind::Fallacy, severity),
            &[claim],
            format!("{} in the source's own words, see warning {}", warning.name, warning.id),
            format!(
                "probability of the warning: {:.2}, {}",
                warning.probability,
                if warning.calibrated { "fitted" } else { "a grade of its pattern" }
            ),
            format!("Ask: {}", warning.question),
        );
        finding.words = Some(warning.words.clone());
        out.push(finding);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::Verdict;
    use crate::evidence::DocDate;
    use crate::inquiry::{Derivations, Options};
    use crate::testkit::{World, drive};

    /// An answer of one quote, and the plan behind it.
    fn answered() -> (Answer, Vec<PlannedQuestion>) {
        let world = World::new("pier").judged().document("pier.md", "# Pier\n\nThe pier is old.");
        let driven = drive(&world, "Is the pier old?", Options::default());
        let view = driven.run.view();
        let mut answer = view.answer().expect("a run ends with an answer").clone();
        assert_eq!(answer.claims.len(), 1, "{:?}", answer.claims);
        answer.entailments[0].verdict = Verdict::Entailed;
        (answer, view.plan().questions.clone())
    }

    fn ran<'a>(answer: &'a Answer, questions: &'a [PlannedQuestion]) -> Ran<'a> {
        Ran {
            looked: Looked {
                answer,
                questions,
                hypotheses: &[],
                unsearched: BTreeSet::new(),
                theology: false,
                rules: Derivations::LATEST,
            },
            independent: 3,
            searches: vec!["pier old"],
            was_doubted: false,
            later: vec![],
        }
    }

    type Told = Vec<(FindingKind, Severity)>;

    /// What is found, by its kind; each finding has a datum and a next step, and none is of a model.
    fn told(ran: &Ran<'_>) -> Told {
        let all = findings(ran);
        for one in &all {
            let measured = one.measured.as_ref().expect("each has what was measured");
            assert!(!measured.datum.is_empty() && !measured.next_step.is_empty(), "{one:?}");
            assert_eq!(one.by, super::super::FoundBy::Code);
        }
        all.into_iter().map(|one| (one.kind, one.severity)).collect()
    }

    const WEAK: (FindingKind, Severity) = (FindingKind::WeakCitation, Severity::Important);
    const BIASED: (FindingKind, Severity) = (FindingKind::ConfirmationBias, Severity::Important);

    #[test]
    fn a_plain_fact_gives_none() {
        let (answer, questions) = answered();
        assert_eq!(told(&ran(&answer, &questions)), []);
    }

    #[test]
    fn a_statement_that_hardly_binds_its_question() {
        let (mut answer, questions) = answered();
        answer.claims[0].bearing = Some(Bearing::Weak);
        answer.claims[0].unbound = vec!["old".to_owned()];
        let all = findings(&ran(&answer, &questions));
        assert_eq!(all.len(), 1, "{all:#?}");
        assert_eq!(all[0].claim_id, Some(ClaimId::from("c1")));
        let measured = all[0].measured.as_ref().expect("it was measured");
        assert!(measured.datum.contains("weak") && measured.datum.contains("\"old\""));
        assert!(measured.next_step.contains("pier.md"), "{measured:?}");
        answer.claims[0].bearing = Some(Bearing::Fair);
        assert_eq!(told(&ran(&answer, &questions)), []);
    }

    #[test]
    fn what_the_checks_say_is_told() {
        let (mut answer, questions) = answered();
        answer.entailments[0].verdict = Verdict::Contradicted;
        let critical = (FindingKind::WeakCitation, Severity::Critical);
        assert_eq!(told(&ran(&answer, &questions)), [critical]);
    }

    #[test]
    fn one_source_matters_where_several_voices_were_looked_for() {
        let (answer, mut questions) = answered();
        questions[0].kind = QuestionKind::Survey;
        assert_eq!(told(&ran(&answer, &questions)), [WEAK]);
        questions[0].kind = QuestionKind::Overview;
        assert_eq!(told(&ran(&answer, &questions)), []);
    }

    #[test]
    fn a_source_without_a_date_matters_where_now_is_asked() {
        let (mut answer, mut questions) = answered();
        questions[0].text = "How old is the pier today?".to_owned();
        assert_eq!(told(&ran(&answer, &questions)), [WEAK]);
        let date = DocDate { value: PartialDate::year(2024), stated: "2024".to_owned() };
        answer.sources[0].date = Some(date);
        assert_eq!(told(&ran(&answer, &questions)), []);
        answer.sources[0].date = None;
        answer.evidence[0].quote = "In 2024 the pier is old.".to_owned();
        assert_eq!(told(&ran(&answer, &questions)), [], "the quote says of which time it is");
    }

    #[test]
    fn a_part_that_stays_open() {
        let (mut answer, mut questions) = answered();
        let other = PlannedQuestion { id: 2, ..questions[0].clone() };
        questions.push(other);
        let open = (FindingKind::OpenPart, Severity::Important);
        assert_eq!(told(&ran(&answer, &questions)), [open]);
        answer.claims[0].role = FactRole::Context;
        assert_eq!(told(&ran(&answer, &questions)), [], "nothing is answered at all");
    }

    #[test]
    fn a_later_statement_leaves_an_older_one_that_leads() {
        let (mut answer, mut questions) = answered();
        let (of, day) = (PartialDate::year(2021), PartialDate::year(2024));
        let location = "new.md".to_owned();
        let later = Later { claim: ClaimId::from("c1"), of, location, day, other: None };
        let looked_at = |answer: &Answer, questions: &[PlannedQuestion]| {
            told(&Ran { later: vec![later.clone()], ..ran(answer, questions) })
        };
        let ignored = (FindingKind::IgnoredAlternative, Severity::Important);
        assert_eq!(looked_at(&answer, &questions), [ignored]);
        questions[0].text = "Was the pier old in 2021?".to_owned();
        assert_eq!(looked_at(&answer, &questions), [], "the older one was asked for");
        questions[0].text.clone_from(&answer.question);
        answer.question = "How old was the pier before?".to_owned();
        assert_eq!(looked_at(&answer, &questions), []);
    }

    #[test]
    fn a_question_that_leads_matters_until_somebody_looked_at_the_other_side() {
        let (mut answer, questions) = answered();
        answer.question = "Isn't the pier old?".to_owned();
        assert_eq!(told(&ran(&answer, &questions)), [], "it is told neither yes nor no");
        answer.claims[0].polarity = Some(Polarity::Yes);
        assert_eq!(told(&ran(&answer, &questions)), [BIASED]);
        let searches = vec!["pier old", "pier not old"];
        assert_eq!(told(&Ran { searches, ..ran(&answer, &questions) }), []);
        assert_eq!(told(&Ran { was_doubted: true, ..ran(&answer, &questions) }), []);
        answer.claims[0].polarity = Some(Polarity::No);
        assert_eq!(told(&ran(&answer, &questions)), [], "it is told otherwise");
        answer.question = "What are the drawbacks of the pier?".to_owned();
        let minor = (FindingKind::ConfirmationBias, Severity::Minor);
        assert_eq!(told(&ran(&answer, &questions)), [minor]);
        let searches = vec!["pier drawbacks", "pier advantages"];
        assert_eq!(told(&Ran { searches, ..ran(&answer, &questions) }), []);
    }

    #[test]
    fn documents_of_one_hand_are_one_voice() {
        let (mut answer, mut questions) = answered();
        let source_id = SourceId::from_path("other.md");
        let mut source = answer.sources[0].clone();
        (source.number, source.cluster) = (2, source_id.clone());
        source.source_id = source_id.clone();
        let mut evidence = answer.evidence[0].clone();
        (evidence.citation, evidence.source_id) = (2, source_id);
        let claim =
            Claim { id: ClaimId::from("c2"), evidence: vec![1], ..answer.claims[0].clone() };
        answer.sources.push(source);
        answer.evidence.push(evidence);
        answer.claims.push(claim);
        assert_eq!(told(&ran(&answer, &questions)), [], "nobody is named");
        for source in &mut answer.sources {
            source.author = Some("Ada Lund".to_owned());
        }
        let minor = (FindingKind::WeakCitation, Severity::Minor);
        assert_eq!(told(&ran(&answer, &questions)), [minor]);
        let all = findings(&ran(&answer, &questions));
        let measured = all[0].measured.as_ref().expect("it was measured");
        assert_eq!(measured.claims, [ClaimId::from("c2")], "beside the first");
        questions[0].kind = QuestionKind::Survey;
        assert_eq!(told(&ran(&answer, &questions)), [WEAK]);
        answer.question = "What does Ada Lund say of the pier?".to_owned();
        assert_eq!(told(&ran(&answer, &questions)), [], "whose word it is was asked for");
        answer.question = "Is the pier old?".to_owned();
        answer.sources[1].author = Some("Ben Poe".to_owned());
        assert_eq!(told(&ran(&answer, &questions)), []);
    }
}
