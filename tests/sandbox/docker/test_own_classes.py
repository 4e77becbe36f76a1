"""A tool's own classes are found by the name of its module, as in any Python."""

from __future__ import annotations

import pytest

from nucleate_sandbox import DockerSandbox, Module

SOURCE = '''
from __future__ import annotations
from dataclasses import dataclass
import pickle
import typing


@dataclass
class Point:
    x: int
    next: "Point | None" = None


def NAME(x: int) -> list[object]:
    """Return what is found of a class."""
    copy = pickle.loads(pickle.dumps(Point(x)))
    return [copy.x, typing.get_type_hints(Point)["x"] is int, copy == Point(x)]
'''


@pytest.mark.docker
@pytest.mark.parametrize("name", ["tool", "json"])
def test_dataclasses_type_hints_and_pickle_work(docker_sandbox: DockerSandbox, name: str) -> None:
    module = Module(name=name, source=SOURCE.replace("NAME", name))
    with docker_sandbox.open() as session:
        assert session.call(module, name, {"x": 3}).value == [3, True, True]
        assert session.run(f"{SOURCE.replace('NAME', name)}\n{name}(4)").value == [4, True, True]
