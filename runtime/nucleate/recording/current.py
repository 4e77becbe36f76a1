"""The recording that is open in this context, and functions that record themselves in it."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

from nucleate.recording.open_task import CURRENT
from nucleate.recording.task import Recording

P = ParamSpec("P")
R = TypeVar("R")


def current() -> Recording | None:
    """Return the recording that is open in this context: inside its `with` block, or in a recorded agent."""
    found = CURRENT.get()
    return found if isinstance(found, Recording) else None


def recorded(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a tool function, with or without async: each call is a step of the recording that is open then."""
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def later(*args: P.args, **kwargs: P.kwargs) -> object:
            run = CURRENT.get()
            return await (run.tool(function) if run else function)(*args, **kwargs)

        return cast("Callable[P, R]", later)

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        run = CURRENT.get()
        return (run.tool(function) if run else function)(*args, **kwargs)

    return call
