"""Budgets of one attempt: turns, tokens and money, each of which ends it in its own name."""

from __future__ import annotations

from dataclasses import dataclass

from nucleate_codifier.chat import Reply
from nucleate_sandbox import JsonObject


class OutOfBudget(Exception):
    """The attempt has used up what it was given: never a reason to register anything."""

    def __init__(self, what: str, message: str) -> None:
        super().__init__(message)
        self.what = what
        self.message = message


@dataclass(frozen=True, kw_only=True)
class Budget:
    """What one attempt may use, each above 0 (else a ValueError). `dollars` is None where money is no limit."""

    turns: int = 16
    tokens: int = 200_000
    dollars: float | None = None

    def __post_init__(self) -> None:
        if self.turns < 1 or self.tokens < 1 or (self.dollars is not None and self.dollars <= 0):
            raise ValueError(f"{self!r}: every budget must be above 0; leave dollars out for no limit of money")


class Spending:
    """Counts what an attempt uses, and ends it before the call that would begin beyond a budget."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self.turns = 0
        self.tokens = 0
        self.dollars = 0.0
        self.unpriced = 0

    @property
    def turns_left(self) -> int:
        return self._budget.turns - self.turns

    def check(self) -> None:
        """Raise OutOfBudget where one of the budgets is used up."""
        budget = self._budget
        if self.turns >= budget.turns:
            raise OutOfBudget("turns", f"all {budget.turns} turns are used")
        if self.tokens >= budget.tokens:
            raise OutOfBudget("tokens", f"{self.tokens} tokens are used of {budget.tokens}")
        if budget.dollars is not None and self.unpriced:
            raise OutOfBudget("price", f"the model's price is not known, so ${budget.dollars:g} cannot be kept")
        if budget.dollars is not None and self.dollars >= budget.dollars:
            raise OutOfBudget("money", f"${self.dollars:.4f} are spent of ${budget.dollars:g}")

    def charge(self, reply: Reply) -> None:
        """Count one turn with its tokens and its price."""
        self.turns += 1
        self.tokens += reply.tokens
        self.dollars += reply.dollars or 0.0
        self.unpriced += reply.dollars is None

    def to_json(self) -> JsonObject:
        """Return what was used; `dollars` is null where a call had no known price."""
        dollars = None if self.unpriced else round(self.dollars, 6)
        return {"turns": self.turns, "tokens": self.tokens, "dollars": dollars}
