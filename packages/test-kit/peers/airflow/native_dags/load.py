"""Loads a serialised Dag as the Dag processor of Airflow 3.4 does when a runtime has sent it."""

from __future__ import annotations

import copy
from typing import Any

from airflow.serialization.serialized_objects import DagSerialization


def load(document: Any) -> tuple[dict[str, Any], Any]:
    """The verdict, and the Dag where it is taken."""
    filled = copy.deepcopy(document)
    try:
        DagSerialization.fill_config_defaults(filled)
        return {"accepted": True}, DagSerialization.validate_serialized_dag(filled)
    except Exception as problem:
        return {"accepted": False, "error": type(problem).__name__, "message": str(problem)[:260]}, None
