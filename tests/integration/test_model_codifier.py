"""The model codifier through the front door, against a local OpenAI-compatible server: refused, corrected, admitted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from nucleate import Runtime, Settings
from nucleate_codifier.chat import Message, ModelUnavailable, ScriptedModel
from nucleate_codifier.model import prompts_hash
from nucleate_sandbox import DockerSandbox, MontySandbox, Sandbox
from nucleate_tool_library import State
from tests.mailroom import ALWAYS_TWO, GOOD, INVENTED, MARK, TASKS, Mailroom, query, solve, writer
from tests.model_server import Answer, ModelServer

NAME = "openai/gpt-4o-mini"


def serving(sources: Iterable[str]) -> ModelServer:
    """Return a server whose model submits these sources one after another."""
    mind = writer(sources)

    def answer(request: dict[str, Any]) -> Answer:
        return Answer(text=mind([message["content"] for message in request["messages"]]))

    return ModelServer(answer)


def runtime(folder: Path, sandbox: Sandbox, server: ModelServer, **given: Any) -> Runtime:
    """Return a runtime whose settings name the server's model."""
    chosen = {"database": str(folder / "nucleate.db"), "model": NAME, "model_url": server.url, "model_key": "none"}
    chosen["worker"] = "inline"
    return Runtime(Mailroom(), settings=Settings.model_validate(chosen | given), sandbox=sandbox)


def live(runtime: Runtime) -> None:
    """Let an agent do every task call by call."""
    for index in range(len(TASKS)):
        with runtime.record(query(index), task_id=f"task-{index}") as run:
            solve(run, index)


def rounds(runtime: Runtime) -> list[tuple[str, str, list[str]]]:
    """Return candidate, decision and the rules of the findings of each judgement, oldest first."""
    found = []
    for item in reversed(runtime.verdicts.list()):
        gates: Any = item.verdict["gates"]
        rules = [finding["rule"] for gate in gates for finding in gate["findings"]]
        found.append((item.candidate, item.decision.value, list(dict.fromkeys(rules))))
    return found


@pytest.mark.docker
def test_refused_once_corrected_and_admitted_by_every_gate(tmp_path: Path, docker_sandbox: DockerSandbox) -> None:
    with serving([INVENTED, GOOD]) as server, runtime(tmp_path, docker_sandbox, server) as opened:
        live(opened)
        (tool,) = opened.library.tools()
        assert (tool.name, tool.state, tool.version.source) == ("print_labels", State.ACTIVE, GOOD)
        assert tool.version.evidence["origin"] == {
            "codifier": "model",
            "model": NAME,
            "prompts": prompts_hash(),
            "round": 2,
            "turns": 2,
            "tokens": 30,
            "dollars": 9e-06,
            "covers": {"customer": "whose labels", "count": "how many labels"},
        }
        assert rounds(opened)[-2:] == [
            ("print_labels", "rejected", ["closure/unknown-function", "types/attr-defined"]),
            ("print_labels", "admitted", []),
        ]
        outcome = opened.call("print_labels", {"customer": "Ada", "count": 2})
        assert [label["street"] for label in outcome.value] == ["Quay 1-zq7"] * 2  # type: ignore[union-attr, index, call-overload]


def test_the_trace_codifier_comes_first_and_says_why_it_left_the_plan_to_the_model(
    tmp_path: Path, monty_sandbox: MontySandbox
) -> None:
    with serving([GOOD]) as server, runtime(tmp_path, monty_sandbox, server) as opened:
        live(opened)
        (tool,) = opened.library.tools()
        assert (tool.state, tool.version.verdict["decision"]) == (State.CANDIDATE, "provisional")
        assert [(decision, rules) for _, decision, rules in rounds(opened)] == [
            ("rejected", ["trace/no-common-loop"]),
            ("provisional", []),
        ]
        assert opened.test("print_labels").decision == "provisional"


