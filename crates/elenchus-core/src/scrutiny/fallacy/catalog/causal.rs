//! Fallacies of generalising and causing: too few cases, the wrong cause, a part for the whole.

use super::{Fallacy, Family, Pack, hint, sensitive, strict};

pub(super) const SLIPPERY_SLOPE: Fallacy = Fallacy {
    id: "slippery_slope",
    name: "slippery slope",
    family: Family::Informal,
    pack: Pack::General,
    definition: "A small step is said to lead to a disaster, and no step in between is shown.",
    cue: "if we allow this, next thing you know ...",
    examples: &[
        "If we allow phones in class, next thing you know nobody will be able to read.",
        "If you skip one lesson, soon you will fail the year, and you will end up on the street.",
        "First they ban smoking, then they will ban sugar, and before long we will live in a prison.",
        "Legalise this one drug and soon everyone will be addicted to heroin.",
        "Where will it end? Today a tax on plastic, tomorrow a tax on breathing.",
    ],
    subtle: &["It is a slippery slope."],
    counter_examples: &[
        "If we allow phones in class, we need lockers for them.",
        "If you skip the first lesson, you can watch the recording.",
        "First they drained the basin, then they replaced the gate.",
    ],
    question: "What makes each step lead to the next?",
    asks: "What makes each step lead to \"{x}\"?",
    rules: &[
        strict(
            r"\bif (?:we|you|they|i|the (?:government|school|state|city|court)|people|women|men|kids|gay \w+|this|one|someone|parents|he|she)\b~{2,80}(?:,|\bthen\b),? ?(?:then )?(?:the )?(?:next thing (?:you|we) know|before (?:you|we) know it|soon (?:enough|you|we|they|everyone|everybody|people|there|it|all|nobody|no one|the|our|your|he|she|i|kids|children)|it won't be long (?:before|until)|pretty soon|before long|eventually (?:you|we|they|everyone|all|there|it|nobody|no one|the)|what's next|what is next|where (?:will|does) it (?:end|stop)|in no time)\b(?P<x>~{3,100})",
        ),
        strict(
            r"[.!?,;] ?(?:and )?(?:then )?(?:the )?(?:next thing (?:you|we) know|before (?:you|we) know it|what's next|what will be next)[,:?]? ?(?P<x>~{3,100})",
        ),
        strict(
            r"\b(?:first|today) (?:they|it(?:'s| is)|we|you|he|she|a|an)\b~{2,70}[,;.] ?(?:and )?(?:then|tomorrow|next)\b~{2,70}[,;.] ?(?:and )?(?:before long|soon|next|finally|then|eventually|in the end)\b(?P<x>~{3,70}\b(?:prison|dictatorship|slaves?|tyranny|chaos|nothing|nobody|no one|everyone|everything|die|dead|war|end|ruin|collapse|police state|never)\b~{0,40})",
        ),
        strict(
            r"\b(?:where (?:will|does) it (?:all )?(?:end|stop)|what(?:'s| is| will be| comes) next)\? ?(?P<x>~{3,100})",
        ),
        strict(
            r"\b(?:legali[sz]e|allow|permit|let|give|ban|start|lower|raise|accept|approve|make)\b~{2,50}\band (?:soon|next|before long|pretty soon|before you know it|eventually|it won't be long (?:before|until))\b(?P<x>~{3,90})",
        ),
        strict(
            r"\bif (?:we|you|they|i|the \w+|people)\b~{2,60}, (?:then )?(?:you|we|they|it|that|he|she|i|the \w+)\b~{0,20}\b(?:will|'ll|would|is going to|are going to)\b~{2,60}[,;.] ?(?:and )?(?:then|after that|which (?:will|would)|next|from there)\b~{2,70}[,;.]? ?(?:and |until |finally |eventually |in the end )(?P<x>~{3,70}\b(?:end up|homeless|jail|prison|die|dead|destroyed|collapse|street|streets|drug|ruin(?:ed)?|nothing left|extinct|war|anarchy|tyranny|nobody|everyone|world)\b~{0,40})",
        ),
        hint(
            r"\b(?P<x>slippery slope|domino effect|open(?:s|ing)? the (?:door|floodgates)|thin end of the wedge|can of worms|where (?:will|does) it (?:end|stop)|down (?:that|this) (?:road|path)|what's next)\b",
        ),
        hint(
            r"\b(?:soon|before long|eventually|next thing|sooner or later|it won't be long|will (?:only |inevitably |surely |just )?lead to|would (?:only |inevitably |surely )?lead to)\b(?P<x>~{3,80}\b(?:will|would|be|lead|end|all|everyone|nobody)\b~{0,60})",
        ),
        hint(
            r"\bif (?:we|you|they|the \w+|people) (?:start|allow|let|permit|begin|keep|continue|give|ban|legali[sz]e|make|accept)\b~{2,70},? (?:then )?(?P<x>(?:we|you|they|it|people|everyone|there|the \w+|soon|what|who|where|how)(?:'ll| will| would| might)?\b~{2,70})",
        ),
    ],
    forms: &[],
};

