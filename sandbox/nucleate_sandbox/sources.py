"""Source text that no interpreter can read: half of a surrogate pair can be neither sent nor compiled."""

from __future__ import annotations

from collections.abc import Iterable

from nucleate_sandbox.outcome import Failure
from nucleate_sandbox.protocol import Module


def unreadable(texts: Iterable[str]) -> Failure | None:
    """Return the failure of a program with such a text, or None."""
    for text in texts:
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            message = f"the source holds half of a surrogate pair, {text[error.start]!r}, as character {error.start}"
            return Failure(kind="SyntaxError", message=message)
    return None


def texts_of(module: Module) -> list[str]:
    """Return every text of a module and its dependencies."""
    return [text for item in (*module.dependencies, module) for text in (item.name, item.source)]
