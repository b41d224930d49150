"""What airflow_stack.py is asked to do: one JSON object with the fields of ``StackPlan``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from read_fields import read_fields


class StackPlanError(Exception):
    """The plan can't be carried out as written."""


@dataclass(frozen=True)
class StackPlan:
    dagsDir: str
    dagIds: list[str]
    bundlesRoot: str | None = None  # AFBNDL01 files for the ExecutableCoordinator
    nodeRoot: str | None = None  # 3.4: *.min.mjs files for the NodeCoordinator
    # which queue goes to which of the two
    queues: dict[str, str] = field(default_factory=lambda: {"stub": "executable", "node": "node"})
    # as the store of supervise.py: "variables" and "connections" (XComs come from the tasks)
    store: dict[str, Any] = field(default_factory=dict)
    conf: dict[str, Any] = field(default_factory=dict)  # of every Dag run
    # of dagIds: those whose runs Airflow starts by itself, by the clock or an asset
    awaited: list[str] = field(default_factory=list)
    # run after those by `airflow dags test --use-executor`, while the scheduler leaves them alone
    dagsTest: list[str] = field(default_factory=list)
    runs: int = 1  # Dag runs of every Dag, one after another
    timeoutSeconds: float = 180.0  # for everything; then the run's state is reported as it is
    lingerSeconds: float = 0.5  # after a run's end, before its logs are read
    startupTimeoutSeconds: float = 10.0
    loggingLevel: str = "INFO"
    env: dict[str, str] = field(default_factory=dict)
    # 3.4: further entries of [dag_processor] dag_bundle_config_list
    dagBundles: list[dict[str, Any]] = field(default_factory=list)
    triggerer: bool = False  # for tasks that defer
    # what a person answers to the question of a task, by task id: chosen_options and params_input
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)
    # running tasks are marked failed through the public API, as the UI does
    markFailedAfterSeconds: float | None = None


def read_stack_plan(raw: object) -> StackPlan:
    plan = read_fields(StackPlan, raw, "the plan", StackPlanError)
    if not plan.bundlesRoot and not plan.nodeRoot:
        raise StackPlanError("the plan names neither bundlesRoot nor nodeRoot")
    return plan
