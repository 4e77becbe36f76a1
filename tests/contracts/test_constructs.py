"""The Python that tools are written in: it works, or the sandbox says that it lacks it."""

from __future__ import annotations

import pytest

from nucleate_sandbox import Outcome, Sandbox
from tests.contracts.constructs_of_classes import CLASSES_AND_LIBRARY
from tests.contracts.constructs_of_functions import FUNCTIONS_AND_VALUES
from tests.contracts.sandbox_world import call, functions

CONSTRUCTS = FUNCTIONS_AND_VALUES | CLASSES_AND_LIBRARY

# What each backend does not run. A construct may leave this table and never quietly enter it.
LACKS: dict[str, frozenset[str]] = {
    "monty": frozenset(
        {
            "del",
            "generator function",
            "an exception class",
            "inheritance",
            "a property",
            "enum",
            "typed dictionary",
            "abstract collections",
            "statistics",
            "heapq",
            "operator",
            "string module",
            "urllib",
            "callable",
            "next of a generator expression",
            "method of a type",
            "recursion through a built-in",
            "function as a replacement",
            "bracket within a character class",
        }
    ),
    "docker": frozenset(),
}


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_a_construct_works_or_is_named_as_unsupported(sandbox: Sandbox, name: str) -> None:
    source, value = CONSTRUCTS[name]
    outcome = call(sandbox, source, allowed=functions())
    if name in LACKS[sandbox.name]:
        assert outcome.failure is not None
        assert outcome.failure.unsupported
        assert "needs Docker" in outcome.failure.message
    else:
        assert (outcome.value, outcome.failure) == (value, None)
        assert outcome == Outcome(value=value, calls=outcome.calls)


def test_the_table_of_what_is_lacking_names_constructs_that_are_tested() -> None:
    assert frozenset().union(*LACKS.values()) <= CONSTRUCTS.keys()
