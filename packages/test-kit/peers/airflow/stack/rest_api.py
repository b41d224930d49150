"""The public REST API of the deployment, as the UI uses it."""

from __future__ import annotations

import json
import urllib.request
from typing import Any


class RestApi:
    def __init__(self, port: int):
        self._base = f"http://127.0.0.1:{port}"
        self._token: str | None = None

    def login(self, user: str, password: str) -> None:
        self._token = self.call("POST", "/auth/token", {"username": user, "password": password})["access_token"]

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Raises OSError (HTTPError too) when the answer is no success; gives the JSON or None."""
        headers = {"content-type": "application/json"}
        if self._token is not None:
            headers["authorization"] = f"Bearer {self._token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._base + path, method=method, data=data, headers=headers)
        # No proxy: it is our own loopback.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=30) as response:
            raw = response.read()
        return json.loads(raw) if raw else None

    def seed(self, store: dict[str, Any]) -> None:
        for key, value in store.get("variables", {}).items():
            self.call("POST", "/api/v2/variables", {"key": key, "value": value})
        for connection_id, fields in store.get("connections", {}).items():
            known = {name: value for name, value in fields.items() if value is not None}
            self.call("POST", "/api/v2/connections", {"connection_id": connection_id, **known})

    def unpause(self, dag_id: str) -> None:
        self.pause(dag_id, False)

    def pause(self, dag_id: str, is_paused: bool = True) -> None:
        self.call("PATCH", f"/api/v2/dags/{dag_id}", {"is_paused": is_paused})

    def trigger(self, dag_id: str, conf: dict[str, Any]) -> str:
        """Gives the run id."""
        return self.call("POST", f"/api/v2/dags/{dag_id}/dagRuns", {"logical_date": None, "conf": conf})["dag_run_id"]

    def mark_failed(self, dag_id: str, run_id: str, task_id: str) -> None:
        self.call("PATCH", f"/api/v2/dags/{dag_id}/dagRuns/{run_id}/taskInstances/{task_id}", {"new_state": "failed"})

    def answer(self, dag_id: str, run_id: str, task_id: str, answer: dict[str, Any]) -> None:
        """What a person answers to the question that a task waits for."""
        self.call("PATCH", f"/api/v2/dags/{dag_id}/dagRuns/{run_id}/taskInstances/{task_id}/-1/hitlDetails", answer)

    def tries(self, dag_id: str, run_id: str, task_id: str, map_index: int) -> list[dict[str, Any]]:
        """Every try of a task in order, as its page shows them."""
        place = f"/api/v2/dags/{dag_id}/dagRuns/{run_id}/taskInstances/{task_id}/{map_index}/tries"
        tries = self.call("GET", place)["task_instances"]
        shown = [
            {
                "taskId": task_id,
                "mapIndex": map_index,
                "tryNumber": one["try_number"],
                "state": one["state"],
                "startDate": one["start_date"],
                "endDate": one["end_date"],
            }
            for one in tries
        ]
        return sorted(shown, key=lambda one: one["tryNumber"])
