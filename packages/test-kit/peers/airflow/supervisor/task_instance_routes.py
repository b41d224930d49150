"""``task-instances/…`` of the fake Execution API."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from .replies import missing, reply

if TYPE_CHECKING:
    from .fake_execution_api import FakeExecutionAPI


def answer(api: FakeExecutionAPI, method: str, parts: list[str], body: Any):
    last = parts[-1]
    match method, last:
        case "PATCH", "run":
            return start(api)
        case "PATCH", "state":
            return set_state(api, body)
        case "PUT", "heartbeat":
            return heartbeat(api)
        case "PUT", "rtif":
            api.rendered_fields = body
            return reply(201, {"message": "Rendered task instance fields successfully set"})
        case _, "validate-inlets-and-outlets":
            return reply(200, {"inactive_assets": []})
        case _, "previous-successful-dagrun":
            names = ("data_interval_start", "data_interval_end", "start_date", "end_date")
            return reply(200, dict.fromkeys(names))
        case _, "count":
            return reply(200, 1)
        case _, "states":
            return reply(200, {"task_states": {}})
        case _, "breadcrumbs":
            return reply(200, {"breadcrumbs": []})
    if method == "PATCH" and "note" in last:
        return reply(200, {"message": "ok"})
    if len(parts) < 2:
        return missing("/".join(parts))
    return reply(200, None) if parts[1] == "previous" else reply(204)


def start(api: FakeExecutionAPI):
    api.server_state, api.running_since = "running", time.monotonic()
    case, raw = api.case, api.data.raw
    context = {
        "dag_run": api.dag_run(),
        "task_reschedule_count": 0,
        "max_tries": case.maxTries,
        "variables": [],
        "connections": [],
        "should_retry": may_retry(api),
        "xcom_keys_to_clear": raw.get("xcom_keys_to_clear", []),
        **raw.get("ti_context", {}),
    }
    if case.argBindings is not None:
        context["arg_bindings"] = case.argBindings
    return reply(200, context)


def may_retry(api: FakeExecutionAPI) -> bool:
    """The rule of the real server, unless the case says otherwise."""
    case = api.case
    if case.shouldRetry is not None:
        return case.shouldRetry
    return case.maxTries != 0 and case.tryNumber <= case.maxTries


def set_state(api: FakeExecutionAPI, body: Any):
    api.server_state = body["state"]
    if api.server_state == "up_for_retry":
        delay = body.get("retry_delay_seconds")
        ended = datetime.fromisoformat(body["end_date"].replace("Z", "+00:00"))
        wait = api.case.retryDelaySeconds if delay is None else delay
        api.next_retry_at = (ended + timedelta(seconds=wait)).isoformat()
    return reply(204)


def heartbeat(api: FakeExecutionAPI):
    limit = api.case.killAfterSeconds
    if limit is not None and api.running_since is not None and time.monotonic() - api.running_since > limit:
        message = "TI is no longer in the running state"
        return reply(409, {"detail": {"reason": "not_running", "current_state": "failed", "message": message}})
    return reply(204)
