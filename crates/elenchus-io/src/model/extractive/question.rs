//! What a question asks for: its parts, the kind of value that answers it, and the terms that must bind.

use super::lexicon::{is_holder, is_light, is_recency, is_view_verb, rewrite_phrases};
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
    /// Asks what must or may be.
    pub(crate) deontic: bool,
    /// The question embedded.
    pub(crate) vector: Vec<f32>,
}

const AUXILIARIES: [&str; 20] = [
    "is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "can", "could", "will",
    "would", "should", "may", "must", "might", "shall", "am",
];

/// Words that begin a question clause.
const WH: [&str; 9] = ["what", "which", "who", "whom", "whose", "when", "where", "why", "how"];

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
        let noun = counted_noun(&all);
        if noun.as_deref().is_some_and(is_duration_noun) {
            expects = Expects::Duration;
        }
        let counted = noun.map(|noun| stem(&noun));
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
        Self { expects, kind, terms, counted, period, past, deontic, vector }
    }

    /// Names as the user wrote them, for thoughts and queries.
    pub(crate) fn hard_words(&self) -> Vec<&str> {
        self.terms.iter().filter(|term| term.hard).map(|term| term.word.as_str()).collect()
    }
}

/// "how many customer sites does": the noun is the last word before a verb, name or preposition.
fn counted_noun(all: &[String]) -> Option<String> {
    let at = all.iter().position(|w| w == "many").filter(|at| *at > 0 && all[at - 1] == "how")?;
    if all.get(at + 1).is_some_and(|first| is_duration_noun(first)) {
        return all.get(at + 1).cloned();
    }
    all[at + 1..]
        .iter()
        .take_while(|w| !is_stop_word(w) && !is_count_end(w))
        .take(4)
        .last()
        .cloned()
}

fn is_count_end(word: &str) -> bool {
    AUXILIARIES.contains(&word)
        || matches!(
            word,
            "get"
                | "gets"
                | "per"
                | "work"
                | "works"
                | "take"
                | "takes"
                | "make"
                | "makes"
                | "remain"
                | "remained"
                | "exist"
                | "need"
                | "needs"
                | "use"
                | "uses"
                | "run"
                | "runs"
                | "hold"
                | "holds"
                | "took"
                | "employ"
                | "employs"
                | "sit"
                | "came"
                | "live"
                | "lives"
                | "affected"
                | "reviewed"
                | "counted"
                | "seen"
                | "recorded"
                | "went"
                | "worked"
                | "left"
                | "joined"
                | "participate"
                | "participated"
                | "deployed"
                | "employed"
        )
}

fn is_duration_noun(word: &str) -> bool {
    matches!(
        word,
        "hours"
            | "minutes"
            | "seconds"
            | "weeks"
            | "days"
            | "months"
            | "years"
            | "nights"
            | "quarters"
    )
}

/// Nouns for parties that are not people.
const ORGANISATION_NOUNS: &[&str] = &[
    "investor",
    "investors",
    "supplier",
    "suppliers",
    "vendor",
    "vendors",
    "customer",
    "customers",
    "partner",
    "partners",
    "manufacturer",
    "competitor",
    "competitors",
    "sponsor",
    "insurer",
    "lender",
    "contractor",
    "client",
    "clients",
    "company",
    "rivals",
    "rival",
    "backer",
    "backers",
    "operator",
    "firm",
    "owner",
    "integrator",
];

