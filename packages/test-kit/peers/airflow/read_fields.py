"""Plans are JSON objects with the fields of a dataclass."""

from __future__ import annotations

import dataclasses
from typing import Any


def read_fields(kind: type, raw: object, where: str, error: type[Exception]) -> Any:
    """``kind`` made of ``raw``. A misspelt name is an ``error`` that says so, not silently a default."""
    if not isinstance(raw, dict):
        raise error(f"{where} is {type(raw).__name__}, expected an object")
    known = {entry.name for entry in dataclasses.fields(kind)}
    foreign = sorted(set(raw) - known)
    if foreign:
        raise error(f"{where} has {', '.join(foreign)}; known are {', '.join(sorted(known))}")
    try:
        return kind(**raw)
    except TypeError as problem:
        raise error(f"{where}: {problem}") from problem
