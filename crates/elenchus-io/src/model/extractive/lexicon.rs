//! Words that the extractive model knows something about. Our own lists; general English, no corpus in mind.

/// Groups of words that may stand for each other when a question is matched to a sentence. Stems are compared,
/// so inflections need no entry. Words of a group are near in meaning, not equal: a match through a group
/// weighs less than the word itself.
const GROUPS: &[&[&str]] = &[
    &["favour", "favor", "recommend", "support", "endorse", "back", "prefer", "advise"],
    &["meet", "miss", "reach", "achieve", "hit", "attain", "fulfil", "fulfill"],
    &["cto", "technology", "technical"],
    &["cfo", "finance", "financial"],
    &["coo", "operations", "operational"],
    &["ceo", "executive", "boss", "chief", "head", "run", "lead"],
    &["heavy", "weight", "weigh", "mass"],
    &["standby", "on-call", "call", "duty"],
    &["rank", "class", "category", "tier", "grade"],
    &["joke", "pun", "humour", "humor", "funny"],
    &["web", "website", "online", "internet", "webpage", "page"],
    &["advertise", "advertising", "marketing", "promotion", "copy", "campaign"],
    &["town", "city", "place", "municipality"],
    &["outpost", "office", "branch", "location"],
    &["fridge", "refrigerate", "refrigerated", "chill", "cold", "frozen", "freezer"],
    &["goods", "product", "merchandise", "freight", "cargo"],
    &["warehouse", "depot", "distribution", "storehouse"],
    &["refill", "recharge", "charge", "top"],
    &["switch", "turn", "shut", "disable", "sunset"],
    &["interface", "api", "connector", "endpoint"],
    &["software", "system", "program", "application", "erp", "tool", "platform"],
    &["scheme", "program", "programme", "initiative", "plan", "project"],
    &["vouch", "reference", "endorse", "testimonial", "recommend"],
    &["companion", "buddy", "mentor", "colleague", "partner"],
    &["key", "token", "dongle"],
    &["tunnel", "vpn"],
    &["joint", "shared", "common", "together", "share"],
    &["biggest", "largest", "top", "major", "main"],
    &["smallest", "least", "minimum", "lowest"],
    &["recurring", "repeat", "subscription", "annual"],
    &["slice", "share", "portion", "part", "fraction", "percentage"],
    &["trip", "journey", "travel", "flight", "voyage"],
    &["fly", "flight", "plane", "airline"],
    &["damage", "harm", "destroy", "injury", "injure", "hurt"],
    &["begin", "start", "commence", "launch", "open", "inaugurate"],
    &["finish", "end", "complete", "completion", "conclude", "close"],
    &["delay", "late", "postpone", "slip", "postponement", "overdue"],
    &["stop", "halt", "cease", "pause", "suspend", "interrupt"],
    &["leader", "chair", "chairman", "chairwoman", "president", "head"],
    &["member", "participant", "attendee", "belong"],
    &["money", "cash", "fund", "finance", "capital"],
    &["grant", "subsidy", "aid", "funding", "award"],
    &["debt", "loan", "borrow", "credit", "mortgage"],
    &["interest", "rate", "coupon"],
    &["tax", "levy", "duty"],
    &["wage", "salary", "pay", "compensation", "remuneration"],
    &["engineer", "technician", "mechanic", "specialist"],
    &["lawyer", "attorney", "counsel", "legal", "solicitor"],
    &["weather", "storm", "wind", "gale", "climate"],
    &["sea", "ocean", "marine", "water", "seabed", "tide", "tidal"],
    &["measure", "gauge", "record", "monitor", "observe", "measurement"],
    &["sighting", "sight", "observation", "count", "spot"],
    &["breakdown", "failure", "fault", "malfunction", "crash", "outage", "downtime", "stoppage", "disruption"],
    &["price", "cost", "charge", "fee", "rate", "tariff", "pay", "expense", "pricing", "payment"],
    &["revenue", "sales", "turnover", "income", "proceeds", "earnings", "earn"],
    &["profit", "margin", "earnings", "surplus"],
    &["funding", "financing", "fundraise", "fundraising", "raise", "investment", "round", "capital"],
    &["valuation", "value", "worth", "post-money", "appraise"],
    &["investor", "backer", "shareholder", "fund", "financier", "venture"],
    &["employee", "staff", "worker", "personnel", "headcount", "workforce", "people", "colleague", "employ"],
    &["hire", "recruit", "onboard", "joiner", "newcomer", "starter", "newly"],
    &["boss", "head", "chief", "leader", "manager", "director", "lead", "run", "ceo"],
    &["founder", "co-founder", "found", "establish", "start", "create", "set", "inception", "begin"],
    &["headquarters", "headquarter", "hq", "base", "seat", "main", "office", "located", "location"],
    &["office", "location", "site", "branch", "premises"],
    &["customer", "client", "buyer", "account", "user"],
    &["supplier", "vendor", "provider", "manufacturer", "source", "supply", "maker"],
    &["competitor", "rival", "threat", "opponent", "competition", "compete"],
    &["launch", "release", "ship", "rollout", "introduce", "debut", "start", "market", "unveil", "available"],
    &["deadline", "due", "schedule", "target", "expect", "plan", "date", "timeline", "by"],
    &["target", "goal", "aim", "objective", "plan", "forecast", "projection", "aspire", "expect"],
    &["battery", "pack", "cell", "power", "charge"],
    &["lifetime", "life", "runtime", "endurance", "last", "duration"],
    &["payload", "load", "carry", "capacity", "lift", "haul"],
    &["speed", "velocity", "fast", "pace", "quick", "move"],
    &["temperature", "cold", "freeze", "frozen", "chill", "thermal", "degree"],
    &["vacation", "leave", "holiday", "pto", "time-off"],
    &["remote", "home", "hybrid", "telework", "telecommute", "anywhere", "abroad"],
    &["abroad", "country", "overseas", "foreign"],
    &["equipment", "gear", "hardware", "device", "laptop", "kit"],
    &["laptop", "computer", "machine", "notebook", "pc"],
    &["memory", "ram"],
    &["spare", "loaner", "replacement", "loan", "temporary", "borrow"],
    &["hotel", "lodging", "accommodation", "overnight", "night", "stay"],
    &["flight", "fly", "plane", "air", "airline", "flying"],
    &["reimburse", "expense", "claim", "refund", "file", "submit"],
    &["limit", "cap", "maximum", "max", "ceiling", "allowance", "budget", "allow"],
    &["minimum", "least", "floor"],
    &["approve", "approval", "authorise", "authorize", "sign-off", "signoff", "permission", "sign", "consent", "permit"],
    &["discount", "rebate", "reduction", "markdown", "price-cut"],
    &["contract", "agreement", "deal", "terms", "subscription"],
    &["term", "duration", "length", "period", "long"],
    &["renew", "renewal", "extend", "extension"],
    &["subscription", "raas", "monthly", "rental", "rent", "service", "lease"],
    &["incident", "outage", "event", "accident", "disruption", "problem", "trouble"],
    &["cause", "reason", "because", "due", "root", "trigger", "lead", "blame", "responsible", "explain", "why"],
    &["fix", "resolve", "repair", "mend", "solve", "rollback", "remedy", "correct", "revert"],
    &["risk", "danger", "threat", "hazard", "concern", "worry"],
    &["bug", "defect", "error", "fault", "flaw", "regression"],
    &["store", "keep", "retain", "retention", "archive", "hold", "save", "storage", "preserve", "stored"],
    &["delete", "remove", "erase", "purge"],
    &["notify", "notice", "inform", "tell", "warn", "alert", "announce", "communicate", "communication", "comms"],
    &["review", "audit", "check", "inspect", "inspection", "assess", "assessment", "examine", "examination"],
    &["disable", "deactivate", "revoke", "close", "switch", "shut", "suspend"],
    &["account", "login", "user"],
    &["certification", "certificate", "certify", "accreditation", "standard", "approval", "licence", "license"],
    &["standard", "norm", "specification", "protocol", "interface"],
    &["training", "course", "induction", "instruction", "train", "teach"],
    &["mandatory", "required", "compulsory", "obligatory", "must", "require", "need"],
    &["colour", "color", "hue", "shade"],
    &["font", "typeface", "typography", "lettering", "set"],
    &["logo", "wordmark", "emblem", "glyph", "mark", "brand"],
    &["booth", "stand", "stall", "exhibit", "exhibition"],
    &["trade-show", "fair", "event", "exhibition", "conference", "show", "expo"],
    &["meeting", "session", "call", "board", "gathering"],
    &["expand", "expansion", "grow", "growth", "enlarge", "extend", "entry", "enter"],
    &["increase", "grow", "growth", "rise", "gain", "climb", "up", "improve", "jump", "improvement", "faster", "boost"],
    &["decrease", "fall", "decline", "drop", "reduce", "down", "shrink", "cut", "reduction", "lower"],
    &["share", "portion", "percentage", "percent", "fraction", "part", "proportion", "ratio", "concentration"],
    &["success", "win", "won", "victory"],
    &["tender", "rfp", "bid", "proposal"],
    &["delivery", "shipment", "lead-time", "ship", "arrive", "deliver"],
    &["wait", "lead", "delay", "await"],
    &["component", "part", "bom", "material", "module"],
    &["build", "make", "produce", "manufacture", "assemble", "construct", "design", "develop"],
    &["robot", "unit", "machine", "amr", "vehicle", "fleet"],
    &["deploy", "install", "operate", "field", "run", "active", "service", "commission"],
    &["availability", "uptime", "reliability", "available", "up"],
    &["floor", "storey", "story", "level", "elevator", "lift"],
    &["simulation", "simulate", "simulator", "model"],
    &["node", "server", "computer", "machine"],
    &["book", "reserve", "schedule", "reservation", "booking"],
    &["night", "nightly", "overnight"],
    &["severity", "sev", "priority", "urgency", "level"],
    &["post-mortem", "postmortem", "retrospective", "debrief", "analysis"],
    &["handover", "hand", "shift", "transfer", "pass"],
    &["escalate", "escalation", "forward"],
    &["migrate", "migration", "move", "switch", "transition", "cutover", "replace", "changeover"],
    &["contractor", "freelancer", "temp", "temporary", "external"],
    &["mentor", "buddy", "partner", "pair"],
    &["probation", "trial", "probationary"],
    &["badge", "card", "pass"],
    &["vest", "clothing", "jacket", "wear", "gear"],
    &["pedestrian", "walkway", "walk", "foot"],
    &["vpn", "network", "tunnel", "connection"],
    &["encrypt", "encryption", "security", "secure"],
    &["lock", "screen-lock", "timeout"],
    &["deprecate", "sunset", "retire", "discontinue", "end", "shut", "obsolete"],
    &["beta", "preview", "pilot", "trial", "test"],
    &["partner", "integrator", "ally", "collaborator"],
    &["acquire", "acquisition", "m&a", "buy", "takeover", "purchase", "merger"],
    &["cash", "money", "liquidity", "runway", "bank"],
    &["breakeven", "break-even", "profitable", "profitability"],
    &["industry", "sector", "segment", "market", "vertical"],
    &["study", "research", "survey", "investigation", "trial", "report"],
    &["finding", "result", "outcome", "conclusion", "conclude", "find"],
    &["author", "writer", "write", "wrote", "prepare"],
    &["opinion", "view", "belief", "believe", "think", "hold", "consider", "regard", "stance", "position"],
    &["doctor", "physician", "clinician"],
    &["illness", "disease", "sickness", "condition"],
    &["medicine", "drug", "medication", "treatment", "therapy"],
    &["death", "die", "mortality", "fatality", "dead", "kill"],
    &["law", "legislation", "statute", "regulation", "act", "rule"],
    &["kid", "child", "children", "infant", "youth"],
    &["jesus", "christ", "messiah", "saviour", "savior"],
    &["divine", "god", "deity", "godhead", "divinity", "godly"],
    &["holy", "sacred", "sanctify", "saint"],
    &["church", "congregation", "christian", "parish"],
    &["scripture", "bible", "gospel", "writ"],
    &["ship", "vessel", "boat"],
    &["harbour", "harbor", "port", "quay", "dock", "pier"],
    &["turbine", "rotor", "generator", "device", "machine"],
    &["cable", "line", "wire", "cord"],
    &["power", "electricity", "energy", "output", "capacity", "generation"],
    &["porpoise", "dolphin", "whale", "cetacean", "mammal"],
    &["fish", "fishing", "fisher", "fisherman", "fishery"],
    &["compensation", "compensate", "payment", "payout", "pay", "reimbursement"],
    &["neighbour", "neighbor", "resident", "local", "community"],
    &["noise", "sound", "acoustic", "loud"],
    &["permit", "licence", "license", "consent", "permission", "lease"],
    &["owner", "own", "ownership", "belong", "responsible", "charge"],
    &["school", "pupil", "student", "class", "education"],
    &["insurance", "insurer", "insure", "cover", "coverage", "underwriter"],
    &["depth", "deep", "depth"],
    &["height", "tall", "high"],
    &["width", "wide", "broad", "diameter"],
    &["distance", "far", "length", "kilometre", "mile"],
    &["size", "big", "large", "area", "dimension"],
    &["name", "call", "title", "entitle"],
    &["person", "individual", "people", "someone"],
    &["rule", "policy", "guideline", "requirement", "regulation"],
    &["frequency", "often", "interval", "regular", "every"],
    &["benefit", "advantage", "gain", "perk", "reward", "return"],
    &["obligation", "commit", "commitment", "duty", "promise", "oblige", "agree"],
    &["feature", "capability", "function", "support"],
    &["sensor", "lidar", "perception", "camera", "detector"],
    &["differ", "difference", "versus", "compare", "comparison", "against"],
    &["publish", "public", "disclose", "reveal", "post"],
    &["first", "initial", "earliest", "original"],
    &["worker", "labour", "labor", "crew", "team"],
    &["team", "group", "department", "unit", "crew", "division"],
    &["picks", "pick", "picking", "throughput", "productivity"],
    &["region", "area", "territory", "zone", "geography"],
    &["america", "us", "usa", "american"],
    &["europe", "eu", "european"],
    &["vp", "vice-president"],
    &["telemetry", "data", "information", "record", "records"],
    &["processor", "sub-processor", "subcontractor"],
    &["guest", "visitor"],
    &["party", "celebration", "social", "team-building", "outing"],
    &["entertain", "entertainment", "dinner", "meal", "hospitality"],
    &["yearly", "annual", "annually", "year"],
    &["monthly", "month"],
    &["quarterly", "quarter"],
    &["daily", "day"],
    &["weekly", "week"],
];

