"""Answers what the real Airflow reads from `AIRFLOW_CONN_…` and which URI a Connection has.

    .peers/airflow-3.3.2/bin/python connection_forms.py < questions.ndjson > answers.ndjson
    .peers/airflow-3.3.2/bin/python connection_forms.py --golden > connections.json

A question is {"text"}, the value of a variable, or {"fields"}, what a Connection is made of. An answer to a
text is {"fields", "uri"}, or {"error"} where a Python task would ask the API server instead; to fields
{"uri"} or {"error"}. `--golden` answers the questions below. 2 s for the start.
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import shutil
import sys
import tempfile

HOME = tempfile.mkdtemp(prefix="parlance-connection-forms-")
atexit.register(shutil.rmtree, HOME, ignore_errors=True)
os.environ["AIRFLOW_HOME"] = HOME

from airflow.sdk.definitions.connection import Connection  # noqa: E402
from airflow.secrets.environment_variables import EnvironmentVariablesBackend  # noqa: E402

logging.disable(logging.CRITICAL)
NAMES = ("conn_type", "host", "schema", "login", "password", "port", "extra")
TEXTS = [
    "postgres://user:secret@db.example:5432/sales",
    "postgresql://user@db.example/sales",
    "postgresql+psycopg2://u:p@h/d",
    "Postgres://U:P@Host.Example/Db",
    "google-cloud-platform://?project=p&scope=a%2Cb",
    "my_conn_type://host",
    "my-conn-type://host",
    "http://https://api.example",
    "http://https://user:pw@api.example:8443/v1?timeout=5",
    "https://https://api.example/",
    "http://user@https://api.example",
    "http://a:b://c",
    "a://b://c://d",
    "mysql://",
    "mysql://host",
    "mysql://host:",
    "mysql://host:0",
    "mysql://host:70000",
    "mysql://host:x",
    "mysql://host:1_0",
    "mysql://:pw@host",
    "mysql://user:@host",
    "mysql://@host",
    "mysql://@:3306",
    "mysql://u%40x:p%2Fw%3A%20@h%2Fx:1/s%20c?k=a+b%26c&k=2&empty&=v&e=",
    "mysql://h?__extra__=%7B%22a%22%3A+1%7D",
    "mysql://h/?__extra__=raw+text",
    "mysql://h/s?x=1#fragment?y=2",
    "mysql://h/a/b/c",
    "mysql://h//double",
    "sqlite:////tmp/file.db",
    "sqlite:///relative.db",
    "sqlite://%2Ftmp%2FFile.db",
    "sqlite://user@%2Ftmp%2FFile.DB:5",
    "aws://AKIA:sec%2Fret@/?region_name=eu-west-1",
    "http://[::1]:80/x",
    "http://[fe80::1%25eth0]/",
    "http://[v1.x]:1",
    "http://[1.2.3.4]/",
    "http://[::1/",
    "http://[zz]/",
    "http://u:p@[2001:DB8::1]",
    "host-only",
    "//user:pw@host:5/schema?x=y",
    "://host",
    "no scheme://h",
    "1abc://h",
    "a+b.c-d://h",
    "  postgres://h/s\t\n",
    "\x1cpostgres://h",
    "post\ngres://h",
    "postgres://h\u00f6st.example/d\u00e4ta?\u00fc=\u00df",
    "postgres://\u2100x/",
    "postgres://h/%C3%A4%FF%E2%82",
    "postgres://h/%zz%4",
    "postgres://a@b@c:5/d",
    "postgres://a:b:c@d:1:2",
    "",
    " ",
    "{}",
    "{",
    "[]",
    "null",
    '{"conn_type": "http", "host": "h", "port": 80, "login": "l", "password": "p", "schema": "s"}',
    '{"conn_type": "my-type", "extra": {"a": 1, "b": [1.0, 1e5, 1E400, -0.0, 12345678901234567890], "c": null}}',
    '{"conn_type": "postgresql", "extra": "{\\"a\\": \\"b\\"}"}',
    '{"conn_type": "x", "extra": {"b": "1", "1": "2", "\u00e9": "\\u00fc \\ud83d\\ude00", "t": "a&b=c d+e/f~!*()"}}',
    '{"conn_type": "x", "extra": {}}',
    '{"conn_type": "x", "extra": []}',
    '{"conn_type": "x", "extra": 5}',
    '{"conn_type": "x", "extra": [1, "a"]}',
    '{"conn_type": "x", "extra": false}',
    '{"conn_type": "x", "extra": true}',
    '{"conn_type": "x", "extra": {"n": NaN, "i": -Infinity}}',
    '{"conn_type": "x", "extra": {"f": [0.1, 1e-5, 0.0001, 1e16, 1.5e300, 123456789.5, 1e22, 5e-324]}}',
    '{"conn_type": "x", "extra": "no json"}',
    '{"conn_type": "x", "extra": "{\\"n\\": 1}"}',
    '{"conn_type": "x", "extra": "{\\"a\\": \\"\\"}", "schema": "s"}',
    '{"conn_type": "x", "extra": "[[\\"a\\", \\"b\\"]]"}',
    '{"conn_type": "x", "extra": "\\"text\\""}',
    '{"conn_type": "x", "extra": " "}',
    '{"conn_type": "", "host": ""}',
    '{"conn_type": null, "host": null, "port": null}',
    '{"conn_type": 5}',
    '{"conn_type": "x", "port": "5432"}',
    '{"conn_type": "x", "port": " +5_4 "}',
    '{"conn_type": "x", "port": "5.5"}',
    '{"conn_type": "x", "port": 5.9}',
    '{"conn_type": "x", "port": true}',
    '{"conn_type": "x", "port": 0}',
    '{"conn_type": "x", "port": -1}',
    '{"conn_type": "x", "port": [1]}',
    '{"conn_type": "x", "port": ""}',
    '{"conn_type": "x", "host": "https://h.example"}',
    '{"conn_type": "https", "host": "https://h.example"}',
    '{"conn_type": "https", "host": "HTTPS://h.example", "port": 1}',
    '{"conn_type": "x", "host": "a://b://c"}',
    '{"conn_type": "x", "host": "://c"}',
    '{"conn_type": "x", "host": 5}',
    '{"conn_type": "x", "login": 5}',
    '{"conn_type": "x", "schema": ["a"]}',
    '{"conn_type": "x", "login": "", "password": ""}',
    '{"conn_type": "x", "description": "d"}',
    '{"conn_type": "x", "description": "d", "conn_id": "c"}',
    '{"conn_type": "x", "unknown": 1}',
    '{"uri": "postgres://u:p@h:1/s?a=b"}',
    '{"uri": "postgres://h", "host": "x"}',
    '{"uri": "postgres://h", "conn_type": "x"}',
    '{"uri": "postgres://h", "conn_type": "", "port": 0, "extra": null}',
    '{"uri": null}',
    '{"host": "h", "host": "i"}',
    '{"host": "a\\u0000b\\tc"}',
    '{"host": "a\tb"}',
    '{"host": "h"} trailing',
    '{"host": "h",}',
    "{'host': 'h'}",
    '\ufeff{"host": "h"}',
]
FIELDS = [
    {},
    {"conn_type": "postgres", "host": "h", "port": 5432, "schema": "s", "login": "l", "password": "p"},
    {"conn_type": "Google_Cloud", "host": "H\u00e4 /:@?#", "login": "l@:/", "password": "p!'()*~ +", "schema": "a/b c"},
    {"conn_type": "http", "host": "https://api.example/v1", "port": 0},
    {"conn_type": "http", "host": "http://api.example", "login": "u"},
    {"conn_type": "http", "port": 80},
    {"conn_type": "http", "port": 80, "login": ""},
    {"conn_type": "http", "password": "only"},
    {"conn_type": "http", "host": "", "schema": "", "login": "", "password": "", "extra": ""},
    {"conn_type": "x", "extra": '{"a": "1", "b": "x y&z=\u00e9"}', "schema": "s"},
    {"conn_type": "x", "extra": '{"a": 1}'},
    {"conn_type": "x", "extra": "no json \u00e9&="},
    {"conn_type": "x", "extra": "{}"},
    {"conn_type": "x", "extra": '{"z": "1", "10": "a", "9": "b", "__proto__": "p"}'},
]


def read(text):
    backend = EnvironmentVariablesBackend()
    backend._set_connection_class(Connection)
    os.environ["AIRFLOW_CONN_C"] = text.encode("utf-8", "surrogatepass").decode("utf-8", "surrogatepass")
    connection = backend.get_connection("c")
    if not connection:
        return {"error": "nothing"}
    uri = connection.get_uri()  # a task does so before it uses the Connection
    fields = {name: getattr(connection, name) for name in NAMES}
    if any(value is not None and not isinstance(value, str) for name, value in fields.items() if name != "port"):
        return {"error": "no text"}  # of no use, and nothing that our types could say
    return {"fields": fields, "uri": uri}


def answer(question):
    try:
        if "text" in question:
            return read(question["text"])
        return {"uri": Connection(conn_id="c", **question["fields"]).get_uri()}
    except Exception as error:
        return {"error": type(error).__name__}


def main():
    if "--golden" in sys.argv:
        questions = [{"text": text} for text in TEXTS] + [{"fields": fields} for fields in FIELDS]
        json.dump([{**question, "answer": answer(question)} for question in questions], sys.stdout, indent=1)
        print()
        return
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


main()
