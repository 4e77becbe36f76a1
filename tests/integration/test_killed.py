"""A process that is killed while it learns: nothing is half-registered, and the work resumes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from nucleate import Runtime, Settings
from nucleate_sandbox import MontySandbox
from tests.integration.desk import Desk

LIVE_AND_DIE = """
import os, signal, sys
from pathlib import Path
from nucleate import Runtime, Settings
from nucleate_sandbox import MontySandbox
from tests.integration.desk import Desk, query, solve

def listen(event):
    if type(event).__name__ == sys.argv[2]:
        os.kill(os.getpid(), signal.SIGKILL)

runtime = Runtime(Desk(), settings=Settings(database=sys.argv[1], worker="inline"), sandbox=MontySandbox(), listen=listen)
for index in range(5):
    with runtime.record(query(index), task_id=f"task-{index}") as run:
        solve(run, index)
"""


def _tools(database: str) -> list[tuple[str, str, str]]:
    sandbox = MontySandbox()
    try:
        with Runtime(Desk(), settings=Settings(database=database), sandbox=sandbox) as runtime:
            runtime.resume()
            assert runtime.jobs.counts().keys() == {"done"}
            return [(tool.name, tool.state.value, tool.version.id) for tool in runtime.library.tools()]
    finally:
        sandbox.close()


def _live(database: str, *, die_at: str) -> int:
    command = [sys.executable, "-c", LIVE_AND_DIE, database, die_at]
    root = Path(__file__).parents[2]
    return subprocess.run(command, check=False, cwd=root, timeout=120).returncode


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str, str]]:
    database = str(tmp_path_factory.mktemp("undisturbed") / "nucleate.db")
    assert _live(database, die_at="never") == 0
    return _tools(database)


@pytest.mark.parametrize("moment", ["EntryAdded", "CandidateMade", "GateJudged", "CandidateJudged"])
@pytest.mark.slow
def test_after_a_kill_the_work_resumes_to_the_same_tools(
    tmp_path: Path, moment: str, undisturbed: list[tuple[str, str, str]]
) -> None:
    database = str(tmp_path / "nucleate.db")
    assert _live(database, die_at=moment) == -9
    with Runtime(settings=Settings(database=database)) as runtime:
        registered = runtime.library.tools()
    assert registered == () or moment == "CandidateJudged"
    # Killed at its second task, the process never saw the rest of the stream: there is nothing to codify yet.
    assert _tools(database) == ([] if moment == "EntryAdded" else undisturbed)
