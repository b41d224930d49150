"""The Dags and the requests of the recording in packages/retry/test/data/rest; see rest_tasks.py."""
import sys
from datetime import datetime, timedelta, timezone

from airflow.sdk import DAG, BaseOperator

START = datetime(2025, 1, 1, tzinfo=timezone.utc)


class Op(BaseOperator):
    """Smallest operator with one mappable argument."""

    def __init__(self, x=None, **kwargs):
        super().__init__(**kwargs)
        self.x = x

    def execute(self, context):
        return None


# The recording was first made by a script that had the operator itself.
Op.__module__ = "__main__"
sys.modules["__main__"].Op = Op


def build():
    with DAG("retry_backoff_demo", schedule=None, start_date=START) as demo:
        first = Op(task_id="standard_backoff", retry_exponential_backoff=2.0, retry_delay=timedelta(minutes=1), retries=3)
        second = Op(
            task_id="aggressive_backoff",
            retry_exponential_backoff=5.0,
            retries=4,
            retry_delay=timedelta(minutes=1, microseconds=250),
            max_retry_delay=timedelta(hours=2),
            execution_timeout=timedelta(days=1, hours=2),
        )
        Op(task_id="fixed_delay", retry_exponential_backoff=0)
        Op(task_id="legacy_true", retry_exponential_backoff=True, end_date=datetime(2030, 1, 1, tzinfo=timezone.utc))
        Op(task_id="legacy_false", retry_exponential_backoff=False)
        Op(task_id="unset")
        Op(task_id="fraction", retry_exponential_backoff=1.5, doc_md="notes", params={"p": 3})
        Op.partial(task_id="mapped_true", retry_exponential_backoff=True).expand(x=[1, 2])
        Op.partial(task_id="mapped_unset").expand(x=[1, 2])
        Op.partial(task_id="mapped_custom", retry_exponential_backoff=3.5, retry_delay=7.5).expand(x=[1, 2])
        Op(task_id="negative", retry_exponential_backoff=-2)
        first >> second
    with DAG("odd", schedule=None, start_date=START) as odd:
        Op(task_id="nan", retry_exponential_backoff=float("nan"))
        Op(task_id="inf", retry_exponential_backoff=float("inf"))
        Op(task_id="neg_delay", retry_delay=-5)
    with DAG("weights", schedule=None, start_date=START) as weights:
        Op(task_id="w1", weight_rule="absolute")
        Op(task_id="w2", weight_rule="upstream")
    with DAG("mapped_bad", schedule=None, start_date=START) as mapped_bad:
        Op.partial(task_id="m", retry_exponential_backoff="abc").expand(x=[1])
    return [demo, odd, weights, mapped_bad]


FIELDS = (
    "task_id task_display_name owner start_date end_date trigger_rule depends_on_past wait_for_downstream retries queue pool"
    " pool_slots execution_timeout retry_delay priority_weight weight_rule ui_color ui_fgcolor operator_name"
).split()
NO_FIELDS = (
    ["--task_id", "-", "", "max_retry_delay", "-nope", "doc_md", "TASK_ID", "%20task_id", "is_mapped", "class_ref", "params"]
    + ["template_fields", "downstream_task_ids", "extra_links", "retry_exponential_backoff,task_id"]
)


def requests():
    """(method, path below /api/v2/dags/, whether a list is kept whole)"""
    tasks = "retry_backoff_demo/tasks"
    yield "GET", tasks + "?order_by=retry_exponential_backoff", True
    yield "GET", tasks + "?order_by=-retry_exponential_backoff", True
    yield "GET", tasks, False
    for field in FIELDS:
        yield "GET", f"{tasks}?order_by={field}", False
        yield "GET", f"{tasks}?order_by=-{field}", False
    for field in NO_FIELDS:
        yield "GET", f"{tasks}?order_by={field}", False
    yield "GET", tasks + "?order_by=retries&order_by=-task_id", False
    yield "GET", tasks + "?limit=2&offset=1", False
    for task in "standard_backoff aggressive_backoff mapped_true mapped_custom fraction unset missing".split():
        yield "GET", f"{tasks}/{task}", False
    yield "GET", "no_such_dag/tasks", False
    yield "GET", "no_such_dag/tasks/x", False
    yield "GET", "odd/tasks?order_by=retry_exponential_backoff", False
    for task in ("nan", "inf", "neg_delay"):
        yield "GET", f"odd/tasks/{task}", False
    yield "GET", "weights/tasks?order_by=weight_rule", False
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        yield method, tasks, False
        yield method, tasks + "/unset", False
    yield "GET", "mapped_bad/tasks", False
    yield "GET", "mapped_bad/tasks/m", False
