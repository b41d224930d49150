"""Answers what the real Airflow makes of a task's requests: its supervisor over its API server and a database.

    .peers/airflow-3.3.2/bin/python api_answers.py DAGS_FOLDER < spec.json > answers.ndjson

The specification: {"dag_runs", "task_instances", "requests"}, the first two with the fields of a seed
of Parlance (runs and instances of Dag `d`, in a new database), the requests as bodies in which "@TI" stands
for the id of task `t` in run `r`, which is running and asks. One line for each request:
{"body", "error"} as they went into the frame, date-times as {"$ts"}, or {"silence": true}.

Nothing listens: the API server is called within the process. About 12 s of CPU time.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import sys
import tempfile
from datetime import datetime
from unittest import mock

HOME = tempfile.mkdtemp(prefix="parlance-api-answers-")
atexit.register(shutil.rmtree, HOME, ignore_errors=True)
os.environ["AIRFLOW_HOME"] = HOME
os.environ["AIRFLOW__CORE__LOAD_EXAMPLES"] = "False"
os.environ["AIRFLOW__CORE__DAGS_FOLDER"] = sys.argv[1]
os.environ["AIRFLOW__LOGGING__LOGGING_LEVEL"] = "ERROR"

import msgspec  # noqa: E402
import pendulum  # noqa: E402
import structlog  # noqa: E402

from airflow.dag_processing.dagbag import BundleDagBag, sync_bag_to_db  # noqa: E402
from airflow.dag_processing.bundles.manager import DagBundlesManager  # noqa: E402
from airflow.models.serialized_dag import SerializedDagModel  # noqa: E402
from airflow.models.taskinstance import TaskInstance  # noqa: E402
from airflow.sdk.execution_time import supervisor  # noqa: E402
from airflow.sdk.execution_time.comms import _RequestFrame  # noqa: E402
from airflow.timetables.base import DataInterval  # noqa: E402
from airflow.utils.db import initdb  # noqa: E402
from airflow.utils.session import create_session  # noqa: E402
from airflow.utils.state import DagRunState  # noqa: E402
from airflow.utils.types import DagRunTriggeredByType, DagRunType  # noqa: E402


def moment(row, name):
    return pendulum.parse(row[name]) if row.get(name) else None


def load_dags():
    manager = DagBundlesManager()
    manager.sync_bundles_to_db()
    for bundle in manager.get_all_dag_bundles():
        bag = BundleDagBag(bundle.path, bundle_path=bundle.path, bundle_name=bundle.name)
        sync_bag_to_db(bag, bundle.name, bundle_version=None)


def fill(spec):
    """The runs and instances of the specification; gives the id of the one that asks."""
    rows = {(row["run_id"], row["task_id"], row.get("map_index", -1)): row for row in spec["task_instances"]}
    with create_session() as session:
        dag = SerializedDagModel.get_dag("d", session=session)
        for row in spec["dag_runs"]:
            date = moment(row, "logical_date")
            run = dag.create_dagrun(
                run_id=row["run_id"],
                logical_date=date,
                data_interval=DataInterval(date, date) if date else None,
                run_after=moment(row, "run_after") or date,
                run_type=DagRunType.MANUAL,
                state=DagRunState(row["state"]),
                triggered_by=DagRunTriggeredByType.TEST,
                conf={},
                session=session,
            )
            session.flush()
            run.start_date, run.end_date = moment(row, "start_date"), moment(row, "end_date")
            instances = {instance.task_id: instance for instance in run.task_instances}
            for (run_id, task_id, map_index), wanted in rows.items():
                if run_id != row["run_id"]:
                    continue
                instance = instances[task_id]
                if map_index >= 0:
                    version = instance.dag_version_id
                    task = dag.get_task(task_id)
                    instance = TaskInstance(task=task, run_id=run_id, map_index=map_index, dag_version_id=version)
                    session.add(instance)
                instance.state, instance.try_number = wanted["state"], wanted["try_number"]
                instance.start_date, instance.end_date = moment(wanted, "start_date"), moment(wanted, "end_date")
                if instance.start_date and instance.end_date:
                    instance.set_duration()
        session.commit()
        return session.query(TaskInstance).filter_by(run_id="r", task_id="t", map_index=-1).one().id


class Link:
    """In the place of the socket to the task."""

    def __init__(self):
        self.frames = []

    def sendall(self, frame):
        self.frames.append(frame)


def plain(value):
    if isinstance(value, datetime):
        return {"$ts": value.isoformat()}
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


def main():
    spec = json.load(sys.stdin)
    initdb()
    load_dags()
    own = str(fill(spec))
    api = supervisor.in_process_api_server()
    client = supervisor.InProcessTestSupervisor._Client(
        base_url=None, token="", dry_run=True, transport=api.transport
    )
    client.base_url = "http://in-process.invalid./"
    link, log = Link(), structlog.get_logger()
    parent = supervisor.ActivitySubprocess(
        id=own, pid=1, stdin=link, process=mock.Mock(), process_log=log, client=client
    )
    handler = parent.handle_requests(log)
    next(handler)
    for at, body in enumerate(spec["requests"]):
        link.frames.clear()
        handler.send(_RequestFrame(id=at, body=json.loads(json.dumps(body).replace("@TI", own))))
        answer = {"silence": True}
        if link.frames:
            _, body, error = msgspec.msgpack.decode(link.frames[0][4:])
            answer = {"body": plain(body), "error": plain(error)}
        print("ANSWER " + json.dumps(answer).replace(own, "@TI"), flush=True)


if __name__ == "__main__":
    main()
