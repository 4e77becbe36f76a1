"""A plain function whose calls are steps: arguments and results as JSON, exceptions as errors."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import ParamSpec, Protocol, TypeVar, cast

from pydantic_core import to_jsonable_python

from nucleate.recording.log import Place
from nucleate_sandbox import FunctionError, Json, JsonObject
from nucleate_text_memory import Step, StepError

P = ParamSpec("P")
R = TypeVar("R")


class Taken(Protocol):
    """Where a step goes: a place among the steps, and the function's name in the environment."""

    def begin(self) -> Place: ...
    def name_of(self, tool: str) -> str: ...


def observe(function: Callable[P, R], run: Taken, *, name: str | None = None) -> Callable[P, R]:
    """Return the function, recorded; what it returns and raises stays the same."""
    tool = run.name_of(name or function.__name__)
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def later(*args: P.args, **kwargs: P.kwargs) -> object:
            with _Call(run, tool, arguments_in(function, args, kwargs)) as call:
                return call.returned(await function(*args, **kwargs))

        return cast("Callable[P, R]", later)

    @functools.wraps(function)
    def now(*args: P.args, **kwargs: P.kwargs) -> R:
        with _Call(run, tool, arguments_in(function, args, kwargs)) as call:
            return call.returned(function(*args, **kwargs))

    return now


def arguments_in(function: Callable[..., object], args: tuple[object, ...], kwargs: dict[str, object]) -> JsonObject:
    """Return a call's arguments by name; what cannot be bound keeps its place, and the call fails by itself."""
    try:
        named = inspect.signature(function).bind(*args, **kwargs).arguments
    except (TypeError, ValueError):
        named = {**{f"arg{i}": value for i, value in enumerate(args)}, **kwargs}
    return {name: as_json(value) for name, value in named.items()}


def as_json(value: object) -> Json:
    """Return a value as JSON; what has no such form is shown by its text."""
    return cast("Json", to_jsonable_python(value, serialize_unknown=True, inf_nan_mode="strings"))


def error_of(error: BaseException) -> StepError:
    """Return an exception as the error of a step."""
    if isinstance(error, FunctionError):
        return StepError(kind=error.kind, message=error.message)
    return StepError(kind=type(error).__name__, message=str(error) or type(error).__name__)


class _Call:
    """One call under way."""

    def __init__(self, run: Taken, name: str, arguments: JsonObject) -> None:
        self._place = run.begin()
        self._name = name
        self._arguments = arguments

    def returned(self, value: R) -> R:
        self._place.end(Step(function=self._name, arguments=self._arguments, result=as_json(value)))
        return value

    def __enter__(self) -> _Call:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Exception):
            self._place.end(Step(function=self._name, arguments=self._arguments, error=error_of(error)))
