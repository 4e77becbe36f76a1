"""What happens in a conversation with an agent, whichever API or program wrote it down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from nucleate_text_memory.values import Json, JsonObject, StepError


@dataclass(frozen=True, kw_only=True)
class Said:
    """The user spoke."""

    text: str


@dataclass(frozen=True, kw_only=True)
class Replied:
    """The agent spoke to the user."""

    text: str


@dataclass(frozen=True, kw_only=True)
class AskedCall:
    """The agent called a function; the id pairs the call with its answer."""

    id: str | None
    name: str
    arguments: JsonObject


@dataclass(frozen=True, kw_only=True)
class Answered:
    """A call was answered; `name` is whose answer it is, where an API says that in place of an id.

    `refused` says that the user did not let the call happen.
    """

    id: str | None
    result: Json = None
    error: StepError | None = None
    refused: bool = False
    name: str | None = None


Happening: TypeAlias = Said | Replied | AskedCall | Answered