/// Phrases that mean one word. Applied to the lower-case question before it is cut into words.
const PHRASES: &[(&str, &str)] = &[
    ("bring in", "raise"),
    ("brought in", "raise"),
    ("bringing in", "raise"),
    ("take home", "earn"),
    ("in charge of", "lead"),
    ("set up", "found"),
    ("came into being", "founded"),
    ("come into being", "founded"),
    ("days off", "leave days"),
    ("time off", "leave"),
    ("day off", "leave"),
    ("work from home", "remote work"),
    ("working from home", "remote work"),
    ("go down", "fail"),
    ("break down", "breakdown"),
    ("breaks down", "breakdown"),
    ("run out of", "runway"),
    ("get rid of", "remove"),
    ("on sale", "launch"),
    ("go on sale", "launch"),
    ("hit the market", "launch"),
    ("come to market", "launch"),
    ("goes wrong", "failure incident"),
    ("went wrong", "failure incident cause"),
    ("carry out", "perform"),
    ("turn a profit", "breakeven"),
    ("make a profit", "breakeven"),
    ("stop losing money", "breakeven"),
    ("break even", "breakeven"),
    ("vice president", "vp"),
    ("united states", "us"),
    ("north american", "north america"),
    ("bill of materials", "bom"),
    ("trade fair", "event fair"),
    ("trade fairs", "event fair"),
    ("trade show", "event fair"),
];

