"""Documents good and bad: a small Dag, each with one thing changed."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

Dag = dict[str, Any]


def task(task_id: str, **more: Any) -> Dag:
    return {"__type": "operator", "__var": {"task_id": task_id, "task_type": "TypeScriptTask", "_task_module": "mini.native", **more}}


GROUP: Dag = {
    "_group_id": None,
    "group_display_name": "",
    "prefix_group_id": True,
    "tooltip": "",
    "ui_color": "CornflowerBlue",
    "ui_fgcolor": "#000",
    "children": {"a": ["operator", "a"], "b": ["operator", "b"]},
    "upstream_group_ids": [],
    "downstream_group_ids": [],
    "upstream_task_ids": [],
    "downstream_task_ids": [],
}
BASE: Dag = {
    "__version": 3,
    "dag": {
        "dag_id": "n",
        "fileloc": "/b/x.min.mjs",
        "relative_fileloc": "x.min.mjs",
        "timezone": "UTC",
        "timetable": {"__type": "airflow.timetables.simple.NullTimetable", "__var": {}},
        "tasks": [task("a", downstream_task_ids=["b"]), task("b")],
        "task_group": GROUP,
    },
}
CRON = {"expression": "0 0 * * *", "timezone": "UTC"}


def timetable(name: str, **data: Any) -> Dag:
    return {"__type": f"airflow.timetables.{name}", "__var": data}


def cases() -> Iterator[tuple[str, Any]]:
    for name, change in changes():
        document = copy.deepcopy(BASE)
        change(document)
        yield name, document
    yield "not an object", {"x": 1}


def changes() -> Iterator[tuple[str, Callable[[Dag], Any]]]:
    yield "minimal", lambda d: None
    for key in BASE["dag"]:
        yield f"without dag.{key}", lambda d, key=key: d["dag"].pop(key)
    for key in ("task_id", "task_type", "_task_module"):
        yield f"task without {key}", lambda d, key=key: first(d).pop(key)
    for key in GROUP:
        yield f"task_group without {key}", lambda d, key=key: d["dag"]["task_group"].pop(key)
    yield "no __version", lambda d: d.pop("__version")
    for version in (2, 1, 4, "3"):
        label = "text" if version == "3" else version
        yield f"__version {label}", lambda d, version=version: d.update(__version=version)
    yield "unknown dag key", lambda d: d["dag"].update(zz=1)
    yield "unknown task key", lambda d: first(d).update(zz=1)
    yield "unknown top key", lambda d: d.update(zz=1)
    yield from graphs()
    for name, field, value in FIELDS:
        yield name, lambda d, field=field, value=value: first(d).update({field: value})
    stub = {"is_stub": True, "_arg_bindings": [{"name": "a", "kind": "literal", "value": 1}]}
    yield "is_stub with arg bindings", lambda d: first(d).update(stub)
    for name, more in DAG_FIELDS:
        yield name, lambda d, more=more: d["dag"].update(copy.deepcopy(more))
    slashed = {"tasks": [task("a/b")], "task_group": {**GROUP, "children": {"a/b": ["operator", "a/b"]}}}
    yield "task_id with slash", lambda d: d["dag"].update(slashed)


def first(document: Dag) -> Dag:
    return document["dag"]["tasks"][0]["__var"]


def graphs() -> Iterator[tuple[str, Callable[[Dag], Any]]]:
    yield "no tasks", lambda d: d["dag"].update(tasks=[], task_group={**GROUP, "children": {}})
    yield "duplicate task", lambda d: d["dag"]["tasks"].append(task("a"))
    yield "cycle", lambda d: d["dag"]["tasks"][1]["__var"].update(downstream_task_ids=["a"])
    yield "downstream unknown", lambda d: first(d).update(downstream_task_ids=["zz"])
    yield "child missing in group", lambda d: d["dag"]["task_group"]["children"].pop("b")
    yield "group child without task", lambda d: d["dag"]["task_group"]["children"].update(c=["operator", "c"])
    yield "task type not 'operator'", lambda d: d["dag"]["tasks"][0].update(__type="zz")


FIELDS = [
    ("queue", "queue", "ts"),
    ("queue number", "queue", 5),
    ("retries", "retries", 3),
    ("retries text", "retries", "3"),
    ("retry_delay number", "retry_delay", 60.0),
    ("retry_delay object", "retry_delay", {"__type": "timedelta", "__var": 60.0}),
    ("trigger_rule", "trigger_rule", "all_done"),
    ("trigger_rule unknown", "trigger_rule", "zz"),
    ("pool", "pool", "p"),
    ("language on the task", "language", "typescript"),
    ("owner", "owner", "me"),
]
DAG_FIELDS: list[tuple[str, Dag]] = [
    ("params", {"params": []}),
    ("params object", {"params": {}}),
    ("cron timetable", {"timetable": timetable("trigger.CronTriggerTimetable", **CRON, interval=0.0, run_immediately=False)}),
    ("cron data interval", {"timetable": timetable("interval.CronDataIntervalTimetable", **CRON)}),
    ("cron invalid", {"timetable": timetable("interval.CronDataIntervalTimetable", expression="zz", timezone="UTC")}),
    ("once", {"timetable": timetable("simple.OnceTimetable")}),
    ("continuous without max_active_runs", {"timetable": timetable("simple.ContinuousTimetable")}),
    ("unknown timetable", {"timetable": {"__type": "my.Timetable", "__var": {}}}),
    ("delta timetable", {"timetable": timetable("interval.DeltaDataIntervalTimetable", delta=3600.0)}),
    ("catchup true, cron, no start", {"catchup": True, "timetable": timetable("interval.CronDataIntervalTimetable", **CRON)}),
    ("start_date number", {"start_date": 1767312000.0}),
    ("start_date text", {"start_date": "2026-01-01T00:00:00Z"}),
    ("start_date wrapped", {"start_date": {"__type": "datetime", "__var": 1767312000.0}}),
    ("tags list", {"tags": ["x"]}),
    ("tags set", {"tags": {"__type": "set", "__var": ["x"]}}),
    ("max_active_runs", {"max_active_runs": 1}),
    ("timezone unknown", {"timezone": "Mars/Base"}),
    ("dag_id empty", {"dag_id": ""}),
    ("dag_id with space", {"dag_id": "a b"}),
    ("dag_id number", {"dag_id": 5}),
    ("description", {"description": "d"}),
    ("dag_id 260 characters", {"dag_id": "a" * 260}),
]
