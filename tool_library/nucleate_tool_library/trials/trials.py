"""Trials of a version: each is one case, done by the version and, where it can be, by what it would replace."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Baseline(StrEnum):
    """What a version is compared with: the version before it, the plain steps of its plan, or nothing."""

    PREVIOUS = "previous"
    PLAIN = "plain steps"
    NONE = "none"


@dataclass(frozen=True, kw_only=True)
class Side:
    """What one side made of a case. `tokens` are those that its agent sees; `calls` those that its agent makes."""

    passed: bool
    milliseconds: float
    tokens: int
    calls: int


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One case. `case` is the hash of the input: the same input twice is one piece of evidence.

    `candidate` is None where only the baseline ran (the control group of a world that cannot be forked), `reference`
    where the trial is not paired. `activated` and `wanted` say whether the version was chosen and whether it should
    have been; None where the trial says nothing about that.
    """

    version_id: str
    case: str
    baseline: Baseline = Baseline.NONE
    baseline_id: str | None = None
    candidate: Side | None = None
    reference: Side | None = None
    activated: bool | None = None
    wanted: bool | None = None
    safe: bool = True
    regressed: bool = False
    detail: str = ""
