"""Each hostile program has its one acceptable outcome, and the call after it is as if it had never been."""

from __future__ import annotations

from pathlib import Path

import pytest

from nucleate_sandbox import DockerSandbox, Module, MontySandbox
from tests.sandbox.escapes.__main__ import attack
from tests.sandbox.escapes.case import Hostile, Twin
from tests.sandbox.escapes.corpus import CASES, PROBE, TWINS

PROGRAMS = [pytest.param(item, id=f"{group}: {item.name}") for group, item in CASES]
BENIGN = Module(name="tool", source="def tool():\n    return 'hello'\n")
TABLE = Path(__file__).parents[3] / "docs" / "sandbox_hostile.md"


@pytest.fixture(scope="module")
def clean_call(docker_sandbox: DockerSandbox) -> object:
    with docker_sandbox.open() as session:
        return session.call(Module(name="tool", source=PROBE), "tool", {}).value


@pytest.mark.docker
@pytest.mark.parametrize("item", PROGRAMS)
def test_docker_holds_and_the_next_call_is_unaffected(
    docker_sandbox: DockerSandbox, clean_call: object, item: Hostile
) -> None:
    outcome = attack(docker_sandbox, item)
    assert item.docker.met(outcome), outcome
    with docker_sandbox.open() as session:
        assert session.call(Module(name="tool", source=PROBE), "tool", {}).value == clean_call


@pytest.mark.parametrize("item", PROGRAMS)
def test_monty_holds_and_the_next_call_is_unaffected(monty_sandbox: MontySandbox, item: Hostile) -> None:
    outcome = attack(monty_sandbox, item)
    assert item.monty.met(outcome), outcome
    with monty_sandbox.open() as session:
        assert session.call(BENIGN, "tool", {}).value == "hello"


@pytest.mark.docker
@pytest.mark.parametrize("twin", TWINS, ids=lambda twin: twin.name)
def test_the_benign_twin_works(docker_sandbox: DockerSandbox, twin: Twin) -> None:
    with docker_sandbox.open() as session:
        assert session.call(Module(name="tool", source=twin.source), "tool", {}).value == twin.value


def test_the_corpus_has_at_least_120_programs_and_each_stands_in_the_table() -> None:
    names = {item.name for _, item in CASES}
    text = TABLE.read_text("utf-8")
    assert (len(names) >= 120, [name for name in sorted(names) if f"| {name} |" not in text]) == (True, [])
