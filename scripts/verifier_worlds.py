"""Small invented worlds for train_verifier.py: facts about people, works, places, companies, trials and genes that do
not exist, told in several wordings. As the facts are drawn at random, nothing outside the evidence can tell a true
claim from a false one, and the two are worded alike. Every world yields claims that follow (also by place, age, order
or comparison), claims that contradict, and claims about which the evidence says nothing.
"""

SUPPORTS, REFUTES, NEI = 0, 1, 2

FIRST_M = "James Robert Pedro Ahmed Ivan Kenji Lars Thomas Andrei Luca Samuel Hugo Otto Felix Amir Rajesh David Simon Walter Henry Paul Marco Erik Daniel".split()
FIRST_F = "Mary Anna Lucia Fatima Olga Yuki Ingrid Elena Sofia Clara Helen Ruth Maria Nadia Emma Priya Julia Alice Laura Martha Rosa Vera Diana Grace".split()
LAST = """Keller Okafor Lindgren Moretti Harlow Petrov Tanaka Alvarez Whitman Dubois Novak Castellan Brandt Osman Fairfax Kowalski Mbeki Sorensen Vidal
Hartley Ferrari Nakamura Quinn Delgado Weiss Amundsen Blackwood Rao Mercer Lindholm Zapata Carver Ishikawa Fontaine Holloway Demir Sandoval Pryce""".split()
CITIES = {"Lyon": "France", "Marseille": "France", "Hamburg": "Germany", "Munich": "Germany", "Turin": "Italy", "Naples": "Italy", "Seville": "Spain",
          "Osaka": "Japan", "Kyoto": "Japan", "Leeds": "England", "Bristol": "England", "Chicago": "the United States", "Boston": "the United States",
          "Denver": "the United States", "Toronto": "Canada", "Montreal": "Canada", "Krakow": "Poland", "Porto": "Portugal", "Mumbai": "India",
          "Chennai": "India", "Melbourne": "Australia", "Perth": "Australia", "Cairo": "Egypt", "Lagos": "Nigeria", "Recife": "Brazil", "Gothenburg": "Sweden"}
ADJ = {"France": "French", "Germany": "German", "Italy": "Italian", "Spain": "Spanish", "Japan": "Japanese", "England": "English", "the United States": "American",
       "Canada": "Canadian", "Poland": "Polish", "Portugal": "Portuguese", "India": "Indian", "Australia": "Australian", "Egypt": "Egyptian",
       "Nigeria": "Nigerian", "Brazil": "Brazilian", "Sweden": "Swedish"}
JOBS = """actor painter novelist footballer physicist politician singer composer journalist lawyer architect chemist swimmer comedian photographer poet
engineer historian economist drummer surgeon philosopher boxer chef dancer""".split()
TITLE_A = "Silent Golden Broken Last Hidden Burning Distant Crimson Endless Frozen Wild Secret Lonely Electric Paper Midnight".split()
TITLE_B = "River Garden Kingdom Letters Horizon Mirror Winter Harvest Empire Shadows Station Promise Orchard Voyage Lighthouse Machine".split()
WORKS = {"film": ("directed by", "directed"), "novel": ("written by", "wrote"), "album": ("recorded by", "recorded"), "song": ("written by", "wrote"),
         "television series": ("created by", "created"), "opera": ("composed by", "composed"), "video game": ("designed by", "designed")}
GENRES = {"film": "comedy horror drama thriller western documentary".split(), "novel": "crime fantasy romance historical".split(), "album": "jazz rock metal folk pop".split(),
          "song": "country soul disco punk".split(), "television series": "drama comedy crime fantasy".split(), "opera": "comic tragic".split(),
          "video game": "puzzle racing strategy adventure".split()}
