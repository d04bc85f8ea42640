"""Writes the verifier as an ONNX graph of plain operators: the weights of matrix products in int8 with one scale per
column and activations quantised on the fly (DynamicQuantizeLinear, MatMulInteger, Cast, Mul), the word table in int8
with one scale per row. Weights use 7 of the 8 bits: the byte products of x86 without VNNI saturate otherwise.
Inputs: input_ids, attention_mask, token_type_ids (int64, [batch, sequence], at most 128 tokens). Output: logits.
"""

import hashlib
import json
import shutil
from pathlib import Path

import numpy as np

HEADS, WIDTH = 12, 32
LABELS = {"0": "supports", "1": "refutes", "2": "nei"}


class Graph:
    def __init__(self, quantised):
        from onnx import helper, numpy_helper
        self.helper, self.numpy_helper, self.quantised = helper, numpy_helper, quantised
        self.nodes, self.constants, self.count = [], {}, 0

    def constant(self, value, name=None):
        value = np.asarray(value)
        key = name or f"c_{value.dtype}_{hashlib.sha1(value.tobytes() + str(value.shape).encode()).hexdigest()[:10]}"
        self.constants.setdefault(key, self.numpy_helper.from_array(value.copy(order="C"), key))
        return key

    def add(self, op, *inputs, outputs=1, **attributes):
        self.count += 1
        names = [f"{op.lower()}_{self.count}" + (f"_{i}" if outputs > 1 else "") for i in range(outputs)]
        self.nodes.append(self.helper.make_node(op, list(inputs), names, f"{op}_{self.count}", **attributes))
        return names if outputs > 1 else names[0]

    def linear(self, x, weight, bias, name, by_row=False, nearest=False):
        """x @ weight + bias. `by_row`: each piece of text has a scale of its own, where a few numbers of one stand out so far that a scale
        for all would lose what the others say. `nearest`: for weights that were never whole numbers before."""
        if not self.quantised:
            return self.add("Add", self.add("MatMul", x, self.constant(weight, name)), self.constant(bias, name + ".bias"))
        scale = np.abs(weight).max(0) / 63
        # Weights that were read back from whole numbers lie on them, and what was learned since is less than half a step:
        # rounding to the nearest would take it all out again. Rounded up as often as a weight lies towards it, the sums keep it.
        dice = 0.5 if nearest else np.random.default_rng(len(self.constants)).random(weight.shape)
        q = self.constant(np.clip(np.floor(weight / scale + dice), -63, 63).astype(np.int8), name)
        by_column, none = self.constant(scale.astype(np.float32), name + ".scale"), self.constant(np.int8(0))
        if by_row:
            most = self.add("Max", self.add("ReduceMax", self.add("Abs", x), axes=[-1], keepdims=1), self.constant(np.float32(1e-9)))
            xs, middle = self.add("Mul", most, self.constant(np.float32(1 / 127))), self.constant(np.float32(128))
            xq = self.add("Cast", self.add("Add", self.add("Round", self.add("Div", x, xs)), middle), to=2)
            product = self.add("Cast", self.add("MatMulInteger", xq, q, self.constant(np.uint8(128)), none), to=1)
            # The columns first: runtimes take the scale next to a product into it, and know no scale for each row there.
            out = self.add("Mul", self.add("Mul", product, by_column), xs)
        else:
            xq, xs, xz = self.add("DynamicQuantizeLinear", x, outputs=3)
            product = self.add("Cast", self.add("MatMulInteger", xq, q, xz, none), to=1)
            out = self.add("Mul", product, self.add("Mul", xs, by_column))
        return self.add("Add", out, self.constant(bias, name + ".bias"))

    def norm(self, x, g, b, name):
        return self.add("LayerNormalization", x, self.constant(g, name + ".g"), self.constant(b, name + ".b"), axis=-1, epsilon=1e-12)


