"""No regular expression of the product takes longer than in proportion to the text, whoever wrote the text."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from evals.sandbox.expressions import MOST, ROOT, Expression, collect, measure

SECONDS = 500  # for all of them on a busy machine: one that hangs is ended, and fails


def test_the_expressions_are_found_by_themselves() -> None:
    places = {item.place.partition(":")[0].rpartition("/")[2] for item in collect()}
    assert {"error_classes.py", "redact.py", "shell_secrets.py", "entities.py", "contract.py", "worker.py"} <= places


def test_every_expression_takes_time_in_proportion_to_the_text() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "evals.sandbox.expressions", "--json", "6"],
        cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=True,
    )  # fmt: skip
    rows = json.loads(done.stdout)
    assert [row for row in rows if row[1] > MOST] == []
    assert len(rows) > 150


@pytest.mark.parametrize("pattern", [r"[a-z.]+@", r"^\s*\W?user:", r"<a>.*?</a>", r"(a+)+$", r"--x[\w-]+:"])
def test_an_expression_that_takes_longer_is_found(pattern: str) -> None:
    (row,) = measure([Expression(place="here", pattern=re.compile(pattern, re.MULTILINE))], 12)
    assert row[1] > MOST
