"""The tests gate: each rule has a tool that breaks it, and the good tool breaks none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.admission.tests_gate import tests_gate
from nucleate_codifier.values import Evidence, Example
from nucleate_sandbox import Call, Failure
from tests.codifier.shop import ANN, BOB, CY, GOOD, replaced, rules, subject

SEARCHED = 'env.orders.search(customer=customer)["orders"]'
REFUNDED = 'refunds.append(env.refunds.create(order_id=order["id"], amount=order["total"] * share)["refund_id"])'


def without_live(given: Subject) -> Subject:
    return replace(given, environment=replace(given.environment, live=None))


def changed(*changes: tuple[str, str]) -> Subject:
    return subject(replaced(GOOD, *changes))


def test_the_good_tool_passes_and_everything_is_counted() -> None:
    result = tests_gate(subject())
    assert result.findings == ()
    assert dict(result.counts) == {
        "examples": 2,
        "properties": 20,
        "called_twice": 0,
        "corruptions_noticed": 7,
        "mutants": 16,
        "killed": 16,
        "alike": 0,
        "unreached": 0,
        "tests": 0,
    }


def test_without_a_live_environment_the_recording_alone_is_asked() -> None:
    result = tests_gate(without_live(subject()))
    assert (result.findings, result.counts["properties"]) == ((), 10)


def test_a_wrong_result_is_shown_beside_the_recorded_one() -> None:
    result = tests_gate(changed(("return refunds", "return refunds[1:]")))
    assert result.findings[0].rule == "tests/example-differs"
    assert result.findings[0].message == "example of task 't1': returned [], recorded [\"R-W101\"]"


def test_the_first_call_that_differs_is_shown() -> None:
    result = tests_gate(changed(("* share", "/ share")))
    assert result.findings[0].message == (
        'example of task \'t1\': writes differ: call 1: made refunds.create({"amount":80.0,"order_id":"W101"}), '
        'recorded refunds.create({"amount":20.0,"order_id":"W101"})'
    )


def test_writes_in_another_order_differ() -> None:
    source = replaced(GOOD, (f"in {SEARCHED}", f"in reversed({SEARCHED})"))
    assert "tests/example-differs" in rules(tests_gate(subject(source, evidence=Evidence(seen=(ANN, CY)))))


TWICE = ("    refunds = []", "    refunds = []\n    env.orders.search(customer=customer)")


def test_reading_more_than_a_run_did_differs_on_a_recording_alone() -> None:
    source = replaced(GOOD, TWICE)
    assert "tests/example-differs" not in rules(tests_gate(subject(source)))
    (finding, *_) = tests_gate(without_live(subject(source))).findings
    assert finding.message == (
        'example of task \'t1\': reads differ: made orders.search({"customer":"ann"}), recorded no other'
    )


def test_a_tool_that_asks_nothing_where_the_runs_did_is_vacuous() -> None:
    known = '''\
def refund_delivered(customer: str, share: float) -> int:
    """Count a customer's orders."""
    return {"ann": 2, "bob": 1}.get(customer, 0)
'''
    runs = tuple(replace(run, result=count, calls=run.calls[:1]) for run, count in ((ANN, 2), (BOB, 1)))
    assert "tests/vacuous" in rules(tests_gate(subject(known, evidence=Evidence(seen=runs))))


def test_fewer_examples_than_the_policy_asks_for_are_refused() -> None:
    assert rules(tests_gate(subject(evidence=Evidence(seen=(ANN,))))) == ["tests/too-few-examples"]


def test_a_tool_that_lets_a_recorded_error_pass_meets_its_example() -> None:
    failed = Call(
        function="orders.search",
        arguments={"customer": "dee"},
        error=Failure(kind="CustomerNotFound", message="no customer 'dee'", from_environment=True),
    )
    dee = replace(ANN, task_id="t4", arguments={"customer": "dee", "share": 1.0}, result=None, calls=(failed,))
    assert tests_gate(without_live(subject(evidence=Evidence(seen=(ANN, BOB, dee))))).findings == ()


def test_a_tool_that_returns_nonsense_for_everything_is_refused() -> None:
    nonsense = 'def refund_delivered(customer: str, share: float) -> list[str]:\n    """Refund it."""\n    return []\n'
    assert rules(tests_gate(subject(nonsense))) == ["tests/example-differs"]


def test_an_endless_page_walk_is_a_limit_with_its_arguments() -> None:
    source = replaced(GOOD, ("    refunds = []", "    refunds = []\n    while share == 0:\n        " + SEARCHED))
    evidence = Evidence(seen=(ANN, replace(BOB, arguments={"customer": "ann", "share": 0})))
    finding = next(f for f in tests_gate(subject(source, evidence=evidence)).findings if f.rule == "tests/limit")
    assert finding.message.endswith("hit its limit of bridge calls")
    assert '"share":0' in finding.message


def test_a_crash_on_what_the_environment_is_known_to_answer_is_shown_with_arguments() -> None:
    source = replaced(GOOD, ("    refunds = []", '    refunds: list[str] = []\n    {"ann": 1, "bob": 2}[customer]'))
    findings = [f for f in tests_gate(subject(source)).findings if f.rule == "tests/crash"]
    assert findings[0].message == 'with {"customer":"","share":0}: raised KeyError: \'\''


FIRST = 'next(order for order in found if order["total"] == share)'


def test_not_to_find_what_an_argument_names_is_no_crash_unless_something_was_written() -> None:
    looking = f'''\
