"""The app of a real worker, for ``celery -A worker_app worker``.

Its settings come from the JSON file that ``CELERY_PEER_SETTINGS`` names (the URL has a password in
it): the fields of ``backend_peer.application.PeerOptions``.
"""

from __future__ import annotations

import datetime as dt
import decimal
import json
import os
import time
import uuid
from pathlib import Path
from typing import Any

from celery import Celery, Task
from celery.exceptions import Ignore

from backend_peer.application import PeerOptions, make_app

app: Celery = make_app(PeerOptions(**json.loads(Path(os.environ["CELERY_PEER_SETTINGS"]).read_text())))


class OutOfStock(Exception):
    """An error of the application's own."""


@app.task
def add(x: Any, y: Any) -> Any:
    return x + y


@app.task
def total(values: list[Any]) -> Any:
    return sum(values)


@app.task
def echo(value: Any) -> Any:
    return value


@app.task
def fail(*args: Any) -> None:
    raise ValueError(*args)


@app.task
def fail_with_own_error(item: str) -> None:
    raise OutOfStock(item, 3)


@app.task(bind=True, max_retries=5, default_retry_delay=0)
def succeed_on_try(self: Task, number: int) -> int:
    if self.request.retries + 1 < number:
        raise self.retry(exc=ConnectionError(f"try {self.request.retries + 1}"))
    return self.request.retries + 1


@app.task(bind=True, max_retries=1, default_retry_delay=0)
def never_succeed(self: Task) -> None:
    raise self.retry(exc=ConnectionError("refused"))


@app.task
def many_types() -> dict[str, Any]:
    zone = dt.timezone(dt.timedelta(hours=5, minutes=30))
    return {
        "datetime": dt.datetime(2024, 2, 29, 12, 34, 56, 789, tzinfo=dt.UTC),
        "zoned": dt.datetime(2024, 2, 29, 12, 34, 56, tzinfo=zone),
        "naive": dt.datetime(2024, 2, 29, 12, 34, 56),
        "date": dt.date(2024, 2, 29),
        "time": dt.time(23, 59, 59, 1),
        "decimal": decimal.Decimal("1.10"),
        "uuid": uuid.UUID("12345678123456781234567812345678"),
        "text_bytes": b"abc",
        "bytes": b"\xff\x00",
        "big": 2**80,
        "float": 1.0,
        "nan": float("nan"),
        "text": "\u4e2d\U0001f600",
    }


@app.task(bind=True)
def progress(self: Task, gate: str) -> str:
    """Reports progress, then waits until the file ``gate`` exists."""
    self.update_state(state="PROGRESS", meta={"current": 3, "total": 10})
    _wait_for(gate)
    return "done"


@app.task
def wait_for_file(gate: str) -> str:
    _wait_for(gate)
    return "done"


@app.task
def start_children() -> str:
    add.delay(1, 1)
    add.delay(2, 2)
    return "parent"


@app.task
def ignore() -> None:
    raise Ignore


@app.task
def kill_own_process() -> None:
    os.kill(os.getpid(), 9)


def _wait_for(gate: str) -> None:
    deadline = time.monotonic() + 60
    while not Path(gate).exists():
        if time.monotonic() > deadline:
            raise TimeoutError(gate)
        time.sleep(0.02)
