"""A library moves from SQLite into PostgreSQL and back, and is the same library there."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import delete, text, update
from typer.testing import CliRunner

from nucleate import Runtime, Settings
from nucleate.cli.app import app
from nucleate.database import Database, open_database
from nucleate.database_copy import contents, copy_database
from nucleate.errors import InputInvalid
from nucleate_sandbox import MontySandbox
from nucleate_text_memory.tables import ENTRY, LINK
from tests.integration.desk import Desk, query, solve
from tests.postgres import new_database


@pytest.fixture
def library(tmp_path: Path, monty_sandbox: MontySandbox) -> str:
    """Return a library that learned a tool from five tasks."""
    place = str(tmp_path / "library.db")
    settings = Settings(database=place, worker="inline", allow_provisional=True)
    with Runtime(Desk(), settings=settings, sandbox=monty_sandbox) as runtime:
        for index in range(5):
            with runtime.record(query(index), task_id=f"task-{index}") as run:
                solve(run, index)
        assert len(runtime.library.tools()) == 1
    return place


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, list(words))
    return done.exit_code, f"{done.output}{done.exception or ''}"


def test_a_library_moves_to_a_server_and_back_and_goes_on_there(
    library: str, postgres: tuple[Path, Path], tmp_path: Path, monty_sandbox: MontySandbox
) -> None:
    server, back = new_database(*postgres), str(tmp_path / "back.db")
    code, said = run("db", "move", library, server)
    assert (code, said.splitlines()[-2].split(" rows copied, ")[1]) == (0, "0 were there; both hold the same")
    assert run("db", "move", server, back)[0] == 0
    engines = [open_database(place) for place in (library, server, back)]
    first, second, third = (contents(engine) for engine in engines)
    assert first == second == third
    for engine in engines:
        engine.dispose()
    settings = Settings(database=server, worker="inline", allow_provisional=True)
    with Runtime(Desk(), settings=settings, sandbox=monty_sandbox) as runtime:
        (tool,) = runtime.library.tools()
        assert runtime.call(tool.version.name, {"email": "fay@desk.test", "text": "hum"}).error is None
        with runtime.record("Something else is to be done.", task_id="new") as recording:
            solve(recording, 0)
        assert runtime.memory.task_ids()[-1] == "new"


def test_a_copy_that_was_cut_goes_on(library: str, tmp_path: Path) -> None:
    source, target = Database(library), Database(str(tmp_path / "copy.db"))
    source.open()
    target.open()
    rows = sum(done.copied for done in copy_database(source, target))
    with target.engine.begin() as connection:
        connection.execute(delete(LINK))
    (links,) = (item.rows for item in contents(source.engine) if item.table == LINK.name)
    assert sum(done.copied for done in copy_database(source, target)) == links > 0
    assert rows == sum(item.rows for item in contents(source.engine))


def test_nothing_is_copied_over_another_library(library: str, tmp_path: Path) -> None:
    other = str(tmp_path / "other.db")
    source, target = Database(library), Database(other)
    source.open()
    target.open()
    with target.engine.begin() as connection:
        connection.execute(text("INSERT INTO task (id, scope, query, input_key) VALUES ('x', 'desk', 'q', 'k')"))
    with pytest.raises(InputInvalid, match="table 'task' of the target holds 6 rows, that of the source 5"):
        list(copy_database(source, target))
    code, said = run("db", "move", library, other)
    assert (code, "table 'task' of the target holds 6 rows" in said) == (1, True)
    assert "is both source and target" in run("db", "move", library, library)[1]


def test_a_sound_database_is_told_from_one_that_somebody_edited(library: str, tmp_path: Path) -> None:
    code, said = run("--database", library, "db", "check")
    assert (code, said.splitlines()[-1]) == (0, "nothing is wrong")
    engine = open_database(library)
    with engine.begin() as connection:
        connection.execute(update(ENTRY).values(body="Do something else."))
    engine.dispose()
    code, said = run("db", "check", library)
    assert code == 1
    assert "was edited outside of the memory" in said
    missing = str(tmp_path / "none.db")
    assert run("db", "check", missing)[0] == 1
    assert not Path(missing).exists()
