"""`nucleate tools verify|promote|demote|rollback|health`: what they print, as JSON too, and how they end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from nucleate.cli.app import app
from nucleate_tool_library import State
from tests.runtime.release import world
from tests.runtime.release.world import life, runtime, serve, try_out


def run(folder: Path, *words: str, **settings: str) -> Result:
    told = ["--database", str(folder / "n.db"), "--sandbox", "monty", "tools", *words]
    return CliRunner().invoke(app, told, env=settings)


def said(folder: Path, *words: str) -> Any:
    found = run(folder, *words, "--json")
    assert found.exit_code == 0, (found.output, found.exception)
    return json.loads(found.stdout)


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """Return the folder of a library with one tool in service and a version on trial."""
    with runtime(tmp_path) as opened:
        serve(opened)
        try_out(opened, world.BETTER)
    return tmp_path


def test_a_person_promotes_what_is_on_trial_and_is_named(shelf: Path) -> None:
    assert said(shelf, "promote", "price_of", "--by", "ada", "--why", "I read it") == {
        "name": "price_of",
        "scope": "stock",
        "state": "active",
        "number": 2,
        "release": "1.0.1",
        "version": world.BETTER.id,
    }
    with runtime(shelf) as opened:
        event = opened.library.history("price_of")[-1]
        assert (event.by, event.why.partition(" [")[0], event.was) == ("ada", "I read it", State.CANARY)


def test_a_person_withdraws_what_is_on_trial(shelf: Path) -> None:
    assert said(shelf, "demote", "price_of", "--by", "ada", "--why", "no need")["state"] == "active"
    with runtime(shelf) as opened:
        assert life(opened)[-2:] == ["2 canary → suspect, ada", "2 suspect → archived, ada"]


def test_a_person_takes_a_tool_out_of_service(shelf: Path) -> None:
    found = run(shelf, "demote", "price_of", "--to", "suspect", "--by", "ada", "--why", "wrong prices")
    assert (found.exit_code, found.stdout) == (0, "price_of is suspect at 1.0.0 (version 1)\n")


def test_rolling_back_is_a_forward_step_that_is_shown_before_it_is_made(shelf: Path) -> None:
    said(shelf, "promote", "price_of", "--by", "ada", "--why", "I read it")
    assert run(shelf, "rollback", "price_of", "--to", "1", "--by", "bo", "--why", "it was better").exit_code == 1
    made = said(shelf, "rollback", "price_of", "--to", "1", "--by", "bo", "--why", "it was better", "--yes")
    assert (made["made"], made["release"], made["version"]) == (True, "1.0.2", world.OLD.id)


def test_health_shows_the_trial_and_what_it_lacks(shelf: Path) -> None:
    found = said(shelf, "health")
    assert {key: found[key] for key in ("tools", "states", "uses_per_tool", "useful")} == {
        "tools": 1,
        "states": {"active": 1},
        "uses_per_tool": 0.0,
        "useful": False,
    }
    assert [(item["name"], item["number"], item["next"]) for item in found["on_trial"]] == [("price_of", 2, "hold")]
    assert "cases 0 (bound 5)" in found["on_trial"][0]["missing"]
    text = run(shelf, "health").stdout
    assert "below 0.1: the library is not doing what it claims" in text
    assert "On trial" in text


def test_where_nothing_changed_verifying_says_so(shelf: Path) -> None:
    found = run(shelf, "verify")
    assert (found.exit_code, found.stdout) == (0, "1 tools, none suspect, and no function that they call has changed\n")
    assert [item["result"] for item in said(shelf, "verify", "price_of")] == ["unchanged"]


def test_what_cannot_be_rebuilt_is_archived_with_exit_code_1(shelf: Path) -> None:
    run(shelf, "demote", "price_of", "--to", "suspect", "--by", "ada", "--why", "wrong prices")
    found = run(shelf, "verify", "--json", NUCLEATE_SUSPECT_DAYS="0")
    assert found.exit_code == 1
    (item,) = json.loads(found.stdout)
    assert (item["result"], item["was"], item["now"]) == ("archived", "suspect", "archived")
    assert "no plan is there to rebuild it from" in item["why"]


def test_an_unknown_tool_is_one_line_and_the_next_step(shelf: Path) -> None:
    found = run(shelf, "verify", "prize_of")
    assert found.exception is not None
    assert "no tool named 'prize_of'" in str(found.exception)
