//! Rules by hand-written examples, and what must hold for any text.

use super::*;
use elenchus_core::belief::{ClaimType, WordType};
use proptest::prelude::*;
use std::path::PathBuf;

fn texts(text: &str) -> Vec<String> {
    extract(text).claims.into_iter().map(|claim| claim.text).collect()
}

/// All of `wanted` are among the claims of `text`; the claims are shown if not.
fn says(text: &str, wanted: &[&str]) {
    let found = texts(text);
    for want in wanted {
        assert!(
            found.iter().any(|claim| claim == want),
            "{text}\n  wanted: {want}\n  found: {found:#?}"
        );
    }
}

/// Exactly `wanted`, in order.
fn only(text: &str, wanted: &[&str]) {
    assert_eq!(texts(text), wanted, "{text}");
}

#[test]
fn coordinations() {
    only(
        "Orla was founded in 1998 and sold in 2004.",
        &["Orla was founded in 1998.", "Orla was sold in 2004."],
    );
    only(
        "Mira Voss is an actor and director.",
        &["Mira Voss is an actor.", "Mira Voss is a director."],
    );
    only(
        "Mira Voss wrote plays, poems, and essays.",
        &["Mira Voss wrote plays.", "Mira Voss wrote poems.", "Mira Voss wrote essays."],
    );
    says(
        "Mira Voss has written and directed several plays.",
        &["Mira Voss has written several plays.", "Mira Voss has directed several plays."],
    );
    says(
        "Sales rose in 2023, and profits fell in 2024.",
        &["Sales rose in 2023.", "Profits fell in 2024."],
    );
    says(
        "Mira Voss was born in Lund and raised in Bergen.",
        &["Mira Voss was born in Lund.", "Mira Voss was raised in Bergen."],
    );
    says(
        "Mira Voss was born in Lund and moved to Bergen in 1990.",
        &["Mira Voss was born in Lund.", "Mira Voss moved to Bergen.", "Mira Voss moved in 1990."],
    );
    says(
        "The Gull Prize honours talented and original poets.",
        &["The Gull Prize honours talented poets.", "The Gull Prize honours original poets."],
    );
}

#[test]
fn dates_places_and_origins() {
    only(
        "Mira Voss is a Danish painter born on May 3, 1920, in Lund, Sweden.",
        &[
            "Mira Voss is Danish.",
            "Mira Voss is a painter.",
            "Mira Voss was born on May 3, 1920.",
            "Mira Voss was born in Lund, Sweden.",
            "Lund is in Sweden.",
        ],
    );
    says(
        "Ivo Hart (1902-1971) was a Danish engraver.",
        &["Ivo Hart was born in 1902.", "Ivo Hart died in 1971.", "Ivo Hart was an engraver."],
    );
    says(
        "Tessa Bloem is a South African lawyer.",
        &["Tessa Bloem is South African.", "Tessa Bloem is a lawyer."],
    );
    says(
        "Born in Lund, Mira Voss studied law.",
        &["Mira Voss was born in Lund.", "Mira Voss studied law."],
    );
}

#[test]
fn appositions_relative_clauses_and_participles() {
    says(
        "Orla Robotics, a maker of arms, sold a plant.",
        &["Orla Robotics was a maker of arms.", "Orla Robotics sold a plant."],
    );
    says(
        "Mira Voss founded Orla Robotics, which makes arms in Delft.",
        &["Mira Voss founded Orla Robotics.", "Orla Robotics makes arms in Delft."],
    );
    says(
        "Mira Voss joined the guild in 1950, painting the harbour and working as a teacher.",
        &["Mira Voss painted the harbour.", "Mira Voss worked as a teacher."],
    );
    says("After leaving Orla, Mira Voss founded Naptha.", &["Mira Voss left Orla."]);
    says(
        "Mira Voss has played in films such as \"Grey Tide\" and \"The Lamp.\"",
        &[
            "Mira Voss has played in \"Grey Tide\".",
            "\"Grey Tide\" is a film.",
            "\"The Lamp\" is a film.",
        ],
    );
}

