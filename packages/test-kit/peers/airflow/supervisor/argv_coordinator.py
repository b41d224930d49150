"""A coordinator for children that are no bundle: a fixed command line."""

from __future__ import annotations

import attrs
from airflow.sdk.coordinators import _subprocess


@attrs.define(kw_only=True)
class ArgvCoordinator(_subprocess.SubprocessCoordinator):
    """Runs ``argv`` plus the two flags; nothing is looked up on disk."""

    argv: list[str] = attrs.field(factory=list)
    schema_version: str | None = None  # None switches the schema migration off

    def _build_execute_task_command(self, *, what):
        return list(self.argv), self.schema_version
