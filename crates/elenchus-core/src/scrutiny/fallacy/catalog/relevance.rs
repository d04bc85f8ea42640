//! Fallacies of relevance: something else is put in the place of a reason.

use super::{Fallacy, Family, Pack, sensitive, strict};

pub(super) const AD_HOMINEM: Fallacy = Fallacy {
    id: "ad_hominem",
    name: "ad hominem",
    family: Family::Informal,
    pack: Pack::General,
    definition: "The person is attacked in the place of what the person says.",
    cue: "do not listen to her, she is a ...",
    examples: &[
        "Don't listen to Petrov on taxes, he is a convicted drunk.",
        "Why should we believe anything she says about schools? She is a complete idiot.",
        "He never finished college, so his opinion on the bridge is worthless.",
        "You are just a bitter old man, your argument about rents means nothing.",
    ],
    subtle: &["Only a moron would think the plan can work."],
    counter_examples: &[
        "Petrov was convicted in 2011, and his tax figures contradict the published ledger.",
        "She called the minister an idiot, which the speaker asked her to withdraw.",
        "The witness has lied under oath before, so her statement was checked against the recordings.",
    ],
    question: "What is wrong with the claim itself, whoever makes it?",
    asks: "What would be wrong with the claim if it did not come from \"{x}\"?",
    rules: &[
        strict(
            r"\b(?:don't|do not|why should (?:we|i|anyone|you)|why would (?:we|i|anyone|you)|how can (?:we|you|anyone)|nobody should|you can't|you cannot|never) (?:ever )?(?:listen to|believe|trust|take|care what|heed)\b[^\n.]{0,80}?[,;:.?!-]+ ?(?:after all,? |because )?(?P<x>(?:he|she|they|it|the man|the woman|this man|that woman|that man)(?:'s|'re| is| are| was)) (?:just |nothing but |only |clearly |obviously |such )?(?:a |an |the )?(?:known |complete |total |utter |convicted |spoiled |bitter |old |fat |lazy |filthy |rich |silly |bunch of |pack of )*(?:idiots?|morons?|liars?|fools?|drunks?|crooks?|clowns?|hypocrites?|losers?|criminals?|frauds?|snobs?|cheats?|cheaters?|jerks?|bigots?|racists?|communists?|fascists?|nobody|dropouts?|adulterers?|quacks?|hacks?|stupid|dumb|ugly|insane|crazy|ignorant|corrupt|immoral|clueless|pathetic)\b",
        ),
        strict(
            r"\b(?:he|she|they|the (?:senator|author|mayor|doctor|teacher|writer|speaker|minister|professor)) (?:is|are|was|were|never|has|have|did not|didn't|dropped|looks?|dresses|can't even|cannot even|failed|cheated|divorced)\b~{0,50}[,;]? (?:so|therefore|thus|hence|which is why|and so) (?:we should (?:not listen|ignore)|(?:his|her|their) (?:views?|opinions?|arguments?|ideas?|plans?|theory|theories|claims?|proposals?|findings)~{0,40} (?:is|are|must be|has to be|cannot be|can't be|can be) (?:worthless|wrong|false|garbage|nonsense|rubbish|invalid|right|trusted|taken seriously|dismissed|ignored|meaningless|irrelevant|a joke))",
        ),
        strict(
            r"\b(?:you're|you are|he's|he is|she's|she is|they're|they are) (?:just |only |nothing but |clearly )?(?:a |an |some )(?:bitter |bunch of |silly |sad |old |spoiled |angry |paid |stupid |typical |ignorant |rich |washed-up )*(?:man|woman|kid|child|idiot|moron|fool|liar|loser|shill|troll|clown|snob|hypocrite|brat|nobody|dropout|crank|bigot|puppet)s?\b~{0,20}[,;:-]+ ?(?:so |and )?(?:(?:your|his|her|their) (?:argument|opinion|view|claim|point|theory|idea)s?\b~{0,60}\b(?:means? nothing|worthless|do(?:es)? not (?:matter|count)|doesn't (?:matter|count)|wrong|garbage|nonsense|rubbish|invalid)|(?:nobody|no one) (?:should|cares|needs to))",
        ),
        strict(
            r"\bof course (?P<x>(?:he|she|you|they)(?:'d| would|'ll| will)?) (?:would )?(?:say|think|believe|claim|argue)~{0,40}[,;:.-]+ ?(?:he|she|you|they)(?:'s|'re| is| are) (?:just |only |nothing but )?(?:a |an )?(?:\w+ )?(?:idiot|moron|liar|fool|loser|clown|shill|snob|crook|communist|fascist|bigot|bunch|moronic|stupid)",
        ),
        sensitive(
            r"\b(?:only|nobody but|just) (?:an? )?(?:complete |total )?(?P<x>idiots?|morons?|fools?|imbeciles?|simpletons?|traitors?|cowards?|lunatics?) (?:would|could|can|believes?|thinks?)\b",
        ),
        sensitive(
            r"\b(?:you|he|she|they|these people|those people|politicians|liberals|conservatives)(?:'re| are|'s| is| were)? (?:all |just |nothing but |such )*(?:an? |the |a bunch of )?(?:bunch of )?(?:complete |total |real |utter )?(?P<x>idiots?|morons?|liars?|fools?|clowns?|hypocrites?|losers?|snobs?|crooks|stupid|brainless|delusional|pathetic|clueless)\b",
        ),
    ],
    forms: &[],
};

