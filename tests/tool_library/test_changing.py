"""Rollback, pin, alias, archive, revive: on somebody's word, told before and after."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from nucleate_tool_library import LibraryError, State, ToolLibrary, ToolVersion
from nucleate_tool_library.values import JsonObject
from tests.tool_library.doubles import NOON, engine, library, version

ADMITTED: JsonObject = {"decision": "admitted"}
OLD = replace(version("count"), verdict=ADMITTED)
NEW = version("count", body="2")


def shelf_of(*versions: ToolVersion, replace: bool = False) -> ToolLibrary:
    shelf = library()
    for item in versions:
        shelf.register(item, state=State.ACTIVE, approved_by="admission", replace=replace)
    return shelf


def test_a_rollback_is_a_step_forward_with_the_old_body() -> None:
    shelf = shelf_of(OLD, NEW, replace=True)
    change = shelf.rollback("count", to="1.0.0", by="ada", why="sums were wrong")
    tool = shelf.tool("count")
    assert (tool.version, tool.number, tool.release, tool.state) == (OLD, 3, "1.0.2", State.ACTIVE)
    assert change.tool == tool
    event = shelf.history("count")[-1]
    assert (event.action, event.by, event.why) == ("rolled back", "ada", "back to 1.0.0: sums were wrong")
    assert [item.id for item in shelf.versions("count")] == [OLD.id, NEW.id]


def test_a_body_without_an_admitted_verdict_comes_back_as_a_candidate() -> None:
    shelf = shelf_of(version("count"), NEW, replace=True)
    assert shelf.rollback("count", to="1", by="ada", why="slow").tool.state is State.CANDIDATE


def test_a_version_is_named_by_number_release_or_the_beginning_of_its_id() -> None:
    shelf = shelf_of(OLD, NEW, replace=True)
    for text in ("1", "v1", "1.0.0", OLD.id[:8], OLD.id):
        assert shelf.preview().rollback("count", to=text, by="ada", why="x").tool.version == OLD
    for text in ("7", "9.9.9", "abcdef12", OLD.id[:5]):
        with pytest.raises(LibraryError, match=f"no version '{text}'; it has 1.0.0, 1.0.1"):
            shelf.rollback("count", to=text, by="ada", why="x")
    with pytest.raises(LibraryError, match=r"has version '1\.0\.1' in force already"):
        shelf.rollback("count", to="1.0.1", by="ada", why="x")


def test_a_preview_tells_the_same_and_changes_nothing() -> None:
    shelf = shelf_of(OLD, NEW, version("total", NEW), replace=True)
    before = (shelf.tools(), shelf.history("count"), shelf.revision())
    told = shelf.preview().rollback("count", to="1", by="ada", why="slow")
    assert (shelf.tools(), shelf.history("count"), shelf.revision()) == before
    assert [(item.name, item.follows) for item in told.dependents] == [("total", True)]
    assert [(item.tool, item.event.action) for item in told.effects] == [
        ("count", "rolled back"),
        ("total", "relinked"),
    ]
    assert shelf.rollback("count", to="1", by="ada", why="slow") == told


@pytest.mark.parametrize("verb", ["replace", "rollback", "rename", "merge", "split", "archive"])
def test_a_pinned_tool_stays_as_it_is(verb: str) -> None:
    shelf = shelf_of(OLD, NEW, version("other"), replace=True)
    shelf.pin("count", by="ada", why="audited")
    acts: dict[str, Callable[[], object]] = {
        "replace": lambda: shelf.register(
            version("count", body="3"), state=State.ACTIVE, approved_by="x", replace=True
        ),
        "rollback": lambda: shelf.rollback("count", to="1", by="bo", why="x"),
        "rename": lambda: shelf.rename("count", to="tally", by="bo", why="x"),
        "merge": lambda: shelf.merge("count", into="other", by="bo", why="x"),
        "split": lambda: shelf.split("count", into=[version("a"), version("b")], by="bo", why="x"),
        "archive": lambda: shelf.transition("count", to=State.ARCHIVED, by="bo", why="x"),
    }
    with pytest.raises(
        LibraryError, match=r"'count' is pinned at 1\.0\.1 and cannot be .*`nucleate tools pin count --re"
    ):
        acts[verb]()
    assert shelf.tool("count").pinned
    shelf.unpin("count", by="ada", why="done")
    assert [event.action for event in shelf.history("count")][2:] == ["pinned", "unpinned"]
    acts[verb]()


def test_an_alias_leads_to_its_tool_and_is_unique_like_a_name() -> None:
    shelf = shelf_of(OLD, version("other"))
    change = shelf.alias("tally", to="count", by="ada", why="old habit")
    assert change.aliases == {"tally": "count"} == shelf.aliases("shop")
    assert shelf.tool("tally") == shelf.tool("count")
    assert shelf.history("tally")[-1].why == "'tally' leads here: old habit"
    assert shelf.names("shop") == {"count", "other", "tally"}
    assert [line.aliases for line in shelf.listing()] == [("tally",), ()]
    with pytest.raises(LibraryError, match="'tally' leads to 'count' in scope 'shop'"):
        shelf.register(version("tally"), state=State.ACTIVE, approved_by="admission")
    with pytest.raises(LibraryError, match="'other' is taken"):
        shelf.alias("other", to="count", by="ada", why="x")
    shelf.unalias("tally", by="ada", why="nobody used it")
    with pytest.raises(LibraryError, match="no tool named 'tally'"):
        shelf.tool("tally")


def test_names_stay_unique_after_export_mapping_aliases_included() -> None:
    shelf = shelf_of(version("get_total"))
    shelf.alias("sum_up", to="get_total", by="ada", why="x")
    with pytest.raises(
        LibraryError, match="'get__total' collides with 'get_total' in scope 'shop': both export as 'get-"
    ):
        shelf.register(version("get__total"), state=State.ACTIVE, approved_by="x")
    with pytest.raises(LibraryError, match=r"'sum__up' leads to 'get_total' .*alias 'sum_up'"):
        shelf.register(version("sum__up"), state=State.ACTIVE, approved_by="x")


def test_an_archived_tool_is_revived_as_a_candidate_with_its_past() -> None:
    shelf = shelf_of(OLD)
    shelf.record_invocation(OLD.id, ok=True, milliseconds=1, calls=0, path="cli")
    shelf.archive("count", by="ada", why="unused")
    tool = shelf.revive("count", by="bo", why="needed again").tool
    assert (tool.state, tool.version, tool.uses) == (State.CANDIDATE, OLD, 1)
    assert [event.action for event in shelf.history("count")] == ["registered", "archived", "revived"]
    with pytest.raises(LibraryError, match="'count' is candidate, not archived"):
        shelf.revive("count", by="bo", why="again")


def test_a_tool_whose_calls_cannot_be_loaded_is_not_revived() -> None:
    total = version("total", OLD)
    shelf = shelf_of(OLD, total)
    shelf.archive("total", by="ada", why="x")
    shelf.archive("count", by="ada", why="x")
    with pytest.raises(LibraryError, match="'count', which 'total' calls is archived"):
        shelf.revive("total", by="ada", why="x")


def test_only_tools_that_had_their_time_count_as_unused() -> None:
    moments = iter([NOON] * 40)
    shelf = ToolLibrary(engine(), clock=lambda: next(moments))
    total = version("total", OLD)
    for item in (OLD, total, version("idle"), version("kept"), version("used")):
        shelf.register(item, state=State.ACTIVE, approved_by="admission")
    shelf.pin("kept", by="ada", why="for the audit")
    shelf.record_invocation(version("used").id, ok=True, milliseconds=1, calls=0, path="cli")
    assert [line.name for line in shelf.unused(for_at_least=timedelta(0))] == ["idle", "total"]
    assert shelf.unused(for_at_least=timedelta(days=1)) == ()
