"""Which names of Airflow mean what."""

import ast

from values import Callable, Decorator, Imported


# What `from airflow.sdk import *` brings; the name stands for it in an Env.
ALL_OF_SDK = "airflow.sdk.*"
STARRED = {"task", "dag", "DAG", "TaskGroup", "task_group", "chain"}


def dotted(node, env):
    """The path of an imported name, `airflow.sdk.task.stub`; None for anything else."""
    if isinstance(node, ast.Name):
        value = env.get(node.id)
        if value is None and node.id in STARRED and env.get(ALL_OF_SDK) is not None:
            return f"airflow.sdk.{node.id}"
        return value.path if isinstance(value, Imported) else None
    if isinstance(node, ast.Attribute):
        owner = dotted(node.value, env)
        return None if owner is None else f"{owner}.{node.attr}"
    return None


def airflow_name(path):
    """`task.stub`, `task`, `dag`, `DAG`, `TaskGroup`, … of a path of Airflow; else None."""
    if path is None or not path.startswith("airflow."):
        return None
    parts = path.split(".")
    return ".".join(parts[parts.index("task"):]) if "task" in parts else parts[-1]


def decorator_kind(path):
    """stub, task, group or dag; None for what is no decorator of Airflow."""
    name = airflow_name(path)
    if name is None:
        return None
    if name == "task.stub" or path == "airflow.providers.standard.decorators.stub.stub":
        return "stub"
    if name == "task" or name.startswith("task."):
        return "task"
    return {"dag": "dag", "task_group": "group"}.get(name)


def decorate(node, env, evaluate):
    """A function of the file as what its decorators make of it."""
    made = Callable("function", node, env)
    for decorator in reversed(node.decorator_list):
        value = evaluate(decorator)
        kind = decorator_kind(dotted(decorator, env))
        if isinstance(value, Decorator):
            made = Callable(value.kind, node, env, value.options)
        elif kind is not None:
            made = Callable(kind, node, env)
    return made
