use super::*;
use proptest::prelude::*;

fn chosen(claim: &str, evidence: &[&str], limit: usize) -> Vec<Selected> {
    let evidence: Vec<Sentence> = evidence.iter().map(|text| Sentence::prepare(text)).collect();
    select(&Sentence::prepare(claim), &evidence.iter().collect::<Vec<_>>(), limit)
}

const REPORT: [&str; 6] = [
    "Company news",
    "The Harlow mill stands on the river and draws many visitors.",
    "Whether the new turbine would lower the mill's costs was unknown.",
    "The physician of the village praised the food.",
    "The turbine cut the mill's costs by 18 percent in 2019.",
    "Tickets are sold at the gate.",
];

#[test]
fn the_outcome_goes_before_the_purpose() {
    let found = chosen("The turbine reduced costs at the mill by 18 percent.", &REPORT, 3);
    assert_eq!(found[0].sentence, 4);
    assert!(found[0].similarity >= RELEVANT, "{found:?}");
    assert_eq!(found.len(), 3);
}

#[test]
fn a_synonym_finds_its_sentence() {
    assert_eq!(chosen("A doctor praised the meals.", &REPORT, 1)[0].sentence, 3);
}

#[test]
fn what_has_nothing_to_do_with_the_claim_is_not_relevant() {
    let found = chosen("Cyclones over Madagascar displaced four thousand families.", &REPORT, 6);
    assert!(found.iter().all(|one| one.similarity < RELEVANT), "{found:?}");
}

#[test]
fn a_short_form_stands_for_its_words() {
    let text = [
        "Patients with obstructive sleep apnoea (OSA) were seen at the clinic.",
        "Lunch was served at noon to patients and staff of the clinic.",
        "A mask relieved OSA within a month.",
    ];
    let prepared: Vec<Sentence> = text.iter().map(|text| Sentence::prepare(text)).collect();
    let claim = Sentence::prepare("A mask relieves obstructive sleep apnoea.");
    let found = signals(&claim, &prepared.iter().collect::<Vec<_>>());
    let place = NAMES.iter().position(|name| *name == "short forms").expect("the signal is named");
    assert!(found.sentences[2][place] > 0.3);
    assert!(found.sentences[1][place] < 1e-9);
}

#[test]
fn words_that_nobody_said_are_not_grounded() {
    let claim = Sentence::prepare("The golden turbine cut the mill's expenses in 2019.");
    let evidence: Vec<Sentence> = REPORT.iter().map(|text| Sentence::prepare(text)).collect();
    let found = ground(&claim, &evidence.iter().collect::<Vec<_>>());
    let of = |word: &str| {
        claim.words.iter().zip(&found).find(|(w, _)| w.token.lower == word).map(|(_, f)| *f)
    };
    // Neighbours colour a word: next to one that nobody said it is a little less sure.
    assert!(of("turbine").expect("a word of the claim") > 0.8);
    assert!(of("2019").expect("a word of the claim") > 0.8);
    assert!(of("expenses").expect("a word of the claim") > 0.5);
    assert!(of("golden").expect("a word of the claim") < 0.5);
}

#[test]
fn nothing_to_choose_from() {
    assert!(chosen("A claim.", &[], 3).is_empty());
    assert!(chosen("A claim.", &["A sentence."], 0).is_empty());
    assert!(ground(&Sentence::prepare(""), &[]).is_empty());
    assert_eq!(chosen("", &["", "\u{202E}\u{0}", "🦀"], 9).len(), 3);
    let long = "x".repeat(1_000_000);
    assert_eq!(chosen(&long, &[&long, "("], 9)[0].sentence, 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn any_text_gives_an_order(
        claim in ".{0,60}",
        evidence in prop::collection::vec("(\\PC|[a-z(). ]){0,60}", 0..8),
        limit in 0usize..10,
    ) {
        let texts: Vec<&str> = evidence.iter().map(String::as_str).collect();
        let found = chosen(&claim, &texts, limit);
        prop_assert_eq!(&found, &chosen(&claim, &texts, limit));
        prop_assert_eq!(found.len(), limit.min(texts.len()));
        prop_assert!(found.iter().all(|one| (0.0..=1.0).contains(&one.similarity)));
        prop_assert!(found.windows(2).all(|two| two[0].similarity >= two[1].similarity));
        let mut places: Vec<usize> = found.iter().map(|one| one.sentence).collect();
        places.sort_unstable();
        places.dedup();
        prop_assert_eq!(places.len(), found.len());
        prop_assert_eq!(&found[..], &chosen(&claim, &texts, usize::MAX)[..found.len()]);
    }
}
