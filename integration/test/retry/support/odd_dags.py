"""Dags with odd values, for the comparison of rest.test.ts; odd-dags.ts describes the same ones."""
from datetime import datetime, timedelta, timezone

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG, BaseOperator, Param, TaskGroup, task

UTC = timezone.utc
NEW_YORK = timezone(timedelta(hours=-5))
NAN = float("nan")


class Op(BaseOperator):
    def __init__(self, x=None, **kwargs):
        super().__init__(**kwargs)
        self.x = x

    def execute(self, context):
        return None


with DAG(
    "odd_values",
    schedule=None,
    start_date=datetime(2025, 1, 1, tzinfo=UTC),
    end_date=datetime(2035, 1, 1, tzinfo=UTC),
    params={"shared": Param("v", type="string"), "z": 9},
    default_args={
        "retries": 4,
        "owner": "team",
        "retry_delay": timedelta(days=3),
        "retry_exponential_backoff": True,
        "execution_timeout": timedelta(microseconds=1),
    },
) as odd:
    first = Op(task_id="dates", start_date=datetime(2024, 1, 1, tzinfo=UTC), end_date=datetime(2030, 5, 6, 7, 8, 9, 500000, tzinfo=NEW_YORK))
    later = Op(task_id="later", start_date=datetime(2026, 1, 1, 0, 0, 0, 7, tzinfo=UTC), end_date=datetime(2040, 1, 1, tzinfo=UTC))
    Op.partial(
        task_id="mapped",
        task_display_name="Shown \u00fc\u2028",
        owner="me",
        doc_md="*d*",
        retry_exponential_backoff=" 3_0.5 ",
        priority_weight=-(2**40),
        params={"a": Param(1, type="integer", description="x", minimum=0), "z": 2},
    ).expand(x=[1])
    with TaskGroup("group"):
        Op(
            task_id="inner",
            task_display_name="In \U0001f600",
            doc_md="\n   indented\n",
            weight_rule="upstream",
            priority_weight=2**40,
            pool_slots=3,
            queue="q",
            pool="p",
            trigger_rule="one_failed",
            depends_on_past=True,
            wait_for_downstream=True,
            owner="",
            retry_exponential_backoff=-0.0,
            retry_delay=timedelta(microseconds=-1),
        )
    BashOperator(task_id="bash", bash_command="true", retries=0, execution_timeout=timedelta(days=400, microseconds=5))
    e = Op(task_id="\u00e9", retry_delay=7.5)
    Op(task_id="Z", retry_delay=timedelta.min)
    Op(task_id="\ufb00", retry_exponential_backoff=False)

    @task(retries=2)
    def decorated():
        """doc string"""

    decorated()
    first >> [later, e]

with DAG("numbers", schedule=None) as numbers:
    for at, value in enumerate(
        [1e22, 1e16, 1e15, 1e-7, 1e-6, 1.5e-5, 123456789.125, 0.1 + 0.2, 5e-324, 1.7976931348623157e308, 9999999999999998.0, -3]
    ):
        Op(task_id=f"n{at}", retry_exponential_backoff=value)

with DAG("no_numbers", schedule=None) as no_numbers:
    for at, value in enumerate([3, NAN, 1, 2, float("nan"), 0.5, 5, float("inf"), 4, float("nan"), -1, float("-inf"), 6]):
        Op(task_id=f"n{at}", retry_exponential_backoff=value)
