"""Reads Monty's errors: a limit, a construct that it lacks, an environment's error, or a failure of the program."""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass

from pydantic_monty import Frame, MontyCrashedError, MontyError, MontyRuntimeError, MontySyntaxError

from nucleate_sandbox.limits import Limit, Limits
from nucleate_sandbox.monty.env_object import FUNCTION_ERROR, Answers
from nucleate_sandbox.outcome import Failure, limit_hit

# As CPython has them at its start: whoever runs code by `exec` adds `__builtins__` to them.
BUILTINS = frozenset(vars(builtins)) - {"__builtins__"}
MAX_TEXT = 8_000
MAX_LINE = 200
SHOWN_FRAMES = 10

LIMIT_MESSAGES = (
    (TimeoutError, "feed time limit exceeded", None),
    (TimeoutError, "sleep limit exceeded", Limit.WALL),
    (MemoryError, "", Limit.MEMORY),
    (RuntimeError, "suspension limit", Limit.CALLS),
)
ABSENT = re.compile(
    r"The monty syntax parser does not yet support|is not supported in this environment|Internal error in monty"
    r"|a value that holds itself cannot be told|^Permission denied: '"  # of a file: it has none
    r"|is not yet supported|^(?:Parsing error at position \d+|Error compiling regex): |^recursion limit exceeded: "
    r"|'list' object is not an iterator|'binascii\.Incomplete' object has no attribute|^cannot create '\w+' instances"
)
NO_NAME = re.compile(r"^name '(\w+)' is not defined")
NO_MODULE = re.compile(r"^No module named '(\w+)")
NOT_IN_MODULE = re.compile(r"^module '(\w++)[\w.]*+' has no attribute|^cannot import name '\w+' from '(\w+)")
NO_ATTRIBUTE = re.compile(r"^(?:'(\w+)' object|type object '(\w+)') has no attribute '(\w+)'")
CPYTHON_FRAMES = 900
IN_THE_IMAGE = frozenset({"pytest", "hypothesis"})

Place = Callable[[Frame], str | None]


@dataclass(frozen=True, kw_only=True)
class ProgramEnding:
    """How a program ended that did not end by itself with a value."""

    failure: Failure
    limit: Limit | None = None


def at_limit(limit: Limit, detail: str = "") -> ProgramEnding:
    """Return the ending of a program that hit a limit."""
    return ProgramEnding(failure=limit_hit(limit, detail), limit=limit)


def judge(error: MontyError, answers: Answers, limits: Limits, place: Place) -> ProgramEnding:
    """Return what a Monty error says about the program; `place` names a frame's file, or None for ours."""
    if isinstance(error, MontyCrashedError):
        return _crashed(error, limits)
    if answers.limit is not None:
        return at_limit(answers.limit)
    inner = error.exception()
    limit = _limit(inner, limits)
    if limit is not None:
        return at_limit(limit, _text(inner))
    if isinstance(inner, FUNCTION_ERROR):
        failure = answers.failure_for(str(inner))
        return _ending(error, failure.kind, failure.message, place, from_environment=failure.from_environment)
    return _ending(error, type(inner).__name__, _text(inner), place)


def _ending(
    error: MontyError, kind: str, message: str, place: Place, *, from_environment: bool = False
) -> ProgramEnding:
    absent = not from_environment and (_is_absent(kind, message) or _is_shallow(error, kind))
    return ProgramEnding(
        failure=Failure(
            kind=kind,
            message=f"{message}; the embedded interpreter lacks this, it needs Docker" if absent else message,
            traceback=_traceback(error, f"{kind}: {message}", place),
            unsupported=absent,
            from_environment=from_environment,
        )
    )


def _crashed(error: MontyCrashedError, limits: Limits) -> ProgramEnding:
    if error.timed_out or "duration" in str(error) or "time limit" in str(error):
        return at_limit(_time_limit(limits))
    message = f"the program crashed its interpreter: {_text(error)}"
    return ProgramEnding(failure=Failure(kind="InterpreterCrash", message=message))


def _limit(inner: BaseException, limits: Limits) -> Limit | None:
    for kind, start, limit in LIMIT_MESSAGES:
        if isinstance(inner, kind) and str(inner).startswith(start):
            return limit or _time_limit(limits)
    return None


def _time_limit(limits: Limits) -> Limit:
    return Limit.CPU if limits.cpu_seconds < limits.wall_seconds else Limit.WALL


def _is_absent(kind: str, message: str) -> bool:
    """Tell whether CPython would have had what Monty says is not there."""
    if ABSENT.search(message):
        return True
    if found := NO_NAME.match(message):
        return kind == "NameError" and found[1] in BUILTINS
    if found := NO_MODULE.match(message):
        return found[1] in sys.stdlib_module_names | IN_THE_IMAGE
    if found := NOT_IN_MODULE.match(message):
        return (found[1] or found[2]) in sys.stdlib_module_names
    if found := NO_ATTRIBUTE.match(message):
        return hasattr(getattr(builtins, found[1] or found[2], None), found[3])
    return False


def _is_shallow(error: MontyError, kind: str) -> bool:
    """Tell whether a recursion ended that CPython would have let go on: calls through built-ins have a lower bound."""
    return kind == "RecursionError" and isinstance(error, MontyRuntimeError) and len(error.traceback()) < CPYTHON_FRAMES


def _traceback(error: MontyError, last: str, place: Place) -> str:
    frames = error.traceback() if isinstance(error, MontyRuntimeError | MontySyntaxError) else []
    shown = [text for frame in frames if (text := _frame(frame, place))]
    if len(shown) > 2 * SHOWN_FRAMES:
        gap = f"  … {len(shown) - 2 * SHOWN_FRAMES} frames left out …\n"
        shown = [*shown[:SHOWN_FRAMES], gap, *shown[-SHOWN_FRAMES:]]
    return "".join(["Traceback (most recent call last):\n", *shown, f"{last[:MAX_TEXT]}\n"])


def _frame(frame: Frame, place: Place) -> str:
    name = place(frame)
    if name is None:
        return ""
    line = (frame.source_line or "").strip()[:MAX_LINE]
    where = f'  File "{name}", line {frame.line}, in {frame.function_name or "<module>"}\n'
    return f"{where}    {line}\n" if line else where


def _text(error: BaseException) -> str:
    text = str(error)
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT // 2]}\n…\n{text[-MAX_TEXT // 2 :]}"
