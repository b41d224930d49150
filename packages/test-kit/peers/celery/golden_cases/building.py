"""Short ways to write cases down."""

from __future__ import annotations

from typing import Any

Case = dict[str, Any]

TRACEBACK = 'Traceback (most recent call last):\n  File "t.py", line 1, in f\nValueError: x\n'
REQUEST = {
    "id": "x",
    "task": "proj.add",
    "args": [1, 2],
    "kwargs": {"k": "v"},
    "hostname": "w1@host",
    "retries": 0,
    "delivery_info": {"routing_key": "celery", "exchange": ""},
}


def tagged(kind: str, value: Any) -> Case:
    return {"__type__": kind, "__value__": value}


def exception(kind: str, args: list[Any] | tuple[Any, ...] = (), module: str = "builtins") -> Case:
    return {"$exc": {"type": kind, "module": module, "args": list(args)}}


def ok(name: str, value: Any, **more: Any) -> Case:
    """A task of that name that succeeded."""
    return {"name": name, "write": [{"id": name, "state": "SUCCESS", "result": value, **more}]}


def bad(name: str, error: Case, state: str = "FAILURE", tb: str | None = TRACEBACK, **more: Any) -> Case:
    """A task of that name that failed."""
    return {"name": name, "write": [{"id": name, "state": state, "result": error, "traceback": tb, **more}]}
