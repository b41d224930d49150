"""The environment of every service of the deployment."""

from __future__ import annotations

import base64
import json
import os
import secrets
import shutil
import socket
import sys
from pathlib import Path
from typing import Any

from installed_airflow import COORDINATORS, IS_34, LOCAL_BUNDLE, TASK_SDK

from .plan import StackPlan, StackPlanError

USER = "tester"


class Configuration:
    """Port, password and environment of one deployment below ``home``; ``home`` must be private."""

    def __init__(self, plan: StackPlan, home: Path):
        if plan.nodeRoot and not IS_34:
            raise StackPlanError(f"nodeRoot needs Airflow 3.4 (found task-sdk {TASK_SDK})")
        self.home, self.port, self.password = home, free_port(), secrets.token_urlsafe(24)
        self.dags = home / "dags"
        shutil.copytree(plan.dagsDir, self.dags, ignore=shutil.ignore_patterns("__pycache__"))
        passwords = home / "passwords.json"
        passwords.write_text(json.dumps({USER: self.password}))
        passwords.chmod(0o600)
        self.env = {**inherited(), **self._airflow(plan, passwords), **plan.env}

    def _airflow(self, plan: StackPlan, passwords: Path) -> dict[str, str]:
        coordinators = coordinator_entries(plan)
        queues = {queue: kind for queue, kind in plan.queues.items() if kind in coordinators}
        url = f"http://127.0.0.1:{self.port}"
        env = {
            "AIRFLOW_HOME": str(self.home),
            "AIRFLOW__CORE__DAGS_FOLDER": str(self.dags),
            "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
            "AIRFLOW__CORE__EXECUTOR": "LocalExecutor",
            "AIRFLOW__CORE__PARALLELISM": "2",
            "AIRFLOW__CORE__FERNET_KEY": base64.urlsafe_b64encode(secrets.token_bytes(32)).decode(),
            "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_USERS": f"{USER}:admin",
            "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE": str(passwords),
            "AIRFLOW__CORE__EXECUTION_API_SERVER_URL": f"{url}/execution/",
            "AIRFLOW__API__BASE_URL": url,
            "AIRFLOW__API__HOST": "127.0.0.1",
            "AIRFLOW__API__PORT": str(self.port),
            "AIRFLOW__API__WORKERS": "1",
            "AIRFLOW__API__SECRET_KEY": secrets.token_urlsafe(32),
            "AIRFLOW__API_AUTH__JWT_SECRET": secrets.token_urlsafe(64),
            "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": f"sqlite:///{self.home}/airflow.db",
            "AIRFLOW__LOGGING__BASE_LOG_FOLDER": str(self.home / "logs"),
            "AIRFLOW__LOGGING__LOGGING_LEVEL": plan.loggingLevel,
            "AIRFLOW__LOGGING__COLORED_CONSOLE_LOG": "False",
            "AIRFLOW__DAG_PROCESSOR__REFRESH_INTERVAL": "10",
            "AIRFLOW__SDK__COORDINATORS": json.dumps(coordinators),
            "AIRFLOW__SDK__QUEUE_TO_COORDINATOR": json.dumps(queues),
        }
        if IS_34:
            env["AIRFLOW__DAG_PROCESSOR__DAG_BUNDLE_CONFIG_LIST"] = json.dumps(self._dag_bundles(plan))
        return env

    def _dag_bundles(self, plan: StackPlan) -> list[dict[str, Any]]:
        roots = {"dags-folder": str(self.dags)}
        if plan.bundlesRoot:
            roots["executable-handlers"] = str(Path(plan.bundlesRoot).resolve())
        if plan.nodeRoot:
            roots["node-handlers"] = str(Path(plan.nodeRoot).resolve())
        own = [{"name": name, "classpath": LOCAL_BUNDLE, "kwargs": {"path": path}} for name, path in roots.items()]
        return own + plan.dagBundles


def coordinator_entries(plan: StackPlan) -> dict[str, Any]:
    """``[sdk] coordinators``: 3.3 takes folders, 3.4 the name of a Dag bundle."""
    timeout = {"task_startup_timeout": plan.startupTimeoutSeconds}
    entries = {}
    if plan.bundlesRoot:
        root = str(Path(plan.bundlesRoot).resolve())
        where = {"task_handler_bundle_name": "executable-handlers"} if IS_34 else {"executables_root": [root]}
        entries["executable"] = {
            "classpath": f"{COORDINATORS}.executable.ExecutableCoordinator",
            "kwargs": {**where, **timeout},
        }
    if plan.nodeRoot:
        entries["node"] = {
            "classpath": f"{COORDINATORS}.node.NodeCoordinator",
            "kwargs": {"task_handler_bundle_name": "node-handlers", **timeout},
        }
    return entries


def inherited() -> dict[str, str]:
    """The caller's environment without its Airflow; Airflow's own commands come first on PATH."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("AIRFLOW")}
    env["PATH"] = str(Path(sys.executable).parent) + os.pathsep + env.get("PATH", "")
    return env


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
