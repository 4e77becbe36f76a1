"""What a tool answered: a result, read as JSON where it is, or an error, known by how it begins."""

from __future__ import annotations

import json
import re
from typing import Any

from nucleate_text_memory.values import Json, JsonObject, StepError

# "Error: no such order", "Error executing tool 'x': …", "Traceback (most recent call last)", "OrderNotFoundError: W1".
_BEGINS = re.compile(
    r"error\b|traceback \(most recent call last\)|(?P<kind>[A-Z]\w*(?:Error|Exception))\s*:", re.IGNORECASE
)
_KIND = re.compile(r"(?:error:\s*)?([A-Z]\w*(?:Error|Exception))\s*:")
_LAST_LINE = re.compile(r"^([A-Za-z_][\w.]*(?:Error|Exception))\b", re.MULTILINE)
_MARKS = frozenset({"error", "message", "detail", "details", "code", "type", "status", "status_code", "ok", "success"})
_LONGEST_ERROR = 16_000


def observed(answer: Json, *, failed: bool | None = None) -> tuple[Json, StepError | None]:
    """Return (result, error) of a tool's answer; `failed` is what the format itself says, where it says so."""
    value = json_or_text(answer) if isinstance(answer, str) else answer
    if failed or (failed is None and _reads_like_an_error(value)):
        told = isinstance(answer, str) and isinstance(value, dict | list) and "error" not in value
        text = str(answer) if told else _message(value)
        return None, StepError(kind=kind_of(text), message=text[:_LONGEST_ERROR])
    return value, None


def kind_of(message: str) -> str:
    """Return the class that an error message names, or `EnvironmentError`."""
    named = _KIND.match(message)
    if named is None and message.startswith("Traceback"):
        named = next(reversed(list(_LAST_LINE.finditer(message))), None)
    return named[1].rpartition(".")[2] if named else "EnvironmentError"


def json_or_text(text: str) -> Json:
    """Return the JSON value that a text holds, or the text."""
    try:
        value: Json = json.loads(text, parse_constant=_text_after_all)
    except (ValueError, RecursionError):
        return text
    return value


def arguments_of(arguments: Any) -> JsonObject:
    """Return the arguments of a call, which are JSON text in most formats, and text of a text in some.

    What is no object all the same, as where the text was cut off, is kept as `input`: the agent did send it.
    """
    value = arguments
    for _ in range(2):
        if isinstance(value, str):
            value = json_or_text(value) if value.strip() else {}
    if value is None:
        return {}
    return value if isinstance(value, dict) else {"input": arguments}


def _reads_like_an_error(value: Json) -> bool:
    if isinstance(value, str):
        begins = _BEGINS.match(value)
        return begins is not None and (value[:1].isupper() or value.startswith("error:"))
    if isinstance(value, dict):
        return bool(value.get("error")) and value.keys() <= _MARKS
    return False


def _message(value: Json) -> str:
    inner = value.get("error", value.get("message")) if isinstance(value, dict) else value
    if isinstance(inner, dict):
        inner = inner.get("message", inner)
    return inner if isinstance(inner, str) else json.dumps(inner, ensure_ascii=False)


def _text_after_all(name: str) -> None:
    raise ValueError(name)
