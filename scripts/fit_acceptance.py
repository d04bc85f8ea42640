"""Fits the acceptance weights of the extractive model.

Reads the lines that `elenchus-evals answers --features FILE` appends (questions marked dev only), fits a
logistic regression with an L2 penalty, and prints the arrays for `accept.rs`, the share judged right in
ten-fold cross-validation, and the threshold that favours abstaining: a wrong answer counts twice.

With `--meaning` it fits the weights of `meaning.rs` instead. Give one file for each key: every key is judged by a model
that was fitted on the others, and only the questions count that words leave open.
"""

import json
import math
import random
import sys

NAMES = ["noun", "verb", "light", "coverage", "nouns", "exact", "missing_known", "missing_unknown",
         "missing_narrower", "cosine", "margin", "typed", "yes_no", "few_nouns", "narrower_typed", "own", "planned"]
MEANING = ["meaning", "meaning_below", "score_below", "meaning_margin", "score", "missing", "answers", "answers_below"]
PENALTY = 0.004
MEANING_PENALTY = 0.03
# A question that words answer teaches as well, at half the weight: meaning will not be asked about it.
WEIGHT_ANSWERED = 0.5
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
            if "features" not in item:
                continue
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


def fit_meaning(rows):
    """Weighted logistic regression on standardised inputs, the scales folded back into the weights."""
    total = sum(w for _, _, w in rows)
    count = len(MEANING)
    mean = [sum(x[i] * w for x, _, w in rows) / total for i in range(count)]
    scale = [max(1e-6, math.sqrt(sum(w * (x[i] - mean[i]) ** 2 for x, _, w in rows) / total)) for i in range(count)]
    scaled = [([(v - m) / s for v, m, s in zip(x, mean, scale)], y, w / total) for x, y, w in rows]
    weights, bias = [0.0] * count, 0.0
    for _ in range(3000):
        grad, grad_bias = [MEANING_PENALTY * w for w in weights], 0.0
        for x, y, share in scaled:
            p = 1 / (1 + math.exp(-max(-30, min(30, bias + sum(w * v for w, v in zip(weights, x))))))
            for i, v in enumerate(x):
                grad[i] += share * (p - y) * v
            grad_bias += share * (p - y)
        weights = [w - 0.5 * g for w, g in zip(weights, grad)]
        bias -= 0.5 * grad_bias
    weights = [w / s for w, s in zip(weights, scale)]
    return weights, bias - sum(w * m for w, m in zip(weights, mean))


def meaning(paths):
    keys = []
    for path in paths:
        items = [json.loads(line) for line in open(path, encoding="utf-8")]
        keys.append([item for item in items if "meaning" in item])

    def row(item):
        weight = 1.0 if item["open"] else WEIGHT_ANSWERED
        return [item["meaning"][name] for name in MEANING], 1.0 if item["right"] else 0.0, weight

    held = []
    for at, key in enumerate(keys):
        model = fit_meaning([row(item) for other, items in enumerate(keys) if other != at for item in items])
        held += [(probability(model, row(item)[0]), item) for item in key if item["open"]]
    right = [p for p, item in held if item["right"]]
    wrong = [p for p, item in held if not item["right"]]
    auroc = sum((a > b) + 0.5 * (a == b) for a in right for b in wrong) / max(1, len(right) * len(wrong))
    print(f"{len(held)} questions left open by words, {len(right)} answered by the nearest unit; each key left out: AUROC {auroc:.3f}")
    for t in range(40, 85, 5):
        taken = [item for p, item in held if p >= t / 100]
        good = sum(item["right"] for item in taken)
        near = sum(not item["answerable"] for item in taken)
        print(f"  from {t / 100:.2f}: {good} right, {len(taken) - good - near} wrong, {near} that the documents do not answer")
    weights, bias = fit_meaning([row(item) for items in keys for item in items])
    print(f"const BIAS: f64 = {bias:.3f};")
    print(f"const WEIGHTS: [f64; {len(MEANING)}] = [" + ", ".join(f"{w:.3f}" for w in weights) + "];")
    print(dict(zip(MEANING, (round(w, 2) for w in weights))))


if sys.argv[1:2] == ["--meaning"]:
    meaning(sys.argv[2:])
else:
    main()
