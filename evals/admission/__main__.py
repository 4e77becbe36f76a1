"""Judge a labelled corpus, try every kind of forgery, and time verdicts beside the naive way.

python -m evals.admission [--json FILE] [--png FILE] [--half HALF] [--rounds N] [--no-forgeries] [--verbose]
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from rich.progress import track

from evals.admission import forgery, result, speed
from evals.admission.accuracy import Accuracy
from evals.admission.corpus_files import HALVES, Labelled, candidates, read_corpus
from evals.admission.desks import Desks
from evals.admission.judging import Hall, Judged, judge_one, record
from evals.admission.twins import judge_twin
from nucleate_codifier import Evidence
from nucleate_sandbox import DockerSandbox, Sandbox


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the evaluation; the exit code is 1 where a target is missed."""
    options = _options(arguments)
    halves = (options.half,) if options.half else HALVES
    began = time.monotonic()
    with DockerSandbox() as sandbox:
        judged = tuple(_judge(half, sandbox, options) for half in halves)
        seconds = time.monotonic() - began
        forged = forgery.measure(sandbox) if options.forgeries else None
    timed = speed.measure(options.rounds) if options.rounds else None
    found = result.Result(halves=judged, judging_seconds=seconds, speed=timed, forgery=forged)
    result.publish(found, json_file=options.json, png_file=options.png, verbose=options.verbose)
    return 0 if all(target.met for target in found.targets) else 1


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m evals.admission", description="Accuracy and speed of admission")
    parser.add_argument("--json", type=Path, help="write the figures and rows to this file")
    parser.add_argument("--png", type=Path, help="write the chart to this file")
    parser.add_argument("--half", choices=HALVES, help="judge this half of the corpus alone")
    parser.add_argument("--only", default="", help="judge the candidates whose label holds this text")
    parser.add_argument("--rounds", type=int, default=10, help="how often the naive way is timed; 0 leaves it out")
    parser.add_argument("--no-forgeries", dest="forgeries", action="store_false", help="leave the forgeries out")
    parser.add_argument("--verbose", action="store_true", help="print the findings of every wrong verdict")
    return parser.parse_args(arguments)


def _judge(half: str, sandbox: Sandbox, options: argparse.Namespace) -> Accuracy:
    tasks = read_corpus(half)
    judged: list[Judged] = []
    with Desks() as desks:
        hall = Hall(tasks={task.name: task for task in tasks}, desks=desks, sandbox=sandbox)
        for task in track(tasks, description=half):
            chosen = [item for item in candidates(task) if options.only in item.label]
            if chosen:
                evidence = record(task, hall)
                for item in chosen:
                    judged.append(_one(item, evidence, hall))
                    _keep(judged[-1], options.json)
    return Accuracy(half=half, judged=tuple(judged))


def _keep(judged: Judged, file: Path | None) -> None:
    """Write a row as soon as it is there, so that what was judged before an end is not lost."""
    if file is not None:
        with file.with_suffix(".part").open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(result.row(judged)) + "\n")


def _one(item: Labelled, evidence: Evidence, hall: Hall) -> Judged:
    if item.kind == "twin":
        return judge_twin(item, (*evidence.seen, *evidence.held_out), len(evidence.held_out), hall)
    return judge_one(item, evidence, hall)


if __name__ == "__main__":
    sys.exit(main())
