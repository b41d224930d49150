"""What a task's request adds: children, extended columns, stamps; and groups."""

from __future__ import annotations

from golden_cases.building import REQUEST, bad, exception, ok, tagged

CHILDREN = [
    ok("children_one", 1, request={"children": ["c1"]}),
    ok("children_parent", 1, request={"children": [{"id": "c1", "parent": "p1"}]}),
    ok(
        "children_parent_chain",
        1,
        request={"children": [{"id": "c1", "parent": {"id": "p1", "parent": "pp1"}}]},
    ),
    ok("children_group", 1, request={"children": [{"group": "g1", "results": ["a", "b"]}, "c2"]}),
    ok(
        "children_nested_group",
        1,
        request={
            "children": [
                {
                    "group": "g1",
                    "results": [{"group": "g2", "results": ["a"]}, {"id": "b", "parent": "q"}],
                    "parent": "p",
                }
            ]
        },
    ),
    ok("children_empty", 1, request={"children": []}),
    {
        "name": "children_cleared",
        "note": "a later store without children sets NULL",
        "write": [
            {
                "id": "children_cleared",
                "state": "FAILURE",
                "result": exception("ValueError", ["x"]),
                "request": {"children": ["c"]},
            },
            {"id": "children_cleared", "state": "SUCCESS", "result": 1},
        ],
    },
    bad("children_on_failure", exception("ValueError", ["x"]), request={"children": ["c1"]}),
]
EXTENDED = [
    ok("ext_plain", 3, request=REQUEST),
    ok("ext_unicode", "v", request={**REQUEST, "args": ["中", "😀"], "kwargs": {"é": None}}),
    ok(
        "ext_types",
        "v",
        request={
            **REQUEST,
            "args": [tagged("datetime", "2024-01-01T00:00:00+00:00"), tagged("uuid", {"hex": "a" * 32})],
            "kwargs": {"d": tagged("decimal", "2.50"), "b": tagged("base64", "/w==")},
        },
    ),
    ok("ext_no_args", None, request={**REQUEST, "args": None, "kwargs": None}),
    ok("ext_empty_args", None, request={**REQUEST, "args": [], "kwargs": {}}),
    ok("ext_retries", None, request={**REQUEST, "retries": 5}),
    ok("ext_no_delivery", None, request={k: v for k, v in REQUEST.items() if k != "delivery_info"}),
    ok("ext_no_request", 1),
    ok("ext_children", 1, request={**REQUEST, "children": ["c1", {"group": "g", "results": ["a"]}]}),
    ok(
        "ext_stamps",
        1,
        request={
            **REQUEST,
            "stamped_headers": ["tenant", "trace"],
            "stamps": {"tenant": ["acme"], "trace": "abc", "other": "dropped"},
        },
    ),
    ok(
        "ext_stamps_listed_missing",
        1,
        request={**REQUEST, "stamped_headers": ["tenant", "absent"], "stamps": {"tenant": ["acme"]}},
    ),
    ok("ext_group_id", 1, request={**REQUEST, "group": "grp-1", "parent_id": "par-1"}),
    bad("ext_failure", exception("ValueError", ["x"]), request=REQUEST),
    {
        "name": "ext_started_no_request",
        "write": [{"id": "ext_started_no_request", "via": "started", "result": {"pid": 1}}],
    },
    {
        "name": "ext_request_then_none",
        "note": "a store without a request clears name/args/... but leaves stamps",
        "write": [
            {
                "id": "ext_request_then_none",
                "state": "RETRY",
                "result": exception("ValueError", ["x"]),
                "request": {**REQUEST, "stamped_headers": ["t"], "stamps": {"t": 1}},
            },
            {"id": "ext_request_then_none", "state": "FAILURE", "result": exception("ValueError", ["y"])},
        ],
    },
]
GROUPS = [
    {"name": "group_two", "group": "group_two", "write": [{"group": "group_two", "results": ["a", "b"]}]},
    {"name": "group_empty", "group": "group_empty", "write": [{"group": "group_empty", "results": []}]},
    {
        "name": "group_parent",
        "group": "group_parent",
        "write": [{"group": "group_parent", "results": ["a"], "parent": "p"}],
    },
    {
        "name": "group_member_parents",
        "group": "group_member_parents",
        "write": [
            {
                "group": "group_member_parents",
                "results": [{"id": "a", "parent": "p1"}, {"id": "b", "parent": {"id": "p2", "parent": "pp"}}],
            }
        ],
    },
    {
        "name": "group_nested",
        "group": "group_nested",
        "write": [
            {
                "group": "group_nested",
                "results": [{"group": "in1", "results": ["a", {"group": "in2", "results": ["b"]}]}, "c"],
            }
        ],
    },
    {
        "name": "group_parent_group",
        "group": "group_parent_group",
        "write": [
            {
                "group": "group_parent_group",
                "results": ["a"],
                "parent": {"group": "pg", "results": ["x", "y"]},
            }
        ],
    },
    {"name": "group_unicode_id", "group": "grüppe-中", "write": [{"group": "grüppe-中", "results": ["é"]}]},
    {
        "name": "group_100",
        "group": "group_100",
        "write": [{"group": "group_100", "results": [f"m{i}" for i in range(100)]}],
    },
    {
        "name": "group_twice",
        "group": "group_twice",
        "note": "saving twice is an IntegrityError",
        "write": [{"group": "group_twice", "results": ["a"]}, {"group": "group_twice", "results": ["b"]}],
    },
    {
        "name": "group_deleted",
        "group": "group_deleted",
        "write": [{"group": "group_deleted", "results": ["a"]}, {"delete_group": "group_deleted"}],
    },
    {"name": "group_missing", "group": "group_missing", "write": []},
    {
        "name": "group_null_result",
        "group": "group_null_result",
        "write": [
            {
                "raw": {
                    "taskset_id": "group_null_result",
                    "result": None,
                    "date_done": "2024-01-01T00:00:00",
                },
                "table": "group",
            }
        ],
    },
]
