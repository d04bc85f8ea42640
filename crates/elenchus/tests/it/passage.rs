//! Looking verses up, and what packs and modes say. Every row is of our own wording.

use crate::world::World;

fn bible() -> World {
    let world = World::new();
    world.write(
        "bible/plain.tsv",
        "John.3.16\tGod loved the world and gave the Son.\nJohn.3.17\tNot to judge the world was he sent.\n\
         Rom.5.8\tWhile we still failed, one died for us.\n1John.4.9\tIn this the love was shown among us.\n\
         Matt.27.5\tJudas threw the silver down, went away and hanged himself.\n",
    );
    world.write(
        "bible/second.tsv",
        "John.3.16\tThe world was loved so much that the Son came.\n\
         Acts.1.18\tHe got a field with his pay, fell head first, and burst open.\n",
    );
    world.write("bible/links.tsv", "John.3.16\tRom.5.8 1John.4.9\nRom.5.8\tJohn.3.16 1John.4.9\n");
    world
}

#[test]
fn verses_are_looked_up_in_every_translation() {
    let world = bible();
    let ran = world.run(&["passage", "Jn 3,16-17; Rom. v. 8", "--corpus", "bible"]);
    insta::assert_snapshot!("passage", ran.succeeds().out);
    let json =
        world.run(&["passage", "First John 4:9", "--corpus", "bible", "--json"]).succeeds().json();
    let reference = &json["references"][0];
    assert_eq!(reference["osis"], "1John.4.9");
    assert_eq!(reference["verses"][0]["location"], "plain.tsv, 1John.4.9");
    let json =
        world.run(&["passage", "John 3:16", "--corpus", "bible", "--json"]).succeeds().json();
    let neighbours = json["references"][0]["neighbours"].as_array().unwrap();
    assert_eq!(neighbours[0]["osis"], "Rom.5.8");
    assert_eq!(neighbours[0]["mutual"], true);
    assert_eq!(neighbours.len(), 2);
    let none = world
        .run(&["passage", "John 3:16", "--corpus", "bible", "--json", "-n", "0"])
        .succeeds()
        .json();
    assert_eq!(none["references"][0]["neighbours"].as_array().map(Vec::len), Some(0));
}

#[test]
fn what_is_no_reference_is_a_usage_error_and_what_is_missing_is_said() {
    let world = bible();
    world.run(&["passage", "John 3 years ago", "--corpus", "bible"]).fails(
        2,
        "names no verse or chapter",
        "John 3:16",
    );
    let ran = world.run(&["passage", "Gen 1:1", "--corpus", "bible"]);
    assert!(ran.succeeds().out.contains("not among the documents"), "{}", ran.out);
    assert!(ran.err.contains("none of these verses"), "{}", ran.err);
}

#[test]
fn a_question_that_cites_is_answered_with_the_verses() {
    let world = bible();
    let ask = |question: &str, more: &[&str]| {
        let mut words = vec!["ask", question, "--corpus", "bible"];
        words.extend(more);
        world.run(&words)
    };
    let ran = ask("What do Jn 3,16 and Rom 5:8 say?", &["--pack", "theology"]);
    let out = &ran.succeeds().out;
    for quote in ["God loved the world", "The world was loved so much", "While we still failed"] {
        assert!(out.contains(quote), "{quote}: {out}");
    }
    assert!(out.contains("    - John.3.16: "), "{out}");
    let ran = ask("How did Judas die?", &["--pack", "theology"]);
    let out = &ran.succeeds().out;
    assert!(out.contains("## A known tension bears on this"), "{out}");
    assert!(out.contains("hanged himself") && out.contains("burst open"), "{out}");
    let plain = ask("How did Judas die?", &["--pack", "general"]);
    assert!(!plain.succeeds().out.contains("known tension"), "{}", plain.out);
}

#[test]
fn a_mode_needs_a_language_model() {
    let world = bible();
    let ran =
        world.run(&["ask", "What does John 3:16 say?", "--corpus", "bible", "--mode", "critic"]);
    assert!(ran.succeeds().out.contains("God loved the world"), "{}", ran.out);
    assert!(ran.err.contains("the mode critic") && ran.err.contains("--model"), "{}", ran.err);
    let ran =
        world.run(&["ask", "What does John 3:16 say?", "--corpus", "bible", "--mode", "detective"]);
    assert!(!ran.succeeds().err.contains("the mode"), "{}", ran.err);
    let ran = world.run(&["ask", "What?", "--corpus", "bible", "--mode", "judge"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("synthesizer"), "{}", ran.err);
}
