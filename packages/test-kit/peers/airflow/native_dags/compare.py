"""In what two loaded Dags differ, field by field, as the scheduler and the pages see them."""

from __future__ import annotations

from typing import Any

from airflow.serialization.encoders import encode_asset_like, encode_timetable

DAG_FIELDS = [
    "dag_id",
    "dag_display_name",
    "description",
    "doc_md",
    "start_date",
    "end_date",
    "timezone",
    "catchup",
    "max_active_tasks",
    "max_active_runs",
    "max_consecutive_failed_dag_runs",
    "dagrun_timeout",
    "fail_fast",
    "is_paused_upon_creation",
    "tags",
    "owner_links",
    "default_args",
    "edge_info",
    "deadline",
    "allowed_run_types",
    "disable_bundle_versioning",
    "rerun_with_latest_version",
    "has_on_success_callback",
    "has_on_failure_callback",
    "render_template_as_native_obj",
    "access_control",
]
TASK_FIELDS = [
    "task_id",
    "label",
    "node_id",
    "owner",
    "task_display_name",
    "start_date",
    "end_date",
    "trigger_rule",
    "depends_on_past",
    "ignore_first_depends_on_past",
    "wait_for_past_depends_before_skipping",
    "wait_for_downstream",
    "retries",
    "queue",
    "pool",
    "pool_slots",
    "execution_timeout",
    "retry_delay",
    "retry_exponential_backoff",
    "max_retry_delay",
    "has_retry_policy",
    "priority_weight",
    "priority_weight_total",
    "executor",
    "executor_config",
    "run_as_user",
    "doc_md",
    "map_index_template",
    "max_active_tis_per_dag",
    "max_active_tis_per_dagrun",
    "inherits_from_skipmixin",
    "inherits_from_empty_operator",
    "is_mapped",
    "is_setup",
    "is_teardown",
    "on_failure_fail_dagrun",
    "has_on_execute_callback",
    "has_on_failure_callback",
    "has_on_retry_callback",
    "has_on_skipped_callback",
    "has_on_success_callback",
    "upstream_task_ids",
    "downstream_task_ids",
    "returns_dag_result",
]


def differences(python: tuple[dict[str, Any], Any], native: Any, document: dict[str, Any]) -> list[str]:
    """Lines like ``load.retries: 3 in Python, 2 here``; none when they are the same Dag."""
    python_document, dag = python
    found = Found()
    for name in DAG_FIELDS:
        found.compare(name, plain(getattr(dag, name, None)), plain(getattr(native, name, None)))
    found.compare("owner", *[sorted(each.owner.split(", ")) for each in (dag, native)])
    found.compare("timetable", encode_timetable(dag.timetable), encode_timetable(native.timetable))
    found.compare("params", params(dag), params(native))
    found.compare("groups", group(dag.task_group), group(native.task_group))
    found.compare("dependencies", python_document["dag"]["dag_dependencies"], document["dag"].get("dag_dependencies"))
    found.compare("tasks", sorted(dag.task_dict), sorted(native.task_dict))
    for task_id in sorted(dag.task_dict.keys() & native.task_dict.keys()):
        one, other = dag.task_dict[task_id], native.task_dict[task_id]
        for name in TASK_FIELDS:
            found.compare(f"{task_id}.{name}", plain(getattr(one, name, None)), plain(getattr(other, name, None)))
        for name, read in READERS.items():
            found.compare(f"{task_id}.{name}", read(one), read(other))
    return found.lines


class Found:
    def __init__(self) -> None:
        self.lines: list[str] = []

    def compare(self, name: str, python: Any, native: Any) -> None:
        if python != native:
            self.lines.append(f"{name}: {python!r} in Python, {native!r} here")


def plain(value: Any) -> Any:
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if hasattr(value, "name") and hasattr(value, "utcoffset"):
        return value.name
    return value


def params(node: Any) -> list[Any]:
    return [(name, param.dump()) for name, param in node.params.items()] if node.params else []


def assets(values: Any) -> list[Any]:
    return [encode_asset_like(each) if hasattr(each, "uri") else each for each in values or []]


def in_bag(task: Any, name: str) -> Any:
    """A mapped task's own arguments come first."""
    return task.partial_kwargs.get(name, getattr(task, name, None)) if task.is_mapped else getattr(task, name)


def expansion(task: Any) -> Any:
    if not task.is_mapped:
        return None
    return {name: expanded(value) for name, value in task._get_specified_expand_input().value.items()}


def expanded(value: Any) -> Any:
    return (value.operator.task_id, value.key) if hasattr(value, "operator") else value


def mapped_dependencies(task: Any) -> list[str]:
    return sorted(each.task_id for each in task.iter_mapped_dependencies()) if task.is_mapped else []


def parse_time_count(task: Any) -> Any:
    if not task.is_mapped:
        return None
    try:
        return task.get_parse_time_mapped_ti_count()
    except Exception as problem:
        return type(problem).__name__


def group(node: Any) -> dict[str, Any]:
    return {
        "id": node.group_id,
        "display": node.group_display_name,
        "tooltip": node.tooltip,
        "prefix": node.prefix_group_id,
        "colors": [node.ui_color, node.ui_fgcolor],
        "around": [sorted(each) for each in (node.upstream_group_ids, node.downstream_group_ids)],
        "tasks around": [sorted(each) for each in (node.upstream_task_ids, node.downstream_task_ids)],
        "children": {
            label: group(child) if hasattr(child, "children") else child.task_id for label, child in node.children.items()
        },
    }


READERS = {
    "params": params,
    "inlets": lambda task: assets(in_bag(task, "inlets")),
    "outlets": lambda task: assets(in_bag(task, "outlets")),
    "weight_rule": lambda task: type(task.weight_rule).__name__,
    # Python says nothing of it for a mapped task, and no scheduler asks.
    "multiple_outputs": lambda task: not task.is_mapped and task.multiple_outputs,
    "do_xcom_push": lambda task: in_bag(task, "do_xcom_push"),
    "expansion": expansion,
    "mapped_dependencies": mapped_dependencies,
    "parse_time_count": parse_time_count,
    "group": lambda task: task.task_group.group_id,
}
