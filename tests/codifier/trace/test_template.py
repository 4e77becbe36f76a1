"""A template as data: written and read back, matched against steps, and its evidence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nucleate_codifier.trace import Codified, Match, Pattern, Template
from nucleate_codifier.trace.evaluation import RunScope, evaluate
from nucleate_codifier.trace.expressions import At, Const, Each, Expr, Item, Items, Param, Record, Var, Where
from nucleate_codifier.values import Example
from nucleate_sandbox import Call, Json, JsonObject
from nucleate_text_memory import Step, StepError
from tests.codifier.trace import choices as chosen
from tests.codifier.trace import recordings as recorded
from tests.codifier.trace.recordings import each
from tests.codifier.trace.runs import compiled, step

USER_ORDERS = Template(
    patterns=(
        Pattern(function="desk.get_user_details", arguments=(("user_id", Param(name="user_id")),)),
        Pattern(
            function="desk.get_order_details",
            arguments=(("order_id", Item(path=("id",))),),
            over=Var(step=0, path=("orders", Each())),
        ),
    ),
    returns=(("orders", 1),),
)
STEPS = (
    step("get_user_details", {"orders": [{"id": "#W1"}, {"id": "#W2"}]}, user_id="ann"),
    step("get_order_details", {"total": 1}, order_id="#W1"),
    step("get_order_details", {"total": 2}, order_id="#W2"),
)


def test_steps_that_follow_the_template_give_its_arguments_and_its_result() -> None:
    assert USER_ORDERS.match(STEPS) == Match(
        arguments={"user_id": "ann"}, start=0, stop=3, steps=(0, 1, 2), result=[{"total": 1}, {"total": 2}]
    )


def test_steps_in_another_order_than_the_list_do_not_match() -> None:
    assert USER_ORDERS.match((STEPS[0], STEPS[2], STEPS[1])) is None


def test_a_loop_that_stops_early_does_not_match() -> None:
    assert USER_ORDERS.match(STEPS[:2]) is None


def test_failed_steps_in_between_are_stepped_over() -> None:
    failed = Step(
        function="desk.get_order_details", arguments={"order_id": "W1"}, error=StepError(kind="NotFound", message="W1")
    )
    match = USER_ORDERS.match((STEPS[0], failed, *STEPS[1:]))
    assert match is not None
    assert (match.steps, match.stop) == ((0, 2, 3), 4)


def test_an_argument_that_the_template_does_not_know_does_not_match() -> None:
    assert USER_ORDERS.match((step("get_user_details", {"orders": []}, user_id="ann", full=True),)) is None


def test_one_and_true_are_different_values() -> None:
    template = Template(patterns=(Pattern(function="desk.notify", arguments=(("text", Const(value=1)),)),))
    assert template.match((step("notify", text=True),)) is None
    assert template.match((step("notify", text=1.0),)) is not None


def test_an_optional_argument_may_be_missing_and_is_then_no_argument() -> None:
    outcome = compiled(each(recorded.ticket_for_an_order))
    assert isinstance(outcome, Codified)
    steps = (
        step("get_order_details", {"label": "broken"}, order_id="#W7"),
        step("create_ticket", {"n": 1}, title="broken"),
    )
    match = outcome.template.match(steps)
    assert match is not None
    assert match.arguments == {"order_id": "#W7"}


@pytest.mark.parametrize(
    "runs",
    [
        recorded.orders_of_a_user,
        recorded.cancelled_order,
        recorded.shipped_order,
        recorded.ticket_for_an_order,
        recorded.products_of_a_user,
        recorded.product_of_a_line,
        recorded.basket_of_a_user,
        recorded.cancelled_orders,
        recorded.told_team,
        chosen.swapped_items,
        chosen.products_in_words,
        chosen.cheapest_offer,
        chosen.pending_orders,
        chosen.packed_order,
        chosen.offers_by_page,
        chosen.letters_to_users,
    ],
)
def test_a_template_survives_json_and_recognises_every_run_that_made_it(runs: recorded.Recording) -> None:
    outcome = compiled(each(runs, count=12))
    assert isinstance(outcome, Codified)
    assert Template.from_json(outcome.candidate.template) == outcome.template
    assert outcome.unmatched == ()
    assert len(outcome.evidence.seen) + len(outcome.evidence.held_out) == 12


def test_an_example_holds_what_the_run_had() -> None:
    outcome = compiled(each(recorded.cancelled_order))
    assert isinstance(outcome, Codified)
    example = next(one for one in (*outcome.evidence.seen, *outcome.evidence.held_out) if one.task_id == "task-1")
    order: JsonObject = {"id": "#W155", "user": {"id": "bob_171"}}
    assert example == Example(
        task_id="task-1",
        query="Cancel #W155: changed mind 1",
        arguments={"order_id": "#W155", "reason": "changed mind 1"},
        result={"status": "cancelled"},
        calls=(
            Call(function="desk.get_order_details", arguments={"order_id": "#W155"}, result=order),
            Call(
                function="desk.cancel_order",
                arguments={"order_id": "#W155", "reason": "changed mind 1"},
                result={"status": "cancelled"},
            ),
            Call(
                function="desk.notify",
                arguments={"user_id": "bob_171", "text": "Your order is cancelled."},
                result=None,
            ),
        ),
    )


def test_what_is_no_template_is_an_error_that_names_it() -> None:
    with pytest.raises(ValueError, match=r"\{'guess': 1\} is not an expression of a template"):
        Template.from_json({"patterns": [{"function": "a.b", "arguments": {"x": {"guess": 1}}}], "returns": []})


NAMES = st.sampled_from(["one", "two", "three"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=2),
    max_leaves=4,
)
RESULT: JsonObject = {"id": "r1", "rows": [{"id": "x", "n": 1}, {"id": "y", "n": 2}], "by_id": {"x": 7, "y": 8}}
SOURCES = st.sampled_from(
    [
        Var(step=0, path=("id",)),
        Var(step=0, path=("rows", -1, "n")),
        Var(step=0, path=("rows", Where(field="id", equals=Param(name="key")), "n")),
        Var(step=0, path=("by_id", At(key=Param(name="key")))),
    ]
)
LEAVES: st.SearchStrategy[Expr] = (
    VALUES.map(lambda value: Const(value=value)) | NAMES.map(lambda n: Param(name=n)) | SOURCES
)
EXPRESSIONS: st.SearchStrategy[Expr] = st.recursive(
    LEAVES,
    lambda inner: (
        st.dictionaries(NAMES, inner, min_size=1, max_size=2).map(lambda f: Record(fields=tuple(f.items())))
        | st.lists(inner, min_size=1, max_size=2).map(lambda items: Items(items=tuple(items)))
    ),
    max_leaves=4,
)


@given(
    arguments=st.dictionaries(st.sampled_from(["a", "b", "c"]), EXPRESSIONS, min_size=1),
    bound=st.fixed_dictionaries({"one": VALUES, "two": VALUES, "three": VALUES, "key": st.sampled_from(["x", "y"])}),
    looped=st.booleans(),
)
def test_steps_made_from_a_template_give_back_its_arguments(
    arguments: dict[str, Expr], bound: dict[str, Json], looped: bool
) -> None:
    over = Var(step=0, path=("rows", Each())) if looped else None
    inner: dict[str, Expr] = {**arguments, "row": Item(path=("id",))} if looped else arguments
    template = Template(
        patterns=(
            Pattern(function="desk.first", arguments=(("key", Param(name="key")),)),
            Pattern(function="desk.second", arguments=tuple(inner.items()), over=over),
        ),
        returns=(("second", 1),),
    )
    scope = RunScope(parameters=dict(bound), results=[RESULT])
    steps = [Step(function="desk.first", arguments={"key": bound["key"]}, result=RESULT)]
    for row in [{"id": "x"}, {"id": "y"}] if looped else [{"id": ""}]:
        scope.item = {**row}
        given_here = {name: evaluate(expr, scope) for name, expr in inner.items()}
        steps.append(Step(function="desk.second", arguments=given_here, result=1))
    read_back = Template.from_json(template.to_json())
    assert read_back == template
    match = read_back.match(steps)
    assert match is not None
    assert match.arguments == {name: bound[name] for name in template.parameters}
    assert (match.stop, match.result) == (len(steps), [1, 1] if looped else 1)