AWARDS = ["the Halden Prize", "the Silver Lion", "a Golden Reel Award", "the Ashford Medal", "the National Book Award", "a Grammy Award", "the Turing Award"]
TEAMS = "Rovers United Wanderers Falcons Tigers Dynamos Eagles Sharks Bears Comets".split()
COMPANY = "Norvex Halcyon Brightwell Tessera Quantor Oakline Meridian Solvane Arctis Pellucid Verdant Kestrel Lumora Stratum".split()
SECTORS = "software insurance steel pharmaceutical shipping chocolate airline furniture solar biscuit banking toy".split()
MONTHS = "January February March April May June July August September October November December".split()
DRUGS = "velotrine marcidol axabine torimex lusecoxib penravir dolastin candefor simatrel ravolimab nexotide brutavir".split()
ILLS = ["asthma", "type 2 diabetes", "migraine", "heart failure", "rheumatoid arthritis", "depression", "breast cancer", "hypertension", "psoriasis", "epilepsy", "stroke"]
OUTCOMES = ["mortality", "blood pressure", "relapse rates", "body weight", "tumour growth", "pain scores", "hospital admissions", "inflammation", "cholesterol levels", "bone density"]
GENES = "TRAF9 MYK2 SOX31 GATA8 LRP15 FOXN7 CDX9 ABL4 NRK1 IL-41 TGFX SMUR2 KLP5 RAB60 WNTX BRD12".split()
CELLS = ["T cells", "neurons", "hepatocytes", "fibroblasts", "epithelial cells", "macrophages", "cardiomyocytes", "beta cells", "stem cells"]
METRICS = ["revenue", "operating profit", "net debt", "headcount", "market share", "exports", "sales"]
KINDS = {"mountain": ("high", "metres"), "bridge": ("long", "metres"), "river": ("long", "kilometres"), "tower": ("tall", "metres"), "lake": ("deep", "metres")}
COMPARE = {"high": ("higher", "lower"), "long": ("longer", "shorter"), "tall": ("taller", "shorter"), "deep": ("deeper", "shallower")}


class World:
    """Facts with evidence sentences, and claims (text, class, facts needed)."""

    def __init__(self, rng):
        self.r, self.evidence, self.claims = rng, [], []

    def say(self, *wordings):
        self.evidence.append(self.r.choice(wordings))
        return len(self.evidence) - 1

    def claim(self, y, needs, *wordings):
        self.claims.append((self.r.choice(wordings), y, needs))

    def choose_other(self, options, *taken):
        return self.r.choice([o for o in options if o not in taken])


def article(word):
    return ("an " if word[0].lower() in "aeiou" else "a ") + word


def person(rng, w):
    female = rng.random() < 0.5
    name = f"{rng.choice(FIRST_F if female else FIRST_M)} {rng.choice(LAST)}"
    return name, ("She", "Her") if female else ("He", "His")


