"""A new version reaches those that call it, unless it breaks them or somebody pinned them."""

from __future__ import annotations

from nucleate_tool_library import State, ToolLibrary, ToolVersion
from tests.tool_library.doubles import library, version

OLD = version("count")
PATCH = version("count", body="2")
MINOR = version("count", more=", by: int = 1")
MAJOR = version("count", returns="float")


def shelf_of(*versions: ToolVersion) -> ToolLibrary:
    shelf = library()
    for item in versions:
        shelf.register(item, state=State.ACTIVE, approved_by="admission")
    return shelf


def replaced(shelf: ToolLibrary, by: ToolVersion, state: State = State.ACTIVE) -> dict[str, str]:
    shelf.register(by, state=state, approved_by="admission", replace=True)
    return {tool.name: tool.release for tool in shelf.tools()}


def test_a_patch_makes_patches_of_all_that_lead_to_it() -> None:
    total = version("total", OLD)
    shelf = shelf_of(OLD, total, version("report", total))
    assert replaced(shelf, PATCH) == {"count": "1.0.1", "report": "1.0.1", "total": "1.0.1"}
    assert [item.name for item in shelf.close(["report"])] == ["count", "total", "report"]
    assert shelf.close(["report"])[0] == PATCH
    made = shelf.tool("total").version
    assert (made.source, made.evidence) == (total.source, {"derived": {"from": total.id, "by": "relinked"}})
    event = shelf.history("total")[-1]
    assert (event.action, event.by, event.why) == ("relinked", "admission", "calls count 1.0.1")


def test_a_minor_step_is_followed_too_and_a_major_one_is_not() -> None:
    total = version("total", OLD)
    assert replaced(shelf_of(OLD, total), MINOR) == {"count": "1.1.0", "total": "1.0.1"}
    shelf = shelf_of(OLD, total)
    assert replaced(shelf, MAJOR) == {"count": "2.0.0", "total": "1.0.0"}
    assert shelf.close(["total"]) == (OLD, total)


def test_a_tool_that_calls_a_wider_version_takes_a_major_step_itself() -> None:
    total = version("total", OLD)
    shelf = shelf_of(OLD, total, version("other"))
    shelf.register(version("total", OLD, version("other")), state=State.ACTIVE, approved_by="ada", replace=True)
    assert shelf.tool("total").release == "2.0.0"


def test_a_pinned_tool_keeps_the_version_that_it_calls() -> None:
    total = version("total", OLD)
    shelf = shelf_of(OLD, total, version("report", total))
    shelf.pin("total", by="ada", why="audited")
    assert replaced(shelf, PATCH) == {"count": "1.0.1", "report": "1.0.0", "total": "1.0.0"}
    assert shelf.close(["report"]) == (OLD, total, version("report", total))


def test_who_would_need_two_versions_of_one_tool_keeps_what_it_has() -> None:
    left, right = version("left", OLD), version("right", OLD)
    both = version("both", left, right)
    shelf = shelf_of(OLD, left, right, both)
    shelf.pin("left", by="ada", why="audited")
    assert replaced(shelf, PATCH) == {"both": "1.0.0", "count": "1.0.1", "left": "1.0.0", "right": "1.0.1"}
    assert [item.id for item in shelf.close(["both"])] == [OLD.id, left.id, right.id, both.id]


def test_a_diamond_follows_as_a_whole() -> None:
    left, right = version("left", OLD), version("right", OLD)
    shelf = shelf_of(OLD, left, right, version("both", left, right))
    assert replaced(shelf, PATCH) == {"both": "1.0.1", "count": "1.0.1", "left": "1.0.1", "right": "1.0.1"}
    assert [item.name for item in shelf.close(["both"])] == ["count", "left", "right", "both"]


def test_nobody_follows_a_candidate_until_it_is_active() -> None:
    shelf = shelf_of(OLD, version("total", OLD))
    assert replaced(shelf, PATCH, State.CANDIDATE)["total"] == "1.0.0"
    shelf.transition("count", to=State.ACTIVE, by="admission", why="judged again")
    assert shelf.tool("total").release == "1.0.1"
    assert shelf.tool("total").version.dependencies == (PATCH.id,)


def test_a_correction_of_a_correction_reaches_who_stayed_behind_a_pin() -> None:
    shelf = shelf_of(OLD, version("total", OLD))
    shelf.pin("total", by="ada", why="audited")
    replaced(shelf, PATCH)
    shelf.unpin("total", by="ada", why="the audit is over")
    newest = version("count", body="3")
    assert replaced(shelf, newest) == {"count": "1.0.2", "total": "1.0.1"}
    assert shelf.tool("total").version.dependencies == (newest.id,)