pub(super) const TU_QUOQUE: Fallacy = Fallacy {
    id: "tu_quoque",
    name: "tu quoque",
    family: Family::Informal,
    pack: Pack::General,
    definition: "A charge is turned back on whoever makes it, as if that answered it.",
    cue: "you do it yourself, so you cannot tell me",
    examples: &[
        "You smoke yourself, so you can't tell me that smoking is bad.",
        "Who are you to lecture me about speeding? You got two tickets last year.",
        "How can you say meat is wrong when you wear leather shoes?",
        "He tells us to save water, but he has a swimming pool, so why should we listen?",
    ],
    subtle: &["You did the same thing last week."],
    counter_examples: &[
        "You smoke yourself, so you know how hard it is to stop.",
        "The auditor found the same error in her own ledger and corrected both.",
    ],
    question: "Is the charge true, whoever makes it?",
    asks: "Is the charge true, even if \"{x}\" is guilty of it as well?",
    rules: &[
        strict(
            r"\bwho (?:are|is) (?P<x>you|he|she|they)\b,? to (?:lecture|tell|preach|judge|criticise|criticize|complain|talk|say|advise|accuse|warn)\b",
        ),
        strict(
            r"\bhow (?:can|could|dare) (?P<x>you|he|she|they) (?:\w+ )?(?:say|tell|claim|argue|criticise|criticize|complain|lecture|preach|accuse|judge|expect)\b~{0,80}\bwhen (?:you|he|she|they)(?:'re|'ve|'s)?\b",
        ),
        strict(
            r"\b(?P<x>you|he|she|they) (?:yourself |himself |herself |themselves )?~{2,60}?\b(?:yourself|too|himself|herself|themselves|as well)?,? (?:so|therefore) (?:you|he|she|they) (?:can't|cannot|can not|have no (?:right|business)|has no (?:right|business)|shouldn't|should not|are in no position|is in no position)(?: to)? (?:tell|lecture|criticise|criticize|complain|judge|preach|say|accuse|talk|blame)\b",
        ),
        strict(
            r"\b(?P<x>you|he|she|they) (?:tells?|told|asks?|wants?|lectures?|preach(?:es)?)\b~{3,60}\b(?:but|yet|while) (?:you|he|she|they)\b~{3,60}[,;.] ?(?:so |then )?why should (?:we|i|anyone)\b",
        ),
        strict(
            r"\b(?:look who's talking|pot calling the kettle|you're one to talk|that's rich,? coming from)\b",
        ),
        sensitive(
            r"\b(?P<x>you|he|she|they) (?:did|do|does) (?:exactly )?(?:the same|it|that)(?: thing)? (?:too|yourself|himself|herself|themselves|last \w+|all the time|as well)\b",
        ),
        sensitive(
            r"\b(?:hypocrite|hypocrites|hypocritical)\b~{0,60}\b(?:so|therefore|cannot|can't|nobody|ignore)\b",
        ),
    ],
    forms: &[],
};

