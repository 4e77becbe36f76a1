"""Do recorded runs of a public benchmark become tools that work on tasks they have not seen?

`python -m evals.bfcl` replays the ground truth of the 200 multi-turn base tasks of the Berkeley Function-Calling
Leaderboard. A seeded part is streamed through the pipeline; on the rest, ground-truth calls are rewritten with the
admitted tools, both lists run on fresh instances, and the final states are compared.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from evals.bfcl.environment import BfclEnvironment, fresh
from evals.bfcl.functions import load_functions
from evals.bfcl.record import record
from evals.bfcl.source import Task, Unreachable, cache_folder, fetch, load_classes, load_tasks, split
from evals.with_tools import Case, Parts, measure, options
from nucleate_sandbox import FunctionSpec, SandboxError


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
    chosen = _options(arguments)
    try:
        package = fetch(cache_folder())
        if chosen.fetch_only:
            print(package)
            return 0
        return _run(Benchmark.load(package), chosen)
    except (Unreachable, SandboxError) as error:
        print(f"evals.bfcl: {error}", file=sys.stderr)
        return 2


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = options("bfcl", __doc__)
    parser.add_argument("--fetch-only", action="store_true", help="bring the benchmark, print where it is, and stop")
    return parser.parse_args(arguments)


def _run(benchmark: Benchmark, chosen: argparse.Namespace) -> int:
    stream, held_out = split(benchmark.tasks, seed=chosen.seed)
    learn_from, judge_by = ([_case(benchmark, task) for task in tasks] for tasks in (stream, held_out))
    result = measure("bfcl", "BFCL", Parts(stream=learn_from, held_out=judge_by), chosen)
    return 0 if all(item.identical for item in result.comparisons) else 1


def _case(benchmark: Benchmark, task: Task) -> Case:
    return Case(trajectory=record(task, benchmark.start(task)), start=partial(benchmark.start, task))


if __name__ == "__main__":
    sys.exit(main())