/// Words that say little about what is asked: they may be missing from a sentence that answers.
const LIGHT: &[&str] = &[
    "another", "additional", "extra", "further", "onto", "beyond", "besides", "unless", "two", "three", "four", "five", "reported", "model", "upcoming", "successor", "item", "side", "obtain", "someone", "quickly", "soon", "ones", "thing", "live", "meant", "step", "prospect", "technology", "generation", "version", "brand", "method", "form", "used", "since", "money",     "run", "take", "use", "work", "go", "come", "happen", "exist", "provide", "include", "offer", "type", "amount",
    "number", "company", "firm", "organisation", "organization", "business", "corporation", "typical", "typically",
    "usually", "normal", "normally", "generally", "plan", "planned", "planning", "set", "put", "keep", "want", "say", "state", "mention",
    "describe", "know", "known", "explain", "list", "name", "called", "call", "mean", "there", "new", "old", "main", "key",
    "overall", "total", "actual", "actually", "roughly", "approximately", "around", "estimated", "expected", "expect",
    "supposed", "allowed", "allow", "able", "available", "involved", "involve", "require", "required", "apply", "place", "long", "often", "fast",
    "big", "large", "high", "far", "deep", "much", "many", "lot", "start", "begin", "end", "last", "stand", "look",
    "show", "tell", "find", "see", "hold", "become", "turn", "reach", "think", "believe", "consider", "currently",
    "today", "present", "presently", "nowadays", "date", "time", "year", "years", "month", "day", "period", "point", "way", "part",
    "person", "people", "someone", "anyone", "team", "single", "individual", "certain", "specific", "exact", "precise", "size",
    "price", "cost", "value", "figure", "rate", "level", "share", "percentage", "percent", "proportion", "fraction",
    "country", "city", "location", "place", "firm", "kind", "sort", "done", "need", "needed", "ask", "asked", "according",
    "internal", "internally", "official", "officially", "formal", "formally", "whole", "entire", "every", "full", "fully", "regular", "ordinary", "standard",
    "latest", "newest", "recent", "recently", "current", "up-to-date", "already", "yet", "far", "ago", "soon", "later", "next",
];

