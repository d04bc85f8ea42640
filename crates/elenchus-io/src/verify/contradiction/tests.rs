use super::*;
use elenchus_core::evidence::Span;
use proptest::prelude::*;

fn found(texts: &[&str]) -> Vec<Contradiction> {
    let statements: Vec<Statement> =
        texts.iter().enumerate().map(|(at, text)| Statement::new(at.to_string(), *text)).collect();
    contradictions(&statements, &Limits::default())
}

/// Pairs that cannot both hold.
const AT_ODDS: [(&str, &str, &str); 17] = [
    ("The quay is 340 metres long.", "The quay is 290 metres long.", "340"),
    ("The bridge was opened in 1974.", "The bridge was opened in 1981.", "1974"),
    ("The mayor of Oldhaven is Petra Lund.", "The mayor of Oldhaven is Jonas Weir.", "Petra"),
    (
        "Sales of the ferry company rose in 2023.",
        "Sales of the ferry company fell in 2023.",
        "rose",
    ),
    (
        "The council approved the new depot.",
        "The council did not approve the new depot.",
        "approved",
    ),
    (
        "The fire was caused by a faulty heater.",
        "The fire was caused by a dropped cigarette.",
        "heater",
    ),
    ("The chapel was built by Welsh masons.", "The chapel was built by Danish monks.", "masons"),
    (
        "Traffic on the ring road remained stable in 2021.",
        "Traffic on the ring road increased in 2021.",
        "stable",
    ),
    (
        "The late start was caused by the doors being left open.",
        "The late start was caused by a frozen door lever, not by anyone leaving the doors open.",
        "doors being left open",
    ),
    (
        "On the third run of the morning the tram left the rails.",
        "There were four runs before that in the morning, so it was the fifth and not the third.",
        "third",
    ),
    ("All members voted for the plan.", "None of the members voted for the plan.", "All"),
    ("The reservoir holds 5.6 million litres.", "The reservoir holds 4.2 million litres.", "5.6"),
    ("The drug reduces the risk of stroke.", "The drug increases the risk of stroke.", "reduces"),
    (
        "The harbour office lost 1,200 letters in 2019.",
        "The harbour office lost no letters in 2019.",
        "1,200 letters",
    ),
    (
        "Mount Ness is higher than Mount Orrin.",
        "Mount Orrin is higher than Mount Ness.",
        "Mount Ness is higher",
    ),
    ("Karsia invaded Naptha in 1931.", "Naptha invaded Karsia in 1931.", "Karsia invaded"),
    (
        "Nobody was injured in the ferry collision of 1931.",
        "Two sailors were injured in the ferry collision of 1931.",
        "Nobody",
    ),
];

/// Pairs that can.
const AT_PEACE: [(&str, &str); 31] = [
    ("The quay is 2 kilometres long.", "The quay is 2,000 metres long."),
    ("In Q3 2025 the fleet had 6 turbines.", "In Q1 2026 the fleet had 8 turbines."),
    ("The payment was 1,250 pounds a month.", "Since 2025 the payment is 1,400 pounds a month."),
    ("Turbine 7 was lifted in March.", "Turbine 8 was lifted in March."),
    ("The north pier is 40 metres long.", "The south pier is 55 metres long."),
    ("The morning bus seats 30 people.", "The evening bus seats 50 people."),
    ("Anna Berg leads the laboratory in Riga.", "Anna Berg leads the laboratory."),
    ("A man repaired the pump.", "A woman repaired the pump."),
    ("The board met in Leeds.", "The board met in Leeds on Monday."),
    ("The ferry was cheap.", "The museum was expensive."),
    ("The fire was caused by a faulty heater.", "The flood was caused by a burst pipe."),
    ("The fire was caused by a faulty heater.", "The fire was caused by a faulty electric heater."),
    ("The fire was caused by a faulty heater.", "The fire was not caused by a dropped cigarette."),
    ("Approved by the council on 3 May 2022.", "Approved by the council on 9 June 2022."),
    (
        "On the third run of the morning the tram left the rails.",
        "The depot counted wagons in the morning: it was the fifth and not the third that lacked a lamp.",
    ),
    ("Phurah went down to the camp.", "Purah went down to the camp."),
    ("About 50 people came to the meeting.", "52 people came to the meeting."),
    ("Step 3 takes five minutes.", "Step 4 takes ten minutes."),
    ("It was published in March 2021.", "Published on 5 March 2025."),
    ("The lease ends in December 2027.", "The lease of the kiosk was renewed."),
    // Two hold what they hold of two.
    ("Petra Lund is the ward sister of Alder.", "Jonas Weir is the ward sister of Birch."),
    (
        "The harbour office lost 1,200 letters in 2019.",
        "The harbour office lost no parcels in 2019.",
    ),
    ("Fewer than 12 bakers left the guild.", "No bakers left the guild."),
    ("Some boats were painted in 2020.", "Some boats were painted in 2023."),
    ("Boats at the third jetty may stay.", "Boats at the fourth jetty may not stay."),
    ("The first crane was bought in 1962.", "The second crane was bought in 1971."),
    ("The ferry made a profit in 2022.", "The ferry made a profit in 2024."),
    ("Lake Ness is 90 metres deep.", "Lake Orrin is 40 metres deep."),
    ("The kiosk is closed at night.", "The kiosk is open by day."),
    ("The archive of Oldhaven is closed on Mondays.", "The archive of Ness is open on Mondays."),
    ("Karsia invaded Naptha in 1931.", "Naptha invaded Karsia in 1938."),
];

