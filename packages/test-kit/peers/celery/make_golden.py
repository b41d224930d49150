#!/usr/bin/env python3
"""Write golden rows with the real Celery database backend.

    make_golden.py OUTDIR

``CELERY_GOLDEN_POSTGRESQL`` and ``CELERY_GOLDEN_MARIADB`` (``db+...://`` of an empty database) add theirs;
``node packages/test-kit/bin/celery-golden.mjs OUTDIR`` starts both servers and sets them.

A case holds "write" (what was asked, in the form of ``backend_peer.operations.write``), "row" (the raw
columns after it without the id, bytes as hex, base64 and, when short, UTF-8), "date_done" ("now", "null"
or "fixed"), and "read" (what Celery gives back) or "read_error"; "write_errors" where one was raised.
"""

from __future__ import annotations

import base64
import datetime as dt
import json
import os
import platform
import sys
import tempfile
from pathlib import Path
from typing import Any

import celery
import kombu
import sqlalchemy

from backend_peer import operations, schema
from backend_peer.application import PeerOptions, make_app
from golden_cases.building import Case, exception
from golden_cases.legacy import legacy_cases
from golden_cases.requests import CHILDREN, EXTENDED, GROUPS
from golden_cases.states import SEQUENCES, STATES
from golden_cases.values import VALUES

LONGEST_SHOWN_AS_TEXT = 2000
EXPIRES_S = 86400
AGES_S = {
    "fresh": 0,
    "one_hour": 3600,
    "just_young": EXPIRES_S - 120,
    "just_old": EXPIRES_S + 120,
    "ten_days": 864000,
    "future": -EXPIRES_S,
}


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as databases:
        # Pickled groups hold the URL: it must not differ from run to run.
        os.chdir(databases)
        write_sqlite(folder)
    for dialect in ("postgresql", "mariadb"):
        url = os.environ.get(f"CELERY_GOLDEN_{dialect.upper()}")
        if url is not None:
            write_server(folder, dialect, url)


def write_sqlite(folder: Path) -> None:
    def options(serializer: str = "json", extended: bool = False) -> PeerOptions:
        Path("gold.db").unlink(missing_ok=True)
        return PeerOptions(url="db+sqlite:///gold.db", serializer=serializer, extended=extended)

    plain = {
        "json_values": VALUES,
        "json_states": STATES,
        "json_sequences": SEQUENCES,
        "json_children": CHILDREN,
        "json_groups": GROUPS,
        "json_legacy_and_broken": legacy_cases(),
    }
    for name, cases in plain.items():
        save(folder, name, "sqlite", options(), cases)
    save(folder, "json_extended", "sqlite", options(extended=True), EXTENDED)
    save_document(folder, "cleanup", "sqlite", options(), cleanup_case(options()))
    save_ddl(folder, "sqlite", options())
    write_json(folder / "ddl_offline.json", schema.compile_offline(make_app(options())))
    values = [case for case in VALUES if case["name"] != "large_text_60k"]
    everything = [*values, *STATES, *CHILDREN, *EXTENDED]
    for serializer in ("pickle", "yaml", "msgpack"):
        save(folder, f"{serializer}_all", "sqlite", options(serializer, True), everything)
        save(folder, f"{serializer}_groups", "sqlite", options(serializer, True), GROUPS)


def write_server(folder: Path, dialect: str, url: str) -> None:
    options = PeerOptions(url=url, extended=True)
    cases = [*VALUES, *STATES, *SEQUENCES, *CHILDREN, *EXTENDED]
    save(folder, f"{dialect}_json", dialect, options, cases)
    save(folder, f"{dialect}_groups", dialect, options, GROUPS)
    save_ddl(folder, dialect, options)


def save(folder: Path, name: str, dialect: str, options: PeerOptions, cases: list[Case]) -> None:
    app = make_app(options)
    app.backend._sleep = lambda seconds: None  # retries that are in vain
    save_document(folder, name, dialect, options, [run_case(app, case) for case in cases])


