"""Real runs, where they lie beside the repository: every call, every error and every outcome is counted."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from nucleate_text_memory import Trajectory, read_trajectories

FOLDER = Path(os.environ.get("NUCLEATE_TEST_DATA", Path(__file__).parents[5] / "shared" / "data"))


def runs(name: str, environment: str | None = None) -> list[Trajectory]:
    path = FOLDER / name
    if not path.exists():
        pytest.skip(f"no {name} in the folder of test data (NUCLEATE_TEST_DATA)")
    return [*_read(path, environment)]


def _read(path: Path, environment: str | None) -> Iterator[Trajectory]:
    with path.open(encoding="utf-8") as lines:
        for item in read_trajectories(lines, environment=environment):
            assert isinstance(item, Trajectory), item
            yield item


def counts(found: list[Trajectory]) -> dict[str, int]:
    steps = [step for run in found for step in run.steps]
    return {
        "runs": len(found),
        "solved": sum(run.success is True for run in found),
        "steps": len(steps),
        "errors": sum(step.error is not None for step in steps),
        "functions": len({step.function for step in steps}),
        "texts": sum(isinstance(step.result, str) for step in steps),
    }


def test_150_runs_of_a_model_at_an_airline() -> None:
    found = runs("tau_airline_gpt4o_messages.jsonl", "airline")
    assert counts(found) == {"runs": 150, "solved": 63, "steps": 862, "errors": 54, "functions": 14, "texts": 111}
    assert Counter(step.function for run in found for step in run.steps).most_common(2) == [
        ("airline.get_reservation_details", 284),
        ("airline.search_direct_flight", 102),
    ]
    assert len({step.error.message for run in found for step in run.steps if step.error}) == 18


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("tau_retail_train.jsonl", (380, 369, 2797, 12, 11, 380)),
        ("tau2_retail_train.jsonl", (68, 67, 535, 1, 11, 59)),
    ],
)
def test_ground_truth_of_a_shop(name: str, expected: tuple[int, ...]) -> None:
    assert tuple(counts(runs(name)).values()) == expected
