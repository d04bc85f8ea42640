//! The theology pack: ways of reading scripture that make it say what it does not.

use super::{Fallacy, Family, Pack, sensitive, strict};

pub(super) const PROOF_TEXTING: Fallacy = Fallacy {
    id: "proof_texting",
    name: "proof-texting",
    family: Family::Informal,
    pack: Pack::Theology,
    definition: "A verse is quoted as settling a question that its own passage does not raise.",
    cue: "the verse says so, and that settles it",
    examples: &[
        "John 14:6 settles the matter; there is nothing more to discuss.",
        "Just read Romans 13:1. Case closed.",
        "1 Timothy 2:12 proves that the debate is over.",
        "The Bible clearly says it in Leviticus 19:28, end of story.",
    ],
    subtle: &["One verse is all I need: Proverbs 13:24."],
    counter_examples: &[
        "Romans 13:1 is often quoted here, but chapter 12 and verse 8 qualify it.",
        "John 14:6 stands in the farewell discourse, where Thomas asks about the way.",
    ],
    question: "What do the verses before and after say, and whom do they address?",
    asks: "What do the verses around {x} say, and whom do they address?",
    rules: &[
        strict(
            r"(?P<x>\b(?:[123] )?[a-z]+ \d{1,3}:\d{1,3}(?:-\d{1,3})?\b)~{0,60}\b(?:settles (?:it|the (?:matter|question|issue|debate))|proves (?:that )?the debate|ends the (?:debate|discussion|argument)|end of (?:story|discussion|debate|argument)|case closed|nothing more (?:to|need)|period\b|leaves no room for (?:debate|discussion))",
        ),
        strict(
            r"(?P<x>\b(?:[123] )?[a-z]+ \d{1,3}:\d{1,3}(?:-\d{1,3})?\b)~{0,60}[.!] ?(?:case closed|end of (?:story|discussion|debate)|that settles it|period|enough said|what more do you need)\b",
        ),
        strict(
            r"\b(?:the bible|scripture|god's word) says it~{0,20}[,;.] ?(?:i believe it[,;.] ?)?(?:and )?(?:that|this) settles it\b",
        ),
        sensitive(r"\b(?:one|a single) verse is (?:all|enough)\b"),
    ],
    forms: &[],
};

pub(super) const VERSE_ISOLATION: Fallacy = Fallacy {
    id: "verse_isolation",
    name: "verse isolation",
    family: Family::Informal,
    pack: Pack::Theology,
    definition: "A verse is read alone and its setting is set aside as if it could not matter.",
    cue: "never mind the context, the verse stands alone",
    examples: &[
        "Never mind the context of Jeremiah 29:11: it promises me a prosperous year.",
        "You do not need the rest of the chapter to understand Matthew 7:1; the verse stands on its own.",
        "Forget the surrounding verses, this one line tells us everything.",
    ],
    subtle: &["Philippians 4:13 means I can win this race."],
    counter_examples: &[
        "Without the context of Jeremiah 29:11, a letter to exiles, the promise is easily misread.",
        "The verse does not stand on its own: the chapter is a warning to judges.",
    ],
    question: "Does the reading survive the rest of the chapter?",
    asks: "Does the reading survive the rest of the chapter around \"{x}\"?",
    rules: &[
        strict(
            r"\b(?:never mind|forget|ignore|regardless of|apart from|forget about|whatever) (?:about )?(?:the )?(?:context|surrounding (?:verses|passage|chapter|text)|rest of the (?:chapter|passage|book|letter)|historical (?:context|setting))\b~{0,100}\b(?:verse|line|passage|promises?|says|tells|means|\d{1,3}:\d{1,3})\b",
        ),
        strict(
            r"\b(?:verse|passage|text|it|line) (?:stands|can stand|speaks|can be read) (?:all )?(?:on its own|alone|by itself|for itself)(?: and| without|, (?:whatever|so|no)|[.!]?$| no )",
        ),
        strict(
            r"\b(?:do not|don't|no) need (?:the |to (?:read|know) )?(?:the )?(?:rest of the (?:chapter|passage|book)|context|surrounding)~{0,80}",
        ),
        sensitive(
            r"\b(?P<x>(?:[123] )?[a-z]+ \d{1,3}:\d{1,3}) (?:means|promises|guarantees|tells me) (?:that )?(?:i|we|you|my|our|me)\b",
        ),
    ],
    forms: &[],
};

