"""A tool library that several people and processes change at once, on both databases."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

import pytest
from sqlalchemy import Engine

from nucleate_tool_library import State, ToolLibrary, ToolVersion
from nucleate_tool_library.trials.canaries import Canaries
from nucleate_tool_library.trials.trial_store import Trials
from nucleate_tool_library.trials.trials import Trial
from tests.races.racing import BREATH, Racer, errors, race
from tests.tool_library.doubles import version

A, B, C = version("a"), version("b"), version("c")
BY = {"by": "ada", "why": "a test"}


def doing(change: Callable[[ToolLibrary], object]) -> Racer:
    """Return a racer that changes a library."""
    return lambda engine: change(ToolLibrary(engine))


def changing(verb: str, *names: str, **where: str) -> Racer:
    """Return a racer that does one thing to a library, by the verb's name."""
    return doing(lambda shelf: getattr(shelf, verb)(*names, **where, **BY))


def registering(made: ToolVersion, *, over: bool = False) -> Racer:
    return doing(lambda shelf: shelf.register(made, state=State.ACTIVE, approved_by="ada", replace=over).number)


@pytest.fixture
def shelf(engine: Engine) -> ToolLibrary:
    shelf = ToolLibrary(engine)
    for made in (A, B, C):
        shelf.register(made, state=State.ACTIVE, approved_by="ada")
    return shelf


def test_one_version_is_registered_once(database: str, shelf: ToolLibrary) -> None:
    assert race(database, *[registering(version("new"))] * 4) == [1, 1, 1, 1]
    assert len(shelf.history("new")) == 1


def test_of_other_contents_of_one_name_one_is_taken(database: str, shelf: ToolLibrary) -> None:
    found = race(database, *(registering(version("new", body=str(body))) for body in range(4)))
    assert (errors(found), len(shelf.versions("new"))) == (["LibraryError"] * 3, 1)


def test_each_replacement_has_a_number_of_its_own(database: str, shelf: ToolLibrary) -> None:
    found = race(database, *(registering(version("a", body=str(body)), over=True) for body in range(2, 6)))
    assert sorted(map(int, map(str, found))) == [2, 3, 4, 5]
    assert [event.number for event in shelf.history("a")] == [1, 2, 3, 4, 5]


def test_a_tool_that_is_called_is_not_archived(database: str, shelf: ToolLibrary) -> None:
    callers = [registering(version(name, A)) for name in ("x", "y", "z")]
    found = race(database, changing("archive", "a"), *callers)
    archived = shelf.tool("a").state is State.ARCHIVED
    assert len(errors(found)) == (3 if archived else 1)
    assert shelf.dependents("a") == (() if archived else ("x", "y", "z"))


def test_a_pinned_tool_is_not_replaced_afterwards(database: str, shelf: ToolLibrary) -> None:
    replacing = [registering(version("a", body=str(body)), over=True) for body in range(2, 5)]
    race(database, changing("pin", "a"), *replacing)
    actions = [event.action for event in shelf.history("a")]
    assert shelf.tool("a").pinned
    assert actions[actions.index("pinned") + 1 :] == []


def test_pinning_and_unpinning_happens_once(database: str, shelf: ToolLibrary) -> None:
    race(database, *[changing("pin", "a")] * 3)
    race(database, *[changing("unpin", "a")] * 3)
    assert [event.action for event in shelf.history("a")][1:] == ["pinned", "unpinned"]


def test_a_name_is_a_tools_or_an_alias(database: str, shelf: ToolLibrary) -> None:
    found = race(database, changing("alias", "new", to="a"), registering(version("new")))
    assert (errors(found), shelf.tool("new").name in ("a", "new")) == (["LibraryError"], True)


def test_an_alias_leads_to_one_tool_and_is_taken_away_once(database: str, shelf: ToolLibrary) -> None:
    found = race(database, *(changing("alias", "new", to=to) for to in ("a", "b", "c")))
    assert (errors(found), len(shelf.aliases("shop"))) == (["LibraryError"] * 2, 1)
    found = race(database, *[changing("unalias", "new")] * 3)
    assert (errors(found), shelf.aliases("shop")) == (["LibraryError"] * 2, {})


def test_every_name_of_a_renamed_tool_leads_to_it(database: str, shelf: ToolLibrary) -> None:
    race(database, *(changing("rename", "a", to=to) for to in ("p", "q", "r")))
    names = {"a", *shelf.aliases("shop")}
    (tool,) = {shelf.tool(name).name for name in names}
    assert {tool, *names} == {"a", "p", "q", "r"}


def test_names_that_are_swapped_at_once_stay_apart(database: str, shelf: ToolLibrary) -> None:
    found = race(
        database,
        changing("rename", "a", to="new"),
        changing("rename", "b", to="new"),
        registering(version("caller", A)),
    )
    assert errors(found) == ["LibraryError"]
    assert len({tool.name for tool in shelf.tools("shop")}) == len(shelf.tools("shop"))
    assert shelf.close(["caller"])[-1].name == "caller"


def test_tools_merged_in_a_ring_leave_one(database: str, shelf: ToolLibrary) -> None:
    ring = [("a", "b"), ("b", "c"), ("c", "a")]
    race(database, *(changing("merge", name, into=into) for name, into in ring))
    states = Counter(tool.state for tool in shelf.tools("shop"))
    assert states[State.ACTIVE] == 1
    assert {shelf.tool(name).state for name in shelf.aliases("shop")} == {State.ACTIVE}


