"""A long run's old observations, shortened: seldom and by much, so that a provider's cache of the front lasts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nucleate.executor.shortening import shortened
from nucleate_codifier.chat import Message, Role

LONGEST = 96_000  # characters of a conversation after its opening, about 24,000 tokens
OPENING, RECENT = 2, 8  # messages at the front and at the end that stay as they are
KEPT = 400  # characters of an old observation


def compacted(messages: Sequence[Message]) -> list[Message]:
    """Return a conversation within bounds: of the oldest observations head and tail, until half of it is free."""
    found = list(messages)
    size = sum(len(message.content) for message in found[OPENING:])
    if size <= LONGEST:
        return found
    for at in range(OPENING, len(found) - RECENT):
        if size <= LONGEST // 2:
            break
        short = shortened(found[at].content, KEPT) if found[at].role is Role.USER else found[at].content
        size -= len(found[at].content) - len(short)
        found[at] = replace(found[at], content=short)
    return found
