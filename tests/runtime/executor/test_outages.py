"""Outages of sandbox and model burn no steps, repeat nothing that had an effect, and are no word on a tool."""

from __future__ import annotations

from pathlib import Path

from nucleate.executor import Budgets, RunEnding
from nucleate.executor.run_events import Retrying
from nucleate.models.model_errors import ModelUnusable
from nucleate_codifier.chat import ModelUnavailable
from nucleate_sandbox import MontySandbox, SandboxError, ScriptedSandbox
from tests.runtime.executor.bench import ASKED, TICKET, Bench, Failing, bench, call, code, times

FIND = code('customer = env.desk.find_customer(email="ada@desk.test")')
OPEN = code('made = env.desk.open_ticket(customer_id="c-ada-11", text="it hums")')


def test_an_engine_that_comes_back_costs_a_pause_and_no_step(desk: Bench) -> None:
    desk.sandbox = Failing(desk.sandbox, before=times(2, "def finish"))
    result = desk.run([FIND, code("finish()")])
    assert (result.ending, result.spent.steps, result.calls) == (RunEnding.FINISHED, 2, 1)
    assert desk.time.slept == [0.5, 1.0]
    retried = [event for event in desk.events if isinstance(event, Retrying)]
    assert [(event.what, event.error, event.seconds) for event in retried] == [
        ("sandbox", "the engine went away; start it again", 0.5),
        ("sandbox", "the engine went away; start it again", 1.0),
    ]


def test_a_block_that_had_an_effect_is_not_repeated_but_told(desk: Bench) -> None:
    desk.sandbox = Failing(desk.sandbox, after=times(1, "open_ticket"))
    result = desk.run([OPEN, code("made"), code("finish()")])
    assert list(desk.desk.tickets) == ["t-c-ada-11-7"]
    assert [step.function for step in result.trajectory.steps] == ["desk.open_ticket"]
    lost, undefined = desk.told()
    assert 'desk.open_ticket({"customer_id":"c-ada-11","text":"it hums"}) -> {' in lost
    assert "every variable is gone" in lost
    assert "NameError" in undefined
    assert result.spent.steps == 2


def test_a_block_that_could_lean_on_lost_variables_is_not_repeated(desk: Bench) -> None:
    desk.sandbox = Failing(desk.sandbox, before=times(1, "customer['customer_id']"))
    desk.run([FIND, code("customer['customer_id']"), code("finish()")])
    assert "* none" in desk.told()[1]


def test_an_engine_that_stays_away_ends_the_run_as_an_outage_that_judges_nobody(desk: Bench) -> None:
    desk.sandbox = Failing(desk.sandbox, before=lambda _code: True)
    result = desk.run([FIND], budgets=Budgets(seconds=20.0))
    assert (result.ending, result.trajectory.success) == (RunEnding.OUTAGE, None)
    assert result.error == "the sandbox is out of order: the engine went away; start it again"
    assert desk.time.slept == [0.5, 1.0, 2.0, 4.0, 8.0]


def test_an_outage_under_a_tool_is_neither_a_step_nor_a_use_of_it(tmp_path: Path, monty_sandbox: MontySandbox) -> None:
    with bench(tmp_path, Failing(monty_sandbox, calls=True)) as desk:
        _outage_under_a_tool(desk)


def _outage_under_a_tool(desk: Bench) -> None:
    desk.register(TICKET, "ticket", ("desk.find_customer", "desk.open_ticket", "desk.notify"))
    ask = call('{"call": "ticket", "arguments": {"email": "ada@desk.test", "text": "x"}}')
    result = desk.run([ask, code("finish()")], choice=desk.runtime.manager.choose(ASKED, scope="desk"))
    assert (result.calls, result.spent.steps) == (0, 1)
    assert desk.told() == ["error: Outage: the sandbox is out of order, so ticket was not called to its end"]
    assert desk.runtime.library.tool("ticket").uses == 0
    assert desk.time.slept == [0.5]


def test_a_model_that_comes_back_costs_a_pause_and_no_step(desk: Bench) -> None:
    result = desk.run([ModelUnavailable("no answer"), FIND, code("finish()")])
    assert (result.ending, result.spent.steps, desk.time.slept) == (RunEnding.FINISHED, 2, [0.5])


def test_a_model_that_stays_away_ends_the_run_as_an_outage(desk: Bench) -> None:
    result = desk.run([ModelUnavailable("no answer")] * 9, budgets=Budgets(seconds=5.0))
    assert (result.ending, result.error) == (RunEnding.OUTAGE, "the model is out of order: no answer")


def test_a_wrong_key_is_not_tried_again(desk: Bench) -> None:
    result = desk.run([ModelUnusable("'m' cannot be asked: bad key; correct it")])
    assert (result.ending, desk.time.slept) == (RunEnding.OUTAGE, [])
    assert result.error == "'m' cannot be asked: bad key; correct it"


def test_an_outage_of_the_first_moment_asks_for_no_second_reply(desk: Bench) -> None:
    desk.sandbox = ScriptedSandbox([SandboxError("gone")] * 3)
    result = desk.run([FIND], budgets=Budgets(seconds=3.0))
    assert (result.ending, len(desk.asked)) == (RunEnding.OUTAGE, 1)
