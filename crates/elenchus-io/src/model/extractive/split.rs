//! Splitting a question into parts that can be answered apart.

use super::expects::{AUXILIARIES, WH, counted_noun};
use super::names::capital_marks;
use super::overview::overview;
use super::periods::periods;
use super::wrappings::{bare, in_full};
use elenchus_core::text::{is_stop_word, squeeze, words};
use harper_brill::{Tagger, UPOS};

/// Splits a question into parts that can be answered apart. Each part stands alone.
pub(crate) fn split(text: &str) -> Vec<String> {
    let clean = bare(&in_full(&squeeze(text)));
    let mut parts: Vec<String> = Vec::new();
    for sentence in clean.split_inclusive('?') {
        let sentence = sentence.trim();
        if sentence.trim_matches(['?', ' ', '.']).is_empty() {
            continue;
        }
        parts.extend(split_clauses(sentence));
    }
    if parts.is_empty() {
        parts.push(clean);
    }
    let subject = parts.first().map(|first| antecedent(first)).unwrap_or_default();
    let person = parts.first().map(|first| person(first)).unwrap_or_default();
    let counted = parts
        .first()
        .and_then(|first| counted_noun(&words(&first.to_lowercase())))
        .unwrap_or_default();
    parts
        .iter()
        .enumerate()
        .map(|(at, part)| {
            if at == 0 {
                part.clone()
            } else {
                let part = put_counted(part, &parts[0], &counted);
                put_person(&resolve_pronouns(&part, &subject, &counted), &person)
            }
        })
        .collect()
}

/// "Who is the CEO and when was the company founded?" is two questions; so is "What are the payload and top speed of X?".
pub(super) fn split_clauses(sentence: &str) -> Vec<String> {
    // Two sides of a comparison are one question, and so is a topic with an "and" in it.
    if overview(sentence).is_some() {
        return vec![sentence.to_owned()];
    }
    let body = sentence.trim_end_matches('?').trim();
    let tokens: Vec<&str> = body.split(' ').collect();
    for at in 1..tokens.len().saturating_sub(1) {
        let joint = tokens[at].eq_ignore_ascii_case("and") || tokens[at].eq_ignore_ascii_case("or");
        if !joint {
            continue;
        }
        let next = tokens[at + 1].trim_end_matches(',').to_lowercase();
        let preposition = LEADS_TO_WH.contains(&next.as_str())
            && tokens.get(at + 2).is_some_and(|w| WH.contains(&w.to_lowercase().as_str()));
        let wh = WH.contains(&next.as_str()) || preposition;
        let aux = AUXILIARIES.contains(&next.as_str())
            && (AUXILIARIES.contains(&tokens[0].to_lowercase().as_str())
                || tokens.get(at + 2).is_some_and(|token| begins_a_subject(token)));
        if wh || aux {
            let first = tokens[..at].join(" ").trim_end_matches(',').to_owned();
            let mut second = capitalise(&tokens[at + 1..].join(" "));
            // "Who founded it and when, and does it ...?": the bare word asks of the first part, the rest for itself.
            if wh && let Some((asked, rest)) = bare_word(&tokens[at + 1..]) {
                let mut parts = split_clauses(&format!("{first}?"));
                if let Some(again) = asked_again(&tokens[..at], asked) {
                    parts.push(again);
                    parts.extend(rest.map(|rest| split_clauses(&rest)).unwrap_or_default());
                    return parts;
                }
            }
            // "Who rang the bell and where was it?" asks for all that it needs: what "it" is, the first part says.
            let points = wh && !antecedent(&first).is_empty() && points_back(&second);
            // "and to what date?", "and by whom?": nothing is said of the date or of whoever it is.
            let is_phrase = preposition
                && !tokens[at + 2..].iter().any(|token| is_auxiliary(token))
                && tokens[1..at].iter().any(|token| is_auxiliary(token));
            // "What is the fee, and what was it before?": an older value is told beside what is so now, and never leads to it.
            if asks_now(&tokens[..at]) && asks_what_it_was(&second) {
                return split_clauses(&format!("{first}?"));
            }
            // "what does it cost and why" leaves nothing to ask the second time: keep it whole.
            if !points
                && !is_phrase
                && words(&second).iter().filter(|w| !is_stop_word(w)).count() == 0
            {
                continue;
            }
            if !second.ends_with('?') {
                second.push('?');
            }
            // "and how often?" asks it of what the first part says.
            let bare = second.trim_end_matches('?');
            if wh
                && (bare.split(' ').count() <= 2 || is_phrase)
                && let Some(aux) = tokens[..at]
                    .iter()
                    .position(|token| AUXILIARIES.contains(&token.to_lowercase().as_str()))
                && aux > 0
            {
                second =
                    format!("{bare} {}?", tokens[aux..at].join(" ").trim_end_matches([',', ' ']));
            }
            let mut parts = split_clauses(&format!("{first}?"));
            parts.extend(split_clauses(&second));
            return parts;
        }
    }
    if let Some(at) = comma_joint(&tokens) {
        let first = tokens[..at].join(" ");
        if asks_now(&tokens[..at]) && asks_what_it_was(&tokens[at..].join(" ")) {
            return split_clauses(&format!("{}?", first.trim_end_matches(',')));
        }
        let mut parts = split_clauses(&format!("{}?", first.trim_end_matches(',')));
        parts.extend(split_clauses(&format!(
            "{}?",
            capitalise(&tokens[at..].join(" ")).trim_end_matches('?')
        )));
        return parts;
    }
    if let Some(parts) = split_names(&tokens) {
        return parts;
    }
    if let Some(parts) = split_heads(&tokens) {
        return parts;
    }
    vec![sentence.to_owned()]
}

