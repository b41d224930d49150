"""What a given value is: a boolean to change, a number, or something that only people can tell."""

import ast
from collections import defaultdict

from places import assigned_name, is_boolean

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
# Places at which a boolean is told of, but left to people.
HANDS_OFF = {
    "parameter": "it is the default of a parameter of a function of this file",
    "own-function": "it goes to a function of this file, which may do something else with it",
    "class-attribute": "it is an attribute of a class; what an operator is given hides it",
    "shared": "the same value is assigned to something else too",
    "pair": "only running the file tells what is made of the pair",
    "comparison": "once it is a number, it is neither True nor False to a comparison",
}


class Names:
    """What the names of a module stand for.

    `given` are the values that are given as the back-off, with their places.
    """

    def __init__(self, tree, nodes, given):
        self.to_change = {id(value) for place, value in given if place not in HANDS_OFF}
        self.binders, self.loads, self.texts, self.assigned = (defaultdict(list) for _ in range(4))
        for node in nodes:
            for name in names_bound(node):
                self.binders[name].append(node)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                self.loads[node.id].append(node)
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                self.texts[node.value].append(node)
        for node in tree.body:
            self.assigned[assigned_name(node)].append(node)
        self.constants = {}

    def constant_of(self, name):
        """The node a name of the module stands for, and why it must not be changed there (or None)."""
        if name not in self.constants:
            self.constants[name] = self.find_constant(name)
        return self.constants[name]

    def find_constant(self, name):
        assigned = self.assigned[name]
        if len(assigned) != 1 or len(self.binders[name] + self.binders["*"]) != 1:
            return None, "a variable that is no constant of this file"
        value = assigned[0].value
        if is_boolean(value):
            if isinstance(assigned[0], ast.AnnAssign):
                return value, f"the constant {name} is annotated; change it in line {assigned[0].lineno} by hand"
            for node in self.loads[name]:
                if id(node) not in self.to_change:
                    return value, f"the constant {name} is used for something else in line {node.lineno} too"
            for node in self.texts[name]:
                return value, f"the constant {name} is named as text in line {node.lineno}, perhaps exported"
        return value, None


def resolve(place, value, names):
    """(node, reason) pairs; the node is a boolean to change when the reason is None."""
    if place == "target":
        yield value, "what it is set to is not written beside it"
    elif is_boolean(value):
        yield value, HANDS_OFF.get(place)
    elif isinstance(value, ast.Name):
        constant, why = names.constant_of(value.id)
        if constant is not None and is_boolean(constant):
            why = why or HANDS_OFF.get(place)
            yield (constant, None) if why is None else (value, why)
        elif constant is None or not is_numeric(constant):
            yield value, why or f"the variable {value.id} holds an expression"
    elif not is_numeric(value):
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


def names_bound(node):
    """The names that this node gives a meaning, in whatever scope; "*" for all of a module."""
    if isinstance(node, ast.Name):
        return [] if isinstance(node.ctx, ast.Load) else [node.id]
    if isinstance(node, ast.arg):
        return [node.arg]
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return node.names
    if isinstance(node, ast.alias):
        return [node.asname or node.name.split(".")[0]]
    # Functions, classes, `except … as`, and the patterns and type parameters of newer Pythons.
    return [name for name in (getattr(node, "name", None), getattr(node, "rest", None)) if isinstance(name, str)]
