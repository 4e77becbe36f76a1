"""Where one task ends and the next begins: what a user's turn is to the work before it."""

from __future__ import annotations

import re
from enum import StrEnum

_CORRECTION = re.compile(
    r"(?:no|nope|wrong|stop|undo|revert|wait|actually|instead|not (?:that|what|like|quite))\b"
    r"|(?:that|this|it)(?:'s| is| was)? (?:not|still|wrong|broken|n't)\b"
    r"|(?:that|this|it) (?:didn't|doesn't|did not|does not|still|fails|failed|broke)\b"
    r"|i (?:meant|said|asked (?:you )?(?:for|to)|wanted)\b|you (?:forgot|missed|broke|should have|were supposed)\b"
    r"|(?:try|do it|do that) again\b|still (?:not|fail|broken|wrong)",
    re.IGNORECASE,
)
_FOLLOW_UP = re.compile(
    r"(?:y|yes|yep|yeah|ok|okay|sure|go(?: ahead| on)?|continue|proceed|please do|do it|do that|thanks?|thank you|great"
    r"|good|perfect|lgtm|looks good|correct|right|exactly|fine|1|2|3|a|b|c)\b[\s.!,]*"
    r"(?:(?:go ahead|continue|proceed|do it|do that|please|thanks?|thank you)[\s.!,]*)*$",
    re.IGNORECASE,
)
_JOINED = re.compile(r"(?:and|also|then|now also|plus|one more thing)\b", re.IGNORECASE)
_ANSWER_WORDS = 30  # a longer text after a question asks for something of its own


class UserTurn(StrEnum):
    """What a user's turn is: a task of its own, more of the one before, or its correction."""

    NEW = "new"
    FOLLOW_UP = "follow-up"
    CORRECTION = "correction"


def turn_of(text: str, *, last_reply: str = "") -> UserTurn:
    """Return what a turn is; a short one after a question of the agent answers it."""
    words = text.strip()
    if _CORRECTION.match(words):
        return UserTurn.CORRECTION
    asked = last_reply.rstrip().endswith("?") and len(words.split()) <= _ANSWER_WORDS
    if asked or _FOLLOW_UP.match(words) or _JOINED.match(words):
        return UserTurn.FOLLOW_UP
    return UserTurn.NEW
