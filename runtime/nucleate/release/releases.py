"""Releases: the one way in for a version, and what rules and people do with it afterwards."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from functools import partial

from nucleate.errors import InputInvalid
from nucleate.jobs import Handler, Job
from nucleate.release.admission import Admission, Proposal
from nucleate.release.contradictions import AuditedTool, Contradictions
from nucleate.release.drift import DriftWatch
from nucleate.release.facts import FactWatch
from nucleate.release.health import Health, HealthReport
from nucleate.release.marking import callees_first, mark, queue
from nucleate.release.measuring import Measurer
from nucleate.release.observing import Observing
from nucleate.release.placing import Placing
from nucleate.release.rules import ReleaseRules
from nucleate.release.trying import Trying
from nucleate.release.twins import MergeProposal, Twins
from nucleate.release.verifying import Verified, Verifying
from nucleate.services import Services
from nucleate.versions import candidate_of, evidence_of
from nucleate_codifier import Decision, Verdict
from nucleate_sandbox import Environment
from nucleate_tool_library import State, Tool, ToolVersion
from nucleate_tool_library.trials.canaries import Canary
from nucleate_tool_library.trials.trials import Trial


class Releases:
    """What becomes of versions."""

    def __init__(self, services: Services, measurer: Measurer) -> None:
        self._services = services
        self._measurer = measurer
        self._placing = Placing(services)
        self.admission = Admission(services, self._placing)
        self._asker = uuid.uuid4().hex[:12]
        self._asked = 0
        self.rules = ReleaseRules(services)
        self.trying = Trying(services, self.rules)
        self._drift = DriftWatch(services)
        self._facts = FactWatch(services)
        self._verifying = Verifying(services, self.admission, self._placing)
        self._observing = Observing(services, self.trying)
        self.contradictions = Contradictions(services)

    def release(self, version: ToolVersion, *, state: State, plan_id: str | None, by: str, why: str = "") -> Tool:
        """Register a version without judging it; beside an active one it becomes a canary."""
        return self._placing.release(version, state, plan_id=plan_id, by=by, why=why)

    def test(self, name: str, scope: str | None = None) -> Verdict:
        """Judge a tool again, on its stored evidence; a candidate that passes with Docker becomes active."""
        tool = self._services.library.tool(name, scope)
        proposal = Proposal(
            candidate=candidate_of(tool.version),
            evidence=evidence_of(tool.version),
            release=partial(self._confirm, tool),
        )
        subject = self.admission.subject(proposal.candidate, proposal.evidence)
        verdict = self.admission.judge(subject, memory=self.admission.anew)
        if verdict.decision is not Decision.UNJUDGED:
            self.admission.settle(proposal, verdict)
        return verdict

    def canary(self, name: str, scope: str) -> Canary | None:
        """Return what stands on trial beside a tool's active version."""
        return self._services.canaries.of(name, scope)

    def attach(self, environment: Environment, attach: Callable[[Environment], object]) -> tuple[str, ...]:
        """Attach an environment; mark the tools whose functions are others now, and return their names."""
        news = self._drift.is_news(environment)
        marked = self._drift.look(environment)
        attach(environment)
        queue(self._services, marked, environment.name)
        if news:
            self._ask_again(environment.name)
        return marked

    def look(self) -> tuple[str, ...]:
        """Mark the tools that rest on what was invalidated since the last look, and return their names."""
        return self._facts.look()

    def settle(self) -> None:
        """Return when every call so far is measured."""
        self._measurer.wait()

    def trials(self, name: str, version_id: str | None = None, *, scope: str | None = None) -> tuple[Trial, ...]:
        """Return the trials of a version, the oldest first: of a tool's canary, or of its own where it has none."""
        tool = self._services.library.tool(name, scope)
        canary = self._services.canaries.of(tool.name, tool.scope)
        return self._services.trials.of(version_id or (canary.version_id if canary is not None else tool.version.id))

    def observe(self, task_id: str) -> int:
        """Try what is on trial against the steps of a stored task; return how many trials that gave."""
        return self._observing.observe(task_id)

    def health(self, scope: str | None = None) -> HealthReport:
        """Return how the library is: its figures, and every tool's."""
        return Health(self._services, self.rules).report(scope)

    def proposals(self, scope: str | None = None) -> tuple[MergeProposal, ...]:
        """Return the pairs of tools that did the same wherever both were tried; it takes a sandbox."""
        return Twins(self._services).proposals(scope)

    def audit(self, scope: str | None = None) -> tuple[AuditedTool, ...]:
        """Hold the tools in use against all stored runs of their plans: which do judged runs contradict?"""
        return self.contradictions.audit(scope)

    def handlers(self) -> dict[str, Handler]:
        """Return what does the jobs of the release cycle; a subject is a task id, or `scope/name` of a tool."""
        return {"verify": self._verify, "observe": self._observe}

    def verify(self, names: Sequence[str] = (), *, scope: str | None = None) -> tuple[Verified, ...]:
        """Judge tools again that are suspect or whose functions changed: the named ones, or all."""
        return tuple(self._verifying.all(scope, names))

    def promote(self, name: str, *, scope: str | None = None, by: str, why: str) -> Tool:
        """Make a canary, or a tool that is not active, the active one on a person's word."""
        tool = self._named(name, scope, by, why)
        canary = self._services.canaries.of(tool.name, tool.scope)
        version = self._services.library.version(canary.version_id) if canary is not None else tool.version
        if version.verdict.get("decision") == "provisional":
            raise InputInvalid(
                f"{name!r} was judged without Docker; `nucleate tools test {name}` judges it with Docker"
            )
        evidence = f"{why} [{self.rules.judgement(version, approved_by=by).text}]"
        if canary is not None:
            self._services.canaries.promote(tool.name, tool.scope, version_id=version.id, by=by, why=evidence)
            return self._said(tool, State.CANARY, by=by, why=why)
        return self._placing.move(tool, State.ACTIVE, by=by, why=evidence)  # who overrides a drift accepts it

    def demote(self, name: str, *, scope: str | None = None, by: str, why: str, to: State | None = None) -> Tool:
        """Withdraw a canary, or take a tool out of service on a person's word: `deprecated` unless told otherwise."""
        tool = self._named(name, scope, by, why)
        canary = self._services.canaries.of(tool.name, tool.scope)
        if canary is not None and to is None:
            self._services.canaries.withdraw(tool.name, tool.scope, version_id=canary.version_id, by=by, why=why)
        elif to is State.SUSPECT and not tool.pinned:
            mark(self._services, [(tool.name, why)], scope=tool.scope, by=by)
        else:
            self._services.library.transition(tool.name, tool.scope, to=to or State.DEPRECATED, by=by, why=why)
        return self._said(tool, tool.state, by=by, why=why)

    def correct(self, name: str, *, scope: str | None = None, by: str, why: str, version: str | None = None) -> None:
        """Take in that a tool's answer was wrong; several such and it is suspect. `version` is the one that served."""
        tool = self._named(name, scope, by, why)
        canary = self._services.canaries.of(tool.name, tool.scope)
        if canary is not None and version == canary.version_id:
            self._services.trials.add(
                Trial(version_id=version, case="correction", activated=True, wanted=False, detail=f"{by}: {why}")
            )
            self.rules.consider(self._services.library.version(version))
            return
        self._services.trials.correct(version or tool.version.id, by=by, why=why)
        self.rules.after(tool.version)

    def _confirm(self, tool: Tool, _version: ToolVersion, state: State) -> Tool:
        if tool.state is not State.CANDIDATE or state is not State.ACTIVE:
            return tool
        return self._placing.move(tool, state, by="admission", why="judged again, with Docker")

    def _named(self, name: str, scope: str | None, by: str, why: str) -> Tool:
        if not by.strip() or not why.strip():
            raise InputInvalid(f"by={by!r}, why={why!r}: a person who changes {name!r} is named and says why")
        return self._services.library.tool(name, scope)

    def _said(self, before: Tool, was: State, *, by: str, why: str) -> Tool:
        now = self._services.library.tool(before.name, before.scope)
        self._placing.say(now, was, by=by, why=why)
        return now

    def _ask_again(self, scope: str) -> None:
        """Queue what waited for its environment, or for functions as they were: once for each change of these."""
        self._asked += 1
        waiting = self._services.library.tools(scope=scope, states=(State.SUSPECT,))
        asker = f"{self._asker}-{self._asked}"
        queue(self._services, [tool.name for tool in callees_first(waiting)], scope, asked_by=asker)

    def _verify(self, job: Job) -> None:
        scope, _, name = job.subject.rpartition("/")
        self._verifying.verify(name, scope)

    def _observe(self, job: Job) -> None:
        self.observe(job.subject)
