"""What a model is shown of its blocks, its functions and a long run, so that it neither repeats nor guesses."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from nucleate.executor import RunEnding
from nucleate.executor.compaction import LONGEST, compacted
from nucleate.executor.laying_out import MOST_FULL, laid_out
from nucleate.executor.readable import readable
from nucleate.manager.rendering import entry_text
from nucleate_codifier.chat import Message, Role
from nucleate_sandbox import FunctionSpec, Json
from nucleate_text_memory import Entry, Kind
from tests.runtime.executor.bench import TICKET, Bench, call, code

OPEN = 'ticket = env.desk.open_ticket(customer_id="c-ada-11", text="it hums")'
ADDRESS = {"street": "Park Row 4", "city": "Berlin", "zip": "10115", "country": "Germany"}


def steps(desk: Bench, *replies: str) -> list[str]:
    """Return the calls of a run with these replies."""
    return [step.function for step in desk.run([*replies, code("finish(1)")]).trajectory.steps]


def test_the_same_write_twice_in_one_reply_runs_once_and_the_model_is_told(desk: Bench) -> None:
    assert steps(desk, f"{code(OPEN)}\n\n{code(OPEN)}") == ["desk.open_ticket"]
    assert desk.told()[0].startswith(f"Only the first block of your reply was carried out. The rest was ignored, and "
                                     f"nothing of it is done: `{OPEN}`.")  # fmt: skip


def test_a_block_that_shows_nothing_says_which_calls_it_made_and_how_they_ended(desk: Bench) -> None:
    steps(desk, code(OPEN))
    head, line = desk.told()[0].splitlines()
    assert head == "nothing was printed; these calls were made:"
    assert line.startswith('* desk.open_ticket({"customer_id":"c-ada-11","text":"it hums"}) -> {"customer_id":')


def test_a_block_that_fails_says_what_it_had_done(desk: Bench) -> None:
    steps(desk, code(f"{OPEN}\n1 / 0"))
    assert desk.told()[0].splitlines()[-1] == "calls made: desk.open_ticket"


def test_errors_name_blocks_as_the_model_counts_them_and_hold_no_carets(desk: Bench) -> None:
    steps(desk, code("def half(x):\n    return x / 0"), code("half(1)"))
    told = desk.told()[1]
    assert "  this block, line 1" in told
    assert "  your block 1, line 2, in half" in told
    assert "^" not in told


def test_a_run_may_finish_in_the_block_of_its_last_call(desk: Bench) -> None:
    checked = code(f'{OPEN}\nassert ticket["ticket_id"], ticket\nfinish(ticket["ticket_id"])')
    result = desk.run([checked])
    assert (result.ending, result.answer, result.spent.steps) == (RunEnding.FINISHED, "t-c-ada-11-7", 1)


def test_a_name_without_its_dots_is_the_function_that_it_can_only_be(desk: Bench) -> None:
    assert steps(desk, call('{"name": "desk__find_customer", "arguments": {"email": "ada@desk.test"}}')) == [
        "desk.find_customer"
    ]


def test_a_run_lists_as_tools_what_are_tools(desk: Bench) -> None:
    desk.register(TICKET, "ticket", ("desk.find_customer", "desk.open_ticket", "desk.notify"))
    result = desk.run([code(OPEN), code("finish(1)")], choice=desk.runtime.manager.choose("x", scope="desk"))
    assert result.tools == ()


def test_the_record_of_a_run_tells_the_tokens_of_each_part_and_what_the_model_wrote(desk: Bench) -> None:
    meta = desk.run([code(OPEN, "Now."), code("finish(1)")]).trajectory.meta
    run = meta["run"]
    assert isinstance(run, dict)
    parts = run["parts"]
    assert isinstance(parts, dict)
    assert {"system", "guidance", "replies", "observations"} <= set(parts)
    assert meta["blocks"] == [f"Now.\n{OPEN}", "finish(1)"]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ({"a": 1, "b": None}, '{"a": 1}'),
        ("one\ntwo", "one\ntwo"),
        ("one", '"one"'),
        (
            [{"id": 1, "n": "a"}, {"id": 2, "n": "b"}, {"id": 3, "n": "c"}],
            '[3 rows of id | n:\n1 | "a"\n2 | "b"\n3 | "c"]',
        ),
        ([{"id": 1}, {"x": 2}, 3], '[{"id": 1}, {"x": 2}, 3]'),
    ],
    ids=["nothing", "text", "word", "alike", "unlike"],
)
def test_a_value_is_shown_for_reading(value: Json, shown: str) -> None:
    assert readable(value) == shown


def test_a_structure_that_was_shown_is_pointed_to() -> None:
    shown = readable({"user": {"address": dict(ADDRESS)}, "order": {"address": dict(ADDRESS)}})
    assert shown.count("Park Row 4") == 1
    assert shown.endswith('"order": (the same as user)}')


def by_words(query: str, documents: Mapping[str, str]) -> list[tuple[str, float]]:
    """Rank documents by the words that they share with a query."""
    wanted = set(query.lower().split())
    scores = [(name, float(len(wanted & set(text.lower().split())))) for name, text in documents.items()]
    return sorted(scores, key=lambda item: -item[1])


def spec(name: str) -> FunctionSpec:
    """Return a function that takes nothing."""
    return FunctionSpec(name=name, doc=f"Do {name}.", parameters={"type": "object", "properties": {}})


def test_of_many_functions_those_near_the_task_are_shown_in_full_and_all_by_name() -> None:
    many = {f"box.f{at}": spec(f"box.f{at}") for at in range(MOST_FULL)} | {"mail.send": spec("mail.send")}
    shown = laid_out(many, "send a mail", by_words)
    assert "* env.mail: send" in shown.stable
    assert "(read)" not in shown.stable
    assert "* `send()`" in shown.near
    assert len(laid_out({"mail.send": spec("mail.send")}, "x", by_words).near) == 0


def test_old_observations_of_a_long_run_are_shortened_and_the_last_stay() -> None:
    said = [Message(role=Role.USER if at % 2 else Role.ASSISTANT, content="x" * (10_000 if at % 2 else 100))
            for at in range(28)]  # fmt: skip
    short = compacted(said)
    assert sum(len(message.content) for message in short[2:]) <= LONGEST
    assert short[:2] == said[:2]
    assert short[-8:] == said[-8:]
    assert compacted(said[:6]) == said[:6]


def test_a_plan_is_done_by_a_tool_that_makes_all_its_writes_and_else_in_part() -> None:
    plan = Entry(id="p", kind=Kind.PLAN, scope="desk", title="T", body="B", source="quorum", confidence=0.9,
                 signature=("desk.find", "desk.open", "desk.notify"), implements=("half", "whole"))  # fmt: skip
    does = {"half": {"desk.find", "desk.open"}, "whole": {"desk.open", "desk.notify"}}
    text = entry_text(plan, does=does, writes={"desk.open", "desk.notify"})
    assert "the tool half does steps 1, 2, and not desk.notify; done by the tool whole)" in text
