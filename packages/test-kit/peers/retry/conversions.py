"""Record what each place of the genuine Airflow makes of a value in a Dag file.

    python conversions.py > packages/retry/test/data/conversions.json

A row: ``place`` (operator, operator-mapped, task, task-mapped), ``field``, ``value``; then ``held`` by the task
object, ``json`` of the serialised Dag (absent when left out), ``read`` by the scheduler. ``error`` is the exception class
of the construction or the deserialisation, ``held_error`` and ``read_error`` of reading the attribute.
Values that JSON lacks: ``{"$f": "nan"}``, ``{"$int": "…"}``, ``{"$us": "microseconds"}`` for a timedelta,
``{"$list": true}`` for an empty list.
"""
from __future__ import annotations

import json
import sys
from datetime import timedelta

import airflow
from cases import enc
from genuine import DAG, EPOCH, US, DagSerialization, Op, dec
from airflow.sdk import task as task_decorator

NAN, INF = {"$f": "nan"}, {"$f": "inf"}
HUGE = {"$int": str(10**400)}
DELAYS = [300, 300.5, 0, True, False, None, -5, 1.0000005, "5", "", NAN, INF, 1e300, 1e15, HUGE, {"$us": "300000000"}, {"$us": "0"},
          {"$us": "-1"}, {"$us": "9007199254740993"}, {"$us": str(timedelta.max // US)}, {"$list": True}]
VALUES = {
    "retry_delay": DELAYS,
    "max_retry_delay": DELAYS,
    "retries": ["3", " 1_0 ", "x", "", "2.5", 2.7, -2.7, None, True, False, -1, 0, 3, NAN, INF, {"$int": str(10**20)},
                {"$list": True}, {"$us": "1000000"}],
    "retry_exponential_backoff": [True, False, 0, -0.0, 1, 2, 2.5, -1, None, "2.0", " 2_0 ", "abc", "", "nan", "-inf", NAN,
                                  INF, {"$f": "-inf"}, HUGE, {"$int": str(10**30)}, {"$list": True}, {"$us": "86400000000"}],
}


def decode(value):
    if isinstance(value, dict) and "$us" in value:
        return timedelta(microseconds=int(value["$us"]))
    if isinstance(value, dict) and "$list" in value:
        return []
    return dec(value)


def encode(value):
    if isinstance(value, timedelta):
        return {"$us": str(value // US)}
    return {"$list": True} if value == [] else enc(value)


def build(place: str, kw: dict) -> tuple[DAG, object]:
    with DAG("d", schedule=None, start_date=EPOCH) as dag:
        if place == "operator":
            return dag, Op(task_id="t", **kw)
        if place == "operator-mapped":
            return dag, Op.partial(task_id="t", **kw).expand(x=[1, 2])
        decorated = task_decorator(task_id="t", **kw)(lambda x: None)
        return dag, (decorated(1) if place == "task" else decorated.expand(x=[1, 2])).operator


def record(place: str, field: str, value) -> dict:
    row = {"place": place, "field": field, "value": value}
    try:
        dag, task = build(place, {field: decode(value)})
        text = json.dumps(DagSerialization.to_dict(dag))
    except Exception as e:
        return {**row, "error": type(e).__name__}
    try:
        row["held"] = encode(getattr(task, field))
    except Exception as e:
        row["held_error"] = type(e).__name__
    stored = json.loads(text)["dag"]["tasks"][0]["__var"]
    stored = stored["partial_kwargs"] if place.endswith("mapped") else stored
    if field in stored:
        row["json"] = enc(stored[field])
    try:
        loaded = DagSerialization.from_dict(json.loads(text)).get_task("t")
    except Exception as e:
        return {**row, "error": type(e).__name__}
    try:
        row["read"] = encode(getattr(loaded, field))
    except Exception as e:
        row["read_error"] = type(e).__name__
    return row


def main() -> None:
    rows = [
        record(place, field, value)
        for field, values in VALUES.items()
        for value in values
        for place in ("operator", "operator-mapped", "task", "task-mapped")
    ]
    head = {"airflow": airflow.__version__, "python": sys.version.split()[0], "count": len(rows)}
    lines = ",\n".join(json.dumps(row) for row in rows)
    sys.stdout.write(json.dumps(head)[:-1] + ', "rows": [\n' + lines + "\n]}\n")


if __name__ == "__main__":
    main()
