"""Describes an exception of the user's code: kind, message, and the traceback lines of the user's modules alone."""

from __future__ import annotations

import errno
import traceback
from collections.abc import Set
from typing import Any

from .channel import TooLarge
from .environment import FunctionError
from .isolation import fork_refused

MAX_TEXT = 8_000
DISK_ERRNOS = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)
FILE_ERRNOS = (errno.EMFILE, errno.ENFILE)


def describe(error: BaseException, files: Set[str]) -> dict[str, Any]:
    """Return the failure message for the host; an exception with a hostile text is described without it."""
    return {
        "do": "failure",
        "kind": _clean(error.kind if isinstance(error, FunctionError) else type(error).__name__),
        "message": _clean(_text(error)),
        "traceback": _clean(_traceback(error, files)),
        "from_environment": isinstance(error, FunctionError) and error.from_environment is True,
        "limit": _limit(error),
    }


def _limit(error: BaseException) -> str | None:
    if isinstance(error, MemoryError):
        return "memory"
    if isinstance(error, TooLarge):
        return "result size"
    if isinstance(error, RuntimeError) and error.args == ("can't start new thread",):
        return "processes" if fork_refused() else "memory"  # a stack is address space
    return _limit_by_errno(error.errno) if isinstance(error, OSError) else None


def _limit_by_errno(number: int | None) -> str | None:
    if number in DISK_ERRNOS:
        return "disk"
    if number in FILE_ERRNOS:
        return "open files"
    if number == errno.EAGAIN:  # also the word of a socket that has nothing to read yet
        return "processes" if fork_refused() else None
    return "memory" if number == errno.ENOMEM else None


def _text(error: BaseException) -> str:
    try:
        return _cut(str(error.message if isinstance(error, FunctionError) else error))
    except MemoryError:
        raise
    except BaseException:  # noqa: BLE001 - the text of an exception is the program's own code
        return "(the exception's text cannot be read)"


def _traceback(error: BaseException, files: Set[str]) -> str:
    try:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in files]
        if isinstance(error, SyntaxError):
            return "".join(traceback.format_exception_only(error))
        last = f"{type(error).__name__}: {_text(error)}\n"
        return "".join(["Traceback (most recent call last):\n", *traceback.format_list(frames), last])
    except MemoryError:
        raise
    except BaseException:  # noqa: BLE001 - as above
        return ""


def _clean(text: Any) -> str:
    return _cut(_cut(str(text)).encode("utf-8", "backslashreplace").decode("utf-8"))


def _cut(text: str) -> str:
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT // 2]}\n…\n{text[-MAX_TEXT // 2 :]}"
