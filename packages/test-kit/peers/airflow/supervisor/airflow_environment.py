"""The configuration under which the installed Airflow is imported.

Must run before ``airflow`` is imported: many settings are read once, at import.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from installed_airflow import COORDINATORS, IS_34, LOCAL_BUNDLE, TASK_SDK

from .plan import Plan, PlanError

DAG_BUNDLE = "stub-bundle"
HANDLER_BUNDLE = "task-handlers"


def configure(plan: Plan, work: Path) -> None:
    """Sets ``AIRFLOW_HOME`` and every ``AIRFLOW__…`` variable; ``work`` takes all files Airflow writes."""
    if not IS_34 and (plan.parse or "nodeRoot" in plan.launch or uses_own_bundle(plan) or any(task.argBindings for task in plan.tasks)):
        raise PlanError(f"parse, nodeRoot, ownBundle, nativeFile and argBindings need Airflow 3.4 (found task-sdk {TASK_SDK})")
    for name in [name for name in os.environ if name.startswith(("AIRFLOW__", "AIRFLOW_CONN_", "AIRFLOW_VAR_"))]:
        del os.environ[name]  # the caller's own Airflow must not show through
    settings = plan.settings
    queues = sorted({task.queue for task in plan.tasks})
    os.environ.update(
        {
            "AIRFLOW_HOME": str(work / "home"),
            "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
            "AIRFLOW__CORE__TASK_SUCCESS_OVERTIME": str(settings.successOvertimeSeconds),
            "AIRFLOW__CORE__KILLED_TASK_CLEANUP_TIME": str(settings.killedCleanupSeconds),
            "AIRFLOW__LOGGING__BASE_LOG_FOLDER": str(work / "logs"),
            "AIRFLOW__LOGGING__LOGGING_LEVEL": settings.loggingLevel,
            "AIRFLOW__LOGGING__NAMESPACE_LEVELS": settings.namespaceLevels,
            "AIRFLOW__WORKERS__MIN_HEARTBEAT_INTERVAL": str(settings.heartbeatIntervalSeconds),
            "AIRFLOW__WORKERS__SOCKET_CLEANUP_TIMEOUT": str(settings.socketCleanupTimeoutSeconds),
            "AIRFLOW__WORKERS__EXECUTION_API_RETRIES": str(settings.apiRetries),
            "AIRFLOW__WORKERS__EXECUTION_API_RETRY_WAIT_MIN": "0.05",
            "AIRFLOW__WORKERS__EXECUTION_API_RETRY_WAIT_MAX": "0.1",
            "AIRFLOW__SDK__COORDINATORS": json.dumps(
                {
                    "stub-lang": coordinator_entry(plan, plan.launch, HANDLER_BUNDLE),
                    **{queue: coordinator_entry(plan, launch, queue) for queue, launch in plan.launches.items()},
                }
            ),
            "AIRFLOW__SDK__QUEUE_TO_COORDINATOR": json.dumps(
                {**dict.fromkeys(queues, "stub-lang"), **{queue: queue for queue in plan.launches}}
            ),
        }
    )
    if settings.maxFailedHeartbeats is not None:
        os.environ["AIRFLOW__WORKERS__MAX_FAILED_HEARTBEATS"] = str(settings.maxFailedHeartbeats)
    if IS_34:
        root = handler_root(plan.launch) or empty_dag_folder(work)
        others = [(queue, handler_root(launch)) for queue, launch in plan.launches.items()]
        dags = root if uses_own_bundle(plan) else empty_dag_folder(work)
        os.environ["AIRFLOW__DAG_PROCESSOR__DAG_BUNDLE_CONFIG_LIST"] = json.dumps(
            [
                {"name": DAG_BUNDLE, "classpath": LOCAL_BUNDLE, "kwargs": {"path": dags}},
                *(
                    {"name": name, "classpath": LOCAL_BUNDLE, "kwargs": {"path": path}}
                    for name, path in [(HANDLER_BUNDLE, root), *others]
                    if path is not None
                ),
            ]
        )
    os.environ.update(plan.env)


def uses_own_bundle(plan: Plan) -> bool:
    """3.4: the Dag's own bundle is the root, and no handler bundle is named."""
    return bool(plan.parse or plan.launch.get("ownBundle") or any(task.nativeFile for task in plan.tasks))


def handler_root(launch: dict[str, Any]) -> str | None:
    root = launch.get("bundlesRoot") or launch.get("nodeRoot") or launch.get("jarsRoot")
    return None if root is None else str(Path(root).resolve())


def empty_dag_folder(work: Path) -> str:
    folder = work / "dags"
    folder.mkdir(exist_ok=True)
    return str(folder)


def coordinator_entry(plan: Plan, launch: dict[str, Any], handler_bundle: str) -> dict[str, Any]:
    """One entry of ``[sdk] coordinators``. 3.3 takes folders, 3.4 the name of a Dag bundle."""
    root = handler_root(launch)
    kwargs: dict[str, Any] = {"task_startup_timeout": plan.settings.startupTimeoutSeconds, **plan.coordinatorKwargs}
    if IS_34 and root and not uses_own_bundle(plan):
        kwargs["task_handler_bundle_name"] = handler_bundle
    if launch.get("bundlesRoot"):
        where = {} if IS_34 else {"executables_root": [root]}
        return {"classpath": f"{COORDINATORS}.executable.ExecutableCoordinator", "kwargs": {**where, **kwargs}}
    if launch.get("nodeRoot"):
        node = {"node_executable": launch.get("node", "node")}
        return {"classpath": f"{COORDINATORS}.node.NodeCoordinator", "kwargs": {**node, **kwargs}}
    if launch.get("jarsRoot"):
        where = {} if IS_34 else {"jars_root": [root]}
        java = {"main_class": launch.get("mainClass", ""), "java_executable": launch.get("java", "java")}
        return {"classpath": f"{COORDINATORS}.java.JavaCoordinator", "kwargs": {**where, **java, **kwargs}}
    argv = {"argv": launch["argv"], "schema_version": launch.get("schemaVersion", "2026-06-16")}
    return {"classpath": "supervisor.argv_coordinator.ArgvCoordinator", "kwargs": {**argv, **kwargs}}
