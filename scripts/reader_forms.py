"""Forms in which the same matter stands in documents, for the pairs of `reader_pairs.py`.

Our invented documents name in their title what they are about, and hold the answer in the unit. Others do not: an annual
report names nobody, a table has a column "Metric", the question stands over the answer as a heading, and a list of changes
tells the version only in the heading. Here the documents are cast into such forms, and two kinds are made up whole: figures in
tables, and changes under versions. Everything is drawn from the lists below, which are ours.
"""

import re

# Titles that name nobody.
PLAIN = """Annual report {y}; Annual report; Quarterly report, Q{q} {y}; Overview; At a glance; Facts and figures; Frequently asked questions; FAQ; README; Handbook; Staff handbook;
Handbook for volunteers; Who is who; People; About us; Minutes of the meeting of {d} {m} {y}; Minutes; Notes; Notes of {m} {y}; Newsletter, {m} {y}; Press release; Report to the board; Letter to
members; Price list; Price list {y}; Terms and conditions; Visitor information; Travel; House rules; Rules; Security policy; Operations manual; Roadmap; Strategy {y}; Changelog; Release notes; Post-mortem; Incident
report of {d} {m} {y}; Interview; Survey {y}; Results; Budget {y}; Product sheet; Data sheet; Guide; User guide; Wiki; Company wiki; Onboarding; Contract; Agreement; Timeline; History;
Chronicle; Programme {y}; Collection; Glossary; Questions and answers; Summary; Appendix B; Internal memo""".replace("\n", " ").split(";")
MONTHS = "January February March April May June July August September October November December".split()
COLUMNS = [("Metric", "Figure"), ("Item", "Amount"), ("Field", "Entry"), ("Measure", "Result"), ("Key figure", "{y}"), ("Property", "Value"), ("What", "How much"), ("Topic", "Detail"), ("Name", "Value")]
LINE = re.compile(r"^([A-Z][^:;.?!]{2,50}): ([^;]{1,90}?)\.?$")
NAME = re.compile(r"(?:[A-Z][\w'&-]+ (?:(?:of|the|and|for|&) )?){1,3}[A-Z][\w'-]+")
LOOSE = re.compile(r"^(?:who|when|where|how|what|which|why|does|do|is|are|can|will|did|was|were|has|have)\b", re.I)


def dated(rng, text):
    return text.strip().format(y=rng.randint(2009, 2026), q=rng.randint(1, 4), d=rng.randint(1, 28), m=rng.choice(MONTHS))


def plain_title(rng):
    return dated(rng, rng.choice(PLAIN))


def as_row(rng, unit):
    """A line `Key: value` as a row of a table of two columns; other units as they are."""
    found = LINE.match(unit)
    if not found:
        return unit
    first, second = rng.choice(COLUMNS)
    return f"{first}: {found[1]}; {dated(rng, second)}: {found[2]}"


def named(rng, title, question):
    """The question with the name that the title bears, where it names nobody; `None` where there is no such name."""
    found = [m[0] for m in NAME.finditer(title[1:]) if len(m[0]) < 45]
    if not found or not LOOSE.match(question) or not question.endswith("?") or re.search(r"[a-z,] [A-Z]", question):
        return None
    return f"{question[:-1]} {rng.choice(('at', 'at', 'of', 'for'))} {rng.choice(('', 'the '))}{found[-1]}?"


# ---------------------------------------------------------------- figures in tables

