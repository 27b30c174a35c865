"""Does Python agree that a name means what yore says? Edges as JSON lines in, one verdict a line out.

Modules are imported from the installed library, and names are looked up in them as the interpreter would.
"""
import importlib
import inspect
import json
import os
import sys
import warnings

warnings.simplefilter("ignore")
library = os.path.dirname(os.__file__)
# Importing these opens windows, servers or browsers.
never = {"antigravity", "this", "idlelib", "turtledemo", "turtle", "tkinter", "lib2to3", "distutils", "ensurepip", "__phello__"}


def module_of(path):
    name = path[:-3].replace("/", ".")
    name = name[: -len(".__init__")] if name.endswith(".__init__") else name
    if name.split(".")[0] in never or name.endswith("__main__"):
        return None
    try:
        return importlib.import_module(name)
    except BaseException:
        return None


def place_of(thing):
    thing = inspect.unwrap(thing) if callable(thing) else thing
    if isinstance(thing, property):
        thing = thing.fget
    if isinstance(thing, (staticmethod, classmethod)):
        thing = thing.__func__
    if inspect.ismodule(thing):
        return getattr(thing, "__file__", None), None
    try:
        file = inspect.getsourcefile(thing)
        return file, inspect.getsourcelines(thing)[1]
    except BaseException:
        return None, None


def owner_of(module, origin):
    parts = origin.split("#")[1].split(".") if "#" in origin else []
    thing = module
    for part in parts:
        found = vars(thing).get(part) if inspect.isclass(thing) else getattr(thing, part, None)
        if inspect.isclass(found):
            thing = found
        else:
            break
    return thing if inspect.isclass(thing) else None


def look_up(module, edge):
    first, *rest = edge["target"].split(".")
    if first in ("self", "cls", "super"):
        owner = owner_of(module, edge["origin"])
        if owner is None or not rest:
            return None
        if first == "super":
            for base in owner.__mro__[1:]:
                if rest[0] in vars(base):
                    return vars(base)[rest[0]]
            return None
        try:
            return inspect.getattr_static(owner, rest[0])
        except AttributeError:
            return None
    thing = getattr(module, first, None)
    for part in rest:
        if thing is None:
            return None
        thing = inspect.getattr_static(thing, part, None) if inspect.isclass(thing) else getattr(thing, part, None)
    return thing


def judge(edge):
    module = module_of(edge["origin"].split("#")[0])
    if module is None:
        return "unknown"
    try:
        thing = look_up(module, edge)
    except BaseException:
        thing = None
    if thing is None:
        return "unknown"
    file, line = place_of(thing)
    # A statement that binds a name is what the name means, wherever its value was made.
    if file is None or edge["kind"].endswith("_block"):
        return "unknown"
    file = os.path.relpath(file, library)
    wanted = edge["lines"]
    if file != edge["file"]:
        return f"wrong {edge['origin']}:{edge['line']} {edge['target']} -> {edge['id']} but it is in {file}:{line}"
    if line is None or wanted is None or wanted["start"] <= line <= wanted["end"]:
        return "right"
    return f"wrong {edge['origin']}:{edge['line']} {edge['target']} -> {edge['id']} but it is at line {line}"


edges = [json.loads(text) for text in sys.stdin]
output = os.fdopen(os.dup(1), "w")
for edge in edges:
    try:
        verdict = judge(edge)
    except BaseException:
        verdict = "unknown"
    output.write(verdict.replace("\n", " ") + "\n")
output.flush()
os._exit(0)
