"""Claims of a submission: each that does not hold is a finding, before anything is judged or run."""

from __future__ import annotations

import json
from typing import Any

import pytest

from nucleate_codifier.model import Attempt
from nucleate_codifier.model.actions import Helper
from nucleate_codifier.model.submission import ordered
from nucleate_codifier.values import LibraryView
from nucleate_sandbox import MontySandbox
from nucleate_tool_library import ToolVersion, read_signature
from tests.codifier.model.desk import attempt, minded
from tests.mailroom import GOOD, bindings, submission, turn

Fields = dict[str, Any]


def submitted(sandbox: MontySandbox, change: Fields, **given: Any) -> Attempt:
    """Return the attempt in which the good helper is submitted with some of its fields changed, twice."""

    def mind(contents: list[str]) -> str:
        if contents[0].startswith("You call"):
            return bindings(contents[0])
        action = json.loads(submission(GOOD, contents[1]))["action"]
        action["helpers"][0] |= change
        return turn(action)

    return attempt(minded(mind), sandbox, **given)


def found(result: Attempt) -> list[tuple[str, str]]:
    """Return rule and message of each finding of the first round."""
    return [(item.rule, item.message) for judged in result.rounds[0] for item in judged.verdict.findings]


def helper(name: str, *calls: str) -> Helper:
    """Return a helper that calls others."""
    body = "; ".join(f"{call}(x=x)" for call in calls) or "env.mailroom.find_street(customer=x)"
    source = f'def {name}(x: str) -> None:\n    """Do it."""\n    {body}\n'
    test = {"name": "test_it.py", "text": ""}
    return Helper.model_validate({"name": name, "source": source, "tests": [test], "supports": [], "covers": []})


def test_one_query_in_two_supports_is_too_little(monty_sandbox: MontySandbox) -> None:
    support = {"query": 1, "arguments": '{"customer": "Di", "count": 4}'}
    assert found(submitted(monty_sandbox, {"supports": [support, support]})) == [
        ("model/too-few-queries", "'print_labels' is supported by 1 structurally distinct queries; it takes 2")
    ]


def test_two_queries_with_equal_arguments_are_one_piece_of_evidence(monty_sandbox: MontySandbox) -> None:
    supports = [{"query": number, "arguments": '{"customer": "Di", "count": 4}'} for number in (1, 2, 3)]
    assert [rule for rule, _ in found(submitted(monty_sandbox, {"supports": supports}))] == ["model/too-few-queries"]


def test_a_query_that_was_not_shown_cannot_support_anything(monty_sandbox: MontySandbox) -> None:
    supports = [{"query": number, "arguments": f'{{"count": {number}}}'} for number in (1, 2, 9)]
    assert found(submitted(monty_sandbox, {"supports": supports})) == [("model/unknown-query", "there is no query 9")]


def test_every_parameter_is_covered_and_none_that_does_not_exist(monty_sandbox: MontySandbox) -> None:
    covers = [{"parameter": "customer", "variation": "who"}, {"parameter": "town", "variation": "where"}]
    assert found(submitted(monty_sandbox, {"covers": covers})) == [
        ("model/uncovered-parameter", "no variation is given for 'count'"),
        ("model/unknown-parameter", "'print_labels' has no parameter 'town'"),
    ]


def test_a_name_that_a_tool_has_is_taken(monty_sandbox: MontySandbox) -> None:
    result = submitted(monty_sandbox, {}, taken=["print_labels"])
    assert found(result) == [("model/name-taken", "a tool is named 'print_labels' already")]


def test_what_is_registered_already_may_be_submitted_again_after_a_kill(monty_sandbox: MontySandbox) -> None:
    signature = read_signature(GOOD, "print_labels")
    known = ToolVersion(name="print_labels", scope="mailroom", source=GOOD, signature=signature)
    library = LibraryView(tools={"print_labels": known})
    result = submitted(monty_sandbox, {}, taken=["print_labels"], library=library)
    assert [item.candidate.source for item in result.accepted] == [GOOD]


def test_a_tool_that_would_make_one_call_is_not_worth_it(monty_sandbox: MontySandbox) -> None:
    source = '''\
def street_of(customer: str) -> dict[str, str]:
    """Return the street of a customer."""
    return env.mailroom.find_street(customer=customer)
'''
    supports = [{"query": number, "arguments": f'{{"customer": "{number}"}}'} for number in (1, 2)]
    covers = [{"parameter": "customer", "variation": "who"}]
    change = {"name": "street_of", "source": source, "supports": supports, "covers": covers}
    assert found(submitted(monty_sandbox, change)) == [("model/one-call", "'street_of' would make one call")]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        pytest.param(
            {"tests": [{"name": "../conftest.py", "text": ""}]}, "tests.0.name: String should match", id="path"
        ),
        pytest.param(
            {"supports": [{"query": 1, "arguments": "[1]"}]},
            "arguments: Value error, a JSON object in a string is needed",
            id="no-object",
        ),
    ],
)
def test_a_submission_of_another_shape_is_told_so_and_is_no_submission(
    monty_sandbox: MontySandbox, change: Fields, fault: str
) -> None:
    told: list[str] = []

    def mind(contents: list[str]) -> str:
        if len(contents) > 2:
            told.append(contents[-1])
            return turn({"do": "give_up", "reason": "no"})
        action = json.loads(submission(GOOD, contents[1]))["action"]
        action["helpers"][0] |= change
        return turn(action)

    assert attempt(minded(mind), monty_sandbox).rounds == ()
    assert fault in told[0]


def test_helpers_are_judged_in_the_order_of_their_calls() -> None:
    helpers = [helper("whole", "part", "other"), helper("part", "other"), helper("other")]
    assert [item.name for item in ordered(helpers) or ()] == ["other", "part", "whole"]


def test_helpers_that_call_one_another_in_a_circle_have_no_order() -> None:
    assert ordered([helper("one", "two"), helper("two", "one")]) is None
