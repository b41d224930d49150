"""One stub for each state and capability that src/tasks.ts shows. Triggered by hand; several tasks end otherwise than in success."""

from datetime import timedelta

from airflow.sdk import Asset, dag, task

# The queue that [sdk] queue_to_coordinator sends to the coordinator of the bundle.
QUEUE = "typescript"
ASSET = Asset(name="capabilities_asset", uri="s3://capabilities/asset")


def stub(task_id, **options):
    """A task without a body of its own: an id with a hyphen is no name of a Python function."""

    @task.stub(queue=QUEUE, task_id=task_id, **options)
    def body(): ...

    return body()


@dag(dag_id="capabilities", schedule=None, catchup=False, tags=["typescript"])
def capabilities():
    for state in ("success", "failed", "skipped", "removed", "deferred", "up_for_reschedule", "awaiting_input"):
        stub(state)
    again = {"retries": 1, "retry_delay": timedelta(seconds=1)}
    stub("up_for_retry", **again)
    stub("retry-policy", **again)
    for capability in (
        "mixed-lang-stub-target",
        "taskflow-binding",
        "task-logging",
        "xcom-read-write",
        "connection-read",
        "variable-read-write",
        "self-contained-bundle",
        "task-state-store",
    ):
        stub(capability)
    emitted = stub("asset-event-emit", outlets=[ASSET])
    kept = stub("asset-state-store", inlets=[ASSET])
    read = stub("asset-event-read", inlets=[ASSET])
    emitted >> [kept, read]


capabilities()
