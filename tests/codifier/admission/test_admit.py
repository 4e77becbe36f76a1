"""The whole of admission: order, closing, outages, decisions."""

from __future__ import annotations

from dataclasses import replace
from threading import Barrier, Event

import pytest

from nucleate_codifier.admission.admit import admit, judge
from nucleate_codifier.admission.gate_functions import GATES
from nucleate_codifier.admission.subject import GateOutage, GateResult, Subject
from nucleate_codifier.admission.verdict_json import verdict_json
from nucleate_codifier.values import AdmissionPolicy, Decision, Evidence, Finding, Gate, GateReport, Status
from tests.codifier.shop import GOOD, replaced, rules, subject, verdict
from tests.doubles import BrokenSandbox, InProcessSandbox

REASON = Finding(rule="types/wrong", message="no")


def refuse(_: Subject) -> GateResult:
    return GateResult(findings=(REASON,))


def accept(_: Subject) -> GateResult:
    return GateResult(counts={"looked": 1})


def fall_over(_: Subject) -> GateResult:
    raise GateOutage("the checker did not start")


def statuses(reports: tuple[GateReport, ...]) -> dict[str, str]:
    return {report.gate.value: report.status.value for report in reports}


def test_a_good_tool_is_admitted_by_every_gate_in_order() -> None:
    given = subject()
    result = verdict(given)
    assert result.findings == ()
    assert result.decision is Decision.ADMITTED
    assert [report.gate for report in result.gates] == [gate for gate in Gate if gate in dict(GATES)]
    assert result.capabilities == ("orders.search", "refunds.create")


def test_a_good_tool_is_only_provisional_where_the_sandbox_is_no_boundary() -> None:
    assert verdict(subject(sandbox=InProcessSandbox(final=False))).decision is Decision.PROVISIONAL


def test_admit_takes_a_candidate_and_tells_each_gate_as_it_ends() -> None:
    given = subject()
    heard: list[GateReport] = []
    result = admit(
        given.candidate,
        library=given.library,
        environment=given.environment,
        sandbox=given.sandbox,
        evidence=given.evidence,
        policy=given.policy,
        on_gate=heard.append,
    )
    assert tuple(heard) == result.gates


def test_nothing_runs_while_a_static_gate_refuses() -> None:
    for gate in (Gate.PARSE, Gate.POLICY, Gate.CLOSURE, Gate.TYPES, Gate.SAFETY):
        sandbox = InProcessSandbox()
        result = judge(subject(sandbox=sandbox), [(gate, refuse), *GATES[-3:]])
        assert sandbox.ran == []
        assert [report.status for report in result.gates] == [Status.REFUSED, *[Status.SKIPPED] * 3]
        assert result.decision is Decision.REJECTED


def test_nothing_runs_while_a_static_gate_is_out_of_order() -> None:
    sandbox = InProcessSandbox()
    result = judge(subject(sandbox=sandbox), [(Gate.TYPES, fall_over), *GATES[-3:]])
    assert sandbox.ran == []
    assert result.decision is Decision.UNJUDGED
    assert rules(result) == ["types/outage"]


def test_a_refused_static_gate_does_not_hide_what_the_next_one_finds() -> None:
    result = judge(subject(), [(Gate.POLICY, refuse), (Gate.CLOSURE, accept), (Gate.SAFETY, refuse)])
    assert [report.status for report in result.gates] == [Status.REFUSED, Status.PASSED, Status.REFUSED]


def test_tests_still_run_when_only_generality_refuses() -> None:
    source = replaced(GOOD, ("    refunds = []", '    if customer == "Ann":\n        return []\n    refunds = []'))
    found = statuses(verdict(subject(source)).gates)
    assert found["generality"] == "refused"
    assert found["tests"] != "skipped"


def test_source_that_is_no_python_is_refused_and_every_other_gate_skipped() -> None:
    result = verdict(subject("def refund_delivered(:\n"))
    assert result.decision is Decision.REJECTED
    assert {report.status for report in result.gates[1:]} == {Status.SKIPPED}
    assert result.capabilities == ()


def test_a_sandbox_that_is_down_is_an_outage_and_no_verdict_on_the_tool() -> None:
    result = verdict(subject(sandbox=BrokenSandbox()))
    assert result.decision is Decision.UNJUDGED
    assert rules(result) == ["compile/outage", "tests/outage", "replay/outage"]
    assert "no engine answers; start Docker" in result.findings[0].message


@pytest.mark.parametrize("error", [KeyError("x"), SystemExit(0)], ids=["an exception", "an exit"])
def test_a_gate_that_breaks_leaves_the_tool_unjudged_and_is_told_from_an_outage(error: BaseException) -> None:
    def break_down(_: Subject) -> GateResult:
        raise error

    result = judge(subject(), [(Gate.POLICY, break_down), (Gate.CLOSURE, accept)])
    assert [report.status for report in result.gates] == [Status.UNJUDGED, Status.PASSED]
    assert result.decision is Decision.UNJUDGED
    (finding,) = result.findings
    assert finding.rule == "policy/fault"
    assert f"{type(error).__name__}: {error} (test_admit.py, line " in finding.message


