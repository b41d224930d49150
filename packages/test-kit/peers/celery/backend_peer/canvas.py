"""A client of a worker: sends tasks and waits for their results."""

from __future__ import annotations

from typing import Any

from celery import Celery, chain, chord, group
from celery.canvas import Signature

from backend_peer.values import JSON, make_result, tag, untag

Spec = dict[str, Any]


def send(app: Celery, specs: list[Spec]) -> JSON:
    """Sends each; gives ``{"id", "tuple"}`` of each, in order.

    A spec is ``{"task", "args", "kwargs", "options"}`` (options of ``Signature.set``), or
    ``{"chain": [spec...]}``, ``{"group": [spec...], "save": true}``, ``{"chord": [spec...], "body": spec}``;
    each may have ``"stamps": {name: value}``.
    """
    sent = []
    for spec in specs:
        result = make_signature(app, spec).apply_async()
        if spec.get("save"):
            result.save()
        sent.append({"id": result.id, "tuple": result.as_tuple()})
    return sent


def make_signature(app: Celery, spec: Spec) -> Signature:
    signature = _bare_signature(app, spec)
    if "stamps" in spec:
        signature.stamp(**untag(spec["stamps"], app))
    return signature


def _bare_signature(app: Celery, spec: Spec) -> Signature:
    def members(name: str) -> list[Signature]:
        return [make_signature(app, member) for member in spec[name]]

    if "chain" in spec:
        return chain(*members("chain"), app=app)
    if "group" in spec:
        return group(*members("group"), app=app)
    if "chord" in spec:
        return chord(members("chord"), make_signature(app, spec["body"]), app=app)
    return app.signature(
        spec["task"],
        args=untag(spec.get("args", []), app),
        kwargs=untag(spec.get("kwargs", {}), app),
        options=spec.get("options", {}),
    )


def wait(app: Celery, identity: Any, timeout: float, interval: float) -> JSON:
    """What ``get`` gives (``identity`` as ``make_result`` takes it): ``{"value"}``, or ``{"raised"}``."""
    result = make_result(identity, app)
    try:
        return {"value": tag(result.get(timeout=timeout, interval=interval))}
    except Exception as error:
        return {"raised": tag(error)}
