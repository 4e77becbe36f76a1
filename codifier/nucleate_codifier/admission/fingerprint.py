"""The hash of everything that a verdict depends on: equal hashes mean that judging again would say the same.

What a live environment would answer has no name, so it counts by its functions; a recording counts whole.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping, Set
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable

from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.values import Decision, Verdict
from nucleate_sandbox import Environment, Json, JsonObject, RecordedEnvironment, canonical
from nucleate_sandbox.docker.images.tags import image_tag

# What else decides: the packages that hold the judge, and the libraries that it asks.
CODE = ("nucleate_codifier", "nucleate_sandbox", "nucleate_text_memory", "nucleate_tool_library")
LIBRARIES = (
    "nucleate",
    "detect-secrets",
    "docstring-parser",
    "hypothesis",
    "jsonschema",
    "libcst",
    "mypy",
    "packaging",
    "pydantic",
    "pydantic-core",
    "pydantic-monty",
    "referencing",
    "RestrictedPython",
)


def fingerprint(subject: Subject) -> str:
    """Return 64 hexadecimal digits for a candidate with everything that it is judged against, and for the judge."""
    grounds: JsonObject = {
        "candidate": _plain(subject.candidate),
        "evidence": _plain(subject.evidence),
        "library": _library(subject),
        "environment": _environment(subject),
        "policy": _plain(subject.policy),
        "sandbox": {"name": subject.sandbox.name, "final": subject.sandbox.final, "image": image_tag()},
        "judge": judge_version(),
    }
    return hashlib.sha256(canonical(grounds).encode("utf-8", "surrogatepass")).hexdigest()


def lasts(verdict: Verdict) -> bool:
    """Return whether equal grounds would give this verdict on another day: no outage, no gate out of time."""
    late = any(finding.rule.endswith("/timeout") for finding in verdict.findings)
    return bool(verdict.depends_on) and verdict.decision is not Decision.UNJUDGED and not late


@cache
def judge_version() -> str:
    """Return the hash of the judge itself: its code, the libraries that it asks, and the interpreter."""
    parts = [sys.version, *(f"{name} {version(name)}" for name in LIBRARIES)]
    parts += [text for package in CODE for text in _texts(files(package), package)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _texts(folder: Traversable, path: str) -> list[str]:
    found: list[str] = []
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        if item.is_dir() and item.name != "__pycache__":
            found += _texts(item, f"{path}/{item.name}")
        elif item.name.endswith(".py"):
            found.append(f"{path}/{item.name}\n{item.read_text(encoding='utf-8')}")
    return found


def _library(subject: Subject) -> JsonObject:
    library = subject.library
    tools = {name: _plain(replace(item, verdict={})) for name, item in library.tools.items()}
    similar = library.similar.model if library.similar else None
    return {"tools": tools, "unusable": _plain(library.unusable), "similar": similar}


def _environment(subject: Subject) -> JsonObject:
    view = subject.environment
    return {"name": view.name, "functions": _plain(view.functions), "live": _live(view.live)}


def _live(environment: Environment | None) -> Json:
    if isinstance(environment, RecordedEnvironment):
        return {"functions": _plain(environment.functions), "calls": _plain(environment.calls)}
    return None if environment is None else {"functions": _plain(environment.functions)}


def _plain(value: object) -> Json:
    """Return any value of ours as JSON; fields that do not count in a comparison do not count here."""
    match value:
        case Enum():
            return _plain(value.value)
        case None | bool() | int() | float() | str():
            return value
        case Mapping():
            return {str(key): _plain(item) for key, item in value.items()}
        case Set():
            return sorted((_plain(item) for item in value), key=canonical)
        case tuple() | list():
            return [_plain(item) for item in value]
        case _ if is_dataclass(value):
            return {field.name: _plain(getattr(value, field.name)) for field in fields(value) if field.compare}
        case _:
            raise TypeError(f"{value!r} has no place in a fingerprint; give it as plain data")
