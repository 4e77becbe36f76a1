"""Draws values from strategies by Hypothesis: the same input gives the same values on every machine.

Hypothesis mixes constants of all loaded modules into what it draws, so what it finds would depend on what else is
installed. The engine's own interface for other sources of choices is where that is left out.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, HypothesisProvider

from nucleate_codifier.admission.properties.home import own_home
from nucleate_codifier.admission.properties.strategies import Strategy
from nucleate_sandbox import Json, canonical

BACKEND = "nucleate"
BATCH = 10  # values in one draw: most of what a draw costs is not its values
MIN_BATCHES = 4


class SteadyProvider(HypothesisProvider):
    """Hypothesis' own source of choices, without the constants of whatever modules happen to be loaded."""

    def _maybe_draw_constant(self, *_: Any, **__: Any) -> None:
        return None


AVAILABLE_PROVIDERS[BACKEND] = SteadyProvider


class _Enough(BaseException):  # Hypothesis would take an Exception for a failure of the test
    pass


# Hypothesis prepares itself once for each thread, which takes longer than drawing a hundred values.
_THREAD = ThreadPoolExecutor(1, thread_name_prefix="draws")


def drawn(strategy: Strategy, count: int, *, source: str) -> tuple[Any, ...]:
    """Return up to `count` different values, always the same for a source."""
    return _THREAD.submit(_drawn, strategy, count, source).result()


def _drawn(strategy: Strategy, count: int, source: str) -> tuple[Any, ...]:
    found: dict[str, Json] = {}

    def keep(values: tuple[Json, ...]) -> None:
        for value in values:
            found.setdefault(canonical(value), value)
        if len(found) >= count:
            raise _Enough

    with own_home(), contextlib.suppress(_Enough):
        _run(st.tuples(*[strategy] * BATCH), keep, max(MIN_BATCHES, count * 2 // BATCH), source)
    return tuple(found.values())[:count]


def _run(strategy: Strategy, check: Callable[[Any], None], count: int, source: str) -> None:
    configured = settings(
        backend=BACKEND,
        max_examples=count,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
        verbosity=Verbosity.quiet,
    )
    number = int.from_bytes(hashlib.sha256(source.encode("utf-8", "replace")).digest()[:8], "big")

    def test(value: Any) -> None:
        check(value)

    seed(number)(configured(given(strategy)(test)))()
