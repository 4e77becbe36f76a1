"""A PostgreSQL that is locked, silent or away: a recorded program goes on at once, and nothing is lost."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import psycopg
import pytest

from nucleate import FunctionEnvironment, Runtime, Settings
from nucleate.database import Database, briefly
from nucleate.errors import DatabaseUnusable
from nucleate.recording import recorded
from tests.postgres import new_database


@recorded
def look(number: int) -> dict[str, int]:
    """Look something up."""
    return {"number": number}


DESK = FunctionEnvironment("desk", [look], effects={"look": "read"})


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def settings(database: str, on_outage: Literal["wait", "raise"] = "wait") -> Settings:
    """Return settings in which nothing is learned behind the program."""
    return Settings(database=database, sandbox="monty", worker="off", on_outage=on_outage)


@contextmanager
def held(database: str) -> Iterator[None]:
    """Let another program have the table of tasks for itself."""
    with psycopg.connect(database, application_name="a long report") as other:
        other.execute("LOCK TABLE task IN ACCESS EXCLUSIVE MODE")
        yield
        other.rollback()


@pytest.fixture
def silent() -> Iterator[str]:
    """Return the address of a server that takes connections, and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"postgresql://me@127.0.0.1:{server.getsockname()[1]}/shop"


def test_while_another_program_holds_a_table_runs_wait_and_are_taken_in_later(postgres: tuple[Path, Path]) -> None:
    database = new_database(*postgres)
    with Runtime(DESK, settings=settings(database)) as runtime:
        with held(database), runtime.record("Look at one.", task_id="t1"):
            assert look(7) == {"number": 7}
        assert runtime.memory.task_ids() == []
        runtime.drain()
        assert runtime.memory.task_ids() == ["t1"]


def test_a_table_that_is_held_is_an_error_that_says_who_holds_it(postgres: tuple[Path, Path]) -> None:
    database = new_database(*postgres)
    with Runtime(DESK, settings=settings(database)) as runtime:
        said = r"lock timeout; session \d+ \(a long report, user nucleate.* has it\); try again"
        with held(database), briefly(writes=False, milliseconds=1000), pytest.raises(DatabaseUnusable, match=said):
            runtime.memory.task_ids()
        assert runtime.memory.task_ids() == []


def test_a_server_that_takes_connections_and_says_nothing_holds_nobody_up(silent: str) -> None:
    runtime = Runtime(DESK, settings=settings(silent))
    with runtime.record("Look at one.", task_id="t1"):
        assert look(7) == {"number": 7}
    assert runtime.tools_for("Look at one.") == ()
    runtime.close()
    with briefly(writes=True), pytest.raises(DatabaseUnusable, match=r"the server does not answer\); start it"):
        Runtime(DESK, settings=settings(silent, on_outage="raise"))


def test_a_server_that_falls_silent_under_a_connection_is_given_up(postgres: tuple[Path, Path]) -> None:
    database = Database(new_database(*postgres))
    database.open()
    with briefly(writes=False), database.engine.connect() as connection, pytest.raises(DatabaseUnusable, match=r"time"):
        connection.exec_driver_sql("SELECT pg_sleep(20)")
    with database.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT 1").scalar() == 1
    database.engine.dispose()
