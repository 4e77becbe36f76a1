"""Do recorded runs of a web shop's service desk become tools that work on tasks they have not seen?

`python -m evals.retail --data FILE` reads recorded runs of tau-bench retail (JSON Lines, the format of `nucleate
ingest`) and the functions beside it. A seeded part is streamed through the pipeline; the rest is rewritten with the
admitted tools and replayed on its own recording, call by call. NUCLEATE_RETAIL_DATA names the file where no option is
given.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from evals.with_tools import Case, Parts, measure, options
from nucleate.environments import read_functions
from nucleate_codifier.trace import call_of
from nucleate_sandbox import Call, FunctionSpec, Json, JsonObject, RecordedEnvironment, SandboxError
from nucleate_text_memory import BadLine, Trajectory, read_trajectories

STREAMED = 0.6
FUNCTIONS = "tau_retail_functions.json"


class Recorded(RecordedEnvironment):
    """A recording whose state is the list of changes that it was asked for, in order, with their answers."""

    def __init__(self, name: str, functions: Mapping[str, FunctionSpec], calls: Sequence[Call]) -> None:
        super().__init__(name, functions, calls)
        self._again = partial(Recorded, name, functions, calls)
        self._changes: list[JsonObject] = []

    def call(self, name: str, arguments: JsonObject) -> Json:
        """Answer from the recording, and keep the call if it changes something."""
        result = super().call(name, arguments)
        if self.functions[name].effect != "read":
            self._changes.append({"function": name, "arguments": dict(arguments), "result": result})
        return result

    def fork(self) -> Recorded:
        """Return the recording from its start."""
        return self._again()

    def state(self) -> list[JsonObject]:
        """Return the changes so far."""
        return list(self._changes)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the evaluation; 0 when every held-out run replays the same, 1 when not, 2 when something is missing."""
    chosen = _options(arguments)
    try:
        cases = _cases(chosen)
        result = measure("retail", "tau-bench retail", _split(cases, chosen.seed), chosen)
    except (OSError, ValueError, SandboxError) as error:
        print(f"evals.retail: {error}", file=sys.stderr)
        return 2
    return 0 if all(item.identical and item.answers for item in result.comparisons) else 1


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = options("retail", __doc__)
    given = os.environ.get("NUCLEATE_RETAIL_DATA")
    parser.add_argument("--data", type=Path, default=given and Path(given), help="the recorded runs, JSON Lines")
    parser.add_argument("--functions", type=Path, help=f"the environment's functions (default: {FUNCTIONS} beside)")
    return parser.parse_args(arguments)


def _cases(chosen: argparse.Namespace) -> list[Case]:
    if chosen.data is None:
        raise ValueError("no recorded runs were named; give --data FILE or set NUCLEATE_RETAIL_DATA")
    functions = read_functions((chosen.functions or chosen.data.parent / FUNCTIONS).read_text(encoding="utf-8"))
    with chosen.data.open(encoding="utf-8", newline="\n") as lines:
        read = list(read_trajectories(lines, environment=functions.environment))
    for bad in read:
        if isinstance(bad, BadLine):
            raise ValueError(f"line {bad.number} of {chosen.data.name!r}: {bad.message}")
    return [case_of(run, functions.functions) for run in read if isinstance(run, Trajectory)]


def case_of(run: Trajectory, functions: Mapping[str, FunctionSpec]) -> Case:
    """Return a run with the recording that answers it."""
    calls = [call_of(step) for step in run.steps]
    return Case(trajectory=run, start=partial(Recorded, run.environment, functions, calls))


def _split(cases: Sequence[Case], seed: int) -> Parts:
    order = sorted(cases, key=lambda case: case.trajectory.task_id)
    random.Random(seed).shuffle(order)
    first = round(len(order) * STREAMED)
    return Parts(stream=order[:first], held_out=order[first:])


if __name__ == "__main__":
    sys.exit(main())
