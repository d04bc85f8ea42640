//! Fallacies of presumption: what was to be shown is already in the premise, the question or the words.

use super::{Fallacy, Family, Form, Pack, hint, sensitive, strict};

pub(super) const APPEAL_TO_IGNORANCE: Fallacy = Fallacy {
    id: "appeal_to_ignorance",
    name: "appeal to ignorance",
    family: Family::Informal,
    pack: Pack::General,
    definition: "That nobody has shown the opposite is taken as showing the claim.",
    cue: "nobody has proved it wrong, so it is true",
    examples: &[
        "Nobody has ever proved that ghosts do not exist, so they must be real.",
        "There is no proof that the new mast is dangerous, therefore it is safe.",
        "Scientists cannot explain the lights, so they must be alien ships.",
        "No one has shown that he did not take the money, so he is guilty.",
    ],
    subtle: &["You can't disprove it."],
    counter_examples: &[
        "There is no proof that the mast is dangerous, and none that it is safe: nobody has measured.",
        "A search of all 40 rooms found no leak, so the pipe is probably sound.",
        "Nobody has ever proved the conjecture, although many have tried.",
    ],
    question: "What speaks for the claim itself, besides what is not known?",
    asks: "What speaks for the claim itself, besides that \"{x}\"?",
    rules: &[
        strict(
            r"\b(?P<x>(?:nobody|no one|no scientist|no expert|no study|no doctor|science|scientists|you|they|we|experts|critics|the police|atheists|doctors|researchers)(?: have| has| had|'ve|'s)? (?:ever |yet |never |not )?(?:can't |cannot |couldn't |could not |can |could |been able to |has been able to |never |haven't |hasn't |have not |has not |have never |has never |failed to |fail to |don't |do not )?(?:yet |ever )?(?:been able to )?(?:prove[dn]?|disprove[dn]?|shown?|demonstrated?|explain(?:ed)?|refuted?|found)\b~{2,70})[,;.] ?(?:so|therefore|thus|hence|and so|which means|which proves|consequently),? (?:it|they|there|he|she|that|this|the|we|i|god|\w+)~{0,40}\b(?:must(?: be| have| exist)|is|are|exists?|has to be|have to be|did|does|do|was|can't be|cannot be) ?(?:an? |the )?(?:real|true|safe|guilty|innocent|false|alien|aliens?|haunted|exist|harmless|right|fine|works?|fake|god|supernatural|magic|a lie|no such|work|dangerous|be)?",
        ),
        strict(
            r"\b(?P<x>there(?:'s| is| has been| was)? (?:absolutely |simply |still |never been )?(?:no|not any|not a single|never any) (?:proof|evidence|study|way to prove|scientific proof|scientific evidence)\b~{2,70})[,;.] ?(?:so|therefore|thus|hence|and so|which means|consequently),? (?:it|they|there|he|she|that|this|the|we|\w+)~{0,40}\b(?:must|is|are|exists?|did|does|do|was|cannot|can't|has to)(?: be| not| to be)? ?(?:an? )?(?:real|true|safe|guilty|innocent|false|exist|harmless|right|fine|happened?|perfectly safe|not exist|no|doesn't|not|wrong)\b",
        ),
        strict(
            r"\b(?:must be|is|are|exists?|must have|has to be)(?: \w+){0,3}[,]? (?:because|since|as) (?P<x>(?:nobody|no one|you|they|science|scientists|we)(?: has| have|'ve|'s)? (?:ever )?(?:can't|cannot|can not|couldn't|could not|never|not|haven't|hasn't|ever|failed to|can)? ?(?:been able to )?(?:prove[dn]?|disprove[dn]?|shown|show|explain(?:ed)?)\b~{0,60})",
        ),
        sensitive(
            r"\b(?P<x>(?:you|they|nobody|no one|scientists|science|we)(?: has| have|'ve)? (?:can't|cannot|can never|never|not|ever|can|could) ?(?:prove[dn]?|disprove[dn]?|explain(?:ed)?)\b~{0,60})",
        ),
        sensitive(
            r"\b(?P<x>there(?:'s| is) (?:absolutely |simply |still )?no (?:proof|evidence)\b~{0,60})[,;] (?:so|therefore)",
        ),
    ],
    forms: &[],
};