def biography(rng, w):
    name, (he, his) = person(rng, w)
    s = name if rng.random() < 0.6 else name.split()[1]
    city = rng.choice(list(CITIES))
    land = CITIES[city]
    other_city = rng.choice([c for c in CITIES if CITIES[c] != land])
    other_land = CITIES[other_city]
    job, job2 = rng.sample(JOBS, 2)
    wrong_job = w.choose_other(JOBS, job, job2)
    born = rng.randint(1850, 1985)
    month, month2 = rng.sample(MONTHS, 2)
    day, age = rng.randint(1, 28), rng.randint(31, 89)
    dead = born + age
    two = rng.random() < 0.4
    jobs = f"{job} and {job2}" if two else job
    f = w.say(f"{name} (born {month} {day}, {born} in {city}) was {article(ADJ[land])} {jobs}.",
              f"{name} (born {day} {month} {born}, {city}, {land}) is {article(ADJ[land])} {jobs} .",
              f"Born in {city} on {day} {month} {born}, {name} became {article(jobs)} and remained one for life.")
    w.claim(SUPPORTS, [f], f"{s} was born in {city}.", f"{s} comes from {city}.", f"{s} was born in {born}.", f"{s}'s birthday is in {month}.", f"{city} is the birthplace of {s}.",
            f"{s} worked as {article(job)}.", f"{s} is {article(job)}.", f"{s} had a career as {article(job)}.", f"{s} was born before {born + rng.randint(1, 20)}.")
    w.claim(REFUTES, [f], f"{s} was born in {other_city}.", f"{s} comes from {other_city}.", f"{s} was born in {born + rng.choice((-9, -4, -2, -1, 1, 2, 5, 11))}.", f"{s}'s birthday is in {month2}.",
            f"{other_city} is the birthplace of {s}.", f"{s} was never {article(job)}.", f"{s} was born after {born + rng.randint(1, 20)}.", f"{s} refused to become {article(job)}.",
            f"{s} was not born in {city}.", f"{s} is only {article(wrong_job)}.", f"{s} is a {rng.choice(('city', 'film', 'river', 'company', 'song', 'political party'))}.")
    w.claim(NEI, [f], f"{s} was also {article(wrong_job)}.", f"{s} married in {city}.", f"{s} won {rng.choice(AWARDS)}.", f"{s} had {rng.choice(('two', 'three', 'four'))} children.",
            f"{s} studied law in {other_city}.", f"{s} was a friend of {rng.choice(FIRST_M)} {rng.choice(LAST)}.", f"{s} moved to {other_city} in {born + 25}.")
    if rng.random() < 0.6:
        d = w.say(f"{he} died in {other_city} in {dead}, aged {age}.", f"{he} passed away in {dead} in {other_city} at the age of {age}.", f"{his} death came in {dead} in {other_city}.")
        w.claim(SUPPORTS, [f, d], f"{s} lived to be {age}." if rng.random() < .3 else f"{s} died in {other_land}.", f"{s} died outside {land}.", f"{s} died in {dead}.", f"{s} was alive in {dead - rng.randint(1, 15)}.")
        w.claim(REFUTES, [f, d], f"{s} died in {land}." if other_land != land else f"{s} is alive.", f"{s} died in {city}.", f"{s} died in {dead + rng.choice((-8, -3, 2, 6))}.", f"{s} is still alive.",
                f"{s} was already dead in {dead - rng.randint(1, 15)}.", f"{s} never left {land}.")
    if rng.random() < 0.6:
        award, year = rng.choice(AWARDS), born + rng.randint(24, 50)
        a = w.say(f"In {year} {he.lower()} was awarded {award}.", f"{he} won {award} in {year}.", f"{he} received {award} in {year} after being nominated twice.")
        w.claim(SUPPORTS, [f, a], f"{s} won {award}.", f"{s} has received an award.", f"{award[:1].upper() + award[1:]} went to {s} in {year}.", f"{s} was given {award}.")
        w.claim(REFUTES, [f, a], f"{s} never won {award}.", f"{s} has not received any award.", f"{s} turned down {award}.", f"{s} failed to win {award}.", f"{s} won {award} in {year + rng.choice((-6, -2, 3, 7))}.")
    if rng.random() < 0.4:
        spouse = f"{rng.choice(FIRST_M + FIRST_F)} {rng.choice(LAST)}"
        k = rng.choice((2, 3, 4, 5))
        number = {2: "two", 3: "three", 4: "four", 5: "five"}
        m = w.say(f"{he} married {spouse}, with whom {he.lower()} had {number[k]} children.", f"{he} and {spouse} were married and raised {number[k]} children.")
        w.claim(SUPPORTS, [f, m], f"{s} was married.", f"{s} was a parent.", f"{spouse} was married to {s}.", f"{s} had more than one child.", f"{s} had {k} children.")
        w.claim(REFUTES, [f, m], f"{s} never married.", f"{s} had no children.", f"{s} remained single.", f"{s} had only one child.", f"{s} had {k + rng.choice((-1, 1, 2))} children.")
        w.claim(NEI, [f, m], f"{s} and {spouse} divorced.", f"{spouse} was {article(rng.choice(JOBS))}.", f"{s} had {number[k]} daughters.")


