"""Stock Airflow's supervisor, one task after another; its Execution API is a stub that is called without HTTP.

stdout begins with one line, {"comm": port, "logs": port}. Then one line of JSON on stdin a task, one line out
when it is over:

{"secrets": [...]}  a task that has been launched: the caller connects to comm, then to logs, gets the start-up
                    details and is served by the supervisor's own loop until it closes both. Gives {"ms": from
                    the second connection on, "residentBytes": of this process}.
{"argv": [...]}     launched, served and waited for. Gives {"finalState", "exitToVerdictMs"}.
"""

import json
import os
import select
import sys
import time
import uuid
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).parents[2] / "packages/test-kit/peers/airflow"))

import psutil  # noqa: E402
import structlog  # noqa: E402
from supervisor.argv_coordinator import ArgvCoordinator  # noqa: E402
from supervisor.fake_execution_api import DAG_RUN  # noqa: E402

from airflow.sdk._shared.secrets_masker import _secrets_masker  # noqa: E402
from airflow.sdk.api.datamodels._generated import BundleInfo, TaskInstance, TIRunContext, XComResponse  # noqa: E402
from airflow.sdk.coordinators import _subprocess  # noqa: E402
from airflow.sdk.execution_time import supervisor  # noqa: E402
from airflow.sdk.log import configure_logging  # noqa: E402

SCHEMA_VERSION = "2026-06-16"
TASK = {"dag_id": "bench", "task_id": "nothing", "run_id": "run", "try_number": 1}
RUN = {"dag_id": "bench", "run_id": "run", **DAG_RUN}
TI_CONTEXT = {"dag_run": RUN, "task_reschedule_count": 0, "max_tries": 0, "should_retry": False}


class Client:
    """What the supervisor of these tasks calls; can have another process note when the task's has ended (Linux)."""

    def __init__(self, *, watch=False):
        self._watch = watch
        self.task_instances = SimpleNamespace(start=self._start, heartbeat=nothing, succeed=nothing, finish=nothing)
        self.xcoms = SimpleNamespace(get=get_xcom, set=nothing)

    def _start(self, _id, pid, _when):
        if self._watch:
            self._start_watcher(os.pidfd_open(pid))
        return TIRunContext.model_validate(TI_CONTEXT)

    def _start_watcher(self, pidfd):
        self._clock, clock = os.pipe()
        self._watcher = os.fork()
        if self._watcher == 0:
            select.select([pidfd], [], [])
            os.write(clock, str(time.perf_counter()).encode())
            os._exit(0)
        os.close(clock)
        os.close(pidfd)

    def exited_at(self):
        with open(self._clock) as clock:
            moment = float(clock.read())
        os.waitpid(self._watcher, 0)
        return moment


def nothing(*_, **__):
    return None


def get_xcom(_dag_id, _run_id, _task_id, key, *_, **__):
    return XComResponse(key=key, value={"rows": 1250, "ok": True})


def new_task():
    return TaskInstance(id=uuid.uuid4(), dag_version_id=uuid.uuid4(), map_index=-1, queue="bench", **TASK)


def serve_connections(servers, secrets):
    """One task whose process is there already, without the launch and without the wait for its exit."""
    for secret in secrets:
        _secrets_masker().add_mask(secret)
    client, task = Client(), new_task()
    log, log_file = supervisor._configure_logging("task.log", client)
    process = Popen(["cat"], stdin=PIPE, stdout=DEVNULL)
    comm, logs = (server.accept()[0] for server in servers)
    started = time.perf_counter()
    stdout, other_stdout = _subprocess.socket.socketpair()
    stderr, other_stderr = _subprocess.socket.socketpair()
    activity = supervisor.ActivitySubprocess(
        id=task.id,
        pid=process.pid,
        process=_subprocess.PopenTracker(process),
        process_log=log,
        stdin=comm,
        subprocess_schema_version=SCHEMA_VERSION,
        client=client,
    )
    activity._register_pipe_readers(stdout, stderr, comm, logs, data={})
    activity._on_child_started(ti=task, dag_rel_path="dag.py", bundle_info=BUNDLE, sentry_integration="")
    while {"requests", "logs"} & set(activity._open_sockets.values()):
        activity._service_subprocess(max_wait_time=supervisor.MIN_HEARTBEAT_INTERVAL)
    elapsed = time.perf_counter() - started
    for end in (stdout, other_stdout, stderr, other_stderr, activity.selector, log_file):
        end.close()
    process.communicate()
    return {"ms": elapsed * 1000, "residentBytes": psutil.Process().memory_info().rss}


def supervise(argv):
    client = Client(watch=True)
    coordinator = ArgvCoordinator(argv=argv, schema_version=SCHEMA_VERSION)
    result = coordinator.execute_task(
        what=new_task(),
        dag_rel_path="dag.py",
        bundle_info=BUNDLE,
        client=client,
        logger=structlog.get_logger(),
        subprocess_logs_to_stdout=False,
    )
    ended = time.perf_counter()
    return {"finalState": result.final_state, "exitToVerdictMs": (ended - client.exited_at()) * 1000}


BUNDLE = BundleInfo(name="bench", version=None)
configure_logging(json_output=True, log_level="WARNING", output=sys.stderr.buffer)
SERVERS = [_subprocess._start_server() for _ in range(2)]
print(json.dumps(dict(zip(("comm", "logs"), (server.getsockname()[1] for server in SERVERS)))), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    answer = supervise(request["argv"]) if "argv" in request else serve_connections(SERVERS, request["secrets"])
    print(json.dumps(answer), flush=True)
