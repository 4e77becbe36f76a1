"""One database for each test of jobs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from nucleate.database import open_database


@pytest.fixture
def database(tmp_path: Path) -> str:
    return str(tmp_path / "jobs.db")


@pytest.fixture
def engine(database: str) -> Iterator[Engine]:
    engine = open_database(database)
    yield engine
    engine.dispose()
