//! What kind of value a question asks for, from its question word and the words next to it.

use super::house::ORGANISATION_NOUNS;
use super::lexicon::{is_holder, is_view_verb};
use super::question::Expects;
use elenchus_core::text::{is_stop_word, stem, words};

pub(super) const AUXILIARIES: [&str; 20] = [
    "is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "can", "could", "will",
    "would", "should", "may", "must", "might", "shall", "am",
];

/// Words that begin a question clause.
pub(super) const WH: [&str; 9] =
    ["what", "which", "who", "whom", "whose", "when", "where", "why", "how"];

/// "how many customer sites does": the noun is the last word before a verb, name or preposition.
pub(super) fn counted_noun(all: &[String]) -> Option<String> {
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

/// What a question counts, as a stem. A span of time counts nothing: "how many minutes" asks how long, and may be told in another
/// unit. A rate is told in its own.
pub(super) fn counted_thing(all: &[String]) -> Option<String> {
    counted_noun(all)
        .filter(|noun| !is_duration_noun(noun) || is_rate(all, noun))
        .map(|noun| stem(&noun))
}

/// The unit of time in which a question asks how long ("how many hours"), as a stem.
pub(super) fn asked_unit(text: &str) -> Option<String> {
    counted_noun(&words(text)).filter(|noun| is_duration_noun(noun)).map(|noun| stem(&noun))
}

/// Whether what is counted is a rate: of "how many days a week" the hours a week are no answer.
pub(super) fn is_rate(all: &[String], noun: &str) -> bool {
    all.windows(2).any(|pair| {
        pair[0] == noun && matches!(pair[1].as_str(), "a" | "an" | "per" | "each" | "every")
    })
}

pub(super) fn is_count_end(word: &str) -> bool {
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

pub(super) fn is_duration_noun(word: &str) -> bool {
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

/// Whether what is to be done is asked for, step by step: "what are the steps for X", "what do I do if X".
pub(super) fn asks_for_steps(all: &[String]) -> bool {
    let named = all
        .iter()
        .any(|word| matches!(word.as_str(), "steps" | "procedure" | "instructions" | "checklist"));
    let listing = all.first().is_some_and(|word| {
        matches!(word.as_str(), "list" | "name" | "give" | "show" | "what" | "which" | "describe")
    });
    let doing = all.windows(4).any(|four| {
        four[0] == "what"
            && matches!(four[1].as_str(), "should" | "do" | "must" | "shall" | "can" | "does")
            && matches!(four[2].as_str(), "i" | "we" | "you" | "one" | "they" | "staff")
            && four[3] == "do"
    }) || all.windows(4).any(|four| four[..4] == ["what", "is", "to", "be"]);
    let when = all
        .iter()
        .any(|word| matches!(word.as_str(), "if" | "when" | "after" | "before" | "once" | "case"));
    (named && listing) || (doing && when)
}

/// "What will it cost me if ...", "what does it cost to ...": a price is asked for before its condition or its purpose.
fn costs_somebody(all: &[String]) -> bool {
    let [_, aux, ..] = all else { return false };
    let asks = matches!(aux.as_str(), "do" | "does" | "did" | "will" | "would" | "can" | "could");
    asks && all.windows(3).any(|three| {
        let somebody = matches!(three[2].as_str(), "me" | "us" | "you" | "him" | "her" | "them");
        let purpose = matches!(three[2].as_str(), "to" | "if" | "when");
        three[1] == "cost"
            && !matches!(three[0].as_str(), "the" | "a" | "an" | "this" | "that" | "of" | "at")
            && (somebody || (purpose && three[0] == "it"))
    })
}

/// The value kind asked for.
pub(super) fn expects(all: &[String], lower: &str) -> Expects {
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
        || std::iter::once("").chain(all.iter().take(8).map(String::as_str)).collect(),
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
            if lower.starts_with("by how much") {
                return Expects::Quantity;
            }
            return match next {
                "many" => Expects::Count,
                "much" => match head.get(2).copied().unwrap_or("") {
                    "time" | "notice" => Expects::Duration,
                    "memory" | "ram" | "storage" | "power" | "weight" | "energy"
                    | "electricity" | "faster" | "heavier" | "longer" | "more" | "higher"
                    | "less" | "lower" | "space" | "water" => Expects::Quantity,
                    _ if has(&["percent", "percentage", "share"]) => Expects::Percent,
                    _ if all.last().is_some_and(|w| matches!(w.as_str(), "cost" | "costs")) => {
                        Expects::Money
                    }
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
                // "How fast must customers be told": what is done fast has no speed.
                "fast" if is_done_fast(&head) => Expects::Duration,
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
    // "On which days is the pool open?", but not "Which days of leave are paid?".
    if matches!(wh, "what" | "which")
        && matches!(head.get(1), Some(&("days" | "weekdays")))
        && head.get(2).is_some_and(|next| AUXILIARIES.contains(next))
    {
        return Expects::Date;
    }
    let asks_price = matches!(wh, "what")
        && (all.last().is_some_and(|w| matches!(w.as_str(), "cost" | "costs" | "charge"))
            || costs_somebody(all));
    if asks_price {
        return Expects::Money;
    }
    // "What is Ann paid for the lessons?", but not "What are they paid for?"
    let asks_pay = wh == "what"
        && head.get(1).is_some_and(|word| AUXILIARIES.contains(word))
        // "What is the date the deposit was paid?": a clause of its own tells of another thing.
        && head
            .iter()
            .skip(2)
            .take_while(|word| {
                !AUXILIARIES.contains(*word)
                    && !matches!(**word, "that" | "which" | "who" | "whom" | "where" | "when")
            })
            .any(|word| matches!(*word, "paid" | "earn" | "earning" | "owed"))
        && !all.last().is_some_and(|word| {
            matches!(
                word.as_str(),
                "for" | "by" | "with" | "in" | "to" | "into" | "on" | "from" | "of"
            )
        });
    if asks_pay {
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
        let direct_is_empty = direct.is_empty();
        let full: Vec<&str> = if direct_is_empty || wh.is_empty() {
            head.iter().skip(1).copied().filter(|w| !AUXILIARIES.contains(w)).collect()
        } else {
            direct
        };
        // "What do customers commit to": the noun after the auxiliary is the doer, not what is asked for.
        if direct_is_empty
            && head.get(1).is_some_and(|aux| {
                matches!(
                    *aux,
                    "do" | "does"
                        | "did"
                        | "will"
                        | "can"
                        | "could"
                        | "should"
                        | "would"
                        | "may"
                        | "must"
                        | "has"
                        | "have"
                        | "had"
                )
            })
        {
            return match by_head(&full, all, lower) {
                kind @ (Expects::Money | Expects::Date)
                    if full.last().is_some_and(|last| {
                        matches!(
                            *last,
                            "cost" | "costs" | "charge" | "pay" | "start" | "end" | "expire"
                        )
                    }) =>
                {
                    kind
                }
                _ => Expects::Any,
            };
        }
        return by_head(&full, all, lower);
    }
    Expects::Any
}

/// What has a value that is no sum of money.
const MEASURES: [&str; 14] = [
    "index",
    "ratio",
    "coefficient",
    "score",
    "parameter",
    "constant",
    "setting",
    "option",
    "variable",
    "factor",
    "key",
    "field",
    "limit",
    "threshold",
];

/// What stands before "time" where a span is meant: "lead time".
const SPANS: [&str; 16] = [
    "lead",
    "response",
    "reaction",
    "delivery",
    "waiting",
    "wait",
    "recovery",
    "turnaround",
    "processing",
    "cycle",
    "journey",
    "payback",
    "repair",
    "resolution",
    "transit",
    "handling",
];

pub(super) fn by_head(head: &[&str], all: &[String], lower: &str) -> Expects {
    let near = |list: &[&str]| head.iter().take(6).any(|word| list.contains(word));
    let is_span =
        |pair: &[&str]| SPANS.contains(&pair[0]) && matches!(pair[1], "time" | "times" | "period");
    if head.iter().take(5).copied().collect::<Vec<_>>().windows(2).any(is_span) {
        return Expects::Duration;
    }
    // "Which revenue lines": kinds of it are asked for.
    let of_kinds = head.iter().take(5).any(|word| {
        matches!(*word, "lines" | "streams" | "sources" | "models" | "categories" | "drivers")
    });
    let is_target_of_money = || {
        !of_kinds
            && near(&[
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
            // "The value of the index" is no sum of money.
            || near(&["value"]) && !near(&MEASURES)
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
        && all.iter().any(|word| super::lexicon::is_role(word) || is_kin(word))
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
    let singular = |word: &str| {
        word.strip_suffix("ies")
            .map_or_else(|| word.trim_end_matches('s').to_owned(), |stem| format!("{stem}y"))
    };
    let first_two = |list: &[&str]| {
        head.iter()
            .take(2)
            .any(|word| list.contains(word) || list.contains(&singular(word).as_str()))
    };
    if first_two(&[
        "engineer",
        "person",
        "employee",
        "researcher",
        "director",
        "manager",
        "founder",
        "scientist",
        "officer",
        "technician",
        "author",
        "member",
        "captain",
    ]) && head.first().is_some_and(|first| !plural_head(&[first]))
    {
        return Expects::Person;
    }
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
    ]) && (!plural_head(head)
        || first_two(&["customer", "investor", "supplier", "company", "vendor", "competitor"]))
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

/// Whether "how fast" asks within what time a thing is done: by a duty, or of something that does not move.
fn is_done_fast(head: &[&str]) -> bool {
    const MOVING: [&str; 24] = [
        "move", "moves", "drive", "drives", "travel", "travels", "fly", "flies", "sail", "sails",
        "swim", "swims", "spin", "spins", "turn", "turns", "flow", "flows", "climb", "climbs",
        "ride", "rides", "tide", "current",
    ];
    let moves = head.iter().any(|word| MOVING.contains(word));
    let duty = matches!(head.get(2), Some(&("must" | "should" | "shall")));
    let dealt_with = head.iter().any(|word| {
        matches!(
            *word,
            "answer"
                | "answered"
                | "respond"
                | "reply"
                | "fix"
                | "fixed"
                | "patch"
                | "patched"
                | "repair"
                | "repaired"
                | "resolve"
                | "resolved"
                | "notify"
                | "notified"
                | "told"
                | "inform"
                | "informed"
                | "deliver"
                | "delivered"
                | "refund"
                | "refunded"
                | "paid"
                | "approve"
                | "approved"
        )
    });
    !moves && (duty || dealt_with)
}

/// Words for people by their family.
pub(super) fn is_kin(word: &str) -> bool {
    matches!(
        word,
        "wife"
            | "husband"
            | "father"
            | "mother"
            | "son"
            | "daughter"
            | "brother"
            | "sister"
            | "spouse"
            | "child"
            | "uncle"
            | "aunt"
            | "cousin"
            | "grandfather"
            | "grandmother"
    )
}

pub(super) fn has_organisation(all: &[String]) -> bool {
    all.iter().any(|word| ORGANISATION_NOUNS.contains(&word.as_str()))
}

pub(super) fn plural_head(head: &[&str]) -> bool {
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

pub(super) fn is_survey(all: &[String], expects: Expects) -> bool {
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
    // "What did Irenaeus teach about ..."
    let someone = all.windows(3).any(|three| {
        matches!(three[0].as_str(), "did" | "does" | "do")
            && is_view_verb(&three[2])
            && !is_stop_word(&three[1])
    });
    open && ((has_view && has_holder) || someone || overview)
}

#[cfg(test)]
mod tests {
    use super::super::question::Question;
    use super::*;

    #[test]
    fn what_it_costs_somebody_is_a_price() {
        let of = |text: &str| Question::parse(text, &[]).expects;
        assert_eq!(of("What will it cost me if a guest breaks a window?"), Expects::Money);
        assert_eq!(of("What does it cost to hire the boat?"), Expects::Money);
        assert_eq!(of("What is the value of the boat?"), Expects::Money);
        assert_ne!(of("What is the value of the index of overlap?"), Expects::Money);
        assert!(!costs_somebody(&words("what does the cost to us include?")));
        assert!(!costs_somebody(&words("what did the tides cost the mill?")));
    }

    #[test]
    fn the_unit_of_a_rate_is_asked_for() {
        let light = |text: &str| {
            let question = Question::parse(text, &[]);
            question.terms.iter().find(|term| term.word == "days").is_some_and(|term| term.light)
        };
        assert!(light("How many days does the fair last?"));
        assert!(!light("How many days a week does the shop open?"));
    }

    #[test]
    fn a_span_of_time_counts_nothing_but_a_rate_does() {
        let of = |text: &str| {
            let question = Question::parse(text, &[]);
            (question.expects, question.counted)
        };
        let minutes = of("Within how many minutes must a bell be answered?");
        assert_eq!(minutes, (Expects::Duration, None));
        let days = of("How many working days does a refund take?");
        assert_eq!(days, (Expects::Duration, None));
        let rate = of("How many days a week does the shop open?");
        assert_eq!(rate, (Expects::Duration, Some(stem("days"))));
        assert_eq!(of("How many boats came?"), (Expects::Count, Some(stem("boats"))));
        assert_eq!(asked_unit("How many hours is the shift?"), Some(stem("hours")));
        assert_eq!(asked_unit("How many boats came?"), None);
    }
}
