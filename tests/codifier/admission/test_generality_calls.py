"""The generality gate looks at the calls: an entity of one's own, a row by its place, however the source is written."""

from __future__ import annotations

import pytest

from nucleate_codifier.admission.generality.chosen_rows import own_entities, picked_rows
from nucleate_codifier.values import Example
from nucleate_sandbox import Call, Effect, FunctionSpec, Json, JsonObject

GET, CANCEL = "desk.get_user", "desk.cancel_order"
FUNCTIONS = {GET: FunctionSpec(name=GET), CANCEL: FunctionSpec(name=CANCEL, effect=Effect.WRITE)}


def _example(number: int, orders: list[Json], cancelled: str, **more: Json) -> Example:
    user = f"ann_{number}71"
    answer: JsonObject = {"user_id": user, "orders": orders}
    return Example(
        task_id=f"t{number}",
        query=f"An order of {user}",
        arguments={"user_id": user, **more},
        result={"status": "cancelled"},
        calls=(
            Call(function=GET, arguments={"user_id": user}, result=answer),
            Call(function=CANCEL, arguments={"order_id": cancelled}, result={"order_id": cancelled}),
        ),
    )


def _row(number: int, index: int, status: str = "pending") -> JsonObject:
    return {"order_id": f"#W{number}{index}9", "status": status}


@pytest.mark.parametrize("count", [1, 3])
def test_an_entity_that_nothing_gave_is_refused_whether_it_is_written_or_built(count: int) -> None:
    (found,) = own_entities([_example(n, [], "#W4779") for n in range(count)], frozenset(), {})
    assert (found.rule, found.message) == (
        "generality/own-entity",
        (
            "order_id='#W4779' of desk.cancel_order is neither in the arguments nor in an answer of task 't0': "
            "the tool is about one thing"
        ),
    )


def test_what_was_given_or_answered_is_nobodys_own() -> None:
    given = [_example(n, [], f"#W{n}09", order_id=f"#W{n}09") for n in range(3)]
    answered = [_example(n, [_row(n, 0)], f"#W{n}09") for n in range(3)]
    assert own_entities([*given, *answered], frozenset(), {}) == []


def test_the_first_of_several_rows_alike_is_refused() -> None:
    runs = [_example(n, [_row(n, 0), _row(n, 1)], f"#W{n}09") for n in range(4)]
    (found,) = picked_rows(runs, FUNCTIONS)
    assert (found.rule, found.message) == (
        "generality/picked-row",
        (
            "'order_id' of desk.cancel_order is that of the first of 2 rows in task 't0', "
            "and nothing that the tool is given tells this row from the others"
        ),
    )


def test_a_row_that_an_argument_or_its_kind_tells_from_the_others_may_be_taken() -> None:
    told = [
        _example(n, [{**_row(n, 0), "name": f"lamp {n}"}, _row(n, 1)], f"#W{n}09", name=f"lamp {n}") for n in range(3)
    ]
    kind = [_example(n, [_row(n, 0), _row(n, 1, "delivered")], f"#W{n}09") for n in range(3)]
    only = [_example(n, [_row(n, 0)], f"#W{n}09") for n in range(3)]
    assert [picked_rows(runs, FUNCTIONS) for runs in (told, kind, only)] == [[], [], []]
