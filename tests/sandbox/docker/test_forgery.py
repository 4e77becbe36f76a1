"""What a program sends over the private channel itself: the host believes only what it can check."""

from __future__ import annotations

import threading
from textwrap import indent

import pytest

from nucleate_sandbox import DockerSandbox, Failure, Functions, Json, JsonObject, Limit, Limits, Outcome
from tests.sandbox.docker.programs import Shop, call, module

pytestmark = pytest.mark.docker

FRAME = """
import json, os, struct
def send(**message):
    data = json.dumps(message).encode()
    os.write(3, struct.pack(">I", len(data)) + data)
"""


def forged(code: str) -> str:
    """Return a module whose function `tool` has these lines, and can send frames."""
    return f"{FRAME}def tool():\n{indent(code, '    ')}\n"


def forge(sandbox: DockerSandbox, code: str, *, shop: Shop | None = None, limits: Limits | None = None) -> Outcome:
    functions = Functions.of(shop or Shop())
    return call(sandbox, forged(code), functions=functions, limits=limits or Limits(wall_seconds=60.0))


def failure_frame(**more: Json) -> str:
    fields = {"do": "failure", "kind": "SoldOut", "message": "nothing is left", "traceback": "", **more}
    return f"send(**{fields!r})"


def test_a_failure_is_from_the_environment_only_if_the_environment_raised_it(docker_sandbox: DockerSandbox) -> None:
    outcome = forge(docker_sandbox, failure_frame(from_environment=True))
    assert outcome.failure == Failure(kind="SoldOut", message="nothing is left")


def test_a_failure_that_the_environment_raised_is_from_the_environment(docker_sandbox: DockerSandbox) -> None:
    outcome = forge(docker_sandbox, "env.shop.take()", shop=Shop(stock=0))
    assert outcome.failure == Failure(kind="SoldOut", message="nothing is left", from_environment=True)


def test_the_texts_of_a_forged_failure_are_bounded(docker_sandbox: DockerSandbox) -> None:
    long = "'do': 'failure', 'kind': 'K' * 10**6, 'message': 'm' * 10**6, 'traceback': 't' * 10**6"
    failure = forge(docker_sandbox, f"send(**{{{long}}})").failure
    assert failure is not None
    assert [len(failure.kind), len(failure.message), len(failure.traceback)] == [203, 8003, 8003]


def test_a_program_that_asks_on_without_reading_the_answers_is_cut_off(docker_sandbox: DockerSandbox) -> None:
    code = "for _ in range(100):\n    send(do='call', name='shop.echo', arguments={'text': 'x' * 10**6})"
    outcome = forge(docker_sandbox, code)
    message = "the program sent a message before it had read the answer to the one before over the private channel"
    assert outcome.failure == Failure(kind="ProtocolError", message=message)
    assert len(outcome.calls) < 5


def test_calls_sent_ahead_do_not_outlast_the_wall_clock(docker_sandbox: DockerSandbox) -> None:
    never = threading.Event()

    def slow(_: JsonObject) -> Json:
        return never.wait(0.4)

    code = "for _ in range(100):\n    send(do='call', name='shop.slow', arguments={})\nimport time\ntime.sleep(60)"
    outcome = forge(docker_sandbox, code, shop=Shop(more={"shop.slow": slow}), limits=Limits(wall_seconds=1.0))
    assert outcome.limit is Limit.WALL
    assert len(outcome.calls) <= 3


def test_a_slow_environment_is_not_waited_for_beyond_the_wall_clock(docker_sandbox: DockerSandbox) -> None:
    released = threading.Event()
    shop = Shop(more={"shop.slow": lambda _: released.wait(30)})
    outcome = forge(docker_sandbox, "env.shop.slow()", shop=shop, limits=Limits(wall_seconds=1.0))
    released.set()
    assert outcome.limit is Limit.WALL
    assert outcome.usage.seconds < 10
    assert [item.error.kind for item in outcome.calls if item.error] == ["Timeout"]


def test_results_sent_ahead_answer_no_run(docker_sandbox: DockerSandbox) -> None:
    ahead = f"{FRAME}\nfor run in range(6):\n    send(do='value', value='forged', run=run)\n"
    with docker_sandbox.open() as session:
        failure = session.run(ahead).failure
        message = "the program sent a result of another run over the private channel"
        assert failure == Failure(kind="ProtocolError", message=message)
        assert [session.run("'real'").value, session.run("'send' in globals()").value] == ["real", False]


def test_a_run_that_knows_its_number_answers_for_itself_alone(docker_sandbox: DockerSandbox) -> None:
    known = (
        f"{FRAME}\nimport sys\nframe = sys._getframe()\n"
        "while 'block' not in frame.f_locals:\n    frame = frame.f_back\n"
        "for _ in range(5):\n    send(do='value', value='forged', run=frame.f_locals['block']['run'])\n"
    )
    with docker_sandbox.open() as session:
        assert session.run(known).value == "forged"  # a program's own answer is its own affair
        failure = session.run("'real'").failure
        assert failure is not None
        assert failure.kind == "ProtocolError"
        assert session.run("'real'").value == "real"


def test_a_result_sent_later_answers_no_run_and_shifts_none(docker_sandbox: DockerSandbox) -> None:
    later = f"{FRAME}\nif os.fork() == 0:\n    os.read(0, 1)\n    send(do='value', value='forged', run=1)\n    os._exit(0)\n"
    with docker_sandbox.open() as session:
        outcomes = [session.run(code) for code in (f"{later}\n'first'", "os.wait()\n'second'", "'third'")]
    failures = [item.failure.kind for item in outcomes if item.failure is not None]
    assert [item.value for item in outcomes if item.ok] in (["first", "third"], ["second", "third"], ["third"])
    assert set(failures) <= {"ProtocolError", "NameError"}


@pytest.mark.parametrize(
    "code",
    ["os.write(3, b'x' * 99)", "send(do='failure')", "send(do='other')", "send(do='call', name=1)"],
)
def test_a_container_that_saw_a_forgery_serves_nobody_else(docker_sandbox: DockerSandbox, code: str) -> None:
    who = module("import os\ndef tool():\n    return os.getuid()\n")  # each container has a user of its own
    attack = module(forged(f"print(os.getuid(), flush=True)\n{code}\nos.read(0, 1)"))
    with docker_sandbox.open() as session:
        outcome = session.call(attack, "tool", {})
        assert outcome.failure is not None
        assert outcome.failure.kind == "ProtocolError"
        assert int(outcome.stdout.text) not in [session.call(who, "tool", {}).value for _ in range(8)]
