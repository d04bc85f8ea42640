"""How fast tantivy indexes the paragraphs of a folder: the baseline of `elenchus-evals speed --tantivy PYTHON`.

    pip install tantivy
    python bench_tantivy.py FOLDER [THREADS]

Reads every file below FOLDER, makes a document of each paragraph (the headings stay out, as in the FTS5 baseline), indexes
its stemmed words with their frequencies and positions, and commits to disk. Prints the seconds from the first file that
is opened to the end of the merges, and nothing else.
"""

import pathlib
import sys
import tempfile
import time

import tantivy


def main():
    folder = pathlib.Path(sys.argv[1])
    threads = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    fields = tantivy.SchemaBuilder()
    fields.add_text_field("body", stored=False, tokenizer_name="en_stem")
    schema = fields.build()
    with tempfile.TemporaryDirectory() as disk:
        begin = time.perf_counter()
        index = tantivy.Index(schema, path=disk)
        writer = index.writer(heap_size=64_000_000 * threads, num_threads=threads)
        for file in sorted(folder.rglob("*.md")):
            for paragraph in file.read_text(encoding="utf-8").split("\n\n"):
                if not paragraph.startswith("#"):
                    writer.add_document(tantivy.Document(body=paragraph))
        writer.commit()
        writer.wait_merging_threads()
        print(time.perf_counter() - begin)


main()
