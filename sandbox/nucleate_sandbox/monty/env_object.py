"""`env` inside Monty: a host object whose every call ends at the bridge."""

from __future__ import annotations

import binascii
import time
from typing import Any

from pydantic_monty import ClassInstance

from nucleate_sandbox.bridge import Bridge
from nucleate_sandbox.environment import Functions
from nucleate_sandbox.errors import EnvironmentUnavailable
from nucleate_sandbox.json_values import Json
from nucleate_sandbox.limits import Limit, Limits
from nucleate_sandbox.monty.plain_values import to_json
from nucleate_sandbox.outcome import Call, Failure
from nucleate_sandbox.stopping import Stop

# Monty lets no program and no host define an exception class. This builtin one descends from Exception alone, as
# FunctionError does, and no tool has another use for it: under the name FunctionError it stands for ours.
FUNCTION_ERROR = binascii.Incomplete
CYCLES: tuple[Json, ...] = ("[...]", "{...}")
IMPORT_FUNCTION_ERROR = "from binascii import Incomplete as FunctionError\n"


class Answers:
    """Answers the environment calls of one program at a time, and remembers which of its errors came from there."""

    def __init__(self, functions: Functions, limits: Limits, stop: Stop) -> None:
        self._functions = functions
        self._limits = limits
        self._stop = stop
        self._raised: dict[str, Failure] = {}
        self.begin()

    def begin(self) -> None:
        """Start a program: an empty call log, all calls left, the clock at zero."""
        self._bridge = Bridge(self._functions, self._limits, self._stop)
        self._began = time.monotonic()
        self.limit: Limit | None = None

    @property
    def calls(self) -> tuple[Call, ...]:
        return self._bridge.calls

    @property
    def outage(self) -> EnvironmentUnavailable | None:
        """Return what kept the environment from answering, if anything did."""
        return self._bridge.outage

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    def call(self, name: str, positional: tuple[Any, ...], arguments: dict[str, Any]) -> Any:
        """Return the result, or raise what the program shall see; past a limit it is told to stop."""
        if positional:
            raise TypeError(f"env.{name} takes keyword arguments only, as in env.{name}(name=value)")
        plain = {key: to_json(value) for key, value in arguments.items()}
        if any(_may_hold_itself(value) for value in plain.values()):
            raise ValueError("a value that holds itself cannot be told from the texts '[...]' and '{...}'")
        left = self._limits.wall_seconds - self.seconds
        self._require()
        call = self._bridge.call(name, plain, seconds=left)
        self._require()
        if self._bridge.exhausted:
            self.stop(Limit.CALLS)
        if self.seconds > self._limits.wall_seconds:
            self.stop(Limit.WALL)
        if call.error is not None:
            self._raised[call.error.message] = call.error
            raise FUNCTION_ERROR(call.error.message)
        return call.result

    def _require(self) -> None:
        """Tell the program to stop, again if it went on, when the environment is not there."""
        if self._bridge.outage is not None:
            raise KeyboardInterrupt("the environment is not there")  # `except Exception` lets it pass

    def failure_for(self, message: str) -> Failure:
        """Return the error behind a FunctionError that the program did not catch."""
        return self._raised.get(message, Failure(kind="FunctionError", message=message))

    def env(self) -> EnvPath:
        """Return the host object that programs know as `env`."""
        spaces = sorted({name.partition(".")[0] for name in self._functions.allowed if "." in name})
        return EnvPath(self, "", tuple(spaces))

    def stop(self, limit: Limit) -> None:
        """Tell the program to stop."""
        self.limit = limit
        raise KeyboardInterrupt(f"the program hit its limit of {limit.value}")  # `except Exception` lets it pass


def _may_hold_itself(value: Json) -> bool:
    """Monty hands a value that holds itself to the host as one with a text in that place, which no caller may mean."""
    items = value if isinstance(value, list) else value.values() if isinstance(value, dict) else ()
    return any(item in CYCLES or _may_hold_itself(item) for item in items)


class EnvPath(ClassInstance):
    """A name in the environment: `env.shop` is one, and so is the callable `env.shop.search`."""

    def __init__(self, answers: Answers, name: str, spaces: tuple[str, ...] = ()) -> None:
        super().__init__(_Place())
        self._answers = answers
        self._name = name
        self._spaces = spaces

    def get_eager_attrs(self) -> dict[str, Any]:
        """Send the namespaces along: each then costs no round trip of its own."""
        return {space: EnvPath(self._answers, self._below(space)) for space in self._spaces}

    def lookup_lazy_attrs(self, name: str) -> EnvPath:
        """Let any public name stand for a function: the bridge says what is wrong with it when it is called."""
        if name.startswith("_"):
            raise AttributeError(f"the environment has no {name!r}")
        return EnvPath(self._answers, self._below(name))

    def call_method(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call `path.name(...)`, or the path itself when it was kept in a variable."""
        return self._answers.call(self._name if name == "__call__" else self._below(name), args, kwargs)

    def _below(self, name: str) -> str:
        return f"{self._name}.{name}" if self._name else name


class _Place:
    """What a path wraps: Monty tells host objects apart by identity and needs nothing in them."""