/// The value kind asked for.
fn expects(all: &[String], lower: &str) -> Expects {
    let first = all.first().map_or("", String::as_str);
    let has = |list: &[&str]| all.iter().any(|word| list.contains(&word.as_str()));
    let after = |word: &str| {
        all.iter().position(|w| w == word).and_then(|at| all.get(at + 1)).map_or("", String::as_str)
    };
    let wh_at = all.iter().position(|w| WH.contains(&w.as_str()));
    if AUXILIARIES.contains(&first) && wh_at.is_none_or(|at| at > 3) {
        return Expects::YesNo;
    }
    // The words right after the question word name what is asked for.
    let head: Vec<&str> = wh_at.map_or_else(
        || all.iter().take(8).map(String::as_str).collect(),
        |at| all[at..].iter().take(9).map(String::as_str).collect(),
    );
    let head_has = |list: &[&str]| head.iter().any(|word| list.contains(word));
    let wh = head.first().copied().unwrap_or("");
    match wh {
        "why" => return Expects::Reason,
        "when" => return Expects::Date,
        "where" => return Expects::Place,
        "who" | "whom" | "whose" => {
            // "who is the CTO": a name; "who approves": whoever acts.
            return if has(ORGANISATION_NOUNS)
                && !has(&["director", "manager", "ceo", "head", "chair", "officer", "president"])
            {
                Expects::Agent
            } else if matches!(after(wh), "is" | "was" | "are" | "were")
                && !lower.contains("responsible")
                && !lower.contains("allowed")
                && !lower.contains("eligible")
                && !lower.contains(" required")
                && !lower.contains("paged")
                && !lower.contains("exempt")
            {
                Expects::Person
            } else {
                Expects::Agent
            };
        }
        "how" => {
            let next = head.get(1).copied().unwrap_or("");
            return match next {
                "many" => Expects::Count,
                "much" => match head.get(2).copied().unwrap_or("") {
                    "time" | "notice" => Expects::Duration,
                    "memory" | "ram" | "storage" | "power" | "weight" | "energy"
                    | "electricity" | "faster" | "heavier" | "longer" | "more" | "higher"
                    | "less" | "lower" | "space" | "water" => Expects::Quantity,
                    _ if has(&["percent", "percentage", "share"]) => Expects::Percent,
                    _ if head_has(&[
                        "grow",
                        "grew",
                        "increase",
                        "increased",
                        "improve",
                        "improved",
                        "fall",
                        "fell",
                        "rise",
                        "rose",
                        "drop",
                        "dropped",
                        "decline",
                        "declined",
                        "carry",
                        "lift",
                        "weigh",
                        "ram",
                        "memory",
                        "gain",
                        "change",
                        "changed",
                    ]) =>
                    {
                        Expects::Quantity
                    }
                    _ if head_has(&[
                        "cost", "costs", "price", "charge", "pay", "paid", "raise", "raised",
                        "spend", "spent", "money", "cash", "revenue", "worth", "budget", "earn",
                        "invest", "invested", "bring", "sell", "sells", "owe", "owes", "owed",
                        "debt", "borrow", "lend", "lent", "grant", "granted", "grants", "donate",
                        "donated", "award", "awarded", "fund",
                    ]) =>
                    {
                        Expects::Money
                    }
                    _ => Expects::Quantity,
                },
                "long" if matches!(head.get(2).copied(), Some("is" | "are" | "was" | "were")) => {
                    Expects::Extent
                }
                "long" | "quickly" | "soon" => Expects::Duration,
                "old" | "far" | "fast" | "big" | "large" | "heavy" | "tall" | "wide" | "deep"
                | "high" | "cold" | "hot" | "strong" | "loud" | "small" | "low" => {
                    Expects::Quantity
                }
                "often" | "frequently" => Expects::Any,
                _ => Expects::Any,
            };
        }
        _ => {}
    }
    let asks_price = matches!(wh, "what")
        && all.last().is_some_and(|w| matches!(w.as_str(), "cost" | "costs" | "charge"));
    if asks_price {
        return Expects::Money;
    }
    if lower.contains("root cause") || head_has(&["reason", "reasons", "caused", "cause", "causes"])
    {
        return Expects::Reason;
    }
    if matches!(wh, "what" | "which" | "") {
        // What stands next to the question word, up to the verb, is the head: "which supplier", "what share of".
        let direct: Vec<&str> =
            head.iter().skip(1).copied().take_while(|w| !AUXILIARIES.contains(w)).collect();
        let full: Vec<&str> = if direct.is_empty() || wh.is_empty() {
            head.iter().skip(1).copied().filter(|w| !AUXILIARIES.contains(w)).collect()
        } else {
            direct
        };
        return by_head(&full, all, lower);
    }
    Expects::Any
}