/// Whether a clause asks what is so now.
fn asks_now(tokens: &[&str]) -> bool {
    let is_now = |token: &&str| {
        matches!(token.to_lowercase().as_str(), "is" | "are" | "do" | "does" | "has" | "have")
    };
    let asks = tokens.first().is_some_and(|first| WH.contains(&first.to_lowercase().as_str()));
    // The first auxiliary is that of the question.
    let auxiliary =
        tokens.iter().find(|token| AUXILIARIES.contains(&token.to_lowercase().as_str()));
    asks && auxiliary.is_some_and(is_now)
}

/// Whether a clause asks for nothing but the earlier value of what the clause before it asks for: "what was it before", "how much was it
/// previously". Whatever it names itself ("what was it before the merger") is a question of its own.
fn asks_what_it_was(clause: &str) -> bool {
    const EARLIER: [&str; 6] =
        ["before", "previously", "earlier", "originally", "formerly", "beforehand"];
    let all = words(&clause.to_lowercase());
    let Some((first, rest)) = all.split_first() else { return false };
    let is = |list: &[&str]| rest.iter().any(|word| list.contains(&word.as_str()));
    matches!(first.as_str(), "what" | "which" | "how")
        && is(&["was", "were", "did"])
        && is(&["it", "they", "that", "this"])
        && is(&EARLIER)
        && rest.iter().all(|word| {
            EARLIER.contains(&word.as_str())
                || matches!(
                    word.as_str(),
                    "was"
                        | "were"
                        | "did"
                        | "it"
                        | "they"
                        | "that"
                        | "this"
                        | "be"
                        | "used"
                        | "to"
                        | "much"
                        | "many"
                        | "high"
                        | "long"
                        | "value"
                )
        })
}

/// What an auxiliary is followed by where it opens a question: "does the company plan", "is Bergen served".
fn begins_a_subject(token: &str) -> bool {
    const DETERMINERS: [&str; 14] = [
        "the", "a", "an", "its", "their", "our", "your", "there", "it", "they", "we", "you",
        "this", "any",
    ];
    let first = token.chars().next();
    first.is_some_and(char::is_uppercase) || DETERMINERS.contains(&token.to_lowercase().as_str())
}

/// Words before a question word that make it a part of a question: "to what date", "by whom".
const LEADS_TO_WH: [&str; 16] = [
    "in", "by", "at", "for", "on", "with", "from", "to", "until", "since", "under", "during",
    "into", "through", "after", "before",
];

