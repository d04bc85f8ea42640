//! What only a planted world can tell: the truth held against the run.

use super::guards::Tally;
use super::observed::{Observed, noticed};
use super::words::{holds, place};
use super::world::{PlantedFallacy, World};
use elenchus_core::answer::Answer;
use elenchus_core::evidence::Span;
use elenchus_core::inquiry::Run;
use elenchus_core::scrutiny::critique::{FindingKind, FoundBy};
use elenchus_core::scrutiny::fallacy;

/// A planted fallacy that the run came upon.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PlantSeen {
    /// Some fallacy is noticed at its words.
    pub(crate) noticed: bool,
    /// Some fallacy is noticed there at the sensitive operating point.
    pub(crate) suspected: bool,
    /// It is the one that was planted.
    pub(crate) named: bool,
    /// Whether the answer warns of it; nothing where the answer shows neither the words nor the explanation.
    pub(crate) told: Option<bool>,
}

/// A statement about the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StatementSeen {
    /// Whether the documents bear it out.
    pub(crate) supported: bool,
    /// Whether the verifier says so.
    pub(crate) said: bool,
}

/// The truth held against a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Known {
    /// The position of the right explanation on the board.
    pub(crate) right: Option<usize>,
    /// Of explanations with a known number of independent sources: the run does not count more.
    pub(crate) witnesses: Tally,
    /// Planted fallacies in texts that the run read or was told.
    pub(crate) plants: Vec<PlantSeen>,
    /// Planted fallacies that it never came upon.
    pub(crate) unmet: usize,
    /// Passages and texts of a model without a planted fallacy: "passed" are those with a warning.
    pub(crate) alarms: Tally,
    /// Parts that no document answers: told as missing.
    pub(crate) gaps: Tally,
    /// What is told as missing: really missing.
    pub(crate) missing: Tally,
    /// Worlds whose question has an answer: the short answer holds it.
    pub(crate) answered: Tally,
    /// Planted contradictions: told.
    pub(crate) contradictions: Tally,
    /// Statements judged by the documents.
    pub(crate) statements: Vec<StatementSeen>,
    /// What was missed, for people.
    pub(crate) misses: Vec<String>,
}

/// Holds the truth of a world against its run. Statements are judged elsewhere.
pub(crate) fn compare(world: &World, run: &Run, answer: &Answer, observed: &mut Observed) {
    let theology = world.options.get("pack").is_some_and(|pack| pack == "theology");
    let truth = &world.truth;
    let mut known = Known::default();
    let board = &observed.explanations;
    known.right = truth
        .right
        .as_ref()
        .and_then(|words| board.iter().position(|one| holds(&one.claim, words)));
    for planted in &truth.witnesses {
        if let Some(one) = board.iter().find(|one| holds(&one.claim, &planted.explanation)) {
            let passed = one.independent <= planted.independent;
            known.witnesses.note(passed);
            if !passed {
                let (counted, truly) = (one.independent, planted.independent);
                known.misses.push(format!(
                    "{counted} independent sources counted, truly {truly}: {}",
                    one.claim
                ));
            }
        }
    }
    for planted in &truth.fallacies {
        match seen(planted, run, answer, observed, theology) {
            Some(plant) => {
                if !plant.noticed {
                    known
                        .misses
                        .push(format!("{} not noticed: {}", planted.fallacy, planted.words));
                }
                known.plants.push(plant);
            }
            None => known.unmet += 1,
        }
    }
    let clean = |text: &str| !truth.fallacies.iter().any(|planted| holds(text, &planted.words));
    for read in run.view().passages().iter().filter(|read| clean(&read.passage.text)) {
        known.alarms.note(!noticed(&read.passage.text, theology).is_empty());
    }
    for chain in observed.chains.iter().filter(|one| one.by_model && clean(&one.text)) {
        known.alarms.note(!chain.fallacies.is_empty());
    }
    let missing = &answer.could_not_establish;
    for words in &truth.gaps {
        let passed = missing.iter().any(|one| holds(&one.description, words));
        known.gaps.note(passed);
        if !passed {
            known.misses.push(format!("a gap that is not told: {words}"));
        }
    }
    // An open why-question is answered by its board; that no quote answers it is no false alarm.
    if truth.right.is_none() {
        for one in missing {
            let real = truth.gaps.iter().any(|words| holds(&one.description, words));
            known.missing.note(real);
            if !real {
                known.misses.push(format!("told as missing, and it is there: {}", one.description));
            }
        }
    }
    if !truth.answered.is_empty() {
        let passed = truth.answered.iter().all(|words| holds(&answer.conclusion, words));
        known.answered.note(passed);
        if !passed {
            known.misses.push(format!("not in the short answer: {:?}", truth.answered));
        }
    }
    for [one, other] in &truth.contradictions {
        let passed = told(answer, one, other);
        known.contradictions.note(passed);
        if !passed {
            known.misses.push(format!("not set against each other: {one:?} and {other:?}"));
        }
    }
    for finding in &mut observed.findings {
        let planted = |one: &&super::world::PlantedFinding| {
            one.kind == finding.kind && holds(&finding.text, &one.words)
        };
        finding.by_truth = Some(truth.findings.iter().any(|one| planted(&one)));
    }
    for chain in &mut observed.chains {
        chain.planted = truth.fallacies.iter().any(|planted| holds(&chain.text, &planted.words));
    }
    observed.known = known;
}

