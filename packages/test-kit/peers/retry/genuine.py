"""The genuine ``TaskInstance.next_retry_datetime`` of the Airflow that is importable, asked in vectors.

Nothing in here repeats the formula. The layers and the format of a vector are in README.md.
"""
from __future__ import annotations

import atexit
import contextlib
import json
import logging
import os
import shutil
import tempfile
import warnings
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from cases import enc

# Airflow reads its settings when it is imported: none of the caller's may be among them.
for _name in [name for name in os.environ if name.startswith("AIRFLOW_")]:
    del os.environ[_name]
os.environ["AIRFLOW_HOME"] = tempfile.mkdtemp(prefix="parlance-retry-")
atexit.register(shutil.rmtree, os.environ["AIRFLOW_HOME"], ignore_errors=True)
os.environ["AIRFLOW__CORE__LOAD_EXAMPLES"] = "False"
os.environ["AIRFLOW__LOGGING__LOGGING_LEVEL"] = "CRITICAL"
warnings.simplefilter("ignore")

import sqlalchemy as sa  # noqa: E402
import structlog  # noqa: E402
from sqlalchemy.orm import Session  # noqa: E402

import airflow  # noqa: E402
from airflow.models import import_all_models  # noqa: E402
from airflow.models.base import Base  # noqa: E402
from airflow.models.dagrun import DagRun  # noqa: E402
from airflow.models.taskinstance import TaskInstance  # noqa: E402
from airflow.sdk import DAG  # noqa: E402
from airflow.sdk import BaseOperator  # noqa: E402
from airflow.sdk.definitions._internal import abstractoperator  # noqa: E402
from airflow.serialization.serialized_objects import DagSerialization  # noqa: E402
from airflow.utils.types import DagRunType  # noqa: E402

logging.disable(logging.CRITICAL)
# The calculation says on stdout that it overflowed.
structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
US = timedelta(microseconds=1)

import_all_models()
_engine = sa.create_engine("sqlite://")
Base.metadata.create_all(_engine)


class Op(BaseOperator):
    """Smallest operator with one mappable argument."""

    def __init__(self, x=None, **kw):
        super().__init__(**kw)
        self.x = x

    def execute(self, context):
        return None


def dec(v):
    if isinstance(v, dict):  # special number
        return float(v["$f"]) if "$f" in v else int(v["$int"])
    return v


def td(us):
    return None if us is None else timedelta(microseconds=us)


def parse(iso):
    """ISO text, optionally followed by [Zone/Name]."""
    if iso is None:
        return None
    if iso.endswith("]"):
        iso, zone = iso[:-1].split("[")
        return datetime.fromisoformat(iso).astimezone(ZoneInfo(zone))
    return datetime.fromisoformat(iso)


def roundtrip_task(retry_delay, multiplier, max_retry_delay, mapped=False):
    """Build a one-task Dag, push it through JSON text, return the scheduler's copy of the task."""
    kw = {"task_id": "t", "retries": 3, "retry_delay": retry_delay, "max_retry_delay": max_retry_delay}
    if multiplier != "$default":
        kw["retry_exponential_backoff"] = multiplier
    with DAG("d", schedule=None, start_date=EPOCH) as dag:
        Op.partial(**kw).expand(x=[1, 2]) if mapped else Op(**kw)
    text = json.dumps(DagSerialization.to_dict(dag))
    return DagSerialization.from_dict(json.loads(text)).get_task("t")


def through_db(logical, end):
    """Store and re-read both instants with the real DagRun columns."""
    with Session(_engine) as s:
        dr = DagRun(dag_id="d", run_id="r", run_type=DagRunType.MANUAL, logical_date=logical)
        dr.run_after = logical or EPOCH
        dr.end_date = end
        s.add(dr)
        s.flush()
        pk = dr.id
        s.expunge_all()
        row = s.get(DagRun, pk)
        out = row.logical_date, row.end_date
        s.rollback()
        return out


@contextlib.contextmanager
def cap(seconds):
    old = abstractoperator.MAX_RETRY_DELAY
    if seconds is not None:
        abstractoperator.MAX_RETRY_DELAY = seconds
    try:
        yield
    finally:
        abstractoperator.MAX_RETRY_DELAY = old


def answer(c):
    """Fill in the outputs of one case (dict of inputs)."""
    layer = c["layer"]
    logical, end = parse(c["logical_date"]), parse(c["end_date"])
    mult = dec(c["multiplier"])
    out = {}
    try:
        if layer == "direct":
            task = roundtrip_task(timedelta(seconds=1), 0, None)
            task.retry_delay = td(c["retry_delay_us"])
            task.retry_exponential_backoff = mult
            task.max_retry_delay = td(c["max_retry_delay_us"])
        else:
            task = roundtrip_task(td(c["retry_delay_us"]), mult, td(c["max_retry_delay_us"]), layer == "mapped")
    except Exception as e:  # construction or (de)serialisation refused the values
        return {**c, "out": {"rejected": type(e).__name__}}
    if layer != "memory":
        logical, end = through_db(logical, end)
    ti = TaskInstance(task=task, dag_version_id=None, run_id="r", map_index=c.get("map_index", -1))
    ti.dag_id, ti.task_id = c["dag_id"], c["task_id"]
    ti.dag_run = DagRun(dag_id="d", run_id="r", run_type=DagRunType.MANUAL, logical_date=logical)
    # DagRun's constructor may normalise; poke the exact object afterwards
    ti.dag_run.logical_date = logical
    ti.try_number, ti.end_date = c["try_number"], end
    ti.retry_delay_override = dec(c.get("override_seconds"))
    try:
        out["multiplier_effective"] = enc(ti.task.retry_exponential_backoff)
    except Exception as e:  # a mapped task converts only when the value is read
        return {**c, "out": {"unreadable": type(e).__name__}}
    out["retry_delay_us_effective"] = ti.task.retry_delay // US
    m = ti.task.max_retry_delay
    out["max_retry_delay_us_effective"] = None if m is None else m // US
    out["hash_text"] = f"{ti.dag_id}#{ti.task_id}#{ti.logical_date}#{ti.try_number}"
    with cap(c.get("max_task_retry_delay_s")):
        try:
            nxt = ti.next_retry_datetime()
            out["next_retry"] = nxt.astimezone(timezone.utc).isoformat(timespec="microseconds")
            out["delay_us"] = (nxt - end) // US
        except Exception as e:
            out["error"] = type(e).__name__
    return {**c, "out": out}
