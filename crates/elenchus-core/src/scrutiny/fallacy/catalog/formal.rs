//! Fallacies of form: the conclusion does not follow, whatever the words mean.

use super::{Fallacy, Family, Form, Pack, sensitive};

pub(super) const AFFIRMING_CONSEQUENT: Fallacy = Fallacy {
    id: "affirming_consequent",
    name: "affirming the consequent",
    family: Family::Formal,
    pack: Pack::General,
    definition: "From \"if P then Q\" and Q it concludes P, although Q may have come about in another way.",
    cue: "if P then Q; Q; therefore P",
    examples: &[
        "If the pump fails, the cellar floods. The cellar flooded. Therefore the pump failed.",
        "If Ana is at the office, her car is in the garage. Her car is in the garage, so Ana is at the office.",
        "When the server is overloaded, the page loads slowly. The page loads slowly; hence the server is overloaded.",
    ],
    subtle: &[],
    counter_examples: &[
        "If the pump fails, the cellar floods. The pump failed. Therefore the cellar flooded.",
        "If the pump fails, the cellar floods. The cellar is not flooded, so the pump has not failed.",
        "If the light is on, somebody may be home. The light is on, so it is worth ringing the bell.",
    ],
    question: "What else could have brought this about?",
    asks: "What else, besides \"{x}\", could have brought this about?",
    rules: &[],
    forms: &[Form::AffirmedConsequent],
};

pub(super) const DENYING_ANTECEDENT: Fallacy = Fallacy {
    id: "denying_antecedent",
    name: "denying the antecedent",
    family: Family::Formal,
    pack: Pack::General,
    definition: "From \"if P then Q\" and not P it concludes not Q, although Q may come about without P.",
    cue: "if P then Q; not P; therefore not Q",
    examples: &[
        "If it snows, the match is cancelled. It is not snowing. Therefore the match is not cancelled.",
        "If she studied medicine, she knows anatomy. She did not study medicine, so she does not know anatomy.",
        "If a firm is listed, it publishes accounts. This firm is not listed; therefore it does not publish accounts.",
    ],
    subtle: &[],
    counter_examples: &[
        "If it snows, the match is cancelled. The match is not cancelled. Therefore it is not snowing.",
        "If it snows, the match is cancelled. It is snowing, so the match is cancelled.",
    ],
    question: "Could the conclusion still hold for another reason?",
    asks: "Could \"{x}\" still come about without that condition?",
    rules: &[],
    forms: &[Form::DeniedAntecedent],
};

pub(super) const UNDISTRIBUTED_MIDDLE: Fallacy = Fallacy {
    id: "undistributed_middle",
    name: "undistributed middle",
    family: Family::Formal,
    pack: Pack::General,
    definition: "Two things share a property, and from that alone one is said to be the other.",
    cue: "all A are B; C is B; therefore C is A",
    examples: &[
        "All bakers get up early. My neighbour gets up early. Therefore my neighbour is a baker.",
        "Every whale breathes air. A horse breathes air, so a horse is a whale.",
        "All spies travel abroad. Mr Lund travels abroad; hence Mr Lund is a spy.",
    ],
    subtle: &[],
    counter_examples: &[
        "All bakers get up early. My neighbour is a baker. Therefore my neighbour gets up early.",
        "Every whale breathes air. A horse also breathes air, but a horse is no whale.",
    ],
    question: "Does everything with that property belong to the group?",
    asks: "Does everything that shares \"{x}\" belong to the group?",
    rules: &[],
    forms: &[Form::UndistributedMiddle],
};

pub(super) const AFFIRMING_DISJUNCT: Fallacy = Fallacy {
    id: "affirming_disjunct",
    name: "affirming a disjunct",
    family: Family::Formal,
    pack: Pack::General,
    definition: "From \"P or Q\" and P it concludes not Q, although both may be true.",
    cue: "P or Q; P; therefore not Q",
    examples: &[
        "The outage was caused by the router or by the cable. It was caused by the router. Therefore it was not caused by the cable.",
        "Either Maria paid the bill or Jon paid it. Maria paid the bill, so Jon did not pay.",
        "He is a poet or a painter. He is a painter; therefore he is not a poet.",
    ],
    subtle: &[],
    counter_examples: &[
        "The outage was caused by the router or by the cable. It was not caused by the router. Therefore it was caused by the cable.",
        "Either Maria or Jon paid the bill, but not both. Maria paid it, so Jon did not pay it.",
    ],
    question: "Could both be true?",
    asks: "Could \"{x}\" be true as well?",
    rules: &[sensitive(
        r"\bone or the other\b~{0,80}[.;,] (?:so|therefore|thus|hence) ~{0,60}\b(?:not|n't|cannot)\b",
    )],
    forms: &[Form::AffirmedDisjunct],
};
