"""The library as files: the same bytes for the same content, one folder each, and nothing that spoils another."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from nucleate import InputInvalid
from nucleate.exporting import export_tools
from nucleate.exports.library_files import Files, library_files
from nucleate.exports.tool_folder import content_of, content_of_version
from nucleate.importing import import_tools
from nucleate.repositories import described
from nucleate.versions import version_of
from nucleate_codifier import AdmissionPolicy, Candidate, Evidence, Example, ImportLevel, Verdict
from nucleate_codifier.repository import open_repository
from nucleate_codifier.values import Decision
from nucleate_sandbox import Call, Effect, Failure, FunctionSpec
from nucleate_tool_library import State, Tool, ToolVersion
from tests.runtime.exports.sample_tools import GREETING, version
from tests.runtime.exports.shop_library import changes, filled, open_shop_runtime

LOCK = f"humanize==4.12.3 \\\n    --hash=sha256:{'0' * 64}\n"


def tool(name: str, scope: str = "shop", **more: object) -> Tool:
    made = replace(version(name, GREETING.replace("greeting", name)), scope=scope, **more)  # type: ignore[arg-type]
    return Tool(name=name, scope=scope, state=State.ACTIVE, version=made)


def files(tools: Sequence[Tool], policy: AdmissionPolicy | None = None, *functions: FunctionSpec) -> Files:
    known = {spec.name: spec for spec in functions}
    return library_files(tools, dependencies={}, functions={"shop": known}, policy=policy or AdmissionPolicy())


def rich() -> ToolVersion:
    """Return a version with everything that a folder can hold."""
    call = Call(function="shop.search", arguments={"q": "ü"}, result={"n": [1, 2.5, None]})
    failed = Call(function="shop.search", arguments={}, error=Failure(kind="NotFound", message="nichts"))
    runs = tuple(
        Example(task_id=f"task-{n}", query=f"Grüß {n}", arguments={"name": "A"}, result="é", calls=(call, failed))
        for n in range(3)
    )
    candidate = Candidate(
        name="greeting",
        scope="shop",
        source=GREETING,
        tests={"test_one.py": "assert tool\n", "test_greeting.py": "assert True\n"},
        lock=LOCK,
    )
    verdict = Verdict(candidate="greeting", decision=Decision.ADMITTED, gates=())
    return version_of(candidate, evidence=Evidence(seen=runs[:2], held_out=runs[2:]), verdict=verdict)


def written(folder: Path, made: Files) -> Path:
    for path, text in made.files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def test_what_a_folder_holds_is_what_the_repository_reads(tmp_path: Path) -> None:
    made = rich()
    search = FunctionSpec(name="shop.search", doc="Suche.", effect=Effect.READ)
    of = Tool(name="greeting", scope="shop", state=State.ACTIVE, version=made)
    folder = written(tmp_path, files([of], None, search))
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()) == [
        "shop/greeting/greeting.examples.jsonl",
        "shop/greeting/greeting.py",
        "shop/greeting/greeting.requirements.txt",
        "shop/greeting/tests/test_greeting.py",
        "shop/greeting/tests/test_one.py",
        "shop/greeting/tool.json",
        "shop/pyproject.toml",
        "shop/shop.functions.json",
    ]
    (read,) = open_repository([folder], read_functions=described).tools
    assert content_of(read.candidate, read.evidence) == content_of_version(made)
    assert (read.candidate.tests, read.candidate.lock) == (
        {"test_greeting.py": "assert True\n", "test_one.py": "assert tool\n"},
        LOCK,
    )
    assert [run.task_id for run in read.evidence.seen] == ["task-0", "task-1"]
    assert read.project.environment.functions == {"shop.search": search}


def test_equal_libraries_give_equal_bytes() -> None:
    tools = [tool("one"), tool("two"), tool("other", "office")]
    assert files(tools).files == files(tools[::-1]).files


def test_each_environment_has_a_folder_even_where_names_collide() -> None:
    made = files(
        [tool("greet", "Back office"), tool("greet", "back-office"), tool("greet", "../etc"), tool("greet", "venv")]
    )
    folders = sorted({path.partition("/")[0] for path in made.files})
    assert len(folders) == 4
    assert {"back-office", "etc", "venv-tools"} < set(folders)
    described = [json.loads(text)["environment"] for path, text in made.files.items() if "functions.json" in path]
    assert sorted(described) == ["../etc", "Back office", "back-office", "venv"]


@pytest.mark.parametrize("name", ["../evil", "a/b", "", "test_it", "setup", "venv", "ünder", "con\x00"])
def test_a_name_that_is_no_file_of_a_tool_is_left_out(name: str) -> None:
    odd = replace(tool("greet"), name=name, version=replace(tool("greet").version, name=name))
    made = files([odd, tool("fine")])
    assert (made.tools, list(made.left_out)) == (("fine",), [name])
    assert [path for path in made.files if "evil" in path or "\x00" in path] == []


def test_a_test_file_with_a_path_for_a_name_leaves_its_tool_out() -> None:
    made = files([tool("greet", tests={"files": {"../../test_evil.py": "x"}})])
    assert (made.tools, list(made.left_out)) == ((), ["greet"])


def test_half_a_character_leaves_its_tool_out() -> None:
    made = files([tool("greet", tests={"files": {"test_odd.py": "# \ud800"}}), tool("fine")])
    assert (made.tools, list(made.left_out)) == (("fine",), ["greet"])


def test_a_function_that_no_file_can_describe_spoils_no_other() -> None:
    good, bad = FunctionSpec(name="shop.search"), FunctionSpec(name="shop odd", parameters={"type": "objekt"})
    made = files([tool("greet")], None, good, bad)
    described = json.loads(made.files["shop/shop.functions.json"])
    assert ([item["name"] for item in described["functions"]], list(made.left_out)) == (["shop.search"], ["shop odd"])


def test_the_rules_of_the_runtime_go_along_where_they_are_not_the_usual_ones(tmp_path: Path) -> None:
    erase = FunctionSpec(name="shop.erase", effect=Effect.DESTRUCTIVE)
    policy = AdmissionPolicy(
        min_queries=3, level=ImportLevel.PACKAGES, approved_destructive=frozenset({"shop.erase", "shop.gone"})
    )
    folder = written(tmp_path, files([tool("greet")], policy, erase))
    (read,) = open_repository([folder], read_functions=described).tools
    assert (read.project.policy.min_queries, read.project.policy.level) == (3, ImportLevel.PACKAGES)
    assert read.project.policy.approved_destructive == {"shop.erase"}


@pytest.mark.slow
def test_two_hundred_tools_go_out_and_come_back_unchanged(tmp_path: Path) -> None:
    with open_shop_runtime(tmp_path) as runtime:
        for number in range(200):
            name = f"greet_{number}"
            runtime.library.register(tool(name).version, state=State.ACTIVE, approved_by="test")
        report = export_tools(runtime, tmp_path / "lib")
        assert (len(report.tools), len(report.files.written)) == (200, 402)
        assert export_tools(runtime, tmp_path / "lib").files.written == ()
        assert set(changes(import_tools(runtime, tmp_path / "lib", by="ada")).values()) == {"unchanged"}


def test_named_tools_go_out_with_what_they_call_and_the_rest_stays(tmp_path: Path) -> None:
    with open_shop_runtime(tmp_path) as runtime:
        filled(tmp_path, runtime)
        assert export_tools(runtime, tmp_path / "lib", names=["cheapest"]).tools == ("cheapest",)
        assert export_tools(runtime, tmp_path / "lib", names=["buy_cheapest"]).tools == ("buy_cheapest", "cheapest")
        assert changes(import_tools(runtime, tmp_path / "lib/shop/cheapest", by="ada")) == {
            "cheapest": "unchanged",
            "buy_cheapest": "missing",
        }


def test_an_empty_library_has_nothing_to_export(tmp_path: Path) -> None:
    with open_shop_runtime(tmp_path) as runtime:
        with pytest.raises(InputInvalid, match="there are no tools to export"):
            export_tools(runtime, tmp_path / "lib")
        with pytest.raises(InputInvalid, match="there are no tools in the environment 'moon' to export"):
            export_tools(runtime, tmp_path / "lib", scope="moon")


def test_an_archived_tool_leaves_the_folder(tmp_path: Path) -> None:
    with open_shop_runtime(tmp_path) as runtime:
        filled(tmp_path, runtime)
        export_tools(runtime, tmp_path / "lib")
        runtime.library.archive("buy_cheapest", "shop", by="ada", why="nobody buys")
        report = export_tools(runtime, tmp_path / "lib")
        assert (report.tools, len(report.files.removed)) == (("cheapest",), 3)
        assert not (tmp_path / "lib/shop/buy_cheapest").exists()
