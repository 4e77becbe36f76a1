"""Secrets by reference: `env:NAME`, `file:PATH` or a function; read when they are needed, kept nowhere."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

from nucleate.errors import InputInvalid
from nucleate_sandbox import Json

Secret: TypeAlias = str | Callable[[], str]
"""A reference, or a function that returns the secret (such as a look-up in a keyring)."""

HIDDEN = "[secret]"
_SHORTEST = 4  # a shorter text would be hidden wherever its letters occur
_KINDS = ("env", "file")


def read_secret(secret: Secret) -> str:
    """Return what a reference stands for; InputInvalid names the reference, never the secret."""
    if callable(secret):
        return secret()
    kind, _, rest = secret.partition(":")
    if kind == "env" and rest in os.environ:
        return os.environ[rest]
    if kind == "file" and rest:
        return _from_file(Path(rest))
    if kind == "env" and rest:
        raise InputInvalid(f"the environment variable {rest!r} is not set; the secret {secret!r} stands in it")
    raise InputInvalid("a secret is given as env:NAME or file:PATH, never as itself")


def is_reference(text: str) -> bool:
    """Return whether a text has the form of a reference."""
    kind, _, rest = text.partition(":")
    return kind in _KINDS and bool(rest)


class Redactor:
    """Hides known secrets in what leaves an environment."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._known = sorted({text for text in secrets if len(text) >= _SHORTEST}, key=len, reverse=True)

    @property
    def knows(self) -> bool:
        """Return whether there is anything to hide."""
        return bool(self._known)

    def hide(self, text: str) -> str:
        """Return the text without the secrets."""
        for secret in self._known:
            text = text.replace(secret, HIDDEN)
        return text

    def clean(self, value: Json) -> Json:
        """Return a value without the secrets, in its texts and in its keys."""
        if isinstance(value, str):
            return self.hide(value)
        if isinstance(value, list):
            return [self.clean(item) for item in value]
        if isinstance(value, dict):
            return {self.hide(key): self.clean(item) for key, item in value.items()}
        return value


def read_all(values: Mapping[str, Secret]) -> dict[str, str]:
    """Return the values with each reference read; a text that is no reference stands for itself."""
    return {
        name: value if isinstance(value, str) and not is_reference(value) else read_secret(value)
        for name, value in values.items()
    }


def _from_file(path: Path) -> str:
    try:
        return path.expanduser().read_text(encoding="utf-8").strip()
    except (OSError, UnicodeError) as error:
        raise InputInvalid(f"the secret 'file:{path}' cannot be read: {error}") from error
