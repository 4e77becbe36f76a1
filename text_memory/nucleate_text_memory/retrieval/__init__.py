"""Retrieval: documents, their indexes, and programs of primitives that turn a query into an evidence view."""

from nucleate_text_memory.retrieval.collection import Collection
from nucleate_text_memory.retrieval.documents import Document, Query
from nucleate_text_memory.retrieval.program import PRIMITIVES, Program, Weights, read_program, seed, seeds
from nucleate_text_memory.retrieval.runner import EvidenceView, retrieve
from nucleate_text_memory.retrieval.view import Hit, Reason

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
