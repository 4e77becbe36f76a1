"""Semantic numbers: what counts as a patch, a minor and a major step."""

from __future__ import annotations

import pytest

from nucleate_tool_library import read_signature
from nucleate_tool_library.version_numbers import VersionStep, next_release, step

BEFORE = 'def pay(to: str, amount: int = 1) -> int:\n    """Pay."""\n    return amount\n'
STEPS = {
    "a better docstring": ('def pay(to: str, amount: int = 1) -> int:\n    """Pay somebody."""\n', VersionStep.PATCH),
    "a described parameter": (
        'def pay(to: str, amount: int = 1) -> int:\n    """Pay.\n\n    Args:\n        to: Whom.\n    """\n',
        VersionStep.PATCH,
    ),
    "another order": ('def pay(*, amount: int = 1, to: str) -> int:\n    """Pay."""\n', VersionStep.PATCH),
    "a new optional parameter": (
        'def pay(to: str, amount: int = 1, at: str | None = None) -> int:\n    """Pay."""\n',
        VersionStep.MINOR,
    ),
    "a new required parameter": (
        'def pay(to: str, at: str, amount: int = 1) -> int:\n    """Pay."""\n',
        VersionStep.MAJOR,
    ),
    "a parameter gone": ('def pay(to: str) -> int:\n    """Pay."""\n', VersionStep.MAJOR),
    "a parameter renamed": ('def pay(whom: str, amount: int = 1) -> int:\n    """Pay."""\n', VersionStep.MAJOR),
    "another type": ('def pay(to: str, amount: float = 1) -> int:\n    """Pay."""\n', VersionStep.MAJOR),
    "another default": ('def pay(to: str, amount: int = 2) -> int:\n    """Pay."""\n', VersionStep.MAJOR),
    "a default gone": ('def pay(to: str, amount: int) -> int:\n    """Pay."""\n', VersionStep.MAJOR),
    "another result": ('def pay(to: str, amount: int = 1) -> str:\n    """Pay."""\n', VersionStep.MAJOR),
    "to be awaited": ('async def pay(to: str, amount: int = 1) -> int:\n    """Pay."""\n', VersionStep.MAJOR),
}


@pytest.mark.parametrize("name", STEPS)
def test_a_step_is_as_big_as_what_callers_have_to_know(name: str) -> None:
    source, expected = STEPS[name]
    before, after = read_signature(BEFORE, "pay"), read_signature(source, "pay")
    assert step(before, after, same_reach=True) is expected
    assert step(before, after, same_reach=False) is VersionStep.MAJOR


def test_a_parameter_that_is_named_description_is_no_word_of_the_schema() -> None:
    one = read_signature('def put(description: str) -> int:\n    """Put."""\n', "put")
    other = read_signature('def put(title: str) -> int:\n    """Put."""\n', "put")
    assert step(one, other, same_reach=True) is VersionStep.MAJOR


@pytest.mark.parametrize(
    ("by", "after"), [(VersionStep.PATCH, "1.4.3"), (VersionStep.MINOR, "1.5.0"), (VersionStep.MAJOR, "2.0.0")], ids=str
)
def test_a_number_counts_up_its_part_and_clears_those_behind_it(by: VersionStep, after: str) -> None:
    assert next_release("1.4.2", by) == after
