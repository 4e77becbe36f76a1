"""The environment from inside: only the manifest, only JSON, errors as exceptions of one type."""

from __future__ import annotations

import threading

import pytest

from nucleate_sandbox import Call, DockerSandbox, Failure, Functions, Json, JsonObject, Limit, Limits
from tests.sandbox.docker.programs import Shop, call, module

pytestmark = pytest.mark.docker


def test_a_call_reaches_the_environment_and_is_logged(docker_sandbox: DockerSandbox) -> None:
    outcome = call(
        docker_sandbox, "def tool():\n    return env.shop.echo(a=[1, 'é'])\n", functions=Functions.of(Shop())
    )
    assert outcome.value == {"a": [1, "é"]}
    assert outcome.calls == (Call(function="shop.echo", arguments={"a": [1, "é"]}, result={"a": [1, "é"]}),)


def test_a_function_outside_the_manifest_is_refused_and_the_next_call_works(docker_sandbox: DockerSandbox) -> None:
    shop = Shop()
    functions = Functions.only(shop, ["shop.stock"])
    refused = call(docker_sandbox, "def tool():\n    return env.shop.take()\n", functions=functions)
    assert refused.failure is not None
    assert (refused.failure.kind, refused.failure.from_environment, shop.stock) == ("NotAllowed", False, 3)
    assert call(docker_sandbox, "def tool():\n    return env.shop.stock()\n", functions=functions).value == 3


def test_a_forged_frame_for_a_function_outside_the_manifest_is_refused_too(docker_sandbox: DockerSandbox) -> None:
    source = """
        import json, os
        def tool():
            data = json.dumps({"do": "call", "name": "shop.take", "arguments": {}}).encode()
            os.write(3, len(data).to_bytes(4, "big") + data)
            return json.loads(os.read(3, 10000)[4:])["error"]["kind"]
        """
    shop = Shop()
    outcome = call(docker_sandbox, source, functions=Functions.only(shop, ["shop.stock"]))
    assert (outcome.value, shop.stock) == ("NotAllowed", 3)


def test_an_environment_error_is_a_typed_exception_inside(docker_sandbox: DockerSandbox) -> None:
    source = """
        def tool():
            try:
                env.shop.take()
            except FunctionError as error:
                return [error.kind, error.message]
        """
    assert call(docker_sandbox, source, functions=Functions.of(Shop(stock=0))).value == ["SoldOut", "nothing is left"]


def test_an_uncaught_environment_error_keeps_its_kind(docker_sandbox: DockerSandbox) -> None:
    outcome = call(docker_sandbox, "def tool():\n    env.shop.take()\n", functions=Functions.of(Shop(stock=0)))
    assert outcome.failure == Failure(kind="SoldOut", message="nothing is left", from_environment=True)


def test_positional_arguments_are_refused_with_the_right_form(docker_sandbox: DockerSandbox) -> None:
    outcome = call(docker_sandbox, "def tool():\n    env.shop.echo(1)\n", functions=Functions.of(Shop()))
    assert outcome.failure == Failure(
        kind="TypeError", message="env.shop.echo takes keyword arguments only, as in env.shop.echo(name=value)"
    )


def test_the_limit_on_calls_ends_the_program(docker_sandbox: DockerSandbox) -> None:
    source = "def tool():\n    while True:\n        env.shop.stock()\n"
    outcome = call(docker_sandbox, source, functions=Functions.of(Shop()), limits=Limits(bridge_calls=5))
    assert (outcome.limit, len(outcome.calls)) == (Limit.CALLS, 5)


def test_a_slow_environment_call_does_not_block_another_session(docker_sandbox: DockerSandbox) -> None:
    entered, release = threading.Event(), threading.Event()

    def slow(arguments: JsonObject) -> Json:
        entered.set()
        return release.wait(30)

    shop = Shop(more={"shop.slow": slow})
    values: list[Json] = []

    def first() -> None:
        source = "def tool():\n    return env.shop.slow()\n"
        values.append(call(docker_sandbox, source, functions=Functions.of(shop), limits=Limits()).value)

    thread = threading.Thread(target=first)
    thread.start()
    assert entered.wait(30)
    with docker_sandbox.open(functions=Functions.of(shop)) as session:
        assert session.call(module("def tool():\n    return env.shop.stock()\n"), "tool", {}).value == 3
    release.set()
    thread.join()
    assert values == [True]
