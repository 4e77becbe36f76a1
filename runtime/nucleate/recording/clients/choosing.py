"""Which wrapper a client gets: told by the package that its class is from, so that nothing is imported in vain."""

from __future__ import annotations

import importlib
from typing import TypeVar, cast

from nucleate.errors import InputInvalid
from nucleate.recording.open_task import OpenTask

C = TypeVar("C")

_PACKAGES = ("openai", "anthropic")


def package_of(client: object) -> str | None:
    """Return the package of a client that can be wrapped; None for every other object."""
    names = {kind.__module__.partition(".")[0] for kind in type(client).__mro__ if "Client" in _bases(kind)}
    return next((name for name in _PACKAGES if name in names), None)


def recorded_client(client: C, run: OpenTask, *, offer: bool = False) -> C:
    """Return the client, recorded; InputInvalid where it is none of a known package."""
    package = package_of(client)
    if package is None:
        kind = f"{type(client).__module__}.{type(client).__qualname__}"
        raise InputInvalid(f"{kind} is no client of {' or '.join(_PACKAGES)}; record its calls by `run.tool`")
    module = importlib.import_module(f"nucleate.recording.clients.{package}_client")
    return cast("C", module.wrapped(client, run, offer=offer))


def _bases(kind: type) -> str:
    return " ".join(base.__name__ for base in kind.__mro__)
