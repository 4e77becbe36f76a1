"""A library in memory, and versions made from a line of source."""

from __future__ import annotations

from contextvars import ContextVar
from datetime import UTC, datetime

from sqlalchemy import Engine
from sqlalchemy.pool import StaticPool
from sqlmodel import SQLModel, create_engine

import nucleate_tool_library.tables  # noqa: F401  # fills SQLModel.metadata
from nucleate_tool_library import ToolLibrary, ToolVersion, read_signature
from tests.postgres import empty

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


DATABASE: ContextVar[Engine | None] = ContextVar("database", default=None)


def engine() -> Engine:
    """Return a database with empty tables: the test's own, else one in memory."""
    made = DATABASE.get()
    if made is None:
        made = create_engine("sqlite://", poolclass=StaticPool)
        SQLModel.metadata.create_all(made)
    else:
        empty(made)
    return made


def library() -> ToolLibrary:
    return ToolLibrary(engine(), clock=lambda: NOON)


def version(
    name: str, *dependencies: ToolVersion, body: str = "1", scope: str = "shop", returns: str = "int", more: str = ""
) -> ToolVersion:
    """Make a version; `more` are parameters after `n`, `body` tells versions of one signature apart."""
    calls = "".join(f" + {item.name}(n=n)" for item in dependencies)
    source = f'def {name}(n: int{more}) -> {returns}:\n    """Count."""\n    return n + {body}{calls}\n'
    return ToolVersion(
        name=name,
        scope=scope,
        source=source,
        signature=read_signature(source, name),
        capabilities=("shop.search", "shop.get"),
        dependencies=tuple(item.id for item in dependencies),
        tests={"examples": [{"n": 1}]},
    )
