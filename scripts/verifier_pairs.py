"""Claim-evidence pairs for train_verifier.py, generated from plain texts without any label of theirs.

A pair is (kind, claim, evidence sentences, class) with class 0 supports, 1 refutes, 2 not enough. The three classes
are built from the same sentences with the same paraphrases, so that neither the claim alone nor the overlap tells
the class: a claim and its swapped twin meet the original evidence and, where the swap can be carried over, the
swapped evidence (as FEVER-Symmetric does); a claim that lost a clause is supported by the full sentence, while
the full sentence as a claim is not supported by what is left after the cut.

Word swaps come from short lists below and, if its files are there, from WordNet: only words whose first sense makes
up most of their tagged uses, and only forms that are whole pieces of the encoder's vocabulary.
"""

import json
import math
import random
import re
from collections import Counter, defaultdict
from pathlib import Path

SUPPORTS, REFUTES, NEI = 0, 1, 2

# ---------------------------------------------------------------- evidence selection (repeated by the Rust side)

STOP = set("""a an and are as at be been being but by can could did do does for from had has have he her hers him his how i if
in into is it its may might must of on or our shall she should so such than that the their them then there these they
this those to was we were what when where which while who whom whose why will with would you your""".split())
TERM = re.compile(r"[^\W_]+")


def terms(text):
    """Lower-case runs of letters and digits without stop words, cut to six characters."""
    return {t[:6] for t in TERM.findall(text.lower()) if t not in STOP}


def select_evidence(claim, sentences, limit=3):
    """Indices of the best sentences, best first: the sum of ln(1 + N / df) over the claim's terms that occur in the
    sentence, N and df counted over the given sentences; ties go to the earlier sentence."""
    sets = [terms(s) for s in sentences]
    df = Counter(t for s in sets for t in s)
    wanted = terms(claim)
    score = [sum(sorted(math.log(1 + len(sets) / df[t]) for t in wanted & s)) for s in sets]
    return sorted(range(len(sets)), key=lambda i: (-score[i], i))[:limit]


# ---------------------------------------------------------------- words

OPPOSITES = """increase/decrease increases/decreases increased/decreased increasing/decreasing higher/lower highest/lowest rise/fall
rises/falls rose/fell rising/falling raise/lower raised/lowered more/less most/least better/worse best/worst larger/smaller
largest/smallest greater/smaller longer/shorter longest/shortest older/younger oldest/youngest earlier/later before/after
early/late first/last above/below over/under inside/outside up/down left/right north/south northern/southern east/west
eastern/western major/minor majority/minority positive/negative positively/negatively success/failure successful/unsuccessful
accept/reject accepted/rejected allow/forbid allowed/banned allows/prevents always/never often/rarely frequently/rarely
common/rare many/few strong/weak stronger/weaker strongly/weakly active/inactive activate/inhibit activates/inhibits
activated/inhibited activation/inhibition promote/suppress promotes/suppresses promoted/suppressed upregulated/downregulated
upregulation/downregulation enhance/impair enhances/impairs enhanced/impaired improve/worsen improved/worsened improves/worsens
improvement/deterioration gain/loss gained/lost presence/absence present/absent similar/different same/different
alive/dead male/female men/women man/woman boy/girl boys/girls mother/father son/daughter brother/sister husband/wife king/queen
public/private rich/poor young/old new/old good/bad big/small large/small high/low long/short hot/cold warm/cold
fast/slow faster/slower easy/difficult open/closed opened/closed win/lose won/lost wins/loses victory/defeat
begin/end began/ended beginning/end start/finish started/ended join/leave joined/left enter/leave entered/left arrived/departed
bought/sold buy/sell legal/illegal possible/impossible able/unable likely/unlikely known/unknown
necessary/unnecessary sufficient/insufficient effective/ineffective significant/insignificant acute/chronic
benign/malignant mild/severe sensitive/resistant sensitivity/resistance susceptible/resistant wild-type/mutant gain-of-function/loss-of-function
import/export included/excluded including/excluding with/without within/outside maximum/minimum
protective/harmful safe/dangerous safer/riskier simple/complex single/multiple internal/external upper/lower
day/night summer/winter peace/war friend/enemy love/hate heaven/hell light/darkness life/death righteous/wicked good/evil wise/foolish
true/false both/neither all/none everyone/nobody everything/nothing
confirmed/denied supported/opposed supports/opposes agreed/refused admitted/denied approved/rejected
gains/losses profit/loss profits/losses expand/contract expanded/shrank accelerate/slow accelerated/slowed
primary/secondary natural/artificial domestic/foreign permanent/temporary previous/next former/current ancient/modern""".split()

