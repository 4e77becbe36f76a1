"""Recorded runs of a shop's service desk are split, replayed and compared."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evals.heldout import Comparison, compare
from evals.retail import Recorded, case_of, main
from nucleate_sandbox import Effect, Environment, FunctionError, FunctionSpec, JsonObject, Outcome
from nucleate_text_memory import Step, StepError, Trajectory
from tests.project.places import ROOT

FUNCTIONS = {
    "desk.look": FunctionSpec(name="desk.look", effect=Effect.READ),
    "desk.cancel": FunctionSpec(name="desk.cancel", effect=Effect.WRITE),
}
RUN = Trajectory(
    task_id="t1",
    query="Cancel #W1",
    environment="desk",
    steps=(
        Step(function="desk.look", arguments={"order": "#W1"}, result={"open": True}),
        Step(function="desk.cancel", arguments={"order": "#W1"}, result={"open": False}),
        Step(function="desk.cancel", arguments={"order": "#W2"}, error=StepError(kind="Closed", message="#W2")),
    ),
)
REWRITTEN = (Step(function="look_and_cancel", arguments={"order": "#W1"}), RUN.steps[2])


def _look_and_cancel(_name: str, arguments: JsonObject, environment: Environment) -> Outcome:
    environment.call("desk.look", arguments)
    return Outcome(value=environment.call("desk.cancel", arguments))


def _cancel(_name: str, arguments: JsonObject, environment: Environment) -> Outcome:
    return Outcome(value=environment.call("desk.cancel", arguments))


def _start() -> Recorded:
    start = case_of(RUN, FUNCTIONS).start()
    assert isinstance(start, Recorded)
    return start


def test_the_state_of_a_recording_is_the_changes_that_it_was_asked_for() -> None:
    recording = _start()
    recording.call("desk.look", {"order": "#W1"})
    recording.call("desk.cancel", {"order": "#W1"})
    with pytest.raises(FunctionError, match="#W2"):
        recording.call("desk.cancel", {"order": "#W2"})
    change: JsonObject = {"function": "desk.cancel", "arguments": {"order": "#W1"}, "result": {"open": False}}
    assert recording.state() == [change]
    assert recording.fork().state() == []


def test_a_run_with_a_tool_replays_to_the_same_answers_and_changes() -> None:
    assert compare("t1", _start(), RUN.steps, REWRITTEN, call_tool=_look_and_cancel) == Comparison(
        task_id="t1", before=3, after=2, identical=True, answers=True, idle=False, cut=True, tools=("look_and_cancel",)
    )


def test_a_tool_that_reads_less_is_noticed_by_the_answers() -> None:
    compared = compare("t1", _start(), RUN.steps, REWRITTEN, call_tool=_cancel)
    assert (compared.identical, compared.answers) == (True, False)


def test_no_data_is_one_line_and_exit_code_2() -> None:
    bare = {name: value for name, value in os.environ.items() if name != "NUCLEATE_RETAIL_DATA"}
    command = [sys.executable, "-m", "evals.retail"]
    ran = subprocess.run(command, cwd=ROOT, env=bare, capture_output=True, text=True, check=False, timeout=120)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "evals.retail: no recorded runs were named; give --data FILE or set NUCLEATE_RETAIL_DATA\n"


def test_a_malformed_line_is_named_and_nothing_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "runs.jsonl").write_text("{\n", encoding="utf-8")
    functions = {"environment": "desk", "functions": []}
    (tmp_path / "tau_retail_functions.json").write_text(json.dumps(functions), encoding="utf-8")
    assert main(["--data", str(tmp_path / "runs.jsonl")]) == 2
    assert capsys.readouterr().err.startswith("evals.retail: line 1 of 'runs.jsonl': ")
