"""Promotion, rollback and suspicion by rule: what trials, errors and corrections bring about without a person."""

from __future__ import annotations

from nucleate import events
from nucleate.release.marking import mark
from nucleate.services import Services
from nucleate_tool_library import LibraryError, State, ToolVersion
from nucleate_tool_library.trials.canaries import Standing
from nucleate_tool_library.trials.release_gate import NextStep, ReleaseJudgement, ReleasePolicy, judge
from nucleate_tool_library.trials.spikes import correction_spike, error_spike

RULE = "release rule"


class ReleaseRules:
    """Applies the release gate. A pinned tool is judged, and left as it is."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._policy = ReleasePolicy(high_risk=frozenset(services.settings.high_risk))

    def judgement(self, version: ToolVersion, *, approved_by: str | None = None) -> ReleaseJudgement:
        """Return what the gate says of a version on trial."""
        return judge(
            self._services.trials.of(version.id),
            policy=self._policy,
            high_risk=self.high_risk(version),
            approved_by=approved_by,
        )

    def high_risk(self, version: ToolVersion) -> bool:
        """Return whether a version, or what it calls, reaches outside the sandbox in a way that the policy names."""
        scopes = self._services.scopes
        functions = scopes.view(version.scope).functions if scopes.knows(version.scope) else {}
        reached = {name for item in self._services.library.calls(version.id) for name in item.capabilities}
        known = {functions[name].effect.value for name in reached if name in functions}
        return not reached <= functions.keys() or not known.isdisjoint(self._policy.high_risk)

    def consider(self, version: ToolVersion, *, name: str = "") -> ReleaseJudgement:
        """Judge a version on trial after a new trial, and promote it or roll it back where the rules say so.

        `name` is the tool's, where it was renamed since the version was written.
        """
        found = self.judgement(version)
        standing = self._services.canaries.standing(name or version.name, version.scope)
        if standing is None or standing.pinned or found.step is NextStep.HOLD:
            return found
        if standing.canary == version.id:
            self._end_canary(version, name or version.name, found)
        elif standing.state is State.CANARY and standing.version_id == version.id:
            self._end_first(version, found)
        return found

    def after(self, version: ToolVersion) -> None:
        """Suspect a tool in force whose errors or corrections have come to be many more than before."""
        standing = self._services.canaries.standing(version.name, version.scope)
        if not _in_force(standing, version):
            return
        record = self._services.trials.record(version.id)
        why = error_spike(record.passed, before=record.failed_before)
        why = why or correction_spike(record.corrections, len(record.passed))
        if why is not None:
            mark(self._services, [(version.name, why)], scope=version.scope, by=RULE)

    def unsafe(self, version: ToolVersion, why: str) -> None:
        """Suspect a tool in force at once: it did what it must not."""
        if _in_force(self._services.canaries.standing(version.name, version.scope), version):
            mark(self._services, [(version.name, f"a safety failure: {why}")], scope=version.scope, by=RULE)

    def _end_canary(self, version: ToolVersion, name: str, found: ReleaseJudgement) -> None:
        promoted = found.step is NextStep.PROMOTE
        end = self._services.canaries.promote if promoted else self._services.canaries.withdraw
        why = self._why(version, found)
        if end(name, version.scope, version_id=version.id, by=RULE, why=why):
            self._say(version, State.ACTIVE if promoted else State.ARCHIVED, why)

    def _end_first(self, version: ToolVersion, found: ReleaseJudgement) -> None:
        """End the trial of a tool's first version: there is nothing to go back to, so a bad one is suspect."""
        if found.step is NextStep.ROLL_BACK:
            mark(self._services, [(version.name, self._why(version, found))], scope=version.scope, by=RULE)
            return
        try:
            self._services.library.transition(version.name, version.scope, to=State.ACTIVE, by=RULE, why=found.text)
        except LibraryError:  # another process was first
            return
        self._say(version, State.ACTIVE, found.text)

    def _why(self, version: ToolVersion, found: ReleaseJudgement) -> str:
        """Return the evidence: the latest case that decided against the version, or the figures."""
        against = [trial for trial in self._services.trials.of(version.id) if trial.regressed or not trial.safe]
        if found.step is NextStep.PROMOTE or not against:
            return found.text
        kind = "a regression" if against[-1].safe else "a safety failure"
        return f"{kind} in case {against[-1].case}: {against[-1].detail}"

    def _say(self, version: ToolVersion, now: State, why: str) -> None:
        self._services.listen(
            events.ToolReleased(name=version.name, scope=version.scope, was=State.CANARY, now=now, by=RULE, why=why)
        )


def _in_force(standing: Standing | None, version: ToolVersion) -> bool:
    return (
        standing is not None
        and not standing.pinned
        and standing.state is State.ACTIVE
        and standing.version_id == version.id
    )
