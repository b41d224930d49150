"""Annotations as data.

A TYPE is one of
  {"kind": "int" | "float" | "str" | "bool" | "none" | "bytes" | "datetime" | "date" | "timedelta" |
   "decimal" | "uuid" | "any" | "never"}
  {"kind": "list" | "set" | "frozenset" | "map", "item": TYPE}
  {"kind": "tuple", "items": [TYPE], "rest": TYPE | null}
  {"kind": "union", "of": [TYPE]}          {"kind": "literal", "values": [...]}
  {"kind": "model", "name": name}          {"kind": "unknown", "text": source}

A MODEL is {"name", "kind": "map" | "object" | "pydantic", "fields": [{"name", "type", "isOptional"}]};
values of the two others than "map" (TypedDict) arrive wrapped with the name of their class.
"""

import ast

from decorators import dotted
from values import Model

SIMPLE = {
    "int": "int",
    "float": "float",
    "complex": "unknown",
    "str": "str",
    "bool": "bool",
    "bytes": "bytes",
    "object": "any",
    "None": "none",
}
PATHS = {
    "typing.Any": "any",
    "datetime.datetime": "datetime",
    "datetime.date": "date",
    "datetime.timedelta": "timedelta",
    "pendulum.DateTime": "datetime",
    "pendulum.datetime.DateTime": "datetime",
    "pendulum.Date": "date",
    "pendulum.date.Date": "date",
    "pendulum.Duration": "timedelta",
    "decimal.Decimal": "decimal",
    "uuid.UUID": "uuid",
}
LISTS = {"list", "List", "Sequence", "MutableSequence", "Iterable", "Collection", "Iterator"}
MAPS = {"dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict"}
SETS = {"set", "Set", "MutableSet", "AbstractSet"}
WRAPPERS = {"Annotated", "Final", "Required", "NotRequired", "ReadOnly", "ClassVar"}
ANY = {"kind": "any"}