pub(super) const BURDEN_SHIFTING: Fallacy = Fallacy {
    id: "burden_shifting",
    name: "shifting the burden of proof",
    family: Family::Informal,
    pack: Pack::General,
    definition: "Whoever doubts is asked for a proof that whoever claims should give.",
    cue: "prove me wrong; if you cannot, I am right",
    examples: &[
        "The water cures everything. Prove me wrong!",
        "I say the election was rigged, and it is up to you to show that it was not.",
        "If you can't prove that the diet is useless, then you have to accept that it works.",
        "I don't have to prove that he stole it, you have to prove that he did not.",
    ],
    subtle: &["Can you show me that it is not haunted?"],
    counter_examples: &[
        "The prosecution has to prove that he stole it; the defence has to prove nothing.",
        "I may be wrong about the date, so please correct me.",
        "If you can't prove that you paid, bring the receipt from the bank.",
    ],
    question: "What evidence does the one who makes the claim offer?",
    asks: "Who claims \"{x}\", and what evidence do they offer for it?",
    rules: &[
        strict(
            r"[.!;,-] ?(?:go ahead,? (?:and )?|now |just try to |try to |i dare you to |i challenge you to )?prove (?:me|us|it) wrong\b(?: if you can)?",
        ),
        strict(
            r"\b(?:it(?:'s| is)|that's) (?:up to|on|for) (?:you|them|him|her|the (?:critics|sceptics|skeptics|doubters|other side)|sceptics|skeptics|critics|doubters) to (?:prove|show|disprove|demonstrate|refute)\b(?P<x>~{3,60}\b(?:not|n't|never|false|wrong|otherwise|isn't)\b)",
        ),
        strict(
            r"\bif (?:you|they|he|she|critics|sceptics|skeptics|scientists) (?:can't|cannot|can not|couldn't|are unable to) (?:prove|show|disprove|refute|demonstrate)\b(?P<x>~{3,80}), (?:then )?(?:you|they|he|she|we|it|i)\b~{0,30}\b(?:have to (?:accept|admit|agree|believe)|must (?:accept|admit|agree|believe|be (?:true|right|real|guilty|so))|has to be (?:true|right)|am right|is (?:true|right|real)|should (?:accept|admit|believe)|'m right|was right|wins?)\b",
        ),
        strict(
            r"\b(?:i|we) (?:don't|do not|needn't|need not|shouldn't) (?:have to |need to )?(?:prove|show|justify|explain)\b~{2,60}[,;.] ?(?:but )?(?:you|they|the (?:sceptics|skeptics|critics)) (?:have to|need to|must|should|are the ones? who) (?:prove|show|disprove)?(?P<x>~{3,60})",
        ),
        sensitive(
            r"\b(?:prove|show) (?:me|us|to me|to us) (?:that )?(?P<x>~{2,50}\b(?:not|isn't|aren't|doesn't|don't|didn't|wasn't|never)\b~{0,40})",
        ),
        sensitive(
            r"\b(?:can|could) you (?:prove|show|disprove)\b(?P<x>~{2,60}\b(?:not|isn't|doesn't|didn't|never)\b~{0,30})\?",
        ),
    ],
    forms: &[],
};

