"""`nucleate tools` on a library of three tools: columns, previews, exit codes, pictures."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from nucleate.cli.app import app
from nucleate.database import open_database
from nucleate.errors import InputInvalid
from nucleate_tool_library import LibraryError, State, ToolLibrary
from tests.project.places import ROOT
from tests.tool_library.doubles import version

PAGE = (ROOT / "docs" / "tool_library.md").read_text(encoding="utf-8")
COUNT = replace(version("count"), verdict={"decision": "admitted", "gates": []})
TOTAL = version("total", COUNT)
REPORT = version("report_" + "x" * 33, TOTAL)  # 40 characters, the longest name there is


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "library.db"
    engine = open_database(str(path))
    library = ToolLibrary(engine)
    for item in (COUNT, TOTAL, REPORT):
        library.register(item, state=State.ACTIVE, approved_by="admission")
    engine.dispose()
    return path


def run(database: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ["--database", str(database), "tools", *words], env={"COLUMNS": "80"})


def data(database: Path, *words: str) -> Any:
    return json.loads(run(database, *words, "--json").stdout)


def test_a_list_fits_80_columns_and_cuts_no_name(database: Path) -> None:
    lines = run(database, "list").stdout.splitlines()
    assert lines[0].strip() == "3 tools in shop"
    assert max(map(len, lines)) <= 80
    assert [name for name in ("count", "total", REPORT.name) if not any(f"│ {name} " in line for line in lines)] == []


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("list", ("list",)),
        ("show", ("show", "count")),
        ("history", ("history", "count")),
        ("change", ("rename", "count", "tally", "--why", "x", "--yes")),
        ("diff", ("diff", "count")),
        ("graph", ("graph", "total")),
        ("trace", ("trace", "count")),
        ("source", ("source", "count")),
    ],
)
def test_the_columns_of_json_are_those_on_the_page(database: Path, title: str, words: tuple[str, ...]) -> None:
    found = data(database, *words)
    columns = list(found[0] if isinstance(found, list) else found)
    row = re.search(rf"^\| {title} \| (.*) \|$", PAGE, re.MULTILINE)
    assert row is not None
    assert re.findall(r"`(\w+)`", row[1]) == columns


def test_a_change_is_shown_first_and_made_only_with_yes(database: Path) -> None:
    seen = run(database, "rename", "count", "tally", "--why", "says more", "--by", "ada")
    assert (seen.exit_code, seen.stderr) == (1, "nothing was changed; --yes makes the change\n")
    assert "  total calls it: follows as 1.0.1" in seen.stdout
    assert "  the name count leads to tally" in seen.stdout
    assert [line["name"] for line in data(database, "list")] == ["count", REPORT.name, "total"]
    made = run(database, "rename", "count", "tally", "--why", "says more", "--by", "ada", "--yes")
    assert made.exit_code == 0
    assert made.stdout == seen.stdout.replace("Would be done", "Done")
    assert [(line["name"], line["aliases"]) for line in data(database, "list")][1:] == [
        ("tally", ["count"]),
        ("total", []),
    ]
    assert data(database, "history", "count")[-1]["by"] == "ada"
    assert "tally(n=n)" in run(database, "source", "total").stdout


def test_a_preview_as_json_says_that_it_was_not_made(database: Path) -> None:
    seen = run(database, "pin", "count", "--why", "audited", "--json")
    assert (seen.exit_code, json.loads(seen.stdout)["made"]) == (1, False)
    assert not data(database, "list")[0]["pinned"]


def test_every_changing_verb_works_from_the_shell(database: Path) -> None:
    def act(*words: str) -> None:
        ended = run(database, *words, "--why", "x", "--by", "ada", "--yes")
        assert ended.exit_code == 0, (words, ended.stdout, ended.exception)

    act("pin", "count")
    act("pin", "count", "--remove")
    act("alias", "number_of", "--to", "count")
    act("alias", "number_of", "--remove")
    act("archive", REPORT.name)
    act("revive", REPORT.name)
    act("split", REPORT.name, "count", "total")
    act("merge", "total", "--into", "count")
    assert {line["name"]: line["state"] for line in data(database, "list", "--all")} == {
        "count": "active",
        REPORT.name: "deprecated",
        "total": "deprecated",
    }


def test_only_old_tools_without_a_use_are_archived_as_unused(database: Path) -> None:
    ended = run(database, "archive", "--unused", "--yes")
    assert (ended.exit_code, ended.stdout, ended.stderr) == (0, "", "nothing to change\n")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("show", "cuont"), r"no tool named 'cuont' \(near: count\)"),
        (("diff", "count", "9.9.9"), r"'count' has no version '9\.9\.9'; it has 1\.0\.0"),
        (("rename", "count", "total", "--why", "x"), "the name 'total' is taken"),
        (("archive", "count", "--why", "x"), "'count' is called by 'total'"),
        (("archive", "--unused", "count"), "archiving needs NAME with --why TEXT, or --unused"),
        (("alias", "x", "--why", "x"), "the alias 'x' needs one of --to NAME and --remove"),
        (("merge", "count"), "merging 'count' needs --into NAME and --why TEXT"),
        (("graph", "--callers"), "--callers asks who leads to a tool; name it"),
        (("graph", "--svg", "no/such/folder.svg"), "'no/such/folder.svg' cannot be written"),
    ],
)
def test_bad_input_is_an_error_that_names_it(database: Path, words: tuple[str, ...], says: str) -> None:
    ended = run(database, *words)
    assert isinstance(ended.exception, LibraryError | InputInvalid)
    assert re.search(says, str(ended.exception))


def test_a_graph_is_a_tree_a_picture_and_dot(database: Path, tmp_path: Path) -> None:
    tree = run(database, "graph", REPORT.name).stdout.splitlines()
    assert [line.strip("│├└─ ").split()[0] for line in tree][:3] == [REPORT.name, "total", "count"]
    assert "env.shop.get" in "".join(tree)
    callers = run(database, "graph", "count", "--callers").stdout
    assert [line.strip("│├└─ ").split()[0] for line in callers.splitlines()] == ["count", "total", REPORT.name]
    dot = run(database, "graph", "--dot", "-").stdout
    assert f'"{TOTAL.id}" -> "{COUNT.id}";' in dot
    assert run(database, "graph", "--svg", str(tmp_path / "graph.svg")).exit_code == 0
    drawn = ET.parse(tmp_path / "graph.svg").getroot()
    texts = [item.text for item in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == [f"{REPORT.name} 1.0.0", "total 1.0.0", "count 1.0.0", "env.shop.get", "env.shop.search"]


def test_who_still_calls_an_older_version_is_seen_from_below(database: Path) -> None:
    engine = open_database(str(database))
    wider = version("count", returns="float")
    ToolLibrary(engine).register(wider, state=State.ACTIVE, approved_by="ada", replace=True)
    engine.dispose()
    lines = run(database, "graph", "count", "--callers").stdout.splitlines()
    assert [line.strip("│├└─ ") for line in lines] == [
        "count 2.0.0 active",
        f"count {COUNT.id[:12]}, an older version",
        "total 1.0.0 active",
        f"{REPORT.name} 1.0.0 active",
    ]


def test_search_finds_by_what_a_tool_does(database: Path) -> None:
    assert next(line["name"] for line in data(database, "search", "total")) == "total"
