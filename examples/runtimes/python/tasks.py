"""The handlers that the conformance kit asks for, by task id."""

import sys
import time

from link import TaskError


class Outcome(Exception):
    """Ends the task with a message of its own instead of success."""

    def __init__(self, type, **fields):
        super().__init__(type)
        self.body = {"type": type, **fields}


class Retry(Exception):
    """Fails the task: tried again after a delay of its own, or never."""

    def __init__(self, message, after_seconds=None, again=True):
        super().__init__(message)
        self.after_seconds, self.again = after_seconds, again


def echo(task):
    return task.xcom("source", "return_value")


def fail(task):
    raise RuntimeError("deliberate failure")


def sleep(task):
    task.log("info", "sleeping")
    time.sleep(60)


def describe(task):
    date = task.run["logical_date"]
    names = ("dag_id", "task_id", "run_id", "try_number", "map_index")
    return {
        **{name: task.ti[name] for name in names},
        "logical_date": date.isoformat() if date else None,
        "conf": task.run["conf"],
    }


def read_variable(task):
    return task.ask("GetVariable", key="conformance")["value"]


def write_variable(task):
    task.ask("PutVariable", key="conformance", value="written", description=None)
    task.ask("DeleteVariable", key="conformance_old")


def read_connection(task):
    found = task.ask("GetConnection", conn_id="conformance")
    names = ("conn_type", "host", "port", "login", "schema", "extra")
    return {**{name: found.get(name) for name in names}, "password_length": len(found.get("password") or "")}


def write_xcom(task):
    values = {"text": "héllo ✓ 🚀", "number": 42, "half": 0.5, "yes": True, "nothing": None, "list": [1, [2, []], {}]}
    task.set_xcom("values", values)


def missing_xcom(task):
    return "null" if task.xcom("source", "nothing_here") is None else "a value"


def log_levels(task):
    for level in ("debug", "info", "warning", "error", "critical"):
        task.log(level, f"at {level}", logger="conformance.levels")


def log_fields(task):
    task.log("info", 'odd: "quotes" \\ \n new line \x01 héllo ✓ 🚀', rows=42, deep={"list": [1, "two", None]})


def log_many(task):
    for n in range(10_000):
        task.log("info", "many", n=n)


def print_lines(task):
    print("to stdout", flush=True)
    print("to stderr", file=sys.stderr, flush=True)
    print("no line ends here", end="")


def log_reserved(task):
    fields = {"timestamp": 0, "msg": "m", "target": "t", "self": "s"}
    task.log("info", "reserved", fields={"level": "nothing", "event": "another", "logger": 1, **fields})


def log_odd(task):
    ring = {}
    ring["ring"] = ring
    error = RuntimeError("the error")
    error.__cause__ = ValueError("its cause")
    values = [float("nan"), float("inf"), 2**80, b"\xff", "\ud800"]
    task.log("info", "odd values", n=1, values=values, error=error, ring=ring)


def log_large(task):
    task.log("info", "large", text="x" * 2**20)


def catch_error(task):
    try:
        return task.ask("GetVariable", key="nothing_here")["value"]
    except TaskError:
        return "caught"


def fail_at_length(task):
    raise RuntimeError("x" * 2000)


def requests(task):
    """What the run asks for, one after the other."""
    for request in task.run["conf"]["requests"]:
        task.ask(**request)


def time_limit(task):
    task.ask("SetExecutionTimeout", timeout_seconds=60)


def many_requests(task):
    requests = [task.comm.send({"type": "GetVariable", "key": f"conformance_{n}"}) for n in range(5)]
    return [task.comm.answer(request)["value"] for request in requests]


def skip(task):
    raise Outcome("TaskState", state="skipped")


def skip_downstream(task):
    task.ask("SkipDownstreamTasks", tasks=["after"])


def retry_later(task):
    raise Retry("come back later", after_seconds=90)


def fail_for_good(task):
    raise Retry("no retry helps", again=False)


def reschedule(task):
    raise Outcome("RescheduleTask", reschedule_date="2030-01-01T00:00:00Z")


def bound(task):
    bindings = task.context.get("arg_bindings") or []
    values = {"xcom": lambda one: task.xcom(one["task_id"], "return_value"), "literal": lambda one: one["value"]}
    return {one["name"]: values[one["kind"]](one) for one in bindings}


HANDLERS = {
    "succeed": lambda task: None,
    "print": print_lines,
    **{
        handler.__name__: handler
        for handler in (
            echo, fail, sleep, describe, read_variable, write_variable, read_connection, write_xcom, missing_xcom,
            log_levels, log_fields, log_many, many_requests, skip, skip_downstream, retry_later, fail_for_good,
            reschedule, bound, log_reserved, log_odd, log_large, catch_error, fail_at_length, requests, time_limit,
        )
    },
}  # fmt: skip
