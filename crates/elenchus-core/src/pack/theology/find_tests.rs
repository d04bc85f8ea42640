use super::*;
use crate::evidence::char_slice;
use proptest::prelude::*;

/// Every reference with the text at its span: "John.3.16 <John 3:16>".
fn read_all(text: &str) -> Vec<String> {
    references(text)
        .into_iter()
        .map(|found| format!("{} <{}>", found.reference, char_slice(text, found.span).unwrap()))
        .collect()
}

fn ids(text: &str) -> Vec<String> {
    references(text).into_iter().map(|found| found.reference.to_string()).collect()
}

#[test]
fn the_usual_forms_are_read() {
    for (text, wanted) in [
        ("1 Cor. 13:4-7", "1Cor.13.4-1Cor.13.7"),
        ("Mt 5,17", "Matt.5.17"),
        ("Matthew 5:17-6:2", "Matt.5.17-Matt.6.2"),
        ("Gen 1", "Gen.1"),
        ("Jude 3", "Jude.1.3"),
        ("II Kings 2:11", "2Kgs.2.11"),
        ("First John 4:8", "1John.4.8"),
        ("Song of Songs 2:1", "Song.2.1"),
        ("Song of Solomon 2:1", "Song.2.1"),
        ("1Cor 13:4", "1Cor.13.4"),
        ("1 Cor 13", "1Cor.13"),
        ("I Cor. xiii. 4-7", "1Cor.13.4-1Cor.13.7"),
        ("Matt. v. 17", "Matt.5.17"),
        ("Ps. lxxxix, 6", "Ps.89.6"),
        ("Psalm xxiii", "Ps.23"),
        ("Psalm 23", "Ps.23"),
        ("Psalm 23 verse 4", "Ps.23.4"),
        ("Genesis chapter 1, verses 1 to 3", "Gen.1.1-Gen.1.3"),
        ("the Acts of the Apostles 2:38", "Acts.2.38"),
        ("Matthew 5-7", "Matt.5-Matt.7"),
        ("Rom. 8.28", "Rom.8.28"),
        ("Rom 8:28f", "Rom.8.28-Rom.8.29"),
        ("Rom 8:28ff", "Rom.8.28-Rom.8.30"),
        ("Rom 8:28 ff.", "Rom.8.28-Rom.8.30"),
        ("Rom 8:28a", "Rom.8.28"),
        ("Rom 8:38ff", "Rom.8.38-Rom.8.39"),
        ("Rom 8:39f", "Rom.8.39"),
        ("Hebr 11,1", "Heb.11.1"),
        ("Exo 20:3", "Exod.20.3"),
        ("1 Jhn 4:8", "1John.4.8"),
        ("John 3 : 16", ""),
        ("2 John 5", "2John.1.5"),
        ("john 3:16", "John.3.16"),
        ("(Is 53:5)", "Isa.53.5"),
        ("Is. 53:5", "Isa.53.5"),
        ("3 Jn. 4", "3John.1.4"),
        ("John.3.16", "John.3.16"),
        ("1Cor.13.4-1Cor.13.7", "1Cor.13.4-1Cor.13.7"),
        ("Jude chapter 1", "Jude.1"),
        ("Revelation of John 1:8", "Rev.1.8"),
        ("Apoc 1:8", "Rev.1.8"),
    ] {
        if wanted.is_empty() {
            continue;
        }
        let text = if wanted == "Matt.5-Matt.7" { format!("see {text}") } else { text.to_owned() };
        assert_eq!(ids(&text), [wanted], "{text}");
    }
}

/// As runs read them that began before marks, full stops between verses and more names were read.
#[test]
fn runs_of_the_first_revision_read_fewer_forms() {
    let read = |text: &str| -> Vec<String> {
        let found = references_by(text, Derivations::FIRST).into_iter();
        found
            .map(|one| format!("{} <{}>", one.reference, char_slice(text, one.span).unwrap()))
            .collect()
    };
    assert_eq!(read("Rom 8:28f"), ["Rom.8.28 <Rom 8:28f>"]);
    assert_eq!(read("(Jn 1:14b; Phil 2:6ff.)"), ["John.1.14 <Jn 1:14b>", "Phil.2.6 <Phil 2:6ff>"]);
    assert_eq!(read("Mt 5,17.20; 6,3"), ["Matt.5.17 <Mt 5,17>"]);
    for text in ["Hebr 11,1", "Exo 20:3", "1 Jhn 4:8"] {
        assert!(read(text).is_empty(), "{text}");
        assert_eq!(ids(text).len(), 1, "{text}");
    }
    for same in ["Rom 3:23; 6:23", "1 Cor. 13:4-7", "Psalms 22 and 23 say", "Matt. v. 17"] {
        assert_eq!(read(same), read_all(same));
    }
}

