"""Every sandbox, for the contract that all of them keep."""

from __future__ import annotations

import pytest

from nucleate_sandbox import Sandbox

SANDBOXES = (
    pytest.param("monty_sandbox", id="monty"),
    pytest.param("docker_sandbox", id="docker", marks=pytest.mark.docker),
    pytest.param("attached_sandbox", id="attached", marks=pytest.mark.docker),
)


@pytest.fixture(params=SANDBOXES)
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    """Return one backend after the other."""
    backend: Sandbox = request.getfixturevalue(request.param)
    return backend
