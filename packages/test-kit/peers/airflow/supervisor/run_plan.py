"""Carry out a whole plan in this process."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from guarded import adopt_orphans
from installed_airflow import TASK_SDK

from .airflow_environment import configure, handler_root
from .exact_json import from_exact, to_exact
from .plan import Plan, TaskCase
from .side_by_side import run_side_by_side


def run_plan(plan: Plan, work: Path, *, batch: int, transcript: Path | None) -> dict[str, Any]:
    """The document that supervise.py prints; every file is made below ``work``."""
    adopt_orphans()  # so that what a task leaves behind can be listed and ended
    started = time.perf_counter()
    configure(plan, work)
    runner = Runner(plan, work)  # imports Airflow
    imported = time.perf_counter()
    recorder = runner.record() if transcript else None
    document: dict[str, Any] = {"taskSdk": TASK_SDK}
    if batch:
        document.update(batch_summary([runner.run_tasks() for _ in range(batch)]))
    elif plan.workers > 1:
        document["results"] = run_side_by_side(runner, plan.workers)
    else:
        document["results"] = runner.run_tasks()
    document["parses"] = runner.parse_files()
    if recorder and transcript:
        recorder.write(transcript)
    importing, total = (round((moment - started) * 1000) for moment in (imported, time.perf_counter()))
    document["timing"] = {"importMs": importing, "totalMs": total}
    return document


class Runner:
    def __init__(self, plan: Plan, work: Path):
        from airflow.sdk.log import configure_logging

        self.plan, self.work = plan, work
        self._log_prefix = ""
        self.supervisor_log = work / "supervisor.jsonl"
        self._stream = open(self.supervisor_log, "ab", buffering=0)
        configure_logging(json_output=True, output=self._stream)
        self._count = 0
        self._logging = {name: os.environ[f"AIRFLOW__LOGGING__{name}"] for name in ("LOGGING_LEVEL", "NAMESPACE_LEVELS")}
        self._kept = None  # the recorder of tasks that keep their frames

    def record(self):
        from . import recorder

        kept = recorder.Recorder()
        if self.plan.parse:
            from .parse_dag_file import RECORDED_MODULE

            recorder.install(kept, RECORDED_MODULE)
        else:
            recorder.install(kept)
        return kept

    def run_tasks(self) -> list[dict[str, Any]]:
        results, data = [], None
        for case in self.plan.tasks:
            if data is None or not case.keepStore:
                data = self.data_of(case)
            results.append(self.run(case, data))
        return results

    def data_of(self, case: TaskCase):
        from .task_data import TaskData

        store = self.plan.store if case.store is None else case.store
        return TaskData(from_exact(store) if self.plan.exact else store, case)

    def move_to(self, name: str) -> None:
        """For a fork: its tasks' logs and the supervisor's go elsewhere from now on."""
        self.supervisor_log = self.work / f"{name}.jsonl"
        with open(self.supervisor_log, "ab", buffering=0) as log:
            os.dup2(log.fileno(), self._stream.fileno())
        self._log_prefix = f"{name}/"

    def run(self, case: TaskCase, data) -> dict[str, Any]:
        from .run_case import read_json_lines, run_case
        from .run_in_fork import run_in_fork

        self._count += 1
        log_name = f"{self._log_prefix}run{self._count}/attempt={case.tryNumber}.log"
        offset = self.supervisor_log.stat().st_size
        run = run_in_fork if case.in_fork else run_case
        if case.keepFrames and self._kept is None:
            self._kept = self.record()
        set_logging(case, self._logging)
        result = run(case, data, self.plan.settings, self.work / "logs", log_name, recorder=self._kept)
        result["supervisorLog"] = read_json_lines(self.supervisor_log, offset)
        if self.plan.exact:
            for part in ("xcoms", "taskStore", "assetStore", "renderedFields", "taskLog"):
                result[part] = to_exact(result[part])
            for call in result["apiCalls"]:
                if "body" in call:
                    call["body"] = to_exact(call["body"])
        return {"dagId": case.dagId, "taskId": case.taskId, "tryNumber": case.tryNumber, **result}

    def parse_files(self) -> list[dict[str, Any]]:
        if not self.plan.parse:
            return []
        from .parse_dag_file import parse_dag_file

        root = handler_root(self.plan.launch)
        return [parse_dag_file(root, file, self.work / f"parse{number}.jsonl") for number, file in enumerate(self.plan.parse)]


def set_logging(case: TaskCase, common: dict[str, str]) -> None:
    """What the child of this task gets; Airflow reads its configuration anew each time."""
    own = {"LOGGING_LEVEL": case.loggingLevel, "NAMESPACE_LEVELS": case.namespaceLevels}
    for name, value in own.items():
        os.environ[f"AIRFLOW__LOGGING__{name}"] = common[name] if value is None else value


def batch_summary(rounds: list[list[dict[str, Any]]]) -> dict[str, Any]:
    results = [result for round_results in rounds for result in round_results]
    walls = [result["wallMs"] for result in results]
    ordered = sorted(walls)
    pick = lambda share: ordered[min(len(ordered) - 1, int(len(ordered) * share))]  # noqa: E731
    return {
        "count": len(results),
        "wallMs": walls,
        "minMs": ordered[0],
        "medianMs": pick(0.5),
        "p95Ms": pick(0.95),
        "maxMs": ordered[-1],
        "finalStates": sorted({str(result["finalState"]) for result in results}),
        "problems": [result["supervisorError"] for result in results if result["supervisorError"]][:3],
    }
