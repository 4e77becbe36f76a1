"""Whatever was recorded, the codifier answers: with a tool that makes those calls, or with why not."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from nucleate_codifier.trace import Codified, Template
from nucleate_codifier.trace.carry_out.performing import reproduces
from nucleate_sandbox import Json, JsonObject
from nucleate_text_memory import Step, Trajectory
from tests.codifier.trace.runs import compiled, run, step

SCALARS: tuple[Json, ...] = (None, True, 3, 471, 12.5, "pending", "#W17", "id-4", "2024-03-04", "", "a{b}'\"\\", "ünï")
KEYS = ("id", "name", "status", "items", "x y", "#k", "class", "price")
SHAPES = st.lists(st.sampled_from(["get_order_details", "pack", "notify"]), min_size=1, max_size=3, unique=True)


@settings(deadline=None, max_examples=80)
@given(functions=SHAPES, repeats=st.integers(0, 2), alike=st.booleans(), seed=st.integers(0, 99999))
def test_any_recording_gives_a_tool_that_makes_its_calls_or_a_reason(
    functions: list[str], repeats: int, alike: bool, seed: int
) -> None:
    runs = [_run(functions, repeats, random.Random(seed if alike else seed + n), n) for n in range(5)]
    outcome = compiled(runs)
    if isinstance(outcome, Codified):
        ast.parse(outcome.candidate.source)
        assert Template.from_json(outcome.candidate.template) == outcome.template
        for example in (*outcome.evidence.seen, *outcome.evidence.held_out):
            assert reproduces(outcome.template, example.arguments, example.calls)
    else:
        assert all(finding.message and finding.fix for finding in outcome.findings)


def _run(functions: list[str], repeats: int, dice: random.Random, number: int) -> Trajectory:
    steps: list[Step] = [step("get_user_details", _json(dice, 3), user_id=f"user_{number}")]
    known: list[Json] = [f"user_{number}", *_leaves(steps[0].result)]
    for function in functions:
        for _ in range(1 + dice.randrange(repeats + 1)):
            given_here: JsonObject = {"value": dice.choice(known), "all": known[:3]}
            steps.append(step(function, _json(dice, 3), **given_here))
    return run(number, f"user_{number} asks for {dice.choice(known)}", *steps)


def _json(dice: random.Random, depth: int) -> Json:
    kind = dice.random()
    if depth == 0 or kind < 0.3:
        return dice.choice(SCALARS)
    if kind < 0.6:
        return [_json(dice, depth - 1) for _ in range(dice.randrange(4))]
    return {dice.choice(KEYS): _json(dice, depth - 1) for _ in range(1 + dice.randrange(4))}


def _leaves(value: Json) -> Iterator[Json]:
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _leaves(item)
    else:
        yield value
