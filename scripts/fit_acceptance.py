"""Fits the acceptance weights of the extractive model.

Reads the lines that `elenchus-evals answers --features FILE` appends (questions marked dev only), fits a
logistic regression with an L2 penalty, and prints the arrays for `accept.rs`, the share judged right in
ten-fold cross-validation, and the threshold that favours abstaining: a wrong answer counts twice.

With `--meaning` or `--given` it fits the weights of `meaning.rs`: of the judge of units that words leave unanswered, and of the
judge of what words answer. Give one file for each key and, after `--folders`, one for each folder that `reader_folders.py` made:
every file is judged by a model that was fitted on the others. `--pick`, with the same files, fits what the unit that may answer is
picked by (`scene.rs`): a softmax over the units of a question; again every file is left out once.
"""

import json
import math
import random
import sys

NAMES = ["noun", "verb", "light", "coverage", "nouns", "exact", "missing_known", "missing_unknown",
         "missing_narrower", "cosine", "margin", "typed", "yes_no", "few_nouns", "narrower_typed", "own", "planned"]
MEANING = ["meaning", "meaning_below", "score_below", "meaning_margin", "score", "missing", "answers", "answers_below",
           "beside_point", "untyped", "uncounted", "elsewhere", "words", "words_below"]
PENALTY = 0.004
JUDGE_PENALTY = 0.01
SUREST = 5.0
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


def fit_weighted(rows):
    """Logistic regression on standardised inputs by Newton's method, the scales folded back into the weights. Rows: inputs, 0 or 1, weight."""
    total = sum(w for _, _, w in rows)
    count = len(rows[0][0])
    mean = [sum(x[i] * w for x, _, w in rows) / total for i in range(count)]
    scale = [max(1e-6, math.sqrt(sum(w * (x[i] - mean[i]) ** 2 for x, _, w in rows) / total)) for i in range(count)]
    scaled = [([(v - m) / s for v, m, s in zip(x, mean, scale)] + [1.0], y, w / total) for x, y, w in rows]
    size, weights = count + 1, [0.0] * (count + 1)
    for _ in range(20):
        slope = [JUDGE_PENALTY * w for w in weights[:-1]] + [0.0]
        curve = [[JUDGE_PENALTY if i == j < count else 1e-9 * (i == j) for j in range(size)] for i in range(size)]
        for x, y, share in scaled:
            p = 1 / (1 + math.exp(-max(-30, min(30, sum(w * v for w, v in zip(weights, x))))))
            for i, v in enumerate(x):
                slope[i] += share * (p - y) * v
                part = share * p * (1 - p) * v
                for j in range(size):
                    curve[i][j] += part * x[j]
        weights = [w - d for w, d in zip(weights, solve(curve, slope))]
    out = [w / s for w, s in zip(weights, scale)]
    return out, weights[-1] - sum(w * m for w, m in zip(out, mean))


def solve(matrix, right):
    """Gauss with pivots."""
    rows = [line[:] + [r] for line, r in zip(matrix, right)]
    size = len(rows)
    for at in range(size):
        best = max(range(at, size), key=lambda i: abs(rows[i][at]))
        rows[at], rows[best] = rows[best], rows[at]
        for i in range(size):
            if i != at:
                factor = rows[i][at] / rows[at][at]
                rows[i] = [u - factor * v for u, v in zip(rows[i], rows[at])]
    return [rows[i][size] / rows[i][i] for i in range(size)]


def inputs(item, given):
    """What a judge is told of a question, and whether the unit that would answer does: None where the question is none of its."""
    if given:
        units = [unit for unit in item.get("scene", []) if unit["given"] is not None]
        if not units:
            return None
        by_words = min(max(units[0]["given"], 1e-6), 1 - 1e-6)
        by_words = max(-SUREST, min(SUREST, math.log(by_words / (1 - by_words))))
        return [by_words] + [units[0]["meaning"][name] for name in MEANING], float(units[0]["right"])
    if "meaning" not in item:
        return None
    return [item["meaning"][name] for name in MEANING], float(item["right"])


