#!/usr/bin/env python3
"""Drive the real Celery database result backend from tests in another language.

One JSON request a line on stdin, one JSON reply a line on stdout; ends with stdin. Run it with the
Python of ``.peers/celery-5.7.0``. The first request is ``open``, later ones are answered by its app:

    {"op": "open", "url": "db+sqlite:////tmp/x.db", "serializer": "json", "extended": true, ...}
    {"op": "write", "items": [...]}                   store results, groups, raw rows
    {"op": "read", "ids": [...], "groups": [...]}     what Celery reads
    {"op": "dump"}                                    all raw columns, bytes as {"$hex": ...}
    {"op": "cleanup", "expires": 86400}               the backend's own clean-up
    {"op": "ddl"}                                     statements, and the tables as reflected
    {"op": "bench", "n": 500}                         operations per second
    {"op": "bench_cleanup", "rows": 100000, "expired": 100000}
    {"op": "send", "tasks": [...]}                    with a broker: to a worker (``canvas.py``)
    {"op": "wait", "id": "...", "timeout": 10}        AsyncResult.get

A reply is {"ok": true, "value": ...} or {"ok": false, "error": "...", "trace": "..."}. The fields of
``open`` are those of ``backend_peer.application.PeerOptions``; how values are written is told in
``backend_peer.values``. The URL comes this way because command lines can be read by everybody.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable
from typing import Any

from celery import Celery

from backend_peer import benchmarks, canvas, operations, schema
from backend_peer.application import PeerOptions, make_app

Request = dict[str, Any]

OPERATIONS: dict[str, Callable[[Celery, Request], Any]] = {
    "write": lambda app, r: [operations.guarded(operations.write, app, item) for item in r["items"]],
    "read": lambda app, r: operations.read_all(app, r.get("ids", []), r.get("groups", [])),
    "dump": lambda app, r: operations.dump(app),
    "cleanup": lambda app, r: operations.cleanup(app, r.get("expires")),
    "ddl": lambda app, r: schema.describe(app),
    "bench": lambda app, r: benchmarks.operations_a_second(app, r["n"]),
    "bench_cleanup": lambda app, r: benchmarks.cleanup_seconds(app, r["rows"], r["expired"]),
    "send": lambda app, r: canvas.send(app, r["tasks"]),
    "wait": lambda app, r: canvas.wait(app, r["id"], r["timeout"], r.get("interval", 0.5)),
}


def main() -> None:
    app: Celery | None = None
    for line in sys.stdin:
        try:
            request: Request = json.loads(line)
            operation = request.pop("op")
            if operation == "open":
                app = make_app(PeerOptions(**request))
                value: Any = app.backend.as_uri()
            elif app is None:
                raise ValueError("the first request must be open")
            else:
                value = OPERATIONS[operation](app, request)
            reply = {"ok": True, "value": value}
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
            reply = {"ok": False, "error": text, "trace": traceback.format_exc(limit=-4)}
        print(json.dumps(reply, default=str), flush=True)


if __name__ == "__main__":
    main()
