"""An environment around another: it has the other's name, functions and copies, and may change how calls are made."""

from __future__ import annotations

from collections.abc import Mapping

from nucleate_sandbox import Environment, FunctionSpec


class Wrapping:
    """What every such environment shares; one that is an Environment says how it calls."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment

    @property
    def name(self) -> str:
        return self._environment.name

    @property
    def functions(self) -> Mapping[str, FunctionSpec]:
        return self._environment.functions

    def fork(self) -> Environment:
        """Return an independent copy, which nothing is wrapped around."""
        return self._environment.fork()