SAME = """show/demonstrate shows/demonstrates showed/demonstrated shown/demonstrated reveal/show revealed/showed find/discover found/discovered
begin/start began/started begins/starts
big/large important/key main/primary require/need requires/needs required/needed build/construct built/constructed buy/purchase
bought/purchased obtain/get obtained/acquired receive/get received/got help/assist helped/assisted kill/slay killed/slain
quick/fast rapid/fast rapidly/quickly increase/raise increased/raised increases/raises increase/elevate increased/elevated reduce/lower
reduces/lowers reduced/lowered decrease/reduce decreased/reduced decreases/reduces inhibit/block inhibits/blocks inhibited/blocked
suppress/inhibit suppresses/inhibits suppressed/inhibited promote/stimulate promotes/stimulates promoted/stimulated enhance/boost
enhances/boosts enhanced/boosted improve/enhance improved/enhanced improves/enhances induce/trigger induces/triggers induced/triggered
cause/provoke caused/provoked death/mortality deaths/fatalities tumor/tumour tumors/tumours cancer/carcinoma children/kids doctor/physician
doctors/physicians people/persons company/firm companies/firms film/movie films/movies author/writer city/town
country/nation countries/nations area/region areas/regions region/area house/home street/road war/conflict battle/fight
job/position goal/aim aim/objective method/approach methods/techniques study/investigation analysis/examination
result/outcome results/findings effect/impact effects/impacts risk/danger higher/greater lower/reduced many/numerous several/multiple 
approximately/roughly nearly/almost almost/nearly also/additionally however/nevertheless often/frequently usually/generally currently/now
former/previous previously/earlier entire/whole total/overall various/different different/distinct major/important essential/crucial
critical/crucial crucial/vital necessary/needed sufficient/enough rare/uncommon common/frequent severe/serious significant/substantial
significantly/markedly markedly/strongly evaluate/assess evaluated/assessed examined/studied investigated/examined determine/establish
determined/established identify/recognise identified/detected observed/seen measured/assessed reported/described describe/report describes/reports
suggest/indicate suggests/indicates suggested/indicated regulate/control regulates/controls regulated/controlled contain/include contains/includes
contained/included create/make created/made produce/make produced/made release/issue released/issued publish/release published/released win/earn
won/earned attend/visit attended/visited married/wed die/perish died/perished located/situated famous/well-known popular/well-liked
said/stated says/states told/informed lord/god speak/talk spoke/talked answered/replied came/arrived gave/granted therefore/so
because/since although/though until/till child/kid evil/wickedness""".split()

PHRASES = [(re.compile(r"\b" + a + r"\b"), b) for a, b in (line.split(" => ") for line in """in order to => to
prior to => before
due to => because of
because of => owing to
as well as => and
a number of => several
a total of (\\d+) => \\1
is associated with => is linked to
are associated with => are linked to
was associated with => was linked to
were associated with => were linked to
associated with => related to
is required for => is needed for
are required for => are needed for
is essential for => is indispensable for
is involved in => takes part in
are involved in => take part in
play an important role in => are important for
plays an important role in => is important for
plays a (?:key|critical|crucial|central|major|pivotal) role in => is crucial for
leads to => results in
led to => resulted in
lead to => result in
results in => leads to
resulted in => led to
resulting in => leading to
contributes to => helps to cause
is caused by => results from
is known as => is called
was known as => was called
known as => called
also known as => also called
is based on => rests on
was born in => came into the world in
took place => was held
was held => took place
is one of the => is among the
was one of the => was among the
such as => like
in addition to => besides
at least => no fewer than
more than => over
less than => under
fewer than => under
located in => situated in
part of => a portion of
was able to => managed to
were able to => managed to
according to => as stated by
we show that => 
we found that => 
we find that => 
these results suggest that => the findings indicate that
the United States => the US
the United Kingdom => the UK
the age of => age
years old => years of age
in the absence of => without
in the presence of => with
with respect to => regarding
is able to => can
are able to => can
has been shown to => is known to
have been shown to => are known to
both (\\w+) and => \\1 and
for the first time => first
half of => 50% of
per cent => %
percent => %
did not => didn't
does not => doesn't
do not => don't
is not => isn't
was not => wasn't
cannot => is unable to
said unto => said to
he said => he spoke
thou shalt => you shall
gave birth to => bore
passed away => died
died => passed away
upon => on
unto => to
shall => will
served as => was
worked as => was
starred in => appeared in
appeared in => was in
went to => travelled to
set up => established
carried out => performed
consists of => is made up of
is made up of => consists of""".split("\n") if " => " in line)]

NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split()
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
MONTHS = "January February March April May June July August September October November December".split()
UNITS = ["mg/g/kg", "millimetres/metres/kilometres", "miles/yards/feet", "km/m/cm", "seconds/minutes/hours/days/weeks/months/years",
         "day/week/month/year", "million/billion/thousand", "daily/weekly/monthly/yearly", "dollars/euros/pounds", "mm/cm/m",
         "hundreds/thousands/millions", "Monday/Tuesday/Thursday/Friday/Sunday", "kHz/MHz/GHz", "morning/afternoon/evening"]