#[test]
fn what_must_stay_together() {
    for whole in [
        "The talks between Orla and Naptha failed.",
        "If rates fall, sales will rise and costs drop.",
        "Orla is larger than Naptha and Delfin.",
        "Pim said that \"the market is dead and the firm is gone\".",
        "Mira Voss works for the Ministry of Health and Welfare.",
        "Mira Voss may win gold or silver.",
        "There are two arms and a gripper.",
        // What nobody does at one time, or of two things, he may do at another, or of one.
        "No boats left the harbour while the red lamp burned.",
        "No trains crossed the bridge in 1998.",
        "Nobody painted the hall and the porch.",
        // What it reaches is no other name of it.
        "Members get a discount of 10 % off all consultations, including emergency consultations.",
        // One quantity, and no list.
        "The voyage lasted three and a half hours.",
        "The voyage lasted an hour and a half.",
        "Two and a half litres were lost.",
        "Dogs may enter the park by day, the rose garden excepted.",
        "The market is held in the square in May, weather permitting.",
        "A ticket costs 6 euros for a day, children excluded.",
        "The band played two waltzes in the yard, the drummer being ill.",
        "The shop sold 400 lamps in May, returns not counted.",
        "The council passed the plan in June, Ivo Hart abstaining.",
        "Rita Holm keeps goats in Lund, one kid apart.",
        // What two have together neither has.
        "Together the two tanks hold 2,300 litres.",
        "The upper tank and the lower tank hold 2,300 litres together.",
        "Orla and Naptha have 40 plants in all.",
        // Neither half of a comparison says anything alone.
        "The coach weighs twice as much as the cart.",
        "Twice as many pupils came in June as in May.",
        // What the number is without its adverb is another number.
        "Too few staff were on duty.",
        "Only two nurses were on duty.",
        "Most charities pay a third of the list price.",
    ] {
        only(whole, &[whole]);
    }
    says("Orla sold \"Arms and Hands\" in 2020.", &["Orla sold \"Arms and Hands\" in 2020."]);
    only(
        "Orla did not sell Naptha or Delfin.",
        &["Orla did not sell Naptha.", "Orla did not sell Delfin."],
    );
}

/// What a comma sets off may have a noun and a participle and be another name all the same.
#[test]
fn a_participle_with_more_behind_it_describes() {
    says(
        "Mira Voss founded Orla in 1998, a company based in Delft.",
        &["Mira Voss founded Orla.", "Orla is a company.", "Orla is based in Delft."],
    );
    says(
        "Orla made arms in Delft as early as 1990 and sold them in Lund.",
        &["Orla sold arms in Lund."],
    );
    says("When the bell rang, the fair opened.", &["When the bell rang, the fair opened."]);
}

#[test]
fn who_is_described_by_a_participle_does_something() {
    let whole = "Registered charities pay a third of the list price.";
    only(whole, &[whole]);
    for nobody in ["Announced a new plant in Lund.", "Closed the mill in 1998."] {
        let found = extract(nobody);
        assert!(found.claims.is_empty(), "{:?}", found.claims);
        assert!(found.defects[0].reason.contains("not by whom"), "{:?}", found.defects);
    }
}

/// A time belongs to the value that it stands behind, and no other.
#[test]
fn each_value_keeps_its_time() {
    for whole in [
        "Turnover grew from £3.15m in 2024 to £3.42m in 2025.",
        "Fees fell from £40 in 2024 to £30.",
        "Turnover in 2025 was £3.42 million, up from £3.15 million in 2024.",
        "The pump was 40 years old in 1990.",
        "Two nurses will be on duty at night from 1 May 2026.",
        "The ward has been in use since 2019.",
    ] {
        only(whole, &[whole]);
    }
    let found = texts("The fee reached £3.42 million in 2025, against £3.15 million in 2024.");
    assert!(!found.iter().any(|claim| claim.ends_with("£3.42 million in 2024.")), "{found:#?}");
    only(
        "Profit was 4 million in 2024 and 5 million in 2025.",
        &["Profit was 4 million in 2024.", "Profit was 5 million in 2025."],
    );
    says(
        "Fees fell from £40 to £30 in 2026.",
        &["Fees fell from £40 to £30.", "Fees fell in 2026."],
    );
}

