use super::*;

fn pairs(list: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    list.split(';').filter_map(|pair| pair.trim().split_once('~'))
}

fn check(list: &'static str, holds: impl Fn(Relation) -> bool) {
    let words = WordNet::builtin();
    let wrong: Vec<String> = pairs(list)
        .flat_map(|(a, b)| [(a, b), (b, a)])
        .map(|(a, b)| (a, b, words.relation(a, b)))
        .filter(|(.., relation)| !holds(*relation))
        .map(|(a, b, relation)| format!("{a}~{b} {relation:?}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_builtin_file_follows_its_format() {
    assert!(Table::parse(BYTES).is_some());
    assert!(BYTES.len() < 1_500_000);
}

#[test]
fn damaged_files_are_refused() {
    assert!(Table::parse(b"").is_none());
    assert!(Table::parse(b"ELWN\x02\0\0\0\0\0\0\0\0\0\0\0\0").is_none());
    assert!(Table::parse(b"ELWN\x01\xff\xff\xff\xff\0\0\0\0\0\0\0\0").is_none());
    assert!(Table::parse(b"ELWN\x01\0\0\0\0\0\0\0\0\0\0\0\0").is_some());
    for length in (0..BYTES.len()).step_by(50_021) {
        assert!(Table::parse(BYTES.get(..length).expect("a beginning")).is_none());
    }
    assert!(Table::parse(&[BYTES, &[0]].concat()).is_none());
}

#[test]
fn words_for_one_thing_are_synonyms() {
    check(
        "repair~fix; purchase~buy; supplier~provider; cost~price; begin~start; begin~commence;
        physician~doctor; funding~financing; salary~wage; boss~chief; forbid~prohibit;
        annual~yearly; cheap~inexpensive; large~big; rival~competitor; client~customer;
        error~mistake; allow~permit; shut down~close; shutting down~closed; lawyers~attorney;
        profit~earnings; delay~postponement; teacher~instructor; found~establish;
        terminated~ended; cancelled~called off; resign~quit; manufacturer~maker; assist~help;
        answer~reply; organise~organize; colour~color; select~choose; vendor~seller;
        fired~dismissed; need~require; rent~lease; buyer~purchaser; show~demonstrate",
        |relation| matches!(relation, Relation::Synonym(_)) && relation.strength() > 0.5,
    );
}

#[test]
fn words_built_from_each_other_are_derived() {
    check(
        "approve~approval; fail~failure; decide~decision; certify~certificate;
        certify~certification; invest~investor; valuable~value; acquire~acquisition;
        resign~resignation; participate~participant; complain~complaint; arrive~arrival;
        choose~choice; bought~buyer; germany~german; strength~strong",
        |relation| matches!(relation, Relation::Derived { direct: true, .. }),
    );
    check(
        "spend~expenditure; die~death; founder~establish; permission~allow; injured~hurt",
        |relation| matches!(relation, Relation::Derived { direct: false, .. }),
    );
}

#[test]
fn a_kind_knows_which_word_is_wider() {
    check(
        "town~municipality; dog~animal; journey~trip; obtain~get; illness~disease; house~home;
        warehouse~depot; contract~agreement; notify~inform; retain~keep; car~vehicle;
        truck~vehicle; employee~worker; factory~plant; headquarters~office;
        cardiologist~doctor; meeting~conference; postponed~delayed",
        |relation| matches!(relation, Relation::Kind { .. }),
    );
    let narrower = |a, b| {
        let relation = WordNet::builtin().relation(a, b);
        matches!(relation, Relation::Kind { first_is_kind: true, .. })
    };
    assert!(narrower("truck", "vehicle") && !narrower("vehicle", "truck"));
    let strength = |a, b| WordNet::builtin().strength(a, b);
    assert!(strength("town", "municipality") > strength("dog", "animal"));
}

#[test]
fn close_adjectives_are_near() {
    check("quick~fast; huge~large; age~old; hot~temperature", |relation| {
        matches!(relation, Relation::Near(_))
    });
}

#[test]
fn opposites_are_told_from_synonyms() {
    check(
        "buy~sell; hire~fire; cheap~expensive; costly~cheap; huge~small; increase~decrease;
        hot~cold; success~failure; opened~closed; rise~fall; allow~forbid; permit~prohibit;
        accept~reject; import~export; arrive~leave; strong~weak; won~lost; north~south;
        employer~employee; old~new; lend~borrow; legal~illegal; safe~dangerous;
        minimum~maximum; public~private; same~different",
        |relation| relation.is_antonym() && relation.strength() == 0.0,
    );
}

#[test]
fn chance_pairs_have_no_relation() {
    check(
        "staff~volcano; customer~glacier; revenue~violin; profit~mountain; car~theology;
        doctor~carpet; begin~spoon; purchase~planet; decline~kitchen; company~banana;
        error~island; house~gravity; salary~forest; law~potato; illness~highway;
        medicine~castle; supplier~poem; contract~rabbit; delay~purple; outage~wedding;
        risk~sandwich; employee~ocean; shipment~grammar; factory~prayer; boss~river;
        money~butterfly; quick~museum; big~election; teacher~copper; road~protein;
        crime~melody; proof~bicycle; claim~tomato; study~hammer; fix~dynasty; rise~wallet;
        forecast~sculpture; market~skeleton; sales~dolphin; deadline~mushroom; budget~dragon;
        church~engine; holy~warehouse; quarter~enzyme; staff~budget; price~employee;
        contract~outage; risk~meeting; supplier~customer; machine~salary; doctor~hospital;
        monday~tuesday; january~february; germany~france; cat~dog; red~blue; bank~employee;
        server~database; city~river; report~office; engineer~nurse; year~month; manager~invoice;
        flight~airport; price~staff",
        |relation| relation == Relation::None,
    );
}

#[test]
fn forms_of_one_lemma_are_the_same() {
    check(
        "robots~robot; hired~hire; cheapest~cheap; children~child; planning~plan; boxes~box;
        Companies~company; went~gone; better~best; CEO~ceo; dog's~dogs; boss'~bosses; easier~easy; women~woman;
        setting up~set up; xyzzy~XYZZY",
        |relation| relation == Relation::Same && relation.strength() > 0.99,
    );
}

#[test]
fn unknown_and_strange_words_are_unrelated() {
    let words = WordNet::builtin();
    for odd in ["", " ", "'s", "s", "ing", "ß", "日本", "a b c", "the", &"x".repeat(500)] {
        assert_eq!(words.relation(odd, "house"), Relation::None, "{odd}");
        assert!(!words.lookup(odd).is_known(), "{odd}");
    }
}

#[test]
fn a_part_of_speech_narrows_the_readings() {
    let words = WordNet::builtin();
    let leaves = words.lookup("leaves");
    let lemmas: Vec<_> = words.lemmas(&leaves).collect();
    assert!(lemmas.contains(&("leaf", Part::Noun)) && lemmas.contains(&("leave", Part::Verb)));
    let verb = leaves.clone().only(Part::Verb);
    assert!(words.lemmas(&verb).all(|lemma| lemma == ("leave", Part::Verb)));
    assert!(words.lemmas(&leaves.only(Part::Adverb)).count() > 1);
    assert!(words.lookup("building").is_lemma() && !words.lookup("robots").is_lemma());
}

#[test]
fn rare_senses_count_less() {
    let words = WordNet::builtin();
    assert!(words.strength("begin", "start") > words.strength("manufacturer", "maker"));
    assert!(words.strength("begin", "start") < 1.0);
}
