"""Registering, looking up, closing, moving and counting tools."""

from __future__ import annotations

import multiprocessing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlmodel import Session, SQLModel, create_engine, select

from nucleate_tool_library import LibraryError, Release, State, ToolLibrary, ToolVersion, read_signature
from nucleate_tool_library.tables import DependencyRow, ReleaseRow, ToolRow, ToolVersionRow
from tests.tool_library.doubles import NOON, engine, library, version


def test_a_registered_version_comes_back_whole() -> None:
    shelf, count = library(), version("count")
    tool = shelf.register(count, state=State.ACTIVE, plan_id="plan-1", approved_by="admission")
    assert tool == shelf.tool("count")
    assert tool.version == count == shelf.version(count.id)
    assert (tool.state, tool.number, tool.uses, tool.plan_id) == (State.ACTIVE, 1, 0, "plan-1")


def test_a_lock_is_part_of_the_content_and_comes_back() -> None:
    shelf, count = library(), version("count")
    locked = replace(count, lock="a==1")
    shelf.register(locked, state=State.ACTIVE, approved_by="admission")
    assert shelf.tool("count").version == locked
    assert len({count.id, locked.id, replace(count, lock="a==2").id}) == 3


def test_who_wrote_a_version_and_against_which_schemas_comes_back() -> None:
    shelf, count = library(), version("count")
    signed = replace(count, author="ada", prompt_hash="f" * 64, schemas={"shop.get": "a" * 64})
    tool = shelf.register(signed, state=State.ACTIVE, approved_by="admission")
    assert (tool.version, signed.id) == (signed, count.id)
    assert (tool.release, tool.pinned) == ("1.0.0", False)


def test_a_version_without_a_lock_keeps_the_id_that_it_always_had() -> None:
    assert version("count").id == "13e2b1514fd815553b39667faa0b01ebf63fe82bd94691474b25d60fd4f8ad54"


def test_parameters_come_back_in_their_order() -> None:
    source = 'def pay(to: str, amount: int, at: str) -> int:\n    """Pay."""\n    return amount\n'
    pay = ToolVersion(name="pay", scope="shop", source=source, signature=read_signature(source, "pay"))
    shelf = library()
    shelf.register(pay, state=State.ACTIVE, approved_by="admission")
    properties = shelf.tool("pay").version.signature.parameters["properties"]
    assert isinstance(properties, dict)
    assert list(properties) == ["to", "amount", "at"]


def test_registering_the_same_content_again_changes_nothing() -> None:
    shelf, count = library(), version("count")
    first = shelf.register(count, state=State.ACTIVE, approved_by="admission")
    assert shelf.register(count, state=State.DRAFT, approved_by="somebody") == first
    assert len(shelf.history("count")) == 1


def test_a_name_taken_by_other_content_is_refused_by_name() -> None:
    shelf = library()
    shelf.register(version("count"), state=State.ACTIVE, approved_by="admission")
    with pytest.raises(
        LibraryError, match=r"the name 'count' is taken in scope 'shop' by version [0-9a-f]{12} \(active"
    ):
        shelf.register(version("count", body="2"), state=State.ACTIVE, approved_by="admission")


def test_replacing_makes_the_next_number_and_keeps_the_old_version() -> None:
    shelf, old, new = library(), version("count"), version("count", body="2")
    shelf.register(old, state=State.ACTIVE, plan_id="plan-1", approved_by="admission")
    tool = shelf.register(new, state=State.CANDIDATE, approved_by="ada", replace=True)
    assert (tool.number, tool.state, tool.version, tool.plan_id) == (2, State.CANDIDATE, new, "plan-1")
    assert shelf.versions("count") == (old, new)


def test_rolling_back_is_a_forward_step_to_an_old_body() -> None:
    shelf, old, new = library(), version("count"), version("count", body="2")
    for item in (old, new, old):
        tool = shelf.register(item, state=State.ACTIVE, approved_by="ada", replace=True)
    assert (tool.number, tool.version) == (3, old)
    assert shelf.versions("count") == (old, new)
    assert [event.why for event in shelf.history("count")] == ["registered", "replaced version 1", "replaced version 2"]


def test_names_that_export_alike_collide() -> None:
    shelf = library()
    shelf.register(version("find_order"), state=State.ACTIVE, approved_by="admission")
    with pytest.raises(LibraryError, match="'find__order' collides with 'find_order' in scope 'shop'"):
        shelf.register(version("find__order"), state=State.ACTIVE, approved_by="admission", replace=True)


