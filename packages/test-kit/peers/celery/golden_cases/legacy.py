"""Rows that older Celerys or other programs left: written past Celery."""

from __future__ import annotations

import datetime as dt
import os
import pickle
from typing import Any

from golden_cases.building import Case


def hex_of(data: bytes) -> Case:
    return {"$hex": data.hex()}


def legacy_cases() -> list[Case]:
    out: list[Case] = []

    def add(name: str, payload: bytes | None, status: str = "SUCCESS", **extra: Any) -> None:
        out.append(
            {
                "name": name,
                "write": [
                    {
                        "raw": dict(
                            task_id=name,
                            status=status,
                            result=payload if payload is None else hex_of(payload),
                            date_done="2023-05-06T07:08:09.123456",
                            **extra,
                        )
                    }
                ],
            }
        )

    for p in (0, 1, 2, 3, 4, 5):
        add(f"pickle_protocol_{p}", pickle.dumps({"a": 1, "b": [1, 2.5, None, True, "x"]}, p))
    add("pickle_tuple", pickle.dumps((1, "a"), 4))
    add("pickle_set", pickle.dumps({1}, 4))
    add("pickle_bigint", pickle.dumps(2**80, 4))
    add("pickle_bytes", pickle.dumps(b"\x00\xff", 4))
    add("pickle_unicode", pickle.dumps("\u4e2d\U0001f600", 4))
    add("pickle_datetime", pickle.dumps(dt.datetime(2020, 1, 2, 3, 4, 5, 6), 4))
    add("pickle_none", pickle.dumps(None, 4))
    add("pickle_failure_exception", pickle.dumps(ValueError("legacy", 1), 4), "FAILURE")
    add(
        "pickle_failure_dict",
        pickle.dumps({"exc_type": "ValueError", "exc_message": ("x",), "exc_module": "builtins"}, 4),
        "FAILURE",
    )
    add("pickle_global_reduce", pickle.dumps(os.path.join, 4))
    add("pickle_truncated", pickle.dumps([1, 2, 3], 4)[:-3])
    add("sql_null", None)
    add("sql_null_failure", None, "FAILURE")
    add("empty_bytes", b"")
    add("not_json", b"{oops")
    add("not_utf8", b'"\xe9"')
    add("bom", b"\xef\xbb\xbf1")
    add("msgpack_under_json", b"\x81\xa1a\x01")
    add("json_whitespace", b'  {"a" : 1}\n')
    add("json_utf8_unescaped", '"\u4e2d"'.encode())
    add("json_duplicate_keys", b'{"a":1,"a":2}')
    add("json_nan_token", b"[NaN,-Infinity]")
    add("json_unknown_type_tag", b'{"__type__":"foo","__value__":1}')
    add("exc_plain_string", b'"boom"', "FAILURE")
    add("exc_list", b"[1,2]", "FAILURE")
    add("exc_pairs", b'[["exc_type","A"],["exc_message",["m"]]]', "FAILURE")
    add("exc_no_module", b'{"exc_type":"Foo","exc_message":["m"]}', "FAILURE")
    add("exc_no_type", b'{"exc_message":["m"]}', "FAILURE")
    add("exc_message_string", b'{"exc_type":"KeyError","exc_message":"m","exc_module":"builtins"}', "FAILURE")
    add("exc_security", b'{"exc_type":"system","exc_message":"ls","exc_module":"os"}', "FAILURE")
    add(
        "exc_ctor_fails",
        b'{"exc_type":"UnicodeDecodeError","exc_message":["m"],"exc_module":"builtins"}',
        "FAILURE",
    )
    add("exc_empty_dict", b"{}", "FAILURE")
    add("children_bad", b"1", children=hex_of(b"{oops"))
    add("children_pickle", b"1", children=hex_of(pickle.dumps([(("c", None), None)], 4)))
    return out
