"""Which Airflow this Python has, and the names that both harnesses configure it with."""

from __future__ import annotations

import importlib.metadata

TASK_SDK = importlib.metadata.version("apache-airflow-task-sdk")
IS_34 = tuple(int(part) for part in TASK_SDK.split(".")[:2]) >= (1, 4)

COORDINATORS = "airflow.sdk.coordinators"
LOCAL_BUNDLE = "airflow.dag_processing.bundles.local.LocalDagBundle"
