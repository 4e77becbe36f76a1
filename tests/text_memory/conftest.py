"""Fixtures: a text memory over a real SQLite file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from nucleate_text_memory import TextMemory
from tests.postgres import shared_database
from tests.text_memory.database import open_engine


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    if request.param == "postgresql":
        with shared_database(*request.getfixturevalue("postgres")) as engine:
            yield engine
        return
    engine = open_engine(tmp_path / "memory.db")
    yield engine
    engine.dispose()


@pytest.fixture
def memory(engine: Engine) -> TextMemory:
    return TextMemory(engine)