pub(super) const CIRCULAR_REASONING: Fallacy = Fallacy {
    id: "circular_reasoning",
    name: "circular reasoning",
    family: Family::Informal,
    pack: Pack::General,
    definition: "The reason given is the claim itself in other words, or rests on it.",
    cue: "it is true because it is true",
    examples: &[
        "The rule is necessary because we need the rule.",
        "He is honest because he says that he is honest.",
        "This book tells the truth because it says in the book that it tells the truth.",
        "She is the best candidate because she is better than all the other candidates.",
        "I am right because I am never wrong.",
    ],
    subtle: &["The soup is good because it is so tasty."],
    counter_examples: &[
        "The rule is necessary because two pumps exploded without it.",
        "The meeting was moved because the meeting room was flooded.",
        "Prices rose because wages rose.",
    ],
    question: "What speaks for it that does not already take it for granted?",
    asks: "What speaks for it besides \"{x}\", which already takes it for granted?",
    rules: &[
        strict(
            r"\b(?:because|since|as) (?P<x>(?:it|he|she|the (?:bible|book|text|article|report|quran|law)|god)\b~{0,30}\b(?:says|tells us|states|claims|told (?:me|us))\b~{0,30}\b(?:so itself|that (?:it|he|she) (?:is|tells|does|never lies)|(?:it|he|she)(?:'s| is) (?:true|right|honest|the truth|god's word|the word of god|trustworthy|reliable|infallible)))",
        ),
        strict(
            r"\b(?:i am|i'm|he is|he's|she is|she's|we are|we're|it is|it's|they are|they're) (?:always )?(?:right|correct|true|wrong|the best|the greatest),? (?:because|since) (?P<x>(?:i am|i'm|he is|he's|she is|she's|we are|we're|it is|it's|they are|they're) (?:never |always |not |just )?(?:wrong|right|correct|true|the best|the greatest|not wrong|not false)\b)",
        ),
        strict(
            r"\b(?P<x>the (?:bible|quran|book|scripture)\b~{0,40}\b(?:true|infallible|reliable|word of god|inspired|the truth))\b~{0,20}\b(?:because|since) ~{0,20}\b(?:the (?:bible|quran|book|scripture)|it) (?:says|tells|states)",
        ),
        sensitive(
            r"\b(?:is|are|was|were) (?P<x>\w+) because (?:it|they|he|she|that|we)(?:'s| is| are|'re| was| were) (?:so |just |very )?\w+[.!]",
        ),
    ],
    forms: &[Form::Circle],
};

pub(super) const EQUIVOCATION: Fallacy = Fallacy {
    id: "equivocation",
    name: "equivocation",
    family: Family::Informal,
    pack: Pack::General,
    definition: "One word carries two meanings, and the conclusion needs both to be the same.",
    cue: "the same word, used in two senses",
    examples: &[
        "Evolution is only a theory, and a theory is just a guess, so evolution is just a guess.",
        "The sign says fine for parking here, and since it is fine, I parked here.",
        "Nothing is better than a good meal, and dry bread is better than nothing, so dry bread is better than a good meal.",
        "Only man is rational, and no woman is a man; therefore no woman is rational.",
    ],
    subtle: &["The laws of nature need a lawgiver, since every law has one."],
    counter_examples: &[
        "In science a theory is an explanation that has survived tests; in daily talk it is a guess.",
        "The fine for parking here is forty pounds, so I moved the car.",
        "The bank of the river is steep, and the bank in the village is closed.",
    ],
    question: "Does the word mean the same in both places?",
    asks: "Does \"{x}\" mean the same in both places?",
    rules: &[
        strict(
            r"\b(?:just|only|merely|nothing but|simply) an? (?P<x>theory)\b~{0,60}\b(?:and (?:a )?theor(?:y|ies) (?:is|are|means?)|so it(?:'s| is) (?:just |only )?(?:a guess|an opinion|not (?:a fact|true|proven))|which means it(?:'s| is) (?:just )?a guess|not a fact|so why|so (?:we|you|i|it|there))",
        ),
        strict(
            r"\b(?:says?|reads?|said) \W?(?P<x>fine for)\b~{0,60}\b(?:so|since|therefore|because)\b~{0,20}\bfine\b",
        ),
        strict(
            r"\b(?P<x>nothing) is (?:better|greater|worse|more \w+) than ~{2,40}[.;,] ?(?:and |but )?~{2,40}\bthan nothing\b",
        ),
        strict(
            r"\b(?:only|all) (?P<x>m[ae]n) (?:is|are|have|has)\b~{2,40}[.;,] ?(?:and |but )?(?:no )?(?:woman|women)\b~{2,40}\b(?:so|therefore|hence|thus)\b",
        ),
        strict(
            r"\b(?P<x>feathers?|headache|bat|bank|end|light|right|odd|star|mouse|jaguar|bark|school|match|hot|sharp|free|law)\b~{0,30}\bis (?:a |an |not )?~{2,40}[.;] ?(?:and |but )?~{2,40}\bin the (?:same|other) sense\b",
        ),
        sensitive(r"\b(?P<x>laws?) of nature\b~{2,60}\blaw-?(?:giver|maker)\b"),
    ],
    forms: &[],
};

