"""One database for each test of jobs: SQLite, and a real PostgreSQL where its programs are installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from nucleate.database import open_database
from tests.postgres import new_database


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "jobs.db")
    programs, socket = request.getfixturevalue("postgres")
    return new_database(programs, socket)


@pytest.fixture
def engine(database: str) -> Iterator[Engine]:
    engine = open_database(database)
    yield engine
    engine.dispose()