/// What stands behind a verb and makes another one of it is not left out, and no verb is lost to the tagger.
#[test]
fn no_sentence_is_cut_at_its_verb() {
    for whole in [
        "The mill at Lund will close on 30 June 2027.",
        "The harbour may still open in June.",
        "The plant will open in June and close in May.",
        "The firm will break even in 2031.",
        "The shop stayed open in 2020.",
        "The river ran dry in 1976.",
        // What looks like the next of a row may be the next verb.
        "Mira Voss is on leave and lives in Lund.",
        "The mill grinds wheat and stores flour.",
    ] {
        only(whole, &[whole]);
    }
    // How it was done may be left out.
    says("Sales grew rapidly in 2020.", &["Sales grew rapidly.", "Sales grew in 2020."]);
    // A row of one number is a row.
    says(
        "Mira Voss wrote plays and films in 2020.",
        &["Mira Voss wrote plays.", "Mira Voss wrote films."],
    );
    // What stands behind a modal is its verb already.
    for plain in ["Only then will work begin.", "The firm will not back down in June."] {
        only(plain, &[plain]);
    }
}

#[test]
fn the_only_verb_of_a_sentence_is_seen() {
    for whole in [
        "The marsh newt lives nowhere else.",
        "Orla Robotics supplies schools.",
        "Mira Voss dedicated the song to her aunt.",
        "The old mill stores grain.",
        "Nurses care for patients.",
        "Ward Orla at Lund is closed.",
    ] {
        only(whole, &[whole]);
    }
    // What is no sentence is none, with a full stop or without.
    for phrase in ["The road to the old mill of Lund.", "Copper mines in the north"] {
        let found = extract(phrase);
        assert!(found.claims.is_empty(), "{:?}", found.claims);
        assert_eq!(found.defects[0].reason, "a phrase without a verb");
    }
    // An item goes on from the words above it.
    says(
        "The shop has:\n\n- garden tools for schools.\n",
        &["The shop has garden tools for schools."],
    );
}

/// Every sentence is a claim or told.
#[test]
fn what_is_not_taken_is_told() {
    for (text, reason) in [
        ("Is the mill closed?", "a question"),
        ("Use the left lane.", "reads as a request"),
        ("In this report we look at mills.", "talk about the text itself"),
        ("Some old mills.", "a phrase without a verb"),
        ("The mill has three parts:", "leads to what is no statement"),
    ] {
        let found = extract(text);
        assert!(found.claims.is_empty(), "{text}: {:?}", found.claims);
        let told: Vec<&str> = found.defects.iter().map(|defect| defect.reason.as_str()).collect();
        assert_eq!(told, [reason], "{text}");
    }
    // So is what is in none of the statements of a sentence.
    let found = extract("Mira Voss sold Orla in 1998, making Naptha rich.");
    let held: Vec<&str> = found.claims.iter().map(|claim| claim.text.as_str()).collect();
    let is_held = held.iter().any(|claim| claim.contains("Naptha rich"));
    let told = found.defects.iter().any(|defect| defect.reason.contains("Naptha rich"));
    assert!(is_held != told, "{held:?} {:?}", found.defects);
    // Nothing is left out of what is taken apart, nor of what only leads to it.
    for text in [
        "As a result, Orla was founded in 1998 and sold in 2004.",
        "Mira Voss is a Danish painter born on May 3, 1920, in Lund, Sweden.",
    ] {
        assert!(extract(text).defects.is_empty(), "{text}: {:?}", extract(text).defects);
    }
    // Words that lead to a list are told with its items, and a mark alone says nothing.
    let found = extract("The mill has:\n\n- a wheel of oak\n\n* * *\n");
    assert!(found.defects.is_empty(), "{:?}", found.defects);
}

