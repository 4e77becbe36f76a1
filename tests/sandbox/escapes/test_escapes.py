"""Each hostile program ends as it must, the call after it is as if it had never been, and so is the host."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from nucleate_sandbox import DockerSandbox, Module, MontySandbox
from tests.sandbox.escapes.attacks import DOUBLE, Suite
from tests.sandbox.escapes.case import QUICK, Ground, Program
from tests.sandbox.escapes.corpus import CASES, PROBE, harmless, met, on_monty, twin_on_monty
from tests.sandbox.escapes.host import Host, servers

PROGRAMS = [pytest.param(item, id=ascii(f"{group}: {item.name}")) for group, item in CASES]
BENIGN = Module(name="tool", source="def tool():\n    return 'hello'\n")


@dataclass(frozen=True, kw_only=True)
class Field:
    """Two tenants' containers, and how they and the host look before anything hostile has run."""

    ground: Ground
    host: Host
    clean: object


def probed(ground: Ground) -> object:
    """Return what two programs see of the places where they run: calls alternate between warm containers."""
    with ground.sandbox.open(limits=QUICK) as session:
        return [session.call(Module(name="tool", source=PROBE), "tool", {}).value for _ in range(2)]


@pytest.fixture(scope="module")
def docker_field(docker_sandbox: DockerSandbox) -> Iterator[Field]:
    with DockerSandbox() as first, DockerSandbox() as second:
        ground = Ground(sandbox=first, other=second)
        clean = probed(ground)
        Suite(files={"test_a.py": "def test_a():\n    assert tool(1) == 2\n"}, source=DOUBLE).on(ground)
        yield Field(ground=ground, host=Host(), clean=clean)


@pytest.fixture(scope="module")
def monty_ground() -> Iterator[Ground]:
    with MontySandbox() as first, MontySandbox() as second:
        yield Ground(sandbox=first, other=second)


@pytest.mark.docker
@pytest.mark.parametrize("item", PROGRAMS)
def test_docker_holds_and_neither_the_next_call_nor_the_host_is_affected(docker_field: Field, item: Program) -> None:
    ending = item.attack.on(docker_field.ground)
    assert met(item.docker, ending), ending
    assert probed(docker_field.ground) == docker_field.clean
    assert docker_field.host.changes() == []


@pytest.mark.docker
@pytest.mark.parametrize("item", PROGRAMS)
def test_the_benign_twin_gives_its_value_on_docker(docker_field: Field, item: Program) -> None:
    assert met((harmless(item),), ending := item.twin.on(docker_field.ground)), ending


@pytest.mark.parametrize("item", PROGRAMS)
def test_monty_holds_and_the_next_call_is_unaffected(monty_ground: Ground, item: Program) -> None:
    assert met(on_monty(item), ending := item.attack.on(monty_ground)), ending
    with monty_ground.sandbox.open() as session:
        assert session.call(BENIGN, "tool", {}).value == "hello"


@pytest.mark.parametrize("item", PROGRAMS)
def test_the_benign_twin_gives_its_value_on_monty_or_is_what_monty_lacks(monty_ground: Ground, item: Program) -> None:
    assert met(twin_on_monty(item), ending := item.twin.on(monty_ground)), ending


@pytest.mark.docker
def test_the_host_sees_a_process_that_does_not_rest(docker_field: Field) -> None:
    with docker_field.ground.sandbox.open(limits=QUICK) as session:
        session.run("import os, time\nos.fork() or time.sleep(99)\nopen('/tmp/x', 'w').write('x')")
        busy = [item.processes for item in servers()]
    assert max(busy) > max(item.processes for item in servers())
    assert docker_field.host.changes() == []
