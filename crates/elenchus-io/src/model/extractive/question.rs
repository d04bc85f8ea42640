//! What a question asks for: its parts, the kind of value that answers it, and the terms that must bind.

use super::expects::{counted_noun, expects, is_duration_noun, is_survey};
use super::lexicon::{is_holder, is_light, is_recency, is_view_verb, rewrite_phrases};
use super::names::capital_marks;
use super::periods::periods;
use crate::embed::StaticEmbedder;
use elenchus_core::evidence::PartialDate;
use elenchus_core::prompt::QuestionKind;
use elenchus_core::text::{is_stop_word, squeeze, stem, words};

/// The kind of value that answers a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expects {
    Money,
    Percent,
    Duration,
    Date,
    Count,
    /// A length in space or time.
    Extent,
    /// A number of any kind.
    Quantity,
    /// A person's name.
    Person,
    /// A person, role, team or organisation that acts.
    Agent,
    /// A named organisation.
    Organisation,
    /// A named thing.
    Name,
    Place,
    YesNo,
    Reason,
    /// Several items.
    List,
    /// Any sentence that binds.
    Any,
}

impl Expects {
    /// The word shown in the plan.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Money => "money",
            Self::Percent => "percentage",
            Self::Duration => "duration",
            Self::Date => "date",
            Self::Count => "count",
            Self::Extent => "length",
            Self::Quantity => "number",
            Self::Person => "person",
            Self::Agent => "person or role",
            Self::Organisation => "organisation",
            Self::Name => "name",
            Self::Place => "place",
            Self::YesNo => "yes or no",
            Self::Reason => "reason",
            Self::List => "list",
            Self::Any => "statement",
        }
    }
}

/// A word of the question that carries meaning.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Term {
    /// Lower case.
    pub(crate) word: String,
    pub(crate) stem: String,
    /// A name, acronym or word with a digit: without it nothing is answered.
    pub(crate) hard: bool,
    /// Says little.
    pub(crate) light: bool,
    /// The next term is the next word of the question.
    pub(crate) beside_next: bool,
    /// A name with a well-known other name, asked about in a survey.
    pub(crate) alias: bool,
    /// What part of speech it is, as far as that matters.
    pub(crate) class: Class,
    /// It stands right before the next meaning-bearing noun and narrows it ("parental leave").
    pub(crate) narrows: bool,
    /// Hard terms with the same number form one name ("Series B").
    pub(crate) name: Option<usize>,
}

/// Parts of speech that bind differently: a noun names what is asked, a verb says what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Noun,
    Verb,
    Adverb,
}

/// A question, understood.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Question {
    pub(crate) expects: Expects,
    pub(crate) kind: QuestionKind,
    pub(crate) terms: Vec<Term>,
    /// What is counted, for "how many X": the stem of X.
    pub(crate) counted: Option<String>,
    /// The period asked about.
    pub(crate) period: Option<PartialDate>,
    /// Asks for an earlier value ("originally", "before").
    pub(crate) past: bool,
    /// Asks for something to come.
    pub(crate) future: bool,
    /// Whose view is asked for, by name ("What did Irenaeus teach").
    pub(crate) holder: Option<String>,
    /// What follows "which" or "what": its position among the terms.
    pub(crate) head: Option<usize>,
    /// Holds a percent sign.
    pub(crate) percent: bool,
    /// Asks what must or may be.
    pub(crate) deontic: bool,
    /// The question embedded.
    pub(crate) vector: Vec<f32>,
}