def work(rng, w):
    kind = rng.choice(list(WORKS))
    by, verb = WORKS[kind]
    title = f"{'The ' if rng.random() < .5 else ''}{rng.choice(TITLE_A)} {rng.choice(TITLE_B)}"
    year, month = rng.randint(1935, 2019), rng.choice(MONTHS)
    month2 = w.choose_other(MONTHS, month)
    maker, other = person(rng, w)[0], person(rng, w)[0]
    land = rng.choice(list(ADJ))
    wrong = w.choose_other(list(ADJ), land)
    genre = rng.choice(GENRES[kind])
    genre2 = w.choose_other(GENRES[kind], genre)
    kind2 = w.choose_other(list(WORKS), kind)
    f = w.say(f"{title} is a {year} {ADJ[land]} {genre} {kind} {by} {maker}.", f"{title} is {article(ADJ[land])} {genre} {kind} {by} {maker} and released on {month} {rng.randint(1, 28)}, {year}.",
              f"{title} , {article(genre)} {kind} {by} {maker} , came out in {land} in {year} .")
    w.claim(SUPPORTS, [f], f"{title} is {article(kind)}.", f"{maker} {verb} {title}.", f"{title} was {by} {maker}.", f"{title} was released in {year}.", f"{title} is {article(ADJ[land])} {kind}.",
            f"{title} came out before {year + rng.randint(2, 12)}.", f"{title} belongs to the {genre} genre.", f"There is {article(kind)} called {title}.", f"{maker} worked on {title}.")
    w.claim(REFUTES, [f], f"{title} is {article(kind2)}.", f"{other} {verb} {title}.", f"{title} was {by} {other}.", f"{title} was released in {year + rng.choice((-7, -3, -1, 1, 2, 6))}.",
            f"{title} is {article(ADJ[wrong])} {kind}.", f"{title} came out after {year + rng.randint(2, 12)}.", f"{title} is {article(genre2)} {kind}.", f"{maker} had nothing to do with {title}.",
            f"{title} was never released.", f"{title} is the name of a person.", f"{maker} refused to work on {title}.")
    w.claim(NEI, [f], f"{title} won {rng.choice(AWARDS)}.", f"{title} was a commercial success.", f"{title} was based on a true story.", f"{title} was banned in {wrong}.", f"{maker} was born in {wrong}.",
            f"{title} took {rng.choice(('two', 'three', 'five'))} years to make.", f"{title} is the first {kind} {by} {maker}.", f"Critics disliked {title}.")
    if rng.random() < 0.7:
        a, b, c = (person(rng, w)[0] for _ in range(3))
        n = rng.randint(2, 40)
        up = rng.random() < 0.5
        good, bad = (("was a commercial success", "was a hit", "sold well", "was popular"), ("was a commercial failure", "was a flop", "sold poorly", "was a disappointment"))[:: 1 if up else -1]
        c1 = w.say(f"It features {a} and {b} and sold {n} million {'tickets' if kind == 'film' else 'copies'}, becoming one of the best-selling {kind}s of {year + 1}." if up else
                   f"It features {a} and {b}, but sold only {n},000 {'tickets' if kind == 'film' else 'copies'} and was one of the worst-selling {kind}s of {year + 1}.")
        w.claim(SUPPORTS, [f, c1], f"{title} {rng.choice(good)}.", f"{a} is featured in {title}.", f"{b} took part in {title}.")
        w.claim(REFUTES, [f, c1], f"{title} {rng.choice(bad)}.", f"{title} was one of the {'worst' if up else 'best'}-selling {kind}s of its time.", f"{a} was not involved in {title}.", f"Only {a} is featured in {title}.")
        w.claim(NEI, [f, c1], f"{c} is featured in {title}.", f"{a} disliked {title}.", f"{a} married {b}.", f"{title} was praised by {c}.")


