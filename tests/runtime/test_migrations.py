"""A database of any earlier version is brought to this one, on both databases."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, text

from nucleate import migrations
from nucleate.database import all_tables, open_database
from nucleate.migrations import HEAD
from tests.postgres import new_database

FOLDER = Path(migrations.__file__).parent
REVISIONS = sorted(path.name[:4] for path in (FOLDER / "versions").glob("[0-9]*.py"))


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'old.db'}"
    return new_database(*request.getfixturevalue("postgres"))


def made_by(revision: str, address: str) -> None:
    """Make the database of an earlier version."""
    engine = create_engine(address.replace("postgresql:", "postgresql+psycopg:"))
    config = Config()
    config.set_main_option("script_location", str(FOLDER))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()


def test_the_newest_file_is_what_a_database_is_brought_to() -> None:
    assert REVISIONS[-1] == HEAD


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_earlier_version_is_brought_to_this_one(address: str, revision: str) -> None:
    made_by(revision, address)
    engine = open_database(address)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), all_tables()) == []
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) == HEAD
    engine.dispose()


def test_a_database_that_was_marked_as_older_than_it_is_is_brought_along(address: str) -> None:
    made_by("0016", address)
    engine = create_engine(address.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0014'"))
    engine.dispose()
    opened = open_database(address)
    with opened.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), all_tables()) == []
    opened.dispose()
