"""Let a scripted model that errs as models do work in the real loop, in each mode of memory, and time the runtime.

    python -m evals.loop [--json FILE] [--png FILE] [--modes none full …] [--rounds N] [--kills N | --killed FILE]

How the model errs and what helps it is said in `evals/loop/model.py`. Every mode begins from scratch and does the same
thirty tasks in the same order. `--kills` lets workers be killed as well (`python -m evals.loop.kills`). Targets are
printed beside what was measured; the exit code is 1 where one is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.progress import track

from evals.loop.kills import measure as measure_kills
from evals.loop.modes import MODES, run_mode
from evals.loop.result import Killed, Result, publish
from evals.loop.speed import measure_speed
from nucleate.sandboxes import start_sandbox

SEED = 7  # of the points at which workers are killed


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the evaluation."""
    options = _options(arguments)
    sandbox = start_sandbox(options.sandbox)
    try:
        modes = [run_mode(name, sandbox) for name in track(options.modes, description="modes")]
        speed = measure_speed(sandbox, rounds=options.rounds) if options.rounds else None
    finally:
        sandbox.close()
    result = Result(modes=modes, sandbox=sandbox.name, speed=speed, killed=_killed(options))
    publish(result, json_file=options.json, png_file=options.png)
    return 0 if all(target.met for target in result.targets) else 1


def _killed(options: argparse.Namespace) -> Killed | None:
    if options.kills:
        outcome = measure_kills(kills=options.kills, seed=SEED)
        return Killed(lost=outcome.jobs_lost, doubled=outcome.jobs_doubled)
    return Killed(**json.loads(options.killed.read_text(encoding="utf-8"))) if options.killed is not None else None


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m evals.loop", description=__doc__.partition("\n")[0])
    parser.add_argument("--json", type=Path, help="write the figures and a row for each task to this file")
    parser.add_argument("--png", type=Path, help="write the chart to this file")
    parser.add_argument("--modes", nargs="*", choices=MODES, default=MODES, help="the modes to run")
    parser.add_argument("--rounds", type=int, default=3, help="rounds for the times; 0 leaves them out")
    parser.add_argument("--sandbox", default="auto", help="docker, monty or auto")
    parser.add_argument("--kills", type=int, default=0, help="kill so many workers and look at their jobs")
    parser.add_argument("--killed", type=Path, help="or read what became of them: --json of evals.loop.kills")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