/// A paragraph about somebody else leaves open who is meant in the next one; in a sentence with a subject that fits it is the
/// subject.
#[test]
fn a_pronoun_keeps_to_its_sentence_and_paragraph() {
    says(
        "Ada Pim is a judge.\n\nKarl III was followed by his aunt.\n",
        &["Karl III was followed by his aunt."],
    );
    let found = extract("Ada Pim is a judge.\n\nMaria Lund is a baker.\n\nShe lives in Bergen.\n");
    assert_eq!(found.claims.len(), 2, "{:?}", found.claims);
    assert!(found.defects[0].reason.contains("may mean"), "{:?}", found.defects);
    // One whom the whole section is about is meant in every paragraph of it.
    says(
        "Ada Pim is a judge. She left Delft.\n\nThe court is in Lund.\n\nShe lives in Bergen.\n",
        &["Ada Pim lives in Bergen."],
    );
}

#[test]
fn pronouns_are_resolved_only_when_certain() {
    says("Mira Voss is a painter. She lives in Lund.", &["Mira Voss lives in Lund."]);
    says(
        "Orla Robotics is a company. Its robots carry 40 kg. It was founded in 1998.",
        &["Orla Robotics' robots carry 40 kg.", "Orla Robotics was founded in 1998."],
    );
    let unclear = extract("Ada Pim met Maria Lund. She left the firm in 2020.");
    assert_eq!(unclear.claims.len(), 1, "{:?}", unclear.claims);
    assert!(unclear.defects[0].reason.contains("\"She\" may mean"), "{:?}", unclear.defects);
    let nothing = extract("This led to layoffs.");
    assert!(nothing.claims.is_empty() && nothing.defects[0].reason.contains("This"));
    // In the first statement it points out of the text.
    only("He was born in Lund.", &["He was born in Lund."]);
    // Nor is anybody or anything meant by an "it" of time and weather.
    let told = "Mrs Winterbourne is the director. It took six days after the escape. It was the first time that an animal had escaped.";
    says(
        told,
        &[
            "It took six days after the escape.",
            "It was the first time that an animal had escaped.",
        ],
    );
    let found = texts("Mrs Winterbourne led the staff. It was sold in 2020.");
    assert!(!found.iter().any(|claim| claim == "Mrs Winterbourne was sold in 2020."), "{found:#?}");
    // No thing is meant here.
    assert_eq!(texts("It is unclear that sales grew.").len(), 1);
}

#[test]
fn markdown_is_context_not_claims() {
    let text = "---\ntitle: Arms\n---\n# Orla report\n\nIn this report we look at arms.\n\nThe robot has:\n\n- a payload of 40 kg [1]\n- two arms\n- **Battery:** The battery lasts nine hours ([Test](https://t.example/b)).\n\n```\nlet x = 1;\n```\n\n| Model | Price |\n|---|---|\n| VLX-5 | $1,200 [4] |\n\nIs it good? Use the left lane.\n\n## References\n\n[1] Tests: https://t.example/a\n";
    let found = extract(text);
    let claims: Vec<(&str, Vec<&str>, Vec<&str>)> = found
        .claims
        .iter()
        .map(|c| {
            (
                c.text.as_str(),
                c.citations.iter().map(String::as_str).collect(),
                c.heading_path.iter().map(String::as_str).collect(),
            )
        })
        .collect();
    assert_eq!(
        claims,
        [
            ("The robot has a payload of 40 kg", vec!["1"], vec!["Orla report"]),
            ("The robot has two arms", vec![], vec!["Orla report"]),
            (
                "The battery lasts nine hours.",
                vec!["https://t.example/b"],
                vec!["Orla report", "Battery"]
            ),
            ("VLX-5: Price is $1,200", vec!["4"], vec!["Orla report"]),
        ]
    );
    // A question and a request state nothing, which is told.
    let told: Vec<&str> = found.defects.iter().map(|defect| defect.reason.as_str()).collect();
    assert_eq!(told, ["talk about the text itself", "a question", "reads as a request"]);
}

