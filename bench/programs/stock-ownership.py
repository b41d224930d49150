"""Stock Airflow's own check of a connection, timed.

One line of JSON in, {"pid": root, "connections": [[peer, local], ...]}, one line out,
{"ms": for all connections one after the other, "owned": [...]}.
"""

import json
import sys
import time
from types import SimpleNamespace

from airflow.sdk.coordinators._subprocess import _connection_owned_by_process_tree as is_owned

print("{}", flush=True)
for line in sys.stdin:
    case = json.loads(line)
    process = SimpleNamespace(pid=case["pid"])
    started = time.perf_counter()
    owned = [is_owned(tuple(peer), tuple(local), process) for peer, local in case["connections"]]
    elapsed = time.perf_counter() - started
    print(json.dumps({"ms": elapsed * 1000, "owned": owned}), flush=True)
