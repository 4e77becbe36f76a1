"""The host's side of every environment call: allowed, checked, timed, bounded and logged."""

from __future__ import annotations

import contextvars
import math
import queue
import threading
import time
import weakref
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TypeAlias

from nucleate_sandbox.arguments import judged
from nucleate_sandbox.copies import HELD, Copy, copied
from nucleate_sandbox.environment import Environment, FunctionError, Functions
from nucleate_sandbox.errors import EnvironmentUnavailable
from nucleate_sandbox.json_values import ARGUMENTS_DEPTH, VALUE_DEPTH, Json, JsonError, JsonObject
from nucleate_sandbox.limits import MIB, Limits
from nucleate_sandbox.outcome import LIMIT_KIND, Call, Failure
from nucleate_sandbox.stopping import CANCELLED, Stop

MAX_LOG_BYTES = 256 * MIB
MAX_NAME = 200
MAX_SOUGHT = 60


class Bridge:
    """Answers the calls of one run or call, from any thread; what the program does wrong is a value in the Call.

    Kinds of its own errors: NotAllowed, UnknownFunction, InvalidArguments, Timeout, BadResult, LimitExceeded.
    A call that timed out goes on in the environment, unheard: its effect is unknown. An environment that is not there
    is no error of the program's: `outage` holds it, and whoever runs the program ends the run with it.
    """

    def __init__(self, functions: Functions, limits: Limits, stop: Stop | None = None) -> None:
        self._functions = functions
        self._limits = limits
        self._stop = stop or Stop()
        self._lock = threading.Lock()
        self._calls: list[Call] = []
        self._started = 0
        self._bytes = 0
        self._parts: list[int] = []
        weakref.finalize(self, HELD.give, self._parts)
        self._exhausted = False
        self.outage: EnvironmentUnavailable | None = None

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls that were answered, in order; none beyond the limit."""
        with self._lock:
            return tuple(self._calls)

    @property
    def exhausted(self) -> bool:
        """True once a call was refused because the program had used up its calls or the log's bytes."""
        return self._exhausted

    def call(self, name: str, arguments: JsonObject, *, seconds: float = math.inf) -> Call:
        """Call one environment function; return its result or its error, never raise for a fault of the program.

        It waits for the environment no longer than the call's own limit or the given seconds.
        """
        # A name is the program's text: whole, it would go uncounted into the log and into every message about it.
        name = name if len(name) <= MAX_NAME else f"{name[:MAX_NAME]}…"
        with self._lock:
            if self._started >= self._limits.bridge_calls or self._bytes > MAX_LOG_BYTES:
                self._exhausted = True
                return Call(function=name, arguments={}, error=self._spent())
            self._started += 1
        began = time.perf_counter()
        answer = self._answer(name, arguments, min(seconds, self._limits.bridge_seconds))
        return self._log(name, answer, (time.perf_counter() - began) * 1000)

    def _answer(self, name: str, arguments: JsonObject, seconds: float) -> _Answer:
        try:
            heard = self._copy(arguments, ARGUMENTS_DEPTH)
        except JsonError as error:
            return _refuse("InvalidArguments", f"{name}: arguments are {_because(error)}")
        refusal, unchecked = self._refusal(name, heard.value)
        if refusal is not None:
            return _Answer(arguments=heard.value, error=refusal, bytes=heard.bytes)
        return replace(self._ask(name, heard, seconds), unchecked=unchecked)

    def _copy(self, value: object, depth: int = VALUE_DEPTH) -> Copy:
        copy = copied(value, self._limits.result_bytes, max_depth=depth)
        HELD.take(copy.parts)
        self._parts.append(copy.parts)
        return copy

    def _refusal(self, name: str, arguments: Json) -> tuple[Failure | None, tuple[str, ...]]:
        """Return why the call may not be made, if so, and what of its arguments could not be checked."""
        environment = self._functions.environment
        if environment is None or name not in environment.functions:
            return Failure(kind="UnknownFunction", message=self._unknown(name)), ()
        if name not in self._functions.allowed:
            return Failure(kind="NotAllowed", message=f"{name!r} is not in the manifest: {self._manifest()}"), ()
        if not isinstance(arguments, dict):
            return Failure(kind="InvalidArguments", message=f"{name}: arguments must be an object"), ()
        found = judged(environment.functions[name], arguments)
        if found.problems:
            return Failure(kind="InvalidArguments", message=f"{name}: {'; '.join(found.problems)}"), ()
        return None, found.unchecked

    def _ask(self, name: str, heard: Copy, seconds: float) -> _Answer:
        assert self._functions.environment is not None  # _refusal has seen to it
        # The environment gets a copy of its own: what it does to the arguments must not change the log.
        given = copied(heard.value, self._limits.result_bytes, max_depth=ARGUMENTS_DEPTH).value
        reply = _in_thread(self._functions.environment, name, given, max(0.0, seconds), self._stop)
        if isinstance(reply, EnvironmentUnavailable):
            self.outage = reply
            reply = Failure(kind=type(reply).__name__, message=text_of(reply))
        if isinstance(reply, Failure):
            return _Answer(arguments=heard.value, error=reply, bytes=heard.bytes)
        try:
            result = self._copy(reply.value)
        except JsonError as error:
            failure = Failure(kind="BadResult", message=f"{name}: the result is {_because(error)}")
            return _Answer(arguments=heard.value, error=failure, bytes=heard.bytes)
        return _Answer(arguments=heard.value, result=result.value, bytes=heard.bytes + result.bytes)

    def _log(self, name: str, answer: _Answer, milliseconds: float) -> Call:
        arguments = answer.arguments if isinstance(answer.arguments, dict) else {}
        call = Call(
            function=name,
            arguments=arguments,
            result=answer.result,
            error=answer.error,
            milliseconds=milliseconds,
            unchecked=answer.unchecked,
        )
        with self._lock:
            self._calls.append(call)
            self._bytes += answer.bytes
        return call

    def _spent(self) -> Failure:
        return Failure(
            kind=LIMIT_KIND,
            message=f"no more environment calls: the limits are {self._limits.bridge_calls} calls and "
            f"{MAX_LOG_BYTES} bytes of arguments and results",
        )

    def _unknown(self, name: str) -> str:
        # A program chooses the name: what it costs to look for a near one must not be its choice too.
        near = get_close_matches(name, sorted(self._functions.allowed), n=3) if len(name) <= MAX_SOUGHT else []
        hint = f"did you mean {' or '.join(map(repr, near))}?" if near else f"the manifest: {self._manifest()}"
        return f"no environment function named {name!r}; {hint}"

    def _manifest(self) -> str:
        names = sorted(self._functions.allowed)
        shown = ", ".join(names[:20]) or "empty"
        return f"{shown} and {len(names) - 20} more" if len(names) > 20 else shown


