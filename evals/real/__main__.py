"""Does what is learned from runs of real models help, and does it ever hurt?

`python -m evals.real --data FOLDER` reads runs that others recorded, learns from them task by task, and lets two
policies act on tasks that nothing was learned from: a careful one, which calls an offered tool when its arguments are
known and its writes are wanted, and an obedient one, which calls the top offered tool whenever its arguments are
known. NUCLEATE_REAL_DATA names the folder where no option is given. `--only bfcl` takes the ground truth of
BFCL's tasks in place of recorded runs.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from evals.bfcl.source import Unreachable
from evals.real.environments import BFCL, Child
from evals.real.ground_truth import SCOPE as GROUND_TRUTH
from evals.real.ground_truth import described, ground_truth
from evals.real.judging import Judging
from evals.real.learning import learn, opened
from evals.real.lessons import of_notes_alone
from evals.real.places import PACKAGES, Place, places
from evals.real.result import publish, write_tools
from evals.real.runs import Run, few_of_each, held_out, read_runs
from nucleate_sandbox import JsonObject, SandboxError

SCOPES = (*(scope for scope in PACKAGES if scope != GROUND_TRUTH), "fhir")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the evaluation; 0 when it ran, 2 when something is missing."""
    chosen = _options(arguments)
    try:
        runs, judge = _read(chosen)
        with places({scope: [*own, *judge.get(scope, [])] for scope, own in runs.items()}) as where:
            rows = [_scope(scope, own, judge.get(scope), where[scope], chosen) for scope, own in runs.items()]
    except (OSError, ValueError, Unreachable, SandboxError) as error:
        print(f"evals.real: {error}", file=sys.stderr)
        return 2
    publish(rows, json=chosen.json, png=chosen.png)
    return 0


def _read(chosen: argparse.Namespace) -> tuple[dict[str, list[Run]], dict[str, list[Run]]]:
    if chosen.only == [GROUND_TRUTH]:
        with Child(BFCL) as child:
            child.describe(GROUND_TRUTH, described())
            return {GROUND_TRUTH: ground_truth(child)}, {}
    if chosen.data is None:
        raise ValueError("no recorded runs were named; give --data FOLDER or set NUCLEATE_REAL_DATA")
    wanted = chosen.only or SCOPES
    runs = {scope: own for scope, own in read_runs(chosen.data, chosen.files).items() if scope in wanted}
    if not runs:
        raise ValueError(f"{str(chosen.data)!r} holds no runs of {', '.join(wanted)}")
    judge = read_runs(chosen.judge) if chosen.judge else {}
    return runs, judge


def _scope(
    scope: str, runs: Sequence[Run], judge: Sequence[Run] | None, place: Place, chosen: argparse.Namespace
) -> JsonObject:
    train = few_of_each([run for run in runs if judge or not held_out(run.group)], chosen.runs_of_a_group)
    judged = judge or [run for run in runs if held_out(run.group)]
    if chosen.notes_only:
        return {
            "environment": scope,
            **of_notes_alone(place.functions, train, [r for r in judged if r.success is True]),
        }
    with tempfile.TemporaryDirectory() as scratch:
        folder = chosen.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        runtime, tally = opened(folder / f"{scope}.db")
        with runtime:
            learned = learn(runtime, tally, scope, place.functions, train)
            judging = Judging(place, learned, scope, train=train, runs=[*runs, *(judge or [])])
            write_tools(chosen.tools, scope, judging.tools, entities=place.entities)
            figures, rows = ({}, []) if chosen.learn_only else judging.figures(judged, each=chosen.judged_of_a_group)
    return {"environment": scope, **figures, "rows": [*rows]}


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m evals.real", description=(__doc__ or "").partition("\n")[0])
    given = os.environ.get("NUCLEATE_REAL_DATA")
    parser.add_argument("--data", type=Path, default=given and Path(given), help="the folder of recorded runs")
    parser.add_argument("--judge", type=Path, help="judge by another folder's runs (default: a fifth of the groups)")
    parser.add_argument("--files", nargs="*", default=(), help="read these files alone, by name without suffix")
    parser.add_argument(
        "--only", nargs="*", metavar="ENV", help=f"these environments alone: {', '.join(SCOPES)}; or bfcl"
    )
    parser.add_argument("--runs-of-a-group", type=int, default=4, help="learn from at most so many runs of one task")
    parser.add_argument("--judged-of-a-group", type=int, default=3, help="act on at most so many runs of one task")
    parser.add_argument("--learn-only", action="store_true", help="learn, write the tools, and judge nothing")
    parser.add_argument("--notes-only", action="store_true", help="take notes of functions alone: shapes, in seconds")
    parser.add_argument("--tools", type=Path, help="write the sources of all active tools into this folder")
    parser.add_argument("--keep", type=Path, help="keep the databases in this folder, for `nucleate tools list`")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--png", type=Path, help="write a chart to this file")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
