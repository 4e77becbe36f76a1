"""The environment of the tools: `env`, bound by whoever uses them to any object that has the functions."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_target: ContextVar[Any] = ContextVar("environment", default=None)
_bound: list[Any] = []


class FunctionError(Exception):
    """A function of the environment refused or failed; `kind` is the class of what it raised."""

    def __init__(self, message: str, *, kind: str = "FunctionError", from_environment: bool = True) -> None:
        super().__init__(message)
        self.message = message
        self.kind = kind
        self.from_environment = from_environment


class NotBound(RuntimeError):
    """No environment is bound, or the bound one lacks the function: a mistake of who uses the tools, not of a tool."""


def bind(target: Any) -> None:
    """Let the tools call the functions of this object: `target.orders.get_order(…)`, `target["orders"].get_order(…)`,
    `target.get_order(…)`, or `target.call("orders.get_order", {…})`, whichever it has."""
    _bound[:] = [target]


@contextmanager
def using(target: Any) -> Iterator[None]:
    """Bind within a `with` block, for this thread or task alone."""
    token = _target.set(target)
    try:
        yield
    finally:
        _target.reset(token)


def plain(value: Any) -> Any:
    """Return a value as JSON would hold it: objects become dictionaries, sequences lists, enumerations their values."""
    if isinstance(value, enum.Enum):
        return plain(value.value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    return value.isoformat() if hasattr(value, "isoformat") else value


class _Name:
    """A name in the environment: `env.orders` is one, and so is the callable `env.orders.get_order`."""

    def __init__(self, *parts: str) -> None:
        self._parts = parts

    def __getattr__(self, name: str) -> _Name:
        if name.startswith("_"):
            raise AttributeError(name)
        return _Name(*self._parts, name)

    def __call__(self, **arguments: Any) -> Any:
        name = ".".join(self._parts)
        target = _target.get() if _target.get() is not None else next(iter(_bound), None)
        if target is None:
            raise NotBound(f"{name} is called, but no environment is bound; call bind(…) first")
        try:
            return plain(_call(target, name, arguments))
        except (FunctionError, NotBound):
            raise
        except Exception as error:
            kind = getattr(error, "kind", type(error).__name__)
            raise FunctionError(str(error), kind=kind) from error


def _call(target: Any, name: str, arguments: dict[str, Any]) -> Any:
    if callable(getattr(target, "call", None)) and hasattr(target, "functions"):
        return target.call(name, arguments)
    *spaces, function = name.split(".")
    at = target
    for space in spaces:
        found = at.get(space) if isinstance(at, Mapping) else getattr(at, space, None)
        at = at if found is None else found
    if not callable(getattr(at, function, None)):
        raise NotBound(f"the bound environment {type(target).__name__} has no function {name!r}")
    return getattr(at, function)(**arguments)


env = _Name()
