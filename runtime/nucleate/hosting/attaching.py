"""The environments of this process, attached to what is known of them: at once, or as soon as the database allows."""

from __future__ import annotations

from collections.abc import Callable

from nucleate.environments.scopes import Scopes
from nucleate.hosting.hosting import Hosting
from nucleate_sandbox import Environment

Attach = Callable[[Environment, Callable[[Environment], object]], object]


class Attaching:
    """An environment can be called from the start; what is known of it is compared and stored when that is possible."""

    def __init__(self, hosting: Hosting, scopes: Scopes, attach: Attach) -> None:
        self._hosting = hosting
        self._scopes = scopes
        self._attach = attach
        self._late: dict[str, Environment] = {}
        hosting.opened = self._opened

    def attach(self, environment: Environment) -> None:
        """Attach an environment, or let it wait."""
        self._scopes.hold(environment)
        self._late[environment.name] = environment
        self._hosting.attempt(self.late, None, what="attaching an environment")

    def late(self) -> None:
        """Attach what waits."""
        for name, environment in tuple(self._late.items()):
            self._attach(environment, self._scopes.attach)
            self._late.pop(name, None)

    def _opened(self) -> None:
        """Have everything attached again: the database is another one, or was not there before."""
        self._late |= self._scopes.forget()
