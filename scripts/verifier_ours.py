"""Our own claims about our own documents, as pairs of a claim and sentences.

A folder holds documents (Markdown or text) and `pairs.jsonl`, a claim a line: `{id, doc, claim, label, quote, why}` where `quote` are the
lines or sentences of the document that decide (for `nei` the nearest that fall short).
"""

import json
import re
from pathlib import Path

CLASS = {"supported": 0, "refuted": 1, "nei": 2}


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def sentences(text):
    """The sentences of a document; a table's rows are read with the names of their columns, as the product reads them."""
    out, header = [], None
    for line in text.split("\n"):
        line = line.strip()
        if line.startswith("|"):
            if re.fullmatch(r"[|\-: ]+", line):
                continue
            if header is None:
                header = cells(line)
                continue
            names = header + [""] * len(cells(line))
            out.append("; ".join(f"{name}: {cell}" if name else cell for name, cell in zip(names, cells(line))))
            continue
        header = None
        line = re.sub(r"^(#+|[-*]|\d+[.)])\s+", "", line).replace("**", "")
        out += [part for part in re.split(r"(?<=[.!?])\s+(?=[A-Z\u201c\"(])", line) if part]
    return out


def title(text):
    first = next((line.strip() for line in text.split("\n") if line.strip()), "")
    return re.sub(r"^#+\s+", "", first).replace("**", "")


def read(folder):
    """(row, title, sentences of the document, places of the sentences that decide) for every claim."""
    folder, texts = Path(folder), {}
    with open(folder / "pairs.jsonl", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file if line.strip()]
    for row in rows:
        if row["doc"] not in texts:
            text = (folder / row["doc"]).read_text(encoding="utf-8")
            texts[row["doc"]] = (title(text), sentences(text))
        head, parts = texts[row["doc"]]
        bare = lambda part: re.sub(r"[^a-z0-9]+", "", re.sub(r"^\s*(#+|[-*]|\d+[.)])\s+", "", part).lower())  # noqa: E731
        places = []
        for quote in row.get("quote", []):
            held = [cell for cell in cells(quote)] if quote.strip().startswith("|") else None
            hits = [at for at, part in enumerate(parts) if len(bare(part)) > 3 and (
                all(cell in part for cell in held) if held else bare(part) in bare(quote) or bare(quote) in bare(part))]
            # A table's head stands in all of its rows: it decides nothing by itself.
            if not held or len(hits) < 2:
                places += [at for at in hits if at not in places]
        yield row, head, parts, places


def ours(folder, rng):
    """Each claim in one dress: the sentences that decide, with others or alone, under the title or not."""
    for row, head, parts, places in read(folder):
        if not places:
            continue
        chosen = set(places[:3])
        others = [at for at in range(len(parts)) if at not in chosen and parts[at] != head]
        near = [at for place in chosen for at in (place - 1, place + 1) if at in others]
        want = int(rng.integers(0, 3))
        pool = near if near and rng.random() < 0.6 else others
        for at in rng.permutation(len(pool))[:max(0, min(want, 3 - len(chosen)))]:
            chosen.add(pool[int(at)])
        evidence = [parts[at] for at in sorted(chosen)]
        if rng.random() < 0.6 and head not in evidence:
            evidence = [head] + evidence
        yield row["claim"], evidence, CLASS[row["label"]]
