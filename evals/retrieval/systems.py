"""What is compared: plain searches, their fusion, and the default program."""

from __future__ import annotations

from nucleate_text_memory import Program
from nucleate_text_memory.retrieval import seed
from nucleate_text_memory.retrieval.program import Dense, Entity, Lexical

_ALL = 1_000
DEFAULT = "default"


def systems() -> dict[str, Program]:
    """Return the programs that are compared, by the name under which they are shown."""
    return {
        "BM25": Program(name="bm25", steps=(Lexical(limit=_ALL),)),
        "dense": Program(name="dense", steps=(Dense(limit=_ALL),)),
        "entity": Program(name="entity", steps=(Entity(limit=_ALL),)),
        "fused": seed("hybrid"),
        DEFAULT: seed(DEFAULT),
    }
