#!/usr/bin/env python3
"""Folders to ask, with answer keys, out of our own invented documents that the answer reader was not trained on.

    reader_folders.py crates/elenchus-evals/data/reader OUT [--each 3]
    elenchus-evals answers --key OUT/01.jsonl --corpus OUT/01

The documents that `left_out.list` names, --each to a folder, taken from different files so that they speak of different
things, become Markdown: sentences that follow each other a paragraph, rows of the same columns a table, other rows a list.
A question whose words are mostly not those of its unit counts as a paraphrase; a near miss is unanswerable. Another document of
the folder may happen to answer a near miss or a question that names nothing: the key does not know that.
"""

import argparse
import json
import re
from pathlib import Path

from reader_pairs import overlap, read_documents

CELL = re.compile(r"^([A-Z][^:;]{0,40}): (.+)$")


def cells(unit):
    parts = [part.strip() for part in unit.split(";")]
    found = [CELL.match(part) for part in parts]
    # What a row is about often stands first without a name.
    first = [("", parts[0])] if not found[0] and ":" not in parts[0] else []
    rest = found[len(first):]
    return first + [m.groups() for m in rest] if len(parts) > 1 and all(rest) else None


def markdown(title, units):
    blocks, heading, columns, prose = [f"# {title}"], "", None, False
    for under, unit, _, _ in units:
        if under != heading:
            heading, columns, prose = under, None, False
            blocks.append(f"## {heading}")
        row = cells(unit)
        if row:
            names = [name for name, _ in row]
            line = "| " + " | ".join(value.replace("|", "/") for _, value in row) + " |"
            if names == columns:
                blocks[-1] += "\n" + line
            else:
                blocks.append("| " + " | ".join(names) + " |\n|" + "---|" * len(names) + "\n" + line)
            columns, prose = names, False
        elif ";" in unit and ":" in unit and len(unit.split()) < 30 and unit[-1:] not in ".!?":
            blocks.append(f"- {unit}")
            columns, prose = None, False
        elif prose:
            blocks[-1] += " " + unit
        else:
            blocks.append(unit)
            columns, prose = None, True
    return "\n\n".join(blocks) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("documents")
    parser.add_argument("out")
    parser.add_argument("--each", type=int, default=3)
    args = parser.parse_args()
    left_out = set((Path(args.documents) / "left_out.list").read_text(encoding="utf-8").splitlines())
    by_file = []
    for path in sorted(Path(args.documents).glob("*.txt")):
        found = [d for d in read_documents(path.parent, path.name) if d[0] in left_out]
        by_file.append(found)
    order = [d for turn in range(max(map(len, by_file))) for found in by_file for d in found[turn:turn + 1]]
    for number in range(0, len(order), args.each):
        folder = Path(args.out) / f"{number // args.each + 1:02}"
        folder.mkdir(parents=True, exist_ok=True)
        items = []
        for title, units in order[number:number + args.each]:
            name = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60] + ".md"
            (folder / name).write_text(markdown(title, units), encoding="utf-8")
            for _, unit, asked, near in units:
                for question, answer in asked:
                    kind = "paraphrase" if overlap(question, unit) <= 0.34 else "fact"
                    items.append({"kind": kind, "question": question, "expect": [answer], "sources": [name]})
                items += [{"kind": "unanswerable", "question": question, "expect": []} for question in near]
        lines = [json.dumps({"id": f"f{folder.name}-{at:03}", **item}, ensure_ascii=False) for at, item in enumerate(items, 1)]
        folder.with_suffix(".jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{folder.name}: {len(order[number:number + args.each])} documents, {len(items)} questions")


if __name__ == "__main__":
    main()
