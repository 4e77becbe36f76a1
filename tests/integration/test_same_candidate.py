"""Two processes admit the same candidate at once: one version, one verdict."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from nucleate import Runtime, Settings
from nucleate.database import open_database
from nucleate_codifier import Verdicts
from nucleate_tool_library import ToolLibrary
from tests.codifier.shop import GOOD, subject, verdict
from tests.doubles import BrokenSandbox

ROOT = Path(__file__).parents[2]

# Both wait for the parent's word when everything is ready but the work itself.
ADMIT = """
import sys
from dataclasses import replace
from nucleate.database import open_database
from nucleate.versions import version_of
from nucleate_codifier import Verdicts, admit_once
from nucleate_tool_library import State, ToolLibrary
from tests.codifier.shop import POLICY, subject

engine = open_database(sys.argv[1])
# On a busy machine a gate may take long; a refusal for want of time is a verdict of its own, which is not remembered.
given = subject(policy=replace(POLICY, gate_seconds=600.0))
verdicts, library = Verdicts(engine), ToolLibrary(engine)
print("ready", flush=True)
sys.stdin.readline()
found = admit_once(given, memory=verdicts)
version = version_of(given.candidate, evidence=given.evidence, verdict=found)
library.register(version, state=State.ACTIVE, approved_by="admission")
"""

LEARN = """
import sys
from nucleate import Runtime, Settings
from nucleate_sandbox import MontySandbox
from tests.integration.desk import Desk, query, solve

with MontySandbox() as sandbox, Runtime(Desk(), settings=Settings(database=sys.argv[1], worker="inline"), sandbox=sandbox) as runtime:
    print("ready", flush=True)
    sys.stdin.readline()
    for index in range(5):
        with runtime.record(query(index), task_id=f"{sys.argv[2]}-{index}") as run:
            solve(run, index)
"""


def _both(program: str, database: str) -> None:
    """Run the program in two processes that begin their work at the same word."""
    open_database(database).dispose()
    started = [
        subprocess.Popen(
            [sys.executable, "-c", program, database, name],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in ("one", "two")
    ]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    ended = [process.communicate("go\n", timeout=300) for process in started]
    assert [(process.returncode, errors) for process, (_, errors) in zip(started, ended, strict=True)] == [(0, "")] * 2


@pytest.mark.slow
def test_one_version_and_one_verdict_come_of_two_admissions_at_once(tmp_path: Path) -> None:
    database = str(tmp_path / "nucleate.db")
    _both(ADMIT, database)
    engine = open_database(database)
    judgements = Verdicts(engine).list()
    assert [(item.candidate, item.decision.value, item.source) for item in judgements] == [
        ("refund_delivered", "admitted", GOOD)
    ]
    library = ToolLibrary(engine)
    assert [len(library.versions(tool.name)) for tool in library.tools()] == [1]
    assert len(library.history("refund_delivered")) == 1
    engine.dispose()


@pytest.mark.slow
def test_two_learners_of_the_same_work_leave_one_verdict_for_each_hash_and_one_version(tmp_path: Path) -> None:
    database = str(tmp_path / "nucleate.db")
    _both(LEARN, database)
    with Runtime(settings=Settings(database=database)) as runtime:
        hashes = [str(item.verdict["depends_on"]) for item in runtime.verdicts.list()]
        assert len(hashes) == len(set(hashes)) >= 1
        tools = runtime.library.tools()
        assert [len(runtime.library.versions(tool.name)) for tool in tools] == [1]
        assert runtime.jobs.counts().keys() == {"done"}


def test_a_verdict_is_found_again_by_its_hash_and_an_outage_is_not(tmp_path: Path) -> None:
    engine = open_database(str(tmp_path / "nucleate.db"))
    given, verdicts = subject(), Verdicts(engine)
    judged = verdict(given)
    for _ in range(2):
        verdicts.add(given.candidate, judged)
    assert verdicts.find(judged.depends_on) == judged
    assert len(verdicts.list()) == 1
    assert verdicts.find("0" * 64) is None
    engine.dispose()


@pytest.mark.parametrize("times", [1, 2])
def test_every_outage_is_recorded_and_none_is_taken_for_a_verdict(tmp_path: Path, times: int) -> None:
    engine = open_database(str(tmp_path / "nucleate.db"))
    given, verdicts = subject(sandbox=BrokenSandbox()), Verdicts(engine)
    judged = verdict(given)
    for _ in range(times):
        verdicts.add(given.candidate, judged)
    assert len(verdicts.list()) == times
    assert verdicts.find(judged.depends_on) is None
    engine.dispose()
