"""What a task can read and write, as the fake server holds it."""

from __future__ import annotations

from typing import Any

from .plan import TaskCase

XCOM_KEY = ("dag_id", "run_id", "task_id", "key", "map_index")


class TaskData:
    """Variables, connections and XComs of one run; built from a store in the seed format."""

    def __init__(self, store: dict[str, Any], case: TaskCase):
        self.raw = store
        self.variables: dict[str, str | None] = dict(store.get("variables", {}))
        self.connections: dict[str, dict[str, Any]] = dict(store.get("connections", {}))
        self.xcoms: dict[tuple[str, str, str, str, int], Any] = {}
        self.task_store: dict[str, Any] = {}
        self.asset_store: dict[str, dict[str, Any]] = {}
        for entry in store.get("xcoms", []):
            key = (
                entry.get("dag_id", case.dagId),
                entry.get("run_id", case.runId),
                entry["task_id"],
                entry.get("key", "return_value"),
                entry.get("map_index", -1),
            )
            self.xcoms[key] = entry["value"]

    def report(self) -> dict[str, Any]:
        rows = [{**dict(zip(XCOM_KEY, key, strict=True)), "value": value} for key, value in self.xcoms.items()]
        return {
            "variables": self.variables,
            "xcoms": [
                {"dagId": row["dag_id"], "runId": row["run_id"], "taskId": row["task_id"], "key": row["key"],
                 "mapIndex": row["map_index"], "value": row["value"]}
                for row in rows
            ],
            "taskStore": self.task_store,
            "assetStore": self.asset_store,
        }