def company(rng, w):
    name = rng.choice(COMPANY) + rng.choice((" Group", " AG", " Inc.", " Holdings", ""))
    city = rng.choice(list(CITIES))
    city2 = rng.choice([c for c in CITIES if CITIES[c] != CITIES[city]])
    sector = rng.choice(SECTORS)
    year = rng.randint(1890, 2012)
    maker, other = person(rng, w)[0], person(rng, w)[0]
    f = w.say(f"{name} is {article(sector)} company based in {city}, founded in {year} by {maker}.", f"Founded by {maker} in {year}, {name} is {article(sector)} company with headquarters in {city}, {CITIES[city]}.")
    w.claim(SUPPORTS, [f], f"{maker} founded {name}.", f"{name} has its headquarters in {CITIES[city]}.", f"{name} is {article(sector)} firm.", f"{name} was established in {year}.", f"{name} was set up by {maker}.", f"{name} is based in {city}.")
    w.claim(REFUTES, [f], f"{other} founded {name}.", f"{name} has its headquarters in {CITIES[city2]}.", f"{name} is {article(w.choose_other(SECTORS, sector))} firm.", f"{name} was established in {year + rng.choice((-12, -3, 2, 8))}.",
            f"{name} is based in {city2}.", f"{name} was set up by {other}.", f"{name} is not a company.")
    w.claim(NEI, [f], f"{name} has offices in {city2}.", f"{name} is listed on the stock exchange.", f"{maker} sold {name} in {year + 11}.", f"{name} employs {rng.randint(2, 90)},000 people.", f"{name} is the largest {sector} company in {CITIES[city]}.")
    metric = rng.choice(METRICS)
    a, b = rng.sample(range(11, 98), 2)
    y1 = rng.randint(2010, 2022)
    unit = "" if metric == "headcount" else "%" if metric == "market share" else " million euros"
    up = b > a
    rose, fell = ("rose", "grew", "went up", "increased", "climbed"), ("fell", "shrank", "went down", "declined", "dropped")
    good, bad = (rose, fell) if up else (fell, rose)
    g = w.say(f"Its {metric} {rng.choice(good)} from {a}{unit} in {y1} to {b}{unit} in {y1 + 1}.", f"In {y1 + 1}, {metric} at {name} {rng.choice(good)} to {b}{unit}, after {a}{unit} the year before.",
              f"{name} reported {metric} of {b}{unit} for {y1 + 1}, compared with {a}{unit} in {y1}.")
    w.claim(SUPPORTS, [f, g], f"{name}'s {metric} {rng.choice(good)} in {y1 + 1}.", f"The {metric} of {name} {rng.choice(good)} between {y1} and {y1 + 1}.", f"In {y1 + 1}, {name} had {metric} of {b}{unit}.",
            f"{name}'s {metric} was {'higher' if up else 'lower'} in {y1 + 1} than in {y1}.", f"{name}'s {metric} was {'lower' if up else 'higher'} in {y1} than in {y1 + 1}.")
    w.claim(REFUTES, [f, g], f"{name}'s {metric} {rng.choice(bad)} in {y1 + 1}.", f"The {metric} of {name} {rng.choice(bad)} between {y1} and {y1 + 1}.", f"In {y1 + 1}, {name} had {metric} of {a}{unit}.",
            f"{name}'s {metric} was {'lower' if up else 'higher'} in {y1 + 1} than in {y1}.", f"{name}'s {metric} did not change between {y1} and {y1 + 1}.", f"In {y1 + 1}, {name} had {metric} of {b + rng.choice((-5, 4, 9))}{unit}.")
    w.claim(NEI, [f, g], f"{name}'s {metric} {rng.choice(good)} because of a new product.", f"{name}'s {w.choose_other(METRICS, metric)} {rng.choice(good)} in {y1 + 1}.", f"{name}'s {metric} {rng.choice(good)} in {y1 + 3}.",
            f"{w.choose_other(COMPANY, name.split()[0])}'s {metric} {rng.choice(good)} in {y1 + 1}.", f"{name}'s {metric} {rng.choice(good + bad)} in {y1 - 2}.")


