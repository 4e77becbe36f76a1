"""Whose a container is: one tenant's, one program's at a time, and not for ever."""

from __future__ import annotations

import threading

import pytest

from nucleate_sandbox import DockerSandbox, Functions, Json, JsonObject, Limit, Limits, Session
from nucleate_sandbox.docker.containers.shape import USER_IDS
from tests.sandbox.docker.programs import Shop, module

pytestmark = pytest.mark.docker

WHO = module("import os\ndef tool():\n    return os.getuid()\n")  # each container has a user of its own
MANY = 1100  # calls: more than two containers serve


def user(session: Session) -> int:
    value = session.call(WHO, "tool", {}).value
    assert isinstance(value, int)
    return value


def test_each_container_has_a_user_of_its_own(docker_sandbox: DockerSandbox) -> None:
    with docker_sandbox.open() as one, docker_sandbox.open() as two:
        users = [session.run("import os\nos.getuid()").value for session in (one, two)]
    assert users[0] != users[1]
    assert all(item in USER_IDS for item in users)


def test_two_tenants_never_share_a_container(docker_sandbox: DockerSandbox) -> None:
    with DockerSandbox() as other, docker_sandbox.open() as one, other.open() as two:
        mine = {user(one) for _ in range(20)}
        theirs = {user(two) for _ in range(20)}
    assert not mine & theirs


def test_a_container_is_replaced_after_its_number_of_calls(docker_sandbox: DockerSandbox) -> None:
    with docker_sandbox.open(limits=Limits(processes=9)) as session:
        first = user(session)
        rest = [user(session) for _ in range(MANY)]
    assert first not in rest[-10:]
    assert all(rest.count(item) <= 500 for item in set(rest))


@pytest.mark.parametrize("code", ["while True: pass", "x = bytearray(2 ** 40)", "os.kill(os.getpid(), 9)"])
def test_a_container_that_saw_a_program_killed_serves_no_other(docker_sandbox: DockerSandbox, code: str) -> None:
    killed = code != "x = bytearray(2 ** 40)"  # a limit that the program itself was told of ended nothing by force
    with docker_sandbox.open(limits=Limits(processes=11, wall_seconds=1.0)) as session:
        before = session.run("import os\nos.getuid()").value
        assert not session.run(code).ok
        assert (session.run("import os\nos.getuid()").value != before) or not killed


def test_a_slow_environment_call_blocks_no_other_session(docker_sandbox: DockerSandbox) -> None:
    entered, release = threading.Event(), threading.Event()

    def slow(_: JsonObject) -> Json:
        entered.set()
        return release.wait(60)

    functions = Functions.of(Shop(more={"shop.slow": slow}))
    outcomes: list[Json] = []

    def work() -> None:
        with docker_sandbox.open(functions=functions, limits=Limits(wall_seconds=60.0)) as session:
            outcomes.append(session.call(module("def tool():\n    return env.shop.slow()\n"), "tool", {}).value)

    thread = threading.Thread(target=work)
    thread.start()
    assert entered.wait(60)
    with docker_sandbox.open(functions=functions) as session:
        assert session.call(module("def tool():\n    return env.shop.stock()\n"), "tool", {}).value == 3
        assert session.run("env.shop.stock()").value == 3
    assert outcomes == []
    release.set()
    thread.join()
    assert outcomes == [True]


def test_an_environment_call_times_out_on_its_own(docker_sandbox: DockerSandbox) -> None:
    release = threading.Event()
    functions = Functions.of(Shop(more={"shop.slow": lambda _: release.wait(60)}))
    source = """
        def tool():
            try:
                env.shop.slow()
            except FunctionError as error:
                return error.kind
        """
    with docker_sandbox.open(functions=functions, limits=Limits(wall_seconds=60.0, bridge_seconds=0.2)) as session:
        outcome = session.call(module(source), "tool", {})
    release.set()
    assert (outcome.value, outcome.limit) == ("Timeout", None)


def test_many_calls_at_once_share_few_containers(docker_sandbox: DockerSandbox) -> None:
    users: list[int] = []
    with docker_sandbox.open(limits=Limits(processes=13, wall_seconds=60.0)) as session:
        threads = [threading.Thread(target=lambda: users.append(user(session))) for _ in range(100)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(users) == 100
    assert len(set(users)) <= 16


def test_usage_tells_seconds_processor_memory_and_calls(docker_sandbox: DockerSandbox) -> None:
    source = """
        def tool():
            env.shop.stock()
            return len(bytearray(50 * 2 ** 20)) + sum(range(10 ** 6)) * 0
        """
    with docker_sandbox.open(functions=Functions.of(Shop())) as session:
        outcome = session.call(module(source), "tool", {})
    assert (outcome.value, outcome.limit, len(outcome.calls)) == (50 * 2**20, None, 1)
    assert outcome.usage.seconds > 0
    assert outcome.usage.cpu_seconds > 0.005
    assert outcome.usage.peak_bytes > 50 * 2**20


def test_the_processor_time_of_children_counts(docker_sandbox: DockerSandbox) -> None:
    source = """
        import os
        def tool():
            for _ in range(2):
                if os.fork() == 0:
                    while True:
                        pass
            os.wait()
        """
    limits = Limits(wall_seconds=120.0, cpu_seconds=1.0)
    with docker_sandbox.open(limits=limits) as session:
        outcome = session.call(module(source), "tool", {})
    assert outcome.limit is Limit.CPU
