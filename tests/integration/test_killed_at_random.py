"""Workers killed at random points of codification and reflection: nothing is lost, and nothing is there twice."""

from __future__ import annotations

import pytest

from evals.loop.kills import measure


@pytest.mark.slow
def test_what_killed_workers_leave_is_what_one_undisturbed_worker_leaves() -> None:
    outcome = measure(kills=3, seed=11)
    assert (outcome.kills, outcome.jobs_lost, outcome.jobs_doubled) == (3, 0, 0)
    assert outcome.points > 100