def test_one_name_may_live_in_two_scopes_and_then_needs_the_scope() -> None:
    shelf = library()
    shelf.register(version("count"), state=State.ACTIVE, approved_by="admission")
    shelf.register(version("count", scope="bank"), state=State.ACTIVE, approved_by="admission")
    assert shelf.tool("count", "bank").scope == "bank"
    with pytest.raises(LibraryError, match="'count' is used in several scopes; say which of 'bank', 'shop'"):
        shelf.tool("count")


def test_a_wrong_name_is_answered_with_near_names_and_the_next_step() -> None:
    shelf = library()
    shelf.register(version("count"), state=State.ACTIVE, approved_by="admission")
    with pytest.raises(LibraryError) as caught:
        shelf.tool("conut")
    assert str(caught.value) == "no tool named 'conut' (near: count); `nucleate tools list` shows all"


def test_a_missing_dependency_leaves_nothing_registered() -> None:
    made = engine()
    with pytest.raises(LibraryError, match=r"'total' depends on '[0-9a-f]{64}', which is not registered"):
        ToolLibrary(made).register(version("total", version("count")), state=State.ACTIVE, approved_by="admission")
    with Session(made) as session:
        for table in (ToolRow, ToolVersionRow, DependencyRow, ReleaseRow):
            assert session.exec(select(table)).all() == []


def test_an_unusable_dependency_is_refused_with_its_state() -> None:
    shelf, count = library(), version("count")
    shelf.register(count, state=State.SUSPECT, approved_by="admission")
    with pytest.raises(LibraryError, match="'total' depends on 'count', which is suspect"):
        shelf.register(version("total", count), state=State.ACTIVE, approved_by="admission")


def test_a_closure_is_complete_and_in_dependency_order() -> None:
    shelf = library()
    base = version("base")
    left, right = version("left", base), version("right", base)
    top = version("top", left, right)
    for item in (base, left, right, top):
        shelf.register(item, state=State.ACTIVE, approved_by="admission")
    closed = shelf.close(["top"])
    assert (closed[0], closed[-1]) == (base, top)
    assert {item.name for item in closed} == {"base", "left", "right", "top"}
    assert shelf.close([left.id]) == (base, left)
    assert shelf.close([]) == ()


def test_a_closure_that_needs_a_suspect_tool_says_which_and_where() -> None:
    shelf, count = library(), version("count")
    shelf.register(count, state=State.ACTIVE, approved_by="admission")
    shelf.register(version("total", count), state=State.ACTIVE, approved_by="admission")
    shelf.transition("count", to=State.SUSPECT, by="drift", why="schema of shop.get changed")
    with pytest.raises(LibraryError, match="tool 'count', which 'total' calls is suspect"):
        shelf.close(["total"])


def test_two_tools_on_different_versions_of_a_third_close_to_one_version_of_each_name() -> None:
    shelf, old, new = library(), version("count"), version("count", body="2", returns="float")
    total, twice = version("total", old), version("twice", new)
    shelf.register(old, state=State.ACTIVE, approved_by="admission")
    shelf.register(total, state=State.ACTIVE, approved_by="admission")
    shelf.register(new, state=State.ACTIVE, approved_by="admission", replace=True)
    shelf.register(twice, state=State.ACTIVE, approved_by="admission")
    assert shelf.close(["total", "twice"]) == (new, total, twice)
    assert shelf.close(["total"]) == (old, total)
    assert shelf.close([old.id, "twice"]) == (old, twice)


def test_a_tool_that_would_need_two_versions_of_one_name_is_refused() -> None:
    shelf, old, new = library(), version("count"), version("count", body="2", returns="float")
    shelf.register(old, state=State.ACTIVE, approved_by="admission")
    shelf.register(version("total", old), state=State.ACTIVE, approved_by="admission")
    shelf.register(new, state=State.ACTIVE, approved_by="admission", replace=True)
    with pytest.raises(LibraryError, match=r"'both' would need two versions of 'count' .* register .* older one again"):
        shelf.register(version("both", version("total", old), new), state=State.ACTIVE, approved_by="admission")
    assert [tool.name for tool in shelf.tools()] == ["count", "total"]


def test_a_tool_that_would_call_its_own_earlier_version_is_refused() -> None:
    shelf, count = library(), version("count")
    total = version("total", count)
    for item in (count, total):
        shelf.register(item, state=State.ACTIVE, approved_by="admission")
    circle = version("count", total, body="2")
    with pytest.raises(LibraryError, match="'count' would call an earlier version of itself"):
        shelf.register(circle, state=State.ACTIVE, approved_by="admission", replace=True)


