//! The prompt as it is sent, and replies as models write them.

use super::*;
use crate::prompt::{Defect, DefectKind, ModelCall, ModelReply, PromptBook, parse};
use crate::testkit::prompts::distill_input as input;
use proptest::prelude::*;

const GOOD: &str = "## Memory 1
**Title**: Name the season in a search for fares
**Description**: When a fare stays open although the operator is known.
**Content**: Fares change with the season.
1. Add the season.

2. Prefer the page of the operator.
**Tags**: search, fares, Season
**Outcome**: success

## Memory 2
**Title**: Do not trust undated price lists
**Description**: When a price list bears no date.
**Content**: It may be years old; look for one with a date.
**Tags**: prices
**Outcome**: failure
";

fn read(text: &str) -> (Option<Distilled>, Vec<DefectKind>) {
    let (found, defects) = read_strategies(text, 3);
    (found, defects.iter().map(|defect: &Defect| defect.kind).collect())
}

fn titles(text: &str) -> Vec<String> {
    let found = read(text).0.unwrap_or_default();
    found.strategies.into_iter().map(|strategy| strategy.title).collect()
}

#[test]
fn a_good_reply_is_read_without_a_word() {
    let (found, defects) = read(GOOD);
    assert_eq!(defects, []);
    let found = found.unwrap().strategies;
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].title, "Name the season in a search for fares");
    assert_eq!(
        found[0].content,
        "Fares change with the season.\n1. Add the season.\n\n2. Prefer the page of the operator."
    );
    assert_eq!(found[0].tags, ["search", "fares", "season"]);
    assert_eq!((found[0].outcome, found[1].outcome), (Outcome::Success, Outcome::Failure));
    let draft = found[0].clone().into_draft("run_1", vec![], true);
    assert_eq!(
        (draft.origin, draft.scope, draft.from_web),
        (Origin::Distilled, Scope::Project, true)
    );
}

#[test]
fn nothing_to_extract_in_any_dress() {
    for text in [
        "NO_EXTRACTIONS",
        "  no_extractions.\n",
        "**NO_EXTRACTIONS**",
        "`NO_EXTRACTIONS`",
        "No extractions",
        "\"NO_EXTRACTIONS\"",
        "```\nNO_EXTRACTIONS\n```",
        "The record shows nothing new.\n\nNO_EXTRACTIONS",
        "NO_EXTRACTION\u{200B}S!",
    ] {
        let (found, _) = read(text);
        assert_eq!(found, Some(Distilled::default()), "{text:?}");
    }
    // Nothing said is not "nothing there": then the model is asked again.
    for text in
        ["", "   \n", "There is nothing to learn here.", "{}", "I would write NO_EXTRACTIONS if"]
    {
        assert_eq!(read(text).0, None, "{text:?}");
    }
}

#[test]
fn forms_that_models_give_the_same_blocks() {
    let plain = GOOD.replace("**", "");
    let colons = GOOD.replace("**: ", ":** ");
    let bullets = GOOD.replace("**T", "- **T").replace("**D", "- **D").replace("**O", "- **O");
    let deeper = GOOD.replace("## Memory", "#### Memory #").replace(" 1\n", " 1:\n");
    let windows = GOOD.replace('\n', "\r\n");
    let fenced = format!("```markdown\n{GOOD}```\n");
    let talk = format!("Here is what I found:\n\n{GOOD}\nLet me know if you want more.\n");
    let lower = GOOD.replace("Title", "title").replace("Outcome", "OUTCOME");
    let bold = GOOD.replace("## Memory 1", "**Memory 1**").replace("## Memory 2", "**Memory 2:**");
    let unheaded = GOOD.replace("## Memory 1\n", "").replace("## Memory 2\n", "");
    let good = read(GOOD).0.unwrap();
    for text in [plain, colons, bullets, deeper, windows, fenced, talk, lower, bold, unheaded] {
        let (found, _) = read(&text);
        assert_eq!(found.as_ref(), Some(&good), "{text}");
    }
}

#[test]
fn what_is_missing_is_never_guessed() {
    let without = |line: &str| {
        let lines: Vec<&str> = GOOD.lines().filter(|had| !had.starts_with(line)).collect();
        lines.join("\n")
    };
    for (line, left) in
        [("**Title**", 0), ("**Outcome**", 0), ("**Description**", 2), ("**Tags**", 2)]
    {
        let (found, defects) = read(&without(line));
        assert_eq!(found.map_or(0, |found| found.strategies.len()), left, "{line}");
        assert_eq!(defects.contains(&DefectKind::MissingKey), line != "**Tags**", "{line}");
    }
    for (word, kind) in [
        ("partly", DefectKind::UnknownWord),
        ("success | failure", DefectKind::UnknownWord),
        ("neutral", DefectKind::UnknownWord),
        ("", DefectKind::MissingKey),
    ] {
        let (found, defects) =
            read(&GOOD.replace("**Outcome**: success", &format!("**Outcome**: {word}")));
        assert_eq!(found.unwrap().strategies.len(), 1, "{word}");
        assert!(defects.contains(&kind), "{word}: {defects:?}");
    }
    // What is dropped is told by its beginning.
    let (_, defects) = read_strategies(&without("**Outcome**"), 3);
    let told: Vec<String> = defects.iter().map(|defect| defect.detail.clone()).collect();
    assert!(!left_out(&told).is_empty(), "{told:?}");
    let (found, defects) = read(&GOOD.replace("**Outcome**: success", "**Outcome**: *Succeeded.*"));
    assert_eq!((found.unwrap().strategies.len(), defects), (2, vec![DefectKind::RespeltWord]));
    // The form, handed back.
    let form = "## Memory 1\n**Title**: <concise name>\n**Description**: <when>\n**Content**: <steps>\n**Outcome**: success";
    assert_eq!(read(form).0, None);
}