pub(super) const FALSE_DILEMMA: Fallacy = Fallacy {
    id: "false_dilemma",
    name: "false dilemma",
    family: Family::Informal,
    pack: Pack::General,
    definition: "Two ways are offered as if there were no third.",
    cue: "either you are with us or you are against us",
    examples: &[
        "Either you support this war or you are a traitor.",
        "You are either with us or against us.",
        "If you don't vote for the park, you hate children.",
        "We must cut all pensions or go bankrupt; there is no other way.",
        "There are only two kinds of people: winners and losers.",
    ],
    subtle: &["You can be rich or you can be happy."],
    counter_examples: &[
        "Either the switch is on or it is off.",
        "You can pay either by card or in cash.",
        "If you don't vote by Friday, your ballot is not counted.",
    ],
    question: "Is there a third way, or a mixture of the two?",
    asks: "Is there a third way besides \"{x}\"?",
    rules: &[
        strict(
            r"\b(?P<x>(?:either )?(?:you|you're|you are|we|they|he|she|people|everyone)\b~{0,25}\b(?:either )?(?:with|for|support|love|agree with|on the side of|believe|side|vote for|back|join|stand)\b~{0,50}\bor (?:else )?(?:you|you're|you are|we|they|he|she|against|they're)\b~{0,15}\b(?:against|hate|a traitor|traitors?|an enemy|the enemy|evil|unpatriotic|part of the problem|don't care|do not care|want (?:us|the|them)|terrorists?|a coward|support (?:the )?(?:terrorists|criminals)|stupid|an idiot|hates|immoral|heartless|a fool|don't love|an? \w+ist)\b~{0,30})",
        ),
        strict(
            r"\b(?P<x>(?:you're|you are|they're|they are|he's|he is|she's|she is|are you) (?:either )?(?:with us|for us|part of the solution),? or (?:you're |you are |they're |they are )?(?:against us|part of the problem))\b",
        ),
        strict(
            r"\bif you (?:do not|don't|won't|oppose|are against|are not|aren't|refuse to|disagree)\b(?P<x>~{2,60}), (?:then )?(?:you|you're|you must|you are|you obviously|you clearly)\b~{0,20}\b(?:hate|a traitor|a terrorist|the enemy|an enemy|want (?:the|our|people|children|us|them)~{0,20}(?:to (?:die|suffer|win|fail|starve)|dead)|don't (?:care|love|support)|do not (?:care|love|support)|against (?:us|freedom|our|america|god)|evil|unpatriotic|support (?:the )?(?:terrorists|criminals|murder)|not a (?:patriot|true|real)|part of the problem|a coward|heartless|in favou?r of)\b",
        ),
        strict(
            r"\b(?P<x>(?:either )?(?:we|you|they|the \w+|i) (?:must|have to|can|should|need to|either|will|can either|must either)?\b~{2,60}\bor (?:else )?~{2,60})[;,.:-]+ ?(?:there(?:'s| is| are) no (?:other|third|middle|alternative|in-between|in between|in betweens?)|those are the only|it(?:'s| is) that simple|no other (?:way|choice|option)|take your pick|you can't have both|you cannot have both)",
        ),
        strict(
            r"\bthere are (?:only|just) two (?P<x>(?:kinds|types|sorts|options|choices|ways|sides|possibilities|paths|groups)\b~{2,80}(?: (?:and|or) )~{2,50})",
        ),
        strict(
            r"\b(?P<x>either (?:we|you|they|the government|the city|our \w+)\b~{2,50},? or (?:(?:we|you|they|the \w+|our \w+|it|everyone|everybody|all of us|civilisation|civilization)(?:'ll| will| would)?\b~{0,30}\b(?:die|be (?:destroyed|ruined|doomed|lost|enslaved|conquered)|collapse|go bankrupt|starve|end up|perish|lose everything|be left|fall apart|fail in life|never|live in|descend|chaos)\b~{0,30}))",
        ),
        hint(r"\b(?P<x>either\b~{3,70}\bor\b~{3,70})"),
        sensitive(r"\b(?P<x>you can (?:either )?(?:be|have|choose)\b~{2,40}\bor you can\b~{2,40})"),
        sensitive(
            r"\b(?P<x>(?:the only (?:other )?(?:way|option|choice|alternative|solution)|no other (?:way|choice|option)|only two (?:options|choices))\b~{0,60})",
        ),
        sensitive(
            r"\bif you (?:do not|don't|aren't|oppose)\b(?P<x>~{2,60}), (?:then )?(?:you|you're|you must)\b",
        ),
    ],
    forms: &[],
};

