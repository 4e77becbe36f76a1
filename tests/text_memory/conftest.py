"""Fixtures: a text memory over a real SQLite file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from nucleate_text_memory import TextMemory
from tests.text_memory.database import open_engine


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    engine = open_engine(tmp_path / "memory.db")
    yield engine
    engine.dispose()


@pytest.fixture
def memory(engine: Engine) -> TextMemory:
    return TextMemory(engine)