def trunk(params, quantised, by_row=False):
    """The encoder without a head: the graph, its last hidden states, the mean over the text's pieces."""
    g, ints = Graph(quantised), lambda *v: np.array(v, np.int64)
    e, floats = params["emb"], lambda v: np.float32(v)
    if quantised:
        scale = np.abs(e["word"]).max(1, keepdims=True) / 127
        scale[scale == 0] = 1
        rows = g.add("Gather", g.constant(np.round(e["word"] / scale).astype(np.int8), "word"), "input_ids", axis=0)
        x = g.add("Mul", g.add("Cast", rows, to=1), g.add("Gather", g.constant(scale.astype(np.float32), "word.scale"), "input_ids", axis=0))
    else:
        x = g.add("Gather", g.constant(e["word"], "word"), "input_ids", axis=0)
    length = g.add("Gather", g.add("Shape", "input_ids"), g.constant(ints(1)), axis=0)
    position = g.add("Slice", g.constant(e["pos"], "position"), g.constant(ints(0)), length, g.constant(ints(0)))
    x = g.add("Add", g.add("Add", x, position), g.add("Gather", g.constant(e["type"], "type"), "token_type_ids", axis=0))
    x = g.norm(x, e["g"], e["b"], "emb.norm")
    mask = g.add("Cast", "attention_mask", to=1)
    bias = g.add("Mul", g.add("Sub", g.constant(floats(1)), g.add("Unsqueeze", mask, g.constant(ints(1, 2)))), g.constant(floats(-1e9)))
    for n, p in enumerate(params["layers"]):
        name = f"layer{n}."
        # The 1 / sqrt(width) of attention goes into the query's weights.
        weight, offset = p["qkv"].copy(), p["qkv_b"].copy()
        weight[:, :HEADS * WIDTH] /= WIDTH ** 0.5
        offset[:HEADS * WIDTH] /= WIDTH ** 0.5
        qkv = g.add("Reshape", g.linear(x, weight, offset, name + "qkv"), g.constant(ints(0, 0, 3 * HEADS, WIDTH)))
        q, k, v = g.add("Split", g.add("Transpose", qkv, perm=[0, 2, 1, 3]), g.constant(ints(HEADS, HEADS, HEADS)), outputs=3, axis=1)
        scores = g.add("Add", g.add("MatMul", q, g.add("Transpose", k, perm=[0, 1, 3, 2])), bias)
        mixed = g.add("Transpose", g.add("MatMul", g.add("Softmax", scores, axis=-1), v), perm=[0, 2, 1, 3])
        mixed = g.add("Reshape", mixed, g.constant(ints(0, 0, HEADS * WIDTH)))
        x = g.norm(g.add("Add", x, g.linear(mixed, p["o"], p["o_b"], name + "o")), p["g1"], p["b1"], name + "norm1")
        h = g.linear(x, p["up"], p["up_b"], name + "up", by_row)
        erf = g.add("Add", g.add("Erf", g.add("Div", h, g.constant(floats(2 ** 0.5)))), g.constant(floats(1)))
        h = g.add("Mul", g.add("Mul", h, erf), g.constant(floats(0.5)))
        x = g.norm(g.add("Add", x, g.linear(h, p["down"], p["down_b"], name + "down", by_row)), p["g2"], p["b2"], name + "norm2")
    weight = g.add("Unsqueeze", mask, g.constant(ints(2)))
    mean = g.add("Div", g.add("ReduceSum", g.add("Mul", x, weight), g.constant(ints(1)), keepdims=0), g.add("ReduceSum", weight, g.constant(ints(1)), keepdims=0))
    return g, x, mean


def build(params, quantised):
    from onnx import TensorProto, checker
    g, x, mean = trunk(params, quantised)
    first = g.add("Gather", x, g.constant(np.int64(0)), axis=1)
    head = params["head"]
    pooled = g.add("Tanh", g.linear(g.add("Concat", first, mean, axis=-1), head["pool"], head["pool_b"], "pool"))
    last = g.add("MatMul", pooled, g.constant(head["out"], "out"))  # three columns: kept in float
    g.nodes.append(g.helper.make_node("Add", [last, g.constant(head["out_b"], "out.bias")], ["logits"], "logits"))
    shape = ["batch", "sequence"]
    graph = g.helper.make_graph(
        g.nodes, "verifier", [g.helper.make_tensor_value_info(n, TensorProto.INT64, shape) for n in ("input_ids", "attention_mask", "token_type_ids")],
        [g.helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 3])], list(g.constants.values()))
    model = g.helper.make_model(graph, opset_imports=[g.helper.make_opsetid("", 17)], ir_version=8, producer_name="elenchus")
    checker.check_model(model)
    return model


def write_onnx(params, base, out, float_too=False):
    params = {k: ([{n: np.asarray(a) for n, a in layer.items()} for layer in v] if k == "layers" else {n: np.asarray(a) for n, a in v.items()})
              for k, v in params.items()}
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    for quantised, name in ((True, "model.onnx"), *(((False, "model.fp32.onnx"),) if float_too else ())):
        data = build(params, quantised).SerializeToString()
        (out / name).write_bytes(data)
        print(f"{out / name}: {len(data) / 1e6:.1f} MB")
    shutil.copyfile(Path(base) / "tokenizer.json", out / "tokenizer.json")
    (out / "config.json").write_text(json.dumps({
        "architecture": "bert-cross-encoder", "id2label": LABELS, "label2id": {v: int(k) for k, v in LABELS.items()}, "hidden_size": HEADS * WIDTH,
        "num_hidden_layers": len(params["layers"]), "num_attention_heads": HEADS, "max_tokens": 128, "max_claim_tokens": 48, "max_sentences": 3,
        "input": "[CLS] claim [SEP] evidence sentences [SEP], token type 1 from the evidence on"}, indent=1) + "\n")
