"""What supervise.py is asked to do, as data.

A plan is one JSON object; only ``launch`` and ``tasks`` (or ``parse``) must be there:

    {"launch": {"bundlesRoot": DIR}            stock ExecutableCoordinator
             | {"nodeRoot": DIR, "node": EXE}  stock NodeCoordinator (3.4)
             | {"jarsRoot": DIR, "mainClass": NAME, "java": EXE}
             | {"argv": [...], "schemaVersion": V or null},
     "launches": {"QUEUE": a launch},          for tasks of that queue in place of `launch`
     "coordinatorKwargs": {}, "settings": {}, "env": {}, "store": {},
     "tasks": [...],                           see TaskCase
     "workers": 1,                             so many tasks at a time
     "exact": false,                           numbers that JavaScript can't hold: see exact_json.py
     "parse": ["FILE"]}                        3.4: parse FILE below DIR as a native Dag file

``settings`` are those of ``Settings``. ``store`` is the start of every task that brings none of its own:

    {"variables": {"k": "text"},
     "connections": {"c": {"conn_type": "http", "host": ..., "login": ..., "password": ...,
                           "schema": ..., "port": 1, "extra": "{}"}},
     "xcoms": [{"task_id": ..., "key": "return_value", "map_index": -1, "value": ...}],
     "assets": [{"name": ..., "uri": ...}], "asset_events": [{"name": ..., "uri": ..., "timestamp": ..., "extra": {}}],
     "dag_run": {"conf": {}}, "ti_context": {}, "xcom_keys_to_clear": []}

A task with ``"keepStore": true`` starts with what the task before it left, as in one Dag run.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass, field
from typing import Any

from read_fields import read_fields


class PlanError(Exception):
    """The plan can't be carried out as written."""


@dataclass(frozen=True)
class Fault:
    """The fake API answers ``status`` (0: the connection breaks) to matching calls, ``times`` times."""

    method: str = "*"
    path: str = ""
    status: int = 500
    times: int = -1


@dataclass(frozen=True)
class TaskCase:
    """One attempt of one task."""

    dagId: str
    taskId: str
    runId: str = "manual__2026-01-02T03:04:05+00:00"
    mapIndex: int = -1
    queue: str = "stub"
    tryNumber: int = 1
    maxTries: int = 0
    shouldRetry: bool | None = None  # None: as the server computes it
    retryDelaySeconds: float = 300.0  # what the fake server waits when the task names no delay
    store: dict[str, Any] | None = None
    keepStore: bool = False
    faults: tuple[Fault, ...] = ()
    # 3.4: ti_context.arg_bindings
    argBindings: list[Any] | None = None
    contextCarrier: dict[str, str] | None = None  # the W3C trace context that the task belongs to
    # 3.4: the task belongs to this native Dag file below the root
    nativeFile: str | None = None
    # SIGTERM to the process that runs the supervisor, after seconds or once the task log has the text
    sigtermAfterSeconds: float | None = None
    sigtermOnLog: str | None = None
    # from then on heartbeats are answered 409, which is what "mark failed" in the UI does
    killAfterSeconds: float | None = None
    watchdogSeconds: float = 60.0
    # in place of the settings of the process, for this task alone
    loggingLevel: str | None = None
    namespaceLevels: str | None = None
    taskInstanceId: str | None = None  # a new one unless said
    keepFrames: bool = False  # the bytes of the comm link are part of the result

    @property
    def in_fork(self) -> bool:
        """A supervisor that gets SIGTERM may die of it: it then runs in a process of its own."""
        return self.sigtermAfterSeconds is not None or self.sigtermOnLog is not None


@dataclass(frozen=True)
class Settings:
    """Airflow configuration of the whole process; None leaves Airflow's default."""

    startupTimeoutSeconds: float = 10.0
    loggingLevel: str = "INFO"
    namespaceLevels: str = ""
    heartbeatIntervalSeconds: int = 5
    maxFailedHeartbeats: int | None = None
    socketCleanupTimeoutSeconds: float = 60.0
    successOvertimeSeconds: int = 20
    killedCleanupSeconds: int = 60
    apiRetries: int = 2  # attempts a call; Airflow's own default is 5
    logsToStdout: bool = False


@dataclass(frozen=True)
class Plan:
    launch: dict[str, Any]
    tasks: tuple[TaskCase, ...] = ()
    parse: tuple[str, ...] = ()
    store: dict[str, Any] = field(default_factory=dict)
    settings: Settings = Settings()
    coordinatorKwargs: dict[str, Any] = field(default_factory=dict)
    env: dict[str, str] = field(default_factory=dict)
    launches: dict[str, dict[str, Any]] = field(default_factory=dict)
    workers: int = 1
    exact: bool = False


LAUNCH_KINDS = ("bundlesRoot", "nodeRoot", "jarsRoot", "argv")


def read_plan(raw: object) -> Plan:
    """Checks names, so that a misspelt option is an error and not silently a default."""
    plan = read_fields(Plan, raw, "plan", PlanError)
    for where, launch in (("launch", plan.launch), *((f"launches.{queue}", launch) for queue, launch in plan.launches.items())):
        kinds = [kind for kind in LAUNCH_KINDS if launch.get(kind)]
        if len(kinds) != 1:
            raise PlanError(f"{where} names {kinds or 'nothing'}; give exactly one of {', '.join(LAUNCH_KINDS)}")
    if not plan.tasks and not plan.parse:
        raise PlanError("the plan has neither tasks nor files to parse")
    if plan.workers > 1 and any(isinstance(task, dict) and task.get("keepStore") for task in plan.tasks):
        raise PlanError("keepStore needs the tasks one after another: leave workers out")
    tasks = []
    for number, raw_task in enumerate(plan.tasks):
        where = f"tasks[{number}]"
        task = read_fields(TaskCase, raw_task, where, PlanError)
        faults = tuple(read_fields(Fault, fault, f"{where}.faults", PlanError) for fault in task.faults)
        for fault in faults:
            try:
                re.compile(fault.path)
            except re.error as problem:
                raise PlanError(f"{where}.faults: {fault.path!r} is no regular expression: {problem}") from problem
        tasks.append(dataclasses.replace(task, faults=faults))
    settings = read_fields(Settings, plan.settings, "settings", PlanError) if isinstance(plan.settings, dict) else plan.settings
    return dataclasses.replace(plan, tasks=tuple(tasks), settings=settings, parse=tuple(plan.parse))
