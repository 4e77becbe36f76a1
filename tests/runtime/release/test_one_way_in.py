"""Whoever proposes a tool, it is judged and taken in by one door: the same is told of the same candidate."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from nucleate import Runtime, Settings, events
from nucleate.exporting import export_tools
from nucleate.importing import import_tools
from nucleate.versions import evidence_of
from nucleate_codifier import Example
from nucleate_codifier.chat import Message, ScriptedModel
from nucleate_sandbox import MontySandbox
from nucleate_tool_library import State, ToolVersion
from tests.runtime.release.desk import Before, Without, live
from tests.runtime.telemetry.seen import seeing

GATES = ("parse", "policy", "closure", "types", "generality", "safety", "compile", "tests", "replay")
TAKEN_IN = [*(f"{gate} passed" for gate in GATES), "provisional, a tool"]
ASKED = re.compile(r"^(\d+)\. (.+)$", re.MULTILINE)


class Heard:
    """What the door tells of one candidate, in order."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def __call__(self, event: events.Event) -> None:
        match event:
            case events.GateJudged(report=report):
                self.lines.append(f"{report.gate.value} {report.status.value}")
            case events.CandidateJudged(verdict=verdict, tool=tool):
                self.lines.append(f"{verdict.decision.value}, {'no tool' if tool is None else 'a tool'}")


@contextmanager
def opened(
    folder: Path, sandbox: MontySandbox, heard: Heard, environment: object = None, **given: Any
) -> Iterator[Runtime]:
    model = given.pop("model", None)
    chosen = Settings.model_validate({"database": str(folder / "n.db"), "worker": "inline", **given})
    shown = {"desk": Before() if environment is None else environment}
    with Runtime(shown, settings=chosen, sandbox=sandbox, model=model, listen=heard) as runtime:
        yield runtime


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory, monty_sandbox: MontySandbox) -> tuple[Path, ToolVersion]:
    """Return the folder of a database in which one tool was learned, and the tool."""
    folder = tmp_path_factory.mktemp("learned")
    with opened(folder, monty_sandbox, Heard()) as runtime:
        live(runtime, range(5))
        (tool,) = runtime.library.tools()
    return folder, tool.version


Way = Callable[[Path, MontySandbox, Heard, ToolVersion], None]


def by_trace(folder: Path, sandbox: MontySandbox, heard: Heard, _version: ToolVersion) -> None:
    """Learn from five tasks."""
    (folder / "n.db").unlink()
    with opened(folder, sandbox, heard, codifier="trace") as runtime:
        live(runtime, range(5))


def by_model(folder: Path, sandbox: MontySandbox, heard: Heard, version: ToolVersion) -> None:
    """Learn from five tasks with a model that writes the same source."""
    (folder / "n.db").unlink()
    with opened(folder, sandbox, heard, codifier="model", model=ScriptedModel(writer(version))) as runtime:
        live(runtime, range(5))


def by_test(folder: Path, sandbox: MontySandbox, heard: Heard, version: ToolVersion) -> None:
    """Ask for a new judgement."""
    with opened(folder, sandbox, heard) as runtime:
        runtime.test(version.name)


def by_file(folder: Path, sandbox: MontySandbox, heard: Heard, _version: ToolVersion) -> None:
    """Export, and import into an empty library."""
    with opened(folder, sandbox, Heard()) as runtime:
        export_tools(runtime, folder / "lib")
    (folder / "n.db").unlink()
    with opened(folder, sandbox, heard) as runtime:
        import_tools(runtime, folder / "lib", by="ada")


def by_verification(folder: Path, sandbox: MontySandbox, heard: Heard, version: ToolVersion) -> None:
    """Doubt it."""
    with opened(folder, sandbox, heard) as runtime:
        runtime.releases.demote(version.name, by="ada", why="a doubt", to=State.SUSPECT)
        runtime.wait()
        runtime.releases.verify()


def by_rebuilding(folder: Path, sandbox: MontySandbox, heard: Heard, version: ToolVersion) -> None:
    """Take a parameter away, so that it is refused as it is, and written anew."""
    with opened(folder, sandbox, heard, Without()) as runtime:
        runtime.resume()
        assert runtime.library.tool(version.name).number == 2
    refused = heard.lines.index("rejected, no tool")
    del heard.lines[: refused + 1]


WAYS: Sequence[Way] = (by_trace, by_model, by_test, by_file, by_verification, by_rebuilding)


@pytest.mark.parametrize("way", WAYS, ids=[way.__name__ for way in WAYS])
def test_every_way_in_tells_the_same_of_the_same_candidate(
    way: Way, learned: tuple[Path, ToolVersion], tmp_path: Path, monty_sandbox: MontySandbox
) -> None:
    folder, version = learned
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    heard = Heard()
    with seeing() as seen:
        way(tmp_path, monty_sandbox, heard, version)
    spans = [shown for name, shown in seen.spans() if name.startswith("admit")]
    span = {"gen_ai.operation.name": "admit", "nucleate.candidate": version.name, "nucleate.decision": "provisional"}
    assert (heard.lines, spans[-1]) == (TAKEN_IN, span)


def writer(version: ToolVersion) -> Callable[[Sequence[Message]], str]:
    """Return a model's mind that submits a version's source, and knows its arguments by the queries of its evidence."""
    evidence = evidence_of(version)
    known = {example.query: example for example in (*evidence.seen, *evidence.held_out)}

    def reply(messages: Sequence[Message]) -> str:
        asked = [(int(number), known[query]) for number, query in ASKED.findall(messages[-1].content) if query in known]
        if messages[0].content.startswith("You call a Python tool"):
            found = [{"query": number, "applies": True, "arguments": json.dumps(e.arguments)} for number, e in asked]
            return json.dumps({"bindings": found})
        return json.dumps({"thought": "write it", "action": {"do": "submit", "helpers": [_helper(version, asked)]}})

    return reply


def _helper(version: ToolVersion, asked: Sequence[tuple[int, Example]]) -> dict[str, Any]:
    _number, first = asked[0]
    return {
        "name": version.name,
        "source": version.source,
        "tests": [
            {
                "name": "test_it.py",
                "text": f"def test_it():\n    assert tool(**{first.arguments!r}) == {first.result!r}\n",
            }
        ],
        "supports": [{"query": number, "arguments": json.dumps(e.arguments)} for number, e in asked],
        "covers": [{"parameter": name, "variation": f"the {name}"} for name in first.arguments],
    }
