"""Prompts are Markdown files in the package that sends them, rendered by one function and known by one hash."""

from __future__ import annotations

import hashlib
from functools import cached_property
from pathlib import Path
from string import Template


class PromptError(ValueError):
    """A prompt was asked for that does not exist, or with other values than it names."""


class Prompts:
    """The prompts of one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def render(self, prompt: str, /, **values: str) -> str:
        """Return the named prompt with its `$placeholders` filled in; every one must be given, and no other."""
        template = self._template(prompt)
        expected = set(template.get_identifiers())
        if expected != set(values):
            missing, unknown = sorted(expected - set(values)), sorted(set(values) - expected)
            raise PromptError(
                f"prompt {prompt!r}: missing values {missing!r}, unknown values {unknown!r}; give each by name"
            )
        return template.substitute(values)

    @cached_property
    def hash(self) -> str:
        """Return the hash of all prompt files, to be stored with what they produced."""
        digest = hashlib.sha256()
        for path in sorted(self._folder.glob("*.md")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
        return digest.hexdigest()

    def _template(self, name: str) -> Template:
        if name not in self._templates:
            known = ", ".join(sorted(self._templates))
            raise PromptError(f"no prompt is named {name!r}; there are {known}")
        return self._templates[name]

    @cached_property
    def _templates(self) -> dict[str, Template]:
        files = sorted(self._folder.glob("*.md"))
        return {path.stem: Template(path.read_text(encoding="utf-8").strip()) for path in files}


_OWN = Prompts(Path(__file__).parent / "prompts")
render = _OWN.render


def prompts_hash() -> str:
    """Return the hash of the codifier's prompts."""
    return _OWN.hash
