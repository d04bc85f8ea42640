#!/usr/bin/env python3
"""Distils WordNet into the cities of countries, for questions that call a place by its country ("the Dutch office").

    apt-get install wordnet-base
    python3 scripts/distill_places.py --out crates/elenchus-io/assets/places.txt

Needs nothing but Python and the files below /usr/share/wordnet or --wordnet (read for this project: WordNet 3.0 of Debian's
wordnet-base 1:3.0-37). The licence of that data has to travel with the result: see NOTICE.

A line a country, in lower case: its names and the adjectives of it, separated by commas; a semicolon; its cities and
towns, up to two words, separated by commas. A place that lies in two countries, and a name that two countries have a city of,
is left out, as is one that is a common word of English.
"""

import argparse
from collections import defaultdict
from pathlib import Path

CITY = {"city", "town", "port", "national_capital", "state_capital", "provincial_capital", "port_of_entry", "capital", "village", "city_district", "borough"}
COUNTRY = {"country", "African_country", "Asian_country", "European_country", "South_American_country", "North_American_country", "Central_American_country",
           "European_nation", "Scandinavian_country", "Balkan_country", "kingdom", "republic", "Asian_nation", "African_nation"}
# Words that are more often something else.
COMMON = {"reading", "nice", "bath", "split", "hull", "mobile", "essen", "of", "cork", "deal", "orange", "march", "sale", "lens", "tours", "gary", "lincoln",
          "jackson", "victoria", "independence", "enterprise", "concord", "providence", "buffalo", "phoenix", "aurora", "flint", "champaign", "beaver", "orient"}

# Adjectives that WordNet has of an island, or not at all.
MORE = {"ireland": ["irish"], "united kingdom": ["british"], "cyprus": ["cypriot"]}


def read(folder):
    things = {}
    for line in (folder / "data.noun").read_text(encoding="latin-1").splitlines():
        if line.startswith("  "):
            continue
        fields = line.partition("|")[0].split()
        count = int(fields[3], 16)
        names = [fields[4 + 2 * i] for i in range(count)]
        at = 4 + 2 * count
        links = [(fields[at + 1 + 4 * i], fields[at + 2 + 4 * i]) for i in range(int(fields[at])) if fields[at + 3 + 4 * i] == "n"]
        things[fields[0]] = (names, links)
    return things


def adjectives(folder):
    """Country -> adjectives that pertain to it."""
    out = defaultdict(list)
    for line in (folder / "data.adj").read_text(encoding="latin-1").splitlines():
        if line.startswith("  "):
            continue
        fields = line.partition("|")[0].split()
        count = int(fields[3], 16)
        names = [fields[4 + 2 * i] for i in range(count)]
        at = 4 + 2 * count
        for i in range(int(fields[at])):
            if fields[at + 1 + 4 * i] == "\\" and fields[at + 3 + 4 * i] == "n":
                out[fields[at + 2 + 4 * i]] += names
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    things, of = read(arguments.wordnet), adjectives(arguments.wordnet)
    classes = lambda key: {things[to][0][0] for kind, to in things[key][1] if kind == "@i"}
    countries = {key for key in things if classes(key) & COUNTRY}
    # Of the parts of a state "state" says nothing: only what lies in no other country is one.
    def above(key, seen=()):
        for kind, to in things[key][1]:
            if kind == "#p" and to not in seen:
                yield to
                yield from above(to, (*seen, key))
    countries = {key for key in countries if not any(to in countries for to in above(key))}
    plain = lambda name: name.replace("_", " ").lower()
    cities, owners = defaultdict(set), defaultdict(set)
    for key in things:
        if classes(key) & CITY:
            homes = {to for to in above(key) if to in countries}
            for name in map(plain, things[key][0]):
                if name.count(" ") <= 1 and not set(name) & set(".'") and name not in COMMON and not name.endswith(" capital"):
                    owners[name] |= homes
                    if len(homes) == 1:
                        cities[next(iter(homes))].add(name)
    lines = []
    for key in sorted(countries, key=lambda key: things[key][0][0]):
        called = [plain(name) for name in things[key][0] + of[key]]
        called += MORE.get(called[0], [])
        called = [name for name in dict.fromkeys(called) if not set(name) & set(".-") and name.count(" ") <= 3]
        own = sorted(name for name in cities[key] if len(owners[name]) == 1 and name not in called)
        if own:
            lines.append(f"{','.join(called)};{','.join(own)}")
    arguments.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines)} countries, {sum(line.partition(';')[2].count(',') + 1 for line in lines)} cities")


if __name__ == "__main__":
    main()
