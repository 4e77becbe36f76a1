"""A run: code actions and calls, recorded alike, until the model finishes."""

from __future__ import annotations

from nucleate.executor import RunEnding, RunResult
from nucleate.executor.run_events import Acting, Calling, ModelAsked, Observed, RunEnded, RunStarted
from nucleate_text_memory import Step, StepError
from tests.runtime.executor.bench import ASKED, TICKET, Bench, call, code

FOUND = Step(
    function="desk.find_customer",
    arguments={"email": "ada@desk.test"},
    result={"customer_id": "c-ada-11", "email": "ada@desk.test"},
)
FIND = 'customer = env.desk.find_customer(email="ada@desk.test")'


def steps(result: RunResult) -> list[str]:
    """Return the names of what was called."""
    return [step.function for step in result.trajectory.steps]


def test_a_run_ends_with_the_answer_that_finish_is_given(desk: Bench) -> None:
    result = desk.run([code(FIND), code('finish("found " + customer["customer_id"])')])
    assert (result.ending, result.answer, result.spent.steps) == (RunEnding.FINISHED, "found c-ada-11", 2)
    assert result.trajectory.steps == (FOUND,)
    assert desk.runtime.memory.trajectory(result.task_id) == result.trajectory


def test_a_block_and_a_call_are_recorded_alike(desk: Bench) -> None:
    by_code = desk.run([code(FIND), code("finish()")])
    by_call = desk.run(
        [
            call('{"call": "desk.find_customer", "arguments": {"email": "ada@desk.test"}}'),
            '{"call": "finish", "arguments": {"answer": [1]}}',
        ]
    )
    assert by_code.trajectory.steps == by_call.trajectory.steps == (FOUND,)
    assert by_call.answer == [1]


def test_variables_stay_from_block_to_block_and_the_model_sees_the_last_value(desk: Bench) -> None:
    desk.run([code(f"{FIND}\nprint('looked')"), code('customer["customer_id"]'), code("finish()")])
    assert desk.told() == ["printed: looked", 'value: "c-ada-11"']


_MESSAGE = "desk.find_customer: 'mail' is not an argument; did you mean 'email'?; 'email' is missing"


def test_an_error_is_told_with_its_place_and_recorded_with_its_kind(desk: Bench) -> None:
    result = desk.run([code('x = 1\nenv.desk.find_customer(mail="ada@desk.test")'), code("finish()")])
    (step,) = result.trajectory.steps
    assert step.error == StepError(kind="InvalidArguments", message=_MESSAGE)
    (told,) = desk.told()
    assert told.startswith(f"error: InvalidArguments: {_MESSAGE}\n")
    assert "line 2" in told


def test_a_function_that_does_not_exist_is_a_step_with_an_error_and_a_hint(desk: Bench) -> None:
    result = desk.run([code("env.desk.find_customers(email='x')"), code("finish()")])
    assert [step.error.kind for step in result.trajectory.steps if step.error] == ["UnknownFunction"]
    assert "did you mean 'desk.find_customer'" in desk.told()[0]


def test_a_tool_is_called_by_its_name_and_is_one_step_that_saves_calls(desk: Bench) -> None:
    desk.register(TICKET, "ticket", ("desk.find_customer", "desk.open_ticket", "desk.notify"))
    result = desk.run(
        [code('ticket("ada@desk.test", text="it hums")["ticket_id"]'), code("finish()")],
        choice=desk.runtime.manager.choose(ASKED, scope="desk"),
    )
    assert steps(result) == ["ticket"]
    assert (result.saved, result.tools, desk.desk.sent) == (2, ("ticket",), ["t-c-ada-11-7"])
    assert desk.told() == ['value: "t-c-ada-11-7"']
    assert desk.runtime.library.tool("ticket").uses == 1


def test_a_tool_that_fails_tells_why_and_leaves_no_trace_of_how_it_is_reached(desk: Bench) -> None:
    desk.register(TICKET, "ticket", ("desk.find_customer", "desk.open_ticket", "desk.notify"))
    result = desk.run(
        [code('ticket(email="nobody", text="x")'), code("ticket(1)"), code("finish()")],
        choice=desk.runtime.manager.choose(ASKED, scope="desk"),
    )
    assert [step.error.kind for step in result.trajectory.steps if step.error] == ["LookupError"]
    assert "no customer has the address 'nobody'" in desk.told()[0]
    assert not any("nucleate" in told for told in desk.told())


def test_events_tell_a_run_from_its_start_to_its_end(desk: Bench) -> None:
    desk.run([code(FIND), code("finish()")])
    kinds = [type(event) for event in desk.events]
    each = [ModelAsked, Acting, Calling, Observed]
    assert kinds == [RunStarted, *each, *each, RunEnded]
    observed = [event for event in desk.events if isinstance(event, Observed)]
    assert [(event.number, event.spent.steps, event.steps) for event in observed] == [(1, 1, (FOUND,)), (2, 2, ())]


def test_each_request_begins_with_the_whole_of_the_one_before(desk: Bench) -> None:
    desk.run([code(FIND), "prose", code("1 / 0"), code("finish()")])
    assert len(desk.asked) == 4
    for before, after in zip(desk.asked, desk.asked[1:], strict=False):
        assert after[: len(before)] == before


def test_the_first_message_is_the_same_for_two_tasks_that_know_the_same(desk: Bench) -> None:
    desk.run([code("finish()")])
    first = desk.asked[0][0]
    desk.run([code("finish()")], query="Something else.")
    assert desk.asked[0][0] == first
    assert desk.asked[0][1].content == "Something else."