def refund_delivered(customer: str, share: float) -> str:
    """Return the id of a customer's order of this price."""
    found = {SEARCHED}
    return {FIRST}["id"]
'''
    runs = tuple(
        replace(run, arguments={**run.arguments, "share": total}, result=order, calls=run.calls[:1])
        for run, total, order in ((ANN, 15.0, "W102"), (BOB, 20.0, "W103"))
    )
    evidence = Evidence(seen=runs)
    assert "tests/crash" not in rules(tests_gate(subject(looking, evidence=evidence)))
    wrote = tuple(mailed(run) for run in runs)
    mailing = replaced(looking, ("    return", f"    {SEND}\n    return"))
    late = tuple(replace(run, calls=(run.calls[0], mailed(run).calls[-1])) for run in wrote)
    assert "tests/crash" in rules(tests_gate(subject(mailing, evidence=Evidence(seen=late))))


def test_to_take_the_first_of_nothing_is_no_crash_unless_something_was_written() -> None:
    first = f'''\
def refund_delivered(customer: str, share: float) -> str:
    """Return the id of a customer's first order."""
    return {SEARCHED}[0]["id"]
'''
    runs = tuple(replace(run, result=order, calls=run.calls[:1]) for run, order in ((ANN, "W101"), (BOB, "W103")))
    assert "tests/crash" not in rules(tests_gate(subject(first, evidence=Evidence(seen=runs))))
    late = tuple(replace(run, calls=(mailed(run).calls[-1], run.calls[0])) for run in runs)
    mailing = replaced(first, ("    return", f"    {SEND}\n    return"))
    assert "tests/crash" in rules(tests_gate(subject(mailing, evidence=Evidence(seen=late))))


def test_a_tool_may_say_that_its_arguments_make_no_sense() -> None:
    guard = "    refunds = []\n    if not customer:\n        raise {}('customer is empty')"
    for kind in ("ValueError", "LookupError", "KeyError"):
        assert rules(tests_gate(changed(("    refunds = []", guard.format(kind))))) == []


def test_to_stop_at_an_answer_of_a_form_never_recorded_is_no_crash() -> None:
    one = f"    refunds = []\n    first = {SEARCHED}[0]\n    if first['total'] < 0:\n        return refunds"
    source = replaced(GOOD, ("    refunds = []", one), (f"in {SEARCHED}", f"in [first, *{SEARCHED}[1:]]"))
    found = rules(tests_gate(subject(source)))
    assert "tests/crash" not in found


def test_a_result_of_another_type_than_promised_is_refused() -> None:
    source = replaced(GOOD, ("    return refunds", "    return refunds if share != 0 else None"))
    finding = next(f for f in tests_gate(subject(source)).findings if f.rule == "tests/wrong-type")
    assert "returned null" in finding.message


def test_a_call_outside_the_manifest_is_refused_although_it_is_hidden() -> None:
    source = replaced(
        GOOD,
        (
            "    return refunds",
            "    if share == 0:\n        getattr(env, 'mail').send(customer=customer, text='x')\n    return refunds",
        ),
    )
    assert "tests/outside-manifest" in rules(tests_gate(subject(source)))


def test_a_write_that_no_recorded_run_made_is_refused() -> None:
    counted = '''\
