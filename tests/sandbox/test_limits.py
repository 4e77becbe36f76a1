"""Limits know their maxima."""

from __future__ import annotations

from dataclasses import fields

import pytest

from nucleate_sandbox import Limits
from nucleate_sandbox.limits import DEFAULT, MAXIMUM

NAMES = [item.name for item in fields(Limits)]


def test_every_limit_has_a_maximum_and_a_default_below_it() -> None:
    assert set(MAXIMUM) == set(NAMES)
    assert all(0 < getattr(DEFAULT, name) <= MAXIMUM[name] for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_limit_at_its_maximum_is_accepted(name: str) -> None:
    assert getattr(Limits(**{name: MAXIMUM[name]}), name) == MAXIMUM[name]  # type: ignore[arg-type]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("factor", [0, -1, 1.01, float("nan")])
def test_a_limit_outside_its_range_is_refused_by_name(name: str, factor: float) -> None:
    with pytest.raises(ValueError, match=rf"{name}=.* is outside \(0, .*\]; choose a value in that range"):
        Limits(**{name: MAXIMUM[name] * factor})  # type: ignore[arg-type]
