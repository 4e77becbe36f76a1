"""Do recorded runs of a public benchmark become tools that work on tasks they have not seen?

`python -m evals.bfcl` replays the ground truth of the 200 multi-turn base tasks of the Berkeley Function-Calling
Leaderboard. A seeded part is streamed through the pipeline; on the rest, ground-truth calls are rewritten with the
admitted tools, both lists run on fresh instances, and the final states are compared.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.progress import track

from evals import bfcl_report
from evals.bfcl_environment import SCOPE, BfclEnvironment, fresh
from evals.bfcl_functions import load_functions
from evals.bfcl_heldout import Comparison, compare
from evals.bfcl_record import record
from evals.bfcl_source import Task, Unreachable, cache_folder, fetch, load_classes, load_tasks, split
from evals.bfcl_tally import Tally
from nucleate.runtime import Runtime
from nucleate.settings import Settings
from nucleate_codifier.trace import ToolCall, rewrite
from nucleate_sandbox import Environment, FunctionSpec, JsonObject, Outcome, SandboxError
from nucleate_text_memory import Step
from nucleate_tool_library import State, ToolVersion

IN_FORCE = (State.ACTIVE, State.CANDIDATE)


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    """The tasks, and what is needed to start the APIs of any of them."""

    tasks: tuple[Task, ...]
    functions: Mapping[str, FunctionSpec]
    classes: Mapping[str, type]

    @classmethod
    def load(cls, package: Path) -> Benchmark:
        """Read the unpacked package."""
        return cls(tasks=load_tasks(package), functions=load_functions(package), classes=load_classes(package))

    def start(self, task: Task) -> BfclEnvironment:
        """Return fresh instances for a task."""
        return fresh(task, self.functions, self.classes)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the evaluation; 0 when every held-out state is identical, 1 when not, 2 when something is missing."""
    options = _options(arguments)
    try:
        package = fetch(cache_folder())
        if options.fetch_only:
            print(package)
            return 0
        with tempfile.TemporaryDirectory() as scratch:
            return _run(Benchmark.load(package), options, database=options.database or Path(scratch) / "bfcl.db")
    except (Unreachable, SandboxError) as error:
        print(f"evals.bfcl: {error}", file=sys.stderr)
        return 2


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m evals.bfcl", description=__doc__)
    parser.add_argument("--json", type=Path, help="write the figures and one row per held-out task to this file")
    parser.add_argument("--png", type=Path, help="write a bar chart to this file")
    parser.add_argument("--seed", type=int, default=0, help="which tasks are held out (default 0)")
    parser.add_argument("--database", type=Path, help="keep the database here, for `nucleate tools list`")
    parser.add_argument("--fetch-only", action="store_true", help="bring the benchmark, print where it is, and stop")
    return parser.parse_args(arguments)


def _run(benchmark: Benchmark, options: argparse.Namespace, *, database: Path) -> int:
    started, tally = time.monotonic(), Tally()
    stream, held_out = split(benchmark.tasks, seed=options.seed)
    with Runtime(settings=Settings(database=str(database)), listen=tally) as runtime:
        _learn(runtime, benchmark, stream)
        learned = time.monotonic()
        tools = _tools(runtime)
        compared = _compare_all(runtime, benchmark, held_out, tools)
        result = bfcl_report.Result(
            tasks=len(stream),
            tally=tally,
            tools=tools,
            comparisons=tuple(compared),
            sandbox=runtime.sandbox.name,
            learning_seconds=learned - started,
            seconds=time.monotonic() - started,
        )
    bfcl_report.publish(result, json_file=options.json, png_file=options.png)
    return 0 if all(item.identical for item in compared) else 1


def _learn(runtime: Runtime, benchmark: Benchmark, stream: Sequence[Task]) -> None:
    for task in track(stream, description="learning"):
        start = benchmark.start(task)
        runtime.scopes.attach(start)
        runtime.learn(record(task, start.fork()))


def _tools(runtime: Runtime) -> tuple[ToolVersion, ...]:
    return tuple(tool.version for tool in runtime.library.tools(scope=SCOPE, states=IN_FORCE))


def _compare_all(
    runtime: Runtime, benchmark: Benchmark, tasks: Sequence[Task], tools: Sequence[ToolVersion]
) -> list[Comparison]:
    return [_compare(runtime, benchmark, task, tools) for task in track(tasks, description="held out")]


def _compare(runtime: Runtime, benchmark: Benchmark, task: Task, tools: Sequence[ToolVersion]) -> Comparison:
    start = benchmark.start(task)
    original = record(task, start.fork()).steps
    rewritten = [_as_step(item) for item in rewrite(original, tools)]
    return compare(task.id, start, original, rewritten, call_tool=partial(_call_tool, runtime))


def _as_step(item: Step | ToolCall) -> Step:
    return Step(function=item.name, arguments=item.arguments) if isinstance(item, ToolCall) else item


def _call_tool(runtime: Runtime, name: str, arguments: JsonObject, environment: Environment) -> Outcome:
    return runtime.call(name, arguments, environment, path="eval")


if __name__ == "__main__":
    sys.exit(main())