class Annotations:
    """Reads annotations; keeps the classes of the file that they name."""

    def __init__(self):
        self.models = {}
        self.open = []  # named tuples that are being read: one may contain itself

    def read(self, node, env, depth=0):
        if node is None:
            return None
        if depth > 50:
            return {"kind": "unknown", "text": "…"}
        if type(node).__name__ == "Index":  # Python 3.8
            node = node.value
        if isinstance(node, ast.Constant):
            return self._constant(node, env, depth)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return union([self.read(side, env, depth + 1) for side in (node.left, node.right)])
        if isinstance(node, ast.Subscript):
            return self._generic(node, env, depth)
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self._name(node, env, depth)
        return unknown(node)

    def _constant(self, node, env, depth):
        if node.value is None:
            return {"kind": "none"}
        if isinstance(node.value, str):
            try:
                return self.read(ast.parse(node.value.strip(), mode="eval").body, env, depth + 1)
            except SyntaxError:
                pass
        return {"kind": "unknown", "text": repr(node.value)}

    def _name(self, node, env, depth):
        path = dotted(node, env)
        if path in PATHS:
            return {"kind": PATHS[path]}
        name = node.id if isinstance(node, ast.Name) else node.attr
        if path is not None or isinstance(node, ast.Attribute):
            bare = bare_generic(path, name)
            return bare if bare is not None else unknown(node)
        value = env.get(name)
        if isinstance(value, Model):
            return self._model(value)
        alias = env.node(name)
        if alias is not None:
            return self.read(alias, env, depth + 1)
        if name in SIMPLE:
            kind = SIMPLE[name]
            return unknown(node) if kind == "unknown" else {"kind": kind}
        bare = bare_generic(f"builtins.{name}", name)
        return bare if bare is not None and value is None else unknown(node)

    def _generic(self, node, env, depth):
        name = node.value.id if isinstance(node.value, ast.Name) else getattr(node.value, "attr", "")
        path = dotted(node.value, env)
        if path is not None:
            name = path.split(".")[-1]
        inner = node.slice.value if type(node.slice).__name__ == "Index" else node.slice
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        if name == "Literal":
            return literal_type(parts, node)
        if name in WRAPPERS:
            return self.read(parts[0], env, depth + 1)
        if name == "Optional":
            return union([self.read(parts[0], env, depth + 1), {"kind": "none"}])
        if name == "Union":
            return union([self.read(part, env, depth + 1) for part in parts])
        if name in ("tuple", "Tuple"):
            return self._tuple(parts, env, depth)
        item = self.read(parts[-1], env, depth + 1)
        if name in LISTS:
            return {"kind": "list", "item": item}
        if name in MAPS:
            return {"kind": "map", "item": item}
        if name in SETS or name in ("frozenset", "FrozenSet"):
            return {"kind": "set", "item": item}
        return unknown(node)

    def _tuple(self, parts, env, depth):
        if len(parts) == 2 and isinstance(parts[1], ast.Constant) and parts[1].value is Ellipsis:
            return {"kind": "tuple", "items": [], "rest": self.read(parts[0], env, depth + 1)}
        if len(parts) == 1 and isinstance(parts[0], ast.Tuple) and not parts[0].elts:
            parts = []
        items = [self.read(part, env, depth + 1) for part in parts]
        return {"kind": "tuple", "items": items, "rest": None}

    def _model(self, model):
        node = model.node
        kind = self.class_kind(model)
        if kind == "enum":
            values = [
                statement.value.value
                for statement in node.body
                if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant)
            ]
            return {"kind": "literal", "values": values} if values else unknown_text(node.name)
        if kind is None:
            return unknown_text(node.name)
        if kind == "tuple":
            if node in self.open:
                return unknown_text(node.name)
            self.open.append(node)
            fields = self._fields(model, kind)
            self.open.pop()
            return {"kind": "tuple", "items": [field["type"] for field in fields], "rest": None}
        if node.name not in self.models:
            entry = {"name": node.name, "kind": kind, "fields": []}
            self.models[node.name] = entry  # before its fields: they may name it
            entry["fields"] = self._fields(model, kind)
        return {"kind": "model", "name": node.name}

    def class_kind(self, model, depth=0):
        for decorator in model.node.decorator_list:
            target = decorator.func if isinstance(decorator, ast.Call) else decorator
            if (dotted(target, model.env) or "").split(".")[-1] in ("dataclass", "define", "frozen", "attrs"):
                return "object"
        for base in model.node.bases:
            name = (dotted(base, model.env) or starred_name(base, model.env) or "").split(".")[-1]
            if name == "TypedDict":
                return "map"
            if name == "NamedTuple":
                return "tuple"
            if name == "BaseModel":
                return "pydantic"
            if name in ("Enum", "IntEnum", "StrEnum"):
                return "enum"
            parent = model.env.get(base.id) if isinstance(base, ast.Name) else None
            if isinstance(parent, Model) and depth < 20:
                kind = self.class_kind(parent, depth + 1)
                if kind is not None:
                    return kind
        return None

    def _fields(self, model, kind, depth=0):
        fields = {}
        for base in model.node.bases:
            parent = model.env.get(base.id) if isinstance(base, ast.Name) else None
            if isinstance(parent, Model) and depth < 20:
                for field in self._fields(parent, kind, depth + 1):
                    fields[field["name"]] = field
        total = all(
            not (keyword.arg == "total" and getattr(keyword.value, "value", True) is False)
            for keyword in model.node.keywords
        )
        for statement in model.node.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                name = statement.target.id
                wrapper = wrapper_name(statement.annotation)
                if wrapper == "ClassVar":
                    continue
                optional = kind == "map" and (wrapper == "NotRequired" or not total and wrapper != "Required")
                read = self.read(statement.annotation, model.env)
                fields[name] = {"name": name, "type": read, "isOptional": optional}
        return list(fields.values())


def starred_name(node, env):
    """A name that the file does not make: it may come from `import *`."""
    return node.id if isinstance(node, ast.Name) and env.get(node.id) is None else None


def wrapper_name(node):
    if not isinstance(node, ast.Subscript):
        return None
    return node.value.id if isinstance(node.value, ast.Name) else getattr(node.value, "attr", None)


def bare_generic(path, name):
    """`list`, `typing.Mapping`: a container that says nothing of what is in it."""
    module = (path or "").split(".")[0]
    if module not in ("builtins", "typing", "collections", "typing_extensions"):
        return None
    if name == "Any":
        return ANY
    if name in LISTS:
        return {"kind": "list", "item": ANY}
    if name in MAPS:
        return {"kind": "map", "item": ANY}
    if name in SETS or name in ("frozenset", "FrozenSet"):
        return {"kind": "set", "item": ANY}
    if name in ("tuple", "Tuple"):
        return {"kind": "tuple", "items": [], "rest": ANY}
    return None


def union(types):
    flat = []
    for each in types:
        for part in each["of"] if each["kind"] == "union" else [each]:
            if part not in flat:
                flat.append(part)
    return flat[0] if len(flat) == 1 else {"kind": "union", "of": flat}


def literal_type(parts, node):
    values = [part.value for part in parts if isinstance(part, ast.Constant)]
    simple = all(value is None or isinstance(value, (str, int)) for value in values)
    return {"kind": "literal", "values": values} if simple and len(values) == len(parts) else unknown(node)


def unknown(node):
    unparse = getattr(ast, "unparse", None)  # Python 3.9
    return unknown_text("an annotation" if unparse is None else unparse(node))


def unknown_text(text):
    return {"kind": "unknown", "text": text}
