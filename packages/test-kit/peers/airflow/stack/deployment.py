"""From nothing to finished Dag runs and back."""

from __future__ import annotations

import json
import re
import signal
import sys
import time
from pathlib import Path
from typing import Any

from installed_airflow import TASK_SDK

from .configuration import USER, Configuration
from .database import Database
from .plan import StackPlan, StackPlanError
from .rest_api import RestApi
from .services import ServiceEnded, Services

POLL_S = 0.25


class TooLate(Exception):
    """The plan's time is over."""


def run_stack(plan: StackPlan, home: Path) -> dict[str, Any]:
    """The document that airflow_stack.py prints. Every service is stopped, whatever happens."""
    # SIGTERM must run the `finally` below; the default would not.
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
    document: dict[str, Any] = {"taskSdk": TASK_SDK, "runs": [], "timing": {}}
    services = None
    clock = Clock(plan.timeoutSeconds, document["timing"])
    try:
        configuration = Configuration(plan, home)
        services = Services(home, configuration.env)
        Deployment(plan, configuration, services, clock).run(document)
    except (StackPlanError, ServiceEnded, TooLate, OSError) as problem:
        document["error"] = f"{type(problem).__name__}: {problem}"
        document["outputs"] = services.outputs() if services else {}
    finally:
        if services:
            services.stop()
        clock.lap("stoppedMs")
    return document


class Clock:
    def __init__(self, limit_s: float, laps: dict[str, int]):
        self._started, self._limit_s, self._laps = time.monotonic(), limit_s, laps

    def lap(self, name: str) -> None:
        self._laps[name] = round((time.monotonic() - self._started) * 1000)

    def is_over(self) -> bool:
        return time.monotonic() - self._started > self._limit_s

    def demand(self, waiting_for: str) -> None:
        if self.is_over():
            raise TooLate(f"still waiting for {waiting_for} after {self._limit_s} s")


