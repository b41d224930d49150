"""Stock Airflow's reader of bundles, timed.

One line of JSON on stdin, one line out, {"ms"}:

{"find": dag_id, "root": folder, "cold": whether its cache is emptied first}
{"hash": file}  gives {"ms", "digest"}
"""

import json
import os
import sys
import time
from pathlib import Path

from airflow.sdk.coordinators.executable import coordinator
from airflow.sdk.log import configure_logging


def find(request):
    if request["cold"]:
        coordinator._digest_cache.clear()
    coordinator._Bundle.find([Path(request["root"])], request["find"])
    return {}


def hash_file(request):
    path = Path(request["hash"])
    with path.open("rb") as file:
        return {"digest": coordinator._hash_open_file(file, os.fstat(file.fileno()).st_size, path).hex()}


configure_logging(json_output=True, log_level="WARNING", output=sys.stderr.buffer)
print("{}", flush=True)
for line in sys.stdin:
    request = json.loads(line)
    started = time.perf_counter()
    answer = hash_file(request) if "hash" in request else find(request)
    print(json.dumps({"ms": (time.perf_counter() - started) * 1000, **answer}), flush=True)
