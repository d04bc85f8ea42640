//! Open questions: what asks for several statements about a thing instead of one value.
//!
//! "Tell me about the pump house", "How has revenue developed?", "Compare A with B", "List the insurers", "What is this
//! folder about?": no single sentence answers these, and refusing them would be pedantry. What bears on the topic is
//! quoted instead (`digest`). The frame of the question is told from its topic here, and only the topic has to bind.

use super::expects::WH;
use super::lexicon::is_light;
use elenchus_core::text::{is_stop_word, words};
use regex::Regex;
use std::sync::LazyLock;

/// Which kind of open question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Overview {
    /// What is said of a thing: "Tell me about X", "What happened in June?", "Summarise the contract".
    About,
    /// How a figure went over time: "How has X developed?".
    Course,
    /// How two things compare; both as they were written.
    Contrast(String, String),
    /// What one version of a document says otherwise than the one before: "What changed in the rules on quiet hours?".
    Changes,
    /// All of a kind: "List the X", "Which X are mentioned?".
    Listing,
    /// What the whole collection is about.
    Corpus,
}

impl Overview {
    /// The word shown in the plan for what is looked for.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::About => "statements about it",
            Self::Course => "figures over time",
            Self::Contrast(..) => "comparison",
            Self::Changes => "what changed between versions",
            Self::Listing => "list",
            Self::Corpus => "overview of the documents",
        }
    }
}

/// What stands for the documents themselves, as a subject or as a topic.
const DOCUMENTS: &str = r"(?:(?:the|these|those|this|our|my|your|all|all the|all of the|whole|entire) )*(?:documents?|docs|files?|corpus|notes|sources?|texts?|records|folder|papers?|materials?|collection|archive|library|repository|repo)";
const SHORT: &str = r"(?:an? |the |some |any )?(?:short |brief |quick |general |concise |rough )?(?:overview|summary|outline|synopsis|picture|description|account|profile|portrait|background|introduction|information|info|details|briefing|digest)";
/// What stands in no place, so that "where" asks how far it has come.
const PROCESS: &str = r"(?:projects?|plans?|exit|migration|move|roll-?out|talks|negotiations?|repairs?|restoration|renovation|audit|review|campaign|application|appeal|claim|inquiry|investigation|search|preparations?|programme|program|transition|replacement|recruitment|hiring|sale|purchase)";
const WHILE: &str = r"(?: (?:over|since|between|from|in|during|lately|recently|through|throughout|across|after|before|this|last|so far|year on year|until|up to|with time)\b.*)?";

