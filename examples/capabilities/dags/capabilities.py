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
    done = stub("success")
    for state in ("failed", "skipped", "removed", "deferred", "up_for_reschedule", "awaiting_input"):
        stub(state)
    stub("up_for_retry", retries=1, retry_delay=timedelta(seconds=1))
    stub("retry-policy", retries=1, retry_delay=timedelta(hours=1))  # the task asks for a second itself

    # 3.4 tells a bundle of schema version 2026-10-30 of the arguments; any other task pulls what it declares.
    @task.stub(queue=QUEUE, task_id="taskflow-binding")
    def taskflow_binding(greeting: str, earlier: str | None): ...

    taskflow_binding("hello", earlier=done)

    for capability in (
        "mixed-lang-stub-target",
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