impl Question {
    pub(crate) fn parse(text: &str, subjects: &[String]) -> Self {
        let clean = squeeze(text);
        let lower = rewrite_phrases(&clean.to_lowercase());
        let all = words(&lower);
        let mut expects = expects(&all, &lower);
        let survey = is_survey(&all, expects);
        let periods = periods(&clean);
        // A date question's own period ("when in 2026") still restricts.
        let period = periods.first().map(|period| period.value);
        let mut terms = terms(&clean, &lower, subjects);
        // "Who insures the boats?": what follows "who" is what is done.
        if matches!(expects, Expects::Agent)
            && let Some(verb) = all.iter().position(|w| w == "who").and_then(|at| all.get(at + 1))
        {
            for term in terms.iter_mut().filter(|term| term.word == *verb && !term.hard) {
                term.class = Class::Verb;
                term.light = false;
                term.narrows = false;
            }
        }
        let noun = counted_noun(&all);
        if noun.as_deref().is_some_and(is_duration_noun) {
            expects = Expects::Duration;
        }
        let counted = noun.map(|noun| stem(&noun));
        if let Some(name) =
            implied(&all).filter(|_| !matches!(expects, Expects::Duration | Expects::Any))
        {
            let stem = stem(name);
            if terms.iter().all(|term| term.stem != stem) {
                terms.push(Term {
                    word: name.to_owned(),
                    stem,
                    hard: false,
                    light: matches!(name, "size" | "distance"),
                    alias: false,
                    class: Class::Noun,
                    narrows: false,
                    beside_next: false,
                    name: None,
                });
            }
        }
        if survey {
            for term in &mut terms {
                term.alias = term.hard;
                // Who holds a view is not what the view is about.
                if is_holder(&term.word) || is_view_verb(&term.word) {
                    term.light = true;
                    term.hard = false;
                }
            }
        }
        if expects == Expects::Date {
            for term in &mut terms {
                // Words for the kind of date are said by the date itself.
                if matches!(
                    term.word.as_str(),
                    "quarter"
                        | "month"
                        | "year"
                        | "date"
                        | "day"
                        | "week"
                        | "deadline"
                        | "time"
                        | "weekday"
                ) && !term.hard
                {
                    term.light = true;
                }
            }
        }
        if expects == Expects::Reason {
            for term in &mut terms {
                if matches!(term.stem.as_str(), "caus" | "reason" | "explain" | "lead" | "trigger")
                    && !term.hard
                {
                    term.light = true;
                }
            }
        }
        let period_words: Vec<String> =
            periods.iter().flat_map(|period| words(&clean[period.range.clone()])).collect();
        terms.retain(|term| !period_words.contains(&term.word));
        let past = all.iter().any(|w| {
            matches!(
                w.as_str(),
                "originally"
                    | "previous"
                    | "previously"
                    | "former"
                    | "formerly"
                    | "original"
                    | "before"
                    | "earlier"
                    | "older"
            )
        });
        let kind = if survey { QuestionKind::Survey } else { QuestionKind::Lookup };
        // "which laptop brand": the head is the last noun before the verb.
        let head = head_of(&all, &terms);
        let future =
            all.iter().any(|w| matches!(w.as_str(), "next" | "upcoming" | "will" | "forthcoming"));
        let holder = all
            .windows(2)
            .find(|pair| matches!(pair[0].as_str(), "did" | "does" | "do"))
            .map(|pair| pair[1].clone())
            .filter(|name| survey && terms.iter().any(|term| term.word == *name && term.hard));
        if let Some(holder) = &holder {
            // Whose view it is need not stand in the sentence: the author has signed the book.
            for term in terms.iter_mut().filter(|term| term.word == *holder) {
                term.hard = false;
                term.light = true;
            }
        }
        let deontic = expects == Expects::YesNo
            && (lower.contains("have to")
                || lower.contains("need to")
                || lower.contains("allowed")
                || lower.contains("required")
                || lower.contains("mandatory")
                || all
                    .first()
                    .is_some_and(|w| matches!(w.as_str(), "may" | "can" | "must" | "should")));
        let vector = StaticEmbedder::builtin().embed_text(&lower);
        Self {
            expects,
            kind,
            terms,
            counted,
            period,
            past,
            deontic,
            future,
            holder,
            head,
            percent: clean.contains('%') || lower.contains("percent"),
            vector,
        }
    }

