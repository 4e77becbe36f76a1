"""The scores against sums that were worked out by hand."""

from __future__ import annotations

import pytest

from nucleate_tool_library import LibraryError
from nucleate_tool_library.usage.scores import ActivationParts, SkillParts, activation_score, reliability, skill_score


def test_a_skill_score_is_the_weighted_sum_of_its_parts() -> None:
    parts = SkillParts(
        outcome_delta=0.5,
        activation_quality=0.9,
        process_compliance=1.0,
        feedback=0.8,
        reuse_rate=0.4,
        maintainability=0.6,
        cost_penalty=0.2,
        safety_risk=1.0,
    )
    # .15 + .18 + .15 + .08 + .04 + .03 - .01 - .05
    assert skill_score(parts) == pytest.approx(0.57)
    assert skill_score(SkillParts()) == 0
    assert skill_score(SkillParts(outcome_delta=-1, cost_penalty=1, safety_risk=1)) == pytest.approx(-0.4)


def test_an_activation_score_is_the_weighted_sum_of_its_parts() -> None:
    parts = ActivationParts(
        task_type=1.0,
        description_sim=0.8,
        keyword=0.5,
        tool_availability=1.0,
        scope=1.0,
        historical_success=0.9,
        recency=0.2,
        negative_trigger=0.5,
        safety_risk=0.25,
    )
    # .30 + .20 + .075 + .10 + .10 + .045 + .01 - .10 - .05
    assert activation_score(parts) == pytest.approx(0.68)


def test_a_part_outside_its_range_is_named() -> None:
    with pytest.raises(LibraryError, match=r"keyword=1\.5 is outside \[0, 1\]"):
        activation_score(ActivationParts(keyword=1.5))
    with pytest.raises(LibraryError, match=r"outcome_delta=-2 is outside \[-1, 1\]"):
        skill_score(SkillParts(outcome_delta=-2))


def test_reliability_is_a_share_with_one_pass_and_one_failure_added() -> None:
    assert (reliability(0, 0), reliability(8, 8), reliability(0, 8)) == (0.5, 0.9, 0.1)
    with pytest.raises(LibraryError, match="3 passes of 2 trials"):
        reliability(3, 2)
