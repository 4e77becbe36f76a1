"""A PostgreSQL that is stopped and started under work: nothing that was finished is lost, and no error tells a value."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import insert
from sqlalchemy.exc import DBAPIError, IntegrityError

from nucleate import Runtime, Settings
from nucleate.database import open_database
from nucleate_sandbox import MontySandbox
from nucleate_text_memory import Step, TextMemory, Trajectory
from nucleate_text_memory.tables import TASK
from tests.integration.desk import Desk, query, solve
from tests.postgres import copied_database, start, stop
from tests.text_memory.telling import opens

RUNS = 15


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def database(postgres_to_restart: tuple[Path, Path]) -> str:
    return copied_database(*postgres_to_restart)


@contextmanager
def restarted(cluster: tuple[Path, Path], times: int = 2) -> Iterator[None]:
    """Stop the server and start it again, as often, while the block goes on."""

    def restart() -> None:
        for _ in range(times):
            time.sleep(0.2)
            stop(*cluster)
            time.sleep(0.3)
            start(*cluster)

    thread = threading.Thread(target=restart)
    thread.start()
    try:
        yield
    finally:
        thread.join()


def runs() -> list[Trajectory]:
    """Return runs of one plan, as another program recorded them."""
    return [
        Trajectory(
            task_id=f"task-{number:02}",
            query=f"Look after ticket {number}",
            environment="desk",
            steps=(Step(function="desk.find", arguments={"n": number}), Step(function="desk.close", arguments={})),
        )
        for number in range(RUNS)
    ]


def test_no_task_is_lost_while_the_server_is_restarted(
    postgres_to_restart: tuple[Path, Path], database: str, monty_sandbox: MontySandbox
) -> None:
    settings = Settings(database=database, worker="off")
    with Runtime(Desk(), settings=settings, sandbox=monty_sandbox) as runtime:
        with restarted(postgres_to_restart):
            for index in range(RUNS):
                with runtime.record(f"{query(index % 5)} ({index})", task_id=f"task-{index:02}") as run:
                    solve(run, index % 5)
                time.sleep(0.1)
        runtime.resume()
        assert runtime.memory.task_ids() == sorted(runtime.memory.task_ids())
        assert len(runtime.memory.task_ids()) == RUNS
        assert set(runtime.jobs.counts()) == {"done"}


def test_runs_that_are_read_in_wait_for_the_server(
    postgres_to_restart: tuple[Path, Path], database: str, monty_sandbox: MontySandbox
) -> None:
    settings = Settings(database=database, worker="off")
    with Runtime(Desk(), settings=settings, sandbox=monty_sandbox) as runtime:
        with restarted(postgres_to_restart, times=1):
            for run in runs():
                runtime.learn(run)
                time.sleep(0.05)
        runtime.resume()
        assert sorted(runtime.memory.task_ids("desk")) == [run.task_id for run in runs()]


def test_a_worker_outlives_its_server(postgres_to_restart: tuple[Path, Path], database: str) -> None:
    open_database(database).dispose()
    words = [sys.executable, "-m", "nucleate", "--database", database, "worker"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout is not None
        assert "waiting for work" in worker.stdout.readline()
        stop(*postgres_to_restart)
        assert "trying again" in worker.stdout.readline()
        start(*postgres_to_restart)
        with Runtime(Desk(), settings=Settings(database=database, worker="off", sandbox="monty")) as runtime:
            runtime.learn(runs()[0])
            until = time.monotonic() + 120
            while set(runtime.jobs.counts()) != {"done"} and time.monotonic() < until:
                time.sleep(0.2)
        worker.terminate()
        assert worker.stdout.read().splitlines()[-1].endswith("jobs done; left: nothing")
        assert worker.wait(30) == 0


def test_a_connection_that_is_cut_while_the_agent_works_costs_nothing(
    postgres_to_restart: tuple[Path, Path], database: str, monty_sandbox: MontySandbox
) -> None:
    settings = Settings(database=database, worker="off")
    with Runtime(Desk(), settings=settings, sandbox=monty_sandbox) as runtime:
        with runtime.record(query(0), task_id="task") as run:
            solve(run, 0)
            with psycopg.connect(database, autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        assert runtime.memory.task_ids() == ["task"]


def test_an_error_of_the_server_tells_no_stored_value(postgres: tuple[Path, Path]) -> None:
    engine = open_database(copied_database(*postgres))
    row = {"id": "s3cret-id", "scope": "desk", "query": "s3cret-words", "input_key": "k"}
    with engine.begin() as connection:
        connection.execute(insert(TASK), row)
    with pytest.raises(IntegrityError) as raised, engine.begin() as connection:
        connection.execute(insert(TASK), row)
    assert "duplicate key value violates unique constraint" in str(raised.value)
    with pytest.raises(DBAPIError) as unread, engine.begin() as connection:
        connection.exec_driver_sql("SELECT %s::text::int", ("s3cret-number",))
    assert "s3cret" not in f"{raised.value} {unread.value} {raised.value.orig} {unread.value.orig}"
    engine.dispose()


def test_text_that_the_server_cannot_hold_is_stored_marked(postgres: tuple[Path, Path]) -> None:
    engine = open_database(copied_database(*postgres))
    entry = TextMemory(engine).add(opens("9\0", source="user"), by="a\0da", why="\ud800")
    assert (entry.body, entry.author) == ("Shop opens at 9\ufffd", "a\ufffdda")
    assert TextMemory(engine).entry(entry.id) == entry
    engine.dispose()


def test_an_address_says_how_many_connections_a_process_may_take(postgres: tuple[Path, Path]) -> None:
    engine = open_database(f"{copied_database(*postgres)}&pool_size=2")
    with engine.connect() as first, engine.connect() as second:
        assert (first.connection.is_valid, second.connection.is_valid) == (True, True)
        assert engine.pool.status().endswith("Current Checked out connections: 2")
    assert engine.pool.size() + engine.pool._max_overflow == 2  # type: ignore[attr-defined]
    engine.dispose()
