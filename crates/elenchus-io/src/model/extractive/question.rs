//! What a question asks for: its parts, the kind of value that answers it, and the terms that must bind.

use super::amounts::plainly;
use super::asked_past::{Then, asks_for_past, then, was_planned};
use super::expects::{
    AUXILIARIES, asks_for_steps, counted_noun, counted_thing, expects, is_duration_noun, is_rate,
    is_survey,
};
use super::house::whose_forerunner;
use super::lexicon::{is_holder, is_light, is_recency, is_view_verb, rewrite_phrases};
use super::main_clause::main_clause;
use super::names::{capital_marks, is_body, is_joined};
use super::overview::{Overview, overview};
use super::part_of_year::part_of_year;
use super::periods::{day_without_year, is_day, month, periods};
use super::unit::EvidenceUnit;
use super::verses::{Cited, cited};
use super::wrappings::positively;
use crate::embed::StaticEmbedder;
use elenchus_core::evidence::{DatePrecision, MONTHS, PartialDate, WEEKDAYS};
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
    /// Whether it is told in figures; a date is not one.
    pub(crate) fn is_figure(self) -> bool {
        matches!(
            self,
            Self::Money
                | Self::Percent
                | Self::Duration
                | Self::Count
                | Self::Extent
                | Self::Quantity
        )
    }

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

    /// The same behind "asks for".
    pub(crate) fn of_one(self) -> String {
        match self {
            Self::Money => "an amount of money".to_owned(),
            Self::Organisation => "an organisation".to_owned(),
            _ => format!("a {}", self.name()),
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
    /// As it was asked, white space collapsed; an amount is asked for as "how large" (`amounts`).
    pub(crate) text: String,
    pub(crate) expects: Expects,
    pub(crate) kind: QuestionKind,
    /// It asks for several statements about a topic, which is all that its terms hold.
    pub(crate) overview: Option<Overview>,
    pub(crate) terms: Vec<Term>,
    /// What is counted, for "how many X": the stem of X.
    pub(crate) counted: Option<String>,
    /// The period asked about.
    pub(crate) period: Option<PartialDate>,
    /// The first and the last month that are meant where a year is asked about in part ("in early 2024").
    pub(crate) months: Option<(u8, u8)>,
    /// A day without a year ("24 April"): month and day.
    pub(crate) day: Option<(u8, u8)>,
    /// Asks for an earlier value ("originally", "before").
    pub(crate) past: bool,
    /// The earlier time asked about, by its distance from now; none where a period is named.
    pub(crate) then: Option<Then>,
    /// Asks who held an office before somebody who is named.
    pub(crate) forerunner: bool,
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
    /// Names right after the auxiliary: who is said to do or to be something ("did Ann Lee open").
    pub(crate) subject: Vec<String>,
    /// Names after "of": whose attribute is asked for ("the wife of Ben").
    pub(crate) owner: Vec<String>,
    /// Words that are written as names, the corpus's subject among them.
    pub(crate) names: Vec<String>,
    /// "Who" stands before a verb in the active voice.
    pub(crate) doer: bool,
    /// Asks when something was or happened.
    pub(crate) happened: bool,
    /// "To whom": who something is done to.
    pub(crate) recipient: bool,
    /// What is to be done is asked for, step by step.
    pub(crate) steps: bool,
    /// "How old", "how fast": a figure with a unit is asked for.
    pub(crate) measured: bool,
    /// The verses that are asked for.
    pub(crate) verse: Option<Cited>,
    /// The question embedded.
    pub(crate) vector: Vec<f32>,
}

/// A question without the addresses that stand in it: where to look is no word to look for.
fn without_addresses(text: &str) -> String {
    if !text.contains("://") {
        return text.to_owned();
    }
    let kept: Vec<&str> = text.split(' ').filter(|word| !word.contains("://")).collect();
    kept.join(" ")
}

impl Question {
    pub(crate) fn parse(text: &str, subjects: &[String]) -> Self {
        let asked = positively(&without_addresses(&squeeze(text)));
        let asked = plainly(&asked).unwrap_or(asked);
        // Of an open question only the topic has to bind.
        let steps = asks_for_steps(&words(&asked.to_lowercase()));
        let found = overview(&asked).filter(|_| !steps && cited(&asked).is_none());
        let (overview, clean) = match found {
            Some((kind, topic)) => (Some(kind), topic),
            None => (None, asked.clone()),
        };
        let lower = rewrite_phrases(&clean.to_lowercase());
        let all = words(&lower);
        let mut expects = match overview {
            Some(Overview::Listing) => Expects::List,
            Some(_) => Expects::Any,
            None if steps => Expects::List,
            None => {
                let asks = main_clause(&lower);
                expects(&words(asks), asks)
            }
        };
        let survey = overview.is_none() && !steps && is_survey(&all, expects);
        let periods = periods(&clean);
        // "Compare 2024 with 2025" is bound to neither year.
        let both = matches!(overview, Some(Overview::Contrast(..))) && periods.len() > 1;
        // A date question's own period ("when in 2026") still restricts.
        let period = periods.first().filter(|_| !both).map(|period| period.value);
        let mut terms = terms(&clean, &lower, subjects);
        if steps {
            // What a list is called is said by its being one.
            for term in terms.iter_mut().filter(|term| {
                matches!(
                    term.stem.as_str(),
                    "step" | "procedur" | "instruct" | "checklist" | "list"
                )
            }) {
                term.light = true;
                term.hard = false;
            }
        }
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
        if asks_who_somebody_is(&all, &terms) {
            expects = Expects::Any;
        }
        let noun = counted_noun(&all);
        if noun.as_deref().is_some_and(is_duration_noun) {
            expects = Expects::Duration;
            // "How many minutes": a span of time says by itself what it is counted in, and may be counted in something else.
            let own = noun.as_ref().filter(|noun| !is_rate(&all, noun));
            for term in terms.iter_mut().filter(|term| Some(&term.word) == own) {
                (term.light, term.hard) = (true, false);
            }
        }
        let counted = counted_thing(&all);
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
        if matches!(expects, Expects::Money) {
            // The kind of value is said by the value itself.
            for term in terms.iter_mut().filter(|t| t.word == "money" || t.word == "amount") {
                term.light = true;
            }
        }
        let verse = cited(&clean);
        if let Some(verse) = &verse {
            terms.retain(|term| !verse.said.contains(&term.word));
        }
        let matter = all.iter().position(|word| word == "about").unwrap_or(usize::MAX);
        if survey {
            for term in &mut terms {
                let about = all.iter().position(|w| *w == term.word).is_some_and(|at| at > matter);
                if about
                    && !is_recency(&term.word)
                    && all.iter().filter(|w| **w == term.word).count() == 1
                {
                    // What a view is about is what is asked for, however common the word.
                    term.light = false;
                    term.alias = term.hard;
                    continue;
                }
                term.alias = term.hard;
                // Who holds a view is not what the view is about.
                if is_holder(&term.word) || is_view_verb(&term.word) {
                    term.light = true;
                    term.hard = false;
                }
            }
        }
        let heir = whose_forerunner(&all, &capital_marks(&clean))
            .filter(|_| matches!(expects, Expects::Person | Expects::Agent));
        if let Some(name) = &heir {
            // Whoever came before need not be named together with who came after.
            for term in terms.iter_mut().filter(|term| name.contains(&term.word)) {
                term.hard = false;
                term.light = true;
                term.name = None;
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
                        | "days"
                        | "weekdays"
                        | "week"
                        | "deadline"
                        | "time"
                        | "weekday"
                        | "due"
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
        let day = day_without_year(&lower).filter(|_| period.is_none());
        if day.is_some() {
            terms.retain(|term| month(&term.word).is_none() && !is_day(&term.word));
        }
        let period_words: Vec<String> =
            periods.iter().flat_map(|period| words(&clean[period.range.clone()])).collect();
        // "mid-2024" is the period too, its part said before it.
        let part_of_period = |word: &str| {
            word.split_once('-').is_some_and(|(part, rest)| {
                matches!(part, "mid" | "early" | "late") && period_words.iter().any(|w| w == rest)
            })
        };
        // "2024/25" is a year too.
        let other_half = |word: &str| {
            word.len() == 2
                && clean.match_indices(&format!("/{word}")).any(|(at, _)| {
                    at >= 4 && clean.as_bytes()[at - 4..at].iter().all(u8::is_ascii_digit)
                })
        };
        terms.retain(|term| {
            !period_words.contains(&term.word)
                && !part_of_period(&term.word)
                && !other_half(&term.word)
        });
        let part =
            periods.first().filter(|_| period.is_some()).and_then(|p| part_of_year(&clean, p));
        if let Some(part) = &part {
            terms.retain(|term| !part.words.contains(&term.word));
        }
        let past = asks_for_past(&all);
        let then = then(&all).filter(|_| period.is_none());
        if let Some((_, place)) = &then {
            // When it was so is told by another figure, and need not be said in these words.
            for term in terms.iter_mut().filter(|term| all[place.clone()].contains(&term.word)) {
                (term.light, term.hard) = (true, false);
            }
        }
        let kind = match (&overview, survey) {
            (Some(_), _) => QuestionKind::Overview,
            (None, true) => QuestionKind::Survey,
            (None, false) => QuestionKind::Lookup,
        };
        // "which laptop brand": the head is the last noun before the verb.
        let head = head_of(&all, &terms);
        let future = !was_planned(&all)
            && all
                .iter()
                .any(|w| matches!(w.as_str(), "next" | "upcoming" | "will" | "forthcoming"));
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
        let subject = subject_of(&all, &terms);
        let owner = terms
            .iter()
            .filter(|term| term.hard && term.name.is_some())
            .filter(|term| {
                all.iter().position(|w| *w == term.word).is_some_and(|at| {
                    at > 0
                        && (all[at - 1] == "of"
                            || (all[at - 1] == "the" && at > 1 && all[at - 2] == "of"))
                })
            })
            .map(|term| term.word.clone())
            .collect();
        let doer = all.iter().position(|w| w == "who").is_some_and(|at| {
            all.get(at + 1).is_some_and(|next| !AUXILIARIES.contains(&next.as_str()))
        });
        let happened = all.iter().any(|w| matches!(w.as_str(), "was" | "were" | "did" | "had"));
        let measured = implied(&all).is_some_and(|name| name != "size");
        let vector = StaticEmbedder::builtin().embed_text(&lower);
        let percent = clean.contains('%') || lower.contains("percent");
        let names = capital_marks(&clean).into_iter().map(|(word, _)| word).collect();
        Self {
            text: asked,
            names,
            expects,
            kind,
            overview,
            terms,
            counted,
            period,
            months: part.map(|part| part.months),
            day,
            past,
            then: then.map(|(then, _)| then),
            forerunner: heir.is_some(),
            deontic,
            future,
            holder,
            head,
            percent,
            subject,
            owner,
            doer,
            happened,
            recipient: all.iter().any(|w| w == "whom"),
            measured,
            steps,
            verse,
            vector,
        }
    }

    /// Whether a unit, its headings or its document tell of the day that is asked about, if one is.
    pub(crate) fn day_is_in(&self, unit: &EvidenceUnit<'_>) -> bool {
        let Some((month, day)) = self.day else { return true };
        let is_that_day = |date: PartialDate| {
            date.precision == DatePrecision::Day && (date.month, date.day) == (month, day)
        };
        let said = |text: &str| day_without_year(&text.to_lowercase()) == Some((month, day));
        let source = &unit.read.source;
        unit.periods.iter().any(|period| is_that_day(period.value))
            || said(unit.text)
            || source.date.as_ref().is_some_and(|date| is_that_day(date.value))
            || unit.read.passage.heading_path.iter().chain([&source.title]).any(|text| said(text))
    }

    /// Names as the user wrote them, for thoughts and queries.
    pub(crate) fn hard_words(&self) -> Vec<&str> {
        self.terms.iter().filter(|term| term.hard).map(|term| term.word.as_str()).collect()
    }
}

/// "Who is Ann Lee?": what she is, is asked for, and no other name.
fn asks_who_somebody_is(all: &[String], terms: &[Term]) -> bool {
    let [who, aux, name @ ..] = all else { return false };
    who == "who"
        && matches!(aux.as_str(), "is" | "was")
        && !name.is_empty()
        && name.iter().all(|word| {
            terms.iter().any(|term| term.word == *word && term.hard && term.name.is_some())
        })
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
    // And where the documents call their subject so, the rest says nothing more than the subject does.
    let is_full_name = |name: usize| {
        let of_it = |(_, other): &&(String, usize)| *other == name;
        let asked: Vec<&String> = marks.iter().filter(of_it).map(|(word, _)| word).collect();
        subjects.iter().skip(1).map(|subject| words(subject)).any(|full| {
            full.starts_with(&subject_words) && asked.iter().all(|word| full.contains(word))
        })
    };
    let full_names: Vec<usize> =
        subject_names.iter().copied().filter(|name| is_full_name(*name)).collect();
    // "Veltrix Foundation" is somebody else's name where the documents call theirs "Veltrix Dynamics"; "the Veltrix Travel Policy"
    // is a thing of theirs.
    let is_known_in_full =
        subjects.iter().skip(1).any(|subject| words(subject).starts_with(&subject_words));
    let is_another = |name: usize| {
        let mut of_it = marks.iter().filter(|(_, other)| *other == name);
        is_known_in_full && !full_names.contains(&name) && of_it.any(|(word, _)| is_body(word))
    };
    let classes = classes(rewritten);
    let mut terms: Vec<Term> = Vec::new();
    let all = words(rewritten);
    for (place, word) in all.iter().cloned().enumerate() {
        // "free will", "the last may": at the end of a phrase an auxiliary is a noun.
        let noun_auxiliary = word == "will"
            && place > 1
            && !is_stop_word(&all[place - 1])
            && all.get(place + 1).is_none_or(|next| {
                matches!(next.as_str(), "of" | "and" | "in" | "or" | "according" | "for")
            });
        if noun_auxiliary {
            terms.push(Term {
                hard: false,
                light: false,
                name: None,
                class: Class::Noun,
                narrows: false,
                beside_next: false,
                alias: false,
                stem: stem(&word),
                word,
            });
            continue;
        }
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
            hard: !is_calendar_word(word.strip_suffix('s').unwrap_or(&word))
                && (mark
                    .is_some_and(|(_, name)| !subject_names.contains(name) || is_another(*name))
                    || digit)
                && !subject,
            light: subject
                || mark.is_some_and(|(_, name)| full_names.contains(name))
                || is_recency(&word)
                || (is_light(&word) && mark.is_none() && !is_joined(original, &word)),
            name: mark
                .map(|(_, name)| *name)
                .filter(|name| !subject_names.contains(name) || is_another(*name)),
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
        let next_is_code = beside
            && next.hard
            && next.word.contains(|c: char| c.is_ascii_digit())
            && next.word.contains(char::is_alphabetic);
        // "Fridge F6": the code is the name, what kind of thing it is need not be said again. So it is with the make of a model
        // that bears a longer code ("Mistral M65"), though a document may speak of one of two by the code alone.
        let long_code = next_is_code
            && next.word.chars().filter(char::is_ascii_digit).count() >= 2
            && terms[at].hard
            && terms[at].name.is_some()
            && terms[at].name == next.name;
        terms[at].beside_next = beside;
        terms[at].narrows = beside && noun && terms[at].class == Class::Noun;
        if next_is_code && terms[at].class == Class::Noun && !terms[at].hard || long_code {
            (terms[at].light, terms[at].hard) = (true, false);
            terms[at].narrows = false;
        }
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
    // "how much memory": the noun right after it.
    if let Some(much) = all.windows(2).position(|pair| pair[0] == "how" && pair[1] == "much") {
        let noun = all.get(much + 2)?;
        return terms.iter().position(|term| {
            term.word == *noun && term.class == Class::Noun && !term.light && !term.hard
        });
    }
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

/// Names that follow the auxiliary of a question.
fn subject_of(all: &[String], terms: &[Term]) -> Vec<String> {
    let Some(at) = all.iter().position(|word| AUXILIARIES.contains(&word.as_str())) else {
        return Vec::new();
    };
    all[at + 1..]
        .iter()
        .skip_while(|word| *word == "the")
        .take_while(|word| {
            *word == "of" || terms.iter().any(|t| t.word == **word && t.hard && t.name.is_some())
        })
        .filter(|word| *word != "of")
        .cloned()
        .collect()
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
    // Two of them are verbs as well.
    (MONTHS.contains(&word) && !matches!(word, "march" | "may")) || WEEKDAYS.contains(&word)
}

/// The part of speech of every word of a lower-case text.
pub(super) fn classes(text: &str) -> Vec<(String, Class)> {
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
        assert_eq!(
            split("Who founded Acme and when, and does the company plan an IPO?"),
            ["Who founded Acme?", "When was Acme founded?", "Does the company plan an IPO?"]
        );
        assert_eq!(split("What is the boiling point and is it measured weekly?").len(), 2);
        assert_eq!(
            split("How many divers are there and where do they sit?")[1],
            "Where do divers sit?"
        );
        assert_eq!(split("What does the policy cover and is excluded from it?").len(), 1);
        assert_eq!(split("When a robot fails, who is called?").len(), 1);
        assert_eq!(split("Do sales and marketing share an office?").len(), 1);
    }

    #[test]
    fn knows_what_is_asked_for() {
        assert_eq!(ask("What is the list price of the VLX-500?").expects, Expects::Money);
        assert_eq!(ask("What is Ann Reed paid for the lessons?").expects, Expects::Money);
        assert_ne!(ask("What is Ann Reed paid for?").expects, Expects::Money);
        assert_ne!(ask("What is the date the deposit was paid?").expects, Expects::Money);
        assert_ne!(ask("What is the bank that wages are paid into?").expects, Expects::Money);
        assert_eq!(ask("Who is the CTO of Veltrix?").expects, Expects::Person);
        assert_eq!(ask("Who approves a discount?").expects, Expects::Agent);
        assert_eq!(
            ask("How many customer sites are there in Japan?").counted.as_deref(),
            Some("site")
        );
        assert_eq!(ask("How many days of leave do staff get?").expects, Expects::Duration);
        assert_eq!(ask("On which days is the pool open?").expects, Expects::Date);
        assert_eq!(ask("Why did the drift occur?").expects, Expects::Reason);
        assert_eq!(ask("Is EU data residency available?").expects, Expects::YesNo);
        assert_eq!(ask("Which company led the Series B?").expects, Expects::Organisation);
        assert_eq!(
            ask("Did the early church believe Jesus was divine?").kind,
            QuestionKind::Survey
        );
        assert_eq!(ask("Summarise the lease").kind, QuestionKind::Overview);
    }

    #[test]
    fn time_is_read_off_the_question() {
        assert_eq!(ask("How fast must customers be told of an outage?").expects, Expects::Duration);
        assert_eq!(ask("How fast does the tide run?").expects, Expects::Quantity);
        let planned = ask("When was the next round to be closed?");
        assert!(planned.past && !planned.future, "it asks for what was planned then");
        assert!(ask("How long were the proceeds expected to last?").past);
        assert!(ask("When will the next round be closed?").future);
        let half = ask("Which office was approved in mid-2024?");
        assert!(half.period.is_some());
        assert!(half.terms.iter().all(|term| !term.word.contains("2024")), "{:?}", half.terms);
    }

    #[test]
    fn names_are_hard_and_the_subject_is_not() {
        let question = ask("What did Naptha AI's last funding round value Veltrix at?");
        assert_eq!(question.hard_words(), ["naptha", "ai"]);
        assert!(ask("What was revenue in Q3 2025?").period.is_some());
        assert!(ask("What was revenue in Q3 2025?").terms.iter().all(|t| !t.word.contains("2025")));
    }
}
