"""Error classes: what an error message says once names, ids, numbers and echoed arguments are taken out of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nucleate_text_memory.values import Json, Step, Trajectory

_LONGEST = 160
_READ = 8_000  # characters of a message: its cause stands at its beginning
_MOST_ECHOES = 100
_LITERALS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"https?://\S+"), "<url>"),
    (re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}"), "<email>"),
    (re.compile(r"\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?\S*)?"), "<date>"),
    (re.compile(r"(?<!\w)(?:'[^'\n]*'|\"[^\"\n]*\"|`[^`\n]*`)(?!\w)"), "<text>"),
    (re.compile(r"(?<![\w.<-])[-+]?\d+(?:[.,]\d+)*%?(?![\w>]|-\w)"), "<n>"),
    (re.compile(r"(?<![\w<])[#@]?(?=[\w-]{0,99}\d)[\w-]{0,99}\w(?![\w>])"), "<id>"),
)
# Words by which text of a tool would give the agent orders instead of saying what went wrong.
_ORDERS = re.compile(
    r"\b(ignore|disregard|forget)\b.{0,40}\b(previous|prior|above|earlier|all|instruction|rule)"
    r"|\b(system|developer|assistant)\s{0,9}(prompt|message|:)|\byou (must|should|are now|have to)\b|\binstructions?\b"
    r"|\bimportant\s{0,9}[:!]|<\s{0,9}/?\s{0,9}(system|important|instruction|information)"
    r"|\b(always|never|please|now|instead|next),?\s{1,9}(call|use|send|transfer|reply|run|execute|invoke|email|pay)\b",
    re.IGNORECASE,
)
_KIND = re.compile(r"[A-Za-z_][\w.]{0,79}", re.ASCII)
WITHHELD = "<message withheld: it reads like an instruction>"


def error_class(step: Step) -> str:
    """Return the class of a failed step's message; equal causes with other literals give the same text.

    A message is a tool's text, which nobody vouches for: one that reads like an order is not quoted.
    """
    assert step.error is not None
    message = re.sub(r"^\s*error\s*:\s*", "", step.error.message[:_READ], flags=re.IGNORECASE)
    text = " ".join(message.split())
    if _ORDERS.search(text):
        return WITHHELD
    echoes = (echo for echo in set(_echoes(step)) if echo[1] in text)
    for name, value in sorted(echoes, key=lambda echo: (-len(echo[1]), echo))[:_MOST_ECHOES]:
        text = re.sub(rf"(?<![\w<-])['\"]?{re.escape(value)}['\"]?(?![\w>-])", f"<{name}>", text)
    for pattern, placeholder in _LITERALS:
        text = pattern.sub(placeholder, text)
    return text[:_LONGEST] or "<no message>"


def error_signature(step: Step) -> tuple[str, str, str]:
    """Return (function, kind, class): the deterministic key of an error."""
    assert step.error is not None
    kind = step.error.kind if _KIND.fullmatch(step.error.kind) else "Error"
    return step.function, kind, error_class(step)


def error_keys(trajectory: Trajectory) -> dict[tuple[str, ...], int]:
    """Return the signature of every failed environment call, with the index of its first occurrence."""
    found: dict[tuple[str, ...], int] = {}
    for index, step in enumerate(trajectory.steps):
        if step.error is not None and "." in step.function:
            found.setdefault(error_signature(step), index)
    return found


def _echoes(step: Step) -> Iterator[tuple[str, str]]:
    for name, value in step.arguments.items():
        yield from _leaves(name, value)


def _leaves(name: str, value: Json) -> Iterator[tuple[str, str]]:
    if isinstance(value, str) and len(value) >= 3 and name.isidentifier():
        yield name, value
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(name, item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(key, item)
