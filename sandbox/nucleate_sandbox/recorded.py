"""An environment that answers from recorded calls alone, and says which call it has no record of."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping

from nucleate_sandbox.environment import FunctionError, FunctionSpec
from nucleate_sandbox.json_values import Json, JsonObject, canonical
from nucleate_sandbox.outcome import Call


class NoRecord(FunctionError):
    """The recording holds no such call (any more)."""

    def __init__(self, function: str, arguments: JsonObject) -> None:
        super().__init__(f"no record of {function}({canonical(arguments)})", kind="NoRecord")


class RecordedEnvironment:
    """Answers exact function and arguments; equal calls are answered in the order they were recorded.

    The last answer of a read function is repeated when its queue is used up: reading again changes nothing.
    """

    def __init__(self, name: str, functions: Mapping[str, FunctionSpec], calls: Iterable[Call]) -> None:
        self._name = name
        self._functions = dict(functions)
        self._calls = tuple(calls)
        self._queues: dict[str, deque[Call]] = defaultdict(deque)
        for call in self._calls:
            self._queues[_key(call.function, call.arguments)].append(call)

    @property
    def name(self) -> str:
        return self._name

    @property
    def functions(self) -> Mapping[str, FunctionSpec]:
        return self._functions

    @property
    def calls(self) -> tuple[Call, ...]:
        """Return the recording, as it was given."""
        return self._calls

    def call(self, name: str, arguments: JsonObject) -> Json:
        """Return the recorded result, raise the recorded error, or raise NoRecord."""
        queue = self._queues.get(_key(name, arguments))
        if not queue:
            raise NoRecord(name, arguments)
        spec = self._functions.get(name)
        repeatable = spec is not None and spec.effect == "read" and len(queue) == 1
        call = queue[0] if repeatable else queue.popleft()
        if call.error is not None:
            raise FunctionError(call.error.message, kind=call.error.kind)
        return call.result

    def fork(self) -> RecordedEnvironment:
        """Return the recording from its start."""
        return RecordedEnvironment(self._name, self._functions, self._calls)


def _key(function: str, arguments: JsonObject) -> str:
    return f"{function} {canonical(arguments)}"
