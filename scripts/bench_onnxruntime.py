"""Times the cross-encoder under onnxruntime, beside `cargo bench -p elenchus-evals --bench judgement`.

The bench writes its pairs with `ELENCHUS_PAIRS=pairs.jsonl`; both read the same ones in the same way: batches of at
most 16 pairs in order of their length, `[CLS] claim [SEP] evidence [SEP]`, at most 48 pieces of claim and 128 in all,
cutting into pieces counted. Prints pairs a second with and without the cutting, and the load of the machine.

    ELENCHUS_PAIRS=pairs.jsonl cargo bench -p elenchus-evals --bench judgement -- --quick
    python scripts/bench_onnxruntime.py model.onnx tokenizer.json pairs.jsonl --count 64 --threads 2
"""

import argparse
import json
import os
import statistics
import time
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

START, END, PIECES, CLAIM_PIECES, BATCH = 101, 102, 128, 48, 16


def encode(tokenizer, claim, evidence):
    """Ids of a pair and the place where the evidence begins."""
    texts = tokenizer.encode_batch([claim, *evidence], add_special_tokens=False)
    ids = [START, *texts[0].ids[:CLAIM_PIECES], END]
    at = len(ids)
    for text in texts[1:]:
        room = PIECES - 1 - len(ids)
        if len(ids) == at:
            ids += text.ids[:room]
        elif len(text.ids) <= room:
            ids += text.ids
    return [*ids, END], at


def run(session, rows):
    """The logits of all rows."""
    out = []
    rows = sorted(rows, key=lambda row: len(row[0]))
    for start in range(0, len(rows), BATCH):
        batch = rows[start:start + BATCH]
        width = max(len(ids) for ids, _ in batch)
        shape = (len(batch), width)
        inputs = {name: np.zeros(shape, np.int64) for name in ("input_ids", "attention_mask", "token_type_ids")}
        for row, (ids, at) in enumerate(batch):
            inputs["input_ids"][row, :len(ids)] = ids
            inputs["attention_mask"][row, :len(ids)] = 1
            inputs["token_type_ids"][row, at:len(ids)] = 1
        out.append(session.run(None, inputs)[0])
    return np.concatenate(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("tokenizer", type=Path)
    parser.add_argument("pairs", type=Path, help="JSON lines of [claim, [sentence, ...]]")
    parser.add_argument("--count", type=int, default=64, help="pairs, from the first on")
    parser.add_argument("--threads", type=int, default=0, help="0: as many as there are cores")
    parser.add_argument("--rounds", type=int, default=15)
    ask = parser.parse_args()

    tokenizer = Tokenizer.from_file(str(ask.tokenizer))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = ask.threads
    session = onnxruntime.InferenceSession(str(ask.model), options, providers=["CPUExecutionProvider"])
    pairs = [json.loads(line) for line in ask.pairs.read_text().splitlines()[:ask.count]]

    whole, model = [], []
    for _ in range(ask.rounds + 2):
        begin = time.perf_counter()
        rows = [encode(tokenizer, claim, evidence) for claim, evidence in pairs]
        middle = time.perf_counter()
        run(session, rows)
        end = time.perf_counter()
        whole.append(end - begin)
        model.append(end - middle)
    # The first two warm up.
    both = [len(pairs) / statistics.median(times[2:]) for times in (whole, model)]
    load = " ".join(f"{figure:.1f}" for figure in os.getloadavg())
    print(f"onnxruntime {onnxruntime.__version__}, {len(pairs)} pairs, {ask.threads or os.cpu_count()} threads: "
          f"{both[0]:.0f} pairs/s, without cutting into pieces {both[1]:.0f}; load {load}")


if __name__ == "__main__":
    main()
