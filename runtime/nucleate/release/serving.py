"""Calls of tools on every path: suspects are refused, canaries get their share, and what happens is measured."""

from __future__ import annotations

from functools import partial

from nucleate.errors import ToolFailed, ToolSuspect
from nucleate.release.comparing import unsafe, wrote
from nucleate.release.measuring import Measurer
from nucleate.release.releases import Releases
from nucleate.release.routing import Route, Router
from nucleate.release.trying import TrialCall
from nucleate.services import Services
from nucleate.tools import unfit, was_refused
from nucleate_sandbox import Environment, Failure, JsonObject, Outcome
from nucleate_tool_library import LibraryError, State, ToolVersion
from nucleate_tool_library.trials.canaries import Standing


class ServedTools:
    """Runs tools as ToolRunner does, with the release cycle around it."""

    def __init__(self, services: Services, releases: Releases, measurer: Measurer) -> None:
        self._services = services
        self._runner = services.runner
        self._router = Router(library=services.library, share=services.settings.canary_share)
        self._releases = releases
        self._measurer = measurer

    def run(self, version: ToolVersion, arguments: JsonObject, *, environment: Environment, path: str) -> Outcome:
        """Call a tool, or the version of it that is on trial; raise ToolSuspect where it must be verified first."""
        self._releases.look()
        standing = self._services.canaries.standing(version.name, version.scope)
        if standing is not None and standing.state is State.SUSPECT:
            raise ToolSuspect(_refusal(version.name, standing))
        wrong = unfit(version, arguments)
        if wrong is not None:
            return Outcome(failure=wrong)
        route = self._router.route(version, arguments, standing) if standing is not None else None
        if route is None:
            return self._plainly(version, arguments, environment, path)
        return self._tried(route, arguments, environment, path)

    def redo(self, version: ToolVersion, arguments: JsonObject, environment: Environment) -> Outcome:
        """Run a version without counting it as a use, and without the release cycle."""
        return self._runner.execute(version, arguments, environment)

    def _plainly(self, version: ToolVersion, arguments: JsonObject, environment: Environment, path: str) -> Outcome:
        outcome = self._runner.run(version, arguments, environment=environment, path=path)
        if outcome.cancelled:
            return outcome
        why = unsafe(outcome, None, environment.functions)
        if why is not None:
            self._measurer.put(partial(self._releases.rules.unsafe, version, why))
        elif not outcome.ok and not was_refused(outcome):
            self._measurer.put(partial(self._releases.rules.after, version))
        return outcome

    def _tried(self, route: Route, arguments: JsonObject, environment: Environment, path: str) -> Outcome:
        """Serve a call while a version is on trial. Copying the environment is all that it may take longer."""
        if route.serves is route.previous:
            outcome = self._plainly(route.previous, arguments, environment, path)
            self._measurer.put(partial(self._releases.trying.not_served, route, arguments, outcome, environment.name))
            return outcome
        copy = self._releases.trying.copy(environment) if self._measurer.willing else None
        outcome = self._candidate(route, arguments, environment, path)
        if outcome.cancelled:  # what a caller gave up says nothing about the version
            return outcome
        answer = self._answer(route, outcome, arguments, environment, path)
        reference = answer if answer is not outcome else None
        tried = TrialCall(
            route=route,
            arguments=arguments,
            outcome=outcome,
            functions=environment.functions,
            reference=reference,
            copy=copy,
        )
        self._measurer.put(partial(self._releases.trying.served, tried))
        return answer

    def _candidate(self, route: Route, arguments: JsonObject, environment: Environment, path: str) -> Outcome:
        try:
            return self._runner.run(route.candidate, arguments, environment=environment, path=path)
        except (LibraryError, ToolFailed) as error:
            if route.previous is None:
                raise
            return Outcome(failure=Failure(kind="Unloadable", message=str(error)))

    def _answer(
        self, route: Route, outcome: Outcome, arguments: JsonObject, environment: Environment, path: str
    ) -> Outcome:
        """Return the answer of the version before where the canary failed and left nothing behind."""
        if outcome.ok or route.previous is None or wrote(outcome, environment.functions):
            return outcome
        return self._plainly(route.previous, arguments, environment, path)


def _refusal(name: str, standing: Standing) -> str:
    return (
        f"tool {name!r} is suspect: {standing.why}; it is verified again by itself where its environment is attached, "
        f"or by `nucleate tools verify {name}`"
    )