# Name of the row; how it is asked, `{o}` the body; what the figure looks like.
FIGURES = """Registered members | How many members does {o} have?; How large is the membership of {o}?; How many people belong to {o}? | n
Employees, full-time equivalents | How many people work at {o}?; How many permanent employees does {o} have?; How big is the workforce of {o}? | n
Headcount | How many employees does {o} have?; How many people are on the payroll of {o}? | n
Volunteers | How many volunteers help {o}?; How many people work for {o} without pay? | n
Turnover | What is the turnover of {o}?; How much did {o} sell for in all?; What were the sales of {o}? | e
Revenue | How much revenue did {o} make?; How much money did {o} take in?; What were the sales of {o}? | e
Net profit | How much did {o} earn after all costs?; What profit did {o} make? | e
Operating loss | How much money did {o} lose in its operations? | e
Reserves | How much has {o} put aside?; What does {o} hold in reserve? | e
Cash in hand | How much cash does {o} have?; How much money is in the till of {o}? | e
Grants received | How much did {o} receive in grants?; How much public money went to {o}? | e
Donations | How much was given to {o} by donors?; What did gifts bring {o}? | e
Wages and salaries | How much does {o} spend on pay?; What does its staff cost {o}? | e
Marketing | How much does {o} spend on advertising? | e
Research and development | How much does {o} put into research? | e
Rent | What does {o} pay for its premises?; How much does {o} pay its landlord? | e
Energy used | How much energy does {o} use?; What is the power consumption of {o}? | w
Water used | How much water does {o} consume? | v
Emissions of carbon dioxide | How much CO2 does {o} emit?; How large is the carbon footprint of {o}? | t
Waste to landfill | How much rubbish of {o} is dumped? | t
Nameplate power | How powerful is the plant of {o}?; What capacity has {o} installed? | w
Vehicles | How many vehicles does {o} have?; How large is the fleet of {o}? | s
Branches | How many branches does {o} have?; In how many places is {o} present? | s
Countries served | In how many countries is {o} active? | s
Customers | How many customers does {o} have?; How many clients buy from {o}? | n
Active subscriptions | How many subscribers does {o} have? | n
Customers who left | How many clients did {o} lose? | n
Customer churn | What share of its customers does {o} lose?; What portion of clients goes away from {o}? | p
Customer satisfaction | How content are the customers of {o}?; What rating do clients give {o}? | p
Visitors | How many people came to {o}?; How many guests did {o} have? | n
Tickets sold | How many tickets did {o} sell? | n
Occupancy | How full was {o} on average?; What share of the places at {o} was taken? | p
Deliveries on time | What share of deliveries by {o} arrives punctually?; How punctual is {o}? | p
Mean time to repair | How long does it take {o} to mend a fault?; How long does a repair take at {o}? | h
Average waiting time | How long do people wait at {o}?; What is the usual wait at {o}? | h
Average length of stay | How long does a patient stay at {o}?; How many days do people stay at {o}? | d
Annual leave | How many days off do people get at {o}?; How long is the holiday of staff at {o}? | d
Notice period | How long in advance must one resign from {o}? | d
Sick days per employee | How often is staff of {o} ill?; How many days are people ill at {o}? | d
Accidents at work | How many accidents happened at {o}?; How many people were hurt at {o}? | s
Complaints | How many complaints did {o} get? | s
Patents granted | How many inventions of {o} are protected?; How many patents does {o} hold? | s
Units produced | How many pieces did {o} make?; What was the output of {o}? | n
Scrap rate | What share of what {o} makes is thrown away? | p
Share of women in management | How many of the bosses of {o} are women?; What part of the leaders of {o} is female? | p
Staff turnover | What share of the staff leaves {o} in a year? | p
Apprentices | How many young people does {o} train?; How many trainees are there at {o}? | s
Pupils | How many children go to {o}?; How many pupils are there at {o}? | n
Class size | How many children sit in a class at {o}? | s
Beds | How many patients can {o} take in?; How many beds are there at {o}? | n
Births | How many babies were born at {o}? | n
Books lent | How many books did {o} lend? | n
Objects in the collection | How many pieces does {o} keep?; How large is the collection of {o}? | n
Floor area | How large are the rooms of {o}?; How much space does {o} have? | a
Parking spaces | How many cars can be parked at {o}? | n
Founded | When was {o} founded?; In what year did {o} start?; How old is {o}? | y
Chief executive | Who leads {o}?; Who runs {o}?; Who is the boss of {o}? | x
Chair of the board | Who chairs the board of {o}?; Who presides over {o}? | x
Head of finance | Who looks after the money of {o}?; Who is in charge of finance at {o}? | x
Auditor | Who checks the books of {o}? | c
Main supplier | From whom does {o} buy most?; Who supplies {o}? | c
Insurer | With whom is {o} insured? | c
Bank | Where does {o} have its account?; Which bank does {o} use? | c
Largest shareholder | Who owns most of {o}?; Who holds the biggest stake in {o}? | c
Seat | Where is {o} based?; In which town does {o} sit? | l
Warehouse | Where does {o} store its goods? | l
Next general meeting | When do the members of {o} meet next?; On what day is the assembly of {o}? | z
Financial year ends | When does {o} close its books? | z
Licence valid until | How long may {o} operate?; Until when is the licence of {o} good? | z
Dividend | How much of its profit does {o} pay to its owners?; What do shareholders of {o} get? | p
Order book | How much work has {o} been given that is still to be done?; What are the open orders of {o} worth? | e
Investment | How much did {o} put into new equipment?; What did {o} invest? | e"""
KINDS = "association company museum trust school hospital brewery dairy railway library club shipyard airline theatre foundry institute farm bank".split()
FIRST = "Marren Tollund Ostrey Caldmoor Velk Hartlow Sundrey Pellworth Aldrin Corvo Brekken Lindal Quarnby Estmere Rovanik Tamsel Galdor Wyndle Harrowby Isenfeld Kestle Noravale Orsted Pinmoor".split()
LAST = "Valley Textile Grain Timber Instruments Optics Ferry Marine Stone Solar Mutual River Glass Paper".split()
PEOPLE = [f"{a} {b}" for a in "Ines Tomas Marit Owen Leyla Piet Saoirse Emeka Yuki Anders Carla Hamid Greta Luca".split() for b in "Varga Halloran Okafor Brandt Sato Lindqvist Moreau Petrov Ashworth Demir".split()]
PLACES = "Ellisport Dunmarrow Kaldvik Oberlinden Verada Quayle Tarnby Wexholm Lowmere Brackenford Amselport Velden".split()
HEADINGS = ["Headline figures", "Key figures", "At a glance", "Figures of the year", "Operations", "Money", "People", "Facts", "Numbers", ""]