@dataclass(frozen=True, kw_only=True)
class _Answer:
    arguments: Json
    result: Json = None
    error: Failure | None = None
    bytes: int = 0
    unchecked: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class _Reply:
    value: Json


_Heard: TypeAlias = _Reply | Failure | EnvironmentUnavailable


def _refuse(kind: str, message: str) -> _Answer:
    return _Answer(arguments={}, error=Failure(kind=kind, message=message))


def _because(error: JsonError) -> str:
    return f"not acceptable JSON: {error}"


def _in_thread(environment: Environment, name: str, arguments: Json, seconds: float, stop: Stop) -> _Heard:
    """Call in a thread that may be left behind: a slow function must not hold up the session or the exit."""
    answers: queue.SimpleQueue[_Heard] = queue.SimpleQueue()
    context = contextvars.copy_context()

    def work() -> None:
        answers.put(context.run(_attempt, environment, name, arguments))

    threading.Thread(target=work, name=f"bridge {name}", daemon=True).start()
    try:
        with stop.waking(lambda: answers.put(CANCELLED)):
            return answers.get(timeout=seconds)
    except queue.Empty:
        message = f"{name} took longer than {seconds:g} s; whether it had an effect is unknown"
        return Failure(kind="Timeout", message=message)


def _attempt(environment: Environment, name: str, arguments: Json) -> _Heard:
    assert isinstance(arguments, dict)  # _refusal has seen to it
    try:
        return _Reply(value=environment.call(name, arguments))
    except EnvironmentUnavailable as error:
        return error
    except BaseException as error:  # noqa: BLE001 - the environment is a stranger's code: its bug is this call's error
        return Failure(kind=_kind_of(error), message=text_of(error), from_environment=True)


def _kind_of(error: BaseException) -> str:
    kind = getattr(error, "kind", None) if isinstance(error, FunctionError) else None
    return _whole(kind) if isinstance(kind, str) and kind else type(error).__name__


def text_of(error: BaseException) -> str:
    """Return what an error says; one that cannot be printed says so."""
    try:
        said = getattr(error, "message", None) if isinstance(error, FunctionError) else None
        return _whole(str(error) if said is None else str(said))
    except BaseException as unprintable:  # noqa: BLE001 - how an error of a stranger's prints itself is their code too
        return f"an error that cannot be printed ({type(unprintable).__name__})"


def _whole(text: str) -> str:
    """Return a text that can be sent: half a surrogate pair is no character."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
