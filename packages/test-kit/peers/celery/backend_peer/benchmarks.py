"""How fast the backend is, for comparison on the same machine in the same run."""

from __future__ import annotations

import datetime as dt
import time
import uuid
from collections.abc import Callable

from celery import Celery
from sqlalchemy import delete, func, insert, select

from backend_peer.values import JSON

VALUE = {"ok": True, "n": 12345, "text": "x" * 64}
INSERT_BATCH = 5000


def operations_a_second(app: Celery, count: int) -> JSON:
    backend = app.backend
    backend.store_result("warm", 1, "SUCCESS")
    ids = [str(uuid.uuid4()) for _ in range(count)]

    def rate(operation: Callable[[str], object]) -> float:
        started = time.perf_counter()
        for task_id in ids:
            operation(task_id)
        return count / (time.perf_counter() - started)

    return {
        "n": count,
        "store_insert_ops_s": rate(lambda i: backend.store_result(i, VALUE, "STARTED")),
        "store_update_ops_s": rate(lambda i: backend.store_result(i, VALUE, "SUCCESS")),
        "get_task_meta_ops_s": rate(lambda i: backend.get_task_meta(i, cache=False)),
    }


def cleanup_seconds(app: Celery, rows: int, expired: int) -> JSON:
    """Fills the task table anew, the first ``expired`` rows three days old, and cleans up."""
    backend = app.backend
    table = backend.task_cls.__table__
    now = dt.datetime.now(dt.UTC).replace(tzinfo=None)
    old = now - dt.timedelta(days=3)
    with backend.ResultSession() as session:
        session.execute(delete(table))
        session.commit()
        for first in range(0, rows, INSERT_BATCH):
            batch = [
                {
                    "task_id": f"c{i}",
                    "status": "SUCCESS",
                    "result": b"1",
                    "date_done": old if i < expired else now,
                }
                for i in range(first, min(rows, first + INSERT_BATCH))
            ]
            session.execute(insert(table), batch)
        session.commit()
    started = time.perf_counter()
    backend.cleanup()
    took = time.perf_counter() - started
    with backend.ResultSession() as session:
        left = session.execute(select(func.count()).select_from(table)).scalar()
    return {"rows": rows, "expired": expired, "left": left, "seconds": took}
