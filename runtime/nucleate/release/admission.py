"""The one way in: a candidate is judged, its verdict kept and told, and what passed is released.

Whatever proposes a tool comes here: the trace codifier, the model codifier, a person's file, a person who asks for a
new judgement, and the release cycle when a tool is suspect.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from nucleate import events, telemetry
from nucleate.release.placing import Placing
from nucleate.services import Services
from nucleate.versions import USABLE, version_of, view_of
from nucleate_codifier import (
    Candidate,
    Decision,
    Evidence,
    GateReport,
    Subject,
    Verdict,
    VerdictMemory,
    Verdicts,
    admit_once,
)
from nucleate_sandbox import SandboxError
from nucleate_tool_library import LibraryError, State, Tool, ToolVersion

Release: TypeAlias = Callable[[ToolVersion, State], Tool]


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A candidate with its evidence, and on whose word and why it comes in.

    `release` puts the version that it becomes somewhere else than where a new version goes.
    """

    candidate: Candidate
    evidence: Evidence
    by: str = "admission"
    why: str = ""
    release: Release | None = None


@dataclass(frozen=True, kw_only=True)
class Admitted:
    """What became of a proposal: no tool where the verdict is a no."""

    verdict: Verdict
    tool: Tool | None


class Anew:
    """A memory of verdicts that keeps and never gives back.

    Where a tool is in doubt, equal grounds are no reason to believe the former verdict: what a live environment answers
    is no part of the grounds, and may be what has changed.
    """

    def __init__(self, verdicts: Verdicts) -> None:
        self._verdicts = verdicts

    def find(self, depends_on: str) -> Verdict | None:  # noqa: ARG002
        """Remember nothing."""
        return None

    def add(self, candidate: Candidate, verdict: Verdict) -> None:
        """Keep a verdict."""
        self._verdicts.add(candidate, verdict)


class Admission:
    """Judges and takes in; whoever listens hears of each gate and of each verdict."""

    def __init__(self, services: Services, placing: Placing) -> None:
        self._services = services
        self._placing = placing
        self.anew = Anew(services.verdicts)

    def propose(self, proposal: Proposal, *, memory: VerdictMemory | None = None) -> Admitted:
        """Judge a candidate beside the tools of its environment, and take in what passes.

        SandboxError is an outage: nothing is known about the candidate, and nothing changes.
        """
        verdict = self.judge(self.subject(proposal.candidate, proposal.evidence), memory=memory)
        if verdict.decision is Decision.UNJUDGED:
            raise SandboxError("; ".join(finding.message for finding in verdict.findings))
        return Admitted(verdict=verdict, tool=self.settle(proposal, verdict))

    def subject(self, candidate: Candidate, evidence: Evidence) -> Subject:
        """Return a candidate with all that it is judged against; a version of a tool is not its own twin."""
        tools = [tool for tool in self._services.tools(candidate.scope) if tool.name != candidate.name]
        return Subject(
            candidate=candidate,
            library=view_of(tools, self._services.similar),
            environment=self._services.scopes.view(candidate.scope),
            sandbox=self._services.sandbox(),
            evidence=evidence,
            policy=self._services.policy,
        )

    def judge(self, subject: Subject, *, memory: VerdictMemory | None = None) -> Verdict:
        """Judge by every gate, and keep the verdict; one that was reached on equal grounds is told again as it was."""
        candidate = subject.candidate
        with telemetry.span("admit", {"nucleate.candidate": candidate.name}) as noted:
            verdict = admit_once(
                subject,
                memory=memory or self._services.verdicts,
                on_gate=lambda report: self.heard(candidate, report),
            )
            noted.set({"nucleate.decision": verdict.decision.value})
        return verdict

    def settle(self, proposal: Proposal, verdict: Verdict) -> Tool | None:
        """Release a candidate that passed, and tell what became of it. Each step can be repeated after a kill."""
        try:
            tool = self._release(proposal, verdict) if verdict.decision in USABLE else None
        except LibraryError:
            self.tell(proposal.candidate, verdict)
            raise
        self.tell(proposal.candidate, verdict, tool)
        return tool

    def tell(self, candidate: Candidate, verdict: Verdict, tool: Tool | None = None) -> None:
        """Tell what became of a candidate that was judged."""
        self._services.say(events.CandidateJudged(candidate=candidate, verdict=verdict, tool=tool))

    def heard(self, candidate: Candidate, report: GateReport) -> None:
        """Tell what a gate found."""
        self._services.say(events.GateJudged(candidate=candidate, report=report))

    def _release(self, proposal: Proposal, verdict: Verdict) -> Tool:
        candidate = proposal.candidate
        version = version_of(candidate, evidence=proposal.evidence, verdict=verdict)
        release = proposal.release or partial(
            self._placing.release, plan_id=candidate.plan_id, by=proposal.by, why=proposal.why
        )
        return release(version, USABLE[verdict.decision])
