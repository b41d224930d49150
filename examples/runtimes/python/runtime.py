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

    def report_failure(self, error):
        logs.write("error", "Task failed", exception=[{"exc_type": type(error).__name__, "exc_value": str(error)}])
        if self.context["should_retry"] and getattr(error, "again", True):
            delay = getattr(error, "after_seconds", None)
            extra = {} if delay is None else {"retry_delay_seconds": delay}
            self.end("RetryTask", retry_reason=str(error), **extra)
        else:
            self.end("TaskState", state="failed")

    def end(self, type, **fields):
        """The one terminal message. What it returns from, the supervisor has confirmed."""
        now = datetime.now(timezone.utc).isoformat()
        self.ask(type, **{"end_date": now, **fields})


def main():
    comm = Comm()
    logs.connect()
    task = Task(comm, comm.answer(0))

    def stop(*_):
        raise Stopped("stopped by SIGTERM")

    signal.signal(signal.SIGTERM, stop)
    try:
        task.perform()
        task.end("SucceedTask", task_outlets=[], outlet_events=[])
    except Outcome as outcome:
        task.end(**outcome.body)
    except (Exception, Stopped) as error:
        task.report_failure(error)
    logs.write("info", "late")
    sys.stdout.flush()



main()
os._exit(0)  # at once: the end of the link behind us is no loss any more
