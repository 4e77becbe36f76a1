"""A run as it is shown: lines for a person, JSON for a program, and the real command against a model server."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from nucleate.cli.run.run_lines import JsonLines
from nucleate.cli.run.run_view import RunView
from nucleate.cli.screen import Screen
from nucleate.executor import Budgets, RunListener
from nucleate_codifier.chat import ModelUnavailable
from tests.model_server import Answer, ModelServer
from tests.runtime.executor.bench import ASKED, TICKET, Bench, call, code

FIND = code('env.desk.find_customer(email="ada@desk.test")', "I look the customer up.")


def shown(desk: Bench, listen: RunListener) -> None:
    """Let a listener hear the events of the bench's last run."""
    for event in desk.events:
        listen(event)


def plain(desk: Bench) -> list[str]:
    """Return the lines that a person sees of the bench's last run, but for the last, which holds a time."""
    out = io.StringIO()
    with RunView(Screen(file=out, width=100, no_color=True), live=False) as view:
        shown(desk, view)
    return [line.rstrip() for line in out.getvalue().splitlines() if line.strip()]


def test_a_person_sees_the_task_each_step_and_what_it_came_to(desk: Bench) -> None:
    desk.run([FIND, "hm", ModelUnavailable("no answer"), call('{"call": "finish", "arguments": {"answer": "found"}}')])
    lines = plain(desk)
    assert lines[:-1] == [
        ASKED,
        "desk · given no entries; no tools",
        "1  I look the customer up.",
        '   env.desk.find_customer(email="ada@desk.test")',
        '   value: {"customer_id": "c-ada-11", "email": "ada@desk.test"}',
        "   1 call",
        "corrected  the reply holds no block: answer with one ```python block (or one ```json call); where",
        "everything that was asked is done, that block is finish(answer)",
        "waiting  the model is out of order (no answer); again in 0.5 s",
        "2",
        '   finish({"answer":"found"})',
        "finished  found",
    ]
    assert lines[-1].startswith("2 steps · 1 call · 0 tokens · $0.0000 · 0.5 s · task-")


def test_a_person_sees_what_the_tools_saved_and_why_a_run_ended_early(desk: Bench) -> None:
    desk.register(TICKET, "ticket", ("desk.find_customer", "desk.open_ticket", "desk.notify"))
    choice = desk.runtime.manager.choose(ASKED, scope="desk")
    desk.run([code('ticket("ada@desk.test", "x")["ticket_id"]')] * 2, budgets=Budgets(steps=1), choice=choice)
    lines = plain(desk)
    assert "desk · given no entries; tools ticket" in lines
    assert "ended: steps  all 1 steps are used" in lines
    assert "1 step · 1 call (2 saved by ticket)" in lines[-1]


def test_a_program_reads_one_object_a_line_and_the_result_last(desk: Bench) -> None:
    result = desk.run([FIND, code("finish('found')")])
    out = io.StringIO()
    shown(desk, JsonLines(out))
    events = [json.loads(line) for line in out.getvalue().splitlines()]
    each = ["model_asked", "acting", "calling", "observed"]
    assert [event["event"] for event in events] == ["run_started", *each, *each, "run_ended"]
    assert events[3] == {
        "event": "calling",
        "name": "desk.find_customer",
        "arguments": {"email": "ada@desk.test"},
    }
    assert events[4]["calls"][0]["result"] == {"customer_id": "c-ada-11", "email": "ada@desk.test"}
    last = events[-1]
    assert (last["task_id"], last["ending"], last["answer"]) == (result.task_id, "finished", "found")
    assert (last["steps"], last["calls"], last["calls_saved"], last["tokens"]) == (2, 1, 0, 0)


def run(folder: Path, server: ModelServer, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the real command."""
    command = [str(Path(sys.executable).with_name("nucleate")), "run", "How is O-20001?", *words]
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(folder),
        "NUCLEATE_SANDBOX": "monty",
        "NUCLEATE_MODEL": "openai/gpt-4o-mini",
        "NUCLEATE_MODEL_URL": server.url,
        "NUCLEATE_MODEL_KEY": "none",
    }
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def answers(*texts: str) -> list[Answer]:
    """Return answers of a server, each with its tokens."""
    return [Answer(text=text, prompt_tokens=100, completion_tokens=10) for text in texts]


@pytest.mark.slow
def test_the_command_does_a_task_and_stores_it(tmp_path: Path) -> None:
    look = code('order = env.orders.get_order(order_id="O-20001")')
    with ModelServer(answers(look, code('finish(order["status"])'))) as server:
        done = run(tmp_path, server, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    last: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert (last["answer"], last["tokens"], last["calls"]) == ("delivered", 220, 1)
    assert last["dollars"] > 0
    first, second = (request["messages"] for request in server.asked)
    assert second[:2] == first


@pytest.mark.slow
def test_the_command_says_by_its_exit_code_that_a_task_was_not_finished(tmp_path: Path) -> None:
    with ModelServer(answers(*[code("1 + 1")] * 3)) as server:
        done = run(tmp_path, server, "--plain", "--steps", "2")
    assert done.returncode == 1
    assert "ended: steps  all 2 steps are used" in done.stdout
