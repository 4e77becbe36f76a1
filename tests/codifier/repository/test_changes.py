"""What changed since a revision, and which tools that concerns; git itself is asked."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from nucleate_codifier.repository import RepositoryError, changed_files, concerned, graph_of, open_repository
from tests.codifier.repository.files import CHEAPEST, CONFIG, FILES, read_functions, repository

OTHER = CHEAPEST.replace("def cheapest", "def other").replace("Offers.", "Others.")


def _git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=Ada Example", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def committed(tmp_path: Path) -> Path:
    repository(tmp_path, {"tools/other.py": OTHER, "notes.md": "notes"})
    _git(tmp_path, "init", "--quiet", "--initial-branch=main")
    _git(tmp_path, "add", "--all")
    _git(tmp_path, "commit", "--quiet", "--message=first")
    return tmp_path


def _concerned(folder: Path, changes: Mapping[str, str | None]) -> list[str]:
    for name, text in changes.items():
        if text is None:
            (folder / name).unlink()
        else:
            (folder / name).write_text(text, encoding="utf-8")
    graph = graph_of(open_repository([folder], read_functions=read_functions).tools)
    return sorted(concerned(graph, changed_files(folder, "main")))


BUY, CHEAP, REST = "tools/buy_cheapest.py", "tools/cheapest.py", "tools/other.py"


@pytest.mark.parametrize(
    ("changes", "tools"),
    [
        ({}, []),
        ({"notes.md": "more"}, []),
        ({REST: OTHER + "\n"}, [REST]),
        ({BUY: FILES[BUY] + "\n"}, [BUY]),
        ({CHEAP: CHEAPEST + "\n"}, [BUY, CHEAP]),
        ({CHEAP: None, "tools/cheapest.examples.jsonl": None}, [BUY]),
        ({"tools/cheapest.examples.jsonl": None}, [BUY, CHEAP]),
        ({"tools/test_other.py": "def test_it(): ..."}, [REST]),
        ({"calls.jsonl": FILES["calls.jsonl"] + "\n"}, [BUY, CHEAP, REST]),
        ({"shop.json": "others"}, [BUY, CHEAP, REST]),
        ({"pyproject.toml": f"{CONFIG}min_queries = 3\n"}, [BUY, CHEAP, REST]),
    ],
    ids=str,
)
def test_a_change_concerns_the_tool_and_what_calls_it(
    committed: Path, changes: Mapping[str, str | None], tools: list[str]
) -> None:
    assert _concerned(committed, changes) == tools


def test_what_happened_on_the_other_branch_meanwhile_is_no_change_here(committed: Path) -> None:
    _git(committed, "checkout", "--quiet", "-b", "work")
    (committed / REST).write_text(OTHER + "\n", encoding="utf-8")
    _git(committed, "commit", "--quiet", "--all", "--message=work")
    _git(committed, "checkout", "--quiet", "main")
    (committed / CHEAP).write_text(CHEAPEST + "\n", encoding="utf-8")
    _git(committed, "commit", "--quiet", "--all", "--message=meanwhile")
    _git(committed, "checkout", "--quiet", "work")
    assert changed_files(committed, "main") == {REST}


def test_before_the_first_commit_everything_is_new(tmp_path: Path) -> None:
    repository(tmp_path)
    _git(tmp_path, "init", "--quiet")
    _git(tmp_path, "add", "tools")
    assert changed_files(tmp_path, "HEAD") >= {BUY, CHEAP, "calls.jsonl"}


@pytest.mark.parametrize("revision", ["nosuch", "--output=stolen", ""])
def test_a_revision_that_is_none_is_named(committed: Path, revision: str) -> None:
    with pytest.raises(RepositoryError, match="name a commit that this clone has"):
        changed_files(committed, revision)
    assert not (committed / "stolen").exists()


def test_a_folder_without_git_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(RepositoryError, match="git rev-parse 'main"):
        changed_files(tmp_path, "main")