fn is_auxiliary(token: &str) -> bool {
    let word = token.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    AUXILIARIES.contains(&word.as_str())
}

/// Whether a part says "it" or "they" of something.
fn points_back(part: &str) -> bool {
    words(&part.to_lowercase()).iter().any(|word| matches!(word.as_str(), "it" | "they" | "them"))
}

/// "when", "where", "why" or "how" alone at the head of a clause, with what follows the next "and".
fn bare_word<'a>(tokens: &[&'a str]) -> Option<(&'a str, Option<String>)> {
    let word = tokens.first()?.trim_end_matches([',', '?']);
    if !matches!(word.to_lowercase().as_str(), "when" | "where" | "why" | "how") {
        return None;
    }
    match tokens.get(1) {
        None => Some((word, None)),
        Some(and) if and.eq_ignore_ascii_case("and") && tokens.len() > 3 => {
            Some((word, Some(format!("{}?", capitalise(&tokens[2..].join(" "))))))
        }
        Some(_) => None,
    }
}

/// The first part asked again by another word: "Who founded Acme" with "when" is "When was Acme founded?", "When was it
/// shut" with "why" is "Why was it shut?", "Who is X" is not asked again.
fn asked_again(first: &[&str], word: &str) -> Option<String> {
    let lower: Vec<String> = first.iter().map(|token| token.to_lowercase()).collect();
    let is_aux = |at: usize| lower.get(at).is_some_and(|word| is_auxiliary(word));
    let adverbial =
        matches!(lower.first()?.as_str(), "when" | "where" | "why" | "how") && is_aux(1);
    if adverbial || is_aux(0) {
        let at = usize::from(adverbial);
        let rest = first.get(at + 1..)?.join(" ");
        let rest = rest.trim_end_matches([',', '?']);
        return Some(format!("{} {} {rest}?", capitalise(&word.to_lowercase()), lower[at]));
    }
    let by_verb = matches!(lower.first()?.as_str(), "who" | "what" | "which")
        && first.len() >= 3
        && !AUXILIARIES.contains(&lower[1].as_str())
        && lower[1].ends_with("ed");
    let object = first.get(2..)?.join(" ");
    let object = object.trim_end_matches([',', '?']);
    let word = capitalise(&word.to_lowercase());
    by_verb.then(|| format!("{word} was {object} {}?", lower[1]))
}

/// Where a second question begins after a comma: "Who is the CEO, when was it founded". The first clause must be a
/// question itself and not tell when or under what condition the second holds ("When a robot fails, who is called?").
fn comma_joint(tokens: &[&str]) -> Option<usize> {
    let lower = |at: usize| tokens.get(at).map(|token| token.to_lowercase()).unwrap_or_default();
    let (first, second) = (lower(0), lower(1));
    let asks =
        WH.contains(&first.as_str()) && (first != "when" || AUXILIARIES.contains(&second.as_str()));
    if !asks {
        return None;
    }
    (2..tokens.len().saturating_sub(1)).find(|at| {
        tokens[at - 1].ends_with(',') && WH.contains(&lower(*at).as_str()) && lower(*at) != "which"
    })
}

/// "the price of the X-1 and of the X-2": one question for each name. Only names with a digit, which no
/// phrase joins into one.
fn split_names(tokens: &[&str]) -> Option<Vec<String>> {
    let named = |token: &str| {
        let bare = token.trim_matches(|c: char| !c.is_alphanumeric());
        bare.chars().any(|c| c.is_ascii_digit())
            && bare.chars().next().is_some_and(char::is_alphabetic)
    };
    let and = tokens.iter().position(|token| token.eq_ignore_ascii_case("and"))?;
    let skip =
        |token: &&str| matches!(token.to_lowercase().as_str(), "of" | "for" | "the" | "in" | "a");
    let second = and + 1 + tokens[and + 1..].iter().take_while(|token| skip(token)).count();
    if and == 0 || second >= tokens.len() || !named(tokens[and - 1]) || !named(tokens[second]) {
        return None;
    }
    let rest = &tokens[second + 1..];
    let ask = |name: &str| {
        let mut words: Vec<&str> = tokens[..and - 1].to_vec();
        words.push(name.trim_end_matches([',', '?']));
        words.extend(rest);
        format!("{}?", words.join(" ").trim_end_matches('?'))
    };
    Some(vec![ask(tokens[and - 1]), ask(tokens[second])])
}

