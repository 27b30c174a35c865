"""Which headings does docutils see? Reads paths on stdin, writes one JSON line for each: path, and [line, level, title] of its sections.

Included files are not followed, and directives that docutils does not know (Sphinx has many) are passed over: no section stands in them.
"""
import json
import sys

from docutils.core import publish_doctree
from docutils.parsers.rst import states

seen = []
make_section = states.RSTState.new_subsection


def record(state, title, lineno, messages):
    seen.append([lineno, state.memo.section_level + 1, title])
    return make_section(state, title, lineno, messages)


states.RSTState.new_subsection = record
settings = {
    "report_level": 5,
    "halt_level": 5,
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "doctitle_xform": False,
    "_disable_config": True,
}
for path in sys.stdin.read().split("\n"):
    if path == "":
        continue
    seen.clear()
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    try:
        publish_doctree(text, source_path=path, settings_overrides=settings)
    except Exception as error:  # A file that docutils cannot read says nothing about headings.
        print(f"{path}: {error}", file=sys.stderr)
        continue
    print(json.dumps({"path": path, "sections": seen}), flush=True)
