"""Mutants: each is a different program that parses, and the trivial one comes first."""

from __future__ import annotations

import ast

import pytest

from nucleate_codifier.admission.mutation.mutants import mutants
from tests.codifier.shop import GOOD


def changes(body: str) -> list[str]:
    source = f'def f(a: int, b: int) -> object:\n    """Do it."""\n    {body}\n'
    return [mutant.change for mutant in mutants(source, "f", limit=50)]


def test_the_first_mutant_returns_none_at_once() -> None:
    first = mutants(GOOD, "refund_delivered", limit=5)[0]
    assert first.change == "the whole body became `return None`"
    assert "env." not in first.source


def test_every_mutant_parses_and_differs_from_the_tool_and_all_others() -> None:
    sources = [mutant.source for mutant in mutants(GOOD, "refund_delivered", limit=100)]
    assert len({GOOD, *sources}) == len(sources) + 1
    assert all(ast.parse(source) for source in sources)


def test_a_limit_keeps_mutants_from_the_whole_tool() -> None:
    some = mutants(GOOD, "refund_delivered", limit=6)
    assert len(some) == 6
    assert {mutant.line for mutant in some} >= {4, 7, 9}


def test_the_same_tool_has_the_same_mutants() -> None:
    assert mutants(GOOD, "refund_delivered", limit=9) == mutants(GOOD, "refund_delivered", limit=9)


@pytest.mark.parametrize(
    ("body", "change"),
    [
        ("return a == b", "`==` became `!=`"),
        ("return a < b", "`<` became `<=`"),
        ("return a and b", "`and` became `or`"),
        ("return not a", "`not` went away"),
        ("return a + b", "`+` became `-`"),
        ("a += b", "`+=` became `-=`"),
        ("return a + 7", "7 became 7 + 1"),
        ("return [a, b][0]", "0 became 0 + 1"),
        ("return 'text'", "'text' became another string"),
        ("return f'id {a}'", "the text of an f-string changed"),
        ("return True", "True became False"),
        ("return max([a, b])", "max became min"),
        ("return sorted([a, b])", "sorted became list"),
        ("return divmod(a, b)", "two arguments swapped in divmod(a, b)"),
        ("return dict(a=a, b=b)", "the last argument went away in dict(a=a, b=b)"),
        ("return [x for x in [a, b] if x]", "a filter went away"),
        ("return [x for x in [a, b]]", "the loop skips its first element"),
        ("env.mail.send(text=a)", "a statement went away: env.mail.send(text=a)"),
        ("return a if b else 0", "always the first choice"),
        ("return a if b else 0", "always the second choice"),
        ("return round(a, 2)", "round lost its digits"),
        ("return a", "it returns None"),
    ],
)
def test_each_construct_has_its_change(body: str, change: str) -> None:
    assert change in changes(body)


def test_docstrings_annotations_imports_and_defaults_are_left_alone() -> None:
    source = (
        'import math\n\nKind = dict["str", int]\n\n\ndef f(a: "int" = 3) -> "int":\n    """Text."""\n    return a\n'
    )
    lines = {mutant.line for mutant in mutants(source, "f", limit=50)}
    assert lines == {6, 8}


@pytest.mark.parametrize(
    ("body", "alike"),
    [
        ("return max(a, b)", "two arguments swapped in max(a, b)"),
        ("return round(a, 2)", "2 became 2 + 1"),
        ("print('done', a)", "a statement went away: print('done', a)"),
        ("print('done', a)", "'done' became another string"),
        ("raise ValueError('no such id')", "'no such id' became another string"),
    ],
)
def test_changes_that_no_suite_could_notice_are_not_made(body: str, alike: str) -> None:
    assert alike not in changes(body)


def test_a_constant_of_the_module_is_changed() -> None:
    source = 'RATE = 0.2\n\n\ndef f(a: int) -> float:\n    """Tax."""\n    return a * RATE\n'
    assert (1, "0.2 became 0.2 + 1") in [(m.line, m.change) for m in mutants(source, "f", limit=50)]
