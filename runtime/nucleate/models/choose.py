"""Which model is asked, and which codifiers write tools, as the settings say."""

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

NO_MODEL = "no model is named; set NUCLEATE_MODEL (such as openai/gpt-4o-mini), or hand one to Runtime(model=…)"


def codifiers(settings: Settings, *, model: ChatModel | None) -> Codifiers:
    """Return who writes tools; InputInvalid where the settings want a model and there is none."""
    if settings.codifier == "trace":
        return Codifiers()
    if model is None and settings.codifier == "model":
        raise InputInvalid(f"the codifier is 'model', but {NO_MODEL}, or set NUCLEATE_CODIFIER to 'trace'")
    budget = Budget(turns=settings.model_turns, tokens=settings.model_tokens, dollars=settings.model_dollars)
    return Codifiers(trace=settings.codifier != "model", model=model, budget=budget)


def chat_model(settings: Settings, *, given: ChatModel | None = None) -> ChatModel | None:
    """Return the model that is handed in, or that the settings name, within its cap and traced; None without one."""
    return _wrapped(given or _named(settings), settings)


def required(model: ChatModel | None) -> ChatModel:
    """Return a model; InputInvalid where there is none."""
    if model is None:
        raise InputInvalid(f"a run needs a model, but {NO_MODEL}")
    return model


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
