"""A plain function whose calls are steps: arguments and results in their stored form, exceptions as errors."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

from nucleate.recording.log import LEFT_OUT, OpenCall, Steps
from nucleate.recording.stored import stored_object
from nucleate.recording.unharmed import left_out
from nucleate_sandbox import JsonObject

P = ParamSpec("P")
R = TypeVar("R")


def observe(function: Callable[P, R], run: Steps, *, name: str | None = None) -> Callable[P, R]:
    """Return the function, recorded; what it returns and raises stays the very same."""
    tool = run.name_of(name or str(getattr(function, "__name__", type(function).__name__)))
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def later(*args: P.args, **kwargs: P.kwargs) -> object:
            call = _begun(run, tool, function, args, kwargs)
            try:
                value: object = await function(*args, **kwargs)
            except Exception as error:
                call.raised(error)
                raise
            call.returned(value)
            return value

        return cast("Callable[P, R]", later)

    @functools.wraps(function)
    def now(*args: P.args, **kwargs: P.kwargs) -> R:
        call = _begun(run, tool, function, args, kwargs)
        try:
            value = function(*args, **kwargs)
        except Exception as error:
            call.raised(error)
            raise
        call.returned(value)
        return value

    return now


def arguments_in(function: Callable[..., object], args: tuple[object, ...], kwargs: dict[str, object]) -> JsonObject:
    """Return a call's arguments by name; what cannot be bound keeps its place, and the call fails by itself."""
    try:
        named = inspect.signature(function).bind(*args, **kwargs).arguments
    except Exception:  # noqa: BLE001 - a signature may be of the host's own making
        named = {**{f"arg{i}": value for i, value in enumerate(args)}, **kwargs}
    return stored_object(named)


def _begun(
    run: Steps, tool: str, function: Callable[..., object], args: tuple[object, ...], kwargs: dict[str, object]
) -> OpenCall:
    opened: OpenCall | None = None
    with left_out(LEFT_OUT):
        opened = OpenCall(place=run.begin(), function=tool, arguments=arguments_in(function, args, kwargs))
    return opened or OpenCall(function=tool, arguments={})
