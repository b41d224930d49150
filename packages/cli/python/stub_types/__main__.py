"""Reads which `@task.stub` tasks the Dags of a Python file have, without running it.

Used by `parlance types`; standard library only, Python 3.8 or newer. One JSON document on stdin,
one on stdout:

  in   {"files": [{"bytes": base64}]}
  out  {"files": [answer]}, in the same order; an answer is one of
       {"dags": [{"dagId", "stubs": [STUB]}], "models": [MODEL], "problems": [{"line", "message"}]}
       {"error": {"kind": "syntax" | "encoding", "message", "line", "column"}}

  STUB   {"taskId", "function", "doc", "parameters": [PARAMETER], "returns": TYPE | null,
          "multipleOutputs": bool, "isMapped": bool, "mapsDownstream": bool, "upstream": [task id]}
  PARAMETER {"name", "type": TYPE | null, "source": SOURCE}
  SOURCE {"kind": "task", "taskId", "key"} | {"kind": "each", "taskId"} | {"kind": "each", "values"} |
         {"kind": "literal", "value"} | {"kind": "argument"}
  TYPE and MODEL: see annotations.py. Integers beyond 2^53 are {"$int": digits}.
"""

import ast
import base64
import json
import sys
import warnings

from interpreter import Interpreter

SAFE = 2**53 - 1


def main():
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(5000)
    request = json.load(sys.stdin)
    answers = [answer(base64.b64decode(file["bytes"])) for file in request["files"]]
    json.dump({"files": answers}, sys.stdout)


def answer(source):
    try:
        tree = ast.parse(source)
        return exact(Interpreter().read(tree))
    except SyntaxError as error:
        return failure("syntax", error.msg, error.lineno or None, error.offset or None)
    except (UnicodeError, LookupError) as error:
        return failure("encoding", str(error))
    except ValueError as error:  # a null byte, before Python 3.12
        return failure("syntax", str(error))
    except (RecursionError, MemoryError):
        return failure("syntax", "it is nested too deeply for Python's parser")


def failure(kind, message, line=None, column=None):
    return {"error": {"kind": kind, "message": message, "line": line, "column": column}}


def exact(value):
    """JSON numbers lose digits on the other side."""
    if isinstance(value, dict):
        return {key: exact(item) for key, item in value.items()}
    if isinstance(value, list):
        return [exact(item) for item in value]
    if isinstance(value, int) and not isinstance(value, bool) and not -SAFE <= value <= SAFE:
        return {"$int": str(value)}
    return value


main()
