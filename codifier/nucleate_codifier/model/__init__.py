"""The model codifier: a language model writes helpers for a plan; recordings and gates judge them."""

from nucleate_codifier.model.attempt import Attempt, Tools, codify_with_model
from nucleate_codifier.model.brief import Brief, Query, Rank, Records, prepare
from nucleate_codifier.model.budget import Budget
from nucleate_codifier.model.judging import Court, Judged
from nucleate_codifier.model.prompting import PromptError, prompts_hash, render
from nucleate_codifier.model.workshop import Workshop

__all__ = [
    "Attempt",
    "Brief",
    "Budget",
    "Court",
    "Judged",
    "PromptError",
    "Query",
    "Rank",
    "Records",
    "Tools",
    "Workshop",
    "codify_with_model",
    "prepare",
    "prompts_hash",
    "render",
]
