"""Rename, merge, split: names change, callers go along, old names lead on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nucleate_tool_library import LibraryError, State, ToolLibrary, ToolVersion
from tests.tool_library.doubles import library, version

COUNT = version("count")
TOTAL = version("total", COUNT)


def shelf_of(*versions: ToolVersion) -> ToolLibrary:
    shelf = library()
    for item in versions:
        shelf.register(item, state=State.ACTIVE, approved_by="admission")
    return shelf


def test_a_renamed_tool_is_found_by_both_names_and_called_by_the_new_one() -> None:
    shelf = shelf_of(COUNT, TOTAL)
    change = shelf.rename("count", to="tally", by="ada", why="says more")
    tool = shelf.tool("count")
    assert (tool.name, tool.release, tool.number, shelf.tool("tally")) == ("tally", "1.0.1", 2, tool)
    assert tool.version.source == COUNT.source.replace("def count", "def tally")
    assert tool.version.signature.name == "tally"
    assert shelf.tool("total").version.source == TOTAL.source.replace("count(n=n)", "tally(n=n)")
    assert [item.name for item in shelf.close(["total"])] == ["tally", "total"]
    assert change.aliases == {"count": "tally"}
    assert [(item.name, item.follows) for item in change.dependents] == [("total", True)]
    assert [(item.tool, item.event.action) for item in change.effects] == [("tally", "renamed"), ("total", "relinked")]
    assert [event.why for event in shelf.history("tally")] == ["registered", "was 'count': says more"]


def test_uses_of_a_renamed_tool_count_on() -> None:
    shelf = shelf_of(COUNT)
    shelf.record_invocation(COUNT.id, ok=True, milliseconds=1, calls=0, path="cli")
    shelf.rename("count", to="tally", by="ada", why="x")
    shelf.record_invocation(shelf.tool("tally").version.id, ok=False, milliseconds=1, calls=0, path="mcp")
    assert (shelf.uses("count"), shelf.uses("tally"), shelf.stats().tools[0].passes) == (2, 2, 1)


def test_a_name_can_be_taken_back_and_a_name_in_use_cannot() -> None:
    shelf = shelf_of(COUNT, version("other"))
    shelf.rename("count", to="tally", by="ada", why="x")
    with pytest.raises(LibraryError, match="'count' leads to 'tally'"):
        shelf.rename("other", to="count", by="ada", why="x")
    shelf.rename("tally", to="count", by="ada", why="better before")
    assert (shelf.tool("count").version.source, shelf.aliases("shop")) == (COUNT.source, {"tally": "count"})
    with pytest.raises(LibraryError, match="'other' is taken"):
        shelf.rename("count", to="other", by="ada", why="x")


@pytest.mark.parametrize("name", ["Count", "class", "match", "len", "env", "tool", "a-b", "_count", "", "a" * 41])
def test_what_cannot_name_a_tool_is_refused(name: str) -> None:
    with pytest.raises(LibraryError, match=f"'{name}' is no name for a tool"):
        shelf_of(COUNT).rename("count", to=name, by="ada", why="x")


def test_a_name_that_the_module_uses_itself_is_refused() -> None:
    source = COUNT.source.replace("n: int", "n: int, by: int = 1")
    with pytest.raises(LibraryError, match="the module of 'count' uses the name 'by' itself"):
        shelf_of(replace(COUNT, source=source)).rename("count", to="by", by="ada", why="x")


def test_a_caller_that_gives_the_name_to_something_else_keeps_the_old_tool() -> None:
    source = TOTAL.source.replace("    return n", "    tally = 0\n    return tally + n")
    shelf = shelf_of(COUNT, replace(TOTAL, source=source))
    change = shelf.rename("count", to="tally", by="ada", why="x")
    assert [(item.follows, item.why) for item in change.dependents] == [
        (False, "the name in its source cannot be replaced without a person")
    ]
    assert [item.name for item in shelf.close(["total"])] == ["count", "total"]


def test_callers_of_a_merged_tool_call_the_other_one() -> None:
    shelf = shelf_of(COUNT, TOTAL, version("tally"))
    change = shelf.merge("count", into="tally", by="ada", why="the same")
    assert shelf.tool("count").name == "tally"
    assert [item.name for item in shelf.close(["total"])] == ["tally", "total"]
    assert [(item.tool, item.event.action, item.event.now) for item in change.effects] == [
        ("total", "relinked", State.ACTIVE),
        ("count", "merged", State.ARCHIVED),
        ("tally", "merged", State.ACTIVE),
    ]
    assert [line.name for line in shelf.listing(states=[State.ARCHIVED])] == ["count"]


def test_a_merged_tool_that_somebody_still_needs_is_deprecated() -> None:
    shelf = shelf_of(COUNT, TOTAL, version("tally", returns="float"))
    change = shelf.merge("count", into="tally", by="ada", why="nearly the same")
    assert [(item.name, item.follows) for item in change.dependents] == [("total", False)]
    assert shelf.close(["total"]) == (COUNT, TOTAL)
    assert [line.name for line in shelf.listing(states=[State.DEPRECATED])] == ["count"]


def test_a_merged_tool_can_be_revived_under_its_own_name() -> None:
    shelf = shelf_of(COUNT, version("tally"))
    shelf.merge("count", into="tally", by="ada", why="x")
    assert shelf.revive("count", by="bo", why="they differ on Sundays").tool.version == COUNT
    assert (shelf.tool("count").name, shelf.aliases("shop")) == ("count", {})


def test_names_that_led_to_a_merged_tool_lead_on() -> None:
    shelf = shelf_of(COUNT, version("tally"))
    shelf.alias("number_of", to="count", by="ada", why="x")
    shelf.merge("count", into="tally", by="ada", why="x")
    assert shelf.aliases("shop") == {"count": "tally", "number_of": "tally"}
    with pytest.raises(LibraryError, match="'tally' cannot be merged into itself"):
        shelf.merge("count", into="tally", by="ada", why="x")


def test_the_parts_of_a_split_tool_are_registered_and_its_name_leads_to_one() -> None:
    shelf = shelf_of(COUNT)
    first = replace(version("first"), verdict={"decision": "admitted"})
    change = shelf.split("count", into=[first, version("second")], lead_to="first", by="ada", why="did two things")
    assert [(tool.name, tool.state) for tool in shelf.tools()] == [
        ("count", State.ARCHIVED),
        ("first", State.ACTIVE),
        ("second", State.CANDIDATE),
    ]
    assert (shelf.tool("count").name, change.aliases) == ("first", {"count": "first"})
    assert shelf.history("second")[0].why == "a part of 'count': did two things"


def test_a_split_tool_that_is_called_is_deprecated_and_serves_its_callers() -> None:
    shelf = shelf_of(COUNT, TOTAL)
    change = shelf.split("count", into=[version("first"), version("second")], by="ada", why="x")
    assert (shelf.tool("count").state, [item.name for item in change.dependents]) == (State.DEPRECATED, ["total"])
    assert shelf.close(["total"]) == (COUNT, TOTAL)
    with pytest.raises(LibraryError, match="depends on 'count', which is deprecated"):
        shelf.register(version("new", COUNT), state=State.ACTIVE, approved_by="admission")


def test_a_split_needs_two_parts_of_other_names_in_one_scope() -> None:
    shelf = shelf_of(COUNT)
    for parts in ([version("first")], [version("first"), version("count")], [version("first")] * 2, []):
        with pytest.raises(LibraryError, match="'count' is split into two or more tools of other names"):
            shelf.split("count", into=parts, by="ada", why="x")
    with pytest.raises(LibraryError, match=r"can lead to one of \['first', 'second'\], not to 'third'"):
        shelf.split("count", into=[version("first"), version("second")], lead_to="third", by="ada", why="x")
    with pytest.raises(LibraryError, match=r"\['second'\] are in another scope"):
        shelf.split("count", into=[version("first"), version("second", scope="bank")], by="ada", why="x")
    assert [tool.name for tool in shelf.tools()] == ["count"]
