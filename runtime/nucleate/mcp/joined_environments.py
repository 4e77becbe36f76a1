"""Several environments as one scope, so that what is done across them can be learned as one plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nucleate_sandbox import Environment, FunctionError, FunctionSpec, Json, JsonObject


class JoinedEnvironments:
    """The functions of all of them under the names that they have; its own name is theirs, sorted and joined."""

    def __init__(self, environments: Sequence[Environment]) -> None:
        self._environments = tuple(environments)
        self._name = "_".join(sorted(environment.name for environment in environments))
        self._parts: tuple[Mapping[str, FunctionSpec], ...] = ()
        self._functions: Mapping[str, FunctionSpec] = {}

    @property
    def name(self) -> str:
        return self._name

    @property
    def functions(self) -> Mapping[str, FunctionSpec]:
        """Return the same object as long as each environment does: so it is seen that nothing has changed."""
        parts = tuple(environment.functions for environment in self._environments)
        if not self._parts or any(new is not old for new, old in zip(parts, self._parts, strict=True)):
            self._parts = parts
            self._functions = {name: spec for part in parts for name, spec in part.items()}
        return self._functions

    def call(self, name: str, arguments: JsonObject) -> Json:
        """Call the environment that has the function."""
        for environment in self._environments:
            if name in environment.functions:
                return environment.call(name, arguments)
        raise FunctionError(f"no function {name!r} in {self._name!r}", kind="UnknownFunction")

    def fork(self) -> JoinedEnvironments:
        """Return copies, where every one of them can be copied."""
        return JoinedEnvironments([environment.fork() for environment in self._environments])


def joined(environments: Sequence[Environment]) -> Environment:
    """Return one environment for several; a single one stays what it is."""
    return environments[0] if len(environments) == 1 else JoinedEnvironments(environments)
