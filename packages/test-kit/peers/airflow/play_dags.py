"""Plays runs of Dags through with the real scheduler's own decisions, and nothing that really runs.

    .peers/airflow-3.3.2/bin/python play_dags.py < plans.ndjson > answers.ndjson

One answer for each line of stdin: {"document": serialised Dag, "steps": [states, …], "end": state of the run}. A plan:

    {"groups": [{"id", "parent"?, "over"?}],
     "tasks": [{"id", "group"?, "after": [ids], "rule"?, "kind": "task" | "branch" | "short-circuit", "setup"?, "teardown"?,
                "failsRun"?, "over"?: {name: task id or number of elements}, "ends": [states], "turn": number,
                "length"?: number, "decision"?: what a branch leaves, "skips"?: [ids that it skips at once]}]}

What may start is marked as scheduled until nothing more changes; that is a step. Then those whose turn is lowest,
`(turn + 7 * map index) % 5`, end as `ends` says, in turns by map index. 4 s for the start, some 100 ms a Dag.
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import shutil
import signal
import sys
import tempfile
import traceback
import warnings

HOME = tempfile.mkdtemp(prefix="parlance-play-dags-")
atexit.register(shutil.rmtree, HOME, ignore_errors=True)
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the folder goes then, too
os.environ["AIRFLOW_HOME"] = HOME
os.environ["AIRFLOW__CORE__LOAD_EXAMPLES"] = "False"
warnings.simplefilter("ignore")
ANSWERS = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)  # what is printed on the way is no answer

from sqlalchemy import or_, select, tuple_, update  # noqa: E402

from airflow import settings  # noqa: E402
from airflow._shared.timezones import timezone  # noqa: E402
from airflow.models import import_all_models  # noqa: E402
from airflow.models.base import Base  # noqa: E402
from airflow.models.dag import DagModel  # noqa: E402
from airflow.models.dag_version import DagVersion  # noqa: E402
from airflow.models.dagbundle import DagBundleModel  # noqa: E402
from airflow.models.dagrun import DagRun  # noqa: E402
from airflow.models.taskinstance import TaskInstance as TI  # noqa: E402
from airflow.models.taskmap import TaskMap  # noqa: E402
from airflow.models.xcom import XComModel  # noqa: E402
from airflow.sdk import DAG, TaskGroup  # noqa: E402
from airflow.sdk.bases.operator import BaseOperator  # noqa: E402
from airflow.sdk.bases.skipmixin import SkipMixin  # noqa: E402
from airflow.sdk.definitions._internal.expandinput import DictOfListsExpandInput  # noqa: E402
from airflow.sdk.definitions.taskgroup import MappedTaskGroup  # noqa: E402
from airflow.serialization.serialized_objects import DagSerialization  # noqa: E402
from airflow.utils.state import DagRunState, TaskInstanceState  # noqa: E402
from airflow.utils.types import DagRunType  # noqa: E402

logging.disable(logging.CRITICAL)
DAG_ID = "d"
# What is running or over is not skipped by a branch.
BEGUN = [TaskInstanceState.RUNNING, TaskInstanceState.SUCCESS, TaskInstanceState.FAILED]


class Play(BaseOperator):
    def __init__(self, a=None, b=None, **rest):
        super().__init__(**rest)


class PlayBranch(Play, SkipMixin):
    pass


def build(plan):
    dag = DAG(DAG_ID, schedule=None)
    made, groups = {}, {None: dag.task_group}

    def lists(over):
        return {n: made[of].output if isinstance(of, str) else [0] * of for n, of in over.items()}

    def group_of(id):
        if id in groups:
            return groups[id]
        declared = next(group for group in plan["groups"] if group["id"] == id)
        common = {"prefix_group_id": False, "parent_group": group_of(declared.get("parent")), "dag": dag}
        if "over" in declared:
            values = DictOfListsExpandInput(lists(declared["over"]))
            groups[id] = MappedTaskGroup(group_id=id, expand_input=values, **common)
        else:
            groups[id] = TaskGroup(id, **common)
        return groups[id]

    for declared in plan["tasks"]:
        kind = Play if declared["kind"] == "task" else PlayBranch
        common = {"task_id": declared["id"], "dag": dag, "task_group": group_of(declared.get("group"))}
        if "rule" in declared:
            common["trigger_rule"] = declared["rule"]
        if "over" in declared:
            task = kind.partial(**common).expand(**lists(declared["over"]))
        else:
            task = kind(**common)
        made[declared["id"]] = task
        if declared.get("setup"):
            task.as_setup()
        if declared.get("teardown"):
            task.as_teardown(on_failure_fail_dagrun=declared.get("failsRun", False))
        for other in declared["after"]:
            if other not in task.upstream_task_ids:
                made[other] >> task
    return DagSerialization.to_dict(dag)


class Played:
    """One run, in a transaction that is rolled back."""

    def __init__(self, plan, document, version, session):
        self.tasks = {task["id"]: task for task in plan["tasks"]}
        self.dag = DagSerialization.from_dict(document)
        self.session = session
        self.run = DagRun(
            dag_id=DAG_ID, run_id="r", run_type=DagRunType.MANUAL, run_after=timezone.utcnow(), state=DagRunState.RUNNING
        )
        self.run.dag = self.dag
        self.run.start_date = timezone.utcnow()
        session.add(self.run)
        session.flush()
        self.run.verify_integrity(dag_version_id=version, session=session)
        session.flush()

    def instances(self):
        found = self.session.scalars(select(TI).where(TI.run_id == "r").execution_options(populate_existing=True)).all()
        return sorted(found, key=lambda ti: (ti.task_id, ti.map_index))

    def states(self):
        return {
            ti.task_id if ti.map_index < 0 else f"{ti.task_id}[{ti.map_index}]": ti.state and str(ti.state)
            for ti in self.instances()
        }

    def settle(self):
        """The scheduler looks until nothing changes."""
        before = None
        while before != (before := self.states()):
            decision = self.run.task_instance_scheduling_decisions(session=self.session)
            self.run.schedule_tis(decision.schedulable_tis, session=self.session)
            self.session.flush()
        return before

    def go_on(self):
        """Those that have the lowest turn end; False where nothing is under way."""
        ready = [ti for ti in self.instances() if ti.state == TaskInstanceState.SCHEDULED]
        turn = {ti: (self.tasks[ti.task_id]["turn"] + 7 * max(ti.map_index, 0)) % 5 for ti in ready}
        for ti in ready:
            if turn[ti] == min(turn.values()):
                self.end(ti)
        self.session.flush()
        return len(ready) > 0

    def end(self, ti):
        declared = self.tasks[ti.task_id]
        self.session.refresh(ti)
        if ti.state != TaskInstanceState.SCHEDULED:
            return  # skipped by one that has ended in the same step
        ends = declared["ends"]
        ti.state = ends[max(ti.map_index, 0) % len(ends)]
        self.session.flush()
        if ti.state != TaskInstanceState.SUCCESS:
            return
        ref = {"dag_id": DAG_ID, "run_id": "r", "task_id": ti.task_id, "map_index": ti.map_index}
        if "length" in declared:
            XComModel.set(key="return_value", value=[], **ref, session=self.session)
            if ti.map_index < 0:
                self.session.add(TaskMap(**ref, length=declared["length"], keys=None))
        if "decision" in declared:
            XComModel.set(key="skipmixin_key", value=declared["decision"], **ref, session=self.session)
            skipped = [(id, ti.map_index) for id in declared["skips"]]
            self.session.execute(
                update(TI)
                .where(TI.run_id == "r", tuple_(TI.task_id, TI.map_index).in_(skipped))
                .where(or_(TI.state.is_(None), TI.state.not_in(BEGUN)))
                .values(state=TaskInstanceState.SKIPPED)
                .execution_options(synchronize_session=False)
            )
        self.session.flush()
        self.session.expire_all()

    def play(self):
        steps = [self.settle()]
        while self.go_on():
            steps.append(self.settle())
        self.run.dag = self.dag
        self.run.update_state(session=self.session, execute_callbacks=False)
        return {"steps": steps, "end": str(self.run.state)}


def main():
    settings.initialize()
    import_all_models()
    Base.metadata.create_all(settings.engine)
    session = settings.Session()
    session.add(DagBundleModel(name="b"))
    session.flush()
    session.add(DagModel(dag_id=DAG_ID, bundle_name="b", fileloc="d.py"))
    session.flush()
    version = DagVersion.write_dag(dag_id=DAG_ID, bundle_name="b", session=session)
    session.commit()
    id = version.id
    for line in sys.stdin:
        try:
            plan = json.loads(line)
            document = build(plan)
            answer = {"document": document, **Played(plan, document, id, session).play()}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}", "at": traceback.format_exc()}
        session.rollback()
        ANSWERS.write(json.dumps(answer) + "\n")
        ANSWERS.flush()


if __name__ == "__main__":
    main()
