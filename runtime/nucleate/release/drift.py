"""Sees when an environment's functions are others than those that tools were judged against, and marks the tools."""

from __future__ import annotations

from collections.abc import Mapping

from nucleate.environments.schema_hashes import changed, schema_hashes, told
from nucleate.release.marking import IN_USE, suspect
from nucleate.services import Services
from nucleate_sandbox import Environment, FunctionSpec, RecordedEnvironment
from nucleate_tool_library.trials.schemas_in_use import Rests

DRIFT = "drift"


class DriftWatch:
    """Compares an environment that is attached with what its tools' versions were judged against."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._seen: dict[str, Mapping[str, FunctionSpec]] = {}

    def is_news(self, environment: Environment) -> bool:
        """Return whether this process has not seen an environment of this name with these functions last."""
        return self._seen.get(environment.name) != environment.functions

    def look(self, environment: Environment) -> tuple[str, ...]:
        """Mark the tools whose functions are others now or gone, with their callers, and return their names.

        It has to come before the environment's functions are stored: what they were tells how they changed, and a
        process that ends between the two leaves nothing unmarked.
        """
        scope, functions = environment.name, environment.functions
        if isinstance(environment, RecordedEnvironment) or self._seen.get(scope) == functions:
            return ()
        before = self._services.scopes.view(scope).functions if self._services.scopes.knows(scope) else {}
        hashes: dict[str, str] = {}
        self._withdraw(scope, before, functions)
        rests = self._services.schemas.rests(scope, IN_USE)
        found = [(item.name, _why(item, before, functions, hashes)) for item in rests]
        marked = suspect(self._services, [(name, why) for name, why in found if why], scope=scope, by=DRIFT)
        self._seen[scope] = dict(functions)
        return marked

    def _withdraw(self, scope: str, before: Mapping[str, FunctionSpec], functions: Mapping[str, FunctionSpec]) -> None:
        """End the trials of versions whose functions are others now."""
        for canary in self._services.canaries.all(scope):
            version = self._services.library.version(canary.version_id)
            rests = Rests(name=canary.name, functions=version.capabilities, hashes=version.schemas)
            why = _why(rests, before, functions, {})
            if why and not self._services.library.tool(canary.name, scope).pinned:
                self._services.canaries.withdraw(canary.name, scope, version_id=version.id, by=DRIFT, why=why)


def _why(
    rests: Rests, before: Mapping[str, FunctionSpec], functions: Mapping[str, FunctionSpec], hashes: dict[str, str]
) -> str:
    """Say what changed for a version. Where it has no hashes, what was known last stands for them."""
    names = changed(rests.hashes or schema_hashes(before, rests.functions), functions, hashes=hashes)
    return "; ".join(told(name, before.get(name), functions.get(name)) for name in names)
