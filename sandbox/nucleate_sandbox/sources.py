"""What a caller hands in and no sandbox can take: said before a container or an interpreter is asked for."""

from __future__ import annotations

from collections.abc import Iterable

from nucleate_sandbox.copies import copied
from nucleate_sandbox.json_values import ARGUMENTS_DEPTH, MAX_BYTES, JsonError, JsonObject
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


def unsendable(arguments: JsonObject) -> Failure | None:
    """Return the failure of a call whose own arguments are no JSON, too deep or too large, or None."""
    try:
        copied(arguments, MAX_BYTES, max_depth=ARGUMENTS_DEPTH)
    except JsonError as error:
        return Failure(kind="InvalidArguments", message=f"the arguments of the call: {error}")
    return None


def texts_of(module: Module) -> list[str]:
    """Return every text of a module and its dependencies."""
    return [text for item in (*module.dependencies, module) for text in (item.name, item.source)]
