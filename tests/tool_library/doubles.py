"""A library in memory, and versions made from a line of source."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Engine
from sqlalchemy.pool import StaticPool
from sqlmodel import SQLModel, create_engine

import nucleate_tool_library.tables  # noqa: F401  # fills SQLModel.metadata
from nucleate_tool_library import ToolLibrary, ToolVersion, read_signature

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def engine(url: str = "sqlite://") -> Engine:
    made = create_engine(url, poolclass=StaticPool) if url == "sqlite://" else create_engine(url)
    SQLModel.metadata.create_all(made)
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