/// Frames of what is asked about one topic `t`; the first that fits counts.
static ABOUT: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let telling = r"(?:tell (?:me|us)|let me know|inform me|i (?:want|need|would like) to (?:know|learn|hear)|i'd like to (?:know|learn|hear))";
    compiled(&[
        format!(r"^(?:please )?(?:can you |could you )?(?:{telling} )?(?:please )?(?:more |a bit |a little |something |everything |all |anything )*(?:you (?:know|have) )?(?:there is )?about (?P<t>.+)$"),
        r"^what (?:else )?(?:do|can|could|did) (?:we|you|i|they|one) (?:already |actually )?(?:know|learn|find(?: out)?|have|say) (?:about|of|on) (?P<t>.+)$".to_owned(),
        r"^what (?:else )?(?:is|are|was|has been) (?:already |actually )?(?:known|said|written|documented|recorded|reported) (?:about|of|on) (?P<t>.+)$".to_owned(),
        r"^(?:what|which) (?:(?:other |more )?(?:information|details|facts|else) )?(?:is|are|do we have|exists?)(?: there)?(?: to know| to say| available| known)? (?:about|on) (?P<t>.+)$".to_owned(),
        r"^(?:and )?what about (?P<t>.+)$".to_owned(),
        format!(r"^what (?:do|does|did) (?:{DOCUMENTS}|it|they) (?:say|tell (?:us|me)|mention|contain|state|report|reveal|have)(?: to say)? (?:about|on|of|regarding|concerning) (?P<t>.+)$"),
        r"^(?:please )?(?:can you |could you )?(?:briefly |shortly )?(?:summari[sz]e|describe|outline|sum up|recap|characteri[sz]e) (?P<t>.+)$".to_owned(),
        format!(r"^(?:please )?(?:can you |could you )?(?:give|show|get|write|provide)(?: (?:me|us))? {SHORT} (?:of|on|about|to|for) (?P<t>.+)$"),
        format!(r"^{SHORT} (?:of|on|about) (?P<t>.+)$"),
        r"^(?:please )?(?:brief|update|fill) (?:me|us) (?:in )?(?:on|about) (?P<t>.+)$".to_owned(),
        r"^what(?: is| are|'s|’s) (?P<t>.+?) (?:all )?about$".to_owned(),
        r"^what (?:has |had )?(?:happened|happens|occurred|took place) (?:in|on|at|during|to|with|since) (?P<t>.+)$".to_owned(),
        r"^what (?:was|is) (?:going on|happening) (?:in|with|at|during) (?P<t>.+)$".to_owned(),
        r"^what(?: is| was|'s|’s) the (?:story|background|situation|state of affairs|state of play|latest|news) (?:of|with|on|behind|about|in|at|around) (?P<t>.+)$".to_owned(),
        r"^what (?:is|are) (?:currently |now |already )?(?:being done|(?:we|they|you|people) (?:currently |now |already )?doing) (?:about|against) (?P<t>.+)$".to_owned(),
        r"^(?:where do|how do) (?:things|matters|we) stand (?:with|on|about|regarding) (?P<t>.+)$".to_owned(),
        format!(r"^where (?:do|does) (?P<t>(?:(?:the|our|this|their) )?(?:[^ ]+ ){{0,2}}{PROCESS}) stand(?: (?:now|today|currently|at present|at the moment|by now))?$"),
        format!(r"^what (?:do|does|did|is in|are in|is inside) (?P<t>{DOCUMENTS})(?: (?:contain|cover|say|describe|hold|tell (?:me|us)))?$"),
    ])
});

/// Verbs of change stand at the end, or a time follows: "How did the fire change the hall?" asks for something else.
static COURSE: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    compiled(&[
        format!(r"^how (?:has|have|had|did|does|do) (?P<t>.+?) (?:develop(?:ed|s)?|chang(?:e|ed|es)|evolv(?:e|ed|es)|gr(?:ow|own|ows|ew)|progress(?:ed|es)?|shift(?:ed|s)?|var(?:y|ied|ies)|trend(?:ed|s)?|far(?:e|ed|es)|f(?:all|alls|allen|ell)|r(?:ise|ises|isen|ose)|increas(?:e|ed|es)|decreas(?:e|ed|es)|declin(?:e|ed|es)|mov(?:e|ed|es)){WHILE}$"),
        format!(r"^how (?:is|are|was|were) (?P<t>.+?) (?:developing|changing|evolving|growing|progressing|shifting|trending|faring|falling|rising|increasing|decreasing|declining|doing){WHILE}$"),
        r"^(?:what (?:is|are|was|were|has been) the |show (?:me |us )?the |describe the |the )?(?:trends?|evolution|trajectory|development|course)(?: over time)? (?:of|in|for) (?P<t>.+?)(?: over (?:time|the years))?$".to_owned(),
        r"^(?:(?:what|how) (?:is|are|was|were|much is|much was|many were) |show (?:me |us )?)?(?:the )?(?P<t>.+?) (?:over time|over the (?:last|past)? ?(?:years|months|quarters)|from year to year|year by year|quarter by quarter)$".to_owned(),
    ])
});

/// From one time to another, both of which are named.
const BETWEEN: &str = r"(?:between|from) (?P<from>[^,]*?\b(?:1[0-9]|2[01])\d\d\b.*?) (?:and|to|until) (?P<to>.*\b(?:1[0-9]|2[01])\d\d\b.*)";

/// What is asked of the change of a figure from one time to another: "Change in revenue from 2023 to 2024?".
static CHANGE: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    compiled(&[
        format!(
            r"^what (?:has |have |was |were )?(?:been )?changed (?:in|with|about) (?P<t>.+?),? {BETWEEN}$"
        ),
        format!(
            r"^(?:what (?:is|was|were|are) |how (?:large|big|great|high|much) (?:is|was|were) |how much )?(?:the |a )?(?:changes?|rise|increase|growth|gain|fall|decrease|drop|decline|movement|difference|development) (?:in|of) (?P<t>.+?),? {BETWEEN}$"
        ),
    ])
});