pub(super) const LOADED_QUESTION: Fallacy = Fallacy {
    id: "loaded_question",
    name: "loaded question",
    family: Family::Informal,
    pack: Pack::General,
    definition: "The question takes for granted what nobody has granted; every answer admits it.",
    cue: "when did you stop ...?",
    examples: &[
        "Have you stopped cheating on your tests yet?",
        "When did the minister stop taking bribes?",
        "Why do you hate our country so much?",
        "Are you still lying to your customers?",
        "How long have you been stealing from the till?",
    ],
    subtle: &["Why is the council so incompetent?"],
    counter_examples: &[
        "When did the factory stop making tyres?",
        "Have you stopped at the bakery yet?",
        "How long have you been working at the till?",
    ],
    question: "What does the question take for granted, and who has granted it?",
    asks: "Who has granted that \"{x}\"?",
    rules: &[
        strict(
            r"\b(?:have|has|had|did|when did|when will|when are|will|why (?:don't|won't|haven't|hasn't)) (?:you|he|she|they|the \w+|your \w+|we|\w+) (?:going to |finally |ever |ever going to )?(?:stop|stopped|quit|ceased?|given up) (?P<x>(?:beating|cheating|lying|stealing|abusing|hitting|taking bribes|drinking so|being (?:so |such )?(?:an? )?(?:\w+ )?(?:idiot|lazy|selfish|stupid|rude|liar|racist|sexist|jerk|difficult|mean|corrupt|foolish|ignorant|irresponsible)|wasting|ignoring|exploiting|polluting|poisoning|spreading (?:lies|rumou?rs)|bullying|gambling|hiding|destroying|hurting|harassing|murdering|killing|robbing|fiddling|betraying|covering up|deceiving|torturing|neglecting)\b~{0,40})\?",
        ),
        strict(
            r"\b(?:are|is) (?:you|he|she|they|the \w+|your \w+) still (?P<x>(?:beating|cheating|lying|stealing|abusing|hitting|taking bribes|wasting|bullying|gambling|so (?:lazy|selfish|stupid|rude|arrogant|ignorant)|a (?:liar|cheat|drunk|thief|bully)|hiding|exploiting|deceiving|robbing|poisoning|betraying)\b~{0,40})\?",
        ),
        strict(
            r"\bwhy do (?P<x>(?:you|they|liberals|conservatives|democrats|republicans|feminists|atheists|christians|these people|the (?:left|right)|politicians|you people|environmentalists) (?:all )?(?:hate|want to destroy|want to kill|despise|always lie|keep lying|insist on (?:ruining|destroying|lying)|love (?:criminals|terrorists)|refuse to (?:care|tell the truth)|enjoy (?:hurting|killing|lying))\b~{0,50})\?",
        ),
        strict(
            r"\bhow long have (?P<x>(?:you|they|he|she) been (?:stealing|lying|cheating|abusing|hiding|drinking so|taking bribes|deceiving|fiddling|robbing|bullying|embezzling)\b~{0,40})\?",
        ),
        sensitive(
            r"\bwhy (?:is|are|does|do|did|must|would) (?P<x>~{2,40}\b(?:so (?:incompetent|corrupt|stupid|lazy|selfish|evil|arrogant|dishonest|rude|ignorant|cruel|biased|greedy|naive|gullible|afraid)|hate|lie|ruin|destroy|always|such an? \w+)\b~{0,40})\?",
        ),
    ],
    forms: &[],
};