pub(super) const HASTY_GENERALISATION: Fallacy = Fallacy {
    id: "hasty_generalisation",
    name: "hasty generalisation",
    family: Family::Informal,
    pack: Pack::General,
    definition: "A few cases, often one's own, are taken for all of them.",
    cue: "I met two of them, so they are all ...",
    examples: &[
        "I met two rude waiters in Lyon, so all French people are rude.",
        "My neighbour's poodle bit me. All poodles are vicious.",
        "My grandfather smoked every day and lived to be 97, so smoking is not harmful.",
        "The first two trains were late, so the trains here are always late.",
        "I know a girl who failed after home schooling; therefore home schooling never works.",
    ],
    subtle: &["Teenagers today are all lazy."],
    counter_examples: &[
        "I met two rude waiters in Lyon, so I left no tip.",
        "All 214 dogs in the register were tested, and all of them are healthy.",
        "My grandfather smoked every day and lived to be 97, which proves nothing about smoking.",
    ],
    question: "How many cases were looked at, and how were they chosen?",
    asks: "How many cases stand behind \"{x}\", and how were they chosen?",
    rules: &[
        strict(
            r"\b(?:i (?:met|know|knew|saw|had|dated|tried|ate|bought|talked to|once|was|have (?:met|seen|had|tried|known)|read|asked|hired|visited|went|got|'ve (?:met|seen|had|tried))|my (?:\w+ )?(?:\w+(?:'s)?)|the (?:first|last|only|one|two|three|\w+ \w+ i)|two|three|one|both|a (?:man|woman|girl|boy|guy|friend)|every \w+ i(?:'ve| have)?)\b~{2,90}[,;.!] ?(?:so|therefore|thus|hence|and so|clearly|obviously|that means|which means|i conclude that|it follows that|consequently|this proves that|that proves|that just shows|which shows|which proves),? (?:clearly |obviously |i (?:guess|think|know|bet) |that |now i know (?:that )?)?(?P<x>(?:all|every|no|none|nobody|everyone|everybody|most|any|people|women|men|teenagers|girls|boys|\w+s|\w+ \w+s|\w+ \w+) (?:of them |\w+ |\w+ \w+ )?(?:(?:is|are|must be|must all be|can't|cannot|do not|don't|does not|doesn't|will|have|has|hate|love|like|should)\b~{0,10}\b(?:all|always|never|every|none|everyone|rude|lazy|stupid|terrible|horrible|vicious|crooks|liars|useless|harmless|the worst|the best|dishonest|untrustworthy|awful|unreliable|criminals|evil|fake|thieves|tall|trusted|pointless)|(?:never|always) (?:work|works|lie|lies|cheat|cheats|help|helps|fail|fails|late|rude|break|breaks|leave|tell))\b~{0,30})[.!]",
        ),
        strict(
            r"\b(?:my|a|an|one|i (?:met|know|knew|saw|had|dated))\b~{2,60}\b(?:bit|lied|cheated|stole|was rude|were rude|was late|broke|failed|was stolen|robbed|crashed|got sick|yelled|was terrible|was awful|broke down|attacked|scratched|left me|hurt me|was horrible)\b~{0,30}[.;!] ?(?P<x>(?:all|every|no|none of|never trust|you can't trust any) \w+~{0,10}\b(?:is|are|can|will|do|were|be|trust|good|cheat|lie|bite|in|from)\b~{0,40})[.!]",
        ),
        strict(
            r"\bmy (?:\w+ )?(?:grandfather|grandmother|grandpa|grandma|uncle|aunt|dad|mom|mother|father|friend|neighbour|neighbor|cousin|brother|sister|granddad)\b~{0,20}\b(?:smoked|drank|ate|drove|took|used|never wore|has smoked|has drunk|eats|smokes|drinks|got|was vaccinated)\b~{2,70}[,;.] ?(?:so|therefore|thus|hence|and so) (?P<x>~{2,50}\b(?:not|can't|cannot|isn't|aren't|doesn't|don't|harmless|safe|healthy|good for|bad for|dangerous|nothing|causes?|works?|useless)\b~{0,40})",
        ),
        sensitive(
            r"\b(?P<x>(?:all|every single|none of the|no) (?:of )?(?:the |these |those )?(?:\w+ )?(?:men|women|people|politicians|teenagers|kids|lawyers|americans|immigrants|teachers|students|girls|boys|muslims|christians|liberals|conservatives|cops|doctors|scientists|millennials|rich \w+|poor \w+|old \w+|young \w+|\w+ people|journalists|companies|men|drivers) (?:are|is|do|want|think|hate|lie|cheat|care|will|can|always|never)\b~{0,40})",
        ),
        sensitive(
            r"\b(?P<x>(?:teenagers|women|men|politicians|immigrants|lawyers|millennials|kids|old people|young people|rich people|poor people|americans)\b~{0,15}\b(?:are|is) all\b~{0,40})",
        ),
        sensitive(
            r"\b(?:i (?:once )?(?:met|know|knew|saw|had|tried)|my (?:friend|cousin|neighbour|neighbor|uncle|aunt|brother|sister|mom|dad|grandfather|grandmother))\b~{2,80}[,;.] ?(?:so|therefore|that's why|which is why) (?P<x>~{3,80})",
        ),
    ],
    forms: &[],
};