/// The same by a verb: "By how much did revenue grow between 2023 and 2024?". A sentence may tell it, so that it is asked first.
static CHANGE_BY: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    compiled(&[format!(
        r"^(?:by )?how (?:much|many(?: \w+)?) (?:more |less |fewer )?(?:did|has|have|had) (?P<t>.+?) (?:gr(?:ow|own|ew)|chang(?:e|ed)|f(?:all|allen|ell)|r(?:ise|isen|ose)|increase(?:d)?|decrease(?:d)?|decline(?:d)?|drop(?:ped)?|improve(?:d)?|go(?:ne)? (?:up|down)|move(?:d)?),? {BETWEEN}$"
    )])
});

/// How a thing changed, for a question by how much it did from one time to another.
pub(super) fn as_course(question: &str) -> Option<String> {
    let text = question.trim().trim_end_matches(['?', '.', '!', ' ']);
    let found = CHANGE_BY.iter().find_map(|frame| frame.captures(text))?;
    let part = |name: &str| found.name(name).map(|part| part.as_str().trim());
    let topic = part("t").filter(|topic| is_topic(topic))?;
    Some(format!("How did {topic} change between {} and {}?", part("from")?, part("to")?))
}

/// Two sides, `a` and `b`, or `t` with a joint between them.
static CONTRAST: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    compiled(&[
        r"^(?:what (?:is|are|was|were) |explain |tell me |describe |name |list )?(?:the )?(?:main |key |biggest |important )*differences? (?:between|of) (?P<t>.+)$".to_owned(),
        r"^(?:please )?(?:can you |could you )?(?:compare|contrast) (?P<t>.+)$".to_owned(),
        r"^(?:a )?(?:comparison|contrast) (?:of|between) (?P<t>.+)$".to_owned(),
        r"^how (?:do|does|did|is|are|was|were) (?P<a>.+?) (?:differ|different|compare|compared) (?:from|to|with|against) (?P<b>.+)$".to_owned(),
        r"^how (?:do|did|are) (?P<t>.+? and .+?) (?:differ|compare|different)(?: from each other| with each other)?$".to_owned(),
        r"^what (?:has |have )?changed (?:between|from) (?P<t>.+)$".to_owned(),
        r"^what (?:distinguishes|sets|separates) (?P<a>.+?) (?:apart )?from (?P<b>.+)$".to_owned(),
        r"^(?P<a>[^,]+?) (?:vs\.?|versus) (?P<b>.+)$".to_owned(),
    ])
});

/// What was changed in a document `t`, from version to version.
static CHANGES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    compiled(&[
        r"^what (?:has |have |was |were |is |are )?(?:been )?(?:changed|different|new|altered|amended|revised|updated) (?:between|from) (?:the )?(?:\w+ )?(?:version|edition|issue|revision|draft)s? .+? (?:of|in) (?P<t>.+)$".to_owned(),
        r"^what (?:has |have |was |were |is |are )?(?:been )?(?:changed|different|new|altered|amended|revised|updated) (?:in|with) (?P<t>.+)$".to_owned(),
        r"^(?:what (?:is|are|was|were) |list |show |name )?(?:the )?(?:main |key )?(?:changes|amendments|revisions|differences) (?:made )?(?:in|to|between) (?:the )?(?:\w+ )?(?:version|edition|issue|revision|draft)s? .*?(?:of|in) (?P<t>.+)$".to_owned(),
    ])
});

static LISTING: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    compiled(&[
        r"^(?:please )?(?:can you |could you )?(?:list|enumerate|name|give me|show me) (?:me )?(?:all |every |each |the names of |a list of )*(?:of )?(?:the |our |your |its |their )?(?P<t>.+)$".to_owned(),
        r"^(?:which|what) (?P<t>.+?) (?:are|were|have been|get|is) (?:there|mentioned|named|listed|covered|discussed|described|documented|referred to|included|present)(?: (?:in|by|at|here)\b.*)?$".to_owned(),
        r"^what are (?:all )?(?:the )?different (?P<t>.+)$".to_owned(),
    ])
});

