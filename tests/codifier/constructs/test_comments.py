"""Comments: for readers, never for checkers."""

from __future__ import annotations

import pytest

from tests.codifier.constructs.samples import policy

ALLOWED = [
    "return n  # the number",
    "# a line of its own\nreturn n",
    "return '# type: ignore'",
]
REFUSED = [
    ("return n  # type: ignore", [("policy/comment", 1)]),
    ("return n  # type: int", [("policy/comment", 1)]),
    ("return n  # noqa", [("policy/comment", 1)]),
    ("return n  # pyright: ignore", [("policy/comment", 1)]),
    ("return n  # pylint: disable=all", [("policy/comment", 1)]),
    ("return n  # ruff: noqa", [("policy/comment", 1)]),
    ("return n  # pragma: no cover", [("policy/comment", 1)]),
    ("return n  # fmt: off", [("policy/comment", 1)]),
    ("return n  # nosec", [("policy/comment", 1)]),
    ("return n  # TYPE: IGNORE", [("policy/comment", 1)]),
    ("#   mypy: ignore-errors\nreturn n", [("policy/comment", 1)]),
]


@pytest.mark.parametrize("sample", ALLOWED)
def test_comments_pass(sample: str) -> None:
    assert policy(sample) == []


@pytest.mark.parametrize(("sample", "findings"), REFUSED)
def test_comments_are_refused_where_they_lead_elsewhere(sample: str, findings: list[tuple[str, int]]) -> None:
    assert policy(sample) == findings
