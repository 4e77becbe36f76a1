"""Prompts are Markdown files beside this module, rendered by one function and known by one hash."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from string import Template

FOLDER = Path(__file__).parent / "prompts"


class PromptError(ValueError):
    """A prompt was asked for that does not exist, or with other values than it names."""


def render(prompt: str, /, **values: str) -> str:
    """Return the named prompt with its `$placeholders` filled in; every one must be given, and no other."""
    template = _template(prompt)
    expected = set(template.get_identifiers())
    if expected != set(values):
        missing, unknown = sorted(expected - set(values)), sorted(set(values) - expected)
        raise PromptError(
            f"prompt {prompt!r}: missing values {missing!r}, unknown values {unknown!r}; give each by name"
        )
    return template.substitute(values)


@cache
def prompts_hash() -> str:
    """Return the hash of all prompt files, to be stored with what they produced."""
    digest = hashlib.sha256()
    for path in sorted(FOLDER.glob("*.md")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


@cache
def _template(name: str) -> Template:
    path = FOLDER / f"{name}.md"
    if not path.is_file():
        known = ", ".join(sorted(item.stem for item in FOLDER.glob("*.md")))
        raise PromptError(f"no prompt is named {name!r}; there are {known}")
    return Template(path.read_text(encoding="utf-8").strip())