pub(super) const STRAW_MAN: Fallacy = Fallacy {
    id: "straw_man",
    name: "straw man",
    family: Family::Informal,
    pack: Pack::General,
    definition: "A weaker or wilder claim is put into the other side's mouth, and that one is answered.",
    cue: "so what you are saying is that we should all ...",
    examples: &[
        "So you're saying we should just let criminals run free.",
        "My opponent wants a smaller army. In other words, she wants us to be defenceless.",
        "You think the speed limit should be lower? So you want to ban cars altogether!",
        "Environmentalists want us all to live in caves and give up electricity.",
    ],
    subtle: &["Apparently he would rather see children starve than raise one tax."],
    counter_examples: &[
        "So you are saying that the second trial had more patients; is that right?",
        "She wants a smaller army, and names three bases to be closed.",
        "In other words, the boiler has to be replaced before winter.",
    ],
    question: "Would the other side put its claim in these words?",
    asks: "Did the other side say \"{x}\", or something milder?",
    rules: &[
        strict(
            r"\bso,? (?:what )?(?:you're|you are|he's|she's|they're|he is|she is|they are) (?:basically |really |just |actually |essentially )?(?:saying|telling (?:me|us)|suggesting|claiming)(?: is)?,? (?:that )?(?P<x>~{0,40}\b(?:should(?:n't| not)? (?:just|all|never|simply|only|let|be allowed)|nobody|no one|everyone|everybody|never|always|all of|don't care|do not care|nothing|anything goes|doesn't matter|hate|let (?:them|criminals|people)|worthless|starve|die|useless|kill)\b~{0,60})",
        ),
        strict(
            r"\bso,? (?:you|he|she|they) (?:just |really |basically |actually )?(?:want|wants|think|thinks|believe|believes|hate|hates)(?: that)? (?P<x>~{0,50}\b(?:altogether|ban all|let (?:criminals|everyone|them all|people die)|starve|anarchy|nobody|no one|everyone|everybody|worthless|completely|abolish|destroy|to die|all of us|no \w+ at all|don't matter|the terrorists|turn into)\b~{0,40})[.!?]",
        ),
        strict(
            r"\b(?:my opponent|opponents?|the (?:other side|opposition|critics)|environmentalists|feminists|vegans|atheists|christians|liberals|conservatives|socialists|republicans|democrats|the left|the right|activists|scientists|evolutionists|the minister|the mayor|the senator|she|he|they) (?:just |really |simply |basically |would )?(?:want|wants|believe|believes|think|thinks|claim|claims|say|says)\b~{0,60}[.;!?-]+ ?(?:in other words|that is to say|which means|basically|so basically),? (?:he|she|they|it)(?:'d| would)? (?:want|wants|think|thinks|believe|believes|hate|hates|like|likes|rather)\b(?P<x>~{3,80})",
        ),
        strict(
            r"\b(?:my opponents?|the opposition|environmentalists|feminists|vegans|atheists|liberals|conservatives|socialists|republicans|democrats|the left|the right|activists|evolutionists|they) (?:just |really |simply |basically )?(?:want|wants|would like|would have) (?:us all|all of us|everyone|everybody|every one of us|us) to (?P<x>(?:live in caves|go back to|give up|starve|be (?:defenceless|defenseless|slaves|naked)|stop|die|freeze|believe that)\b~{0,60})",
        ),
        sensitive(
            r"\b(?:apparently|evidently|clearly),? (?:he|she|they|you) (?:would|'d) rather (?:see |let )?(?P<x>~{3,60}) than\b",
        ),
        sensitive(
            r"\b(?:so (?:you|they|he|she)(?:'re| are|'s| is)? (?:basically |really )?(?:saying|want|think))\b~{5,100}[?!]",
        ),
    ],
    forms: &[],
};

pub(super) const RED_HERRING: Fallacy = Fallacy {
    id: "red_herring",
    name: "red herring",
    family: Family::Informal,
    pack: Pack::General,
    definition: "The talk is led to another subject before the question is answered.",
    cue: "yes, but what about ...; the real question is ...",
    examples: &[
        "You ask about the missing funds, but what about the wonderful summer fair we held?",
        "I know I forgot your birthday, but have you noticed how clean the garage is?",
        "Never mind the leak; let's talk about how good our new logo looks.",
        "Why worry about pollution in the river when our football team is about to win the cup?",
    ],
    subtle: &[
        "The real question is not whether he took the money, it is why the press dislikes him.",
    ],
    counter_examples: &[
        "You ask about the missing funds; the auditor traced them to a booking error.",
        "But what about the second pump? It was tested on Friday.",
    ],
    question: "What has this to do with the question that was asked?",
    asks: "What has \"{x}\" to do with the question that was asked?",
    rules: &[
        strict(
            r"\b(?:you|they|people|critics|reporters|some|he|she) (?:may |might |can |keep |all )?(?:asks?|asking|complains?|complaining|talks?|worry|worries|accuse|want to talk|criticise|criticize|questions?)\b~{3,70}[,;] (?:but|yet) (?:what about|have you (?:seen|noticed|considered|thought)|let me tell you about|let's (?:talk about|not forget|remember|look at)|look at|look how|consider how|don't forget|remember that)\b(?P<x>~{3,80})",
        ),
        strict(
            r"\bi (?:know|realise|realize|understand|admit)\b~{3,70}[,;] but (?:what about|have you (?:seen|noticed|considered|thought|heard)|look at (?:how|this|that|the)|did you (?:see|notice|hear))\b(?P<x>~{3,80})",
        ),
        strict(
            r"\b(?:never mind|forget|forget about|enough about|don't worry about|let's not talk about) (?:the |that |about |all |this )*~{3,50}[;,.:-]+ ?(?:let's|let us|we should|look at|think about|what about|have you) (?:instead )?(?:talk about|look at|focus on|discuss|remember|celebrate|seen|how|think about)?(?P<x>~{3,80})",
        ),
        strict(
            r"\bwhy (?:worry|talk|care|bother|fuss|ask|argue|complain) (?:about )?~{3,60}\bwhen (?P<x>(?:our|the|my|your|there's|there is|we have|this)\b~{3,80})\?",
        ),
        sensitive(
            r"\bthe real (?:question|issue|problem|story) (?:is|isn't|here is) (?:not )?~{0,70}\b(?:it is|it's|but|is) (?P<x>~{3,80})",
        ),
        sensitive(r"\b(?:yes|sure|ok|okay|well|maybe),? but what about (?P<x>~{3,80})\?"),
    ],
    forms: &[],
};

