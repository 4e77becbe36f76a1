"""A conversation that asks until a reply can be read: each question is a turn, each fault is told word by word."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel

from nucleate_codifier.chat import ChatModel, Malformed, Message, Reply, Role
from nucleate_codifier.model.budget import Spending
from nucleate_codifier.model.prompting import render
from nucleate_codifier.replies.reading import read_reply

T = TypeVar("T", bound=BaseModel)


class Conversation:
    """Messages that only grow, so that providers can cache what stands in front."""

    def __init__(self, model: ChatModel, spending: Spending, *opening: Message) -> None:
        self._model = model
        self._spending = spending
        self._messages = list(opening)
        self._ignored: tuple[str, ...] = ()

    def tell(self, text: str) -> None:
        """Add what the model is told next, first of all what of its last reply was not carried out."""
        if self._ignored:
            lines = "\n".join(f"* {item}" for item in self._ignored)
            text = f"{render('first_only', lines=lines)}\n\n{text}"
        self._ignored = ()
        self._messages.append(Message(role=Role.USER, content=text))

    def ask(self, schema: type[T]) -> T:
        """Return the model's next readable reply; raise OutOfBudget or ModelError."""
        while True:
            reply = self._next(schema)
            try:
                read = read_reply(reply, schema)
            except Malformed as fault:
                self.tell(render("malformed", problems=str(fault)))
            else:
                self._ignored = read.ignored
                return read.value

    def _next(self, schema: type[BaseModel]) -> Reply:
        self._spending.check()
        reply = self._model.complete(tuple(self._messages), schema=schema)
        self._spending.charge(reply)
        # Providers refuse an empty message in the middle of a conversation.
        self._messages.append(Message(role=Role.ASSISTANT, content=reply.text or "(nothing)"))
        return reply
