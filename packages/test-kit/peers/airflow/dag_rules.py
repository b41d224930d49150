"""What Airflow's own code makes of edges, groups, branches, mapping and cron texts.

Reads one JSON document from stdin and prints the answer as the last line.
"""

import json
import logging
import sys
from types import SimpleNamespace

from croniter import croniter

from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.providers.standard.operators.python import BranchPythonOperator, ShortCircuitOperator
from airflow.sdk import DAG, TaskGroup
from airflow.sdk.definitions._internal.expandinput import DictOfListsExpandInput
from airflow.sdk.exceptions import DownstreamTasksSkipped


def make(case):
    dag = DAG("d", schedule=None)
    nodes = {}
    for declared in case["nodes"]:
        id, parent = declared["id"], nodes.get(declared.get("parent"))
        label = id.rsplit(".", 1)[-1]
        if declared["kind"] == "group":
            nodes[id] = TaskGroup(label, dag=dag, parent_group=parent)
            continue
        common = {"task_id": label, "dag": dag, **({"task_group": parent} if parent else {})}
        if declared["kind"] == "branch":
            nodes[id] = BranchPythonOperator(python_callable=lambda: case["chosen"], **common)
        elif declared["kind"] == "short-circuit":
            nodes[id] = ShortCircuitOperator(
                python_callable=lambda: False, ignore_downstream_trigger_rules=case["ignore"], **common
            )
        else:
            nodes[id] = EmptyOperator(**common)
    for first, second in case["pairs"]:
        nodes[first] >> nodes[second]
    return dag, nodes


def rules(case):
    dag, nodes = make(case)
    answer = {
        "edges": sorted([t.task_id, d] for t in dag.tasks for d in t.downstream_task_ids),
        "groups": {
            id: {
                "upstreamGroupIds": sorted(g.upstream_group_ids),
                "downstreamGroupIds": sorted(g.downstream_group_ids),
                "upstreamTaskIds": sorted(g.upstream_task_ids),
                "downstreamTaskIds": sorted(g.downstream_task_ids),
            }
            for id, g in nodes.items()
            if isinstance(g, TaskGroup)
        },
    }
    if "chooser" in case:
        pushed, skipped = {}, []
        task = nodes[case["chooser"]]
        ti = SimpleNamespace(
            task=task, map_index=-1, xcom_push=lambda key, value: pushed.update({key: value})
        )
        context = {"ti": ti, "task": task, "dag_run": None, "outlet_events": {}, "run_id": "r"}
        try:
            task.execute(context)
        except DownstreamTasksSkipped as skip:
            skipped = [t if isinstance(t, str) else t[0] for t in skip.tasks]
        note = pushed.get("skipmixin_key")
        answer["skipped"] = sorted(skipped)
        answer["note"] = note and {word: sorted(ids) for word, ids in note.items()}
    return answer


def combinations(value):
    expand = DictOfListsExpandInput(value)
    count = 1
    for each in value.values():
        count *= len(each)
    return [expand.resolve({"ti": SimpleNamespace(map_index=i)})[0] for i in range(count)]


def takes(cron):
    try:
        croniter(cron)
        return True
    except Exception:
        return False


logging.disable(logging.CRITICAL)
asked = json.load(sys.stdin)
answer = {
    "rules": [rules(case) for case in asked["rules"]],
    "combinations": [combinations(value) for value in asked["combinations"]],
    "cron": [takes(text) for text in asked["cron"]],
}
print("\n" + json.dumps(answer))
