"""The main job on a real PostgreSQL: the same tools, nothing twice, and the schema that the code describes."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine
from sqlalchemy.engine import make_url

from nucleate import Runtime, Settings
from nucleate.database import all_tables
from nucleate.errors import DatabaseUnusable
from nucleate.migrations import upgrade
from nucleate_sandbox import MontySandbox
from tests.integration.desk import Desk, query, solve
from tests.postgres import new_database


@pytest.mark.slow
def test_recurring_tasks_become_a_tool_and_memory_is_found_corrected_and_forgotten(
    postgres: tuple[Path, Path], monty_sandbox: MontySandbox
) -> None:
    settings = Settings(database=new_database(*postgres), allow_provisional=True)
    with Runtime(Desk(), settings=settings, sandbox=monty_sandbox) as runtime:
        for index in range(5):
            with runtime.record(query(index), task_id=f"task-{index}") as run:
                solve(run, index)
        assert runtime.wait(300)
        (offered,) = runtime.tools_for(query(5))
        assert "t-c-fay-16-3" in str(offered(email="fay@desk.test", text="hum"))
        assert (runtime.library.tool(offered.__name__).uses, set(runtime.jobs.counts())) == (1, {"done"})
        (plan,) = runtime.memory.entries(kind="plan")
        assert [entry.id for entry in runtime.recall(query(5), scope="desk")] == [plan.id]
        runtime.memory.invalidate(plan.id, why="a test", by="user")
        restored = runtime.memory.restore(plan.id, why="a test", by="user")
        assert plan.id in runtime.memory.forget(restored.id, why="a test", by="user")
        assert (runtime.memory.entries(kind="plan"), runtime.resume()) == ([], 0)


def test_the_migrations_make_the_tables_that_the_code_describes(postgres: tuple[Path, Path]) -> None:
    url = make_url(new_database(*postgres)).set(drivername="postgresql+psycopg")
    engine = create_engine(url)
    upgrade(engine)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), all_tables()) == []
    engine.dispose()


def test_a_server_that_is_not_there_is_named_without_the_password(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    url = f"postgresql://me:s3cret@/shop?host={tmp_path}"
    named = pytest.raises(DatabaseUnusable, match=r"postgresql://me:\*\*\*@/shop")
    with Runtime(settings=Settings(database=url, worker="off")) as runtime, named as raised:
        runtime.memory.task_ids()
    assert "cannot be used" in caplog.text
    assert "s3cret" not in f"{caplog.text}{raised.value}"
    with pytest.raises(DatabaseUnusable, match=r"postgresql://me:\*\*\*@/shop"):
        Runtime(settings=Settings(database=url, on_outage="raise"))
