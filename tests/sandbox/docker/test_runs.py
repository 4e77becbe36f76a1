"""Runs: a namespace that lasts until a limit or the process's end."""

from __future__ import annotations

import pytest

from nucleate_sandbox import DockerSandbox, Failure, Functions, Limit, Limits, Output, SandboxError
from tests.sandbox.docker.programs import DEFAULT, SPINNING, WAITING, Shop, module

pytestmark = pytest.mark.docker


def test_names_persist_and_the_last_expression_is_the_value(docker_sandbox: DockerSandbox) -> None:
    with docker_sandbox.open() as session:
        assert session.run("x = 20\ndef double(n):\n    return 2 * n").value is None
        outcome = session.run("print('doubling')\ndouble(x) + 2")
    assert (outcome.value, outcome.stdout) == (42, Output(text="doubling\n", total_bytes=9))


def test_a_value_that_is_not_json_is_none_and_no_failure(docker_sandbox: DockerSandbox) -> None:
    with docker_sandbox.open() as session:
        outcome = session.run("object()")
    assert (outcome.value, outcome.ok) == (None, True)


def test_a_failure_leaves_the_namespace_as_it_was(docker_sandbox: DockerSandbox) -> None:
    with docker_sandbox.open() as session:
        session.run("x = 1")
        failed = session.run("x = 2\n1 / 0\nx = 3")
        assert failed.failure == Failure(kind="ZeroDivisionError", message="division by zero")
        assert 'File "run_2.py", line 2' in failed.failure.traceback
        assert session.run("x").value == 2


@pytest.mark.parametrize(
    ("code", "limits", "limit"),
    [
        ("while True: pass", SPINNING, Limit.CPU),
        ("import time; time.sleep(60)", WAITING, Limit.WALL),
        ("bytearray(10**10)", DEFAULT, Limit.MEMORY),
        ("while True: print('x' * 1000000)", DEFAULT, Limit.OUTPUT),
    ],
)
def test_a_limit_ends_the_namespace_and_the_next_run_is_fresh(
    docker_sandbox: DockerSandbox, code: str, limits: Limits, limit: Limit
) -> None:
    with docker_sandbox.open(limits=limits) as session:
        session.run("x = 1")
        assert session.run(code).limit is limit
        assert session.run("'x' in globals()").value is False


def test_a_process_that_ends_itself_is_a_failure_and_the_next_run_is_fresh(docker_sandbox: DockerSandbox) -> None:
    with docker_sandbox.open() as session:
        ended = session.run("import os\nos._exit(7)")
        assert ended.failure == Failure(
            kind="ProcessExit", message="the program ended its process with status 7 before it returned"
        )
        assert session.run("1").value == 1


def test_processor_time_is_counted_for_each_run_anew(docker_sandbox: DockerSandbox) -> None:
    burn = "import time\nend = time.process_time() + 0.3\nwhile time.process_time() < end: pass\n'done'"
    with docker_sandbox.open(limits=SPINNING) as session:
        assert [session.run(burn).value for _ in range(3)] == ["done"] * 3


def test_runs_reach_the_environment(docker_sandbox: DockerSandbox) -> None:
    shop = Shop()
    with docker_sandbox.open(functions=Functions.of(shop)) as session:
        first = session.run("left = env.shop.take()")
        second = session.run("env.shop.take() + left")
    assert (second.value, shop.stock) == (3, 1)
    assert ([c.function for c in first.calls], [c.result for c in second.calls]) == (["shop.take"], [1])


def test_a_call_beside_a_namespace_does_not_see_or_end_it(docker_sandbox: DockerSandbox) -> None:
    with docker_sandbox.open() as session:
        session.run("x = 5\nopen('/tmp/mine', 'w').write('here')")
        seen = session.call(module("import os\ndef tool():\n    return os.listdir('/tmp')\n"), "tool", {})
        assert (seen.value, session.run("[x, open('/tmp/mine').read()]").value) == ([], [5, "here"])


def test_a_closed_session_refuses_work(docker_sandbox: DockerSandbox) -> None:
    session = docker_sandbox.open()
    session.close()
    with pytest.raises(SandboxError, match="the session is closed; open another one"):
        session.run("1")