fn by_head(head: &[&str], all: &[String], lower: &str) -> Expects {
    let near = |list: &[&str]| head.iter().take(6).any(|word| list.contains(word));
    let is_target_of_money = || {
        near(&[
            "price",
            "cost",
            "costs",
            "revenue",
            "arr",
            "valuation",
            "funding",
            "budget",
            "fee",
            "salary",
            "cash",
            "valued",
            "worth",
            "value",
            "msrp",
            "wage",
            "bom",
            "turnover",
            "capex",
            "payment",
            "compensation",
            "charge",
            "rent",
            "grant",
            "expenditure",
            "spend",
            "prize",
            "proceeds",
        ])
    };
    if near(&[
        "percentage",
        "percent",
        "proportion",
        "fraction",
        "margin",
        "availability",
        "uptime",
        "growth",
    ]) || ["share of", "slice of", "portion of", "chunk of"]
        .iter()
        .any(|phrase| lower.contains(phrase))
        || (near(&["rate"]) && !near(&["rates"]))
    {
        return if near(&["rate"]) && !lower.contains('%') {
            Expects::Quantity
        } else {
            Expects::Percent
        };
    }
    if near(&["name"])
        && all.iter().any(|word| super::lexicon::is_role(word))
        && !has_organisation(all)
    {
        return Expects::Person;
    }
    let dated = head.iter().take(3).enumerate().any(|(at, word)| {
        matches!(*word, "date" | "year" | "month" | "quarter" | "deadline" | "day" | "weekday")
            && !(at > 0 && matches!(head[at - 1], "each" | "every" | "per" | "a"))
    });
    if dated && !near(&["revenue", "price", "reported", "total"]) {
        return Expects::Date;
    }
    if near(&["time", "hours", "clock"]) && !near(&["long", "lead", "mean"]) {
        return Expects::Quantity;
    }
    if near(&[
        "lead",
        "duration",
        "period",
        "length",
        "retention",
        "runway",
        "mtbf",
        "interval",
        "lifetime",
        "timeline",
        "age",
    ]) && (near(&[
        "time",
        "duration",
        "period",
        "length",
        "retention",
        "mtbf",
        "interval",
        "lifetime",
    ])) {
        return Expects::Quantity;
    }
    let first_two = |list: &[&str]| head.iter().take(2).any(|word| list.contains(word));
    if first_two(&[
        "company",
        "supplier",
        "vendor",
        "investor",
        "firm",
        "organisation",
        "organization",
        "manufacturer",
        "competitor",
        "customer",
        "agency",
        "bank",
        "institution",
        "city",
        "country",
        "product",
        "system",
        "standard",
        "protocol",
        "certification",
        "office",
        "website",
        "tool",
        "software",
        "technology",
        "team",
        "person",
        "module",
        "fair",
        "event",
        "language",
    ]) && !plural_head(head)
    {
        return if first_two(&["city", "country", "office"]) {
            Expects::Place
        } else if first_two(&[
            "company",
            "supplier",
            "vendor",
            "investor",
            "firm",
            "manufacturer",
            "competitor",
            "customer",
            "agency",
            "bank",
            "organisation",
            "organization",
        ]) {
            Expects::Organisation
        } else {
            Expects::Name
        };
    }
    if is_target_of_money()
        && !near(&["factor", "driver", "drivers", "committee", "proposition", "policy"])
    {
        return Expects::Money;
    }
    if near(&["number", "count", "headcount", "total", "quantity"]) {
        return Expects::Quantity;
    }
    if near(&[
        "payload",
        "speed",
        "temperature",
        "weight",
        "capacity",
        "rating",
        "range",
        "distance",
        "depth",
        "height",
        "width",
        "size",
        "area",
        "voltage",
        "frequency",
        "cap",
        "limit",
        "allowance",
        "maximum",
        "minimum",
        "mtbf",
        "density",
        "battery",
        "picks",
        "ram",
        "memory",
        "power",
        "output",
    ]) {
        return Expects::Quantity;
    }
    if plural_head(head) && !all.is_empty() {
        return Expects::List;
    }
    Expects::Any
}

