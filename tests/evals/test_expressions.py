"""No regular expression of the product takes longer than in proportion to the text, whoever wrote the text."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from evals.sandbox.expressions import MOST, ROOT, Expression, measure

SECONDS = 500  # for all of them on a busy machine: one that hangs is ended, and fails


@pytest.fixture(scope="module")
def rows() -> list[tuple[str, float, str]]:
    """Return the place of each expression of the product, and the units of the worst of its texts."""
    done = subprocess.run(
        [sys.executable, "-m", "evals.sandbox.expressions", "--json", "6"],
        cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=True,
    )  # fmt: skip
    found: list[tuple[str, float, str]] = json.loads(done.stdout)
    return found


@pytest.mark.slow
def test_the_expressions_are_found_by_themselves(rows: list[tuple[str, float, str]]) -> None:
    places = {place.partition(":")[0].rpartition("/")[2] for place, _, _ in rows}
    assert {"error_classes.py", "redact.py", "shell_secrets.py", "entities.py", "contract.py", "worker.py"} <= places
    assert len(rows) > 150


@pytest.mark.slow
def test_every_expression_takes_time_in_proportion_to_the_text(rows: list[tuple[str, float, str]]) -> None:
    assert [row for row in rows if row[1] > MOST] == []


@pytest.mark.parametrize("pattern", [r"[a-z.]+@", r"^\s*\W?user:", r"<a>.*?</a>", r"(a+)+$", r"--x[\w-]+:"])
@pytest.mark.slow
def test_an_expression_that_takes_longer_is_found(pattern: str) -> None:
    (row,) = measure([Expression(place="here", pattern=re.compile(pattern, re.MULTILINE))], 12)
    assert row[1] > MOST
