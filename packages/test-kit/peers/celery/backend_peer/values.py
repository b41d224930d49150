"""Python values as plain JSON, and back.

What kombu's JSON tags is written as kombu does: ``{"__type__": T, "__value__": V}`` for datetime, date,
time, decimal, uuid, bytes (UTF-8) and base64. What JSON lacks is an object with one key that starts
with "$": ``{"$float": "nan"|"inf"|"-inf"}``, ``{"$int": digits}`` beyond 2**53, ``{"$exc": {...}}``,
``{"$set": [...]}``, ``{"$tuple": [...]}``, ``{"$map": [[key, value], ...]}`` for keys that are not text,
``{"$result": tuple}`` and ``{"$repr": text}`` for the rest.
"""

from __future__ import annotations

import datetime as dt
import decimal
import importlib
import json
import uuid
from typing import Any

from celery import Celery
from celery.result import result_from_tuple
from kombu.utils import json as kombu_json

JSON = Any
LARGEST_PLAIN_INT = 2**53


def tag(value: Any) -> JSON:
    """A Python value as plain JSON."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value if abs(value) <= LARGEST_PLAIN_INT else {"$int": str(value)}
    if isinstance(value, float):
        return _tag_float(value)
    if isinstance(value, dt.datetime | dt.date | dt.time):
        kind = next(k for k in (dt.datetime, dt.date, dt.time) if isinstance(value, k))
        return {"__type__": kind.__name__, "__value__": value.isoformat()}
    if isinstance(value, decimal.Decimal):
        return {"__type__": "decimal", "__value__": str(value)}
    if isinstance(value, uuid.UUID):
        return {"__type__": "uuid", "__value__": {"hex": value.hex}}
    if isinstance(value, bytes | bytearray | memoryview):
        return json.loads(kombu_json.dumps(bytes(value)))
    if isinstance(value, BaseException):
        return {"$exc": _describe_exception(value)}
    return _tag_container(value)


def _tag_float(value: float) -> JSON:
    if value != value:
        return {"$float": "nan"}
    if value in (float("inf"), float("-inf")):
        return {"$float": "inf" if value > 0 else "-inf"}
    return value


def _tag_container(value: Any) -> JSON:
    if isinstance(value, dict):
        if all(isinstance(key, str) for key in value):
            return {key: tag(item) for key, item in value.items()}
        return {"$map": [[tag(key), tag(item)] for key, item in value.items()]}
    if isinstance(value, tuple):
        return {"$tuple": [tag(item) for item in value]}
    if isinstance(value, list):
        return [tag(item) for item in value]
    if isinstance(value, set | frozenset):
        return {"$set": [tag(item) for item in sorted(value, key=repr)]}
    if hasattr(value, "as_tuple"):
        return {"$result": tag(value.as_tuple())}
    return {"$repr": repr(value)}


def _describe_exception(error: BaseException) -> JSON:
    kind = type(error)
    return {
        "type": kind.__qualname__,
        "module": kind.__module__,
        "args": [tag(argument) for argument in error.args],
        "str": str(error),
        "repr": repr(error),
        "mro": [base.__name__ for base in kind.__mro__],
    }


def untag(value: JSON, app: Celery) -> Any:
    """The inverse of ``tag``."""
    if isinstance(value, list):
        return [untag(item, app) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        ((key, content),) = value.items()
        if key in _UNTAGGERS:
            return _UNTAGGERS[key](content, app)
    if set(value) == {"__type__", "__value__"}:
        return kombu_json.object_hook(value)
    return {key: untag(item, app) for key, item in value.items()}


def make_exception(spec: JSON, app: Celery) -> BaseException:
    """An exception by type, module and args; a class that can't be imported is made up."""
    args = [untag(argument, app) for argument in spec.get("args", [])]
    module, name = spec.get("module", "builtins"), spec["type"]
    try:
        kind: Any = importlib.import_module(module)
        for part in name.split("."):
            kind = getattr(kind, part)
    except (ImportError, AttributeError):
        attributes = {"__module__": module, "__qualname__": name}
        kind = type(name.rsplit(".", 1)[-1], (Exception,), attributes)
    return kind(*args)


def make_result(spec: JSON, app: Celery) -> Any:
    """An AsyncResult or GroupResult.

    ``"id"``, ``{"id": ..., "parent": spec}``, ``{"group": id, "results": [spec...], "parent": spec}``,
    or a list in Celery's own shape ``[[id, parent], nodes]``.
    """
    if isinstance(spec, list):
        return result_from_tuple(spec, app)
    if isinstance(spec, str):
        return app.AsyncResult(spec)
    parent = make_result(spec["parent"], app) if spec.get("parent") else None
    if "group" in spec:
        members = [make_result(member, app) for member in spec.get("results", [])]
        return app.GroupResult(spec["group"], members, parent=parent)
    return app.AsyncResult(spec["id"], parent=parent)


_UNTAGGERS = {
    "$float": lambda text, app: float(text),
    "$int": lambda digits, app: int(digits),
    "$set": lambda items, app: {untag(item, app) for item in items},
    "$tuple": lambda items, app: tuple(untag(item, app) for item in items),
    "$map": lambda pairs, app: {untag(key, app): untag(item, app) for key, item in pairs},
    "$exc": make_exception,
    "$result": make_result,
}
