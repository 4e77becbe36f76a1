"""A recorded program goes on under every trouble of the database, and nothing that it did is lost."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evals.host.troubles import Spoiled, damaged, locked, newer
from nucleate import FunctionEnvironment, Runtime, Settings
from nucleate.database import briefly
from nucleate.errors import DatabaseUnusable, InputInvalid
from nucleate.recording import recorded


@recorded
def look(number: int) -> dict[str, int]:
    """Look something up."""
    return {"number": number}


DESK = FunctionEnvironment("desk", [look], effects={"look": "read"})
NUCLEATE = str(Path(sys.executable).parent / "nucleate")


def settings(path: Path, **more: object) -> Settings:
    """Return settings with a database at a path."""
    return Settings(**{"database": str(path), "sandbox": "monty", "worker": "off", **more})  # type: ignore[arg-type]


def solved(runtime: Runtime, task: str) -> dict[str, int]:
    """Do a task as an agent does."""
    with runtime.record(f"Look at {task}.", task_id=task):
        return look(7)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a database that is there."""
    with Runtime(DESK, settings=settings(tmp_path / "n.db")):
        return tmp_path / "n.db"


def test_a_new_database_and_its_log_are_their_owners_alone(tmp_path: Path) -> None:
    with Runtime(DESK, settings=settings(tmp_path / "n.db")) as runtime:
        solved(runtime, "t1")
        modes = {item.name: item.stat().st_mode & 0o777 for item in tmp_path.iterdir() if item.is_file()}
    assert modes == {"n.db": 0o600, "n.db-wal": 0o600, "n.db-shm": 0o600}


def test_while_the_database_is_locked_runs_wait_beside_it_and_are_taken_in_later(path: Path) -> None:
    with Runtime(DESK, settings=settings(path)) as runtime:
        with locked(path):
            assert [solved(runtime, name) for name in ("t1", "t2")] == [{"number": 7}] * 2
            assert len(list(path.with_name("n.db.spool").iterdir())) == 2
        assert runtime.drain() == 6
        assert [runtime.memory.trajectory(name).task_id for name in ("t1", "t2")] == ["t1", "t2"]
        assert list(path.with_name("n.db.spool").iterdir()) == []


@pytest.mark.parametrize("spoiled", [newer, damaged])
def test_a_program_that_starts_on_a_database_of_no_use_goes_on_and_says_so_once(
    path: Path, spoiled: Spoiled, caplog: pytest.LogCaptureFixture
) -> None:
    with spoiled(path), Runtime(DESK, settings=settings(path)) as runtime:
        assert [solved(runtime, name) for name in ("t1", "t2")] == [{"number": 7}] * 2
        assert runtime.tools_for("Look at it.") == ()
    said = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(said) == 1
    assert "taken in later" in said[0]
    assert len(list(path.with_name("n.db.spool").iterdir())) == 2


def test_another_process_takes_in_what_waits_once_the_database_is_of_use_again(path: Path) -> None:
    with newer(path), Runtime(DESK, settings=settings(path)) as runtime:
        solved(runtime, "t1")
    with Runtime(settings=settings(path)) as other:
        other.drain()
        assert other.memory.task_ids() == ["t1"]
        assert other.scopes.names() == ("desk",)


def test_a_database_that_is_deleted_is_made_anew_with_what_is_known_of_the_environment(path: Path) -> None:
    with Runtime(DESK, settings=settings(path)) as runtime:
        solved(runtime, "t1")
        for item in path.parent.glob("n.db*"):
            item.unlink()
        assert solved(runtime, "t2") == {"number": 7}
        runtime.drain()
        assert (runtime.memory.task_ids(), runtime.scopes.names()) == (["t2"], ("desk",))


def test_what_a_database_that_nobody_may_write_to_could_not_take_is_taken_in_once_somebody_may(path: Path) -> None:
    with Runtime(DESK, settings=settings(path, database=f"sqlite:///file:{path}?mode=ro&uri=true")) as runtime:
        assert solved(runtime, "t1") == {"number": 7}
    with Runtime(settings=settings(path)) as runtime:
        runtime.drain()
        assert runtime.memory.task_ids() == ["t1"]


def test_where_its_folder_takes_nothing_either_runs_wait_in_the_users_cache(path: Path, tmp_path: Path) -> None:
    path.with_name("n.db.spool").write_text("a file")
    with newer(path), Runtime(DESK, settings=settings(path)) as runtime:
        solved(runtime, "t1")
    assert len(list((tmp_path / "cache" / "nucleate" / "spool").glob("*/*.json"))) == 1


