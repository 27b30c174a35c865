"""Which headings does mandoc see? Reads paths of man pages on stdin, writes one JSON line for each: path, and [line, level, title] of its sections."""
import json
import re
import subprocess
import sys

block = re.compile(r"^ *(SH|SS|Sh|Ss) \(block\) \*?(\d+):")
head = re.compile(r"^ *(.*?) \(text\) \*?(\d+):")
for path in sys.stdin.read().split("\n"):
    if path == "":
        continue
    run = subprocess.run(["mandoc", "-T", "tree", path], capture_output=True, check=False)
    sections = []
    for row in run.stdout.decode("utf-8", "replace").split("\n"):
        found = block.match(row)
        if found:
            sections.append([int(found[2]), 1 if found[1].upper() == "SH" else 2, ""])
            continue
        words = head.match(row)
        if words and sections and sections[-1][2] == "":
            sections[-1][2] = words[1]
    print(json.dumps({"path": path, "sections": sections}))