fn compiled(patterns: &[String]) -> Vec<Regex> {
    let one = |pattern: &String| {
        Regex::new(&format!("(?i){pattern}"))
            .expect("the pattern is a constant that a test compiles")
    };
    patterns.iter().map(one).collect()
}

/// The kind of open question and its topic, as written; `None` for a question that one statement may answer.
pub(crate) fn overview(question: &str) -> Option<(Overview, String)> {
    let text = question.trim().trim_end_matches(['?', '.', '!', ' ']);
    let caught = |frames: &[Regex]| {
        frames.iter().find_map(|frame| {
            let found = frame.captures(text)?;
            let part = |name: &str| found.name(name).map(|m| m.as_str().trim().to_owned());
            Some((part("t"), part("a"), part("b")))
        })
    };
    if let Some(topic) = caught(&CHANGE).and_then(|(t, ..)| t).filter(|t| is_topic(t)) {
        return Some((Overview::Course, topic));
    }
    if let Some(topic) = caught(&CHANGES).and_then(|(t, ..)| t).filter(|t| is_topic(t)) {
        return Some((Overview::Changes, topic));
    }
    if let Some((t, a, b)) = caught(&CONTRAST) {
        let sides = a.zip(b).or_else(|| sides(t.as_deref()?));
        if let Some((a, b)) = sides.filter(|(a, b)| is_topic(a) && is_topic(b)) {
            let topic = format!("{a} and {b}");
            return Some((Overview::Contrast(a, b), topic));
        }
    }
    // "Compare the two surveys" names no sides: what is said of both is wanted.
    if let Some((Some(topic), ..)) = caught(&CONTRAST).filter(|(t, ..)| t.is_some()) {
        let bare = topic.trim_start_matches("the ").trim_start_matches("both ");
        let bare = bare.trim_start_matches("two ").trim_start_matches("three ");
        return is_topic(bare).then(|| (Overview::About, bare.to_owned()));
    }
    if let Some(topic) = caught(&COURSE).and_then(|(t, ..)| t).filter(|t| is_topic(t)) {
        return Some((Overview::Course, topic));
    }
    if let Some(topic) = caught(&ABOUT).and_then(|(t, ..)| t) {
        if is_of_documents(&topic) {
            return Some((Overview::Corpus, topic));
        }
        return is_topic(&topic).then_some((Overview::About, topic));
    }
    let listed = caught(&LISTING).and_then(|(t, ..)| t).filter(|t| is_topic(t) && is_plural(t))?;
    Some((Overview::Listing, listed))
}

/// A thing and no question of its own: "about how many people work there" counts people.
fn is_topic(topic: &str) -> bool {
    let all = words(&topic.to_lowercase());
    !all.is_empty()
        && !all.iter().any(|word| WH.contains(&word.as_str()) && word != "which")
        && all.iter().any(|word| !is_stop_word(word) || word.len() <= 2)
}

/// "this project", "the folder", "it": the whole collection.
fn is_of_documents(topic: &str) -> bool {
    const WHOLE: [&str; 12] = [
        "project",
        "company",
        "organisation",
        "organization",
        "team",
        "corpus",
        "folder",
        "collection",
        "archive",
        "repository",
        "repo",
        "everything",
    ];
    let all = words(&topic.to_lowercase());
    let meaning: Vec<&String> = all
        .iter()
        .filter(|word| !is_stop_word(word) && *word != "whole" && *word != "entire")
        .collect();
    let first = all.first().map_or("", String::as_str);
    let pointed = matches!(first, "this" | "these" | "it" | "all" | "our" | "my" | "your" | "here");
    // "The archive" may be one of which the documents tell; the folder is none.
    if first == "the"
        && meaning.iter().all(|word| {
            matches!(
                word.as_str(),
                "folder"
                    | "corpus"
                    | "documents"
                    | "docs"
                    | "files"
                    | "texts"
                    | "papers"
                    | "sources"
            )
        })
    {
        return true;
    }
    let whole = |word: &str| {
        WHOLE.contains(&word)
            || matches!(
                word,
                "documents" | "document" | "docs" | "files" | "texts" | "papers" | "sources"
            )
    };
    (meaning.is_empty() && !all.is_empty()) || (pointed && meaning.iter().all(|word| whole(word)))
}

