"""What the backend can do: store, read, forget, groups, clean-up; and the rows behind it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

from celery import Celery
from sqlalchemy import insert, select, update

from backend_peer.application import make_request
from backend_peer.values import JSON, make_result, tag, untag

Item = dict[str, Any]


def guarded(operation: Callable[..., JSON], *arguments: Any) -> JSON:
    """The outcome, or ``{"error": ...}`` when it raised."""
    try:
        return operation(*arguments)
    except Exception as error:
        kind = type(error)
        return {
            "error": {
                "type": kind.__name__,
                "module": kind.__module__,
                "message": str(error).split("\n[SQL")[0],
                "cause": repr(error.__cause__)[:300] if error.__cause__ else None,
            }
        }


def write(app: Celery, item: Item) -> JSON:
    """One write; ``date_done`` (ISO 8601) is set afterwards by hand.

    ``{"id", "state", "result", "traceback", "request", "via": "started"|"revoked", "date_done"}``,
    ``{"group", "results", "parent", "date_done"}``, ``{"forget": id}``, ``{"delete_group": id}``, or
    ``{"raw": {column: value | {"$hex": ...}}, "table": "task"|"group"}``, an INSERT past Celery.
    """
    backend = app.backend
    if "forget" in item:
        backend.forget(item["forget"])
        return {"forgot": item["forget"]}
    if "delete_group" in item:
        backend.delete_group(item["delete_group"])
        return {"deleted": item["delete_group"]}
    if "raw" in item:
        return _write_raw(app, item["raw"], item.get("table", "task"))
    if "group" in item and "id" not in item:
        group = make_result(item, app)
        backend.save_group(group.id, group)
        if item.get("date_done"):
            key = backend.taskset_cls.taskset_id
            _set_date_done(app, backend.taskset_cls, key, group.id, item["date_done"])
        return {"group": group.id}
    return _write_task(app, item)


def _write_task(app: Celery, item: Item) -> JSON:
    backend = app.backend
    request = make_request(app, item.get("request"))
    value = untag(item.get("result"), app)
    via = item.get("via")
    if via == "started":
        returned = backend.mark_as_started(item["id"], **value)
    elif via == "revoked":
        returned = backend.mark_as_revoked(item["id"], reason=value or "", request=request)
    else:
        returned = backend.store_result(
            item["id"],
            value,
            item.get("state", "SUCCESS"),
            traceback=item.get("traceback"),
            request=request,
        )
    if item.get("date_done"):
        key = backend.task_cls.task_id
        _set_date_done(app, backend.task_cls, key, item["id"], item["date_done"])
    return {"id": item["id"], "returned": tag(returned)}


def _write_raw(app: Celery, columns: Item, table: str) -> JSON:
    backend = app.backend
    row = {}
    for name, value in columns.items():
        if isinstance(value, dict) and "$hex" in value:
            value = bytes.fromhex(value["$hex"])
        elif name == "date_done" and isinstance(value, str):
            value = dt.datetime.fromisoformat(value)
        row[name] = value
    model = backend.taskset_cls if table == "group" else backend.task_cls
    with backend.ResultSession() as session:
        session.execute(insert(model.__table__).values(**row))
        session.commit()
    return {"raw": True}


def _set_date_done(app: Celery, table: Any, key: Any, identity: str, iso: str) -> None:
    when = dt.datetime.fromisoformat(iso)
    with app.backend.ResultSession() as session:
        session.execute(update(table).where(key == identity).values(date_done=when))
        session.commit()


def read_all(app: Celery, ids: list[str], groups: list[str]) -> JSON:
    """By id; a read that raises is ``{"error": ...}``."""
    return {
        "tasks": {task_id: guarded(read_task, app, task_id) for task_id in ids},
        "groups": {group_id: guarded(read_group, app, group_id) for group_id in groups},
    }


def read_task(app: Celery, task_id: str) -> JSON:
    """The meta, whether the row exists, and what an AsyncResult makes of it."""
    backend = app.backend
    meta = backend.get_task_meta(task_id, cache=False)
    out = {key: tag(value) for key, value in meta.items() if key != "date_done"}
    out.setdefault("children", None)
    out["date_done"] = _iso(meta.get("date_done"))
    out["exists"] = backend.task_result_exists(task_id)
    result = app.AsyncResult(task_id)
    children = result.children if result.ready() else None
    out["async"] = {
        "state": result.state,
        "ready": result.ready(),
        "successful": result.successful(),
        "failed": result.failed(),
        "children_tuples": tag([child.as_tuple() for child in children]) if children else None,
    }
    return out


def read_group(app: Celery, group_id: str) -> JSON:
    meta = app.backend.get_group_meta(group_id, cache=False)
    if meta is None:
        return None
    group = meta["result"]
    return {
        "taskset_id": meta["taskset_id"],
        "date_done": _iso(meta["date_done"]),
        "tuple": tag(group.as_tuple()) if hasattr(group, "as_tuple") else tag(group),
        "class": type(group).__name__,
    }


def _iso(when: Any) -> JSON:
    return when.isoformat() if isinstance(when, dt.datetime) else when


def dump(app: Celery) -> JSON:
    """All rows of both tables in the order of their ids."""
    backend = app.backend
    tables = {"task": backend.task_cls.__table__, "group": backend.taskset_cls.__table__}
    with backend.ResultSession() as session:
        return {
            name: [
                {key.split(".")[-1]: _raw(value) for key, value in row.items()}
                for row in session.execute(select(table).order_by(table.c.id)).mappings()
            ]
            for name, table in tables.items()
        }


def _raw(value: Any) -> JSON:
    if isinstance(value, bytes | bytearray | memoryview):
        return {"$hex": bytes(value).hex()}
    if isinstance(value, dt.datetime):
        return value.isoformat(sep=" ")
    return value


def cleanup(app: Celery, expires_seconds: float | None) -> JSON:
    if expires_seconds is not None:
        app.backend.expires = dt.timedelta(seconds=expires_seconds)
    app.backend.cleanup()
    return None