class Deployment:
    def __init__(self, plan: StackPlan, configuration: Configuration, services: Services, clock: Clock):
        self._plan, self._configuration, self._services, self._clock = plan, configuration, services, clock
        self._home = configuration.home
        self._api = RestApi(configuration.port)
        self._database = Database(configuration.home / "airflow.db")

    def run(self, document: dict[str, Any]) -> None:
        self._services.run("db", "migrate")
        self._clock.lap("migratedMs")
        self._services.start("api-server")
        self._services.start("dag-processor")
        self._services.start("scheduler", "--skip-serve-logs")  # that log server would listen on every interface
        if self._plan.triggerer:
            self._services.start("triggerer", "--skip-serve-logs")
        self._await_api()
        self._clock.lap("apiUpMs")
        self._api.login(USER, self._configuration.password)
        self._api.seed(self._plan.store)
        for dag_id in self._plan.dagIds:
            self._await_dag(dag_id)
            self._api.unpause(dag_id)
        self._clock.lap("parsedMs")
        for dag_id in self._plan.dagIds:
            for _ in range(self._plan.runs):
                document["runs"].append(self._run_dag(dag_id))
        self._clock.lap("ranMs")
        for dag_id in self._plan.dagsTest:
            document["runs"].append(self._test_dag(dag_id))
        self._clock.lap("testedMs")
        document["importErrors"] = self._database.import_errors()
        document["dagWarnings"] = self._database.dag_warnings()
        document["dagSources"] = self._database.dag_sources()
        document["schedulerNotes"] = self._scheduler_notes()

    def _await_api(self) -> None:
        while True:
            self._services.check()
            try:
                self._api.call("GET", "/api/v2/version")
                return
            except OSError:
                self._clock.demand("the API server")
                time.sleep(POLL_S)

    def _await_dag(self, dag_id: str) -> None:
        while not self._database.is_parsed(dag_id):
            self._services.check()
            self._clock.demand(f"Dag {dag_id} to be parsed; import errors: {json.dumps(self._database.import_errors())}")
            time.sleep(POLL_S)

    def _run_dag(self, dag_id: str) -> dict[str, Any]:
        started, database = time.monotonic(), self._database
        run_id = self._await_run(dag_id) if dag_id in self._plan.awaited else self._api.trigger(dag_id, self._plan.conf)
        marked = self._plan.markFailedAfterSeconds is None
        while True:
            state = database.run_state(dag_id, run_id)
            if state in ("success", "failed") or self._clock.is_over():
                break
            self._services.check()
            if not marked and time.monotonic() - started > self._plan.markFailedAfterSeconds:
                for task_id in database.tasks_in(dag_id, run_id, "running"):
                    self._api.mark_failed(dag_id, run_id, task_id)
                    marked = True
            for task_id in database.tasks_in(dag_id, run_id, "awaiting_input"):
                if task_id in self._plan.answers and self._has_left(task_id):
                    self._api.answer(dag_id, run_id, task_id, self._plan.answers[task_id])
            time.sleep(POLL_S)
        wall_ms = round((time.monotonic() - started) * 1000)
        time.sleep(self._plan.lingerSeconds)
        return self._outcome(dag_id, run_id, state, wall_ms)

    def _test_dag(self, dag_id: str) -> dict[str, Any]:
        self._api.pause(dag_id)
        started = time.monotonic()
        self._services.run("dags", "test", "--use-executor", dag_id)
        wall_ms = round((time.monotonic() - started) * 1000)
        run_id = self._database.last_run(dag_id)
        return self._outcome(dag_id, run_id, self._database.run_state(dag_id, run_id), wall_ms)

    def _outcome(self, dag_id: str, run_id: str, state: str, wall_ms: int) -> dict[str, Any]:
        database, tasks = self._database, self._database.tasks(dag_id, run_id)
        return {
            "dagId": dag_id,
            "runId": run_id,
            "state": state,
            "wallMs": wall_ms,
            "tasks": tasks,
            "earlierTries": database.earlier_tries(dag_id, run_id),
            "history": [
                one
                for task in tasks
                if task["tryNumber"] > 1
                for one in self._api.tries(dag_id, run_id, task["taskId"], task["mapIndex"])
            ],
            "xcoms": database.xcoms(dag_id, run_id),
            "logs": self._logs(dag_id, run_id),
        }

    def _await_run(self, dag_id: str) -> str:
        while (run_id := self._database.first_run(dag_id)) is None:
            self._services.check()
            self._clock.demand(f"a run of Dag {dag_id}")
            time.sleep(POLL_S)
        return run_id

    def _has_left(self, task_id: str) -> bool:
        """
        Whether the scheduler knows that the task's process has ended. Airflow fails a task that it
        has queued again before it hears of that.
        """
        told = re.compile(rf"Received executor event.*task_id=.{re.escape(task_id)}\b")
        return told.search(self._services.output("scheduler")) is not None

    def _logs(self, dag_id: str, run_id: str) -> list[dict[str, Any]]:
        """One entry a try, from files like ``…/task_id=T/[map_index=0/]attempt=1.log``."""
        found = []
        for file in sorted((self._home / "logs").glob(f"dag_id={dag_id}/run_id={run_id}/**/*.log")):
            if ".trigger." in file.name:  # what a triggerer wrote
                continue
            names = dict(part.split("=", 1) for part in [*file.parts[:-1], file.stem] if "=" in part)
            found.append(
                {
                    "taskId": names.get("task_id"),
                    "mapIndex": int(names.get("map_index", -1)),
                    "tryNumber": int(names.get("attempt", 0)),
                    "records": [record(line) for line in file.read_bytes().splitlines()],
                }
            )
        return found

    def _scheduler_notes(self) -> list[str]:
        telling = ("rror", "warning", "finished with state", "Traceback")
        lines = self._services.output("scheduler").splitlines()
        return [line for line in lines if any(word in line for word in telling)][-25:]


def record(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return {"unparsed": line.decode("utf-8", "replace")}
