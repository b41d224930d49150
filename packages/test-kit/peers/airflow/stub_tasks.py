"""Says which stubs the Dags of files have, by running them in the real Airflow.

    .peers/airflow-3.4.0b2/bin/python stub_tasks.py FILE.py... > answer.json

A list with an entry for each file: {dag id: {task id: {"upstream", "isMapped", "multipleOutputs", "bindings"}}}.
Bindings are null where the call has no arguments, and in Airflow 3.3, which knows none. 4 s for the start.
"""

from __future__ import annotations

import atexit
import importlib.util
import json
import logging
import os
import shutil
import sys
import tempfile

HOME = tempfile.mkdtemp(prefix="parlance-stub-tasks-")
atexit.register(shutil.rmtree, HOME, ignore_errors=True)
os.environ["AIRFLOW_HOME"] = HOME

from airflow.sdk import DAG  # noqa: E402

logging.disable(logging.CRITICAL)


def dags_of(path: str) -> list[DAG]:
    name = f"dag_file_{abs(hash(path))}"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    made: list[DAG] = []
    born = DAG.__attrs_post_init__ if hasattr(DAG, "__attrs_post_init__") else None

    def remember(dag, *args, **kwargs):
        if born is not None:
            born(dag, *args, **kwargs)
        made.append(dag)

    DAG.__attrs_post_init__ = remember
    try:
        spec.loader.exec_module(module)
    finally:
        if born is not None:
            DAG.__attrs_post_init__ = born
    return made


def is_stub(task) -> bool:
    kind = getattr(task, "operator_class", None) or type(task)
    return "Stub" in getattr(kind, "__name__", "")


def bindings_of(dag: DAG) -> dict[str, object]:
    try:
        from airflow.serialization.serialized_objects import DagSerialization
    except ImportError:
        return {}
    tasks = [entry["__var"] for entry in DagSerialization.to_dict(dag)["dag"]["tasks"]]
    return {task["task_id"]: task.get("_arg_bindings") for task in tasks}


def describe(dag: DAG) -> dict[str, object]:
    bindings = bindings_of(dag)
    return {
        task.task_id: {
            "upstream": sorted(task.upstream_task_ids),
            "isMapped": "Mapped" in type(task).__name__ or task.get_closest_mapped_task_group() is not None,
            "multipleOutputs": bool(
                task.partial_kwargs.get("multiple_outputs", False)
                if "Mapped" in type(task).__name__
                else task.multiple_outputs
            ),
            "bindings": bindings.get(task.task_id),
        }
        for task in dag.tasks
        if is_stub(task)
    }


print(json.dumps([{dag.dag_id: describe(dag) for dag in dags_of(path)} for path in sys.argv[1:]]))