pub(super) const WORSE_PROBLEMS: Fallacy = Fallacy {
    id: "appeal_to_worse_problems",
    name: "appeal to worse problems",
    family: Family::Informal,
    pack: Pack::General,
    definition: "A problem is waved away because a bigger one exists somewhere.",
    cue: "there are people starving, so stop complaining about ...",
    examples: &[
        "Stop complaining about your rent; there are children starving in the world.",
        "Why worry about litter when people are dying in wars?",
        "You think your boss is bad? Some people have no job at all, so be quiet.",
        "There are far bigger problems than noise, so the council should drop it.",
    ],
    subtle: &["At least we do not live under a dictator."],
    counter_examples: &[
        "There are bigger problems than noise, but the council can work on several at once.",
        "Children are starving in the camps, the agency said, because the road has been cut.",
    ],
    question: "Does the bigger problem make this one any smaller?",
    asks: "Does \"{x}\" make this problem any smaller?",
    rules: &[
        strict(
            r"\b(?:stop|quit|no point|don't|do not|you shouldn't|you should not|nobody should|no reason to) (?:complaining|whining|moaning|worrying|in worrying|complain|whine|worry|crying|fussing|fuss)\b~{0,60}[,;.!-]+ ?(?:when |because |as )?(?P<x>(?:there are|people in|children in|some (?:people|kids|children|families)|millions|others|at least|think of|elsewhere|in (?:other|poor|some) (?:countries|places))\b~{3,80})",
        ),
        strict(
            r"\b(?:why|how can (?:you|we|anyone)) (?:worry|care|complain|bother|fuss|talk|spend|waste)\b~{2,70}\bwhen (?P<x>(?:there are |so many |millions of |thousands of |some )?(?:people|children|kids|others|families|millions|thousands|the homeless|veterans|there are)\b~{0,40}\b(?:starving|dying|die|starve|homeless|suffering|hungry|killed|murdered|poor|no food|no home|worse|bigger|wars?|bombed)\b~{0,30})",
        ),
        strict(
            r"\byou think\b~{2,50}\b(?:is|are|was) (?:bad|hard|tough|a problem|terrible|unfair|expensive)\?+ ?(?P<x>(?:some|other|there are|try|in|people|children|imagine|at least)\b~{3,80})",
        ),
        strict(
            r"\b(?:there are|we have|the world has|this country has) (?:far |much |way |so many )?(?P<x>(?:bigger|worse|more (?:important|serious|pressing)|larger|real) (?:problems|issues|things|worries|concerns|matters)\b~{0,40})[,;] (?:so|therefore|and so) (?:we|you|they|let's|the|it|this|nobody|there|stop)\b",
        ),
        sensitive(
            r"\b(?:bigger|worse|more important|more pressing|more serious) (?:problems|issues|things|matters|fish to fry)\b",
        ),
        sensitive(
            r"\bat least (?:we|you|they|he|she|it|i)(?:'re|'s|'m)? (?:do not|don't|does not|doesn't|have|has|are not|aren't|is not|isn't|not|live|did not|didn't|get)\b",
        ),
    ],
    forms: &[],
};