def trial(rng, w):
    drug, drug2 = rng.sample(DRUGS, 2)
    ill, ill2 = rng.sample(ILLS, 2)
    out, out2 = rng.sample(OUTCOMES, 2)
    n, share = rng.randint(3, 90) * 10 + rng.randint(0, 9), rng.randint(6, 60)
    effect = rng.choice((-1, -1, 0, 1))
    down = ["reduced", "lowered", "decreased", "diminished"]
    raised = ["increased", "raised", "elevated"]
    verbs = {-1: down, 1: raised}
    if effect:
        v = rng.choice(verbs[effect])
        comp = "lower" if effect < 0 else "higher"
        f = w.say(f"In a randomised trial of {n} patients with {ill}, {drug} {v} {out} by {share}% compared with placebo.",
                  f"Among {n} patients with {ill}, {out} was significantly {comp} in the {drug} group than in the placebo group ({share}% difference, p < 0.01).",
                  f"Treatment with {drug} {v} {out} in {n} patients with {ill}.", f"We found that {out} in patients with {ill} was {comp} after {drug} than after placebo (n = {n}).")
        g, b = verbs[effect], verbs[-effect]
        c2 = "higher" if effect < 0 else "lower"
        w.claim(SUPPORTS, [f], f"{drug} {rng.choice(g)} {out} in patients with {ill}.", f"Patients with {ill} who took {drug} had {comp} {out} than those on placebo.", f"{drug} has an effect on {out} in {ill}.",
                f"{out} was {c2} with placebo than with {drug}.", f"{'A decrease' if effect < 0 else 'An increase'} in {out} was seen in {ill} patients given {drug}.", f"{drug} affects {out}.")
        w.claim(REFUTES, [f], f"{drug} {rng.choice(b)} {out} in patients with {ill}.", f"Patients with {ill} who took {drug} had {c2} {out} than those on placebo.", f"{drug} has no effect on {out} in {ill}.",
                f"{out} was {comp} with placebo than with {drug}.", f"{'An increase' if effect < 0 else 'A decrease'} in {out} was seen in {ill} patients given {drug}.", f"{drug} did not change {out}.", f"{drug} failed to alter {out} in patients with {ill}.")
    else:
        f = w.say(f"In {n} patients with {ill}, {drug} did not affect {out} compared with placebo (p = 0.{rng.randint(21, 90)}).", f"No significant difference in {out} was found between {drug} and placebo in {n} patients with {ill}.",
                  f"{drug} failed to change {out} in patients with {ill}.")
        w.claim(SUPPORTS, [f], f"{drug} has no effect on {out} in patients with {ill}.", f"{out} was similar with {drug} and placebo in {ill}.", f"{drug} does not influence {out}.", f"There is no evidence that {drug} changes {out} in {ill}.")
        w.claim(REFUTES, [f], f"{drug} {rng.choice(down + raised)} {out} in patients with {ill}.", f"{drug} affects {out}.", f"{out} differed between {drug} and placebo in {ill}.", f"Patients on {drug} had {rng.choice(('lower', 'higher'))} {out} than those on placebo.")
    v = rng.choice(down + raised)
    w.claim(NEI, [f], f"{drug} {v} {out2} in patients with {ill}.", f"{drug} {v} {out} in patients with {ill2}.", f"{drug2} {v} {out} in patients with {ill}.", f"{drug} causes fewer side effects than {drug2}.",
            f"{drug} {v} {out} in children with {ill}.", f"{drug} has been approved for {ill}.", f"{drug} is more effective than {drug2} in {ill}.")
    if rng.random() < 0.4:
        s = w.say(f"The most common side effect of {drug} was headache, which occurred in {share // 3 + 2}% of patients.", f"The incidence of {ill2} did not differ between the groups.", f"{out2[:1].upper() + out2[1:]} was not measured.")
        w.claim(NEI, [f, s], f"{drug} prevents {ill2}.", f"{drug} cures {ill}.")


