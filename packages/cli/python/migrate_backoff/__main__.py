"""Finds booleans given as retry_exponential_backoff in Python files and makes numbers of them.

Used by `parlance retry migrate`; standard library only, Python 3.8 or newer. One JSON document on
stdin, one on stdout:

  in   {"files": [{"bytes": base64}]}
  out  {"python": "3.11.7", "files": [answer]}, in the same order; an answer is one of
         {"error": {"kind": "syntax" | "encoding", "message", "line", "column"}}
         {"edits": [{"line", "column", "place", "from", "to"}],
          "undecided": [{"line", "column", "place", "text", "why"}], "bytes": base64 | null}

Lines and columns count from 1, columns in characters. "bytes" is the whole new file, null when
nothing changes. A file is changed only where a token `True` or `False` becomes `2.0` or `0`, and only
when the new file parses to the same tree but for these constants.
"""

import ast
import base64
import gc
import json
import sys
import warnings

from constants import Names, resolve
from places import given_values, mentions
from source_text import Refused, SourceText

NUMBERS = {True: "2.0", False: "0"}


def main():
    warnings.simplefilter("ignore")
    gc.disable()  # trees have no cycles, and looking for some takes half of the time
    request = json.load(sys.stdin)
    answers = [answer(base64.b64decode(file["bytes"])) for file in request["files"]]
    json.dump({"python": sys.version.split()[0], "files": answers}, sys.stdout)


def answer(source):
    try:
        return migrate(source)
    except SyntaxError as error:
        return failure("syntax", error.msg, error.lineno or None, error.offset or None)
    except (UnicodeError, LookupError) as error:
        return failure("encoding", str(error))
    except (ValueError, Refused) as error:  # ValueError: a null byte, before Python 3.12
        return failure("syntax", str(error))
    except (RecursionError, MemoryError):
        return failure("syntax", "it is nested too deeply for Python's parser")


def failure(kind, message, line=None, column=None):
    return {"error": {"kind": kind, "message": message, "line": line, "column": column}}


def migrate(source):
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    # Not by a look at the bytes: adjacent strings are one, and an identifier has several spellings.
    if not any(map(mentions, nodes)):
        return {"edits": [], "undecided": [], "bytes": None}
    text = SourceText(source)
    given = given_values(nodes)
    names = Names(tree, nodes, given)
    formatted = inside_of_f_strings(nodes)
    edits, undecided = [], []
    for place, value in given:
        for constant, why in resolve(place, value, names):
            if why is None and text.token(constant) == repr(constant.value) and constant not in formatted:
                edits.append((place, constant))
            else:
                why = why or "its place in the file can't be told (an f-string)"
                undecided.append({**text.place(constant), "place": place, "text": text.excerpt(constant), "why": why})
    unique = {id(constant): (place, constant) for place, constant in edits}
    ordered = sorted(unique.values(), key=lambda edit: (edit[1].lineno, edit[1].col_offset))
    changed = text.replaced([(constant, NUMBERS[constant.value]) for _, constant in ordered]) if ordered else None
    if changed is not None:
        verify(tree, changed, {id(constant) for _, constant in ordered})
    undecided.sort(key=lambda entry: (entry["line"], entry["column"]))
    return {
        "edits": [
            {**text.place(constant), "place": place, "from": repr(constant.value), "to": NUMBERS[constant.value]}
            for place, constant in ordered
        ],
        "undecided": undecided,
        "bytes": None if changed is None else base64.b64encode(changed).decode("ascii"),
    }


def inside_of_f_strings(nodes):
    strings = (node for node in nodes if type(node).__name__ in ("JoinedStr", "TemplateStr"))
    return {inner for string in strings for inner in ast.walk(string)}


def verify(tree, changed, edited):
    """The new file must parse to the old tree, the edited constants excepted."""
    pairs = [(tree, ast.parse(changed))]
    while pairs:
        old, new = pairs.pop()
        if id(old) in edited:
            number = float(NUMBERS[old.value])
            if not (isinstance(new, ast.Constant) and not isinstance(new.value, bool) and new.value == number):
                raise Refused("a changed constant would not be read as the number that was meant")
            continue
        if type(old) is not type(new):
            raise Refused("the changed file would mean something else")
        if isinstance(old, ast.AST):
            pairs += [(getattr(old, field, None), getattr(new, field, None)) for field in old._fields]
        elif isinstance(old, list):
            if len(old) != len(new):
                raise Refused("the changed file would mean something else")
            pairs += zip(old, new)
        elif old != new:
            raise Refused("the changed file would mean something else")


main()