def value(rng, kind):
    euro = rng.choice(("£", "€", "$"))
    return {
        "n": lambda: f"{rng.randint(100, 98000):,}", "s": lambda: str(rng.randint(2, 180)),
        "e": lambda: rng.choice((f"{euro}{rng.uniform(0.2, 90):.1f} million", f"{euro}{rng.randint(900, 990000):,}", f"{euro}{rng.uniform(0.5, 40):.1f}M")),
        "w": lambda: f"{rng.uniform(0.3, 90):.1f} {rng.choice(('MW', 'GWh', 'MWh'))}", "v": lambda: f"{rng.randint(200, 99000):,} m³", "t": lambda: f"{rng.randint(3, 9000):,} tonnes",
        "p": lambda: f"{rng.uniform(0.5, 99):.1f} %", "h": lambda: f"{rng.randint(2, 90)} {rng.choice(('hours', 'minutes'))}", "d": lambda: f"{rng.randint(2, 60)} days",
        "a": lambda: f"{rng.randint(80, 90000):,} m²", "y": lambda: str(rng.randint(1820, 2040)), "x": lambda: rng.choice(PEOPLE), "c": lambda: f"{rng.choice(FIRST)} {rng.choice(LAST)}",
        "l": lambda: rng.choice(PLACES), "z": lambda: f"{rng.randint(1, 28)} {rng.choice(MONTHS)} {rng.randint(2023, 2032)}"}[kind]()


def figures(rng, tables=130):
    """Questions about rows of invented tables: (question, context, unit, span, label)."""
    known = [tuple(part.strip() for part in line.split("|")) for line in FIGURES.splitlines()]
    out = []
    for _ in range(tables):
        kind = rng.choice(KINDS)
        name = f"{rng.choice(FIRST)} {rng.choice(LAST)} {kind.title()}"
        report = plain_title(rng)
        title = rng.choice((f"{name}: {report[0].lower()}{report[1:]}", f"{report} of the {name}", report))
        heading = rng.choice(HEADINGS)
        context = f"{title}, {heading}" if heading else title
        first, second = rng.choice(COLUMNS)
        second = dated(rng, second)
        chosen = rng.sample(known, 12)
        rows, absent = chosen[:9], chosen[9:]
        lined = rng.random() < 0.3
        units = []
        for label, asked, sort in rows:
            label, said = label.format(k=kind), value(rng, sort)
            unit = f"{label}: {said}" if lined else f"{first}: {label}; {second}: {said}"
            units.append((unit, said, [q.strip() for q in asked.split(";")], label))

        def ask(text):
            return text.format(o=rng.choice((f"the {name}", f"the {name}", name, f"the {kind}", f"the {kind}")))

        told = set()
        for unit, said, asked, label in units:
            others = [u for u, *_ in units if u != unit]
            question = ask(rng.choice(asked))
            if question in told:
                continue
            told.add(question)
            out.append((question, context, unit, [unit.rfind(said), unit.rfind(said) + len(said)], 1))
            out += [(question, context, other, None, 0) for other in rng.sample(others, 2)]
            if rng.random() < 0.3:
                question = rng.choice((f"What is the figure for {label.lower()} at the {name}?", f"{label} of the {kind}?", f"What does the {kind} report as {label.lower()}?"))
                out.append((question, context, unit, [unit.rfind(said), unit.rfind(said) + len(said)], 1))
        for _, asked, _ in absent:
            question = ask(rng.choice(asked.split(";")).strip())
            # "How many employees" is asked of several rows.
            if not any(question.split()[:3] == q.split()[:3] for q in told):
                out += [(question, context, u[0], None, 0) for u in rng.sample(units, 2)]
    return out