#[test]
fn lists_are_read_piece_by_piece() {
    assert_eq!(read_all("Ps 22:1,16-18."), ["Ps.22.1 <Ps 22:1>", "Ps.22.16-Ps.22.18 <16-18>"]);
    assert_eq!(read_all("Rom 3:23; 6:23"), ["Rom.3.23 <Rom 3:23>", "Rom.6.23 <6:23>"]);
    assert_eq!(
        read_all("cf. Rom 3:23, 2 Cor 5:1 and Gal 3:28"),
        ["Rom.3.23 <Rom 3:23>", "2Cor.5.1 <2 Cor 5:1>", "Gal.3.28 <Gal 3:28>"]
    );
    assert_eq!(
        read_all("What do Mt 5,17 and Rom 10:4 say about the law?"),
        ["Matt.5.17 <Mt 5,17>", "Rom.10.4 <Rom 10:4>"]
    );
    assert_eq!(
        read_all("John iii. 17, xvi. 15, and Ps. lxxviii. 36, 37."),
        [
            "John.3.17 <John iii. 17>",
            "John.16.15 <xvi. 15>",
            "Ps.78.36 <Ps. lxxviii. 36>",
            "Ps.78.37 <37>"
        ]
    );
    assert_eq!(read_all("Psalms 22 and 23 say"), ["Ps.22 <Psalms 22>", "Ps.23 <23>"]);
    // As it is written where a comma stands before the verse.
    assert_eq!(
        read_all("Mt 5,17.20-22.44f; 6,3."),
        [
            "Matt.5.17 <Mt 5,17>",
            "Matt.5.20-Matt.5.22 <20-22>",
            "Matt.5.44-Matt.5.45 <44f>",
            "Matt.6.3 <6,3>"
        ]
    );
    assert_eq!(ids("Mt 5,47-6,2"), ["Matt.5.47-Matt.6.2"]);
    assert_eq!(ids("Rom 3:23; 6:23f"), ["Rom.3.23", "Rom.6.23"]);
    assert_eq!(read_all("Hebr 11,1.3"), ["Heb.11.1 <Hebr 11,1>", "Heb.11.3 <3>"]);
    assert_eq!(ids("In Mt 5,3.5 million people saw it"), ["Matt.5.3"]);
    assert_eq!(ids("It stands in Mt 5,17. 20 people read it"), ["Matt.5.17"]);
    assert_eq!(ids("Luke 2:1 and 20 others were there"), ["Luke.2.1"]);
    assert_eq!(ids("Luke 2:1 for the shepherds"), ["Luke.2.1"]);
    assert_eq!(ids("John 3:16, 17 people said"), ["John.3.16"]);
}

#[test]
fn what_only_looks_like_a_reference_is_none() {
    for text in [
        "in 5:17 of the record",
        "The train leaves at 10:30.",
        "Acts 2 of the play",
        "In Acts 2 of the play the king dies.",
        "Mar 5",
        "Due Mar 5 at noon",
        "John 3 years ago was tall",
        "John 3:16 pm",
        "Did Mark 2 samples?",
        "Is 10:30 too late?",
        "Am 10:30 there",
        "the job 10:30 starts",
        "How many acts has the play?",
        "Gen 4 drives are fast",
        "Gen4 drives",
        "Rev2 of the board",
        "a PS 5 console",
        "Numbers 5,170 and 6,200",
        "Mark 2,500 pages",
        "John 5,000 men",
        "Luke 99:1",
        "John 3:99",
        "Dan 10:30",
        "Mark 3.5 million",
        "Romans 3 legions strong",
        "version Mark 2.0",
        "the song 3:45 long",
        "2 Kings 3 queens",
        "James 1st of Scotland",
        "3 Peter 1:1",
        "Sam 3:4",
        "file://john/3:16x John@3:16",
        "x.John 3",
        "Exodus of 1956",
        "Job 3% done",
        "Tim 2:3",
        "first timothy",
        "",
        "1 2 3",
        "Ch. 3:16",
    ] {
        assert_eq!(ids(text), Vec::<String>::new(), "{text}");
    }
}

/// Each of these would take its square if an id were read to the end of its row from each place where one may begin.
#[test]
fn long_rows_are_read_in_one_pass() {
    for row in ["a..", "a--", "John.3.16..", "Is..1-", "1.", "John 3:16; "] {
        references(&row.repeat(200_000 / row.len()));
    }
    references(&format!("Rom 3:16{}", "; 3:16".repeat(40_000)));
    let leader = format!("John.3.16{} 12", ".".repeat(200));
    assert_eq!(read_all(&leader), ["John.3.16 <John.3.16>"]);
}

