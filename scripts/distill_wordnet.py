#!/usr/bin/env python3
"""Distils WordNet into the word relations built into the binary.

    apt-get install wordnet-base
    python3 scripts/distill_wordnet.py --out crates/elenchus-io/assets/wordnet.bin

Needs nothing but Python, the static table beside the output (for its vocabulary) and the files below
/usr/share/wordnet (read for this project: WordNet 3.0 of Debian's wordnet-base 1:3.0-37). The licence of
that data has to travel with the result: see NOTICE.

What is kept:
* single words (also hyphenated ones) and two-word verbs that occur in WordNet's tagged texts ("set up").
  A lemma stays if one of its senses was tagged in a text, if it shares a synset with such a tagged lemma
  or with a word derived from one, if its first noun sense is directly below one, or if it is a whole word
  piece of the static table's vocabulary;
* the first 4 senses of a noun or verb and the first 3 of an adjective or adverb, in WordNet's order;
* links between synsets: hypernyms (and the classes of instances), derivation and pertainyms as one kind,
  similar adjectives and verb groups as one kind, antonyms, attributes. Synsets without a kept word are
  stepped over on the way up (truck, motor vehicle, wheeled vehicle, vehicle). Links of single words are lifted to
  their synsets. A hypernym is left out where it says next to nothing (the top of the noun tree, and synsets
  with very many direct hyponyms such as "person" or "change");
* irregular forms that the rules of morphology do not undo.

File format, all numbers little-endian base-128 varints unless said otherwise ("signed" is zigzag-coded):

    magic     4 bytes "ELWN", then one byte version = 1
    counts    u32 lemmas, u32 synsets, u32 irregular forms (fixed width)
    lemmas    in byte order, each: shared prefix length with the lemma before (1 byte), rest length (1 byte),
              rest; then one byte with the bit set of its parts of speech (1 noun, 2 verb, 4 adjective,
              8 adverb; 16..128 the same four, set where this part of speech is unusual for the word);
              then for each part of speech in that order: number of senses (1 byte), senses as signed
              difference to the synset written before (over the whole file, starting from 0)
    synsets   each: one byte with the number of direct hyponyms (255 for more), one byte with the number of
              links, the links as varint of (zigzag(target - own id) * 8 + kind); kinds: 0 hypernym,
              1 derivation, 2 similar, 3 antonym, 4 attribute
    irregular in byte order: shared prefix length, rest length, rest (as above), part of speech (1 byte:
              0..3), varint lemma number
"""

import argparse
import re
import struct
import sys
from collections import Counter, defaultdict
from pathlib import Path

MAGIC, VERSION = b"ELWN", 1
PARTS = ("noun", "verb", "adj", "adv")
LETTER = {"n": 0, "v": 1, "a": 2, "s": 2, "r": 3}
SENSES = (4, 4, 3, 3)
HYPERNYM, DERIVATION, SIMILAR, ANTONYM, ATTRIBUTE = range(5)
INSTANCE = 8  # while reading only: hypernym of a single thing, which does not make the class a wide one
POINTERS = {"@": HYPERNYM, "@i": HYPERNYM | INSTANCE, "+": DERIVATION, "\\": DERIVATION, "&": SIMILAR, "$": SIMILAR,
            "!": ANTONYM, "=": ATTRIBUTE}
WORD = re.compile(r"[a-z][a-z'-]*[a-z]")
TWO_WORDS = re.compile(r"[a-z]+_[a-z]+")

# A part of speech with less than this share of a word's tags is unusual for it.
UNUSUAL_SHARE = 0.12
# Hypernyms with more direct hyponyms than this are not linked to (nouns, verbs).
WIDEST = (200, 70)
# How many steps up the next hypernym with a kept word may lie.
LEAPS = 4
# Nouns nearer to the top of the tree than this are no hypernyms.
SHALLOWEST = 4

# Grammar words that are in WordNet as something else (chemical elements, states, letters, units).
GRAMMAR = set("""a an and any are as at be by can could did do does for had has have he her him his how i if in is it
its may me might must my no nor not of off on or our out own shall she should so than that the their them then there
they this those to too under up us was we were what when where which while who whom whose why will with would you
your more most some such very just now also all both each few many much one two three four five six seven eight nine
ten""".split())
# ... of these, the verbs stay.
GRAMMAR_VERBS = set("be do have own out".split())

