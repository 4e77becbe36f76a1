"""Retrieval: documents, their indexes, and programs of primitives that turn a query into an evidence view."""

import importlib
import typing

if typing.TYPE_CHECKING:
    from nucleate_text_memory.retrieval.collection import Collection
    from nucleate_text_memory.retrieval.documents import Document, Query, Reason
    from nucleate_text_memory.retrieval.program import PRIMITIVES, Program, Weights, read_program, seed, seeds
    from nucleate_text_memory.retrieval.runner import EvidenceView, retrieve
    from nucleate_text_memory.retrieval.view import Hit
else:
    _PLACES = {
        "Collection": "collection",
        "Document": "documents",
        "EvidenceView": "runner",
        "Hit": "view",
        "PRIMITIVES": "program",
        "Program": "program",
        "Query": "documents",
        "Reason": "documents",
        "Weights": "program",
        "read_program": "program",
        "retrieve": "runner",
        "seed": "program",
        "seeds": "program",
    }

    def __getattr__(name: str) -> object:
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"{__name__}.{_PLACES[name]}"), name)


__all__ = [
    "PRIMITIVES",
    "Collection",
    "Document",
    "EvidenceView",
    "Hit",
    "Program",
    "Query",
    "Reason",
    "Weights",
    "read_program",
    "retrieve",
    "seed",
    "seeds",
]
