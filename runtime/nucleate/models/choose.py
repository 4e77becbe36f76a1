"""Which codifiers write tools, as the settings say: the trace codifier, a model, or both."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from nucleate.errors import InputInvalid
from nucleate.models.capped import Capped
from nucleate.models.exchanges import Recorder, Replayer
from nucleate.models.lite import LiteLLMModel, Patience
from nucleate.models.traced import Traced
from nucleate.parts import Codifiers
from nucleate.settings import Settings
from nucleate_codifier.chat import ChatModel
from nucleate_codifier.model import Budget


def codifiers(settings: Settings, *, given: ChatModel | None = None) -> Codifiers:
    """Return who writes tools; a model that is handed in counts as named. InputInvalid where one is missing."""
    if settings.codifier == "trace":
        return Codifiers()
    model = given or _named(settings)
    if model is None and settings.codifier == "model":
        raise InputInvalid(
            "the codifier is 'model', but no model is named; set NUCLEATE_MODEL (such as openai/gpt-4o-mini), "
            "hand one to Runtime(model=…), or set NUCLEATE_CODIFIER to 'trace'"
        )
    budget = Budget(turns=settings.model_turns, tokens=settings.model_tokens, dollars=settings.model_dollars)
    return Codifiers(trace=settings.codifier != "model", model=_wrapped(model, settings), budget=budget)


def _named(settings: Settings) -> ChatModel | None:
    if settings.model is None:
        return None
    if importlib.util.find_spec("litellm") is None:
        raise InputInvalid(f"the model {settings.model!r} needs LiteLLM; pip install 'nucleate[llm]'")
    key = settings.model_key.get_secret_value() if settings.model_key is not None else None
    patience = Patience(timeout=settings.model_timeout)
    return LiteLLMModel(settings.model, url=settings.model_url, key=key, patience=patience)


def _wrapped(model: ChatModel | None, settings: Settings) -> ChatModel | None:
    """Cap what is asked anew, then record it; what was recorded before is answered from the file, at no cost."""
    if model is None:
        return None
    model = Traced(model)
    if settings.model_cap is not None:
        model = Capped(model, dollars=settings.model_cap)
    if settings.model_exchanges is None:
        return model
    path = Path(settings.model_exchanges)
    return Replayer(path, name=model.name, beyond=Recorder(model, path))