pub(super) const FALSE_CAUSE: Fallacy = Fallacy {
    id: "false_cause",
    name: "false cause",
    family: Family::Informal,
    pack: Pack::General,
    definition: "Two things came together or one after the other, and one is said to have caused the other.",
    cue: "it happened after, so it happened because",
    examples: &[
        "I wore my red socks and we won, so the socks brought us luck.",
        "Crime rose after the new mayor took office, so the mayor caused the rise.",
        "Every time I wash my car, it rains. Washing my car makes it rain.",
        "Since the wind farm was built, more people have had headaches; therefore the wind farm causes headaches.",
        "He took the syrup and his cold was gone a week later, so the syrup cured him.",
    ],
    subtle: &["Ice cream sales and drownings rise together."],
    counter_examples: &[
        "Crime rose after the new mayor took office, and it rose as much in the cities without one.",
        "The fuse blew because the heater drew forty amperes.",
        "Every time I wash my car, I use two buckets of water.",
    ],
    question: "Could both have another cause, or have come together by chance?",
    asks: "Could \"{x}\" have another cause, or be chance?",
    rules: &[
        strict(
            r"\b(?:after|since|when|as soon as|ever since|right after|the day after|once|shortly after)\b~{2,90}[,;.] ?(?:so|therefore|thus|hence|and so|which means|clearly|obviously|which proves|this proves|that proves|consequently),? (?:clearly |obviously |it's obvious |that )?(?P<x>(?:the|it|this|that|he|she|they|my|his|her|these|our|\w+)\b~{0,40}\b(?:caused?|causes|must have (?:caused|made|cured|brought|been because)|is (?:to blame|the cause|responsible|why)|are (?:to blame|the cause|responsible)|cured|brought|made (?:me|him|her|it|them|us|the)|makes|is because|was because|led to|worked|works)\b~{0,60})",
        ),
        strict(
            r"\bi (?:wore|wear|put on|carried|prayed|drank|ate|used|changed|sat|crossed|touched|kissed|brought|forgot|left|did not wear|didn't wear|walked|broke|saw)\b~{2,60}\band (?:then )?(?:we|i|my|it|the|our|he|she)\b~{1,40}[,;.] ?(?:so|therefore|clearly|that proves|obviously|which proves),? (?:clearly |that |obviously )?(?P<x>(?:the|it|my|that|they|this|prayer)\b~{0,30}\b(?:luck|lucky|unlucky|caused|made|brought|works?|worked|because|cured|helped|won|curse|jinxed)\b~{0,40})",
        ),
        strict(
            r"\b(?:every time|whenever|each time) (?:i|we|he|she|my|the|you|they)\b~{2,60}[,;] ~{2,60}[.;!,] ?(?:so |therefore |clearly |obviously |hence )?(?P<x>(?:my )?\w+ing\b~{0,30}\b(?:makes?|causes?|brings?|is (?:what|why)|must)\b~{0,40}|(?:the|it|that|this|my|\w+) ~{0,20}\b(?:must cause|causes|is causing|makes it|is the cause|brings|must be causing)\b~{0,40})",
        ),
        strict(
            r"\b(?P<x>(?:\w+ ){1,4}(?:took|had|drank|ate|used|tried|got|received|started) ~{2,50}\band (?:his|her|my|their|the|i|he|she|they)\b~{1,40}\b(?:gone|better|healed|recovered|cured|disappeared|went away|felt|got sick|got ill|sick|ill|died|developed)\b~{0,25})[,;.] ?(?:so|therefore|thus|hence|clearly|that proves) ~{0,40}\b(?:cured|cures|works?|worked|caused|causes|healed|made|is effective|must have|did it|gives)\b",
        ),
        strict(
            r"\b(?:has|have|had|rose|risen|rises|increased|increases|grown|fallen|dropped|declined|decreased|went up|gone up|more|fewer)\b~{2,60}\b(?:at the same time|as well|too|correlat\w+|together|while|just as|over the same (?:period|years))\b~{0,50}[,;.] ?(?:so|therefore|thus|hence|clearly|obviously|which proves|this proves)\b,? (?:that )?(?P<x>~{2,50}\b(?:causes?|caused|makes?|leads? to|is (?:to blame|responsible|why)|are (?:to blame|responsible|why)|must (?:cause|be caused))\b~{0,40})",
        ),
        sensitive(
            r"\b(?P<x>(?:rise|rises|rose|fall|fell|go up|went up|increase|increased|decrease|decreased|grow|grew) (?:and fall )?together|happened (?:right |just )?after|coincidence\?|no coincidence|correlat\w+)\b",
        ),
        sensitive(
            r"\b(?:ever since|since|after)\b~{3,70},(?P<x>~{3,80}\b(?:more|less|worse|better|increased?|rose|risen|gone up|sick|ill|cured|won|lost|crime|happened)\b~{0,40})[,;.] ?(?:so|therefore|clearly|obviously|coincidence)",
        ),
    ],
    forms: &[],
};

