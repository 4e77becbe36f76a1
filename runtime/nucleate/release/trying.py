"""Turns calls into trials: the other side is run on a copy of the environment as it was before the call."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace

from nucleate.release.comparing import Comparison, compare, side, steps_side, unsafe
from nucleate.release.plain_steps import plain_steps
from nucleate.release.routing import Route, case_of
from nucleate.release.rules import ReleaseRules
from nucleate.services import Services
from nucleate_codifier import Template
from nucleate_sandbox import Environment, FunctionSpec, JsonObject, Outcome, SandboxError
from nucleate_tool_library.trials.trials import Baseline, Side, Trial

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class TrialCall:
    """A call that a version on trial served. `reference` is what the baseline made of it, where that is known already;
    `copy` the environment as it was before the call, where it could be copied."""

    route: Route
    arguments: JsonObject
    outcome: Outcome
    functions: Mapping[str, FunctionSpec]
    reference: Outcome | None = None
    copy: Environment | None = None


class Trying:
    """Makes trials of calls, stores them, and lets the rules look at them."""

    def __init__(self, services: Services, rules: ReleaseRules) -> None:
        self._services = services
        self._rules = rules
        self._alone: set[str] = set()

    def copy(self, environment: Environment) -> Environment | None:
        """Return a copy of the environment; None where it cannot be copied, whatever stands in the way."""
        try:
            return environment.fork()
        except Exception as error:  # noqa: BLE001 - an environment's fork may fail in any way; the call must go on
            self._alone.add(environment.name)
            _LOG.info("no paired trial in %s: %s", environment.name, error)
            return None

    def served(self, tried: TrialCall) -> None:
        """Store the trial of a call that the version on trial served."""
        reference = tried.reference if tried.reference is not None else self._other_side(tried)
        self.store(tried, reference)

    def not_served(self, route: Route, arguments: JsonObject, outcome: Outcome, environment: str) -> None:
        """Store what a call of the version before tells of the one on trial.

        A call of its share that it cannot take is one that it misses. Where nothing can be paired, the calls that are
        not in its share are the control group.
        """
        if route.chosen:
            self._add(route, replace(_trial(route, arguments), activated=False, wanted=True))
        elif environment in self._alone:
            control = side(outcome, arguments, passed=outcome.ok)
            self._add(route, replace(_trial(route, arguments), reference=control))

    def store(self, tried: TrialCall, reference: Outcome | None) -> None:
        """Compare both sides and store the trial."""
        danger = unsafe(tried.outcome, reference, tried.functions)
        found = compare(tried.outcome, reference, tried.functions) if reference is not None else None
        trial = replace(
            _trial(tried.route, tried.arguments),
            baseline=_baseline(tried.route) if found is not None else Baseline.NONE,
            candidate=side(tried.outcome, tried.arguments, passed=found.passed if found else tried.outcome.ok),
            reference=_reference_side(tried, reference, found),
            activated=True,
            wanted=True,
            safe=danger is None,
            regressed=found is not None and found.regressed,
            detail=danger or (found.detail if found is not None else ""),
        )
        self._add(tried.route, trial)

    def _other_side(self, tried: TrialCall) -> Outcome | None:
        previous, template = tried.route.previous, tried.route.candidate.template
        if tried.copy is None or (previous is None and not template):
            return None
        if previous is None:
            return plain_steps(Template.from_json(template), tried.arguments, tried.copy)
        try:
            return self._services.runner.execute(previous, tried.arguments, tried.copy)
        except SandboxError:  # an outage says nothing about either version
            return None

    def _add(self, route: Route, trial: Trial) -> None:
        if self._services.trials.add(trial):
            self._rules.consider(route.candidate, name=(route.previous or route.candidate).name)


def _trial(route: Route, arguments: JsonObject) -> Trial:
    previous = route.previous.id if route.previous is not None else None
    return Trial(version_id=route.candidate.id, case=case_of(arguments), baseline_id=previous)


def _baseline(route: Route) -> Baseline:
    return Baseline.PLAIN if route.previous is None else Baseline.PREVIOUS


def _reference_side(tried: TrialCall, reference: Outcome | None, found: Comparison | None) -> Side | None:
    if reference is None or found is None:
        return None
    if tried.route.previous is None:
        return steps_side(reference, passed=found.reference_passed)
    return side(reference, tried.arguments, passed=found.reference_passed)