/// Words that ask for the newest value.
const RECENCY: &[&str] = &["current", "currently", "latest", "newest", "now", "today", "recent", "recently", "presently", "nowadays"];

/// Words that deny.
const NEGATIONS: &[&str] = &[
    "not", "no", "never", "none", "without", "cannot", "can't", "don't", "doesn't", "didn't", "isn't", "wasn't", "aren't",
    "won't", "nor", "neither", "prohibited", "forbidden", "banned", "denied", "rejected", "failed", "unable", "missed",
];

/// Words that make an affirmation depend on something.
const CONDITIONS: &[&str] =
    &["only", "unless", "if", "requires", "require", "subject", "except", "provided", "gated", "pending", "until", "planned", "scheduled", "needs", "need"];

/// Words that introduce a reason.
const REASONS: &[&str] = &[
    "because", "due", "cause", "caused", "causes", "root", "since", "reason", "reasons", "owing", "result", "resulted",
    "therefore", "depends", "blame", "attributed", "attribute", "attributes", "led", "thanks", "risk", "so", "argues", "traced", "trace", "following", "after", "thesis", "making",
];

/// Words for people by what they do.
const ROLES: &[&str] = &[
    "manager", "director", "lead", "team", "officer", "vp", "ceo", "cfo", "cto", "coo", "cio", "head", "owner", "engineer",
    "committee", "board", "office", "executive", "marketing", "finance", "sales", "president", "chair", "chairman", "chairwoman", "council",
    "leader", "management", "leadership", "supervisor", "colleague", "employees", "contractor", "author", "founder", "co-founder",
    "secretary", "treasurer", "trust", "agency", "authority", "department", "desk", "customers", "vendor", "supplier", "hr", "legal",
    "surveyor", "inspector", "captain", "pilot", "mayor", "minister", "professor", "dr", "employee", "roles", "role", "staff", "hire", "visitors", "users",
];

