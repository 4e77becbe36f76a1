"""An environment that is not there ends the run as an outage, whatever the program catches; the same on every sandbox."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from nucleate_sandbox import EnvironmentUnavailable, Functions, FunctionSpec, Json, JsonObject, Sandbox
from tests.contracts.sandbox_world import ENOUGH, module

SWALLOWS = """
def tool():
    for _ in range(3):
        try:
            env.far.away()
        except BaseException:
            pass
    return "nothing happened"
"""


class Unplugged:
    """An environment whose server is gone; it counts how often it was asked."""

    name = "far"
    functions: Mapping[str, FunctionSpec] = {"far.away": FunctionSpec(name="far.away")}

    def __init__(self) -> None:
        self.asked = 0

    def call(self, name: str, arguments: JsonObject) -> Json:
        self.asked += 1
        raise EnvironmentUnavailable("the server of 'far' is gone; start it")

    def fork(self) -> Unplugged:
        return Unplugged()


def test_an_environment_that_is_not_there_ends_a_call_as_an_outage(sandbox: Sandbox) -> None:
    far = Unplugged()
    with sandbox.open(functions=Functions.of(far), limits=ENOUGH) as session:
        with pytest.raises(EnvironmentUnavailable, match="the server of 'far' is gone; start it"):
            session.call(module(SWALLOWS), "tool", {})
        assert far.asked == 1
        assert session.call(module("def tool():\n    return 7"), "tool", {}).value == 7


def test_an_environment_that_is_not_there_ends_a_block_as_an_outage(sandbox: Sandbox) -> None:
    with sandbox.open(functions=Functions.of(Unplugged()), limits=ENOUGH) as session:
        with pytest.raises(EnvironmentUnavailable, match="the server of 'far' is gone; start it"):
            session.run(f"{SWALLOWS}\ntool()")
        assert session.run("1 + 1").value == 2
