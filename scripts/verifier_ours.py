"""Our own claims about our own documents, as pairs of a claim and sentences.

A file has a line a document, `{document, title, sentences}`, and a line a claim, `{id, document, claim, label, why, gold_sentences}`,
where the last are the places of the sentences that decide (for `nei` of the nearest that fall short).
"""

import json

CLASS = {"supported": 0, "refuted": 1, "nei": 2}


def read(path):
    """(claim, document, places of the sentences that decide) for every claim of a file."""
    documents = {}
    with open(path, encoding="utf-8") as file:
        for row in map(json.loads, file):
            if "sentences" in row:
                documents[row["document"]] = row
            else:
                yield row, documents[row["document"]], (row.get("gold_sentences") or [[]])[0]


def ours(path, rng):
    """Each claim in one dress: the sentences that decide, with others or alone, under the title or not; one time in
    six with sentences of the document that do not decide, and one time in seven of the rest with sentences about
    something else, which are not enough."""
    rows = list(read(path))
    for row, document, places in rows:
        if not places:
            continue
        head, parts, chosen = document["title"], document["sentences"], set(places[:3])
        others = [at for at in range(len(parts)) if at not in chosen and parts[at] != head]
        if len(others) >= 3 and rng.random() < 1 / 6:
            at = int(rng.integers(0, len(others) - 2))
            yield row["claim"], [parts[i] for i in others[at:at + 3]], CLASS["nei"]
            continue
        if rng.random() < 1 / 7:
            other = rows[int(rng.integers(0, len(rows)))][1]
            if other is not document and len(other["sentences"]) >= 4:
                at = int(rng.integers(0, len(other["sentences"]) - 2))
                yield row["claim"], other["sentences"][at:at + int(rng.integers(1, 4))], CLASS["nei"]
                continue
        near = [at for place in chosen for at in (place - 1, place + 1) if at in others]
        pool = near if near and rng.random() < 0.6 else others
        room = max(0, min(int(rng.integers(0, 3)), 3 - len(chosen)))
        chosen |= {pool[int(at)] for at in rng.permutation(len(pool))[:room]}
        evidence = [parts[at] for at in sorted(chosen)]
        if rng.random() < 0.6 and head not in evidence:
            evidence = [head, *evidence]
        yield row["claim"], evidence, CLASS[row["label"]]
