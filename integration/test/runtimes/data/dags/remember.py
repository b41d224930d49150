from datetime import datetime, timezone

from airflow.sdk import DAG, Asset, task

watermark = Asset(name="watermark", uri="s3://bucket/watermark")

with DAG("remember", schedule=None, start_date=datetime(2026, 1, 1, tzinfo=timezone.utc)):

    @task(outlets=[watermark])
    def count(**context):
        mine, shared = context["task_state_store"], context["asset_state_store"][watermark]
        mine.set("tries", {"n": (mine.get("tries") or {"n": 0})["n"] + 1})
        shared.set("rows", (shared.get("rows") or 0) + 10)
        if context["ti"].try_number == 1:
            raise ConnectionError("try again")
        return [mine.get("tries"), shared.get("rows")]

    @task(inlets=[watermark])
    def read(**context):
        return [context["task_state_store"].get("tries"), context["asset_state_store"][watermark].get("rows")]

    count() >> read()