pub(super) const CHERRY_PICKING: Fallacy = Fallacy {
    id: "cherry_picking",
    name: "cherry picking",
    family: Family::Informal,
    pack: Pack::General,
    definition: "Only the cases that suit are shown, and those that do not are left out.",
    cue: "just look at this one study; ignore the rest",
    examples: &[
        "Forget the other nine studies; this one shows that the pill works.",
        "It snowed in April this year, so there is no global warming.",
        "Ignore the bad reviews and look only at the good ones: this hotel is perfect.",
        "Just look at this one cold winter, which proves that the climate is not changing.",
    ],
    subtle: &["One study found that wine is healthy."],
    counter_examples: &[
        "Nine studies found no effect and one did; pooled, the effect is near zero.",
        "It snowed in April this year, so the roads were closed.",
        "Ignore the reviews from before the renovation, because the rooms were rebuilt.",
    ],
    question: "What do the cases show that were left out?",
    asks: "What do the cases show that \"{x}\" leaves out?",
    rules: &[
        strict(
            r"\b(?:forget|ignore|never mind|disregard|leave out|don't look at|forget about|leave aside) (?P<x>(?:about )?(?:all )?(?:the |those |these )?(?:other|rest of the|bad|negative|remaining|contrary|hundreds of|dozens of|opposing|unfavou?rable) (?:\w+ )?(?:studies|trials|reviews|results|years|data|cases|evidence|polls|figures|numbers|reports|experiments|surveys|measurements|ones)\b~{0,40})[;,.:-]* ?(?:and )?(?:this|look|just look|one|the one|only|here|see|focus|these|what matters)\b",
        ),
        strict(
            r"\b(?P<x>(?:it|this (?:winter|summer|year|week|month|morning|spring)|today|yesterday|last (?:winter|week|night|month|year)|we had|there was)\b~{0,50}\b(?:snow(?:ed|s|ing)?|cold(?:est)?|freezing|froze|frost|record cold|chilly|blizzard|ice)\b~{0,40})[,;.?] ?(?:so|therefore|thus|hence|and|clearly|which proves|proof|which shows|so much for|where is|where's)\b~{0,40}\b(?:global warming|climate change|climate is not|warming|climate isn't)\b",
        ),
        strict(
            r"\b(?:just|only) look at (?P<x>(?:this|that|the) (?:one|single|first|last|best)\b~{2,50})[,;:.-]+ ?(?:which |it |this |that )?(?:proves|shows|tells you everything|settles|clearly)\b",
        ),
        sensitive(
            r"\b(?P<x>(?:one|a single|a recent|this one|at least one) (?:study|survey|trial|poll|report|paper|case|example)) (?:found|shows?|showed|proves?|proved|says?|suggests?)\b",
        ),
    ],
    forms: &[],
};

