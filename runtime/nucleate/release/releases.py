"""Releases: the one way in for a version, and what rules and people do with it afterwards."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

from nucleate import events
from nucleate.errors import InputInvalid
from nucleate.jobs import Handler, Job
from nucleate.release.drift import DriftWatch
from nucleate.release.facts import FactWatch
from nucleate.release.health import Health, HealthReport
from nucleate.release.marking import callees_first, mark, queue
from nucleate.release.measuring import Measurer
from nucleate.release.observing import Observing
from nucleate.release.parts import ReleaseParts
from nucleate.release.rules import Rules
from nucleate.release.schemas import schema_hashes
from nucleate.release.trying import Trying
from nucleate.release.twins import MergeProposal, Twins
from nucleate.release.verifying import Verified, Verifying
from nucleate_sandbox import Environment, JsonObject
from nucleate_tool_library import LibraryError, State, Tool, ToolVersion
from nucleate_tool_library.trials import Trial
from nucleate_tool_library.trials_canaries import Canary

Policy = Literal["admission", "canary"]


class Releases:
    """What becomes of versions. `policy` says how a tool's first version begins: active on the word of admission, or
    on trial against the plain steps of its plan."""

    def __init__(self, parts: ReleaseParts, measurer: Measurer, *, policy: Policy = "admission") -> None:
        self._parts = parts
        self._measurer = measurer
        self._policy = policy
        self._asker = uuid.uuid4().hex[:12]
        self.rules = Rules(parts)
        self.trying = Trying(parts, self.rules)
        self._drift = DriftWatch(parts)
        self._facts = FactWatch(parts)
        self._verifying = Verifying(parts)
        self._observing = Observing(parts, self.trying)

    def release(self, version: ToolVersion, *, state: State, plan_id: str | None, by: str, why: str = "") -> Tool:
        """Register a version; beside an active one it becomes a canary, and the tool goes on as it is.

        A tool's first version takes the state that it is given, or is on trial where the policy says so. A version
        that no final sandbox judged, and a pinned tool, leave what is active alone: LibraryError.
        """
        version = replace(version, schemas=version.schemas or self._hashes(version))
        standing = self._parts.canaries.standing(version.name, version.scope)
        if standing is None and state is State.ACTIVE and self._policy == "canary":
            state = State.CANARY
        if standing is None or standing.state is not State.ACTIVE or standing.version_id == version.id:
            return self._parts.library.register(
                version, state=state, plan_id=plan_id, approved_by=by, replace=standing is not None, why=why
            )
        _check_offer(version, state, pinned=standing.pinned)
        why = why or f"on trial beside version {standing.version_id[:12]}"
        self._parts.canaries.offer(version, plan_id=plan_id, by=by, why=why)
        return self._parts.library.tool(version.name, version.scope)

    def canary(self, name: str, scope: str) -> Canary | None:
        """Return what stands on trial beside a tool's active version."""
        return self._parts.canaries.of(name, scope)

    def attach(self, environment: Environment, attach: Callable[[Environment], object]) -> tuple[str, ...]:
        """Attach an environment; mark the tools whose functions are others now, and return their names."""
        first = self._drift.first(environment.name)
        marked = self._drift.look(environment)
        attach(environment)
        queue(self._parts, marked, environment.name)
        if first:
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
        tool = self._parts.library.tool(name, scope)
        canary = self._parts.canaries.of(tool.name, tool.scope)
        return self._parts.trials.of(version_id or (canary.version_id if canary is not None else tool.version.id))

    def observe(self, task_id: str) -> int:
        """Try what is on trial against the steps of a stored task; return how many trials that gave."""
        return self._observing.observe(task_id)

    def health(self, scope: str | None = None) -> HealthReport:
        """Return how the library is: its figures, and every tool's."""
        return Health(self._parts, self.rules).report(scope)

    def proposals(self, scope: str | None = None) -> tuple[MergeProposal, ...]:
        """Return the pairs of tools that did the same wherever both were tried; it takes a sandbox."""
        return Twins(self._parts).proposals(scope)

    def handlers(self) -> dict[str, Handler]:
        """Return what does the jobs of the release cycle; a subject is a task id, or `scope/name` of a tool."""
        return {"verify": self._verify, "observe": self._observe}

    def verify(self, names: Sequence[str] = (), *, scope: str | None = None) -> tuple[Verified, ...]:
        """Judge tools again that are suspect or whose functions changed: the named ones, or all."""
        return tuple(self._verifying.all(scope, names))

    def promote(self, name: str, *, scope: str | None = None, by: str, why: str) -> Tool:
        """Make a canary, or a tool that is not active, the active one on a person's word."""
        tool = self._named(name, scope, by, why)
        canary = self._parts.canaries.of(tool.name, tool.scope)
        version = self._parts.library.version(canary.version_id) if canary is not None else tool.version
        if version.verdict.get("decision") == "provisional":
            raise InputInvalid(
                f"{name!r} was judged without Docker; `nucleate tools test {name}` judges it with Docker"
            )
        evidence = f"{why} [{self.rules.judgement(version, approved_by=by).text}]"
        if canary is not None:
            self._parts.canaries.promote(tool.name, tool.scope, version_id=version.id, by=by, why=evidence)
        else:
            self._parts.library.transition(tool.name, tool.scope, to=State.ACTIVE, by=by, why=evidence)
            self._parts.schemas.stamp(version.id, self._hashes(version))  # who overrides a drift accepts it
        return self._said(tool, State.CANARY if canary is not None else tool.state, by=by, why=why)

    def demote(self, name: str, *, scope: str | None = None, by: str, why: str, to: State | None = None) -> Tool:
        """Withdraw a canary, or take a tool out of service on a person's word: `deprecated` unless told otherwise."""
        tool = self._named(name, scope, by, why)
        canary = self._parts.canaries.of(tool.name, tool.scope)
        if canary is not None and to is None:
            self._parts.canaries.withdraw(tool.name, tool.scope, version_id=canary.version_id, by=by, why=why)
        elif to is State.SUSPECT and not tool.pinned:
            mark(self._parts, [(tool.name, why)], scope=tool.scope, by=by)
        else:
            self._parts.library.transition(tool.name, tool.scope, to=to or State.DEPRECATED, by=by, why=why)
        return self._said(tool, tool.state, by=by, why=why)

    def correct(self, name: str, *, scope: str | None = None, by: str, why: str, version: str | None = None) -> None:
        """Take in that a tool's answer was wrong; several such and it is suspect. `version` is the one that served."""
        tool = self._named(name, scope, by, why)
        canary = self._parts.canaries.of(tool.name, tool.scope)
        if canary is not None and version == canary.version_id:
            self._parts.trials.add(
                Trial(version_id=version, case="correction", activated=True, wanted=False, detail=f"{by}: {why}")
            )
            self.rules.consider(self._parts.library.version(version))
            return
        self._parts.trials.correct(version or tool.version.id, by=by, why=why)
        self.rules.after(tool.version)

    def _hashes(self, version: ToolVersion) -> JsonObject:
        known = self._parts.scopes.view(version.scope).functions if self._parts.scopes.knows(version.scope) else {}
        return schema_hashes(known, version.capabilities)

    def _named(self, name: str, scope: str | None, by: str, why: str) -> Tool:
        if not by.strip() or not why.strip():
            raise InputInvalid(f"by={by!r}, why={why!r}: a person who changes {name!r} is named and says why")
        return self._parts.library.tool(name, scope)

    def _said(self, before: Tool, was: State, *, by: str, why: str) -> Tool:
        now = self._parts.library.tool(before.name, before.scope)
        self._parts.listen(events.ToolReleased(name=now.name, scope=now.scope, was=was, now=now.state, by=by, why=why))
        return now

    def _ask_again(self, scope: str) -> None:
        """Queue what waited for its environment, once for this process."""
        waiting = self._parts.library.tools(scope=scope, states=(State.SUSPECT,))
        queue(self._parts, [tool.name for tool in callees_first(waiting)], scope, asked_by=self._asker)

    def _verify(self, job: Job) -> None:
        scope, _, name = job.subject.rpartition("/")
        self._verifying.verify(name, scope)

    def _observe(self, job: Job) -> None:
        self.observe(job.subject)


def _check_offer(version: ToolVersion, state: State, *, pinned: bool) -> None:
    if pinned:
        raise LibraryError(f"tool {version.name!r} is pinned; `nucleate tools pin {version.name} --off` frees it")
    if state is not State.ACTIVE:
        raise LibraryError(
            f"a {state.value} version of {version.name!r} cannot be tried beside the active one; judge it with Docker"
        )