/// "X and Y", "X with Y", "X to Y": the words at the only joint.
fn sides(topic: &str) -> Option<(String, String)> {
    for joint in [" and ", " versus ", " vs. ", " vs ", " with ", " against ", " to "] {
        let mut parts = topic.split(joint);
        if let (Some(a), Some(b), None) = (parts.next(), parts.next(), parts.next()) {
            return Some((a.trim().to_owned(), b.trim().to_owned()));
        }
    }
    None
}

/// The topic of "Who are our competitors?", "What are the risks?": several things, of which no single statement need tell
/// all. `None` where values are asked for ("the names of ...", "the fees").
pub(crate) fn several(question: &str) -> Option<String> {
    static SEVERAL: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)^(?:who|what|which) (?:are|were) (?:all |some of |still )*(?:the |our |your |its |their |his |her |my )?(?P<t>.+)$")
            .expect("the pattern is a constant that a test compiles")
    });
    const VALUES: [&str; 24] = [
        "names",
        "numbers",
        "dates",
        "figures",
        "amounts",
        "costs",
        "fees",
        "prices",
        "rates",
        "hours",
        "dimensions",
        "sizes",
        "times",
        "days",
        "salaries",
        "wages",
        "limits",
        "caps",
        "colors",
        "colours",
        "results",
        "values",
        "odds",
        "steps",
    ];
    let text = question.trim().trim_end_matches(['?', '.', '!', ' ']);
    let topic = SEVERAL.captures(text)?.name("t")?.as_str().trim().to_owned();
    let many =
        is_plural(&topic) && head(&topic).is_some_and(|head| !VALUES.contains(&head.as_str()));
    (many && is_topic(&topic)).then_some(topic)
}

/// Whether the head of a topic is more than one thing: "insurers of the yard", "board members".
fn is_plural(topic: &str) -> bool {
    head(topic).is_some_and(|word| !is_light(&word) && is_many(&word))
}

/// Whether a noun is written as more than one.
pub(super) fn is_many(word: &str) -> bool {
    let many = word.ends_with('s')
        && !word.ends_with("ss")
        && !word.ends_with("us")
        && !word.ends_with("is");
    many || matches!(word, "people" | "men" | "women" | "children" | "staff")
}

/// The word that the others describe: "insurers" of "insurers of the yard", "grants" of "grants paid in 2025".
pub(super) fn head(topic: &str) -> Option<String> {
    let ends = |word: &String| {
        matches!(
            word.as_str(),
            "of" | "for"
                | "in"
                | "at"
                | "on"
                | "with"
                | "by"
                | "from"
                | "to"
                | "that"
                | "which"
                | "who"
        )
    };
    let phrase = words(&topic.to_lowercase()).into_iter().take_while(|word| !ends(word));
    phrase.filter(|word| !is_participle(word)).last()
}

