"""Code that means harm, or is merely wrong: the run goes on, or ends in its own name."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from nucleate.executor import RunEnding
from nucleate.executor.prelude import may_take
from nucleate_sandbox import DockerSandbox, Limits
from tests.integration.desk import CUSTOMERS
from tests.runtime.executor.bench import Bench, bench, call, code

BRIEF = Limits(wall_seconds=2.0, cpu_seconds=1.0)
OPEN = 'env.desk.open_ticket(customer_id="c-ada-11", text="it hums")'


@pytest.fixture
def docker_desk(tmp_path: Path, docker_sandbox: DockerSandbox) -> Iterator[Bench]:
    """Return a bench whose code runs in a container."""
    with bench(tmp_path, docker_sandbox) as opened:
        yield opened


@pytest.mark.docker
@pytest.mark.parametrize(
    ("block", "told"),
    [
        ("while True: pass", "error: it hit its limit of "),
        (
            "import os\nos._exit(3)",
            "error: ProcessExit: the program ended its process with status 3 before it returned",
        ),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "error: ProcessKilled: the process was ended by"),
        ("x = 'a' * (2 << 30)", "error: it hit its limit of memory"),
    ],
)
def test_a_block_that_ends_its_process_is_told_so_and_the_next_has_a_fresh_one(
    docker_desk: Bench, block: str, told: str
) -> None:
    result = docker_desk.run([code(f"kept = 1\n{block}"), code("kept"), code("finish(2)")], limits=BRIEF)
    first, second = docker_desk.told()
    assert first.startswith(told)
    assert "NameError: name 'kept' is not defined" in second
    assert (result.ending, result.answer, result.spent.steps) == (RunEnding.FINISHED, 2, 3)


@pytest.mark.docker
def test_a_hundred_megabytes_end_the_block_and_are_counted(docker_desk: Bench) -> None:
    docker_desk.run([code("print('x' * (100 << 20))"), code("finish()")], limits=BRIEF)
    (told,) = docker_desk.told()
    assert "it hit its limit of " in told  # of output; on a busy machine the time comes first
    assert len(told) < 7_000


@pytest.mark.docker
def test_a_long_output_is_shown_with_its_head_its_tail_and_its_bytes(docker_desk: Bench) -> None:
    docker_desk.run([code("print('a' * 300_000 + 'z')"), code("finish()")], limits=BRIEF)
    (told,) = docker_desk.told()
    assert told.startswith("printed (300,002 bytes):\naaa")
    assert told.endswith("aaaz")
    assert "bytes left out" in told


@pytest.mark.docker
def test_an_engine_under_real_load_is_the_same_to_two_runs_in_one_environment(docker_desk: Bench) -> None:
    _two_at_once(docker_desk)


def test_two_runs_at_once_in_one_environment_keep_apart_what_they_did(desk: Bench) -> None:
    _two_at_once(desk)


def _two_at_once(desk: Bench) -> None:
    def one(email: str) -> tuple[object, list[object]]:
        script = [code(f'mine = env.desk.find_customer(email="{email}")'), code('finish(mine["customer_id"])')]
        result = desk.run(script, query=f"Who is {email}?")
        return result.answer, [step.arguments["email"] for step in result.trajectory.steps]

    emails = list(CUSTOMERS)[:4]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(one, emails)) == [(CUSTOMERS[email], [email]) for email in emails]


def test_a_block_cannot_take_our_names_away(desk: Bench) -> None:
    desk.run(
        [code("finish = env = recall = 3"), code("env.desk.find_customer(email='bo@desk.test')"), code("finish(7)")]
    )
    assert desk.told()[1] == 'value: {"customer_id": "c-bo-12", "email": "bo@desk.test"}'


def test_a_finish_of_its_own_ends_nothing(desk: Bench) -> None:
    result = desk.run([code("def finish(answer=None):\n    return 5\nfinish(1)"), code("finish(2)")])
    assert (desk.told(), result.answer) == (["value: 5"], 2)


def test_the_first_answer_counts_and_nothing_is_called_after_it(desk: Bench) -> None:
    result = desk.run([code(f"finish(1)\ntry:\n    {OPEN}\nexcept FunctionError:\n    pass\nfinish(2)")])
    assert (result.ending, result.answer, result.calls, desk.desk.tickets) == (RunEnding.FINISHED, 1, 0, {})


def test_an_answer_that_is_no_json_does_not_end_the_run(desk: Bench) -> None:
    result = desk.run([code("finish({1, 2})"), code("finish([1, 2])")])
    assert (result.answer, result.spent.steps) == ([1, 2], 2)


def test_what_was_written_before_an_exception_is_recorded(desk: Bench) -> None:
    result = desk.run([code(f"{OPEN}\n1 / 0\nfinish()"), code("finish('half')")])
    assert [step.function for step in result.trajectory.steps] == ["desk.open_ticket"]
    assert "ZeroDivisionError" in desk.told()[0]
    assert result.answer == "half"


def test_a_block_that_is_no_python_is_told_where(desk: Bench) -> None:
    desk.run([code("customer = = 3"), code("finish()")])
    assert desk.told()[0].startswith("error: SyntaxError: ")


def test_a_call_of_a_name_that_is_not_in_scope_is_no_step_and_says_what_is_near(desk: Bench) -> None:
    result = desk.run([call('{"call": "finnish", "arguments": {}}'), code("finish()")])
    assert result.calls == 0
    assert desk.told() == ["error: UnknownFunction: no environment function named 'finnish'; did you mean 'finish'?"]


def test_a_hint_is_answered_the_same_twice_and_only_so_often(desk: Bench) -> None:
    asks = "\n".join(f"recall('hint {number}')" for number in range(8))
    desk.run([code("recall('x'), recall(' X ')"), code(asks), code("recall('more')"), code("finish()")])
    told = desk.told()
    assert told[0] == 'value: ["nothing else is known about that", "nothing else is known about that"]'
    assert told[2] == 'value: "8 hints were answered; work with what is known"'


TAKING = [
    "finish = 1",
    "def recall(hint): ...",
    "class env: ...",
    "import json as finish",
    "for finish in [1]: pass",
    "del env",
    "globals()['finish'] = 1",
    "(recall := 2)",
    "match 1:\n    case finish: pass",
    "try:\n    1 / 0\nexcept ZeroDivisionError as env: pass",
    "from os import *",
    "finish.__globals__['env'] = 1",
    "exec('finish = 1')",
]
LEAVING = ["x = finish", "env.desk", "[name for name in [1]]", "def mine(finish): return finish", "print('finish = 1')"]


@pytest.mark.parametrize("block", TAKING)
def test_a_block_that_may_take_a_name_of_ours_is_known(block: str) -> None:
    assert may_take(block, {"env", "finish", "recall"})


@pytest.mark.parametrize("block", LEAVING)
def test_a_block_that_leaves_our_names_alone_is_known(block: str) -> None:
    assert not may_take(block, {"env", "finish", "recall"})
