//! Persons, things and groups, told by their words.

use crate::verify::tokens::{Pos, Token};

/// What a name may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Being {
    /// Somebody.
    Person,
    /// Something, organisations too.
    Thing,
    /// More than one.
    Several,
    /// It cannot be told.
    Unknown,
}

/// What the words of a noun phrase are about.
pub(super) fn being(words: &[Token]) -> Being {
    let Some(last) = words.last() else { return Being::Unknown };
    if words.iter().any(|t| matches!(t.lower.as_str(), "and"))
        && words.iter().filter(|t| t.pos == Pos::ProperNoun).count() >= 2
    {
        return Being::Several;
    }
    let of = words.iter().position(|t| t.lower == "of").unwrap_or(words.len());
    let head = words[..of]
        .iter()
        .rev()
        .find(|t| matches!(t.pos, Pos::Noun | Pos::ProperNoun))
        .unwrap_or(last);
    if matches!(head.lower.as_str(), "it" | "this" | "that") {
        return Being::Thing;
    }
    match head.lower.as_str() {
        "he" | "she" | "him" | "who" => return Being::Person,
        "they" | "them" | "we" | "these" | "those" => return Being::Several,
        _ => {}
    }
    let known = kind_being(&head.lower);
    if known != Being::Unknown {
        return known;
    }
    // "Mrs Winterbourne", not her house.
    let titled =
        matches!(words[0].lower.as_str(), "mr" | "mrs" | "ms" | "miss" | "sir" | "dame" | "dr");
    if titled && of == words.len() && !words.iter().any(|t| matches!(t.lower.as_str(), "'s" | "’s"))
    {
        return Being::Person;
    }
    if head.pos == Pos::Noun {
        return if head.lower.ends_with('s')
            && !head.lower.ends_with("ss")
            && !head.lower.ends_with("us")
            && !head.lower.ends_with("is")
        {
            Being::Several
        } else {
            Being::Thing
        };
    }
    let determined = words[0].pos == Pos::Determiner;
    let numbered = words.iter().any(Token::has_digit);
    if determined
        || numbered
        || words[..of].len() < words.len()
        || words.iter().any(|t| matches!(t.text.as_str(), "\"" | "“" | "'s" | "’s"))
    {
        return Being::Thing;
    }
    Being::Unknown
}

/// Whether a noun names a kind of person ("painter").
pub(in crate::verify) fn is_person(lower: &str) -> bool {
    kind_being(lower) == Being::Person
}

/// What nouns such as "actor" and "company" name.
pub(super) fn kind_being(lower: &str) -> Being {
    const THINGS: &[&str] = &[
        "inc",
        "corp",
        "corporation",
        "company",
        "university",
        "institute",
        "ltd",
        "bank",
        "museum",
        "records",
        "association",
        "college",
        "school",
        "agency",
        "council",
        "ministry",
        "department",
        "group",
        "party",
        "band",
        "team",
        "club",
        "foundation",
        "committee",
        "league",
        "studio",
        "studios",
        "organization",
        "organisation",
        "city",
        "country",
        "town",
        "village",
        "river",
        "film",
        "album",
        "book",
        "novel",
        "series",
        "game",
        "song",
        "report",
        "study",
        "law",
        "act",
        "court",
        "hospital",
        "church",
        "award",
        "prize",
        "medal",
        "magazine",
        "newspaper",
        "states",
        "kingdom",
        "games",
        "championships",
        "firm",
        "startup",
        "robot",
        "product",
        "system",
        "model",
        "species",
        "island",
        "airline",
        "airport",
    ];
    const PERSONS: &[&str] = &[
        "man",
        "missionary",
        "poet",
        "author",
        "woman",
        "boy",
        "girl",
        "person",
        "king",
        "queen",
        "president",
        "father",
        "mother",
        "brother",
        "sister",
        "son",
        "daughter",
        "wife",
        "husband",
        "friend",
        "politician",
        "athlete",
        "musician",
        "poet",
        "scientist",
        "historian",
        "economist",
        "journalist",
        "physician",
        "lawyer",
        "artist",
        "architect",
        "chef",
        "model",
        "bishop",
        "priest",
        "pastor",
        "general",
        "chief",
        "captain",
        "academic",
        "guitarist",
        "pianist",
        "activist",
        "chemist",
        "physicist",
        "mathematician",
        "philosopher",
        "coach",
        "cyclist",
        "comedian",
        "host",
        "entrepreneur",
        "saint",
        "monk",
        "nurse",
        "judge",
        "playwright",
        "screenwriter",
        "theologian",
        "botanist",
        "engineer",
        "senator",
        "goalkeeper",
        "midfielder",
        "forward",
        "striker",
        "defender",
        "ceo",
        "chairman",
        "scholar",
        "diplomat",
        "soldier",
        "sprinter",
        "jumper",
        "novelist",
        "actress",
        "magician",
        "wrestler",
        "boxer",
        "golfer",
        "swimmer",
        "attorney",
        "advocate",
        "expert",
        "figure",
        "personality",
        "professional",
        "representative",
        "official",
        "executive",
        "minister",
        "member",
        "citizen",
        "native",
        "star",
    ];
    if PERSONS.contains(&lower) && lower != "model" {
        return Being::Person;
    }
    if THINGS.contains(&lower) {
        return Being::Thing;
    }
    // Makers and doers: "singer", "footballer", "conductor" (not "computer": things are the smaller risk).
    let doer = lower.len() > 4
        && (lower.ends_with("er")
            || lower.ends_with("or")
            || lower.ends_with("ist")
            || lower.ends_with("ian"));
    let thing = matches!(
        lower,
        "number"
            | "computer"
            | "paper"
            | "order"
            | "power"
            | "center"
            | "water"
            | "river"
            | "theater"
            | "letter"
            | "chapter"
            | "career"
            | "matter"
            | "sector"
            | "factor"
            | "error"
            | "motor"
            | "reactor"
            | "sensor"
            | "container"
            | "server"
            | "summer"
            | "winter"
            | "quarter"
            | "december"
            | "october"
            | "november"
            | "september"
            | "manner"
            | "tower"
            | "cancer"
            | "flower"
            | "border"
            | "offer"
            | "floor"
            | "color"
            | "behavior"
            | "labor"
            | "disaster"
            | "character"
            | "chapter2"
            | "timber"
            | "copper"
            | "silver"
            | "master"
            | "transfer"
            | "under"
            | "over"
            | "list"
    );
    if doer && !thing { Being::Person } else { Being::Unknown }
}
