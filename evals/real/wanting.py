"""Which writes does a user want? Fits the weights on some environments' runs, and judges them on one left out.

`python -m evals.real.wanting --data FOLDER [--left-out airline] [--write]`

A case is (run, function that changes something), at the moment before the run's first such call, or at the run's end
where it makes none. Precedents are the runs of other groups. Each environment counts alike, and so do both classes.
Only environments whose agents make the writes themselves are looked at.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evals.bfcl.source import Unreachable
from evals.real.knowing import Story
from evals.real.places import PACKAGES, places
from evals.real.runs import Run, cleaned, few_of_each, held_out, mixed, read_runs, trajectory
from evals.selection import logistic
from nucleate.manager.fit import FILE, Fit
from nucleate.manager.moments import Moment
from nucleate.manager.precedents import FEATURES, Precedents
from nucleate_sandbox import Effect
from nucleate_text_memory import LocalEmbedder, input_key
from nucleate_text_memory.notes import FunctionNotes, observe
from nucleate_text_memory.recordings.past_tasks import PastTask

LEFT_OUT = "airline"
OTHERS = tuple(scope for scope in PACKAGES if scope != "telecom")
FALSE = 0.02
FOLDS = 5
Matrix = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Cases:
    """What was asked in one environment: a row of features for each case, and whether the run made the write."""

    features: Matrix
    wanted: NDArray[np.bool_]

    def rates(self, chances: Matrix, threshold: float) -> tuple[float, float]:
        """Return the shares of wanted and of unwanted writes from the threshold on."""
        offered = chances >= threshold
        return float(np.mean(offered[self.wanted])), float(np.mean(offered[~self.wanted]))


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit, print how it does, and write the fit where that is wanted."""
    options = _options(arguments)
    try:
        cases = _cases(options.data)
    except (OSError, ValueError, Unreachable) as error:
        print(f"evals.real.wanting: {error}", file=sys.stderr)
        return 2
    fitted_on = {scope: one for scope, one in cases.items() if scope != options.left_out}
    weights = _fitted(list(fitted_on.values()))
    threshold = _threshold(list(fitted_on.values()), weights)
    print("constant", *FEATURES, sep="  ")
    print(*weights, f"threshold {threshold}", sep="  ")
    for scope, one in cases.items():
        recall, false = one.rates(_chances(one, weights), threshold)
        left_out = " (left out)" if scope == options.left_out else ""
        print(f"{scope}{left_out}: {recall:.2f} of {one.wanted.sum()}, false {false:.3f} of {(~one.wanted).sum()}")
    if options.write:
        kept = json.loads(FILE.read_text(encoding="utf-8"))
        text = json.dumps({**kept, "wanted": weights, "wanted_threshold": threshold}, indent=2)
        FILE.write_text(f"{text}\n", encoding="utf-8")
    return 0


def _cases(folder: Path | None) -> dict[str, Cases]:
    if folder is None:
        raise ValueError("no recorded runs were named; give --data FOLDER or set NUCLEATE_REAL_DATA")
    runs = {scope: own for scope, own in read_runs(folder).items() if scope in OTHERS}
    found: dict[str, Cases] = {}
    with places(runs) as where:
        for scope, own in runs.items():
            writes = [name for name, spec in where[scope].functions.items() if spec.effect is not Effect.READ]
            kept = [run for run in few_of_each(own, 4) if not held_out(run.group)]
            rows = [row for fold in range(FOLDS) for row in _fold(kept, fold, writes)]
            features = np.array([features for features, _ in rows], dtype=np.float64)
            found[scope] = Cases(features=features, wanted=np.array([wanted for _, wanted in rows], dtype=np.bool_))
    return found


def _fold(runs: Sequence[Run], fold: int, writes: Sequence[str]) -> Iterator[tuple[tuple[float, ...], bool]]:
    mine = [run for run in runs if mixed(run.group) % (FOLDS * 5) // 5 == fold]
    others = [run for run in runs if mixed(run.group) % (FOLDS * 5) // 5 != fold]
    notes: dict[str, FunctionNotes] = {}
    for run in others:
        observe(notes, trajectory(run), run.group)
    precedents = Precedents([request(run) for run in others if run.success is not False], notes, LocalEmbedder().embed)
    for run in few_of_each([run for run in mine if run.success is True], 2):
        story = Story(cleaned(run))
        for name in writes:
            calls = (at for at, action in enumerate(story.actions) if f"{run.scope}.{action.function}" == name)
            at = next(calls, len(story.actions))
            said, answers = run.turns[: len(story.said(at))], tuple(story.answers[:at])
            moment = Moment(said=said, answers=answers)
            yield precedents.features(moment, writes)[name], at < len(story.actions)


def request(run: Run) -> PastTask:
    """Return what a run asked for, as the memory would."""
    called = frozenset(f"{run.scope}.{action.function}" for action in run.actions if action.mine and not action.failed)
    return PastTask(number=0, group=run.group or input_key(run.query), said=run.turns, called=called)


def _fitted(parts: Sequence[Cases]) -> list[float]:
    weights = [np.where(one.wanted, 0.5 / one.wanted.sum(), 0.5 / (~one.wanted).sum()) * 500 for one in parts]
    features, wanted = (np.concatenate([getattr(one, name) for one in parts]) for name in ("features", "wanted"))
    return list(logistic(features, wanted, np.concatenate(weights)))


def _threshold(parts: Sequence[Cases], weights: Sequence[float]) -> float:
    """Return the least chance from which on hardly any unwanted write is offered, environments counted alike."""
    every = [(one, _chances(one, weights)) for one in parts]
    steps = [at / 100 for at in range(50, 100)]
    return next((at for at in steps if np.mean([one.rates(own, at)[1] for one, own in every]) <= FALSE), steps[-1])


def _chances(cases: Cases, weights: Sequence[float]) -> Matrix:
    fit = Fit(asked=(), unasked=(), threshold=0.0, wanted=tuple(weights))
    return np.array([fit.chance_wanted(row) for row in cases.features])


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m evals.real.wanting", description=(__doc__ or "").partition("\n")[0]
    )
    given = os.environ.get("NUCLEATE_REAL_DATA")
    parser.add_argument("--data", type=Path, default=given and Path(given), help="the folder of recorded runs")
    parser.add_argument("--left-out", default=LEFT_OUT, help=f"fit on no runs of this environment ({LEFT_OUT})")
    parser.add_argument("--write", action="store_true", help="keep the weights in the product")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
