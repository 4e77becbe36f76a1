"""A canary that never ends, in the real sandbox: stopped at its wall time, answered by the version before, withdrawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from nucleate_sandbox import DockerSandbox
from nucleate_tool_library import ToolVersion
from tests.runtime.release import world
from tests.runtime.release.world import life, runtime, serve, try_out

ENDLESS = world.make("price_of", '[env.stock.price(item=item) for _ in iter(int, 1)][0]["price"]')
FRUITLESS = world.make("price_of", 'env.stock.price(item=item)["price"] + sum(1 for _ in iter(int, 1))')


@pytest.mark.docker
@pytest.mark.parametrize("canary", [ENDLESS, FRUITLESS], ids=["calls", "time"])
def test_a_canary_without_an_end_delays_one_call_and_is_withdrawn(
    tmp_path: Path, docker_sandbox: DockerSandbox, canary: ToolVersion
) -> None:
    with runtime(tmp_path, sandbox=docker_sandbox) as opened:
        serve(opened)
        try_out(opened, canary)
        assert opened.call("price_of", {"item": "nut"}).value == 1.0
        (trial,) = opened.releases.trials("price_of", canary.id)
        assert (trial.regressed, "hit its limit of" in trial.detail) == (True, True)
        assert life(opened)[-2:] == ["2 canary → suspect, release rule", "2 suspect → archived, release rule"]
