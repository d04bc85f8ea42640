#!/usr/bin/env python3
"""Trains the succession reader that ships with the binary: an older statement answers a question; does a later one say how that is now?

    S="--base BASE --work WORK --pairs crates/elenchus-evals/data/succession --documents crates/elenchus-evals/data/reader"
    train_succession.py train $S --init crates/elenchus-io/assets/answer_reader.onnx --name s --half --rate 8e-5 --epochs 4 --minutes 30
    train_reader.py export --base BASE --work WORK --name s --out crates/elenchus-io/assets/succession_reader.onnx
    train_succession.py score $S --model crates/elenchus-io/assets/succession_reader.onnx          # on the files named *.test.txt

The network and its export are those of the answer reader (`train_reader.py`, whose setup this needs), from whose weights it goes on. What
goes in is `[CLS] question [SEP] heading: older statement [SEP] heading: later statement [SEP]`, token type 1 from the later statement's
heading on. Out come `answers` (one logit: the later statement says how what the older one answers is by then) and `spans` (its words).

A block of a file of pairs has a title (T), questions (Q), the older statement (O), the later one in one or two wordings (N) and later
statements that only look as if they answered (X); statements are `heading | text` with the value between asterisks. Right are the pairs of
O and N, and of O with itself holding the value of N. Wrong are those of O and X, of O and what other blocks tell, of the same house or by a
value of the same kind, and of the right unit of a question of our
documents (`reader_pairs.py`) with what is nearest to it there.
"""

import argparse
import random
import re
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from reader_pairs import read_documents  # noqa: E402
from train_reader import Encoder as Reader  # noqa: E402
from train_reader import descend, from_onnx, grouped, network, tensors, training_arguments  # noqa: E402
from train_verifier import MAX_TOKENS, collate  # noqa: E402

QUESTION_TOKENS, OLDER_HEADING, OLDER_TOKENS, HEADING_TOKENS = 28, 20, 40, 24
"""What is longer is cut; the same bounds stand in `extractive/succession_reader.rs`."""


class Encoder(Reader):
    def pair(self, row):
        question = self.placed(row["question"])[0][:QUESTION_TOKENS]
        heading, text = row["older"]
        over = self.placed(heading + ":")[0][:OLDER_HEADING] if heading else []
        older = self.placed(text)[0][:OLDER_TOKENS]
        context = self.placed(row["context"] + ":")[0][:HEADING_TOKENS] if row["context"] else []
        head = [self.cls, *question, self.sep, *over, *older, self.sep]
        ids, offsets = self.placed(row["unit"])
        room = MAX_TOKENS - 1 - len(head) - len(context)
        ids, offsets = ids[:room], offsets[:room]
        first = last = -1
        if row["span"]:
            inside = [i for i, (x, y) in enumerate(offsets) if x < row["span"][1] and y > row["span"][0]]
            if inside:
                shift = len(head) + len(context)
                first, last = inside[0] + shift, inside[-1] + shift
        return [*head, *context, *ids, self.sep], len(head), first, last


RIGHT = {"later", "restated"}


def statement(value):
    heading, text = (part.strip() for part in value.split("|", 1))
    begins = text.find("*")
    plain = text.replace("*", "")
    ends = text.rfind("*") - 1
    return heading, plain, (begins, ends) if begins >= 0 else None


def read_blocks(path):
    """The blocks of a file; fails on one that lacks a part."""
    found = []
    for block in re.split(r"\n\s*\n", Path(path).read_text(encoding="utf-8").strip()):
        item = {key: [] for key in "TQONX"}
        for line in block.splitlines():
            key, value = line.split(":", 1)
            item[key.strip()].append(statement(value) if key in "ONX" else value.strip())
        if not all(item.values()):
            raise SystemExit(f"{path}: a block lacks a part: {block[:80]!r}")
        found.append(item)
    return found


def under(title, heading):
    return ", ".join(part for part in (title, heading) if part)


def row_of(title, question, older, newer, kind):
    heading, text, span = newer
    label = int(kind in RIGHT)
    return {"question": question, "older": (under(title, older[0]), older[1]), "context": under(title, heading), "unit": text, "span": span if label else None, "label": label, "kind": kind}


MONTHS = "january february march april june july august september october november december".split()
DAYS = "monday tuesday wednesday thursday friday saturday sunday o'clock noon midnight".split()
NUMBERS = "one two three four five six seven eight nine ten eleven twelve twenty thirty half once twice".split()


def shape(statement):
    """What kind of value a statement has, roughly: what is to be told apart must not be told apart by that."""
    value = statement[1][slice(*statement[2])]
    low = value.lower()
    if any(day in low for day in DAYS) or re.search(r"\d[:.]\d\d\b|\d ?[ap]\.?m", low):
        return "time"
    if any(month in low for month in MONTHS):
        return "date"
    if re.search(r"[€$£%]|euro|pound|crown|franc|dollar|cent\b|rupee|yen|kr\b|chf|eur|usd|gbp", low):
        return "money"
    if re.search(r"\d", value) or any(re.search(rf"\b{word}\b", low) for word in NUMBERS):
        return "number"
    return "name" if sum(word[0].isupper() for word in value.split()) * 2 >= len(value.split()) else "words"


def again(older, newer, rng):
    """The older statement in its own words with the later value: what a writer of near misses never makes right."""
    _, text, (begins, ends) = older
    value = newer[1][slice(*newer[2])]
    before = rng.choice(("", "", "", "Correction: ", "As of this month: ", "The right figure: ", "Please note: "))
    return newer[0], before + text[:begins] + value + text[ends:], (len(before) + begins, len(before) + begins + len(value))


