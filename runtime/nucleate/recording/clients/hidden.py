"""What was said between the model and our tools behind an agent's back, put back into the histories it sends."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Protocol, TypeAlias

from nucleate.recording.clients.stand_in import fingerprint

Message: TypeAlias = dict[str, Any]


class Joins(Protocol):
    """How a provider writes calls and their answers."""

    def call_ids(self, message: Message) -> Collection[str]:
        """Return the ids of the calls in an assistant's message."""
        ...

    def joined(self, answers: list[Message], following: Message | None) -> list[Message]:
        """Return answers with the message that follows, in the form that the provider wants."""
        ...

    def kept_by(self, reply: list[Message], ours: Collection[str]) -> tuple[frozenset[str], list[Message]]:
        """Return the ids of the message in a history that shows what is left of a reply, and what to put there."""
        ...


class Hidden:
    """Exchanges by the history after which they were held, and calls of ours by the agent's calls beside them."""

    def __init__(self, joins: Joins) -> None:
        self._joins = joins
        self._after: dict[str, list[Message]] = {}
        self._beside: dict[frozenset[str], tuple[list[Message], list[Message]]] = {}
        self._owed: dict[str, list[Message]] = {}

    def after(self, shown: Sequence[Message], exchanged: Sequence[Message]) -> None:
        """Remember what was exchanged after a history as the agent sent it."""
        if exchanged:
            self._after[_digests(shown)[-1]] = list(exchanged)

    def beside(self, reply_id: str, reply: list[Message], ours: Collection[str], answers: list[Message]) -> None:
        """Remember a reply from which our calls were taken, and their answers."""
        shown, whole = self._joins.kept_by(reply, ours)
        self._beside[shown] = whole, answers
        if reply_id:
            self._owed[reply_id] = answers

    def owed(self, request: dict[str, Any]) -> list[Message]:
        """Return the answers that a request must bring which goes on from a reply without its history."""
        return self._owed.get(str(request.get("previous_response_id")), [])

    def restored(self, shown: Sequence[Message]) -> list[Message]:
        """Return a history as the model knows it."""
        return [*self._restored(shown)]

    def _restored(self, shown: Sequence[Message]) -> Iterator[Message]:
        digests = _digests(shown)
        yield from self._after.get(digests[0], ())
        owed: list[Message] = []
        for message, digest in zip(shown, digests[1:], strict=True):
            ids = frozenset(self._joins.call_ids(message))
            whole, answers = self._beside.get(ids, ([message], [])) if ids else ([message], [])
            yield from [*self._joins.joined(owed, whole[0]), *whole[1:]] if owed else whole
            owed = answers
            yield from self._after.get(digest, ())
        yield from self._joins.joined(owed, None) if owed else ()


def _digests(messages: Sequence[Message]) -> list[str]:
    """Return a digest of every beginning of a history, the empty one first."""
    running = hashlib.sha256()
    found = [running.hexdigest()]
    for message in messages:
        running.update(fingerprint(message).encode() + b"\n")
        found.append(running.hexdigest())
    return found