#[test]
fn citations_belong_to_their_sentence() {
    let of = |text: &str| -> Vec<Vec<String>> {
        extract(text).claims.into_iter().map(|c| c.citations).collect()
    };
    assert_eq!(
        of("Orla grew [1]. Naptha shrank.[2][3] Delfin slept."),
        [vec!["1"], vec!["2", "3"], vec![]]
    );
    // The only citations of a paragraph, behind its end, are for all of it.
    assert_eq!(of("Orla grew. Naptha shrank. [1]"), [vec!["1"], vec!["1"]]);
}

#[test]
fn kinds_and_words() {
    let kind = |text: &str| extract(text).claims[0].kind;
    assert_eq!(kind("Orla makes arms."), ClaimType::Factual);
    assert_eq!(kind("Orla grew faster than Naptha."), ClaimType::Comparative);
    assert_eq!(kind("Orla was founded in 1998."), ClaimType::Temporal);
    assert_eq!(kind("Orla failed because costs rose."), ClaimType::Causal);
    assert_eq!(kind("Orla should sell arms."), ClaimType::Opinion);
    let claim = extract("The company sold 40 robots to Naptha.").claims.remove(0);
    let words: Vec<(&str, WordType)> =
        claim.substantive_words.iter().map(|w| (w.word.as_str(), w.kind)).collect();
    assert_eq!(
        words,
        [
            ("company", WordType::Noun),
            ("sold", WordType::Verb),
            ("40", WordType::Numeral),
            ("robots", WordType::Noun),
            ("Naptha", WordType::ProperNoun),
        ]
    );
}

/// What must hold for every extraction.
fn check(text: &str) -> Extraction {
    let found = extract(text);
    let mut last = 0;
    for (nth, claim) in found.claims.iter().enumerate() {
        assert!(claim.holds_in(text), "{claim:?}");
        assert_eq!(claim.id.as_str(), format!("c{}", nth + 1));
        assert!(!claim.text.trim().is_empty());
        assert!(claim.source_span.start >= last, "out of order: {claim:?}");
        last = claim.source_span.start;
        for word in &claim.substantive_words {
            assert_eq!(
                elenchus_core::evidence::char_slice(&claim.text, word.position),
                Some(word.word.as_str()),
                "{claim:?}"
            );
        }
    }
    for defect in &found.defects {
        assert!(defect.span.start < defect.span.end && !defect.reason.is_empty());
    }
    for claim in &found.claims {
        assert!(claim.citations.len() <= MOST_CITED, "{claim:?}");
    }
    found
}

/// What stands with every claim is bounded, so that a text cannot give many times its own length.
#[test]
fn what_stands_with_a_claim_does_not_swell() {
    let cited = (1..=300).map(|n| format!("[{n}]")).collect::<Vec<_>>().concat();
    let prose = "Orla grew in 1998. ".repeat(WHOLE + 50);
    let text = format!("{}\n===\n\n{prose}{cited}\n", "Arms ".repeat(2_000));
    let found = check(&text);
    assert!(found.claims.len() > WHOLE, "{}", found.claims.len());
    let (first, last) = (found.claims.first().unwrap(), found.claims.last().unwrap());
    assert_eq!(last.citations.len(), MOST_CITED);
    assert!(first.citations.is_empty(), "so many sentences are no paragraph with one source");
    let headings = found.claims.iter().flat_map(|claim| &claim.heading_path);
    assert!(headings.clone().count() > 0);
    assert!(headings.clone().all(|heading| heading.chars().count() <= 300));
    let row = format!(
        "| Model |{0}\n|---|{1}\n| {2} |{3}\n",
        " a |".repeat(99),
        "---|".repeat(99),
        "x".repeat(9_000),
        " 7 |".repeat(99)
    );
    let found = check(&row);
    assert!(!found.claims.is_empty() && found.claims.iter().all(|claim| claim.text.len() < 700));
}

