"""A hash seed of one's own choice: the order of a set of texts is the same again, or another on purpose."""

from __future__ import annotations

import pytest

from nucleate_sandbox import DockerSandbox, Json, Limits, Module

pytestmark = pytest.mark.docker

ORDER = Module(
    name="order",
    source="import sys\n\n\ndef order():\n    return [list({str(n) for n in range(50)}), sys.flags.hash_randomization]\n",
)


def order(sandbox: DockerSandbox, seed: int | None) -> Json:
    with sandbox.open(limits=Limits(hash_seed=seed)) as session:
        outcome = session.call(ORDER, "order", {})
    assert outcome.failure is None
    return outcome.value


def test_a_hash_seed_decides_the_order_of_sets_in_every_container(docker_sandbox: DockerSandbox) -> None:
    first = order(docker_sandbox, 1)
    with DockerSandbox() as other:
        assert order(other, 1) == first
    assert order(docker_sandbox, 2) != first
    assert order(docker_sandbox, None) != first


def test_a_container_with_a_seed_hears_no_other_variable_of_the_interpreter(docker_sandbox: DockerSandbox) -> None:
    look = Module(name="look", source="import os, sys\n\n\ndef look():\n    return [dict(os.environ), sys.path]\n")
    with docker_sandbox.open(limits=Limits(hash_seed=3)) as seeded, docker_sandbox.open() as plain:
        assert seeded.call(look, "look", {}).value == plain.call(look, "look", {}).value
