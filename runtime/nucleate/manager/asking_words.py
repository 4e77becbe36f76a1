"""What a user's words ask for: verbs where a request has them, in clauses that do not negate them, and their objects.

"Post the hobbies that they sent by direct message" asks for posting; `sent` tells what was, `message` is a thing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from nucleate_text_memory.retrieval.words import words

_SENTENCE = re.compile(r"[.!?;\n]|, (?:but|and)\b|\bbut\b")
_NOT = re.compile(r"\b(?:not|no|never|without|(?:do|wo|did|does|is|ca)n['’]t|cannot|rather than)\b", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z]+")
_LEAD = frozenset(
    ("to", "please", "and", "or", "then", "also", "can", "could", "you", "let", "us", "we", "would", "d", "ll", "first")
) | {"instead", "kindly", "now", "just"}
"""Words after which a verb is asked for: please cancel, to cancel, could you cancel."""

_SAME = (
    ("modify", "update", "change", "edit", "switch", "correct", "adjust", "upgrade", "downgrade"),
    ("cancel", "void", "abort"),
    ("create", "add", "make", "book", "schedule", "open", "register", "reserve"),
    ("delete", "remove", "drop"),
    ("send", "post", "write", "mail", "email", "message", "forward", "pay", "transfer", "reply", "wire"),
    ("notify", "tell", "inform", "alert"),
    ("return", "refund"),
    ("exchange", "swap", "replace", "trade"),
    ("move", "reschedule", "shift", "postpone"),
    ("share", "invite", "grant"),
    ("resume", "enable", "activate", "restore", "fix"),
    ("suspend", "disable", "deactivate", "stop", "pause"),
)
_ALIKE = {verb: frozenset(alike) for alike in _SAME for verb in alike}
"""Verbs by which programs and people call the same: people change what a function modifies."""


@dataclass(frozen=True, kw_only=True)
class Demand:
    """How a user's words ask for what a function does: its verb as a request, its very own verb, its object's share.

    `refused` says that a clause negates it, and that nothing later asks for it again.
    """

    verb: bool = False
    own: bool = False
    thing: float = 0.0
    refused: bool = False

    @property
    def weight(self) -> float:
        """Return how clearly it is asked for, to be held against other functions."""
        return self.verb + 0.5 * self.own + self.thing


@dataclass(frozen=True)
class _Clause:
    words: frozenset[str]
    requests: frozenset[str]
    negated: bool


def asked_for(function: str, said: Sequence[str]) -> Demand:
    """Return how what a user said asks for a function. What a later clause negates is asked for no more."""
    verb, _, thing = function.rpartition(".")[2].partition("_")
    alike = _ALIKE.get(verb, frozenset()) | {verb}
    stems, things = _stems(alike), frozenset(words(thing.replace("_", " ")))
    found = Demand()
    for clause in (clause for text in said for clause in _clauses(text)):
        if clause.negated:
            found = Demand(refused=True) if stems & clause.words else found
        elif named := alike & clause.requests:
            share = len(things & clause.words) / max(1, len(things))
            found = Demand(verb=True, own=found.own or verb in named, thing=max(found.thing, share))
    return found


@lru_cache(maxsize=2048)
def _clauses(text: str) -> tuple[_Clause, ...]:
    return tuple(_clause(part) for part in _SENTENCE.split(text) if part.strip())


def _clause(text: str) -> _Clause:
    tokens = [token.lower() for token in _WORD.findall(text)]
    requests = (token for at, token in enumerate(tokens) if at == 0 or tokens[at - 1] in _LEAD)
    return _Clause(frozenset(words(text)), frozenset(requests), _NOT.search(text) is not None)


@lru_cache(maxsize=512)
def _stems(verbs: frozenset[str]) -> frozenset[str]:
    return frozenset(stem for verb in verbs for stem in words(verb))
