"""Answers what the real Airflow makes of message bodies: one JSON line for each line of stdin.

    .peers/airflow-3.4.0b2/bin/python schema_bodies.py < requests.ndjson > answers.ndjson

A request: {"op", "body"} and, as keyword arguments of `model_dump`, {"options"}. Date-times that
arrive as a MessagePack timestamp are {"$": "datetime", "iso"}.

op "upgrade":   the migrator's answer to a body of a child of {"version"}      (3.4.0b2 only)
op "downgrade": what the migrator sends for a body to a child of {"version"}   (3.4.0b2 only)
op "send":      what the models make of a body, without a migration
op "judge":     whether the supervisor takes the body from a task, on either channel

An answer: {"result"}, or {"error", "where"} where it was refused.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import sys
import tempfile
from datetime import datetime

HOME = tempfile.mkdtemp(prefix="parlance-schema-bodies-")
atexit.register(shutil.rmtree, HOME, ignore_errors=True)
os.environ["AIRFLOW_HOME"] = HOME

from pydantic import BaseModel, TypeAdapter, ValidationError  # noqa: E402
from pydantic_core import to_jsonable_python  # noqa: E402

from airflow.dag_processing.processor import ToManager  # noqa: E402
from airflow.sdk.execution_time.comms import ToSupervisor  # noqa: E402
from airflow.sdk.execution_time.schema import get_schema_version_migrator, registered_models_by_name  # noqa: E402

MODELS: dict[str, type[BaseModel]] = registered_models_by_name()
MIGRATOR = get_schema_version_migrator()
CHANNELS = [TypeAdapter(union) for union in (ToSupervisor, ToManager)]


def answer(request: dict) -> dict:
    body = revive(request["body"])
    options = request.get("options", {})
    try:
        if request["op"] == "judge":
            return judge(body)
        model = MODELS[body["type"]]
        if request["op"] == "upgrade":
            return {"result": to_jsonable_python(MIGRATOR.upgrade(body, model, request["version"]))}
        message = model.model_validate(body)
        if request["op"] == "downgrade":
            message = MIGRATOR.downgrade(message, request["version"], **options)
        return {"result": message.model_dump(mode="json", **options)}
    except ValidationError as error:
        return refusal(error)
    except Exception as error:  # a validator of Airflow's own, run on what it did not expect
        return {"error": type(error).__name__, "where": []}


def judge(body: object) -> dict:
    errors = []
    for channel in CHANNELS:
        try:
            channel.validate_python(body)
            return {"result": True}
        except ValidationError as error:
            errors.append(error)
    # The union that knows the message says more than "no such tag".
    return refusal(max(errors, key=lambda error: len(error.errors()[0]["loc"])))


def refusal(error: ValidationError) -> dict:
    where = [[str(step) for step in each["loc"]] + [each["type"]] for each in error.errors()]
    return {"error": type(error).__name__, "where": where}


def revive(value: object) -> object:
    if isinstance(value, list):
        return [revive(each) for each in value]
    if not isinstance(value, dict):
        return value
    if value.get("$") == "datetime":
        return datetime.fromisoformat(value["iso"])
    return {key: revive(each) for key, each in value.items()}


if __name__ == "__main__":
    for line in sys.stdin:
        text = json.dumps(answer(json.loads(line)))
        if "NaN" in text:  # which is no JSON
            text = json.dumps(json.loads(text, parse_constant=lambda name: None))
        print(text)