/// "what are the A and B of C": one question for A and one for B.
pub(super) fn split_heads(tokens: &[&str]) -> Option<Vec<String>> {
    let lower: Vec<String> = tokens.iter().map(|t| t.to_lowercase()).collect();
    if !matches!(lower.first()?.as_str(), "what" | "which")
        || !matches!(lower.get(1)?.as_str(), "is" | "are" | "was" | "were")
    {
        return None;
    }
    let of = lower.iter().position(|w| matches!(w.as_str(), "of" | "for"))?;
    let and = lower[..of].iter().position(|w| w == "and")?;
    if and < 3 || and + 1 >= of || tokens[2..of].iter().any(|t| t.contains(',')) {
        return None;
    }
    let start = if lower[2] == "the" { 3 } else { 2 };
    let second_start = if lower[and + 1] == "the" { and + 2 } else { and + 1 };
    if second_start >= of || start >= and {
        return None;
    }
    let tail = tokens[of..].join(" ");
    let tail = tail.trim_end_matches('?');
    let verb = if lower[1].starts_with('w') { "was" } else { "is" };
    Some(vec![
        format!("What {verb} the {} {tail}?", tokens[start..and].join(" ")),
        format!("What {verb} the {} {tail}?", tokens[second_start..of].join(" ")),
    ])
}