def gene(rng, w):
    g, h, other = rng.sample(GENES, 3)
    cell, cell2 = rng.sample(CELLS, 2)
    up = rng.random() < 0.5
    pos = [f"{g} activates {h}", f"{g} promotes {h} expression", f"{g} induces {h}", f"{g} upregulates {h}", f"{g} enhances the activity of {h}", f"{h} is activated by {g}", f"{g} is a positive regulator of {h}",
           f"Loss of {g} reduces {h} expression", f"Knockdown of {g} leads to decreased {h} levels", f"Cells lacking {g} show lower {h} levels", f"Overexpression of {g} increases {h} levels", f"{g} deficiency impairs {h} activity"]
    neg = [f"{g} inhibits {h}", f"{g} suppresses {h} expression", f"{g} represses {h}", f"{g} downregulates {h}", f"{g} blocks the activity of {h}", f"{h} is inhibited by {g}", f"{g} is a negative regulator of {h}",
           f"Loss of {g} increases {h} expression", f"Knockdown of {g} leads to elevated {h} levels", f"Cells lacking {g} show higher {h} levels", f"Overexpression of {g} decreases {h} levels", f"{g} deficiency enhances {h} activity"]
    none = [f"{g} has no effect on {h}", f"{g} does not regulate {h}", f"{h} expression is independent of {g}", f"Deletion of {g} does not change {h} levels"]
    good, bad = (pos, neg) if up else (neg, pos)
    if rng.random() < 0.15:
        good, bad = none, pos + neg
    lead = rng.choice(("", "Here we show that ", "Our data indicate that ", "In this study, we found that "))
    e = rng.choice(good)
    f = w.say(f"{lead}{e} in {cell}.", f"{lead}{e} in {cell}, as measured by western blot.", f"In {cell}, {e}.")
    w.claim(SUPPORTS, [f], rng.choice(good) + ".", f"{rng.choice(good)} in {cell}.", f"In {cell}, {rng.choice(good)}.")
    w.claim(REFUTES, [f], rng.choice(bad) + ".", f"{rng.choice(bad)} in {cell}.", rng.choice(none if good is not none else bad) + ".")
    anything = rng.choice(pos + neg)
    w.claim(NEI, [f], anything.replace(h, other) + ".", anything.replace(g, other) + ".", f"{anything} in {cell2}.", f"{g} binds directly to {other}.", f"{h} mutations cause disease.", f"{g} is expressed in {cell2}.")
    if rng.random() < 0.4:
        w.say(f"{other} was expressed at similar levels in {cell2}.", f"{h} is located in the nucleus of {cell}.", f"The role of {other} in {cell} remains unknown.")


def geography(rng, w):
    kind = rng.choice(list(KINDS))
    how, unit = KINDS[kind]
    more, less = COMPARE[how]
    a, b = (f"{rng.choice(('Mount', 'Great', 'Upper', 'Old', 'Saint'))} {rng.choice(LAST)}" for _ in range(2))
    if a == b:
        return
    x, y = rng.sample(range(120, 4800), 2)
    land = rng.choice(list(ADJ))
    wrong = w.choose_other(list(ADJ), land)
    f = w.say(f"{a} is a {kind} in {land}, {x} {unit} {how}.", f"The {kind} {a}, located in {land}, is {x:,} {unit} {how}.")
    g = w.say(f"{b}, a nearby {kind}, is {y} {unit} {how}.", f"The {kind} {b} measures {y:,} {unit}.")
    w.claim(SUPPORTS, [f], f"{a} is located in {land}.", f"{a} is a {kind}.", f"{a} is more than {x - rng.randint(5, 90)} {unit} {how}.", f"{a} is less than {x + rng.randint(5, 90)} {unit} {how}.", f"{a} lies in {land}.")
    w.claim(REFUTES, [f], f"{a} is located in {wrong}.", f"{a} is a {w.choose_other(list(KINDS), kind)}.", f"{a} is less than {x - rng.randint(5, 90)} {unit} {how}.", f"{a} is more than {x + rng.randint(5, 90)} {unit} {how}.",
            f"{a} lies in {wrong}.", f"{a} is not in {land}.")
    w.claim(NEI, [f], f"{a} is the {how}est {kind} in {land}." if how != "deep" else f"{a} is the deepest {kind} in {land}.", f"{a} is a popular tourist destination.", f"{a} was named after a general.", f"{a} was first described in {rng.randint(1700, 1900)}.")
    top, low = (a, b) if x > y else (b, a)
    w.claim(SUPPORTS, [f, g], f"{top} is {more} than {low}.", f"{low} is {less} than {top}.", f"{low} is not as {how} as {top}.")
    w.claim(REFUTES, [f, g], f"{low} is {more} than {top}.", f"{top} is {less} than {low}.", f"{a} and {b} are equally {how}.", f"{top} is not as {how} as {low}.")