pub(super) const APPEAL_TO_AUTHORITY: Fallacy = Fallacy {
    id: "appeal_to_authority",
    name: "appeal to authority",
    family: Family::Informal,
    pack: Pack::General,
    definition: "Somebody's standing takes the place of reasons, or the standing is in another field.",
    cue: "a famous actor says so, so it must be true",
    examples: &[
        "A famous actor drinks this tea every day, so it must be healthy.",
        "My professor said the law is unjust, so it is unjust.",
        "He is a Nobel laureate in physics, so he must be right about vaccines.",
        "Doctor Hale recommends these pans, and who are you to question a doctor?",
    ],
    subtle: &["Experts agree that this is the best phone on the market."],
    counter_examples: &[
        "The professor said the law is unjust and gave four reasons, which we examine below.",
        "Two cardiologists reviewed the scans and found a blocked artery.",
        "According to the port authority, 412 ships called in May.",
    ],
    question: "Is this person an expert in this very question, and what are the reasons?",
    asks: "Is \"{x}\" an expert in this very question, and what are the reasons?",
    rules: &[
        strict(
            r"\b(?P<x>(?:my|our|a|an|the|one|this|that|even)? ?(?:famous |well-known |brilliant |popular |respected |favourite |favorite |leading |great |top |rich |successful )*(?:actor|actress|singer|celebrity|doctor|professor|teacher|scientist|pastor|priest|president|king|athlete|footballer|model|billionaire|movie star|film star|star|expert|dentist|boss|dad|mom|mother|father|brother|sister|grandmother|grandfather|uncle|aunt|friend|coach|lawyer|physicist|ceo|guru|influencer|champion|player))\b~{0,15}\b(?:says?|said|told|believes?|thinks?|drinks?|uses?|eats?|wears?|recommends?|endorses?|drives?|swears by|claims?|agrees?|insists?|supports?|bought|buys|takes)\b~{3,70}[,;.] ?(?:so|therefore|thus|hence|and so|which means|that's why|consequently) (?:it|that|this|they|we|you|i|he|she|there|the)\b~{0,40}\b(?:must|is|are|has to|have to|should|can't be wrong|cannot be wrong|true|right|can)\b",
        ),
        strict(
            r"\b(?P<x>he|she|they|dr|doctor|professor|my \w+)(?:'s| is| are| has| was|\.)? ~{0,60}\b(?:nobel|doctorate|phd|degree|professor|doctor|genius|famous|expert|award|scientist|laureate|millionaire|billionaire|ceo)\b~{0,40}[,;] (?:so|therefore|thus|hence|and so) (?:he|she|they|it|that|what (?:he|she) says)~{0,20}\b(?:must be|is|has to be|can't be|cannot be|are|knows?|is always) (?:right|true|correct|wrong|best|mistaken|certain|know)?",
        ),
        strict(
            r"\bwho (?:are|am) (?:you|i|we) to (?:question|doubt|contradict|argue with|disagree with|challenge) (?P<x>(?:a|an|the|such|someone|our|him|her|them|god)\b~{0,50})",
        ),
        strict(
            r"\b(?:it|that|this)(?:'s| is| must be)? (?:true|right|good|safe|correct|healthy|must be true|must be right)\b~{0,20}\b(?:because|since|as) (?P<x>(?:my|our|a|the|dr|doctor|professor|president|king|some)\b~{0,40}\b(?:said so|says so|says it is|said it|told (?:me|us)(?: so)?|says it))",
        ),
        strict(
            r"\b(?:if|when) it(?:'s| is) good enough for (?P<x>~{3,40}), (?:then )?it(?:'s| is) good enough for (?:me|us|you|anyone|everyone)\b",
        ),
        sensitive(
            r"\b(?P<x>(?:experts|scientists|doctors|studies|researchers|specialists|economists|top \w+|leading \w+|\d+ out of \d+ \w+|nine out of ten \w+)) (?:all |everywhere )?(?:agree|say|know|confirm|recommend|believe|have proven|have proved|prove|show)\b",
        ),
        sensitive(
            r"\b(?P<x>(?:a |the |my |our )?(?:famous \w+|celebrity|professor|doctor|dentist|pastor|president))\b~{0,30}\b(?:says?|said|told|recommends?|endorses?|believes?|uses?)\b",
        ),
    ],
    forms: &[],
};

