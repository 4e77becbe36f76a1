"""An agent's own loop of thirty lines learns by three more, and calls a learned tool on its tenth task."""

from __future__ import annotations

import difflib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from nucleate_sandbox import DockerSandbox
from tests.integration import desk_model
from tests.project.places import ROOT
from tests.runtime.recording.service import Service

FOLDER = ROOT / "docs" / "examples" / "agent_openai"
PEOPLE = ("ada", "bo", "cy", "di", "ed", "fay", "gus", "hal", "ida", "jo")
TASKS = [f"{name}@desk.test reports: {name} cannot print page {page}" for page, name in enumerate(PEOPLE)]
TOOL = "open_ticket_with_customer"


def _run(script: str, folder: Path, service: Service, **settings: str) -> str:
    told = {
        "OPENAI_BASE_URL": f"{service.url}/v1",
        "OPENAI_API_KEY": "none",
        "NUCLEATE_DATABASE": str(folder / "own.db"),
    }
    environment = {**os.environ, **told, "NUCLEATE_WORKER": "inline", **settings}
    command = [sys.executable, "-W", "error::DeprecationWarning", str(FOLDER / script)]
    text = "\n".join(TASKS)
    ran = subprocess.run(
        command, input=text, env=environment, cwd=folder, capture_output=True, text=True, check=False, timeout=300
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


def _calls(service: Service) -> list[list[str]]:
    """Return the tools that the model called, task by task."""
    tasks: dict[str, list[str]] = {task: [] for task in TASKS}
    for request in service.asked:
        last = request["messages"][-1]
        if last["role"] == "tool":
            called = [call["function"]["name"] for call in request["messages"][-2]["tool_calls"]]
            tasks[request["messages"][0]["content"]] += called
    return list(tasks.values())


def test_three_lines_are_all_that_is_added() -> None:
    before, after = (
        (FOLDER / name).read_text(encoding="utf-8").splitlines() for name in ("agent.py", "agent_that_learns.py")
    )
    changes = [line for line in difflib.ndiff(before, after) if line[:1] in "+-"]
    assert len(before) == 30
    assert [line[:1] for line in changes] == ["+", "+", "+"]


def test_the_page_shows_the_very_lines() -> None:
    page = (ROOT / "docs" / "recording.md").read_text(encoding="utf-8")
    shown = page.partition("```diff\n")[2].partition("```")[0].splitlines()
    before = "\n".join(line[1:] for line in shown if not line.startswith("+"))
    after = "\n".join(line[1:] for line in shown)
    assert before in (FOLDER / "agent.py").read_text(encoding="utf-8")
    assert after in (FOLDER / "agent_that_learns.py").read_text(encoding="utf-8")


@pytest.mark.docker
@pytest.mark.slow
def test_the_tenth_task_calls_a_learned_tool_and_nothing_else(tmp_path: Path, docker_sandbox: DockerSandbox) -> None:
    with Service(desk_model.reply) as plain:
        expected = _run("agent.py", tmp_path, plain)
    with Service(desk_model.reply) as service:
        assert _run("agent_that_learns.py", tmp_path, service, NUCLEATE_SANDBOX="docker") == expected
    assert _calls(plain) == [["find_customer", "open_ticket"]] * 10
    assert _calls(service)[0] == ["find_customer", "open_ticket"]
    assert _calls(service)[9] == [TOOL]
    assert len(plain.asked) == 30
    assert len(service.asked) == 25


@pytest.mark.slow
def test_without_docker_the_same_happens_where_provisional_tools_are_allowed(tmp_path: Path) -> None:
    with Service(desk_model.reply) as service:
        _run("agent_that_learns.py", tmp_path, service, NUCLEATE_SANDBOX="monty", NUCLEATE_ALLOW_PROVISIONAL="1")
    assert _calls(service)[9] == [TOOL]