#[test]
fn limits_are_kept() {
    let long = GOOD
        .replace(
            "Name the season",
            "Name the season of the year and the day of the week and the hour",
        )
        .replace("When a fare", &"When a fare ".repeat(40));
    let (found, defects) = read(&long);
    let found = found.unwrap().strategies;
    assert!(found[0].title.chars().count() <= TITLE && found[0].title.ends_with('…'));
    assert!(found[0].description.chars().count() <= DESCRIPTION);
    assert_eq!(defects, [DefectKind::TooLong, DefectKind::TooLong]);
    let mut many = String::new();
    for n in 0..9 {
        many.push_str(&GOOD.replace("**Title**: ", &format!("**Title**: {n} ")));
    }
    let (found, defects) = read_strategies(&many, 3);
    assert_eq!(found.unwrap().strategies.len(), 3);
    assert!(defects.iter().any(|defect| defect.kind == DefectKind::TooLong));
    let giant = GOOD.replace("It may be", &"x".repeat(100_000));
    let found = read(&giant).0.unwrap().strategies;
    assert!(found[1].content.chars().count() <= CONTENT);
}

#[test]
fn twice_the_same_is_once() {
    let twice = format!("{GOOD}\n{GOOD}");
    let (found, defects) = read(&twice);
    assert_eq!(found.unwrap().strategies.len(), 2);
    assert_eq!(defects, [DefectKind::DuplicateId, DefectKind::DuplicateId]);
    let both = format!("{GOOD}\nNO_EXTRACTIONS\n");
    let (found, defects) = read(&both);
    assert_eq!((found.unwrap().strategies.len(), defects), (2, vec![DefectKind::Contradiction]));
}

#[test]
fn content_may_speak_of_titles() {
    let text = "## Memory 1\n**Title**: Fill in the form\n**Description**: When a form is asked for.\n\
        **Content**: Write these lines:\nTitle: the name\nDescription: what it is\n**Tags**: form\n**Outcome**: success\n";
    let found = read(text).0.unwrap().strategies;
    assert_eq!(found.len(), 1);
    assert!(found[0].content.contains("Title: the name\nDescription: what it is"), "{found:?}");
}

#[test]
fn the_prompt_shows_data_as_data() {
    let book = PromptBook::builtin();
    let rendered = book.render(&ModelCall::Distill(input()));
    assert!(rendered.schema.is_null());
    assert!(
        rendered.user.contains("<session>") && rendered.user.matches("</session>").count() == 1
    );
    assert!(!rendered.user.contains("\n## Memory 9"), "{}", rendered.user);
    assert!(rendered.user.contains("it succeeded") && rendered.user.contains("at most 3 notes"));
    insta::assert_snapshot!(rendered.user);
    // However much there is, it keeps its cap.
    let giant = DistillInput {
        trace: "a line of a session\n".repeat(50_000),
        shown: vec!["t".repeat(500); 5_000],
        ..input()
    };
    let rendered = book.render(&ModelCall::Distill(giant));
    assert!(
        rendered.user.chars().count() <= 24_000 && rendered.user.contains("more lines not shown")
    );
}

#[test]
fn the_form_of_the_prompt_is_no_strategy() {
    let call = ModelCall::Distill(input());
    let Some(ModelReply::Distill(found)) = parse(&call, GOOD).reply else { panic!("no reply") };
    assert_eq!(found.strategies.len(), 2);
    let echo = "## Memory 1\n**Title**: a name of at most 50 characters\n**Description**: when to use or avoid it, at most 200 \
        characters\n**Content**: the steps, or the reason; as many lines as it takes\n**Tags**: a\n**Outcome**: success";
    let parsed = parse(&call, echo);
    assert_eq!(parsed.reply, None);
    assert!(parsed.defects.iter().any(|defect| defect.kind == DefectKind::PromptEcho));
    let none = parse(&call, "NO_EXTRACTIONS").reply;
    assert_eq!(none, Some(ModelReply::Distill(Distilled::default())));
}

proptest! {
    /// No reply stops it, and what comes out fits the bank.
    #[test]
    fn no_reply_stops_it(parts in prop::collection::vec(prop_oneof![
        prop::sample::select(vec![
            "## Memory 1", "**Title**: ", "Title:", "**Description**:", "**Content**:", "**Tags**: a, b", "**Outcome**: success",
            "**Outcome**: ", "NO_EXTRACTIONS", "\n", "\n", "\r\n", "```", "---", "<a>", "é\u{200B}", "- ", "memory 2", ":", "failure",
        ]).prop_map(str::to_owned),
        "(?s).{0,40}",
    ], 0..40), most in 0usize..5) {
        let (found, _) = read_strategies(&parts.concat(), most);
        for one in found.unwrap_or_default().strategies {
            prop_assert!((1..=TITLE).contains(&one.title.chars().count()));
            prop_assert!(one.description.chars().count() <= DESCRIPTION);
            prop_assert!((1..=CONTENT).contains(&one.content.chars().count()));
            prop_assert!(one.tags.len() <= 20 && !one.title.contains('\n'));
        }
    }

    /// Cutting a good reply anywhere never makes a strategy that was not there.
    #[test]
    fn half_a_reply_gives_no_other_strategy(cut in 0usize..GOOD.len()) {
        let whole = titles(GOOD);
        for title in titles(&GOOD[..cut]) {
            prop_assert!(whole.contains(&title), "{title}");
        }
    }
}
