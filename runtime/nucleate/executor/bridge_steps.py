"""Calls over the bridge as steps: environment functions by their names, tools by theirs, nothing of our own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nucleate.executor.scope import OUTAGE, OVER, SessionScope, as_in_scope, own_name
from nucleate.executor.shortening import shortened
from nucleate_sandbox import Call, canonical
from nucleate_text_memory import Step, StepError

_MOST = 300
_MOST_LINES = 20


def steps_of(scope: SessionScope, calls: Iterable[Call]) -> tuple[Step, ...]:
    """Return the steps that calls were. What an outage interrupted, or came after the end, is none."""
    names = {tool.version.name for tool in scope.tools}
    kept = (call for call in calls if call.error is None or call.error.kind not in (OUTAGE, OVER))
    return tuple(_step(call) for call in kept if (own_name(call.function) or call.function) in names or _outside(call))


def name_of(call: Call) -> str:
    """Return the name of a call as code knows it."""
    return own_name(call.function) or call.function


def calls_text(calls: Sequence[Call]) -> str:
    """Return one line for each call, of very many the first."""
    more = [f"* and {len(calls) - _MOST_LINES} more"] if len(calls) > _MOST_LINES else []
    return "\n".join([*(f"* {_line(call)}" for call in calls[:_MOST_LINES]), *more]) or "* none"


def _outside(call: Call) -> bool:
    return own_name(call.function) is None


def _step(call: Call) -> Step:
    error = None
    if call.error is not None:
        error = StepError(kind=call.error.kind, message=as_in_scope(call.error.message))
    return Step(function=name_of(call), arguments=call.arguments, result=call.result, error=error)


def _line(call: Call) -> str:
    ending = f"{call.error.kind}: {call.error.message}" if call.error else canonical(call.result)
    return shortened(f"{name_of(call)}({canonical(call.arguments)}) -> {ending}", _MOST)