def test_a_cycle_in_a_damaged_database_is_named_when_closures_are_derived_anew() -> None:
    made, count = engine(), version("count")
    shelf, total = ToolLibrary(made), version("total", count)
    for item in (count, total):
        shelf.register(item, state=State.ACTIVE, approved_by="admission")
    assert shelf.rebuild() == 2
    with Session(made) as session, session.begin():
        session.add(DependencyRow(version_id=count.id, depends_on=total.id, position=0))
    with pytest.raises(
        LibraryError, match=r"call each other in a cycle: 'count' → 'total' → 'count'|'total' → 'count'"
    ):
        shelf.rebuild()
    assert [item.name for item in shelf.close(["total"])] == ["count", "total"]


def test_a_transition_is_recorded_with_who_and_why() -> None:
    shelf, count = library(), version("count")
    shelf.register(count, state=State.CANDIDATE, approved_by="admission")
    assert (
        shelf.transition("count", to=State.ACTIVE, by="ada", why="30 of 30 canary calls passed").state is State.ACTIVE
    )
    assert shelf.history("count")[1] == Release(
        number=1,
        version_id=count.id,
        was=State.CANDIDATE,
        now=State.ACTIVE,
        by="ada",
        why="30 of 30 canary calls passed",
        at=NOON,
    )


def test_an_illegal_transition_names_the_legal_ones() -> None:
    shelf = library()
    shelf.register(version("count"), state=State.DRAFT, approved_by="admission")
    with pytest.raises(LibraryError, match="'count' is draft and cannot become active; it can become archived, candid"):
        shelf.transition("count", to=State.ACTIVE, by="ada", why="in a hurry")


def test_a_tool_that_others_call_is_not_archived() -> None:
    shelf, count = library(), version("count")
    shelf.register(count, state=State.ACTIVE, approved_by="admission")
    shelf.register(version("total", count), state=State.ACTIVE, approved_by="admission")
    assert shelf.dependents("count") == ("total",)
    with pytest.raises(LibraryError, match="'count' is called by 'total'; archive or replace those first"):
        shelf.transition("count", to=State.ARCHIVED, by="ada", why="old")


def test_uses_and_reliability_count_every_path() -> None:
    shelf, count = library(), version("count")
    shelf.register(count, state=State.ACTIVE, approved_by="admission")
    shelf.register(version("idle"), state=State.ACTIVE, approved_by="admission")
    for path, ok in (("agent", True), ("mcp", True), ("cli", False)):
        assert shelf.record_invocation(count.id, ok=ok, milliseconds=2.0, calls=1, path=path)
    stats = shelf.stats()
    assert shelf.uses("count") == 3
    assert (stats.share_used, stats.uses_per_tool) == (0.5, 1.5)
    assert [(tool.name, tool.uses, tool.reliability) for tool in stats.tools] == [("count", 3, 0.6), ("idle", 0, 0.5)]


def test_a_measurement_that_cannot_be_stored_breaks_nothing() -> None:
    shelf = ToolLibrary(create_engine("sqlite://"))
    assert not shelf.record_invocation("0" * 64, ok=True, milliseconds=1.0, calls=0, path="cli")


def test_tools_are_listed_by_scope_and_state() -> None:
    shelf = library()
    shelf.register(version("b"), state=State.ACTIVE, approved_by="admission")
    shelf.register(version("a"), state=State.CANDIDATE, approved_by="admission")
    shelf.register(version("c", scope="bank"), state=State.ACTIVE, approved_by="admission")
    assert [tool.name for tool in shelf.tools()] == ["c", "a", "b"]
    assert [tool.name for tool in shelf.tools("shop", [State.ACTIVE])] == ["b"]


def _register_in_another_process(url: str, body: str) -> str:
    shelf = ToolLibrary(create_engine(url))
    try:
        return shelf.register(version("count", body=body), state=State.ACTIVE, approved_by="admission").version.id
    except LibraryError as error:
        return str(error)


def test_processes_that_register_at_once_give_one_version(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'library.db'}"
    SQLModel.metadata.create_all(create_engine(url))
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        ids = pool.starmap(_register_in_another_process, [(url, "1")] * 4)
    shelf = ToolLibrary(create_engine(url))
    assert set(ids) == {version("count").id}
    assert len(shelf.history("count")) == 1


def test_the_identity_of_a_version_is_its_content() -> None:
    count = version("count")
    assert replace(count, verdict={"decision": "admitted"}).id == count.id
    assert replace(count, source=count.source + "\n").id != count.id
