"""A runtime for Airflow tasks in plain Python: start it as a coordinator does, with --comm= and --logs=."""

import os
import signal
import sys
from datetime import datetime, timezone

from link import Comm, Logs
from tasks import HANDLERS, Outcome

logs = Logs()
for n in range(3):
    logs.write("info", "early", n=n)


class Stopped(BaseException):
    """SIGTERM: whatever the handler does, it ends."""


class Task:
    """One try of one task, and what its handler may do."""

    def __init__(self, comm, details):
        self.comm, self.ask, self.log = comm, comm.ask, logs.write
        self.ti, self.context = details["ti"], details["ti_context"]
        self.run = self.context["dag_run"]
        comm.carrier = self.ti.get("context_carrier")

    def xcom(self, task_id, key):
        where = {name: self.ti[name] for name in ("dag_id", "run_id")}
        return self.ask("GetXCom", key=key, task_id=task_id, map_index=None, **where)["value"]

    def set_xcom(self, key, value):
        where = {name: self.ti[name] for name in ("dag_id", "run_id", "task_id", "map_index")}
        self.ask("SetXCom", key=key, value=value, **where)

    def perform(self):
        for key in self.context.get("xcom_keys_to_clear") or []:
            where = {name: self.ti[name] for name in ("dag_id", "run_id", "task_id")}
            self.ask("DeleteXCom", key=key, **where)
        handler = HANDLERS.get(self.ti["task_id"])
        if handler is None:
            raise Outcome("TaskState", state="removed")
        value = handler(self)
        if value is not None:
            self.set_xcom("return_value", value)
        return {"type": "SucceedTask", "task_outlets": [], "outlet_events": []}

    def failure(self, error):
        """The terminal message of a try that failed. Whether it may be repeated, the server has worked out."""
        logs.write("error", "Task failed", exception=[{"exc_type": type(error).__name__, "exc_value": str(error)}])
        if self.context["should_retry"] and getattr(error, "again", True):
            delay = getattr(error, "after_seconds", None)
            extra = {} if delay is None else {"retry_delay_seconds": delay}
            return {"type": "RetryTask", "retry_reason": str(error)[:500], **extra}
        return {"type": "TaskState", "state": "failed"}

    def end(self, type, **fields):
        """The one terminal message. What it returns from, the supervisor has confirmed."""
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, signal.SIG_IGN)  # a report stands
        now = datetime.now(timezone.utc).isoformat()
        self.comm.finish(type, **{"end_date": now, **fields})


def main():
    comm = Comm()
    logs.connect()
    details = comm.answer(0)
    if details["type"] == "DagFileParseRequest":  # Airflow 3.4 asks every bundle: no Dags here
        comm.finish("DagFileParsingResult", fileloc=details["file"], serialized_dags=[], warnings=None, import_errors=None)
        return
    task = Task(comm, details)

    def stop(*_):
        raise Stopped("stopped by a signal")

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    try:
        body = task.perform()
    except Outcome as outcome:
        body = outcome.body
    except (Exception, Stopped) as error:
        body = task.failure(error)
    task.end(**body)
    logs.write("info", "late")
    sys.stdout.flush()


main()
os._exit(0)  # whatever the handler left running
