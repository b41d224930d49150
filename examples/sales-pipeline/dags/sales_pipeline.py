"""The Dag as Airflow sees it: the order, the queue and the retries. The work is in src/tasks.ts."""

from datetime import timedelta

from airflow.sdk import dag, task

# The queue that [sdk] queue_to_coordinator sends to the ExecutableCoordinator.
QUEUE = "typescript"


@dag(dag_id="sales_pipeline", schedule=None, catchup=False, tags=["typescript"])
def sales_pipeline():
    @task.stub(queue=QUEUE)
    def extract(): ...

    @task.stub(queue=QUEUE)
    def summarize(): ...

    @task.stub(queue=QUEUE, retries=1, retry_delay=timedelta(seconds=1))
    def publish(): ...

    @task.stub(queue=QUEUE)
    def report(): ...

    extract() >> summarize() >> publish() >> report()


sales_pipeline()
