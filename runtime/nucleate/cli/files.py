"""Reads files that strangers hand in, as UTF-8, with one clear error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from nucleate.errors import InputInvalid


def read_text(path: Path) -> str:
    """Return a file's text, or raise InputInvalid with the reason."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise unreadable(path, f"byte {error.start} is not UTF-8") from error
    except OSError as error:
        raise unreadable(path, error.strerror or str(error)) from error


@contextmanager
def open_lines(path: Path) -> Iterator[Iterator[str]]:
    """Open a file as a stream of lines, split at line feeds alone: JSON strings may hold other separators."""
    try:
        stream = path.open("rb")
        stream.peek(1)
    except OSError as error:
        raise unreadable(path, error.strerror or str(error)) from error
    with stream:
        yield _decoded(stream)


def _decoded(lines: Iterable[bytes]) -> Iterator[str]:
    for line in lines:
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError as error:
            yield f"byte {error.start} of this line is not UTF-8"  # not JSON either: reported with its number


def unreadable(path: Path, reason: str) -> InputInvalid:
    """Return the error for a file that cannot be read."""
    return InputInvalid(f"the file {str(path)!r} cannot be read ({reason}); check the path")
