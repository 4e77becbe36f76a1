"""Where a session takes its containers from: a pool, or a pool asked for containers with certain packages."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Protocol

from nucleate_sandbox.docker.containers.container import Container
from nucleate_sandbox.docker.containers.shape import Shape
from nucleate_sandbox.packages import Lock


class ContainerSource(Protocol):
    """Lends containers, one program each."""

    def lease(self, shape: Shape) -> AbstractContextManager[Container]: ...
    def take(self, shape: Shape) -> Container: ...
    def give(self, container: Container) -> None: ...


class WithPackages:
    """Asks another supply for containers whose image holds these packages."""

    def __init__(self, supply: ContainerSource, packages: Lock) -> None:
        self._supply = supply
        self._packages = packages

    def lease(self, shape: Shape) -> AbstractContextManager[Container]:
        """Lend a container for one program."""
        return self._supply.lease(replace(shape, packages=self._packages))

    def take(self, shape: Shape) -> Container:
        """Return a container that is to be given back."""
        return self._supply.take(replace(shape, packages=self._packages))

    def give(self, container: Container) -> None:
        """Take a container back."""
        self._supply.give(container)
