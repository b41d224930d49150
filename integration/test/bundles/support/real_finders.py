#!/usr/bin/env python3
"""What the bundle finders of the installed Airflow take; driven by real-finders.ts.

    real_finders.py  < NDJSON  > NDJSON

A line in is {"finder": "executable" | "node", "roots", "dagId"}, a line out {"path", "schemaVersion"},
or {"refused": the finder's text}, or {"escaped": the type of an exception that it does not expect}.
Paths are as text, with surrogates for bytes that are no UTF-8. With PARLANCE_FINDER_UID in its
environment it becomes that user before it answers, but after it has read its own files.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("AIRFLOW_HOME", tempfile.mkdtemp(prefix="parlance-finders-"))

from airflow.sdk.coordinators.executable import coordinator as executable  # noqa: E402
from airflow.sdk.execution_time.schema import get_schema_version_migrator  # noqa: E402
from airflow.sdk.log import configure_logging  # noqa: E402

try:
    from airflow.sdk.coordinators.node import coordinator as node
except ImportError:
    node = None  # 3.3


def answer(asked):
    finder = executable if asked["finder"] == "executable" else node
    try:
        found = finder._Bundle.find([Path(root) for root in asked["roots"]], asked["dagId"])
        return {"path": str(found.path), "schemaVersion": found.schema_version}
    except FileNotFoundError as refusal:
        return {"refused": str(refusal)}
    except Exception as escaped:
        return {"escaped": type(escaped).__name__}


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what Airflow prints is no answer
    configure_logging(json_output=True, log_level="CRITICAL", output=sys.stderr.buffer)
    get_schema_version_migrator()  # it reads files, which another user may not
    if uid := os.environ.get("PARLANCE_FINDER_UID"):
        os.setgroups([])
        os.setgid(int(uid))
        os.setuid(int(uid))
    for line in sys.stdin:
        answers.write(json.dumps(answer(json.loads(line))) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
