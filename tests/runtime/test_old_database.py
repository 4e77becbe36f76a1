"""A database that the previous version wrote is opened by this one, and nothing in it is lost."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from nucleate.database import open_database
from nucleate.migrations import HEAD
from nucleate_text_memory import EntryStatus, Kind, TextMemory, Trust

DUMP = Path(__file__).with_name("database_0003.sql")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[TextMemory]:
    path = tmp_path / "old.db"
    connection = sqlite3.connect(path)
    connection.executescript(DUMP.read_text(encoding="utf-8"))
    connection.close()
    engine = open_database(str(path))
    yield TextMemory(engine)
    engine.dispose()


def test_entries_of_the_previous_version_keep_their_ids_words_and_state(memory: TextMemory) -> None:
    found = {entry.id: (entry.status, entry.trust, entry.valid) for entry in memory.entries(valid_only=False)}
    assert found == {
        "plan-6326c89da41d1866": (EntryStatus.ACTIVE, Trust.AGENT, True),
        "fact-c2697a639cab6b5b": (EntryStatus.SUPERSEDED, Trust.USER, False),
        "fact-f45dc922190a0dce": (EntryStatus.ACTIVE, Trust.USER, True),
        "fact-32f9af9409c00abc": (EntryStatus.INVALIDATED, Trust.USER, False),
    }
    assert memory.entry("fact-32f9af9409c00abc").why == "it was built"
    assert [run.task_id for run in memory.trajectories("shop")] == ["ada", "bob"]


def test_old_entries_are_found_and_asked_for_by_date(memory: TextMemory) -> None:
    old = memory.entry("fact-c2697a639cab6b5b")
    assert old.recorded_at is not None
    known = [entry.body for entry in memory.as_of("shop", valid=old.recorded_at, known=old.recorded_at, kind=Kind.FACT)]
    assert known == ["The shop opens at 9."]
    assert memory.select("opening hours", scope="shop")[0].entry.id == "fact-f45dc922190a0dce"


def test_old_entries_can_be_exported_restored_and_forgotten(memory: TextMemory) -> None:
    assert len(memory.export()) == 4
    assert memory.restore("fact-32f9af9409c00abc", why="it was torn down").body == "There is no parking."
    assert memory.forget("fact-f45dc922190a0dce", why="asked for") == ["fact-c2697a639cab6b5b", "fact-f45dc922190a0dce"]


def test_what_was_brought_up_to_date_opens_again(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    connection = sqlite3.connect(path)
    connection.executescript(DUMP.read_text(encoding="utf-8"))
    for _ in range(2):
        open_database(str(path)).dispose()
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(HEAD,)]
    connection.close()
