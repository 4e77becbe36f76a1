"""Guidance is worth its tokens or left out: nothing that is shown already, no plan for what nobody asks for."""

from __future__ import annotations

from pathlib import Path

from nucleate.manager.choice import ChosenEntry
from nucleate.manager.worth import worth_telling
from nucleate_text_memory import Draft, Entry, Kind
from tests.runtime.manager.world import World, world

LOOK, CANCEL = "shop.get_order", "shop.cancel_order"
CAUSE = "non-pending order cannot be cancelled"


def _entry(known: World, kind: Kind, *signature: str) -> ChosenEntry:
    draft = Draft(kind=kind, scope="shop", title=" ".join(signature), body="As it says.", source="user",
                  signature=signature)  # fmt: skip
    entry: Entry = known.memory.add(draft)
    return ChosenEntry(entry=entry, score=0.9, reason="")


def _told(entries: list[ChosenEntry], wanted: float = 0.9, shown: str = "") -> list[ChosenEntry]:
    return worth_telling(entries, wanted={CANCEL: wanted}, shown=lambda _name: shown)


def test_a_plan_whose_write_is_not_asked_for_is_left_out(tmp_path: Path) -> None:
    with world(tmp_path) as known:
        plan, read = _entry(known, Kind.PLAN, LOOK, CANCEL), _entry(known, Kind.PLAN, LOOK, "shop.get_user")
        assert _told([plan, read]) == [plan, read]
        assert _told([plan, read], wanted=0.1) == [read]


def test_of_plans_that_overlap_the_better_one_is_told(tmp_path: Path) -> None:
    with world(tmp_path) as known:
        whole, part = _entry(known, Kind.PLAN, LOOK, CANCEL), _entry(known, Kind.PLAN, CANCEL)
        assert _told([whole, part]) == [whole]
        assert _told([part, whole]) == [part, whole]


def test_a_fact_that_stands_with_its_function_is_not_told_again(tmp_path: Path) -> None:
    with world(tmp_path) as known:
        fact = _entry(known, Kind.FACT, CANCEL, "Refused", CAUSE)
        pitfall = _entry(known, Kind.PITFALL, CANCEL, "Refused", CAUSE)
        assert _told([fact, pitfall]) == [fact, pitfall]
        assert _told([fact, pitfall], shown=f"Seen in earlier calls: may refuse: {CAUSE.title()}") == [pitfall]
