"""Says why a document was found: the primitive, its score, and what was matched."""

from __future__ import annotations

import re

from nucleate_text_memory.retrieval.documents import Reason
from nucleate_text_memory.retrieval.view import View
from nucleate_text_memory.retrieval.words import words

_TOLD = 4
_WORD = re.compile(r"[^\W_]+")


def reasons(view: View, position: int) -> tuple[Reason, ...]:
    """Return every reason for a candidate, in the order of the program."""
    searched = [
        Reason(primitive=name, score=round(ranking[position], 6), why=_matched(view, name, position))
        for name, ranking in view.rankings.items()
        if position in ranking
    ]
    return (*searched, *view.led.get(position, ()), *_weighed(view, position))


def _matched(view: View, search: str, position: int) -> str:
    document = view.collection.documents[position]
    if search == "lexical":
        return "words " + ", ".join(_shared_words(document.text, set(view.asked.content)))
    if search == "entity":
        return "entities " + ", ".join(view.collection.entities.shared(view.asked.entities, position))
    return "meaning"


def _shared_words(text: str, wanted: set[str]) -> list[str]:
    found = (word for word in _WORD.findall(text) if wanted.intersection(words(word)))
    return list(dict.fromkeys(word.lower() for word in found))


def _weighed(view: View, position: int) -> tuple[Reason, ...]:
    if position not in view.parts:
        return ()
    parts = sorted(
        zip(view.features, view.parts[position].tolist(), strict=True), key=lambda part: (-abs(part[1]), part[0])
    )[:_TOLD]
    why = ", ".join(f"{name} {value:+.2f}" for name, value in parts)
    return (Reason(primitive="rescore", score=view.scores[position], why=why),)
