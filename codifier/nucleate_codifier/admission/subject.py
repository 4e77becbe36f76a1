"""What a gate is given, and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from nucleate_codifier.values import AdmissionPolicy, Candidate, EnvironmentView, Evidence, Finding, LibraryView
from nucleate_sandbox import Sandbox


class GateOutage(Exception):
    """A gate's own machinery failed: nothing is known about the candidate, and the answer is no for now."""


@dataclass(frozen=True, kw_only=True)
class Subject:
    """A candidate with everything that it is judged against."""

    candidate: Candidate
    library: LibraryView
    environment: EnvironmentView
    sandbox: Sandbox
    evidence: Evidence
    policy: AdmissionPolicy


@dataclass(frozen=True, kw_only=True)
class GateResult:
    """The findings of one gate, and what it counted. No finding means that the candidate passed."""

    findings: tuple[Finding, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)


GateFunction: TypeAlias = Callable[[Subject], GateResult]
