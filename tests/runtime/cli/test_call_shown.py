"""What a call's arguments could not be held to is said where the call is shown."""

from __future__ import annotations

from nucleate.cli.tools.render import outcome_json, unchecked_text
from nucleate_sandbox.outcome import Call, Outcome

TOLD = ("pattern '^(a+)+$': it took more than 100 ms",)
OUTCOME = Outcome(
    value=1,
    calls=(
        Call(function="desk.find", arguments={"a": "x"}, unchecked=TOLD),
        Call(function="desk.find", arguments={"a": "y"}, unchecked=TOLD),
        Call(function="desk.close", arguments={}),
    ),
)


def test_what_was_not_checked_is_said_once_for_each_function_and_stands_beside_each_call() -> None:
    assert unchecked_text(OUTCOME) == f"not checked: desk.find: {TOLD[0]}"
    assert outcome_json(OUTCOME)["calls"] == [
        {"function": "desk.find", "arguments": {"a": "x"}, "unchecked": [*TOLD]},
        {"function": "desk.find", "arguments": {"a": "y"}, "unchecked": [*TOLD]},
        {"function": "desk.close", "arguments": {}},
    ]
