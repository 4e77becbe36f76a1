"""Compiled tools in a sandbox: what they say when they cannot go on."""

from __future__ import annotations

import pytest

from nucleate_codifier.trace import Codified
from nucleate_codifier.trace.carry_out.performing import perform
from nucleate_codifier.trace.expressions import Missing
from nucleate_sandbox import Functions, Module, MontySandbox, RecordedEnvironment
from tests.codifier.trace import choices as chosen
from tests.codifier.trace.recordings import each
from tests.codifier.trace.runs import DESK, compiled


def _swap() -> Codified:
    outcome = compiled(each(chosen.swapped_items, count=6))
    assert isinstance(outcome, Codified)
    return outcome


def test_a_choice_that_finds_nothing_ends_in_an_error_that_names_the_field_and_the_value(
    monty_sandbox: MontySandbox,
) -> None:
    tool = _swap()
    example = tool.evidence.seen[0]
    environment = RecordedEnvironment("desk", DESK, example.calls)
    module = Module(name=tool.candidate.name, source=tool.candidate.source)
    with monty_sandbox.open(functions=Functions.of(environment)) as session:
        arguments = {**example.arguments, "order_id": "#W0"}
        failure = session.call(module, tool.candidate.name, arguments).failure
    assert failure is not None
    assert (failure.kind, failure.message) == ("LookupError", "none of these has the order_id '#W0'")


def test_the_template_finds_nothing_where_the_source_finds_nothing() -> None:
    tool = _swap()
    example = tool.evidence.seen[0]
    answers = {call.function: call.result for call in example.calls}
    with pytest.raises(Missing):
        perform(tool.template, {**example.arguments, "order_id": "#W0"}, lambda function, _: answers[function])