DETAILS = """in 1987|in the summer of 2004|in two separate trials|in children under five|in women over sixty|in rural areas|in the United States|in Japan|for religious reasons
|despite strong opposition|at the request of the king|for the third time|with government support|on a Sunday morning|without his knowledge|in order to save money|after a long illness
|in a dose-dependent manner|in diabetic patients|in elderly men|independently of age|in most European countries|through direct binding|because of a mutation|by a factor of three
|with his younger brother|in front of a large crowd|for less than a year|to pay off debts|at a cost of two million dollars|while living in London|as predicted by earlier work|with few side effects
|and won an award for it|and later regretted it|for the benefit of the poor|as a result of the war|during his childhood|under a false name|only in winter|in both sexes""".replace("\n", "").split("|")
ADJECTIVES = "famous French wealthy young former female Japanese military blind Catholic local retired elderly green small German wooden secret private foreign annual chronic Chinese severe human rare".split()
AUX = r"(is|are|was|were|has|have|had|can|could|will|would|should|did|does|do|shall|must)"
TRANSITIVE = """founded directed produced created discovered invented designed published defeated inhibited activated induced reduced increased
blocked regulated suppressed promoted enhanced recorded killed described composed painted destroyed developed established financed organised
organized hosted joined launched married named opened owned played praised presented purchased received rejected replaced rescued signed
supported trained translated visited controlled attacked conquered elected appointed accused baptised converted followed improved
prevented caused triggered stimulated mediated modulated decreased impaired""".split()
PRESENT = {"inhibits": "inhibited", "activates": "activated", "induces": "induced", "reduces": "reduced", "increases": "increased",
           "blocks": "blocked", "regulates": "regulated", "suppresses": "suppressed", "promotes": "promoted", "enhances": "enhanced",
           "controls": "controlled", "mediates": "mediated", "modulates": "modulated", "decreases": "decreased", "impairs": "impaired",
           "prevents": "prevented", "causes": "caused", "triggers": "triggered", "stimulates": "stimulated", "improves": "improved"}
NAME = re.compile(r"(?<=[a-z,;] )(?:[A-Z][\w'’-]+|[A-Z]{2,}\w*)(?: (?:of (?:the )?)?[A-Z][\w'’-]+)*")
DIGITS = re.compile(r"(?<![\w.,/-])(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?![\w/-]|[.,]\d)")


DETAIL = re.compile(r" ((?:in|with|by|for|after|during|through|on|at|from|because of|as) [^,.;()]{6,45})[.;,]")


def append(text, extra):
    return re.sub(r"\s*[.;]?\s*$", "", text) + " " + extra + "."


def table(pairs, both):
    out = defaultdict(list)
    for pair in pairs:
        a, b = pair.split("/")
        out[a].append(b)
        if both:
            out[b].append(a)
    return out


class Words:
    """Synonyms, opposites, siblings, wider and narrower words of surface forms."""

    def __init__(self, folder, vocabulary):
        self.same, self.opposite = table(SAME, True), table(OPPOSITES, True)
        self.vocabulary, self.cache = vocabulary, {}
        self.synsets, self.first = {}, {}
        if not Path(folder, "cntlist.rev").exists():
            return
        counts = defaultdict(lambda: defaultdict(dict))
        for line in open(Path(folder, "cntlist.rev"), encoding="utf-8"):
            key, sense, n = line.split()
            lemma, rest = key.split("%")
            counts[lemma]["nvars"[int(rest[0]) - 1].replace("s", "a")][int(sense)] = int(n)
        for pos, name in (("n", "noun"), ("v", "verb"), ("a", "adj")):
            for line in open(Path(folder, "data." + name), encoding="utf-8"):
                if line[0] == " ":
                    continue
                f = line.split(" | ")[0].split()
                n = int(f[3], 16)
                lemmas = [re.sub(r"\(.*", "", f[4 + 2 * i]) for i in range(n)]
                at, links = 5 + 2 * n, []
                for i in range(int(f[4 + 2 * n])):
                    links.append(tuple(f[at + 4 * i:at + 4 * i + 4]))
                self.synsets[pos, f[0]] = (lemmas, links)
            for line in open(Path(folder, "index." + name), encoding="utf-8"):
                if line[0] == " ":
                    continue
                f = line.split()
                c = {p: sum(s.values()) for p, s in counts[f[0]].items()}
                mine, total = c.get(pos, 0), sum(c.values())
                offsets = f[-int(f[2]):]
                if total and mine >= 0.8 * total and counts[f[0]][pos].get(1, 0) >= 0.65 * mine or (not total and len(offsets) == 1):
                    self.first[pos, f[0]] = offsets[0], counts[f[0]][pos].get(1, 0)
        self.irregular = {line.split()[1] for line in open(Path(folder, "verb.exc"), encoding="utf-8")}

    def lemma(self, word):
        for pos, endings in (("n", ((("", ""), ("s", ""), ("es", ""), ("ies", "y")))), ("v", (("s", ""), ("es", ""), ("ed", ""), ("ed", "e"),
                             ("ing", ""), ("ing", "e"))), ("a", (("", ""),))):
            for cut, add in endings:
                if word.endswith(cut) and len(word) - len(cut) >= 3:
                    stem = word[:len(word) - len(cut)] + add
                    if (pos, stem) in self.first:
                        form = cut.replace("ies", "s").replace("es", "s") if cut != "ed" and cut != "ing" else cut
                        return pos, stem, form
        return None

    def inflect(self, pos, lemma, form):
        if "_" in lemma or not lemma.isalpha() or lemma != lemma.lower():
            return None
        if pos == "v" and form == "ed" and lemma in self.irregular:
            return None
        if form == "s":
            word = lemma[:-1] + "ies" if re.search(r"[^aeiou]y$", lemma) else lemma + ("es" if re.search(r"(s|x|z|ch|sh)$", lemma) else "s")
        elif form in ("ed", "ing"):
            word = (lemma[:-1] if lemma.endswith("e") else lemma[:-1] + "i" if form == "ed" and re.search(r"[^aeiou]y$", lemma) else lemma) + form
        else:
            word = lemma
        return word if word in self.vocabulary and len(word) > 2 else None

    def related(self, word):
        """{kind: words} of a surface form."""
        if word in self.cache:
            return self.cache[word]
        out = {"same": list(self.same.get(word, ())), "opposite": list(self.opposite.get(word, ())), "sibling": [], "wider": [], "narrower": []}
        found = self.lemma(word) if self.synsets and word not in STOP and len(word) > 3 else None
        if found:
            pos, lemma, form = found
            offset = self.first[pos, lemma][0]
            lemmas, links = self.synsets[pos, offset]

            def words(target, strict=True):
                names = self.synsets.get((pos, target), ((), ()))[0]
                good = [n for n in names if self.first.get((pos, n), (None,))[0] == target] if strict else names
                return [w for w in (self.inflect(pos, n, form) for n in good) if w and w != word]

            if word not in self.opposite:
                out["same"] += words(offset)
            for kind, target, part, ends in links:
                if kind == "!" and part == pos and int(ends[:2], 16) == lemmas.index(lemma) + 1 if lemma in lemmas else False:
                    out["opposite"] += words(target, False)[:1]
                elif kind == "@" and pos == "n":
                    up = self.synsets[pos, target]
                    out["wider"] += words(target)
                    down = [t for k, t, p, _ in up[1] if k == "~" and p == pos and t != offset]
                    if len(down) < 150:
                        out["sibling"] += [w for t in down for w in words(t)][:40]
                elif kind == "~" and pos == "n":
                    out["narrower"] += words(target)[:2]
        if len(out["wider"]) and out["wider"][0] in ("person", "thing", "act", "state", "group", "part", "activity", "region"):
            out["wider"] = []
        self.cache[word] = out
        return out


