"""A task whose supervisor gets SIGTERM: run in a process of its own, since it may die of the signal.

Airflow 3.3 passes the signal on to the task and reports what comes of it. From 3.4 on the supervisor
ends at once (exit by signal 15), tells nobody, and leaves the task running.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import Any

from .fake_execution_api import FakeExecutionAPI
from .plan import Settings, TaskCase
from .processes import watch_orphans
from .recorder import Recorder
from .run_case import read_json_lines, run_case
from .task_data import TaskData

ORPHAN_WAIT_S = 8.0
POLL_S = 0.02


def run_in_fork(
    case: TaskCase, data: TaskData, settings: Settings, logs: Path, log_name: str, recorder: Recorder | None = None
) -> dict[str, Any]:
    """As ``run_case``, plus ``supervisorSignal`` and ``orphans`` (what ran on, and how it ended)."""
    folder = logs.parent / f"fork{os.getpid()}"
    folder.mkdir(exist_ok=True)
    result_file, snapshot_file = folder / "result.json", folder / "snapshot.json"
    for stale in (result_file, snapshot_file):
        stale.unlink(missing_ok=True)
    started = time.perf_counter()
    pid = os.fork()
    if pid == 0:
        supervise_and_exit(case, data, settings, logs, log_name, recorder, result_file, snapshot_file)
    code = signal_and_wait(pid, case, logs / log_name)
    wall_ms = round((time.perf_counter() - started) * 1000, 1)
    orphans = watch_orphans(ORPHAN_WAIT_S)
    if result_file.exists():
        return {**json.loads(result_file.read_text()), "orphans": orphans}
    seen = json.loads(snapshot_file.read_text()) if snapshot_file.exists() else FakeExecutionAPI(case, data).report()
    return {
        "finalState": None,
        "exitCode": None,
        "wallMs": wall_ms,
        "supervisorError": None if code < 0 else {"type": "ended", "message": f"exit code {code} without a result", "where": []},
        "supervisorSignal": -code if code < 0 else None,
        "leftoverChildren": [],
        **seen,
        "taskLog": read_json_lines(logs / log_name),
        "orphans": orphans,
    }


def supervise_and_exit(case, data, settings, logs, log_name, recorder, result_file: Path, snapshot_file: Path) -> None:
    def keep(api: FakeExecutionAPI) -> None:
        write_whole(snapshot_file, api.report())

    try:
        write_whole(result_file, run_case(case, data, settings, logs, log_name, on_change=keep, recorder=recorder))
        os._exit(0)
    except BaseException:
        traceback.print_exc(file=sys.stderr)
        os._exit(70)


def write_whole(path: Path, value: Any) -> None:
    """Never leaves half a file, whenever the signal comes."""
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(value, default=str))
    partial.replace(path)


def signal_and_wait(pid: int, case: TaskCase, task_log: Path) -> int:
    """Gives the exit code of the supervisor's process, negative for a signal."""
    started, signalled = time.monotonic(), False
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended == pid:
            return os.waitstatus_to_exitcode(status)
        elapsed = time.monotonic() - started
        if not signalled and is_time(case, task_log, elapsed):
            os.kill(pid, signal.SIGTERM)
            signalled = True
        if elapsed > case.watchdogSeconds + 5:
            os.kill(pid, signal.SIGKILL)
        time.sleep(POLL_S)


def is_time(case: TaskCase, task_log: Path, elapsed: float) -> bool:
    if case.sigtermAfterSeconds is not None and elapsed >= case.sigtermAfterSeconds:
        return True
    if case.sigtermOnLog is None or not task_log.exists():
        return False
    return case.sigtermOnLog in task_log.read_text(errors="replace")