def judge(paths, given):
    """`paths`: keys, and after `--folders` those of the invented folders; both count alike as a whole."""
    cut = paths.index("--folders") if "--folders" in paths else len(paths)
    groups = []
    for kind, some in (("keys", paths[:cut]), ("folders", paths[cut + 1:])):
        files = []
        for path in some:
            items = [json.loads(line) for line in open(path, encoding="utf-8")]
            files.append([(item, *told) for item in items for told in [inputs(item, given)] if told])
        total = sum(len(rows) for rows in files)
        # A question that words answer teaches about meaning as well, at half the weight: meaning will not be asked about it.
        groups += [(kind, [(item, x, y, (1.0 if given or item["open"] else WEIGHT_ANSWERED) / total) for item, x, y in rows]) for rows in files]
    held = []
    for at, (kind, rows) in enumerate(groups):
        model = fit_weighted([row[1:] for other, (_, some) in enumerate(groups) if other != at for row in some])
        held += [(kind, probability(model, x), y > 0.5, item) for item, x, y, _ in rows if given or item["open"]]
    for kind in dict.fromkeys(kind for kind, _ in groups):
        own = [(p, y, item) for k, p, y, item in held if k == kind]
        right, wrong = [p for p, y, _ in own if y], [p for p, y, _ in own if not y]
        auroc = sum((a > b) + 0.5 * (a == b) for a in right for b in wrong) / max(1, len(right) * len(wrong))
        print(f"{kind}: {len(own)} questions, the unit is right for {len(right)}; each file left out: AUROC {auroc:.3f}")
        for t in range(25, 95, 5):
            taken = [(y, item) for p, y, item in own if p >= t / 100]
            good = sum(y for y, _ in taken)
            near = sum(not item["answerable"] for _, item in taken)
            print(f"  from {t / 100:.2f}: {good} right, {len(taken) - good - near} wrong, {near} that the documents do not answer")
    weights, bias = fit_weighted([row[1:] for _, rows in groups for row in rows])
    names = ["by_words"] * given + MEANING
    prefix = "GIVEN_" * given
    print(f"const {prefix}BIAS: f64 = {bias:.3f};")
    print(f"const {prefix}WEIGHTS: [f64; {len(names)}] = [" + ", ".join(f"{w:.3f}" for w in weights) + "];")
    print(dict(zip(names, (round(w, 2) for w in weights))))


PICKED_BY = ["meaning", "words", "score", "answers"]


def fit_pick(questions, steps=150, rate=0.15):
    """Weights under which the right units of a question have the largest share of a softmax over all; inputs are scaled to unit variance."""
    count = len(PICKED_BY)
    values = [[x[i] for units in questions for x, _ in units] for i in range(count)]
    scale = [max(1e-6, math.sqrt(sum(v * v for v in some) / len(some) - (sum(some) / len(some)) ** 2)) for some in values]
    weights, speed = [0.0] * count, [0.0] * count
    for _ in range(steps):
        slope = [0.5 * w / len(questions) for w in weights]
        for units in questions:
            scores = [sum(w * x[i] / scale[i] for i, w in enumerate(weights)) for x, _ in units]
            shares = [math.exp(score - max(scores)) for score in scores]
            total, good = sum(shares), sum(share for share, (_, y) in zip(shares, units) if y)
            for share, (x, y) in zip(shares, units):
                pull = (share / total - (share / good if y else 0.0)) / len(questions)
                for i in range(count):
                    slope[i] += pull * x[i] / scale[i]
        speed = [0.9 * v + g for v, g in zip(speed, slope)]
        weights = [w - rate * v for w, v in zip(weights, speed)]
    return [w / s for w, s in zip(weights, scale)]


def pick(paths):
    cut = paths.index("--folders") if "--folders" in paths else len(paths)
    files = []
    for at, path in enumerate(paths):
        if at != cut:
            items = [json.loads(line) for line in open(path, encoding="utf-8")]
            scenes = [[([unit["meaning"][name] for name in PICKED_BY], unit["right"]) for unit in item["scene"] if unit["may_answer"]]
                      for item in items if item.get("answerable") and "scene" in item]
            files.append(("keys" if at < cut else "folders", [units for units in scenes if any(y for _, y in units) and not all(y for _, y in units)]))
    chosen = {}
    for at, (kind, held) in enumerate(files):
        weights = fit_pick([units for other, (_, some) in enumerate(files) if other != at for units in some])
        right = sum(max(units, key=lambda unit: sum(w * v for w, v in zip(weights, unit[0])))[1] for units in held)
        good, all_ = chosen.get(kind, (0, 0))
        chosen[kind] = (good + right, all_ + len(held))
    weights = fit_pick([units for _, some in files for units in some])
    print({kind: f"{good} of {all_} right" for kind, (good, all_) in chosen.items()})
    print(dict(zip(PICKED_BY, (round(w / weights[0], 2) for w in weights))), "relative to the cosine")


if sys.argv[1:2] == ["--pick"]:
    pick(sys.argv[2:])
elif sys.argv[1:2] in (["--meaning"], ["--given"]):
    judge(sys.argv[2:], sys.argv[1] == "--given")
else:
    main()
