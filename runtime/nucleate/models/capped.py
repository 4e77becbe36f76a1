"""A cap on what a model may cost: reached in the middle, it stops what is under way with an error of its own."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from pydantic import BaseModel

from nucleate_codifier.chat import ChatModel, CostCapReached, Message, Reply


class Capped:
    """A model that may spend so many dollars, and no call more. Where the price is unknown no cap can be kept."""

    def __init__(self, model: ChatModel, *, dollars: float) -> None:
        self._model = model
        self._cap = dollars
        self._lock = threading.Lock()
        self.spent = 0.0

    @property
    def name(self) -> str:
        return self._model.name

    def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Reply:
        """Return the model's reply; raise CostCapReached before a call that would begin at or beyond the cap."""
        with self._lock:
            if self.spent >= self._cap:
                raise CostCapReached(
                    f"${self.spent:.4f} are spent on {self.name!r}, the cap is ${self._cap:g}; "
                    "raise NUCLEATE_MODEL_CAP, or go on tomorrow"
                )
            reply = self._model.complete(messages, schema=schema)
            if reply.dollars is None:
                raise CostCapReached(
                    f"the price of {self.name!r} is not known, so a cap of ${self._cap:g} cannot be kept; "
                    "unset NUCLEATE_MODEL_CAP (turns and tokens are bounded all the same), or choose another model"
                )
            self.spent += reply.dollars
            return reply