pub(super) const APPEAL_TO_POPULARITY: Fallacy = Fallacy {
    id: "appeal_to_popularity",
    name: "appeal to popularity",
    family: Family::Informal,
    pack: Pack::General,
    definition: "Many people believe or do it, and that is offered as the reason why it is true or good.",
    cue: "everybody knows; millions cannot be wrong",
    examples: &[
        "Millions of people read their horoscope, so there must be something in it.",
        "Everyone is buying this phone, so it must be the best.",
        "Ten million customers can't be wrong.",
        "Most people believe in ghosts, therefore ghosts exist.",
        "You should vote for Kern, everyone else is.",
    ],
    subtle: &["Everybody knows that the mayor is corrupt."],
    counter_examples: &[
        "Most people in the survey believe in ghosts, which says something about the survey.",
        "Everyone is buying this phone, so the shop has run out of stock.",
        "Millions of people read the paper, and its archive is open to all.",
    ],
    question: "Would it be true or good if few people thought so?",
    asks: "Would it be true or good if \"{x}\" thought otherwise?",
    rules: &[
        strict(
            r"\b(?P<x>(?:\w+ )?(?:million|millions|billion|billions|thousand|thousands|hundreds)\b(?: of)?(?: \w+){0,3}|so many \w+|all (?:these|those|of these) \w+|everyone|everybody|most people|(?:a|the) (?:vast )?majority(?: of \w+)?) (?:can't|cannot|can not|couldn't|could not) (?:all )?be (?:wrong|mistaken)\b",
        ),
        strict(
            r"\b(?P<x>everyone|everybody|millions of \w+|billions of \w+|most (?:people|americans|of us|students|parents|voters|families|women|men|countries|of \w+ \w+)|(?:almost |nearly )?(?:everyone|everybody|all) (?:i know|my \w+|of my \w+|else|in \w+)|all (?:my|the) (?:friends|neighbours|neighbors|cool kids|other \w+)|the (?:vast |overwhelming )?majority(?: of \w+)?|so many people|a lot of people|many people|\d+ ?(?:%|percent|per cent) of (?:\w+ )?\w+|people everywhere)\b~{2,70}[,;.] ?(?:so|therefore|thus|hence|and so|which means|that's why|consequently|which proves),? (?:it|that|this|they|there|he|she|we|you|i|the|\w+)~{0,40}\b(?:must be (?:the )?(?:true|right|good|best|real|correct|something|great|safe|fine|ok|okay|morally|better|healthy|a)|has to be (?:true|right|good|the best|real|great)|exists?|is (?:true|right|the best|the right|good|correct|real|fine|ok|okay|safe|moral|acceptable)|are (?:true|right|real|good)|should (?:too|as well|also|be (?:legal|allowed|the))|can't be (?:bad|wrong)|cannot be (?:bad|wrong))",
        ),
        strict(
            r"\b(?:must be|has to be|is|are|it's) (?:true|right|good|the best|real|great|fine|safe|okay|ok|correct|better|moral)\b~{0,30}\b(?:because|since|as) (?P<x>(?:so many|everyone|everybody|most people|millions|a lot of people|all (?:my|the)|the majority|lots of people|many people)\b~{0,60})",
        ),
        strict(
            r"\b(?:you should|you must|you need to|you have to|we should|we must|why don't you|i should|let's|join|buy|you ought to)\b~{2,70}[,;.:-] ?(?:because |since |after all,? )?(?P<x>everyone else (?:is|does|has|did|already)\b|everybody else (?:is|does|has|did|already)\b|everyone(?:'s| is) doing it|everybody(?:'s| is) doing it|all (?:the|your) (?:other \w+|friends|cool kids|neighbours|neighbors) (?:are|do|have|already))",
        ),
        strict(
            r"\b(?P<x>everyone|everybody|all my friends|all the other \w+)(?: else)?(?:'s| is| are|'re) doing it[,;.]? ?(?:so|therefore|why|and)\b",
        ),
        sensitive(
            r"\b(?P<x>everyone|everybody|the whole world|any sensible person|we all) (?:already )?(?:knows?|agrees?|thinks?|believes?|says?|does it|wants)\b",
        ),
        sensitive(
            r"\b(?P<x>most people|the (?:vast |overwhelming |silent )?majority|millions of \w+|\d+ ?(?:%|percent|per cent)|(?:best|top)[- ]selling|most popular|number one|no\. ?1)\b~{0,60}\b(?:agree|believe|think|support|want|prefer|choose|trust|know|love|use|brand|choice)\b",
        ),
    ],
    forms: &[],
};

pub(super) const APPEAL_TO_EMOTION: Fallacy = Fallacy {
    id: "appeal_to_emotion",
    name: "appeal to emotion",
    family: Family::Informal,
    pack: Pack::General,
    definition: "Pity, fear, pride or guilt is stirred in the place of a reason.",
    cue: "think of the children; how would you feel if ...",
    examples: &[
        "You have to give me a better grade, my dog died and my mother will be heartbroken.",
        "If you do not buy this alarm, your children could be next.",
        "Won't somebody please think of the children?",
        "If you really loved me, you would sign the paper.",
        "Imagine the tears of your family when they find you never bought our insurance.",
    ],
    subtle: &["Those poor puppies look at you with sad eyes every night."],
    counter_examples: &[
        "My dog died on Tuesday and my mother is heartbroken.",
        "The alarm halves the time to the first call, in the tests of the fire brigade.",
        "If you loved the first book, you will like the second one.",
    ],
    question: "What reason remains when the feeling is taken away?",
    asks: "What reason remains when \"{x}\" is taken away?",
    rules: &[
        strict(
            r"\b(?:you (?:have to|must|need to|should|can't|cannot|shouldn't|should not)|please|i deserve|i should)\b~{0,15}\b(?:give|let|fail|fire|arrest|raise|change|punish|sentence|ticket|evict|hire|pass|accept|convict|fine|get|flunk)\b~{2,60}?[,;.!-]+ ?(?:because |since |as |after all,? )?(?P<x>(?:my|i|our|he|she|his|her|we)\b~{0,60}\b(?:died|dying|dead|heartbroken|devastated|crying|cry|starve|starving|homeless|ruined|sick|cancer|lonely|suffer|suffering|kill me|hate me|miserable|lose everything|suicidal|broken heart)\b)",
        ),
        strict(
            r"\b(?:if you (?:do not|don't|vote for|fail to|refuse to|won't|choose|elect)|unless you|without (?:our|this))\b~{2,70}, (?:then )?(?P<x>(?:your (?:children|kids|family|daughter|son|baby|loved ones|wife|husband|mother|house|home|child|grandchildren)|you|innocent \w+)\b~{0,30}\b(?:could|might|will|may|would) (?:be (?:next|murdered|killed|taken|attacked|dead|raped|robbed|alone forever|kidnapped)|die|burn|suffer|never forgive|regret it forever|pay with|go to hell|starve|end up dead))",
        ),
        strict(
            r"\b(?:won't (?:somebody|someone|anybody|you)|will (?:nobody|no one|somebody|someone)|please|why won't (?:anyone|anybody|you))(?: please)?,? (?:just )?(?P<x>think (?:of|about) the (?:poor )?(?:children|kids|babies|puppies|animals|families))",
        ),
        strict(
            r"\bif you (?:really |truly |actually )(?:loved?|cared?|respect(?:ed)?|trust(?:ed)?)\b~{0,40}, (?:then )?(?P<x>you(?:'d| would|'ll| will|n't)?\b~{3,60})",
        ),
        strict(
            r"\b(?:imagine|picture|think of) (?P<x>(?:the )?(?:tears|pain|agony|grief|horror|sad (?:eyes|faces)|faces?|crying)\b~{0,20}\b(?:of|on|in) (?:your|those|these|the poor|her|his|a|an innocent|all those)\b~{3,60})\b(?:if|when|because|unless)\b",
        ),
        sensitive(
            r"\b(?P<x>(?:poor|helpless|innocent|starving|suffering|crying|defenceless|defenseless|abandoned|little) (?:children|kids|babies|puppies|animals|people|families|creatures|girl|boy|victims|souls|baby|puppy|orphans))\b",
        ),
        sensitive(
            r"\b(?P<x>how (?:would|will|do) you (?:feel|sleep|live with yourself|look|forgive)|shame on you|have you no (?:heart|shame|compassion)|you should be ashamed|break(?:s)? my heart|my heart (?:breaks|bleeds))\b",
        ),
    ],
    forms: &[],
};

