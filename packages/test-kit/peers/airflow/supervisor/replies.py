"""HTTP answers of the fake Execution API."""

from __future__ import annotations

import json
from typing import Any

try:
    import httpx2 as httpx
except ImportError:
    import httpx

NO_BODY = object()


def reply(status: int, payload: Any = NO_BODY, headers: dict[str, str] | None = None) -> httpx.Response:
    """``payload`` None is a body of JSON ``null``; left out, there is no body."""
    if payload is NO_BODY:
        return httpx.Response(status, headers=headers)
    content = json.dumps(payload)
    return httpx.Response(status, content=content, headers={"content-type": "application/json", **(headers or {})})


def missing(what: str) -> httpx.Response:
    return reply(404, {"detail": {"reason": "not_found", "message": what}})