pub(super) const EISEGESIS: Fallacy = Fallacy {
    id: "eisegesis",
    name: "eisegesis",
    family: Family::Informal,
    pack: Pack::Theology,
    definition: "The reader's own thought is put into the text and then drawn from it as its meaning.",
    cue: "to me this verse means; what the author really meant was",
    examples: &[
        "To me, this verse is really about starting my own business.",
        "What Paul was really talking about here is modern psychotherapy, even though the text never mentions it.",
        "I feel in my heart that the parable is about our election, so that is what it means.",
        "The wheels in Ezekiel 1 are obviously spacecraft.",
    ],
    subtle: &["Reading between the lines, Moses is describing quantum physics."],
    counter_examples: &[
        "What Paul meant by flesh is disputed; the Greek word has at least three senses in his letters.",
        "Some readers have felt that the parable is about their own time, and the commentary warns against it.",
    ],
    question: "Which words of the text itself carry this meaning?",
    asks: "Which words of the text itself carry \"{x}\"?",
    rules: &[
        strict(
            r"\b(?:to|for) me,? (?:personally,? )?(?:this|that|the) (?:verse|passage|parable|psalm|text|story|chapter) (?:is (?:really |actually |all )?about|(?:really |actually )?means) (?P<x>~{3,60})",
        ),
        strict(
            r"\b(?:really|actually|secretly) (?:talking|speaking|writing|meant|means|prophesying|refers?|referring|describing)\b(?P<x>~{3,80})\b(?:even though|although|though) (?:the (?:text|verse|passage)|it|he) (?:never|does not|doesn't|did not)\b",
        ),
        strict(
            r"\bi (?:feel|sense|know)(?: in my heart)? (?:that )?(?:this |that |the )(?:verse|passage|parable|psalm|text)\b~{3,80}\b(?:so|therefore) (?:that is|that's|this is) what it means\b",
        ),
        strict(
            r"\b(?:[123] )?[a-z]+ \d{1,3}(?::\d{1,3})?,? (?:is|are|was|were) (?:obviously|clearly|plainly|really|actually) (?P<x>(?:a |an |the )?(?:spacecraft|aliens?|ufos?|helicopters?|modern [a-z]+|nuclear [a-z]+|computers?|the internet|microchips?|barcodes?))",
        ),
        sensitive(
            r"\breading between the lines\b~{0,80}\b(?:paul|moses|jesus|isaiah|john|david|the (?:prophet|psalmist|apostle|text|passage|verse))\b",
        ),
    ],
    forms: &[],
};

pub(super) const CHRONOLOGICAL_SNOBBERY: Fallacy = Fallacy {
    id: "chronological_snobbery",
    name: "chronological snobbery",
    family: Family::Informal,
    pack: Pack::Theology,
    definition: "A view is set aside because it is old, as if time alone had refuted it.",
    cue: "nobody in the twenty-first century can believe that",
    examples: &[
        "Nobody in the twenty-first century can still believe in miracles.",
        "That doctrine is medieval, so we can safely ignore it.",
        "Bronze age shepherds wrote it, so it has nothing to teach us.",
        "We have moved beyond such primitive ideas; it is the 21st century.",
    ],
    subtle: &["Augustine lived sixteen centuries ago; his view is outdated."],
    counter_examples: &[
        "The doctrine is medieval in origin; its arguments are examined in chapter three.",
        "Bronze age shepherds lived along this valley, and their wells are still in use.",
    ],
    question: "Which argument has refuted it, besides the calendar?",
    asks: "Which argument, besides the calendar, speaks against \"{x}\"?",
    rules: &[
        strict(
            r"\b(?:nobody|no one|no (?:modern|educated|thinking) (?:person|reader))\b~{0,20}\b(?:in (?:the (?:twenty[- ]first|21st|modern) (?:century|age|world)|this day and age|20\d\d)|today|nowadays)\b~{0,20}\b(?:can|could|should|would) (?:still |seriously )?(?:believe|accept|hold|take)(?P<x>~{0,60})",
        ),
        strict(
            r"\b(?:medieval|bronze[- ]age|iron[- ]age|ancient|prehistoric|primitive|stone[- ]age|victorian|pre-scientific)\b~{0,80}\b(?:so|therefore|thus|hence|and so) (?:we|you|it|they|there|why|i)\b~{0,20}\b(?:safely |simply |just )?(?:ignore|dismiss|discard|reject|nothing to (?:teach|say|tell)|irrelevant|wrong|false|no (?:value|authority|relevance)|listen|cannot be (?:true|right))",
        ),
        strict(
            r"\bwe(?: have|'ve)? (?:have |'ve )?(?:moved|progressed|evolved|grown) (?:beyond|past|out of)\b~{0,60}[;,.:-]+ ?(?:this|it) is the (?:21st|twenty[- ]first) century",
        ),
        strict(
            r"\b(?:it|this) is (?:the (?:21st|twenty[- ]first) century|20\d\d)[,;.!]+ (?:not the (?:middle|dark|bronze|stone) ages?|nobody|no one|we (?:do not|don't|no longer))\b",
        ),
        sensitive(
            r"\b(?:centuries|millennia|years) ago\b~{0,60}\b(?:outdated|obsolete|worthless|irrelevant)\b",
        ),
    ],
    forms: &[],
};