def test_a_gate_whose_own_code_hangs_refuses_when_its_seconds_are_over() -> None:
    given, forever = subject(), Event()

    def hang(_: Subject) -> GateResult:
        forever.wait()
        return GateResult()

    policy = replace(given.policy, budgets={Gate.SAFETY: 0.05})
    result = judge(replace(given, policy=policy), [(Gate.POLICY, accept), (Gate.SAFETY, hang), (Gate.TESTS, accept)])
    forever.set()
    assert statuses(result.gates) == {"policy": "passed", "safety": "refused", "tests": "skipped"}
    assert result.findings[0].message == "the gate needed more than 0.05 s"


def test_gates_that_do_not_need_each_other_run_side_by_side_and_are_reported_in_order() -> None:
    met = Barrier(3)
    heard: list[Gate] = []

    def meet(_: Subject) -> GateResult:
        met.wait(10)
        return GateResult()

    for gates in ((Gate.TYPES, Gate.GENERALITY, Gate.SAFETY), (Gate.COMPILE, Gate.TESTS, Gate.REPLAY)):
        result = judge(subject(), [(gate, meet) for gate in gates], on_gate=lambda report: heard.append(report.gate))
        assert result.decision is Decision.ADMITTED
        assert heard == [report.gate for report in result.gates] == [*gates]
        heard.clear()


def test_each_gate_has_seconds_of_its_own_within_those_of_every_gate() -> None:
    policy = AdmissionPolicy(gate_seconds=20, budgets={Gate.PARSE: 1, Gate.TESTS: 90})
    assert [policy.seconds(gate) for gate in (Gate.PARSE, Gate.TESTS, Gate.REPLAY)] == [1, 20, 20]


def test_a_refusal_counts_more_than_an_outage() -> None:
    assert judge(subject(), [(Gate.POLICY, fall_over), (Gate.SAFETY, refuse)]).decision is Decision.REJECTED


def test_a_construct_that_the_sandbox_lacks_leaves_the_tool_unjudged() -> None:
    result = verdict(subject(sandbox=InProcessSandbox(lacks="refunds.append")))
    assert result.decision is Decision.UNJUDGED
    assert rules(result) == ["compile/needs-docker", "tests/needs-docker", "replay/needs-docker"]


def test_a_gate_out_of_time_refuses() -> None:
    given = subject()
    result = judge(replace(given, policy=replace(given.policy, gate_seconds=1e-9)), GATES[-3:])
    assert result.decision is Decision.REJECTED
    assert rules(result) == ["compile/timeout", "tests/timeout", "replay/timeout"]
    assert given.sandbox.ran == []  # type: ignore[attr-defined]


def test_no_evidence_is_a_no() -> None:
    result = verdict(subject(evidence=Evidence()))
    assert result.decision is Decision.REJECTED
    assert rules(result) == ["generality/too-few-queries", "tests/too-few-examples", "replay/no-held-out-evidence"]


def test_no_gate_at_all_is_a_no() -> None:
    assert judge(subject(), []).decision is Decision.UNJUDGED


def test_a_memorised_tool_is_refused_by_the_run_that_nobody_showed_it() -> None:
    memorised = '''\
def refund_delivered(customer: str, share: float) -> list[str]:
    """Refund a share of each delivered order of a customer, and return the refunds' ids."""
    known = {"ann": ("W101", 40.0), "bob": ("W103", 20.0)}
    env.orders.search(customer=customer)
    if customer not in known:
        return []
    order_id, total = known[customer]
    return [env.refunds.create(order_id=order_id, amount=total * share)["refund_id"]]
'''
    result = verdict(subject(memorised))
    assert result.decision is Decision.REJECTED
    replay = next(report for report in result.gates if report.gate is Gate.REPLAY)
    missed = 'refunds.create({"amount":15.0,"order_id":"W105"})'
    assert [finding.message for finding in replay.findings] == [
        f"held-out task 't3': writes differ: call 1: made no call, recorded {missed}",
        'held-out task \'t3\': returned [], recorded ["R-W105","R-W106"]',
    ]


def test_a_verdict_is_json_with_every_gate_and_the_same_each_time() -> None:
    first, second = (verdict(subject()) for _ in range(2))
    assert first == second
    gates = tuple(replace(report, milliseconds=0.0) for report in first.gates)
    text = verdict_json(replace(first, gates=gates))
    assert text["decision"] == "admitted"
    assert text["gates"][0] == {  # type: ignore[index]
        "gate": "parse",
        "status": "passed",
        "findings": [],
        "counts": {"lines": 10},
    }