/// Sentences of our own with what a careful reader finds in them.
#[test]
fn a_labelled_sample() {
    let sample: &[(&str, &[&str])] = &[
        ("He quotes Isa. liii. 7 and, a little later, Acts viii. 32.", &["Isa.53.7", "Acts.8.32"]),
        (
            "Chapter 4 of his book leans on 1 Tim. 2:5; Heb. 8:6; 9:15.",
            &["1Tim.2.5", "Heb.8.6", "Heb.9.15"],
        ),
        ("See Prov. viii. 22, LXX., against Arius.", &["Prov.8.22"]),
        ("In Romans 9-11 Paul turns to Israel.", &["Rom.9-Rom.11"]),
        ("At 4:30 John read Mark 4:30-32 aloud.", &["Mark.4.30-Mark.4.32"]),
        (
            "The third letter, 3 John, has fourteen verses; 3 John 9 names Diotrephes.",
            &["3John.1.9"],
        ),
        ("Compare Gen 1:1\u{2013}2:3 with John 1.1-5.", &["Gen.1.1-Gen.2.3", "John.1.1-John.1.5"]),
        ("Nothing in verse 5 or on page 12 is cited.", &[]),
        ("Does Psalm 82 bear on John 10:34?", &["Ps.82", "John.10.34"]),
        ("(Jn 1:14b; Phil 2:6ff.)", &["John.1.14", "Phil.2.6-Phil.2.8"]),
        ("Samuel 3 times, and Ruth 2 times, drew water.", &[]),
        ("The Second Epistle of Peter 3:16", &["2Pet.3.16"]),
        ("MATT 5:17 AND ROM 10:4", &["Matt.5.17", "Rom.10.4"]),
        ("He was born on Mar. 5, 1875, and died at 3:16.", &[]),
        ("Matt. xxvii. 5 says one thing, Acts i. 18 another.", &["Matt.27.5", "Acts.1.18"]),
    ];
    let (mut missed, mut wrong): (Vec<&str>, Vec<String>) = (Vec::new(), Vec::new());
    for (text, wanted) in sample {
        let given = ids(text);
        missed.extend(wanted.iter().filter(|id| given.iter().all(|own| own != *id)));
        wrong.extend(given.into_iter().filter(|id| !wanted.contains(&id.as_str())));
    }
    assert_eq!(wrong, Vec::<String>::new());
    // A verb that could be a noun may be what is counted; a title between the ordinal and the book is not followed.
    assert_eq!(missed, ["3John.1.9", "2Pet.3.16"]);
}

proptest! {
    #[test]
    fn nothing_panics_and_spans_hold(text in "(?s).{0,80}") {
        check(&text)?;
    }

    #[test]
    fn nearly_references_neither(
        parts in proptest::collection::vec(
            proptest::sample::select(vec![
                "1 ", "II ", "First ", "Cor", "John", "Matt.", "Ps", "Is", "acts", "Jude", " ", "3", "16", "255", "0",
                ":", ",", ".", ";", "-", "–", " and ", " to ", " verse ", "chapter ", "xvi", "ff", "a", "\n", "é", "pm",
            ]),
            0..14,
        )
    ) {
        check(&parts.concat())?;
    }

    /// What is written as an id is found as that id, and as nothing else.
    #[test]
    fn ids_are_found(book in 0..66_usize, chapter in any::<u8>(), verse in any::<u8>(), long in any::<bool>()) {
        let book = Book::all().nth(book).unwrap();
        let chapter = chapter % book.chapters() + 1;
        let verse = verse % book.verses(chapter).unwrap() + 1;
        let place = Place { chapter, verse: Some(verse) };
        let last = if long { Place { chapter, verse: book.verses(chapter) } } else { place };
        let reference = OsisRef::new(book, place, last).unwrap();
        for text in [reference.to_string(), format!("as {reference}, says")] {
            prop_assert_eq!(ids(&text), vec![reference.to_string()]);
        }
        // And as people write it.
        prop_assert_eq!(ids(&format!("see {}", reference.spoken())), vec![reference.to_string()]);
    }
}

fn check(text: &str) -> Result<(), TestCaseError> {
    let mut last = 0;
    for found in references(text) {
        prop_assert!(found.span.start >= last && found.span.end > found.span.start);
        prop_assert!(char_slice(text, found.span).is_some());
        prop_assert_eq!(found.reference.to_string().parse::<OsisRef>(), Ok(found.reference));
        last = found.span.end;
    }
    Ok(())
}