pub(super) const COMPOSITION: Fallacy = Fallacy {
    id: "composition",
    name: "composition",
    family: Family::Informal,
    pack: Pack::General,
    definition: "What holds of the parts is said to hold of the whole.",
    cue: "every part is ..., so the whole is ...",
    examples: &[
        "Every player on the team is excellent, so the team must be excellent.",
        "Each brick weighs little, therefore the wall weighs little.",
        "Atoms are invisible, and you are made of atoms, so you are invisible.",
        "All the parts of this car are light, so the car is light.",
    ],
    subtle: &["Each chapter is short and the novel is therefore short."],
    counter_examples: &[
        "Every player on the team has signed, so the list is complete.",
        "Each brick weighs two kilograms, and the wall has nine thousand of them.",
    ],
    question: "Does the whole have to be like its parts in this respect?",
    asks: "Does the whole have to be like \"{x}\" in this respect?",
    rules: &[
        strict(
            r"\b(?P<x>(?:every|each|all (?:of )?(?:the|its|our|these)) (?:single )?(?:individual )?(?:players?|parts?|bricks?|members?|ingredients?|chapters?|pieces?|components?|cells?|atoms?|notes?|scenes?|tiles?|soldiers?|musicians?|sentences?|threads?|singers?|actors?|bolts?|stones?|pages?|employees?|colou?rs?|words?|songs?|floors?)\b~{0,30}?) (?:is|are|weighs?|has|have|costs?|tastes?|can|looks?|sounds?|plays?)\b~{2,50}[,;.] ?(?:so|therefore|thus|hence|and so|which means),? (?:the|this|that|it|our|a|my) (?:whole |entire |finished )?(?:team|wall|whole|car|machine|house|book|novel|dish|cake|film|movie|song|orchestra|company|army|soup|building|universe|body|choir|group|bridge|engine|cast|society|album|meal|painting|quilt|play|country|recipe|plane|poem|shirt|it)\b~{0,15}\b(?:must (?:be|also|weigh|taste|have)|is|are|weighs?|will be|will taste|has to be|tastes?|costs?|has|can|sounds?)\b",
        ),
        strict(
            r"\b(?P<x>(?:atoms|cells|molecules|electrons|particles))\b~{2,50}[,;.] ?(?:and )?(?:you|we|people|humans|the \w+|a \w+|everything|i|\w+s)\b~{0,15}\b(?:made (?:up )?of|consists? of|composed of)\b~{2,30}[,;.] ?(?:so|therefore|thus|hence)\b~{2,60}",
        ),
        sensitive(
            r"\b(?:every|each|all (?:of )?the) (?P<x>\w+)\b~{3,60}\b(?:so|therefore|thus|hence) (?:the|this) (?:whole |entire )?~{3,50}",
        ),
        sensitive(r"\beach (?P<x>\w+) is ~{2,40}\btherefore\b"),
    ],
    forms: &[],
};

