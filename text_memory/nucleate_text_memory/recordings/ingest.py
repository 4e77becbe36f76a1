"""Recordings of any known format: read as a stream, a malformed line reported and the rest read on."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import ValidationError

from nucleate_text_memory.recordings.formats import BadLine, Reader, RecordingSource, bad_line, detect, reader_for
from nucleate_text_memory.recordings.formats.reader import SharedReading, Tools, ignore_tools
from nucleate_text_memory.recordings.lines import LineFault
from nucleate_text_memory.values import Trajectory

AUTO = "auto"
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_LOOKED_AT = 20  # lines that may go before the first one that tells the format

__all__ = ["AUTO", "BadLine", "read_trajectories"]


def read_trajectories(
    lines: Iterable[str],
    *,
    environment: str | None = None,
    fallback: str | None = None,
    start: int = 1,
    format: str = AUTO,  # noqa: A002 - the word of the command line
    name: str = "session",
    tools: Tools = ignore_tools,
    kept: SharedReading | None = None,
) -> Iterator[Trajectory | BadLine]:
    """Read tasks in order; empty lines are passed over, and the format is told by what stands in them.

    `environment` is the scope of a line that names none (a session's own default goes after it), `fallback` goes last.
    `start` is the number of the first line, `name` what tasks without an id are called by, and `tools` is told of
    definitions of functions that a recording holds. `kept` counts what was left out, and is shared by recordings that
    are read together. ValueError for a format that is not known.
    """
    source = RecordingSource(
        environment=environment, fallback=fallback, name=name, tools=tools, kept=kept or SharedReading()
    )
    numbered = _texts(lines, start)
    looked_at = list[tuple[int, str]]()
    if format == AUTO:
        format, looked_at = _told(numbered)  # noqa: A001
    reader = reader_for(format, source)
    return _read_all(reader, itertools.chain(looked_at, numbered))


def _read_all(reader: Reader, texts: Iterable[tuple[int, str]]) -> Iterator[Trajectory | BadLine]:
    number = 0
    for number, text in texts:
        yield from _read(reader, number, text)
    yield from _finished(reader, number)


def _finished(reader: Reader, number: int) -> Iterator[Trajectory | BadLine]:
    """Yield what a reader held back; what cannot be read of it ends it, and is reported at the last line."""
    try:
        yield from reader.end()
    except (LineFault, ValueError, RecursionError) as error:
        yield bad_line(number, str(error), "")


def _read(reader: Reader, number: int, text: str) -> Iterator[Trajectory | BadLine]:
    try:
        text.encode("utf-8")
        yield from reader.read(number, _whole(text))
    except UnicodeEncodeError as error:
        yield bad_line(number, f"character {error.start + 1} of this line is not UTF-8", text)
    except ValidationError as error:
        message = "; ".join(f"{_place(item['loc'])}: {item['msg']}" for item in error.errors(include_url=False))
        yield bad_line(number, message, text)
    except (LineFault, ValueError, RecursionError) as error:
        yield bad_line(number, str(error), text)


def _whole(text: str) -> str:
    """Return the line with `?` for escaped halves of characters, which programs leave where they cut a text."""
    if _HALF.search(text) is None:
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode("utf-8")


def _texts(lines: Iterable[str], start: int) -> Iterator[tuple[int, str]]:
    """Yield (number, text) of every line that says something, or of a document that is spread over lines."""
    numbered = ((number, line.lstrip("\ufeff").strip()) for number, line in enumerate(lines, start=start))
    filled: Iterator[tuple[int, str]] = ((number, text) for number, text in numbered if text)
    first = next(filled, None)
    if first is None:
        return
    if _is_cut_off(first[1]):
        filled = _document([first, *filled])
        first = next(filled, None)
    if first is not None:
        yield from _elements(*first)
        yield from filled


def _is_cut_off(text: str) -> bool:
    """Return whether a line ends within a JSON value: the document goes on in the next."""
    if text[:1] not in "[{":
        return False
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.pos >= len(text)
    except RecursionError:
        return False
    return False


def _document(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    whole = "\n".join(text for _, text in lines)
    try:
        json.loads(whole)
    except (ValueError, RecursionError):
        yield from lines
    else:
        yield lines[0][0], whole


def _elements(number: int, text: str) -> Iterator[tuple[int, str]]:
    """Yield the elements of a list in place of the list; a list of messages is one conversation."""
    items = _objects(text) if text.startswith(("[{", "[\n")) else []
    if items and "jsonrpc" not in items[0]:
        yield from ((number + i, json.dumps(item, ensure_ascii=False)) for i, item in enumerate(items))
    else:
        yield number, text


def _objects(text: str) -> list[dict[str, Any]]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return value if isinstance(value, list) and all(isinstance(item, dict) for item in value) else []


def _told(texts: Iterator[tuple[int, str]]) -> tuple[str, list[tuple[int, str]]]:
    looked_at: list[tuple[int, str]] = []
    for number, text in itertools.islice(texts, _LOOKED_AT):
        looked_at.append((number, text))
        found = detect(text)
        if found is not None:
            return found, looked_at
    return "nucleate", looked_at


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location) or "line"
