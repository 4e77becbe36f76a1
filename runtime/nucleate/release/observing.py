"""Tries versions against what agents did by hand: recorded plain steps that a version recognises as its own."""

from __future__ import annotations

from collections.abc import Iterator

from nucleate.release.routing import Route
from nucleate.release.trying import TrialCall, Trying
from nucleate.services import Services
from nucleate_codifier import Template
from nucleate_codifier.trace import Match, call_of
from nucleate_sandbox import Outcome, RecordedEnvironment
from nucleate_text_memory import Trajectory
from nucleate_tool_library import State, ToolVersion


class Observing:
    """A trial for each place of a trajectory where a version on trial could have stood; nothing outside is touched."""

    def __init__(self, services: Services, trying: Trying) -> None:
        self._services = services
        self._trying = trying

    def observe(self, task_id: str) -> int:
        """Try every version on trial against one task's steps, and return how many trials that gave."""
        versions = list(self._on_trial(self._services.memory.trajectory(task_id).environment))
        if not versions:
            return 0
        trajectory = self._services.memory.trajectory(task_id)
        return sum(self._try(version, trajectory) for version in versions)

    def _on_trial(self, scope: str) -> Iterator[ToolVersion]:
        for tool in self._services.library.tools(scope=scope, states=(State.CANARY,)):
            yield tool.version
        for canary in self._services.canaries.all(scope):
            yield self._services.library.version(canary.version_id)

    def _try(self, version: ToolVersion, trajectory: Trajectory) -> int:
        found = list(_matches(version, trajectory))
        for match in found:
            self._trial(version, trajectory, match)
        return len(found)

    def _trial(self, version: ToolVersion, trajectory: Trajectory, match: Match) -> None:
        functions = self._services.scopes.view(version.scope).functions
        calls = tuple(call_of(trajectory.steps[index]) for index in match.steps)
        world = RecordedEnvironment(version.scope, functions, calls)
        tried = TrialCall(
            route=Route(candidate=version, previous=None, chosen=True),
            arguments=match.arguments,
            outcome=self._services.runner.execute(version, match.arguments, world),
            functions=functions,
        )
        self._trying.store(tried, Outcome(value=match.result, calls=calls))


def _matches(version: ToolVersion, trajectory: Trajectory) -> Iterator[Match]:
    template = Template.from_json(version.template) if version.template else None
    start = 0
    while template is not None and start < len(trajectory.steps):
        match = template.match(trajectory.steps, start)
        if match is not None:
            yield match
        start = match.stop if match is not None else start + 1