pub(super) const NO_TRUE_SCOTSMAN: Fallacy = Fallacy {
    id: "no_true_scotsman",
    name: "no true Scotsman",
    family: Family::Informal,
    pack: Pack::General,
    definition: "A counter-example is shut out by redefining the group so that it no longer belongs.",
    cue: "no true fan would ...; then he is not a real ...",
    examples: &[
        "No true patriot would criticise the flag.",
        "A real man would never cry at a film.",
        "My uncle is Scottish and dislikes haggis. Then he is not a true Scot!",
        "Real fans don't leave before the end; those who left were never fans.",
    ],
    subtle: &["Anyone who drinks instant coffee isn't really a coffee lover."],
    counter_examples: &[
        "No real number squared is negative.",
        "A true copy of the deed would never be issued without a stamp.",
        "My uncle is Scottish and dislikes haggis.",
    ],
    question: "Who says that this is part of what the word means?",
    asks: "Who says that belonging to \"{x}\" excludes this?",
    rules: &[
        strict(
            r"\b(?:no|not a) (?:true|real|genuine|proper|self-respecting|decent) (?P<x>(?:scotsm[ae]n|scot|patriot|americans?|christian|muslim|feminist|fan|man|woman|gamer|artist|scientist|vegan|vegetarian|conservative|liberal|socialist|communist|believer|friend|musician|democrat|republican|programmer|englishman|irishman|german|italian|frenchman|parent|mother|father|athlete|environmentalist|supporter|teacher|\w+ fan|\w+ lover)s?)\b~{0,10}\b(?:would|could|will|can|puts?|likes?|eats?|drinks?|does|votes?|leaves?|uses?|wears?|hates?|supports?|says?|believes?|listens?|ever|kills?|lies?)\b",
        ),
        strict(
            r"\b(?:a|any|every|all)? ?(?:real|true|genuine) (?P<x>(?:scotsm[ae]n|patriot|american|christian|muslim|feminist|fan|m[ae]n|wom[ae]n|gamer|artist|scientist|vegan|conservative|liberal|socialist|believer|friend|musician|programmer|parent|mother|father|athlete|environmentalist|supporter)s?)\b (?:would never|never|don't|do not|doesn't|does not|wouldn't|would not|always|would always)\b",
        ),
        strict(
            r"[.;,!?-] ?(?:well,? |but |ah,? |oh,? |then,? )*(?:then )?(?P<x>(?:he|she|they|you|those|it|that)(?:'re|'s| are| is| were| was| can't be| cannot be)? ?(?:not|n't|never|weren't|wasn't|isn't|aren't)? ?(?:obviously |clearly |really |just )?(?:not |never )?(?:be )?an? ?(?:true|real|genuine|proper) (?:scotsman|scot|patriot|american|christian|muslim|feminist|fan|man|woman|gamer|artist|scientist|vegan|conservative|liberal|socialist|believer|friend|\w+ lover|\w+ fan)s?)\b",
        ),
        sensitive(
            r"\b(?:isn't|aren't|is not|are not|wasn't|weren't|not|never) (?:really|truly|actually) (?P<x>(?:an? )?\w+(?: lover| fan)?)[.!]",
        ),
        sensitive(r"\bno (?:true|real|genuine|proper) (?P<x>\w+) (?:would|could|will)\b"),
    ],
    forms: &[],
};