def test_where_nothing_can_be_written_runs_wait_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    runtime = Runtime(DESK, settings=settings(tmp_path / "file" / "n.db"))
    assert solved(runtime, "t1") == {"number": 7}
    (tmp_path / "file").unlink()
    assert runtime.drain() == 3
    assert runtime.memory.task_ids() == ["t1"]
    runtime.close()


def test_a_lock_is_an_error_that_says_who_has_it_and_what_to_do(path: Path) -> None:
    lines = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('BEGIN IMMEDIATE'); print(); input()"
    command = [sys.executable, "-c", lines, str(path)]
    with (
        Runtime(DESK, settings=settings(path, on_outage="raise")) as runtime,
        # When the database is open here:
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other,
    ):
        assert other.stdout is not None
        assert other.stdout.readline() == "\n"
        with briefly(writes=True), pytest.raises(DatabaseUnusable, match=rf"; process {other.pid} \(.* has it\); try"):
            solved(runtime, "t1")
        other.communicate("\n")


def test_who_wants_the_error_gets_it(path: Path) -> None:
    with newer(path), pytest.raises(DatabaseUnusable, match=r"is of a newer nucleate \(schema 9999"):
        Runtime(DESK, settings=settings(path, on_outage="raise"))


def test_secrets_do_not_wait_in_the_open(path: Path) -> None:
    with (
        newer(path),
        Runtime(DESK, settings=settings(path)) as runtime,
        runtime.record("Use password=hunter2hunter2") as run,
    ):
        run.note(password="hunter2hunter2")
    (waiting,) = path.with_name("n.db.spool").iterdir()
    assert "hunter2" not in waiting.read_text()


def test_a_task_id_that_is_taken_costs_the_recording_and_not_the_program(path: Path) -> None:
    with Runtime(DESK, settings=settings(path)) as runtime:
        solved(runtime, "t1")
        with runtime.record("Look at another.", task_id="t1"):
            assert look(8) == {"number": 8}
        assert runtime.memory.trajectory("t1").query == "Look at t1."


def test_what_makes_no_sense_is_refused_where_it_is_said(path: Path) -> None:
    runtime = Runtime(DESK, settings=settings(path))
    for query in ("", "  ", 5):
        with pytest.raises(InputInvalid, match="say in words"):
            runtime.record(query)  # type: ignore[arg-type]
    with runtime.record("Look at it.", task_id="t1"):
        look(1)
        runtime.close()
    with pytest.raises(InputInvalid, match="this runtime is closed"):
        runtime.record("Look at it.")
    with Runtime(settings=settings(path)) as other:
        assert other.memory.task_ids() == ["t1"]


@pytest.mark.slow
def test_commands_that_look_wait_for_nobody_who_writes_and_make_nothing(path: Path, tmp_path: Path) -> None:
    told = {**os.environ, "NUCLEATE_DATABASE": str(path)}
    with locked(path):
        listed = subprocess.run([NUCLEATE, "tools", "list"], env=told, capture_output=True, text=True, check=False)
    assert (listed.returncode, "0 tools" in listed.stdout, listed.stderr) == (0, True, "")
    missing = subprocess.run(
        [NUCLEATE, "--database", str(tmp_path / "none" / "n[/x].db"), "jobs", "list"],
        env=told,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (missing.returncode, "n[/x].db" in missing.stderr, (tmp_path / "none").exists()) == (2, True, False)


@pytest.mark.slow
def test_a_program_that_does_not_close_its_runtime_says_what_is_left_and_leaves_no_folder(path: Path) -> None:
    lines = (
        "from nucleate import FunctionEnvironment, Runtime, recording",
        "look = recording.recorded(lambda: 1)",
        "look.__name__ = 'look'",
        "with Runtime(FunctionEnvironment('desk', [look])).record('Look at it.'): look()",
    )
    told = {**os.environ, "NUCLEATE_DATABASE": str(path), "NUCLEATE_EXIT_SECONDS": "0", "NUCLEATE_SANDBOX": "monty"}
    with locked(path):
        ran = subprocess.run(
            [sys.executable, "-c", "\n".join(lines)],
            env=told,
            cwd=path.parent,
            capture_output=True,
            text=True,
            check=False,
        )
    assert (ran.returncode, ran.stderr) == (
        0,
        "nucleate: 1 run could not be stored; the next process that can stores it\n",
    )
    assert sorted(item.name for item in path.parent.iterdir() if item.is_dir()) == ["n.db.spool"]
