"""Builds, in Python, the Dag that a model of dag-model.ts describes, and loads it as Airflow does."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from airflow.sdk import DAG, Asset, AssetAll, AssetAny, Param, TaskGroup, task
from airflow.sdk.bases.operator import BaseOperator
from airflow.serialization.serialized_objects import DagSerialization

Model = dict[str, Any]

# What a model calls differently; the rest is the same in snake case.
SETTINGS = {
    "displayName": "task_display_name",
    "doc": "doc_md",
    "retryDelayMs": "retry_delay",
    "maxRetryDelayMs": "max_retry_delay",
    "executionTimeoutMs": "execution_timeout",
}
DECORATORS = {"task": task.stub, "branch": task.branch, "short-circuit": task.short_circuit}


def python_dag(model: Model) -> tuple[Model, Any]:
    """The serialised Dag, and the one that the scheduler makes of it."""
    document = DagSerialization.to_dict(build(model))
    return document, DagSerialization.from_dict(document)


def build(model: Model) -> DAG:
    optional = {
        "dag_display_name": model["displayName"],
        "description": model["description"],
        "doc_md": model["doc"],
        "start_date": date(model["startDate"]),
        "end_date": date(model["endDate"]),
        "catchup": model["catchup"],
        "max_active_tasks": model["maxActiveTasks"],
        "max_active_runs": model["maxActiveRuns"],
        "max_consecutive_failed_dag_runs": model["maxConsecutiveFailedRuns"],
        "dagrun_timeout": delta(model["dagrunTimeoutMs"]),
        "is_paused_upon_creation": model["isPausedUponCreation"],
    }
    dag = DAG(
        model["dagId"],
        schedule=schedule(model["schedule"]),
        tags=model["tags"],
        params={param["name"]: python_param(param) for param in model["params"]},
        fail_fast=model["failFast"],
        owner_links=model["ownerLinks"],
        default_args=arguments(model["taskDefaults"]),
        **{name: value for name, value in optional.items() if value is not None},
    )
    groups = {None: dag.task_group}
    for group in model["groups"]:
        groups[group["groupId"]] = TaskGroup(
            group["label"],
            parent_group=groups[group["parentId"]],
            dag=dag,
            tooltip=group["tooltip"],
            group_display_name=group["displayName"] or "",
        )
    made: dict[str, BaseOperator] = {}
    for one in in_order(model["tasks"]):
        made[one["taskId"]] = python_task(one, dag, groups[one["groupId"]], made)
    for one in model["tasks"]:
        for other in one["upstream"]:
            made[one["taskId"]].set_upstream(made[other])
    for group in model["groups"]:
        declare(groups[group["groupId"]], group)
    return dag


def declare(group: TaskGroup, model: Model) -> None:
    """What is said of the group as a whole; the edges between the tasks are there already."""
    group.upstream_group_ids.update(model["upstreamGroupIds"])
    group.downstream_group_ids.update(model["downstreamGroupIds"])
    group.upstream_task_ids.update(model["upstreamTaskIds"])
    group.downstream_task_ids.update(model["downstreamTaskIds"])


def in_order(tasks: list[Model]) -> list[Model]:
    """What another is mapped over comes before it."""
    done: dict[str, Model] = {}
    rest = list(tasks)
    while rest:
        ready = [one for one in rest if all(name in done for name in mapped_over(one))]
        done.update({one["taskId"]: one for one in ready})
        rest = [one for one in rest if one["taskId"] not in done]
    return list(done.values())


def mapped_over(one: Model) -> list[str]:
    inputs = [one["inputs"][name] for name in one["expand"] or []]
    return [source["taskId"] for source in inputs if source["kind"] == "each"]


def python_task(one: Model, dag: DAG, group: TaskGroup, made: dict[str, BaseOperator]) -> BaseOperator:
    given = {**arguments(one["settings"]), "task_id": one["label"], "dag": dag, "task_group": group}
    if one["inlets"]:
        given["inlets"] = [asset(each) for each in one["inlets"]]
    if one["outlets"]:
        given["outlets"] = [asset(each) for each in one["outlets"]]
    if one["kind"] == "short-circuit":
        given["ignore_downstream_trigger_rules"] = one["ignoreDownstreamTriggerRules"]
    decorated = DECORATORS[one["kind"]](**given)(function(one["expand"] or []))
    if one["expand"] is None:
        return decorated().operator
    lists = {}
    for name in one["expand"]:
        source = one["inputs"][name]
        lists[name] = source["value"] if source["kind"] == "each-literal" else made[source["taskId"]].output
    return decorated.expand(**lists).operator


def function(parameters: list[str]) -> Callable[..., None]:
    """A function with those parameters; `@task.stub` reads its source, which has to be somewhere."""
    source = f"def call({', '.join(parameters)}): ...\n"
    name = f"<{source}>"
    linecache.cache[name] = (len(source), None, [source], name)
    scope: dict[str, Any] = {}
    exec(compile(source, name, "exec"), scope)  # names that the tests make
    return scope["call"]


def arguments(settings: Model) -> Model:
    result = {}
    for name, value in settings.items():
        snake = SETTINGS.get(name) or "".join(f"_{c.lower()}" if c.isupper() else c for c in name)
        result[snake] = delta(value) if name.endswith("Ms") else value
    return result


def schedule(model: Model) -> Any:
    match model["kind"]:
        case "none":
            return None
        case "once" | "continuous":
            return f"@{model['kind']}"
        case "every":
            return delta(model["everyMs"])
        case "cron":
            return model["preset"] or model["expression"]
        case _:
            return condition(model["condition"])


def condition(model: Model) -> Any:
    if model["kind"] == "asset":
        return asset(model["asset"])
    kind = AssetAny if model["kind"] == "any" else AssetAll
    return kind(*[condition(each) for each in model["of"]])


def asset(model: Model) -> Asset:
    return Asset(name=model["name"], uri=model["uri"], group=model["group"], extra=model["extra"])


def python_param(model: Model) -> Param:
    default = {} if model["default"] is None else {"default": model["default"]["value"]}
    return Param(**default, description=model["description"], **model["schema"])


def date(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text.replace("Z", "+00:00"))


def delta(ms: float | None) -> timedelta | None:
    return None if ms is None else timedelta(milliseconds=ms)
