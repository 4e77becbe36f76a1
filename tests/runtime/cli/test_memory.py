"""`nucleate memory`: every operation at the command line, as a person and as a program would use it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from nucleate.cli.app import app
from nucleate.errors import NucleateError
from nucleate_text_memory import MemoryFault

COMMANDS = (
    "list", "show", "search", "add", "revise", "invalidate", "restore", "forget", "history", "diff", "as-of", "export",
    "import", "stats", "quarantine", "reindex",
)  # fmt: skip
OPENS = ("add", "fact", "subject=shop", "predicate=opens at", "--scope", "shop")


class Shell:
    """Runs the memory commands on one database."""

    def __init__(self, database: Path) -> None:
        self._database = database

    def run(self, *words: str) -> Result:
        """Return what a command ended with."""
        return CliRunner().invoke(app, ["--database", str(self._database), "memory", *words])

    def json(self, *words: str) -> Any:
        """Return the JSON that a command prints."""
        ended = self.run(*words, "--json")
        assert ended.exit_code == 0, ended.exception
        return json.loads(ended.stdout)

    def refused(self, *words: str) -> str:
        """Return the message that a command is refused with."""
        ended = self.run(*words)
        assert isinstance(ended.exception, NucleateError | MemoryFault)
        return str(ended.exception)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path / "memory.db")


def _opens(shell: Shell, value: str, since: str) -> str:
    return str(shell.json(*OPENS, f"value={value}", "--valid-from", since, "--by", "ada", "--why", "read")["id"])


@pytest.mark.parametrize("command", COMMANDS)
def test_every_memory_command_has_help_and_json(shell: Shell, command: str) -> None:
    ended = shell.run(command, "--help")
    assert (ended.exit_code, "--json" in ended.stdout) == (0, True)


def test_a_fact_that_changes_twice_is_answered_rightly_for_each_date(shell: Shell) -> None:
    for value, since in (("9:00", "2025-01-01"), ("10:00", "2025-03-01"), ("8:00", "2025-06-01")):
        _opens(shell, value, since)
    asked = ("2025-02-01", "2025-04-01", "2025-07-01")
    told = [shell.json("as-of", "--scope", "shop", "--valid", date) for date in asked]
    assert [[entry["content"]["value"] for entry in found] for found in told] == [["9:00"], ["10:00"], ["8:00"]]


def test_an_entry_is_revised_invalidated_restored_and_forgotten(shell: Shell) -> None:
    first = _opens(shell, "9:00", "2025-01-01")
    fields = ("subject=shop", "predicate=opens at", "value=9:30")
    second = shell.json("revise", first, *fields, "--why", "misread", "--by", "bo")["id"]
    assert [one["field"] for one in shell.json("diff", first, second)] == ["body", "value", "status"]
    assert shell.json("invalidate", second, "--why", "closed")["status"] == "invalidated"
    third = shell.json("restore", second, "--why", "open again")["id"]
    assert [one["id"] for one in shell.json("list")] == [third]
    told = [(event["action"], event["author"], event["why"]) for event in shell.json("history", third)]
    assert told[0] == ("added", "ada", "read")
    assert ("added", "bo", "misread") in told
    assert ("invalidated", "", "closed") in told
    assert told[-1] == ("added", "", "open again")
    assert set(shell.json("forget", third, "--why", "asked for")["forgotten"]) == {first, second, third}
    assert shell.json("stats")["forgotten"] == 3


def test_what_a_tool_said_is_shown_in_quarantine_and_released_by_a_named_person(shell: Shell) -> None:
    said = ("--source", "tool:mail.read", "--evidence", "t:0:1")
    held = shell.json(*OPENS, "value=3:00", *said)
    assert (held["status"], [one["id"] for one in shell.json("quarantine")]) == ("quarantined", [held["id"]])
    assert "say who" in shell.refused("quarantine", "--release", held["id"])
    released = shell.json("quarantine", "--release", held["id"], "--by", "ada", "--why", "checked")
    assert (released["status"], shell.json("quarantine")) == ("active", [])


def test_an_export_is_imported_exactly(shell: Shell, tmp_path: Path) -> None:
    _opens(shell, "9:00", "2025-01-01")
    assert shell.json("export", str(tmp_path / "out.jsonl")) == {"exported": 1}
    other = Shell(tmp_path / "other.db")
    assert other.json("import", str(tmp_path / "out.jsonl")) == {"added": 1, "known": 0, "refused": 0}
    assert other.run("export").stdout == (tmp_path / "out.jsonl").read_text(encoding="utf-8")
    assert other.json("search", "when does it open", "--scope", "shop")[0]["entry"] == shell.json("list")[0]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("as-of", "--scope", "shoq"), "no scope 'shoq'; known scopes: 'shop'"),
        (("as-of", "--scope", "shop", "--valid", "soon"), "--valid 'soon' is no moment; write 2025-03-01"),
        (("add", "fact", "subject", "--scope", "shop"), "'subject' is not name=value"),
        (("add", "fact", "colour=red", "--scope", "shop"), "a fact has no field 'colour'; it has predicate, subject, value"),
        (("add", "fact", "subject=x", "--scope", "shop"), "a fact needs predicate, subject, value"),
        ((*OPENS, "value=1", "--evidence", "t1"), "--evidence 't1' is not TASK:START:STOP"),
        ((*OPENS, "value=1", "--source", "rumour"), "source.kind: 'rumour' does not say who vouches for it"),
        (("history", "fact-none"), "no entry 'fact-none'"),
    ],
)  # fmt: skip
def test_bad_input_names_the_value_and_the_next_step(shell: Shell, words: tuple[str, ...], says: str) -> None:
    _opens(shell, "9:00", "2025-01-01")
    assert says in shell.refused(*words)