/// Words in names of organisations, which tell them from people.
const ORGANISATION: &[&str] = &[
    "inc", "ltd", "llc", "gmbh", "plc", "corp", "corporation", "company", "capital", "partners", "ventures", "growth",
    "point", "sound", "bay", "head", "hall", "island", "river", "lake", "hydro", "tidal", "grid", "cooperative", "array", "association", "hill", "park", "road", "square", "house", "bridge", "early",
    "group", "holding", "holdings", "bank", "university", "institute", "college", "school", "fund", "trust", "council",
    "agency", "authority", "association", "committee", "department", "ministry", "society", "union", "foundation",
    "robotics", "dynamics", "systems", "technologies", "industries", "industri", "precision", "labs", "laboratory",
    "services", "consulting", "energy", "marine", "harbour", "harbor", "port", "campus", "report", "policy", "review",
    "america", "europe", "asia", "north", "south", "east", "west", "series", "round", "seed", "standard", "blue", "white", "street",
    "amber", "signal", "arctic", "bold", "january", "february", "march", "april", "may", "june", "july", "august",
    "september", "october", "november", "december", "monday", "tuesday", "wednesday", "thursday", "friday", "internal",
    "confidential", "draft", "the", "vp", "ceo", "cfo", "cto", "coo", "key", "total", "unit", "team", "office", "day", "week", "month",
    "fleet", "robot", "sales", "finance", "legal", "engineering", "operations", "escalation", "owner", "compensation", "note", "notes",
];

