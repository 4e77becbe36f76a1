"""What models take is counted by day, capped by day over processes, and not asked twice where that is wanted."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine

from nucleate.database import open_database
from nucleate.models import Accounted, Cached, DayUse, Ledger
from nucleate_codifier.chat import CostCapReached, Message, Reply, ReplyEnding, Role, ScriptedModel

ASKED = [Message(role=Role.USER, content="hello")]
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """Return a fresh database."""
    opened = open_database(str(tmp_path / "n.db"))
    yield opened
    opened.dispose()


def reply(dollars: float | None = 0.25, text: str = "hi") -> Reply:
    """Return a reply of fifteen tokens."""
    return Reply(text=text, prompt_tokens=10, completion_tokens=5, dollars=dollars)


def test_every_reply_is_counted_on_the_line_of_its_model(engine: Engine) -> None:
    ledger = Ledger(engine, clock=lambda: NOON)
    ledger.add(reply(), "m")
    ledger.add(reply(dollars=None), "m")
    ledger.add(reply(), "n")
    day = "2026-05-04"
    assert ledger.days() == (
        DayUse(day=day, model="m", calls=2, prompt_tokens=20, completion_tokens=10, dollars=0.25, unpriced=1),
        DayUse(day=day, model="n", calls=1, prompt_tokens=10, completion_tokens=5, dollars=0.25, unpriced=0),
    )


def test_a_cap_of_a_day_holds_over_processes_and_ends_with_the_day(engine: Engine) -> None:
    model = ScriptedModel([reply(), reply(), reply()])
    today, tomorrow = (Ledger(engine, clock=lambda at=at: at) for at in (NOON, NOON + timedelta(days=1)))  # type: ignore[misc]
    Accounted(model, today, cap=0.3).complete(ASKED)
    Accounted(model, today, cap=0.3).complete(ASKED)
    with pytest.raises(CostCapReached, match=r"\$0.5000 are spent today \(UTC\), the cap of a day is \$0.3"):
        Accounted(model, today, cap=0.3).complete(ASKED)
    assert len(model.asked) == 2
    assert Accounted(model, tomorrow, cap=0.3).complete(ASKED) == reply()
    assert [(line.day, line.calls, line.dollars) for line in today.days()] == [
        ("2026-05-05", 1, 0.25),
        ("2026-05-04", 2, 0.5),
    ]


def test_a_model_without_a_price_cannot_keep_a_cap_and_is_counted_without_one(engine: Engine) -> None:
    ledger = Ledger(engine)
    with pytest.raises(CostCapReached, match="the price of 'scripted' is not known"):
        Accounted(ScriptedModel([reply(dollars=None)]), ledger, cap=1.0).complete(ASKED)
    assert Accounted(ScriptedModel([reply(dollars=None)]), ledger).complete(ASKED).text == "hi"
    assert [(line.calls, line.unpriced) for line in ledger.days()] == [(2, 2)]


def test_what_was_asked_before_is_answered_at_no_cost(engine: Engine) -> None:
    model = ScriptedModel([reply()])
    assert Cached(model, engine).complete(ASKED) == reply()
    again = Cached(ScriptedModel([]), engine).complete(ASKED)
    assert (again.text, again.dollars, again.tokens) == ("hi", 0.0, 0)


@pytest.mark.parametrize(
    "unfit", [Reply(text="half a", ending=ReplyEnding.LENGTH), reply(text="the password is 'hunter2secret'")]
)
def test_a_reply_that_was_cut_off_or_holds_a_secret_is_not_kept(engine: Engine, unfit: Reply) -> None:
    model = ScriptedModel([unfit, reply()])
    cached = Cached(model, engine)
    assert (cached.complete(ASKED), cached.complete(ASKED)) == (unfit, reply())


def test_only_the_latest_replies_are_kept(engine: Engine) -> None:
    model = ScriptedModel(lambda messages: reply(text=messages[0].content))
    cached = Cached(model, engine, most=2)
    for text in ("a", "b", "c", "c", "b", "a"):
        cached.complete([Message(role=Role.USER, content=text)])
    assert [asked[0].content for asked in model.asked] == ["a", "b", "c", "a"]
