"""The handlers that the conformance kit asks for, as tasks of an Airflow Dag.

Run by Airflow's own task runner (see ../launcher.py): what is told here of a task is what a Dag
author writes, nothing is known of frames and sockets.
"""

import atexit
import sys
import threading
from datetime import datetime, timedelta, timezone

import structlog
from airflow.providers.standard.operators.hitl import HITLOperator
from airflow.providers.standard.triggers.temporal import DateTimeTrigger
from airflow.sdk import DAG, Asset, BaseOperator, Connection, Variable, task
from airflow.sdk.definitions.retry_policy import RetryDecision, RetryPolicy
from airflow.sdk.exceptions import (
    AirflowFailException,
    AirflowRescheduleException,
    AirflowSkipException,
    DownstreamTasksSkipped,
)
from airflow.sdk.execution_time import comms, task_runner

log = structlog.get_logger("conformance")
# Loggers of `logging` take no notice of AIRFLOW__LOGGING__NAMESPACE_LEVELS, those of structlog do.
levels = structlog.get_logger("conformance.levels")
LATER = datetime(2030, 1, 1, tzinfo=timezone.utc)
ASSET = Asset(name="conformance_asset", uri="s3://conformance/asset")

# The runner is connected long before it reads a Dag file: it has nothing to say earlier than this.
for count in range(3):
    log.info("early", n=count)
atexit.register(log.info, "late")


class InNinetySeconds(RetryPolicy):
    """Its word goes before that of the task's `retry_delay`."""

    def evaluate(self, exception, try_number, max_tries, context=None):
        return RetryDecision.retry(delay=timedelta(seconds=90), reason=str(exception))


class Sleep(BaseOperator):
    """SIGTERM calls `on_kill` and nothing else: the operator has to end by itself."""

    def execute(self, context):
        self.killed = threading.Event()
        log.info("sleeping")
        if self.killed.wait(60):
            raise RuntimeError("told to end")

    def on_kill(self):
        self.killed.set()


class Defer(BaseOperator):
    def execute(self, context):
        self.defer(trigger=DateTimeTrigger(LATER), method_name="resume")

    def resume(self, context, event=None):
        return "resumed by resume"


with DAG("conformance", schedule=None):

    @task
    def succeed():
        pass

    @task
    def source():
        """Never run: its XComs are those of the case."""

    @task
    def echo(value):
        return value

    @task
    def fail():
        raise RuntimeError("deliberate failure")

    @task
    def describe(*, ti, dag_run, logical_date=None):
        return {
            **{name: getattr(ti, name) for name in ("dag_id", "task_id", "run_id", "try_number", "map_index")},
            "logical_date": logical_date and logical_date.isoformat(),
            "conf": dag_run.conf,
        }

    @task
    def read_variable():
        return Variable.get("conformance")

    @task
    def write_variable():
        Variable.set("conformance", "written")
        Variable.delete("conformance_old")

    @task
    def read_connection():
        found = Connection.get("conformance")
        names = ("conn_type", "host", "port", "login", "schema", "extra")
        return {**{name: getattr(found, name) for name in names}, "password_length": len(found.password or "")}

    @task
    def write_xcom(*, ti):
        values = {"text": "héllo ✓ 🚀", "number": 42, "half": 0.5, "yes": True, "nothing": None, "list": [1, [2, []], {}]}
        ti.xcom_push("values", values)

    @task
    def missing_xcom(*, ti):
        return "null" if ti.xcom_pull(task_ids="source", key="nothing_here") is None else "a value"

    @task
    def log_levels():
        for level in ("debug", "info", "warning", "error", "critical"):
            getattr(levels, level)(f"at {level}")

    @task
    def log_fields():
        log.info('odd: "quotes" \\ \n new line \x01 héllo ✓ 🚀', rows=42, deep={"list": [1, "two", None]})

    @task
    def log_many():
        for n in range(10_000):
            log.info("many", n=n)

    @task
    def log_reserved():
        # structlog itself takes no field `event`, nor `self`.
        log.bind(level="nothing", timestamp=0, logger=1).info("reserved", msg="m", target="t")

    @task
    def log_odd():
        ring = {}
        ring["ring"] = ring
        error = RuntimeError("the error")
        error.__cause__ = ValueError("its cause")
        values = [float("nan"), float("inf"), 2**80, b"\xff", "\ud800"]
        log.info("odd values", n=1, values=values, error=error, ring=ring)

    @task
    def log_large():
        log.info("large", text="x" * 2**20)

    @task(task_id="print")
    def print_lines():
        print("to stdout")
        print("to stderr", file=sys.stderr)
        print("no line ends here", end="")

    @task
    def many_requests():
        return [Variable.get(f"conformance_{n}") for n in range(5)]

    @task
    def catch_error():
        try:
            return Variable.get("nothing_here")
        except Exception:
            return "caught"

    @task
    def fail_at_length():
        raise RuntimeError("x" * 2000)

    @task
    def requests(*, dag_run):
        """Not for Dag authors: what `Variable`, `ti` and the like send, by the same link."""
        for request in dag_run.conf["requests"]:
            task_runner.SUPERVISOR_COMMS.send(getattr(comms, request["type"])(**request))

    @task(execution_timeout=timedelta(minutes=1))
    def time_limit():
        pass

    @task
    def bound(rows, limit, flag=False):
        return {"rows": rows, "limit": limit, "flag": flag}

    @task
    def skip():
        raise AirflowSkipException("not today")

    @task
    def skip_downstream():
        raise DownstreamTasksSkipped(tasks=["after"])

    @task(retry_policy=InNinetySeconds())
    def retry_later():
        raise RuntimeError("come back later")

    @task
    def fail_for_good():
        raise AirflowFailException("no retry helps")

    @task
    def reschedule():
        raise AirflowRescheduleException(LATER)

    @task
    def task_state(**context):
        context["task_state_store"].set("cursor", {"page": 7})
        return context["task_state_store"].get("cursor")

    @task(inlets=[ASSET])
    def asset_state(**context):
        context["asset_state_store"][ASSET].set("mark", {"seen": 3})
        return context["asset_state_store"][ASSET].get("mark")

    @task(outlets=[ASSET])
    def emit_asset_event(*, outlet_events):
        outlet_events[ASSET].extra = {"rows": 42}

    @task(inlets=[ASSET])
    def read_asset_events(*, inlet_events):
        return [event.extra for event in inlet_events[ASSET]]

    rows = source()
    echo(rows)
    bound(rows, 10)
    Sleep(task_id="sleep")
    Defer(task_id="defer")
    HITLOperator(task_id="await_input", subject="Go on?", options=["yes", "no"])
    skip_downstream() >> BaseOperator(task_id="after")
    for handler in (
        succeed, fail, describe, read_variable, write_variable, read_connection, write_xcom, missing_xcom, log_levels,
        log_fields, log_many, log_reserved, log_odd, log_large, print_lines, many_requests, catch_error, fail_at_length,
        requests, time_limit, skip, retry_later, fail_for_good, reschedule, task_state, asset_state, emit_asset_event,
        read_asset_events,
    ):  # fmt: skip
        handler()
