"""States, and several stores of one id."""

from __future__ import annotations

from golden_cases.building import bad, exception, tagged

STATES = [
    bad("failure_value_error", exception("ValueError", ["bad value"])),
    bad("failure_no_args", exception("RuntimeError", [])),
    bad("failure_many_args", exception("OSError", [2, "No such file", "x.txt"])),
    bad("failure_key_error", exception("KeyError", ["k"])),
    bad("failure_unicode", exception("ValueError", ["中文 😀"]), tb="Traceback:\n  中 😀"),
    bad("failure_nested_args", exception("ValueError", [{"a": [1, 2]}, {"$tuple": [1, 2]}])),
    bad("failure_unserializable_arg", exception("ValueError", [{"$set": [1]}, "x"])),
    bad(
        "failure_kombu_types",
        exception(
            "ValueError", [tagged("uuid", {"hex": "1" * 32}), tagged("datetime", "2024-01-01T00:00:00")]
        ),
    ),
    bad("failure_custom_unknown", exception("CustomError", ["boom", 3], "myproj.errors")),
    bad("failure_nested_class", exception("Outer.Inner", ["in"], "myproj.errors")),
    bad("failure_celery_exc", exception("SoftTimeLimitExceeded", [30], "celery.exceptions")),
    bad(
        "failure_worker_lost",
        exception(
            "WorkerLostError",
            ["Worker exited prematurely: signal 9 (SIGKILL) Job: 0."],
            "billiard.exceptions",
        ),
        tb=None,
    ),
    bad("failure_bad_constructor", exception("RuntimeError", ["placeholder"])),
    bad("failure_null_traceback", exception("ValueError", ["x"]), tb=None),
    bad("retry", exception("ConnectionError", ["refused"]), state="RETRY"),
    {
        "name": "retry_no_exc",
        "write": [{"id": "retry_no_exc", "state": "RETRY", "result": None, "traceback": "tb"}],
    },
    {"name": "revoked", "write": [{"id": "revoked", "via": "revoked", "result": "terminated"}]},
    {"name": "revoked_empty", "write": [{"id": "revoked_empty", "via": "revoked", "result": ""}]},
    {"name": "revoked_expired", "write": [{"id": "revoked_expired", "via": "revoked", "result": "expired"}]},
    {
        "name": "started",
        "write": [{"id": "started", "via": "started", "result": {"pid": 1234, "hostname": "celery@host"}}],
    },
    {"name": "pending_row", "write": [{"id": "pending_row", "state": "PENDING", "result": None}]},
    {"name": "received", "write": [{"id": "received", "state": "RECEIVED", "result": None}]},
    {"name": "ignored", "write": [{"id": "ignored", "state": "IGNORED", "result": None}]},
    {
        "name": "custom_progress",
        "write": [{"id": "custom_progress", "state": "PROGRESS", "result": {"current": 3, "total": 10}}],
    },
    {"name": "missing", "write": []},
]
SEQUENCES = [
    {
        "name": "seq_started_success",
        "write": [
            {"id": "seq_started_success", "via": "started", "result": {"pid": 1}},
            {"id": "seq_started_success", "state": "SUCCESS", "result": "done"},
        ],
    },
    {
        "name": "seq_started_started",
        "note": "the second store of an unready state fills date_done",
        "write": [{"id": "seq_started_started", "via": "started", "result": {"pid": 1}}] * 2,
    },
    {
        "name": "seq_progress_progress",
        "write": [
            {"id": "seq_progress_progress", "state": "PROGRESS", "result": {"n": 1}},
            {"id": "seq_progress_progress", "state": "PROGRESS", "result": {"n": 2}},
        ],
    },
    {
        "name": "seq_failure_started",
        "note": "date_done goes back to NULL",
        "write": [
            {
                "id": "seq_failure_started",
                "state": "FAILURE",
                "result": exception("ValueError", ["x"]),
                "traceback": "tb",
            },
            {"id": "seq_failure_started", "via": "started", "result": {"pid": 2}},
        ],
    },
    {
        "name": "seq_success_then_failure",
        "note": "ignored",
        "write": [
            {"id": "seq_success_then_failure", "state": "SUCCESS", "result": 1},
            {
                "id": "seq_success_then_failure",
                "state": "FAILURE",
                "result": exception("ValueError", ["late"]),
            },
        ],
    },
    {
        "name": "seq_success_then_success",
        "note": "ignored",
        "write": [
            {"id": "seq_success_then_success", "state": "SUCCESS", "result": 1},
            {"id": "seq_success_then_success", "state": "SUCCESS", "result": 2},
        ],
    },
    {
        "name": "seq_failure_then_success",
        "note": "allowed; traceback cleared",
        "write": [
            {
                "id": "seq_failure_then_success",
                "state": "FAILURE",
                "result": exception("ValueError", ["x"]),
                "traceback": "tb",
            },
            {"id": "seq_failure_then_success", "state": "SUCCESS", "result": 2},
        ],
    },
    {
        "name": "seq_revoked_then_started",
        "write": [
            {"id": "seq_revoked_then_started", "via": "revoked", "result": "r"},
            {"id": "seq_revoked_then_started", "via": "started", "result": {"pid": 3}},
        ],
    },
    {
        "name": "seq_forget",
        "write": [{"id": "seq_forget", "state": "SUCCESS", "result": 1}, {"forget": "seq_forget"}],
    },
    {
        "name": "seq_forget_store",
        "note": "after forget a later store inserts a new row",
        "write": [
            {"id": "seq_forget_store", "state": "SUCCESS", "result": 1},
            {"forget": "seq_forget_store"},
            {"id": "seq_forget_store", "state": "FAILURE", "result": exception("ValueError", ["new"])},
        ],
    },
]
