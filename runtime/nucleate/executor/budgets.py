"""What one run may use, what it has used, and the ending that each limit is."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum

from nucleate.errors import InputInvalid
from nucleate_codifier.chat import Reply


class RunEnding(StrEnum):
    """How a run ended: by `finish`, at a budget, or because the model or a machine was of no use."""

    FINISHED = "finished"
    STEPS = "steps"
    TOKENS = "tokens"
    TIME = "time"
    COST = "cost"
    MALFORMED = "malformed"
    OUTAGE = "outage"


@dataclass(frozen=True, kw_only=True)
class Budgets:
    """What a run may use, each above 0 (else InputInvalid); `dollars` is None where money is no limit.

    A step is one action that was carried out. No reply is asked for once a budget is used up; an action under way is
    not cut, and bounded by the sandbox's own limits.
    """

    steps: int = 30
    tokens: int = 400_000
    seconds: float = 600.0
    dollars: float | None = None

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            if value is not None and not value > 0:
                raise InputInvalid(f"the budget {item.name}={value!r} must be above 0; leave it out for the default")


@dataclass(frozen=True, kw_only=True)
class RunSpent:
    """What a run has used so far. `dollars` is None as soon as one reply had no known price."""

    steps: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    model_seconds: float = 0.0
    dollars: float | None = 0.0

    @property
    def tokens(self) -> int:
        """Return the tokens of prompts and replies together."""
        return self.prompt_tokens + self.completion_tokens

    def over(self, budgets: Budgets) -> RunEnding | None:
        """Return the budget that is used up. A cap on dollars cannot be kept while the price is not known."""
        if self.steps >= budgets.steps:
            return RunEnding.STEPS
        if self.tokens >= budgets.tokens:
            return RunEnding.TOKENS
        if self.seconds >= budgets.seconds:
            return RunEnding.TIME
        if budgets.dollars is not None and (self.dollars is None or self.dollars >= budgets.dollars):
            return RunEnding.COST
        return None


def dollars_of(spent: float | None, reply: Reply) -> float | None:
    """Return what was spent with one more reply; None where a price is not known."""
    return None if spent is None or reply.dollars is None else spent + reply.dollars
