"""A tool in a folder of its own: `NAME/NAME.py` with its test files in `NAME/tests`, and runs that bear their ids."""

from __future__ import annotations

from pathlib import Path

from nucleate_codifier.repository import ToolFile, concerned, graph_of, open_repository
from tests.codifier.repository.files import FILES, read_functions, repository

TOOL = "tools/cheapest/cheapest.py"
EXAMPLES = "tools/cheapest.examples.jsonl"
TESTS = {"tools/cheapest/tests/test_one.py": "one = 1\n", "tools/cheapest/tests/test_two.py": "two = 2\n"}
AROUND = {"tools/cheapest/tests/conftest.py": "", "tools/tests/test_all.py": "", "tools/cheapest/tests/notes.md": ""}


def own_folder(folder: Path, **more: str) -> Path:
    repository(folder, {TOOL: FILES["tools/cheapest.py"], **TESTS, **AROUND, **more})
    (folder / "tools/cheapest.py").unlink()
    return folder


def tool(folder: Path, *named: str) -> ToolFile:
    opened = open_repository([folder / name for name in named or (".",)], read_functions=read_functions)
    return next(item for item in opened.tools if item.path == TOOL and item.path in opened.asked)


def test_the_test_files_of_its_folder_are_its_tests(tmp_path: Path) -> None:
    assert tool(own_folder(tmp_path)).candidate.tests == {"test_one.py": "one = 1\n", "test_two.py": "two = 2\n"}


def test_one_beside_the_module_counts_too_and_before_one_of_its_name(tmp_path: Path) -> None:
    folder = own_folder(tmp_path)
    (folder / "tools/cheapest/test_cheapest.py").write_text("beside = 1\n", encoding="utf-8")
    (folder / "tools/cheapest/tests/test_cheapest.py").write_text("inside = 1\n", encoding="utf-8")
    assert tool(folder).candidate.tests["test_cheapest.py"] == "beside = 1\n"


def test_a_test_file_that_is_named_leads_to_its_tool(tmp_path: Path) -> None:
    assert tool(own_folder(tmp_path), "tools/cheapest/tests/test_two.py").name == "cheapest"


def test_a_changed_test_file_concerns_its_tool(tmp_path: Path) -> None:
    graph = graph_of(open_repository([own_folder(tmp_path)], read_functions=read_functions).tools)
    assert TOOL in concerned(graph, frozenset({"tools/cheapest/tests/test_two.py"}))
    assert TOOL not in concerned(graph, frozenset({"tools/tests/test_all.py"}))


def test_a_run_keeps_the_id_that_its_line_bears(tmp_path: Path) -> None:
    repository(tmp_path, {})
    place = tmp_path / EXAMPLES
    first, *rest = place.read_text(encoding="utf-8").splitlines()
    place.write_text("\n".join([first.replace("{", '{"task_id": "task-7", ', 1), *rest]) + "\n", encoding="utf-8")
    (found,) = [
        item
        for item in open_repository([tmp_path], read_functions=read_functions).tools
        if item.path == "tools/cheapest.py"
    ]
    assert [run.task_id for run in found.evidence.seen][:2] == ["task-7", "line 2"]
