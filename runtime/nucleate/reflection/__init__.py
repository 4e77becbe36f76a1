"""Reflection on a completed task by a model: a bounded agent that looks, probes and proposes (Metis §3.2)."""

from nucleate.reflection.compact import compact, truncated
from nucleate.reflection.gates import Gates
from nucleate.reflection.inspection import ReviewDesk
from nucleate.reflection.reflector import PROMPTS, Review, reflect_with_model
from nucleate.reflection.writing import write

__all__ = ["PROMPTS", "Gates", "Review", "ReviewDesk", "compact", "reflect_with_model", "truncated", "write"]