def refund_delivered(customer: str, share: float) -> int:
    """Count the orders of a customer."""
    found = len(env.orders.search(customer=customer)["orders"])
    if share == 0:
        env.mail.send(customer=customer, text=str(found))
    return found
'''
    runs = tuple(replace(run, result=count, calls=run.calls[:1]) for run, count in ((ANN, 2), (BOB, 1)))
    assert "tests/hidden-write" in rules(tests_gate(subject(counted, evidence=Evidence(seen=runs))))
    benign = replaced(counted, ("    if share == 0:\n        env.mail.send(customer=customer, text=str(found))\n", ""))
    assert rules(tests_gate(subject(benign, evidence=Evidence(seen=runs)))) == []


def test_a_tool_that_rolls_dice_is_not_deterministic() -> None:
    source = replaced(
        GOOD,
        ("def refund", "import random\n\n\ndef refund"),
        ("return refunds", "return [*refunds, str(random.random())]"),
    )
    assert "tests/not-deterministic" in rules(tests_gate(subject(source)))


def mailed(run: Example) -> Example:
    """Return the run with a mail at its end."""
    arguments = {"customer": run.arguments["customer"], "text": "ok"}
    return replace(run, calls=(*run.calls, Call(function="mail.send", arguments=arguments, result=True)))


MAILED = Evidence(seen=(mailed(ANN), mailed(BOB)))
SEND = "env.mail.send(customer=customer, text='ok')"


def ending_with(*lines: str) -> Subject:
    end = "".join(f"    {line}\n" for line in (*lines, "return refunds"))
    return subject(replaced(GOOD, ("    return refunds\n", end)), evidence=MAILED)


def test_a_swallowed_error_is_named() -> None:
    result = tests_gate(ending_with("try:", f"    {SEND}", "except Exception:", "    pass"))
    assert rules(result) == ["tests/swallows-errors"]
    assert "'mail.send'" in result.findings[0].message
    assert rules(tests_gate(ending_with(SEND))) == []


def test_a_result_that_changes_nothing_is_named_unless_it_is_discarded() -> None:
    assert rules(tests_gate(ending_with(f"done = {SEND}", "print(done)"))) == ["tests/ignores-result"]
    assert rules(tests_gate(ending_with(f"_ = {SEND}"))) == []


def test_a_tool_to_which_the_environment_means_nothing_is_vacuous() -> None:
    vacuous = '''\
def refund_delivered(customer: str, share: float) -> list[str]:
    """Look up a customer."""
    try:
        env.orders.search(customer=customer)
    except Exception:
        return []
    return []
'''
    runs = tuple(replace(run, result=[], calls=run.calls[:1]) for run in (ANN, BOB))
    assert "tests/vacuous" in rules(tests_gate(subject(vacuous, evidence=Evidence(seen=runs))))


def test_lines_that_no_example_needs_survive_mutation_and_are_named() -> None:
    padding = "".join(f"    if share > {900 + step}:\n        refunds.append('{step}')\n" for step in range(20))
    source = replaced(GOOD, ("    return refunds\n", f"{padding}    return refunds\n"))
    result = tests_gate(subject(source))
    assert rules(result) == ["tests/mutants-survive"]
    assert "mutants killed; the policy asks for 80%" in result.findings[0].message
    assert all(finding.line and finding.line >= 10 for finding in result.findings[1:])
    assert result.findings[1].message.startswith("survived: ")


@pytest.mark.parametrize(("share", "expected"), [(0.9, []), (1.0, ["tests/mutants-survive"])])
def test_the_share_of_killed_mutants_is_the_policys(share: float, expected: list[str]) -> None:
    source = replaced(GOOD, ("    return refunds\n", "    if share > 900:\n        share = 900\n    return refunds\n"))
    given = subject(source)
    policy = replace(given.policy, min_mutants_killed=share if share == 1.0 else 0.5)
    assert rules(tests_gate(replace(given, policy=policy))) == expected


def test_printing_changes_nothing() -> None:
    assert rules(tests_gate(changed(("    return refunds", "    print('all tests passed')\n    return refunds")))) == []
