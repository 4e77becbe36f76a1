"""The release gate (Agent Experience OS §10–12): a version's trials against the policy, with every reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from nucleate_tool_library.trials.gate_figures import Figures, figures
from nucleate_tool_library.trials.trials import Baseline, Trial


@dataclass(frozen=True, kw_only=True)
class ReleasePolicy:
    """The default gate. A version that has not passed after `max_cases` cases is given up.

    `high_risk` are the effects of environment functions that ask for more cases and for a person.
    """

    min_cases: int = 5
    high_risk_cases: int = 15
    max_cases: int = 60
    min_pass_rate: float = 0.80
    min_delta: float = 0.15
    min_precision: float = 0.85
    min_recall: float = 0.70
    max_false_triggers: float = 0.10
    max_token_overhead: float = 0.35
    max_latency_overhead: float = 0.50
    latency_floor: float = 50.0
    high_risk: frozenset[str] = frozenset({"write", "destructive"})

    def cases(self, *, high_risk: bool) -> int:
        """Return how many cases a version needs."""
        return self.high_risk_cases if high_risk else self.min_cases


class NextStep(StrEnum):
    """What the rules say is next for a version on trial."""

    PROMOTE = "promote"
    HOLD = "hold"
    ROLL_BACK = "roll back"


@dataclass(frozen=True, kw_only=True)
class UnmetCondition:
    """One condition that is not met: its name, what was measured (None: nothing was), and the bound."""

    condition: str
    measured: float | None
    bound: float

    def __str__(self) -> str:
        if self.condition == "approval":
            return "a person's approval is missing"
        measured = "not measured" if self.measured is None else f"{self.measured:.3g}"
        return f"{self.condition} {measured} (bound {self.bound:.3g})"


@dataclass(frozen=True, kw_only=True)
class ReleaseJudgement:
    """What the gate says of a version: the next step, every reason against promotion, and the figures."""

    step: NextStep
    reasons: tuple[UnmetCondition, ...]
    figures: Figures

    @property
    def text(self) -> str:
        """Return the evidence in one line, as the event of the transition keeps it."""
        said = self.figures
        rate = "none" if said.pass_rate is None else f"{said.pass_rate:.2f}"
        before = "none" if said.baseline_pass_rate is None else f"{said.baseline_pass_rate:.2f}"
        head = f"{said.cases} cases, pass rate {rate}, baseline {before}"
        return "; ".join([head, *map(str, self.reasons)])


def judge(
    trials: Sequence[Trial],
    *,
    policy: ReleasePolicy = ReleasePolicy(),
    high_risk: bool = False,
    approved_by: str | None = None,
) -> ReleaseJudgement:
    """Return what the rules say of a version after these trials. What nothing measured is not met."""
    found = figures(trials, latency_floor=policy.latency_floor)
    plain = bool(trials) and all(trial.baseline is Baseline.PLAIN for trial in trials)
    reasons = tuple(_unmet(found, policy, high_risk=high_risk, approved_by=approved_by, timed=not plain))
    return ReleaseJudgement(step=_step(found, reasons, policy, high_risk=high_risk), reasons=reasons, figures=found)


def _step(found: Figures, reasons: Sequence[UnmetCondition], policy: ReleasePolicy, *, high_risk: bool) -> NextStep:
    if found.safety_failures or found.regressions:
        return NextStep.ROLL_BACK
    if not reasons:
        return NextStep.PROMOTE
    unmet = {reason.condition for reason in reasons}
    hopeless = found.cases >= policy.cases(high_risk=high_risk) and "pass rate" in unmet
    exhausted = found.cases >= policy.max_cases and unmet != {"approval"}
    return NextStep.ROLL_BACK if hopeless or exhausted else NextStep.HOLD


def _unmet(
    found: Figures, policy: ReleasePolicy, *, high_risk: bool, approved_by: str | None, timed: bool
) -> Iterator[UnmetCondition]:
    at_least = {
        "cases": (found.cases, policy.cases(high_risk=high_risk)),
        "pass rate": (found.pass_rate, policy.min_pass_rate),
        "delta": (found.delta, policy.min_delta),
        "activation precision": (found.precision, policy.min_precision),
        "activation recall": (found.recall, policy.min_recall),
    }
    at_most: dict[str, tuple[float | None, float]] = {
        "false triggers": (found.false_triggers, policy.max_false_triggers),
        "token overhead": (found.token_overhead, policy.max_token_overhead),
        "latency overhead": (found.latency_overhead, policy.max_latency_overhead),
        "safety failures": (found.safety_failures, 0),
        "regressions": (found.regressions, 0),
    }
    if not timed:
        del at_most["latency overhead"]
    for condition, (measured, bound) in at_least.items():
        if measured is None or measured < bound - _EPSILON:
            yield UnmetCondition(condition=condition, measured=measured, bound=bound)
    for condition, (measured, bound) in at_most.items():
        if measured is None or measured > bound + _EPSILON:
            yield UnmetCondition(condition=condition, measured=measured, bound=bound)
    if high_risk and not (approved_by or "").strip():
        yield UnmetCondition(condition="approval", measured=0, bound=1)


_EPSILON = 1e-9  # 0.8 of 5 cases is 0.8 in the policy too, whatever binary fractions make of it