#[test]
fn what_cannot_both_hold_is_found_and_told_in_words() {
    let mut missed = Vec::new();
    for (a, b, word) in AT_ODDS {
        let told = found(&[a, b]);
        match told.as_slice() {
            [one] => {
                assert!(one.why.iter().any(|m| m.claim_text.contains(word)), "{one:?}");
                assert!(one.summary.contains(word), "{}", one.summary);
                assert!(one.strength > 0.0 && one.strength <= 1.0, "{one:?}");
                let span = one.why[0].claim_span;
                let own: String = a.chars().skip(span.start).take(span.end - span.start).collect();
                assert_eq!(own, one.why[0].claim_text, "the span is the words'");
            }
            _ => missed.push((a, b)),
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn what_can_both_hold_is_left_alone() {
    for (a, b) in AT_PEACE {
        assert_eq!(found(&[a, b]), [], "{a} | {b}");
    }
}

#[test]
fn who_died_in_a_town_died_in_its_country() {
    let two = ["Ada Holt died in Oldhaven.", "Ada Holt died in Karsia."];
    assert_eq!(found(&two).len(), 1);
    assert_eq!(found(&[two[0], two[1], "Everybody knows Oldhaven, a port of Karsia."]), []);
}

#[test]
fn copies_and_other_vintages_are_not_held_against_each_other() {
    let a = Statement::new("a", "The installed capacity is 4.2 MW.");
    let b = Statement::new("b", "The installed capacity is 5.6 MW.");
    let told = |a: &Statement, b: &Statement| {
        contradictions(&[a.clone(), b.clone()], &Limits::default()).len()
    };
    assert_eq!(told(&a, &b), 1);
    assert_eq!(told(&a.clone().in_cluster(3), &b.clone().in_cluster(3)), 0);
    assert_eq!(told(&a.clone().in_cluster(3), &b.clone().in_cluster(4)), 1);
    let (autumn, spring) = ("Report, Q3 2025", "Report, Q1 2026");
    assert_eq!(told(&a.clone().under(autumn), &b.clone().under(spring)), 0);
    assert_eq!(told(&a.under(autumn), &b.under(autumn)), 1);
}

#[test]
fn limits_are_kept_and_odd_texts_are_read() {
    let long = "word ".repeat(200_000);
    let odd = ["", "\u{1F600}", &long, "\u{0}\u{202E}x 5", "12 12 12", "سعر 5 ليرات", "数字5"];
    assert!(found(&odd).is_empty());
    let many: Vec<Statement> = (0..40)
        .map(|n| {
            Statement::new(
                n.to_string(),
                format!("The quay of Oldhaven is {} metres long.", 100 + 7 * n),
            )
        })
        .collect();
    let few = Limits { found: 5, ..Limits::default() };
    let told = contradictions(&many, &few);
    assert_eq!(told.len(), 5);
    assert!(told.windows(2).all(|two| two[0].strength >= two[1].strength));
    assert!(contradictions(&many, &Limits { read: 0, ..few }).is_empty());
}

#[test]
fn many_statements_take_little_time() {
    let many: Vec<Statement> = (0..3_000)
        .map(|n| {
            let text = format!("The depot{} of town{} stores {n} crates of tea.", n % 977, n % 101);
            Statement::new(n.to_string(), text)
        })
        .collect();
    let start = std::time::Instant::now();
    let _ = contradictions(&many, &Limits { read: 10, ..Limits::default() });
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

/// Statements out of a small stock of words, so that they often meet.
fn statement() -> impl Strategy<Value = Statement> {
    let subject = prop::sample::select(vec!["quay", "bridge", "depot", "old mill"]);
    let verb =
        prop::sample::select(vec!["is", "is not", "was built in", "was caused by", "fell by"]);
    let rest =
        prop::sample::select(vec!["40 metres long", "55 metres long", "1974", "1981", "a storm"]);
    let cluster = prop::option::of(0_u32..3);
    (subject, verb, rest, cluster, ".{0,8}").prop_map(|(subject, verb, rest, cluster, noise)| {
        let text = format!("The {subject} of Oldhaven {verb} {rest}{noise}.");
        Statement { id: String::new(), text, context: String::new(), cluster }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_order_changes_nothing_and_nothing_contradicts_itself(
        mut statements in prop::collection::vec(statement(), 0..7),
        turn in 0_usize..7,
    ) {
        for (at, statement) in statements.iter_mut().enumerate() {
            statement.id = at.to_string();
        }
        let told = |statements: &[Statement]| {
            let mut pairs: Vec<([String; 2], String)> = contradictions(statements, &Limits::default())
                .into_iter()
                .map(|one| {
                    assert!(one.a < one.b && !one.why.is_empty() && !one.summary.is_empty());
                    assert!((0.0..=1.0).contains(&one.strength));
                    let (a, b) = (&statements[one.a], &statements[one.b]);
                    assert!(a.text != b.text && (a.cluster.is_none() || a.cluster != b.cluster));
                    let mut ids = [a.id.clone(), b.id.clone()];
                    ids.sort();
                    (ids, format!("{:.9}", one.strength))
                })
                .collect();
            pairs.sort();
            pairs
        };
        let straight = told(&statements);
        let mut other = statements.clone();
        other.reverse();
        prop_assert_eq!(&straight, &told(&other));
        if !other.is_empty() {
            let by = turn % other.len();
            other.rotate_left(by);
        }
        prop_assert_eq!(&straight, &told(&other));
        let twice: Vec<Statement> = statements
            .iter()
            .take(1)
            .flat_map(|s| [s.clone(), Statement { id: "other".into(), ..s.clone() }])
            .collect();
        prop_assert!(told(&twice).is_empty());
    }
}

fn measured() -> Option<std::path::PathBuf> {
    let root = std::env::var_os("ELENCHUS_DATA").map_or_else(
        || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        std::path::PathBuf::from,
    );
    root.join("claims").is_dir().then_some(root)
}

type Row = (bool, String, String);

fn pairs_of(root: &std::path::Path, set: &str, step: usize) -> Vec<Row> {
    let text = std::fs::read_to_string(root.join(format!("claims/{set}.jsonl"))).unwrap();
    text.lines()
        .step_by(step)
        .map(|line| {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            let evidence: Vec<&str> =
                row["evidence"].as_array().unwrap().iter().filter_map(|e| e.as_str()).collect();
            (
                row["label"] == "refuted",
                row["claim"].as_str().unwrap().to_owned(),
                evidence.join(" "),
            )
        })
        .collect()
}

/// Sentences at most three apart of every twelfth abstract.
fn neighbours(root: &std::path::Path, step: usize) -> Vec<Row> {
    let text = std::fs::read_to_string(root.join("scifact/scifact_corpus.jsonl")).unwrap();
    let mut rows = Vec::new();
    for line in text.lines().step_by(step) {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let said: Vec<&str> =
            row["sentences"].as_array().unwrap().iter().filter_map(|s| s.as_str()).collect();
        for (at, one) in said.iter().enumerate() {
            rows.extend(
                said[at + 1..].iter().take(3).map(|o| (false, (*one).to_owned(), (*o).to_owned())),
            );
        }
    }
    rows
}

/// Every so-manieth verse in two translations.
fn verses(root: &std::path::Path, step: usize) -> Vec<Row> {
    let read = |name: &str| std::fs::read_to_string(root.join("theology").join(name)).unwrap();
    let (one, other) = (read("kjv.tsv"), read("web.tsv"));
    let other: std::collections::BTreeMap<&str, &str> =
        other.lines().filter_map(|line| line.split_once('\t')).collect();
    one.lines()
        .step_by(step)
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(verse, text)| Some((false, text.to_owned(), (*other.get(verse)?).to_owned())))
        .collect()
}

#[test]
fn labelled_pairs_and_consistent_texts_are_told_apart() {
    let Some(root) = measured() else {
        println!("skip: no ../shared/data and no ELENCHUS_DATA");
        return;
    };
    let everything = std::env::var_os("ELENCHUS_NIGHTLY").is_some();
    let mut sets: Vec<(&str, Vec<Row>)> = ["cad_nli.dev", "sick.dev", "fever_symmetric.dev"]
        .into_iter()
        .map(|set| (set, pairs_of(&root, set, 1)))
        .collect();
    if everything {
        sets.push(("cad_nli.train", pairs_of(&root, "cad_nli.train", 1)));
        sets.push(("sick.train", pairs_of(&root, "sick.train", 1)));
        sets.push(("breaking_nli.dev", pairs_of(&root, "breaking_nli.dev", 16)));
    }
    sets.push(("neighbours in abstracts", neighbours(&root, if everything { 12 } else { 30 })));
    sets.push(("one verse, two translations", verses(&root, if everything { 16 } else { 48 })));
    for (set, rows) in &sets {
        let (mut hits, mut right, mut true_ones) = (0, 0, 0);
        for (refuted, a, b) in rows {
            true_ones += usize::from(*refuted);
            let told = found(&[a, b]);
            hits += told.len();
            right += usize::from(*refuted) * told.len();
            if everything
                && !refuted
                && let Some(told) = told.first()
            {
                println!("  {set} FALSE {} {:.2}\n    {a}\n    {b}", told.summary, told.strength);
            }
        }
        let precision = right as f64 / hits.max(1) as f64;
        let recall = right as f64 / true_ones.max(1) as f64;
        let negatives = rows.len() - true_ones;
        let alarms = 1000.0 * (hits - right) as f64 / negatives.max(1) as f64;
        let labelled = format!(", precision {precision:.3}, recall {recall:.3}");
        println!(
            "{set}: {} pairs{}, {alarms:.1} false alarms in 1,000 ({})",
            rows.len(),
            if true_ones > 0 { labelled.as_str() } else { "" },
            hits - right
        );
        assert!(true_ones > 0 || alarms <= 5.0, "{set}: {alarms} false alarms in 1,000");
        assert!(hits < 10 || true_ones == 0 || precision >= 0.75, "{set}: precision {precision}");
    }
}

/// Sentences and cells of the example that ships, with the words they stand under.
fn harbour() -> Vec<Statement> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/harbor");
    let mut out = Vec::new();
    let marks = regex::Regex::new("<[^>]*>").unwrap();
    for path in [
        "community/fishing-agreement.md",
        "community/annual-meeting-2026.md",
        "incidents/outage-2026-02-11-report.html",
        "incidents/grid-company-note.txt",
        "operations/blade-coating-trial.md",
        "operations/isolation-procedure.md",
        "surveys/porpoise-hydrophone-study-2025.md",
        "surveys/porpoise-boat-survey-2025.md",
        "reports/quarterly-report-q3-2025.md",
        "reports/quarterly-report-q1-2026.md",
        "people.md",
        "overview.md",
    ] {
        let text = std::fs::read_to_string(root.join(path)).unwrap();
        let text =
            if path.ends_with("html") { marks.replace_all(&text, " ").into_owned() } else { text };
        let title =
            text.lines().filter(|l| !l.trim().is_empty()).take(6).collect::<Vec<_>>().join(" ");
        for claim in crate::verify::extract::extract(&text).claims {
            let context = format!("{title} {}", claim.heading_path.join(" "));
            // Claims out of one sentence are one statement.
            let sentence = u32::try_from(out.len()).unwrap();
            let span = claim.source_span;
            let same = out.iter().rev().take(8).find_map(|(other, s): &(Span, Statement)| {
                let meet = other.start < span.end && span.start < other.end;
                (meet && s.id == path).then_some(s.cluster)
            });
            let mut statement = Statement::new(path, claim.text).under(context);
            statement.cluster = same.unwrap_or(Some(sentence));
            out.push((span, statement));
        }
    }
    out.into_iter().map(|(_, statement)| statement).collect()
}

#[test]
fn the_example_has_its_planted_disagreements() {
    let statements = harbour();
    let found = contradictions(&statements, &Limits::default());
    for one in &found {
        let (a, b) = (&statements[one.a].text, &statements[one.b].text);
        println!("{:.2} {}\n   {a}\n   {b}", one.strength, one.summary);
    }
    let told = |words: [&str; 2]| {
        found.iter().any(|one| {
            let pair = format!("{} {}", statements[one.a].text, statements[one.b].text);
            words.iter().all(|word| pair.contains(word))
        })
    };
    assert!(told(["sea water", "protection relay"]), "the cause of the outage");
    assert!(told(["did not change", "fell by 38"]), "the porpoises");
    assert_eq!(found.len(), 2, "nothing but what was planted");
}
