"""The command line: every command has help, bad input is one line and exit code 2."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nucleate.cli.app import app
from nucleate.cli.commands import COMMANDS
from nucleate.cli.deferred import CommandPlace, CommandPlaces, CommandTable
from tests.runtime.cli.in_process import Ended, nucleate


def _places(table: CommandPlaces, *above: str) -> dict[tuple[str, ...], CommandPlace | CommandTable]:
    found: dict[tuple[str, ...], CommandPlace | CommandTable] = {}
    for name, place in table.items():
        found[*above, name] = place
        found |= _places(place.places, *above, name) if isinstance(place, CommandTable) else {}
    return found


PLACES = _places(COMMANDS)
COMMANDS_ALONE = {words: place for words, place in PLACES.items() if isinstance(place, CommandPlace)}


def _run(folder: Path, *words: str) -> Ended:
    environment = {"PATH": "/usr/bin:/bin", "COLUMNS": "200", "NUCLEATE_SANDBOX": "monty", "HOME": str(folder)}
    return nucleate(folder, *words, environment=environment)


def _line(*steps: tuple[str, dict[str, str], object], task: str, query: str) -> str:
    recorded = [{"function": f, "arguments": a, "result": r} for f, a, r in steps]
    return json.dumps({"task_id": task, "query": query, "environment": "desk", "steps": recorded})


def _runs() -> list[str]:
    names = ("ada", "bo", "cy", "di", "ed", "fay")
    return [
        _line(
            ("desk.find", {"email": f"{name}@desk.test"}, {"customer_id": f"c-{name}"}),
            ("desk.open", {"customer_id": f"c-{name}", "text": f"{name} is stuck"}, {"ticket_id": f"t-{name}-9"}),
            task=f"task-{name}",
            query=f"{name}@desk.test reports: {name} is stuck",
        )
        for name in names
    ]


def _function(name: str, effect: str, *parameters: str) -> dict[str, object]:
    properties = {parameter: {"type": "string"} for parameter in parameters}
    schema = {"type": "object", "properties": properties, "required": list(parameters)}
    return {"name": name, "doc": f"{name.partition('.')[2].title()} something.", "parameters": schema, "effect": effect}


@pytest.fixture(scope="module")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ingested")
    functions = [_function("desk.find", "read", "email"), _function("desk.open", "write", "customer_id", "text")]
    described = json.dumps({"environment": "desk", "functions": functions})
    (folder / "functions.json").write_text(described, encoding="utf-8")
    (folder / "runs.jsonl").write_text("\n".join([*_runs(), "{not json"]), encoding="utf-8")
    ended = _run(folder, "ingest", "runs.jsonl", "--functions", "functions.json")
    assert ended.returncode == 0, ended.stderr
    assert "line 7: " in ended.stdout
    return folder


@pytest.mark.parametrize("words", [(), *PLACES], ids=" ".join)
def test_every_command_has_help(words: tuple[str, ...]) -> None:
    ended = CliRunner().invoke(app, [*words, "--help"], prog_name="nucleate")
    assert ended.exit_code == 0
    assert f"Usage: {' '.join(('nucleate', *words))}" in ended.stdout


@pytest.mark.parametrize("words", COMMANDS_ALONE, ids=" ".join)
def test_the_list_says_of_a_command_what_it_says_of_itself(words: tuple[str, ...]) -> None:
    place = COMMANDS_ALONE[words]
    assert " ".join((place.load(words[-1]).help or "").split()).startswith(place.help)


def test_the_list_of_commands_comes_without_importing_them(tmp_path: Path) -> None:
    script = "import sys, nucleate.cli.app as a; print([n for n in sys.modules if n in ('sqlmodel', 'docker', 'mypy')])"
    ended = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.stdout == "[]\n"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("tools", "list"), "no database at '.nucleate/nucleate.db'"),
        (("ingest", "missing.jsonl"), "the file 'missing.jsonl' cannot be read (No such file or directory)"),
        (("--sandbox", "chroot", "tools", "list"), "sandbox"),
        (("--database", "nosuchdb://x", "tools", "list"), "nosuchdb://x"),
    ],
)
def test_bad_input_is_one_line_with_the_value_and_exit_code_2(
    tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    ended = _run(tmp_path, *words)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("nucleate: ")
    assert says in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_a_database_that_is_damaged_is_named_and_left_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "broken.db").write_bytes(b"no database at all, only text " * 200)
    ended = _run(tmp_path, "--database", "broken.db", "tools", "list")
    assert ended.returncode == 2
    assert "'broken.db' cannot be used (file is not a database)" in ended.stderr
    assert (tmp_path / "broken.db").read_bytes() == b"no database at all, only text " * 200


def test_recorded_runs_become_a_tool_that_can_be_shown_and_called(ingested: Path) -> None:
    name = _only_tool(ingested)
    shown = _run(ingested, "tools", "show", name)
    assert [
        part
        for part in ("capabilities", "closure", "Evidence", "Verdict: provisional", "replay")
        if part not in shown.stdout
    ] == []
    arguments = ("email=fay@desk.test", "text=fay is stuck")
    called = _run(ingested, "tools", "call", name, *arguments, "--task", "task-fay")
    assert (called.returncode, json.loads(called.stdout)) == (0, {"ticket_id": "t-fay-9"})


def test_a_call_that_the_recording_does_not_hold_is_the_tools_error(ingested: Path) -> None:
    arguments = ("email=nobody@desk.test", "text=hello")
    called = _run(ingested, "tools", "call", _only_tool(ingested), *arguments, "--task", "task-fay")
    assert (called.returncode, called.stdout) == (1, "")
    assert 'NoRecord: no record of desk.find({"email":"nobody@desk.test"})' in called.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("tools", "show", "nosuch"), "no tool named 'nosuch'"),
        (("tools", "call", "NAME", "email"), "'email' is not name=value"),
        (("tools", "call", "NAME", "colour=red"), "no parameter 'colour'"),
        (("tools", "call", "NAME", "email=a"), "the environment 'desk' does not run here"),
        (("tools", "call", "NAME", "email=a", "--task", "task-zoe"), "'task-zoe'"),
        (
            ("tools", "call", "NAME", "email=a", "--environment", "no_such_module:x"),
            "'no_such_module:x' cannot be loaded",
        ),
        (("memory", "show", "plan-none"), "'plan-none'"),
        (("memory", "search", "x", "--scope", "moon"), "'moon'"),
    ],
)
def test_a_wrong_name_is_one_line_that_names_it(ingested: Path, words: tuple[str, ...], says: str) -> None:
    ended = _run(ingested, *(_only_tool(ingested) if word == "NAME" else word for word in words))
    assert (ended.returncode, ended.stdout) == (2, "")
    assert says in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_functions_that_nobody_described_are_inferred_and_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "runs.jsonl").write_text("\n".join(_runs()), encoding="utf-8")
    ended = _run(tmp_path, "ingest", "runs.jsonl")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.endswith(
        "2 functions of 'desk' are described by nothing but their recorded calls: plans are learned from them, and "
        "tools where values show what depends on what; --functions FILE describes them exactly\n"
    )


def test_nothing_is_left_beside_the_users_files_but_the_database(ingested: Path) -> None:
    assert sorted(path.name for path in ingested.iterdir() if path.name != ".cache") == [
        ".nucleate",
        "functions.json",
        "runs.jsonl",
    ]


def test_the_same_file_again_changes_nothing(ingested: Path) -> None:
    before = _run(ingested, "tools", "list").stdout
    ended = _run(ingested, "ingest", "runs.jsonl")
    assert "already known" in ended.stdout
    assert _run(ingested, "tools", "list").stdout == before


def _only_tool(folder: Path) -> str:
    (tool,) = json.loads(_run(folder, "tools", "list", "--json").stdout)
    return str(tool["name"])
