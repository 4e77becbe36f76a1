"""What a tool remembers of one run, in place of asking again, is refused; what it knows of the world is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nucleate_codifier.admission.generality.generality_gate import generality_gate
from nucleate_codifier.values import Evidence, Example
from nucleate_sandbox import Call
from tests.codifier.shop import replaced, rules, subject

ADDRESS = '''\
def refund_delivered(email: str) -> str:
    """Return where a customer lives."""
    found = env.orders.search(customer=email)
    return found["city"]
'''


def living(email: str, city: str, kind: str, number: int) -> Example:
    answer = Call(
        function="orders.search", arguments={"customer": email}, result={"city": city, "kind": kind, "number": number}
    )
    return Example(
        task_id=city, query="Where is my customer?", arguments={"email": email}, result=city, calls=(answer,)
    )


RUNS = (
    living("farid.albrecht@post.example", "Linz", "private", 1234),
    living("chiara.albrecht@post.example", "Graz", "private", 5),
    living("lena.albrecht@post.example", "Bremen", "business", 86400),
)


def memories(line: str) -> list[str]:
    source = replaced(ADDRESS, ('    return found["city"]', f"    {line}"))
    given = subject(source, evidence=Evidence(seen=RUNS[:2], held_out=RUNS[2:]))
    return [item.message for item in generality_gate(given).findings if item.rule == "generality/from-one-run"]


@pytest.mark.parametrize(
    ("line", "literal"),
    [
        ('return "Bremen" if found["number"] > 50 else "Linz or so"', "'Bremen'"),
        ('return "bremen " if email else ""', "'bremen '"),
        ('return "x" if email.startswith("lena") else "y"', "'lena'"),
        ('return "x" if found["number"] == 1234 else "y"', "1234"),
    ],
)
def test_what_one_run_alone_was_told_is_a_memory(line: str, literal: str) -> None:
    found = memories(line)
    assert [message.partition(" is what")[0] for message in found] == [literal]


def test_the_finding_names_the_run() -> None:
    assert memories('return "Bremen"') == ["'Bremen' is what the run of task 'Bremen' was told, and no other run"]


@pytest.mark.parametrize(
    "line",
    [
        'return found["city"]',
        'return "shop" if found["kind"] == "business" else "home"',  # a field of few values is compared
        'return "x" if email.endswith("albrecht@post.example") else "y"',  # every run was told that
        'return "y" if found["number"] > 86400 else "n"',  # three digits that count
        'return "no such place"',
    ],
)
def test_what_a_tool_knows_of_the_world_is_none(line: str) -> None:
    assert memories(line) == []


def test_what_a_call_was_given_and_repeats_comes_from_the_tool() -> None:
    sent = Call(function="mail.send", arguments={"text": "apology"}, result={"text": "apology"})
    runs = (replace(RUNS[0], calls=(*RUNS[0].calls, sent)), *RUNS[1:])
    given = subject(replaced(ADDRESS, ('found["city"]', '"apology"')), evidence=Evidence(seen=runs))
    assert "generality/from-one-run" not in rules(generality_gate(given))
