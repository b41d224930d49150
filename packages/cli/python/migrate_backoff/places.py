"""Where in a tree a value is given as retry_exponential_backoff."""

import ast

KEY = "retry_exponential_backoff"


def given_values(nodes):
    """(place, value) of each value that is given, and of each place whose value is not written beside it."""
    functions = (node for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))
    own = {function.name for function in functions if KEY in parameter_names(function.args)}
    found = [given for node in nodes for given in values_of(node, own)]
    # A pair of a dict(...), and the target of an assignment, are found twice.
    known = {id(value) for place, value in found if place not in ("pair", "target")}
    known.update(id(target) for node in nodes if isinstance(node, ast.Assign) for target in node.targets)
    known.update(id(node.target) for node in nodes if isinstance(node, ast.AnnAssign))
    return [given for given in found if given[0] not in ("pair", "target") or id(given[1]) not in known]


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
        if name in ("dict", "OrderedDict", "update"):
            for pair in [inner for argument in arguments for inner in ast.walk(argument)]:
                if is_pair(pair):
                    yield "dict", pair.elts[1]
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values):
            if key is not None and is_key(key):
                yield "dict", value
    elif isinstance(node, (ast.Tuple, ast.List)):
        if is_pair(node) and is_boolean(node.elts[1]):
            yield "pair", node.elts[1]
    elif isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        places = [is_place(target) for target in targets]
        if node.value is not None and any(places):
            place = "attribute" if isinstance(targets[places.index(True)], ast.Attribute) else "item"
            yield (place if all(places) else "shared"), node.value
    elif isinstance(node, (ast.Attribute, ast.Subscript)):
        if is_place(node) and isinstance(node.ctx, ast.Store):
            yield "target", node
    elif isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        if any(map(is_place, sides)):
            yield from (("comparison", side) for side in sides if is_boolean(side))
    elif isinstance(node, ast.ClassDef):
        yield from (("class-attribute", each.value) for each in node.body if assigned_name(each) == KEY)
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        for value in parameter_defaults(node.args):
            yield "parameter", value


def mentions(node):
    """Whether this names the back-off, in whatever role."""
    return KEY in (
        getattr(node, "arg", None),
        getattr(node, "attr", None),
        getattr(node, "id", None),
        getattr(node, "value", None) if isinstance(node, ast.Constant) else None,
    )


def is_boolean(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, bool)


def is_pair(node):
    return isinstance(node, (ast.Tuple, ast.List)) and len(node.elts) == 2 and is_key(node.elts[0])


def is_place(node):
    """Whether this is `x.retry_exponential_backoff` or `x["retry_exponential_backoff"]`."""
    if isinstance(node, ast.Attribute):
        return node.attr == KEY
    return isinstance(node, ast.Subscript) and is_key(index_of(node))


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


def assigned_name(node):
    """The one name that this statement assigns to."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        return getattr(node.targets[0], "id", None)
    return getattr(node.target, "id", None) if isinstance(node, ast.AnnAssign) and node.value is not None else None
