"""Stored closures are exact: the same as a fixpoint over direct calls, in both directions, after every registration."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from nucleate_tool_library import LibraryError, State, ToolLibrary, ToolVersion
from tests.tool_library.doubles import library, version

# Each step registers one tool: a new one, or a new version of one that is there, calling some that are there.
steps = st.lists(
    st.tuples(st.integers(0, 7), st.sets(st.integers(0, 7), max_size=3), st.sampled_from(["int", "float"])),
    min_size=1,
    max_size=12,
)


def fixpoint(known: dict[str, ToolVersion], roots: set[str]) -> set[str]:
    """U_{r+1} = U_r ∪ Dep(U_r), until nothing is added."""
    found, before = set(roots), set[str]()
    while found != before:
        before, found = found, found | {key for item in found for key in known[item].dependencies}
    return found


def built(plan: list[tuple[int, set[int], str]]) -> ToolLibrary:
    shelf = library()
    for number, (name, called, returns) in enumerate(plan):
        there = {tool.name: tool.version for tool in shelf.tools()}
        calls = [there[f"t{other}"] for other in sorted(called) if f"t{other}" in there and other != name]
        made = version(f"t{name}", *calls, body=str(number), returns=returns)
        try:
            shelf.register(made, state=State.ACTIVE, approved_by="admission", replace=True)
        except LibraryError as error:  # two versions of one name, or a circle: refused, and nothing was stored
            assert "two versions of" in str(error) or "earlier version of itself" in str(error)  # noqa: PT017
    return shelf


@settings(max_examples=60, deadline=None)
@given(steps)
def test_closure_and_reverse_closure_are_the_fixpoint(plan: list[tuple[int, set[int], str]]) -> None:
    shelf = built(plan)
    tools = shelf.tools()
    known = {item.id: item for tool in tools for name in [tool.name] for item in shelf.versions(name)}
    reached = {tool.name: fixpoint(known, {tool.version.id}) for tool in tools}
    for tool in tools:
        closed = shelf.close([tool.version.id])
        assert {item.id for item in closed} == reached[tool.name]
        assert len({item.name for item in closed}) == len(closed)
        places = {item.id: place for place, item in enumerate(closed)}
        assert all(places[key] < places[item.id] for item in closed for key in item.dependencies)
        own = {item.id for item in shelf.versions(tool.name)}
        leading = sorted(other.name for other in tools if other.name != tool.name and reached[other.name] & own)
        assert shelf.dependents(tool.name, transitive=True) == tuple(leading)


@settings(max_examples=20, deadline=None)
@given(steps)
def test_closures_derived_anew_are_those_that_were_stored(plan: list[tuple[int, set[int], str]]) -> None:
    shelf = built(plan)
    before = {tool.name: shelf.close([tool.version.id]) for tool in shelf.tools()}
    shelf.rebuild()
    assert {tool.name: shelf.close([tool.version.id]) for tool in shelf.tools()} == before