pub(super) const APPEAL_TO_NATURE: Fallacy = Fallacy {
    id: "appeal_to_nature",
    name: "appeal to nature",
    family: Family::Informal,
    pack: Pack::General,
    definition: "Something is called good because it is natural, or bad because it is not.",
    cue: "it is natural, so it is good for you",
    examples: &[
        "This cream is made from natural plants, so it must be safe.",
        "Vaccines are unnatural, therefore they are harmful.",
        "Herbal tea is better than pills because it is natural.",
        "Animals eat other animals in nature, so eating meat is right.",
        "It's all natural, so it can't hurt you.",
    ],
    subtle: &["Our ancestors never needed such chemicals; nature knows best."],
    counter_examples: &[
        "The cream is made from natural oils, and a trial with 300 people found no rash.",
        "Hemlock is natural and deadly.",
        "Natural gas is cheaper this year, so the plant has switched to it.",
    ],
    question: "What shows that it is good or safe, besides being natural?",
    asks: "What shows it, besides that \"{x}\"?",
    rules: &[
        strict(
            r"(?P<x>\b~{0,50}\b(?:is|are|it's|they're|made (?:from|of|with)|contains?|comes? from)\b~{0,25}\b(?:all[- ])?(?:100% |completely |totally |purely )?(?:natural|nature|organic|plant-based)\b~{0,30})[,;.] ?(?:so|therefore|thus|hence|and so|which means|consequently) (?:it|they|that|this|there|you|we|\w+)~{0,40}\b(?:safe|good|healthy|harmless|better|best|can't (?:hurt|harm|be)|cannot (?:hurt|harm|be)|won't hurt|right|fine|ok|okay|morally|moral|no side effects|healthier|nothing wrong)\b",
        ),
        strict(
            r"(?P<x>\b~{2,50}\b(?:unnatural|not natural|against nature|artificial|synthetic|full of chemicals|chemicals|isn't natural|goes against nature|man-made)\b~{0,30})[,;.] ?(?:so|therefore|thus|hence|and so|which means|consequently) (?:it|they|that|this|you|we|\w+)~{0,40}\b(?:bad|harmful|wrong|unhealthy|immoral|dangerous|evil|unsafe|poison|should (?:not|be (?:banned|avoided|illegal))|must be (?:bad|harmful|wrong|banned|dangerous)|can't be (?:good|right|healthy)|cannot be (?:good|right|healthy))\b",
        ),
        strict(
            r"\b(?:better|safer|healthier|good|safe|healthy|right|harmless|best|wrong|bad|immoral|harmful|superior|unhealthy|evil)\b~{0,40}\b(?:because|since|as) (?P<x>(?:it|they|it's|they're|that|this)(?: is| are|'s|'re)? ?(?:all |completely |totally |100% |so )?(?:natural|unnatural|not natural|from nature|organic|against nature|how nature (?:works|intended)|artificial|synthetic|what nature intended|come from nature|comes from nature)\b)",
        ),
        strict(
            r"\b(?P<x>(?:animals|lions|wolves|chimps|apes|other species|predators|chimpanzees|bears|ducks)\b~{2,60}\b(?:in (?:nature|the wild)|naturally|by nature)\b~{0,30})[,;.] ?(?:so|therefore|thus|hence|and so) ~{2,60}\b(?:right|fine|ok|okay|natural|good|moral|acceptable|should|wrong|nothing wrong|normal)\b",
        ),
        sensitive(
            r"\b(?P<x>nature (?:knows best|intended|meant|is (?:perfect|wise))|as nature intended|the natural way|natural order|mother nature|all[- ]natural|goes against nature|unnatural)\b",
        ),
        sensitive(
            r"\b(?P<x>(?:it|that|this|they)(?:'s| is|'re| are) (?:only |perfectly |completely |just |all )?natural)\b",
        ),
    ],
    forms: &[],
};

