"""Recorded trajectories, one JSON object a line: read as a stream, a malformed line reported and the rest read on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from pydantic import ValidationError

from nucleate_text_memory.conversations import ConversationLine
from nucleate_text_memory.lines import LineFault, TrajectoryLine
from nucleate_text_memory.values import Trajectory

_EXCERPT = 120


@dataclass(frozen=True, kw_only=True)
class BadLine:
    """A line that is no trajectory: its number, why, and how it begins."""

    number: int
    message: str
    excerpt: str


def read_trajectories(
    lines: Iterable[str], *, environment: str | None = None, start: int = 1
) -> Iterator[Trajectory | BadLine]:
    """Read trajectories, or OpenAI-style message lists, in order; empty lines are passed over.

    `environment` is the scope of a line that names none; `start` is the number of the first line.
    """
    for number, line in enumerate(lines, start=start):
        text = line.lstrip("\ufeff").strip()
        if text:
            yield _read(text, number, environment)


def _read(text: str, number: int, environment: str | None) -> Trajectory | BadLine:
    try:
        text.encode("utf-8")
        return _parsed(_object(text), environment)
    except ValidationError as error:
        message = "; ".join(f"{_place(item['loc'])}: {item['msg']}" for item in error.errors(include_url=False))
    except (LineFault, ValueError, RecursionError) as error:
        message = str(error)
    return BadLine(number=number, message=message, excerpt=text[:_EXCERPT].encode("utf-8", "replace").decode())


def _parsed(value: dict[str, Any], environment: str | None) -> Trajectory:
    shape = ConversationLine if "messages" in value and "steps" not in value else TrajectoryLine
    return shape.model_validate(value).trajectory(environment)


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text, parse_constant=_refuse, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        raise LineFault(f"not JSON: {error.msg} at column {error.colno}") from error
    if not isinstance(value, dict):
        raise LineFault(f"a JSON object is needed, not {type(value).__name__}")
    return value


def _refuse(name: str) -> NoReturn:
    raise LineFault(f"{name} is not JSON; write a number or null")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise LineFault("an object has the same key twice")
    return value


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location) or "line"
