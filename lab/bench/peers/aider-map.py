# How does aider's repository map order a repository for a question? Its RepoMap, called as aider calls it for a message.
import json
import os
import re
import sys
import time

from aider.repomap import RepoMap

LINES, MOST_PLACES, SHORTEST_STEM = 40, 50, 5


class Quiet:
    """What the map needs of aider's terminal."""

    def tool_output(self, *_, **__):
        pass

    tool_warning = tool_error = tool_output

    def read_text(self, name):
        with open(name, encoding="utf8", errors="replace") as file:
            return file.read()


class Map(RepoMap):
    """Tags are kept in memory: the folder stays as it is."""

    def load_tags_cache(self):
        self.TAGS_CACHE = {}

    def save_tags_cache(self):
        pass


def list_files(root):
    for folder, _, names in sorted(os.walk(root)):
        for name in sorted(names):
            yield os.path.join(folder, name)


def ask(repo_map, files, question):
    """Each file once, at its highest ranked definition."""
    words = set(re.split(r"\W+", question)) - {""}
    stems = {word.lower() for word in words if len(word) >= SHORTEST_STEM}
    named = set()
    for file in files:
        stem = os.path.splitext(os.path.basename(file))[0]
        if len(stem) >= SHORTEST_STEM and stem.lower() in stems:
            named.add(os.path.relpath(file, repo_map.root))
    places = {}
    for tag in repo_map.get_ranked_tags(set(), files, named, words):
        start = tag.line + 1 if len(tag) > 1 else 1
        places.setdefault(tag[0], {"path": tag[0], "start": start, "end": start + LINES - 1})
    return list(places.values())[:MOST_PLACES]


def main():
    with open(sys.argv[1], encoding="utf8") as file:
        call = json.load(file)
    started = time.process_time()
    repo_map = Map(root=call["root"], io=Quiet())
    files = list(list_files(call["root"]))
    answers = [ask(repo_map, files, question) for question in call["questions"]]
    cpu = (time.process_time() - started) * 1000
    variant = {"cpuMs": [], "answers": answers, "failures": 0}
    print(json.dumps({"indexCpuMs": cpu, "indexBytes": 0, "variants": {"files": variant}}))


main()
