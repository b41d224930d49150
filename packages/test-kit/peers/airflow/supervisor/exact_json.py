"""Numbers that JavaScript's JSON loses, in the notation of `parlance`.

An integer beyond 2^53 is ``{"$": "int", "v": "9007199254740993"}``, a float that is whole
``{"$": "float", "v": "1.0"}``. Other values are themselves.
"""

from __future__ import annotations

from typing import Any

SAFE = 2**53 - 1


def to_exact(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: to_exact(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [to_exact(inner) for inner in value]
    if isinstance(value, float) and (value.is_integer() or value != value or abs(value) == float("inf")):
        return {"$": "float", "v": repr(value)}
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > SAFE:
        return {"$": "int", "v": str(value)}
    return value


def from_exact(value: Any) -> Any:
    if isinstance(value, list):
        return [from_exact(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    match value:
        case {"$": "int", "v": str(digits), **rest} if not rest:
            return int(digits)
        case {"$": "float", "v": str(text), **rest} if not rest:
            return float(text)
    return {key: from_exact(inner) for key, inner in value.items()}
