"""What an entry says, by kind: a plan's steps, a fact's triple, a pitfall's lesson; and the words they are shown in."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import Any, TypeAlias


@dataclass(frozen=True, kw_only=True)
class PlanContent:
    """What to do, when, how to see that it worked, and where it ends."""

    steps: tuple[str, ...]
    trigger: str
    verification: str = ""
    boundary: str = ""


@dataclass(frozen=True, kw_only=True)
class FactContent:
    """A property of the environment that no single task made: subject, predicate, value."""

    subject: str
    predicate: str
    value: str


@dataclass(frozen=True, kw_only=True)
class PitfallContent:
    """What leads to a mistake, the mistake, and what comes of it."""

    trigger: str
    mistake: str
    consequence: str


Content: TypeAlias = PlanContent | FactContent | PitfallContent
_BY_KIND: dict[str, type[Content]] = {"plan": PlanContent, "fact": FactContent, "pitfall": PitfallContent}


def title_of(content: Content) -> str:
    """Return one line that names the entry."""
    match content:
        case PlanContent():
            return content.trigger
        case FactContent():
            return f"{content.subject}: {content.predicate}"
        case PitfallContent():
            return content.mistake


def body_of(content: Content) -> str:
    """Return the text that is embedded, searched and shown."""
    match content:
        case PlanContent():
            steps = [f"{number}. {step}" for number, step in enumerate(content.steps, start=1)]
            ends = [("Verify", content.verification), ("Boundary", content.boundary)]
            return "\n".join([*steps, *(f"{name}: {text}" for name, text in ends if text)])
        case FactContent():
            return f"{content.subject} {content.predicate} {content.value}"
        case PitfallContent():
            return f"Trigger: {content.trigger}\nMistake: {content.mistake}\nConsequence: {content.consequence}"


def to_text(content: Content | None) -> str:
    """Return the content as JSON text; "" for an entry whose body is all that there is."""
    return "" if content is None else json.dumps(asdict(content), sort_keys=True, separators=(",", ":"))


def from_text(kind: str, text: str) -> Content | None:
    """Return the content of JSON text that `to_text` wrote."""
    return content_from(kind, json.loads(text)) if text else None


def content_from(kind: str, values: dict[str, object]) -> Content:
    """Return the content of a kind; ValueError names a field that is missing, unknown or no text."""
    shape = _BY_KIND[kind]
    known = {field.name for field in fields(shape)}
    wrong = sorted(values.keys() - known)
    if wrong:
        raise ValueError(f"a {kind} has no field {wrong[0]!r}; it has {', '.join(sorted(known))}")
    checked: dict[str, Any] = {name: _checked(name, value) for name, value in values.items()}
    try:
        return shape(**checked)
    except TypeError as error:
        raise ValueError(f"a {kind} needs {', '.join(sorted(known))}: {error}") from error


def _checked(name: str, value: object) -> object:
    if name == "steps" and isinstance(value, list) and all(isinstance(step, str) for step in value):
        return tuple(value)
    if name == "steps" or not isinstance(value, str):
        raise ValueError(f"field {name!r} is {value!r}; steps are a list of texts, every other field a text")
    return value
