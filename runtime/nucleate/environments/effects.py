"""How a method says what it does to the world: `@effect("read")`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeVar

from nucleate_sandbox import Effect

F = TypeVar("F", bound=Callable[..., object])
EffectName = Literal["read", "write", "destructive"]

_MARK = "__nucleate_effect__"


def effect(name: EffectName) -> Callable[[F], F]:
    """Declare a method's effect; a method without the declaration counts as `write`."""
    declared = Effect(name)

    def mark(function: F) -> F:
        setattr(function, _MARK, declared)
        return function

    return mark


def effect_of(function: object) -> Effect:
    """Return the declared effect, or `write`."""
    declared = getattr(function, _MARK, Effect.WRITE)
    return declared if isinstance(declared, Effect) else Effect.WRITE
