"""Lets the real serde write and read values.

    .peers/airflow-3.3.2/bin/python serde_values.py < questions.ndjson > answers.ndjson

A wire value is the base64 of a frame's payload, `[0, {"value": ...}]` in MessagePack, as the supervisor
encodes it. Whatever is read goes through JSON text first, as the API server stores it. Questions:

    {"write": "datetime.date(2026, 1, 2)"}     -> {"wire"} of the value of that expression, or {"error"}
    {"read": WIRE}                             -> {"type", "repr"} or {"error"}
    {"random": COUNT, "seed": N}               -> {"wires": [...]}, and the values are kept
    {"compare": [WIRE, ...]}                   -> {"different": [[kept, read], ...]} of those that are not equal

2 s for the start.
"""

from __future__ import annotations

import atexit
import base64
import datetime
import decimal
import json
import logging
import os
import random
import shutil
import sys
import tempfile
import uuid
import zoneinfo

HOME = tempfile.mkdtemp(prefix="parlance-serde-")
atexit.register(shutil.rmtree, HOME, ignore_errors=True)
os.environ["AIRFLOW_HOME"] = HOME

import msgspec  # noqa: E402
import pendulum  # noqa: E402
from airflow.sdk.serde import deserialize, serialize  # noqa: E402

logging.disable(logging.CRITICAL)
NAMES = {
    "datetime": datetime,
    "decimal": decimal,
    "pendulum": pendulum,
    "uuid": uuid,
    "zoneinfo": zoneinfo,
}
UTC = datetime.timezone.utc
kept: list[object] = []


def write(value: object) -> str:
    payload = msgspec.msgpack.encode([0, {"value": serialize(value)}])
    return base64.b64encode(payload).decode()


def read(wire: str) -> object:
    value = msgspec.msgpack.decode(base64.b64decode(wire))[1]["value"]
    return deserialize(json.loads(json.dumps(value)))


def random_scalar(source: random.Random) -> object:
    micros = source.randrange(-(10**15), 4 * 10**15)
    moment = datetime.datetime(1970, 1, 1, tzinfo=UTC) + datetime.timedelta(microseconds=micros)
    zone = source.choice(["Europe/Paris", "Asia/Kolkata", "America/New_York", "UTC"])
    return source.choice(
        [
            lambda: source.choice([None, True, False, "", "text", "\u65e5\U0001f680"]),
            lambda: source.randrange(-(2**63), 2**64),
            lambda: source.choice([1, -1]) * source.random() * 10.0 ** source.randrange(-300, 300),
            lambda: moment,
            lambda: moment.replace(tzinfo=None),
            lambda: moment.astimezone(zoneinfo.ZoneInfo(zone)),
            lambda: pendulum.instance(moment).in_timezone(zone),
            lambda: pendulum.instance(moment).in_timezone(pendulum.FixedTimezone(5400)),
            lambda: moment.date(),
            lambda: datetime.timedelta(microseconds=source.randrange(-(10**14), 10**14)),
            lambda: datetime.timedelta(seconds=source.randrange(-(10**6), 10**6)),
            lambda: decimal.Decimal(source.randrange(-(10**12), 10**12)),
            lambda: decimal.Decimal(source.randrange(10**12)).scaleb(-source.randrange(1, 9)),
            lambda: uuid.UUID(int=source.getrandbits(128)),
        ]
    )()


def random_value(source: random.Random, depth: int) -> object:
    if depth == 0 or source.random() < 0.4:
        return random_scalar(source)
    items = [random_value(source, depth - 1) for _ in range(source.randrange(4))]
    kind = source.randrange(5)
    if kind == 0:
        return items
    if kind == 1:
        return tuple(items)
    if kind == 2:
        # No key is a number alone: JavaScript would put it first.
        return {source.choice(["a", "__proto__", "b c", "."]) + str(at): item for at, item in enumerate(items)}
    hashable = [random_scalar(source) for _ in items]
    return set(hashable) if kind == 3 else frozenset(hashable)


def same(one: object, other: object) -> bool:
    """Equal and of the same kind; `1 == True` is no equality here, and `-0.0` is one of its own."""
    if isinstance(one, datetime.datetime) and isinstance(other, datetime.datetime):
        return one == other and one.utcoffset() == other.utcoffset() and type(one) is type(other)
    if isinstance(one, float) and one.is_integer() and isinstance(other, int):
        return one == other  # JavaScript has one kind of whole number
    if type(one) is not type(other):
        return False
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    return one == other


def answer(question: dict) -> dict:
    if "write" in question:
        return {"wire": write(eval(question["write"], dict(NAMES)))}
    if "read" in question:
        value = read(question["read"])
        return {"type": f"{type(value).__module__}.{type(value).__qualname__}", "repr": repr(value)}
    if "random" in question:
        source = random.Random(question["seed"])
        kept[:] = [random_value(source, 3) for _ in range(question["random"])]
        return {"wires": [write(value) for value in kept]}
    # What Python makes of its own text: a Decimal goes through a float there, and loses digits.
    pairs = [(read(write(mine)), read(wire)) for mine, wire in zip(kept, question["compare"], strict=True)]
    return {"different": [[repr(mine), repr(theirs)] for mine, theirs in pairs if not same(mine, theirs)]}


for line in sys.stdin:
    try:
        reply = answer(json.loads(line))
    except Exception as problem:  # noqa: BLE001: it is the answer
        reply = {"error": f"{type(problem).__name__}: {problem}"}
    print(json.dumps(reply), flush=True)