def block_pairs(blocks, rng, strangers, restated=0.0):
    """The pairs of some blocks; `strangers` of other blocks' statements go beside each question as wrong ones."""
    rows, told = [], {}
    for item in blocks:
        for one in item["N"] + item["O"]:
            told.setdefault(shape(one), []).append((item, one))
    for item in blocks:
        for question in item["Q"]:
            title = item["T"][0] if rng.random() < 0.7 else ""
            [older] = item["O"]
            rows += [row_of(title, question, older, newer, "later") for newer in item["N"]]
            if restated and rng.random() < restated:
                rows.append(row_of(title, question, older, again(older, rng.choice(item["N"]), rng), "restated"))
            rows += [row_of(title, question, older, near, "near miss") for near in item["X"]]
            # Other things of the same house are told from this one with most trouble.
            house = [other for other in blocks if other is not item and other["T"] == item["T"]]
            for kind, pool, count in (("another block", blocks, strangers), ("same house", house, 2 * strangers)):
                for other in rng.sample(pool, min(count, len(pool))):
                    if other is not item:
                        rows.append(row_of(title, question, older, rng.choice(other["N"] + other["O"] + other["X"]), kind))
            # As are other things told by a value of the kind that is asked for: without these, what shares no word with the question passes for it.
            for other, one in rng.sample(told[shape(older)], min(3 * strangers, len(told[shape(older)]))):
                if other is not item:
                    rows.append(row_of(title, question, older, one, "value alike"))
    return rows


def document_pairs(folder, count, rng):
    """Wrong pairs of our documents: the right unit of a question, and another unit of the document that shares words with it."""
    left_out = set((Path(folder) / "left_out.list").read_text(encoding="utf-8").splitlines())
    rows = []
    for title, units in read_documents(folder):
        if title in left_out:
            continue
        bags = [set(re.findall(r"\w{3,}", f"{heading} {unit}".lower())) for heading, unit, _, _ in units]
        for at, (heading, unit, asked, _) in enumerate(units):
            for question, answer in asked:
                wanted = bags[at] | set(re.findall(r"\w{3,}", question.lower()))
                order = sorted((i for i in range(len(units)) if i != at and not (answer and answer.lower() in units[i][1].lower())), key=lambda i: -len(bags[i] & wanted))
                for other in rng.sample(order[:5], min(2, len(order[:5]))):
                    rows.append(row_of(title, question, (heading, unit), (units[other][0], units[other][1], None), "same document"))
    rng.shuffle(rows)
    return rows[:count]


def files(args, test):
    return sorted(path for path in Path(args.pairs).glob("*.txt") if path.name.endswith(".test.txt") == test)


def train(args):
    rng = random.Random(args.seed)
    blocks = [block for path in files(args, False) for block in read_blocks(path)]
    rows = block_pairs(blocks, rng, args.strangers, args.restated)
    rows += document_pairs(args.documents, int(args.own * len(rows)), rng)
    encoder = Encoder(args.base)
    encoded = [encoder.pair(row) for row in rows]
    plan = grouped([[at] for at in range(len(rows))], encoded, args.batch, args.epochs, args.seed)
    print(f"{len(blocks)} blocks, {sum(row['label'] for row in rows)} of {len(rows)} pairs right", flush=True)
    descend(args, rows, encoded, plan, tensors(from_onnx(args.init, args.base), True), network(args.dropout))


def score(args):
    """How the statements of the test files are taken, kind by kind; `elenchus-evals succession` judges those that were written alone, and their words."""
    import onnxruntime
    session = onnxruntime.InferenceSession(args.model)
    encoder = Encoder(args.base)
    for path in files(args, True):
        told = {}
        for row in block_pairs(read_blocks(path), random.Random(args.seed), args.strangers, 1.0):
            ids, second = encoder.pair(row)[:2]
            ids, types, mask = collate([(ids, second)], len(ids), 1)
            [answers] = session.run(["answers"], {"input_ids": ids.astype(np.int64), "attention_mask": mask.astype(np.int64), "token_type_ids": types.astype(np.int64)})
            told.setdefault(row["kind"], []).append(float(answers[0, 0]))
        print(f"{path.name}, share taken at log-odds from")
        for kind, values in told.items():
            shares = ", ".join(f"{bound}: {np.mean(np.array(values) >= bound):.3f}" for bound in (-1, 0, 1, 2, 3))
            print(f"  {kind} ({'right' if kind in RIGHT else 'wrong'}, {len(values)}): {shares}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("command", choices=("train", "score"))
    training_arguments(parser)
    parser.add_argument("--pairs", required=True, help="folder of the blocks")
    parser.add_argument("--documents", help="folder of our own documents with their questions")
    parser.add_argument("--model", help="file of an export to score")
    parser.add_argument("--strangers", type=int, default=1, help="statements of other blocks beside each question")
    parser.add_argument("--restated", type=float, default=0.4, help="share of questions beside which the older statement is told again with the later value")
    parser.add_argument("--own", type=float, default=0.35, help="wrong pairs of our documents, as a share of those of the blocks")
    parser.set_defaults(work="succession", name="s", minutes=30.0, epochs=4, rate=8e-5, warmup=100, dropout=0.05)
    args = parser.parse_args()
    Path(args.work).mkdir(parents=True, exist_ok=True)
    {"train": train, "score": score}[args.command](args)


if __name__ == "__main__":
    main()
