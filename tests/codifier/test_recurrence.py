"""B(p), R(p), θ and β."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine
from sqlmodel import SQLModel, create_engine

from nucleate_codifier.recurrence import Recurrence
from nucleate_codifier.tables import BackoffRow, RecurrenceRow
from tests.postgres import shared_database


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    if request.param == "postgresql":
        with shared_database(*request.getfixturevalue("postgres")) as engine:
            yield engine
        return
    engine = create_engine(f"sqlite:///{tmp_path / 'recurrence.db'}")
    SQLModel.metadata.create_all(engine, tables=[SQLModel.metadata.tables[t] for t in _TABLES])
    yield engine
    engine.dispose()


_TABLES = [str(RecurrenceRow.__tablename__), str(BackoffRow.__tablename__)]


def _select(recurrence: Recurrence, *inputs: str) -> None:
    for item in inputs:
        recurrence.select("p", task_id=f"task-{item}", input_key=item)


def test_a_plan_is_due_when_theta_distinct_inputs_selected_it(engine: Engine) -> None:
    recurrence = Recurrence(engine, theta=3)
    _select(recurrence, "a", "b")
    assert not recurrence.buffer("p").due
    _select(recurrence, "c")
    assert recurrence.buffer("p").due
    assert recurrence.buffer("p").candidates == ("task-a", "task-b", "task-c")


def test_one_input_asked_three_times_is_one_piece_of_evidence(engine: Engine) -> None:
    recurrence = Recurrence(engine, theta=3)
    _select(recurrence, "a", "a", "a")
    assert recurrence.buffer("p").candidates == ("task-a",)


def test_the_tasks_that_induced_a_plan_are_related_history_and_not_candidates(engine: Engine) -> None:
    recurrence = Recurrence(engine, theta=3)
    recurrence.relate("p", [("task-a", "a"), ("task-b", "b")])
    _select(recurrence, "a", "c")
    buffer = recurrence.buffer("p")
    assert (buffer.candidates, buffer.related) == (("task-c",), ("task-a", "task-b"))


def test_codifying_empties_the_buffer_and_keeps_the_most_recent_beta_as_history(engine: Engine) -> None:
    recurrence = Recurrence(engine, theta=3, beta=4)
    recurrence.relate("p", [("task-a", "a"), ("task-b", "b")])
    _select(recurrence, "c", "d", "e")
    buffer = recurrence.codified("p")
    assert (buffer.candidates, buffer.related) == ((), ("task-b", "task-c", "task-d", "task-e"))
    _select(recurrence, "a")
    assert recurrence.buffer("p").candidates == ()


def test_a_refusal_backs_off_until_the_buffer_has_grown_by_theta_again(engine: Engine) -> None:
    recurrence = Recurrence(engine, theta=3)
    _select(recurrence, "a", "b", "c")
    assert recurrence.refused("p").threshold == 6
    _select(recurrence, "d", "e")
    assert not recurrence.buffer("p").due
    _select(recurrence, "f")
    assert recurrence.buffer("p").due
    assert recurrence.codified("p").threshold == 3


def test_the_buffer_survives_a_new_process(engine: Engine) -> None:
    _select(Recurrence(engine), "a", "b")
    assert Recurrence(engine).buffer("p").candidates == ("task-a", "task-b")


def test_a_threshold_below_one_is_refused(engine: Engine) -> None:
    with pytest.raises(ValueError, match="theta=0"):
        Recurrence(engine, theta=0)
