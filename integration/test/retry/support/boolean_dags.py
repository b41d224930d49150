"""A Dag from before numbers; rest.test.ts migrates a copy."""
import functools

from airflow.sdk import DAG, BaseOperator, task

BACK_OFF = True


class Op(BaseOperator):
    def __init__(self, x=None, **kwargs):
        super().__init__(**kwargs)
        self.x = x

    def execute(self, context):
        return None


eager = functools.partial(Op, retry_exponential_backoff=True)

with DAG("booleans", schedule=None, default_args={"retries": 3, "retry_exponential_backoff": True}) as dag:
    Op(task_id="inherits")
    Op(task_id="fixed", retry_exponential_backoff=False)
    Op.partial(task_id="mapped", retry_exponential_backoff=False).expand(x=[1])
    Op(task_id="named", retry_exponential_backoff=BACK_OFF)
    eager(task_id="eager")

    @task(retry_exponential_backoff=(True))
    def decorated():
        pass

    decorated()
    decorated.override(task_id="overridden", retry_exponential_backoff=True)()
