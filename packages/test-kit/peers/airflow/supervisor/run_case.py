"""One task attempt through the genuine ``supervise_task``."""

from __future__ import annotations

import json
import signal
import time
import traceback
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from airflow.sdk.api.datamodels._generated import BundleInfo, TaskInstance
from airflow.sdk.execution_time import coordinator as coordinator_module
from airflow.sdk.execution_time import supervisor

from .airflow_environment import DAG_BUNDLE
from .fake_execution_api import FakeExecutionAPI, make_client
from .plan import Settings, TaskCase
from .processes import end_leftovers
from .recorder import Recorder
from .task_data import TaskData


class Watchdog(BaseException):
    """Raised by the alarm clock; no handler in Airflow catches it."""


class Capturing:
    """Wraps a coordinator to keep its result: ``supervise_task`` gives the exit code only."""

    def __init__(self, inner):
        self.inner, self.result = inner, None

    def execute_task(self, **named):
        self.result = self.inner.execute_task(**named)
        return self.result

    def for_queue(self, _queue):
        return self


def run_case(
    case: TaskCase,
    data: TaskData,
    settings: Settings,
    logs: Path,
    log_name: str,
    on_change: Callable[[FakeExecutionAPI], None] | None = None,
    recorder: Recorder | None = None,
) -> dict[str, Any]:
    """Blocks until the supervisor is done or the watchdog barks; never raises for what the task did."""
    api = FakeExecutionAPI(case, data, on_change)
    if recorder is not None:
        recorder.clear()
    real_manager = coordinator_module.get_coordinator_manager()
    task = TaskInstance(
        id=uuid.UUID(case.taskInstanceId) if case.taskInstanceId else uuid.uuid4(),
        task_id=case.taskId,
        dag_id=case.dagId,
        run_id=case.runId,
        try_number=case.tryNumber,
        dag_version_id=uuid.uuid4(),
        map_index=case.mapIndex,
        queue=case.queue,
        context_carrier=case.contextCarrier,
    )
    capturing, exit_code, problem = None, None, None
    started, cpu_before = time.perf_counter(), time.process_time()
    signal.signal(signal.SIGALRM, bark)
    signal.setitimer(signal.ITIMER_REAL, case.watchdogSeconds)
    try:
        capturing = Capturing(real_manager.for_queue(task.queue))
        supervisor.get_coordinator_manager = lambda: capturing
        exit_code = supervisor.supervise_task(
            ti=task,
            bundle_info=BundleInfo(name=DAG_BUNDLE, version=None),
            dag_rel_path=case.nativeFile or "stub_dag.py",
            token="fake-task-token",
            client=make_client(api),
            log_path=log_name,
            subprocess_logs_to_stdout=settings.logsToStdout,
        )
    except Watchdog:
        busy = round(time.process_time() - cpu_before, 2)
        problem = {"type": "Watchdog", "message": f"still busy after {case.watchdogSeconds} s, {busy} s of CPU used", "where": []}
    except BaseException as error:  # the supervisor itself fell over: that is a finding
        problem = describe(error)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    wall = time.perf_counter() - started
    result = capturing.result if capturing else None
    state = getattr(result, "final_state", None)
    return {
        "finalState": None if state is None else str(getattr(state, "value", state)),
        "exitCode": exit_code,
        "wallMs": round(wall * 1000, 1),
        "supervisorError": problem,
        "leftoverChildren": end_leftovers(),
        **api.report(),
        "taskLog": read_json_lines(logs / log_name),
        **({"frames": recorder.frames()} if recorder is not None and case.keepFrames else {}),
    }


def bark(*_):
    raise Watchdog


def describe(error: BaseException) -> dict[str, Any]:
    frames = traceback.extract_tb(error.__traceback__)[-5:]
    where = [f"{Path(frame.filename).name}:{frame.name}" for frame in frames]
    return {"type": type(error).__name__, "message": str(error)[:500], "where": where}


def read_json_lines(path: Path, start: int = 0) -> list[Any]:
    """Lines that are no JSON come as ``{"unparsed": text}``."""
    rows: list[Any] = []
    if path.exists():
        for line in path.read_bytes()[start:].splitlines():
            try:
                rows.append(json.loads(line))
            except ValueError:
                rows.append({"unparsed": line.decode("utf-8", "replace")})
    return rows
