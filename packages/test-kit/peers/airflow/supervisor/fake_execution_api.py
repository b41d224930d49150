"""The subset of Airflow's Execution API that task code can reach, held in memory."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, unquote

try:
    import httpx2 as httpx  # what 3.4's client is built on
except ImportError:
    import httpx

from airflow.sdk.api.client import Client

from . import task_instance_routes, xcom_routes
from .plan import TaskCase
from .replies import missing, reply
from .task_data import TaskData

DAG_RUN = {
    "logical_date": "2026-01-02T03:04:05Z",
    "data_interval_start": "2026-01-01T03:04:05Z",
    "data_interval_end": "2026-01-02T03:04:05Z",
    "run_after": "2026-01-02T03:04:05Z",
    "start_date": "2026-01-02T03:04:06Z",
    "end_date": None,
    "clear_number": 0,
    "run_type": "manual",
    "state": "running",
    "conf": {},
    "triggering_user_name": None,
    "consumed_asset_events": [],
    "partition_key": None,
}


class FakeExecutionAPI:
    """Answers one task attempt; ``calls`` lists every request with its answer's status."""

    def __init__(self, case: TaskCase, data: TaskData, on_change: Callable[[FakeExecutionAPI], None] | None = None):
        self.case, self.data = case, data
        self.calls: list[dict[str, Any]] = []
        self.server_state = "queued"
        self.next_retry_at: str | None = None
        self.rendered_fields: Any = None
        self.running_since: float | None = None
        self._on_change = on_change
        self._created = time.monotonic()
        self._faults = [[fault, fault.times] for fault in case.faults]

    def __call__(self, request: httpx.Request) -> httpx.Response:
        try:
            return self._answer(request)
        finally:
            if self._on_change is not None:
                self._on_change(self)

    def report(self) -> dict[str, Any]:
        return {
            "serverState": self.server_state,
            "nextRetryAt": self.next_retry_at,
            "renderedFields": self.rendered_fields,
            "apiCalls": self.calls,
            **self.data.report(),
        }

    def dag_run(self, dag_id: str | None = None, run_id: str | None = None) -> dict[str, Any]:
        ids = {"dag_id": dag_id or self.case.dagId, "run_id": run_id or self.case.runId}
        return {**ids, **DAG_RUN, **self.data.raw.get("dag_run", {})}

    def _answer(self, request: httpx.Request) -> httpx.Response:
        path = unquote(request.url.path).lstrip("/")
        query = dict(parse_qsl(request.url.query.decode()))
        body = read_body(request)
        entry = {"atMs": round((time.monotonic() - self._created) * 1000, 1), "method": request.method, "path": path}
        if query:
            entry["query"] = query
        if body is not None:
            entry["body"] = body
        self.calls.append(entry)
        injected = self._injected(request.method, path)
        if injected is not None:
            entry["injected"] = injected
            if injected == 0:
                raise httpx.ConnectError("injected connection failure", request=request)
            return reply(injected, {"detail": {"reason": "injected", "message": "injected fault"}})
        response = self._route(request.method, path, query, body)
        entry["status"] = response.status_code
        return response

    def _injected(self, method: str, path: str) -> int | None:
        for slot in self._faults:
            fault, left = slot
            if left != 0 and fault.method.upper() in ("*", method) and re.search(fault.path, path):
                slot[1] -= 1
                return fault.status
        return None

    def _route(self, method: str, path: str, query: dict[str, str], body: Any) -> httpx.Response:
        parts = path.split("/")
        match parts[0]:
            case "task-instances":
                return task_instance_routes.answer(self, method, parts, body)
            case "xcoms":
                return xcom_routes.answer(self.data.xcoms, method, parts, query, body)
            case "variables":
                return self._variables(method, "/".join(parts[1:]), query, body)
            case "connections":
                found = self.data.connections.get(parts[1])
                return reply(200, {"conn_id": parts[1], **found}) if found else missing(parts[1])
            case "dag-runs":
                return self._dag_runs(method, parts)
            case "store" if parts[1] == "ti":
                return self._task_store(method, "/".join(parts[3:]), body)
            case "store" if parts[1] == "asset":
                return self._asset_store(method, query, body)
        return self._rest(method, parts, query, body)

    def _variables(self, method: str, key: str, query: dict[str, str], body: Any) -> httpx.Response:
        variables = self.data.variables
        if key == "keys" and method == "GET":
            keys = sorted(name for name in variables if name.startswith(query.get("prefix", "")))
            start = int(query.get("offset", 0))
            page = keys[start : start + int(query.get("limit", 1000))]
            return reply(200, {"keys": page, "total_entries": len(keys)})
        if method == "GET":
            return reply(200, {"key": key, "value": variables[key]}) if key in variables else missing(key)
        if method == "PUT":
            variables[key] = body.get("val", body.get("value"))
            return reply(201, {"message": "stored"})
        if method == "DELETE" and key in variables:
            del variables[key]
            return reply(204)
        return missing(key)

    def _dag_runs(self, method: str, parts: list[str]) -> httpx.Response:
        if parts[1:] == ["count"]:
            return reply(200, 1)
        if parts[1:] == ["previous"]:
            return reply(200, self.dag_run())
        if method == "GET" and parts[-1] == "state":
            return reply(200, {"state": "success"})
        if method == "GET":
            return reply(200, self.dag_run(parts[1], parts[2]))
        return reply(204)

    def _task_store(self, method: str, key: str, body: Any) -> httpx.Response:
        values = self.data.task_store
        if method == "GET":
            return reply(200, {"value": values[key]}) if key in values else missing(key)
        if method == "PUT":
            values[key] = body["value"]
        elif key:
            values.pop(key, None)
        else:
            values.clear()
        return reply(204)

    def _asset_store(self, method: str, query: dict[str, str], body: Any) -> httpx.Response:
        """Every asset is there; a value is kept by the name or URI that was asked with."""
        values = self.data.asset_store.setdefault(query.get("name") or query.get("uri", ""), {})
        key = query.get("key")
        if method == "GET":
            return reply(200, {"value": values[key]}) if key in values else missing(str(key))
        if method == "PUT":
            values[key] = body["value"]
        elif key is not None:
            values.pop(key, None)
        else:
            values.clear()
        return reply(204)

    def _rest(self, method: str, parts: list[str], query: dict[str, str], body: Any) -> httpx.Response:
        """Answers that are always the same: enough for a client to go on."""
        match parts[0], method:
            case "dags", "GET":
                fixed = {"is_paused": False, "bundle_name": "stub-bundle", "bundle_version": None}
                rest = {"relative_fileloc": "stub_dag.py", "owners": "airflow", "tags": [], "next_dagrun": None}
                return reply(200, {"dag_id": parts[1], **fixed, **rest})
            case "task-reschedules", _:
                return reply(200, "2026-01-02T03:04:06Z")
            case "assets", "GET" if parts[1:] == ["by-alias"]:
                asked = query.get("alias_name")
                known = [entry for entry in self.data.raw.get("assets", []) if asked in entry.get("aliases", [])]
                return reply(200, [self._asset({"name": entry["name"]}) for entry in known])
            case "assets", "GET":
                return reply(200, self._asset(query))
            case "asset-events", _ if parts[1:] == ["by-asset-alias"]:
                return reply(200, {"asset_events": self._asset_events({"alias": query.get("name", "")})})
            case "asset-events", _:
                return reply(200, {"asset_events": self._asset_events(query)})
            case "hitlDetails", "POST":
                fields = ("options", "subject", "body", "defaults", "multiple", "params", "assigned_users")
                return reply(201, {"ti_id": parts[1], **{name: body[name] for name in fields if name in body}})
        return missing("/".join(parts))


    def _asset(self, query: dict[str, str]) -> dict[str, Any]:
        """Every asset is there; name and URI go together where the store says so."""
        known = {**query, **next((entry for entry in self.data.raw.get("assets", []) if is_asked_for(entry, query)), {})}
        return {"name": known.get("name", "asset"), "uri": known.get("uri", "asset://a"), "group": "asset", "extra": {}}

    def _asset_events(self, query: dict[str, str]) -> list[dict[str, Any]]:
        found = [entry for entry in self.data.raw.get("asset_events", []) if is_asked_for(entry, query)]
        return [
            {
                "id": number,
                "timestamp": entry["timestamp"],
                "extra": entry.get("extra", {}),
                "asset": self._asset({"name": entry["name"], "uri": entry["uri"]}),
                "created_dagruns": [],
                **{f"source_{name}": entry.get("source", {}).get(name) for name in ("task_id", "dag_id", "run_id")},
                "source_map_index": entry.get("source", {}).get("map_index"),
            }
            for number, entry in enumerate(found, 1)
        ]


def is_asked_for(entry: dict[str, Any], query: dict[str, str]) -> bool:
    if "alias" in query:
        return query["alias"] in entry.get("aliases", [])
    asked = {name: query[name] for name in ("name", "uri") if query.get(name)}
    return bool(asked) and all(entry.get(name) == value for name, value in asked.items())


def read_body(request: httpx.Request) -> Any:
    raw = request.read()
    try:
        return json.loads(raw) if raw else None
    except ValueError:
        return raw.decode("utf-8", "replace")


def make_client(api: FakeExecutionAPI) -> Client:
    """Airflow's own client over the fake."""
    # dry_run only lets the constructor accept "no base URL"; the transport is ours.
    client = Client(base_url=None, dry_run=True, token="fake-task-token", transport=httpx.MockTransport(api))
    client.base_url = "http://execution-api.invalid/"
    return client
