"""Fits the acceptance weights of the extractive model.

Reads the lines that `elenchus-evals answers --features FILE` appends (questions marked dev only), fits a
logistic regression with an L2 penalty, and prints the arrays for `accept.rs`, the share judged right in
ten-fold cross-validation, and the threshold that favours abstaining: a wrong answer counts twice.
"""

import json
import math
import random
import sys

NAMES = ["noun", "verb", "light", "coverage", "nouns", "exact", "missing_known", "missing_unknown",
         "missing_narrower", "cosine", "margin", "typed", "yes_no", "few_nouns", "narrower_typed", "own", "planned"]
PENALTY = 0.004
ERROR_COST = 2.0


def fit(rows, steps=4000, rate=0.3):
    n = len(rows)
    weights, bias = [0.0] * len(NAMES), 0.0
    for _ in range(steps):
        grad, grad_bias = [0.0] * len(NAMES), 0.0
        for x, y in rows:
            p = 1 / (1 + math.exp(-max(-30, min(30, bias + sum(w * v for w, v in zip(weights, x))))))
            for i, v in enumerate(x):
                grad[i] += (p - y) * v
            grad_bias += p - y
        weights = [w - rate * (g / n + PENALTY * w) for w, g in zip(weights, grad)]
        bias -= rate * grad_bias / n
    return weights, bias


def probability(model, x):
    weights, bias = model
    return 1 / (1 + math.exp(-max(-30, min(30, bias + sum(w * v for w, v in zip(weights, x))))))


def main():
    rows = []
    for path in sys.argv[1:]:
        for line in open(path, encoding="utf-8"):
            item = json.loads(line)
            rows.append(([item["features"][name] for name in NAMES], 1.0 if item["right"] else 0.0))
    random.Random(7).shuffle(rows)
    held = []
    for fold in range(10):
        train = [row for i, row in enumerate(rows) if i % 10 != fold]
        model = fit(train, steps=1200)
        held += [(probability(model, x), y) for i, (x, y) in enumerate(rows) if i % 10 == fold]
    best = min((sum((p >= t / 100) != (y > 0.5) and (ERROR_COST if y < 0.5 else 1) for p, y in held), t) for t in range(20, 90))
    threshold = best[1] / 100
    right = sum((p >= threshold) == (y > 0.5) for p, y in held)
    false_accept = sum(p >= threshold and y < 0.5 for p, y in held)
    false_reject = sum(p < threshold and y > 0.5 for p, y in held)
    positives = sorted(p for p, y in held if y > 0.5)
    negatives = [p for p, y in held if y < 0.5]
    auroc = sum((a > b) + 0.5 * (a == b) for a in positives for b in negatives) / max(1, len(positives) * len(negatives))
    print(f"{len(rows)} questions, {len(positives)} answered by the best unit; held out: {right / len(rows):.3f} judged right, "
          f"AUROC {auroc:.3f}, {false_accept} accepted wrongly, {false_reject} rejected wrongly, threshold {threshold}")
    weights, bias = fit(rows)
    print(f"const THRESHOLD: f64 = {threshold};")
    print(f"const BIAS: f64 = {bias:.3f};")
    print("const WEIGHTS: [f64; 17] = [" + ", ".join(f"{w:.3f}" for w in weights) + "];")
    print(dict(zip(NAMES, (round(w, 2) for w in weights))))


main()
