"""Whether a whole sentence stands in the steps that it cites: every function, argument and value that it names."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence

from nucleate_text_memory import Step
from nucleate_text_memory.entries.orders import override_in
from nucleate_text_memory.values import Json

_QUOTED = re.compile(r"`([^`\n]+)`|\"([^\"\n]+)\"|(?<!\w)'([^'\n]+)'(?!\w)")
_DOTTED = re.compile(r"\b[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+\b")
_SNAKE = re.compile(r"\b[A-Za-z]+(?:_[A-Za-z0-9]+)+\b")
_MARK = re.compile(r"\b[\w.+-]+@[\w.-]+\b|https?://\S+|\b[A-Za-z]*\d[\w-]*\b")
_WORD = re.compile(r"[^\W\d_]{4,}")
_SHARED = 3  # words of an order that are found in nothing else: then the order speaks


def ungrounded(said: str, steps: Sequence[Step], functions: Collection[str]) -> list[str]:
    """Return the names and values of a text that stand in none of these steps; `functions` are names of functions."""
    text = "\n".join(_whole(step) for step in steps).casefold()
    called = {step.function for step in steps}
    bare = {name.rpartition(".")[2] for name in called}
    missing = [name for name in _named(said) if name.casefold() not in text]
    others = {name.rpartition(".")[2]: name for name in functions if name not in called}
    words = set(re.findall(r"\w+", said))
    strangers = [name for last, name in others.items() if last in words - bare and "_" in last and last not in missing]
    return list(dict.fromkeys([*missing, *strangers]))


def ordered(said: str, cited: Sequence[Step], all_steps: Sequence[Step]) -> str | None:
    """Return the function in whose answer an order stands that speaks through a text; None where none does.

    What is grounded in other steps' own calls and errors alone is honest, though an order stood elsewhere in the run.
    """
    own = "\n".join(_own(step) for step in cited).casefold()
    words = {word for word in _WORD.findall(said.casefold()) if word not in own}
    for step in all_steps:
        if not any(override_in(text) for text in _texts(step)):
            continue
        order = set(_WORD.findall(" ".join(_texts(step)).casefold()))
        if step in cited or len(words & order) >= _SHARED or _marks(said) & _marks(" ".join(_texts(step))):
            return step.function
    return None


def _named(said: str) -> Iterator[str]:
    for found in _QUOTED.finditer(said):
        yield next(group for group in found.groups() if group is not None).removesuffix("()")
    yield from (found[0].rstrip(".") for found in _MARK.finditer(said))
    rest = _MARK.sub(" ", said)
    for pattern in (_DOTTED, _SNAKE):
        yield from (found[0] for found in pattern.finditer(rest))


def _marks(text: str) -> set[str]:
    return {found[0].casefold() for found in _MARK.finditer(text)}


def _whole(step: Step) -> str:
    return f"{_own(step)}\n{json.dumps(step.result, ensure_ascii=False)}"


def _own(step: Step) -> str:
    """Return what the agent itself did, and how it failed: no word of an answer."""
    error = f"{step.error.kind}: {step.error.message}" if step.error is not None else ""
    return f"{step.function}\n{json.dumps(step.arguments, ensure_ascii=False)}\n{error}"


def _texts(step: Step) -> tuple[str, ...]:
    return (step.error.message,) if step.error is not None else tuple(_leaves(step.result))


def _leaves(value: Json) -> Iterator[str]:
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        yield str(value)
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _leaves(item)
