"""Evidence without trajectories for the model: what a recorded run confirms of a helper, and what it does not."""

from __future__ import annotations

import json

import pytest

from nucleate_codifier.model import Attempt
from nucleate_sandbox import MontySandbox
from tests.codifier.model.desk import attempt, minded, writing
from tests.mailroom import ASKED, GOOD, bindings, submission, turn

BODY = GOOD.partition("    street = env")[0]
PRINT = "[env.mailroom.print_label(street=street) for _ in range(count)]"
STREET = '    street = env.mailroom.find_street(customer=customer)["street"]\n'

LINES = '''\
def street_line(customer: str, prefix: str) -> dict[str, str]:
    """Return the street of a customer, looked up twice."""
    env.mailroom.find_street(customer=customer)
    return env.mailroom.find_street(customer=customer)
'''


def findings(result: Attempt) -> list[tuple[str, str]]:
    """Return rule and message of each finding of the first round."""
    return [(item.rule, item.message) for judged in result.rounds[0] for item in judged.verdict.findings]


@pytest.mark.parametrize(
    ("body", "rule", "reason"),
    [
        pytest.param(
            f"{STREET}    return {PRINT.replace('count', 'count + 1')}\n",
            "model/other-writes",
            'the run has no record of mailroom.print_label({"street":"Park Row 4-zq4"})',
            id="one-write-more",
        ),
        pytest.param(
            f"{STREET}    return {PRINT.replace('count', 'count - 1')}\n",
            "model/other-writes",
            'writes differ: call 4: made no call, recorded mailroom.print_label({"street":"Park Row 4-zq4"})',
            id="one-write-less",
        ),
        pytest.param(
            f"{STREET}    return {PRINT.replace('street=street', 'street=street.upper()')}\n",
            "model/other-writes",
            'the run has no record of mailroom.print_label({"street":"PARK ROW 4-ZQ4"})',
            id="another-value",
        ),
        pytest.param(
            f"{STREET.replace('customer=customer', 'customer=customer.lower()')}    return {PRINT}\n",
            "model/other-reads",
            'the run has no record of mailroom.find_street({"customer":"di"})',
            id="another-read",
        ),
        pytest.param(
            f"{STREET}    made = {PRINT}\n    return [{{'label_id': item['label_id'] + '!', **{{}}}} for item in made]\n",
            "model/invented-result",
            'it returns "L-30!", which stands in no answer and no recorded argument',
            id="invented-result",
        ),
        pytest.param(
            f"{STREET}    made = {PRINT}\n    if count > 3:\n        raise ValueError('too many')\n    return made\n",
            "model/fails-in-recording",
            "it raised ValueError: too many",
            id="fails",
        ),
        pytest.param(
            f"    if count > 1:\n        return []\n{STREET}    return {PRINT}\n",
            "model/no-calls",
            "it calls no environment function, so no recording can confirm it",
            id="no-calls",
        ),
    ],
)
def test_a_helper_that_does_not_do_what_the_run_did_is_not_confirmed(
    monty_sandbox: MontySandbox, body: str, rule: str, reason: str
) -> None:
    source = BODY + body
    found = findings(attempt(writing([source, source]), monty_sandbox))
    assert (rule, f"query 1: task 'task-3': {reason}") in found


def test_nothing_is_tested_further_while_a_recording_does_not_confirm_it(monty_sandbox: MontySandbox) -> None:
    source = f"{BODY}{STREET}    return {PRINT.replace('count', '2')} if count else []\n"
    result = attempt(writing([source, source]), monty_sandbox)
    (judged,) = result.rounds[0]
    gates = [report.gate.value for report in judged.verdict.gates]
    assert gates == ["codify", "parse", "policy", "closure", "types", "generality", "safety"]


def test_a_helper_is_judged_by_a_run_that_it_was_written_without(monty_sandbox: MontySandbox) -> None:
    """It is right for every query that the model was shown, and for no other."""

    def mind(contents: list[str]) -> str:
        if contents[0].startswith("You call"):
            return bindings(contents[0])
        counts = sorted({int(count) for _, count, _ in ASKED.findall(contents[1])})
        assert counts == [1, 2, 4]
        source = f"{BODY}{STREET}    return {PRINT.replace('count', 'count if count != 3 else 2')}\n"
        return submission(source, contents[1])

    found = findings(attempt(minded(mind), monty_sandbox))
    assert [rule for rule, _ in found] == ["model/other-writes"]
    assert found[0][1].startswith("a query that you were not shown: task 'task-1': writes differ: call 3: made no call")


def test_helpers_that_call_one_another_are_accepted_together_or_not_at_all(monty_sandbox: MontySandbox) -> None:
    def pair(contents: list[str], part: str) -> str:
        one = json.loads(submission(part, contents[1], "print_labels"))["action"]["helpers"][0]
        whole = json.loads(submission(WHOLE, contents[1], "labels_for"))["action"]["helpers"][0]
        whole["tests"] = [{"name": "test_last.py", "text": LAST}]
        return turn({"do": "submit", "helpers": [whole, one]})

    def minds(part: str) -> Attempt:
        def mind(contents: list[str]) -> str:
            return bindings(contents[0]) if contents[0].startswith("You call") else pair(contents, part)

        return attempt(minded(mind), monty_sandbox)

    good = minds(GOOD)
    assert [item.candidate.name for item in good.accepted] == ["print_labels", "labels_for"]
    assert len(good.accepted[1].verdict.dependencies) == 1
    bad = minds(GOOD.replace("count, 100", "count + 1, 100"))
    assert bad.accepted == ()
    assert findings(bad)[-1] == ("model/needs-refused", "it calls print_labels, which was refused")


LAST = """\
def test_the_last_label_has_an_id():
    assert tool(customer="Ada", count=2)["label_id"].startswith("L-")
"""
WHOLE = '''\
def labels_for(customer: str, count: int) -> dict[str, str]:
    """Print labels for a customer and return the last of them."""
    made = print_labels(customer=customer, count=count)
    return made[-1]
'''