fn has_organisation(all: &[String]) -> bool {
    all.iter().any(|word| ORGANISATION_NOUNS.contains(&word.as_str()))
}

fn plural_head(head: &[&str]) -> bool {
    const LISTS: [&str; 40] = [
        "priorities",
        "risks",
        "steps",
        "features",
        "reasons",
        "levels",
        "offices",
        "locations",
        "cities",
        "countries",
        "products",
        "investors",
        "competitors",
        "suppliers",
        "topics",
        "items",
        "rules",
        "requirements",
        "redlines",
        "phases",
        "stages",
        "benefits",
        "colors",
        "colours",
        "events",
        "rounds",
        "lines",
        "streams",
        "improvements",
        "highlights",
        "sites",
        "names",
        "companies",
        "modules",
        "changes",
        "weeks",
        "tasks",
        "threats",
        "findings",
        "recommendations",
    ];
    head.iter().any(|word| LISTS.contains(word))
}

fn is_survey(all: &[String], expects: Expects) -> bool {
    let has_view = all.iter().any(|word| is_view_verb(word));
    let has_holder = all.iter().any(|word| is_holder(word));
    let overview = all.iter().any(|w| {
        matches!(
            w.as_str(),
            "views"
                | "opinions"
                | "overview"
                | "summarise"
                | "summarize"
                | "summary"
                | "perspectives"
                | "attitudes"
                | "arguments"
                | "debate"
        )
    }) || all.windows(2).any(|w| w[0] == "tell" && w[1] == "me");
    let open = matches!(expects, Expects::YesNo | Expects::Any | Expects::List | Expects::Reason);
    open && ((has_view && has_holder) || overview)
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
            hard: (mark.is_some_and(|(_, name)| !subject_names.contains(name)) || digit)
                && !subject,
            light: subject || is_recency(&word) || (is_light(&word) && mark.is_none()),
            name: mark.map(|(_, name)| *name).filter(|name| !subject_names.contains(name)),
            class: classes
                .iter()
                .find(|(tagged, _)| *tagged == word)
                .map_or(Class::Noun, |(_, class)| *class),
            narrows: false,
            alias: false,
            word,
            stem,
        });
    }
    let order = words(rewritten);
    for at in 0..terms.len() {
        let next = terms.get(at + 1);
        let adjacent = next.is_some_and(|next| {
            order.windows(2).any(|pair| pair[0] == terms[at].word && pair[1] == next.word)
                && next.class == Class::Noun
        });
        terms[at].narrows = adjacent && terms[at].class == Class::Noun;
    }
    // A question of light words only is about them.
    if terms.iter().all(|term| term.light && !term.hard) {
        for term in &mut terms {
            term.light = is_recency(&term.word);
        }
    }
    terms
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

/// Lower-case words that the question writes as names, each with the number of its name.
fn capital_marks(original: &str) -> Vec<(String, usize)> {
    let mut marks = Vec::new();
    let mut name = 0;
    let mut open = false;
    let tokens: Vec<&str> = original.split_whitespace().collect();
    // "WHAT IS THE PRICE": capitals carry nothing.
    let shouting = tokens.iter().all(|t| t.chars().all(|c| !c.is_lowercase()));
    for (at, raw) in tokens.iter().enumerate() {
        let token = raw.trim_matches(|c: char| !c.is_alphanumeric());
        let bare = token.trim_end_matches("'s").trim_end_matches("’s");
        let lower = bare.to_lowercase();
        let capital = bare.chars().next().is_some_and(char::is_uppercase);
        let first = at == 0 || raw_ends_sentence(tokens[at - 1]);
        let inner_capital = bare.chars().skip(1).any(char::is_uppercase);
        let is_name = !shouting
            && capital
            && !(is_stop_word(&lower) && bare.chars().count() > 1 && !inner_capital)
            && lower != "i"
            && (!first
                || inner_capital
                || (!is_light(&lower)
                    && !WH.contains(&lower.as_str())
                    && !AUXILIARIES.contains(&lower.as_str())
                    && !is_imperative(&lower)));
        let digits = bare.chars().any(|c| c.is_ascii_digit());
        if is_name || (digits && open) {
            if !open {
                name += 1;
                open = true;
            }
            for word in words(bare) {
                marks.push((word, name));
            }
        } else {
            open = false;
        }
        if raw.ends_with([',', '?', '.', ';', ':']) || raw.ends_with("'s") || raw.ends_with("’s")
        {
            open = false;
        }
    }
    marks
}

