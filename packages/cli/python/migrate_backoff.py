"""Finds booleans given as retry_exponential_backoff in Python files and makes numbers of them.

Used by `parlance retry migrate`; standard library only, Python 3.8 or newer. One JSON document on
stdin, one on stdout:

  in   {"files": [{"path": text, "bytes": base64}]}
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
import io
import json
import re
import sys
import tokenize
import warnings

KEY = "retry_exponential_backoff"
NUMBERS = {True: "2.0", False: "0"}
# What Python takes for the end of a line; str.splitlines knows many more.
LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
NUMERIC_CALLS = {"int", "float", "round", "abs", "sum", "len"}
REASONS = {
    ast.IfExp: "a conditional expression decides",
    ast.Compare: "a comparison gives a boolean",
    ast.BoolOp: "a logical expression decides",
    ast.Call: "a call gives it",
    ast.Attribute: "it is an attribute of something else",
    ast.Subscript: "it is an element of something else",
    ast.Await: "it is awaited",
    ast.UnaryOp: "a negation gives a boolean",
}


class Refused(Exception):
    """This file can't be changed safely."""


def main():
    warnings.simplefilter("ignore")
    request = json.load(sys.stdin)
    answers = [answer(base64.b64decode(file["bytes"])) for file in request["files"]]
    json.dump({"python": sys.version.split()[0], "files": answers}, sys.stdout)


def answer(source):
    try:
        return migrate(source)
    except SyntaxError as error:
        return failure("syntax", error.msg, error.lineno, error.offset)
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
    if KEY.encode("ascii") not in source:
        return {"edits": [], "undecided": [], "bytes": None}
    text = Text(source)
    finder = Finder(tree)
    edits, undecided = [], []
    for place, value in finder.given:
        for constant, why in resolve(value, finder):
            if why is None and text.token(constant) == repr(constant.value) and constant not in finder.formatted:
                edits.append((place, constant))
            else:
                why = why or "its place in the file can't be told (an f-string)"
                undecided.append({**text.place(constant), "place": place, "text": text.excerpt(constant), "why": why})
    unique = {id(constant): (place, constant) for place, constant in edits}
    ordered = sorted(unique.values(), key=lambda edit: (edit[1].lineno, edit[1].col_offset))
    changed = text.replaced([constant for _, constant in ordered]) if ordered else None
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


class Text:
    """The decoded source; positions of the tree, which count UTF-8 bytes of a line, lead into it."""

    def __init__(self, source):
        self.encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
        self.source = source
        self.text = source.decode(self.encoding)
        if self.encode(self.text) != source:
            raise Refused(f"its text in {self.encoding} can't be written back byte for byte")
        self.lines = LINE.findall(self.text)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))

    def encode(self, text):
        return text.encode(self.encoding)

    def column(self, line, offset):
        encoded = self.lines[line - 1].encode("utf-8", "surrogatepass")
        return len(encoded[:offset].decode("utf-8", "replace"))

    def span(self, node):
        start = self.starts[node.lineno - 1] + self.column(node.lineno, node.col_offset)
        end = self.starts[node.end_lineno - 1] + self.column(node.end_lineno, node.end_col_offset)
        return start, end

    def token(self, node):
        start, end = self.span(node)
        return self.text[start:end]

    def excerpt(self, node):
        words = " ".join(self.token(node).split())
        return words if len(words) <= 60 else words[:57] + "..."

    def place(self, node):
        return {"line": node.lineno, "column": self.column(node.lineno, node.col_offset) + 1}

    def replaced(self, constants):
        pieces, at = [], 0
        for constant in constants:
            start, end = self.span(constant)
            pieces += [self.text[at:start], NUMBERS[constant.value]]
            at = end
        return self.encode("".join(pieces) + self.text[at:])


class Finder:
    """Where a value is given as retry_exponential_backoff, and what names of the module stand for."""

    def __init__(self, tree):
        self.tree = tree
        self.nodes = list(ast.walk(tree))
        self.formatted = {
            inner
            for node in self.nodes
            if type(node).__name__ in ("JoinedStr", "TemplateStr")
            for inner in ast.walk(node)
        }
        self.own_functions = {
            node.name
            for node in self.nodes
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and KEY in parameter_names(node.args)
        }
        self.given = [(place, value) for node in self.nodes for place, value in values_of(node, self.own_functions)]
        self.given_ids = {id(value) for _, value in self.given}

    def constant_of(self, name):
        """The node a name of the module stands for, and why it must not be changed there (or None)."""
        stores = [node for node in self.nodes if binds(node, name)]
        assigned = [node for node in self.tree.body if assigns(node, name)]
        if len(stores) != 1 or len(assigned) != 1:
            return None, "a variable that is no constant of this file"
        value = assigned[0].value
        if isinstance(value, ast.Constant) and isinstance(value.value, bool):
            if isinstance(assigned[0], ast.AnnAssign):
                return value, f"the constant {name} is annotated; change it in line {assigned[0].lineno} by hand"
            for node in self.nodes:
                if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
                    if id(node) not in self.given_ids:
                        return value, f"the constant {name} is used for something else in line {node.lineno} too"
                if isinstance(node, ast.Constant) and node.value == name and isinstance(node.value, str):
                    return value, f"the constant {name} is named as text in line {node.lineno}, perhaps exported"
        return value, None