# ---------------------------------------------------------------- edits of one sentence

class Editor:
    def __init__(self, words, rng):
        self.words, self.rng, self.names, self.details = words, rng, [], DETAILS

    def swap_word(self, text, kinds, skip=frozenset()):
        """(new text, old, new) with one word replaced by a related one."""
        spans = [m for m in re.finditer(r"[A-Za-z][A-Za-z-]+", text) if m.group() not in skip]
        self.rng.shuffle(spans)
        for m in spans:
            word = m.group()
            if word[0].isupper() and m.start():  # a name
                continue
            related = self.words.related(word.lower())
            options = [w for k in kinds for w in related[k]]
            if options:
                new = self.rng.choice(options)
                if new.lower() in text.lower().split():
                    continue
                new = new.capitalize() if word[0].isupper() else new
                return text[:m.start()] + new + text[m.end():], word, new
        return None

    def number(self, text):
        spans = list(DIGITS.finditer(text))
        spans += [m for m in re.finditer(r"\b[a-z]+\b", text) if m.group() in NUMBERS[2:] or m.group() in ORDINALS]
        if not spans:
            return None
        m = self.rng.choice(spans)
        old, r = m.group(), self.rng
        if old in NUMBERS:
            new = r.choice([n for n in NUMBERS[2:14] if n != old])
        elif old in ORDINALS:
            new = r.choice([n for n in ORDINALS[:6] if n != old])
        elif re.fullmatch(r"1\d{3}|20\d\d", old):
            new = str(int(old) + r.choice((-1, 1)) * r.choice((1, 2, 3, 5, 8, 10, 20, 27)))
        elif "." in old:
            places, value = len(old.split(".")[1]), float(old)
            new = f"{abs(value * r.choice((0.3, 0.5, 1.6, 2.4, 4)) or 1.5):.{places}f}"
        else:
            value = int(old.replace(",", ""))
            new = max(0, r.choice((value + r.randint(1, 4), value * 2 + 1, value // 2, value - r.randint(1, 3), value * 10, value + 10)))
            new = f"{new:,}" if "," in old else str(new)
        return None if new == old else (text[:m.start()] + new + text[m.end():], old, new)

    def unit(self, text):
        found = [(m, group) for group in UNITS for m in re.finditer(r"\b(?:" + group.replace("/", "|") + r")\b", text)]
        found += [(m, "/".join(MONTHS)) for m in re.finditer(r"\b(?:" + "|".join(MONTHS) + r")(?= \d|,|\.)", text)]
        if not found:
            return None
        m, group = self.rng.choice(found)
        new = self.rng.choice([u for u in group.split("/") if u != m.group()])
        return text[:m.start()] + new + text[m.end():], m.group(), new

    def negate(self, text):
        m = re.search(r"\b" + AUX + r" (not|never)\b|\b(isn't|wasn't|didn't|doesn't|don't)\b", text)
        if m:
            old = m.group()
            new = m.group(1) or {"isn't": "is", "wasn't": "was", "didn't": "did", "doesn't": "does", "don't": "do"}[old]
            return text[:m.start()] + new + text[m.end():], old, new
        spans = list(re.finditer(r"\b" + AUX + r"\b(?! not)", text))[:2]
        if spans:
            m = self.rng.choice(spans)
            new = m.group() + self.rng.choice((" not", " not", " never" if m.group() in ("has", "have", "was", "were", "had", "did") else " not"))
            return text[:m.start()] + new + text[m.end():], m.group(), new
        m = re.search(r"\b(" + "|".join(PRESENT) + r"|contains|plays|requires|leads|contributes|acts|binds|occurs|shows|provides|remains)\b", text)
        if m:
            word = m.group()
            stem = word[:-2] if word.endswith("esses") else word[:-1]
            new = f"does not {stem}"
            return text[:m.start()] + new + text[m.end():], word, new
        m = re.search(r"\b(\w+)ed (the|a|an|to|in|by)\b", text)
        if m and m.group(1) + "ed" in TRANSITIVE:
            new = "never " + m.group(1) + "ed " + m.group(2)
            return text[:m.start()] + new + text[m.end():], m.group(), new
        return None

    def quantity(self, text):
        rules = {"at least": "fewer than", "more than": "less than", "less than": "more than", "over": "under", "most": "few", "all": "none of",
                 "no": "every", "always": "never", "never": "always", "up to": "at least", "many": "hardly any", "every": "no",
                 "both": "neither", "nobody": "everybody", "everyone": "no one", "some": "no"}
        spans = list(re.finditer(r"\b(?:" + "|".join(rules) + r")\b", text))
        if not spans:
            return None
        m = self.rng.choice(spans)
        return text[:m.start()] + rules[m.group()] + text[m.end():], m.group(), rules[m.group()]

    def name(self, text, pool=()):
        spans = [m for m in NAME.finditer(text)]
        if not spans:
            return None
        m = self.rng.choice(spans)
        old = m.group()
        for _ in range(12):
            new = self.rng.choice(pool if pool and self.rng.random() < 0.4 else self.names or [old])
            if new not in text and old not in new and len(new.split()) == len(old.split()) and new.isupper() == old.isupper():
                return text[:m.start()] + new + text[m.end():], old, new
        return None

    def reverse(self, text):
        m = re.search(r"\bfrom ([\d.,%]+ ?\w*?) to ([\d.,%]+ ?\w*?)(?=[ .,;])", text)
        if m and m.group(1) != m.group(2):
            new = f"from {m.group(2)} to {m.group(1)}"
            return text[:m.start()] + new + text[m.end():], m.group(), new
        return None

    def refute(self, text, pool=()):
        ways = [(self.number, 3), (self.negate, 3), (lambda t: self.swap_word(t, ("opposite",)), 5), (lambda t: self.name(t, pool), 2),
                (self.unit, 1), (self.quantity, 1), (lambda t: self.swap_word(t, ("sibling",)), 2), (self.reverse, 2)]
        while ways:
            way = self.rng.choices(ways, [w for _, w in ways])[0]
            ways.remove(way)
            out = way[0](text)
            if out and out[0].lower() != text.lower():
                return out
        return None

    def stretch(self, text, other=None):
        """(a claim that says more than the text: an added detail, a narrower word, a stronger verb; the detail, if one)"""
        r, way = self.rng, self.rng.random()
        if way < 0.25:
            for old, new in (("may be", "is definitely"), ("might", "certainly does"), ("suggests that", "proves that"), ("suggest that", "prove that"),
                             ("associated with", "the cause of"), ("correlated with", "the cause of"), ("linked to", "caused by"),
                             ("some", "all"), ("several", "all"), ("often", "always"), ("may", "always"), ("could", "will"), ("many", "all"),
                             ("likely", "certainly"), ("most", "all"), ("usually", "always"), ("one of the", "the")):
                m = re.search(r"\b" + old + r"\b", text)
                if m:
                    return text[:m.start()] + new + text[m.end():], None
        if way < 0.4:
            out = self.swap_word(text, ("narrower",))
            if out:
                return out[0], None
        if way < 0.55:
            spans = list(re.finditer(r"(?<=\b(?:the|his|her) )(?=[a-z]{3,} ?\w)|(?<=\ba )(?=[bcdfgmprst][a-z]+)", text))
            if spans:
                m = r.choice(spans)
                return text[:m.start()] + r.choice(ADJECTIVES) + " " + text[m.start():], None
        extra = r.choice(DETAILS if r.random() < 0.15 else self.details)
        m = DETAIL.search(other) if other and r.random() < 0.5 else None
        extra = m.group(1) if m and m.group(1) not in text else extra
        return append(text, extra), extra

    def shorten(self, text):
        """(shorter text that the full text implies, what was cut)."""
        ways = [r"\s*\([^()]*\)", r",? (?:which|who|whose|where) [^,]{8,}(?=[.,])", r"(?<=\w{4}), (?:and|but|while|whereas|although|because|so|for|then|yet) [^.]{12,}(?=\.)",
                r"; .{10,}(?=\.)", r"(?<=\w{3}),? (?:suggesting|indicating|including|leading|resulting|making|using) [^.]{8,}(?=\.)",
                r"^(?:However|Moreover|Furthermore|Finally|Thus|Therefore|In addition|In contrast|Here|Interestingly|Importantly|Additionally|Also|Then|And|But|For|So|Behold|RESULTS|CONCLUSIONS?|BACKGROUND|METHODS|OBJECTIVE),? ",
                r"^(?:Here,? )?(?:[Ww]e|[Tt]he authors|[Tt]hese (?:results|findings|data)|[Oo]ur (?:results|findings|data)) (?:\w+ly )?(?:show(?:ed)?|f[io]u?nd|demonstrated?|report(?:ed)?|suggest(?:ed)?|reveal(?:ed)?|indicated?|conclude) that ",
                r"^(?:In|On|At|During|After|Before|By|As|Since|Although|While|When|With) [^,]{4,60}, ", r" (?:in|on|during|after|since|at) (?:the )?(?:early |late )?(?:[A-Z]\w+ )?(?:\d{1,2}, )?\d{4}(?=[ .,])",
                r" (?:by|through|with|via|during|after|following|using|throughout) [^,.;()]{6,50}(?=\.)", r", (?:a|an|the|one of) [^,]{5,60},(?= \w)"]
        self.rng.shuffle(ways)
        for way in ways:
            m = re.search(way, text)
            if m and len(text) - len(m.group()) > 30:
                rest = (text[:m.start()] + text[m.end():]).strip(" ,")
                return rest[:1].upper() + rest[1:], m.group()
        return None

    def rephrase(self, text):
        m = re.match(r"^(?:that )?([^,.;()]{2,50}?) (was|were|is|are) (\w+ed) by ((?:the |a |an )?[\w'’ -]{3,45}?)((?: in| on| at|,| and)[^.]*)?\.?$", text)
        if m and m.group(3) in TRANSITIVE:
            return f"{m.group(4)[:1].upper() + m.group(4)[1:]} {m.group(3)} {m.group(1)}{m.group(5) or ''}."
        m = re.match(r"^([^,.;()]{2,50}?) (" + "|".join(PRESENT) + r") ([^,.;()]{3,60}?)((?: in| by|,| and| through| via)[^.]*)?\.?$", text)
        if m:
            return f"{m.group(3)[:1].upper() + m.group(3)[1:]} is {PRESENT[m.group(2)]} by {m.group(1)}{m.group(4) or ''}."
        m = re.match(r"^([^,.;()]{2,40}?) (" + "|".join(TRANSITIVE) + r") ((?:the|a|an|his|her|their) [^,.;()]{3,50}?)((?: in| on| at|,| and)[^.]*)?\.?$", text)
        if m:
            return f"{m.group(3)[:1].upper() + m.group(3)[1:]} was {m.group(2)} by {m.group(1)}{m.group(4) or ''}."
        m = re.match(r"^(.{25,}) ((?:in|on|during|after|before|at) [^,.;()]{3,35})\.?$", text)
        if m and m.group(1)[0].isupper():
            return f"{m.group(2)[:1].upper() + m.group(2)[1:]}, {m.group(1)}."
        m = re.match(r"^((?:In|On|During|After|Before|At) [^,]{3,35}), (.{20,}?)\.?$", text)
        if m:
            return f"{m.group(2)[:1].upper() + m.group(2)[1:]} {m.group(1)[:1].lower() + m.group(1)[1:]}."
        return None

    def loosen_number(self, text):
        """(implied by the number, contradicted by it)."""
        spans = [m for m in DIGITS.finditer(text) if re.match(r" [a-z]{4,}|%", text[m.end():]) and not re.match(r"1[5-9]\d\d|20\d\d", m.group())
                 and "." not in m.group() and int(m.group().replace(",", "")) >= 4 and not re.search(r"(than|least|to|and|±|-) ?$", text[:m.start()])]
        if not spans:
            return None
        m = self.rng.choice(spans)
        value = int(m.group().replace(",", ""))
        step = 10 ** max(0, len(str(value)) - 2)
        low, high = max(1, value - step * self.rng.randint(1, 3)), value + step * self.rng.randint(1, 3)
        put = lambda words, n: text[:m.start()] + f"{words} {n}" + text[m.end():]  # noqa: E731
        good = [put(self.rng.choice(("more than", "over", "at least")), low), put(self.rng.choice(("fewer than", "less than", "under")), high)]
        bad = [put(self.rng.choice(("fewer than", "less than", "under")), low), put(self.rng.choice(("more than", "over", "at least")), high)]
        return self.rng.choice(good), self.rng.choice(bad)

    def paraphrase(self, text, strength=None):
        """A text with the same content, or less, in other words."""
        r = self.rng
        strength = r.choice((0, 1, 2, 2, 3, 3, 4, 5)) if strength is None else strength
        if strength and r.random() < 0.6:
            text = (self.shorten(text) or (text,))[0]
            if r.random() < 0.5:
                text = (self.shorten(text) or (text,))[0]
        if strength and r.random() < 0.5:
            text = self.rephrase(text) or text
        if strength:
            for pattern, new in r.sample(PHRASES, len(PHRASES)):
                if r.random() < 0.5 and pattern.search(text):
                    text = pattern.sub(new, text, count=1).strip()
        skip = set()
        for _ in range(strength):
            out = self.swap_word(text, ("same",) if r.random() < 0.85 else ("same", "wider"), skip)
            if out:
                text = out[0]
                skip.add(out[2])
        return text[:1].upper() + text[1:]


# ---------------------------------------------------------------- texts

def good(sentence):
    words = sentence.split()
    return 6 <= len(words) <= 45 and sentence[0].isupper() and sentence[-1] in '."”)' and sum(c.isalpha() for c in sentence) > 0.65 * len(sentence) and words[0][0].isalnum() \
        and re.search(r"\b(is|are|was|were|has|have|had|be|been|\w+ed|\w+s|\w+ing|came|made|said|went|took|gave|became)\b", sentence) is not None \
        and not re.search(r"https?:|www\.|cookie|click|subscribe|©|\||\bemail\b", sentence, re.I)


def read_jsonl(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def documents(data):
    """{source: [[sentence, ...], ...]}: texts only."""
    data, out = Path(data), {}
    out["scifact"] = [[s.strip() for s in d["sentences"]] for d in read_jsonl(data / "scifact/scifact_corpus.jsonl")]
    out["wice"] = [[s.strip() for s in d["evidence"]] for d in read_jsonl(data / "claims/wice.dev.jsonl")]
    out["factcheckgpt"] = [d["evidence"] for d in read_jsonl(data / "claims/factcheckgpt_stance.dev.jsonl")]
    fever = list(dict.fromkeys(d["evidence"][0] for d in read_jsonl(data / "claims/fever_symmetric.dev.jsonl")))
    fever = [re.sub(r" ([.,;:!?'’]|n't\b)", r"\1", s.replace("-LRB- ", "(").replace(" -RRB-", ")").replace("`` ", '"').replace(" ''", '"')) for s in fever]
    out["fever"] = [[s] for s in fever]
    fathers = []
    for path in sorted((data / "theology/fathers").glob("*.txt")):
        text = re.sub(r"\s+", " ", path.read_text(encoding="utf-8", errors="replace"))
        text = re.sub(r"(?<=[a-z.,;]) \d{1,3}(?= [a-z(.,])", "", text)
        fathers.append([s.strip() for s in re.split(r"(?<=[.?!]) (?=[A-Z])", text)])
    out["fathers"] = fathers
    return out


def surround(rng, docs, sentence, at, count, claim):
    """The sentence among others of its document, either its neighbours or those most like the claim."""
    if count <= 1 or len(docs) < 2:
        return [sentence]
    if rng.random() < 0.5:
        window = [i for i in range(max(0, at - 25), min(len(docs), at + 25)) if i != at and len(docs[i]) > 15]
        best = select_evidence(claim, [docs[i] for i in window], count - 1)
        chosen = [window[i] for i in best]
    else:
        start = max(0, min(at - rng.randrange(count), len(docs) - count))
        chosen = [i for i in range(start, min(start + count, len(docs))) if i != at]
    return [sentence if i == at else docs[i] for i in sorted(chosen + [at])]


def replay(evidence, old, new):
    """Carries an edit over to the evidence, if the edited words stand there exactly once."""
    spans = [m for m in re.finditer(r"(?<!\w)" + re.escape(old) + r"(?!\w)", evidence)]
    if len(spans) == 1:
        m = spans[0]
        return evidence[:m.start()] + new + evidence[m.end():]
    return None


def sentence_pairs(docs, quota, source, ed, rng):
    """Every visit of a sentence yields a small family of pairs with different classes."""
    made = 0
    ed.details = [m.group(1) for doc in docs for s in doc if good(s) for m in DETAIL.finditer(s)]
    places = [(d, i) for d, doc in enumerate(docs) for i, s in enumerate(doc) if good(s)]
    ed.names = [m.group() for doc in docs for s in doc for m in NAME.finditer(s) if len(m.group()) > 3 and len(m.group().split()) <= 4] or [""]
    while made < quota:
        rng.shuffle(places)
        for d, i in places:
            if made >= quota:
                return
            doc, s = docs[d], docs[d][i]
            pool = [m.group() for t in doc[max(0, i - 8):i + 8] for m in NAME.finditer(t)]
            count = rng.choices((1, 2, 3), (4, 2, 4))[0]
            around = lambda sentence, claim: surround(rng, doc, sentence, i, count, claim)  # noqa: E731
            claim, family = ed.paraphrase(s), []
            if rng.random() < 0.12 and ed.loosen_number(s):
                claim, wrong = ed.loosen_number(s)
                family += [(claim, around(s, claim), SUPPORTS), (wrong, around(s, wrong), REFUTES)]
            else:
                edit = ed.refute(claim, pool)
                if edit:
                    twin = edit[0]
                    family.append((twin, around(s, twin), REFUTES))
                    swapped = replay(s, edit[1], edit[2])
                    if swapped:
                        family.append((claim, around(swapped, claim), REFUTES) if rng.random() < 0.6 else (twin, around(swapped, twin), SUPPORTS))
                family.append((claim, around(s, claim), SUPPORTS))
            choice = rng.random()
            others = [t for t in doc if t != s and good(t)]
            if choice < 0.4:
                more, extra = ed.stretch(claim, rng.choice(others) if others else None)
                family.append((more, around(s, more), NEI))
                if extra and rng.random() < 0.4:  # where the evidence has the detail too, the longer claim is right
                    family.append((more, around(append(s, extra), more), SUPPORTS))
            elif choice < 0.6 and len(others) > 1:  # the sentence itself is missing
                rest = [t for t in doc[max(0, i - 25):i + 25] if t != s and good(t)]
                picked = select_evidence(claim, rest, rng.choice((1, 2, 3))) if rng.random() < 0.7 else rng.sample(range(len(rest)), min(len(rest), count))
                if rest:
                    family.append((claim, [rest[k] for k in sorted(picked)], NEI))
            elif choice < 0.75:
                cut = ed.shorten(s)
                if cut and len(cut[1]) > 14 and not cut[1].startswith(("However", "More", "Further", "We ", "Here", "These")):
                    family.append((ed.paraphrase(s, rng.choice((0, 2))) if rng.random() < 0.3 else s, around(cut[0], s), NEI))
            elif choice < 0.85:  # the swapped claim, and the sentence is missing: not enough, whatever the swap
                if edit_twin := ed.refute(claim, pool):
                    rest = [t for t in others if not terms(t) > terms(s)]
                    if rest:
                        picked = select_evidence(claim, rest, count)
                        family.append((edit_twin[0], [rest[k] for k in sorted(picked)], NEI))
            else:  # the same about somebody else
                m = re.match(r"(?:[A-Z][\w'’-]+ ?){1,3}(?= (?:is|was|has|had|are|were|\w+ed|\w+s)\b)", s)
                if m and len(ed.names) > 10:
                    other = rng.choice(ed.names)
                    family.append((claim.replace(m.group().strip(), other, 1) if m.group().strip() in claim else other + s[m.end():], around(s, s), NEI))
            for pair in family:
                if 3 < len(pair[0].split()) < 50:
                    made += 1
                    yield (f"sentence-{source}", *pair)


def title_pairs(data, ed, rng, repeats=2):
    """A paper's title is a natural summary of its abstract; the title of a similar paper is not."""
    papers = [p for p in read_jsonl(Path(data) / "scifact/scifact_corpus.jsonl") if 5 <= len(p["title"].split()) <= 25]
    papers = [p for p in papers if "?" not in p["title"] and not re.search(r"review|guideline|protocol|erratum", p["title"], re.I)]
    verb = re.compile(r"\b(is|are|" + "|".join(PRESENT) + r"|predicts?|requires?|identif\w+|reveals?|drives?|confers?|contributes?|leads?|protects?|links?|"
                      r"determines?|plays?|encodes?|supports?|acts?|binds?|inhibit|activate|induce|reduce|regulate|promote|control|mediate|cause|increase)\b")
    sets, df = [terms(p["title"]) for p in papers], Counter()
    for s in sets:
        df.update(s)
    where = defaultdict(list)
    for i, s in enumerate(sets):
        for t in s:
            if df[t] <= 60:
                where[t].append(i)
    for i, p in enumerate(papers):
        declarative = bool(verb.search(p["title"]))
        title = p["title"].rstrip(".") + "."
        sentences = [s.strip() for s in p["sentences"] if len(s) > 20]
        top = lambda c, own: [own[k] for k in sorted(select_evidence(c, own))]  # noqa: E731
        for round_ in range(repeats if declarative else 1):
            claim = ed.paraphrase(title, rng.choice((0, 0, 1, 2)))
            yield "title", claim, top(claim, sentences), SUPPORTS
            edit = declarative and (ed.swap_word(claim, ("opposite",), {"with", "without", "both", "and", "new"}) or ed.negate(claim))
            if edit:
                yield "title", edit[0], top(edit[0], sentences), REFUTES
        near = Counter(j for t in sorted(sets[i]) for j in where[t] if j != i).most_common(3)
        for j, shared in near[:1 + declarative]:
            other = [s.strip() for s in papers[j]["sentences"] if len(s) > 20]
            if len(sets[i] & sets[j]) < 0.7 * len(sets[i]):
                yield "title", title, top(title, other), NEI


def verse_pairs(data, ed, rng, verses):
    """The same verse in two translations, with and without swaps; a neighbouring verse is not enough."""
    read = lambda n: dict(l.rstrip("\n").split("\t", 1) for l in open(Path(data) / "theology" / n, encoding="utf-8") if "\t" in l)  # noqa: E731,E741
    kjv, web = read("kjv.tsv"), read("web.tsv")
    keys = [k for k in kjv if k in web]
    ed.names = [m.group() for k in keys[::7] for m in NAME.finditer(web[k]) if len(m.group()) > 3]
    for at in rng.sample(range(2, len(keys) - 2), verses):
        a, b = (kjv, web) if rng.random() < 0.6 else (web, kjv)
        key = keys[at]
        if not 6 <= len(a[key].split()) <= 45 or not 6 <= len(b[key].split()) <= 45:
            continue
        evidence = [a[key]] if rng.random() < 0.5 else [a[k] for k in keys[at - rng.randint(0, 1):at + 2]]
        claim = b[key] if rng.random() < 0.6 else ed.paraphrase(b[key], rng.choice((1, 2)))
        if len(terms(a[key]) & terms(b[key])) >= 3:
            yield "verse", claim, evidence, SUPPORTS
            if rng.random() < 0.8 and (edit := ed.refute(claim)):
                yield "verse", edit[0], evidence, REFUTES
            if rng.random() < 0.3:
                yield "verse", ed.stretch(claim)[0], evidence, NEI
        if rng.random() < 0.5:
            other = keys[at + rng.choice((-2, 2, 1) if len(evidence) == 1 else (-2, 2))]
            if b[other] != b[key] and a[other] not in evidence:
                yield "verse", b[other], evidence, NEI


QUOTA = {"scifact": 15000, "wice": 13000, "factcheckgpt": 6000, "fever": 3500, "fathers": 2500}


def stage_a_pairs(data, wordnet, vocabulary, labelled, breaking, seed):
    from verifier_worlds import world_pairs
    rng = random.Random(seed)
    ed = Editor(Words(wordnet, vocabulary), rng)
    for _ in range(2):
        for claim, evidence, y in labelled:
            yield "cad_nli", claim, evidence, y
    refuted = 0
    for claim, evidence, y in rng.sample(breaking, len(breaking)):
        refuted += y == REFUTES
        if y != REFUTES or refuted <= 1800:
            yield "breaking_nli", claim, evidence, y
    for source, docs in documents(data).items():
        yield from sentence_pairs(docs, QUOTA[source], source, ed, rng)
    yield from title_pairs(data, ed, rng)
    yield from verse_pairs(data, ed, rng, 3500)
    yield from world_pairs(rng, 20000)