fn is_participle(word: &str) -> bool {
    const IRREGULAR: [&str; 14] = [
        "paid", "made", "held", "sold", "taken", "given", "won", "built", "bought", "sent", "kept",
        "found", "written", "drawn",
    ];
    (word.len() > 4 && word.ends_with("ed")) || IRREGULAR.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(question: &str) -> Option<(Overview, String)> {
        overview(question)
    }

    #[test]
    fn several_things_are_no_values() {
        assert_eq!(several("Who are our competitors?").as_deref(), Some("competitors"));
        assert_eq!(
            several("What are the risks of the VX-5?").as_deref(),
            Some("risks of the VX-5")
        );
        for question in
            ["What are the names of the beta sites?", "What is the risk?", "Who is she?"]
        {
            assert_eq!(several(question), None, "{question}");
        }
    }

    #[test]
    fn what_changed_asks_for_two_versions() {
        for (question, topic) in [
            ("What changed in the house rules on quiet hours?", "the house rules on quiet hours"),
            ("What changed between version 3 and version 4 of the SOP?", "the SOP"),
            ("What is new in the lease?", "the lease"),
            ("What are the changes between the two versions of the policy?", "the policy"),
        ] {
            assert_eq!(told(question), Some((Overview::Changes, topic.to_owned())), "{question}");
        }
        assert_ne!(
            told("What changed between 2023 and 2024?").map(|(kind, _)| kind),
            Some(Overview::Changes)
        );
    }

    #[test]
    fn a_change_between_two_times_is_a_course() {
        for (question, topic) in [
            ("What changed in berth occupancy between 2023 and 2024?", "berth occupancy"),
            ("Change in berth income from Q1 2023 to Q1 2024?", "berth income"),
            ("What was the increase in the fee from May 2023 to May 2024?", "the fee"),
        ] {
            assert_eq!(told(question), Some((Overview::Course, topic.to_owned())), "{question}");
        }
        assert_eq!(told("By how much did the fee grow between 2023 and 2024?"), None);
        assert_eq!(
            as_course("By how much did the fee grow between 2023 and 2024?").as_deref(),
            Some("How did the fee change between 2023 and 2024?")
        );
        assert_eq!(
            as_course("How many berths did the yard let between 2023 and 2024?"),
            None,
            "a count within a time is no change"
        );
    }

    #[test]
    fn where_a_thing_stands_asks_for_its_place() {
        assert_eq!(told("Where does the statue stand?"), None);
        assert_eq!(told("Where does the statue of the project leader stand?"), None);
        let project = told("Where does the boathouse project stand now?");
        assert_eq!(project, Some((Overview::About, "the boathouse project".to_owned())));
    }

    #[test]
    fn the_topic_is_told_from_its_frame() {
        for (question, topic) in [
            ("Tell me about the VX-5", "the VX-5"),
            ("About the VX-5?", "the VX-5"),
            ("What do we know about Ostrey Ferries?", "Ostrey Ferries"),
            ("Summarise the lease of the boathouse", "the lease of the boathouse"),
            ("Give me a short overview of the dredging", "the dredging"),
            ("What do the documents say about overtime?", "overtime"),
            ("What is the tide report about?", "the tide report"),
            ("What happened in June 2024?", "June 2024"),
            ("I would like to know more about the new crane.", "the new crane"),
            ("Where does the hiring stand?", "the hiring"),
            ("What is being done about the leak?", "the leak"),
            ("What are we doing against the rats?", "the rats"),
            ("Where do things stand with the lease?", "the lease"),
        ] {
            assert_eq!(told(question), Some((Overview::About, topic.to_owned())), "{question}");
        }
        for (question, topic) in [
            ("How has headcount developed?", "headcount"),
            ("How did revenue grow over time?", "revenue"),
            ("How have the berth fees changed since 2019?", "the berth fees"),
            ("What was the trend in visitor numbers?", "visitor numbers"),
        ] {
            assert_eq!(told(question), Some((Overview::Course, topic.to_owned())), "{question}");
        }
        for (question, a, b) in [
            ("What is the difference between the VX-4 and the VX-5?", "the VX-4", "the VX-5"),
            ("Compare the Dunlin with the Petrel", "the Dunlin", "the Petrel"),
            ("How does plan A differ from plan B?", "plan A", "plan B"),
            ("Dunlin vs. Petrel", "Dunlin", "Petrel"),
        ] {
            let kind = Overview::Contrast(a.to_owned(), b.to_owned());
            assert_eq!(told(question).map(|(kind, _)| kind), Some(kind), "{question}");
        }
        for (question, topic) in [
            ("List the insurers", "insurers"),
            ("Please list all the insurers of the yard.", "insurers of the yard"),
            ("Which suppliers are mentioned?", "suppliers"),
            ("List the grants paid in 2025", "grants paid in 2025"),
        ] {
            assert_eq!(told(question), Some((Overview::Listing, topic.to_owned())), "{question}");
        }
        for question in [
            "What is this project about?",
            "Summarize the documents",
            "What is this folder about?",
            "What is it about?",
        ] {
            assert_eq!(told(question).map(|(kind, _)| kind), Some(Overview::Corpus), "{question}");
        }
    }

    #[test]
    fn what_one_statement_answers_is_no_open_question() {
        for question in [
            "Who is the CEO?",
            "About how many people work there?",
            "How did the fire change the hall?",
            "How much has revenue grown?",
            "What is the price of the VX-5?",
            "Name the harbour master",
            "Tell me who runs the yard",
            "What did the director say?",
            "Which crane was sold?",
            "What is the notice period?",
            "How does the lock work?",
            "How many boats are there?",
            "When was the slip built and who paid for it?",
        ] {
            assert_eq!(told(question), None, "{question}");
        }
    }
}