def save_document(folder: Path, name: str, dialect: str, options: PeerOptions, cases: Any) -> None:
    versions = {
        "celery": celery.__version__,
        "kombu": kombu.__version__,
        "sqlalchemy": sqlalchemy.__version__,
        "python": platform.python_version(),
    }
    document = {
        "versions": versions,
        "dialect": dialect,
        "serializer": options.serializer,
        "extended": options.extended,
        "cases": cases,
    }
    write_json(folder / f"{name}.json", document)
    print(f"{name}: {len(cases)}")


def save_ddl(folder: Path, dialect: str, options: PeerOptions) -> None:
    app = make_app(options)
    operations.write(app, {"id": "ddl", "result": 1})
    write_json(folder / f"ddl_{dialect}.json", schema.describe(app))
    operations.write(app, {"forget": "ddl"})


def write_json(file: Path, document: Any) -> None:
    file.write_text(json.dumps(document, indent=1, default=str) + "\n", encoding="utf-8")


def run_case(app: celery.Celery, case: Case) -> Case:
    replies = [operations.guarded(operations.write, app, dict(write)) for write in case["write"]]
    errors = [reply.get("error") for reply in replies]
    rows = operations.dump(app)
    out: Case = {"name": case["name"], "write": case["write"]}
    out["write_errors"] = errors if any(errors) else None
    if case.get("note"):
        out["note"] = case["note"]
    if "group" in case:
        out["group"] = case["group"]
        row = next((row for row in rows["group"] if row["taskset_id"] == case["group"]), None)
        read = operations.guarded(operations.read_group, app, case["group"])
    else:
        row = next((row for row in rows["task"] if row["task_id"] == case["name"]), None)
        read = operations.guarded(operations.read_task, app, case["name"])
    out["row"] = None if row is None else describe_row(row)
    if row is not None:
        out["date_done"] = "null" if row["date_done"] is None else "now"
        if any("raw" in write for write in case["write"]):
            out["date_done"] = "fixed"
    if isinstance(read, dict) and "error" in read:
        out["read_error"] = read["error"]
    else:
        out["read"] = read
    return out


def describe_row(row: Case) -> Case:
    return {name: describe_column(value) for name, value in row.items() if name != "id"}


def describe_column(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    data = bytes.fromhex(value["$hex"])
    shown: Case = {"hex": value["$hex"], "base64": base64.b64encode(data).decode()}
    try:
        shown["utf8"] = data.decode() if len(data) < LONGEST_SHOWN_AS_TEXT else None
    except UnicodeDecodeError:
        pass
    return shown


def cleanup_case(options: PeerOptions) -> Case:
    """Rows around the cut-off of the clean-up, in UTC, and which survive."""
    app = make_app(options)
    now = dt.datetime.now(dt.UTC).replace(tzinfo=None)
    for name, age in AGES_S.items():
        when = (now - dt.timedelta(seconds=age)).isoformat()
        values = {"SUCCESS": 1, "FAILURE": exception("ValueError", ["x"])}
        for state, value in values.items():
            item = {"id": f"{name}_{state}", "state": state, "result": value, "date_done": when}
            operations.write(app, item)
        operations.write(app, {"group": f"g_{name}", "results": ["a"], "date_done": when})
    operations.write(app, {"id": "started_null", "via": "started", "result": {"pid": 1}})
    null_row = {"task_id": "old_null", "status": "SUCCESS", "result": {"$hex": "31"}, "date_done": None}
    operations.write(app, {"raw": null_row})
    before = operations.dump(app)
    app.backend.cleanup()
    after = operations.dump(app)
    return {
        "expires_seconds": app.backend.expires.total_seconds(),
        "ages_seconds": AGES_S,
        "tasks_before": [row["task_id"] for row in before["task"]],
        "tasks_after": [row["task_id"] for row in after["task"]],
        "groups_before": [row["taskset_id"] for row in before["group"]],
        "groups_after": [row["taskset_id"] for row in after["group"]],
    }


if __name__ == "__main__":
    main()
