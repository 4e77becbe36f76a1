"""The database: opened, created, migrated, refused."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

from nucleate.database import all_tables, open_database
from nucleate.errors import DatabaseUnusable
from nucleate.migrations import HEAD, upgrade


def test_a_new_database_is_in_wal_mode_at_the_newest_revision(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "new.db"
    open_database(str(path)).dispose()
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(HEAD,)]
    connection.close()


def test_the_migrations_make_the_tables_that_the_code_describes(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'migrated.db'}")
    upgrade(engine)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), all_tables()) == []
    engine.dispose()


def test_a_file_that_is_no_database_is_named_and_left_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "broken.db"
    path.write_bytes(b"this is not a database, only a text of some length " * 40)
    before = path.read_bytes()
    with pytest.raises(DatabaseUnusable, match=r"broken\.db.*file is not a database.*--database"):
        open_database(str(path))
    assert path.read_bytes() == before


def test_somebody_elses_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE songs (name TEXT)")
    connection.close()
    with pytest.raises(DatabaseUnusable, match="holds other tables"):
        open_database(str(path))


def test_a_url_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(DatabaseUnusable, match="nosuchdb://x"):
        open_database("nosuchdb://x")


def test_a_folder_is_not_a_database(tmp_path: Path) -> None:
    with pytest.raises(DatabaseUnusable, match="--database"):
        open_database(str(tmp_path))
