"""What learned tools did on held-out tasks, in figures."""

from __future__ import annotations

import json
from pathlib import Path

from evals.heldout import Comparison
from evals.tally import Tally
from evals.tools_report import Files, Result, publish
from nucleate import events
from nucleate_codifier import Finding
from nucleate_text_memory import Entry, Kind
from nucleate_tool_library import Signature, ToolVersion


def _version(name: str, *, calls: ToolVersion | None = None) -> ToolVersion:
    signature = Signature(name=name, text=f"def {name}() -> None", doc="", parameters={}, returns={})
    dependencies = (calls.id,) if calls else ()
    source = f"def {name}() -> None: ...\n"
    return ToolVersion(name=name, scope="desk", source=source, signature=signature, dependencies=dependencies)


def _compared(task_id: str, after: int, *tools: str) -> Comparison:
    return Comparison(
        task_id=task_id, before=4, after=after, identical=True, answers=True, idle=False, cut=False, tools=tools
    )


def _result(tally: Tally | None = None) -> Result:
    inner, idle = _version("inner"), _version("idle")
    return Result(
        name="desk",
        title="Desk",
        tasks=3,
        tally=tally or Tally(),
        tools=(inner, _version("outer", calls=inner), idle),
        comparisons=(_compared("t1", 1, "outer"), _compared("t2", 4)),
        sandbox="scripted",
        learning_seconds=1.0,
        seconds=2.0,
    )


def test_a_tool_that_only_tools_call_is_counted_apart_from_one_that_nobody_calls() -> None:
    result = _result()
    assert (result.used, result.helpers) == (["outer"], ["inner"])
    assert (result.mean("before"), result.mean("after"), result.count("tools")) == (4.0, 2.5, 1)


def test_refusals_are_counted_by_their_rules() -> None:
    tally = Tally()
    entry = Entry(
        id="p", kind=Kind.PLAN, scope="desk", title="A", body="", signature=("a.b",), source="q", confidence=0.5
    )
    finding = Finding(rule="trace/one-call", message="the tool would make one call")
    tally(events.CodifierRefused(plan=entry, findings=(finding, finding)))
    assert _result(tally).figures["refused_rules"] == {"trace/one-call": 1}
    assert _result(tally).figures["refused"] == {"codifier": 1}


def test_the_sources_are_written_with_how_often_each_was_used(tmp_path: Path) -> None:
    files = Files(json=tmp_path / "x.json", tools=tmp_path / "tools.py")
    publish(_result(), files)
    written = (tmp_path / "tools.py").read_text(encoding="utf-8")
    assert "# outer: used in 1 held-out tasks\ndef outer() -> None: ...\n" in written
    assert "# idle: used in 0 held-out tasks\n" in written
    assert json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))["eval"] == "desk"