def values_of(node, own_functions):
    """(place, value) of each value that this node gives as the back-off."""
    if isinstance(node, ast.Call):
        name = called_name(node.func)
        for keyword in node.keywords:
            if keyword.arg == KEY:
                own = isinstance(node.func, ast.Name) and name in own_functions
                yield ("own-function" if own else "keyword"), keyword.value
        arguments = node.args
        if name == "setdefault" and len(arguments) == 2 and is_key(arguments[0]):
            yield "item", arguments[1]
        if name == "setattr" and len(arguments) == 3 and is_key(arguments[1]):
            yield "attribute", arguments[2]
        if name == "dict":
            for pair in [inner for argument in arguments for inner in ast.walk(argument)]:
                if isinstance(pair, (ast.Tuple, ast.List)) and len(pair.elts) == 2 and is_key(pair.elts[0]):
                    yield "dict", pair.elts[1]
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values):
            if key is not None and is_key(key):
                yield "dict", value
    elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Attribute) and target.attr == KEY:
                yield "attribute", node.value
            if isinstance(target, ast.Subscript) and is_key(index_of(target)):
                yield "item", node.value
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        for value in parameter_defaults(node.args):
            yield "parameter", value


def resolve(value, finder):
    """(node, reason) pairs; the node is a boolean to change when the reason is None."""
    place = next(place for place, given in finder.given if given is value)
    if isinstance(value, ast.Constant):
        if isinstance(value.value, bool):
            yield value, {
                "parameter": "it is the default of a parameter of a function of this file",
                "own-function": "it goes to a function of this file, which may do something else with it",
            }.get(place)
        return
    if is_numeric(value):
        return
    if isinstance(value, ast.Name):
        constant, why = finder.constant_of(value.id)
        if constant is not None and is_numeric(constant):
            return
        if isinstance(constant, ast.Constant):
            if isinstance(constant.value, bool):
                yield (constant, None) if why is None else (value, why)
            return
        yield value, why or f"the variable {value.id} holds an expression"
        return
    yield value, next((why for kind, why in REASONS.items() if isinstance(value, kind)), "it is an expression")


def is_numeric(node):
    """Whether this gives a number (or nothing) however it runs."""
    if isinstance(node, ast.Constant):
        return not isinstance(node.value, bool)
    if isinstance(node, ast.UnaryOp):
        return not isinstance(node.op, ast.Not)
    if isinstance(node, ast.BinOp):
        return not isinstance(node.op, (ast.BitAnd, ast.BitOr, ast.BitXor))
    if isinstance(node, ast.IfExp):
        return is_numeric(node.body) and is_numeric(node.orelse)
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in NUMERIC_CALLS


def is_key(node):
    return isinstance(node, ast.Constant) and node.value == KEY


def index_of(subscript):
    wrapped = type(subscript.slice).__name__ == "Index"  # before Python 3.9
    return subscript.slice.value if wrapped else subscript.slice


def called_name(function):
    return getattr(function, "attr", getattr(function, "id", None))


def parameters(arguments):
    return [*getattr(arguments, "posonlyargs", []), *arguments.args, *arguments.kwonlyargs]


def parameter_names(arguments):
    return {parameter.arg for parameter in parameters(arguments)}


def parameter_defaults(arguments):
    positional = [*getattr(arguments, "posonlyargs", []), *arguments.args]
    with_default = positional[len(positional) - len(arguments.defaults) :]
    pairs = [*zip(with_default, arguments.defaults), *zip(arguments.kwonlyargs, arguments.kw_defaults)]
    return [value for parameter, value in pairs if parameter.arg == KEY and value is not None]


def assigns(node, name):
    if isinstance(node, ast.Assign):
        return len(node.targets) == 1 and isinstance(node.targets[0], ast.Name) and node.targets[0].id == name
    return isinstance(node, ast.AnnAssign) and node.value is not None and getattr(node.target, "id", None) == name


def binds(node, name):
    """Whether this node gives the name a meaning, in whatever scope."""
    if isinstance(node, ast.Name):
        return node.id == name and not isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.arg):
        return node.arg == name
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return name in node.names
    if isinstance(node, ast.alias):
        bound = node.asname or node.name.split(".")[0]
        return bound in (name, "*")
    # Functions, classes, `except … as`, and the patterns and type parameters of newer Pythons.
    return name in (getattr(node, "name", None), getattr(node, "rest", None))


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