    /// Names as the user wrote them, for thoughts and queries.
    pub(crate) fn hard_words(&self) -> Vec<&str> {
        self.terms.iter().filter(|term| term.hard).map(|term| term.word.as_str()).collect()
    }
}

/// The words that carry meaning, in order. Names of the corpus's main subject are light: every document is about it.
fn terms(original: &str, rewritten: &str, subjects: &[String]) -> Vec<Term> {
    let marks = capital_marks(original);
    let subject_words: Vec<String> = subjects.first().map(|s| words(s)).unwrap_or_default();
    // The rest of a name that holds the subject ("Veltrix Dynamics") may be left out by a document.
    let subject_names: Vec<usize> = marks
        .iter()
        .filter(|(word, _)| subject_words.contains(word))
        .map(|(_, name)| *name)
        .collect();
    let classes = classes(rewritten);
    let mut terms: Vec<Term> = Vec::new();
    for word in words(rewritten) {
        if is_stop_word(&word) && !marks.iter().any(|(mark, _)| *mark == word && word.len() <= 2) {
            continue;
        }
        let mark = marks.iter().find(|(mark, _)| *mark == word);
        let digit = word.chars().any(|c| c.is_ascii_digit());
        let subject = subject_words.contains(&word);
        let stem = stem(&word);
        if terms.iter().any(|term| term.stem == stem) {
            continue;
        }
        terms.push(Term {
            hard: !is_calendar_word(&word)
                && (mark.is_some_and(|(_, name)| !subject_names.contains(name)) || digit)
                && !subject,
            light: subject || is_recency(&word) || (is_light(&word) && mark.is_none()),
            name: mark.map(|(_, name)| *name).filter(|name| !subject_names.contains(name)),
            class: classes
                .iter()
                .find(|(tagged, _)| *tagged == word)
                .map_or(Class::Noun, |(_, class)| *class),
            narrows: false,
            beside_next: false,
            alias: false,
            word,
            stem,
        });
    }
    let order = words(rewritten);
    for at in 0..terms.len() {
        let Some(next) = terms.get(at + 1) else { continue };
        let beside = order.windows(2).any(|pair| pair[0] == terms[at].word && pair[1] == next.word);
        let noun = next.class == Class::Noun;
        terms[at].beside_next = beside;
        terms[at].narrows = beside && noun && terms[at].class == Class::Noun;
    }
    // A question of light words only is about them.
    if terms.iter().all(|term| term.light && !term.hard) {
        for term in &mut terms {
            term.light = is_recency(&term.word);
        }
    }
    terms
}

/// The noun that is asked for: "which laptop brand", "what is the voltage of". Its position among the terms.
fn head_of(all: &[String], terms: &[Term]) -> Option<usize> {
    let at = all.iter().position(|word| matches!(word.as_str(), "which" | "what"))?;
    let mut rest = &all[at + 1..];
    if rest.first().is_some_and(|word| matches!(word.as_str(), "is" | "are" | "was" | "were")) {
        rest = &rest[1..];
        while rest.first().is_some_and(|word| {
            matches!(word.as_str(), "the" | "a" | "an" | "our" | "their" | "its")
        }) {
            rest = &rest[1..];
        }
        // Without a preposition the whole rest is one name or attribute: no head can be told.
        if !rest.iter().take(5).any(|word| {
            matches!(word.as_str(), "of" | "for" | "in" | "at" | "on" | "per" | "between")
        }) {
            return None;
        }
    }
    let phrase: Vec<&String> = rest.iter().take_while(|word| !is_stop_word(word)).take(4).collect();
    phrase.into_iter().rev().find_map(|word| {
        terms.iter().position(|term| term.word == *word && term.class == Class::Noun && !term.light)
    })
}

