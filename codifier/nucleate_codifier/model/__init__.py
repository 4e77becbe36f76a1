"""The model codifier: a language model writes helpers for a plan; recordings and gates judge them."""

import typing

from nucleate_sandbox.lazy import lazily as _lazily

if typing.TYPE_CHECKING:
    from nucleate_codifier.model.attempt import Attempt, Tools, codify_with_model
    from nucleate_codifier.model.brief import Brief, NumberedQuery, Rank, Records, prepare
    from nucleate_codifier.model.budget import Budget
    from nucleate_codifier.model.judging import HelperJudge, JudgedHelper
    from nucleate_codifier.model.prompting import PromptError, prompts_hash, render
    from nucleate_codifier.model.workshop import Workshop
else:
    _PLACES = {
        "Attempt": "attempt",
        "Brief": "brief",
        "Budget": "budget",
        "HelperJudge": "judging",
        "JudgedHelper": "judging",
        "PromptError": "prompting",
        "NumberedQuery": "brief",
        "Rank": "brief",
        "Records": "brief",
        "Tools": "attempt",
        "Workshop": "workshop",
        "codify_with_model": "attempt",
        "prepare": "brief",
        "prompts_hash": "prompting",
        "render": "prompting",
    }
    __getattr__ = _lazily(__name__, {name: f"{__name__}.{module}" for name, module in _PLACES.items()})

__all__ = [
    "Attempt",
    "Brief",
    "Budget",
    "HelperJudge",
    "JudgedHelper",
    "NumberedQuery",
    "PromptError",
    "Rank",
    "Records",
    "Tools",
    "Workshop",
    "codify_with_model",
    "prepare",
    "prompts_hash",
    "render",
]
