"""The real Airflow at the other end of a pipe: its supervisor over its API server and a database.

    .peers/airflow-3.3.2/bin/python api_bridge.py DAGS_FOLDER SCHEMA_VERSION SEED_JSON

stdin and stdout are the comm link of task `t` of Dag `d` in run `r`, frame for frame: the startup details that the
API server gives, then an answer to each request, the one that ends the task included. The seed is a file with the
"dag_runs" and "task_instances" of api_answers.py; the task itself has to be queued in it.

Nothing listens: the API server is called within the process. About 10 s of CPU time. Ends with its stdin.
"""

from __future__ import annotations

import json
import os
import sys
from unittest import mock

LINK = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)  # whatever Airflow prints is none of the link's business

import msgspec  # noqa: E402
import structlog  # noqa: E402
from api_answers import fill, load_dags  # noqa: E402

from airflow.models.taskinstance import TaskInstance  # noqa: E402
from airflow.sdk.api.datamodels._generated import BundleInfo  # noqa: E402
from airflow.sdk.api.datamodels._generated import TaskInstance as TaskInstanceInfo  # noqa: E402
from airflow.sdk.execution_time import supervisor  # noqa: E402
from airflow.sdk.execution_time.comms import _RequestFrame  # noqa: E402
from airflow.utils.db import initdb  # noqa: E402
from airflow.utils.session import create_session  # noqa: E402


class Link:
    """In the place of the socket to the task."""

    def sendall(self, frame):
        LINK.write(frame)
        LINK.flush()


def read_frames():
    while header := sys.stdin.buffer.read(4):
        yield sys.stdin.buffer.read(int.from_bytes(header, "big"))


def instance_info(own):
    with create_session() as session:
        row = session.get(TaskInstance, own)
        row.queue = "default"
        names = ("id", "task_id", "dag_id", "run_id", "map_index", "dag_version_id")
        # The number that the scheduler gives a try when it queues it.
        return TaskInstanceInfo(try_number=max(1, row.try_number), **{name: getattr(row, name) for name in names})


def main():
    schema_version, seed = sys.argv[2], sys.argv[3]
    with open(seed, encoding="utf-8") as file:
        spec = json.load(file)
    initdb()
    load_dags()
    own = fill(spec)
    api = supervisor.in_process_api_server()
    client = supervisor.InProcessTestSupervisor._Client(
        base_url=None, token="", dry_run=True, transport=api.transport
    )
    client.base_url = "http://in-process.invalid./"
    log = structlog.get_logger()
    version = {"subprocess_schema_version": schema_version}
    parent = supervisor.ActivitySubprocess(
        id=own, pid=os.getpid(), stdin=Link(), process=mock.Mock(), process_log=log, client=client, **version
    )
    bundle = BundleInfo(name="dags-folder", version=None)
    parent._on_child_started(ti=instance_info(own), dag_rel_path="d.py", bundle_info=bundle, sentry_integration="")
    handler = parent.handle_requests(log)
    next(handler)
    decoder = msgspec.msgpack.Decoder[_RequestFrame](_RequestFrame)
    for frame in read_frames():
        handler.send(decoder.decode(frame))


main()