/// Phrases that say that something is not to be had.
const UNAVAILABLE: &[&str] = &[
    "not disclosed", "undisclosed", "not been disclosed", "not public", "not publicly", "not available", "unavailable",
    "not known", "unknown", "not been published", "not published", "not yet published", "not yet announced",
    "not been announced", "has not announced", "declined to", "no figure", "no data", "not recorded", "no record",
    "not released", "withheld", "remains confidential", "not stated", "not been determined", "to be determined",
    "not yet known", "not yet decided", "not been decided", "does not disclose", "do not disclose", "will not be published",
];

/// Groups of people whose views a question may ask for.
const HOLDERS: &[&str] = &[
    "church", "christians", "christian", "fathers", "father", "scholars", "scholar", "experts", "expert", "critics", "critic", "people",
    "authors", "author", "writers", "writer", "historians", "scientists", "researchers", "sources", "source", "bishops", "theologians", "economists", "analysts",
    "public", "community", "residents", "early", "ancient", "jews", "philosophers", "documents", "everyone", "opponents", "supporters",
];

/// Verbs of holding a view.
const VIEW_VERBS: &[&str] = &[
    "believe", "believed", "think", "thought", "say", "said", "teach", "taught", "hold", "held", "regard", "regarded", "consider", "considered",
    "view", "viewed", "views", "see", "saw", "argue", "argued", "claim", "claimed", "affirm", "affirmed", "deny", "denied", "worship", "worshipped", "understand", "understood", "opinion", "opinions", "describe", "described",
];

/// Whether two stems stand in one group. `stem` must be the function that made them.
pub(crate) struct Synonyms {
    groups: Vec<Vec<String>>,
}

impl Synonyms {
    /// The groups with their words stemmed.
    pub(crate) fn new() -> Self {
        let groups = GROUPS
            .iter()
            .map(|group| group.iter().map(|word| elenchus_core::text::stem(word)).collect())
            .collect();
        Self { groups }
    }

    /// Whether both stems are in one group.
    pub(crate) fn related(&self, a: &str, b: &str) -> bool {
        self.groups.iter().any(|group| group.iter().any(|w| w == a) && group.iter().any(|w| w == b))
    }

    /// Other stems of the groups that hold `stem`, nearest group first.
    pub(crate) fn of(&self, stem: &str) -> Vec<&str> {
        let mut out: Vec<&str> = Vec::new();
        for group in self.groups.iter().filter(|group| group.iter().any(|word| word == stem)) {
            for word in group {
                if word != stem && !out.contains(&word.as_str()) {
                    out.push(word);
                }
            }
        }
        out
    }
}

/// Words (not stems) that share a group with `word`, for queries that people will read.
pub(crate) fn alternatives(word: &str) -> Vec<&'static str> {
    let stem = elenchus_core::text::stem(word);
    let mut out: Vec<&'static str> = Vec::new();
    for group in GROUPS {
        if group.iter().any(|w| elenchus_core::text::stem(w) == stem) {
            for w in *group {
                if elenchus_core::text::stem(w) != stem && !out.contains(w) {
                    out.push(w);
                }
            }
        }
    }
    out
}

/// Rewrites known phrases of a lower-case text.
pub(crate) fn rewrite_phrases(lower: &str) -> String {
    let mut text = format!(" {lower} ");
    for (from, to) in PHRASES {
        for end in [" ", "?", ",", "."] {
            text = text.replace(&format!(" {from}{end}"), &format!(" {to}{end}"));
        }
    }
    text.trim().to_owned()
}

macro_rules! membership {
    ($($(#[$doc:meta])* $name:ident in $list:ident;)*) => {
        $($(#[$doc])* pub(crate) fn $name(word: &str) -> bool { $list.contains(&word) })*
    };
}

membership! {
    /// Says little about what is asked.
    is_light in LIGHT;
    /// Asks for the newest.
    is_recency in RECENCY;
    /// Denies.
    is_negation in NEGATIONS;
    /// Makes conditional.
    is_condition in CONDITIONS;
    /// Introduces a reason.
    is_reason in REASONS;
    /// Names people by role.
    is_role in ROLES;
    /// Stands in names of organisations, places and things.
    is_organisation_word in ORGANISATION;
    /// Holds views.
    is_holder in HOLDERS;
    /// Is a verb of holding a view.
    is_view_verb in VIEW_VERBS;
}

/// Whether a lower-case sentence says that something is not to be had.
pub(crate) fn says_unavailable(lower: &str) -> bool {
    UNAVAILABLE.iter().any(|phrase| lower.contains(phrase))
}