/// What "how fast" and the like ask for, by name.
fn implied(all: &[String]) -> Option<&'static str> {
    let at = all.iter().position(|word| word == "how")?;
    Some(match all.get(at + 1)?.as_str() {
        "fast" => "speed",
        "heavy" => "weight",
        "deep" => "depth",
        "tall" | "high" => "height",
        "wide" => "width",
        "old" => "age",
        "big" | "large" => "size",
        "cold" | "hot" | "warm" => "temperature",
        "loud" => "noise",
        "far" => "distance",
        _ => return None,
    })
}

/// Months and weekdays without a year: they narrow, but a document may leave them to its date.
fn is_calendar_word(word: &str) -> bool {
    matches!(
        word,
        "january"
            | "february"
            | "april"
            | "june"
            | "july"
            | "august"
            | "september"
            | "october"
            | "november"
            | "december"
            | "monday"
            | "tuesday"
            | "wednesday"
            | "thursday"
            | "friday"
            | "saturday"
            | "sunday"
    )
}

/// The part of speech of every word of a lower-case text.
fn classes(text: &str) -> Vec<(String, Class)> {
    use harper_brill::{Tagger, UPOS};
    let all = words(text);
    let tags = harper_brill::brill_tagger().tag_sentence(&all);
    all.into_iter()
        .zip(tags)
        .map(|(word, tag)| {
            let class = match tag {
                Some(UPOS::VERB | UPOS::AUX) => Class::Verb,
                Some(
                    UPOS::ADV | UPOS::ADP | UPOS::PART | UPOS::INTJ | UPOS::SCONJ | UPOS::CCONJ,
                ) => Class::Adverb,
                _ => Class::Noun,
            };
            (word, class)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::split::split;
    use super::*;

    fn ask(text: &str) -> Question {
        Question::parse(text, &["Veltrix".to_owned()])
    }

    #[test]
    fn splits_what_can_be_answered_apart() {
        assert_eq!(
            split("Who is the CEO and when was the company founded?"),
            ["Who is the CEO?", "When was the company founded?"]
        );
        assert_eq!(
            split("What is the payload and top speed of the VLX-500?"),
            ["What is the payload of the VLX-500?", "What is the top speed of the VLX-500?"]
        );
        assert_eq!(
            split("When does the VLX-500 launch and what does it cost?")[1],
            "What does VLX-500 cost?"
        );
        assert_eq!(split("Who is the CEO, when was it founded and what does it cost?").len(), 3);
        assert_eq!(split("When a robot fails, who is called?").len(), 1);
        assert_eq!(split("Do sales and marketing share an office?").len(), 1);
    }

    #[test]
    fn knows_what_is_asked_for() {
        assert_eq!(ask("What is the list price of the VLX-500?").expects, Expects::Money);
        assert_eq!(ask("Who is the CTO of Veltrix?").expects, Expects::Person);
        assert_eq!(ask("Who approves a discount?").expects, Expects::Agent);
        assert_eq!(
            ask("How many customer sites are there in Japan?").counted.as_deref(),
            Some("site")
        );
        assert_eq!(ask("How many days of leave do staff get?").expects, Expects::Duration);
        assert_eq!(ask("Why did the drift occur?").expects, Expects::Reason);
        assert_eq!(ask("Is EU data residency available?").expects, Expects::YesNo);
        assert_eq!(ask("Which company led the Series B?").expects, Expects::Organisation);
        assert_eq!(
            ask("Did the early church believe Jesus was divine?").kind,
            QuestionKind::Survey
        );
    }

    #[test]
    fn names_are_hard_and_the_subject_is_not() {
        let question = ask("What did Naptha AI's last funding round value Veltrix at?");
        assert_eq!(question.hard_words(), ["naptha", "ai"]);
        assert!(ask("What was revenue in Q3 2025?").period.is_some());
        assert!(ask("What was revenue in Q3 2025?").terms.iter().all(|t| !t.word.contains("2025")));
    }
}