fn raw_ends_sentence(token: &str) -> bool {
    token.ends_with(['.', '?', '!', ':'])
}

fn is_imperative(word: &str) -> bool {
    matches!(
        word,
        "list"
            | "name"
            | "give"
            | "tell"
            | "summarize"
            | "summarise"
            | "compare"
            | "explain"
            | "describe"
            | "find"
            | "show"
            | "state"
            | "according"
            | "identify"
            | "please"
            | "under"
            | "for"
            | "by"
            | "since"
            | "roughly"
            | "during"
            | "after"
            | "before"
            | "besides"
    )
}

/// Splits a question into parts that can be answered apart. Each part stands alone.
pub(crate) fn split(text: &str) -> Vec<String> {
    let clean = squeeze(text);
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
    let subject = parts.first().map(|first| main_name(first)).unwrap_or_default();
    let counted = parts
        .first()
        .and_then(|first| counted_noun(&words(&first.to_lowercase())))
        .unwrap_or_default();
    parts
        .iter()
        .enumerate()
        .map(
            |(at, part)| {
                if at == 0 { part.clone() } else { resolve_pronouns(part, &subject, &counted) }
            },
        )
        .collect()
}

/// "Who is the CEO and when was the company founded?" is two questions; so is "What are the payload and top speed of X?".
fn split_clauses(sentence: &str) -> Vec<String> {
    let body = sentence.trim_end_matches('?').trim();
    let tokens: Vec<&str> = body.split(' ').collect();
    for at in 1..tokens.len().saturating_sub(2) {
        let joint = tokens[at].eq_ignore_ascii_case("and") || tokens[at].eq_ignore_ascii_case("or");
        if !joint {
            continue;
        }
        let next = tokens[at + 1].to_lowercase();
        let preposition =
            matches!(next.as_str(), "in" | "by" | "at" | "for" | "on" | "with" | "from" | "to")
                && tokens.get(at + 2).is_some_and(|w| WH.contains(&w.to_lowercase().as_str()));
        let wh = WH.contains(&next.as_str()) || preposition;
        let aux = AUXILIARIES.contains(&next.as_str())
            && AUXILIARIES.contains(&tokens[0].to_lowercase().as_str());
        if wh || aux {
            let first = tokens[..at].join(" ").trim_end_matches(',').to_owned();
            let mut second = capitalise(&tokens[at + 1..].join(" "));
            // "what does it cost and why" leaves nothing to ask the second time: keep it whole.
            if words(&second).iter().filter(|w| !is_stop_word(w)).count() == 0 {
                continue;
            }
            if !second.ends_with('?') {
                second.push('?');
            }
            let mut parts = vec![format!("{first}?")];
            parts.extend(split_clauses(&second));
            return parts;
        }
    }
    if let Some(parts) = split_heads(&tokens) {
        return parts;
    }
    vec![sentence.to_owned()]
}

/// "what are the A and B of C": one question for A and one for B.
fn split_heads(tokens: &[&str]) -> Option<Vec<String>> {
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

fn capitalise(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

/// The first name of a question, as written.
fn main_name(question: &str) -> String {
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

fn resolve_pronouns(part: &str, name: &str, counted: &str) -> String {
    part.split(' ')
        .map(|raw| {
            let token = raw.trim_end_matches(['?', ',', '.']);
            let tail = &raw[token.len()..];
            match token.to_lowercase().as_str() {
                "ones" if !counted.is_empty() => format!("{counted}{tail}"),
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
        assert_eq!(ask("Which company led the Series B?").expects, Expects::Name);
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