pub(super) const APPEAL_TO_TRADITION: Fallacy = Fallacy {
    id: "appeal_to_tradition",
    name: "appeal to tradition",
    family: Family::Informal,
    pack: Pack::General,
    definition: "It has always been so, and that is offered as the reason why it should be.",
    cue: "we have always done it this way",
    examples: &[
        "We have always closed on Wednesdays, so we should keep closing on Wednesdays.",
        "Marriage has been this way for centuries, so it must not change.",
        "Our family has used this remedy for generations, so it must work.",
        "That's how it has always been done, so there is no reason to change it.",
        "My grandfather farmed without machines, and what was good enough for him is good enough for me.",
    ],
    subtle: &["It is our tradition and nobody may touch it."],
    counter_examples: &[
        "We have always closed on Wednesdays, because the market takes our customers on that day.",
        "The custom is four centuries old and drew two thousand visitors last year.",
        "The bridge has stood for centuries, so its foundations were surveyed with care.",
    ],
    question: "What makes it good today, besides its age?",
    asks: "What speaks for it today, besides that \"{x}\"?",
    rules: &[
        strict(
            r"\b(?P<x>(?:we|they|people|our \w+|my \w+|families|it|this|that|things|women|men|humans|\w+) (?:have|has|'ve|'s) (?:always|been|used|done|had|believed|eaten|practised|practiced|lived|celebrated|worked|trusted|taken|existed)\b~{0,60}(?:\balways\b~{0,40}|\bfor (?:many |hundreds of |thousands of |over a |\w+ )?(?:centuries|generations|hundred years|thousand years|years|millennia|ages|decades|century)\b~{0,20}|\b(?:this|that) way\b~{0,20}|on \w+\b))[,;.] ?(?:so|therefore|thus|hence|and so|that's why|which means) (?:we|it|they|there|you|this|that|why|women|men)~{0,30}\b(?:should (?:keep|continue|stay|not change|remain|always|never|stick|not)|must (?:be (?:right|true|good|the right|effective|best)|not change|work|keep|stay|remain|continue)|shouldn't change|has to (?:be|work)|why (?:change|stop)|no (?:reason|need) to (?:change|stop)|can't be wrong|cannot be wrong|ought to (?:keep|continue|stay)|is (?:right|the right way|good|the best way))",
        ),
        strict(
            r"\bwhat (?:was|is) good enough for (?P<x>~{2,40}?),? (?:is|should be|must be|will be) good enough for (?:me|us|you|them|anyone|my \w+)\b",
        ),
        strict(
            r"\b(?P<x>(?:that's|that is|this is|it's|it is) (?:just )?(?:how|the way|what) (?:it|we|things|they)(?:'ve| have| has|'s)? (?:always )?(?:been|done|has always|have always)\b~{0,30})[,;.] ?(?:so|therefore|and|hence|why) ~{0,30}\b(?:no (?:reason|need)|should|must|why change|not change|don't change|keep|stay|shouldn't|won't change|right|wrong)\b",
        ),
        strict(
            r"\b(?:should|must|ought to|right|good|best|true|correct|we do|works)\b~{0,60}\b(?:because|since) (?P<x>(?:we|it|that|this|they|it's|that's|people|our ancestors|my (?:family|grandparents)|our (?:parents|fathers|grandparents))(?:'ve|'s| have| has| is| are)? (?:always|how we've always|the way (?:it|we|things)|been (?:done )?(?:that|this) way|a tradition|tradition|our tradition|done it)\b~{0,50})",
        ),
        sensitive(
            r"\b(?P<x>(?:(?:we|they|people|it|it's|things|this|humans|men|women)(?:'ve|'s| have| has)? always (?:been|done|had|used|worked|believed|eaten|celebrated|lived|existed))\b~{0,40})",
        ),
        sensitive(
            r"\b(?P<x>(?:our|the|a|long|age-old|time-honoured|time-honored|sacred|proud) traditions?\b~{0,40})\b",
        ),
        sensitive(
            r"\b(?:for|over) (?P<x>(?:many |hundreds of |thousands of |over a |\w+ )?(?:centuries|generations|millennia|thousand years|thousands of years|hundreds of years))\b",
        ),
    ],
    forms: &[],
};
