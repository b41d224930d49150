"""The tables: the statements that Celery issues, and what the database then has."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from celery import Celery
from sqlalchemy import Table, inspect
from sqlalchemy.dialects import registry
from sqlalchemy.engine import Dialect
from sqlalchemy.engine.mock import MockConnection
from sqlalchemy.schema import CreateIndex, CreateSequence, CreateTable

from backend_peer.values import JSON


def describe(app: Celery) -> JSON:
    backend = app.backend
    with backend.ResultSession() as session:
        # The dialect learns whether the server is MySQL or MariaDB only by connecting.
        session.connection()
        engine = session.get_bind()
    reflected = {}
    inspector = inspect(engine)
    for table in _tables(app):
        name, where = table.name, table.schema
        reflected[name] = {
            "columns": [
                {key: str(value) if key == "type" else value for key, value in column.items()}
                for column in inspector.get_columns(name, schema=where)
            ],
            "pk": inspector.get_pk_constraint(name, schema=where),
            "unique": inspector.get_unique_constraints(name, schema=where),
            "indexes": inspector.get_indexes(name, schema=where),
        }
    sequences = []
    if engine.dialect.supports_sequences:
        sequences = sorted(inspector.get_sequence_names(schema=backend.task_cls.__table__.schema))
    document = {
        "dialect": engine.dialect.name,
        "statements": _statements(app, engine.dialect, engine.dialect.supports_sequences),
        "reflected": reflected,
        "sequences": sequences,
    }
    return json.loads(json.dumps(document, default=str))


def compile_offline(app: Celery) -> JSON:
    """What ``create_all`` would issue on databases that no server is at hand for, by dialect."""
    documents = {}
    for name in ("mysql", "mssql", "oracle"):
        dialect = registry.load(name)()
        statements: list[str] = []
        connection = MockConnection(dialect, partial(_note, statements, dialect))
        app.backend.task_cls.metadata.create_all(connection, checkfirst=False)
        documents[name] = {"note": "compiled without a server", "statements": statements}
    return documents


def _note(statements: list[str], dialect: Dialect, statement: Any, *_: Any, **__: Any) -> None:
    statements.append(str(statement.compile(dialect=dialect)).strip())


def _tables(app: Celery) -> list[Table]:
    return [model.__table__ for model in (app.backend.task_cls, app.backend.taskset_cls)]


def _statements(app: Celery, dialect: Dialect, with_sequences: bool) -> list[str]:
    statements = []
    for table in _tables(app):
        creations = [CreateTable(table), *(CreateIndex(index) for index in table.indexes)]
        if with_sequences:
            creations.insert(0, CreateSequence(table.c.id.default))
        statements += [str(creation.compile(dialect=dialect)).strip() for creation in creations]
    return statements