pub(super) fn capitalise(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

/// The first name of a question, as written.
pub(super) fn main_name(question: &str) -> String {
    let marks = capital_marks(question);
    let Some(first) = marks.iter().map(|(_, name)| *name).max() else { return String::new() };
    // The longest name is the likeliest thing that "it" stands for.
    (1..=first)
        .map(|name| {
            question
                .split_whitespace()
                .map(|raw| {
                    raw.trim_matches(|c: char| !c.is_alphanumeric())
                        .trim_end_matches("'s")
                        .trim_end_matches("’s")
                })
                .filter(|token| {
                    let pieces = words(token);
                    !pieces.is_empty()
                        && pieces.iter().all(|w| marks.iter().any(|(m, n)| m == w && *n == name))
                })
                .collect::<Vec<_>>()
                .join(" ")
        })
        .find(|name| {
            name.chars().any(char::is_lowercase) || name.contains(|c: char| c.is_ascii_digit())
        })
        .unwrap_or_default()
}

/// What a later "it" stands for; nothing where the first part itself only says "it".
fn antecedent(first: &str) -> String {
    // "It" is no time: "What was the fee in Q1 2024, and what is it now?"
    let timeless = without_periods(first);
    let first = timeless.as_str();
    let name = main_name(first);
    let points = words(&first.to_lowercase())
        .iter()
        .any(|word| matches!(word.as_str(), "it" | "they" | "them" | "its" | "their"));
    match (name.is_empty(), points) {
        (false, _) => with_noun(first, name),
        (true, true) => String::new(),
        (true, false) => {
            let subject = subject_phrase(first);
            if subject.is_empty() { last_phrase(first) } else { subject }
        }
    }
}

/// A question without the times that it names, and the prepositions before them.
fn without_periods(question: &str) -> String {
    let mut out = String::new();
    let mut from = 0;
    for period in periods(question) {
        let before = question[from..period.range.start].trim_end();
        let lead = ["in", "during", "for", "at", "by", "on", "of", "as of", "since"]
            .iter()
            .find_map(|word| before.strip_suffix(word).filter(|rest| rest.ends_with(' ')));
        match lead {
            Some(rest) => out.push_str(rest.trim_end()),
            // Without a preposition it may be a part of a name.
            None => out.push_str(&question[from..period.range.end]),
        }
        from = period.range.end;
    }
    out.push_str(&question[from..]);
    out
}

/// "The Tern regatta" of "When does the Tern regatta begin": a name that only narrows the noun behind it is not what "it" stands for.
fn with_noun(first: &str, name: String) -> String {
    let subject = subject_phrase(first);
    let phrase = subject.split_once(' ').map_or("", |(_, phrase)| phrase);
    let narrows = phrase.strip_prefix(name.as_str()).is_some_and(|noun| noun.starts_with(' '));
    if narrows { subject } else { name }
}

/// Words that belong to a verb: "break out", "put off".
const PARTICLES: [&str; 8] = ["out", "off", "up", "down", "away", "back", "over", "in"];
/// Participles of verbs that do not end in "ed".
const DONE: [&str; 16] = [
    "built", "made", "paid", "sold", "found", "held", "set", "put", "bought", "lost", "won",
    "begun", "written", "taken", "given", "chosen",
];

/// The thing that does something or that something is done to, behind the auxiliary: "the fire" of "When did the fire break
/// out", "the youth club" of "How many members does the youth club have". Nothing where no article leads to it, or
/// where "of" follows, so that "it" may be either.
fn subject_phrase(first: &str) -> String {
    let tokens: Vec<&str> = first
        .split_whitespace()
        .map(|token| token.trim_matches(|c: char| !c.is_alphanumeric()))
        .collect();
    let lower: Vec<String> = tokens.iter().map(|token| token.to_lowercase()).collect();
    let Some(aux) = lower.iter().position(|word| AUXILIARIES.contains(&word.as_str())) else {
        return String::new();
    };
    let to_be = matches!(lower[aux].as_str(), "is" | "are" | "was" | "were");
    let adverbial =
        matches!(lower[0].as_str(), "when" | "where" | "why" | "how") || lower[0] == lower[aux];
    let led =
        lower.get(aux + 1).is_some_and(|word| matches!(word.as_str(), "the" | "our" | "your"));
    if !led || (to_be && !adverbial) || lower[0] == "who" {
        return String::new();
    }
    let start = aux + 2;
    let ends = |word: &String| is_stop_word(word) || PARTICLES.contains(&word.as_str());
    let end = start + lower[start..].iter().take_while(|word| !ends(word)).count();
    let next = lower.get(end).map_or("", String::as_str);
    if next == "of" || next == "for" || next == "and" {
        return String::new();
    }
    let tags = harper_brill::brill_tagger().tag_sentence(&lower);
    let is_verb = |at: usize| matches!(tags.get(at), Some(Some(UPOS::VERB | UPOS::AUX)));
    let is_done = |at: usize| lower[at].ends_with("ed") || DONE.contains(&lower[at].as_str());
    // The first word of the phrase is a noun or narrows one; the verb comes behind.
    let verb = (start + 1..end).find(|at| is_verb(*at) || (to_be && is_done(*at)));
    // "When is the market open?": how it is comes last.
    let is_quality = end > start + 1 && matches!(tags.get(end - 1), Some(Some(UPOS::ADJ)));
    let stop = match verb {
        Some(verb) => verb,
        None if to_be => end - usize::from(is_quality),
        // "Does the club have": the verb is the word at which the phrase ends.
        None if AUXILIARIES.contains(&next) => end,
        None => end.saturating_sub(1),
    };
    match tokens.get(start..stop) {
        Some(phrase) if (1..=4).contains(&phrase.len()) => {
            format!("{} {}", lower[aux + 1], phrase.join(" "))
        }
        _ => String::new(),
    }
}

/// "How many did it have a year ago?": how many of what the first part counts.
fn put_counted(part: &str, first: &str, counted: &str) -> String {
    let tokens: Vec<&str> = part.split(' ').collect();
    let asks = matches!(tokens.as_slice(), [how, many, aux, ..]
        if how.eq_ignore_ascii_case("how") && many.eq_ignore_ascii_case("many") && is_auxiliary(aux));
    if !asks || counted.is_empty() {
        return part.to_owned();
    }
    // "How many youth members does it have": with the words that narrow it.
    let whole: Vec<&str> = first
        .split(' ')
        .skip_while(|token| !token.eq_ignore_ascii_case("many"))
        .skip(1)
        .take_while(|token| !is_auxiliary(token))
        .collect();
    let whole = whole.join(" ");
    let what = if whole.to_lowercase().ends_with(counted) { whole.as_str() } else { counted };
    format!("{} {} {what} {}", tokens[0], tokens[1], tokens[2..].join(" "))
}

/// Who a later "he" or "she" stands for, where the first part says so: who it asks about ("Who is the director and when
/// was she appointed?"), or the one that it names. Nothing where it asks who did something: only its answer tells.
fn person(first: &str) -> String {
    let body = first.trim_end_matches(['?', ' ']);
    let mut tokens = body.split(' ');
    if !tokens.next().is_some_and(|word| word.eq_ignore_ascii_case("who")) {
        return main_name(first);
    }
    match tokens.next().map(str::to_lowercase).as_deref() {
        Some("is" | "was" | "are" | "were") => tokens.collect::<Vec<_>>().join(" "),
        _ => String::new(),
    }
}

/// Whether a part says "he" or "she" of somebody.
pub(super) fn says_person(part: &str) -> bool {
    words(&part.to_lowercase())
        .iter()
        .any(|word| matches!(word.as_str(), "he" | "she" | "him" | "her" | "his" | "hers"))
}

/// A part with somebody put for "he", "she", "him", "her" and "his"; as it is where nobody is known.
pub(super) fn put_person(part: &str, name: &str) -> String {
    if name.is_empty() {
        return part.to_owned();
    }
    let tokens: Vec<&str> = part.split(' ').collect();
    let put = tokens.iter().enumerate().map(|(at, raw)| {
        let token = raw.trim_end_matches(['?', ',', '.']);
        let tail = &raw[token.len()..];
        let owns = tail.is_empty()
            && tokens.get(at + 1).is_some_and(|next| !is_stop_word(&next.to_lowercase()));
        match token.to_lowercase().as_str() {
            "he" | "she" | "him" => format!("{name}{tail}"),
            "her" if !owns => format!("{name}{tail}"),
            "his" | "her" | "hers" => format!("{name}'s{tail}"),
            _ => (*raw).to_owned(),
        }
    });
    put.collect::<Vec<_>>().join(" ")
}

/// The words after the last function word of a question: what a later "it" most likely stands for.
fn last_phrase(question: &str) -> String {
    let mut all = words(&question.to_lowercase());
    // "When was the slip built?": what was built, and not that it was.
    if all.get(1).is_some_and(|word| AUXILIARIES.contains(&word.as_str()))
        && all.last().is_some_and(|word| word.ends_with("ed") || DONE.contains(&word.as_str()))
    {
        all.pop();
    }
    let tail = all.iter().rev().take_while(|word| !is_stop_word(word)).count();
    if tail == all.len() || tail > 4 { String::new() } else { all[all.len() - tail..].join(" ") }
}

pub(super) fn resolve_pronouns(part: &str, name: &str, counted: &str) -> String {
    part.split(' ')
        .map(|raw| {
            let token = raw.trim_end_matches(['?', ',', '.']);
            let tail = &raw[token.len()..];
            match token.to_lowercase().as_str() {
                "ones" if !counted.is_empty() => format!("{counted}{tail}"),
                // "How many divers are there and where do they sit?": what was counted.
                "they" | "them" if !counted.is_empty() => format!("{counted}{tail}"),
                "it" | "they" | "them" if !name.is_empty() => format!("{name}{tail}"),
                "its" | "their" if !name.is_empty() => format!("{name}'s{tail}"),
                _ => raw.to_owned(),
            }
        })
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_question_stays_whole() {
        for text in [
            "What is the difference between the VX-4 and the VX-5?",
            "Compare the Dunlin and the Petrel",
            "Tell me about the lease and the berth fees",
        ] {
            assert_eq!(split(text), [text]);
        }
        assert_eq!(
            split("Can you tell me how many boats there are?"),
            ["How many boats there are?"]
        );
        assert_eq!(split("Tell me about the crane and who built it?").len(), 2);
    }

    #[test]
    fn what_was_at_a_time_and_is_now_is_the_thing_and_not_the_time() {
        assert_eq!(
            split("What was the mooring fee in Q1 2024, and what is it now?"),
            ["What was the mooring fee in Q1 2024?", "What is mooring fee now?"]
        );
        assert_eq!(
            split("Who led the Tern Project in 2021 and who leads it today?")[1],
            "Who leads Tern Project today?"
        );
    }

    #[test]
    fn what_something_was_before_leads_to_no_other_answer() {
        for text in [
            "What is the mooring fee of the yard, and what was it before?",
            "What is the mooring fee of the yard and how much was it previously?",
            "What is the mooring fee of the yard, what was it originally?",
        ] {
            assert_eq!(split(text), ["What is the mooring fee of the yard?"], "{text}");
        }
        assert_eq!(
            split("Who is the head and what are the fees and what were they before?").len(),
            2
        );
        // Asked of the past alone, or of a time that is named, it is asked as it stands.
        let was = "What was the mooring fee, and what was it before?";
        assert!(split(was).iter().any(|part| part.contains("before")), "{:?}", split(was));
        let merger = split("What is the fee of the yard and what was it before the merger?");
        assert!(merger.iter().any(|part| part.contains("merger")), "{merger:?}");
        let why = split("What is the fee of the yard and why was it raised before May?");
        assert_eq!(why.len(), 2, "{why:?}");
    }

    #[test]
    fn he_and_she_are_whoever_was_asked_about() {
        assert_eq!(
            split("Who is the director and when was she appointed?")[1],
            "When was the director appointed?"
        );
        assert_eq!(
            split("When did Ann Lee open the yard and what was her first ship?")[1],
            "What was Ann Lee's first ship?"
        );
        // Only the answer of the first part tells who is meant.
        assert_eq!(split("Who betrayed Jesus and how did he die?")[1], "How did he die?");
        assert!(says_person("How did he die?") && !says_person("How did the king die?"));
    }

    #[test]
    fn it_stands_for_a_thing_that_was_named() {
        assert_eq!(split("When was it built and who paid for it?")[1], "Who paid for it?");
        assert_eq!(
            split("When was the slip built and who paid for it?")[1],
            "Who paid for the slip?"
        );
        assert_eq!(
            split("When does the Tern regatta begin and where does it end?")[1],
            "Where does the Tern regatta end?"
        );
    }

    #[test]
    fn a_later_part_is_asked_of_the_first() {
        let second = |text: &str| split(text).get(1).cloned();
        assert_eq!(
            second("When did the ferry sink and when was it raised?").as_deref(),
            Some("When was the ferry raised?")
        );
        assert_eq!(
            second("How many berths does the old harbour have, and how many did it have in 1990?")
                .as_deref(),
            Some("How many berths did the old harbour have in 1990?")
        );
        assert_eq!(
            second("Why was the regatta of Oban moved, and to what date?").as_deref(),
            Some("To what date was the regatta of Oban moved?")
        );
        assert_eq!(
            second("When was the bridge closed and why?").as_deref(),
            Some("Why was the bridge closed?")
        );
        assert_eq!(
            second("When was the chapel built and by whom?").as_deref(),
            Some("By whom was the chapel built?")
        );
        let bell = split("Who rang the bell and where was it?");
        assert_eq!(bell.len(), 2);
        assert!(bell[1].ends_with("bell?"), "{bell:?}");
    }

    #[test]
    fn what_asks_nothing_of_its_own_is_left_whole() {
        assert_eq!(split("What does it cost and why?").len(), 1);
        assert_eq!(split("When is the trip to the island and its castle?").len(), 1);
        // "It" is what a phrase with "of" ends with, as ever.
        assert_eq!(
            split("When was the roof of the chapel mended and what did it cost?")[1],
            "What did chapel cost?"
        );
    }
}
