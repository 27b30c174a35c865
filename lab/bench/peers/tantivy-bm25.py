# How far does a bare BM25 engine come? tantivy with its English stemmer, over whole files and over windows of 40 lines.
import json
import os
import re
import sys
import time

import tantivy

LINES, STEP, MOST_PLACES = 40, 20, 50


def text_files(root):
    """Every file without a zero byte, in a fixed order."""
    for folder, _, names in sorted(os.walk(root)):
        for name in sorted(names):
            full = os.path.join(folder, name)
            with open(full, "rb") as file:
                raw = file.read()
            if b"\0" not in raw:
                yield os.path.relpath(full, root), raw.decode("utf8", "replace").splitlines()


def windows_of(lines):
    yield 0, min(LINES, len(lines))
    for start in range(STEP, len(lines) - STEP, STEP):
        yield start, min(start + LINES, len(lines))


def build(root, cut):
    schema = tantivy.SchemaBuilder()
    schema.add_text_field("path", stored=True, tokenizer_name="raw")
    schema.add_text_field("body", tokenizer_name="en_stem")
    for name in ("start", "end"):
        schema.add_integer_field(name, stored=True)
    index = tantivy.Index(schema.build())
    writer = index.writer(heap_size=60_000_000, num_threads=1)
    for path, lines in text_files(root):
        for start, end in cut(lines):
            body = "\n".join(lines[start:end])
            writer.add_document(tantivy.Document(path=path, body=body, start=start + 1, end=max(1, end)))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index


def ask(index, question):
    searcher = index.searcher()
    query = index.parse_query(" ".join(re.findall(r"\w+", question.lower())), ["body"])
    for _, address in searcher.search(query, MOST_PLACES).hits:
        found = searcher.doc(address)
        yield {name: found.get_first(name) for name in ("path", "start", "end")}


def main():
    with open(sys.argv[1], encoding="utf8") as file:
        call = json.load(file)
    variants = {}
    started = time.process_time()
    for name, cut in (("files", lambda lines: [(0, len(lines))]), ("windows", windows_of)):
        index = build(call["root"], cut)
        answers = [list(ask(index, question)) for question in call["questions"]]
        variants[name] = {"cpuMs": [], "answers": answers, "failures": 0}
    cpu = (time.process_time() - started) * 1000
    print(json.dumps({"indexCpuMs": cpu, "indexBytes": 0, "variants": variants}))


main()
