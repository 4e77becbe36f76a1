"""The replay gate: what no codifier has seen must come out the same."""

from __future__ import annotations

from dataclasses import replace

from nucleate_codifier.admission.replay_gate import replay_gate
from nucleate_codifier.values import EnvironmentView, Evidence
from nucleate_sandbox import Call, Effect, FunctionSpec, Json, JsonObject
from tests.codifier.shop import ANN, BOB, CY, GOOD, SEARCH, record, replaced, rules, subject
from tests.doubles import TableEnvironment


def test_a_tool_that_does_the_recorded_calls_passes() -> None:
    result = replay_gate(subject())
    assert (result.findings, dict(result.counts)) == ((), {"replayed": 1, "on_forks": 1, "states": 1})


def test_where_the_live_environment_stands_elsewhere_the_recording_alone_decides() -> None:
    moved = replace(CY, calls=(replace(CY.calls[0], result={"orders": []}),), result=[])
    result = replay_gate(subject(evidence=Evidence(held_out=(moved,))))
    assert (result.findings, dict(result.counts)) == ((), {"replayed": 1, "on_forks": 0, "states": 0})


def test_without_held_out_runs_the_answer_is_no() -> None:
    assert rules(replay_gate(subject(evidence=Evidence(seen=(ANN, BOB, CY))))) == ["replay/no-held-out-evidence"]


def test_more_held_out_runs_can_be_asked_for() -> None:
    given = subject()
    strict = replace(given, policy=replace(given.policy, min_held_out=2))
    assert rules(replay_gate(strict)) == ["replay/no-held-out-evidence"]


def test_a_write_with_another_argument_is_named() -> None:
    source = replaced(GOOD, ('order["total"] * share', 'order["total"] - share'))
    (finding,) = replay_gate(subject(source)).findings
    assert finding.rule == "replay/differs"
    assert 'made refunds.create({"amount":59.75,"order_id":"W105"})' in finding.message
    assert 'recorded refunds.create({"amount":15.0,"order_id":"W105"})' in finding.message


def test_a_write_that_was_left_out_is_named() -> None:
    source = replaced(GOOD, ('        if order["status"]', '        if not refunds and order["status"]'))
    messages = [finding.message for finding in replay_gate(subject(source)).findings]
    assert "made no call" in messages[0]


def test_reading_more_often_is_free_on_a_fork_and_no_replay_on_a_recording() -> None:
    given = subject(replaced(GOOD, ("    refunds = []", "    refunds = []\n    env.orders.search(customer=customer)")))
    assert replay_gate(given).findings == ()
    (finding,) = replay_gate(replace(given, environment=replace(given.environment, live=None))).findings
    assert "reads differ" in finding.message


def test_an_always_equal_result_is_compared_as_json_and_refused() -> None:
    source = replaced(GOOD, ("return refunds", 'return {"always": "equal"}'))
    assert rules(replay_gate(subject(source))) == ["replay/differs"]


def test_a_run_without_effect_replays_too() -> None:
    nobody = record("t9", "Nothing for Dee", "dee", 0.5)
    assert replay_gate(subject(evidence=Evidence(held_out=(nobody,)))).findings == ()


LOOKS = '''\
def refund_delivered(customer: str, share: float) -> int:
    """Count the orders of a customer and of Bob."""
    return sum(len(env.orders.search(customer=name)["orders"]) for name in {names})
'''


def test_what_a_run_leaves_behind_is_compared_where_the_environment_can_tell() -> None:
    search = FunctionSpec(name="orders.search", parameters=SEARCH.parameters, effect=Effect.READ)

    def note(state: JsonObject, arguments: JsonObject) -> Json:
        state["last"] = arguments["customer"]
        return {"orders": [1]}

    shop = TableEnvironment([search], {"last": None}, {"orders.search": note})
    calls = tuple(
        Call(function="orders.search", arguments={"customer": name}, result={"orders": [1]}) for name in ("cy", "bob")
    )
    run = replace(CY, calls=calls, result=2)
    view = EnvironmentView(name="shop", functions=shop.functions, live=shop)
    left = 'held-out task \'t3\': what it leaves behind differs: $.last: expected "bob", came "cy"'
    for names, expected in (("(customer, 'bob')", []), ("('bob', customer)", [left])):
        given = subject(LOOKS.format(names=names), evidence=Evidence(held_out=(run,)))
        result = replay_gate(replace(given, environment=view))
        assert [finding.message for finding in result.findings] == expected
        assert result.counts["states"] == 1


def test_a_long_result_is_shown_where_it_differs() -> None:
    many = [f"R-{number:05}" for number in range(40)]
    source = f'def refund_delivered(customer: str, share: float) -> object:\n    """Do it."""\n    return {many!r}\n'
    run = replace(CY, calls=(), result=[*many[:7], "R-x", *many[8:], "R-y"])
    (finding,) = replay_gate(subject(source, evidence=Evidence(held_out=(run,)))).findings
    assert finding.message == (
        "held-out task 't3': the result differs from the recorded one: "
        '$[7]: expected "R-x", came "R-00007"; $: expected 41 elements, came 40'
    )
