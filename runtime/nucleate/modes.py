"""What the settings mean for a run: what of memory is used, by which θ, within which budgets (ALGORITHMS §2)."""

from __future__ import annotations

from nucleate.executor import Budgets
from nucleate.manager import SelectionRules
from nucleate.settings.settings import Settings

TEXT = frozenset({"full", "eager", "text_only"})
CODE = frozenset({"full", "eager", "code_only"})
AT_ONCE = frozenset({"eager", "code_only"})  # θ = 1: every task that follows a plan has it codified


def rules_of(settings: Settings) -> SelectionRules:
    """Return how much the memory manager may give, and of what."""
    return SelectionRules(
        entries=settings.offered_entries,
        tools=settings.offered_tools,
        tokens=settings.guidance_tokens,
        text=settings.mode in TEXT,
        code=settings.mode in CODE,
    )


def theta_of(settings: Settings) -> int:
    """Return θ."""
    return 1 if settings.mode in AT_ONCE else settings.theta


def codifies(settings: Settings) -> bool:
    """Return whether plans become tools."""
    return settings.mode in CODE


def budgets_of(settings: Settings) -> Budgets:
    """Return what one run may use."""
    return Budgets(
        steps=settings.run_steps,
        tokens=settings.run_tokens,
        seconds=settings.run_seconds,
        dollars=settings.run_dollars,
    )
