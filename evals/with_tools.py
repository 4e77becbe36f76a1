"""Streams tasks through the pipeline, then rewrites tasks that it has not seen with the tools that came out."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.progress import track

from evals.heldout import Comparison, Stateful, compare
from evals.tally import Tally
from evals.tools_report import Files, Result, publish
from nucleate.runtime import Runtime
from nucleate.settings.settings import Settings
from nucleate_codifier.trace import ToolCall, rewrite
from nucleate_sandbox import Environment, JsonObject, Outcome
from nucleate_text_memory import Step, Trajectory
from nucleate_tool_library import State, ToolVersion

IN_FORCE = (State.ACTIVE, State.CANDIDATE)


@dataclass(frozen=True, kw_only=True)
class Case:
    """One recorded task, and how to start the environment in which it was recorded."""

    trajectory: Trajectory
    start: Callable[[], Stateful]


def options(name: str, description: str | None) -> argparse.ArgumentParser:
    """Return a parser with the options that all these evaluations have."""
    parser = argparse.ArgumentParser(prog=f"python -m evals.{name}", description=description)
    parser.add_argument("--json", type=Path, help="write the figures and one row per held-out task to this file")
    parser.add_argument("--png", type=Path, help="write a bar chart to this file")
    parser.add_argument("--tools", type=Path, help="write the sources of the admitted tools to this file")
    parser.add_argument("--seed", type=int, default=0, help="which tasks are held out (default 0)")
    parser.add_argument("--database", type=Path, help="keep the database here, for `nucleate tools list`")
    return parser


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The tasks to learn from, and the tasks to judge by."""

    stream: Sequence[Case]
    held_out: Sequence[Case]


def measure(name: str, title: str, parts: Parts, chosen: argparse.Namespace) -> Result:
    """Learn from one part, compare on the other, and publish what was measured."""
    with tempfile.TemporaryDirectory() as scratch:
        database = chosen.database or Path(scratch) / f"{name}.db"
        result = _measure(name, title, parts, database)
    publish(result, Files(json=chosen.json, png=chosen.png, tools=chosen.tools))
    return result


def _measure(name: str, title: str, parts: Parts, database: Path) -> Result:
    started, tally = time.monotonic(), Tally()
    with Runtime(settings=Settings(database=str(database), worker="inline"), listen=tally) as runtime:
        for case in track(parts.stream, description="learning"):
            runtime.scopes.attach(case.start())
            runtime.learn(case.trajectory)
        learned = time.monotonic()
        scope = parts.stream[0].trajectory.environment
        tools = tuple(tool.version for tool in runtime.library.tools(scope=scope, states=IN_FORCE))
        compared = [_compare(runtime, case, tools) for case in track(parts.held_out, description="held out")]
        return Result(
            name=name,
            title=title,
            tasks=len(parts.stream),
            tally=tally,
            tools=tools,
            comparisons=tuple(compared),
            sandbox=runtime.sandbox.name,
            learning_seconds=learned - started,
            seconds=time.monotonic() - started,
        )


def _compare(runtime: Runtime, case: Case, tools: Sequence[ToolVersion]) -> Comparison:
    original = case.trajectory.steps
    rewritten = [_as_step(item) for item in rewrite(original, tools)]
    start = case.start()
    return compare(case.trajectory.task_id, start, original, rewritten, call_tool=partial(_call_tool, runtime))


def _as_step(item: Step | ToolCall) -> Step:
    return Step(function=item.name, arguments=item.arguments) if isinstance(item, ToolCall) else item


def _call_tool(runtime: Runtime, name: str, arguments: JsonObject, environment: Environment) -> Outcome:
    return runtime.call(name, arguments, environment, path="eval")
