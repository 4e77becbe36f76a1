"""Whatever is compiled gives back the calls of every run that it was compiled from."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from nucleate_codifier.trace import Codified, Pattern, Template, call_of
from nucleate_codifier.trace.carry_out.performing import perform, reproduces
from nucleate_codifier.trace.expressions import (
    Best,
    Condition,
    Const,
    Each,
    Item,
    Mapped,
    Param,
    Text,
    Total,
    Var,
    Where,
)
from nucleate_sandbox import Json, JsonObject
from nucleate_text_memory import Step, Trajectory
from tests.codifier.trace.runs import compiled, run

ORDERS = Pattern(function="desk.get_user_details", arguments=(("user_id", Param(name="user_id")),))
NAMED = Where(field="name", equals=Param(name="name"))
LISTED = Where(field="name", equals=Item())
PENDING = Each(only=(Condition(field="status", equals=Const(value="pending")),))
SECOND = st.sampled_from(
    [
        Pattern(
            function="desk.get_order_details", arguments=(("order_id", Var(step=0, path=("orders", NAMED, "id"))),)
        ),
        Pattern(
            function="desk.get_order_details",
            arguments=(("order_id", Var(step=0, path=("orders", Best(field="price", most=False), "id"))),),
        ),
        Pattern(
            function="desk.get_order_details",
            arguments=(("order_id", Item(path=("id",))),),
            over=Var(step=0, path=("orders", Each())),
        ),
        Pattern(
            function="desk.cancel_order",
            arguments=(("order_id", Item(path=("id",))), ("reason", Const(value="no need"))),
            over=Var(step=0, path=("orders", PENDING)),
        ),
        Pattern(
            function="desk.pack",
            arguments=(
                ("skus", Mapped(over=Param(name="names"), element=Var(step=0, path=("orders", LISTED, "id")))),
                ("weight", Total(of=Var(step=0, path=("orders", Each(), "price")))),
            ),
        ),
    ]
)
LETTER = Pattern(
    function="desk.notify",
    arguments=(
        ("user_id", Param(name="user_id")),
        ("text", Text(parts=("Dear ", Var(step=0, path=("first",)), " ", Var(step=0, path=("last",)), "!"))),
    ),
)


@settings(deadline=None, max_examples=60)
@given(second=SECOND, letter=st.booleans(), seed=st.integers(0, 9999), count=st.integers(4, 7))
def test_a_compiled_template_makes_the_calls_of_every_run(second: Pattern, letter: bool, seed: int, count: int) -> None:
    made = Template(patterns=(ORDERS, second, *([LETTER] if letter else [])), returns=(("last", 1),))
    runs = [_recorded(made, random.Random(seed * 31 + number), number) for number in range(count)]
    outcome = compiled(runs)
    if isinstance(outcome, Codified):
        for example in (*outcome.evidence.seen, *outcome.evidence.held_out):
            steps = runs[int(example.task_id.removeprefix("task-"))].steps
            assert [(call.function, call.arguments) for call in example.calls] == [
                (step.function, step.arguments) for step in steps
            ]
            assert reproduces(outcome.template, example.arguments, example.calls)
    else:
        assert outcome.findings[0].rule.startswith("trace/")


def test_calls_that_differ_in_order_or_number_are_not_reproduced() -> None:
    template = Template(patterns=(ORDERS, LETTER))
    recorded = _recorded(template, random.Random(1), 1)
    calls = [call_of(step) for step in recorded.steps]
    user: JsonObject = {"user_id": recorded.steps[0].arguments["user_id"]}
    assert reproduces(template, user, calls)
    assert not reproduces(template, user, calls[::-1])
    assert not reproduces(template, user, calls[:1])
    assert not reproduces(template, user, [*calls, calls[0]])


def _recorded(template: Template, dice: random.Random, number: int) -> Trajectory:
    user, steps = f"user_{number}71", list[Step]()
    names = [f"lamp-{number}{index}" for index in range(2 + dice.randrange(3))]
    world = _user(number, names, dice)
    wanted = dice.sample(names, 1 + number % 2)

    def answer(function: str, arguments: JsonObject) -> Json:
        result: Json = {**world} if function == "desk.get_user_details" else {"done": len(steps)}
        steps.append(Step(function=function, arguments=arguments, result=result))
        return result

    given_here: JsonObject = {"user_id": user, "name": wanted[0], "names": [*wanted]}
    perform(template, {key: value for key, value in given_here.items() if key in template.parameters}, answer)
    return run(number, f"{user} asks for {' and '.join(wanted)}", *steps)


def _user(number: int, names: list[str], dice: random.Random) -> JsonObject:
    orders: list[Json] = [
        {
            "id": f"#W{number}{index}9",
            "name": name,
            "price": dice.randrange(100, 900),
            "status": dice.choice(["pending", "delivered"]) if index else "pending",
        }
        for index, name in enumerate(names)
    ]
    return {"first": f"Ann{number}", "last": f"Lee{number}", "orders": orders}
