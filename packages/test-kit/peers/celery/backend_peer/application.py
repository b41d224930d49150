"""The Celery app whose backend is driven."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from celery import Celery
from celery.app.task import Context

from backend_peer.values import make_result, untag


@dataclass(kw_only=True)
class PeerOptions:
    """What ``open`` takes."""

    url: str
    """With the ``db+`` prefix."""
    serializer: str = "json"
    accept: list[str] | None = None
    """Of results; the serializer alone without it."""
    extended: bool = False
    timezone: str | None = None
    enable_utc: bool = True
    pooled: bool = False
    """Behave as in a forked worker: keep a connection pool."""
    tables: dict[str, str] = field(default_factory=dict)
    """Keys ``task`` and ``group``."""
    schemas: dict[str, str] = field(default_factory=dict)
    broker_folder: str | None = None
    """That of a worker, to send it tasks."""
    conf: dict[str, Any] = field(default_factory=dict)
    """Any other settings of Celery."""


def make_app(options: PeerOptions) -> Celery:
    """Table names are set on class level by Celery: one app a process."""
    app = Celery("peer", broker="memory://", backend=options.url, set_as_current=False)
    app.conf.update(
        result_serializer=options.serializer,
        result_accept_content=options.accept or [options.serializer],
        result_extended=options.extended,
        enable_utc=options.enable_utc,
    )
    if options.timezone is not None:
        app.conf.timezone = options.timezone
    if options.tables:
        app.conf.database_table_names = options.tables
    if options.schemas:
        app.conf.database_table_schemas = options.schemas
    if options.broker_folder is not None:
        app.conf.update(filesystem_broker(Path(options.broker_folder)))
    app.conf.update(options.conf)
    if options.pooled:
        # What a prefork child is told after the fork.
        app.backend.session_manager._after_fork()
    return app


def filesystem_broker(folder: Path) -> dict[str, Any]:
    """The settings of a broker that consists of folders."""
    return {
        "broker_url": "filesystem://",
        "broker_transport_options": {
            "data_folder_in": str(folder / "queue"),
            "data_folder_out": str(folder / "queue"),
            "control_folder": str(folder / "control"),
        },
    }


def make_request(app: Celery, spec: dict[str, Any] | None) -> Context | None:
    """A task request as a worker hands it to the backend."""
    if spec is None:
        return None
    fields = dict(spec)
    children = [make_result(child, app) for child in fields.pop("children", [])]
    for name in ("args", "kwargs", "stamps"):
        if name in fields:
            fields[name] = untag(fields[name], app)
    request = Context(fields)
    request._children = children
    return request
