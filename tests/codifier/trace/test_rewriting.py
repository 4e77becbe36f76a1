"""Recorded calls rewritten with the tools that can replace them."""

from __future__ import annotations

from nucleate_codifier.trace import Codified, Template, ToolCall, rewrite
from nucleate_tool_library import Signature, ToolVersion
from tests.codifier.trace import recordings as recorded
from tests.codifier.trace.recordings import each
from tests.codifier.trace.runs import compiled, step
from tests.codifier.trace.test_template import STEPS, USER_ORDERS


def test_the_steps_of_a_tool_become_its_call_and_the_rest_stays() -> None:
    before, after = step("notify", user_id="ann", text="a"), step("notify", user_id="ann", text="b")
    assert rewrite((before, *STEPS, after), [_tool("user_orders", USER_ORDERS)]) == (
        before,
        ToolCall(name="user_orders", arguments={"user_id": "ann"}, replaces=(1, 4)),
        after,
    )


def test_the_tool_that_replaces_the_most_calls_is_preferred() -> None:
    outcome = compiled(each(recorded.orders_of_a_user))
    assert isinstance(outcome, Codified)
    steps = recorded.orders_of_a_user(9, "zoe").steps
    inner = Template(patterns=USER_ORDERS.patterns[:1], returns=())
    tools = [_tool("inner", inner), _tool("whole", outcome.template)]
    assert rewrite(steps, tools) == (ToolCall(name="whole", arguments={"email": "zoe@x.org"}, replaces=(0, 3)),)


def test_a_tool_is_used_again_and_again() -> None:
    rewritten = rewrite((*STEPS, *STEPS), [_tool("user_orders", USER_ORDERS)])
    assert [call.replaces for call in rewritten if isinstance(call, ToolCall)] == [(0, 3), (3, 6)]


def test_steps_with_another_data_flow_are_left_alone() -> None:
    steps = (STEPS[0], step("get_order_details", {}, order_id="#W7"))
    assert rewrite(steps, [_tool("user_orders", USER_ORDERS)]) == steps


def test_a_single_call_is_never_replaced() -> None:
    lonely = (step("get_user_details", {"orders": []}, user_id="ann"),)
    assert rewrite(lonely, [_tool("user_orders", USER_ORDERS)]) == lonely


def test_a_tool_without_a_template_is_passed_over() -> None:
    by_hand = ToolVersion(name="by_hand", scope="desk", source="", signature=_signature("by_hand"))
    assert rewrite(STEPS, [by_hand]) == STEPS


def _tool(name: str, template: Template) -> ToolVersion:
    return ToolVersion(name=name, scope="desk", source="", signature=_signature(name), template=template.to_json())


def _signature(name: str) -> Signature:
    return Signature(name=name, text=f"def {name}() -> None", doc="", parameters={}, returns={})
