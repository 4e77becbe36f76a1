"""Programs that do too much: each limit has its own outcome, and the next program is unaffected."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nucleate_sandbox import Limit, Limits, Outcome, Sandbox
from nucleate_sandbox.limits import MIB
from tests.contracts.sandbox_world import ENOUGH, World, call, functions, module, shown

TIME = frozenset({Limit.WALL, Limit.CPU})
SMALL = Limits(wall_seconds=2.0, cpu_seconds=2.0, output_bytes=1000, result_bytes=10_000, bridge_calls=3)
# However slow the machine, the clock is not what these programs are to hit: who computes without end hits its own time.
BUSY = replace(SMALL, wall_seconds=120.0, cpu_seconds=0.5)
PATIENT = replace(SMALL, wall_seconds=120.0, cpu_seconds=120.0)
NARROW = replace(PATIENT, memory_bytes=48 * MIB)

ABUSES: dict[str, tuple[str, frozenset[Limit | None]]] = {
    "an endless loop": ("while True:\n        pass", TIME),
    "an endless loop that catches everything": (
        (
            "while True:\n        try:\n            while True:\n                pass\n"
            "        except BaseException:\n            pass"
        ),
        TIME,
    ),
    "a long sleep": ("import time\n    time.sleep(1000)", frozenset({Limit.WALL})),
    "slow growth": ("x = []\n    while True:\n        x.append('x' * 10_000_000)", frozenset({Limit.MEMORY})),
    "one huge block": ("x = 'x' * 10 ** 11", frozenset({Limit.MEMORY})),
    "many small objects": ("x = []\n    while True:\n        x.append([x])", frozenset({Limit.MEMORY})),
    "a huge power": ("x = 10 ** 10 ** 10", TIME | {Limit.MEMORY}),
    "deep recursion": ("return tool()", frozenset({None})),
    "a large result": ("return 'x' * 20000", frozenset({Limit.RESULT})),
    "a deep result": ("x = []\n    for _ in range(500):\n        x = [x]\n    return x", frozenset({None})),
    "a result of wide text": ("return '漢' * 5000", frozenset({Limit.RESULT})),
    "an endless flood": ("while True:\n        print('x' * 1000)", TIME | {Limit.OUTPUT}),
    "a flood without line ends": ("while True:\n        print('x' * 1000, end='')", TIME | {Limit.OUTPUT}),
    "too many calls": ("for _ in range(9):\n        env.other.ping()", frozenset({Limit.CALLS})),
    "a failure": ("raise ValueError('odd')", frozenset({None})),
}
ALSO_IN_RUNS = [name for name in ABUSES if name != "deep recursion"]


def bounds(name: str) -> Limits:
    """Return limits of which the program can hit only those that are expected of it."""
    expected = ABUSES[name][1]
    if expected & TIME:
        return BUSY if Limit.CPU in expected else SMALL
    return NARROW if Limit.MEMORY in expected else PATIENT


def program(name: str) -> str:
    return f"def tool():\n    {ABUSES[name][0]}\n"


@pytest.mark.parametrize("name", ABUSES)
def test_a_limit_ends_the_program_and_the_next_call_works(sandbox: Sandbox, name: str) -> None:
    with sandbox.open(functions=functions(), limits=bounds(name)) as session:
        outcome = session.call(module(program(name)), "tool", {})
        following = session.call(module("def tool():\n    return env.other.ping()"), "tool", {})
    assert outcome.limit in ABUSES[name][1]
    assert (outcome.ok, outcome.value) == (False, None)
    assert outcome.failure is not None
    assert outcome.failure.message
    assert following.value == "pong"


@pytest.mark.parametrize("name", ALSO_IN_RUNS)
def test_a_limit_ends_a_run_and_the_next_run_works(sandbox: Sandbox, name: str) -> None:
    with sandbox.open(functions=functions(), limits=bounds(name)) as session:
        outcome = session.run(f"{program(name)}\ntool()")
        assert session.run("env.other.ping()").value == "pong"
    assert outcome.limit in ABUSES[name][1]


def test_deep_recursion_is_an_ordinary_error(sandbox: Sandbox) -> None:
    outcome = call(sandbox, program("deep recursion"))
    assert shown(outcome)[0] == "RecursionError"
    assert shown(outcome)[1].startswith("maximum recursion depth exceeded")
    assert outcome.failure is not None
    assert len(outcome.failure.traceback) < 10_000


def test_recursion_that_is_deep_but_fair_works(sandbox: Sandbox) -> None:
    assert call(sandbox, "def tool(n):\n    return n if n == 0 else tool(n - 1)", n=500) == Outcome(value=0)


@pytest.mark.parametrize(("stream", "target"), [("stdout", ""), ("stderr", ", file=sys.stderr")])
def test_output_is_captured_apart_from_the_value(sandbox: Sandbox, stream: str, target: str) -> None:
    outcome = call(sandbox, f"import sys\ndef tool():\n    print('é', 'b', sep='-'{target})\n    return 1")
    output = getattr(outcome, stream)
    assert (outcome.value, output.text, output.total_bytes) == (1, "é-b\n", 5)


def test_long_output_keeps_head_and_tail_and_counts_every_byte(sandbox: Sandbox) -> None:
    source = "def tool():\n    print('first')\n    for _ in range(50):\n        print('x' * 999)\n    print('last')"
    outcome = call(sandbox, source, limits=PATIENT)
    assert outcome.ok
    assert outcome.stdout.total_bytes == 6 + 50 * 1000 + 5
    assert outcome.stdout.text.startswith("first\nxxx")
    assert outcome.stdout.text.endswith("xxx\nlast\n")
    assert len(outcome.stdout.text) < 1100


def test_output_before_a_failure_is_kept(sandbox: Sandbox) -> None:
    outcome = call(sandbox, "def tool():\n    print('so far')\n    return 1 / 0")
    assert (outcome.stdout.text, shown(outcome)[0]) == ("so far\n", "ZeroDivisionError")


def test_output_of_one_run_is_not_in_the_next(sandbox: Sandbox) -> None:
    with sandbox.open(limits=ENOUGH) as session:
        assert session.run("print('one')").stdout.text == "one\n"
        assert session.run("print('two')").stdout.text == "two\n"


def test_calls_before_a_limit_are_in_the_log(sandbox: Sandbox) -> None:
    world = World()
    source = "def tool():\n    env.shop.add(value=1)\n    while True:\n        pass"
    outcome = call(sandbox, source, allowed=functions(world), limits=BUSY)
    assert (world.basket, [item.function for item in outcome.calls]) == ([1], ["shop.add"])
    assert outcome.limit in TIME


def test_a_limit_in_one_session_leaves_another_alone(sandbox: Sandbox) -> None:
    with sandbox.open(limits=BUSY) as one, sandbox.open(limits=BUSY) as two:
        two.run("x = 1")
        assert one.run("while True:\n    pass").limit in TIME
        assert two.run("x").value == 1