/// Whether the answer tells that these two stand against each other.
fn told(answer: &Answer, one: &str, other: &str) -> bool {
    let both = |texts: &[&str]| {
        texts.iter().any(|text| holds(text, one)) && texts.iter().any(|text| holds(text, other))
    };
    let disagreements = answer
        .disagreements
        .iter()
        .any(|found| both(&found.sides.iter().map(|side| side.quote.as_str()).collect::<Vec<_>>()));
    let conflicts = answer.conflicts.iter().any(|note| {
        let claims = answer.claims.iter().filter(|claim| note.claims.contains(&claim.id));
        both(&claims.map(|claim| claim.text.as_str()).collect::<Vec<_>>())
    });
    disagreements || conflicts
}

/// What became of a planted fallacy; `None` when the run never met it.
fn seen(
    planted: &PlantedFallacy,
    run: &Run,
    answer: &Answer,
    observed: &Observed,
    theology: bool,
) -> Option<PlantSeen> {
    let passages = run.view().passages();
    let mut texts = passages
        .iter()
        .filter(|read| read.source.path == planted.place)
        .map(|read| read.passage.text.as_str())
        .chain(observed.chains.iter().filter(|one| one.by_model).map(|one| one.text.as_str()));
    let text = texts.find(|text| holds(text, &planted.words))?;
    // A text may have lost a line break on its way; then the whole of it counts as the place.
    let whole = Span { start: 0, end: text.chars().count() };
    let span = place(text, &planted.words).unwrap_or(whole);
    let overlaps = |one: &fallacy::Finding| one.span.start < span.end && span.start < one.span.end;
    let found = noticed(text, theology);
    let here: Vec<_> = found.iter().filter(|one| overlaps(one)).collect();
    let sensitive =
        fallacy::Options { theology, point: fallacy::Point::Sensitive, ..Default::default() };
    let warned = |one: &super::observed::Explanation| {
        holds(&one.claim, &planted.words).then_some(one.warned)
    };
    let told = observed.explanations.iter().find_map(warned).or_else(|| quoted(planted, answer));
    Some(PlantSeen {
        noticed: !here.is_empty(),
        suspected: fallacy::detect(text, &sensitive).iter().any(overlaps),
        named: here.iter().any(|one| one.fallacy == planted.fallacy),
        told,
    })
}

/// Whether the program warns in the answer where it quotes these words; `None` when it does not quote them.
fn quoted(planted: &PlantedFallacy, answer: &Answer) -> Option<bool> {
    let claim = answer
        .claims
        .iter()
        .find(|one| holds(&one.text, &planted.words) || holds(&planted.words, &one.text))?;
    if answer.warnings_of(&claim.id).next().is_some() {
        return Some(true);
    }
    let critique = answer.critique.as_ref()?;
    Some(critique.findings.iter().any(|finding| {
        finding.by == FoundBy::Code
            && finding.kind == FindingKind::Fallacy
            && finding.claim_id.as_ref() == Some(&claim.id)
    }))
}
