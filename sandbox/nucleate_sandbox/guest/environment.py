"""`env`: attribute access that ends in a call over the channel."""

from __future__ import annotations

from typing import Any

from .channel import Channel
from .plain import to_json


class FunctionError(Exception):
    """An environment function refused or failed; `kind` is the environment's name for the error."""

    def __init__(self, message: str, *, kind: str = "FunctionError", from_environment: bool = False) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.from_environment = from_environment


class Path:
    """A name in the environment: `env.shop` is one, and so is the callable `env.shop.search`."""

    def __init__(self, channel: Channel, name: str) -> None:
        self._channel = channel
        self._name = name

    def __getattr__(self, name: str) -> Path:
        if name.startswith("_"):
            raise AttributeError(f"the environment has no {name!r}")
        return Path(self._channel, f"{self._name}.{name}" if self._name else name)

    def __call__(self, *positional: Any, **arguments: Any) -> Any:
        if positional:
            raise TypeError(f"env.{self._name} takes keyword arguments only, as in env.{self._name}(name=value)")
        answer = self._channel.ask(
            {"do": "call", "name": self._name, "arguments": {name: to_json(value) for name, value in arguments.items()}}
        )
        error = answer.get("error")
        if error is not None:
            raise FunctionError(error["message"], kind=error["kind"], from_environment=error["from_environment"])
        return answer.get("value")

    def __repr__(self) -> str:
        return f"env.{self._name}" if self._name else "env"


def environment(channel: Channel) -> Path:
    """Return the `env` object of one process."""
    return Path(channel, "")
