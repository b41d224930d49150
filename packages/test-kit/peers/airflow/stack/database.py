"""Looks into the deployment's SQLite file. Its tables differ between 3.3 and 3.4."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from installed_airflow import IS_34

Rows = list[dict[str, Any]]

TASK_COLUMNS = {
    "task_id": "taskId",
    "state": "state",
    "try_number": "tryNumber",
    "max_tries": "maxTries",
    "queue": "queue",
    "operator": "operator",
    "start_date": "startDate",
    "end_date": "endDate",
    "duration": "duration",
}
TRY_COLUMNS = {name: TASK_COLUMNS[name] for name in ("task_id", "try_number", "state", "start_date", "end_date")}
# 3.4 keeps the index of a mapped task in region_index, and old tries as archived rows.
MAP_INDEX = "region_index" if IS_34 else "map_index"


class Database:
    def __init__(self, file: Path):
        self._file = file

    def query(self, sql: str, *values: Any) -> Rows:
        connection = sqlite3.connect(f"file:{self._file}?mode=ro", uri=True, timeout=10)
        connection.row_factory = sqlite3.Row
        try:
            return [dict(row) for row in connection.execute(sql, values)]
        finally:
            connection.close()

    def is_parsed(self, dag_id: str) -> bool:
        return bool(self.query("select 1 from serialized_dag where dag_id=?", dag_id))

    def run_state(self, dag_id: str, run_id: str) -> str:
        return self.query("select state from dag_run where dag_id=? and run_id=?", dag_id, run_id)[0]["state"]

    def first_run(self, dag_id: str) -> str | None:
        rows = self.query("select run_id from dag_run where dag_id=? order by id limit 1", dag_id)
        return rows[0]["run_id"] if rows else None

    def last_run(self, dag_id: str) -> str:
        return self.query("select run_id from dag_run where dag_id=? order by id desc limit 1", dag_id)[0]["run_id"]

    def tasks_in(self, dag_id: str, run_id: str, state: str) -> list[str]:
        sql = "select task_id from task_instance where dag_id=? and run_id=? and state=?"
        return [row["task_id"] for row in self.query(sql, dag_id, run_id, state)]

    def tasks(self, dag_id: str, run_id: str) -> Rows:
        """The last try of every task, in order of start."""
        current = "and archived_reason is null" if IS_34 else ""
        columns = f"{selected(TASK_COLUMNS)}, {MAP_INDEX} as mapIndex"
        sql = f"select {columns} from task_instance where dag_id=? and run_id=? {current} order by start_date"
        return self.query(sql, dag_id, run_id)

    def earlier_tries(self, dag_id: str, run_id: str) -> Rows:
        table, past = ("task_instance", "archived_reason is not null and") if IS_34 else ("task_instance_history", "")
        sql = f"select {selected(TRY_COLUMNS)} from {table} where {past} dag_id=? and run_id=? order by task_id, try_number"
        return self.query(sql, dag_id, run_id)

    def xcoms(self, dag_id: str, run_id: str) -> Rows:
        if IS_34:
            source = "xcom_v2 x join task_instance t on t.id = x.task_instance_id"
            sql = f"select t.task_id as taskId, t.region_index as mapIndex, x.key, x.value from {source} where t.dag_id=? and t.run_id=?"
        else:
            sql = "select task_id as taskId, map_index as mapIndex, key, value from xcom where dag_id=? and run_id=?"
        rows = self.query(sql, dag_id, run_id)
        return [{**row, "value": decoded(row["value"])} for row in rows]

    def import_errors(self) -> Rows:
        return self.query("select filename, stacktrace from import_error")

    def dag_warnings(self) -> Rows:
        return self.query("select dag_id as dagId, warning_type as type, message from dag_warning")

    def dag_sources(self) -> Rows:
        """3.4: in which language each Dag is written, and what its page shows."""
        sql = "select dag_id as dagId, fileloc, language, source_code as text from dag_code"
        return self.query(sql) if IS_34 else []


def selected(columns: dict[str, str]) -> str:
    return ", ".join(f"{name} as {label}" for name, label in columns.items())


def decoded(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value
