"""Every budget ends a run in its own name."""

from __future__ import annotations

import threading

import pytest

from nucleate.errors import InputInvalid
from nucleate.executor import Budgets, RunEnding
from nucleate_codifier.chat import CostCapReached, Reply
from nucleate_codifier.chat import ReplyEnding as Said
from tests.runtime.executor.bench import Bench, code

LOOK = code('env.desk.find_customer(email="ada@desk.test")')


def reply(text: str = LOOK, *, tokens: int = 0, dollars: float | None = 0.0) -> Reply:
    """Return a reply with its price."""
    return Reply(text=text, prompt_tokens=tokens, dollars=dollars)


def test_steps_end_a_run_that_goes_on_and_on(desk: Bench) -> None:
    result = desk.run([LOOK] * 5, budgets=Budgets(steps=2))
    assert (result.ending, result.error, result.calls) == (RunEnding.STEPS, "all 2 steps are used", 2)
    assert result.trajectory.success is False


def test_a_step_that_was_paid_for_is_carried_out_before_the_tokens_end_the_run(desk: Bench) -> None:
    result = desk.run([reply(tokens=60), reply(tokens=60), reply()], budgets=Budgets(tokens=100))
    assert (result.ending, result.calls, result.spent.tokens) == (RunEnding.TOKENS, 2, 120)
    assert result.error == "120 tokens are used of 100"


def test_dollars_end_a_run(desk: Bench) -> None:
    result = desk.run([reply(dollars=0.2)] * 3, budgets=Budgets(dollars=0.3))
    assert (result.ending, result.error, result.calls) == (RunEnding.COST, "$0.4000 is spent of $0.3", 2)


def test_a_model_without_a_price_cannot_keep_a_budget_of_dollars(desk: Bench) -> None:
    result = desk.run([reply(dollars=None)] * 3, budgets=Budgets(dollars=0.3))
    assert (result.ending, result.error) == (RunEnding.COST, "the model's price is not known, so $0.3 cannot be kept")


def test_a_cap_of_the_process_or_the_day_ends_a_run_as_cost(desk: Bench) -> None:
    result = desk.run([LOOK, CostCapReached("the day's cap is reached")])
    assert (result.ending, result.error) == (RunEnding.COST, "the day's cap is reached")


def test_time_ends_a_run_between_two_steps(desk: Bench) -> None:
    def slow(_messages: object) -> str:
        desk.time.now += 40.0
        return LOOK

    result = desk.run(slow, budgets=Budgets(seconds=60.0))
    assert (result.ending, result.error, result.calls) == (RunEnding.TIME, "the 60 seconds are over", 2)


@pytest.mark.parametrize(("answers", "ending"), [(0, RunEnding.OUTAGE), (1, RunEnding.TIME)])
def test_a_model_that_falls_silent_is_not_waited_for_beyond_the_time(
    desk: Bench, answers: int, ending: RunEnding
) -> None:
    over, left = threading.Event(), iter([LOOK] * answers)

    def hangs(_messages: object) -> str:
        return next(left, "") or str(over.wait())

    result = desk.run(hangs, budgets=Budgets(seconds=0.3))
    over.set()
    assert (result.ending, result.error) == (ending, "the 0.3 seconds are over, waiting for the model")


@pytest.mark.parametrize("name", ["steps", "tokens", "seconds", "dollars"])
def test_a_budget_of_nothing_is_refused(name: str) -> None:
    with pytest.raises(InputInvalid, match=f"the budget {name}=0 must be above 0"):
        Budgets(**{name: 0})


def test_a_reply_that_cannot_be_read_is_corrected_once_and_costs_no_step(desk: Bench) -> None:
    result = desk.run(["I would look it up.", code("finish(1)")])
    assert (result.ending, result.spent.steps) == (RunEnding.FINISHED, 1)
    assert desk.told()[0].startswith("That reply could not be carried out: the reply holds no block")


def test_a_third_unreadable_reply_in_a_row_ends_the_run_and_says_what_was_done(desk: Bench) -> None:
    result = desk.run(["Hm.", "Hm.", LOOK, LOOK, "Hm.", "Hm.", "```sh\nls\n```"])
    assert (result.ending, result.calls) == (RunEnding.MALFORMED, 2)
    assert result.error == (
        "3 replies in a row could not be read: the block is marked 'sh'; mark it as python, or as json for one "
        "function call; done until then: desk.find_customer (2 times)"
    )


MALFORMED = {
    "": "the reply is empty; answer with one ```python block",
    "All done.": "where everything that was asked is done, that block is finish(answer)",
    "```python\n\n```": "the block is empty; write what is to be done",
    "```sh\nls\n```": "the block is marked 'sh'; mark it as python, or as json for one function call",
    "```json\n[1]\n```": 'the block is neither Python nor a call {"call": "namespace.function", "arguments": {...}}',
    '{"call": "x", "args": 1}': "the reply holds no block",
    "{'call'": "the call cannot be read: a colon is missing after 'call', at line 1",
}


@pytest.mark.parametrize("text", MALFORMED)
def test_what_is_wrong_with_a_reply_is_told_word_by_word(desk: Bench, text: str) -> None:
    desk.run([text, code("finish()")])
    assert MALFORMED[text] in desk.told()[0]


CUT = {
    Said.LENGTH: "the reply was cut off at the output limit; answer with a shorter block",
    Said.REFUSAL: "the reply was a refusal; act, or call finish(...) and say why not",
}


@pytest.mark.parametrize("ending", CUT)
def test_a_reply_that_did_not_end_by_itself_is_not_carried_out(desk: Bench, ending: Said) -> None:
    cut = LOOK if ending is Said.REFUSAL else LOOK[:-6]
    result = desk.run([Reply(text=cut, ending=ending), code("finish()")])
    assert result.calls == 0
    assert CUT[ending] in desk.told()[0]
