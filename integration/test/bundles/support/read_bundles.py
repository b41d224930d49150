#!/usr/bin/env python3
"""What the real bundle readers of the installed Airflow make of files; driven by real-readers.ts.

    read_bundles.py  < NDJSON  > NDJSON

A line in is {"reader": "executable" | "node", "files": [{"path", "dagId"}]}, a line out a list with a
row a file:

    verdict       "ok", "no-footer", "bad-version", ... as Parlance names them; "escaped" for an exception
                  that leaves the search for bundles and so ends it for all files
    offsets       where the regions start and end; null where the reader got no as far
    metadata      the whole document, typed (neutral); null when it was not read, or not as far
    dagIds, schemaVersion
    found         the schema version that the search itself gives for this file and Dag id; null for none
"""
import contextlib
import datetime as dt
import json
import os
import struct
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("AIRFLOW_HOME", tempfile.gettempdir() + "/parlance-no-airflow")

from airflow.sdk.coordinators.executable import coordinator as executable  # noqa: E402
from airflow.sdk.log import configure_logging  # noqa: E402

try:  # 3.4
    from airflow.sdk.coordinators._bundle_metadata import extract_supervisor_schema_version
    from airflow.sdk.coordinators.node import _bundle_reader as node_reader
    from airflow.sdk.coordinators.node import coordinator as node
except ImportError:
    node = None
    extract_supervisor_schema_version = executable._supervisor_schema_version

FOOTER_FAULTS = {
    "Unsupported bundle footer_ver": "bad-version",
    "non-zero reserved bytes": "reserved-bytes",
    "extend past the start": "out-of-bounds",
    "leaves no room": "no-executable",
}


def is_broken(text):
    return any("\ud800" <= character < "\ue000" for character in text)


def neutral(value):
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        units = value.encode("utf-16-be", "surrogatepass")
        return {"units": units.hex()} if is_broken(value) else value
    if isinstance(value, int):
        return {"int": hex(value)}
    if isinstance(value, float):
        return {"float": struct.pack(">d", value if value == value else float("nan")).hex()}
    if isinstance(value, dt.datetime):
        return {"datetime": value.isoformat()}
    if isinstance(value, dt.date):
        return {"date": value.isoformat()}
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, (set, frozenset)):
        return {"set": [neutral(item) for item in value]}
    if isinstance(value, (list, tuple)):
        return [neutral(item) for item in value]
    return {"map": [[neutral(key), neutral(item)] for key, item in value.items()]}


def whole(value):
    """A document that holds itself has no end."""
    try:
        return neutral(value)
    except RecursionError:
        return {"deep": True}


def schema_version(metadata):
    try:
        return extract_supervisor_schema_version(metadata)
    except ValueError:
        return None


def read_executable(path, row):
    with path.open("rb") as file:
        try:
            footer = executable._Footer.read(file, path, os.fstat(file.fileno()).st_size)
        except ValueError as fault:
            return row | {"verdict": next(code for text, code in FOOTER_FAULTS.items() if text in str(fault))}
        if footer is None:
            return row | {"verdict": "no-footer"}
        row["offsets"] = [
            footer.source_start, footer.source_len, footer.metadata_start, footer.metadata_len,
        ]
        digest = executable._hash_open_file(file, footer.source_start, path)
    metadata = executable._read_bundle_metadata(path)
    if digest != footer.binary_sha256:
        assert metadata is None
        return row | {"verdict": "digest-mismatch"}
    if metadata is None:
        return row | {"verdict": "bad-metadata"}
    # No Dag has half characters in its id.
    ids = [key for key in executable._dag_ids(metadata) if isinstance(key, str) and not is_broken(key)]
    return row | {
        "verdict": "ok",
        "metadata": whole(metadata),
        "dagIds": ids,
        "schemaVersion": schema_version(metadata),
    }


def read_node(path, row):
    try:
        with path.open("rb") as file:
            stats = os.fstat(file.fileno())
            layout, payloads = node_reader._read_bundle_headers(file, path=path, file_size=stats.st_size)
            sections = [layout.metadata, *layout.sources, layout.code]
            row["offsets"] = [offset for section in sections for offset in (section.start, section.end)]
    except ValueError:
        return row | {"verdict": "bad-layout"}
    try:
        found = node_reader.read_bundle(path)
    except ValueError as fault:
        return row | {"verdict": "digest-mismatch" if "SHA-256 mismatch" in str(fault) else "bad-metadata"}
    return row | {
        "verdict": "ok",
        "metadata": whole(json.loads(payloads.metadata)),
        "dagIds": neutral(list(found.dag_ids)),
        "schemaVersion": found.supervisor_schema_version,
    }


def find(search, path, dag_id):
    try:
        return search([path], dag_id).schema_version
    except FileNotFoundError:
        return None
    except Exception as fault:  # it would leave the supervisor, too
        return {"escaped": type(fault).__name__}


def answer(reader, path, dag_id):
    read, search = {
        "executable": (read_executable, executable._Bundle.find),
        "node": (read_node, node and node._Bundle.find),
    }[reader]
    row = {"offsets": None, "metadata": None, "dagIds": [], "schemaVersion": None}
    try:
        row = read(path, row)
    except Exception as fault:
        row |= {"verdict": "escaped", "why": type(fault).__name__}
    return row | {"found": find(search, path, dag_id)}


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what Airflow prints is no answer
    configure_logging(json_output=True, log_level="CRITICAL", output=sys.stderr.buffer)
    with contextlib.suppress(KeyboardInterrupt):
        for line in sys.stdin:
            asked = json.loads(line)
            rows = [answer(asked["reader"], Path(file["path"]), file["dagId"]) for file in asked["files"]]
            answers.write(json.dumps(rows) + "\n")
            answers.flush()


if __name__ == "__main__":
    main()