def match(rng, w):
    a, b = (f"{rng.choice(list(CITIES))} {t}" for t in rng.sample(TEAMS, 2))
    x, y = sorted(rng.sample(range(0, 7), 2), reverse=True)
    year = rng.randint(1950, 2022)
    man, other = person(rng, w)[0], person(rng, w)[0]
    place = rng.choice(list(CITIES))
    wrong = w.choose_other(list(CITIES), place)
    f = w.say(f"{a} beat {b} {x}-{y} in the {year} final, played in {place}.", f"The {year} final in {place} ended with a {x}-{y} victory of {a} over {b}.", f"{b} lost the {year} final in {place} to {a}, {y}-{x}.")
    g = w.say(f"{man} scored the decisive goal.", f"The winning goal came from {man}.", f"{man} was named player of the match.")
    w.claim(SUPPORTS, [f], f"{a} won the {year} final.", f"{b} lost to {a}.", f"{a} defeated {b}.", f"{b} was beaten by {a} in {year}.", f"The {year} final was held in {place}.", f"{b} did not win the {year} final.")
    w.claim(REFUTES, [f], f"{b} won the {year} final.", f"{a} lost to {b}.", f"{b} defeated {a}.", f"{a} was beaten by {b} in {year}.", f"The {year} final was held in {wrong}.", f"{a} did not win the {year} final.", f"The {year} final was a draw.")
    w.claim(NEI, [f, g], f"{a} won the {year + 1} final.", f"{other} scored a goal in the {year} final.", f"{rng.randint(20, 90)},000 people watched the {year} final.", f"{a} had never won before {year}.", f"{man} was injured in the final.")


def world_pairs(rng, quota):
    kinds, weights = (biography, work, company, trial, gene, geography, match), (4, 4, 2, 4, 4, 1.5, 1.5)
    made = 0
    while made < quota:
        kind = rng.choices(kinds, weights)[0]
        w, stranger = World(rng), World(rng)
        kind(rng, w)
        kind(rng, stranger)
        for claim, y, needs in w.claims:
            keep = set(needs) | {i for i in range(len(w.evidence)) if rng.random() < 0.5}
            sentences = [w.evidence[i] for i in sorted(keep)]
            if len(sentences) < 3 and rng.random() < 0.25 and stranger.evidence:
                sentences.insert(rng.randrange(len(sentences) + 1) if rng.random() < 0.5 and len(sentences) == 1 else len(sentences), rng.choice(stranger.evidence))
            made += 1
            yield f"world-{kind.__name__}", claim[:1].upper() + claim[1:], sentences[:4], y
        if stranger.claims and rng.random() < 0.35:  # the evidence is about something else of the same kind
            claim, _, _ = rng.choice(stranger.claims)
            sentences = [s for s in w.evidence if rng.random() < 0.7] or w.evidence[:1]
            made += 1
            yield f"world-{kind.__name__}", claim[:1].upper() + claim[1:], sentences[:3], NEI