# ---------------------------------------------------------------- changes under versions and days

DID = """Added {x} | Which version added {x}?; When did {x} come in?; Since which release is there {x}?; In which release was {x} introduced? | Who wrote {x}?; Why was {x} added?
Removed {x} | Which version took {x} out?; When was {x} dropped?; Since when is {x} gone? | Who decided to remove {x}?; Will {x} come back?
Fixed a fault that made {x} fail | In which version was the fault in {x} mended?; When was {x} repaired? | Who found the fault in {x}?; How many people were hit by the fault in {x}?
{X} now takes half the time | Which release made {x} quicker?; When did {x} become faster? | How many seconds does {x} take?; Who made {x} faster?
{X} is no longer supported | From which version on is {x} not supported?; When did support for {x} end? | What replaces {x}?; Why is {x} not supported?
{X} can be switched off | Since when can one do without {x}?; Which version lets me turn {x} off? | How is {x} switched off?; What does {x} cost?"""
THINGS = """export to spreadsheets; the dark theme; two-factor sign-in; the offline mode; batch import; audit logs; the search in attachments; scheduled backups; the old printing dialogue; the barcode
reader; colour profiles; the calendar view; alerts by text message; compression of archives; the command line tool; shared folders; the map layer; voice notes; payment by invoice; custom fields; the plug-in for
mail; live captions; the recipe scaler; night routes; the spare parts list; the Windows service; encryption at rest; signed releases; the Python bindings; merging of duplicates; the
public interface; automatic translation; the floor plan editor; the stock forecast; tide tables; the tax report; role-based access; the ARM build""".replace("\n", " ").split(";")


def versions(rng, lists=60):
    """Questions that a heading answers: the version and its day stand over the changes. As `figures`."""
    kinds = [tuple(part.strip() for part in line.split("|")) for line in DID.splitlines()]
    out = []
    for _ in range(lists):
        name = rng.choice(FIRST)
        title = rng.choice((f"{name}: changelog", "Changelog", f"Release notes of {name}", f"What is new in {name}", "History of changes"))
        major, year, entries = rng.randint(1, 7), rng.randint(2016, 2025), []
        things = [t.strip() for t in rng.sample(THINGS, 8)]
        for minor in range(4, 0, -1):
            version = f"{major}.{minor}" + rng.choice(("", ".0", f".{rng.randint(1, 9)}"))
            day = rng.choice((f"{rng.randint(1, 28)} {rng.choice(MONTHS)} {year}", f"{year}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"))
            heading = rng.choice((f"{version} ({day})", f"Version {version}, {day}", f"v{version} - {day}", f"[{version}] {day}"))
            for _ in range(2):
                thing = things.pop()
                done, asked, misses = rng.choice(kinds)
                unit = "- " * rng.randint(0, 1) + done.format(x=thing, X=thing[0].upper() + thing[1:]) + "."
                entries.append((f"{title}, {heading}", unit, version, [q.strip().format(x=thing) for q in asked.split(";")], [q.strip().format(x=thing) for q in misses.split(";")]))
        for at, (context, unit, version, asked, misses) in enumerate(entries):
            question = rng.choice(asked)
            out.append((question, context, unit, None, 1))
            others = [e for i, e in enumerate(entries) if i != at]
            other = rng.choice(others)
            out.append((question, other[0], other[1], None, 0))
            out.append((rng.choice(misses), context, unit, None, 0))
            if at % 2 == 0:
                question = rng.choice((f"When was version {version} released?", f"On what day did {version} come out?", f"Release date of {name} {version}?"))
                out.append((question, context, unit, None, 1))
                other = rng.choice([e for e in others if e[2] != version])
                out.append((question, other[0], other[1], None, 0))
            elif rng.random() < 0.5:
                question = rng.choice((f"What changed in {version}?", f"What is new in version {version}?"))
                out.append((question, context, unit, None, 1))
                other = rng.choice([e for e in others if e[2] != version])
                out.append((question, other[0], other[1], None, 0))
    return out
