#!/usr/bin/env python3
"""Makes recorded-bodies.ndjson and migrator-bodies.ndjson from golden recordings.

    python3 make-recorded.py GOLDEN_DIR      (needs msgspec)

GOLDEN_DIR holds `transcripts`, `airflow-3.4` and `python-runner`: frames recorded between
real Airflow 3.3.2 / 3.4.0b2 supervisors or task runners and their peers, and answers of
the real schema migrator, which are all kept. Of recorded bodies that differ only in ids, texts
and times one is kept.
"""
import datetime
import json
import re
import sys
from pathlib import Path

import msgspec

# What the real peer refused: file -> (type of the body, why). It took everything else.
REFUSED = {
    "probe-missing_field.jsonl": ("GetXCom", "not answered: fields are missing"),
    "probe-unknown_type.jsonl": ("Nonsense", "not answered: no such message"),
    "bad_response_type.jsonl": ("NoSuchType", "no such message"),
    "bad_startup.jsonl": ("StartupDetails", "max_tries is text"),
    "error_bad_code.jsonl": ("ErrorResponse", "no such error"),
    "error_no_type.jsonl": (None, "no type"),
    "hitl_api.jsonl": ("HITLDetailResponseResult", "in no union of a task"),
    "dagrun_extra_field.jsonl": ("StartupDetails", "unknown field of dag_run"),
    "no_tz_dagrun.jsonl": ("StartupDetails", "date-times of dag_run without a zone"),
}
# Text that decides on the verdict and so is part of a body's shape.
TELLING = {"type", "state", "error", "kind", "run_type", "email_type"}


def tagged(value):
    """JSON of a decoded value; what JSON cannot hold as {"$": …}."""
    if isinstance(value, dict):
        return {key: tagged(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [tagged(each) for each in value]
    if isinstance(value, datetime.datetime):
        return {"$": "datetime", "iso": value.isoformat()}
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 2**53:
        return {"$": "int", "v": str(value)}
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf")) or value == int(value)):
        return {"$": "float", "v": repr(value)}
    return value


def shape(value, key=""):
    if isinstance(value, dict):
        return {name: shape(each, name) for name, each in sorted(value.items())}
    if isinstance(value, list):
        return sorted({json.dumps(shape(each, key)) for each in value})
    if isinstance(value, str):
        if re.match(r"\d{4}-\d\d-\d\d[T ]", value):
            return "zoned" if re.search(r"(Z|[+-]\d\d:\d\d)$", value) else "naive"
        return value if key in TELLING or key == "$" else "text"
    return type(value).__name__


def recorded(golden):
    for folder in ("transcripts", "airflow-3.4/transcripts", "python-runner/3.3.2", "python-runner/3.4.0b2"):
        for file in sorted((golden / folder).glob("*.jsonl")):
            is_old = folder in ("transcripts", "python-runner/3.3.2") or "2026-06-16" in file.name or "airflow332" in file.name
            for line in file.read_text().splitlines():
                record = json.loads(line)
                if (record.get("chan") or record.get("ch")) != "comm" or "…" in record.get("hex", "…") or "..." in record["hex"]:
                    continue
                payload = bytes.fromhex(record["hex"])
                frame = msgspec.msgpack.decode(payload if folder.startswith("python") else payload[4:])
                if not isinstance(frame, list):
                    continue
                to_task = record["dir"] in ("to_child", "supervisor->child")
                for body in frame[1:3] if to_task else frame[1:2]:
                    if body is not None:
                        type_name, reason = REFUSED.get(file.name, ("", None))
                        yield {
                            "source": f"{folder}/{file.name}",
                            "refused": reason if body.get("type") == type_name else None,
                            "version": "2026-06-16" if is_old else "2026-10-30",
                            "direction": "to-task" if to_task else "to-supervisor",
                            "body": tagged(body),
                        }


def startup_details(golden):
    for name, frame in json.loads((golden / "airflow-3.4" / "startup_details.json").read_text()).items():
        if isinstance(frame, dict) and "hex" in frame:
            body = msgspec.msgpack.decode(bytes.fromhex(frame["hex"])[4:])[1]
            version = name.rpartition("_")[2]
            yield {"source": f"startup_details.json {name}", "refused": None, "version": version, "direction": "to-task", "body": tagged(body)}


def migrated(golden):
    for vector in json.loads((golden / "airflow-3.4" / "migrations.json").read_text())["vectors"]:
        yield {
            "op": vector["op"],
            "note": vector.get("note"),
            "version": vector["version"],
            "omits": vector.get("exclude_unset", False),
            "body": vector["body"],
            "result": vector.get("result"),
            "where": [each["loc"] for each in vector.get("where", [])],
        }


def recorded_identity(item):
    return [item["version"], item["direction"], item["refused"], shape(item["body"])]


def write(name, items, identity=None):
    seen = set()
    file = Path(__file__).parent / name
    with file.open("w", encoding="utf-8") as out:
        for item in items:
            key = json.dumps(identity(item)) if identity else len(seen)
            if key not in seen:
                seen.add(key)
                out.write(json.dumps(item, ensure_ascii=False, separators=(",", ":")) + "\n")
    print(name, len(seen))


if __name__ == "__main__":
    golden_dir = Path(sys.argv[1])
    write("recorded-bodies.ndjson", [*recorded(golden_dir), *startup_details(golden_dir)], recorded_identity)
    write("migrator-bodies.ndjson", migrated(golden_dir))