def test_a_tool_is_split_once(database: str, shelf: ToolLibrary) -> None:
    parts = (version("left"), version("right"))
    found = race(database, *[doing(lambda s: s.split("a", into=parts, lead_to="left", **BY))] * 3)
    assert len(errors(found)) == 2
    assert shelf.tool("a").name == "left"


def test_each_rollback_is_a_step_of_its_own(database: str, shelf: ToolLibrary, engine: Engine) -> None:
    registering(version("a", body="2"), over=True)(engine)
    found = race(database, *[changing("rollback", "a", to="1")] * 3)
    numbers = [event.number for event in shelf.history("a")]
    assert (numbers, len(errors(found))) in [([1, 2, 3], 2), ([1, 2, 3], 0)]


def test_a_tool_is_archived_and_revived_once(database: str, shelf: ToolLibrary) -> None:
    race(database, *[changing("archive", "a")] * 3)
    race(database, *[changing("revive", "a")] * 3)
    assert [event.now for event in shelf.history("a")] == ["active", "archived", "candidate"]


def test_a_state_changes_once(database: str, shelf: ToolLibrary) -> None:
    race(database, *[doing(lambda shelf: shelf.transition("a", to=State.SUSPECT, **BY))] * 4)
    assert [event.now for event in shelf.history("a")] == ["active", "suspect"]


def test_every_use_is_counted(database: str, shelf: ToolLibrary) -> None:
    def use(shelf: ToolLibrary) -> bool:
        return all(shelf.record_invocation(A.id, ok=True, milliseconds=1, calls=2, path="cli") for _ in range(5))

    assert race(database, *[doing(use)] * 4) == [True] * 4
    assert shelf.uses("a") == 20


def test_closures_hold_what_is_registered_while_they_are_derived(database: str, shelf: ToolLibrary) -> None:
    rebuilding = [doing(lambda shelf: shelf.rebuild() and 0)] * 2
    callers = [registering(version(name, A, B)) for name in ("x", "y")]
    assert errors(race(database, *rebuilding, *callers)) == []
    assert [[item.name for item in shelf.close([name])] for name in ("x", "y")] == [["a", "b", "x"], ["a", "b", "y"]]


def test_a_change_is_seen_by_whoever_asked_before_it_was_committed(database: str, shelf: ToolLibrary) -> None:
    names = {f"n{number}" for number in range(4)}

    def follow(engine: Engine) -> frozenset[str]:
        asked, revision, known = ToolLibrary(engine), -1, frozenset[str]()
        while not names <= known:
            now = asked.revision()
            if now != revision:  # as caches do: nothing is read again until the number changes
                revision, known = now, asked.names("shop")
            time.sleep(BREATH * 5)
        return known

    found = race(database, follow, *(registering(version(name)) for name in sorted(names)))
    assert found[0] == frozenset({"a", "b", "c", *names})


def canary(engine: Engine) -> ToolVersion:
    better = version("a", body="2")
    Canaries(engine).offer(better, plan_id=None, **BY)
    return better


def test_a_version_goes_on_trial_once(database: str, shelf: ToolLibrary) -> None:
    better = version("a", body="2")
    offering: Racer = lambda engine: Canaries(engine).offer(better, plan_id=None, **BY).number  # noqa: E731
    assert race(database, *[offering] * 4) == [2] * 4
    assert [event.now for event in shelf.history("a")] == ["active", "canary"]


def test_a_later_trial_makes_room_for_one(database: str, shelf: ToolLibrary, engine: Engine) -> None:
    offering = [
        lambda engine, body=body: Canaries(engine).offer(version("a", body=body), plan_id=None, **BY).number
        for body in ("2", "3", "4")
    ]
    assert race(database, *offering) == [2, 2, 2]
    assert len(Canaries(engine).all("shop")) == 1


def test_a_trial_ends_once(database: str, shelf: ToolLibrary, engine: Engine) -> None:
    better = canary(engine)
    promoting: Racer = lambda engine: Canaries(engine).promote("a", "shop", version_id=better.id, **BY)  # noqa: E731
    withdrawing: Racer = lambda engine: Canaries(engine).withdraw("a", "shop", version_id=better.id, **BY)  # noqa: E731
    found = race(database, promoting, withdrawing, promoting, withdrawing)
    assert Counter(found) == {True: 1, False: 3}
    states = [event.now for event in shelf.history("a")]
    assert states in (["active", "canary", "active"], ["active", "canary", "suspect", "archived"])
    assert shelf.tool("a").number == (2 if states[-1] == "active" else 1)


def test_a_trial_and_a_replacement_agree_on_the_numbers(database: str, shelf: ToolLibrary, engine: Engine) -> None:
    better = canary(engine)
    promoting: Racer = lambda engine: Canaries(engine).promote("a", "shop", version_id=better.id, **BY)  # noqa: E731
    race(database, promoting, registering(version("a", body="3"), over=True))
    numbers = [event.number for event in shelf.history("a") if event.now == "active"]
    assert numbers == sorted(set(numbers))


def test_every_trial_and_correction_is_kept(database: str, shelf: ToolLibrary, engine: Engine) -> None:
    adding = [lambda engine, case=case: Trials(engine).add(Trial(version_id=A.id, case=case)) for case in "wxyz"]
    correcting: Racer = lambda engine: Trials(engine).correct(A.id, by="ada", why="wrong")  # noqa: E731
    assert race(database, *adding, correcting, correcting) == [True] * 6
    assert (len(Trials(engine).of(A.id)), Trials(engine).corrections(A.id)) == (4, 2)
