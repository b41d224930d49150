#!/usr/bin/env python
"""How the real API server of Airflow 3.3.2 answers about tasks: in one process, on a SQLite file of its own.

    python rest_tasks.py --golden > tasks.json                    # the recording of packages/retry/test/data/rest
    python rest_tasks.py < {"dags": [file, ...], "requests": [[method, target], ...]}

The second form stores the Dags of the given Dag files and answers the requests in order, each with one JSON line
{"status", "allow", "contentType", "text"}; text is the body as it came. Takes about 6 s.
"""
import atexit
import importlib.util
import json
import os
import secrets
import shutil
import sys
import tempfile

HOME = tempfile.mkdtemp(prefix="parlance-rest-tasks-")
atexit.register(shutil.rmtree, HOME, ignore_errors=True)
os.environ["AIRFLOW_HOME"] = HOME
os.environ["AIRFLOW__CORE__LOAD_EXAMPLES"] = "False"
os.environ["AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_ALL_ADMINS"] = "True"
os.environ["AIRFLOW__LOGGING__LOGGING_LEVEL"] = "CRITICAL"
os.environ["AIRFLOW__API_AUTH__JWT_SECRET"] = secrets.token_hex(32)
real_stdout, sys.stdout = sys.stdout, sys.stderr  # Airflow prints

from fastapi.testclient import TestClient  # noqa: E402

import airflow  # noqa: E402
from airflow.api_fastapi.app import create_app  # noqa: E402
from airflow.models import import_all_models  # noqa: E402
from airflow.models.base import Base  # noqa: E402
from airflow.models.dag import DagModel  # noqa: E402
from airflow.models.dagbundle import DagBundleModel  # noqa: E402
from airflow.models.serialized_dag import SerializedDagModel  # noqa: E402
from airflow.sdk import DAG  # noqa: E402
from airflow.serialization.serialized_objects import LazyDeserializedDAG  # noqa: E402
from airflow.settings import engine  # noqa: E402
from airflow.utils.session import create_session  # noqa: E402

BUNDLE = "bundle"
ROOT = "/api/v2/dags/"


def store(dag):
    with create_session() as session:
        if not session.get(DagBundleModel, BUNDLE):
            session.add(DagBundleModel(name=BUNDLE))
            session.flush()
        if not session.get(DagModel, dag.dag_id):
            session.add(
                DagModel(dag_id=dag.dag_id, bundle_name=BUNDLE, fileloc="demo.py", relative_fileloc="demo.py")
            )
            session.flush()
        SerializedDagModel.write_dag(
            LazyDeserializedDAG.from_dag(dag), bundle_name=BUNDLE, bundle_version=None, session=session
        )


def load(path):
    """The Dags of a Dag file, whose module is called as the file is."""
    name = os.path.splitext(os.path.basename(path))[0]
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return [value for value in vars(module).values() if isinstance(value, DAG)]


def answer(client, method, target):
    response = client.request(method, target)
    return {
        "status": response.status_code,
        "allow": response.headers.get("allow"),
        "contentType": response.headers.get("content-type"),
        "text": response.text,
    }


def golden(client):
    """The exchanges as they were first recorded, one a line."""
    import golden_dags

    for dag in golden_dags.build():
        store(dag)
    lines = []
    for method, path, whole in golden_dags.requests():
        given = answer(client, method, ROOT + path)
        line = {"method": method, "path": ROOT + path, "status": given["status"], "content_type": given["contentType"]}
        if given["allow"]:
            line["allow"] = given["allow"]
        try:
            body = json.loads(given["text"])
        except ValueError:
            body = given["text"]
        if isinstance(body, dict) and "tasks" in body and not whole:
            line["order"] = [[task["task_id"], task["retry_exponential_backoff"]] for task in body["tasks"]]
            line["total_entries"] = body["total_entries"]
        else:
            line["body"] = body
        lines.append(json.dumps(line))
    print('{"airflow": "%s", "requests": [\n%s\n]}' % (airflow.__version__, ",\n".join(lines)), file=real_stdout)


def main():
    is_golden = "--golden" in sys.argv
    asked = None if is_golden else json.load(sys.stdin)
    import_all_models()
    Base.metadata.create_all(engine)
    with TestClient(create_app(), base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
        token = client.get("/auth/token").json()["access_token"]
        client.headers["Authorization"] = "Bearer " + token
        if is_golden:
            return golden(client)
        for path in asked["dags"]:
            for dag in load(path):
                store(dag)
        for method, target in asked["requests"]:
            print(json.dumps(answer(client, method, target)), file=real_stdout, flush=True)


if __name__ == "__main__":
    main()
