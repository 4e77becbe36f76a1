"""The measured library has the depth that it claims, and what is timed says the same as walking."""

from __future__ import annotations

from evals.library import closure
from nucleate_tool_library import State
from tests.tool_library.doubles import library


def test_chains_are_as_deep_as_they_are_said_to_be_and_cross_each_other() -> None:
    made = {item.id: item for item in closure.chains(100)}
    depths: dict[str, int] = {}
    for key, item in made.items():
        depths[key] = 1 + max((depths[called] for called in item.dependencies), default=0)
    assert max(depths.values()) == closure.DEPTH
    assert any(len(item.dependencies) == 2 for item in made.values())
    assert list(made) == [item.id for item in closure.chains(100)]


def test_what_is_timed_is_what_walking_finds() -> None:
    shelf, made = library(), list(closure.chains(45))
    for item in made:
        shelf.register(item, state=State.ACTIVE, approved_by="test")
    top, base = made[39], made[20]
    assert {item.id for item in shelf.close([top.id])} == closure.walk(shelf, top.id)
    leading = {item.name for item in made if item.id in closure.scan(shelf, base)} - {base.name}
    assert set(shelf.dependents(base.name, transitive=True)) == leading
