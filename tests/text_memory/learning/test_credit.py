"""Value and gain are those of the papers' formulas, on their worked numbers."""

from __future__ import annotations

import math

import pytest

from nucleate_text_memory.learning.credit import backfill, gain, reflection_weight, reward_of, terminal_reward
from tests.text_memory.runs import ok, run


def test_feedback_in_words_is_weighted_and_clipped() -> None:
    assert terminal_reward(goal=1, process=0.5, satisfaction=-1) == pytest.approx(0.35)
    assert terminal_reward(goal=2, process=2, satisfaction=2) == 1.0


def test_the_papers_step_has_its_value() -> None:
    """α = 0.7, R = 0.8, V_{t+1} = 0.8 gives V_t = 0.776 (MSCE §4)."""
    assert backfill(0.8, [0.7, 0.3]) == pytest.approx([0.776, 0.8])


def test_values_run_from_the_end_and_a_step_without_reflection_is_discounted() -> None:
    assert backfill(1.0, [0.0, 0.0, 0.0]) == pytest.approx([0.81, 0.9, 1.0])
    assert backfill(0.5, []) == []


@pytest.mark.parametrize(
    ("text", "score", "weight"),
    [("", 0.9, 0.0), ("It worked.", 0.9, 0.0), ("the zip code was missing", None, 0.5), ("the id was old", 0.8, 0.8)],
)
def test_a_reflection_weighs_what_it_says(text: str, score: float | None, weight: float) -> None:
    assert reflection_weight(text, score) == weight


def test_gain_without_a_comparison_is_measured_against_the_prior_alone() -> None:
    assert gain([0.9, 0.7], []) == pytest.approx(0.3)


def test_gain_blends_the_others_with_the_prior_and_weighs_three_by_softmax() -> None:
    weights = [math.exp(2 * value) for value in (1.0, 0.5, 0.0)]
    mean = (weights[0] + 0.5 * weights[1]) / sum(weights)
    assert gain([1.0, 0.5, 0.0], [0.2] * 5) == pytest.approx(mean - 0.35)


def test_the_environments_reward_goes_before_success() -> None:
    judged = run("t", ok("shop.a"), success=False)
    assert (reward_of(judged), reward_of(run("t", ok("shop.a")))) == (-1.0, None)
