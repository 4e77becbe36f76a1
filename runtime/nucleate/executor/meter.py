"""Counts what a run uses, and says when it is enough."""

from __future__ import annotations

from dataclasses import replace

from nucleate.executor.budgets import Budgets, RunEnding, RunSpent, dollars_of
from nucleate.executor.clock import Clock
from nucleate_codifier.chat import Reply


class Meter:
    """One run's counters against its budgets."""

    def __init__(self, budgets: Budgets, clock: Clock) -> None:
        self._budgets = budgets
        self._clock = clock
        self._began = clock.now()
        self._spent = RunSpent()

    @property
    def spent(self) -> RunSpent:
        """Return what was used until now."""
        return replace(self._spent, seconds=self._clock.now() - self._began)

    @property
    def seconds_left(self) -> float:
        """Return how long the run may still take."""
        return max(0.0, self._budgets.seconds - (self._clock.now() - self._began))

    def over(self) -> RunEnding | None:
        """Return the budget that is used up, if one is."""
        return self.spent.over(self._budgets)

    def words(self, ending: RunEnding) -> str:
        """Return what a used-up budget is called."""
        spent, budgets = self.spent, self._budgets
        cap = f"${budgets.dollars or 0:g}"
        unpriced = f"the model's price is not known, so {cap} cannot be kept"
        return {
            RunEnding.STEPS: f"all {budgets.steps} steps are used",
            RunEnding.TOKENS: f"{spent.tokens:,} tokens are used of {budgets.tokens:,}",
            RunEnding.TIME: f"the {budgets.seconds:g} seconds are over",
            RunEnding.COST: unpriced if spent.dollars is None else f"${spent.dollars:.4f} is spent of {cap}",
        }.get(ending, str(ending))

    def step(self) -> None:
        """Count one action."""
        self._spent = replace(self._spent, steps=self._spent.steps + 1)

    def reply(self, reply: Reply, *, seconds: float) -> None:
        """Count one reply, readable or not."""
        spent = self._spent
        self._spent = replace(
            spent,
            prompt_tokens=spent.prompt_tokens + reply.prompt_tokens,
            completion_tokens=spent.completion_tokens + reply.completion_tokens,
            model_seconds=spent.model_seconds + seconds,
            dollars=dollars_of(spent.dollars, reply),
        )