pub(super) const DIVISION: Fallacy = Fallacy {
    id: "division",
    name: "division",
    family: Family::Informal,
    pack: Pack::General,
    definition: "What holds of the whole is said to hold of each part.",
    cue: "the whole is ..., so each part is ...",
    examples: &[
        "The team is the best in the league, so every player must be the best in the league.",
        "The company is rich, therefore each of its employees is rich.",
        "The university is seven hundred years old, so its professors must be very old.",
        "She goes to the best school in the country, so she must be one of the best pupils.",
    ],
    subtle: &["This country is wealthy and so are you."],
    counter_examples: &[
        "The team is the best in the league, so every player gets a bonus.",
        "The company is rich, and its employees are paid by the hour.",
    ],
    question: "Does each part have to be like the whole in this respect?",
    asks: "Does each part have to be like \"{x}\" in this respect?",
    rules: &[
        strict(
            r"\b(?P<x>(?:the|this|that|our|my|a) (?:whole |entire )?(?:\w+ )?(?:team|company|firm|university|school|orchestra|army|machine|car|family|country|nation|band|choir|party|city|club|ship|plane|wall|book|class|college|firm|bank|choir|church|village|town|group|house|cake|government)) (?:is|are|was|has|weighs|plays|makes|earns|wins)\b~{2,50}[,;.] ?(?:so|therefore|thus|hence|and so|which means),? (?:every|each|all (?:of )?(?:its|the|their)|any|its|their|he|she|all)(?: (?:one )?of (?:its|the|their))?(?: single)?(?: \w+)? ?(?:\w+ )?(?:must (?:be|have|also)|is|are|has to be|have to be|weighs?|also)\b~{2,50}",
        ),
        strict(
            r"\b(?:he|she|they|my \w+|\w+) (?:goes|go|went|works|work|plays|play|belongs|belong|lives|live|studies) (?:to|for|at|in) (?P<x>(?:the|a) (?:best|richest|greatest|most \w+|smartest|finest|oldest|very \w+|famous|rich|top|elite) \w+\b~{0,30})[,;.] ?(?:so|therefore|thus|hence|and so) (?:he|she|they)\b~{0,10}\b(?:must be|is|are|has to be)\b~{2,50}",
        ),
        sensitive(
            r"\b(?P<x>(?:the|this|our) \w+) is ~{2,40}\b(?:and so are|so (?:each|every|all))\b~{2,40}",
        ),
    ],
    forms: &[],
};