@pytest.mark.slow
def test_refused_twice_leaves_no_trace_but_its_record_and_backs_off(
    tmp_path: Path, monty_sandbox: MontySandbox
) -> None:
    with (
        serving([ALWAYS_TWO, ALWAYS_TWO]) as server,
        runtime(tmp_path, monty_sandbox, server, codifier="model") as opened,
    ):
        live(opened)
        (plan,) = opened.memory.entries(kind="plan")
        assert (opened.library.tools(), plan.implements) == ((), ())
        assert rounds(opened) == [
            ("print_labels", "rejected", ["model/other-writes"]),
            ("print_labels", "rejected", ["model/other-writes"]),
            (plan.title, "rejected", ["model/refused-twice"]),
        ]
        assert [item.verdict["origin"]["turns"] for item in opened.verdicts.list()] == [2, 2, 1]  # type: ignore[index, call-overload]
        buffer = opened.recurrence.buffer(plan.id)
        assert (buffer.attempts, buffer.due, buffer.threshold) == (1, False, len(buffer.candidates) + 3)
        assert opened.resume() == 0
        assert len(server.asked) == 2


@pytest.mark.slow
def test_nothing_that_was_observed_is_sent(tmp_path: Path, monty_sandbox: MontySandbox) -> None:
    with (
        serving([ALWAYS_TWO, GOOD]) as server,
        runtime(tmp_path, monty_sandbox, server, codifier="model") as opened,
    ):
        live(opened)
        assert [tool.name for tool in opened.library.tools()] == ["print_labels"]
        sent = "".join(message["content"] for request in server.asked for message in request["messages"])
        assert "Please print" in sent
        assert MARK.search(sent) is None


@pytest.mark.slow
def test_an_outage_of_the_model_leaves_the_plan_due_and_a_later_process_takes_it_up(
    tmp_path: Path, monty_sandbox: MontySandbox
) -> None:
    settings = Settings(database=str(tmp_path / "nucleate.db"), worker="inline")
    down = ScriptedModel([ModelUnavailable("the server is down")] * 2)
    with Runtime(Mailroom(), settings=settings, sandbox=monty_sandbox, model=down) as opened:
        live(opened)
        opened.resume()
        assert (opened.library.tools(), opened.jobs.counts()["queued"], len(down.asked)) == ((), 1, 2)
        assert [rules for _, _, rules in rounds(opened)] == [["trace/no-common-loop"]]
    with serving([GOOD]) as server, runtime(tmp_path, monty_sandbox, server, codifier="model") as opened:
        opened.resume()
        assert [tool.name for tool in opened.library.tools()] == ["print_labels"]


@pytest.mark.slow
def test_recorded_exchanges_are_replayed_to_the_same_tool_without_a_model(
    tmp_path: Path, monty_sandbox: MontySandbox
) -> None:
    given = {"codifier": "model", "model_exchanges": str(tmp_path / "exchanges.jsonl")}
    versions = []
    for folder, sources in (("first", [INVENTED, GOOD]), ("second", [])):
        (tmp_path / folder).mkdir()
        with serving(sources) as server, runtime(tmp_path / folder, monty_sandbox, server, **given) as opened:
            live(opened)
            versions += [tool.version.id for tool in opened.library.tools()]
    assert server.asked == []
    assert len(versions) == 2
    assert versions[0] == versions[1]


def test_a_round_that_was_refused_is_recorded_although_the_model_fails_in_the_next(
    tmp_path: Path, monty_sandbox: MontySandbox
) -> None:
    mind = writer([INVENTED])

    def line(messages: Sequence[Message]) -> str | ModelUnavailable:
        return mind([item.content for item in messages]) if len(messages) == 2 else ModelUnavailable("down")

    settings = Settings(database=str(tmp_path / "nucleate.db"), codifier="model", worker="inline")
    with Runtime(Mailroom(), settings=settings, sandbox=monty_sandbox, model=ScriptedModel(line)) as opened:
        live(opened)
        assert rounds(opened) == [("print_labels", "rejected", ["closure/unknown-function", "types/attr-defined"])]
        (plan,) = opened.memory.entries(kind="plan")
        assert opened.recurrence.buffer(plan.id).due
