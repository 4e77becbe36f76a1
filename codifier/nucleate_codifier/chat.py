"""The seam to a language model: messages in, one reply out, and what it cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeAlias

from pydantic import BaseModel


class ModelError(Exception):
    """No reply is to be had now: an outage or a cap, never something that the model said."""


class ModelUnavailable(ModelError):
    """The provider did not answer, or answered with an error, after every retry."""


class CostCapReached(ModelError):
    """The next call could go beyond the money that may be spent."""


class Malformed(ValueError):
    """A reply is not what was asked for; the message says exactly why, for the model to correct."""


class Role(StrEnum):
    """Who speaks in a conversation."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


class ReplyEnding(StrEnum):
    """How a reply ended: by itself, at the provider's output limit, or as a refusal."""

    COMPLETE = "complete"
    LENGTH = "length"
    REFUSAL = "refusal"


@dataclass(frozen=True, kw_only=True)
class Message:
    """One message of a conversation."""

    role: Role
    content: str


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What a model said, and what it took. `dollars` is None where the price of the model is not known."""

    text: str
    ending: ReplyEnding = ReplyEnding.COMPLETE
    model: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    dollars: float | None = None

    @property
    def tokens(self) -> int:
        """Return the tokens of prompt and reply together."""
        return self.prompt_tokens + self.completion_tokens


class ChatModel(Protocol):
    """Answers a conversation; `schema` asks for a JSON object of that shape, as far as the provider can promise it."""

    @property
    def name(self) -> str: ...
    def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Reply:
        """Return the next reply; raise ModelError where none is to be had."""
        ...


Line: TypeAlias = str | Reply | ModelError
Script: TypeAlias = Iterable[Line] | Callable[[Sequence[Message]], Line]


class ScriptedModel:
    """A model without a model: replies from a script, or by a function of the conversation; `asked` remembers all."""

    def __init__(self, script: Script, *, name: str = "scripted") -> None:
        self._name = name
        self._answer = script if callable(script) else _in_order(script)
        self.asked: list[tuple[Message, ...]] = []

    @property
    def name(self) -> str:
        return self._name

    def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Reply:  # noqa: ARG002
        """Return the scripted reply; raise the scripted error, or ModelUnavailable where the script has ended."""
        self.asked.append(tuple(messages))
        line = self._answer(messages)
        if isinstance(line, ModelError):
            raise line
        return line if isinstance(line, Reply) else Reply(text=line, model=self._name, dollars=0.0)


def _in_order(script: Iterable[Line]) -> Callable[[Sequence[Message]], Line]:
    lines = iter(script)

    def answer(_messages: Sequence[Message]) -> Line:
        return next(lines, ModelUnavailable("the script has no reply left; add one"))

    return answer
