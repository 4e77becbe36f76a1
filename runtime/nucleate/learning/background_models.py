"""What works behind the tasks: a model whose calls are charged to the day, and the reflector, as the settings say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from sqlalchemy import Engine

from nucleate.errors import InputInvalid
from nucleate.jobs.spending import Daily, DayLimits, Metered
from nucleate.learning.reviewing import Reflector
from nucleate.models.choose import NO_MODEL
from nucleate.settings.settings import Settings
from nucleate_codifier.chat import ChatModel
from nucleate_codifier.model import Budget


@dataclass(frozen=True, kw_only=True)
class Behind:
    """The day's account, the model on it if there is one, and the reflector if runs are reviewed."""

    daily: Daily
    model: ChatModel | None = None
    reflector: Reflector | None = None

    @classmethod
    def of(cls, engine: Engine, settings: Settings, model: ChatModel | None) -> Self:
        """Return it as the settings say; InputInvalid where they want a model and there is none."""
        daily = Daily(engine, _limits(settings))
        metered = None if model is None else Metered(model, daily)
        return cls(daily=daily, model=metered, reflector=_reflector(settings, metered, daily))


def _reflector(settings: Settings, model: ChatModel | None, daily: Daily) -> Reflector | None:
    if settings.reflection == "rules":
        return None
    if model is None:
        raise InputInvalid(f"the reflection is 'model', but {NO_MODEL}, or set NUCLEATE_REFLECTION to 'rules'")
    budget = Budget(turns=settings.reflection_turns, tokens=settings.reflection_tokens)
    return Reflector(model=model, budget=budget, daily=daily, recent=settings.reflection_recent)


def _limits(settings: Settings) -> DayLimits:
    return DayLimits(
        attempts=settings.background_attempts,
        tokens=settings.background_tokens,
        dollars=settings.background_dollars,
    )