RULES = {  # the detachment rules, as in morphy.rs
    0: (("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"),
        ("ies", "y")),
    1: (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    2: (("er", ""), ("est", ""), ("er", "e"), ("est", "e"), ("ier", "y"), ("iest", "y")),
    3: (),
}


def read_data(folder):
    """{(part, offset): (words, [(kind, target key)])}, words in lower case."""
    synsets = {}
    for part, name in enumerate(PARTS):
        for line in (folder / f"data.{name}").open(encoding="latin-1"):
            if line.startswith(" "):
                continue
            fields = line.split(" | ")[0].split()
            count = int(fields[3], 16)
            words = [re.sub(r"\((p|a|ip)\)$", "", w).lower() for w in fields[4 : 4 + 2 * count : 2]]
            at = 4 + 2 * count
            links = []
            for n in range(int(fields[at])):
                symbol, offset, letter, _ = fields[at + 1 + 4 * n : at + 5 + 4 * n]
                if symbol in POINTERS:
                    links.append((POINTERS[symbol], (LETTER[letter], int(offset))))
            synsets[part, int(fields[0])] = (words, links)
    return synsets


def read_index(folder):
    """{(lemma, part): [synset keys in sense order]}"""
    index = {}
    for part, name in enumerate(PARTS):
        for line in (folder / f"index.{name}").open(encoding="latin-1"):
            if not line.startswith(" "):
                fields = line.split()
                offsets = fields[6 + int(fields[3]) :]
                index[fields[0], part] = [(part, int(o)) for o in offsets]
    return index


def read_tags(folder):
    """{(lemma, part): times tagged}, {(lemma, part, sense number): times tagged}"""
    total, single = Counter(), Counter()
    for line in (folder / "cntlist.rev").open(encoding="latin-1"):
        key, sense, count = line.split()
        lemma, rest = key.split("%")
        part = {1: 0, 2: 1, 3: 2, 5: 2, 4: 3}[int(rest[0])]
        total[lemma, part] += int(count)
        single[lemma, part, int(sense)] += int(count)
    return total, single


def read_vocabulary(table):
    blob = table.read_bytes()
    (count,) = struct.unpack_from("<I", blob, 8)
    at, words = 16, set()
    for _ in range(count):
        words.add(blob[at + 1 : at + 1 + blob[at]].decode())
        at += 1 + blob[at]
    return words


def choose_lemmas(index, synsets, total, single, vocabulary):
    """{lemma: {part: [synset keys]}}"""
    tagged = {keys[n - 1] for (lemma, part, n) in single
              if (keys := index.get((lemma, part))) and n <= len(keys)}
    near_tagged = {key for key, (_, links) in synsets.items()
                   if any(kind == DERIVATION and target in tagged for kind, target in links)}
    below_tagged = {key for key, (_, links) in synsets.items()
                    if any(kind & ~INSTANCE == HYPERNYM and target in tagged for kind, target in links)}
    chosen = defaultdict(dict)
    for (lemma, part), keys in index.items():
        kept = keys[: SENSES[part]]
        if WORD.fullmatch(lemma):
            if lemma in GRAMMAR and not (part == 1 and lemma in GRAMMAR_VERBS):
                continue
            known = (total[lemma, part] or lemma in vocabulary
                     or any(key in tagged or key in near_tagged for key in kept)
                     or part == 0 and kept[0] in below_tagged)
            if len(lemma) == 2 and not total[lemma, part]:
                continue
        else:
            known = part == 1 and TWO_WORDS.fullmatch(lemma) and total[lemma, part]
        if known:
            chosen[lemma.replace("_", " ")][part] = kept
    return chosen


def hyponym_counts(synsets):
    counts = Counter(target for _, links in synsets.values() for kind, target in links if kind == HYPERNYM)
    for words, links in synsets.values():
        links[:] = [(kind & ~INSTANCE, target) for kind, target in links]
    return counts


def depths(synsets):
    """Shortest way from each noun synset to the top."""
    below = defaultdict(list)
    for key, (_, links) in synsets.items():
        for kind, target in links:
            if kind == HYPERNYM:
                below[target].append(key)
    roots = [k for k, (_, links) in synsets.items() if k[0] == 0 and not any(kind == HYPERNYM for kind, _ in links)]
    depth, row = {}, roots
    level = 0
    while row:
        for key in row:
            depth.setdefault(key, level)
        row = [k for key in row for k in below[key] if k not in depth]
        level += 1
    return depth


def choose_links(synsets, used, counts):
    """{synset: {(kind, target)}} for the synsets in use."""
    depth, dropped = depths(synsets), Counter()

    def telling(target):
        wide = counts[target] > WIDEST[target[0]]
        if wide or (target[0] == 0 and depth[target] < SHALLOWEST):
            dropped[target] += 1
            return False
        return True

    def upwards(key):
        """The next hypernyms that have a kept word: those with none ("wheeled vehicle") are stepped over."""
        found, row = set(), {key}
        for _ in range(LEAPS):
            above = {target for k in row for kind, target in synsets[k][1] if kind == HYPERNYM}
            found |= {k for k in above if k in used and telling(k)}
            row = {k for k in above if k not in used}
        return found

    links = {}
    for key in used:
        wanted = {(kind, target) for kind, target in synsets[key][1]
                  if kind != HYPERNYM and target in used and target != key}
        links[key] = wanted | {(HYPERNYM, target) for target in upwards(key)}
    names = ", ".join(f"{synsets[k][0][0]} ({counts[k]})" for k, _ in dropped.most_common(45))
    print("hypernyms left out:", names)
    return links


def undone_by_rules(form, base, part):
    return any(form.endswith(end) and form[: len(form) - len(end)] + put == base and len(form) - len(end) > 1
               for end, put in RULES[part])


def read_exceptions(folder, chosen):
    forms = set()
    for part, name in enumerate(PARTS):
        for line in (folder / f"{name}.exc").open(encoding="latin-1"):
            form, *bases = line.split()
            for base in bases:
                if form != base and part in chosen.get(base, ()) and WORD.fullmatch(form):
                    if not undone_by_rules(form, base, part):
                        forms.add((form, part, base))
    return sorted(forms)


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def zigzag(number):
    return number * 2 if number >= 0 else -number * 2 - 1


def front_coded(word, before):
    shared = 0
    while shared < min(len(word), len(before), 255) and word[shared] == before[shared]:
        shared += 1
    return bytes([shared, len(word) - shared]) + word[shared:]


def serialise(chosen, links, counts, total, exceptions):
    lemmas = sorted(chosen, key=str.encode)
    number = {key: n for n, key in enumerate(sorted(links))}
    out = bytearray(MAGIC + bytes([VERSION]) + struct.pack("<III", len(lemmas), len(number), len(exceptions)))
    sizes, before, last = [], b"", 0
    for lemma in lemmas:
        out += front_coded(lemma.encode(), before)
        before = lemma.encode()
        tags = {part: total[lemma.replace(" ", "_"), part] for part in range(4)}
        every = sum(tags.values())
        flags = 0
        for part in chosen[lemma]:
            flags |= 1 << part
            if every and tags[part] < UNUSUAL_SHARE * every:
                flags |= 16 << part
        out.append(flags)
        for part in sorted(chosen[lemma]):
            out.append(len(chosen[lemma][part]))
            for key in chosen[lemma][part]:
                out += varint(zigzag(number[key] - last))
                last = number[key]
    sizes.append(len(out))
    for key, own in number.items():
        wanted = sorted((number[target], kind) for kind, target in links[key])
        assert len(wanted) < 256
        out += bytes([min(counts[key], 255), len(wanted)])
        for target, kind in wanted:
            out += varint(zigzag(target - own) * 8 + kind)
    sizes.append(len(out) - sum(sizes))
    place = {lemma: n for n, lemma in enumerate(lemmas)}
    before = b""
    for form, part, base in exceptions:
        out += front_coded(form.encode(), before) + bytes([part]) + varint(place[base])
        before = form.encode()
    sizes.append(len(out) - sum(sizes))
    kinds = Counter(kind for wanted in links.values() for kind, _ in wanted)
    print(f"{len(lemmas)} lemmas, {sum(map(len, chosen.values()))} with part of speech, {len(number)} synsets, "
          f"{len(exceptions)} irregular forms; bytes {sizes}")
    print("links: " + ", ".join(f"{name} {kinds[n]}" for n, name in
                                enumerate(("hypernym", "derivation", "similar", "antonym", "attribute"))))
    return bytes(out)


def main():
    parser = argparse.ArgumentParser(description="Distils WordNet (see the head of this file).")
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument("--table", type=Path, default=Path("crates/elenchus-io/assets/static_minilm.bin"),
                        help="static table whose vocabulary tells which words are common")
    parser.add_argument("--out", type=Path, help="file to write; without it nothing is written")
    args = parser.parse_args()
    synsets, index = read_data(args.wordnet), read_index(args.wordnet)
    total, single = read_tags(args.wordnet)
    chosen = choose_lemmas(index, synsets, total, single, read_vocabulary(args.table))
    used = {key for parts in chosen.values() for keys in parts.values() for key in keys}
    counts = hyponym_counts(synsets)
    links = choose_links(synsets, used, counts)
    blob = serialise(chosen, links, counts, total, read_exceptions(args.wordnet, chosen))
    print(f"{len(blob)} bytes")
    if args.out:
        args.out.write_bytes(blob)


if __name__ == "__main__":
    sys.exit(main())
