"""Stock Airflow's own next_retry_datetime, timed.

One line of JSON in, a list of vectors in the format of the golden file, one line out, the delays in microseconds.
After that, one line in, {"calls": n}, one line out, {"us": a call}: all vectors in turn, n in all.
"""

import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "packages/test-kit/peers/retry"))

from genuine import US, DagRun, DagRunType, TaskInstance, parse, roundtrip_task, td, through_db  # noqa: E402


def load(case):
    """A task instance as the scheduler has it: task and dates went through serialisation and database."""
    task = roundtrip_task(td(case["retry_delay_us"]), case["multiplier"], td(case["max_retry_delay_us"]))
    logical, end = through_db(parse(case["logical_date"]), parse(case["end_date"]))
    ti = TaskInstance(task=task, dag_version_id=None, run_id="r")
    ti.dag_id, ti.task_id = case["dag_id"], case["task_id"]
    ti.dag_run = DagRun(dag_id="d", run_id="r", run_type=DagRunType.MANUAL, logical_date=logical)
    ti.dag_run.logical_date = logical
    ti.try_number, ti.end_date = case["try_number"], end
    return ti


instances = [load(case) for case in json.loads(sys.stdin.readline())]
print(json.dumps([(ti.next_retry_datetime() - ti.end_date) // US for ti in instances]), flush=True)
for line in sys.stdin:
    rounds = json.loads(line)["calls"] // len(instances)
    started = time.perf_counter()
    for _ in range(rounds):
        for ti in instances:
            ti.next_retry_datetime()
    elapsed = time.perf_counter() - started
    print(json.dumps({"us": elapsed * 1e6 / rounds / len(instances)}), flush=True)
