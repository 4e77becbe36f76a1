"""An agent that is a function: each call of it is a task, and the clients among its arguments are recorded."""

from __future__ import annotations

import functools
import inspect
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, ParamSpec, TypeAlias, TypeVar, cast

from nucleate.errors import InputInvalid
from nucleate.recording.clients.choosing import package_of
from nucleate.recording.unharmed import left_out

if TYPE_CHECKING:
    from nucleate.recording.task import Recording

P = ParamSpec("P")
R = TypeVar("R")

Query: TypeAlias = str | Callable[..., str]
Call: TypeAlias = tuple[tuple[Any, ...], dict[str, Any]]


def recorded_agent(
    record: Callable[[str], Recording], *, query: Query = "query", offer: bool = False
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate an agent, with or without async.

    `query` names the parameter that says what is asked, or makes the words from all arguments, given by name. With
    `offer`, the clients among the arguments are given the tools that were learned.
    """

    def decorate(agent: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(agent)
        if isinstance(query, str) and query not in signature.parameters:
            names = ", ".join(signature.parameters) or "none"
            raise InputInvalid(f"{agent.__name__} has no parameter {query!r}; give `query=` one that it has: {names}")

        @contextmanager
        def task(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[Call]:
            """Open a recording around a call; without one, and with its very arguments, where that fails."""
            with ExitStack() as stack:
                call: Call = args, kwargs
                with left_out(f"a task of {agent.__name__}"):
                    bound = signature.bind(*args, **kwargs)
                    run = stack.enter_context(record(_asked(bound, query) or agent.__name__))
                    for name, value in bound.arguments.items():
                        if package_of(value) is not None:
                            bound.arguments[name] = run.client(value, offer=offer)
                    call = bound.args, bound.kwargs
                yield call

        if inspect.iscoroutinefunction(agent):

            @functools.wraps(agent)
            async def later(*args: P.args, **kwargs: P.kwargs) -> object:
                with task(args, kwargs) as (given, named):
                    return await agent(*given, **named)

            return cast("Callable[P, R]", later)

        @functools.wraps(agent)
        def now(*args: P.args, **kwargs: P.kwargs) -> R:
            with task(args, kwargs) as (given, named):
                return agent(*given, **named)

        return now

    return decorate


def _asked(bound: inspect.BoundArguments, query: Query) -> str:
    whole = inspect.BoundArguments(bound.signature, OrderedDict(bound.arguments))
    whole.apply_defaults()
    return str(whole.arguments[query] if isinstance(query, str) else query(**whole.arguments)).strip()
