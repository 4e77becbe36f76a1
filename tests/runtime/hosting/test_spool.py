"""Runs that wait outside of the database are whole, bounded, their owner's alone, and taken in once."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import pytest

from nucleate.hosting import spool as spooling
from nucleate.hosting.spool import Spool, SpoolFull
from nucleate_text_memory import Step, StepError, Trajectory, Utterance


def run(name: str) -> Trajectory:
    """Return a run with everything that one can hold."""
    steps = (
        Step(function="desk.look", arguments={"id": 1}, result={"name": "ä"}),
        Step(function="desk.look", arguments={}, error=StepError(kind="Missing", message="no id")),
    )
    said = (Utterance(text="and the other", at=1),)
    return Trajectory(
        task_id=name, query="Look.", environment="desk", steps=steps, reward=0.5, meta={"model": "m"}, said=said
    )


def test_what_was_put_is_taken_in_once_in_order_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    first, second = Spool(tmp_path / "spool"), Spool(tmp_path / "spool")
    paths = [first.put(run(name)) for name in ("a", "b")]
    assert [path.stat().st_mode & 0o777 for path in paths] == [0o600, 0o600]
    assert (tmp_path / "spool").stat().st_mode & 0o777 == 0o700
    taken: list[Trajectory] = []
    assert second.take_in(taken.append) == 2
    assert taken == [run("a"), run("b")]
    assert (first.take_in(taken.append), len(first)) == (0, 0)


def test_what_cannot_be_stored_yet_stays(tmp_path: Path) -> None:
    def refuse(_run: Trajectory) -> NoReturn:
        raise OSError("not yet")

    spool = Spool(tmp_path / "spool")
    spool.put(run("a"))
    with pytest.raises(OSError, match="not yet"):
        spool.take_in(refuse)
    assert len(spool) == 1


def test_what_a_killed_process_left_half_written_is_no_run_and_what_is_none_is_set_aside(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    (tmp_path / "1.77.part").write_text('{"task_id": "a"')
    (tmp_path / "2.json").write_text('{"task_id": "a"')
    (tmp_path / "3.json").write_text('{"from": "a later version"}')
    taken: list[Trajectory] = []
    assert spool.take_in(taken.append) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1.77.part", "2.unreadable", "3.unreadable"]


def test_where_one_folder_takes_nothing_the_next_does(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    spool = Spool(tmp_path / "file", tmp_path / "other")
    spool.put(run("a"))
    assert len(list((tmp_path / "other").iterdir())) == len(spool) == 1


def test_a_spool_is_bounded(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    for number in range(spooling.MOST_RUNS):
        (tmp_path / f"{number}.json").write_text("{}")
    with pytest.raises(SpoolFull, match="1000 runs wait already"):
        spool.put(run("a"))