/// Each of these took its square: a paragraph counted from its beginning for every sentence, and layout that was looked
/// through from each of its lines.
#[test]
fn long_texts_are_read_in_one_pass() {
    for text in ["Éab cde. ".repeat(10_000), "---\n\n".repeat(60_000), "```\n".repeat(60_000)] {
        check(&text);
    }
}

#[test]
fn odd_texts_do_no_harm() {
    for text in [
        String::new(),
        " \n\t".to_owned(),
        "\u{0}\u{1}\u{FFFD}".repeat(50),
        "مرحبا بالعالم. هذا نص.".to_owned(),
        "🙂 was founded in 🙂🙂 and 🙂.".to_owned(),
        "東京は大きい。大阪も大きい。".to_owned(),
        "a".repeat(1_000_000),
        "word ".repeat(100_000),
        "A, ".repeat(20_000),
        "(".repeat(50_000),
        "[1]".repeat(50_000),
        "[a](".repeat(20_000),
        "\"".repeat(20_000),
        "who ".repeat(400) + "was.",
        "and was ".repeat(200),
        "| a ".repeat(5_000),
        "> ".repeat(5_000),
        "- a:\n".repeat(2_000),
        "([a](b)\u{e9} ([a](b)x(c) ([a](b) \u{2014} ".repeat(500),
        "[1-30]".repeat(5_000),
    ] {
        check(&text);
        let _ = references(&text);
    }
}

#[test]
fn real_reports_parse() {
    let data = std::env::var_os("ELENCHUS_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let Ok(folder) = std::fs::read_dir(data.join("reports")) else {
        println!("skip: no reports in {}", data.display());
        return;
    };
    let (mut reports, mut claims, mut cited, mut defects, mut sources) = (0, 0, 0, 0, 0);
    let mut starts = 0;
    for file in folder.flatten().filter(|f| f.path().extension().is_some_and(|e| e == "jsonl")) {
        for line in std::fs::read_to_string(file.path()).unwrap().lines() {
            let report: serde_json::Value = serde_json::from_str(line).unwrap();
            let text = report["article"].as_str().unwrap_or_default();
            let found = check(text);
            reports += 1;
            claims += found.claims.len();
            cited += found.claims.iter().filter(|c| !c.citations.is_empty()).count();
            let mut at: Vec<usize> = found.claims.iter().map(|c| c.source_span.start).collect();
            at.dedup();
            starts += at.len();
            defects += found.defects.len();
            sources += references(text).len();
        }
    }
    println!(
        "{reports} reports: {claims} claims ({cited} cited) from {starts} places, {defects} defects ({:.1} % of places yield claims), {sources} sources",
        100.0 * starts as f64 / (starts + defects).max(1) as f64
    );
    assert!(reports >= 297 && claims > 10_000 && cited * 3 > claims && sources > 5_000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_text_gives_exact_spans(text in "\\PC{0,200}") {
        check(&text);
    }

    #[test]
    fn any_row_of_english_gives_exact_spans(words in prop::collection::vec(
        prop::sample::select(vec![
            "Mira", "Voss", "she", "it", "their", "was", "is", "has", "born", "founded", "sold", "appearing", "known", "in", "on", "for", "to",
            "write", "the", "a", "an", "American", "actor", "films", "shows", "such", "as", "including", "who", "which", "where", "that", "said",
            "and", "or", "but", "not", "before", "while", "1998", "May", ",", ";", ".", "\n", "\n\n- ", "\"", "(", ")", "[1]", "**", ":", "of", "—",
            "| x | y |\n", "> ", "é", "’s", "U.S.", "best",
        ]), 0..60)) {
        check(&words.join(" "));
    }
}
