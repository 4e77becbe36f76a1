"""What trials come to (Agent Experience OS §10–12): rates and overheads, each None where nothing measured it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from nucleate_tool_library.trials.trials import Baseline, Side, Trial


@dataclass(frozen=True, kw_only=True)
class Figures:
    """The figures of one version's trials; rates and overheads are shares, so 0.35 is 35 %."""

    cases: int = 0
    pass_rate: float | None = None
    baseline_pass_rate: float | None = None
    delta: float | None = None
    precision: float | None = None
    recall: float | None = None
    false_triggers: float | None = None
    token_overhead: float | None = None
    latency_overhead: float | None = None
    safety_failures: int = 0
    regressions: int = 0


def figures(trials: Sequence[Trial], *, latency_floor: float = 50.0) -> Figures:
    """Return the figures of trials. A case that was tried several times passes if it passed every time.

    `latency_floor` is in milliseconds: a call that takes less counts as that long, so that noise is no overhead.
    Plain steps have no latency of their own, since what takes long between them is the agent.
    """
    own, other = _cases(trials, lambda trial: trial.candidate), _cases(trials, lambda trial: trial.reference)
    mine, theirs = _sides(trial.candidate for trial in trials), _sides(trial.reference for trial in trials)
    timed = [trial for trial in trials if trial.baseline is not Baseline.PLAIN]
    return Figures(
        cases=len(own),
        pass_rate=_share(own.values()),
        baseline_pass_rate=_share(other.values()),
        delta=_delta(trials, own, other),
        precision=_ratio(_count(trials, True, True), _count(trials, True, False)),
        recall=_ratio(_count(trials, True, True), _count(trials, False, True)),
        false_triggers=_false_triggers(trials),
        token_overhead=_overhead(_mean(mine, lambda side: side.tokens), _mean(theirs, lambda side: side.tokens)),
        latency_overhead=_latency(timed, latency_floor),
        safety_failures=sum(not trial.safe for trial in trials),
        regressions=sum(trial.regressed for trial in trials),
    )


def _cases(trials: Sequence[Trial], side: Callable[[Trial], Side | None]) -> dict[str, bool]:
    passed: dict[str, bool] = {}
    for trial in trials:
        one = side(trial)
        if one is not None:
            passed[trial.case] = one.passed and passed.get(trial.case, True)
    return passed


def _delta(trials: Sequence[Trial], own: dict[str, bool], other: dict[str, bool]) -> float | None:
    """Return how much more often the version passes; against plain steps, the share of the agent's calls it saves.

    Plain steps are what the version was made from: it cannot be right more often than they are, only cheaper.
    """
    mine, theirs = _share(own.values()), _share(other.values())
    if mine is None or theirs is None:
        return None
    plain = [trial for trial in trials if trial.baseline is Baseline.PLAIN]
    if not plain or len(plain) < sum(trial.reference is not None for trial in trials) or mine < theirs:
        return mine - theirs
    calls = _mean(_sides(t.candidate for t in plain), _calls), _mean(_sides(t.reference for t in plain), _calls)
    return mine - theirs if None in calls or not calls[1] else max(mine - theirs, 1 - (calls[0] or 0) / calls[1])


def _false_triggers(trials: Sequence[Trial]) -> float | None:
    """Return the share of the cases in which the version was not wanted that chose it: 0 where there is none."""
    if all(trial.activated is None for trial in trials):
        return None
    return _ratio(_count(trials, True, False), _count(trials, False, False)) or 0.0


def _latency(trials: Sequence[Trial], floor: float) -> float | None:
    sides = [(trial.candidate, trial.reference) for trial in trials]
    mine = _mean(_sides(first for first, _ in sides), lambda side: max(side.milliseconds, floor))
    theirs = _mean(_sides(second for _, second in sides), lambda side: max(side.milliseconds, floor))
    return _overhead(mine, theirs)


def _count(trials: Sequence[Trial], activated: bool, wanted: bool) -> int:
    return sum(trial.activated is activated and trial.wanted is wanted for trial in trials)


def _ratio(part: int, rest: int) -> float | None:
    return part / (part + rest) if part + rest else None


def _share(passed: Iterable[bool]) -> float | None:
    each = list(passed)
    return sum(each) / len(each) if each else None


def _sides(sides: Iterable[Side | None]) -> list[Side]:
    return [side for side in sides if side is not None]


def _mean(sides: Sequence[Side], of: Callable[[Side], float]) -> float | None:
    return sum(of(side) for side in sides) / len(sides) if sides else None


def _calls(side: Side) -> float:
    return side.calls


def _overhead(mine: float | None, theirs: float | None) -> float | None:
    return None if mine is None or not theirs else mine / theirs - 1
